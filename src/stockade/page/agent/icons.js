// What a picture without words may be called: by its file, its symbol or its class.
const Icons = (() => {
  const LONGEST = 40;
  const MOST_INSIDE = 8;
  const URL_IN_STYLE = /url\("?((?:[^"\\]|\\.)*?)"?\)/;
  const SHAPES = new Set(['circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect']);
  // The families of icon fonts and sprites, whose other half is the picture.
  const FAMILY = /^(?:[a-z]{1,4}|icons?|[a-z]*icon|glyph|lucide|feather|symbol)[-_](?=[a-z])/i;
  const GENERIC = /^(?:icons?|fa[a-z]?|fas|far|bi|mdi|glyphicon|anticon|material-(?:icons|symbols).*|svg|img|btn|button)$/i;
  const MADE = /\d|^(?:css|sc|jss|_|Mui)/;

  const plainWords = (string) => Text.cut(Text.clean(string.replace(/[-_]+/g, ' ')), LONGEST);
  const fileStem = (address) => {
    if (!address || /^(?:data|blob|javascript):/i.test(address)) return '';
    const path = address.split(/[?#]/)[0];
    const file = path.slice(path.lastIndexOf('/') + 1);
    return Text.cut(Text.clean(file.replace(/(?:[.-][0-9a-f]{8,})?\.[a-z0-9]{2,5}$/i, '')), LONGEST);
  };
  const styled = (el) => {
    const style = Dom.style(el);
    for (const value of [style.content, style.backgroundImage, style.maskImage]) {
      const found = value && value !== 'none' && value !== 'normal' && URL_IN_STYLE.exec(value);
      const stem = found ? fileStem(found[1]) : '';
      if (stem) return stem;
    }
    return '';
  };
  const classed = (el) => {
    const names = (Dom.attr(el, 'class') || '').split(/\s+/).filter((name) => name && !GENERIC.test(name));
    const family = names.find((name) => FAMILY.test(name) && !MADE.test(name));
    if (family) return plainWords(family.replace(FAMILY, ''));
    return plainWords(names.find((name) => !MADE.test(name) && name.length <= LONGEST) || '');
  };
  const fragment = (address) => {
    const at = (address || '').lastIndexOf('#');
    return at < 0 ? '' : plainWords(address.slice(at + 1).replace(/^icon[-_]/, ''));
  };
  const own = (el) => {
    const tag = Dom.tag(el);
    const said = Dom.attr(el, 'alt') || Dom.attr(el, 'data-icon') || '';
    if (said.trim()) return plainWords(said);
    if (tag === 'img' || tag === 'video' || tag === 'audio' || tag === 'source') return fileStem(Dom.attr(el, 'src'));
    if (tag === 'use') return fragment(Dom.attr(el, 'href') || Dom.attr(el, 'xlink:href'));
    if (tag === 'svg') return plainWords((Dom.attr(el, 'data-testid') || '').replace(/Icon$/, '')) || classed(el);
    return styled(el);
  };

  // The best hint at what is drawn; '' if there is none.
  const name = (el) => {
    if (SHAPES.has(Dom.tag(el)) && Dom.isSvg(el)) return plainWords(`${Dom.attr(el, 'fill') || ''} ${Dom.tag(el)}`);
    const inside = Array.prototype.slice.call(Dom.query(el, '*'), 0, MOST_INSIDE);
    for (const each of [el, ...inside]) {
      const said = own(each);
      if (said) return said;
    }
    for (const each of [...inside, el]) {
      const said = Dom.isSvg(each) ? '' : classed(each);
      if (said) return said;
    }
    return '';
  };

  return Object.freeze({ name, fileStem });
})();
