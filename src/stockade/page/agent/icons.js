// What a picture without words may be called: by its file, its symbol or its class.
const Icons = (() => {
  const LONGEST = 40;
  const MOST_INSIDE = 8;
  const URL_IN_STYLE = /url\("?((?:[^"\\]|\\.)*?)"?\)/;
  const SHAPES = new Set(['circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect']);
  // The families of icon fonts and sprites, whose other half is the picture.
  const FAMILY = /^(?:[a-z]{1,4}|icons?|[a-z]*icon|glyph|lucide|feather|symbol|[A-Z][A-Za-z]*)[-_]+(?=[A-Za-z])/;
  const MADE = /^(?:css|sc|jss|svelte|emotion)-|^_/;
  const GENERIC = new Set(('anticon base bi box btn button container content danger default fa fab fad fal far fas font '
    + 'glyphicon icon icons img info inner input item large material mdi medium only outer primary root secondary size small '
    + 'success svg symbols warning widget wrapper').split(' '));
  const HASH = /^(?=.*\d)(?=.*[a-z])[a-z\d]{5,}$/i;

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
  // The words of a class that may tell what it is for, and whether it speaks of an icon.
  const classWords = (name) => {
    if (MADE.test(name)) return { said: '', icon: false };
    const all = name.replace(FAMILY, '').replace(/([a-z])([A-Z])/g, '$1 $2').split(/[-_\s]+/);
    const said = all.filter((word) => !HASH.test(word) && !GENERIC.has(word.toLowerCase()));
    return { said: plainWords(said.join(' ').toLowerCase()), icon: /icon|glyph|^fa-|^bi-|^mdi-/i.test(name) };
  };
  const LETTERS = /[a-z]{2}/;
  const classed = (el) => {
    const found = (Dom.attr(el, 'class') || '').split(/\s+/).map(classWords).filter(({ said }) => LETTERS.test(said));
    const best = found.find(({ icon }) => icon) || found[0];
    return best ? best.said : '';
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

  // What a shape looks like: its colour in a word.
  const HUES = [[15, 'red'], [45, 'orange'], [70, 'yellow'], [165, 'green'], [200, 'cyan'], [260, 'blue'], [295, 'purple'],
    [345, 'pink'], [360, 'red']];
  const hueOf = (r, g, b, most, range) => {
    const turn = most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range;
    return (turn * 60 + 360) % 360;
  };
  const colourWord = (css) => {
    const [r, g, b, alpha] = Aria.paint.colour(css);
    if (alpha < 0.01) return '';
    const most = Math.max(r, g, b);
    const range = most - Math.min(r, g, b);
    if (range < 24) return most < 64 ? 'black' : most > 224 ? 'white' : 'grey';
    return most < 48 ? 'black' : HUES.find(([end]) => hueOf(r, g, b, most, range) <= end)[1];
  };
  const shape = (el) => {
    const style = Dom.style(el);
    for (const kind of ['fill', 'stroke']) {
      const said = Dom.attr(el, kind);
      if (said && /^[a-z]+$/i.test(said) && said !== 'none' && said !== 'currentColor') return `${said} ${Dom.tag(el)}`;
      if (/^(?:rgb|color|okl)/.test(style[kind])) return `${colourWord(style[kind])} ${Dom.tag(el)}`;
    }
    return Dom.tag(el);
  };

  // The best hint at what is drawn; '' if there is none.
  const name = (el) => {
    if (SHAPES.has(Dom.tag(el)) && Dom.isSvg(el)) return plainWords(shape(el));
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
