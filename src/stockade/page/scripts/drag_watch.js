// What the page makes of something that is held: whether it has taken hold of it, and whether all of
// its answer to the last movement is there.
({ step, source, x, y, cap }) => {
  const { Dom, Refs, Observe, Animations, Settle } = globalThis.stockade.modules;

  const end = (watch) => {
    watch.stop();
    delete globalThis.stockadeHeld;
  };
  if (step === 'begin') {
    // Of a watch whose end nobody waited for.
    if (globalThis.stockadeHeld) end(globalThis.stockadeHeld);
    const watch = { changes: 0, wake: () => {} };
    // The focus comes with every press.
    watch.stop = Observe.subscribe(({ element, now, kind }) => {
      if (Settle.isRestless(element, now) || kind === 'focusin' || kind === 'focusout') return;
      watch.changes += 1;
      watch.wake();
    });
    globalThis.stockadeHeld = watch;
    const draggable = Dom.getter(HTMLElement.prototype, 'draggable');
    let node = source ? Refs.get(source) : Dom.hit(x, y);
    while (node && !(node instanceof HTMLElement && draggable(node))) node = Dom.parent(node);
    return { native: Boolean(node) };
  }

  const watch = globalThis.stockadeHeld;
  if (!watch) return { changes: 0 };
  if (step === 'end') {
    end(watch);
    return { changes: watch.changes };
  }

  // The first thing that the page does when something is pressed.
  const taken = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, cap);
    watch.wake = () => {
      clearTimeout(timer);
      resolve();
    };
    Observe.flush();
    if (watch.changes) watch.wake();
  });
  // What lies at the pointer may still move away or come: lists that sort themselves do not sort
  // again until it stands.
  const still = async () => {
    const limit = performance.now() + cap;
    do await Settle.frame(); while (Animations.ending().length && performance.now() < limit);
    await Settle.frame();
    Observe.flush();
  };
  return (step === 'take' ? taken() : still()).then(() => ({ changes: watch.changes }));
}
