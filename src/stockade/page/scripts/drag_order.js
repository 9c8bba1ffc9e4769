// Where to drop something so that it stands before or after another, and whether it does so already:
// lists that sort themselves move it, or something in its place, while it is still held.
({ step, source, target, side }) => {
  const world = globalThis;
  const { Dom, Refs } = world.stockade.modules;
  const EDGE = 0.15;
  const OUTSIDE = 2;

  const parentElement = Dom.getter(Node.prototype, 'parentElement');
  const sibling = {
    before: Dom.getter(Element.prototype, 'previousElementSibling'),
    after: Dom.getter(Element.prototype, 'nextElementSibling'),
  };
  // What hangs at the pointer is in no row.
  const inFlow = (el) => !/absolute|fixed/.test(Dom.style(el).position) && Dom.rect(el).height > 0;
  const beside = (el, way) => {
    let node = sibling[way](el);
    while (node && !inFlow(node)) node = sibling[way](node);
    return node;
  };

  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const at = (box, across, share) => (across
    ? [box.left + box.width * share, box.top + box.height / 2]
    : [box.left + box.width / 2, box.top + box.height * share]);

  // The list moves while something is held over it, so the places are those of this moment. Some lists
  // put it where the pointer is, others in the place of what is under it, from whichever side it comes.
  const places = ({ el, item, side }) => {
    const box = Dom.rect(el);
    const first = side === 'before';
    const notHeld = (node) => node && !(item && Dom.contains(node, item));
    const [near, far] = [beside(el, side), beside(el, first ? 'after' : 'before')].map((node) => (notHeld(node) ? node : null));
    const others = [near, far].filter(Boolean).map((node) => Dom.rect(node));
    const across = others.length > 0
      && others.every((each) => Math.abs(each.top - box.top) < Math.min(each.height, box.height) / 2);
    const length = across ? box.width : box.height;
    const points = [at(box, across, first ? EDGE : 1 - EDGE), middle(box)];
    points.push(at(box, across, first ? -OUTSIDE / length : 1 + OUTSIDE / length));
    if (near) points.push(middle(Dom.rect(near)));
    return points.map(([x, y]) => ({ x, y }));
  };
  const answer = (held) => {
    const next = beside(held.el, held.side);
    const placed = Boolean(next) && (!held.known.has(next) || (Boolean(held.item) && Dom.contains(next, held.item)));
    return { placed, points: places(held), width: innerWidth, height: innerHeight };
  };

  if (step === 'begin') {
    const el = Refs.get(target);
    const parent = parentElement(el);
    world.stockadeDrag = {
      el, item: source ? Refs.get(source) : null, side, known: new Set(parent ? Dom.children(parent) : []),
    };
  }
  const held = world.stockadeDrag;
  if (step === 'end') delete world.stockadeDrag;
  return held && Dom.connected(held.el) ? answer(held) : { placed: true, points: [] };
}
