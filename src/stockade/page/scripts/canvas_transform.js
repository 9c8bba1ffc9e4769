// How a canvas app says that it maps its world to the screen, where it does so in a usual way.
// Runs in the page's own world and believes nothing it is told but numbers.
() => {
  const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const numbers = (...values) => (values.every((each) => number(each) !== null) ? values : null);
  const part = (value, name) => (value !== null && ['object', 'function'].includes(typeof value) ? value[name] : undefined);

  const area = (el) => {
    const box = el.getBoundingClientRect();
    return box.width * box.height;
  };
  const canvas = [...document.querySelectorAll('canvas')].sort((a, b) => area(b) - area(a))[0];
  const box = canvas ? canvas.getBoundingClientRect() : { left: 0, top: 0, width: innerWidth, height: innerHeight };

  const matrixOf = (given) => {
    if (Array.isArray(given) || ArrayBuffer.isView(given)) {
      if (given.length === 6) return numbers(...given);
      // Three by three, in columns.
      if (given.length === 9) return numbers(given[0], given[1], given[3], given[4], given[6], given[7]);
      return null;
    }
    return numbers(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => part(given, name)));
  };
  const viewport = (app) => {
    const view = part(app, 'viewport');
    const center = part(view, 'center');
    const found = numbers(part(view, 'zoom'), part(center, 'x'), part(center, 'y'));
    if (!found) return null;
    const [zoom, x, y] = found;
    return [zoom, 0, 0, zoom, box.left + box.width / 2 - x * zoom, box.top + box.height / 2 - y * zoom];
  };
  const offset = (app) => {
    const by = part(app, 'offset');
    const found = numbers(part(app, 'scale'), part(by, 'x'), part(by, 'y'));
    return found && [found[0], 0, 0, found[0], box.left + found[1], box.top + found[2]];
  };
  const matrix = (app) => {
    const found = matrixOf(part(part(app, 'transform'), 'matrix'));
    return found && [...found.slice(0, 4), box.left + found[4], box.top + found[5]];
  };

  for (const root of ['app', 'editor']) {
    for (const [shape, read] of [['viewport', viewport], ['offset', offset], ['transform', matrix]]) {
      try {
        const found = read(globalThis[root]);
        if (found) return { from: shape === 'offset' ? `${root}.{scale,offset}` : `${root}.${shape}`, matrix: found };
      } catch {
        // A getter of the app's own that throws tells nothing.
      }
    }
  }
  return null;
}
