// The accessibility view of a document, as one noun.
const Aria = (() => {
  const begin = Dom.begin;
  const end = Dom.end;

  const interactive = (el, role) => {
    if (role && Roles.INTERACTIVE.has(role)) return true;
    if (Dom.tag(el) === 'summary' && Dom.isHtml(el)) return true;
    return Roles.editable(el) || (role === 'gridcell' && Roles.focusable(el));
  };

  // Roles and names of what one can act on, in document order: what the oracle is asked too.
  const MOST_NODES = 500000;
  const elements = () => {
    const found = [];
    begin();
    try {
      const pending = [document.documentElement];
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
    role: Roles.role, focusable: Roles.focusable, name: Names.name, description: Names.description,
    hidden: Visibility.hidden, included: Visibility.included, pruned: Visibility.pruned,
    concealment: Visibility.concealment, states: States.states, value: States.value, disabled: States.disabled,
    roles: Object.freeze([...Roles.INTERACTIVE]), leaves: (role) => Roles.LEAVES.has(role),
  });
})();
