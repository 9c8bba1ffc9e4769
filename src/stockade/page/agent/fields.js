// Fields: making them ready for text, setting those that no key can fill, choosing options.
const Fields = (() => {
  const setter = (type, name) => {
    const { set } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (el, value) => set.call(el, value);
  };
  const setSelected = setter(HTMLOptionElement, 'selected');
  const optionSelected = Dom.getter(HTMLOptionElement.prototype, 'selected');
  const optionValue = Dom.getter(HTMLOptionElement.prototype, 'value');
  const optionLabel = Dom.getter(HTMLOptionElement.prototype, 'label');
  const optionDisabled = Dom.getter(HTMLOptionElement.prototype, 'disabled');
  const selectOptions = Dom.getter(HTMLSelectElement.prototype, 'options');
  const selectMultiple = Dom.getter(HTMLSelectElement.prototype, 'multiple');
  const selectInput = HTMLInputElement.prototype.select;
  const selectArea = HTMLTextAreaElement.prototype.select;
  const labelControl = Dom.getter(HTMLLabelElement.prototype, 'control');
  const dispatch = EventTarget.prototype.dispatchEvent;

  const announce = (el) => {
    dispatch.call(el, new Event('input', { bubbles: true, composed: true }));
    dispatch.call(el, new Event('change', { bubbles: true }));
  };

  const selectAll = (el) => {
    if (el instanceof HTMLInputElement) selectInput.call(el);
    else if (el instanceof HTMLTextAreaElement) selectArea.call(el);
    else {
      const range = document.createRange();
      range.selectNodeContents(el);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
  };

  // What holds a secret is emptied first: what is written over it could leave a part of it.
  const empty = (el) => {
    Dom.setValue(el, '');
    announce(el);
    Opaque.requireKeys(el);
  };

  const FORMS = {
    date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM',
    week: 'YYYY-Www', color: '#rrggbb',
  };

  const setWhole = (el, value) => {
    const type = Dom.type(el);
    const wanted = type === 'color' ? value.trim().toLowerCase() : value.trim();
    Dom.setValue(el, wanted);
    if (Dom.value(el) !== wanted) {
      Agent.fail('invalid_argument', `${Place.describe(el)} takes ${FORMS[type]}`, { type, form: FORMS[type] });
    }
    announce(el);
  };

  // Ready to be typed into, with what is there selected so that new text replaces it.
  const prepareFill = (args) => Upcoming.awaited(args, () => prepareFillNow(args));
  const prepareFillNow = ({ caller, ref, value, secret }) => {
    const el = Refs.check(caller, ref);
    Act.requireEnabled(el);
    Act.visibleForKeys(el);
    const slides = Sliders.is(el);
    const kind = slides ? 'slider' : Act.requireEditable(el);
    const before = { ...Act.state(el), ...(Dom.secret(el) && { secret: true }) };
    if (kind === 'text' && Dom.type(el) === 'number' && value !== '' && Number.isNaN(Number(value))) {
      Agent.fail('invalid_argument', `${Place.describe(el)} takes a number`, { type: 'number' });
    }
    const concealed = secret && Opaque.requirePlace(el, secret);
    if (!secret && Dom.concealed(el)) {
      // What is no field is replaced as a whole by what is typed over it.
      if (Dom.isField(el)) empty(el);
      else Dom.reveal(el);
    }
    const search = Act.isSearch(el);
    Around.before(el);
    Settle.arm(el, { search });
    const target = Place.describe(el);
    if (slides) return { target, state: before, search: false, ...Sliders.prepare(el, value) };
    if (kind === 'set') {
      Act.focus(el);
      if (concealed) Opaque.receive(el, secret, value);
      setWhole(el, value);
      return { target, state: before, mode: 'set', search: false };
    }
    const active = Act.focusFor(el, Act.editableKind);
    const own = Dom.contains(el, active) || Dom.contains(active, el);
    if (concealed && active !== el) Act.refuse(el, 'focus-lost', `${target} does not keep the focus; nothing was typed`);
    if (active !== el) Opaque.requireKeys(active);
    selectAll(own ? el : active);
    Guard.allow([active]);
    if (concealed) Opaque.receive(el, secret, value);
    return { target, state: before, mode: 'insert', search, via: own ? null : Place.describe(active) };
  };

  const matching = (options, wanted) => {
    const text = Text.clean(wanted);
    const by = (read) => options.filter((option) => read(option) === text);
    for (const read of [(o) => optionValue(o), (o) => Text.clean(optionLabel(o)), (o) => Text.clean(Dom.textContent(o))]) {
      const found = by(read);
      if (found.length) return found;
    }
    return [];
  };

  const choose = (args) => Upcoming.awaited(args, () => chooseNow(args));
  const chooseNow = ({ caller, ref, values }) => {
    const el = Refs.check(caller, ref);
    if (!(el instanceof HTMLSelectElement)) {
      Act.refuse(el, 'not-a-select', `${Place.describe(el)} is not a select; click it and choose from what it opens`);
    }
    Act.requireEnabled(el);
    Act.visibleForKeys(el);
    const options = [...selectOptions(el)];
    if (values.length > 1 && !selectMultiple(el)) {
      Agent.fail('invalid_argument', `${Place.describe(el)} takes one option`, {});
    }
    const chosen = new Set();
    for (const wanted of values) {
      const found = matching(options, wanted);
      const list = options.slice(0, 20).map((option) => Text.clean(optionLabel(option)));
      if (!found.length) Agent.fail('not_found', `no option ${Text.quote(wanted)} in ${Place.describe(el)}`, { options: list });
      if (found.length > 1) Agent.fail('ambiguous', `${found.length} options read ${Text.quote(wanted)}; use the value`, { values: found.slice(0, 10).map(optionValue) });
      if (optionDisabled(found[0])) Act.refuse(found[0], 'disabled', `option ${Text.quote(wanted)} is disabled`);
      chosen.add(found[0]);
    }
    const before = Act.state(el);
    Around.before(el);
    Settle.arm(el);
    const changes = options.some((option) => optionSelected(option) !== chosen.has(option));
    if (changes) {
      for (const option of options) setSelected(option, chosen.has(option));
      announce(el);
    }
    return { target: Place.describe(el), state: before, selected: [...chosen].map((option) => Text.clean(optionLabel(option))) };
  };

  // A file input behind the element: itself, its label's, or the one inside it.
  const fileInput = ({ caller, ref }) => {
    const el = Refs.check(caller, ref);
    const isFile = (node) => node instanceof HTMLInputElement && Dom.type(node) === 'file';
    const label = el instanceof HTMLLabelElement ? labelControl(el) : null;
    const inside = [...Dom.query(el, 'input[type=file]')];
    const own = [el, label].find((node) => node && isFile(node));
    if (!own && inside.length > 1) {
      Agent.fail('ambiguous', `${Place.describe(el)} holds ${inside.length} file inputs`, { ref, count: inside.length });
    }
    const found = own || inside[0];
    if (!found) return { ref: null, target: Place.describe(el) };
    Act.requireEnabled(found);
    Settle.arm(found);
    return { ref: Refs.of(found), multiple: Dom.has(found, 'multiple'), target: Place.describe(el) };
  };

  Agent.expose('prepare_fill', prepareFill);
  Agent.expose('choose', choose);
  Agent.expose('file_input', fileInput);

  return Object.freeze({ announce, selectAll });
})();
