// How many elements of this document a selector means, and how many of them are displayed.
(args) => {
  const { Place, Selector } = globalThis.stockade.modules;
  const found = Selector.all(args.selector);
  return { count: found.length, rendered: found.filter(Place.rendered).length, view: Place.view() };
}
