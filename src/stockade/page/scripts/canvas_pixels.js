// The pixels of a canvas as a PNG. They are read within a frame, after the page has drawn and before
// the browser shows it: what WebGL drew is not kept any longer than that.
(args, makeBinary) => {
  const { Agent, Dom, Refs, Selector } = globalThis.stockade.modules;
  const STILL_MS = 300;
  const size = (name) => Dom.getter(HTMLCanvasElement.prototype, name);
  const [wide, high] = [size('width'), size('height')];

  const only = () => {
    const found = Selector.all('canvas').filter((el) => el instanceof HTMLCanvasElement);
    if (found.length === 1) {
      Refs.show(args.caller, found[0]);
      return found[0];
    }
    if (!found.length) return Agent.fail('not_found', 'there is no canvas on the page');
    return Agent.fail('ambiguous', `there are ${found.length} canvases: name one by its ref or a selector`);
  };
  const el = args.ref ? Refs.check(args.caller, args.ref) : only();
  if (!(el instanceof HTMLCanvasElement)) return Agent.fail('invalid_argument', 'that is not a canvas');

  const [width, height] = [wide(el), high(el)];
  const answer = { width, height, ref: Refs.of(el) };
  if (!width || !height) return { ...answer, refused: 'empty-canvas' };
  if (width > args.edge || height > args.edge) return { ...answer, refused: 'canvas-too-large' };

  const picture = () => new Promise((resolve) => {
    try {
      HTMLCanvasElement.prototype.toBlob.call(el, resolve, 'image/png');
    } catch (error) {
      resolve(error.name === 'SecurityError' ? 'tainted-canvas' : 'unreadable-canvas');
    }
  });
  const inFrame = () => new Promise((resolve) => {
    // A tab in the background paints no frames.
    const timer = setTimeout(() => resolve(picture()), STILL_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(picture());
    });
  });
  return inFrame().then(async (blob) => {
    if (typeof blob === 'string') return { ...answer, refused: blob };
    if (!blob) return { ...answer, refused: 'unreadable-canvas' };
    if (blob.size > args.most) return { ...answer, refused: 'canvas-too-large' };
    return { ...answer, data: makeBinary().encode(new Uint8Array(await blob.arrayBuffer())) };
  });
}
