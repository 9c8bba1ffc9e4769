// The options of a control, wherever the page draws them: in it, in what it controls, or in a popup
// that came up when it was opened.
({ step, caller, ref, option, exact, prefix }) => {
  const { Agent, Aria, Context, Dom, Pass, Place, Refs, Text, Vetting } = globalThis.stockade.modules;
  const OPTIONS = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem', 'radio', 'tab']);
  const LISTS = new Set(['listbox', 'menu', 'menubar', 'tree', 'radiogroup', 'tablist', 'grid']);
  const POPUPS = new Set(['listbox', 'menu', 'tree']);
  const EDITABLE = new Set(['combobox', 'textbox', 'searchbox']);
  const MOST = 500;
  const LONGEST = 200;
  const AGAIN = 0.8;

  const labelled = (el) => (el instanceof HTMLLabelElement && el.control) || el;
  const rendered = (el) => Place.rendered(el) || (el instanceof HTMLInputElement && [...(el.labels || [])].some(Place.rendered));
  const words = (el) => Text.clean(Aria.name(el) || (el instanceof HTMLElement ? Dom.readable(el.innerText) : '') || '');
  const told = (el) => Aria.toldName(el, LONGEST) || Context.seen(el, LONGEST);
  const state = () => globalThis.stockadeChoice;

  const inside = (top, keep) => {
    const found = [];
    Pass.walk(top, (el) => {
      if (found.length >= MOST) return false;
      if (el !== top && keep(el)) found.push(el);
      return true;
    }, { ms: 300 });
    return found;
  };
  // An option of a select that is closed has no place to be clicked at: it is there for the widget that
  // was built over its select.
  const folded = (el) => {
    const select = el instanceof HTMLOptionElement ? el.closest('select') : null;
    return Boolean(select) && !select.multiple && select.size <= 1;
  };
  const isOption = (el) => OPTIONS.has(Aria.role(el)) && rendered(el) && !folded(el);
  const optionsIn = (top) => inside(top, isOption);

  // What the control says it controls; older widgets say it on the box around their field.
  const controlled = (el) => {
    const found = [];
    for (let node = el, up = 0; node && up < 4; node = Dom.parent(node), up += 1) {
      if (up && Aria.role(node) !== 'combobox' && !Dom.has(node, 'aria-owns') && !Dom.has(node, 'aria-controls')) continue;
      for (const name of ['aria-controls', 'aria-owns']) {
        for (const id of (Dom.attr(node, name) || '').split(/\s+/).filter(Boolean)) {
          const other = Dom.rootOf(el).getElementById?.(id) || document.getElementById(id);
          if (other && rendered(other)) found.push(other);
        }
      }
    }
    return found;
  };

  const isNew = (el) => !state().before.has(el);
  const candidates = (el) => {
    if (state().kind === 'list') return optionsIn(state().scope);
    for (const list of controlled(el)) {
      const found = optionsIn(list);
      if (found.length) return found;
    }
    const own = optionsIn(el);
    if (own.length) return own;
    const fresh = optionsIn(document.documentElement).filter(isNew);
    if (fresh.length || !state().open) return fresh;
    const lists = inside(document.documentElement, (node) => POPUPS.has(Aria.role(node)) && rendered(node));
    return lists.flatMap(optionsIn);
  };

  // Menus whose makers said nothing of what they are: text that came up just now.
  const plain = () => inside(document.documentElement, (el) => isNew(el) && rendered(el)
    && ![...Dom.children(el)].some((child) => Dom.isElement(child) && words(child)) && words(el) && words(el).length <= LONGEST);

  const valueOf = (el) => Dom.attr(el, 'data-value') ?? (Dom.has(el, 'value') ? Dom.attr(el, 'value') : null);
  const row = (el) => {
    const states = Aria.states(el, Aria.role(el));
    Refs.show(caller, el);
    return {
      ref: Refs.text(Refs.of(el), prefix), name: told(el), value: valueOf(el),
      selected: Boolean(states.selected || states.checked), disabled: Boolean(states.disabled),
    };
  };
  const wanted = Text.clean(option || '');
  const fits = (name, value) => (exact
    ? name === wanted || value === wanted
    : name.toLowerCase().includes(wanted.toLowerCase()) || value === wanted);

  const groupOf = (el) => {
    for (let node = Dom.parent(el); node; node = Dom.parent(node)) {
      if (['radiogroup', 'menu', 'listbox'].includes(Aria.role(node)) || ['fieldset', 'form'].includes(Dom.tag(node))) return node;
    }
    return document.documentElement;
  };

  const kindOf = (el) => {
    const role = Aria.role(el);
    if (el instanceof HTMLSelectElement) return { kind: 'select' };
    if (el instanceof HTMLInputElement && el.list) return { kind: 'datalist' };
    if (role === 'radio' || role === 'menuitemradio') return { kind: 'list', scope: groupOf(el) };
    if ((LISTS.has(role) || Dom.tag(el) === 'fieldset' || role === 'group') && optionsIn(el).length) return { kind: 'list', scope: el };
    return { kind: 'popup' };
  };

  const native = (el) => [...(el.list || el).options].slice(0, MOST).map((each) => ({
    name: Text.clean(each.label || each.value), value: each.value, selected: each.selected, disabled: each.disabled,
  }));

  const begin = () => {
    let el = labelled(Refs.check(caller, ref));
    if (el instanceof HTMLOptionElement) el = el.closest('select') || el;
    const { kind, scope } = kindOf(el);
    const before = new WeakSet();
    Pass.walk(document.documentElement, (node) => {
      if (rendered(node)) before.add(node);
      return true;
    }, { ms: 300 });
    const expanded = Dom.attr(el, 'aria-expanded') === 'true';
    globalThis.stockadeChoice = { el, kind, scope, before, open: expanded };
    Refs.show(caller, el);
    return {
      kind, expanded, ref: Refs.text(Refs.of(el), prefix), target: Place.describe(el),
      editable: EDITABLE.has(Aria.role(el)) && (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) && !el.readOnly,
      multiple: Boolean(el.multiple) || Dom.attr(scope || el, 'aria-multiselectable') === 'true',
      options: kind === 'select' || kind === 'datalist'
        ? native(el).map((each) => ({ ...each, fits: fits(Dom.readable(each.name), Dom.readable(each.value)) })) : [],
    };
  };

  const look = () => {
    const { el } = state();
    if (!Dom.connected(el)) Agent.fail('stale_ref', 'the control was removed while it was being used', {});
    let found = candidates(el);
    let marked = found.length > 0;
    if (!found.length && state().kind === 'popup') {
      found = plain();
      marked = false;
    }
    const rows = found.map((each) => ({ el: each, name: words(each), value: valueOf(each) }));
    const fitting = rows.filter(({ el: each, name, value }) => fits(name, value) || (exact && fits(Aria.seenName(each), value)));
    // A widget may keep the list it was built from; the one that can be reached is meant.
    const reachable = fitting.length > 1 ? fitting.filter((each) => Place.look(each.el).actionable === true) : [];
    return {
      marked,
      busy: controlled(el).some((list) => Dom.attr(list, 'aria-busy') === 'true') || Dom.attr(el, 'aria-busy') === 'true',
      names: rows.map((each) => told(each.el)),
      matches: (reachable.length ? reachable : fitting).slice(0, 6).map((each) => row(each.el)),
    };
  };

  // A long list draws only what is in view.
  const scroll = (toTop) => {
    const [first] = candidates(state().el);
    const box = first && Place.scroller(Dom.parent(first) || first);
    if (!box) return { moved: false };
    Vetting.check();
    const at = box.scrollTop;
    box.scrollTop = toTop ? 0 : at + box.clientHeight * AGAIN;
    return { moved: toTop ? true : box.scrollTop > at };
  };

  switch (step) {
    case 'begin': return begin();
    case 'look': return look();
    case 'top': return scroll(true);
    case 'scroll': return scroll(false);
    default:
      delete globalThis.stockadeChoice;
      return {};
  }
}
