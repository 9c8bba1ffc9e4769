// Elements that are to be acted on, by a selector and by what the action can work with.
const Targets = (() => {
  const words = (string) => new Set(string.split(' '));
  const CHOICES = words('combobox listbox radiogroup menu');
  const CHECKS = words('checkbox radio switch menuitemcheckbox menuitemradio');
  const KINDS = {
    __proto__: null,
    editable: (el) => Boolean(Act.editableKind(el)) || Sliders.is(el),
    choice: (el) => Dom.tag(el) === 'select' || CHOICES.has(Aria.role(el)),
    field: (el) => KINDS.editable(el) || KINDS.choice(el) || CHECKS.has(Aria.role(el)),
    file: (el) => Dom.type(el) === 'file',
  };

  // An element as an error names it: like its line in a snapshot, with the row or section it is in.
  const shown = (el, prefix) => {
    const context = Context.summary(el);
    const section = context ? '' : Context.section(el);
    return {
      ref: Refs.text(Refs.of(el), prefix), description: Place.describe(el),
      ...(context && { row: context.rowKey }), ...(section && { section }),
      ...(!Place.rendered(el) && { hidden: true }),
    };
  };
  // What all have in common tells none from the others.
  const toldApart = (candidates) => {
    for (const key of ['row', 'section']) {
      const said = new Set(candidates.map((each) => each[key]));
      if (said.size === 1 && candidates.length > 1) for (const each of candidates) delete each[key];
    }
    return candidates;
  };

  // How many elements of this document a selector means, and the first few.
  const select = (args) => {
    const top = args.context ? Refs.check(args.caller, args.context) : document;
    const fits = KINDS[args.kind] || (() => true);
    const levels = Selector.levels(args.selector, top);
    const found = levels.size ? Selector.choose(levels, fits) : [];
    return {
      count: found.length, fits: found.some(fits), rendered: found.some(Place.rendered),
      level: found.length ? levels.get(found[0]) : null, view: Place.view(),
      candidates: Dom.unfiltered(() => toldApart(found.slice(0, args.most || 5).map((el) => {
        Refs.show(args.caller, el);
        return shown(el, args.prefix);
      }))),
    };
  };

  // The words of a selector by which something like it can be found, and the kinds it names.
  const ROLE = /^role=([a-z]+)/;
  const KEYED = /^[a-z-]+=/;
  const NOTATION = /:{1,2}[a-z-]+|[[\]()>+~*.,#=^$|"'\\]/g;
  const NATIVE = { __proto__: null, a: 'link', input: 'field', textarea: 'field', select: 'dropdown', img: 'image' };
  const GENERIC = words('div span p ul ol li nav main section form body html table tr td css role name text type class id data '
    + 'testid aria label href value has is not nth child visible true false');
  const wordsOf = (selector) => {
    const found = [];
    for (const part of Selector.split(selector)) {
      const role = ROLE.exec(part);
      if (role) found.push(role[1]);
      const rest = role ? part.slice(role[0].length) : part;
      if (KEYED.test(rest) && !rest.startsWith('css=')) {
        found.push(rest.replace(KEYED, '').replace(/^["']|["']$/g, ''));
        continue;
      }
      for (const word of Words.spread(rest.replace(NOTATION, ' ')).split(/\s+/)) {
        const plain = NATIVE[word] || word;
        if (plain && !GENERIC.has(plain.toLowerCase()) && !/^\d+$/.test(plain)) found.push(plain);
      }
    }
    return found.join(' ');
  };

  // Where nothing is alike, what the tool could work with.
  const ofKind = (fits) => {
    const found = [];
    Pass.walk(document.documentElement, (el) => {
      if (fits(el) && Place.rendered(el)) found.push(el);
      return found.length < NEAR;
    }, { nodes: 5000, ms: 20 });
    return found.slice(0, NEAR);
  };

  // What is nearest to a selector that found nothing, or to an element that is gone.
  const NEAR = 4;
  const SURE_ENOUGH = 0.3;
  const near = function* (args) {
    const query = args.selector ? wordsOf(args.selector) : args.description;
    let candidates = [];
    if (Query.parse(query).tokens.length) {
      const part = yield* Find.look({ ...args, query, maxCandidates: NEAR, named: true });
      candidates = part.candidates.filter(({ score }) => score >= SURE_ENOUGH)
        .map(({ raw, ...candidate }) => candidate);
    }
    if (!candidates.length && KINDS[args.kind]) {
      candidates = ofKind(KINDS[args.kind]).map((el) => {
        Refs.show(args.caller, el);
        return { ...shown(el, args.prefix), score: 0 };
      });
    }
    const body = Dom.query(document, 'body')[0];
    return { candidates: toldApart(candidates), empty: !body || !Context.text(body, 1) && !Dom.query(body, '*').length, view: Place.view() };
  };

  Agent.expose('select', Pass.over(select));
  Agent.expose('near', Pass.sliced(near));

  return Object.freeze({ select, shown });
})();
