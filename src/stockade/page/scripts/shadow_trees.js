// Every shadow root below the top, hosts in the order of the page, roots within roots after their own host.
(args) => {
  const { Aria, Dom, Pass, Refs, Text, Context, Place } = globalThis.stockade.modules;
  const MOST_CHILDREN = 50;
  const MOST_DOUBTFUL = 400;
  const MOST_COUNTED = 100000;
  const modeOf = Dom.getter(ShadowRoot.prototype, 'mode');
  const top = args.scope ? Refs.check(args.caller, args.scope) : document.documentElement;

  const elementsIn = (node) => Dom.childNodes(node).filter(Dom.isElement);
  const child = (el) => {
    const text = Dom.secret(el) ? '' : Context.seen(el, 120);
    return { tag: Dom.tag(el), ...(text && { text }), childCount: elementsIn(el).length };
  };
  const descendants = (root) => {
    let count = 0;
    const pending = elementsIn(root);
    while (pending.length && count < MOST_COUNTED) {
      const el = pending.pop();
      count += 1;
      pending.push(...elementsIn(el));
    }
    return count;
  };

  // A closed root on an element that has content of its own cannot be told from outside: ask about some.
  let doubts = args.asked ? MOST_DOUBTFUL : 0;
  const DOUBTFUL = new Set(
    ('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p ' + 'section span').split(' '),
  );
  const doubt = (el) => {
    if (doubts >= MOST_DOUBTFUL || !DOUBTFUL.has(Dom.tag(el)) || !Dom.firstChild(el)) return;
    doubts += 1;
    Dom.noteSuspect(el);
  };

  const hosts = [];
  const parents = new Map();
  const around = (el) => {
    for (let up = Dom.parent(el); up; up = Dom.parent(up)) if (parents.has(up)) return up;
    return null;
  };
  let found = 0;
  const limited = Pass.walk(
    top,
    (el) => {
      const root = Dom.shadow(el);
      if (!root) {
        doubt(el);
        return true;
      }
      found += 1;
      parents.set(el, true);
      if (hosts.length < args.most) hosts.push({ el, root, up: around(el) });
      return true;
    },
    { nodes: 300000, ms: 1000 },
  );

  const refOf = (el) => {
    Refs.show(args.caller, el);
    return Refs.text(Refs.of(el), args.prefix);
  };
  return {
    view: Place.view(),
    found,
    doubts: args.asked ? 0 : doubts,
    warnings: limited ? [`the page is large: stopped at ${limited}`] : [],
    trees: hosts.map(({ el, root, up }) => {
      const children = elementsIn(root);
      const name = Aria.toldName(el, 80);
      return {
        hostRef: refOf(el),
        hostTag: Dom.tag(el),
        ...(name && { hostName: name }),
        mode: modeOf(root),
        ...(up && { parentHostRef: refOf(up) }),
        children: children.slice(0, MOST_CHILDREN).map(child),
        childCount: children.length,
        descendantCount: descendants(root),
      };
    }),
  };
}
