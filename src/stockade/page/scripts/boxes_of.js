// Where everything is that selectors mean, in the window; what is not rendered has no place.
(args) => {
  const { Dom, Place, Selector } = globalThis.stockade.modules;
  const MOST = 500;
  const boxes = args.selectors.map((selector) => Selector.all(selector, document)
    .filter(Place.rendered).slice(0, MOST).map((el) => Place.box(Dom.rect(el))));
  return { boxes, x: scrollX, y: scrollY };
}
