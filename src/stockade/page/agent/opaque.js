// A field that holds a secret takes nothing from the agent but another text in its place: no key that
// edits, selects or copies, no drop, no drag. What it shows would tell the secret piece by piece.
const Opaque = (() => {
  const LEAVING = new Set(['Tab', 'Enter', 'Escape', 'Shift']);
  const TAKING = new Set(['copy', 'cut', 'dragstart']);
  const KEYS = new Set(['keydown', 'keypress', 'keyup']);
  const EDITS = new Set(['beforeinput', 'paste', 'drop']);
  const ONE_TIME = /\b(?:one-time-code|current-password|new-password)\b/i;
  const NEVER_READ = /\b(?:current-password|cc-csc)\b/i;
  const CODE_WORDS = new RegExp('\\b(?:otp|totp|2fa|mfa|one[ _-]?time|passcode|pin|'
    + '(?:verification|authenticat(?:ion|or)|security|login|sign[ _-]?in|access|confirmation|backup|recovery)[ _-]?(?:code|token)|'
    + '(?:two|multi)[ _-]?factor|6[ _-]?digit|digit code|token code)\\b', 'i');
  const WORDED = new Set(['text', 'tel', 'number', '']);

  // While a secret is being put into it, a field takes what it is given.
  let receiving = null;
  let receiver = null;
  let began = new Map();

  const fields = () => [document, ...Selector.roots(document)].flatMap((root) => [...Dom.query(root, 'input,textarea')]);
  // What a browser keeps of a form for its history would bring the secret back into a document that
  // nobody knows of; of passwords it keeps nothing, and of other fields nothing that says so. The page
  // may put the secret, or parts of it, into any of them.
  const takers = new WeakSet();
  const setAttribute = Dom.method(Element.prototype, 'setAttribute');
  const leaveHistory = () => {
    const forms = [document, ...Selector.roots(document)].flatMap((root) => [...Dom.query(root, 'form')]);
    for (const each of fields()) {
      // What it was made for is known by that attribute.
      const said = Dom.attr(each, 'autocomplete') || '';
      if (ONE_TIME.test(said)) takers.add(each);
      if (NEVER_READ.test(said)) Dom.sawPassword(each);
    }
    for (const each of [...forms, ...fields()]) if (Dom.type(each) !== 'password') setAttribute(each, 'autocomplete', 'off');
  };
  // Fields that were given a secret: what they hold since then does not matter, as long as it is something.
  const given = new WeakMap();
  Agent.expose('holds_given', ({ name }) => fields().some((el) => given.get(el) === name && Dom.rawValue(el)));
  const receive = (el, { name, code }, text) => {
    receiving = receiver = el;
    takers.add(el);
    given.set(el, name);
    leaveHistory();
    const others = fields().filter((each) => each !== el && !Dom.concealed(each));
    Dom.conceal(el, name, text, others, code);
    began = new Map(others.map((each) => [each, Dom.rawValue(each)]));
  };
  // A page that spreads a code over several fields has put it into all of them.
  const received = () => {
    const name = receiver && Dom.concealed(receiver);
    for (const each of name ? fields() : []) {
      const value = Dom.rawValue(each);
      if (value && value !== began.get(each) && each !== receiver) Dom.conceal(each, name);
    }
    if (name) leaveHistory();
    receiver = null;
    began = new Map();
  };
  const close = () => { receiving = null; };

  const holder = (path) => path.find((node) => node instanceof Element && node !== receiving && Dom.concealed(node));
  // The name of a secret that the text of this document shows: parts of it could be carried away.
  let shown = '';
  const holdsAny = () => Boolean(shown) || fields().some(Dom.concealed);
  const selectionContains = Dom.method(Selection.prototype, 'containsNode');
  const dragsText = (event) => {
    const selection = getSelection();
    return Boolean(selection) && !selection.isCollapsed && selectionContains(selection, event.target, true);
  };
  // Whether an event may go where it is going.
  const admits = (event, path) => {
    const { type } = event;
    if (!KEYS.has(type) && !EDITS.has(type) && !TAKING.has(type)) return true;
    if ((type === 'copy' || type === 'cut') && holdsAny()) return false;
    if (type === 'dragstart' && shown && dragsText(event)) return false;
    const held = holder(path);
    if (!held) return true;
    // What Enter says before it sends the form of a field that has one line.
    if (type === 'beforeinput' && event.inputType === 'insertLineBreak') return held instanceof HTMLInputElement;
    return KEYS.has(type) && LEAVING.has(event.key);
  };

  const refuse = (el, what) => Agent.fail(
    'secret_refused', `${Place.describe(el)} holds <${Dom.concealed(el)}>, and ${what}; nothing was typed`, {},
  );
  // Whether keys may go to what has the focus.
  const requireKeys = (el, leaving) => {
    const held = el && !leaving && [el, editingHost(el)].find((each) => each && Dom.concealed(each));
    if (held) refuse(held, 'takes no keys but Tab, Enter and Escape: fill it again, or empty it');
  };

  // Fields that are made for secrets; `named` are those that the operator named for one.
  const said = (el) => [
    Dom.attr(el, 'name'), Dom.attr(el, 'id'), Dom.attr(el, 'placeholder'), Dom.attr(el, 'autocomplete'), Aria.name(el),
  ].filter(Boolean);
  const plain = (string) => Text.clean(string).toLowerCase();
  const takes = (el, named = []) => {
    if (Dom.secret(el) || takers.has(el)) return true;
    const words = said(el);
    if (named.some((each) => words.some((word) => plain(word) === plain(each)))) return true;
    if (!(el instanceof HTMLInputElement)) return false;
    if (ONE_TIME.test(Dom.attr(el, 'autocomplete') || '')) return true;
    const apart = words.join(' ').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
    return (WORDED.has(Dom.type(el)) && CODE_WORDS.test(apart)) || boxes(el).length > 0;
  };
  // A code in boxes: fields of one character each, one after the other in one form.
  const FEWEST_BOXES = 4;
  const maxLength = Dom.getter(HTMLInputElement.prototype, 'maxLength');
  const formOf = Dom.getter(HTMLInputElement.prototype, 'form');
  const isBox = (el) => el instanceof HTMLInputElement && (WORDED.has(Dom.type(el)) || Dom.type(el) === 'password')
    && (maxLength(el) === 1 || (Dom.type(el) === 'number' && Number(Dom.attr(el, 'max')) === 9));
  const boxes = (el) => {
    if (!isBox(el)) return [];
    const all = fields().filter((each) => isBox(each) && formOf(each) === formOf(el) && Dom.rootOf(each) === Dom.rootOf(el));
    return all.length >= FEWEST_BOXES ? all.slice(all.indexOf(el)) : [];
  };
  Agent.expose('code_boxes', ({ caller, ref, count }) => {
    const el = Refs.get(ref);
    const found = el ? boxes(el).slice(0, count) : [];
    if (found.length !== count) return [];
    // Whoever means the first means those beside it, shown or not.
    for (const each of found) if (!Refs.shown(caller, Refs.of(each))) Refs.show(caller, each);
    return found.map((each) => Refs.of(each));
  });
  const requirePlace = (el, { name, kept, named, agreed }) => {
    const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
    if (kept && !field) Agent.fail('secret_refused', `<${name}> is typed into fields alone, and ${Place.describe(el)} is none; nothing was typed`, {});
    if (kept && !agreed && !takes(el, named)) {
      Agent.fail('secret_refused', `${Place.describe(el)} is no field for passwords or codes; nothing was typed`, { field: true });
    }
    return field;
  };

  Agent.expose('takes_secret', ({ caller, ref, named }) => takes(Refs.check(caller, ref), named));
  const focused = () => (document.hasFocus() ? Dom.active() : null);
  // What is edited as a whole where there is no field: by its attribute, by its style, or the document
  // in its design mode. The style says so of all of them.
  const isEdited = (el) => el instanceof HTMLElement && Dom.style(el).webkitUserModify !== 'read-only';
  const editingHost = (el) => {
    if (!isEdited(el)) return null;
    let host = el;
    for (let above = host.parentElement; isEdited(above); above = host.parentElement) host = above;
    return host;
  };
  // What a field holds that is about to be edited: the one that has the focus, if none is named.
  Agent.expose('field_held', ({ ref }) => {
    const given = ref ? Refs.get(ref) : focused();
    const el = given && (Dom.isField(given) ? given : editingHost(given));
    const held = el && (Dom.rawValue(el) || Dom.textContent(el));
    return held && !Dom.concealed(el) ? [{ ref: Refs.of(el), held }] : [];
  });
  // The text of the document, for a look whether any of it is a secret.
  const MOST_TEXT = 4_000_000;
  const documentText = () => [document.documentElement, ...Selector.roots(document)]
    .map((root) => (root ? Dom.textContent(root) : '')).join('\n').slice(0, MOST_TEXT);
  Agent.expose('document_text', documentText);
  // What scripts of this document can read besides: its address, title, cookies and storage.
  const stored = (which) => {
    try {
      return Object.entries(globalThis[which]).flat().join('\n');
    } catch {
      return ''; // a document of no origin has none
    }
  };
  const cookies = () => {
    try {
      return document.cookie;
    } catch {
      return '';
    }
  };
  Agent.expose('readable', () => ({
    holds: fields().some(Dom.concealed),
    texts: [
      location.href, document.title, cookies(), stored('localStorage'), stored('sessionStorage'), documentText(),
      ...fields().slice(0, MOST_FIELDS).map(Dom.rawValue),
    ].map((each) => each.slice(0, MOST_TEXT)),
  }));
  Agent.expose('conceal_document', ({ name }) => { shown = name; });
  // What all fields hold, for a look whether any of it is a secret.
  const MOST_FIELDS = 500;
  Agent.expose('fields_held', () => fields().slice(0, MOST_FIELDS)
    .filter((el) => Dom.rawValue(el) && !Dom.concealed(el))
    .map((el) => ({ ref: Refs.of(el), held: Dom.rawValue(el) })));
  Agent.expose('conceal', ({ ref, name }) => {
    const el = Refs.get(ref);
    if (el) Dom.conceal(el, name);
  });

  return Object.freeze({ admits, focused, receive, close, received, requireKeys, requirePlace });
})();
