// Numbers for elements, and what each looked like when it was last shown to a caller.
const Refs = (() => {
  const MOST_CALLERS = 32;
  const MOST_SHOWN = 20000;
  const MOST_REPLACED = 100;
  const KEY_LENGTH = 64;
  const NAME_LENGTH = 120;

  const numbers = new WeakMap();
  const elements = new Map();
  const shownTo = new Map();
  const shownLast = new Map();
  let following = 1;
  let sweepAt = 4096;

  const raise = (base) => { if (base > following) following = base; };
  const next = () => following;
  // A number that no element will have: it names something else for the life of the tab.
  const spend = () => {
    following += 1;
    return following - 1;
  };
  const text = (number, prefix = '') => `${prefix}e${number}`;

  // Numbers in a row, as one.
  const span = (first, length, prefix) => {
    const from = text(first, prefix);
    return length > 1 ? `${from}-${text(first + length - 1, prefix)}` : from;
  };
  const spans = (list, prefix) => {
    const runs = [];
    for (const number of list) {
      const last = runs[runs.length - 1];
      if (last && number === last.first + last.length) last.length += 1;
      else runs.push({ first: number, length: 1 });
    }
    return runs.map(({ first, length }) => span(first, length, prefix)).join(', ');
  };

  const forgetGone = () => {
    for (const [number, weak] of elements) {
      if (weak.deref()) continue;
      elements.delete(number);
      shownLast.delete(number);
      for (const shown of shownTo.values()) shown.delete(number);
    }
    sweepAt = Math.max(4096, elements.size * 2);
  };

  const of = (el) => {
    let number = numbers.get(el);
    if (number) return number;
    Vetting.check();
    number = following;
    following += 1;
    numbers.set(el, number);
    elements.set(number, new WeakRef(el));
    if (elements.size > sweepAt) forgetGone();
    return number;
  };
  const known = (el) => numbers.get(el);
  const get = (number) => {
    const weak = elements.get(number);
    return (weak && weak.deref()) || null;
  };

  // The row an element acts on: virtual lists keep the elements of a row and swap its data.
  const ROWS = new Set(['row', 'listitem', 'article', 'option', 'treeitem']);
  const ALIKE = new Set(['div', 'section', 'dl', 'tbody']);
  const ENTRY_FIELDS = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'listbox']);
  const nextElement = Dom.getter(Element.prototype, 'nextElementSibling');
  const previousElement = Dom.getter(Element.prototype, 'previousElementSibling');
  const placed = (el) => /absolute|translate/.test(Dom.attr(el, 'style') || '');
  const alike = (one, other) => {
    if (!other || Dom.tag(one) !== Dom.tag(other)) return false;
    const kind = Dom.attr(one, 'class');
    return kind ? kind === Dom.attr(other, 'class') || (placed(one) && placed(other)) : placed(one) && placed(other);
  };
  const namedRow = (el) => (ROWS.has(Aria.role(el)) ? el : undefined);
  const rowAbove = Dom.inherited(namedRow, null);
  // Sections of a page look alike, too, and what one does in one of them changes what it says.
  const CONTROLS = 'a[href],button,input,select,textarea,[role=button],[tabindex]';
  const MOST_CONTROLS = 12;
  const anyRowAbove = Dom.inherited((el) => {
    if (namedRow(el)) return el;
    if (!ALIKE.has(Dom.tag(el)) || !(alike(el, nextElement(el)) || alike(el, previousElement(el)))) return undefined;
    return Dom.query(el, CONTROLS).length > MOST_CONTROLS ? undefined : el;
  }, null);

  // The first words of a row, without those of its controls: what they say may count or toggle.
  const MUTE = new Set(['button', 'select', 'textarea', 'script', 'style', 'template', 'svg']);
  const speaks = (el) => !MUTE.has(Dom.tag(el)) && Dom.attr(el, 'role') !== 'button';
  const inside = (el) => Dom.firstChild(Dom.shadow(el) || el);
  const rowTexts = (row) => {
    const pending = [inside(row)];
    const found = [];
    let length = 0;
    for (let looked = 0; pending.length && looked < 400 && length < KEY_LENGTH * 2; looked += 1) {
      const node = pending.pop();
      if (!node) continue;
      pending.push(Dom.nextSibling(node));
      if (Dom.isText(node)) {
        found.push(Dom.text(node).slice(0, 400));
        length += found[found.length - 1].length + 1;
      } else if (Dom.isElement(node) && speaks(node)) pending.push(inside(node));
    }
    return found;
  };
  const rowKey = Dom.memo((row) => Text.cut(Text.clean(rowTexts(row).join(' ')), KEY_LENGTH));

  const formOf = new Map([HTMLButtonElement, HTMLInputElement]
    .map((type) => [type.prototype, Dom.getter(type.prototype, 'form')]));
  const SENDS = new Set(['submit', 'image']);
  const destination = (el) => {
    const href = Dom.attr(el, 'href');
    if (href !== null) return href;
    const tag = Dom.tag(el);
    if (tag === 'form') return Dom.attr(el, 'action') || '';
    if (tag !== 'button' && !(tag === 'input' && SENDS.has(Dom.type(el)))) return '';
    const own = Dom.attr(el, 'formaction');
    if (own !== null) return own;
    const read = formOf.get(Object.getPrototypeOf(el));
    const form = read ? read(el) : null;
    return form ? Dom.attr(form, 'action') || '' : '';
  };

  const foldDigits = (string) => Text.cut(string, NAME_LENGTH).replace(/\p{Nd}+/gu, '#');

  const rowOf = (el, role, target) => (
    ENTRY_FIELDS.has(role) || (role === 'link' && target) ? rowAbove(el) : anyRowAbove(el)
  );
  const fingerprint = (el) => {
    const role = Aria.role(el) || '';
    const target = Text.cut(destination(el), 500);
    const row = rowOf(el, role, target);
    const name = role ? Aria.name(el) : rowKey(el);
    return {
      tag: Dom.tag(el), type: Dom.type(el), role, name: foldDigits(name), target,
      row: row && row !== el ? rowKey(row) : '',
    };
  };
  const same = (one, other) => one.tag === other.tag && one.type === other.type && one.role === other.role
    && one.name === other.name && one.target === other.target && one.row === other.row;

  // What an action does to the row of its own target: a stepper counts, a mark appears. The row is
  // still the same as long as it says something that set it apart from those beside it; or, where only
  // a number did, if nothing but that number changed and nothing beside it. A list that gives its rows
  // other data changes all of that.
  const NEIGHBOURS = 2;
  const NUMBER = /^[^\p{L}]*\p{Nd}[^\p{L}]*$/u;
  const actedOn = new WeakMap();
  const words = (row) => rowTexts(row).map(Text.clean).filter(Boolean);
  const neighbours = (row) => {
    const found = [];
    for (const step of [previousElement, nextElement]) {
      let node = step(row);
      for (let count = 0; node && count < NEIGHBOURS; count += 1, node = step(node)) found.push(node);
    }
    return found;
  };
  const noteAction = (el) => {
    const row = rowOf(el, Aria.role(el) || '', destination(el));
    if (!row || row === el) {
      actedOn.delete(el);
      return;
    }
    const beside = neighbours(row).map((node) => ({ node, said: words(node) }));
    const common = new Set(beside.flatMap(({ said }) => said));
    const said = words(row);
    actedOn.set(el, { row, beside, said, own: said.filter((each) => !common.has(each) && !NUMBER.test(each)) });
  };
  const alikeTexts = (one, other) => one.length === other.length && one.every((each, index) => each === other[index]);
  const sameRow = (el) => {
    const noted = actedOn.get(el);
    if (!noted || !Dom.contains(noted.row, el)) return false;
    const now = words(noted.row);
    const stays = (each) => now.includes(each);
    // Alone, what sets a row apart cannot be told from what every row would say.
    if (noted.own.length) return noted.beside.length ? noted.own.some(stays) : noted.own.every(stays);
    return now.length === noted.said.length
      && now.every((each, index) => each === noted.said[index] || (NUMBER.test(each) && NUMBER.test(noted.said[index])))
      && noted.beside.every(({ node, said }) => Dom.connected(node) && alikeTexts(said, words(node)));
  };

  // As it is told to a caller; to be compared, the whole name is in it.
  const telling = (el, print) => {
    if (!print.role) return print;
    const { name, mark } = Aria.telling(el);
    return mark ? { ...print, told: foldDigits(name), mark } : print;
  };
  const likeness = (el) => Dom.unfiltered(() => telling(el, fingerprint(el)));
  const describe = ({ told, mark = '', ...print }) => {
    const what = `${print.role || print.tag} ${Text.quote(told === undefined ? print.name : told)}${mark}`;
    const where = print.row ? ` in ${Text.quote(print.row)}` : '';
    return `${what}${where}`;
  };

  const seenBy = (caller) => {
    let shown = shownTo.get(caller);
    if (shown) shownTo.delete(caller);
    else shown = new Map();
    shownTo.set(caller, shown);
    if (shownTo.size > MOST_CALLERS) shownTo.delete(shownTo.keys().next().value);
    return shown;
  };
  const record = (map, number, print) => {
    map.delete(number);
    map.set(number, print);
    if (map.size > MOST_SHOWN) map.delete(map.keys().next().value);
  };

  const show = (caller, el) => {
    Vetting.check();
    const number = of(el);
    const print = likeness(el);
    record(seenBy(caller), number, print);
    record(shownLast, number, print);
  };

  const shown = (caller, number) => (shownTo.get(caller) || shownLast).get(number) || shownLast.get(number);

  // What a caller was told to stand in the place of an element that is gone: named, never used instead.
  const replacements = new Map();
  const replace = (number, by) => record(replacements, number, by);
  const replacement = (number) => {
    let now = number;
    for (let steps = 0; replacements.has(now) && steps < MOST_REPLACED; steps += 1) now = replacements.get(now);
    const el = now === number ? null : get(now);
    return el && Dom.connected(el) ? now : 0;
  };

  const check = (caller, number) => {
    const el = get(number);
    const before = shown(caller, number);
    if (!el || !Dom.connected(el) || !before) {
      const was = before ? ` (it was ${describe(before)})` : '';
      Agent.fail('stale_ref', `${text(number)} is not in this document any more${was}`, {
        ref: number, shown: before ? describe(before) : null, replacement: replacement(number),
      });
    }
    const now = likeness(el);
    if (!same(before, now) && same({ ...before, row: now.row }, now) && sameRow(el)) show(caller, el);
    else if (!same(before, now)) {
      show(caller, el);
      Agent.fail('target_changed', `${text(number)} was ${describe(before)} and is now ${describe(now)}`, {
        ref: number, shown: describe(before), now: describe(now),
      });
    }
    return el;
  };

  return Object.freeze({
    of, known, get, show, shown, text, span, spans, check, replace, noteAction, fingerprint, same, describe, raise, next, spend,
  });
})();
