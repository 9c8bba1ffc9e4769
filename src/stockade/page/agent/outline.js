// From entries to lines: what is empty goes, what says one thing says it on one line.
const Outline = (() => {
  const KEEP_EMPTY = new Set(['dialog', 'alertdialog', 'popover', 'alert']);
  const LONG = 8;
  const CONTEXT_LENGTH = 80;
  const DEEPEST_INDENT = 20;

  const isPlainText = (entry) => entry.kind === 'text' && !entry.mark;

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

  const RULES = {
    __proto__: null,
    root: () => 'line',
    text: () => 'line',
    range: () => 'line',
    image: () => 'line',
    frame: () => 'line',
    control: (entry, out) => {
      if (out.length && out.every(isPlainText)) {
        const said = joined(out);
        if (entry.role === 'textbox') entry.merged = said;
        else if (said !== entry.name) entry.shows = ` [shows ${Line.quoted(said, 160)}]`;
        entry.out = [];
      }
      return 'line';
    },
    clickable: (entry, out, look) => {
      if (out.length && out.every(isPlainText)) {
        const said = joined(out);
        if (!entry.name) entry.retitled = Line.head('clickable', said);
        else if (!entry.name.includes(said)) entry.merged = said;
        entry.out = [];
      } else if (look.interactive) {
        const [first] = out.filter(isPlainText);
        if (first && !entry.name) entry.retitled = Line.head('clickable', first.value);
        entry.out = out.filter((kid) => kid.kind !== 'text');
      }
      return 'line';
    },
    heading: (entry, out, look) => {
      if (look.interactive) entry.out = out.filter((kid) => kid.kind !== 'text');
      return entry.name || out.length ? 'line' : 'gone';
    },
    container: (entry, out, look) => {
      if (look.interactive) entry.out = out.filter((kid) => kid.kind !== 'text');
      if (!entry.out.length && !(KEEP_EMPTY.has(entry.role) || entry.ref === true && entry.tail)) {
        return look.interactive || !entry.name || !out.length ? 'gone' : 'line';
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
      if (out.length === 1 && !entry.ref && !isPlainText(out[0])) return 'hollow';
      if (out[0].kind === 'text' && isPlainText(out[0])) {
        entry.merged = out[0].value;
        entry.out = out.slice(1);
      }
      return 'line';
    },
    cell: (entry, out) => {
      if (out.length && !out.every(isPlainText)) return entry.ref ? 'line' : 'hollow';
      entry.merged = joined(out);
      entry.out = [];
      return 'line';
    },
    row: (entry, out, look) => {
      const cells = out.filter((kid) => kid.kind === 'cell' && !kid.ref);
      const others = out.filter((kid) => kid.kind !== 'cell' || kid.ref);
      if (look.interactive) return told(entry, out);
      const said = cells.map((cell) => cell.merged || '');
      if (said.some(Boolean)) entry.merged = said.join(' | ');
      entry.header = cells.length > 0 && cells.every((cell) => cell.role === 'columnheader');
      entry.out = others;
      return entry.merged || others.length || entry.ref ? 'line' : 'gone';
    },
  };

  // In interactive mode a row or item is told only when it tells its controls apart.
  const told = (entry, out) => {
    const controls = out.filter((kid) => kid.kind !== 'text' && kid.kind !== 'cell');
    entry.out = controls;
    if (!controls.length) return entry.ref ? 'line' : 'gone';
    const said = out.filter((kid) => kid.kind === 'text' || kid.kind === 'cell')
      .map((kid) => (kid.kind === 'text' ? kid.value : kid.merged || '')).filter(Boolean).join(' | ');
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

  // A heading of interactive mode is there for the controls that follow it; loose text is not.
  const withoutIdleLines = (lines) => {
    const kept = [];
    let pending = null;
    for (const line of lines) {
      if (line.entry.kind === 'text' && line.entry.parent.kind !== 'control') continue;
      if (line.entry.kind === 'heading' && !line.entry.out.length) {
        pending = line;
        continue;
      }
      if (pending && (line.entry.kind === 'control' || line.entry.kind === 'clickable')) {
        kept.push(pending);
        pending = null;
      }
      kept.push(line);
    }
    return kept;
  };

  const hasRef = (entry) => entry.ref === true
    || (entry.ref === 'long' && (entry.out.length >= LONG || entry.out.some((kid) => kid.kind === 'range')));

  // Lines in reading order: {entry, depth, above: the line it is nested in, or null}.
  const lines = (outline) => {
    settle(outline);
    const found = [];
    const pending = [];
    const open = (entry, depth, above) => {
      for (let i = entry.out.length - 1; i >= 0; i -= 1) pending.push({ entry: entry.out[i], depth, above, cost: 0 });
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

  const foldText = (entry, refText) => {
    const holder = scopeOf(entry);
    const how = holder ? ` (scope: ${refText(holder.el)})` : '';
    if (entry.cause === 'depth') return `... more inside${how}`;
    const what = PLURALS[entry.what];
    const alike = entry.what === 'option' ? '' : ' like this';
    return `... ${entry.vague ? 'about ' : ''}${grouped(entry.count)} more${what ? ` ${what}` : ''}${alike}${how}`;
  };

  const indent = (depth) => '  '.repeat(Math.min(depth, DEEPEST_INDENT));

  // The line without its indent. `refText(el)` gives the ref to print.
  const say = (entry, refText) => {
    if (entry.kind === 'text') return `- text${entry.mark ? ` [${entry.mark}]` : ''}: ${entry.value}`;
    if (entry.kind === 'range') return foldText(entry, refText);
    const ref = hasRef(entry) ? ` [${refText(entry.el)}]` : '';
    const head = entry.retitled || entry.head;
    const header = entry.header ? ' [header]' : '';
    const value = entry.value || entry.merged;
    return `- ${head}${ref}${entry.tail}${header}${entry.shows}${value ? `: ${value}` : ''}`;
  };

  return Object.freeze({ lines, say, indent, hasRef, grouped });
})();
