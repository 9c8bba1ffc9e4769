// Elements by a description in plain words, ranked, each with the reasons.
const Find = (() => {
  const COVERAGE = 0.56;
  const EXACT = 0.24;
  const PRECISION = 0.12;
  const KIND = 0.08;
  const CLOSE = 0.04;
  const MOST = 20;
  const MOST_ROUNDS = 8;
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

  // How well an element meets each word by itself; null where it meets none.
  const examine = (query, el, args, fuzzy) => {
    const found = consider(query, el, args, fuzzy);
    if (!found) return null;
    const shares = query.tokens.map((token) => Math.max(
      asks(token, found.role) ? 0.9 : 0,
      ...found.texts.map(({ prepared: text, worth }) => Words.match(token, text, fuzzy) * worth),
    ));
    if (!shares.some((share, at) => share >= 0.2 && query.tokens[at].weight > 0.1)) {
      return shares.some(counts) ? { el, shares, kept: false } : null;
    }
    const own = shares.reduce((all, share, at) => all + share * query.tokens[at].weight, 0);
    const named = query.verb >= 0 && shares[query.verb] === 1 && found.interactive && !found.name.includes(' ');
    return Object.assign(found, { shares, own, named, kept: true });
  };
  const counts = (share) => share >= 0.45;

  // First look: everything on the page that meets at least one word by itself. What the page changes
  // meanwhile is looked at again, until all is known as it is now.
  const survey = (query, args, rebuilt, fuzzy) => {
    const { pierce = 'closed' } = args;
    const known = new Map();
    let top = null;
    let looked = 0;
    let rounds = 0;
    const visit = (el) => {
      looked += 1;
      const root = Dom.shadow(el);
      if (root) Observe.watchRoot(root);
      known.delete(el);
      const found = examine(query, el, args, fuzzy);
      if (!found) return;
      found.order = looked;
      known.set(el, found);
    };
    // What there is to look at now, and the elements around it, whose words these are, too.
    const next = () => {
      const { all, parts, worded } = rebuilt.take();
      const before = top;
      top = args.context ? Refs.check(args.caller, args.context) : document.documentElement;
      if (all || top !== before) return { parts: [top], around: new Set() };
      const around = new Set();
      for (const el of [...worded, ...parts.map((part) => Dom.parent(part)).filter(Boolean)]) {
        if (around.has(el) || !Pass.reaches(top, el, pierce)) continue;
        for (let node = el; node && !around.has(node); node = node === top ? null : Dom.parent(node)) around.add(node);
      }
      for (const el of [...around]) if (el instanceof HTMLLabelElement && labelControl(el)) around.add(labelControl(el));
      return { parts: parts.filter((el) => Pass.reaches(top, el, pierce)), around };
    };
    // Answers '', or why not all is known: 'time' was up, or the page is `restless`.
    const look = function* () {
      let torn = [];
      for (;;) {
        const { parts, around } = next();
        const due = [...new Set([...torn.filter((el) => Pass.reaches(top, el, pierce)), ...parts])];
        torn = [];
        if (!due.length && !around.size) return '';
        rounds += 1;
        if (rounds > MOST_ROUNDS) return 'restless';
        const seen = new Set();
        const once = (el) => {
          if (seen.has(el)) return false;
          seen.add(el);
          return visit(el);
        };
        for (const [at, part] of due.entries()) {
          if (at % 16 === 15 && Pass.due() && (yield)) return 'time';
          const turn = yield* Pass.traverse(part, due.length > 1 ? once : visit, { pierce });
          if (turn.ended) return 'time';
          torn.push(...turn.torn);
        }
        for (const [at, el] of [...around].entries()) {
          if (at % 16 === 15 && Pass.due() && (yield)) return 'time';
          if (!seen.has(el) && Pass.reaches(top, el, pierce)) visit(el);
        }
      }
    };
    const pool = () => {
      const here = [...known.values()].filter(({ el }) => Dom.connected(el));
      const kept = here.filter((found) => found.kept);
      const labels = new Set(kept.map(({ texts }) => texts.find(({ by }) => by)?.by));
      for (const found of kept) found.labelling = labels.has(found.el) && !found.interactive;
      return {
        kept, looked, counts: query.tokens.map((_, at) => here.filter(({ shares }) => counts(shares[at])).length),
        verbs: new Set(kept.some(({ named }) => named) ? [query.verb] : []), rounds,
      };
    };
    return { look, pool, fuzzy, rounds: () => rounds };
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
    for (const each of kept) each.promise = each.own + (steps.size ? closeness(each.el) : 0);
    return kept.sort((a, b) => b.promise - a.promise || a.order - b.order).slice(0, MOST_GRADED)
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
      name: (found.native ? Aria.toldName(el, 80) : Text.cut(Aria.seenName(el), 80)) || Text.cut(name || Context.seen(el, 80), 80),
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

  // The most promising of a survey, appraised, and why they may not be all there are.
  const appraiseAll = function* (parsed, found) {
    let appraised = new WeakMap();
    let query = parsed;
    let ended = yield* found.look();
    for (let fresh = false; ; fresh = true) {
      const pool = found.pool();
      // "choose Team" is no gesture where a control is called "Choose".
      const core = pool.verbs.size ? parsed.coreWithVerb : parsed.core;
      if (core !== query.core) {
        query = { ...parsed, core };
        appraised = new WeakMap();
      }
      const graded = [];
      for (const each of shortlist(pool)) {
        if (!appraised.has(each)) {
          if (!ended && Pass.due() && (yield)) ended = 'time';
          if (!Dom.connected(each.el)) continue;
          appraised.set(each, appraise(query, each, found.fuzzy));
        }
        graded.push(appraised.get(each));
      }
      // In one slice of their own: proving one selector leaves most of what the next one needs.
      if (!ended && !fresh && graded.length && pool.looked > MOST_GRADED && (yield)) ended = 'time';
      if (!ended) ended = yield* found.look();
      if (ended || pool.rounds === found.rounds()) return { pool, query, graded, ended };
    }
  };
  // What was looked at again came last; as it stands in the page it may be the first.
  const putInOrder = (graded) => {
    const places = new Map(Pass.order(graded.map(({ el }) => el)).map((el, at) => [el, at]));
    for (const each of graded) each.order = places.get(each.el);
  };

  const look = function* (args) {
    const parsed = Query.parse(args.query);
    if (!parsed.tokens.length) Agent.fail('invalid_argument', 'the query has no word in it');
    const rebuilt = Observe.collectRebuilt();
    let found;
    try {
      found = yield* appraiseAll(parsed, survey(parsed, args, rebuilt, false));
      // Near misses count where nothing fits.
      if (found.ended !== 'time' && !found.pool.kept.length) {
        found = yield* appraiseAll(parsed, survey(parsed, args, rebuilt, true));
      }
    } finally {
      rebuilt.end();
    }
    const { pool, query, ended } = found;
    const terms = query.tokens.map(({ word, weight }, at) => ({
      word, weight: pool.verbs.has(at) ? Math.max(weight, NAMED_VERB) : weight, count: pool.counts[at],
    }));
    const graded = found.graded.filter(({ el }) => Dom.connected(el));
    if (pool.rounds > 1) putInOrder(graded);
    const grade = () => {
      for (const each of graded) each.score = score(terms, each.raw);
      graded.sort(byScore);
    };
    grade();
    pickOrdinal(query, graded);
    grade();
    const most = Math.min(MOST, args.maxCandidates || 5);
    const best = [];
    for (const each of graded) {
      if (best.length >= most * 3 + 20) break;
      // What nobody sees is an answer only where it can be used.
      if (each.native || !Aria.concealment(each.el)) best.push(each);
    }
    graded.splice(0, Infinity, ...best);
    demoteContainers(graded);
    for (const each of graded) {
      each.place = Place.look(each.el, each.role);
      each.raw.factor *= SEEN[each.place.actionable] || 1;
    }
    grade();
    const shown = graded.filter(({ place }) => !args.visibleOnly || place.actionable !== 'hidden').slice(0, most);
    const late = ended === 'time';
    const candidates = shown.map((each) => ({ ...present(each, args, late), raw: each.raw }));
    const warnings = [];
    if (late) warnings.push(`time was up after ${pool.looked} elements`);
    if (ended === 'restless') warnings.push('the page changed while it was searched, again and again');
    const part = { terms, candidates, warnings, complete: !ended };
    return args.alone ? rank({ ...args, parts: [part] }) : { ...part, view: Place.view() };
  };

  Agent.expose('find', Pass.sliced(look));
  Agent.expose('find_rank', rank);

  return Object.freeze({ look, rank });
})();
