// Why what is painted of an element does not reach the eye, although it has a box in plain view:
// it is see-through, cut to nothing, turned away, or under something opaque.
const Veils = (() => {
  const number = (string) => Number.parseFloat(string) || 0;

  // Most elements have nothing of the kind, and to ask each for its style costs more than all else about
  // it: only those are asked that some rule, attribute or animation could give it. In shadow roots all are.
  const getAnimations = Dom.method(Document.prototype, 'getAnimations');
  const animated = Dom.memo(() => new Set(getAnimations(document).map(({ effect }) => effect && effect.target)));
  const mayBe = (kind, el) => animated('document').has(el) || Sheets.may(kind, el);
  const isForeign = (el) => Dom.rootOf(el) !== document;
  const suspect = Dom.memo((el) => isForeign(el) || mayBe('veiling', el));
  // Whether an element, or something that it is in, is one of them.
  const suspected = Dom.inherited((el) => suspect(el) || undefined, false);

  // The same by a look that costs less and finds more: whether words in an element may be hard to see,
  // and whether those in a part of another may be hidden while the other is not.
  const maybeDim = Dom.inherited((el) => (!Dom.inShadow(el) && mayBe('dimming', el)) || undefined, false);
  const maybeHidden = Dom.memo((el) => Dom.inShadow(el) || Dom.isSvg(el) || mayBe('hiding', el));
  // Up to the element that it is in, or the label that speaks for it.
  const maybeHiddenIn = (el, outer) => {
    for (let node = el; node !== outer; node = Dom.parent(node)) {
      if (!node || maybeHidden(node)) return true;
      if (Dom.tag(node) === 'label') return false;
    }
    return false;
  };

  // See-through: the opacity that is left after that of the element itself and all it is in.
  const FILTER = /(opacity|contrast|blur)\(([\d.]+)(%|px)?\)/g;
  const BLURRED = 24;
  const filtered = (filter) => {
    let left = 1;
    for (const [, kind, raw, unit] of filter.matchAll(FILTER)) {
      const amount = unit === '%' ? number(raw) / 100 : number(raw);
      if (kind === 'opacity') left *= amount;
      else if (kind === 'contrast' ? amount === 0 : amount >= BLURRED) left = 0;
    }
    return left;
  };
  const COLOUR = /rgba?\([^()]*\)|color\([^()]*\)|\btransparent\b/g;
  const ALPHA = /[,/]\s*([\d.]+)(%?)\s*\)$/;
  const alphaOf = (colour) => {
    if (colour === 'transparent') return 0;
    if (colour.startsWith('rgb(') && !colour.includes('/')) return 1;
    const [, raw, unit] = ALPHA.exec(colour) || [];
    return raw === undefined ? 1 : number(raw) / (unit ? 100 : 1);
  };
  // How much a mask lets through at most; pictures are not looked at.
  const masked = (style) => {
    if (/^0(?:px|%)?(?: 0(?:px|%)?)?$/.test(style.maskSize)) return 0;
    if (!style.maskImage.includes('gradient(') || style.maskImage.includes('url(')) return 1;
    const colours = style.maskImage.match(COLOUR) || [];
    return colours.length ? Math.max(...colours.map(alphaOf)) : 1;
  };
  const own = Dom.memo((el) => {
    if (!suspect(el)) return 1;
    const style = Dom.style(el);
    let left = style.opacity === '1' ? 1 : number(style.opacity);
    // What fades in is there: a person sees it a moment later.
    if (left < 1) left = Math.max(left, Animations.opacitySoon(el) || 0);
    if (style.filter !== 'none') left *= filtered(style.filter);
    if (style.maskImage !== 'none') left *= masked(style);
    return left;
  });
  const fading = Dom.inherited((el) => (own(el) < 1 ? el : undefined), null);
  const opacity = (el) => {
    if (!suspected(el) || !fading(el)) return 1;
    let left = 1;
    for (let node = el; node; node = Dom.parent(node)) {
      left *= own(node);
      if (Clipping.onTop(node)) break;
    }
    return left;
  };

  // Cut to nothing: clips whose shape has no area within the box.
  const LENGTH = /calc\((-?[\d.]+)% ([+-]) ([\d.]+)px\)|(-?[\d.]+)(px|%)?/g;
  const lengths = (string) => [...string.matchAll(LENGTH)];
  const measure = ([, share, sign, more, raw, unit], whole) => {
    if (share !== undefined) return (number(share) * whole) / 100 + (sign === '-' ? -1 : 1) * number(more);
    return unit === '%' ? (number(raw) * whole) / 100 : number(raw);
  };
  const computed = (said) => /calc|min\(|max\(|clamp/.test(said.replace(LENGTH, ''));
  const THINNEST = 1;
  const within = (left, top, right, bottom, width, height) => (
    Math.min(right, width) - Math.max(left, 0) > THINNEST && Math.min(bottom, height) - Math.max(top, 0) > THINNEST);
  const sides = (given) => {
    const [top, right = top, bottom = top, left = right] = given;
    return [top, right, bottom, left];
  };
  const place = (string, width, height) => {
    const [x, y] = lengths(string.split(/\bat\b/)[1] || '50% 50%');
    return [measure(x, width), y ? measure(y, height) : height / 2];
  };
  const SHAPES = {
    __proto__: null,
    inset: (said, width, height) => {
      const [top, right, bottom, left] = sides(lengths(said.split('round')[0]));
      return within(measure(left, width), measure(top, height), width - measure(right, width), height - measure(bottom, height), width, height);
    },
    rect: (said, width, height) => {
      const [top, right, bottom, left] = said.split('round')[0].trim().split(/\s+/)
        .map((each, at) => (each === 'auto' ? [0, width, height, 0][at] : measure(lengths(each)[0], at % 2 ? width : height)));
      return within(left, top, right, bottom, width, height);
    },
    xywh: (said, width, height) => {
      const [x, y, w, h] = lengths(said.split('round')[0]);
      const [left, top] = [measure(x, width), measure(y, height)];
      return within(left, top, left + measure(w, width), top + measure(h, height), width, height);
    },
    circle: (said, width, height) => {
      const [radius] = lengths(said.split(/\bat\b/)[0]);
      const [x, y] = place(said, width, height);
      const r = radius ? measure(radius, Math.hypot(width, height) / Math.SQRT2) : Math.max(width, height);
      return within(x - r, y - r, x + r, y + r, width, height);
    },
    ellipse: (said, width, height) => {
      const [across, down] = lengths(said.split(/\bat\b/)[0]);
      const [x, y] = place(said, width, height);
      const [a, b] = [across ? measure(across, width) : width, down ? measure(down, height) : height];
      return within(x - a, y - b, x + a, y + b, width, height);
    },
    polygon: (said, width, height) => {
      const points = said.replace(/^\s*(?:evenodd|nonzero)\s*,/, '').split(',').map((each) => {
        const [x, y] = lengths(each);
        return x && y ? [measure(x, width), measure(y, height)] : [0, 0];
      });
      const area = points.reduce((sum, [x, y], at) => {
        const [nextX, nextY] = points[(at + 1) % points.length];
        return sum + x * nextY - nextX * y;
      }, 0) / 2;
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      return Math.abs(area) > THINNEST && within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), width, height);
    },
    path: (said) => /[LlHhVvCcQqAaSsTt]/.test(said),
  };
  const SHAPE = /\b([a-z]+)\((.*)\)/s;
  const REFERENCE = /^url\("#(.*)"\)$/;
  const byId = Dom.method(Document.prototype, 'getElementById');
  const emptyPath = (el, clipPath) => {
    const [, id] = REFERENCE.exec(clipPath) || [];
    if (id !== undefined) {
      const clip = byId(document, id);
      return clip !== null && Dom.tag(clip).toLowerCase() === 'clippath' && Dom.children(clip).filter(Dom.isElement).length === 0;
    }
    const [, kind, said] = SHAPE.exec(clipPath) || [];
    const opens = kind && SHAPES[kind];
    if (!opens || computed(said)) return false;
    const { width, height } = Dom.rect(el);
    return !opens(said, width, height);
  };
  const emptyRect = (el, clip) => {
    const { width, height } = Dom.rect(el);
    const [top, right, bottom, left] = clip.slice(5, -1).split(/,\s*|\s+/)
      .map((each, at) => (each === 'auto' ? [0, width, height, 0][at] : number(each)));
    return !within(left, top, right, bottom, width, height);
  };
  const cut = (el, style) => {
    if (!suspect(el)) return false;
    const { clip, clipPath } = style;
    if (clip !== 'auto' && /^(?:absolute|fixed)$/.test(style.position) && emptyRect(el, clip)) return true;
    return clipPath !== 'none' && emptyPath(el, clipPath);
  };

  // Turned away: the back of an element that has none, in the space that its ancestors share with it.
  const spin = (style) => {
    const turn = new DOMMatrix(style.transform === 'none' ? '' : style.transform);
    if (style.rotate === 'none') return turn;
    const parts = style.rotate.split(' ');
    const angle = number(parts.pop());
    const axis = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[parts[0]] || (parts.length === 3 ? parts.map(number) : [0, 0, 1]);
    return new DOMMatrix().rotateAxisAngle(...axis, angle).multiply(turn);
  };
  const turned = (el, style) => {
    if (!suspect(el) || style.backfaceVisibility !== 'hidden') return false;
    let turn = spin(style);
    for (let up = Dom.parent(el); up && Dom.style(up).transformStyle === 'preserve-3d'; up = Dom.parent(up)) {
      turn = spin(Dom.style(up)).multiply(turn);
    }
    return turn.m33 < 0;
  };

  // Under something: only what was put below the rest on purpose is looked for.
  const body = Dom.getter(Document.prototype, 'body');
  const root = Dom.getter(Document.prototype, 'documentElement');
  const lowered = Dom.inherited((el) => (suspect(el) && Dom.style(el).zIndex.startsWith('-') ? el : undefined), null);
  const sunken = (el) => (suspected(el) ? lowered(el) : null);
  const stacks = (el, style) => el === root(document) || style.opacity !== '1' || style.transform !== 'none'
    || style.filter !== 'none' || style.isolation === 'isolate' || style.mixBlendMode !== 'normal'
    || style.clipPath !== 'none' || style.maskImage !== 'none' || style.perspective !== 'none'
    || style.willChange !== 'auto' || /layout|paint|strict|content/.test(style.contain)
    || style.position === 'fixed' || style.position === 'sticky'
    || (style.position !== 'static' && style.zIndex !== 'auto');
  const PICTURES = new Set(['img', 'video', 'canvas', 'embed', 'object', 'iframe']);
  const solid = (el) => {
    const style = Dom.style(el);
    if (opacity(el) < 0.95) return false;
    return alphaOf(style.backgroundColor) >= 0.95 || PICTURES.has(Dom.tag(el));
  };
  // The background of the body is the page's own, unless the root has one.
  const isGround = (el) => el === body(document) && alphaOf(Dom.style(root(document)).backgroundColor) === 0
    && Dom.style(root(document)).backgroundImage === 'none';
  const holds = (outer, inner) => {
    const box = Dom.rect(outer);
    return box.left <= inner.left + THINNEST && box.top <= inner.top + THINNEST
      && box.right >= inner.right - THINNEST && box.bottom >= inner.bottom - THINNEST;
  };
  const covered = (el, box) => {
    const low = sunken(el);
    if (!low) return false;
    for (let up = Dom.parent(low); up && !stacks(up, Dom.style(up)); up = Dom.parent(up)) {
      if (!isGround(up) && solid(up) && holds(up, box)) return true;
    }
    const stack = Dom.hits(box.left + box.width / 2, box.top + box.height / 2);
    const at = stack.findIndex((each) => each === el || Dom.contains(each, el));
    const above = at < 0 ? [] : stack.slice(0, at);
    return above.some((each) => !Dom.contains(low, each) && solid(each) && holds(each, box));
  };

  return Object.freeze({ maybeDim, maybeHiddenIn, opacity, cut, turned, sunken, covered });
})();
