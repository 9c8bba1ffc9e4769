// How one element reads: what stands before its ref, and what after it.
const Line = (() => {
  const NAME_LENGTH = 200;
  const VALUE_LENGTH = 500;
  const NOTE_LENGTH = 160;
  const URL_LENGTH = 300;
  const TOKEN_LENGTH = 30;

  const TYPES = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'file']);
  const fileList = Dom.getter(HTMLInputElement.prototype, 'files');
  const fileName = Dom.getter(File.prototype, 'name');
  const renderedText = Dom.getter(HTMLElement.prototype, 'innerText');

  const WORDS = {
    __proto__: null, disabled: 'disabled', required: 'required', invalid: 'invalid', readonly: 'readonly',
    modal: 'modal', busy: 'busy', selected: 'selected', active: 'focused',
  };
  const token = (value) => Text.cut(Text.clean(String(value)).replace(/[[\]]/g, ''), TOKEN_LENGTH);
  const state = (key, value) => {
    if (key === 'expanded') return value ? ' [expanded]' : ' [collapsed]';
    if (key in WORDS) return ` [${WORDS[key]}]`;
    return value === true ? ` [${key}]` : ` [${key}=${token(value)}]`;
  };
  const states = (el, role) => {
    let out = '';
    const found = Aria.states(el, role);
    for (const key in found) out += state(key, found[key]);
    return out;
  };

  const files = (el) => {
    const list = fileList(el);
    return list ? Array.from(list, (file) => Text.clean(fileName(file))).join(', ') : '';
  };

  const RANGED = new Set(['scrollbar', 'separator', 'slider', 'spinbutton']);
  const field = (el, role) => {
    let out = '';
    if (Dom.secret(el)) return ' [password]';
    const type = Dom.type(el);
    if (TYPES.has(type)) out += ` [type=${type}]`;
    if (RANGED.has(role)) {
      const low = Dom.attr(el, 'min') || Dom.attr(el, 'aria-valuemin');
      const high = Dom.attr(el, 'max') || Dom.attr(el, 'aria-valuemax');
      if (low !== null || high !== null) out += ` [range=${token(low || '')}..${token(high || '')}]`;
    }
    return out;
  };
  const hint = (el, name, value) => {
    const placeholder = value ? '' : Text.clean(Dom.attr(el, 'placeholder') || '');
    return placeholder && placeholder !== name ? ` [placeholder ${quoted(placeholder, NOTE_LENGTH)}]` : '';
  };

  const quoted = (string, most) => Text.quote(Text.cut(string, most));

  // A label that says something else than what is on the screen is shown beside it.
  const LETTERS = /[\p{L}\p{N}]{2,}/gu;
  const words = (string) => string.toLowerCase().match(LETTERS) || [];
  const differs = (name, seen) => {
    const said = new Set(words(name));
    const visible = words(seen);
    return said.size > 0 && visible.length > 0 && !visible.some((word) => said.has(word))
      && !name.toLowerCase().includes(seen.toLowerCase());
  };
  const shows = (el, name) => {
    if (!name || !(Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby'))) return '';
    if (!(el instanceof HTMLElement) || Dom.isField(el)) return '';
    if (!differs(name, Text.clean(renderedText(el)))) return '';
    const seen = Context.seen(el, NOTE_LENGTH);
    return seen && differs(name, seen) ? ` [shows ${quoted(seen, NOTE_LENGTH)}]` : '';
  };

  // A title that repeats the name in other words is not worth its tokens.
  const note = (el, name) => {
    const told = Dom.has(el, 'aria-describedby') || Dom.has(el, 'aria-description');
    if (!told && !Dom.has(el, 'title')) return '';
    if (Dom.has(el, 'aria-describedby') && Aria.describedInView(el)) return '';
    const said = Aria.description(el);
    if (!said || said === name || (!told && name && !differs(name, said))) return '';
    return ` [description ${quoted(said, NOTE_LENGTH)}]`;
  };

  const url = (el) => {
    const href = Dom.attr(el, 'href');
    return href === null ? '' : Text.cut(Text.clean(href), URL_LENGTH);
  };

  // What can be typed into without being a field shows what it holds as content.
  const isTyped = (el, role) => !Dom.isField(el) && (!role || role === 'textbox' || role === 'searchbox');

  const head = (role, name) => (name ? `${role} ${quoted(name, NAME_LENGTH)}` : role);
  // What an element is called: `whole` to compare with, `name` as it is told, `mark` for what of it nobody sees.
  const nameOf = (el) => {
    const whole = Aria.name(el);
    return whole ? { whole, ...Aria.telling(el) } : UNNAMED;
  };
  const UNNAMED = Object.freeze({ whole: '', name: '', mark: '', unseen: false });

  // A control that shows a picture alone is told by that.
  const DRAWN = new Set(['button', 'link', 'menuitem', 'tab']);
  const drawn = (el) => {
    const icon = Dom.isField(el) ? '' : Icons.name(el);
    return icon ? ` [icon=${token(icon)}]` : '';
  };

  // A long value takes several lines: [the first, the others].
  const MOST_LINES = 400;
  const lines = (value) => {
    const found = [];
    for (let left = value; left && found.length < MOST_LINES;) {
      let end = left.length;
      if (end > VALUE_LENGTH) {
        const space = left.lastIndexOf(' ', VALUE_LENGTH);
        end = space > VALUE_LENGTH / 2 ? space : VALUE_LENGTH;
        if (!left.slice(0, end).isWellFormed()) end += 1;
      }
      found.push(left.slice(0, end));
      left = left.slice(end).trimStart();
    }
    return found;
  };

  // {whole, name, unseen, head, tail, value, rest}: the line reads `- head [ref]tail: value`.
  const control = (el, role, word, urls) => {
    const label = role || word === 'summary' ? '' : Text.clean(Dom.attr(el, 'aria-label') || '');
    const { whole, name, mark, unseen } = label ? { ...UNNAMED, whole: label, name: label } : nameOf(el);
    let value = isTyped(el, role) ? '' : Aria.value(el, role);
    if (Dom.type(el) === 'file') value = files(el);
    if (urls && role === 'link') value = url(el);
    const isField = Dom.isField(el);
    let tail = states(el, role) + mark;
    if (isField || RANGED.has(role)) tail += field(el, role) + hint(el, name, value);
    else if (word !== 'textbox') tail += shows(el, name);
    if (!name && DRAWN.has(role)) tail += drawn(el);
    tail += note(el, name);
    const [first = '', ...rest] = value ? lines(value) : [];
    if (rest.length) tail += ` [${value.length} characters]`;
    return { whole, name, unseen, head: head(word, name), tail, value: first, rest };
  };

  const structure = (el, role) => {
    const { whole, name, mark, unseen } = nameOf(el);
    return { whole, name, unseen, head: head(role, name), tail: states(el, role) + mark, value: '' };
  };

  return Object.freeze({ control, structure, states, head, quoted });
})();
