// Every node of the document as a row: its number, that of its parent, and what it is.
(args, markup) => {
  const { Dom, Pass } = globalThis.stockade.modules;
  const { attributes, tagOf, kids, inside, modeOf, nodeType } = markup();
  const MOST_NODES = 500000;
  const lines = [];
  const pending = kids(document).reverse().map((node) => [node, null]);
  let roots = 0;

  const push = (nodes, parent) => {
    for (let i = nodes.length - 1; i >= 0; i -= 1) pending.push([nodes[i], parent]);
  };
  while (pending.length && lines.length < MOST_NODES) {
    const [node, parent] = pending.pop();
    const row = { id: lines.length + 1, ...(parent && { parent }), ...(args.prefix && { frame: args.prefix }) };
    const type = nodeType(node);
    if (type === 1) {
      Pass.suspect(node);
      const hide = Dom.secret(node);
      const shown = attributes(node).filter(([name]) => !(hide && name === 'value'));
      lines.push(JSON.stringify({ ...row, type: 'element', tag: tagOf(node), ...(shown.length && { attributes: Object.fromEntries(shown) }) }));
      push(inside(node), row.id);
      const root = args.includeShadow ? Dom.shadow(node) : null;
      if (root) {
        roots += 1;
        pending.push([root, row.id]);
      }
    } else if (type === 11) {
      lines.push(JSON.stringify({ ...row, type: 'shadow-root', mode: modeOf(node) }));
      push(kids(node), row.id);
    } else if (type === 3 || type === 8) {
      lines.push(JSON.stringify({ ...row, type: type === 3 ? 'text' : 'comment', text: Dom.text(node) }));
    } else if (type === 10) lines.push(JSON.stringify({ ...row, type: 'doctype', name: node.name }));
  }
  return { html: lines.join('\n'), nodes: lines.length, limited: pending.length > 0, roots };
}
