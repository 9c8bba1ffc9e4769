// What an element is right now: checked, disabled, expanded, its value.
const States = (() => {
  const words = (string) => new Set(string.split(' '));
  const CHECKABLE = words('checkbox menuitemcheckbox menuitemradio option radio switch treeitem');
  const SELECTABLE = words('columnheader gridcell option row rowheader tab treeitem');
  const EXPANDABLE = words('application button checkbox columnheader combobox gridcell link listbox menuitem '
    + 'menuitemcheckbox menuitemradio row rowheader switch tab treeitem');
  const REQUIRABLE = words('checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton '
    + 'switch textbox tree');
  const READABLE = words('checkbox combobox grid gridcell listbox radiogroup searchbox slider spinbutton switch '
    + 'textbox');
  const DISABLEABLE = words('application button checkbox columnheader combobox grid gridcell group link listbox menu '
    + 'menubar menuitem menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox '
    + 'separator slider spinbutton switch tab table tablist textbox toolbar tree treegrid treeitem');
  const LEVELLED = words('heading listitem row treeitem');
  const VALUED = words('combobox meter progressbar scrollbar searchbox separator slider spinbutton textbox');
  const RANGES = words('meter progressbar scrollbar separator slider spinbutton');
  const MODAL = words('alertdialog dialog');
  const FIELDS = words('input select textarea');
  const DISABLERS = words('button fieldset input optgroup option select textarea');
  const OPENERS = words('menu listbox tree grid dialog true');

  const token = (el, name) => (Dom.attr(el, name) || '').trim().toLowerCase();

  const ariaDisabled = Dom.inherited((el) => {
    const value = token(el, 'aria-disabled');
    if (value === 'true') return true;
    return value === 'false' ? false : undefined;
  }, false);
  const nativelyDisabled = (el) => DISABLERS.has(Dom.tag(el)) && Dom.matches(el, ':disabled');
  const disabled = (el, role) => nativelyDisabled(el) || (DISABLEABLE.has(role) && ariaDisabled(el));

  const checked = (el, role) => {
    if (!CHECKABLE.has(role)) return undefined;
    const type = Dom.type(el);
    if (type === 'checkbox' || type === 'radio') return Dom.checked(el) || undefined;
    const said = token(el, 'aria-checked');
    if (said === 'true') return true;
    return said === 'mixed' && role !== 'radio' && role !== 'menuitemradio' && role !== 'switch' ? 'mixed' : undefined;
  };
  const selected = (el, role) => SELECTABLE.has(role)
    && (Dom.tag(el) === 'option' ? Controls.optionChosen(el) : token(el, 'aria-selected') === 'true');
  const pressed = (el, role) => {
    if (role !== 'button') return undefined;
    const said = token(el, 'aria-pressed');
    return said === 'true' ? true : said === 'mixed' ? 'mixed' : undefined;
  };
  const expanded = (el, role) => {
    const tag = Dom.tag(el);
    if (tag === 'summary' || tag === 'details') {
      const details = tag === 'details' ? el : Dom.parent(el);
      return Dom.tag(details) === 'details' ? Dom.has(details, 'open') : undefined;
    }
    if (!EXPANDABLE.has(role)) return undefined;
    const said = token(el, 'aria-expanded');
    return said === 'true' ? true : said === 'false' ? false : undefined;
  };
  const level = (el, role) => {
    if (!LEVELLED.has(role)) return undefined;
    const heading = /^h([1-6])$/.exec(Dom.tag(el));
    const said = Number.parseInt(Dom.attr(el, 'aria-level') || '', 10);
    if (said >= 1) return said;
    return heading && role === 'heading' ? Number(heading[1]) : undefined;
  };
  const invalid = (el) => {
    const said = token(el, 'aria-invalid');
    if (said) return said !== 'false';
    return FIELDS.has(Dom.tag(el)) && Dom.matches(el, ':user-invalid');
  };
  const haspopup = (el) => {
    const said = token(el, 'aria-haspopup');
    return OPENERS.has(said) ? (said === 'true' ? 'menu' : said) : undefined;
  };
  const modal = (el, role) => MODAL.has(role)
    && (token(el, 'aria-modal') === 'true' || (Dom.tag(el) === 'dialog' && Dom.matches(el, ':modal')));

  const states = (el, role) => {
    const found = {};
    const note = (name, value) => { if (value !== undefined && value !== false) found[name] = value; };
    note('checked', checked(el, role));
    note('disabled', disabled(el, role));
    const open = expanded(el, role);
    if (open !== undefined) found.expanded = open;
    note('level', level(el, role));
    note('pressed', pressed(el, role));
    note('selected', selected(el, role));
    if (REQUIRABLE.has(role)) {
      note('required', token(el, 'aria-required') === 'true' || (FIELDS.has(Dom.tag(el)) && Dom.has(el, 'required')));
    }
    if (READABLE.has(role)) {
      note('invalid', invalid(el));
      const fixed = Dom.has(el, 'readonly') && (Dom.tag(el) === 'input' || Dom.tag(el) === 'textarea');
      note('readonly', token(el, 'aria-readonly') === 'true' || fixed);
    }
    if (Dom.has(el, 'aria-current')) {
      const current = token(el, 'aria-current');
      note('current', current && current !== 'false' ? (current === 'true' ? true : current) : undefined);
    }
    note('modal', modal(el, role));
    note('busy', Dom.has(el, 'aria-busy') && token(el, 'aria-busy') === 'true');
    note('haspopup', Dom.has(el, 'aria-haspopup') ? haspopup(el) : undefined);
    note('active', el === focused());
    return found;
  };
  const focusHolder = Dom.memo(() => Dom.active() || false);
  const focused = () => focusHolder('active');

  const innerText = Dom.getter(HTMLElement.prototype, 'innerText');
  const renderedText = (el) => (el instanceof HTMLElement ? Dom.readable(innerText(el)) : '');
  // A list that is closed may be hidden in any way.
  const chosenName = (option) => {
    const { seen, hidden } = Names.parts(option);
    return seen || hidden;
  };
  const value = (el, role) => {
    const kept = Dom.concealed(el);
    if (kept) return `<${kept}>`;
    if (!role && Roles.editable(el)) return Text.clean(renderedText(el)) || undefined;
    if (!VALUED.has(role) || Dom.secret(el)) return undefined;
    if (RANGES.has(role)) return Text.clean(Controls.range(el)) || undefined;
    if (el instanceof HTMLSelectElement || (role === 'combobox' && !Dom.isField(el))) {
      const chosen = Controls.selected(el).map(chosenName).filter(Boolean);
      return chosen.length ? chosen.join(', ') : undefined;
    }
    const type = Dom.type(el);
    if (type === 'checkbox' || type === 'radio' || type === 'file') return undefined;
    if (Dom.isField(el)) return Text.clean(Dom.value(el)) || undefined;
    return role !== 'combobox' ? Text.clean(renderedText(el)) || undefined : undefined;
  };

  return Object.freeze({ states, value, disabled });
})();
