// The document, read through getters captured before any page script could matter:
// a form's named controls shadow its own properties, in an isolated world too.
const Dom = (() => {
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const method = (prototype, name) => {
    const callee = prototype[name];
    return (node, ...args) => callee.apply(node, args);
  };

  const ELEMENT = 1;
  const TEXT = 3;
  const SHADOW_ROOT = 11;
  const HTML = 'http://www.w3.org/1999/xhtml';
  const SVG = 'http://www.w3.org/2000/svg';

  const nodeType = getter(Node.prototype, 'nodeType');
  const parentNode = getter(Node.prototype, 'parentNode');
  const firstChild = getter(Node.prototype, 'firstChild');
  const nextSibling = getter(Node.prototype, 'nextSibling');
  const isConnected = getter(Node.prototype, 'isConnected');
  const ownerDocument = getter(Node.prototype, 'ownerDocument');
  const textContent = getter(Node.prototype, 'textContent');
  const getRootNode = method(Node.prototype, 'getRootNode');
  const data = getter(CharacterData.prototype, 'data');
  const localName = getter(Element.prototype, 'localName');
  const namespace = getter(Element.prototype, 'namespaceURI');
  const openShadow = getter(Element.prototype, 'shadowRoot');
  const elementSlot = getter(Element.prototype, 'assignedSlot');
  const textSlot = getter(globalThis.Text.prototype, 'assignedSlot');
  const shadowHost = getter(ShadowRoot.prototype, 'host');
  const getAttribute = Element.prototype.getAttribute;
  const hasAttribute = Element.prototype.hasAttribute;
  const matchesSelector = Element.prototype.matches;
  const boundingRect = Element.prototype.getBoundingClientRect;
  const checkVisibility = Element.prototype.checkVisibility;
  const assignedNodes = HTMLSlotElement.prototype.assignedNodes;
  const elementFromPoint = Document.prototype.elementFromPoint;
  const shadowFromPoint = ShadowRoot.prototype.elementFromPoint;
  const queryDocument = Document.prototype.querySelectorAll;
  const queryFragment = DocumentFragment.prototype.querySelectorAll;
  const queryElement = Element.prototype.querySelectorAll;
  const documentById = Document.prototype.getElementById;
  const fragmentById = DocumentFragment.prototype.getElementById;
  const activeElement = getter(Document.prototype, 'activeElement');
  const shadowActive = getter(ShadowRoot.prototype, 'activeElement');

  // Passes. While one is open, what `memo` and `inherited` find is kept; a document does not
  // change during a pass, because a pass never yields to the page.
  const stores = [];
  let passes = 0;
  const begin = () => { passes += 1; };
  const end = () => {
    passes = Math.max(0, passes - 1);
    if (!passes) for (const store of stores) store.clear();
  };
  const store = () => {
    const map = new Map();
    stores.push(map);
    return map;
  };
  const memo = (compute) => {
    const kept = store();
    return (key) => {
      if (!passes) return compute(key);
      let value = kept.get(key);
      if (value === undefined) {
        value = compute(key);
        kept.set(key, value);
      }
      return value;
    };
  };
  // The nearest non-undefined answer of `own` on the way up, else `otherwise`. The way is that of the
  // flat tree unless `above` is another.
  const inherited = (own, otherwise, above = (el) => parent(el)) => {
    const kept = store();
    const climb = (el) => {
      const path = [];
      let value = otherwise;
      for (let node = el; node; node = above(node)) {
        const known = kept.get(node);
        if (known !== undefined) { value = known; break; }
        path.push(node);
        const mine = own(node);
        if (mine !== undefined) { value = mine; break; }
      }
      if (passes) for (const node of path) kept.set(node, value);
      return value;
    };
    return (el) => {
      const known = kept.get(el);
      if (known !== undefined) return known;
      const next = passes ? above(el) : null;
      const theirs = next ? kept.get(next) : undefined;
      if (theirs === undefined) return climb(el);
      const mine = own(el);
      const value = mine === undefined ? theirs : mine;
      kept.set(el, value);
      return value;
    };
  };

  // Stands between content and those who compare it with what a caller gave (see `Vetting`).
  let filter = null;
  const filtered = (next, work) => {
    filter = next;
    try {
      return work();
    } finally {
      filter = null;
    }
  };
  // For what is told, or kept from one call to the next: content as it is. What was found in this pass may
  // be of content that was not.
  const unfiltered = (work) => {
    if (!filter) return work();
    const held = { filter, passes };
    if (!filter.isPlain) passes = 0;
    filter = null;
    try {
      return work();
    } finally {
      ({ filter, passes } = held);
    }
  };
  const readable = (string) => (filter && string ? filter.string(string) : string);

  const isElement = (node) => nodeType(node) === ELEMENT;
  const isText = (node) => nodeType(node) === TEXT;
  const tag = (node) => (nodeType(node) === ELEMENT ? localName(node) : '');
  const isHtml = (el) => namespace(el) === HTML;
  const isSvg = (el) => namespace(el) === SVG;
  const attr = (el, name) => (filter ? readable(getAttribute.call(el, name)) : getAttribute.call(el, name));
  const textOf = (node) => (filter ? filter.text(node) : data(node));
  const contentOf = (node) => (filter ? filter.content(node) : textContent(node));
  const has = (el, name) => hasAttribute.call(el, name);
  const matches = (el, selector) => matchesSelector.call(el, selector);

  // Closed shadow roots are found by Python and handed in; nothing else can reach them.
  const closedRoots = new WeakMap();
  let adopted = 0;
  const adoptClosedRoot = (host, root) => {
    closedRoots.set(host, root);
    adopted += 1;
    rootsSeen = true;
    watchTypes(root);
  };
  let rootsSeen = false;
  const shadow = (el) => {
    const root = openShadow(el) || (adopted ? closedRoots.get(el) : null);
    if (!root) return null;
    rootsSeen = true;
    return root;
  };

  const assigned = (slot) => assignedNodes.call(slot);
  const isSlot = (el) => localName(el) === 'slot' && namespace(el) === HTML;
  const slotInClosedRoot = (node, root) => {
    for (const slot of queryFragment.call(root, 'slot')) {
      if (assigned(slot).includes(node)) return slot;
    }
    return null;
  };
  const slotOf = (node) => {
    const slot = nodeType(node) === ELEMENT ? elementSlot(node) : textSlot(node);
    if (slot) return slot;
    const above = parentNode(node);
    const root = above && nodeType(above) === ELEMENT && closedRoots.get(above);
    return root ? slotInClosedRoot(node, root) : null;
  };

  const parent = (node) => {
    const above = parentNode(node);
    if (!above) return null;
    const type = nodeType(above);
    if (type === ELEMENT) return shadow(above) ? slotOf(node) || above : above;
    return type === SHADOW_ROOT && above instanceof ShadowRoot ? shadowHost(above) : null;
  };
  // A child of a shadow host that no slot takes: in the document, not in the flat tree.
  const unslotted = (node) => {
    const above = parentNode(node);
    return Boolean(above) && nodeType(above) === ELEMENT && Boolean(shadow(above)) && !slotOf(node);
  };

  const childNodes = (node) => {
    const found = [];
    for (let child = firstChild(node); child; child = nextSibling(child)) {
      const type = nodeType(child);
      if (type === ELEMENT || type === TEXT) found.push(child);
    }
    return found;
  };
  const children = (node) => {
    if (nodeType(node) !== ELEMENT) return childNodes(node);
    const root = shadow(node);
    if (root) return childNodes(root);
    if (isSlot(node)) {
      const taken = assigned(node);
      if (taken.length) return taken;
    }
    return childNodes(node);
  };

  const contains = (outer, inner) => {
    for (let node = inner; node; node = parent(node)) if (node === outer) return true;
    return false;
  };

  // Documents without shadow roots, most of them, answer at once.
  const rootOf = (node) => (rootsSeen || !isConnected(node) ? getRootNode(node) : ownerDocument(node));
  const inShadow = (node) => rootsSeen && nodeType(getRootNode(node)) === SHADOW_ROOT;
  const byId = (near, id) => {
    const root = rootOf(near);
    const type = nodeType(root);
    if (type === 9) return documentById.call(root, id);
    return type === 11 ? fragmentById.call(root, id) : null;
  };
  const query = (root, selector) => {
    const type = nodeType(root);
    const call = type === ELEMENT ? queryElement : type === 9 ? queryDocument : queryFragment;
    return call.call(root, selector);
  };

  const computedStyle = globalThis.getComputedStyle;
  const style = memo((el) => computedStyle(el));
  const pseudoStyle = (el, pseudo) => computedStyle(el, pseudo);
  const rect = (el) => boundingRect.call(el);
  // Each is one native call; an options bag costs as much again, so both have their own.
  const SHOWN = { visibilityProperty: true };
  const OPAQUE = { opacityProperty: true };
  const rendered = (el) => checkVisibility.call(el);
  const shown = (el) => checkVisibility.call(el, SHOWN);
  const opaque = (el) => checkVisibility.call(el, OPAQUE);

  const deepest = (start, next) => {
    let found = start;
    while (found) {
      const root = shadow(found);
      const inner = root && next(root);
      if (!inner || inner === found) return found;
      found = inner;
    }
    return null;
  };
  const active = () => deepest(activeElement(document), shadowActive);
  // Text that a host holds is shown where it is slotted, and what is around it there takes the pointer.
  const rangeRects = Range.prototype.getClientRects;
  const selectNode = Range.prototype.selectNode;
  const covers = (text, x, y) => {
    const range = document.createRange();
    selectNode.call(range, text);
    return [...rangeRects.call(range)].some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  };
  const slotAt = (host, x, y) => {
    for (let node = firstChild(host); node; node = nextSibling(node)) {
      let slot = isText(node) ? textSlot(node) : null;
      if (!slot || !covers(node, x, y)) continue;
      while (elementSlot(slot)) slot = elementSlot(slot);
      return slot;
    }
    return null;
  };
  const hit = (x, y) => {
    const found = deepest(elementFromPoint.call(document, x, y), (root) => shadowFromPoint.call(root, x, y));
    return (found && shadow(found) && slotAt(found, x, y)) || found;
  };

  const elementsFromPoint = Document.prototype.elementsFromPoint;
  const hits = (x, y) => elementsFromPoint.call(document, x, y);

  // Fields that hold a kept text: its name is all that is told of them, whatever becomes of it, until
  // they are empty. The text is remembered here, where the page cannot reach it, to know it again in
  // fields that the page puts it into.
  const FEWEST_ALIKE = 4;
  const concealing = new WeakMap();
  const keptTexts = new Map();
  // Codes are known again by having digits, whichever: what a field reads would tell who fills in some
  // whether these are a part of the code.
  const keptCodes = new Set();
  const LIKE_CODE = new RegExp(`\\d{${FEWEST_ALIKE}}`);
  const before = new WeakMap();
  const rawValue = (el) => {
    if (el instanceof HTMLInputElement) return inputValue(el);
    if (el instanceof HTMLSelectElement) return selectValue(el);
    return el instanceof HTMLTextAreaElement ? areaValue(el) : '';
  };
  let keeping = false;
  // `others` are the fields beside it: what they hold already has nothing to do with the text.
  const setters = [HTMLInputElement, HTMLTextAreaElement]
    .map((kind) => [kind, Object.getOwnPropertyDescriptor(kind.prototype, 'value').set]);
  const setValue = (el, text) => setters.find(([kind]) => el instanceof kind)[1].call(el, text);
  const reveal = (el) => { concealing.delete(el); };
  const conceal = (el, name, text, others = [], code = false) => {
    keeping = true;
    concealing.set(el, name);
    if (code) keptCodes.add(name);
    else if (text) keptTexts.set(text.toLowerCase(), name);
    for (const each of others) before.set(each, rawValue(each));
  };
  const alike = (el, value) => {
    if (before.get(el) === value) return '';
    if (keptCodes.size && LIKE_CODE.test(value)) return [...keptCodes][0];
    const held = value.toLowerCase();
    for (const [text, name] of keptTexts) {
      const length = Math.max(FEWEST_ALIKE, Math.ceil(text.length / 2));
      for (let at = 0; at + length <= text.length; at += 1) if (held.includes(text.slice(at, at + length))) return name;
    }
    return '';
  };
  const concealed = (el) => {
    if (!keeping) return '';
    // Of what is edited without being a field, only what was found to hold one is looked at.
    const value = rawValue(el) || (concealing.has(el) && !isField(el) ? textContent(el) : '');
    const name = value && (concealing.get(el) || alike(el, value));
    if (name) concealing.set(el, name);
    else concealing.delete(el);
    return name;
  };

  // Fields. What is or ever was a password is never read, nor what the page itself masks.
  const inputType = getter(HTMLInputElement.prototype, 'type');
  const inputValue = getter(HTMLInputElement.prototype, 'value');
  const inputChecked = getter(HTMLInputElement.prototype, 'checked');
  const inputIndeterminate = getter(HTMLInputElement.prototype, 'indeterminate');
  const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
  const selectValue = getter(HTMLSelectElement.prototype, 'value');
  const passwords = new WeakSet();
  const sawPassword = (el) => { passwords.add(el); };
  // `new-password` is put on all kinds of field, to keep browsers from filling them in.
  const SECRETS = /\b(?:current-password|cc-csc)\b/i;
  const secret = (el) => {
    if (concealed(el)) return true;
    if (!(el instanceof HTMLInputElement)) return false;
    if (inputType(el) === 'password') sawPassword(el);
    return passwords.has(el) || SECRETS.test(attr(el, 'autocomplete') || '') || style(el).webkitTextSecurity !== 'none';
  };
  const typeChanges = new MutationObserver((records) => {
    for (const { target, oldValue } of records) if (/^password$/i.test(oldValue || '')) sawPassword(target);
  });
  // To be told of every root, so that a password shown for a moment is not read either.
  const watchTypes = (root) => {
    typeChanges.observe(root, { subtree: true, attributeFilter: ['type'], attributeOldValue: true });
  };
  watchTypes(document);
  const type = (el) => (el instanceof HTMLInputElement ? inputType(el) : '');
  const isField = (el) => el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement
    || el instanceof HTMLSelectElement;
  const value = (el) => {
    const name = concealed(el);
    if (name) return `<${name}>`;
    return el instanceof HTMLInputElement && secret(el) ? '' : readable(rawValue(el));
  };
  const checked = (el) => {
    if (!(el instanceof HTMLInputElement)) return false;
    return inputIndeterminate(el) && inputType(el) === 'checkbox' ? 'mixed' : inputChecked(el);
  };

  // Where a closed root may hide. Each element is proposed once; Python asks the browser.
  const HOSTS = new Set(('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p '
    + 'section span').split(' '));
  const proposed = new WeakSet();
  let suspects = [];
  const maybeHost = (el) => {
    const name = localName(el);
    if (name.includes('-')) return isHtml(el) && !shadow(el) && !proposed.has(el);
    if (!HOSTS.has(name) || firstChild(el) || !isHtml(el) || shadow(el) || proposed.has(el)) return false;
    const box = rect(el);
    return box.width > 0 && box.height > 0;
  };
  const noteSuspect = (el) => {
    proposed.add(el);
    suspects.push(el);
  };
  const closedRootSuspects = (most = 200) => suspects.splice(0, most);

  return Object.freeze({
    getter, method, begin, end, store, memo, inherited,
    isElement, isText, isHtml, isSvg, isSlot, tag, attr, has, matches, query, byId, rootOf, inShadow, assigned,
    parent, children, childNodes, contains, unslotted, shadow, adoptClosedRoot,
    nodeParent: parentNode, firstChild, nextSibling, document: ownerDocument,
    connected: isConnected, text: textOf, textContent: contentOf, readable, filtered, unfiltered,
    style, pseudoStyle, rect, checkVisibility: (el, options) => checkVisibility.call(el, options),
    rendered, shown, opaque, active, hit, hits,
    type, value, rawValue, setValue, conceal, concealed, reveal, checked, isField, secret, sawPassword, watchTypes, maybeHost, noteSuspect, closedRootSuspects,
  });
})();
