// What changed in the document, and when. Always on: an action needs to know what moved before it.
const Observe = (() => {
  const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
  const LOG_LIMIT = 2000;
  const CALLERS = 32;
  const RESTYLES_ALL = new Set(['head', 'style', 'link', 'title', 'meta', 'base']);

  const recordTarget = Dom.getter(MutationRecord.prototype, 'target');
  const recordType = Dom.getter(MutationRecord.prototype, 'type');
  const recordAdded = Dom.getter(MutationRecord.prototype, 'addedNodes');
  const recordRemoved = Dom.getter(MutationRecord.prototype, 'removedNodes');
  const recordPrevious = Dom.getter(MutationRecord.prototype, 'previousSibling');
  const previousNode = Dom.getter(Node.prototype, 'previousSibling');
  const recordAttribute = Dom.getter(MutationRecord.prototype, 'attributeName');

  const changedAt = new WeakMap();
  const restyledAt = new WeakMap();
  const log = new Map();
  const looks = new Map();
  const listeners = new Set();
  let sequence = 0;
  let forgotten = 0;
  let everything = 0;
  let growth = 1;

  const note = (node) => {
    sequence += 1;
    log.delete(node);
    log.set(node, sequence);
    if (log.size <= LOG_LIMIT) return;
    const [oldest, number] = log.entries().next().value;
    log.delete(oldest);
    forgotten = number;
  };

  const noteEverything = () => {
    sequence += 1;
    everything = sequence;
  };

  const elementOf = (node) => (Dom.isElement(node) ? node : Dom.nodeParent(node));

  const restylesAll = (el) => {
    const above = Dom.nodeParent(el);
    return RESTYLES_ALL.has(Dom.tag(el)) || (Boolean(above) && Dom.tag(above) === 'head');
  };

  const change = (node, kind, attribute, record = null) => {
    const element = elementOf(node);
    const key = element || document;
    const before = changedAt.get(key);
    const now = performance.now();
    changedAt.set(key, now);
    if (kind === 'attributes') restyledAt.set(key, now);
    if (element && restylesAll(element)) noteEverything();
    else note(kind === 'childList' || !element ? node : element);
    for (const listener of listeners) listener({ element: key, before, now, kind, attribute, record });
  };

  // What was put in and taken out where, so that an earlier order can be told from the present one.
  const MOST_MOVES = 1000;
  let moves = [];
  let movesForgotten = 0;
  const addedAt = new WeakMap();
  const elementBefore = (node) => {
    let before = node;
    while (before && !Dom.isElement(before)) before = previousNode(before);
    return before;
  };
  const weakly = (nodes) => Array.prototype.filter.call(nodes, Dom.isElement).map((el) => new WeakRef(el));
  const noteMoves = (record, parent) => {
    const added = weakly(recordAdded(record));
    const removed = weakly(recordRemoved(record));
    if (!added.length && !removed.length) return;
    for (const weak of added) addedAt.set(weak.deref(), sequence + 1);
    const previous = elementBefore(recordPrevious(record));
    moves.push({
      number: sequence + 1, parent: new WeakRef(parent), added, removed, previous: previous && new WeakRef(previous),
    });
    if (moves.length < 2 * MOST_MOVES) return;
    movesForgotten = moves[MOST_MOVES - 1].number;
    moves = moves.slice(MOST_MOVES);
  };
  // Those since a caller's last look, the last first; none where some are not known any more.
  const movesSince = (caller) => {
    flush();
    const since = looks.get(caller);
    if (since === undefined || since < movesForgotten) return [];
    return moves.filter(({ number }) => number > since).reverse().map(({ parent, added, removed, previous }) => ({
      parent: parent.deref(), added: present(added), removed: present(removed), previous: previous && previous.deref(),
    }));
  };
  const cameSince = (caller, el) => addedAt.has(el) && addedAt.get(el) > looks.get(caller);
  const present = (refs) => refs.map((weak) => weak.deref()).filter(Boolean);

  const take = (records) => {
    for (const record of records) {
      const node = recordTarget(record);
      const type = recordType(record);
      if (type === 'childList') {
        if (Array.prototype.some.call(recordAdded(record), Dom.isElement)) {
          growth += 1;
          if (Dom.inShadow(node)) noteGrownRoot(Dom.rootOf(node));
        }
        noteMoves(record, node);
      }
      change(node, type, recordAttribute(record), record);
    }
  };

  const observer = new MutationObserver(take);
  const watched = new WeakSet();
  // Shadow roots that are new, or that elements have come into.
  const MOST_ROOTS = 500;
  const grownRoots = new Set();
  const noteGrownRoot = (root) => {
    if (watched.has(root) && grownRoots.size < MOST_ROOTS) grownRoots.add(root);
  };
  const grownRootCount = () => grownRoots.size;
  const takeGrownRoots = (most = 100) => {
    const found = [...grownRoots].slice(0, most);
    for (const root of found) grownRoots.delete(root);
    return found;
  };

  const watchRoot = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    if (root !== document) noteGrownRoot(root);
    observer.observe(root, WATCHED);
    Dom.watchTypes(root);
  };

  const flush = () => take(observer.takeRecords());

  // What no mutation tells of: values, checks, focus, the top layer.
  const eventTarget = Dom.getter(Event.prototype, 'target');
  const composedPath = Event.prototype.composedPath;
  const tell = (event) => {
    const node = composedPath.call(event)[0] || eventTarget(event);
    if (node instanceof Node) change(node, event.type, null);
  };
  const TOLD = ['input', 'change', 'toggle', 'focusin', 'focusout', 'slotchange', 'reset'];
  const listen = () => {
    for (const type of TOLD) addEventListener(type, tell, { capture: true, passive: true });
  };

  const look = (caller) => {
    flush();
    looks.delete(caller);
    looks.set(caller, sequence);
    if (looks.size > CALLERS) looks.delete(looks.keys().next().value);
  };

  const dirty = (caller) => {
    flush();
    const since = looks.get(caller);
    const roots = new Set();
    if (since === undefined || since < forgotten) return { all: true, roots };
    for (const [node, number] of log) {
      if (number > since && (Dom.connected(node) || node === document)) roots.add(node);
    }
    return { all: since < everything, roots };
  };

  // Rises with every element that comes.
  const grown = () => {
    flush();
    return growth;
  };

  // Rises with every change of the tree, its attributes and texts.
  const version = () => {
    flush();
    return sequence;
  };

  const lastMutation = (node) => changedAt.get(node) || 0;
  const lastRestyling = (node) => restyledAt.get(node) || 0;

  const subscribe = (listener) => {
    flush();
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  // What is rebuilt while somebody looks at the document in slices: `parts`, to be looked at with all
  // that is inside, and elements whose words alone may be others. `all` where there are too many.
  const REVEALING = new Set(['hidden', 'open', 'slot']);
  const NAMING = new Set(['aria-label', 'aria-labelledby', 'title', 'alt', 'placeholder', 'role']);
  const MOST_PARTS = 5000;
  const collectRebuilt = () => {
    const parts = new Set();
    const worded = new Set();
    let all = false;
    const add = (set, node) => {
      if (all) return;
      set.add(node);
      all = parts.size + worded.size > MOST_PARTS;
      if (!all) return;
      parts.clear();
      worded.clear();
    };
    const end = subscribe(({ element, kind, attribute, record }) => {
      let rewords = kind === 'characterData' || (kind === 'attributes' && NAMING.has(attribute));
      if (kind === 'childList') {
        const added = [...recordAdded(record)];
        for (const node of added) if (Dom.isElement(node)) add(parts, node);
        rewords = recordRemoved(record).length > 0 || added.some(Dom.isText);
      }
      if (kind === 'attributes' && REVEALING.has(attribute)) add(parts, element);
      if (rewords && Dom.isElement(element)) add(worded, element);
    });
    // What is still there of it, once.
    const take = () => {
      flush();
      const taken = {
        all, parts: [...parts].filter((el) => Dom.connected(el)), worded: [...worded].filter((el) => Dom.connected(el)),
      };
      parts.clear();
      worded.clear();
      all = false;
      return taken;
    };
    return { take, end };
  };

  const retire = () => {
    observer.disconnect();
    for (const type of TOLD) removeEventListener(type, tell, { capture: true });
  };

  watchRoot(document);
  listen();

  return Object.freeze({
    watchRoot, dirty, movesSince, cameSince, look, flush, grown, version, takeGrownRoots, grownRootCount, lastMutation,
    lastRestyling, subscribe, collectRebuilt, listen, retire,
  });
})();
