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

  // The opaque colour behind an element. Where an image or a translucent layer covers it, one
  // cannot know what is seen.
  const backdrop = Dom.inherited((el) => {
    const own = colour(Dom.style(el).backgroundColor);
    return own[3] > 0.01 ? own : undefined;
  }, [255, 255, 255, 1]);
  const pictured = Dom.inherited((el) => {
    const style = Dom.style(el);
    if (style.backgroundImage !== 'none') return true;
    return colour(style.backgroundColor)[3] >= 0.99 ? false : undefined;
  }, false);
  const faint = (el, style) => {
    const ink = colour(style.webkitTextFillColor);
    const ground = backdrop(el);
    if (ground[3] < 0.99 || contrast(over(ink, ground), ground) >= FAINT) return false;
    return !pictured(el) && style.textShadow === 'none' && style.backgroundClip !== 'text';
  };

  const emptyClip = (style) => {
    const { clip, clipPath } = style;
    if (clip !== 'auto') {
      const [top, right, bottom, left] = clip.match(/-?[\d.]+/g) || [];
      if (left !== undefined && (right - left <= 1 || bottom - top <= 1)) return true;
    }
    if (clipPath === 'none') return false;
    if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(clipPath)) return true;
    const inset = clipPath.match(/^inset\(([\d.]+)%/);
    return Boolean(inset) && Number(inset[1]) >= 50;
  };
  // How far the page is scrolled; asking costs a layout check, so once per pass.
  const scrolled = Dom.memo(() => [scrollX, scrollY]);
  const fixed = Dom.inherited((el) => (Dom.style(el).position === 'fixed' ? true : undefined), false);
  const unreachable = (el, box) => {
    const [left, top] = scrolled('page');
    if ((box.width > 0 && box.right + left <= 0) || (box.height > 0 && box.bottom + top <= 0)) return true;
    return (box.top >= innerHeight || box.left >= innerWidth) && fixed(el);
  };
  const range = new Range();
  const tiny = (el) => {
    range.selectNodeContents(el);
    const box = range.getBoundingClientRect();
    return box.width < TINY_FONT || box.height < TINY_FONT;
  };

  // Clips, shifts and scales apply to what is inside too, so each ancestor is judged once.
  const removed = Dom.inherited((el) => {
    const style = Dom.style(el);
    const { display } = style;
    if (display === 'contents' || (display === 'inline' && style.position === 'static')) return undefined;
    const box = Dom.rect(el);
    if (unreachable(el, box)) return 'offscreen';
    if (display === 'inline') return undefined;
    if (emptyClip(style) || style.contentVisibility === 'hidden') return 'clipped';
    const indent = style.textIndent;
    if (indent !== '0px' && Math.abs(Number.parseFloat(indent)) >= 500) return 'offscreen';
    if (box.width > 1 && box.height > 1) return undefined;
    if (style.overflowX !== 'visible') return 'clipped';
    return tiny(el) ? 'tiny' : undefined;
  }, '');

  const boxed = (el) => {
    let node = el;
    while (node && !Dom.rendered(node) && Dom.style(node).display === 'contents') node = Dom.parent(node);
    return node;
  };
  const concealment = Dom.memo((el) => {
    const box = boxed(el);
    if (!box || !Dom.opaque(box)) return box && Dom.rendered(box) ? 'transparent' : '';
    const style = Dom.style(el);
    if (Number.parseFloat(style.fontSize) < TINY_FONT) return 'tiny';
    return removed(el) || (faint(el, style) ? 'contrast' : '');
  });

  return Object.freeze({ cssHidden, hidden, included, pruned, visible, content, concealment });
})();
