// The parts a page is made of, as they would be announced: landmarks, dialogs, menus, messages.
({ caller, prefix, most }) => {
  const { Aria, Pass, Place, Refs, Text } = globalThis.stockade.modules;
  const REGIONS = new Set([
    'alert', 'alertdialog', 'banner', 'complementary', 'contentinfo', 'dialog', 'form', 'main', 'menu', 'menubar',
    'navigation', 'region', 'search', 'status', 'tablist', 'toolbar', 'tooltip',
  ]);
  const regions = [];
  Pass.walk(document.documentElement, (el) => {
    const role = Aria.role(el);
    if (!REGIONS.has(role) || !Place.rendered(el) || regions.length >= most) return true;
    const name = Aria.toldName(el, 80);
    Refs.show(caller, el);
    regions.push({ role, ...(name ? { name } : {}), ref: Refs.text(Refs.of(el), prefix) });
    return true;
  }, { ms: 200 });
  return { regions };
}
