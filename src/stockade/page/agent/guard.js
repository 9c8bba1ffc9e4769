// The first event of a gesture reaches what it was meant for or nothing; from then on the gesture is
// the page's, and the rest goes where a person's would. Every trusted event comes from us, so a document
// that was never told to expect one takes none: also a document that appeared a moment ago.
const Guard = (() => {
  const GUARDED = [
    'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick',
    'contextmenu', 'touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput',
    'paste', 'copy', 'cut', 'dragstart', 'drop',
  ];
  // What a gesture of a pointer or a key begins with.
  const FIRST = new Set(['pointerdown', 'mousedown', 'touchstart', 'keydown']);
  const LIMIT = 20;

  const composedPath = Event.prototype.composedPath;
  const stopNow = Event.prototype.stopImmediatePropagation;
  const preventDefault = Event.prototype.preventDefault;
  const isTrusted = (event) => event.isTrusted;

  // What may happen while input is due; nothing otherwise.
  let permit = null;

  const closedRootAround = (node) => {
    const root = Dom.rootOf(node);
    return root instanceof ShadowRoot && root.mode === 'closed' ? root : null;
  };

  // From outside a closed root the host is all that can be seen of what is in it, so each closed
  // root on the way is asked for its own part of the answer.
  const expect = (permitted, element) => {
    let node = element;
    for (let root = closedRootAround(node); root; root = closedRootAround(node)) {
      add(permitted, root, node);
      listen(root);
      node = root.host;
    }
    add(permitted, globalThis, node);
  };

  const add = (permitted, scope, node) => {
    const nodes = permitted.expected.get(scope) || new Set();
    nodes.add(node);
    permitted.expected.set(scope, nodes);
  };

  const passes = (event, scope) => {
    if (!permit) return false;
    const path = composedPath.call(event);
    if (!Opaque.admits(event, path)) return false;
    // The clipboard belongs to the origin in which something was copied.
    if (event.type === 'paste' && permit.copiedIn && permit.copiedIn !== globalThis.origin) return false;
    if (scope === globalThis && !Agreed.admits(event, path, FIRST.has(event.type))) {
      permit.changed = true;
      return false;
    }
    if (permit.refused) return false;
    if (permit.any) return true;
    // A closed root on the way of the first event has its own say about that event.
    if (permit.first && permit.first !== event && !permit.strict) return true;
    // A frame that looks on: the gesture begins elsewhere or not at all.
    if (permit.later) return !FIRST.has(event.type);
    const nodes = permit.expected.get(scope);
    if (!nodes) return scope !== globalThis;
    if (!path.some((node) => nodes.has(node))) return false;
    permit.changed = !permit.first && !permit.valid();
    return !permit.changed;
  };

  // A guard that fails lets nothing through.
  const surelyPasses = (event, scope) => {
    try {
      return passes(event, scope);
    } catch {
      return false;
    }
  };

  const check = (event) => {
    if (!isTrusted(event)) return;
    if (ATTENDED && !permit) return; // a person's own
    const scope = event.currentTarget;
    if (surelyPasses(event, scope)) {
      if (!permit.later) permit.first = permit.first || event;
      if (scope === globalThis && permit.landed.length < LIMIT) permit.landed.push(event.type);
      return;
    }
    stopNow.call(event);
    preventDefault.call(event);
    if (!permit) return;
    permit.refused = true;
    if (permit.first === event) permit.first = null;
    if (permit.blocked.length < LIMIT) {
      const node = composedPath.call(event)[0];
      permit.blocked.push({ type: event.type, node });
    }
  };

  const listen = (scope) => {
    for (const type of GUARDED) scope.addEventListener(type, check, { capture: true });
  };

  // `unchanged` says whether the target still is what it was; a strict gesture stays in its target.
  const allow = (elements, { any = false, later = false, strict = false, copiedIn = '', unchanged = () => true } = {}) => {
    // `document.open` takes every listener away; adding one that is there does nothing.
    listen(globalThis);
    Observe.listen();
    Opaque.close();
    permit = {
      any, later, strict, copiedIn, valid: unchanged, expected: new Map(),
      landed: [], blocked: [], first: null, refused: false, changed: false,
    };
    for (const element of elements) expect(permit, element);
  };

  const end = () => {
    const ended = permit;
    permit = null;
    Opaque.close();
    if (!ended) return null; // another document, which was never told of any input
    return {
      begun: Boolean(ended.first),
      landed: ended.landed,
      changed: ended.changed,
      blocked: ended.blocked.map(({ type, node }) => ({
        type, hit: node instanceof Element ? Place.describe(node) : 'the document',
      })),
    };
  };

  const retire = () => {
    for (const type of GUARDED) removeEventListener(type, check, { capture: true });
  };

  listen(globalThis);

  Agent.expose('guard_open', ({ keys, copiedIn }) => {
    if (keys) Opaque.requireKeys(Opaque.focused(), keys === 'leave');
    allow([], { any: true, copiedIn });
  });
  Agent.expose('look_on', () => {
    Settle.arm(null, { held: false });
    allow([], { later: true });
  });
  Agent.expose('guard_begun', () => Boolean(permit && permit.first));
  Agent.expose('guard_end', end);

  return Object.freeze({ allow, end, retire });
})();
