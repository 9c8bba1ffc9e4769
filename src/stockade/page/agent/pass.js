// One look at the document: caches are shared while it lasts, and dropped when it ends.
const Pass = (() => {
  const FOLLOWING = 4;
  const position = Dom.method(Node.prototype, 'compareDocumentPosition');
  const NEVER = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base']);

  const over = (method) => (args) => {
    Aria.begin();
    try {
      return answered(method(args));
    } finally {
      Aria.end();
    }
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

  // What is inside an element: a list where the flat tree differs from the document, else null.
  const below = (el, pierce) => {
    const root = Dom.shadow(el);
    if (root) return !pierce || (pierce === 'open' && root.mode === 'closed') ? null : Dom.children(el);
    return Dom.isSlot(el) ? Dom.children(el) : null;
  };

  // Elements of the flat tree from `top` down, in document order, until a limit is reached; answers
  // which. `visit(el)` may answer false to skip what is inside. Siblings are followed one by one:
  // a list of half a million children would take all the time there is.
  const walk = (top, visit, { nodes = 200000, ms = 100, pierce = 'closed' } = {}) => {
    const until = performance.now() + ms;
    const pending = [top];
    const chained = [false];
    for (let looked = 1; pending.length; looked += 1) {
      if (looked > nodes) return `${nodes} elements`;
      if (looked % 64 === 0 && performance.now() > until) return `${ms} ms`;
      const el = pending.pop();
      const next = chained.pop() && Dom.nextSibling(el);
      if (next) {
        pending.push(next);
        chained.push(true);
      }
      if (!Dom.isElement(el) || (NEVER.has(Dom.tag(el)) && Dom.isHtml(el))) continue;
      suspect(el);
      if (visit(el) === false) continue;
      const inner = below(el, pierce);
      const first = !inner && Dom.firstChild(el);
      if (first) {
        pending.push(first);
        chained.push(true);
      }
      for (let i = inner ? inner.length - 1 : -1; i >= 0; i -= 1) {
        pending.push(inner[i]);
        chained.push(false);
      }
    }
    return '';
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

  return Object.freeze({ over, walk, order, suspect });
})();
