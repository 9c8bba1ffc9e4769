// What was left out of the last snapshots, so that a continuation goes on with the same state.
// Lines are kept as they were written; what was never walked is walked on demand, if it has not
// changed since.
const Frozen = (() => {
  const KEPT = 4;
  const MOST_CALLERS = 32;
  const MOST_LINES = 20000;
  const HOLE = '\u0000';
  const SHORTEST = 4;

  const snapshots = new Map();

  const keptFor = (caller) => {
    const kept = snapshots.get(caller) || [];
    snapshots.delete(caller);
    snapshots.set(caller, kept);
    if (snapshots.size > MOST_CALLERS) snapshots.delete(snapshots.keys().next().value);
    return kept;
  };

  const reserve = () => ({ id: Refs.spend(), at: performance.now(), rest: [], options: null });
  const token = (frozen, position, prefix) => `${prefix}s${frozen.id}.${position}`;

  const weakly = (node) => (node ? new WeakRef(node) : null);
  const alive = (weak) => (weak ? weak.deref() || null : null);

  const thawable = (entry) => entry.kind === 'range' && Number.isFinite(entry.prio);

  const freezeRange = ({ entry, depth }) => {
    const { entry: _, ...context } = entry.context;
    return {
      depth, under: under(entry.parent),
      range: {
        el: weakly(entry.el), first: weakly(entry.first), stop: weakly(entry.stop), slotted: Boolean(entry.list),
        from: entry.from, to: entry.to, cause: entry.cause, prio: entry.prio, passed: entry.passed, shown: entry.shown,
        inline: entry.inline, block: weakly(entry.block), context,
      },
    };
  };
  const freezeLine = ({ entry, depth }) => {
    const { before, after, el } = Outline.parts(entry);
    const text = el ? `${before}${HOLE}${after}` : before + after;
    return { depth, under: under(entry.parent), text, el: weakly(el) };
  };
  const under = (entry) => {
    for (let up = entry; up; up = up.parent) if (up.head && up.fate === 'line') return up.retitled || up.head;
    return '';
  };
  const restOf = (lines) => {
    const rest = [];
    for (const line of lines) {
      if (rest.length >= MOST_LINES) break;
      if (thawable(line.entry)) rest.push(freezeRange(line));
      else if (!line.chosen) rest.push(freezeLine(line));
    }
    return rest;
  };

  const hold = (caller, frozen) => {
    const kept = keptFor(caller);
    kept.push(frozen);
    if (kept.length > KEPT) kept.shift();
  };

  const keep = (caller, frozen, lines, options) => {
    frozen.rest = restOf(lines);
    frozen.options = { ...options, changed: [], scoped: true };
    hold(caller, frozen);
  };

  // As many rows {text with a hole for the ref, el, rank} as the budget allows, in their order, those
  // of the lowest rank first; the others can be asked for.
  const page = (caller, rows, budget, prefix) => {
    const refText = (el) => Refs.text(Refs.of(el), prefix);
    const costs = rows.map((row) => Text.tokens(`${row.text}${row.el ? '0'.repeat(prefix.length + 7) : ''}\n`));
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    const frozen = total > budget ? reserve() : null;
    const left = (count) => `… ${count} more change${count === 1 ? '' : 's'}; continue: ${token(frozen, 0, prefix)}`;
    const chosen = new Set();
    let used = frozen ? Text.tokens(`${left(rows.length)}\n`) : 0;
    const order = rows.map((row, at) => at).sort((one, other) => rows[one].rank - rows[other].rank || one - other);
    for (const at of order) {
      used += costs[at];
      if (used > budget) break;
      chosen.add(rows[at]);
    }
    const shown = rows.filter((row) => chosen.has(row));
    const said = shown.map((row) => (row.el ? row.text.replaceAll(HOLE, refText(row.el)) : row.text));
    if (!frozen) return { text: said.join('\n'), rows: shown, truncated: false, continuation: null };
    frozen.rest = rows.filter((row) => !chosen.has(row))
      .map((row) => ({ depth: 0, under: '', text: row.text, el: weakly(row.el) }));
    frozen.options = {};
    hold(caller, frozen);
    const text = [...said, left(frozen.rest.length)].join('\n');
    return {
      text: Text.tokens(text) <= budget ? text : '', rows: shown,
      truncated: true, continuation: token(frozen, 0, prefix),
    };
  };

  const CHANGED = '… this part changed after the snapshot; take a new one to see it';

  // Walks a range that was left out: its lines, in the same form as frozen ones.
  const thaw = (frozen, item, budget) => {
    const { range } = item;
    const el = alive(range.el);
    const first = alive(range.first);
    const gone = { depth: item.depth, under: item.under, text: CHANGED, el: null };
    if (!el || !Dom.connected(el) || Observe.lastMutation(el) > frozen.at) return [gone];
    const list = range.slotted ? Dom.assigned(el) : null;
    if (!list && !first) return [gone];
    const opened = Walk.openRange({
      ...range, el, first, stop: alive(range.stop), list, block: alive(range.block) || el,
    }, { ...frozen.options, budget, since: frozen.at });
    if (opened.changed) return [gone];
    const lines = Outline.lines(opened);
    for (const line of lines) {
      line.chosen = false;
      line.depth += item.depth;
    }
    return restOf(lines);
  };

  const find = (caller, name) => {
    const parts = /^(?:f\d+)?s(\d+)\.(\d+)$/.exec(name);
    const frozen = parts && (snapshots.get(caller) || []).find(({ id }) => id === Number(parts[1]));
    if (!frozen) {
      Agent.fail('stale_continuation', 'that snapshot is no longer kept; take a new one', { continuation: name });
    }
    return { frozen, position: Number(parts[2]) };
  };

  const write = (item, refText) => {
    if (!item.text.includes(HOLE)) return item.text;
    const el = alive(item.el);
    return el ? item.text.replaceAll(HOLE, refText(el)) : item.text.replace(` [${HOLE}]`, '').replaceAll(HOLE, '?');
  };

  const proceed = (caller, args) => {
    const { frozen, position } = find(caller, args.continuation);
    const { budget } = Render.optionsOf(args);
    const prefix = args.prefix || '';
    const refText = (el) => Refs.text(Refs.of(el), prefix);
    const { rest } = frozen;
    const footer = (at) => `\n… more lines; continue: ${token(frozen, at, prefix)}`;
    const most = budget - Text.tokens(footer(rest.length + 10000));
    const rows = [];
    let used = 0;
    let shownUnder = null;
    let refs = 0;
    let at = position;
    for (; at < rest.length; at += 1) {
      while (at < rest.length && rest[at].range) rest.splice(at, 1, ...thaw(frozen, rest[at], budget));
      if (at >= rest.length) break;
      const item = rest[at];
      const pad = Outline.indent(item.depth);
      let row = `${pad}${write(item, refText)}`;
      let heading = item.under !== shownUnder && item.under ? `${pad}… in ${item.under}` : '';
      let cost = Text.tokens(`${row}\n`) + (heading ? Text.tokens(`${heading}\n`) : 0);
      if (used + cost > most) {
        if (rows.length || most < SHORTEST) break;
        // A line that no page has room for is cut, so that the next page gets further.
        row = Text.cut(row, most);
        heading = '';
        cost = Text.tokens(`${row}\n`);
      }
      if (heading) rows.push(heading);
      shownUnder = item.under;
      rows.push(row);
      used += cost;
      const el = alive(item.el);
      if (el && item.text.includes(`[${HOLE}]`)) {
        Refs.show(caller, el);
        Memory.noteShown(caller, el);
        refs += 1;
      }
    }
    const more = at < rest.length;
    const whole = (rows.join('\n') + (more ? footer(at) : '')).replace(/^\n/, '');
    const text = Text.tokens(whole) <= budget ? whole : '';
    return {
      text, refs, interactive: refs, nodes: 0, hidden: 0, tokens: Text.tokens(text), truncated: more, limited: null,
      continuation: more ? token(frozen, at, prefix) : null, more: rest.length - at, frames: [], suspects: 0,
      focused: false, url: location.href, title: '',
    };
  };

  return Object.freeze({ HOLE, reserve, token, keep, page, proceed });
})();
