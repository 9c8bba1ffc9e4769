// Who perceives an element: assistive technology, a human, or neither.
const Visibility = (() => {
  const SHOWN = { visibilityProperty: true };
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

  // Neither the element nor anything in it is rendered.
  const pruned = Dom.inherited((el) => {
    if (Dom.checkVisibility(el)) return NEVER.has(Dom.tag(el)) && Dom.isHtml(el);
    const { display } = Dom.style(el);
    if (display === 'contents') return undefined;
    return select(el) ? undefined : true;
  }, false);

  const cssHidden = Dom.memo((el) => {
    if (Dom.checkVisibility(el, SHOWN)) return NEVER.has(Dom.tag(el)) && Dom.isHtml(el);
    const owner = select(el);
    if (owner) return !Dom.checkVisibility(owner, SHOWN);
    return pruned(el) || Dom.style(el).visibility !== 'visible';
  });

  const muted = Dom.inherited((el) => (Dom.attr(el, 'aria-hidden') === 'true' ? true : undefined), false);
  const hidden = (el) => cssHidden(el) || muted(el);

  // A box of some size that is painted, or a boxless element with such content.
  const visible = Dom.memo((el) => {
    if (cssHidden(el)) return false;
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
  });

  const included = (el) => !cssHidden(el) && (!muted(el) || visible(el));

  // Concealment: text that is in the document but not before human eyes.

  const TINY_FONT = 2;
  const FAINT = 1.5;
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = new Map();
  const colour = (css) => {
    let parts = rgba.get(css);
    if (!parts) {
      if (rgba.size > 2000) rgba.clear();
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      parts = [r, g, b, a / 255];
      rgba.set(css, parts);
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

  // The opaque colour behind an element, or null where an image makes it unknowable.
  const backdrop = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (style.backgroundImage !== 'none') return null;
    const own = colour(style.backgroundColor);
    if (own[3] >= 0.99) return own;
    return own[3] > 0.01 ? null : undefined;
  }, [255, 255, 255, 1]);

  const faint = (el, style) => {
    const ink = colour(style.webkitTextFillColor);
    if (ink[3] < 0.05) return style.backgroundClip !== 'text';
    const ground = backdrop(el);
    if (!ground || style.backgroundClip === 'text') return false;
    return contrast(over(ink, ground), ground) < FAINT && style.textShadow === 'none';
  };

  const emptyClip = (style) => {
    const { clip, clipPath, position } = style;
    if (clip !== 'auto' && (position === 'absolute' || position === 'fixed')) {
      const [top, right, bottom, left] = clip.match(/-?[\d.]+/g) || [];
      if (left !== undefined && (right - left <= 1 || bottom - top <= 1)) return true;
    }
    if (clipPath === 'none') return false;
    if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(clipPath)) return true;
    const inset = clipPath.match(/^inset\(([\d.]+)%/);
    return Boolean(inset) && Number(inset[1]) >= 50;
  };
  const clipped = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (emptyClip(style)) return true;
    if (style.overflowX === 'visible' || style.display === 'inline') return undefined;
    const box = Dom.rect(el);
    return box.width <= 1 || box.height <= 1 ? true : undefined;
  }, false);

  const offscreen = (el, style) => {
    const box = Dom.rect(el);
    if (box.right + scrollX <= 0 && box.width > 0) return true;
    if (box.bottom + scrollY <= 0 && box.height > 0) return true;
    return Math.abs(Number.parseFloat(style.textIndent)) >= 500;
  };

  const concealment = Dom.memo((el) => {
    if (!Dom.checkVisibility(el, { opacityProperty: true }) && Dom.checkVisibility(el)) return 'transparent';
    const style = Dom.style(el);
    if (style.contentVisibility === 'hidden') return 'clipped';
    if (Number.parseFloat(style.fontSize) < TINY_FONT) return 'tiny';
    if (clipped(el)) return 'clipped';
    if (offscreen(el, style)) return 'offscreen';
    return faint(el, style) ? 'contrast' : '';
  });

  return Object.freeze({ hidden, included, pruned, visible, concealment });
})();
