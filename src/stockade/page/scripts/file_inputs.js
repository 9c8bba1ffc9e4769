// The file inputs of this document, each with a ref and in words; those nobody sees too.
({ caller, prefix }) => {
  const { Dom, Place, Refs, Selector } = globalThis.stockade.modules;
  const MOST = 50;
  const inputs = Selector.css(document, 'input[type=file]').slice(0, MOST).map((el) => {
    Refs.show(caller, el);
    return {
      ref: Refs.text(Refs.of(el), prefix), description: Place.describe(el),
      ...(Dom.attr(el, 'name') && { name: Dom.attr(el, 'name') }),
      ...(Dom.has(el, 'multiple') && { multiple: true }), hidden: !Place.rendered(el),
    };
  });
  return { inputs };
}
