// One look at the document: caches are shared while it lasts, and dropped when it ends.
const Pass = (() => {
  const FOLLOWING = 4;
  const position = Dom.method(Node.prototype, 'compareDocumentPosition');
  const NEVER = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base']);

  const over = (method) => (args = {}) => {
    Aria.begin();
    try {
      const reader = Vetting.start(args.vetting);
      return answered(Vetting.during(reader, () => {
        const answer = method(args);
        Vetting.check();
        return answer;
      }));
    } finally {
      Aria.end();
    }
  };

  // Long work is done in slices, each a pass of its own, and between them the page goes on. It is
  // written as a generator that yields when a slice is `due` to end, and hears `true` when the time
  // for all of it (`ms`) is up; then it answers with what it has.
  const SLICE_MS = 25;
  let sliceEnd = Infinity;
  const due = () => performance.now() > sliceEnd;
  const turn = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
  const sliced = (method) => async (args) => {
    const end = performance.now() + (args.ms || Infinity);
    const work = method(args);
    const reader = Vetting.start(args.vetting);
    let suspects = 0;
    for (let late = false; ; late = performance.now() > end) {
      Aria.begin();
      let step = null;
      try {
        sliceEnd = performance.now() + SLICE_MS;
        step = Vetting.during(reader, () => {
          const next = work.next(late);
          if (next.done) Vetting.check();
          return next;
        });
      } finally {
        sliceEnd = Infinity;
        suspects += noted;
        // What failed may be asked again.
        noted = step ? 0 : suspects;
        Aria.end();
      }
      if (step.done) return suspects ? { ...step.value, suspects } : step.value;
      await turn();
    }
  };
  // The same work at once, where there is no way to wait for it.
  const finish = (work) => {
    let step = work.next();
    while (!step.done) step = work.next();
    return step.value;
  };

  // Elements that may hide a closed shadow root; Python asks the browser and we look again.
  let noted = 0;
  const suspect = (el) => {
    if (!Dom.maybeHost(el)) return;
    Dom.noteSuspect(el);
    noted += 1;
  };
  // An answer, with how many such elements were met on the way to it.
  const answered = (answer) => {
    const suspects = noted;
    noted = 0;
    return suspects ? { ...answer, suspects } : answer;
  };

  const pierces = (root, pierce) => Boolean(pierce) && (pierce !== 'open' || root.mode !== 'closed');
  const isSkipped = (el) => NEVER.has(Dom.tag(el)) && Dom.isHtml(el);
  // What is inside an element: a list where the flat tree differs from the document, else null.
  const below = (el, pierce) => {
    const root = Dom.shadow(el);
    if (root) return pierces(root, pierce) ? Dom.children(el) : null;
    return Dom.isSlot(el) ? Dom.children(el) : null;
  };
  // Whether `traverse` comes to an element from `top`.
  const reaches = (top, el, pierce = 'closed') => {
    let node = el;
    while (!isSkipped(node)) {
      if (node === top) return true;
      const above = Dom.nodeParent(node);
      if (!above) return false;
      if (!Dom.isElement(above)) {
        node = Dom.parent(node);
        if (!node || !pierces(above, pierce)) return false;
        continue;
      }
      const root = Dom.shadow(above);
      const slotted = Boolean(root) && pierces(root, pierce);
      if (slotted && Dom.unslotted(node)) return false;
      node = slotted ? Dom.parent(node) : above;
    }
    return false;
  };

  // Elements of the flat tree from `top` down, in document order. `visit(el)` may answer false to
  // skip what is inside. Siblings are followed one by one: a list of half a million children would
  // take all the time there is. Answers `{ended, torn}`: 'nodes' or 'time' where it did not get to
  // the end, and the elements in which the page took away the child that it was to go on from.
  const traverse = function* (top, visit, { nodes = Infinity, pierce = 'closed', pause = due } = {}) {
    const pending = [top];
    // The parent where siblings are to be followed, else null.
    const chained = [null];
    const torn = [];
    for (let looked = 1; pending.length; looked += 1) {
      if (looked > nodes) return { ended: 'nodes', torn };
      if (looked % 16 === 0 && pause() && (yield)) return { ended: 'time', torn };
      const el = pending.pop();
      const chain = chained.pop();
      if (chain && Dom.nodeParent(el) !== chain) {
        torn.push(chain);
        continue;
      }
      const next = chain && Dom.nextSibling(el);
      if (next) {
        pending.push(next);
        chained.push(chain);
      }
      if (!Dom.isElement(el) || isSkipped(el)) continue;
      suspect(el);
      if (visit(el) === false) continue;
      const inner = below(el, pierce);
      const first = !inner && Dom.firstChild(el);
      if (first) {
        pending.push(first);
        chained.push(el);
      }
      for (let i = inner ? inner.length - 1 : -1; i >= 0; i -= 1) {
        pending.push(inner[i]);
        chained.push(null);
      }
    }
    return { ended: '', torn };
  };
  // The same within limits; answers which of them was reached.
  const walk = (top, visit, { nodes = 200000, ms = 100, pierce = 'closed' } = {}) => {
    const until = performance.now() + ms;
    const step = traverse(top, visit, { nodes, pierce, pause: () => performance.now() > until }).next();
    if (!step.done) return `${ms} ms`;
    return step.value.ended ? `${nodes} elements` : '';
  };

  // A few elements of any root, sorted as they appear.
  const order = (elements) => {
    const lines = new Map();
    const line = (el) => {
      if (!lines.has(el)) {
        const path = [];
        for (let node = el; node; node = Dom.parent(node)) path.push(node);
        lines.set(el, path.reverse());
      }
      return lines.get(el);
    };
    const across = (a, b) => {
      const [one, other] = [line(a), line(b)];
      let at = 0;
      while (at < one.length && one[at] === other[at]) at += 1;
      if (at === one.length || at === other.length) return one.length - other.length;
      const siblings = at ? Dom.children(one[at - 1]) : [];
      return siblings.indexOf(one[at]) - siblings.indexOf(other[at]);
    };
    const compare = (a, b) => {
      if (a === b) return 0;
      if (Dom.rootOf(a) !== Dom.rootOf(b)) return across(a, b);
      return position(a, b) & FOLLOWING ? -1 : 1;
    };
    return elements.sort(compare);
  };

  return Object.freeze({ over, sliced, finish, due, traverse, reaches, walk, order, suspect });
})();
