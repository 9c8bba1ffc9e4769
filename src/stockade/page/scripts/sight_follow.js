// Watches a frame between two looks, in which text may come and go. In every frame that is painted
// it notes where known text is, and where elements are whose text is new; `end` tells of both.
(found, spans, places) => {
  const { Dom, Pass } = globalThis.stockade.modules;
  const MOST_BOXES = 2000;
  const MOST_BLOCKS = 200;
  const MOST_TEXTS = 50;
  const LONGEST_TEXT = 20_000;
  const LONGEST_MS = 10_000;
  const MARGIN = 10;
  const INLINE = new Set('a b bdi bdo code em font i kbd mark q s samp small span strong sub sup tt u var'.split(' '));
  const rangeRects = Dom.method(Range.prototype, 'getClientRects');

  const known = new Map();
  const blocks = new Map();
  let missed = false;
  let going = true;

  const keep = (boxes, box) => {
    if (boxes.size >= MOST_BOXES) missed = true;
    else boxes.set(box.join(), box);
  };
  const note = (el, text) => {
    if (!text || text.length < 2) return;
    const block = blocks.get(el) || { texts: new Set(), boxes: new Map() };
    if (block.texts.size >= MOST_TEXTS || blocks.size >= MOST_BLOCKS || text.length > LONGEST_TEXT) missed = true;
    else blocks.set(el, { ...block, texts: block.texts.add(text.toWellFormed()) });
  };
  // Letters may have an element each, so that a text is read with what surrounds it.
  const holder = (node) => {
    let top = Dom.isElement(node) ? node : Dom.nodeParent(node);
    while (top && Dom.isElement(top) && INLINE.has(Dom.tag(top))) top = Dom.nodeParent(top);
    return top && Dom.isElement(top) ? top : null;
  };
  const changed = (records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (missed) return;
      if (type === 'attributes') note(target, Dom.attr(target, attributeName));
      else if (type === 'characterData' || addedNodes.length) {
        const top = holder(target);
        if (top) note(top, Dom.textContent(top));
      }
    }
  };
  const observer = new MutationObserver(changed);
  const what = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of found.roots) observer.observe(root, what);

  const values = new Map(found.fields.map((el) => [el, Dom.rawValue(el)]));
  const look = Pass.over(() => {
    for (const [el, before] of values) if (Dom.rawValue(el) !== before) note(el, Dom.rawValue(el));
    for (const [el, { boxes }] of blocks) {
      const range = new Range();
      range.selectNode(el);
      for (const { left, top, width, height } of rangeRects(range)) {
        if (width && height) keep(boxes, [left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN]);
      }
    }
    if (spans.length) for (const box of places(found, spans)) keep(known, box);
  });
  // Before a frame is painted, and right after: scripts of the page may run in between.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { if (going) look(); };
  const each = () => {
    if (!going) return;
    changed(observer.takeRecords());
    look();
    port2.postMessage(null);
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);

  const stop = () => {
    going = false;
    port1.close();
    observer.disconnect();
  };
  const timer = setTimeout(() => {
    missed = true;
    stop();
  }, LONGEST_MS);

  return {
    end: () => {
      clearTimeout(timer);
      changed(observer.takeRecords());
      stop();
      const fresh = [...blocks.values()].map(({ texts, boxes }) => ({
        text: [...texts].join('\n\n'), boxes: [...boxes.values()],
      }));
      return { boxes: [...known.values()], fresh: fresh.filter(({ boxes }) => boxes.length), missed };
    },
  };
}
