// One look at the document: caches are shared while it lasts, and dropped when it ends.
const Pass = (() => {
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

  const below = (el, pierce) => {
    if (pierce === 'closed') return Dom.children(el);
    const root = Dom.shadow(el);
    return root && (!pierce || root.mode === 'closed') ? Dom.childNodes(el) : Dom.children(el);
  };

  // Elements of the flat tree from `top` down, in document order, until a limit is reached; answers
  // which. `visit(el)` may answer false to skip what is inside.
  const walk = (top, visit, { nodes = 200000, ms = 100, pierce = 'closed' } = {}) => {
    const started = performance.now();
    const pending = [top];
    for (let looked = 1; pending.length; looked += 1) {
      if (looked > nodes) return `${nodes} elements`;
      if (looked % 64 === 0 && performance.now() - started > ms) return `${ms} ms`;
      const el = pending.pop();
      suspect(el);
      if ((NEVER.has(Dom.tag(el)) && Dom.isHtml(el)) || visit(el) === false) continue;
      const inner = below(el, pierce);
      for (let i = inner.length - 1; i >= 0; i -= 1) if (Dom.isElement(inner[i])) pending.push(inner[i]);
    }
    return '';
  };

  // A few elements of any root, sorted as the flat tree has them.
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
    const compare = (a, b) => {
      const [one, other] = [line(a), line(b)];
      let at = 0;
      while (at < one.length && one[at] === other[at]) at += 1;
      if (at === one.length || at === other.length) return one.length - other.length;
      const siblings = at ? Dom.children(one[at - 1]) : [];
      return siblings.indexOf(one[at]) - siblings.indexOf(other[at]);
    };
    return elements.sort((a, b) => (a === b ? 0 : compare(a, b)));
  };

  return Object.freeze({ over, walk, order, suspect });
})();
