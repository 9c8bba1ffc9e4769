// HTML from live nodes: what may stand where, and how it is written. No part of it recurses.
() => {
  const { Dom } = globalThis.stockade.modules;
  const VOID = new Set(('area base br col embed hr img input link meta source track wbr basefont bgsound frame keygen '
    + 'param').split(' '));
  const RAW = new Set('script style xmp iframe noembed noframes plaintext noscript'.split(' '));
  const MOST_NODES = 500000;
  const MOST_LETTERS = 60000000;
  const ELEMENT = 1;
  const TEXT = 3;
  const COMMENT = 8;
  const DOCTYPE = 10;

  const nodeType = Dom.getter(Node.prototype, 'nodeType');
  const attributesOf = Dom.getter(Element.prototype, 'attributes');
  const prefixOf = Dom.getter(Element.prototype, 'prefix');
  const modeOf = Dom.getter(ShadowRoot.prototype, 'mode');
  const templateContent = Dom.getter(HTMLTemplateElement.prototype, 'content');

  const text = (string) => string.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const value = (string) => string.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/"/g, '&quot;')
    .replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const attribute = (name, string) => ` ${name}="${value(string)}"`;
  const tagOf = (el) => (prefixOf(el) ? `${prefixOf(el)}:${Dom.tag(el)}` : Dom.tag(el));
  const attributes = (el) => [...attributesOf(el)].map(({ name, value: string }) => [name, string]);
  const kids = (node) => {
    const found = [];
    for (let child = Dom.firstChild(node); child; child = Dom.nextSibling(child)) found.push(child);
    return found;
  };
  const inside = (el) => (el instanceof HTMLTemplateElement ? kids(templateContent(el)) : kids(el));
  const isVoid = (el) => Dom.isHtml(el) && VOID.has(Dom.tag(el));
  const isRaw = (node) => Boolean(node) && nodeType(node) === ELEMENT && Dom.isHtml(node) && RAW.has(Dom.tag(node));

  // `open(el)` answers what stands before and after what is inside, which nodes that is, or nothing
  // to leave the element out.
  const write = (top, open) => {
    const out = [];
    const pending = [...top].reverse();
    let nodes = 0;
    let letters = 0;
    const say = (string) => {
      out.push(string);
      letters += string.length;
    };
    while (pending.length) {
      const node = pending.pop();
      if (typeof node === 'string') {
        say(node);
        continue;
      }
      nodes += 1;
      if (nodes > MOST_NODES || letters > MOST_LETTERS) continue;
      const type = nodeType(node);
      if (type === TEXT) say(isRaw(Dom.nodeParent(node)) ? Dom.text(node) : text(Dom.text(node)));
      else if (type === COMMENT) say(`<!--${Dom.text(node)}-->`);
      else if (type === DOCTYPE) say(`<!DOCTYPE ${node.name}>`);
      else if (type === ELEMENT) {
        const parts = open(node);
        if (!parts) continue;
        say(parts.before);
        if (parts.after) pending.push(parts.after);
        for (let i = parts.within.length - 1; i >= 0; i -= 1) pending.push(parts.within[i]);
      }
    }
    return { html: out.join(''), nodes: Math.min(nodes, MOST_NODES), limited: nodes > MOST_NODES || letters > MOST_LETTERS };
  };

  return { write, text, value, attribute, attributes, tagOf, kids, inside, isVoid, modeOf, nodeType };
}
