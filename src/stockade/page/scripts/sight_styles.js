// What style sheets may paint beside the text of elements: markers of lists, quotes, hyphens, symbols of
// counters, content of pseudo-elements that cannot be asked for, drawings in addresses. Where on a page
// that is painted is not told, so whoever finds something in it has to cover the whole of it.
(roots, { fresh }) => {
  const { Dom } = globalThis.stockade.modules;
  const MOST_ELEMENTS = 500;
  const LONGEST = 200_000;
  const DRAWING = /data:image\/svg|data:text|data:application\/xhtml/i;
  const OTHER = /var\(|attr\(|env\(|if\(/i;
  const READ_ELSEWHERE = /::?(?:before|after)$/i;
  const PSEUDO = /::[\w-]+/;
  const WORDED = ['listStyleType', 'quotes', 'hyphenateCharacter', 'textEmphasisStyle'];
  const PAINTED = ['backgroundImage', 'listStyleImage', 'borderImageSource', 'maskImage', 'filter', 'content'];
  // What a rule says only in short: with a variable in it, the parts have no values of their own.
  const SHORT = {
    __proto__: null,
    listStyle: ['listStyleType', 'listStyleImage'],
    background: ['backgroundImage'],
    borderImage: ['borderImageSource'],
    mask: ['maskImage'],
    textEmphasis: ['textEmphasisStyle'],
  };
  const SYMBOLS = ['symbols', 'additiveSymbols', 'prefix', 'suffix', 'negative', 'pad', 'fallback', 'system'];
  const kept = globalThis.stockadeStyles || (globalThis.stockadeStyles = new WeakMap());
  const quoted = (value) => typeof value === 'string' && /["']/.test(value);

  // The texts of a sheet, and selectors of what only the computed style of elements tells.
  const read = (sheet) => {
    const found = { texts: [], computed: [], symbols: false };
    const pending = [...sheet.cssRules];
    while (pending.length) {
      const rule = pending.pop();
      if (rule.cssRules && rule.cssRules.length) pending.push(...rule.cssRules);
      if (rule.styleSheet) pending.push(...rule.styleSheet.cssRules);
      if (rule instanceof CSSCounterStyleRule) {
        found.symbols = true;
        const said = SYMBOLS.map((each) => rule[each] || '');
        found.texts.push(said.join(' '), said.join('').replace(/["'\s]/g, ''));
      }
      const { style, selectorText: selector = '' } = rule;
      if (!style) continue;
      for (const name of WORDED) {
        if (quoted(style[name])) found.texts.push(style[name]);
        else if (OTHER.test(style[name])) found.computed.push([selector, name]);
      }
      for (const name of PAINTED) {
        const value = style[name];
        if (!value) continue;
        if (DRAWING.test(value)) found.texts.push(value);
        else if (name !== 'content' && OTHER.test(value)) found.computed.push([selector, name]);
      }
      for (const name of Object.keys(SHORT)) {
        if (OTHER.test(style[name])) found.computed.push(...SHORT[name].map((each) => [selector, each]));
      }
      // Those before and after an element are read with it.
      if (style.content && (rule.keyText || PSEUDO.test(selector)) && !selector.split(',').every((part) => READ_ELSEWHERE.test(part.trim()))) {
        if (quoted(style.content)) found.texts.push(style.content);
        else if (OTHER.test(style.content)) found.computed.push([selector, 'content']);
      }
    }
    return found;
  };
  const UNREADABLE = { texts: [], computed: WORDED.map((name) => ['li, q, [class], summary', name]), symbols: false };
  const of = (sheet) => {
    try {
      const size = sheet.cssRules.length;
      const known = kept.get(sheet);
      if (!fresh && known && known.size === size) return known.found;
      const found = read(sheet);
      kept.set(sheet, { size, found });
      return found;
    } catch (error) {
      return UNREADABLE; // a sheet of another origin does not show its rules
    }
  };

  const texts = new Set();
  let symbols = false;
  const bare = (selector) => selector.split(',').map((part) => part.replace(/::?[\w-]+(?:\([^()]*\))?\s*$/, '').trim() || '*').join(',');
  const asked = (root, [selector, name]) => {
    const [pseudo] = /::[\w-]+(?:\([^()]*\))?\s*$/.exec(selector) || [];
    try {
      for (const el of [...Dom.query(root, bare(selector))].slice(0, MOST_ELEMENTS)) {
        const value = (pseudo ? Dom.pseudoStyle(el, pseudo.trim()) : Dom.style(el))[name];
        if (quoted(value) || DRAWING.test(value)) texts.add(value);
      }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      symbols = true; // a selector that means nothing here alone, as one within another
    }
  };
  const INLINE = '[style*="list-style" i],[style*="quotes" i],[style*="hyphenate" i],[style*="emphasis" i],[style*="symbols(" i]';
  for (const root of roots) {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      const found = of(sheet);
      for (const text of found.texts) texts.add(text);
      for (const each of found.computed) asked(root, each);
      symbols = symbols || found.symbols;
    }
    for (const { effect } of root.getAnimations ? root.getAnimations() : []) {
      for (const frame of effect && effect.getKeyframes ? effect.getKeyframes() : []) {
        for (const value of Object.values(frame)) if (quoted(value) || DRAWING.test(value)) texts.add(value);
      }
    }
    for (const el of [...Dom.query(root, INLINE)].slice(0, MOST_ELEMENTS)) texts.add(Dom.attr(el, 'style'));
  }
  // `symbols`: whether something is painted of which nobody can say what it spells.
  return { text: [...texts].join('\n').slice(0, LONGEST), limited: [...texts].join('\n').length > LONGEST, symbols };
}
