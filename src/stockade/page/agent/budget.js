// Which lines are printed when not all can be.
const Budget = (() => {
  const GAP = '…';
  // Ranges that only the continuation brings; the others have a line of their own.
  const silent = (entry) => entry.kind === 'range' && entry.cause !== 'fold' && entry.cause !== 'depth';

  const price = (lines, refLength, pad) => {
    let total = 0;
    for (const line of lines) {
      line.chosen = false;
      if (silent(line.entry)) continue;
      Object.assign(line, Outline.parts(line.entry));
      const ref = line.el ? 'e'.repeat(refLength) : '';
      line.cost = Text.tokens(`${pad}${Outline.indent(line.depth)}${line.before}${ref}${line.after}\n`);
      total += line.cost;
    }
    return total;
  };

  const rank = (line) => (line.entry.kind === 'range' && line.above ? line.above.entry.prio : line.entry.prio);

  // Marks lines as chosen, the most deserving first, until `most` tokens are used.
  const take = (lines, most) => {
    const order = lines.filter((line) => !silent(line.entry)).sort((one, other) => rank(one) - rank(other));
    const taken = [];
    let used = 0;
    for (const line of order) {
      const chain = [];
      let need = 0;
      for (let up = line; up && !up.chosen; up = up.above) {
        chain.push(up);
        need += up.cost;
      }
      if (used + need > most) break;
      used += need;
      for (let i = chain.length - 1; i >= 0; i -= 1) {
        chain[i].chosen = true;
        taken.push(chain[i]);
      }
    }
    return taken;
  };

  // Where lines were left out between others, a gap says so.
  const gaps = (lines) => {
    const shown = [];
    let gap = null;
    for (const line of lines) {
      if (!line.chosen) {
        gap = gap || line;
        continue;
      }
      if (gap) shown.push({ depth: Math.min(gap.depth, line.depth), before: GAP, after: '', el: null });
      gap = null;
      shown.push(line);
    }
    return shown;
  };

  // `write(shown)` gives the text; it is called again with fewer lines until it fits.
  const fit = (lines, budget, reserve, write) => {
    const taken = take(lines, Math.max(0, budget - reserve));
    for (;;) {
      const text = write(gaps(lines));
      let over = Text.tokens(text) - budget;
      if (over <= 0 || !taken.length) return text;
      while (over > 0 && taken.length) {
        const line = taken.pop();
        line.chosen = false;
        over -= Math.max(1, line.cost);
      }
    }
  };

  return Object.freeze({ price, fit, silent });
})();
