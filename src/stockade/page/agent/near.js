// What deserves the budget first: dialogs and the top layer, where the focus is, what has just
// changed, what is in or near the viewport.
const Near = (() => {
  const TOP = 0;
  const HOT = 1;
  const MAIN = 2;
  const ASIDE = 3;
  const REST = 4;
  const FOLD = 5;

  const ABOVE = 0.5;
  const BELOW = 1.5;
  const MOST_HOT = 20;

  const view = () => {
    const { innerWidth: width, innerHeight: height } = globalThis;
    return { height, top: -ABOVE * height, bottom: BELOW * height, left: -width, right: 2 * width };
  };

  // 'in' the viewport, 'near' it, 'above', 'far' (below or beside), or 'mixed' when only a look at
  // the children can tell.
  const zone = (el, area) => {
    const box = Dom.rect(el);
    const { top, bottom } = box;
    if (top === bottom && box.left === box.right) return 'mixed';
    if (bottom < area.top) return 'above';
    if (top > area.bottom || box.right < area.left || box.left > area.right) return 'far';
    if (top >= 0 && bottom <= area.height) return 'in';
    if (bottom <= 0 || top >= area.height) return top >= area.top && bottom <= area.bottom ? 'near' : 'mixed';
    return 'mixed';
  };
  // How a part of the page ranks for being where it is.
  const rank = (zone, aside) => (aside ? ASIDE : MAIN) + (zone === 'near' ? 0.2 : 0);

  // Of the whole document, those that may be one now or become one without a change of the tree.
  const OVERLAY_LIKE = 'dialog,[role],[popover],[aria-modal]';
  let likely = { version: -1, elements: [] };
  const overlays = () => {
    const version = Observe.version();
    if (version !== likely.version) {
      likely = { version, elements: Array.from(Dom.query(document, OVERLAY_LIKE), (el) => new WeakRef(el)) };
    }
    return likely.elements.map((weak) => weak.deref()).filter((el) => el && Dom.matches(el, OVERLAYS));
  };
  const OVERLAYS = 'dialog[open],[popover]:popover-open,[role~=dialog],[role~=alertdialog],[aria-modal=true]';
  const REGIONS = new Set(['form', 'fieldset', 'dialog', 'li', 'tr', 'section', 'article', 'nav']);
  const BODY = new Set(['body', 'html', '']);

  const focusRegion = () => {
    const focused = Dom.active();
    if (!focused || BODY.has(Dom.tag(focused))) return null;
    let region = Dom.parent(focused);
    for (let up = region, steps = 0; up && steps < 6; up = Dom.parent(up), steps += 1) {
      if (REGIONS.has(Dom.tag(up))) { region = up; break; }
    }
    return region && !BODY.has(Dom.tag(region)) ? region : focused;
  };

  const elementOf = (node) => (Dom.isElement(node) ? node : Dom.parent(node));

  const COLD = Object.freeze({ ranks: new Map(), path: new Set(), modal: false });

  // Which elements are hot, and every element on the way to one.
  const heat = (changed) => {
    const ranks = new Map();
    const path = new Set();
    const add = (el, rank) => {
      if (!el || !Dom.connected(el)) return;
      if (!ranks.has(el) || ranks.get(el) > rank) ranks.set(el, rank);
      for (let up = el; up && !path.has(up); up = Dom.parent(up)) path.add(up);
    };
    let modal = false;
    for (const overlay of overlays()) {
      if (ranks.size >= MOST_HOT || Aria.pruned(overlay)) continue;
      add(overlay, TOP);
      modal = modal || Dom.attr(overlay, 'aria-modal') === 'true' || Dom.matches(overlay, 'dialog:modal');
    }
    add(focusRegion(), HOT);
    for (const node of changed) {
      if (ranks.size >= 2 * MOST_HOT) break;
      const el = elementOf(node);
      if (el && !BODY.has(Dom.tag(el))) add(el, HOT);
    }
    return { ranks, path, modal };
  };

  return Object.freeze({ TOP, HOT, MAIN, ASIDE, REST, FOLD, COLD, view, zone, rank, heat, elementOf });
})();
