// Measures one number of an element, or of the page, frame by frame or at an interval. It begins
// at once and is fetched in parts, so that little is lost when the document goes away.
(args) => {
  const { Agent, Dom, Refs, Place, Settle } = globalThis.stockade.modules;
  const SCROLLS = ['scrollTop', 'scrollLeft', 'scrollHeight', 'scrollWidth', 'clientWidth', 'clientHeight'];
  const BOXES = { bboxX: 'x', bboxY: 'y', bboxWidth: 'width', bboxHeight: 'height' };
  const samplers = globalThis.stockadeSamplers || (globalThis.stockadeSamplers = new Map());

  const begin = () => {
    const el = args.ref ? Refs.check(args.caller, args.ref) : null;
    const root = () => document.scrollingElement || document.documentElement;
    const getters = new Map(SCROLLS.map((name) => [name, Dom.getter(Element.prototype, name)]));
    const round = (number) => Math.round(number * 100) / 100;
    const read = () => {
      const from = el || root();
      if (args.metric in BOXES) return round(Dom.rect(from)[BOXES[args.metric]]);
      return Dom.isField(from) ? Place.scroll(from)[args.metric] : round(getters.get(args.metric)(from));
    };
    const start = performance.now();
    const at = { points: [], count: 0, ended: '', wake: null };
    samplers.set(args.key, at);
    const tell = () => { if (at.wake) at.wake(); };
    const end = (why) => {
      at.ended = at.ended || why;
      removeEventListener('pagehide', leaving, true);
      removeEventListener('beforeunload', tell, true);
      tell();
    };
    const leaving = () => end('navigated');
    addEventListener('pagehide', leaving, true);
    addEventListener('beforeunload', tell, true);
    const step = () => {
      if (at.ended) return;
      const now = performance.now() - start;
      if (el && !Dom.connected(el)) return end('detached');
      at.points.push([round(now), read()]);
      at.count += 1;
      if (at.count >= args.most) return end('full');
      if (now >= args.durationMs) return end('done');
      if (args.everyFrame) Settle.frame().then(step);
      else setTimeout(step, Math.min(args.intervalMs, Math.max(args.durationMs - now, 1)));
      return undefined;
    };
    step();
    return { target: el ? Place.describe(el) : null };
  };

  const fetched = (at) => {
    const points = at.points.splice(0);
    if (at.ended) samplers.delete(args.key);
    return { points, ended: at.ended };
  };
  const fetch = () => {
    const at = samplers.get(args.key);
    if (!at) return { points: [], ended: 'navigated' };
    if (at.ended) return fetched(at);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        at.wake = null;
        resolve(fetched(at));
      };
      const timer = setTimeout(done, args.cap);
      at.wake = done;
    });
  };

  if (args.step === 'begin') return begin();
  if (args.step === 'fetch') return fetch();
  if (args.step === 'end') {
    const at = samplers.get(args.key);
    if (at) at.ended = 'stopped';
    return samplers.delete(args.key);
  }
  return Agent.fail('invalid_argument', 'no such step');
}
