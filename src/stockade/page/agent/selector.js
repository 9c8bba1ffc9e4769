// Selectors: CSS through every shadow root, `role=`, `text=`, `label=` and their like,
// chained with ` >> `. A selector means one element or it is refused.
const Selector = (() => {
  const HEAD = /^(css|text|role|label|placeholder|alt|title|testid|id|data-test(?:id|-id)?)=/;
  const LABELLED = new Set(('button checkbox combobox listbox radio searchbox slider spinbutton switch textbox')
    .split(' '));
  const MOST = 2000;
  const MOST_SCANNED = 200000;

  const invalid = (selector, why) => Agent.fail(
    'invalid_selector', `${Text.quote(Text.cut(selector, 200))}: ${why}`, { selector },
  );

  // Cuts at ` >> ` outside of quotes.
  const split = (selector) => {
    const steps = [];
    let step = '';
    let quote = '';
    for (let at = 0; at < selector.length; at += 1) {
      const letter = selector[at];
      if (letter === '\\') {
        step += letter + (selector[at + 1] || '');
        at += 1;
        continue;
      }
      if (quote) quote = letter === quote ? '' : quote;
      else if (letter === '"' || letter === "'") quote = letter;
      if (!quote && letter === '>' && selector[at + 1] === '>') {
        steps.push(step.trim());
        step = '';
        at += 1;
      } else {
        step += letter;
      }
    }
    return [...steps, step.trim()];
  };

  const CONDITION = new RegExp('\\[\\s*([a-z]+)\\s*(?:(\\*?=)\\s*("(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\''
    + '|[^\\]\\s"\'][^\\]"\']*?)\\s*(\\bi)?\\s*)?\\]', 'gy');
  const conditions = (string, selector) => {
    const found = [];
    CONDITION.lastIndex = 0;
    let rest = 0;
    for (let one = CONDITION.exec(string); one; one = CONDITION.exec(string)) {
      const [, key, operator, raw, loose] = one;
      const quoted = Boolean(raw) && Wording.quoted(raw);
      const value = quoted ? Wording.unquote(raw) : raw;
      let farthest = loose ? Wording.SAME_IN_ANY_CASE : Wording.SAME;
      if (operator === '*=' || key === 'text' || !quoted) farthest = Wording.PART;
      found.push({ key, value, words: Wording.wording(value || '', farthest) });
      rest = CONDITION.lastIndex;
    }
    if (string.slice(rest).trim()) invalid(selector, `cannot read ${Text.quote(string.slice(rest))}`);
    return found;
  };
  // Names that come from content share a word with it, unless a label inside says otherwise.
  const CONTENT = new Set('a button h1 h2 h3 h4 h5 h6 td th tr li option summary'.split(' '));
  const LABELS = '[aria-label],[aria-labelledby],[title],[alt],svg,slot';
  const unlike = (el, value) => {
    if (!CONTENT.has(Dom.tag(el)) || !value) return false;
    const text = Words.fold(Dom.textContent(el));
    if (Words.fold(value).split(/\s+/).some((word) => text.includes(word))) return false;
    return !Dom.matches(el, LABELS) && !Dom.shadow(el) && !Dom.query(el, LABELS).length;
  };
  // By its whole name, or else by what a person sees of it.
  const nameLevel = (el, words) => {
    const name = Aria.name(el);
    const level = words.level(name);
    if (level < Wording.NOT || !words.within(name)) return level;
    return words.level(Aria.nameParts(el).seen) + 0.5;
  };
  // How closely an element meets a condition.
  const levelOf = (el, role, { key, value, words }) => {
    if (key === 'name') return nameLevel(el, words);
    if (key === 'text') return words.level(Context.text(el, 2000));
    const state = Aria.states(el, role)[key];
    const met = value === undefined ? Boolean(state) : String(state === undefined ? false : state) === value;
    return met ? Wording.SAME : Wording.NOT;
  };

  // Every shadow root below `top`, in the order of their hosts.
  const roots = Dom.memo((top) => {
    const found = [];
    const pending = [top];
    while (pending.length) {
      const scope = pending.shift();
      if (scope !== top) found.push(scope);
      const own = Dom.isElement(scope) && Dom.shadow(scope);
      if (own) pending.push(own);
      let looked = 0;
      for (const el of Dom.query(scope, '*')) {
        looked += 1;
        if (looked > MOST_SCANNED) break;
        Pass.suspect(el);
        const root = Dom.shadow(el);
        if (root) pending.push(root);
      }
    }
    return found;
  });
  // Frameworks mirror what is typed into the value attribute, of passwords too; a selector that asks
  // for a part of it would spell the secret out letter by letter.
  const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gi;
  const VALUE = /\[\s*(?:[\w*-]*\|)?value\s*[\]~|^$*=]/i;
  const plain = (selector) => selector.replace(/\/\*.*?(?:\*\/|$)/gs, '').replace(ESCAPE, (_, code, letter) => (
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : letter
  ));
  const secretsAtStake = () => [document, ...roots(document)]
    .some((root) => [...Dom.query(root, 'input[value]')].some(Dom.secret));
  const native = (top, selector) => {
    Vetting.requireComparable(selector);
    try {
      const found = [...Dom.query(top, selector)];
      const light = found.length;
      for (const root of roots(top)) for (const el of Dom.query(root, selector)) found.push(el);
      return found.length > light && found.length > 1 ? Pass.order(found) : found;
    } catch (error) {
      if (error instanceof DOMException) return invalid(selector, 'not a selector CSS knows');
      throw error;
    }
  };

  // Calls `visit` with each place outside of quotes and brackets, until it answers.
  const outside = (selector, visit) => {
    let quote = '';
    let depth = 0;
    for (let at = 0; at < selector.length; at += 1) {
      const letter = selector[at];
      if (letter === '\\') at += 1;
      else if (quote) quote = letter === quote ? '' : quote;
      else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '(' || letter === '[') depth += 1;
      else if (letter === ')' || letter === ']') depth -= 1;
      else if (!depth) {
        const said = visit(at);
        if (said !== undefined) return said;
      }
      if (depth < 0) break;
    }
    if (quote || depth) invalid(selector, 'a quote or a bracket is not closed, or closed twice');
    return undefined;
  };

  // What Playwright knows and CSS does not.
  const OWN = /:(?:(has-text|text-is|text)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^()"']+)\s*\)|visible(?![\w-]))/y;
  const ANY_OWN = /:(?:has-text|text-is|text|visible)(?![\w-])/;
  const readAt = (pattern, string, at) => {
    pattern.lastIndex = at;
    return pattern.exec(string);
  };
  const ownAt = (selector) => outside(selector, (at) => readAt(OWN, selector, at) || undefined);
  const contains = (el, words) => Words.fold(Context.text(el, 20000)).includes(words);
  const innermost = (el, met) => met(el) && ![...Dom.query(el, ':scope > *')].some(met);
  const meets = (el, [, name, raw]) => {
    if (!name) return Place.rendered(el);
    const said = Text.clean(Wording.quoted(raw) ? Wording.unquote(raw) : raw);
    if (name === 'text-is') return innermost(el, (each) => Text.clean(Context.text(each, 20000)) === said);
    const words = Words.fold(said);
    return name === 'text' ? innermost(el, (each) => contains(each, words)) : contains(el, words);
  };

  // One selector without commas: what stands before the first of ours, then what stands behind it.
  const extended = (top, selector) => {
    const own = ownAt(selector);
    if (!own) return native(top, selector);
    const head = selector.slice(0, own.index);
    let found = native(top, /(?:^|[\s>+~])$/.test(head) ? `${head}*` : head).filter((el) => meets(el, own));
    let rest = selector.slice(own.index + own[0].length);
    while (rest && !/^[\s>+~]/.test(rest)) {
      const next = readAt(OWN, rest, 0);
      const end = next ? next[0].length : outside(rest, (at) => (
        at && (/[\s>+~]/.test(rest[at]) || readAt(OWN, rest, at)) ? at : undefined
      )) || rest.length;
      const part = rest.slice(0, end);
      found = found.filter((el) => (next ? meets(el, next) : native(top, part).includes(el)));
      rest = rest.slice(end);
    }
    const [, combinator, below] = /^\s*([>+~]?)\s*(.*)$/s.exec(rest);
    if (!below) return combinator ? invalid(selector, 'it ends too early') : found;
    if (combinator === '+' || combinator === '~') invalid(selector, 'behind :has-text only what is inside is looked for');
    const within = new Set();
    for (const el of found.slice(0, MOST)) {
      for (const inner of extended(el, combinator ? `:scope > ${below}` : below)) within.add(inner);
    }
    return [...within];
  };

  const css = (top, selector) => {
    if (VALUE.test(plain(selector)) && secretsAtStake()) {
      invalid(selector, 'values cannot be selected by while the page holds a secret one');
    }
    const commas = [];
    outside(selector, (at) => { if (selector[at] === ',') commas.push(at); });
    if (!ANY_OWN.test(selector)) return native(top, selector);
    const parts = [-1, ...commas].map((at, index) => selector.slice(at + 1, commas[index]).trim());
    if (parts.length === 1) return extended(top, parts[0]);
    return Pass.order([...new Set(parts.flatMap((part) => extended(top, part)))]);
  };

  // Where an element of a role may be, as CSS; what has none of these tags says its role itself.
  const TAGS = {
    __proto__: null,
    article: 'article', banner: 'header', button: 'button,input,summary', cell: 'td', checkbox: 'input',
    columnheader: 'th', combobox: 'select,input', complementary: 'aside', contentinfo: 'footer', dialog: 'dialog',
    form: 'form', gridcell: 'td', heading: 'h1,h2,h3,h4,h5,h6', img: 'img,svg', link: 'a,area', list: 'ul,ol,menu',
    listbox: 'select,datalist', listitem: 'li', main: 'main', navigation: 'nav', option: 'option', paragraph: 'p',
    radio: 'input', region: 'section', row: 'tr', rowheader: 'th', searchbox: 'input', slider: 'input',
    spinbutton: 'input', switch: 'input', table: 'table', textbox: 'input,textarea',
  };
  const withRole = (top, role) => css(top, role in TAGS ? `${TAGS[role]},[role]` : '*')
    .filter((el) => Aria.role(el) === role);
  const inDocument = Dom.memo((role) => withRole(document, role));
  const ofRole = (top, role) => (top === document ? inDocument(role) : withRole(top, role));
  const CONTROLS = ['input', 'select', 'textarea', 'button', '[role]', '[contenteditable]'].join(',');
  const start = (top) => (top === document ? document.documentElement : top);

  const graded = (elements, level) => {
    const found = new Map();
    for (const el of elements) {
      const own = level(el);
      if (own < Wording.NOT) found.set(el, own);
    }
    return found;
  };
  const alike = (elements) => graded(elements, () => Wording.SAME);
  const label = (el) => Aria.name(el) || Dom.attr(el, 'aria-label') || '';
  const labelled = (el) => LABELLED.has(Aria.role(el)) || Roles.editable(el);

  // What one part of a selector means inside `top`: elements, and how closely each is meant.
  const step = (top, text, selector) => {
    const head = HEAD.exec(text);
    const kind = head ? head[1] : 'css';
    const value = head ? text.slice(head[0].length).trim() : text;
    if (!value) return invalid(selector, 'a part of it is empty');
    if (kind === 'css') return alike(css(top, value));
    if (kind === 'role') {
      const [role] = /^[a-z]+/.exec(value) || [''];
      const wanted = conditions(value.slice(role.length), selector);
      const worded = wanted.filter(({ key }) => key === 'name' || key === 'text');
      const likely = ofRole(top, role).filter((el) => !worded.some((each) => unlike(el, each.value)));
      return graded(likely.filter(Aria.included), (el) => (
        wanted.reduce((sum, each) => (sum < Wording.NOT ? sum + levelOf(el, role, each) : sum), Wording.SAME)
      ));
    }
    const words = Wording.read(value);
    if (kind === 'text') return Search.elements(start(top), words);
    if (kind === 'label') return graded(css(top, CONTROLS).filter(labelled), (el) => words.level(label(el)));
    if (kind === 'id' || kind.startsWith('data-')) return alike(css(top, `[${kind}="${CSS.escape(words.text)}"]`));
    if (kind === 'testid') {
      return alike(css(top, Features.TEST_ATTRIBUTES.map((name) => `[${name}="${CSS.escape(words.text)}"]`).join(',')));
    }
    return graded(css(top, `[${kind}]`), (el) => words.level(Dom.attr(el, kind)));
  };

  const FILTERS = {
    nth: (found, value, selector) => {
      if (!/^-?\d+$/.test(value)) invalid(selector, 'nth wants a whole number');
      return new Map([...found].slice(Number(value)).slice(0, 1));
    },
    having: (found, value) => {
      const words = Wording.wording(Wording.read(value).text);
      return graded(found.keys(), (el) => found.get(el) + words.level(Context.text(el, 2000)));
    },
  };
  const within = (scopes, part, selector) => {
    const found = new Map();
    for (const [scope, outer] of [...scopes].slice(0, MOST)) {
      for (const [el, own] of step(scope, part, selector)) {
        found.set(el, Math.min(outer + own, found.has(el) ? found.get(el) : Wording.NOT));
      }
    }
    return found;
  };

  // All elements a selector means, in document order, and how closely each is meant.
  const levels = (selector, top = document) => {
    let found = new Map([[top, Wording.SAME]]);
    for (const part of split(selector)) {
      const filter = /^(nth|having)=(.+)$/s.exec(part);
      if (filter && found.has(document)) invalid(selector, `${filter[1]} has nothing to choose from`);
      if (!part) invalid(selector, 'a part of it is empty');
      found = filter ? FILTERS[filter[1]](found, filter[2], selector) : within(found, part, selector);
    }
    return found.has(document) ? invalid(selector, 'it names no element') : found;
  };
  const all = (selector, top) => [...levels(selector, top).keys()];

  const preferring = (found, test) => {
    const chosen = found.length > 1 ? found.filter(test) : [];
    return chosen.length ? chosen : found;
  };
  // Of those, the ones of the kind that is wanted, those that are rendered, and the closest: each
  // where there are such.
  const choose = (found, fits = () => true) => {
    const seen = preferring(preferring([...found.keys()], fits), Place.rendered);
    const closest = Math.min(...seen.map((el) => found.get(el)));
    return seen.filter((el) => found.get(el) === closest);
  };
  const matches = (selector, top) => choose(levels(selector, top));

  return Object.freeze({ split, all, levels, choose, matches, css, roots });
})();
