// What boxes cut off: containing blocks, overflow clips, and how far scrolling reaches.
const Clipping = (() => {
  const clientWidth = Dom.getter(Element.prototype, 'clientWidth');
  const clientHeight = Dom.getter(Element.prototype, 'clientHeight');
  const scrollWidth = Dom.getter(Element.prototype, 'scrollWidth');
  const scrollHeight = Dom.getter(Element.prototype, 'scrollHeight');
  const scrollLeft = Dom.getter(Element.prototype, 'scrollLeft');
  const scrollTop = Dom.getter(Element.prototype, 'scrollTop');
  const documentElement = Dom.getter(Document.prototype, 'documentElement');
  const documentBody = Dom.getter(Document.prototype, 'body');
  const fullscreenElement = Dom.getter(Document.prototype, 'fullscreenElement');

  // Containment does nothing to boxes that are no blocks.
  const UNCONTAINABLE = /^(?:contents|inline|ruby|table-(?:row|column|header|footer).*)$/;
  const containsLayout = (style) => /layout|paint|strict|content/.test(style.contain) && !UNCONTAINABLE.test(style.display);
  const containsPaint = (style) => /paint|strict|content/.test(style.contain) && !UNCONTAINABLE.test(style.display);

  // Untransformable: boxes that lie in lines, and those of no box at all.
  const transforms = (style) => style.display !== 'inline' && (style.transform !== 'none' || style.perspective !== 'none'
    || style.translate !== 'none' || style.rotate !== 'none' || style.scale !== 'none' || style.offsetPath !== 'none'
    || style.transformStyle === 'preserve-3d'
    || /\b(?:transform|perspective|translate|rotate|scale|offset-path)\b/.test(style.willChange));
  const filters = (el, style) => el !== documentElement(document) && (style.filter !== 'none'
    || style.backdropFilter !== 'none' || /\b(?:backdrop-)?filter\b/.test(style.willChange));
  const holdsFixed = (el, style) => style.display !== 'contents' && (transforms(style) || filters(el, style)
    || containsLayout(style) || style.contentVisibility === 'auto');
  const holdsAbsolute = (el, style) => style.display !== 'contents' && (style.position !== 'static'
    || /\bposition\b/.test(style.willChange) || holdsFixed(el, style));

  // What is in the top layer is laid out and painted apart from what it is in.
  const onTop = (el) => (Dom.tag(el) === 'dialog' && Dom.matches(el, ':modal'))
    || (Dom.has(el, 'popover') && Dom.matches(el, ':popover-open')) || el === fullscreenElement(document);

  // The element whose box the element's own is placed in; null for the page or the viewport.
  const containing = Dom.memo((el) => {
    const style = Dom.style(el);
    const { position } = style;
    if ((position !== 'absolute' && position !== 'fixed') || style.display === 'contents') return Dom.parent(el);
    if (onTop(el)) return null;
    const holds = position === 'fixed' ? holdsFixed : holdsAbsolute;
    let up = Dom.parent(el);
    while (up && !holds(up, Dom.style(up))) up = Dom.parent(up);
    return up;
  });

  // The root's overflow is the viewport's, and so is the body's unless the root has one of its own.
  const belongsToViewport = (el) => {
    const root = documentElement(document);
    if (el === root) return true;
    if (el !== documentBody(document)) return false;
    const above = Dom.style(root);
    return above.overflowX === 'visible' && above.overflowY === 'visible' && above.contain === 'none'
      && Dom.style(el).contain === 'none';
  };

  const THINNEST = 1;
  const BORDERS = 20;
  const thin = (size, inner) => size <= THINNEST || (size <= BORDERS && inner() <= THINNEST);
  const UNCLIPPABLE = /^(?:contents|inline|ruby|table-(?:row|column|header|footer).*)$/;

  // A box that shows nothing of what it contains, for it has no room and cuts the rest off.
  const shut = (el) => {
    const style = Dom.style(el);
    if (style.display === 'inline') return false;
    const contained = style.contain !== 'none' && containsPaint(style);
    const across = contained || style.overflowX !== 'visible';
    const down = contained || style.overflowY !== 'visible';
    if ((!across && !down) || UNCLIPPABLE.test(style.display)) return false;
    if (!contained && belongsToViewport(el)) return false;
    const box = Dom.rect(el);
    return (across && thin(box.width, () => clientWidth(el))) || (down && thin(box.height, () => clientHeight(el)));
  };
  const clipped = Dom.inherited((el) => shut(el) || undefined, false, containing);

  // Scrolling: how far content can be moved right, left, down and up within its scrollers.
  const REVERSED = { __proto__: null, across: /row-reverse/, down: /column-reverse/ };
  const backwards = (style, axis) => (style.display.includes('flex') && REVERSED[axis].test(style.flexDirection))
    || (axis === 'across' && (style.direction === 'rtl' || style.writingMode === 'vertical-rl'));
  const room = (position, extent, reversed) => {
    const least = position < 0 || (position === 0 && reversed) ? -extent : 0;
    return { back: position - least, forth: extent + least - position };
  };
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  const none = { back: 0, forth: 0 };
  const rooms = (el) => {
    const style = Dom.style(el);
    return {
      across: room(scrollLeft(el), Math.max(0, scrollWidth(el) - clientWidth(el)), backwards(style, 'across')),
      down: room(scrollTop(el), Math.max(0, scrollHeight(el) - clientHeight(el)), backwards(style, 'down')),
    };
  };
  const page = Dom.memo(() => {
    const root = documentElement(document);
    const style = Dom.style(root);
    const width = Math.max(0, scrollWidth(root) - clientWidth(root));
    const height = Math.max(0, scrollHeight(root) - clientHeight(root));
    return { across: room(scrollX, width, backwards(style, 'across')), down: room(scrollY, height, false) };
  });

  // How far the page is scrolled; asking costs a layout check, so once per pass.
  const begun = Dom.memo(() => [scrollX, scrollY]);
  const inFixed = Dom.inherited((el) => (Dom.style(el).position === 'fixed' ? true : undefined), false);
  // Whether no scrolling brings the box of an element into view.
  const unreachable = (el, box) => {
    const [left, top] = begun('page');
    const before = (box.width > 0 && box.right + left <= 0) || (box.height > 0 && box.bottom + top <= 0);
    if (!before && ((box.top < innerHeight && box.left < innerWidth) || !inFixed(el))) return false;
    let { right, bottom, left: nearLeft, top: nearTop } = box;
    let fixed = false;
    let node = el;
    for (;;) {
      const up = containing(node);
      if (!up) {
        fixed = Dom.style(node).position === 'fixed' || onTop(node);
        break;
      }
      const style = Dom.style(up);
      if ((scrolls(style.overflowX) || scrolls(style.overflowY)) && !belongsToViewport(up)) {
        const { across, down } = rooms(up);
        const x = scrolls(style.overflowX) ? across : none;
        const y = scrolls(style.overflowY) ? down : none;
        right += x.back;
        bottom += y.back;
        nearLeft -= x.forth;
        nearTop -= y.forth;
      }
      node = up;
    }
    if (!fixed) {
      const { across, down } = page('page');
      right += across.back;
      bottom += down.back;
    }
    if ((box.width > 0 && right <= 0) || (box.height > 0 && bottom <= 0)) return true;
    return fixed && (nearTop >= innerHeight || nearLeft >= innerWidth);
  };

  // Put so far beyond what it belongs to that nobody gets there, although the page grows with it.
  const ASTRAY = { across: 4000, down: 40_000 };
  const isScroller = (el) => {
    const style = Dom.style(el);
    return (scrolls(style.overflowX) || scrolls(style.overflowY)) && !belongsToViewport(el);
  };
  const inScroller = Dom.inherited((el) => isScroller(el) || undefined, false, containing);
  const edges = Dom.memo((el) => Dom.rect(el));
  const strayed = Dom.inherited((el) => {
    const up = containing(el);
    if (up && inScroller(up)) return false;
    const box = edges(el);
    const [left, top] = begun('page');
    const outer = up ? edges(up) : { right: innerWidth - left, bottom: innerHeight - top };
    return box.left - outer.right > ASTRAY.across || box.top - outer.bottom > ASTRAY.down || undefined;
  }, false, containing);
  const astray = (el, box) => {
    const [left, top] = begun('page');
    return (box.left + left >= ASTRAY.across || box.top + top >= ASTRAY.down) && strayed(el);
  };

  return Object.freeze({ clipped, unreachable, astray, onTop });
})();
