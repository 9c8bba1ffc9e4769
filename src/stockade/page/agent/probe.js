// One element or one point, looked at closely.
const Probe = (() => {
  const STYLES = ['display', 'visibility', 'position', 'z-index', 'opacity', 'overflow', 'cursor', 'pointer-events',
    'color', 'background-color', 'font-size', 'font-weight'];
  const MOST_ATTRIBUTES = 40;
  const MOST_STYLES = 100;
  const LONGEST_VALUE = 100000;
  const DEEP = 8;
  const attributesOf = Dom.getter(Element.prototype, 'attributes');
  const attributeName = Dom.getter(Attr.prototype, 'name');
  const attributeValue = Dom.getter(Attr.prototype, 'value');
  const length = Dom.getter(NamedNodeMap.prototype, 'length');
  const item = Dom.method(NamedNodeMap.prototype, 'item');
  const propertyValue = Dom.method(CSSStyleDeclaration.prototype, 'getPropertyValue');

  // What a field holds is for `Aria.value` to tell; its attributes may not tell more.
  const holdsValue = (el, name) => name === 'value' && Dom.tag(el) === 'input'
    && (Dom.secret(el) || Dom.type(el) === 'hidden');
  const attributes = (el) => {
    const all = attributesOf(el);
    const found = {};
    for (let at = 0; at < Math.min(length(all), MOST_ATTRIBUTES); at += 1) {
      const one = item(all, at);
      const name = Text.cut(Text.clean(attributeName(one)), 80);
      if (holdsValue(el, name.toLowerCase())) continue;
      found[name] = /^on/i.test(name) ? '…' : Text.cut(Text.clean(attributeValue(one)), 200);
    }
    return found;
  };

  const brief = (el, args) => {
    Refs.show(args.caller, el);
    const name = Aria.toldName(el, 80);
    return {
      ref: Refs.text(Refs.of(el), args.prefix), tag: Dom.tag(el), role: Aria.role(el), ...(name && { name }),
    };
  };
  const clickables = (el, args, most) => {
    const found = [];
    for (let node = el; node && found.length < most; node = Dom.parent(node)) {
      if (Place.clickable(node)) found.push(brief(node, args));
    }
    return found;
  };

  const inspect = (args) => {
    const el = Refs.check(args.caller, args.ref);
    const role = Aria.role(el);
    const place = Place.look(el, role);
    const style = Dom.style(el);
    const size = Place.scroll(el);
    const wanted = (args.styles || STYLES).slice(0, MOST_STYLES);
    const inner = Dom.children(el).filter(Dom.isElement);
    const value = Aria.value(el, role);
    const description = Aria.description(el);
    const context = Context.summary(el);
    const section = Context.section(el);
    const text = Dom.isField(el) ? '' : Context.seen(el, 200);
    return {
      ...brief(el, args), found: true, view: Place.view(),
      box: Place.box(Dom.rect(el)), visibleBox: place.actionable === 'off-screen' ? null : place.bbox,
      visible: place.actionable !== 'hidden', actionable: place.actionable,
      ...(place.cover && { coveredBy: brief(place.cover, args) }),
      ...(Aria.concealment(el) && { concealed: Aria.concealment(el) }),
      states: Aria.states(el, role), ...(value !== undefined && { value: Text.cut(value, LONGEST_VALUE) }),
      ...(value !== undefined && value.length > LONGEST_VALUE && { truncated: true }),
      ...(description && { description }), ...(text && { text }),
      styles: Object.fromEntries(wanted.map((name) => [name, Text.cut(Text.clean(propertyValue(style, name)), 200)])),
      overflowing: { x: size.scrollWidth > size.clientWidth + 1 && size.clientWidth > 0,
        y: size.scrollHeight > size.clientHeight + 1 && size.clientHeight > 0 },
      scroll: size, childCount: inner.length, attributes: attributes(el),
      clickableAncestors: clickables(Dom.parent(el), args, 5), clickable: Place.clickable(el, role),
      ...((context || section) && { context: { ...(section && { section }), ...context } }),
    };
  };

  const probe = (args) => {
    const { x, y } = args;
    const stack = Place.stack(x, y, DEEP);
    const top = stack[0];
    const scroller = top && Place.scroller(top);
    const [clickable] = top ? clickables(top, args, 1) : [];
    return {
      point: { x, y }, view: Place.view(),
      stack: stack.map((el) => ({ ...brief(el, args), box: Place.box(Dom.rect(el)) })),
      scrollContainer: scroller ? { ...brief(scroller, args), ...Place.scroll(scroller) } : null,
      clickableAncestor: clickable || null,
      frame: top && /^i?frame$/.test(Dom.tag(top)) ? Refs.of(top) : null,
    };
  };

  // How a frame element of this document shows itself.
  const frame = (args) => {
    const el = Refs.get(args.owner);
    const { bbox, clipped, actionable, cover } = Place.look(el);
    return {
      bbox, clipped, actionable, ...(cover && { coveredBy: Place.describe(cover) }),
      view: Place.view(),
    };
  };

  // Content that does not fit: wider than the window, cut off, or shortened with an ellipsis.
  const TYPES = ['viewport-horizontal', 'layout', 'clipped', 'text-ellipsis'];
  const CUTS = /hidden|clip/;
  const overflow = (args) => {
    const types = new Set(args.types || TYPES);
    const most = Math.min(500, args.limit || 50);
    const edge = Place.scroll(document.documentElement).clientWidth;
    const findings = [];
    let found = 0;
    const note = (el, type, evidence) => {
      if (!types.has(type)) return;
      found += 1;
      if (findings.length >= most) return;
      findings.push({ ...brief(el, args), selector: Locator.css(el), bbox: Place.box(Dom.rect(el)), type, evidence });
    };
    const judge = (el) => {
      if (Aria.pruned(el)) return false;
      const box = Dom.rect(el);
      if (box.width === 0 || box.height === 0) return true;
      if (args.scope !== 'document' && (box.bottom < 0 || box.top > innerHeight)) return true;
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = Place.scroll(el);
      const style = Dom.style(el);
      const wide = clientWidth > 0 && scrollWidth > clientWidth + 1;
      const tall = clientHeight > 0 && scrollHeight > clientHeight + 1;
      const cutX = wide && CUTS.test(style.overflowX);
      const evidence = `content ${scrollWidth}×${scrollHeight} in ${clientWidth}×${clientHeight}`;
      if (box.right > edge + 1 && box.left < edge && !Place.empty(Place.shown(el, box))) {
        note(el, 'viewport-horizontal', `ends ${Math.round(box.right - edge)} px right of the window`);
      }
      if (cutX && style.textOverflow === 'ellipsis') note(el, 'text-ellipsis', evidence);
      else if (cutX || (tall && CUTS.test(style.overflowY))) note(el, 'clipped', evidence);
      else if ((wide && style.overflowX === 'visible') || (tall && style.overflowY === 'visible')) {
        if (Dom.tag(el) !== 'html' && Dom.tag(el) !== 'body') note(el, 'layout', evidence);
      }
      return true;
    };
    const limited = Pass.walk(document.documentElement, judge, { ms: 150 });
    return {
      scope: args.scope || 'viewport', view: Place.view(), findings, truncated: found > findings.length,
      warnings: limited ? [`the page is large: stopped at ${limited}`] : [],
    };
  };

  Agent.expose('inspect', Pass.over(inspect));
  Agent.expose('point_probe', Pass.over(probe));
  Agent.expose('frame_place', Pass.over(frame));
  Agent.expose('overflow_detect', Pass.over(overflow));

  return Object.freeze({ inspect, probe, overflow });
})();
