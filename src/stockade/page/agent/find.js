// Elements by a description in plain words, ranked, each with the reasons.
const Find = (() => {
  const COVERAGE = 0.56;
  const EXACT = 0.24;
  const PRECISION = 0.12;
  const KIND = 0.08;
  const CLOSE = 0.04;
  const MOST = 20;
  const MOST_TRIES = 3;
  const NAMED_VERB = 0.8;
  const MOST_GRADED = 400;
  const RARE = 50;
  const UPWARDS = 4;
  const CONTAINERS = new Set(('alertdialog article banner complementary contentinfo dialog document feed figure form '
    + 'grid group list listitem main menu menubar navigation radiogroup region row rowgroup search table tablist '
    + 'tabpanel toolbar tree treegrid').split(' '));
  const CELLS = new Set(['cell', 'gridcell']);
  const ENTRIES = new Set('checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '));
  const ROW_LIKE = new Set(['treeitem', 'option', 'menuitem']);
  const labelControl = Dom.getter(HTMLLabelElement.prototype, 'control');

  // Inside a control (or the label of one) text is a drawing of that control.
  const inControl = Dom.inherited((el) => {
    if (el instanceof HTMLLabelElement && labelControl(el)) return true;
    return Aria.interactive(el, Aria.role(el)) || Dom.has(el, 'onclick') ? true : undefined;
  }, false);
  const candidate = (el, role, interactive) => {
    if (interactive) return true;
    if (el instanceof HTMLLabelElement && labelControl(el)) return false;
    const above = Dom.parent(el);
    if (above && inControl(above)) return role === 'heading' || role === 'img';
    return true;
  };

  const asks = (token, role) => Boolean(token.roles) && token.roles.has(role);
  // How well the query's words are met: by the element itself, by its kind, by what is around it.
  const measure = (query, found, fuzzy) => {
    const { el, role, texts } = found;
    const around = Context.of(el);
    return query.tokens.map((token) => {
      let best = { share: 0, why: '' };
      const offer = (share, why) => { if (share > best.share) best = { share, why }; };
      if (asks(token, role)) offer(token.tail ? 0.6 : 1, `role: ${role}`);
      for (const { kind, prepared, worth } of texts) {
        const share = Words.match(token, prepared, fuzzy) * worth;
        if (share) offer(share, `${kind}: ${token.word}`);
      }
      const own = best.share;
      if (own >= 0.9 || query.tokens.length === 1 || token.weight < 0.1) return { ...best, own };
      // Where a thing is tells controls apart; a text is what it says.
      const trust = (token.tail ? 0.95 : 0.82) * (found.interactive || CELLS.has(role) ? 1 : 0.6);
      for (let row = around.rows, far = 0; row && far < 3; row = row.up, far += 1) {
        const share = Words.match(token, prepared(Context.rowText(row.el)), fuzzy) * trust * (1 - far * 0.1);
        if (share > best.share) offer(share, `row: ${Text.cut(Context.rowKey(row.el), 40)}`);
        if (asks(token, row.role)) offer((token.tail ? 0.7 : 0.4) * trust, `in a ${row.role}`);
      }
      for (let section = around.sections, far = 0; section && far < 5; section = section.up) {
        if (section.name) {
          const share = Words.match(token, prepared(section.name), fuzzy) * trust * (0.97 - far * 0.07);
          if (share > best.share) offer(share, `section: ${Text.cut(section.name, 40)}`);
          far += 1;
        }
        if (asks(token, section.role)) offer((token.tail ? 0.9 : 0.7) * trust, `in a ${section.role}`);
      }
      if (found.interactive && !ENTRIES.has(role) && !rowOf(el)) {
        const beside = flatRow(el);
        const share = beside ? Words.match(token, prepared(beside), fuzzy) * trust : 0;
        if (share > best.share) offer(share, `beside: ${Text.cut(beside, 40)}`);
      }
      if (around.rows) {
        const head = Context.column(el);
        const share = head ? Words.match(token, prepared(head), fuzzy) * trust : 0;
        if (share > best.share) offer(share, `column: ${head}`);
      }
      return { ...best, own };
    });
  };
  const rowOf = Dom.memo((el) => Context.row(el));
  const flatRow = Dom.memo((el) => Context.flatRow(el));
  const prepared = Dom.memo((string) => Words.prepare(string));

  const EXACTLY = new Set(['name', 'label', 'placeholder', 'text', 'title', 'test attribute', 'nearby text']);
  const exactness = (query, texts) => {
    let best = { share: 0, why: '' };
    for (const { kind, prepared: { text, tokens }, worth } of texts) {
      if (!EXACTLY.has(kind)) continue;
      const offer = (share, why) => { if (share * worth > best.share) best = { share: share * worth, why }; };
      const core = tokens.map((token) => token.word).join(' ');
      if (text === query.text || core === query.text) offer(1, `${kind} equals query`);
      else if (query.core && core === query.core) offer(0.92, `${kind} equals "${core}"`);
      else if (query.quoted.some((part) => part === text)) offer(0.92, `${kind} equals the quoted words`);
      else if (query.core.length > 2 && ` ${text} `.includes(` ${query.text} `)) offer(0.6, `${kind} contains query`);
      else if (query.text.length > 3 && text.includes(query.text)) offer(0.35, `${kind} contains query`);
      else if (query.core.includes(' ') && core.includes(query.core)) offer(0.5, `${kind} contains "${query.core}"`);
    }
    return best;
  };
  // How much of what the element says was asked for.
  const precision = (query, texts, fuzzy) => {
    let best = 0;
    for (const { kind, prepared: { tokens }, worth } of texts) {
      if (!(EXACTLY.has(kind) || kind === 'icon' || kind === 'address') || !tokens.length) continue;
      const telling = tokens.filter((token) => !Words.filler(token.word));
      const said = (telling.length ? telling : tokens).slice(0, 24);
      const met = said.filter((token) => query.tokens.some(
        (wanted) => Words.match(wanted, { text: token.word, tokens: [token] }, fuzzy) > 0.5,
      )).length;
      best = Math.max(best, (met / said.length) * worth);
    }
    return best;
  };

  const rarity = (count) => 1 / (1 + 0.22 * Math.log(1 + count));
  // The one formula; several frames are ranked together by adding up their counts first.
  const score = (terms, raw, share = 1) => {
    let met = 0;
    let all = 0;
    terms.forEach(({ weight, count }, at) => {
      const worth = weight * rarity(count);
      all += worth;
      met += worth * raw.shares[at];
    });
    const total = all ? COVERAGE * (met / all) + raw.rest : 0;
    return Math.round(Math.min(1, total * raw.factor * share) * 1000) / 1000;
  };

  // Whether an element may be an answer at all; `hidden` ones only if one could use them.
  const consider = (query, el, args, fuzzy) => {
    const role = Aria.role(el);
    const native = Aria.interactive(el, role) || Dom.has(el, 'onclick') || Dom.has(el, 'tabindex');
    const wanted = query.tokens.some((token) => asks(token, role));
    const named = CELLS.has(role) && query.sieve.text.test(Words.fold(Context.column(el)));
    const known = wanted || named || fuzzy;
    if (!known && !Features.promising(el, role, native, query.sieve, args.testAttributes)) return null;
    const hidden = Aria.pruned(el) || !Aria.included(el);
    if (hidden && (args.visibleOnly || !native)) return null;
    const interactive = native || (!hidden && Place.clickable(el, role));
    if (!candidate(el, role, interactive)) return null;
    const plain = CONTAINERS.has(role) && !wanted ? '' : Aria.name(el);
    const name = plain || (hidden ? Context.text(el, 80) || Text.clean(Dom.attr(el, 'aria-label') || '') : '');
    const texts = Features.of(el, role, interactive, name, args.testAttributes);
    for (const each of texts) each.prepared = Words.prepare(each.text);
    return { el, role, name, native, interactive, hidden, texts };
  };

  // First look: everything on the page that meets at least one word by itself.
  const gather = function* (query, args, fuzzy) {
    const top = args.context ? Refs.check(args.caller, args.context) : document.documentElement;
    const counts = query.tokens.map(() => 0);
    const kept = [];
    const verbs = new Set();
    let looked = 0;
    const { ended, torn } = yield* Pass.traverse(top, (el) => {
      looked += 1;
      const found = consider(query, el, args, fuzzy);
      if (!found) return;
      const own = query.tokens.map((token) => Math.max(
        asks(token, found.role) ? 0.9 : 0,
        ...found.texts.map(({ prepared: text, worth }) => Words.match(token, text, fuzzy) * worth),
      ));
      own.forEach((share, at) => { if (share >= 0.45) counts[at] += 1; });
      if (query.verb >= 0 && own[query.verb] === 1 && found.interactive && found.name.split(' ').length === 1) {
        verbs.add(query.verb);
      }
      if (own.some((share, at) => share >= 0.2 && query.tokens[at].weight > 0.1)) {
        const sum = own.reduce((all, share, at) => all + share * query.tokens[at].weight, 0);
        kept.push({ ...found, order: looked, own: sum, shares: own });
      }
    }, { pierce: args.pierce === undefined ? 'closed' : args.pierce });
    const labels = new Set(kept.map(({ texts }) => texts.find(({ by }) => by)?.by));
    for (const found of kept) found.labelling = labels.has(found.el) && !found.interactive;
    return { kept, counts, verbs, late: ended === 'time', torn, looked };
  };
  // A page that is rebuilt meanwhile is looked at again, and near misses count where nothing fits.
  const gatherAll = function* (query, args) {
    let fuzzy = false;
    for (let tries = 1; ; tries += 1) {
      const pool = yield* gather(query, args, fuzzy);
      if (pool.late || (pool.kept.length && (!pool.torn || tries >= MOST_TRIES))) return { ...pool, fuzzy };
      if (!pool.torn || tries >= MOST_TRIES) {
        if (fuzzy) return { ...pool, fuzzy };
        fuzzy = true;
        tries = 0;
      }
    }
  };

  // The most promising where there are too many: by their own words, and by how close they are to
  // what meets the rarest word. Of a thousand "delete" that tells the one of row 900. They come in
  // the order of the page, where neighbours share what is known about them.
  const shortlist = ({ kept, counts }) => {
    if (kept.length <= MOST_GRADED) return kept;
    const [rarest] = counts.map((count, at) => ({ count, at })).filter(({ count }) => count > 0 && count <= RARE)
      .sort((a, b) => a.count - b.count);
    const steps = new Map();
    for (const { el, shares } of rarest ? kept : []) {
      if (shares[rarest.at] < 0.9) continue;
      for (let node = el, up = 0; node && up <= UPWARDS; node = Dom.parent(node), up += 1) {
        steps.set(node, Math.min(up, steps.has(node) ? steps.get(node) : up));
      }
    }
    const closeness = (el) => {
      for (let node = el, up = 0; node && up <= 2 * UPWARDS; node = Dom.parent(node), up += 1) {
        if (steps.has(node)) return 1 / (1 + steps.get(node));
      }
      return 0;
    };
    for (const each of steps.size ? kept : []) each.own += closeness(each.el);
    return kept.sort((a, b) => b.own - a.own || a.order - b.order).slice(0, MOST_GRADED)
      .sort((a, b) => a.order - b.order);
  };

  const kindOf = ({ interactive, role }) => {
    if (interactive) return role === 'option' ? 0.7 : 1;
    return role && !CONTAINERS.has(role) ? 0.4 : 0.2;
  };
  const appraise = (query, found, fuzzy) => {
    const shares = measure(query, found, fuzzy);
    const exact = exactness(query, found.texts);
    const kinds = query.tokens.filter((token) => token.roles && !token.tail);
    const wantsKind = kinds.some((token) => token.roles.has(found.role));
    const otherKind = kinds.length > 0 && query.tokens.length > kinds.length && !wantsKind;
    let factor = found.hidden ? 0.6 : 1;
    if (CONTAINERS.has(found.role) && !wantsKind) factor *= 0.75;
    if (found.labelling) factor *= 0.75;
    return {
      ...found, shares, exact, wantsKind,
      raw: {
        shares: shares.map(({ share }) => Math.round(share * 1000) / 1000),
        rest: EXACT * exact.share * (otherKind ? 0.6 : 1)
          + PRECISION * precision(query, found.texts, fuzzy) + KIND * kindOf(found),
        factor,
      },
    };
  };

  const byScore = (a, b) => b.score - a.score || a.order - b.order;
  const SEEN = { covered: 0.86, hidden: 0.9, disabled: 0.97, 'off-screen': 1 };

  const reasons = ({ exact, shares }) => {
    const found = new Set(exact.why ? [exact.why] : []);
    for (const { share, why } of shares) if (share >= 0.3 && why) found.add(why);
    return [...found].slice(0, 6);
  };

  const present = (found, args, late) => {
    const { caller, prefix, testAttributes: attributes } = args;
    const { el, role, name, place } = found;
    Refs.show(caller, el);
    if (args.named) return { ...Targets.shown(el, prefix), score: found.score };
    const test = Features.testId(el, attributes);
    const context = Context.summary(el);
    return {
      ref: Refs.text(Refs.of(el), prefix),
      role: role || Dom.tag(el),
      name: Text.cut(name || Context.seen(el, 80), 80),
      ...(test && { testId: Text.cut(Text.clean(test[1]), 80) }),
      ...Locator.hint(el, attributes, late),
      bbox: place.bbox, clipped: place.clipped, actionable: place.actionable,
      ...(place.cover && { coveredBy: Place.describe(place.cover) }),
      score: found.score, why: reasons(found), ...(context && { context }),
    };
  };

  // "second checkbox": of those that fit alike, where none is called "second".
  const pickOrdinal = (query, ranked) => {
    const [first] = ranked;
    if (!query.ordinal || !first || first.shares[query.ordinal.at].own > 0.3) return;
    const alike = ranked.filter((each) => each.role === first.role && each.interactive === first.interactive
      && first.score - each.score < CLOSE && !each.hidden).sort((a, b) => a.order - b.order);
    const { place } = query.ordinal;
    const meant = place < 0 ? alike[alike.length - 1] : alike[place - 1];
    if (!meant || alike.length < 2) return;
    meant.raw.rest += 2 * CLOSE;
    meant.shares[query.ordinal.at] = { share: 1, own: 0, why: `${query.ordinal.word} of ${alike.length}` };
  };

  const demoteContainers = (ranked) => {
    const controls = ranked.filter(({ interactive, hidden }) => interactive && !hidden);
    for (const outer of ranked) {
      if ((outer.interactive && outer.role && !ROW_LIKE.has(outer.role)) || outer.wantsKind) continue;
      const rivals = controls.filter((each) => each !== outer && each.score > outer.score * 0.7);
      if (rivals.some((each) => Dom.contains(outer.el, each.el))) outer.raw.factor *= 0.8;
    }
  };

  const warn = (query, candidates, all) => {
    const [first, second] = candidates;
    if (!first) {
      const near = all[0];
      return [near
        ? `nothing is sure enough; closest: ${near.role} ${Text.quote(near.name)} [${near.ref}], score ${near.score}`
        : `no element says ${Text.quote(Text.cut(query, 80))} or anything like it`];
    }
    const rivals = candidates.filter((each) => first.score - each.score < CLOSE).length;
    if (!second || rivals < 2) return [];
    const told = first.context && second.context && first.context.rowKey !== second.context.rowKey
      ? `add words of the row, for example ${Text.quote(first.context.rowKey)}`
      : 'add words that tell them apart, or choose by ref';
    return [`ambiguous: the best ${rivals} score alike; ${told}`];
  };

  // A row that several are in is told with the first of them.
  const tellRowsOnce = (candidates) => {
    const told = new Set();
    for (const each of candidates) {
      if (!each.context) continue;
      const { collection, rowText, ...context } = each.context;
      const row = `${context.rowKey}\n${rowText}`;
      if (told.has(row)) each.context = context;
      else if (rowText === context.rowKey) each.context = { collection, ...context };
      told.add(row);
    }
  };

  // Orders the answers of several frames as if they were one document; `seen` says how input into
  // a whole frame fares.
  const rank = ({ query, parts, maxCandidates = 5, confidenceFloor = 0 }) => {
    const terms = parts[0].terms.map((term, at) => ({
      ...term, count: parts.reduce((sum, part) => sum + part.terms[at].count, 0),
    }));
    const all = parts.flatMap(({ candidates, seen }) => candidates.map((each) => ({ each, seen })))
      .map(({ each, seen }, order) => ({ ...each, score: score(terms, each.raw, SEEN[seen]), order }))
      .sort(byScore);
    const candidates = all.filter((each) => each.score >= confidenceFloor)
      .slice(0, Math.min(MOST, maxCandidates)).map(({ raw, order, ...shown }) => shown);
    tellRowsOnce(candidates);
    const warnings = [...warn(query, candidates, all), ...new Set(parts.flatMap((part) => part.warnings))];
    return { query, candidates, warnings, complete: parts.every((part) => part.complete) };
  };

  const look = function* (args) {
    const parsed = Query.parse(args.query);
    if (!parsed.tokens.length) Agent.fail('invalid_argument', 'the query has no word in it');
    const pool = yield* gatherAll(parsed, args);
    const { fuzzy } = pool;
    // "choose Team" is no gesture where a control is called "Choose".
    const query = pool.verbs.size ? { ...parsed, core: parsed.coreWithVerb } : parsed;
    const terms = query.tokens.map(({ word, weight }, at) => ({
      word, weight: pool.verbs.has(at) ? Math.max(weight, NAMED_VERB) : weight, count: pool.counts[at],
    }));
    let { late } = pool;
    const graded = [];
    for (const found of shortlist(pool)) {
      if (!late && Pass.due()) late = yield;
      if (Dom.connected(found.el)) graded.push(appraise(query, found, fuzzy));
    }
    const grade = () => {
      for (const each of graded) each.score = score(terms, each.raw);
      graded.sort(byScore);
    };
    grade();
    pickOrdinal(query, graded);
    grade();
    const most = Math.min(MOST, args.maxCandidates || 5);
    // In one slice of their own: proving one selector leaves most of what the next one needs.
    if (!late && pool.looked > MOST_GRADED) late = yield;
    const best = [];
    for (const each of graded) {
      if (best.length >= most * 3 + 20) break;
      // What nobody sees is an answer only where it can be used.
      if (Dom.connected(each.el) && (each.native || !Aria.concealment(each.el))) best.push(each);
    }
    for (const each of best) if (!each.native) each.name = Context.seenName(each.el, each.name);
    graded.splice(0, Infinity, ...best);
    demoteContainers(graded);
    for (const each of graded) {
      each.place = Place.look(each.el, each.role);
      each.raw.factor *= SEEN[each.place.actionable] || 1;
    }
    grade();
    const shown = graded.filter(({ place }) => !args.visibleOnly || place.actionable !== 'hidden').slice(0, most);
    const candidates = shown.map((each) => ({ ...present(each, args, late), raw: each.raw }));
    const warnings = [];
    if (late) warnings.push(`time was up after ${pool.looked} elements`);
    if (pool.torn || (pool.kept.length && !graded.length)) warnings.push('the page changed while it was searched');
    const part = { terms, candidates, warnings, complete: !late };
    return args.alone ? rank({ ...args, parts: [part] }) : { ...part, view: Place.view() };
  };

  Agent.expose('find', Pass.sliced(look));
  Agent.expose('find_rank', rank);

  return Object.freeze({ look, rank });
})();
