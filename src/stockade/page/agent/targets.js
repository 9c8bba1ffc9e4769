// Elements that are to be acted on, by a selector and by what the action can work with.
const Targets = (() => {
  const words = (string) => new Set(string.split(' '));
  const CHOICES = words('combobox listbox radiogroup menu');
  const CHECKS = words('checkbox radio switch menuitemcheckbox menuitemradio');
  const KINDS = {
    __proto__: null,
    editable: (el) => Boolean(Act.editableKind(el)),
    choice: (el) => Dom.tag(el) === 'select' || CHOICES.has(Aria.role(el)),
    field: (el) => KINDS.editable(el) || KINDS.choice(el) || CHECKS.has(Aria.role(el)),
    file: (el) => Dom.type(el) === 'file',
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
      candidates: found.slice(0, args.most || 5).map((el) => {
        Refs.show(args.caller, el);
        const context = Context.summary(el);
        return {
          ref: Refs.text(Refs.of(el), args.prefix), description: Place.describe(el),
          ...(context && { row: context.rowKey }),
        };
      }),
    };
  };

  Agent.expose('select', Pass.over(select));

  return Object.freeze({ select });
})();
