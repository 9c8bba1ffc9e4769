// The accessibility view of a document, as one noun.
const Aria = (() => {
  const begin = Dom.begin;
  const end = Dom.end;

  const interactive = (el, role) => {
    if (role && Roles.INTERACTIVE.has(role)) return true;
    if (Dom.tag(el) === 'summary' && Dom.isHtml(el)) return true;
    // A separator with a position is a splitter, which can be moved.
    if (role === 'separator') return Dom.has(el, 'aria-valuenow') || Roles.focusable(el);
    return Roles.editable(el) || (role === 'gridcell' && Roles.focusable(el));
  };

  // Inside a button or a tab is a drawing of it, unless something there can be acted on by itself.
  const ACTABLE = 'a[href], button, input, select, textarea, summary, [role], [tabindex], [contenteditable]';
  const leaves = (role, el) => Roles.LEAVES.has(role) && !(el && holdsActable(el));
  const MOST_PARTS = 60;
  const holdsActable = (el) => {
    const acts = (inner) => interactive(inner, Roles.role(inner));
    if (Dom.firstChild(el) && Array.from(Dom.query(el, ACTABLE)).some(acts)) return true;
    const root = Dom.shadow(el);
    return Boolean(root) && Array.from(Dom.query(root, '*')).slice(0, MOST_PARTS).some(
      (inner) => acts(inner) || (Dom.shadow(inner) && holdsActable(inner)),
    );
  };

  // Roles and names of what one can act on, in document order: what the oracle is asked too.
  const MOST_NODES = 500000;
  const documentElement = Dom.getter(Document.prototype, 'documentElement');
  const elements = () => {
    const found = [];
    begin();
    try {
      const pending = [documentElement(document)];
      for (let looked = 0; pending.length && looked < MOST_NODES; looked += 1) {
        const el = pending.pop();
        const role = Roles.role(el);
        if (Roles.INTERACTIVE.has(role) && Visibility.included(el)) found.push([role, Names.name(el)]);
        const children = Dom.children(el);
        for (let i = children.length - 1; i >= 0; i -= 1) {
          if (Dom.isElement(children[i])) pending.push(children[i]);
        }
      }
    } finally {
      end();
    }
    return found;
  };
  Agent.expose('aria_elements', elements);

  return Object.freeze({
    begin, end, elements, interactive,
    role: Roles.role, focusable: Roles.focusable, name: Names.name, nameParts: Names.parts, seenName: Names.seenName, telling: Names.telling, toldName: Names.told,
    markForNobody: Names.markForNobody, description: Names.description,
    describedInView: Names.describedInView,
    hidden: Visibility.hidden, muted: Visibility.muted, hiddenInside: Visibility.hiddenInside, included: Visibility.included, pruned: Visibility.pruned,
    concealment: Visibility.concealment, unread: Visibility.unread, states: States.states, value: States.value, disabled: States.disabled,
    roles: Object.freeze([...Roles.INTERACTIVE]), leaves, paint: Visibility.paint,
  });
})();
