// A field that holds a secret takes nothing from the agent but another text in its place: no key that
// edits, selects or copies, no drop, no drag. What it shows would tell the secret piece by piece.
const Opaque = (() => {
  const LEAVING = new Set(['Tab', 'Enter', 'Escape', 'Shift']);
  const TAKING = new Set(['copy', 'cut', 'dragstart']);
  const KEYS = new Set(['keydown', 'keypress', 'keyup']);
  const EDITS = new Set(['beforeinput', 'paste', 'drop']);
  const ONE_TIME = /\b(?:one-time-code|current-password|new-password)\b/i;
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
  // nobody knows of; of passwords it keeps nothing, and of other fields nothing that says so.
  const takers = new WeakSet();
  const setAttribute = Dom.method(Element.prototype, 'setAttribute');
  const receive = (el, { name }, text) => {
    receiving = receiver = el;
    takers.add(el);
    if (Dom.type(el) !== 'password') setAttribute(el, 'autocomplete', 'off');
    const others = fields().filter((each) => each !== el && !Dom.concealed(each));
    Dom.conceal(el, name, text, others);
    began = new Map(others.map((each) => [each, Dom.rawValue(each)]));
  };
  // A page that spreads a code over several fields has put it into all of them.
  const received = () => {
    const name = receiver && Dom.concealed(receiver);
    for (const each of name ? fields() : []) {
      const value = Dom.rawValue(each);
      if (value && value !== began.get(each) && each !== receiver) Dom.conceal(each, name);
    }
    receiver = null;
    began = new Map();
  };
  const close = () => { receiving = null; };

  const holder = (path) => path.find((node) => (
    (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) && node !== receiving && Dom.concealed(node)
  ));
  const holdsAny = () => fields().some(Dom.concealed);
  // Whether an event may go where it is going.
  const admits = (event, path) => {
    const { type } = event;
    if (!KEYS.has(type) && !EDITS.has(type) && !TAKING.has(type)) return true;
    if ((type === 'copy' || type === 'cut') && holdsAny()) return false;
    if (!holder(path)) return true;
    return KEYS.has(type) && LEAVING.has(event.key);
  };

  const refuse = (el, what) => Agent.fail(
    'secret_refused', `${Place.describe(el)} holds <${Dom.concealed(el)}>, and ${what}; nothing was typed`, {},
  );
  // Whether keys may go to what has the focus.
  const requireKeys = (el, leaving) => {
    if (el && !leaving && Dom.concealed(el)) refuse(el, 'takes no keys but Tab, Enter and Escape: fill it again, or empty it');
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
    return WORDED.has(Dom.type(el)) && CODE_WORDS.test(apart);
  };
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
  // What a field holds that is about to be edited: the one that has the focus, if none is named.
  Agent.expose('field_held', ({ ref }) => {
    const el = ref ? Refs.get(ref) : focused();
    const held = el && Dom.rawValue(el);
    return held && !Dom.concealed(el) ? [{ ref: Refs.of(el), held }] : [];
  });
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
