// The elements that best name each box of the window: small ones first, as they are shown to a caller.
(args) => {
  const { Aria, Dom, Pass, Place, Refs, Text } = globalThis.stockade.modules;
  const MOST = 5;
  const SMALL = 0.05;
  const PLAIN = new Set(['generic', 'none', 'presentation', 'paragraph', 'group', 'document', 'application', 'row', 'rowgroup']);
  const found = args.boxes.map(() => []);

  Pass.walk(document.documentElement, (el) => {
    if (!Place.rendered(el)) return true;
    const { left, top, width, height } = Dom.rect(el);
    const role = Aria.role(el) || '';
    let name = null;
    args.boxes.forEach((box, at) => {
      const across = Math.min(left + width, box.x + box.width) - Math.max(left, box.x);
      const down = Math.min(top + height, box.y + box.height) - Math.max(top, box.y);
      if (across <= 0 || down <= 0) return;
      const share = (across * down) / (box.width * box.height);
      const inside = (across * down) / (width * height);
      // Neither what only brushes the box, nor what the box is but a speck of.
      if (share < SMALL && inside < 0.5) return;
      if (name === null) name = Aria.toldName(el, 80) || (PLAIN.has(role) || !role ? Text.cut(Text.clean(own(el)), 60) : '');
      if ((!role || PLAIN.has(role)) && !name) return;
      found[at].push({ el, role: role || Dom.tag(el), name, size: width * height });
    });
    return true;
  }, { ms: 500 });

  // The words that stand in an element itself, not in those inside it.
  function own(el) {
    return Aria.unread(el) ? '' : Dom.childNodes(el).filter(Dom.isText).map((node) => Dom.text(node)).join(' ');
  }

  return {
    elements: found.map((list) => list.sort((one, other) => one.size - other.size).slice(0, MOST).map(({ el, role, name }) => {
      Refs.show(args.caller, el);
      return { ref: Refs.text(Refs.of(el), args.prefix), role, name };
    })),
  };
}
