// The document as it is now, as HTML: shadow roots as templates that make them again, no password.
(args, markup) => {
  const { Dom, Pass } = globalThis.stockade.modules;
  const { write, attribute, attributes, tagOf, kids, inside, isVoid, modeOf } = markup();
  let roots = 0;

  const open = (el) => {
    Pass.suspect(el);
    const tag = tagOf(el);
    const hide = Dom.secret(el);
    const shown = attributes(el).filter(([name]) => !(hide && name === 'value'));
    const before = `<${tag}${shown.map(([name, string]) => attribute(name, string)).join('')}>`;
    if (isVoid(el)) return { before, within: [] };
    const root = args.includeShadow ? Dom.shadow(el) : null;
    const within = inside(el);
    if (root) {
      roots += 1;
      within.unshift(`<template shadowrootmode="${modeOf(root)}">`, ...kids(root), '</template>');
    }
    return { before, within, after: `</${tag}>` };
  };

  const written = write(kids(document), open);
  return { ...written, roots };
}
