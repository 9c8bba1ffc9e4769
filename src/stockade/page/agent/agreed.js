// What a person is asked about, to the letter; and what they agreed to, until input has arrived.
const Agreed = (() => {
  const { getter } = Dom;
  const LONGEST = 300;
  const MOST_NODES = 2000;

  const formAction = getter(HTMLFormElement.prototype, 'action');
  const labelControl = getter(HTMLLabelElement.prototype, 'control');
  const owners = [
    HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLOutputElement, HTMLFieldSetElement,
  ].map((type) => [type, getter(type.prototype, 'form')]);

  const cut = (string) => Text.cut(Text.clean(string), LONGEST);
  // The form that an element belongs to: by its own word, or by where it stands.
  const formOf = (el) => {
    for (let node = el; node; node = Dom.parent(node)) {
      if (node instanceof HTMLFormElement) return node;
      const owner = owners.find(([type]) => node instanceof type);
      const form = owner ? owner[1](node) : null;
      if (form) return form;
    }
    return null;
  };

  const PRESSED = new Set(['submit', 'image', 'button']);
  const isButton = (el) => {
    if (el instanceof HTMLButtonElement) return (Dom.attr(el, 'type') || '').toLowerCase() !== 'reset';
    if (el instanceof HTMLInputElement) return PRESSED.has(Dom.type(el));
    const href = Dom.tag(el) === 'a' ? Dom.attr(el, 'href') : null;
    return Aria.role(el) === 'button' || (href !== null && /^\s*(javascript:|#)/i.test(href));
  };
  // A button of a form may send it whatever its type: scripts do.
  const pressedForm = (el) => {
    for (let node = el; node && !(node instanceof HTMLFormElement); node = Dom.parent(node)) {
      const control = node instanceof HTMLLabelElement ? labelControl(node) : null;
      if (control && isButton(control)) return formOf(control);
      if (isButton(node)) return formOf(node);
    }
    return null;
  };
  const enteredForm = (el) => (el instanceof HTMLSelectElement ? null : formOf(el));
  const anyForm = () => Dom.query(document, 'form')[0] || null;

  const sent = (el, how) => {
    if (how === 'script') return anyForm();
    if (!el) return null;
    if (how === 'point') return pressedForm(el);
    if (how === 'space') return isButton(el) ? formOf(el) : null;
    return how === 'enter' ? enteredForm(el) : null;
  };

  // What would be sent: the submitter is what was pressed, or the button that Enter stands for.
  const submitterOf = (el, how, form) => {
    if (how === 'enter' && !Submission.isSubmit(el)) return Submission.defaultButton(form);
    for (let node = el; node && node !== form; node = Dom.parent(node)) {
      const control = node instanceof HTMLLabelElement ? labelControl(node) : null;
      if (control && Submission.isSubmit(control)) return control;
      if (Submission.isSubmit(node)) return node;
    }
    return null;
  };
  const form = (el, how) => {
    const of = sent(el, how);
    return of ? Submission.of(of, el ? submitterOf(el, how, of) : null) : null;
  };

  // The words in an element, as far as they are shown.
  const words = (el) => {
    const found = [];
    const pending = [el];
    for (let looked = 0; pending.length && looked < MOST_NODES; looked += 1) {
      const node = pending.pop();
      if (Dom.isText(node)) found.push(Dom.text(node));
      else if (Dom.isElement(node) && Dom.shown(node)) pending.push(...[...Dom.childNodes(node)].reverse());
    }
    return cut(found.join(' '));
  };

  const destination = (el) => {
    for (let node = el; node; node = Dom.parent(node)) {
      const href = Dom.tag(node) === 'a' || Dom.tag(node) === 'area' ? Dom.attr(node, 'href') ?? Dom.attr(node, 'xlink:href') : null;
      if (href !== null) return Submission.address(href);
      const own = node instanceof HTMLButtonElement || node instanceof HTMLInputElement ? Dom.attr(node, 'formaction') : null;
      if (own !== null) return Submission.address(own);
      if (node instanceof HTMLButtonElement) break;
    }
    const around = formOf(el);
    return around ? Submission.address(formAction(around)) : '';
  };

  // Who is in front of it; what is out of view is brought there later, and looked at again.
  const covered = (el) => {
    const { actionable, cover } = Place.look(el);
    return cover ? Place.describe(cover) : actionable === 'hidden' ? 'hidden' : '';
  };

  // What must be the same at the very moment at which input arrives.
  const core = (el, how) => {
    const role = Aria.role(el) || '';
    const { row } = Refs.fingerprint(el);
    return {
      tag: Dom.tag(el), type: Dom.type(el) || Dom.attr(el, 'type') || '', role, name: cut(Aria.name(el)), goesTo: destination(el), row,
      form: form(el, how),
    };
  };
  // And what a pointer that comes near may change by itself.
  const print = (el, how) => ({ ...core(el, how), text: words(el), covered: covered(el) });

  // One element, or nothing at all: what may take the next input.
  let bound = null;

  const facts = ({ ref, how }) => {
    const el = ref ? Refs.get(ref) : null;
    if (ref && (!el || !Dom.connected(el))) {
      Agent.fail('stale_ref', `${Refs.text(ref)} is not in this document any more`, { ref });
    }
    if (!el) return { target: null, form: form(null, how) };
    const now = print(el, how);
    const there = Place.look(el);
    return { target: now, form: now.form, box: there.bbox, described: Place.describe(el) };
  };

  const bind = ({ ref, how }) => {
    const el = ref ? Refs.get(ref) : null;
    bound = { el, how, print: el ? JSON.stringify(core(el, how)) : '', changed: false };
  };
  const release = () => {
    const changed = Boolean(bound && bound.changed);
    bound = null;
    return { changed };
  };

  // Whether an event lands in an element. Of a closed root its path tells the host alone.
  const landsIn = (el, event, path) => {
    if (path.includes(el)) return true;
    const at = event.changedTouches ? event.changedTouches[0] : event;
    const deepest = at && at.clientX !== undefined ? Dom.hit(at.clientX, at.clientY) : Dom.active();
    let within = false;
    for (let node = deepest; node; node = Dom.parent(node)) {
      within = within || node === el;
      if (path.includes(node)) return within;
    }
    return false;
  };

  // Whether input may arrive that lands in these nodes. Once it has begun, the page may answer to it.
  const admits = (event, path, begins) => {
    if (!bound) return true;
    const { el, how, print: agreed } = bound;
    if (el && !begins) return true;
    if (el && !bound.changed && landsIn(el, event, path) && JSON.stringify(core(el, how)) === agreed) {
      bound = null;
      return true;
    }
    bound.changed = true;
    return false;
  };

  const focused = () => {
    const el = Dom.active();
    return { ref: el ? Refs.of(el) : 0, frame: Boolean(el) && (Dom.tag(el) === 'iframe' || Dom.tag(el) === 'frame') };
  };

  Agent.expose('agreed_facts', facts);
  Agent.expose('agreed_show', ({ caller, ref }) => {
    const el = Refs.get(ref);
    if (el) Refs.show(caller, el);
  });
  Agent.expose('agreed_bind', bind);
  Agent.expose('agreed_release', release);
  Agent.expose('agreed_focus', focused);

  return Object.freeze({ admits });
})();
