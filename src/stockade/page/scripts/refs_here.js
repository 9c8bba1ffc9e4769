// Which elements of this document have a ref, and whether a snapshot would show any.
() => {
  const { Dom, Place, Refs, Selector } = globalThis.stockade.modules;
  const REFERRED = [
    'a[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary', 'iframe', 'main', 'nav',
    'form', 'table', 'dialog[open]', 'article', '[role]', '[tabindex]', '[onclick]', '[contenteditable]',
  ].join(',');
  const MOST = 5000;

  let first = 0;
  let last = 0;
  let count = 0;
  for (let number = 1; number < Refs.next(); number += 1) {
    const el = Refs.get(number);
    if (!el || !Dom.connected(el)) continue;
    first = first || number;
    last = number;
    count += 1;
  }
  const pointed = (el) => Dom.style(el).cursor === 'pointer' && Place.rendered(el);
  const available = () => Selector.css(document, REFERRED).some(Place.rendered)
    || [...Dom.query(document, 'body *')].slice(0, MOST).some(pointed);
  return { first, last, count, available: available() };
}
