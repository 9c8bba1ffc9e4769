// Elements that stand in another place than they did: sorted, dragged, handed to another list.
const Moved = (() => {
  const MOST = 100;
  const MOST_SIBLINGS = 500;
  const LOOKED_INTO = 30;
  const TEXT_LENGTH = 40;

  const beside = {
    after: Dom.getter(Element.prototype, 'previousElementSibling'),
    before: Dom.getter(Element.prototype, 'nextElementSibling'),
  };

  const elementsIn = (parent) => {
    const found = [];
    for (let node = Dom.firstChild(parent); node; node = Dom.nextSibling(node)) if (Dom.isElement(node)) found.push(node);
    return found;
  };

  // The children of every parent that lost or got some, as they were before all that.
  const orders = (moves) => {
    const before = new Map();
    const of = (parent) => {
      if (!before.has(parent)) before.set(parent, elementsIn(parent));
      return before.get(parent);
    };
    for (const { parent, added, removed, previous } of moves) {
      if (!parent) continue;
      if (of(parent).length > MOST_SIBLINGS) continue;
      const list = of(parent).filter((el) => !added.includes(el));
      list.splice(previous ? list.indexOf(previous) + 1 : 0, 0, ...removed);
      before.set(parent, list);
    }
    return before;
  };

  // Those that have to be moved to come from one order to the other: the fewest, and none that the page
  // left alone.
  const outOfOrder = (was, now, touched) => {
    const at = new Map(was.map((el, index) => [el, index]));
    const kept = now.filter((el) => at.has(el));
    const best = [];
    kept.forEach((el, index) => {
      let chain = { weight: 0, previous: null };
      for (const each of best) if (at.get(kept[each.index]) < at.get(el) && each.weight > chain.weight) chain = each;
      best.push({ index, weight: chain.weight + (touched.has(el) ? 1 : kept.length), previous: chain });
    });
    const stay = new Set();
    const longest = best.reduce((one, other) => (other.weight > one.weight ? other : one), { weight: 0, previous: null });
    for (let each = longest; each && each.index !== undefined; each = each.previous) stay.add(kept[each.index]);
    return kept.filter((el) => !stay.has(el));
  };

  const since = (caller, look) => {
    const moved = new Set();
    const moves = Observe.movesSince(caller);
    const touched = new Set(moves.flatMap(({ removed }) => removed).filter((el) => Dom.connected(el) && look.seen.has(el)));
    if (!touched.size) return moved;
    const before = orders(moves);
    for (const [parent, was] of before) {
      for (const el of was) if (touched.has(el) && Dom.nodeParent(el) !== parent) moved.add(el);
      if (was.length > MOST_SIBLINGS || !was.some((el) => touched.has(el))) continue;
      for (const el of outOfOrder(was, elementsIn(parent), touched)) moved.add(el);
    }
    return new Set([...moved].slice(0, MOST));
  };

  // The moved element that a line is the first to tell of.
  const behind = (moved, { entry, above }) => {
    const outer = above && above.entry.el;
    for (let up = entry.owner || entry.el; up && up !== outer; up = Dom.parent(up)) if (moved.has(up)) return up;
    return null;
  };

  const recordIn = (look, el) => look.byNode.get(el)
    || [...Dom.query(el, '*')].slice(0, LOOKED_INTO).map((each) => look.byNode.get(each)).find(Boolean);
  const named = (known, prefix) => {
    if (known.number) return Refs.text(known.number, prefix);
    return Text.quote(Text.cut(known.name || known.said.replace(`${known.role}: `, ''), TEXT_LENGTH));
  };

  // Where it stands now, in relation to something the caller knows.
  const place = (look, el, prefix) => {
    for (const side of ['after', 'before']) {
      for (let node = beside[side](el); node; node = beside[side](node)) {
        const known = recordIn(look, node);
        if (known) return `${side} ${named(known, prefix)}`;
      }
    }
    return 'here';
  };

  return Object.freeze({ since, behind, place });
})();
