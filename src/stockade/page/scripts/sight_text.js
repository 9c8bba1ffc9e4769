// All that can be read in a frame, as one text: joined over inline elements, since letters may
// have an element each, and with breaks between blocks. Each piece is known by its place in it.
// What is hidden comes at the end: the page may show it at any moment.
(args, readStyles) => {
  const { Dom, Generated, Pass } = globalThis.stockade.modules;
  const words = (string) => new Set(string.split(' '));
  const INLINE = words('a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rt '
    + 'ruby s samp slot small span strike strong sub sup time tt tspan u var wbr');
  const DRAWN = words('canvas video embed object');
  const NEVER = words('script style template noscript datalist head');
  const CLOSED = words('canvas video audio embed iframe frame');
  const SOURCED = words('img image input feimage');
  const ADDRESSED = words('image feimage video object embed input');
  const ADDRESSES = ['href', 'xlink:href', 'src', 'data', 'poster'];
  const SILENT = words('hidden checkbox radio range color');
  const MADE_HERE = /(?:data|blob|filesystem):|(?:element|paint|-webkit-canvas)\(/i;
  const DRAWING = /data:image\/svg|data:text|data:application\/xhtml/i;
  const PAINTS = ['backgroundImage', 'borderImageSource', 'listStyleImage', 'maskImage', 'content'];
  const LONGEST_DRAWING = 100_000;
  const STRING = /"((?:[^"\\]|\\.)*)"/g;
  const CODE = /\\([0-9a-f]{1,6})\s?|\\(.)/gi;
  const MOST_NODES = 1_000_000;
  const MOST_MS = 2000;
  const inputValue = Dom.getter(HTMLInputElement.prototype, 'value');
  const chosen = Dom.getter(HTMLInputElement.prototype, 'files');
  const source = Dom.getter(HTMLImageElement.prototype, 'currentSrc');
  const selected = Dom.getter(HTMLOptionElement.prototype, 'selected');
  const attr = (el, name) => Dom.attr(el, name) || '';

  const parts = [];
  const pieces = [];
  const covered = [];
  const fields = [];
  const roots = [document];
  const hidden = [];
  let length = 0;
  const put = (string) => {
    parts.push(string);
    length += string.length;
  };
  const add = (kind, node, string) => {
    if (!string) return;
    pieces.push({ kind, node, start: length, end: length + string.length });
    put(string.toWellFormed());
  };
  const apart = () => { if (length && parts[parts.length - 1] !== '\n') put('\n'); };
  const alone = (el, string) => {
    apart();
    add('whole', el, string);
    apart();
  };

  const unescaped = (css) => css.replace(CODE, (_, hex, char) => (
    hex ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)) : char));
  const generated = (el, pseudo) => {
    const style = Dom.pseudoStyle(el, pseudo);
    const { content } = style;
    if (!content || content === 'none' || content === 'normal' || style.display === 'none') return;
    const said = [...content.matchAll(STRING)].map(([, each]) => each).join('');
    add(pseudo, el, unescaped(said));
    if (args.drawings && PAINTS.some((name) => MADE_HERE.test(style[name]))) covered.push({ el, kind: pseudo });
    else if (DRAWING.test(style.backgroundImage) || DRAWING.test(content)) add(pseudo, el, `${style.backgroundImage} ${content}`);
  };

  // Pixels that scripts of the page may have made; nobody can read them.
  const drawn = (el, tag) => {
    if (DRAWN.has(tag)) return true;
    if (SOURCED.has(tag)) {
      const from = el instanceof HTMLImageElement ? source(el) : '';
      if (MADE_HERE.test(from || attr(el, 'src') || attr(el, 'href') || attr(el, 'xlink:href'))) return true;
    }
    const { backgroundImage, borderImageSource, listStyleImage, maskImage, content } = Dom.style(el);
    return [backgroundImage, borderImageSource, listStyleImage, maskImage, content]
      .some((each) => each && each !== 'none' && each !== 'normal' && MADE_HERE.test(each));
  };

  // A drawing whose words are in its address.
  const drawing = (address) => (DRAWING.test(address) ? ` ${address.slice(0, LONGEST_DRAWING)}` : '');

  const options = (el) => {
    const list = Dom.has(el, 'multiple') || Number(Dom.attr(el, 'size')) > 1;
    const groups = list ? [...Dom.query(el, 'optgroup')].map((each) => attr(each, 'label')) : [];
    const shown = [...Dom.query(el, 'option')].filter((each) => list || selected(each))
      .map((each) => attr(each, 'label') || Dom.textContent(each));
    return [...groups, ...shown].join('\n');
  };
  const input = (el) => {
    const type = Dom.type(el);
    const value = inputValue(el);
    if (value && Dom.secret(el)) covered.push(el);
    else if (type === 'file') alone(el, [...(chosen(el) || [])].map((each) => each.name).join('\n'));
    else if (!SILENT.has(type)) alone(el, value || attr(el, 'placeholder') || attr(el, 'alt'));
  };
  // What has words of its own in place of children; whether that was one.
  const control = (el, tag) => {
    if (Dom.isField(el)) fields.push(el);
    if (el instanceof HTMLInputElement) input(el);
    else if (Dom.concealed(el)) covered.push(el);
    else if (el instanceof HTMLTextAreaElement) alone(el, Dom.value(el) || attr(el, 'placeholder'));
    else if (el instanceof HTMLSelectElement) alone(el, options(el));
    else if (tag === 'img') alone(el, `${attr(el, 'alt')}${drawing(source(el) || attr(el, 'src'))}`);
    else return CLOSED.has(tag);
    return true;
  };

  const boxless = (el) => Dom.style(el).display === 'contents';
  const pending = [document.documentElement];
  let aside = false;
  const element = (el) => {
    const tag = Dom.tag(el);
    const visible = aside || Dom.shown(el) || boxless(el);
    if (!visible && !Dom.rendered(el)) {
      hidden.push(el);
      return;
    }
    if (aside && NEVER.has(tag)) return;
    if (Dom.shadow(el)) roots.push(Dom.shadow(el));
    Pass.suspect(el);
    if (args.drawings && drawn(el, tag)) covered.push(el);
    else {
      if (/data:/i.test(attr(el, 'style'))) alone(el, drawing(attr(el, 'style')));
      if (ADDRESSED.has(tag)) for (const name of ADDRESSES) alone(el, drawing(attr(el, name)));
    }
    if (tag === 'br') apart();
    if (tag === 'br' || control(el, tag)) return;
    const inline = INLINE.has(tag) || tag.includes('-');
    // Rules that scripts change in place are not known to have changed.
    const decorated = args.drawings || Generated.any(el);
    if (!inline) apart();
    if (decorated) generated(el, '::before');
    pending.push(() => {
      if (decorated) generated(el, '::after');
      if (!inline) apart();
    });
    const inner = Dom.children(el);
    for (let at = inner.length - 1; at >= 0; at -= 1) {
      (visible || !Dom.isText(inner[at]) ? pending : hidden).push(inner[at]);
    }
  };

  const until = performance.now() + MOST_MS;
  let looked = 0;
  const walk = () => {
    for (; pending.length; looked += 1) {
      if (looked > MOST_NODES || (looked % 256 === 0 && performance.now() > until)) return;
      const next = pending.pop();
      if (typeof next === 'function') next();
      else if (next && Dom.isText(next)) add('text', next, Dom.text(next));
      else if (next && Dom.isElement(next)) element(next);
    }
  };
  walk();
  aside = true;
  for (let at = hidden.length - 1; at >= 0; at -= 1) pending.push(apart, hidden[at]);
  walk();
  const styles = readStyles(roots, { fresh: args.drawings });
  apart();
  add('everything', document.documentElement, unescaped(styles.text));
  // What scripts that know a secret count by, nobody can read.
  const blind = Boolean(args.drawings) && styles.symbols;
  return { text: parts.join(''), pieces, covered, fields, roots, blind, limited: pending.length > 0 || styles.limited };
}
