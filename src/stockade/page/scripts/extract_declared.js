// What a page says about itself for machines: JSON-LD, microdata, Open Graph and other meta elements.
(kit) => {
  const { Dom, Text } = globalThis.stockade.modules;
  const MOST_NODES = 3000;
  const DEEPEST = 4;
  const LONGEST_SCRIPT = 2000000;
  // What vocabularies call it.
  const CALLED = {
    __proto__: null,
    title: ['name', 'headline'],
    rating: ['ratingvalue'],
    currency: ['pricecurrency'],
    date: ['datepublished'],
  };
  const keysOf = Dom.memo((node) => {
    const own = kit.namesOf(node).map((name) => name.replace(/ /g, ''));
    return new Set([...own, ...own.flatMap((name) => CALLED[name] || [])]);
  });
  const isThing = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  // --- JSON-LD -----------------------------------------------------------------------------------

  const things = (scope, whole) => {
    const found = [];
    const scripts = Dom.query(whole ? document : scope, 'script[type="application/ld+json" i]');
    for (const script of [...scripts].slice(0, 50)) {
      const source = Dom.textContent(script);
      if (source.length > LONGEST_SCRIPT) continue;
      const pending = [];
      try {
        pending.push(JSON.parse(source));
      } catch {
        continue;
      }
      while (pending.length && found.length < MOST_NODES) {
        const value = pending.shift();
        if (Array.isArray(value)) pending.unshift(...value.slice(0, MOST_NODES));
        else if (isThing(value)) {
          found.push(value);
          pending.push(...Object.values(value).filter((each) => typeof each === 'object' && each !== null));
        }
      }
    }
    return found;
  };
  const known = new Map();
  const thingsIn = (scope, whole) => {
    const key = whole ? document : scope;
    if (!known.has(key)) known.set(key, things(scope, whole));
    return known.get(key);
  };
  const scalar = (value) => {
    const one = Array.isArray(value) ? value[0] : value;
    if (isThing(one)) return scalar(one['@value'] ?? one.name ?? one.url ?? one['@id'] ?? null);
    return /^(?:string|number|boolean)$/.test(typeof one) ? one : null;
  };
  // The value of the first property with one of these names, in the thing or in what it holds.
  const lookup = (thing, keys) => {
    let level = [[thing, '']];
    for (let depth = 0; depth < DEEPEST && level.length; depth += 1) {
      const next = [];
      for (const [each, path] of level) {
        for (const [key, value] of Object.entries(each)) {
          if (!key.startsWith('@') && keys.has(kit.flat(key))) return { value, path: path + key };
          for (const inner of Array.isArray(value) ? value.slice(0, 1) : [value]) {
            if (isThing(inner)) next.push([inner, `${path}${key}.`]);
          }
        }
      }
      level = next;
    }
    return null;
  };
  const kind = (thing) => Text.cut(String([thing['@type']].flat()[0] || 'thing'), 60);
  const coverage = (thing, nodes) => nodes.filter((node) => lookup(thing, keysOf(node))).length;
  const best = (nodes, scope, whole) => {
    let chosen = null;
    let most = 0;
    for (const thing of thingsIn(scope, whole)) {
      const score = coverage(thing, nodes);
      if (score > most) [chosen, most] = [thing, score];
    }
    return chosen;
  };
  const value = (thing, node) => {
    const found = lookup(thing, keysOf(node));
    const raw = found && scalar(found.value);
    if (!found || !kit.said(raw)) return null;
    const text = typeof raw === 'string' ? Text.clean(raw) : raw;
    return {
      raw: node.format === 'url' && typeof text === 'string' ? kit.absolute(text) : text,
      from: 'json-ld',
      where: `${kind(thing)}.${Text.cut(found.path, 80)}`,
    };
  };
  // The thing that a property of a thing is.
  const inner = (thing, node) => {
    const found = lookup(thing, keysOf(node));
    const held = found && (Array.isArray(found.value) ? found.value[0] : found.value);
    return isThing(held) ? held : null;
  };
  // Things of one kind that have the fields, as rows.
  const rows = (nodes, scope, whole) => {
    const kinds = new Map();
    for (const thing of thingsIn(scope, whole)) {
      const score = coverage(thing, nodes);
      if (!score) continue;
      const group = kinds.get(kind(thing)) || { list: [], score: 0 };
      group.list.push(thing);
      group.score += score / nodes.length;
      kinds.set(kind(thing), group);
    }
    let chosen = null;
    for (const [name, { list, score }] of kinds) {
      const share = score / list.length;
      if (list.length > 1 && share >= 0.5 && (!chosen || share > chosen.share)) chosen = { name, list, share };
    }
    return chosen;
  };
  const list = (node, scope, whole) => {
    for (const thing of thingsIn(scope, whole)) {
      const found = lookup(thing, keysOf(node));
      if (found && Array.isArray(found.value) && found.value.length) {
        return { values: found.value.map(scalar).filter(kit.said), where: `${kind(thing)}.${found.path}` };
      }
    }
    return null;
  };

  // --- microdata ---------------------------------------------------------------------------------

  const property = (scope, node) => {
    const keys = keysOf(node);
    const found = [...Dom.query(scope, '[itemprop]')]
      .slice(0, 2000)
      .filter((el) => (Dom.attr(el, 'itemprop') || '').split(/\s+/).some((name) => keys.has(kit.flat(name))));
    for (const el of found) {
      const content = Dom.attr(el, 'content');
      const raw = content !== null ? content : kit.plain(el, node);
      if (!kit.said(raw)) continue;
      const differs = found
        .slice(0, 20)
        .some((other) => other !== el && kit.plain(other, node) !== kit.plain(el, node));
      return {
        raw,
        from: 'microdata',
        where: Text.cut(Dom.attr(el, 'itemprop'), 60),
        ref: kit.ref(el),
        ...(differs && { count: found.length }),
      };
    }
    return null;
  };

  // --- meta --------------------------------------------------------------------------------------

  const SPACES =
    /^(?:og|twitter|article|product|book|profile|video|music|fb|dc|dcterms|sailthru|parsely|citation)[:.]/i;
  const metas = Dom.memo(() =>
    [...Dom.query(document, 'meta[content]')]
      .slice(0, 300)
      .map((el) => {
        const name = Dom.attr(el, 'property') || Dom.attr(el, 'name') || Dom.attr(el, 'itemprop') || '';
        return {
          name,
          key: kit.flat(name.replace(SPACES, '').replace(/:amount$/, '')),
          content: Dom.attr(el, 'content'),
        };
      })
      .filter(({ name, content }) => name && content.trim()),
  );
  const meta = (node) => {
    const keys = new Set(kit.namesOf(node).map((name) => name.replace(/ /g, '')));
    const found = metas('document').find(({ key }) => keys.has(key));
    if (!found) return null;
    const raw = Text.clean(found.content);
    return { raw: node.format === 'url' ? kit.absolute(raw) : raw, from: 'meta', where: Text.cut(found.name, 60) };
  };

  return { best, value, inner, rows, list, property, meta };
}
