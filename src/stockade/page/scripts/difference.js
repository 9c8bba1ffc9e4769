// What an action changes in a part of the document: elements before and after, with their classes,
// attributes, words and the styles a person would notice.
(args) => {
  const { Agent, Dom, Text, Refs, Pass, Place, Features } = globalThis.stockade.modules;
  const MOST_NODES = 20000;
  const MOST_MS = 400;
  const MOST_ROWS = args.most || 50;
  const MOST_DELTAS = 12;
  const STYLES = ['display', 'visibility', 'opacity', 'color', 'background-color', 'background-image', 'border-color',
    'outline-style', 'box-shadow', 'font-size', 'font-weight', 'font-style', 'text-decoration-line', 'transform',
    'filter', 'position', 'z-index', 'overflow', 'pointer-events', 'cursor'];
  const kept = globalThis.stockadeDifferences || (globalThis.stockadeDifferences = new Map());
  const attributesOf = Dom.getter(Element.prototype, 'attributes');
  const attributeName = Dom.getter(Attr.prototype, 'name');
  const attributeValue = Dom.getter(Attr.prototype, 'value');
  const propertyValue = Dom.method(CSSStyleDeclaration.prototype, 'getPropertyValue');

  const attributes = (el) => {
    const found = {};
    for (const one of attributesOf(el)) {
      const name = attributeName(one);
      if (name === 'class' || (name.toLowerCase() === 'value' && Dom.secret(el))) continue;
      found[name] = attributeValue(one);
    }
    return found;
  };
  const words = (el) => Dom.childNodes(el).filter(Dom.isText).map(Dom.text).join(' ');
  const state = (el, above, at) => {
    const style = Dom.style(el);
    return {
      above, at, tag: Dom.tag(el), classes: Dom.attr(el, 'class') || '', attributes: attributes(el), words: words(el),
      value: Dom.isField(el) && !Dom.secret(el) ? `${Dom.value(el)}${Dom.checked(el) ? ' (checked)' : ''}` : '',
      styles: STYLES.map((name) => propertyValue(style, name)), test: Features.testId(el),
    };
  };

  const top = () => (args.ref ? Refs.check(args.caller, args.ref) : document.documentElement);
  const look = (from) => {
    const found = new Map();
    const counts = new Map();
    const limited = Pass.walk(from, (el) => {
      const above = Dom.parent(el);
      const at = counts.get(above) || 1;
      counts.set(above, at + 1);
      found.set(el, state(el, above, at));
    }, { nodes: MOST_NODES, ms: MOST_MS });
    return { found, limited };
  };

  const path = (states, el) => {
    const steps = [];
    for (let node = el; node && states.has(node); node = states.get(node).above) {
      const { tag, at, attributes: all } = states.get(node);
      if (all.id && /^[\w-]{1,40}$/.test(all.id)) {
        steps.unshift(`#${all.id}`);
        break;
      }
      steps.unshift(tag === 'html' || tag === 'body' ? tag : `${tag}:nth-child(${at})`);
    }
    return Text.cut(steps.join(' > '), 300);
  };
  const shown = (value) => Text.cut(Text.clean(value), 100);
  const brief = (states, el) => {
    const { tag, test, words: said } = states.get(el);
    const text = shown(said);
    return {
      path: path(states, el), tag, ...(test && { testId: Text.cut(Text.clean(test[1]), 80) }), ...(text && { text }),
    };
  };

  const split = (classes) => new Set(classes.split(/\s+/).filter(Boolean));
  const between = (one, other) => {
    const delta = {};
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (one[name] === other[name] || Object.keys(delta).length >= MOST_DELTAS) continue;
      const side = (value) => (value === undefined ? null : shown(value));
      delta[name] = { from: side(one[name]), to: side(other[name]) };
    }
    return delta;
  };
  const deltas = (one, other) => {
    const [had, has] = [split(one.classes), split(other.classes)];
    const added = [...has].filter((name) => !had.has(name));
    const removed = [...had].filter((name) => !has.has(name));
    const attrDelta = between(one.attributes, other.attributes);
    const named = (state) => Object.fromEntries(STYLES.map((name, at) => [name, state.styles[at]]));
    const styleDelta = one.styles.some((value, at) => value !== other.styles[at]) ? between(named(one), named(other)) : {};
    const some = (delta) => Object.keys(delta).length > 0;
    return {
      ...(added.length + removed.length && { classDelta: { added: added.map(shown), removed: removed.map(shown) } }),
      ...(some(styleDelta) && { styleDelta }), ...(some(attrDelta) && { attrDelta }),
      ...(one.words !== other.words && { textDelta: { from: shown(one.words), to: shown(other.words) } }),
      ...(one.value !== other.value && { valueDelta: { from: shown(one.value), to: shown(other.value) } }),
    };
  };

  const before = () => {
    const from = top();
    const { found, limited } = look(from);
    kept.set(args.key, { from, found, limited });
    return { elements: found.size, limited };
  };
  const after = () => {
    const first = kept.get(args.key);
    kept.delete(args.key);
    if (!first) return { navigated: true };
    const { found: now, limited } = Dom.connected(first.from) ? look(first.from) : { found: new Map(), limited: '' };
    const out = { changed: [], added: [], removed: [], counts: { changed: 0, added: 0, removed: 0 } };
    const note = (kind, row) => {
      out.counts[kind] += 1;
      if (out[kind].length < MOST_ROWS) out[kind].push(row());
    };
    // An element that came or went takes what is inside along; that is said by its top alone.
    for (const [el, state] of now) {
      const old = first.found.get(el);
      if (!old) {
        if (!now.has(state.above) || first.found.has(state.above)) note('added', () => brief(now, el));
        continue;
      }
      const delta = deltas(old, state);
      if (Object.keys(delta).length) {
        const { text, ...where } = brief(now, el);
        note('changed', () => ({ ...where, ...delta }));
      }
    }
    for (const [el, state] of first.found) {
      if (now.has(el)) continue;
      if (!first.found.has(state.above) || now.has(state.above)) note('removed', () => brief(first.found, el));
    }
    const why = first.limited || limited;
    return { ...out, ...(why && { limited: why }) };
  };

  const steps = { before, after };
  return steps[args.step] ? steps[args.step]() : Agent.fail('invalid_argument', 'no such step');
}
