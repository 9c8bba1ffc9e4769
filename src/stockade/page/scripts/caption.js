// What a picture shows, in words of the page: of one element, or of what lies in a box of the window.
(args) => {
  const { Aria, Context, Dom, Pass, Place, Refs, Text } = globalThis.stockade.modules;
  const REGIONS = new Set(['banner', 'navigation', 'main', 'complementary', 'contentinfo', 'search', 'form', 'region']);
  const DIALOGS = new Set(['dialog', 'alertdialog', 'alert']);
  const MOST = { headings: 8, regions: 8, dialogs: 3, pictures: 5 };
  const LONGEST = 80;

  const top = args.ref ? Refs.check(args.caller, args.ref) : document.documentElement;
  const { x, y, width, height } = args.box || Place.box(Dom.rect(top));
  const pictured = (el) => {
    if (!Place.rendered(el)) return false;
    const place = Dom.rect(el);
    return place.right > x && place.left < x + width && place.bottom > y && place.top < y + height;
  };
  const named = (el, role) => {
    const { name, mark } = Aria.telling(el, LONGEST);
    return name ? `${role} ${Text.quote(name)}${mark}` : role;
  };

  const found = { headings: [], regions: [], dialogs: [], pictures: [], controls: 0 };
  const keep = (kind, words) => { if (words && found[kind].length < MOST[kind]) found[kind].push(words); };
  Pass.walk(top, (el) => {
    if (el === top && args.ref) return true;
    const role = Aria.role(el);
    if (!role || !Aria.included(el) || !pictured(el)) return true;
    if (role === 'heading') keep('headings', Aria.toldName(el, LONGEST));
    else if (REGIONS.has(role)) keep('regions', named(el, role));
    else if (DIALOGS.has(role)) keep('dialogs', named(el, role));
    else if (role === 'img' && Aria.name(el)) keep('pictures', Aria.toldName(el, LONGEST));
    else if (Aria.interactive(el, role)) found.controls += 1;
    return true;
  });
  const element = args.ref ? { words: Place.describe(top), text: Dom.isField(top) ? '' : Context.seen(top, 200) } : null;
  return { title: Text.cut(Text.clean(document.title), LONGEST), element, ...found };
}
