// Whether a turn of the wheel scrolled something in this document, and when that has come to rest.
({ step, x, y, dx, dy, cap }) => {
  const { Dom, Place, Settle } = globalThis.stockade.modules;
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);
  const ROLLS = /auto|scroll|overlay/;

  const room = (el) => {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = Place.scroll(el);
    const ahead = (by, at, size, shown) => (by > 0 ? at + shown < size - 1 : by < 0 && at > 0);
    const across = ahead(dx, scrollLeft, scrollWidth, clientWidth);
    const down = ahead(dy, scrollTop, scrollHeight, clientHeight);
    const root = el === (document.scrollingElement || document.documentElement);
    const { overflowX, overflowY } = Dom.style(el);
    const lets = (overflow) => (root ? overflow !== 'hidden' : ROLLS.test(overflow));
    return (across && lets(overflowX)) || (down && lets(overflowY));
  };

  const end = (watch) => {
    removeEventListener('scroll', watch.scrolled, { capture: true });
    removeEventListener('wheel', watch.turned);
    delete globalThis.stockadeWheel;
  };

  if (step === 'begin') {
    // Of a watch whose end nobody waited for.
    if (globalThis.stockadeWheel) end(globalThis.stockadeWheel);
    const watch = { scrolls: 0, taken: false, wake: () => {} };
    watch.scrolled = () => {
      watch.scrolls += 1;
      watch.wake();
    };
    // Last in line: what a handler made of the turn is known by then.
    watch.turned = (event) => {
      if (!event.defaultPrevented) return;
      watch.taken = true;
      watch.wake();
    };
    addEventListener('scroll', watch.scrolled, { capture: true, passive: true });
    addEventListener('wheel', watch.turned, { passive: true });
    globalThis.stockadeWheel = watch;
    const hit = x === undefined ? null : Dom.hit(x, y);
    if (hit && FRAMES.has(Dom.tag(hit))) return { can: true, frame: true };
    let can = false;
    for (let node = hit; node && !can; node = Dom.parent(node)) can = room(node);
    return { can: can || room(document.scrollingElement || document.documentElement), frame: false };
  }

  const watch = globalThis.stockadeWheel;
  if (!watch) return { moved: false };
  const first = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, cap);
    watch.wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (watch.scrolls || watch.taken) watch.wake();
  });
  const rest = async () => {
    const latest = performance.now() + 2000;
    for (let still = 0; still < 2 && performance.now() < latest;) {
      const before = watch.scrolls;
      await Settle.frame();
      still = watch.scrolls === before ? still + 1 : 0;
    }
  };
  const told = async () => {
    await first();
    if (watch.scrolls) await rest();
    end(watch);
    return { moved: watch.scrolls > 0 };
  };
  return told();
}
