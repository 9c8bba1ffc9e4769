// Elements that a page took away and put back: which of the new ones stand for which of the old.
const Redrawn = (() => {
  const FEW = 2;

  const grouped = (changes, sign, key) => {
    const groups = new Map();
    for (const change of changes) {
      const name = change.sign === sign && !change.settled ? key(change) : null;
      if (!name) continue;
      if (groups.has(name)) groups.get(name).push(change);
      else groups.set(name, [change]);
    }
    return groups;
  };

  const replace = (gone, come) => {
    gone.settled = true;
    come.was = Outline.hasRef(come.line.entry) ? gone.known.number : 0;
    come.sign = come.was ? '~' : '=';
  };

  // What reads alike and has no ref is one as good as the other; of what has one there must be but one.
  const match = (changes, keyGone, keyCome) => {
    const gone = grouped(changes, '-', keyGone);
    for (const [key, added] of grouped(changes, '+', keyCome)) {
      const before = gone.get(key) || [];
      const refs = added.some(({ line }) => Outline.hasRef(line.entry));
      if (refs && (before.length > 1 || added.length > 1)) continue;
      added.slice(0, before.length).forEach((change, at) => replace(before[at], change));
    }
  };

  // What was taken away and put back is one change; what reads the same and has no ref is none.
  const pair = (changes, caller) => {
    match(changes, ({ known }) => known.said, ({ line }) => Memory.said(line));
    const inRow = (said, print) => (print && print.row ? `${said}\n${print.row}` : null);
    match(
      changes,
      ({ known }) => inRow(known.said, Refs.shown(caller, known.number)),
      ({ line }) => inRow(Memory.said(line), Outline.hasRef(line.entry) ? Refs.fingerprint(line.entry.el) : null),
    );
    const lost = grouped(changes, '-', ({ known }) => (known.owner ? known.owner.deref() : null));
    for (const change of changes) {
      const before = change.sign === '+' && lost.get(change.line.entry.owner);
      if (!before || !before.length) continue;
      before.shift().settled = true;
      change.sign = '~';
    }
    return changes.filter((change) => !change.settled);
  };

  // Where there are many, the words are known already and the refs alone are news: one line tells them.
  const isMany = (changes) => changes.filter(({ was }) => was).length > FEW;
  const row = (changes, prefix) => {
    const runs = [];
    for (const { was, line } of changes) {
      const now = Refs.of(line.entry.el);
      const last = runs[runs.length - 1];
      if (last && was === last.was + last.length && now === last.now + last.length) last.length += 1;
      else runs.push({ was, now, length: 1 });
    }
    const span = (first, length) => Refs.span(first, length, prefix);
    const told = runs.map(({ was, now, length }) => `${span(was, length)} now ${span(now, length)}`);
    return `~ ${changes.length} elements redrawn as they were: ${told.join(', ')}`;
  };

  return Object.freeze({ pair, isMany, row });
})();
