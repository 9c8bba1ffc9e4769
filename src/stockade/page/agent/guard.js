// Input reaches what it was meant for or nothing. Every trusted event comes from us, so a document
// that was never told to expect one takes none: also a document that appeared a moment ago.
const Guard = (() => {
  const GUARDED = [
    'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick',
    'contextmenu', 'touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput',
    'paste', 'dragstart', 'drop',
  ];
  // At these the target must still be what it was when it was checked.
  const DECISIVE = new Set(['pointerdown', 'mousedown', 'touchstart', 'click', 'keydown']);
  const KEYS = new Set(['keydown', 'keypress', 'keyup', 'beforeinput']);
  const LIMIT = 20;

  const composedPath = Event.prototype.composedPath;
  const stopNow = Event.prototype.stopImmediatePropagation;
  const preventDefault = Event.prototype.preventDefault;
  const isTrusted = (event) => event.isTrusted;
  const detail = Dom.getter(UIEvent.prototype, 'detail');
  const labelControl = Dom.getter(HTMLLabelElement.prototype, 'control');

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
    if (scope === globalThis && DECISIVE.has(event.type) && !Agreed.admits(composedPath.call(event))) {
      permit.changed = true;
      return false;
    }
    if (permit.any) return true;
    if (permit.changed) return false;
    if (permit.free.has(event.type)) return true;
    // A field may hand the keys on to the next, as those for codes do.
    if (permit.follow && permit.landed.length && KEYS.has(event.type)) return true;
    const nodes = permit.expected.get(scope);
    if (!nodes) return scope !== globalThis;
    if (composedPath.call(event).some((node) => nodes.has(node))) {
      if (!DECISIVE.has(event.type) || permit.valid()) return true;
      permit.changed = true;
      return false;
    }
    // A key clicks its button by itself; that click has no pointer of its own.
    return event.type === 'click' && detail(event) === 0 && permit.landed.length > 0;
  };

  // A guard that fails lets nothing through.
  const surelyPasses = (event, scope) => {
    try {
      return passes(event, scope);
    } catch {
      return false;
    }
  };

  // A click on a label is followed by one on its control, just as trusted.
  const followLabel = (event) => {
    const label = composedPath.call(event).find((node) => node instanceof HTMLLabelElement);
    const control = label && labelControl(label);
    if (control) expect(permit, control);
  };

  const check = (event) => {
    if (!isTrusted(event)) return;
    if (ATTENDED && !permit) return; // a person's own
    const scope = event.currentTarget;
    if (surelyPasses(event, scope)) {
      permit.passing = event;
      if (event.type === 'click') followLabel(event);
      if (scope === globalThis && permit.landed.length < LIMIT) permit.landed.push(event.type);
      return;
    }
    stopNow.call(event);
    preventDefault.call(event);
    if (permit && permit.blocked.length < LIMIT) {
      const node = composedPath.call(event)[0];
      permit.blocked.push({ type: event.type, node });
    }
  };

  // What changed while an event we let through was being handled, the page did in answer to it.
  // Nothing else can run in between, so the target is still the one that was meant.
  const accept = (event) => {
    if (permit && event === permit.passing && !permit.changed) permit.valid = permit.again();
  };

  const listen = (scope) => {
    for (const type of GUARDED) scope.addEventListener(type, check, { capture: true });
    if (scope !== globalThis) return;
    for (const type of GUARDED) scope.addEventListener(type, accept);
  };

  // `unchanged()` looks at the target and gives a function that says whether it is still the same.
  const allow = (elements, { any = false, free = [], follow = false, unchanged = () => () => true } = {}) => {
    // `document.open` takes every listener away; adding one that is there does nothing.
    listen(globalThis);
    Observe.listen();
    permit = {
      any, follow, free: new Set(free), valid: unchanged(), again: unchanged, expected: new Map(),
      landed: [], blocked: [], changed: false, passing: null,
    };
    for (const element of elements) expect(permit, element);
  };

  const end = () => {
    const ended = permit;
    permit = null;
    if (!ended) return null; // another document, which was never told of any input
    return {
      landed: ended.landed,
      changed: ended.changed,
      blocked: ended.blocked.map(({ type, node }) => ({
        type, hit: node instanceof Element ? Place.describe(node) : 'the document',
      })),
    };
  };

  const retire = () => {
    for (const type of GUARDED) {
      removeEventListener(type, check, { capture: true });
      removeEventListener(type, accept);
    }
  };

  listen(globalThis);

  Agent.expose('guard_open', () => allow([], { any: true }));
  Agent.expose('guard_end', end);

  return Object.freeze({ allow, end, retire });
})();
