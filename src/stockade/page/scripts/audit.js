// Rules of accessibility over a document: every element is looked at once, then the page as a whole.
// The other scripts hold the rules: `{id, criterion, impact, fix, element?, page?, whole?}`, where
// `element` and `page` answer with what is wrong, or with `{said, review}` where a human must judge.
(args, makeKit, makeTables, ...groups) => {
  const { Aria, Dom, Pass, Place, Refs } = globalThis.stockade.modules;
  const PER_RULE = 200;
  const kit = makeKit(args);
  const tables = makeTables();
  const root = Dom.getter(Document.prototype, 'documentElement')(document);
  const top = args.scope ? Refs.check(args.caller, args.scope) : root;

  const elements = [];
  const limited = Pass.walk(
    top,
    (el) => {
      if (Aria.pruned(el)) return false;
      elements.push(el);
      return true;
    },
    { nodes: args.nodes, ms: args.ms },
  );
  const within = (el) => top === root || Dom.contains(top, el);

  const wanted = args.rules ? new Set(args.rules) : null;
  const all = groups.flatMap((make) => make(kit, tables, elements));
  const rules = all.filter(
    (rule) => (!wanted || wanted.has(rule.id)) && !(args.inner && rule.main) && !(args.scope && rule.whole),
  );
  const until = performance.now() + args.ms;
  const findings = [];
  const counts = {};
  let stopped = '';
  const note = (rule, el, answer) => {
    const { said, review = false } = typeof answer === 'string' ? { said: answer } : answer;
    const key = review ? 'review' : 'failed';
    counts[rule.id] ||= { failed: 0, review: 0 };
    counts[rule.id][key] += 1;
    if (counts[rule.id].failed + counts[rule.id].review > PER_RULE) return;
    findings.push({ rule, el, said, review });
  };
  for (const rule of rules) {
    if (!rule.element) continue;
    for (let at = 0; at < elements.length; at += 1) {
      if (at % 64 === 0 && performance.now() > until) {
        stopped = `${args.ms} ms at rule ${rule.id}`;
        break;
      }
      const answer = rule.element(elements[at], Aria.role(elements[at]));
      if (answer) note(rule, elements[at], answer);
    }
    if (stopped) break;
  }
  for (const rule of rules) {
    if (!rule.page || stopped) continue;
    for (const { el = root, ...answer } of rule.page()) if (within(el)) note(rule, el, answer);
  }
  return {
    view: Place.view(),
    counts,
    elements: elements.length,
    rules: rules.map(({ id }) => id),
    known: all.map(({ id }) => id),
    warnings: [limited, stopped].filter(Boolean).map((why) => `the page is large: stopped at ${why}`),
    findings: findings.map(({ rule, el, said, review }) => ({
      rule: rule.id,
      criterion: rule.criterion,
      impact: rule.impact,
      message: said,
      fix: rule.fix,
      ...(review && { needsReview: true }),
      ...kit.show(el),
    })),
  };
}
