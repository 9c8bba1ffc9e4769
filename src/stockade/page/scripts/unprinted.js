// Takes what must not be seen off the paper while a frame is printed: the elements that hold it are
// hidden, by style alone, so that the document stays as it is. Without `spans` all is as before.
(args) => {
  const { Dom } = globalThis.stockade.modules;
  const sheets = globalThis.stockadeUnprinted || (globalThis.stockadeUnprinted = new Map());
  const { found } = globalThis.stockadeSight || {};

  for (const [root, sheet] of sheets) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((each) => each !== sheet);
  }
  sheets.clear();
  if (!args.spans) return { hidden: 0 };
  if (!found) return { lost: true };

  const hidden = new Set(found.covered.map((each) => (Dom.isElement(each) ? each : each.el)));
  if (found.blind) hidden.add(document.documentElement);
  for (const { kind, node, start, end } of found.pieces) {
    if (!args.spans.some(([from, to]) => start < to && from < end)) continue;
    hidden.add(kind === 'text' ? Dom.nodeParent(node) : node);
  }

  // An element by its place among its siblings, from the root of its tree down.
  const position = (el) => {
    const above = Dom.nodeParent(el);
    if (above instanceof Document) return ':root';
    let number = 1;
    for (let node = above && Dom.firstChild(above); node && node !== el; node = Dom.nextSibling(node)) {
      if (Dom.isElement(node)) number += 1;
    }
    return `:nth-child(${number})`;
  };
  const path = (start) => {
    const steps = [];
    let node = start;
    for (; node && Dom.isElement(node); node = Dom.nodeParent(node)) steps.unshift(position(node));
    return [node, (node instanceof ShadowRoot ? [':host', ...steps] : steps).join(' > ')];
  };
  const rules = new Map();
  for (const node of hidden) {
    const [root, selector] = path(node);
    if (root && root.adoptedStyleSheets) rules.set(root, [...(rules.get(root) || []), selector]);
  }
  for (const [root, selectors] of rules) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@media print { ${selectors.join(', ')} { visibility: hidden !important } }`);
    sheets.set(root, sheet);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
  return { hidden: hidden.size };
}
