// What an element is and says at this moment, for a check of it. Whether it still looks as it was
// shown is no matter here: that it changed is often what is to be checked.
(args) => {
  const { Dom, Text, Aria, Refs, Place, Pass, Context } = globalThis.stockade.modules;
  const LONGEST = 200000;
  const el = Refs.get(args.ref);
  if (!el || !Dom.connected(el)) return { gone: true };
  // So that closed shadow roots inside it are found.
  Pass.walk(el, () => true, { nodes: 2000, ms: 20 });
  const innerText = Dom.getter(HTMLElement.prototype, 'innerText');
  const contentEditable = Dom.getter(HTMLElement.prototype, 'isContentEditable');
  const html = el instanceof HTMLElement;
  const role = Aria.role(el);
  const secret = Dom.secret(el);

  const unseen = () => {
    const style = Dom.style(el);
    if (!Dom.rendered(el)) return 'not displayed';
    if (!Dom.shown(el)) return `visibility: ${style.visibility}`;
    const { width, height } = Dom.rect(el);
    if (width <= 0 || height <= 0) return `no size (${width}×${height})`;
    return Dom.opaque(el) ? '' : 'transparent';
  };
  const values = () => {
    if (secret) return [];
    const said = Aria.value(el, role);
    const found = said === undefined ? [] : [said];
    if (el instanceof HTMLSelectElement) {
      const chosen = [...Dom.getter(HTMLSelectElement.prototype, 'selectedOptions')(el)];
      const all = (name) => chosen.map(Dom.getter(HTMLOptionElement.prototype, name)).join(', ');
      found.unshift(all('value'), Text.clean(all('label')));
    } else if (Dom.isField(el)) found.unshift(Dom.value(el));
    else if (html && contentEditable(el)) found.unshift(innerText(el));
    return [...new Set(found)].map((each) => each.slice(0, LONGEST));
  };
  const texts = () => {
    const found = [Context.text(el, LONGEST)];
    if (html && !Dom.isField(el)) found.push(Text.clean(innerText(el)));
    else found.push(...values().map(Text.clean));
    return [...new Set(found)].map((each) => each.slice(0, LONGEST));
  };
  const attribute = () => {
    if (args.attr === undefined) return {};
    if (secret && args.attr.toLowerCase() === 'value') return { attribute: null };
    return { attribute: Dom.attr(el, args.attr) };
  };

  const option = Dom.tag(el) === 'option' || Dom.tag(el) === 'optgroup';
  const why = option && Place.rendered(el) ? '' : unseen();
  return {
    description: Place.describe(el), visible: !why, ...(why && { why }), secret,
    texts: texts(), values: values(), ...attribute(), view: Place.view(),
  };
}
