// Values for a plan: from the elements that selectors name, and where there is no selector from what the
// page declares, tabulates, labels or repeats. Every value says where it is from.
(args, makeKit, makeDeclared, makePairs, makeTables, makeRecords) => {
  const { Agent, Dom, Refs, Place, Selector, Text } = globalThis.stockade.modules;
  const MOST_ITEMS = 5000;
  const until = performance.now() + args.ms;
  const kit = makeKit(args);
  const tables = makeTables();
  const declared = makeDeclared(kit);
  const pairs = makePairs(kit, tables);
  const records = makeRecords(kit, tables, declared, pairs);

  const root = Dom.getter(Document.prototype, 'documentElement')(document);
  const whole = !args.scope;
  const top = whole ? root : Refs.check(args.caller, args.scope);

  const ITSELF = /^(?:|\.|:scope|&)$/;
  const chosen = (selector, scope) => {
    if (ITSELF.test((selector || '').trim())) return [scope];
    return Selector.matches(selector, scope === root ? document : scope);
  };

  // --- with a source -----------------------------------------------------------------------------

  const sourced = (node, scope) => {
    const { source } = node;
    const found = chosen(source.selector, scope);
    if (!found.length) return { missing: 'not_found', selector: source.selector };
    const read = (el) => kit.read(el, node, source);
    const raw = read(found[0]);
    const others = found.slice(1, 20).some((el) => read(el) !== raw);
    return {
      raw: raw === undefined ? null : raw,
      from: 'selector',
      ref: kit.ref(found[0]),
      selector: source.selector || ':scope',
      ...(raw === null || raw === undefined || raw === '' ? { missing: 'empty' } : {}),
      ...(others && { count: found.length }),
    };
  };

  // --- any node ----------------------------------------------------------------------------------

  const value = (node, scope, near) => {
    if (node.source) return sourced(node, scope);
    const found = near(node);
    return found || { missing: 'not_found' };
  };

  // Where the fields of an object without sources are: in one declared thing as far as it has them.
  const finder = (fields, scope, wide) => {
    const record = wide ? declared.best(fields, scope, whole) : null;
    const find = (node) =>
      (record && declared.value(record, node)) ||
      declared.property(scope, node) ||
      (wide && whole && declared.meta(node)) ||
      pairs.value(scope, node) ||
      records.inferred(scope, node, wide);
    find.record = record;
    return find;
  };

  const object = (node, scope, wide, near) => {
    const unsourced = node.fields.filter((field) => !field.node.source).map((field) => field.node);
    const find = near || finder(unsourced, scope, wide);
    const fields = {};
    for (const field of node.fields) fields[field.key] = take(field.node, scope, wide, find);
    return { fields };
  };

  const items = (node, found, how) => {
    const list = [];
    for (const el of found.slice(0, MOST_ITEMS)) {
      if (performance.now() > until) {
        how.limited = `${list.length} of ${found.length} items in ${args.ms} ms`;
        break;
      }
      list.push(take(node.items, el, false));
    }
    if (found.length > MOST_ITEMS) how.limited = `${MOST_ITEMS} of ${found.length} items`;
    return { items: list, ...how };
  };
  const plain = (node) => node.items.kind === 'value';

  const array = (node, scope) => {
    const { source } = node;
    if (source) {
      const selector = source.collection || source.selector;
      const found = chosen(selector, scope);
      if (!found.length) return { items: [], missing: 'not_found', selector };
      return items(node, found, { from: 'selector', selector, ref: kit.ref(found[0]) });
    }
    if (plain(node)) return records.list(scope, node, whole) || { items: [], missing: 'not_found' };
    if (node.items.kind === 'object') {
      const found = records.rows(scope, node, whole);
      if (!found) return { items: [], missing: 'not_found' };
      const { rows, elements, ...how } = found;
      if (elements) return items(node, elements, how);
      return {
        items: rows.slice(0, MOST_ITEMS).map((near) => object(node.items, near.scope || scope, false, near.find)),
        ...how,
      };
    }
    return { items: [], missing: 'unsupported' };
  };

  const take = (node, scope, wide, near) => {
    if (node.kind === 'array') return array(node, scope);
    if (node.kind === 'value') return value(node, scope, near || finder([node], scope, wide));
    const { source } = node;
    if (source) {
      const [found] = chosen(source.selector, scope);
      if (!found) return { missing: 'not_found', selector: source.selector };
      return { ...object(node, found, false), selector: source.selector, ref: kit.ref(found) };
    }
    const thing = near && near.record && declared.inner(near.record, node);
    if (thing) {
      const find = (field) => declared.value(thing, field);
      find.record = thing;
      return object(node, scope, wide, find);
    }
    return object(node, records.section(scope, node) || scope, wide);
  };

  if (!top) Agent.fail('not_found', 'there is no document');
  const result = take(args.plan, top, true);
  return { view: Place.view(), result, lang: Text.cut(Dom.attr(root, 'lang') || '', 20) };
}
