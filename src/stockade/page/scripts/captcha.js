// The site keys by which captchas of one kind are known: those that elements state, and those in the
// addresses of the widgets that are there. With a ref, of what is in or around that element alone.
(args) => {
  const { Dom, Place, Refs, Selector } = globalThis.stockade.modules;
  const MARKED = { recaptcha2: '.g-recaptcha', recaptcha3: '.g-recaptcha', hcaptcha: '.h-captcha', turnstile: '.cf-turnstile' };
  const KEY = /^[\w.:-]{1,200}$/;
  const WORDS = new Set(['explicit', 'onload']);
  const base = Dom.getter(Node.prototype, 'baseURI')(document);

  const within = args.ref ? Refs.check(args.caller, args.ref) : null;
  const meant = (el) => !within || Dom.contains(within, el) || Dom.contains(el, within);
  const all = (selector) => Selector.all(selector).filter(meant);

  const stated = (selector) => all(selector).map((el) => Dom.attr(el, 'data-sitekey'));
  const parameter = (url, name) => url.searchParams.get(name) || new URLSearchParams(url.hash.slice(1)).get(name);
  const FROM = {
    recaptcha2: (url) => (/\/recaptcha\/(api2|enterprise)\//.test(url.pathname) ? parameter(url, 'k') : ''),
    recaptcha3: (url) => (/\/recaptcha\/(api|enterprise)\.js$/.test(url.pathname) ? parameter(url, 'render') : ''),
    hcaptcha: (url) => (/(^|\.)hcaptcha\.com$/.test(url.hostname) ? parameter(url, 'sitekey') : ''),
    turnstile: (url) => (url.hostname === 'challenges.cloudflare.com' ? (url.pathname.match(/\/(0x[\w-]+)/) || [])[1] : ''),
  };
  const addressed = () => all(args.kind === 'recaptcha3' ? 'script[src]' : 'iframe[src]').map((el) => {
    try {
      return FROM[args.kind](new URL(Dom.attr(el, 'src'), base));
    } catch {
      return '';
    }
  });

  const ways = [() => stated(`${MARKED[args.kind]}[data-sitekey]`), addressed, () => stated('[data-sitekey]')];
  let keys = [];
  for (const way of ways) {
    keys = [...new Set(way().filter((key) => key && KEY.test(key) && !WORDS.has(key)))];
    if (keys.length) break;
  }
  return { keys: keys.slice(0, args.most), view: Place.view() };
}
