// Tables that hold data, told from those that only lay out a page.
() => {
  const { Aria, Dom } = globalThis.stockade.modules;
  const ROLES = new Set(['table', 'grid', 'treegrid']);
  const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
  const ROWS = 'tr, [role~="row"]';
  const LOOKED = 20;

  const cellsOf = (row) => {
    const found = [];
    const pending = Dom.children(row).filter(Dom.isElement).reverse();
    while (pending.length && found.length < 1000) {
      const el = pending.pop();
      if (CELLS.has(Aria.role(el))) found.push(el);
      else if (!Aria.role(el)) pending.push(...Dom.children(el).filter(Dom.isElement).reverse());
    }
    return found;
  };
  const within = (table, el) => {
    for (let up = Dom.parent(el); up; up = Dom.parent(up)) {
      if (up === table) return true;
      if (ROLES.has(Aria.role(up))) return false;
    }
    return false;
  };
  const rowsOf = (table, most = 100000) => {
    const found = [];
    for (const row of Dom.query(Dom.shadow(table) || table, ROWS)) {
      if (found.length >= most) break;
      if (Aria.role(row) === 'row' && !Aria.pruned(row) && within(table, row)) found.push(row);
    }
    return found;
  };
  const HEADS = 'th, caption, thead, [role~="columnheader"], [role~="rowheader"]';
  const STRUCTURE = 'table, h1, h2, h3, form, nav, article, section';
  const own = (table, selector) => [...Dom.query(table, selector)].some((el) => within(table, el));
  const data = (table) => {
    if (Aria.role(table) !== 'table' || own(table, HEADS)) return true;
    const rows = rowsOf(table, LOOKED);
    if (rows.length < 2 || Dom.query(table, STRUCTURE).length) return false;
    return rows.every((row) => cellsOf(row).length > 1);
  };
  // Whether the first row names the columns.
  const head = (table) => {
    const [first] = rowsOf(table, 1);
    if (!first) return false;
    if (Dom.tag(Dom.parent(first)) === 'thead') return true;
    const cells = cellsOf(first);
    return cells.length > 0 && cells.every((cell) => Aria.role(cell) === 'columnheader' || !Dom.firstChild(cell));
  };
  const count = (cell, html, aria) => {
    const said = Number.parseInt(Dom.attr(cell, html) || Dom.attr(cell, aria) || '1', 10);
    return Math.min(Math.max(said || 1, 1), 100);
  };
  const span = (cell) => ({
    across: count(cell, 'colspan', 'aria-colspan'),
    down: count(cell, 'rowspan', 'aria-rowspan'),
  });

  return { ROLES, CELLS, data, head, span, rowsOf, cellsOf };
}
