// Snapshots: the text a caller gets, and what is kept so that it can be continued.
const Render = (() => {
  const DEFAULT_BUDGET = 3000;
  const UNFOLDED_BUDGET = 20000;
  const LARGEST_BUDGET = 1000000;
  const NODES = 200000;
  const MILLISECONDS = 250;

  const documentElement = Dom.getter(Document.prototype, 'documentElement');
  const documentTitle = Dom.getter(Document.prototype, 'title');
  const hasFocus = Dom.method(Document.prototype, 'hasFocus');
  const within = Dom.method(Element.prototype, 'getElementsByTagName');
  const collectionLength = Dom.getter(HTMLCollection.prototype, 'length');

  const scopeElement = (number) => {
    if (!number) return documentElement(document);
    const el = Refs.get(number);
    if (!el || !Dom.connected(el)) {
      const gone = `${Refs.text(number)} is not in this document any more`;
      Agent.fail('stale_ref', gone, { ref: number });
    }
    return el;
  };

  const budgetOf = (args) => Math.min(LARGEST_BUDGET, args.budget > 0 ? Math.floor(args.budget) : DEFAULT_BUDGET);

  const omission = (selectors) => {
    for (const selector of selectors) {
      try {
        Dom.matches(documentElement(document), selector);
      } catch {
        Agent.fail('invalid_argument', 'omit takes CSS selectors, and one of these is none');
      }
    }
    return selectors.join(',');
  };

  const optionsOf = (args) => ({
    mode: args.mode === 'interactive' ? 'interactive' : 'full',
    scoped: Boolean(args.scope),
    depth: args.depth > 0 ? args.depth : 0,
    budget: budgetOf(args),
    // Who asks for that much wants all of it, options too.
    unfold: budgetOf(args) >= UNFOLDED_BUDGET,
    hidden: Boolean(args.hidden),
    urls: Boolean(args.urls),
    omit: omission(args.omit || []),
    pierce: args.pierce === undefined ? 'closed' : args.pierce,
    pad: ' '.repeat(args.pad > 0 ? Math.min(args.pad, 100) : 0),
    prefix: args.prefix || '',
    nodes: args.nodes > 0 ? args.nodes : NODES,
    ms: args.ms > 0 ? args.ms : MILLISECONDS,
  });

  // Enough of the document to spend the budget on.
  const gather = (top, options) => {
    const outline = Walk.open(top, options);
    const refLength = Refs.text(Refs.next() * 10, options.prefix).length;
    for (;;) {
      const lines = Outline.lines(outline);
      const total = Budget.price(lines, refLength, options.pad);
      const missing = options.budget - total;
      if (missing < 0 || !Walk.grow(outline, outline.tokens + missing * 1.2 + 40)) return { outline, lines, total };
    }
  };

  // About how many lines there are in what was not walked.
  const estimate = (outline, lines) => {
    const waiting = lines.filter((line) => Budget.silent(line.entry)
      || (line.entry.cause === 'fold' && Number.isFinite(line.entry.prio)));
    if (!waiting.length) return 0;
    const all = outline.top ? collectionLength(within(outline.top, '*')) : 0;
    const share = Math.min(2, (lines.length + 1) / (outline.elements + 1));
    return Math.max(waiting.length, Math.round(Math.max(0, all - outline.elements) * share));
  };
  const about = (number) => {
    if (number < 20) return String(number);
    const unit = 10 ** (String(number).length - 2);
    return `about ${Outline.grouped(Math.round(number / unit) * unit)}`;
  };

  const LIMITS = { nodes: 'the limit of nodes', time: 'the limit of time' };
  const notes = (outline, more, token) => {
    const said = [];
    if (outline.limited) said.push(`… stopped at ${LIMITS[outline.limited]}: look at a part of the page with scope`);
    if (more) said.push(`… ${about(more)} more line${more === 1 ? '' : 's'}${token ? `; continue: ${token}` : ''}`);
    return said;
  };

  const snapshot = (args) => {
    const caller = args.caller || '';
    if (args.continuation) return Frozen.proceed(caller, args);
    if (Clicks.unheard(args, false)) return { unheard: true, roots: Observe.grownRootCount() };
    const options = optionsOf(args);
    const top = scopeElement(args.scope);
    const { all, roots } = Observe.dirty(caller);
    options.changed = all ? [] : roots;
    options.seen = new WeakSet();
    const { outline, lines, total } = gather(top, options);
    const remaining = estimate(outline, lines);
    const cost = (said) => Text.tokens(`${options.pad.repeat(said.length)}\n${said.join('\n')}`);
    const complete = !remaining && total + cost(notes(outline, 0, '')) <= options.budget;
    const frozen = complete ? null : Frozen.reserve();
    const token = frozen ? Frozen.token(frozen, 0, options.prefix) : '';

    const refText = (el) => Refs.text(Refs.of(el), options.prefix);
    const write = (shown) => {
      const left = lines.filter((line) => !line.chosen && !Budget.silent(line.entry)).length;
      const body = shown.map((line, row) => {
        line.row = row;
        return `${Outline.indent(line.depth)}${line.before}${line.el ? refText(line.el) : ''}${line.after}`;
      });
      return body.concat(notes(outline, left + remaining, token)).map((row) => options.pad + row).join('\n');
    };
    const reserve = cost(notes(outline, complete ? 0 : 999999, token));
    let text = Budget.fit(lines, options.budget, reserve, write);
    if (Text.tokens(text) > options.budget) text = '';
    const left = lines.filter((line) => !line.chosen && !Budget.silent(line.entry)).length;
    const truncated = left + remaining > 0;
    if (frozen && truncated) Frozen.keep(caller, frozen, lines, options);

    const printed = lines.filter((line) => line.chosen);
    const frames = [];
    let refs = 0;
    for (const line of printed) {
      if (!line.entry.el || line.entry.kind === 'text' || line.entry.kind === 'range') continue;
      if (!Outline.hasRef(line.entry)) continue;
      refs += 1;
      Refs.show(caller, line.entry.el);
      if (line.entry.kind === 'frame') {
        frames.push({ ref: Refs.of(line.entry.el), row: line.row, indent: Outline.indent(line.depth).length });
      }
    }
    if (!options.scoped) Observe.look(caller);
    Memory.remember(caller, outline, lines, options);
    return {
      text,
      refs,
      interactive: lines.filter(({ entry }) => entry.kind === 'control' || entry.kind === 'clickable').length,
      nodes: outline.nodes,
      hidden: outline.hidden,
      omitted: outline.omitted,
      tokens: Text.tokens(text),
      truncated,
      limited: outline.limited,
      continuation: truncated ? token : null,
      more: left + remaining,
      frames,
      suspects: outline.suspects,
      roots: Observe.grownRootCount(),
      focused: hasFocus(document),
      origin: self.origin,
      url: location.href,
      title: Text.clean(documentTitle(document)),
    };
  };

  Agent.expose('snapshot', Pass.over(snapshot));

  return Object.freeze({ snapshot, optionsOf });
})();
