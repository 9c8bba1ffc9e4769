// Which key events a document got, and whether one of its handlers took them for its own.
({ step, caller, prefix }) => {
  const { Place, Dom, Refs } = globalThis.stockade.modules;
  const TYPES = ['keydown', 'keypress', 'keyup', 'copy', 'cut', 'paste'];
  const MOST = 200;
  if (step === 'begin') {
    const seen = [];
    // First in line, so that no handler can keep an event from being seen; what became of it is
    // asked at the end.
    const note = (event) => {
      if (event.isTrusted && seen.length < MOST) seen.push({ event, at: performance.timeOrigin + event.timeStamp });
    };
    for (const type of TYPES) addEventListener(type, note, { capture: true });
    globalThis.stockadeKeys = { seen, note };
    return null;
  }
  const watched = globalThis.stockadeKeys;
  delete globalThis.stockadeKeys;
  if (watched) for (const type of TYPES) removeEventListener(type, watched.note, { capture: true });
  const describe = (node) => (node instanceof Element ? Place.describe(node) : 'the document');
  const shown = (el) => {
    Refs.show(caller, el);
    return { ref: Refs.text(Refs.of(el), prefix), target: describe(el) };
  };
  const active = Dom.active();
  const inHere = document.hasFocus() && active instanceof Element && !['iframe', 'frame'].includes(Dom.tag(active));
  return {
    events: (watched ? watched.seen : []).map(({ event, at }) => ({
      at,
      type: event.type,
      key: event.key === undefined ? '' : event.key,
      defaultPrevented: event.defaultPrevented,
      target: describe(event.composedPath()[0] || event.target),
    })),
    active: inHere ? shown(active) : null,
  };
}
