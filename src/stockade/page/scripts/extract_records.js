// Many of a kind: rows of tables, things declared, cards that repeat; and what is in one card.
(kit, tables, declared, pairs) => {
  const { Aria, Context, Dom, Pass, Place } = globalThis.stockade.modules;
  const MOST_TABLES = 50;
  const MOST_GROUPS = 40;
  const TRIED = 4;
  const ENOUGH = 0.5;

  const elements = (el) => Dom.children(el).filter(Dom.isElement);
  const label = (el) => Aria.seenName(el) || Context.seen(el, 60);

  // --- tables ------------------------------------------------------------------------------------

  // Cells by column, spans filled in.
  const grid = (table) => {
    const rows = tables.rowsOf(table);
    const held = [];
    return rows.map((row) => {
      const line = [];
      const place = () => {
        while (held[line.length] && held[line.length].left > 0) {
          held[line.length].left -= 1;
          line.push(held[line.length].cell);
        }
      };
      for (const cell of tables.cellsOf(row)) {
        place();
        const { across, down } = tables.span(cell);
        for (let i = 0; i < across; i += 1) {
          if (down > 1) held[line.length] = { cell, left: down - 1 };
          line.push(cell);
        }
      }
      place();
      return { row, line };
    });
  };
  const isHead = ({ line }) =>
    line.length > 0 && line.every((cell) => Aria.role(cell) === 'columnheader' || !Dom.firstChild(cell));
  const heading = (lines) => {
    let last = -1;
    for (let at = 0; at < Math.min(lines.length, 5) && isHead(lines[at]); at += 1) last = at;
    return last;
  };
  const columns = (line, nodes) => {
    const heads = line.map((cell) => Context.seen(cell, 80));
    const taken = new Set();
    const found = new Map();
    for (const grade of [2, 1]) {
      for (const node of nodes) {
        if (found.has(node)) continue;
        const at = heads.findIndex((head, index) => !taken.has(index) && kit.match(head, kit.namesOf(node)) === grade);
        if (at < 0) continue;
        taken.add(at);
        found.set(node, { at, head: heads[at], near: grade === 1 });
      }
    }
    return found;
  };
  const tablesIn = Dom.memo((scope) => {
    const found = [...Dom.query(scope, 'table, [role~="table"], [role~="grid"], [role~="treegrid"]'), scope]
      .filter((el) => tables.ROLES.has(Aria.role(el)) && !Aria.pruned(el))
      .slice(0, MOST_TABLES);
    return found.map((el) => ({ el, lines: grid(el) }));
  });
  const named = (el) => {
    const name = Aria.seenName(el);
    return name ? `table ${kit.short(name)}` : 'table';
  };
  const readCell = (cell, node) => {
    if (!cell) return null;
    const raw = kit.plain(cell, node);
    if (kit.said(raw)) return raw;
    const [inner] = Dom.query(cell, 'input, select, textarea');
    return inner ? kit.plain(inner, node) : null;
  };
  const tabulated = (scope, nodes, needed) => {
    let best = null;
    let rivals = 0;
    for (const { el, lines } of tablesIn(scope)) {
      const head = heading(lines);
      if (head < 0) continue;
      const found = columns(lines[head].line, nodes);
      const exact = [...found.values()].filter(({ near }) => !near).length;
      const score = (found.size + exact / 100) / nodes.length;
      if (!found.size || found.size / nodes.length < ENOUGH || !needed.every((node) => found.has(node))) continue;
      if (best && score === best.score) rivals += 1;
      if (best && score <= best.score) continue;
      rivals = 0;
      best = { el, head, lines, found, score };
    }
    if (!best) return null;
    const width = best.lines[best.head].line.length;
    const body = best.lines
      .slice(best.head + 1)
      .filter((each) => !isHead(each) && new Set(each.line).size > Math.min(1, width - 1));
    const where = named(best.el);
    const rows = body.map(({ row, line }) => ({
      scope: row,
      find: (node) => {
        const column = best.found.get(node);
        if (!column) return inferred(row, node, false);
        const cell = line[column.at];
        return {
          raw: readCell(cell, node),
          from: 'table',
          where: `${where}, column ${kit.short(column.head)}`,
          ...(cell && { ref: kit.ref(cell) }),
          ...(column.near && { inferred: true }),
        };
      },
    }));
    return {
      rows,
      from: 'table',
      where,
      ref: kit.ref(best.el),
      score: best.score,
      ...(rivals && { count: rivals + 1 }),
    };
  };

  // --- one card ----------------------------------------------------------------------------------

  const tokens = (el) =>
    `${Dom.attr(el, 'class') || ''} ${Dom.attr(el, 'id') || ''}`.split(/\s+/).filter(Boolean).slice(0, 20);
  const classed = (scope, node) => {
    const names = kit.namesOf(node);
    const found = [[], []];
    for (const el of [...Dom.query(scope, '[class], [id]')].slice(0, 3000)) {
      if (Aria.pruned(el)) continue;
      for (const token of tokens(el)) {
        const said = kit.normal(token);
        if (names.includes(said)) found[0].push(el);
        else if (names.some((name) => said.endsWith(` ${name}`))) found[1].push(el);
        else continue;
        break;
      }
    }
    for (const list of found) {
      const spoken = list.filter((el) => kit.said(kit.plain(el, node)));
      const inner = spoken.filter((el) => !spoken.some((other) => other !== el && Dom.contains(el, other)));
      const values = new Set(inner.slice(0, 20).map((el) => kit.plain(el, node)));
      if (values.size === 1) return { el: inner[0], where: `class ${kit.short(tokens(inner[0]).join(' '))}` };
    }
    return null;
  };
  const only = (scope, selector, say) => {
    const found = [...Dom.query(scope, selector)].filter((el) => !Aria.pruned(el) && kit.said(say(el)));
    return found.length && new Set(found.slice(0, 20).map(say)).size === 1 ? found[0] : null;
  };
  const HEADS = 'h1, h2, h3, h4, h5, h6, [role~="heading"]';
  const CALLED = {
    title: 'title name headline heading product article subject item',
    url: 'url link href address website',
    image: 'image img photo picture thumbnail avatar logo',
    date: 'date time published posted updated created',
    text: 'description summary text body content excerpt',
  };
  const MEANINGS = new Map(
    Object.entries(CALLED).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
  );
  const PRICE = /^(?:[^\d]{0,12}?[\p{Sc}]|[A-Z]{3})\s?\d[\d.,' \u00a0]*$|^\d[\d.,' \u00a0]*\s?(?:[\p{Sc}]|[A-Z]{3})$/u;
  const PRICES = new Set(['price', 'cost', 'amount', 'total']);
  const meant = (scope, node, wide) => {
    const names = kit.namesOf(node);
    const kind = names.map((name) => MEANINGS.get(name)).find(Boolean);
    if (kind === 'title') {
      const level = wide ? only(scope, 'h1', label) : null;
      const head = level || only(scope, HEADS, label) || (wide ? null : only(scope, 'a[href]', label));
      return head && { el: head, where: Dom.tag(head) };
    }
    if (wide) return null;
    if (kind === 'url') {
      const inHead = only(
        scope,
        HEADS.split(', ')
          .map((head) => `${head} a[href]`)
          .join(', '),
        (el) => Dom.attr(el, 'href'),
      );
      const own = Dom.tag(scope) === 'a' && Dom.has(scope, 'href') ? scope : null;
      const link = own || inHead || only(scope, 'a[href]', (el) => Dom.attr(el, 'href'));
      return link && { el: link, where: 'link', raw: kit.absolute(Dom.attr(link, 'href')) };
    }
    if (kind === 'image') {
      const image = only(scope, 'img[src]', (el) => Dom.attr(el, 'src'));
      return image && { el: image, where: 'img', raw: kit.absolute(Dom.attr(image, 'src')) };
    }
    if (kind === 'date') {
      const time = only(scope, 'time', (el) => Dom.attr(el, 'datetime') || label(el));
      return time && { el: time, where: 'time', raw: Dom.attr(time, 'datetime') || label(time) };
    }
    if (kind === 'text') {
      const text = only(scope, 'p', label);
      return text && { el: text, where: 'p' };
    }
    if (names.some((name) => PRICES.has(name))) {
      const priced = [...Dom.query(scope, '*')].slice(0, 500).filter((el) => PRICE.test(Context.seen(el, 30)));
      const inner = priced.filter((el) => !priced.some((other) => other !== el && Dom.contains(el, other)));
      return inner.length === 1 ? { el: inner[0], where: 'an amount of money' } : null;
    }
    return null;
  };
  const inferred = (scope, node, wide) => {
    const found = classed(scope, node) || meant(scope, node, wide);
    if (!found) return null;
    const raw = found.raw !== undefined ? found.raw : kit.plain(found.el, node);
    return kit.said(raw) ? { raw, from: 'content', where: found.where, ref: kit.ref(found.el), inferred: true } : null;
  };

  // --- cards that repeat -------------------------------------------------------------------------

  const CARDS = new Set('a article div dl fieldset figure li section tr tbody'.split(' '));
  const look = (el) =>
    `${Dom.tag(el)}.${(Dom.attr(el, 'class') || '').split(/\s+/)[0]}.${Dom.attr(el, 'itemtype') || ''}.${Dom.attr(el, 'role') || ''}`;
  const groups = Dom.memo((scope) => {
    const found = [];
    Pass.walk(
      scope,
      (el) => {
        if (Aria.pruned(el)) return false;
        const alike = new Map();
        for (const child of elements(el).slice(0, 3000)) {
          const tag = Dom.tag(child);
          if (!CARDS.has(tag) && !tag.includes('-') && !Dom.has(child, 'role')) continue;
          if (!Place.rendered(child)) continue;
          const key = look(child);
          if (!alike.has(key)) alike.set(key, []);
          alike.get(key).push(child);
        }
        for (const list of alike.values()) if (list.length > 1) found.push(list);
        return true;
      },
      { nodes: 30000, ms: 300 },
    );
    const weight = (list) => Dom.textContent(list[0]).length * Math.log2(list.length + 1);
    return found.sort((one, other) => weight(other) - weight(one)).slice(0, MOST_GROUPS);
  });
  const inCard = (el) => (node) => declared.property(el, node) || pairs.value(el, node) || inferred(el, node, false);
  const repeated = (scope, nodes, needed) => {
    let best = null;
    for (const list of groups(scope)) {
      let met = 0;
      let whole = true;
      const sample = list.slice(0, TRIED);
      for (const el of sample) {
        const find = inCard(el);
        const got = nodes.filter((node) => node.source || find(node));
        met += got.length / nodes.length;
        whole = whole && needed.every((node) => got.includes(node));
      }
      const share = met / sample.length;
      const score = share + Math.min(list.length, 50) / 1000;
      if (whole && share >= ENOUGH && (!best || score > best.score)) best = { list, score };
    }
    if (!best) return null;
    const above = Dom.parent(best.list[0]);
    return {
      elements: best.list,
      from: 'repetition',
      where: `${best.list.length} × <${Dom.tag(best.list[0])}> in ${Place.describe(above)}`,
      ref: kit.ref(above),
      inferred: true,
      score: best.score,
    };
  };

  // Rows for an array of objects: what is declared, then tables, then cards.
  const rows = (scope, node, whole) => {
    const fields = node.items.fields.filter((field) => field.node.kind === 'value' && !field.node.source);
    const nodes = fields.map((field) => field.node);
    const needed = fields.filter((field) => field.required).map((field) => field.node);
    if (!nodes.length) return null;
    const things = declared.rows(nodes, scope, whole);
    if (things && things.share === 1) {
      return {
        from: 'json-ld',
        where: `${things.list.length} × ${things.name}`,
        rows: things.list.map((thing) => ({ find: (each) => declared.value(thing, each) })),
      };
    }
    return tabulated(scope, nodes, needed) || repeated(scope, nodes, needed);
  };

  // --- lists of plain values ---------------------------------------------------------------------

  const list = (scope, node, whole) => {
    const names = kit.namesOf(node);
    const said = declared.list(node, scope, whole);
    if (said) return { items: said.values.map((raw) => ({ raw })), from: 'json-ld', where: said.where };
    const column = tabulated(scope, [node], [node]);
    if (column) {
      const { rows: lines, ...how } = column;
      return { ...how, items: lines.map((line) => line.find(node)).filter((each) => each && kit.said(each.raw)) };
    }
    const lists = [...Dom.query(scope, 'ul, ol, [role~="list"]')].filter(
      (el) => Aria.role(el) === 'list' && !Aria.pruned(el),
    );
    const fits = lists.slice(0, 200).filter((el) => kit.match(Aria.name(el) || Context.section(el), names) === 2);
    if (fits.length !== 1) return null;
    const items = elements(fits[0]).filter((el) => Aria.role(el) === 'listitem' && !Aria.pruned(el));
    const where = `list under ${kit.short(Aria.seenName(fits[0]) || Context.section(fits[0]))}`;
    return {
      items: items.map((el) => ({ raw: kit.plain(el, node.items), ref: kit.ref(el) })),
      from: 'list',
      where,
      ref: kit.ref(fits[0]),
    };
  };

  // The part of a page that is headed by the name of an object.
  const section = (scope, node) => {
    const names = kit.namesOf(node);
    if (!names.length) return null;
    const found = [...Dom.query(scope, `section, fieldset, form, [role~="group"], [role~="region"], ${HEADS}`)]
      .slice(0, 500)
      .filter((el) => !Aria.pruned(el) && kit.match(label(el), names) === 2);
    if (found.length !== 1) return null;
    return Aria.role(found[0]) === 'heading' ? Dom.parent(found[0]) : found[0];
  };

  return { rows, list, inferred, section };
}
