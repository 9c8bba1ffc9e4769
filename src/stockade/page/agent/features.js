// The texts by which a person may know an element, each with its worth.
const Features = (() => {
  const words = (string) => new Set(string.split(' '));
  const TEST_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'data-e2e',
    'data-automation-id'];
  const INPUTS = {
    __proto__: null,
    email: 'email', tel: 'phone telephone', search: 'search', password: 'password', date: 'date', time: 'time',
    month: 'month', week: 'week', 'datetime-local': 'date time', file: 'file upload choose attach', color: 'color',
    url: 'url website address', number: 'number', range: 'slider', submit: 'submit send', reset: 'reset clear',
    checkbox: 'checkbox', radio: 'radio',
  };
  const FIELDS = words('input textarea select');
  const ENTRIES = words('checkbox combobox listbox radio searchbox slider spinbutton switch textbox');
  const CELLS = words('cell gridcell');
  const PROSE = words('aria-label title alt placeholder value');
  const CODE = words('id name href');
  const ELSEWHERE = words('aria-labelledby aria-describedby');
  const attributeNames = Dom.method(Element.prototype, 'getAttributeNames');
  const LETTERS = /\p{L}\p{L}/u;
  const ICONS = 40;
  const LONG = 300;

  // The first test attribute an element carries: `[attribute, value]` or null.
  const testId = (el, attributes = TEST_ATTRIBUTES) => {
    for (const attribute of attributes) {
      const value = Dom.attr(el, attribute);
      if (value) return [attribute, value];
    }
    return null;
  };

  const ownText = (el) => {
    let found = '';
    for (let node = Dom.firstChild(el); node; node = Dom.nextSibling(node)) {
      if (Dom.isText(node)) found += Dom.text(node);
    }
    return found.trim();
  };

  // Whether an element could meet a word of the query: a cheap look before names are computed.
  const promising = (el, role, interactive, sieve, attributes = TEST_ATTRIBUTES) => {
    if (FIELDS.has(Dom.tag(el)) || ENTRIES.has(role)) return true;
    for (const name of attributeNames(el)) {
      if (ELSEWHERE.has(name)) return true;
      const prose = PROSE.has(name);
      if (!prose && !(interactive && CODE.has(name)) && name !== 'class' && !attributes.includes(name)) continue;
      const value = Dom.attr(el, name);
      if (value.length < LONG && (prose ? sieve.text : sieve.code).test(Words.fold(value))) return true;
    }
    if (!interactive) {
      const own = ownText(el);
      return Boolean(own) && sieve.text.test(Words.fold(own.slice(0, LONG)));
    }
    const text = Dom.textContent(el).slice(0, LONG);
    return !LETTERS.test(text) || Boolean(Dom.shadow(el)) || sieve.text.test(Words.fold(text))
      || Dom.query(el, '[alt],[aria-label],slot').length > 0;
  };

  // What an element without a name says by its drawing: classes, sprite ids, file names.
  const drawing = (el) => {
    const parts = [];
    const pending = [el];
    for (let looked = 0; pending.length && looked < ICONS; looked += 1) {
      const node = pending.pop();
      if (!Dom.isElement(node)) continue;
      parts.push(Dom.attr(node, 'class') || '', Dom.attr(node, 'data-icon') || '');
      const tag = Dom.tag(node);
      if (tag === 'use') parts.push((Dom.attr(node, 'href') || Dom.attr(node, 'xlink:href') || '').split('#').pop());
      if (tag === 'img') parts.push((Dom.attr(node, 'src') || '').slice(0, LONG).split(/[?#]/)[0].split('/').pop());
      const inner = Dom.children(node);
      for (let i = inner.length - 1; i >= 0; i -= 1) pending.push(inner[i]);
    }
    return Words.spread(parts.join(' ')).slice(0, LONG);
  };

  const address = (el) => {
    const href = Dom.attr(el, 'href');
    if (!href || href.length > LONG || /^(?:javascript|data):/i.test(href)) return '';
    const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
    return Words.spread(path.split('?')[0]);
  };

  const NOTHING = Object.freeze({ said: '', by: null });
  // The words that stand next to a control nobody labelled: before it, or after a box to tick.
  const nearby = (el, role) => {
    const after = role === 'checkbox' || role === 'radio';
    let node = el;
    for (let up = 0; up < 3; up += 1) {
      const above = Dom.parent(node);
      if (!above) return NOTHING;
      const inner = Dom.children(above);
      const at = inner.indexOf(node);
      const beside = after ? inner.slice(at + 1) : inner.slice(0, at).reverse();
      for (const each of beside.slice(0, 6)) {
        if (Dom.isText(each)) {
          const said = Text.clean(Dom.text(each));
          if (LETTERS.test(said)) return { said: Text.cut(said, 80), by: null };
        } else {
          if (Aria.interactive(each, Aria.role(each))) return NOTHING;
          if (Dom.query(each, 'input,select,textarea,button,a').length) return NOTHING;
          const said = Context.text(each, 81);
          if (LETTERS.test(said)) return said.length <= 80 ? { said, by: each } : NOTHING;
        }
      }
      if (Dom.tag(above) === 'body' || Dom.tag(above) === 'form') return NOTHING;
      node = above;
    }
    return NOTHING;
  };

  const typeOf = (el, tag) => {
    if (tag === 'input') return Dom.type(el);
    return tag === 'button' ? (Dom.attr(el, 'type') || '').toLowerCase() : '';
  };

  // `[{kind, text, worth, by}]`, best first; `by` is the element that says it, if it is another.
  const of = (el, role, interactive, name, attributes) => {
    const found = [];
    const add = (kind, text, worth, by = null) => {
      const said = text && Text.clean(text);
      if (said) found.push({ kind, text: Text.cut(said, LONG), worth, by });
    };
    const tag = Dom.tag(el);
    const field = FIELDS.has(tag);
    add('name', name, 1);
    if (CELLS.has(role)) add('column', Context.column(el), 0.8);
    const test = testId(el, attributes);
    if (test) add('test attribute', Words.spread(test[1]), 0.95);
    if (field) add('placeholder', Dom.attr(el, 'placeholder'), 0.92);
    const title = Dom.attr(el, 'title');
    if (title && title !== name) add('title', title, 0.85);
    if (!interactive) {
      if (!name && ownText(el)) add('text', Context.text(el, LONG), 0.95);
      return found;
    }
    const text = !field && (!name || Dom.has(el, 'aria-label')) ? Context.text(el, 80) : '';
    const lettered = LETTERS.test(name) || LETTERS.test(text);
    if (!name) add('label', Dom.attr(el, 'aria-label'), 1);
    add('text', text, name ? 0.8 : 0.95);
    const unlabelled = ENTRIES.has(role)
      ? !name || name === Dom.attr(el, 'placeholder') : !lettered && role !== 'link' && role !== 'button';
    if (unlabelled) {
      const { said, by } = nearby(el, role);
      add('nearby text', said, 0.9, by);
    }
    for (const attribute of ['id', 'name']) {
      const value = Dom.attr(el, attribute);
      if (value && value.length < 60) add('identifier', Words.spread(value), 0.7);
    }
    const type = typeOf(el, tag);
    if (type in INPUTS) add('type', INPUTS[type], 0.6);
    if (!field) add('address', address(el), lettered ? 0.45 : 0.65);
    if (!field && !lettered) add('icon', drawing(el), 0.65);
    if (field) add('value', Aria.value(el, role), 0.4);
    if (Dom.has(el, 'aria-describedby') || Dom.has(el, 'aria-description')) {
      add('description', Aria.description(el), 0.5);
    }
    return found;
  };

  return Object.freeze({ of, promising, testId, TEST_ATTRIBUTES });
})();
