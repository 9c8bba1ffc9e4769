// Text that style sheets add before and after elements. Asking for the style of a pseudo-element
// costs more than everything else about a name, so only elements that some rule could give
// content to are asked.
const Generated = (() => {
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
  // Inside shadow roots all may.
  const any = (el) => Dom.rootOf(el) !== document || Sheets.may('decorated', el);
  const text = (el, pseudo) => {
    const style = Dom.pseudoStyle(el, pseudo);
    const { content } = style;
    if (content === 'none' || content === 'normal' || content === '') return '';
    if (style.display === 'none' || style.visibility !== 'visible') return '';
    const words = Dom.readable(literal(content));
    return words && style.display !== 'inline' ? ` ${words} ` : words;
  };
  const before = (el) => text(el, '::before');
  const after = (el) => text(el, '::after');

  return Object.freeze({ before, after, any });
})();
