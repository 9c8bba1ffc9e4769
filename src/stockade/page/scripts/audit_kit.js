// What all rules use: how an element is shown in a finding, what it says, and whether it can be reached.
(args) => {
  const { Aria, Context, Dom, Locator, Place, Refs, Text, Words } = globalThis.stockade.modules;
  const attributeNames = Dom.method(Element.prototype, 'getAttributeNames');
  const SNIPPET = 160;

  const silent = (el, name) =>
    name === 'value' && Dom.tag(el) === 'input' && (Dom.secret(el) || Dom.type(el) === 'hidden');
  const snippet = (el) => {
    const tag = Dom.tag(el);
    const attributes = attributeNames(el)
      .slice(0, 30)
      .filter((name) => !silent(el, name.toLowerCase()) && name !== 'style')
      .map((name) => ` ${name}="${Text.cut(Text.clean(Dom.attr(el, name)), 60)}"`)
      .join('');
    const text = Dom.isField(el) || tag === 'html' || tag === 'body' ? '' : Context.seen(el, 40);
    return Text.cut(`<${tag}${attributes}>${text}`, SNIPPET);
  };
  const show = (el) => {
    Refs.show(args.caller, el);
    return { ref: Refs.text(Refs.of(el), args.prefix), selector: Locator.css(el), snippet: snippet(el) };
  };

  const explicit = (el) => Text.clean(Dom.attr(el, 'role') || '').toLowerCase();
  const tabindex = (el) => {
    const said = Number.parseInt(Dom.attr(el, 'tabindex') || '', 10);
    return Number.isNaN(said) ? null : said;
  };
  // Whether the keyboard gets there.
  const reachable = (el) => {
    if (!Aria.focusable(el) || (tabindex(el) < 0 && tabindex(el) !== null)) return false;
    return !Aria.disabled(el, Aria.role(el)) && Place.rendered(el);
  };
  const muted = Dom.inherited((el) => (Dom.attr(el, 'aria-hidden') === 'true' ? true : undefined), false);
  const heard = (el) => !Aria.hidden(el);
  const text = (el, most = 400) => Context.text(el, most);
  const fold = (string) => Words.fold(Text.clean(string));
  const ids = (el, name) => (Dom.attr(el, name) || '').trim().split(/\s+/).filter(Boolean).slice(0, 50);
  // The first element of the flat tree inside one that passes a test.
  const inside = (el, test) => {
    const pending = Dom.children(el).filter(Dom.isElement).reverse();
    for (let looked = 0; pending.length && looked < 3000; looked += 1) {
      const child = pending.pop();
      if (Aria.pruned(child)) continue;
      if (test(child)) return child;
      pending.push(...Dom.children(child).filter(Dom.isElement).reverse());
    }
    return null;
  };
  // The parent, seen past slots.
  const above = (el) => {
    let up = Dom.parent(el);
    while (up && Dom.isSlot(up)) up = Dom.parent(up);
    return up;
  };
  const rule = (id, criterion, impact, fix, how) => ({ id, criterion, impact, fix, ...how });

  return { show, explicit, tabindex, reachable, muted, heard, text, fold, ids, inside, above, rule };
}
