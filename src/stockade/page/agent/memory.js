// What each caller has seen of the document: the lines of its last look, and where it did not look.
const Memory = (() => {
  const MOST_CALLERS = 32;
  const MOST_RECORDS = 20000;
  const FOLLOWS = 4;
  const PRECEDES = 2;

  const lastChild = Dom.getter(Node.prototype, 'lastChild');
  const previousSibling = Dom.getter(Node.prototype, 'previousSibling');
  const previousElement = Dom.getter(Element.prototype, 'previousElementSibling');
  const position = Dom.method(Node.prototype, 'compareDocumentPosition');

  const looks = new Map();

  const lookOf = (caller) => looks.get(caller) || null;
  const fresh = (caller, options) => {
    const look = {
      caller, options, records: new Map(), byNode: new WeakMap(), seen: new WeakSet(), ranges: new WeakMap(),
      hidden: new WeakSet(), waited: 0, unseen: [], count: 0,
    };
    looks.delete(caller);
    looks.set(caller, look);
    if (looks.size > MOST_CALLERS) looks.delete(looks.keys().next().value);
    return look;
  };

  // A record: what one line said. `node` is an element, or the first text node of a run.
  const record = (look, line, chosen) => {
    const { entry } = line;
    const node = entry.el;
    const old = look.byNode.get(node);
    if (old) look.records.delete(old.id);
    if (look.records.size >= MOST_RECORDS) return null;
    look.count += 1;
    const numbered = Outline.hasRef(entry);
    const made = {
      id: look.count, node: new WeakRef(node), owner: entry.owner ? new WeakRef(entry.owner) : null,
      kind: entry.kind, role: entry.role, name: entry.name, said: said(line), merged: Boolean(entry.merged),
      tail: entry.tail, value: entry.value, chosen,
      above: line.above ? look.byNode.get(line.above.entry.el) || null : null,
      numbered, given: numbered ? Refs.known(node) || 0 : 0, stamp: 0,
      // A line that did not fit gets its ref when the caller asks for the rest.
      get number() {
        const el = this.numbered && !this.given ? this.node.deref() : null;
        if (el) this.given = Refs.known(el) || 0;
        return this.given;
      },
    };
    look.records.set(made.id, made);
    look.byNode.set(node, made);
    return made;
  };
  const said = (line) => (line.el ? line.before.slice(0, -2) + line.after.slice(1) : line.before + line.after).slice(2);
  // What was left out of a look and shown later counts as seen in it.
  const noteShown = (caller, el) => {
    const look = lookOf(caller);
    const known = look && look.byNode.get(el);
    if (known) known.chosen = true;
  };
  const forget = (look, gone) => {
    look.records.delete(gone.id);
    const node = gone.node.deref();
    if (node && look.byNode.get(node) === gone) look.byNode.delete(node);
  };

  // Where a look left children out: between which of them.
  const noteRange = (look, entry) => {
    if (entry.cause === 'same') return;
    const within = Dom.shadow(entry.el) || entry.el;
    const last = entry.list ? entry.list[entry.to - 1] : entry.stop ? previousSibling(entry.stop) : lastChild(within);
    const { first } = entry;
    const known = look.ranges.get(entry.el) || [];
    known.push({ first: first ? new WeakRef(first) : null, last: last ? new WeakRef(last) : null });
    look.ranges.set(entry.el, known);
    if (entry.cause !== 'fold') noteHidden(look, first, last);
  };

  // Of what was left out, what is hidden is known to be so: a popup that waits at the end of the
  // document, as most do, is news when it opens.
  const PAINTED = { visibilityProperty: true, opacityProperty: true };
  const MOST_WAITING = 100;
  const MOST_WAITING_IN_ALL = 400;
  const noteHidden = (look, first, last) => {
    let el = last;
    while (el && !Dom.isElement(el)) el = el === first ? null : previousSibling(el);
    for (let left = MOST_WAITING; el && left > 0; left -= 1, el = previousElement(el)) {
      if (look.waited >= MOST_WAITING_IN_ALL) return;
      look.waited += 1;
      if (!Dom.checkVisibility(el, PAINTED) && Dom.style(el).display !== 'contents') {
        look.hidden.add(el);
        look.unseen.push(new WeakRef(el));
      }
      if (el === first) return;
    }
  };

  const isText = (entry) => entry.kind === 'text';
  // The later parts of a long text belong to the record of the first.
  const lineRecords = (look, lines, isChosen) => {
    for (const line of lines) {
      const { entry } = line;
      if (entry.kind === 'range') noteRange(look, entry);
      else if (!isText(entry) || entry.part === 0) record(look, line, isChosen(line));
    }
  };

  const remember = (caller, outline, lines, options) => {
    const look = (options.scoped && lookOf(caller)) || fresh(caller, options);
    if (look.seen !== outline.seen && outline.seen) {
      if (options.scoped) for (const entry of outline.entries) if (entry.el && !isText(entry)) look.seen.add(entry.el);
      if (!options.scoped) look.seen = outline.seen;
    }
    for (const el of outline.unseen) look.unseen.push(new WeakRef(el));
    if (look.unseen.length > 4000) look.unseen = look.unseen.slice(-2000);
    lineRecords(look, lines, (line) => line.chosen);
  };

  const between = (node, range) => {
    const first = range.first && range.first.deref();
    const last = range.last && range.last.deref();
    if (!first || !last || !Dom.connected(first) || !Dom.connected(last)) return null;
    const afterFirst = node === first || Boolean(position(first, node) & FOLLOWS);
    const beforeLast = node === last || Boolean(position(last, node) & PRECEDES);
    return afterFirst && beforeLast;
  };
  // Whether an element lay where the caller's last look did not reach.
  const unseen = (look, el) => {
    if (look.seen.has(el)) return false;
    let child = el;
    let up = Dom.parent(el);
    while (up && !look.seen.has(up)) {
      if (look.hidden.has(child)) return false;
      child = up;
      up = Dom.parent(up);
    }
    if (!up) return true;
    if (look.hidden.has(child)) return false;
    const places = (look.ranges.get(up) || []).map((range) => between(child, range));
    // Where what a look left out is gone, only what came since then is known to be new.
    return places.includes(true) || (places.includes(null) && !Observe.cameSince(look.caller, child));
  };

  return Object.freeze({ lookOf, remember, record, noteShown, said, forget, noteRange, unseen });
})();
