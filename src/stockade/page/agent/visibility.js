// Who perceives an element: assistive technology, a human, or neither.
const Visibility = (() => {
  const NEVER = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link', 'base']);
  const OPTIONS = new Set(['option', 'optgroup']);

  // Options of a closed select have no box; they are as visible as their select.
  const select = (el) => {
    if (!OPTIONS.has(Dom.tag(el)) || Dom.style(el).display === 'none') return null;
    let owner = Dom.parent(el);
    if (owner && Dom.tag(owner) === 'optgroup') {
      if (Dom.style(owner).display === 'none') return null;
      owner = Dom.parent(owner);
    }
    return owner && Dom.tag(owner) === 'select' ? owner : null;
  };

  const never = (el) => NEVER.has(Dom.tag(el)) && Dom.isHtml(el);

  // Neither the element nor anything in it is rendered.
  const boxless = Dom.inherited((el) => {
    if (Dom.rendered(el)) return false;
    return Dom.style(el).display === 'contents' || select(el) ? undefined : true;
  }, false);
  const pruned = (el) => (Dom.rendered(el) ? never(el) : boxless(el));

  const cssHidden = Dom.memo((el) => {
    if (Dom.shown(el)) return never(el);
    const owner = select(el);
    if (owner) return !Dom.shown(owner);
    return boxless(el) || Dom.style(el).visibility !== 'visible' || !painted(el);
  });

  // The children that are rendered when the element is: a closed details shows its summary alone.
  const content = (el) => {
    const inner = Dom.children(el);
    if (Dom.tag(el) !== 'details' || Dom.has(el, 'open')) return inner;
    const summary = inner.find((child) => Dom.tag(child) === 'summary');
    return summary ? [summary] : [];
  };

  const muted = Dom.inherited((el) => (Dom.attr(el, 'aria-hidden') === 'true' ? true : undefined), false);
  const hidden = (el) => cssHidden(el) || muted(el);
  // Hidden from who can see what it is in: a modal that mutes the page behind it takes no names away.
  const hiddenInside = (el) => cssHidden(el) || Dom.attr(el, 'aria-hidden') === 'true';
  const hiddenBeside = (el, other) => cssHidden(el) || (muted(el) && !muted(other));

  // A box of some size that is painted, or a boxless element with such content.
  const painted = (el) => {
    const pending = [el];
    for (let looked = 0; pending.length && looked < 200; looked += 1) {
      const node = pending.pop();
      if (Dom.isText(node)) {
        if (/\S/.test(Dom.text(node))) return true;
      } else if (Dom.style(node).display === 'contents') {
        pending.push(...Dom.children(node));
      } else {
        const box = Dom.rect(node);
        if (box.width > 0 && box.height > 0 && Dom.style(node).visibility === 'visible') return true;
      }
    }
    return false;
  };
  const visible = Dom.memo((el) => !cssHidden(el) && painted(el));

  // What is hidden from assistive technology counts only if it is before human eyes.
  const included = (el) => {
    if (cssHidden(el) || !muted(el)) return !cssHidden(el);
    const boxed = select(el) || el;
    return visible(boxed) && !unseenBox(boxed) && (drawn(boxed) || !concealment(boxed));
  };

  // Concealment: text that is in the document but not before human eyes.

  const TINY_FONT = 2;
  const FAINT = 1.5;
  let brush = null;
  const paint = (css) => {
    brush ||= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const RGB = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;
  const colours = new Map();
  const colour = (css) => {
    let parts = colours.get(css);
    if (!parts) {
      if (colours.size > 2000) colours.clear();
      const rgb = RGB.exec(css);
      parts = rgb ? [+rgb[1], +rgb[2], +rgb[3], rgb[4] === undefined ? 1 : +rgb[4]] : paint(css);
      colours.set(css, parts);
    }
    return parts;
  };
  const over = (front, back) => {
    const alpha = front[3];
    return [0, 1, 2].map((i) => front[i] * alpha + back[i] * (1 - alpha)).concat(1);
  };
  const luminance = (parts) => {
    const [r, g, b] = parts.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  // The colour behind an element's text, layer over layer; null where a picture is among them.
  const layer = Dom.inherited((el) => {
    const style = Dom.style(el);
    return colour(style.backgroundColor)[3] > 0.01 || style.backgroundImage !== 'none' ? el : undefined;
  }, null);
  const blend = (elements) => {
    const layers = [];
    for (const el of elements) {
      const style = Dom.style(el);
      if (style.backgroundImage !== 'none' || PICTURES.has(Dom.tag(el))) return null;
      const own = colour(style.backgroundColor);
      layers.push(own);
      if (own[3] >= 0.99) break;
    }
    return layers.reduceRight((ground, front) => over(front, ground), [255, 255, 255, 1]);
  };
  const PICTURES = new Set(['img', 'video', 'canvas', 'svg', 'picture', 'object', 'embed', 'iframe']);
  const ground = Dom.memo((el) => {
    const layers = [];
    for (let node = el; node;) {
      layers.push(node);
      const above = Dom.parent(node);
      node = above && layer(above);
    }
    return blend(layers) || false;
  });
  const PAPER = [255, 255, 255, 1];
  const backdrop = (el) => {
    const nearest = layer(el);
    return nearest ? ground(nearest) : PAPER;
  };
  const textBox = (el) => {
    const range = new Range();
    range.selectNodeContents(el);
    return range.getBoundingClientRect();
  };
  // A neighbour may lie behind the text: in view, ask what is really there.
  const beneath = (el) => {
    const box = textBox(el);
    const stack = Dom.hits(box.left + box.width / 2, box.top + box.height / 2);
    const at = stack.indexOf(el);
    return at < 0 ? backdrop(el) : blend(stack.slice(at));
  };
  // Few inks on few grounds make up a page.
  const judged = new WeakMap();
  const lost = (ink, under) => {
    if (!under) return false;
    const known = judged.get(under) || new Map();
    if (!known.size) judged.set(under, known);
    let answer = known.get(ink);
    if (answer === undefined) {
      answer = contrast(over(colour(ink), under), under) < FAINT;
      known.set(ink, answer);
    }
    return answer;
  };
  const faint = (el, style) => {
    const ink = style.webkitTextFillColor;
    if (!lost(ink, backdrop(el)) || style.textShadow !== 'none' || style.backgroundClip === 'text') return false;
    return lost(ink, beneath(el));
  };
  // The same for what is nearly see-through, its shadows included; before a picture, that alone is judged.
  const GLASSY = 0.1;
  const seeThrough = (el, style, left) => {
    const under = left > GLASSY && backdrop(el);
    if (!under) return left <= GLASSY;
    const [r, g, b, a] = colour(style.webkitTextFillColor);
    return contrast(over([r, g, b, a * left], under), under) < FAINT;
  };

  const tiny = (el) => {
    const box = textBox(el);
    return box.width < TINY_FONT || box.height < TINY_FONT;
  };

  // Whether an element has no place of its own but that of the line it is in.
  const flows = (style) => {
    const { display } = style;
    return display === 'contents' || (display === 'inline' && style.position === 'static');
  };
  // Clip paths, indents and skipped content hold for whatever is inside, so each ancestor is judged once.
  const effaced = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (flows(style)) return Veils.cut(el, style) ? 'clipped' : undefined;
    if (style.position !== 'static' && Clipping.onTop(el)) return '';
    if (style.display === 'inline') return undefined;
    if (Veils.cut(el, style) || style.contentVisibility === 'hidden') return 'clipped';
    if (Veils.turned(el, style)) return 'turned';
    const indent = style.textIndent;
    return indent !== '0px' && Math.abs(Number.parseFloat(indent)) >= 500 ? 'offscreen' : undefined;
  }, '');
  const displaced = (el, style) => {
    const box = Dom.rect(el);
    if (Clipping.unreachable(el, box) || Clipping.astray(el, box)) return 'offscreen';
    return (box.width <= TINY_FONT || box.height <= TINY_FONT) && style.display !== 'inline' && tiny(el) ? 'tiny' : '';
  };
  // What is in a canvas or a player is there for browsers without one.
  const REPLACED = new Set(['canvas', 'video', 'audio', 'object', 'iframe', 'progress', 'meter']);
  const replaced = (el) => REPLACED.has(Dom.tag(el));
  // What is in a line is where the line is.
  const removed = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (flows(style)) return Veils.cut(el, style) ? 'clipped' : undefined;
    return effaced(el) || (Clipping.clipped(el) ? 'clipped' : displaced(el, style));
  }, '');

  const boxed = (el) => {
    let node = el;
    while (node && !Dom.rendered(node) && Dom.style(node).display === 'contents') node = Dom.parent(node);
    return node;
  };
  const firstElement = Dom.getter(Element.prototype, 'firstElementChild');
  // Whether nobody sees the box of an element, whatever becomes of the words in it.
  const THINNEST = 1;
  const cut = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (style.position !== 'static' && Clipping.onTop(el)) return false;
    return Veils.cut(el, style) || undefined;
  }, false);
  const EDGES = ['borderTopWidth', 'borderRightWidth', 'borderBottomWidth', 'borderLeftWidth'];
  // Whether there is something to see of an element beside its own words.
  const drawn = (el) => {
    if (PICTURES.has(Dom.tag(el)) || Dom.isSvg(el)) return true;
    const style = Dom.style(el);
    if (style.content !== 'normal' && style.content !== 'none') return true;
    return firstElement(el) !== null || colour(style.backgroundColor)[3] > 0.01 || style.backgroundImage !== 'none'
      || style.boxShadow !== 'none' || EDGES.some((edge) => style[edge] !== '0px');
  };
  const unseenBox = (el) => {
    const box = boxed(el);
    if (!box || !Dom.opaque(box) || cut(box) || Clipping.clipped(box)) return true;
    const { width, height } = Dom.rect(box);
    return width <= THINNEST || height <= THINNEST || Clipping.unreachable(box, Dom.rect(box));
  };
  // Why nobody sees what is drawn of an element; a picture that is still loading may have no size yet.
  const complete = Dom.getter(HTMLImageElement.prototype, 'complete');
  const undrawn = (el) => {
    const box = boxed(el);
    if (!box || !Dom.rendered(box)) return '';
    if (Veils.opacity(box) <= GLASSY) return 'transparent';
    if (el instanceof HTMLImageElement && !complete(el) && !Dom.rect(el).width) return '';
    return unseenBox(el) ? 'clipped' : '';
  };
  const concealment = Dom.memo((el) => {
    const box = boxed(el);
    if (!box || (!Dom.opaque(box) && !(Dom.rendered(box) && Veils.opacity(box)))) return box && Dom.rendered(box) ? 'transparent' : '';
    const style = Dom.style(el);
    if (Number.parseFloat(style.fontSize) < TINY_FONT) return 'tiny';
    const left = Veils.opacity(box);
    if (left < 1 && seeThrough(el, style, left)) return 'transparent';
    return removed(el) || (faint(el, style) ? 'contrast' : '') || (Veils.sunken(el) && Veils.covered(el, textBox(el)) ? 'covered' : '');
  });
  // The same for the words that an element holds itself: of what stands in for it nothing is shown.
  const unread = (el) => {
    if (!replaced(el)) return concealment(el);
    const { width, height } = textBox(el);
    return width || height ? concealment(el) : 'fallback';
  };

  return Object.freeze({
    cssHidden, muted, hidden, hiddenInside, hiddenBeside, included, pruned, visible, drawn, content, concealment, unread, undrawn, unseenBox, replaced,
    paint: Object.freeze({ colour, over, contrast, backdrop, beneath }),
  });
})();
