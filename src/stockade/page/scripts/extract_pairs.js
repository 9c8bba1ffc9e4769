// Labels and the values beside them: definition lists, rows with a head, labelled fields, `Label: value`.
(kit, tables) => {
  const { Aria, Context, Dom, Pass } = globalThis.stockade.modules;
  const MOST_PAIRS = 3000;
  const LABEL = 60;
  const LINE = /^([^:：]{1,60}?)\s*[:：]\s+(\S.*)$/s;
  const SHORT = 400;

  const elements = (el) => Dom.children(el).filter(Dom.isElement);
  const ownText = (el) => Dom.children(el).some((child) => Dom.isText(child) && /\S/.test(Dom.text(child)));

  const definitions = (el, add) => {
    let label = '';
    const visit = (child) => {
      const tag = Dom.tag(child);
      if (tag === 'dt') label = Context.seen(child, LABEL + 1);
      else if (tag === 'dd' && label) {
        add(label, child, 'definition');
      } else if (tag === 'div') elements(child).forEach(visit);
    };
    elements(el).forEach(visit);
  };
  const row = (el, add) => {
    const cells = tables.cellsOf(el);
    const [head, cell] = cells;
    if (cells.length === 2 && Aria.role(cell) !== 'columnheader' && Aria.role(head) !== 'columnheader') {
      add(Context.seen(head, LABEL + 1), cell, 'row');
    }
  };
  const FIELDS = /^(?:checkbox|combobox|listbox|radio|searchbox|slider|spinbutton|switch|textbox)$/;
  const BLOCKS = new Set(
    'address article dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header li main nav ol p section table tr ul'.split(
      ' ',
    ),
  );
  const leaf = (el) => !elements(el).some((child) => BLOCKS.has(Dom.tag(child)) && child !== el);

  const collect = Dom.memo((scope) => {
    const found = [];
    const add = (label, el, kind, text) => {
      const key = label && label.length <= LABEL ? kit.normal(label) : '';
      if (key && found.length < MOST_PAIRS) found.push({ key, label, el, kind, text });
    };
    Pass.walk(
      scope,
      (el) => {
        if (Aria.pruned(el)) return false;
        const tag = Dom.tag(el);
        const role = Aria.role(el);
        if (tag === 'dl') definitions(el, add);
        else if (role === 'row') row(el, add);
        else if (role && FIELDS.test(role)) {
          add(Aria.seenName(el), el, 'field');
          return false;
        } else if (tag !== 'tr' && tag !== 'table' && leaf(el)) {
          const inner = elements(el);
          if (inner.length === 2 && !ownText(el) && !Dom.isField(inner[1])) {
            add(Context.seen(inner[0], LABEL + 1), inner[1], 'beside');
          }
          if (ownText(el) || inner.length) {
            const line = LINE.exec(Context.seen(el, SHORT));
            if (line && !/^\d+$/.test(line[1])) add(line[1], el, 'line', line[2].trim());
          }
        } else if (tag === 'div' && elements(el).length === 2 && !ownText(el)) {
          const [first, second] = elements(el);
          if (leaf(first) && leaf(second)) add(Context.seen(first, LABEL + 1), second, 'beside');
        }
        return true;
      },
      { nodes: 50000, ms: 400 },
    );
    return found;
  });

  const value = (scope, node) => {
    const names = kit.namesOf(node);
    const graded = collect(scope)
      .map((pair) => [kit.match(pair.label, names), pair])
      .filter(([grade]) => grade);
    const best = Math.max(0, ...graded.map(([grade]) => grade));
    const found = graded.filter(([grade]) => grade === best).map(([, pair]) => pair);
    const read = (pair) => (pair.text !== undefined ? pair.text : kit.plain(pair.el, node));
    const spoken = found.filter((pair) => kit.said(read(pair)));
    if (!spoken.length) return null;
    const [first] = spoken;
    const values = new Set(spoken.slice(0, 20).map(read));
    // A nearly fitting label counts only if it is the only one.
    if (best === 1 && values.size > 1) return null;
    return {
      raw: read(first),
      from: 'label',
      where: `${kit.short(first.label)} (${first.kind})`,
      ref: kit.ref(first.el),
      ...(values.size > 1 && { count: values.size }),
      ...(best === 1 && { inferred: true }),
    };
  };

  return { value };
}
