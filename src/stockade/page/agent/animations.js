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

  return Object.freeze({ run, start, ending });
})();
