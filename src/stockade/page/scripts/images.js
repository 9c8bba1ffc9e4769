// The images of this document, each file once: what is shown of it now, or would be.
(args) => {
  const { Dom, Place, Selector } = globalThis.stockade.modules;
  const own = (name) => Dom.getter(HTMLImageElement.prototype, name);
  const [current, source, wide, high] = ['currentSrc', 'src', 'naturalWidth', 'naturalHeight'].map(own);

  const images = new Map();
  for (const el of Selector.all('img')) {
    if (images.size >= args.most) break;
    if (!(el instanceof HTMLImageElement)) continue;
    const src = (current(el) || source(el)).trim();
    if (!src || images.has(src)) continue;
    const [width, height] = [wide(el), high(el)];
    images.set(src, {
      src, alt: (Dom.attr(el, 'alt') || '').trim(), ...(width && { width }), ...(height && { height }),
    });
  }
  return { images: [...images.values()], view: Place.view() };
}
