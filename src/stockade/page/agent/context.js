// What an element belongs to: its row or card, and the sections, headings and groups around it.
const Context = (() => {
  const words = (string) => new Set(string.split(' '));
  const nextElement = Dom.getter(Element.prototype, 'nextElementSibling');
  const previousElement = Dom.getter(Element.prototype, 'previousElementSibling');
  const ROWS = words('row listitem article treeitem option');
  const GROUPS = words('alertdialog banner complementary contentinfo dialog feed figure form grid group iframe list '
    + 'listbox main menu menubar navigation radiogroup region search table tablist tabpanel toolbar tree treegrid');
  const CELLS = words('cell gridcell columnheader rowheader');
  const COLLECTIONS = words('table grid treegrid list listbox feed tree menu');
  const SILENT = words('script style template noscript select datalist svg');
  const ITEMS = words('div section a article li tr form fieldset dd p label span');
  const HEADINGS = /^h([1-6])$/;
  const TITLE = /(?:^|[\s_-])(?:title|heading|headline|caption|label)(?:$|[\s_-])/i;
  const WRITTEN = /^(?:text|search|email|tel|url|number|date|time|month|week|datetime-local)$/;
  const INK = /\S/;
  const ROW_LENGTH = 240;
  const MOST_SIBLINGS = 2000;

  // Text of a subtree as it is rendered, in order, up to `most` characters: to be searched. With `seen`,
  // without what is rendered out of sight, which costs several times as much.
  const text = (el, most = ROW_LENGTH, skip = () => false, values = false, seen = false) => {
    const parts = [];
    let size = 0;
    const pending = [el];
    for (let looked = 0; pending.length && size < most && looked < 2000; looked += 1) {
      const node = pending.pop();
      if (Dom.isText(node)) {
        const data = Dom.text(node);
        if (seen && INK.test(data) && Aria.unread(Dom.parent(node))) continue;
        parts.push(data);
        size += data.trim().length;
        continue;
      }
      const tag = Dom.tag(node);
      if (tag === 'select') {
        const value = Aria.value(node, Aria.role(node));
        if (value) parts.push(' ', value, ' ');
      }
      if (SILENT.has(tag) || (node !== el && (Aria.pruned(node) || skip(node)))) continue;
      parts.push(' ');
      if (tag === 'img') parts.push(Dom.attr(node, 'alt') || '');
      if (values && tag === 'input' && WRITTEN.test(Dom.type(node))) parts.push(Dom.value(node).slice(0, most), ' ');
      const inner = Dom.children(node);
      for (let i = inner.length - 1; i >= 0; i -= 1) pending.push(inner[i]);
    }
    return Text.cut(Text.clean(parts.join('')), most);
  };

  // To be told.
  const seen = (el, most) => text(el, most, undefined, false, true);

  // Tag and classes, but for what tells one row from its neighbour.
  const PASSING = /(?:^|[-_])(?:odd|even|first|last|active|selected|current|open|hover|focus(?:ed)?)$|^(?:is|has)-/;
  const lasting = Dom.memo((classes) => classes.split(/\s+/).filter((each) => !PASSING.test(each)).join(' ')
    .replace(/\d+/g, '#'));
  const look = (el) => {
    const classes = Dom.attr(el, 'class');
    return `${Dom.tag(el)}.${classes ? lasting(classes) : ''}`;
  };
  // What may be a row if it is repeated: text marks alone are none.
  const item = (el) => {
    const tag = Dom.tag(el);
    if (tag !== 'span' && tag !== 'p' && tag !== 'label') return ITEMS.has(tag) || tag.includes('-');
    for (let node = Dom.firstChild(el); node; node = Dom.nextSibling(node)) if (Dom.isElement(node)) return true;
    return false;
  };
  const level = (el) => {
    const plain = HEADINGS.exec(Dom.tag(el));
    if (plain) return Number(plain[1]);
    if (Aria.role(el) === 'heading') return Number(Dom.attr(el, 'aria-level')) || 2;
    if (Dom.tag(el) === 'dt') return 7;
    return 0;
  };
  // A heading, or a wrapper around nothing but one.
  const heading = (el) => {
    if (level(el)) return el;
    const tag = Dom.tag(el);
    if (tag !== 'header' && tag !== 'hgroup' && tag !== 'div') return null;
    const inner = Dom.children(el).filter(Dom.isElement);
    const first = tag === 'div' ? inner.length === 1 && inner[0] : inner.find(level);
    return first && level(first) ? first : null;
  };
  const title = (el) => {
    const found = heading(el);
    if (found) return { level: level(found), text: Aria.seenName(found) || seen(found, 80) };
    const named = Dom.attr(el, 'class');
    if (!named || !TITLE.test(named) || Aria.role(el) || Dom.tag(el) === 'label') return null;
    const said = seen(el, 61);
    return said && said.length <= 60 ? { level: 8, text: said } : null;
  };

  // Where the flat tree is the document's, without a list of half a million children.
  const firstElements = (above) => {
    if (Dom.shadow(above) || Dom.isSlot(above)) return Dom.children(above).filter(Dom.isElement).slice(0, MOST_SIBLINGS);
    const found = [];
    for (let node = Dom.firstChild(above); node && found.length < MOST_SIBLINGS; node = Dom.nextSibling(node)) {
      if (Dom.isElement(node)) found.push(node);
    }
    return found;
  };
  // Per child of an element: the headings above it among its siblings, and whether it repeats them.
  const siblings = Dom.memo((above) => {
    const places = new Map();
    const looks = new Map();
    const inner = firstElements(above);
    for (const child of inner) {
      const key = item(child) ? look(child) : '';
      if (key) looks.set(key, (looks.get(key) || 0) + 1);
    }
    let trail = [];
    for (const child of inner) {
      places.set(child, { trail, repeats: item(child) && (looks.get(look(child)) || 0) >= 2 });
      const found = title(child);
      if (found && found.text) trail = [found, ...trail.filter((each) => each.level < found.level)];
    }
    return places;
  });

  const isRow = (el, role, place) => {
    if (ROWS.has(role) || Dom.tag(el) === 'dd') return true;
    return Boolean(place && place.repeats) && !Aria.interactive(el, role) && !GROUPS.has(role) && !CELLS.has(role);
  };
  const groupName = (el) => {
    if (Dom.tag(el) === 'details') {
      const summary = Dom.children(el).find((child) => Dom.tag(child) === 'summary');
      return summary ? Aria.seenName(summary) || seen(summary, 60) : '';
    }
    return Aria.seenName(el);
  };

  // The context of what is inside `el`: linked lists, nearest first, shared between neighbours.
  const extend = (outer, el) => {
    const above = Dom.parent(el);
    const place = above && siblings(above).get(el);
    let { rows, sections } = outer;
    if (place) for (let i = place.trail.length - 1; i >= 0; i -= 1) {
      sections = { role: 'heading', name: place.trail[i].text, el: null, up: sections };
    }
    const role = Aria.role(el);
    const here = { rows, sections };
    if (isRow(el, role, place)) rows = { el, role, up: rows };
    if (GROUPS.has(role)) sections = { role, name: groupName(el), el, up: sections };
    return { here, inside: rows === here.rows && sections === here.sections ? here : { rows, sections } };
  };
  const NOTHING = Object.freeze({ rows: null, sections: null });
  const kept = Dom.store();
  // `{rows, sections}` around an element, itself not counted.
  const of = (el) => {
    const path = [];
    let node = el;
    while (node && !kept.has(node)) {
      path.push(node);
      node = Dom.parent(node);
    }
    let inside = node ? kept.get(node).inside : NOTHING;
    let found = node ? kept.get(node) : null;
    while (path.length) {
      node = path.pop();
      found = extend(inside, node);
      kept.set(node, found);
      inside = found.inside;
    }
    return found ? found.here : NOTHING;
  };

  // Without its controls: every row has the same. A link may be what the row is about.
  const LINKS = 'a,[onclick]';
  const firstFew = (list) => Array.prototype.slice.call(list, 0, 20);
  const linkTexts = (row) => new Set(firstFew(Dom.query(row, LINKS)).map((el) => Text.clean(Dom.textContent(el))));
  const neighbour = (row) => nextElement(row) || previousElement(row);
  const wordsOf = (row, alone) => {
    const isButton = (el) => Aria.role(el) === 'button';
    const whole = text(row, ROW_LENGTH, isButton, true, alone);
    if (whole.length >= ROW_LENGTH) return whole;
    const beside = neighbour(row);
    const common = beside && Dom.query(row, LINKS).length ? linkTexts(beside) : null;
    const repeated = (el) => common && Dom.matches(el, LINKS) && common.has(Text.clean(Dom.textContent(el)));
    return common ? text(row, ROW_LENGTH, (el) => isButton(el) || repeated(el), true, alone) : whole;
  };
  const rowText = Dom.memo((row) => wordsOf(row, false));
  const seenRow = Dom.memo((row) => wordsOf(row, true));
  // What tells this row from the others: its heading, else its first cell or line of text.
  const rowKey = Dom.memo((row) => {
    const pending = [row];
    let first = '';
    for (let looked = 0; pending.length && looked < 200; looked += 1) {
      const node = pending.pop();
      if (Dom.isText(node)) {
        first = first || (INK.test(Dom.text(node)) && Aria.unread(Dom.parent(node)) ? '' : Text.clean(Dom.text(node)));
        continue;
      }
      const role = Aria.role(node);
      if (SILENT.has(Dom.tag(node)) || Aria.pruned(node) || Aria.interactive(node, role) && role !== 'link') continue;
      if (role === 'heading' || role === 'rowheader') return Text.cut(Aria.seenName(node) || seen(node, 80), 80);
      const inner = Dom.children(node);
      for (let i = inner.length - 1; i >= 0; i -= 1) pending.push(inner[i]);
    }
    return Text.cut(first || seenRow(row), 80);
  });

  const header = Dom.memo((table) => {
    const rows = [...Dom.query(table, 'tr, [role~="row"]')].slice(0, 3);
    for (const row of rows) {
      const cells = Dom.children(row).filter(Dom.isElement);
      if (cells.length && cells.every((cell) => Aria.role(cell) === 'columnheader' || !text(cell, 5))) return cells;
    }
    return [];
  });
  const column = (el) => {
    let cell = el;
    while (cell && !CELLS.has(Aria.role(cell))) cell = Dom.parent(cell);
    if (!cell) return '';
    let table = cell;
    while (table && !/^(?:table|grid|treegrid)$/.test(Aria.role(table) || '')) table = Dom.parent(table);
    const heads = table ? header(table) : [];
    const at = Dom.children(Dom.parent(cell)).filter(Dom.isElement).indexOf(cell);
    return heads[at] && heads[at] !== cell ? Text.cut(seen(heads[at], 60), 60) : '';
  };

  // Rows without an element of their own: controls of the same name that texts stand between. What
  // belongs to one is before it, unless the first of them has nothing before it.
  const CLOSE_BY = 12;
  const MOST_FLAT = 500;
  const sameControl = (el, other) => Dom.tag(other) === Dom.tag(el)
    && Text.clean(Dom.textContent(other)) === Text.clean(Dom.textContent(el));
  const holdsSame = (node, el) => Dom.isElement(node)
    && (sameControl(el, node) || [...Dom.query(node, Dom.tag(el))].slice(0, 5).some((each) => sameControl(el, each)));
  const sameIn = Dom.memo(() => new Map());
  const allAlike = (above, inner, el) => {
    if (inner.length > MOST_FLAT) return [];
    const known = sameIn(above);
    const key = `${Dom.tag(el)} ${Text.clean(Dom.textContent(el))}`;
    if (!known.has(key)) known.set(key, inner.filter((node) => holdsSame(node, el)));
    return known.get(key);
  };
  const flatRow = (el) => {
    let at = el;
    for (let up = 0; up < 3; up += 1) {
      const above = Dom.parent(at);
      if (!above || Dom.tag(above) === 'body' && up) return '';
      const inner = Dom.children(above);
      const here = inner.indexOf(at);
      const alike = allAlike(above, inner, el);
      if (alike.length > 1) {
        const speaks = (node) => (Dom.isText(node) ? Text.clean(Dom.text(node)) : text(node, 80, undefined, true));
        const before = inner.slice(0, inner.indexOf(alike[0])).slice(-CLOSE_BY).some(speaks);
        const said = [];
        for (let i = here + (before ? -1 : 1), seen = 0; inner[i] && seen < CLOSE_BY; i += before ? -1 : 1, seen += 1) {
          if (alike.includes(inner[i])) break;
          said.push(speaks(inner[i]));
        }
        return Text.cut(Text.clean((before ? said.reverse() : said).join(' ')), 120);
      }
      at = above;
    }
    return '';
  };

  const collection = (around) => {
    for (let section = around.sections; section; section = section.up) {
      if (!COLLECTIONS.has(section.role)) continue;
      return section.name ? `${section.role} ${Text.quote(Text.cut(section.name, 60))}` : section.role;
    }
    return 'list';
  };
  // The nearest row that says more than the element itself does.
  const row = (el, around = of(el)) => {
    const own = Words.fold(Aria.name(el) || text(el, 80));
    for (let each = around.rows; each; each = each.up) {
      const said = rowText(each.el);
      if (said && Words.fold(said) !== own) return each.el;
    }
    return null;
  };
  // As results show it: `{collection, rowKey, column?, rowText}`, or null outside of rows.
  const summary = (el) => {
    const around = of(el);
    const found = row(el, around);
    if (!found) return null;
    const head = column(el);
    return {
      collection: collection(around), rowKey: rowKey(found), ...(head && { column: head }),
      rowText: Text.cut(seenRow(found), 120),
    };
  };
  // The nearest heading or named group.
  const section = (el) => {
    for (let each = of(el).sections; each; each = each.up) if (each.name) return Text.cut(each.name, 80);
    return '';
  };

  return Object.freeze({ text, seen, of, row, rowText, rowKey, flatRow, column, summary, section });
})();
