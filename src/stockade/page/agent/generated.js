// Text that style sheets add before and after elements. Asking for the style of a pseudo-element
// costs more than everything else about a name, so only elements that some rule could give
// content to are asked.
const Generated = (() => {
  const PSEUDO = /::?(before|after)\b/;
  const ruleSelector = Dom.getter(CSSStyleRule.prototype, 'selectorText');
  const ruleStyle = Dom.getter(CSSStyleRule.prototype, 'style');

  const addsText = (rule) => {
    const { content } = ruleStyle(rule);
    return content !== '' && content !== 'none' && content !== 'normal' && content !== '""';
  };

  // Selectors of the elements that a sheet's rules may decorate; null: any element.
  const selectorsOf = (sheet) => {
    const found = [];
    const pending = [...sheet.cssRules];
    while (pending.length) {
      const rule = pending.pop();
      if (rule.cssRules && rule.cssRules.length) pending.push(...rule.cssRules);
      if (rule.styleSheet) pending.push(...rule.styleSheet.cssRules);
      if (!(rule instanceof CSSStyleRule)) continue;
      const selector = ruleSelector(rule);
      if (!PSEUDO.test(selector) || !addsText(rule)) continue;
      if (selector.includes('&') || (rule.parentRule && rule.parentRule instanceof CSSStyleRule)) return null;
      for (const part of selector.split(/,(?![^(]*\))/)) {
        if (PSEUDO.test(part)) found.push(part.replace(/::?(before|after)\b.*/, '').trim() || '*');
      }
    }
    return found;
  };
  const kept = new WeakMap();
  const sheetSelectors = (sheet) => {
    try {
      const size = sheet.cssRules.length;
      const known = kept.get(sheet);
      if (known && known.size === size) return known.selectors;
      const selectors = selectorsOf(sheet);
      kept.set(sheet, { size, selectors });
      return selectors;
    } catch (error) {
      return null; // a sheet of another origin does not show its rules
    }
  };

  const documentSheets = Dom.getter(Document.prototype, 'styleSheets');
  const documentAdopted = Dom.getter(Document.prototype, 'adoptedStyleSheets');
  const ANY = Object.freeze({ has: () => true });
  // The elements of a document that may have generated text. Inside shadow roots all may.
  const candidates = Dom.memo((root) => {
    if (root !== document) return ANY;
    const selectors = [];
    for (const sheet of [...documentSheets(document), ...documentAdopted(document)]) {
      const more = sheetSelectors(sheet);
      if (!more || more.includes('*')) return ANY;
      selectors.push(...more);
    }
    try {
      return selectors.length ? new Set(Dom.query(document, selectors.join(','))) : new Set();
    } catch (error) {
      return ANY; // a selector that only works with its pseudo-element
    }
  });

  // The strings of a content list; counters, quotes and pictures say nothing, and what follows a
  // slash is said in place of all before it.
  const PART = /"((?:[^"\\]|\\.)*)"|\/|[a-z-]+\((?:[^"()]|"(?:[^"\\]|\\.)*")*\)/g;
  const literal = (content) => {
    let text = '';
    for (const [part, string] of content.matchAll(PART)) {
      if (part === '/') text = '';
      else if (string !== undefined) text += string.replace(/\\(.)/g, '$1');
    }
    return text;
  };
  const any = (el) => candidates(Dom.rootOf(el)).has(el);
  const text = (el, pseudo) => {
    const style = Dom.pseudoStyle(el, pseudo);
    const { content } = style;
    if (content === 'none' || content === 'normal' || content === '') return '';
    if (style.display === 'none' || style.visibility !== 'visible') return '';
    const words = literal(content);
    return words && style.display !== 'inline' ? ` ${words} ` : words;
  };
  const before = (el) => text(el, '::before');
  const after = (el) => text(el, '::after');

  return Object.freeze({ before, after, any });
})();
