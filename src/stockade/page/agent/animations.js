// Animations that run: of an element, and all of the document that come to an end by themselves.
const Animations = (() => {
  const ofElement = Dom.method(Element.prototype, 'getAnimations');
  const ofDocument = Dom.method(Document.prototype, 'getAnimations');
  const playState = Dom.getter(Animation.prototype, 'playState');
  const pending = Dom.getter(Animation.prototype, 'pending');
  const startTime = Dom.getter(Animation.prototype, 'startTime');
  const timeline = Dom.getter(Animation.prototype, 'timeline');
  const effectOf = Dom.getter(Animation.prototype, 'effect');
  const computedTiming = Dom.method(AnimationEffect.prototype, 'getComputedTiming');

  // One that goes with scrolling may wait for that for ever.
  const isTimed = (animation) => timeline(animation) === document.timeline;
  const isRunning = (animation) => playState(animation) === 'running';

  const run = (el) => ofElement(el).some(isRunning);
  // An animation that has been begun may take some frames to get going.
  const start = (el) => ofElement(el).some((animation) => pending(animation) && isTimed(animation));

  // {effect, began: null while it starts, left: milliseconds}; a spinner has no end.
  const ending = () => ofDocument(document).flatMap((animation) => {
    const effect = isRunning(animation) && isTimed(animation) ? effectOf(animation) : null;
    const timing = effect ? computedTiming(effect) : null;
    if (!timing || !Number.isFinite(timing.endTime)) return [];
    return [{ effect, began: startTime(animation), left: timing.endTime - (timing.localTime || 0) }];
  });

  // The opacity that an element is about to have: null if it is not on its way to any.
  const keyframes = Dom.method(KeyframeEffect.prototype, 'getKeyframes');
  const SOON = 2000;
  const opacitySoon = (el) => {
    let found = null;
    for (const animation of ofElement(el)) {
      const effect = isRunning(animation) && isTimed(animation) ? effectOf(animation) : null;
      const timing = effect instanceof KeyframeEffect ? computedTiming(effect) : null;
      if (!timing || !(timing.endTime - (timing.localTime || 0) <= SOON)) continue;
      const last = keyframes(effect).filter(({ opacity }) => opacity !== undefined).pop();
      if (last) found = Math.max(found || 0, Number.parseFloat(last.opacity) || 0);
    }
    return found;
  };

  return Object.freeze({ run, start, ending, opacitySoon });
})();
