// Where an element is on the screen, and whether input aimed at it would arrive.
const Place = (() => {
  const { getter, method } = Dom;
  const clientRects = method(Element.prototype, 'getClientRects');
  const stackAt = method(Document.prototype, 'elementsFromPoint');
  const shadowStackAt = method(ShadowRoot.prototype, 'elementsFromPoint');
  const labelControl = getter(HTMLLabelElement.prototype, 'control');
  const inputLabels = getter(HTMLInputElement.prototype, 'labels');
  const SHARES = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.8], [0.85, 0.2], [0.15, 0.8]];

  const area = (left, top, right, bottom) => ({ left, top, right, bottom });
  const overlap = (a, b) => area(
    Math.max(a.left, b.left), Math.max(a.top, b.top),
    Math.min(a.right, b.right), Math.min(a.bottom, b.bottom),
  );
  const view = () => ({ width: innerWidth, height: innerHeight, origin: self.origin });
  const empty = (a) => a.right - a.left < 1 || a.bottom - a.top < 1;
  const round = (number) => Math.round(number * 10) / 10;
  const box = (a) => ({
    x: round(a.left), y: round(a.top), width: round(a.right - a.left), height: round(a.bottom - a.top),
  });

  const drawn = (el) => {
    if (!Dom.shown(el)) return false;
    const { width, height } = Dom.rect(el);
    return width > 0 && height > 0;
  };
  // Options are where their select is; a control without a box is used by its label.
  const stand = (el) => {
    const tag = Dom.tag(el);
    if (tag === 'option' || tag === 'optgroup') {
      for (let node = Dom.parent(el); node; node = Dom.parent(node)) if (Dom.tag(node) === 'select') return node;
    }
    if (!(el instanceof HTMLInputElement) || drawn(el)) return el;
    return [...(inputLabels(el) || [])].find(drawn) || el;
  };

  const clips = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
  // What ancestors and the window let through of an area of `el`.
  const shown = (el, whole) => {
    let seen = overlap(whole, area(0, 0, innerWidth, innerHeight));
    let held = Dom.style(el).position;
    for (let node = Dom.parent(el); node && held !== 'fixed'; node = Dom.parent(node)) {
      const style = Dom.style(node);
      if (held === 'absolute' && style.position === 'static') continue;
      held = style.position;
      const frame = Dom.parent(node) && Dom.tag(node) !== 'body';
      if (frame && style.display !== 'inline' && clips(style)) seen = overlap(seen, Dom.rect(node));
    }
    return seen;
  };

  const rendered = (el) => {
    const tag = Dom.tag(el);
    return drawn(tag === 'option' || tag === 'optgroup' ? stand(el) : el);
  };

  const extent = ({ left, top, right, bottom }) => Math.max(right - left, 0) * Math.max(bottom - top, 0);
  // A control that does not show itself may lie behind the box it is in, which is what one sees and clicks.
  const showsFor = (el, box) => {
    if (el === box || !Dom.contains(box, el)) return false;
    let clear = false;
    for (let node = el; node && node !== box; node = Dom.parent(node)) clear = clear || Dom.style(node).opacity === '0';
    const whole = Dom.rect(box);
    return clear && extent(overlap(Dom.rect(el), whole)) * 2 > extent(whole);
  };

  // A click that lands on a label reaches its control.
  const reaches = (el, hit) => {
    if (Dom.contains(el, hit) || showsFor(el, hit)) return true;
    for (let node = hit; node; node = Dom.parent(node)) {
      if (node instanceof HTMLLabelElement) return labelControl(node) === el;
    }
    return false;
  };

  // A row may be wider than what in it takes the click: the part that looks it and says all there is.
  const ITEMS = new Set(['gridcell', 'listitem', 'option', 'row', 'treeitem']);
  const MOST_PARTS = 40;
  const clickedPart = (el) => {
    if (!ITEMS.has(Aria.role(el)) || pointer(el)) return el;
    const text = Text.clean(Dom.textContent(el));
    const takes = (inner) => pointer(inner) && Text.clean(Dom.textContent(inner)) === text && drawn(inner);
    return (text && [...Dom.query(el, '*')].slice(0, MOST_PARTS).find(takes)) || el;
  };

  // Points inside the element that are before the eye; a link broken over lines has several boxes.
  const points = (el) => {
    const parts = [...clientRects(el)].slice(0, 20).map((part) => shown(el, part)).filter((part) => !empty(part));
    const found = [];
    for (const [across, down] of SHARES) {
      for (const part of parts.slice(0, 3)) {
        found.push([part.left + (part.right - part.left) * across, part.top + (part.bottom - part.top) * down]);
      }
    }
    return found;
  };

  // The element that takes the input instead, or null when at least one point is free.
  const cover = (el) => {
    let first = null;
    for (const [x, y] of points(el)) {
      const hit = Dom.hit(x, y);
      if (!hit || reaches(el, hit)) return null;
      first = first || hit;
    }
    return first;
  };

  const narrower = (a, b) => a.right - a.left < b.right - b.left - 1 || a.bottom - a.top < b.bottom - b.top - 1;
  // What shows of an area of `el`; the whole of it where nothing does.
  const part = (el, whole) => {
    const seen = shown(el, whole);
    const away = empty(seen);
    return { bbox: box(away ? whole : seen), clipped: away || narrower(seen, whole), away };
  };

  // `{bbox, clipped, actionable, cover}`: the visible part where there is one, else the whole box.
  const look = (el, role = Aria.role(el)) => {
    const there = stand(el);
    if (!drawn(there)) return { bbox: null, clipped: false, actionable: 'hidden', cover: null };
    const { bbox, clipped, away } = part(there, Dom.rect(there));
    if (Aria.disabled(el, role)) return { bbox, clipped, actionable: 'disabled', cover: null };
    if (away) return { bbox, clipped, actionable: 'off-screen', cover: null };
    const above = cover(there);
    return { bbox, clipped, actionable: above ? 'covered' : true, cover: above };
  };

  // Everything at a point, top to bottom, through shadow roots.
  const stack = (x, y, most) => {
    const found = [];
    const seen = new Set();
    const pending = [...stackAt(document, x, y)].reverse();
    while (pending.length && found.length < most) {
      const el = pending.pop();
      const root = Dom.shadow(el);
      if (root && !seen.has(root)) {
        seen.add(root);
        const inner = shadowStackAt(root, x, y).filter((each) => Dom.rootOf(each) === root);
        pending.push(el, ...inner.reverse());
      } else if (!seen.has(el)) {
        seen.add(el);
        found.push(el);
      }
    }
    return found;
  };

  const SCROLLS = /auto|scroll/;
  const scrollSize = ['scrollWidth', 'scrollHeight', 'clientWidth', 'clientHeight', 'scrollLeft', 'scrollTop'];
  const scrollGetters = scrollSize.map((name) => [name, getter(Element.prototype, name)]);
  const scroll = (el) => {
    const found = Object.fromEntries(scrollGetters.map(([name, read]) => [name, Math.round(read(el))]));
    if (!Dom.isField(el) || !Dom.secret(el)) return found;
    // How far a field scrolls tells how long the secret in it is.
    const { clientWidth, clientHeight } = found;
    return { scrollWidth: clientWidth, scrollHeight: clientHeight, clientWidth, clientHeight, scrollLeft: 0, scrollTop: 0 };
  };
  const scrollable = (el) => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = scroll(el);
    const style = Dom.style(el);
    const root = Dom.tag(el) === 'html';
    return (scrollHeight > clientHeight + 1 && (root || SCROLLS.test(style.overflowY)))
      || (scrollWidth > clientWidth + 1 && (root || SCROLLS.test(style.overflowX)));
  };
  const scroller = (el) => {
    for (let node = el; node; node = Dom.parent(node)) if (scrollable(node)) return node;
    return null;
  };

  // What a person would click on, also where the page forgot to say so.
  const pointer = (el) => Dom.style(el).cursor === 'pointer';
  const clickable = (el, role = Aria.role(el)) => {
    if (Aria.interactive(el, role) || Dom.has(el, 'onclick')) return true;
    if (Dom.has(el, 'tabindex') && Dom.attr(el, 'tabindex') !== '-1') return true;
    const above = Dom.parent(el);
    return pointer(el) && Boolean(above) && !pointer(above);
  };

  // `button "Buy"`: how an element is named in a message.
  const describe = (el) => {
    const role = Aria.role(el);
    const { name, mark: hidden } = Aria.telling(el, 60);
    const id = Dom.attr(el, 'id');
    if (name) return `${role || Dom.tag(el)} ${Text.quote(name)}${hidden}`;
    const mark = id ? `#${id}` : (Dom.attr(el, 'class') || '').trim().split(/\s+/).filter(Boolean).slice(0, 2)
      .map((each) => `.${each}`).join('');
    return Text.cut(Text.clean(`${role || ''} <${Dom.tag(el)}${mark}>`), 80);
  };

  return Object.freeze({
    box, area, part, empty, shown, view, rendered, points, reaches, showsFor, clickedPart, look, stack, scroll, scroller, clickable, describe,
  });
})();
