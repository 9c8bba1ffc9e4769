// What a drop of files brings about in this document, seen without touching it.
(step, ref) => {
  const TYPES = ['dragenter', 'dragover', 'dragleave', 'drop'];
  const world = globalThis;
  const { Dom, Refs } = world.stockade.modules;

  if (step === 'begin') {
    const watch = { seen: new Set(), over: null };
    watch.note = (event) => {
      if (!event.isTrusted) return;
      watch.seen.add(event.type);
      if (event.type === 'dragover') watch.over = event;
    };
    for (const type of TYPES) addEventListener(type, watch.note, { capture: true });
    world.stockadeDrop = watch;
    return null;
  }
  const watch = world.stockadeDrop;
  if (!watch) return step === 'end' ? [] : false;
  if (step === 'taken') {
    // A file field takes what is dropped by itself.
    const field = Refs.get(ref);
    if (field && Dom.type(field) === 'file') return true;
    return Boolean(watch.over && watch.over.defaultPrevented);
  }
  for (const type of TYPES) removeEventListener(type, watch.note, { capture: true });
  delete world.stockadeDrop;
  return [...watch.seen];
}
