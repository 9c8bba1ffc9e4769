// What eyes and hands need: contrast, links that stand out, room to aim, and a way for the keyboard.
(kit, tables, elements) => {
  const { Aria, Dom, Place, Text } = globalThis.stockade.modules;
  const { rule } = kit;
  const { colour, over, contrast, backdrop, beneath } = Aria.paint;
  const LEAST_TARGET = 24;
  const READABLE = /[\p{L}\p{N}]/u;

  const ownText = (el) => {
    let said = '';
    for (const child of Dom.children(el)) if (Dom.isText(child)) said += Dom.text(child);
    return said.trim();
  };
  const dimmed = Dom.inherited((el) => {
    const role = Aria.role(el);
    return Aria.disabled(el, role) || undefined;
  }, false);
  const labelControl = Dom.getter(HTMLLabelElement.prototype, 'control');
  const inactive = (el) => {
    if (dimmed(el)) return true;
    for (let up = el; up; up = Dom.parent(up)) {
      if (up instanceof HTMLLabelElement) {
        const control = labelControl(up);
        return Boolean(control) && dimmed(control);
      }
    }
    return false;
  };
  const opacity = (el) => {
    let whole = 1;
    for (let up = el; up; up = Dom.parent(up)) whole *= Number.parseFloat(Dom.style(up).opacity);
    return whole;
  };
  const inView = (el) => {
    const box = Dom.rect(el);
    return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  };
  const hex = (parts) =>
    `#${parts
      .slice(0, 3)
      .map((part) => Math.round(part).toString(16).padStart(2, '0'))
      .join('')}`;

  const faint = (el) => {
    const said =
      Dom.isField(el) && Dom.tag(el) !== 'select' && !/^(?:checkbox|radio|range|color|file|hidden)$/.test(Dom.type(el))
        ? Dom.value(el).trim()
        : ownText(el);
    if (
      !said ||
      !READABLE.test(said) ||
      !Aria.included(el) ||
      (Aria.concealment(el) && Aria.concealment(el) !== 'contrast')
    )
      return false;
    if (!Place.rendered(el) || inactive(el)) return false;
    const style = Dom.style(el);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = large ? 3 : 4.5;
    const under = inView(el) ? beneath(el) : backdrop(el);
    if (!under) return { said: 'a picture lies behind the text: is it readable everywhere?', review: true };
    const [r, g, b, alpha] = colour(style.webkitTextFillColor);
    const ink = over([r, g, b, alpha * opacity(el)], under);
    const ratio = contrast(ink, under);
    if (ratio >= least) return false;
    const shown = `${Math.floor(ratio * 100) / 100}:1 for ${hex(ink)} on ${hex(under)}, ${least}:1 is needed`;
    const unsure =
      style.textShadow !== 'none' ||
      style.backgroundClip === 'text' ||
      style.mixBlendMode !== 'normal' ||
      said.length === 1;
    return unsure ? { said: `contrast may be ${shown}`, review: true } : `contrast is ${shown}`;
  };

  // A link among other words that only its colour tells apart.
  const INLINE = /^inline/;
  const marked = (style) =>
    style.textDecorationLine !== 'none' ||
    (style.borderBottomStyle !== 'none' && Number.parseFloat(style.borderBottomWidth) > 0) ||
    style.backgroundImage !== 'none';
  const plainLink = (el, role) => {
    if (role !== 'link' || !Place.rendered(el) || Dom.style(el).display !== 'inline') return false;
    if (!READABLE.test(kit.text(el, 30))) return false;
    let block = Dom.parent(el);
    while (block && INLINE.test(Dom.style(block).display)) block = Dom.parent(block);
    if (!block || /^(?:nav|header|footer)$/.test(Dom.tag(block))) return false;
    const around = Dom.children(block)
      .filter(Dom.isText)
      .map(Dom.text)
      .join(' ')
      .replace(/[^\p{L}\p{N} ]+/gu, ' ')
      .trim();
    if (around.length < 4) return false;
    const [style, other] = [Dom.style(el), Dom.style(block)];
    const inner = Dom.children(el).filter(Dom.isElement).map(Dom.style);
    if (
      [style, ...inner].some(
        (each) =>
          marked(each) ||
          each.fontWeight !== other.fontWeight ||
          each.fontStyle !== other.fontStyle ||
          each.fontFamily !== other.fontFamily,
      )
    )
      return false;
    if (colour(style.backgroundColor)[3] > 0.05 && style.backgroundColor !== other.backgroundColor) return false;
    const under = backdrop(el);
    if (!under) return { said: 'is the link told apart by more than its colour?', review: true };
    const ratio = contrast(over(colour(style.color), under), over(colour(other.color), under));
    if (ratio >= 3)
      return { said: 'only its colour tells the link from the text: does it change on focus?', review: true };
    return ratio < 1.01
      ? 'nothing tells the link from the text around it'
      : `only its colour tells the link from the text, by ${Math.floor(ratio * 100) / 100}:1 where 3:1 is needed`;
  };

  // --- targets -----------------------------------------------------------------------------------

  const AIMED =
    /^(?:button|checkbox|combobox|link|listbox|menuitem|menuitemcheckbox|menuitemradio|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)$/;
  const targets = elements
    .filter(
      (el) =>
        (AIMED.test(Aria.role(el) || '') || Dom.tag(el) === 'summary') &&
        !Aria.concealment(el) &&
        Place.rendered(el) &&
        kit.heard(el) &&
        !Aria.disabled(el, Aria.role(el)) &&
        Dom.tag(el) !== 'option',
    )
    .map((el) => ({ el, box: Dom.rect(el) }))
    .sort((one, other) => one.box.top - other.box.top);
  const inText = (el) => {
    if (Dom.style(el).display !== 'inline') return false;
    const above = Dom.parent(el);
    return Boolean(above) && Dom.children(above).some((child) => Dom.isText(child) && /\S/.test(Dom.text(child)));
  };
  const native = (el) =>
    Dom.tag(el) === 'input' && /^(?:checkbox|radio)$/.test(Dom.type(el)) && Dom.style(el).appearance !== 'none';
  const small = ({ width, height }) => width < LEAST_TARGET - 0.5 || height < LEAST_TARGET - 0.5;
  const crowded = (target) => {
    const x = (target.box.left + target.box.right) / 2;
    const y = (target.box.top + target.box.bottom) / 2;
    return targets.slice(0, 3000).find(({ el, box }) => {
      if (el === target.el || box.top > y + LEAST_TARGET || box.bottom < y - LEAST_TARGET) return false;
      if (Dom.contains(el, target.el) || Dom.contains(target.el, el)) return false;
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      if (away < LEAST_TARGET / 2) return true;
      return small(box) && Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y) < LEAST_TARGET;
    });
  };
  const tight = () =>
    targets.slice(0, 3000).flatMap((target) => {
      if (!small(target.box) || inText(target.el) || native(target.el)) return [];
      const other = crowded(target);
      if (!other) return [];
      const { width, height } = target.box;
      return [
        {
          el: target.el,
          said: `${Math.round(width)}×${Math.round(height)} px, too near to ${Place.describe(other.el)}`,
        },
      ];
    });

  // --- keyboard ----------------------------------------------------------------------------------

  const held = (el) => {
    for (let up = Dom.parent(el); up; up = Dom.parent(up)) {
      if (Aria.focusable(up) || Dom.tag(up) === 'label' || Aria.interactive(up, Aria.role(up))) return true;
    }
    return false;
  };
  const PROSE = new Set(['body', 'html', 'label', 'main']);
  const mouseOnly = (el, role) => {
    const clicks = Dom.has(el, 'onclick') || Dom.has(el, 'onmousedown') || Dom.has(el, 'onmouseup');
    if (
      PROSE.has(Dom.tag(el)) ||
      Aria.focusable(el) ||
      (!clicks && !Aria.interactive(el, role) && !Place.clickable(el, role))
    )
      return false;
    if (!Place.rendered(el) || Aria.disabled(el, role) || held(el) || kit.inside(el, Aria.focusable)) return false;
    // Parts of a composite widget take the focus through it.
    if (/^(?:option|menuitem.*|tab|treeitem|radio|gridcell|row)$/.test(role || '')) return false;
    if (Dom.tag(el) === 'area' || Dom.tag(el) === 'option') return false;
    if (clicks || role) return `${clicks ? 'it takes clicks' : `it is a ${role}`} but the keyboard cannot reach it`;
    return { said: 'it looks clickable but the keyboard cannot reach it', review: true };
  };
  const scrolls = (el) => {
    if (/^(?:html|body|textarea|select|input)$/.test(Dom.tag(el)) || Aria.role(el) === 'combobox') return false;
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = Place.scroll(el);
    const style = Dom.style(el);
    const moves =
      (scrollHeight > clientHeight + 14 && /auto|scroll/.test(style.overflowY)) ||
      (scrollWidth > clientWidth + 14 && /auto|scroll/.test(style.overflowX));
    return (
      moves &&
      clientHeight > 0 &&
      !Aria.focusable(el) &&
      !kit.inside(el, kit.reachable) &&
      'the keyboard cannot scroll it'
    );
  };
  const idleFocus = (el, role) => {
    const at = kit.tabindex(el);
    if (at === null || at < 0 || (role && Aria.interactive(el, role)) || Dom.tag(el).includes('-')) return false;
    if (role || Place.scroll(el).scrollHeight > Place.scroll(el).clientHeight + 1) return false;
    return { said: 'the keyboard stops here, but the element has no role', review: true };
  };

  return [
    rule('color-contrast', '1.4.3 AA', 'serious', 'Make the text darker or lighter, or larger.', { element: faint }),
    rule('link-in-text-block', '1.4.1 A', 'serious', 'Underline links in text.', { element: plainLink }),
    rule('target-size', '2.5.8 AA', 'serious', 'Make it 24×24 px, or leave room around it.', { page: tight }),
    rule('tabindex', '2.4.3 A', 'serious', 'Use tabindex 0 and put elements in the right order.', {
      element: (el) =>
        kit.tabindex(el) > 0 && `tabindex ${Text.cut(Dom.attr(el, 'tabindex'), 10)} changes the order of focus`,
    }),
    rule('keyboard', '2.1.1 A', 'serious', 'Use a <button> or <a href>, or add a role and tabindex="0".', {
      element: mouseOnly,
    }),
    rule('scrollable-region-focusable', '2.1.1 A', 'serious', 'Add tabindex="0".', { element: scrolls }),
    rule('focus-order-semantics', '2.4.3 A', 'minor', 'Give it a role, or remove tabindex.', { element: idleFocus }),
  ];
}
