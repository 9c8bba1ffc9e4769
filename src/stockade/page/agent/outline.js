// From entries to lines: what is empty goes, what says one thing says it on one line.
const Outline = (() => {
  const KEEP_EMPTY = new Set(['dialog', 'alertdialog', 'popover', 'alert']);
  const LONG = 8;
  const CONTEXT_LENGTH = 80;
  const LONGEST_LINE = 500;
  const DEEPEST_INDENT = 20;

  const isPlainText = (entry) => entry.kind === 'text' && !entry.mark;
  // What is all plain text may stand on one line, if that line does not become too long.
  const brief = (texts) => texts.length > 0 && texts.every(isPlainText)
    && texts.reduce((sum, text) => sum + text.value.length, 0) <= LONGEST_LINE;

  // What remains of an entry's children once hollow ones made way for their own.
  const gather = (entry) => {
    const out = [];
    const kids = entry.tops && entry.tops.length ? entry.tops.concat(entry.kids) : entry.kids;
    for (const kid of kids) {
      if (kid.fate === 'gone') continue;
      if (kid.fate === 'hollow') for (const inner of kid.out) out.push(inner);
      else out.push(kid);
    }
    return out;
  };

  const joined = (texts) => {
    let said = '';
    for (const text of texts) said += said ? ` ${text.value}` : text.value;
    return said;
  };

  // What holds nothing but other things to act on is none itself, unless it handles clicks.
  const ACTABLE = new Set(['control', 'clickable']);
  const isImage = (entry) => entry.kind === 'image';
  const wraps = (entry, out) => out.length > 0 && out.every((kid) => ACTABLE.has(kid.kind))
    && !entry.tail.includes('[draggable]') && (entry.click !== 'handler' || out.length === 1) && (!entry.name || out.some((kid) => kid.name === entry.name));

  // What a field shows in place of its value, or beside it.
  const FIELDS = new Set(['combobox', 'textbox', 'searchbox', 'spinbutton']);
  const isFieldWithText = (out) => out.filter((kid) => kid.kind === 'control').length === 1
    && out.every((kid) => isPlainText(kid) || (kid.kind === 'control' && FIELDS.has(kid.role)))
    && brief(out.filter(isPlainText));
  // Under the hand of what it is in, without words and without a handler of its own.
  const isUnnamedPart = (entry) => entry.kind === 'clickable' && entry.click !== 'handler' && !entry.name
    && !entry.out.length && !entry.title;

  const RULES = {
    __proto__: null,
    root: () => 'line',
    text: () => 'line',
    range: () => 'line',
    image: () => 'line',
    frame: () => 'line',
    control: (entry, out) => {
      if (brief(out)) {
        const said = joined(out);
        if (entry.role === 'textbox') entry.merged = said;
        else if (said !== entry.name && !entry.tail.includes(' [shows ')) entry.shows = ` [shows ${Line.quoted(said, 160)}]`;
        entry.out = [];
      }
      if (entry.role === 'gridcell' && out.length === 1 && entry.name && out[0].name === entry.name && ACTABLE.has(out[0].kind)) {
        out[0].columns = entry.columns;
        return 'hollow';
      }
      return 'line';
    },
    clickable: (entry, out, look) => {
      const acted = out.filter((kid) => !isImage(kid));
      if (brief(out)) {
        const said = joined(out);
        entry.title = said;
        if (!entry.name) entry.retitled = Line.head(entry.role, said);
        else if (!entry.name.includes(said)) entry.merged = said;
        entry.out = [];
      } else if (!acted.length) {
        if (entry.name) return 'line';
        if (!out.length && entry.click && Clicks.unseen(entry.el)) return 'gone';
        entry.retitled = Line.head(entry.role, out.length ? out[0].name : Icons.name(entry.el));
        entry.out = [];
      } else if (acted.length < out.length && brief(acted)) {
        // Words beside pictures are its name; the pictures of what has a role of its own adorn it.
        entry.title = joined(acted);
        if (!entry.name) entry.retitled = Line.head(entry.role, entry.title);
        else if (!entry.name.includes(entry.title)) entry.merged = entry.title;
        entry.out = entry.role === 'clickable' ? out.filter(isImage) : [];
      } else if (wraps(entry, acted)) {
        entry.out = acted.some((kid) => kid.kind === 'control') ? acted.filter((kid) => !isUnnamedPart(kid)) : acted;
        return 'hollow';
      } else if (!entry.name && isFieldWithText(acted)) {
        const field = acted.find((kid) => kid.kind === 'control');
        const said = joined(acted.filter(isPlainText));
        if (said !== field.value && !field.tail.includes(said)) field.shows = ` [shows ${Line.quoted(said, 160)}]`;
        entry.out = [field];
        return 'hollow';
      } else if (out.length === 1 && out[0].kind === 'heading' && !entry.name && !entry.tail) {
        out[0].ref = true;
        out[0].shows = ' [clickable]';
        return 'hollow';
      } else if (look.interactive) {
        const title = out.find((kid) => kid.kind === 'heading') || out.find(isPlainText);
        if (title && !entry.name) entry.retitled = Line.head(entry.role, title.name || title.value);
        entry.out = out.filter((kid) => kid.kind !== 'text' && kid.kind !== 'heading');
      }
      return 'line';
    },
    heading: (entry, out, look) => {
      if (look.interactive) entry.out = out.filter((kid) => kid.kind !== 'text');
      return entry.name || out.length ? 'line' : 'gone';
    },
    container: (entry, out, look) => {
      if (look.interactive) entry.out = out.filter((kid) => kid.kind !== 'text');
      if (!entry.out.length && entry.click && Clicks.unseen(entry.el)) return 'gone';
      if (!entry.out.length && !(KEEP_EMPTY.has(entry.role) || entry.ref === true && entry.tail)) {
        // A tooltip's words are its name, so there is nothing else in it.
        const said = out.length || entry.role === 'tooltip';
        return look.interactive || !entry.name || !said ? 'gone' : 'line';
      }
      if (look.interactive && entry.ref === 'long' && !entry.name) return 'hollow';
      if (out.length === 1 && isPlainText(out[0])) {
        entry.merged = out[0].value;
        entry.out = [];
      }
      return 'line';
    },
    item: (entry, out, look) => {
      if (!out.length) return entry.ref ? 'line' : 'gone';
      if (look.interactive) return told(entry, out);
      if (out.length === 1 && !isPlainText(out[0]) && (!entry.ref || wraps(entry, out))) return 'hollow';
      if (out[0].kind === 'text' && isPlainText(out[0])) {
        entry.merged = out[0].value;
        entry.out = out.slice(1);
      }
      return 'line';
    },
    cell: (entry, out) => {
      const acted = entry.ref ? out.filter((kid) => !isImage(kid)) : out;
      if (out.length && !brief(acted)) return entry.ref || entry.parent.kind === 'row' ? 'line' : 'hollow';
      entry.merged = joined(acted);
      entry.out = [];
      return 'line';
    },
    row: (entry, out, look) => {
      const cells = out.filter((kid) => kid.columns);
      const inside = out.flatMap((kid) => (kid.kind === 'cell' && !kid.ref ? kid.out : kid));
      entry.header = cells.length > 0 && cells.every((cell) => cell.role === 'columnheader');
      if (look.interactive) {
        entry.header = false;
        return told(entry, out, inside, cells.length > 1 ? columns(cells, false) : '');
      }
      const said = rowText(cells, entry.header);
      if (said.length <= LONGEST_LINE) {
        entry.merged = /[^|\s…]/.test(said) ? said : '';
        entry.out = entry.merged && cells.length > 1 ? inside.filter((kid) => !isPlainText(kid) && kid.kind !== 'image') : inside;
      }
      return entry.merged || entry.out.length || entry.ref ? 'line' : 'gone';
    },
  };

  // Where each cell is one line below, in order, their columns need no line.
  const isOneControl = (cell) => !cell.columns.before && (cell.kind !== 'cell'
    || (!cell.merged && cell.out.length === 1 && ACTABLE.has(cell.out[0].kind)));
  // The cells of a row on one line, each in its column whatever is in it.
  const ELSEWHERE = '…';
  const TOLD_AS_TEXT = new Set(['link', 'clickable', 'heading', 'img', 'gridcell', 'columnheader', 'rowheader']);
  const inCell = (kid, isHeader) => {
    if (isPlainText(kid)) return kid.value;
    return !kid.unseen && (isHeader || TOLD_AS_TEXT.has(kid.role)) ? kid.name || kid.title || ELSEWHERE : ELSEWHERE;
  };
  const cellText = (cell, isHeader) => {
    if (cell.kind !== 'cell') return inCell(cell, isHeader);
    if (cell.merged || !cell.out.length) return cell.merged;
    return cell.out.map((kid) => inCell(kid, isHeader)).join(' ').replace(/…(?: …)+/g, ELSEWHERE);
  };
  const columns = (cells, isHeader) => {
    const all = [];
    for (const cell of cells) {
      const { before, span } = cell.columns;
      for (let i = 0; i < before; i += 1) all.push('');
      all.push(cellText(cell, isHeader));
      for (let i = 1; i < span; i += 1) all.push('');
    }
    while (all.length > 1 && (all.at(-1) === '' || all.at(-1) === ELSEWHERE)) all.pop();
    return all.join(' | ');
  };

  const rowText = (cells, isHeader) => {
    if (cells.length === 1) return (!cells[0].ref && cells[0].merged) || '';
    return !isHeader && cells.every(isOneControl) ? '' : columns(cells, isHeader);
  };

  // In interactive mode a row or item is told only when it tells its controls apart.
  const told = (entry, out, inside = out, row = '') => {
    const controls = inside.filter((kid) => kid.kind !== 'text' && (kid.kind !== 'cell' || kid.ref));
    entry.out = controls;
    if (!controls.length) return entry.ref ? 'line' : 'gone';
    const texts = out.filter((kid) => kid.kind === 'text' || kid.kind === 'cell')
      .map((kid) => (kid.kind === 'text' ? kid.value : kid.merged || '')).filter(Boolean);
    const said = texts.length && row ? row : texts.join(' | ');
    if (!said) return entry.ref ? 'line' : 'hollow';
    entry.merged = Text.cut(said, CONTEXT_LENGTH);
    return 'line';
  };

  const settle = (outline) => {
    const { entries } = outline;
    for (let i = entries.length - 1; i >= 0; i -= 1) {
      const entry = entries[i];
      if (entry.gone) continue;
      entry.merged = '';
      entry.shows = '';
      entry.retitled = '';
      entry.out = gather(entry);
      entry.fate = RULES[entry.kind](entry, entry.out, outline);
    }
    outline.root.out = gather(outline.root);
  };

  // In interactive mode a heading is there for the controls that follow it, and nothing else for
  // its own sake.
  const SPEAKS = new Set(['control', 'clickable', 'frame', 'range']);
  const withoutIdleLines = (lines) => {
    let heading = null;
    for (const line of lines) {
      const { entry } = line;
      line.idle = entry.kind === 'image' || (entry.kind === 'text' && (entry.parent.kind !== 'control' || entry.part > 0));
      if (entry.kind === 'heading' && !entry.out.length) {
        line.idle = true;
        heading = line;
      } else if (heading && SPEAKS.has(entry.kind)) {
        heading.idle = false;
        heading = null;
      }
    }
    for (let i = lines.length - 1; i >= 0; i -= 1) {
      const line = lines[i];
      const { kind, out, ref } = line.entry;
      if (kind === 'container' && !line.busy && (out.length || !ref)) line.idle = true;
      if (!line.idle && line.above) line.above.busy = true;
    }
    return lines.filter((line) => !line.idle);
  };

  const hasRef = (entry) => entry.ref === true
    || (entry.ref === 'long' && (entry.out.length >= LONG || entry.out.some((kid) => kid.kind === 'range')));

  // A text that the next line begins with, as its name, is told by that.
  const labels = (text, next) => Boolean(next) && isPlainText(text) && text.value === next.name
    && (next.kind === 'control' || next.kind === 'container');

  // Lines in reading order: {entry, depth, above: the line it is nested in, or null}.
  const lines = (outline) => {
    settle(outline);
    const found = [];
    const pending = [];
    const open = (entry, depth, above) => {
      const { out } = entry;
      for (let i = out.length - 1; i >= 0; i -= 1) {
        if (!labels(out[i], out[i + 1])) pending.push({ entry: out[i], depth, above, cost: 0 });
      }
    };
    open(outline.root, 0, null);
    while (pending.length) {
      const line = pending.pop();
      found.push(line);
      if (line.entry.kind !== 'range') open(line.entry, line.depth + 1, line);
    }
    return outline.interactive ? withoutIdleLines(found) : found;
  };

  const PLURALS = {
    __proto__: null, row: 'rows', listitem: 'items', option: 'options', article: 'articles', link: 'links',
    button: 'buttons', cell: 'cells', gridcell: 'cells', treeitem: 'items', menuitem: 'items',
  };
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

  const scopeOf = (entry) => {
    for (let up = entry.parent; up; up = up.parent) {
      if (up.fate === 'line' && up.el && hasRef(up)) return up;
    }
    return null;
  };

  const FOLDS = new Set(['fold', 'depth']);
  const fold = (entry) => {
    if (!FOLDS.has(entry.cause)) return { before: '', after: '', el: null };
    const holder = scopeOf(entry);
    const [before, after] = holder ? [' (scope: ', ')'] : ['', ''];
    const el = holder ? holder.el : null;
    if (entry.cause === 'depth') return { before: `... more inside${before}`, after, el };
    const what = PLURALS[entry.what] ? ` ${PLURALS[entry.what]}` : '';
    const alike = entry.what === 'option' ? '' : ' like this';
    const count = `${entry.vague ? 'about ' : ''}${grouped(entry.count)}`;
    return { before: `... ${count} more${what}${alike}${before}`, after, el };
  };

  const indent = (depth) => '  '.repeat(Math.min(depth, DEEPEST_INDENT));

  // What a line says: `before`, the ref of `el` if there is one, `after`.
  const parts = (entry) => {
    if (entry.kind === 'text') {
      return { before: `- text${entry.mark ? ` [${entry.mark}]` : ''}: ${entry.value}`, after: '', el: null };
    }
    if (entry.kind === 'range') return fold(entry);
    const value = entry.value || entry.merged;
    const after = `${entry.tail}${entry.header ? ' [header]' : ''}${entry.shows}${value ? `: ${value}` : ''}`;
    const before = `- ${entry.retitled || entry.head}`;
    return hasRef(entry) ? { before: `${before} [`, after: `]${after}`, el: entry.el } : { before, after, el: null };
  };

  return Object.freeze({ lines, parts, indent, hasRef, grouped });
})();
