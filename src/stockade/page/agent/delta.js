// What changed since a caller last looked: only what was touched is walked again.
const Delta = (() => {
  const DEFAULT_BUDGET = 800;
  const MOST_ROOTS = 200;
  const MILLISECONDS = 150;
  const SHOWN = { visibilityProperty: true };
  const words = (string) => new Set(string.split(' '));
  const REGIONS = words('dialog alertdialog alert status banner complementary tablist menu menubar tooltip toolbar '
    + 'listbox popover');
  const OWNERS = words('item row clickable control heading');
  const INLINE = words('a abbr b bdi bdo cite code em i label mark s small span strong sub sup time u var');
  const TYPED = words('textbox searchbox combobox spinbutton');
  const COMMON = words('button option');
  const REREAD = words('button checkbox combobox listbox radio searchbox slider spinbutton switch textbox option');

  const documentElement = Dom.getter(Document.prototype, 'documentElement');
  const position = Dom.method(Node.prototype, 'compareDocumentPosition');
  const shadowHost = Dom.getter(ShadowRoot.prototype, 'host');

  // The element whose lines a change inside `el` can touch.
  const lift = (look, el) => {
    let best = el;
    while (INLINE.has(Dom.tag(best)) && Dom.parent(best)) best = Dom.parent(best);
    for (let up = best, steps = 0; up && steps < 14; up = Dom.parent(up), steps += 1) {
      const known = look.byNode.get(up);
      if (!known) continue;
      if (OWNERS.has(known.kind) || known.merged) best = up;
      else if (known.kind === 'container') break;
    }
    return best;
  };
  const elementFor = (node) => {
    if (node === document) return documentElement(document);
    if (node instanceof ShadowRoot) return shadowHost(node);
    return Dom.isElement(node) ? node : Dom.parent(node);
  };

  const stillUnseen = (el) => Aria.pruned(el) || !Dom.checkVisibility(el, SHOWN) || Boolean(Aria.concealment(el));

  // Elements that were put where the caller's last look had reached.
  const newcomers = (look, node) => {
    const el = elementFor(node);
    if (!el || !Dom.connected(el) || !look.seen.has(el)) return [];
    const owner = look.byNode.get(lift(look, el));
    if (owner && (OWNERS.has(owner.kind) || owner.merged)) return []; // told with its line
    const isNew = (kid) => Dom.isElement(kid) && !look.seen.has(kid) && !Memory.unseen(look, kid);
    return Dom.children(Dom.shadow(el) || el).filter(isNew);
  };

  // What has to be walked again: {tops, path}, `path` being all elements that lead to a change.
  const touched = (caller, look) => {
    const { all, roots } = Observe.dirty(caller);
    const moved = Moved.since(caller, look);
    if (all || roots.size > MOST_ROOTS) {
      const tops = [...new Set([...roots].slice(0, MOST_ROOTS).flatMap((node) => newcomers(look, node)))];
      return { all: true, tops: [...tops, documentElement(document)], path: new Set(), revealed: new WeakSet(), moved, roots };
    }
    const lifted = new Set();
    for (const node of roots) {
      const el = elementFor(node);
      if (el && Dom.connected(el)) lifted.add(lift(look, el));
    }
    const revealed = new WeakSet();
    for (const el of moved) {
      lifted.add(lift(look, el));
      if (!look.byNode.has(el)) revealed.add(el);
    }
    look.unseen = look.unseen.filter((weak) => {
      const el = weak.deref();
      if (!el || !Dom.connected(el)) return false;
      if (stillUnseen(el)) return true;
      lifted.add(lift(look, el));
      revealed.add(el);
      return false;
    });
    const path = new Set();
    for (const el of lifted) for (let up = el; up && !path.has(up); up = Dom.parent(up)) path.add(up);
    const inAnother = (el) => {
      for (let up = Dom.parent(el); up; up = Dom.parent(up)) if (lifted.has(up)) return true;
      return false;
    };
    const tops = [...lifted].filter((el) => !inAnother(el));
    tops.sort((one, other) => (position(one, other) & 4 ? -1 : 1));
    return { all: false, tops, path, revealed, moved };
  };

  // Not all of a page that is walked as a whole is opened: what came is walked by itself before.
  const isWhole = (span, top) => span.all && top === documentElement(document);

  // Lines of one top, walked as the caller's last look was.
  const walkAgain = (look, top, span, seen) => {
    const whole = isWhole(span, top);
    const outline = Walk.open(top, {
      ...look.options, budget: 20000, ms: MILLISECONDS, scoped: !whole, changed: [],
      unfold: !whole, depth: 0, seen,
      // A child of a container that nothing touched reads as it did.
      vouch: whole ? null : (el, frame) => {
        const { entry } = frame.context;
        if (span.path.has(el) || (entry.kind !== 'container' && entry.kind !== 'root') || frame.inline) return false;
        const known = entry.el && look.byNode.get(entry.el);
        if (known && known.merged) return false;
        // What was hidden until now was forgotten with all that is in it.
        if (span.revealed.has(frame.el)) {
          span.revealed.add(el);
          return false;
        }
        return look.seen.has(el) || (el !== top && Memory.unseen(look, el));
      },
    });
    const lines = Outline.lines(outline).filter((line) => line.entry.kind !== 'text' || line.entry.part === 0);
    Budget.price(lines, 6, '');
    return { outline, lines };
  };

  const shownNow = (node, owner) => {
    const el = Dom.isElement(node) ? node : owner;
    return Boolean(el) && Dom.connected(node) && (Dom.checkVisibility(el, SHOWN) || !Aria.pruned(el));
  };

  const isUnder = (el, roots) => {
    for (let up = el; up; up = Dom.parent(up)) if (roots.has(up)) return true;
    return false;
  };

  // Compares, and brings the look up to date. Answers changes {sign, line | record, number}.
  const compare = (look, span) => {
    const changes = [];
    const stamp = look.count + 1;
    const walked = new Set();
    const outcome = { limited: null, suspects: 0 };
    for (const top of span.tops) {
      const dark = !look.seen.has(top) && Memory.unseen(look, top);
      const whole = isWhole(span, top);
      const come = whole ? new Set(walked) : walked;
      const { outline, lines } = walkAgain(look, top, span, { add: (el) => walked.add(el) });
      outcome.limited = outcome.limited || outline.limited;
      outcome.suspects += outline.suspects;
      for (const line of lines) {
        const { entry } = line;
        if (entry.kind === 'range' || (whole && come.has(entry.owner || entry.el))) continue;
        const known = look.byNode.get(entry.el);
        const saying = Memory.said(line);
        if (known) {
          known.stamp = stamp;
          const moved = span.moved.size ? Moved.behind(span.moved, line) : null;
          if (moved) changes.push({ sign: '~', line, known, moved });
          else if (known.said !== saying && differs(known, entry, saying)) changes.push({ sign: '~', line, known });
          else if (known.said !== saying) known.said = saying;
        } else {
          const el = entry.owner || entry.el;
          const news = !dark && !Memory.unseen(look, el);
          if (news || !whole || isUnder(el, span.roots)) changes.push({ sign: news ? '+' : '~', line, dark: !news });
        }
      }
      for (const el of outline.unseen) look.unseen.push(new WeakRef(el));
      for (const { entry } of lines) if (entry.kind === 'range') Memory.noteRange(look, entry);
    }
    for (const known of look.records.values()) {
      if (known.stamp === stamp) continue;
      const node = known.node.deref();
      const owner = known.owner ? known.owner.deref() : null;
      if (node && shownNow(node, owner)) {
        if (known.kind === 'text' && owner && walked.has(owner)) changes.push({ sign: '-', known });
        else reread(look, known, node, changes);
      } else {
        changes.push({ sign: '-', known });
      }
    }
    for (const el of walked) look.seen.add(el);
    return { changes, outcome };
  };

  // The focus comes and goes with every click; it is news only where one can type.
  const FOCUS = ' [focused]';
  const differs = (known, entry, saying) => {
    if (known.said.replace(FOCUS, '') !== saying.replace(FOCUS, '')) return true;
    return saying.includes(FOCUS) && TYPED.has(entry.role);
  };

  // Values and checks change without a trace in the document.
  const reread = (look, known, node, changes) => {
    if (known.kind !== 'control' || !REREAD.has(known.role)) return;
    const role = Aria.role(node);
    const now = Line.control(node, role, known.role, look.options.urls);
    if (now.tail === known.tail && now.value === known.value && now.name === known.name) return;
    const entry = {
      kind: 'control', el: node, role: known.role, ref: known.number > 0, out: [],
      merged: '', shows: '', retitled: '', ...now,
    };
    if (known.merged || !known.said.startsWith(known.role)) return;
    const line = { entry, depth: 0, above: null, ...Outline.parts(entry) };
    const saying = Memory.said(line);
    if (known.said === saying) return;
    const news = differs(known, entry, saying);
    Object.assign(known, { said: saying, tail: now.tail, value: now.value, name: now.name });
    if (news) changes.push({ sign: '~', line, known });
  };

  const labelOf = (known) => {
    for (let up = known; up; up = up.above) {
      if (up.kind === 'container' && (up.number || up.name)) return up;
    }
    return null;
  };
  const holderOf = (look, entry) => {
    for (let up = Dom.parent(entry.owner || entry.el); up; up = Dom.parent(up)) {
      const known = look.byNode.get(up);
      if (known && known.kind === 'container' && (known.number || known.name)) return known;
    }
    return null;
  };

  const regions = (changes, sign) => changes
    .filter((change) => change.sign === sign && REGIONS.has(sign === '+' ? change.line.entry.role : change.known.role))
    .slice(0, 20);

  // What comes first where not all can be told: dialogs and lists with what is in them, then fields.
  const [FIRST, NEXT, LAST] = [0, 1, 2];
  const rankOf = (line) => {
    for (let up = line; up; up = up.above) if (REGIONS.has(up.entry.role)) return FIRST;
    return REREAD.has(line.entry.role) && !COMMON.has(line.entry.role) ? NEXT : LAST;
  };

  const DARK_LINES = 5;
  // What is gone is known by its words; of many together the refs will do.
  const MOST_GONE = 6;
  const compose = (look, changes, prefix) => {
    const rows = [];
    const depths = new Map();
    const many = Redrawn.isMany(changes);
    let holder = null;
    let dark = 0;
    const under = (next) => {
      if (next && next !== holder) {
        const ref = next.number ? ` [${Refs.text(next.number, prefix)}]` : '';
        rows.push({ text: `in ${Line.head(next.role, next.name)}${ref}:`, el: null, rank: LAST });
      }
      holder = next;
    };
    const add = (depth, text, el, change, rank) => {
      rows.push({ text: `${Outline.indent(depth)}${text}`, el, change, rank });
    };
    for (const change of changes) {
      const { sign, line } = change;
      if (sign === '-' || sign === '=' || (change.was && many)) continue;
      dark = change.dark ? dark + 1 : 0;
      if (dark > DARK_LINES) continue;
      const nested = line.above ? depths.get(line.above) : undefined;
      if (nested === undefined) under(holderOf(look, line.entry));
      const depth = nested === undefined ? (holder ? 1 : 0) : nested + 1;
      depths.set(line, depth);
      const was = change.was ? `, was ${Refs.text(change.was, prefix)}` : '';
      const moved = change.moved ? `, moved ${Moved.place(look, change.moved, prefix)}` : '';
      const ref = line.el ? Frozen.HOLE : '';
      add(depth, `${sign}${line.before.slice(1)}${ref}${line.after}${was}${moved}`, line.el, change, rankOf(line));
    }
    if (many) {
      const redrawn = changes.filter(({ was }) => was);
      rows.push({ text: Redrawn.row(redrawn, prefix), el: null, change: { sign: '=' }, rank: NEXT, redrawn });
    }
    const lost = new Set(changes.filter(({ sign }) => sign === '-').map(({ known }) => known));
    const gone = [...lost].filter((known) => known.chosen && !lost.has(known.above));
    const controls = gone.filter((known) => known.number && known.kind !== 'container' && !REGIONS.has(known.role));
    const listed = controls.length > MOST_GONE ? new Set(controls) : new Set();
    for (const known of gone) {
      if (listed.has(known)) continue;
      under(labelOf(known.above));
      const ref = known.number ? ` [${Refs.text(known.number, prefix)}]` : '';
      add(holder ? 1 : 0, `- ${brief(known)}${ref}`, null, { sign: '-' }, REGIONS.has(known.role) ? FIRST : LAST);
    }
    if (listed.size) {
      const refs = Refs.spans([...listed].map(({ number }) => number), prefix);
      add(0, `- ${listed.size} elements gone: ${refs}`, null, { sign: '-' }, LAST);
    }
    return rows;
  };
  const brief = (known) => {
    if (known.kind === 'text' || known.merged || !known.name) return Text.cut(known.said, 100);
    return Line.head(known.role, known.name);
  };

  const settleLook = (look, changes) => {
    for (const { sign, known, line } of changes) {
      if (sign === '-') {
        Memory.forget(look, known);
      } else {
        const made = Memory.record(look, line, true);
        if (made && !made.above) made.above = holderOf(look, line.entry);
      }
    }
  };

  // Rows whose words the caller has now been told: the refs in them count as shown again.
  const showAgain = (caller, look, rows) => {
    const told = new Set();
    const lines = rows.flatMap(({ change, redrawn }) => redrawn || (change ? [change] : []));
    for (const change of lines) {
      if (change.was) Refs.replace(change.was, Refs.of(change.line.el));
      if (change.sign === '-') continue;
      const { entry } = change.line;
      if (change.line.el) Refs.show(caller, change.line.el);
      told.add(entry.owner || entry.el);
    }
    if (!told.size) return;
    for (const known of look.records.values()) {
      const el = known.number && known.chosen ? known.node.deref() : null;
      for (let up = el, steps = 0; up && steps < 8; up = Dom.parent(up), steps += 1) {
        if (told.has(up)) {
          Refs.show(caller, el);
          break;
        }
      }
    }
  };

  const delta = (args) => {
    const caller = args.caller || '';
    const look = Memory.lookOf(caller);
    if (look && Clicks.unheard(args, true)) return { unheard: true, roots: Observe.grownRootCount() };
    if (!look) return { ...(args.known ? {} : Render.snapshot(args)), fresh: true };
    const prefix = args.prefix || '';
    const budget = args.budget > 0 ? Math.floor(args.budget) : DEFAULT_BUDGET;
    const span = touched(caller, look);
    const { changes: raw, outcome } = compare(look, span);
    const changes = Redrawn.pair(raw, caller);
    const rows = compose(look, changes, prefix);
    const told = Frozen.page(caller, rows, budget, prefix);
    settleLook(look, raw);
    showAgain(caller, look, told.rows);
    Observe.look(caller);
    return {
      text: told.text,
      fresh: false,
      origin: self.origin,
      changes: rows.filter((row) => row.change).length,
      appeared: regions(changes, '+').map(({ line: { entry } }) => ({
        role: entry.role, name: entry.name, ref: Outline.hasRef(entry) ? Refs.text(Refs.of(entry.el), prefix) : null,
      })),
      removed: regions(changes, '-').map(({ known }) => ({
        role: known.role, name: known.name, ref: known.number ? Refs.text(known.number, prefix) : null,
      })),
      frames: told.rows.flatMap((row, at) => (
        row.change && row.change.sign === '+' && row.change.line.entry.kind === 'frame'
          ? [{ ref: Refs.of(row.change.line.el), row: at, indent: row.text.length - row.text.trimStart().length }] : []
      )),
      tokens: Text.tokens(told.text),
      truncated: told.truncated,
      continuation: told.continuation,
      limited: outcome.limited,
      suspects: outcome.suspects,
    };
  };

  Agent.expose('delta', Pass.over(delta));

  return Object.freeze({ delta });
})();
