// One element as it looks now, with every style it has written on it: shadow roots and slots are flat.
(args, markup, savedParts, initialStyles) => {
  const { Dom, Pass, Refs } = globalThis.stockade.modules;
  const { write, text, attribute, attributes, tagOf, isVoid } = markup();
  const { INHERITED, COLOURED, INITIAL } = initialStyles();
  const parts = savedParts(args.token);
  const top = Refs.check(args.caller, args.ref);
  const property = Dom.method(CSSStyleDeclaration.prototype, 'getPropertyValue');
  const GONE = new Set('script noscript template style link meta base head title embed object applet source track'.split(' '));
  const KEPT = new Set(('id class title alt lang dir role type name placeholder for href width height colspan rowspan open '
    + 'start reversed disabled multiple size rows cols viewBox d points x y cx cy r rx ry x1 x2 y1 y2 fill stroke '
    + 'stroke-width transform gradientUnits gradientTransform offset preserveAspectRatio xmlns').split(' '));
  const REPLACED = new Set('img canvas video audio iframe input textarea select button svg'.split(' '));

  // What differs from the element around it, or from how things are when nobody styles them.
  const styleOf = (style, above, tag) => {
    const said = [];
    const say = (name) => said.push(`${name}: ${property(style, name)}`);
    for (const name of INHERITED) if (!above || property(style, name) !== property(above, name)) say(name);
    for (const name of Object.keys(INITIAL)) if (property(style, name) !== INITIAL[name]) say(name);
    for (const name of COLOURED) if (property(style, name) !== property(style, 'color')) say(name);
    if (property(style, 'display') !== 'inline' || REPLACED.has(tag)) {
      say('width');
      say('height');
    }
    if (property(style, 'transform') !== 'none') say('transform-origin');
    if (property(style, 'perspective') !== 'none') say('perspective-origin');
    return said.join('; ');
  };
  const styled = (string) => ` style="${parts.css('a', { text: string })}"`;

  const unescaped = (string) => string.slice(1, -1)
    .replace(/\\([0-9a-f]{1,6}) ?|\\([\s\S])/gi, (_, code, plain) => (code ? String.fromCodePoint(parseInt(code, 16)) : plain));
  const generated = (el, which, around) => {
    const style = Dom.pseudoStyle(el, which);
    const content = property(style, 'content');
    if (content === 'none' || content === 'normal' || property(style, 'display') === 'none') return [];
    const words = /^(?:"(?:[^"\\]|\\.)*"\s*)+$/.test(content) ? content.match(/"(?:[^"\\]|\\.)*"/g).map(unescaped).join('') : '';
    return [`<span${styled(styleOf(style, around, 'span'))}>${text(words)}</span>`];
  };

  const open = (el) => {
    Pass.suspect(el);
    const tag = tagOf(el);
    if (Dom.isHtml(el) && GONE.has(tag)) return null;
    const style = Dom.style(el);
    const above = el === top ? null : Dom.style(Dom.parent(el) || top);
    const shown = attributes(el)
      .filter(([name]) => KEPT.has(name))
      .map(([name, string]) => attribute(name, name === 'href' && !string.startsWith('#') ? safe(string) : string));
    const looks = styled(styleOf(style, above, tag));
    if (Dom.isHtml(el) && (tag === 'img' || tag === 'canvas')) {
      const source = tag === 'img' ? parts.resource(parts.picture(el)) : parts.canvas(el) || '';
      return { before: `<img${shown.join('')}${attribute('src', source)}${looks}>`, within: [] };
    }
    const value = tag === 'input' && Dom.type(el) !== 'file' ? attribute('value', Dom.value(el)) : '';
    const checked = tag === 'input' && Dom.checked(el) === true ? ' checked=""' : '';
    const name = tag === 'iframe' || tag === 'slot' || tag.includes('-') ? 'div' : tag;
    const before = `<${name}${shown.join('')}${value}${checked}${looks}>`;
    if (isVoid(el)) return { before, within: [] };
    if (tag === 'textarea') return { before: before + text(Dom.value(el)), within: [], after: '</textarea>' };
    const within = [...generated(el, '::before', style), ...Dom.children(el), ...generated(el, '::after', style)];
    return { before, within, after: `</${name}>` };
  };
  const safe = (string) => (/^\s*javascript:/i.test(string) ? '' : parts.absolute(string) || '');

  const written = write([top], open);
  return { ...written, resources: parts.resources, styles: parts.styles, title: document.title, url: document.URL };
}
