// Scrolling by script: to an edge, by a distance, or until an element can be seen.
const Scroll = (() => {
  const scrollElement = Dom.method(Element.prototype, 'scrollTo');
  const scrollIntoView = Dom.method(Element.prototype, 'scrollIntoView');

  const root = () => document.scrollingElement || document.documentElement;

  const report = (el) => {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = Place.scroll(el);
    return {
      x: scrollLeft, y: scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight,
      atTop: scrollTop <= 0, atBottom: scrollTop + clientHeight >= scrollHeight - 1,
    };
  };

  const scroll = ({ caller, ref, to, by, intoView }) => {
    const el = ref ? Refs.check(caller, ref) : null;
    Settle.arm(null, { held: false });
    if (el && (intoView || (!to && !by))) {
      scrollIntoView(el, { block: 'center', inline: 'nearest', behavior: 'instant' });
      return { scroll: report(Place.scroller(el) || root()) };
    }
    const box = (el && Place.scroller(el)) || root();
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = Place.scroll(box);
    const left = to === 'left' ? 0 : to === 'right' ? scrollWidth : scrollLeft + (by ? by.x || 0 : 0);
    const top = to === 'top' ? 0 : to === 'bottom' ? scrollHeight : scrollTop + (by ? by.y || 0 : 0);
    scrollElement(box, { left, top, behavior: 'instant' });
    const after = report(box);
    return { scroll: after, moved: after.x !== scrollLeft || after.y !== scrollTop };
  };

  // Where an element is once it is in view, for a picture of it.
  const pictureBox = (args) => {
    const el = Act.shownTarget(args);
    scrollIntoView(el, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = Dom.rect(el);
    return { box: { x, y, width, height }, view: { width: innerWidth, height: innerHeight } };
  };

  Agent.expose('picture_box', pictureBox);
  Agent.expose('scroll', scroll);
  Agent.expose('page_size', () => ({
    width: root().scrollWidth, height: root().scrollHeight,
    viewportWidth: innerWidth, viewportHeight: innerHeight, x: scrollX, y: scrollY,
  }));

  return Object.freeze({ scroll });
})();
