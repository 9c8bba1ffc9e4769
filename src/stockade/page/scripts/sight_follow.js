// Watches a frame between two looks, in which text may come and go: where known text is in every
// frame that is painted, and which text is new. `end` tells of both.
(found, spans, places) => {
  const { Dom, Pass } = globalThis.stockade.modules;
  const MOST_BOXES = 2000;
  const MOST_TEXTS = 500;
  const LONGEST_TEXT = 20_000;
  const LONGEST_MS = 10_000;
  const INLINE = new Set(('a b bdi bdo code em font i kbd mark q s samp small span strong sub sup tt u var').split(' '));

  const boxes = new Map();
  const texts = new Set();
  let missed = false;
  let going = true;

  const note = (text) => {
    if (!text || text.length < 2) return;
    if (texts.size >= MOST_TEXTS || text.length > LONGEST_TEXT) missed = true;
    else texts.add(text.toWellFormed());
  };
  // Letters may have an element each, so that a text is read with what surrounds it.
  const around = (node) => {
    let top = node;
    for (let step = 0; step < 5; step += 1) {
      const above = Dom.nodeParent(top);
      if (!above || !Dom.isElement(above) || (top !== node && !INLINE.has(Dom.tag(top)))) break;
      top = above;
    }
    return Dom.textContent(top);
  };
  const changed = (records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === 'attributes') note(Dom.attr(target, attributeName));
      else if (type === 'characterData' || addedNodes.length) note(around(target));
      if (missed) return;
    }
  };
  const observer = new MutationObserver(changed);
  const what = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of found.roots) observer.observe(root, what);

  const values = new Map(found.fields.map((el) => [el, Dom.value(el)]));
  const look = Pass.over(() => {
    for (const [el, before] of values) if (Dom.value(el) !== before) note(Dom.value(el));
    if (!spans.length) return;
    for (const box of places(found, spans)) {
      if (boxes.size >= MOST_BOXES) missed = true;
      else boxes.set(box.join(), box);
    }
  });
  // Before a frame is painted, and right after: scripts of the page may run in between.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { if (going) look(); };
  const each = () => {
    if (!going) return;
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
      return { boxes: [...boxes.values()], texts: [...texts], missed };
    },
  };
}
