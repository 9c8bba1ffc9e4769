// Where the links of this document lead, the first of them with their words.
(args) => {
  const { Aria, Context, Dom, Place, Selector } = globalThis.stockade.modules;
  const base = Dom.getter(Node.prototype, 'baseURI')(document);

  const target = (el) => {
    try {
      const url = new URL(Dom.attr(el, 'href'), base);
      return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : '';
    } catch {
      return '';
    }
  };
  const words = (el) => Aria.toldName(el, args.longest) || Context.seen(el, args.longest);

  const found = Selector.all('a[href]').map((el) => ({ el, url: target(el) })).filter(({ url }) => url);
  return {
    total: found.length,
    links: found.slice(0, args.most).map(({ el, url }) => ({ url, text: words(el) })),
    view: Place.view(),
  };
}
