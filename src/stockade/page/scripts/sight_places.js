// Where parts of the text of a frame are painted, as boxes `[x, y, width, height]` of its window.
// A box may be too large and never too small: where that cannot be told, it is everything.
(found, spans) => {
  const { Dom, Place } = globalThis.stockade.modules;
  const MOST_BOXES = 2000;
  const MARGIN = 2;
  const OVERHANG = 0.15;
  const PIXELS = /-?[\d.]+(?=px)/g;
  const rangeRects = Dom.method(Range.prototype, 'getClientRects');
  const elementRects = Dom.method(Element.prototype, 'getClientRects');
  const number = (string) => Number.parseFloat(string);
  const once = (compute) => {
    const kept = new Map();
    return (key) => {
      if (!kept.has(key)) kept.set(key, compute(key));
      return kept.get(key);
    };
  };

  const everything = () => {
    const root = document.scrollingElement || document.documentElement;
    const { scrollWidth, scrollHeight } = Place.scroll(root);
    return [-scrollX, -scrollY, Math.max(scrollWidth, innerWidth), Math.max(scrollHeight, innerHeight)];
  };
  const reach = (css) => (css.match(PIXELS) || []).reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  // How far from its own box something may be painted; infinite where it is painted once more.
  const effects = once((el) => {
    let most = 0;
    for (let node = el; node; node = Dom.parent(node)) {
      const { filter, webkitBoxReflect } = Dom.style(node);
      if (webkitBoxReflect && webkitBoxReflect !== 'none') return Infinity;
      if (filter !== 'none') most += 3 * reach(filter);
    }
    return most;
  });
  const TURNS = ['transform', 'rotate', 'scale'];
  const turned = once((el) => {
    for (let node = el; node; node = Dom.parent(node)) {
      if (TURNS.some((name) => Dom.style(node)[name] !== 'none')) return true;
    }
    return false;
  });
  // Where the shadows of a text fall, and how far beyond its letters it is painted.
  const SHADOW = /(-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px/g;
  const ink = once((el) => {
    const style = Dom.style(el);
    const spread = MARGIN + number(style.fontSize) * OVERHANG + reach(style.webkitTextStrokeWidth || '') + effects(el);
    if (style.textShadow === 'none') return { spread, shifts: [[0, 0, 0]] };
    if (turned(el)) return { spread: spread + 3 * reach(style.textShadow), shifts: [[0, 0, 0]] };
    return { spread, shifts: [[0, 0, 0], ...[...style.textShadow.matchAll(SHADOW)].map((each) => each.slice(1).map(Number))] };
  });
  const around = (el, boxes) => {
    const { spread, shifts } = ink(el);
    if (!Number.isFinite(spread)) return [everything()];
    return [...boxes].filter((box) => box.width > 0 && box.height > 0).flatMap((box) => shifts.map(([x, y, blur]) => {
      const by = spread + 2 * blur;
      return [box.left + x - by, box.top + y - by, box.width + 2 * by, box.height + 2 * by];
    }));
  };
  const whole = (el) => around(el, elementRects(el));

  // Generated content has no boxes to ask for. In the flow it is where its element is.
  const MOVED = ['transform', 'translate', 'rotate', 'scale', 'float'];
  const overflowing = (el) => {
    const { left, top, width, height } = Dom.rect(el);
    const { scrollWidth, scrollHeight } = Place.scroll(el);
    return { left, top, width: Math.max(width, scrollWidth), height: Math.max(height, scrollHeight) };
  };
  const outer = (style, size, sides) => (
    style.boxSizing === 'border-box' ? number(style[size])
      : number(style[size]) + sides.reduce((sum, each) => sum + number(style[`padding${each}`]) + number(style[`border${each}Width`]), 0));
  const positioned = (el, style) => {
    let holder = style.position === 'fixed' ? null : el;
    for (let node = el; node; node = Dom.parent(node)) if (Dom.style(node).transform !== 'none') return null;
    while (holder && Dom.style(holder).position === 'static') holder = Dom.parent(holder);
    let corner = style.position === 'fixed' ? [0, 0] : [-scrollX, -scrollY];
    if (holder) {
      const { left, top } = Dom.rect(holder);
      corner = [left + number(Dom.style(holder).borderLeftWidth), top + number(Dom.style(holder).borderTopWidth)];
    }
    const box = {
      left: corner[0] + number(style.left) + number(style.marginLeft),
      top: corner[1] + number(style.top) + number(style.marginTop),
      width: outer(style, 'width', ['Left', 'Right']),
      height: outer(style, 'height', ['Top', 'Bottom']),
    };
    return Object.values(box).every(Number.isFinite) ? box : null;
  };
  const generated = (el, pseudo) => {
    const style = Dom.pseudoStyle(el, pseudo);
    if (MOVED.some((name) => style[name] && style[name] !== 'none') || style.position === 'relative') return [everything()];
    if (style.position === 'static') return around(el, [...elementRects(el), overflowing(el)]);
    const box = positioned(el, style);
    return box ? around(el, [box]) : [everything()];
  };

  // A drawing's text is shown again wherever the drawing is used.
  const uses = once(() => [...Dom.query(document, 'use')].flatMap(whole));
  const letters = (node, start, end) => {
    const el = Dom.parent(node);
    const most = Dom.text(node).length;
    if (!el || !Dom.connected(node)) return [];
    const range = new Range();
    range.setStart(node, Math.min(start, most));
    range.setEnd(node, Math.min(end, most));
    return [...around(el, rangeRects(range)), ...(Dom.isSvg(el) ? uses('use') : [])];
  };
  const boxes = ({ kind, node, start, end }, from, to) => {
    if (kind === 'text') return letters(node, Math.max(from, start) - start, Math.min(to, end) - start);
    if (kind === 'everything') return [everything()];
    return kind === 'whole' ? whole(node) : generated(node, kind);
  };

  // The first piece that ends beyond a place in the text.
  const first = (pieces, from) => {
    let [low, high] = [0, pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pieces[middle].end <= from) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  if (found.blind) return [everything()];
  const all = found.covered.flatMap((each) => (Dom.isElement(each) ? whole(each) : generated(each.el, each.kind)));
  for (const [from, to] of spans) {
    for (let at = first(found.pieces, from); at < found.pieces.length && found.pieces[at].start < to; at += 1) {
      all.push(...boxes(found.pieces[at], from, to));
    }
  }
  return all.length > MOST_BOXES ? [everything()] : all;
}
