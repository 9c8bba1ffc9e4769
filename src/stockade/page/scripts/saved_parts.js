// What a page is made of beside its HTML: each part gets a mark that is filled in later.
(token) => {
  const { Dom } = globalThis.stockade.modules;
  const LARGEST_CANVAS = 8000000;
  const currentSrc = Dom.getter(HTMLImageElement.prototype, 'currentSrc');
  const toDataURL = Dom.method(HTMLCanvasElement.prototype, 'toDataURL');
  const styleSheet = Dom.getter(HTMLStyleElement.prototype, 'sheet');
  const linkSheet = Dom.getter(HTMLLinkElement.prototype, 'sheet');
  const rulesOf = Dom.getter(CSSStyleSheet.prototype, 'cssRules');
  const resources = [];
  const styles = [];

  const absolute = (address) => {
    try {
      return new URL(address, document.baseURI).href;
    } catch {
      return null;
    }
  };
  // A picture, font, film or sound; what is inline already stays.
  const resource = (address) => {
    const url = absolute(address);
    if (!url || /^(?:data|about|javascript):/i.test(url)) return /^data:/i.test(address) ? address : '';
    resources.push(url);
    return `${token}-r${resources.length - 1}-`;
  };
  const css = (kind, entry) => {
    styles.push({ base: document.baseURI, ...entry });
    return `${token}-${kind}${styles.length - 1}-`;
  };

  const rulesText = (sheet) => {
    try {
      return [...rulesOf(sheet)].map((rule) => rule.cssText).join('\n');
    } catch {
      return null; // of another origin
    }
  };
  // Rules that a script put in are not in the text.
  const styleText = (el) => {
    const written = Dom.textContent(el);
    const sheet = styleSheet(el);
    if (!sheet) return written;
    const there = rulesText(sheet);
    if (there === null) return written;
    const again = new CSSStyleSheet();
    try {
      again.replaceSync(written);
    } catch {
      return written;
    }
    return rulesText(again).length === there.length || /@import/i.test(written) ? written : there;
  };
  const linkText = (el) => (linkSheet(el) ? rulesText(linkSheet(el)) : null);
  const adopted = (root) => [...(root.adoptedStyleSheets || [])].map((sheet) => rulesText(sheet)).filter(Boolean);

  const picture = (el) => currentSrc(el) || Dom.attr(el, 'src') || '';
  const canvas = (el) => {
    try {
      const url = toDataURL(el);
      return url.length < LARGEST_CANVAS ? url : null;
    } catch {
      return null; // drawn from another origin
    }
  };

  return { resources, styles, absolute, resource, css, styleText, linkText, adopted, picture, canvas };
}
