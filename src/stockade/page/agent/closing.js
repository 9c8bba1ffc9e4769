// Closing animations: what an action makes fade, shrink or slide away is gone only when they end.
const Closing = (() => {
  const LONGEST_MS = 1000;
  const RECENT_MS = 150;
  const MOST = 200;
  // The clock of animations is told in coarser steps than the times at which they start.
  const ROUNDING_MS = 1;

  const targetOf = Dom.getter(KeyframeEffect.prototype, 'target');
  const getKeyframes = Dom.method(KeyframeEffect.prototype, 'getKeyframes');
  const SIZES = ['height', 'maxHeight', 'blockSize', 'width', 'maxWidth', 'inlineSize'];

  const speaks = (el) => /\S/.test(Dom.textContent(el)) || Dom.query(el, 'input, button, img, canvas, svg').length > 0;

  // By about its own size, or more; no matrix tells of shares.
  const BY_ITS_SIZE = /(?<![\d.])(?:9\d|\d{3,})(?:\.\d+)?%/;
  const movesAway = (transform, el) => {
    if (!transform || transform === 'none') return false;
    if (transform.includes('%')) return BY_ITS_SIZE.test(transform);
    let matrix;
    try {
      matrix = new DOMMatrix(transform);
    } catch {
      return false; // in units that depend on the layout
    }
    const box = Dom.rect(el);
    return Math.abs(matrix.a) < 0.1 || Math.abs(matrix.d) < 0.1
      || Math.abs(matrix.e) >= box.width * 0.9 || Math.abs(matrix.f) >= box.height * 0.9;
  };

  const ends = (frame, el) => frame.opacity === '0' || frame.visibility === 'hidden' || frame.display === 'none'
    || SIZES.some((name) => frame[name] === '0px' || frame[name] === '0') || movesAway(frame.transform, el)
    || BY_ITS_SIZE.test(frame.translate || '');

  // A finite animation on something with words or controls, after which it cannot be seen.
  const closes = ({ effect, began, left }, since) => {
    if ((began !== null && began < since) || left > LONGEST_MS || !(effect instanceof KeyframeEffect)) return false;
    const el = targetOf(effect);
    if (!el || !Dom.connected(el)) return false;
    const frames = getKeyframes(effect);
    return frames.length > 0 && ends(frames[frames.length - 1], el) && speaks(el);
  };

  const measure = (el) => {
    const { width, height } = Dom.rect(el);
    return { opacity: Number(Dom.style(el).opacity), width, height };
  };
  const shrinks = (before, now) => now.opacity < before.opacity || now.height < before.height - 0.5
    || now.width < before.width - 0.5;

  const watch = () => {
    const since = (document.timeline.currentTime || 0) - ROUNDING_MS;
    // When it was first asked for: the input before that may have taken its time, as a drag does.
    let began = 0;
    const sizes = new Map();
    let closing = false;

    // A script that takes something away does so by its style, frame by frame.
    const fades = (el, { last }) => {
      const before = sizes.get(el);
      if (!Dom.connected(el) || performance.now() - last > RECENT_MS || !speaks(el)) return false;
      const now = measure(el);
      sizes.set(el, now);
      return !before || shrinks(before, now);
    };

    // `restyled`: elements whose style changed since the action, with when they last did.
    const pending = (restyled) => {
      began ||= performance.now();
      closing = Animations.ending().slice(0, MOST).some((each) => closes(each, since))
        || [...restyled].slice(0, MOST).some(([el, turns]) => turns.count > 1 && fades(el, turns));
      return closing && performance.now() - began < LONGEST_MS + RECENT_MS;
    };

    return Object.freeze({ pending, lasts: () => closing });
  };

  return Object.freeze({ watch });
})();
