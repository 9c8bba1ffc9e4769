// What every way of extraction uses: names compared, values read, elements shown.
(args) => {
  const { Aria, Context, Dom, Refs, Text, Words } = globalThis.stockade.modules;
  const LONGEST = 20000;
  const MOST_REFS = 300;
  const base = Dom.getter(Node.prototype, 'baseURI')(document);

  // --- names -------------------------------------------------------------------------------------

  const normal = (string) =>
    Words.fold(Text.clean(Words.spread(string)))
      .replace(/\([^)]*\)/g, ' ')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const flat = (string) => normal(string).replace(/ /g, '');
  // Which of the names a label is: 2 for exactly, 1 for nearly (the name and at most two words more).
  const match = (label, names) => {
    const said = normal(label);
    if (!said || said.length > 80) return 0;
    let best = 0;
    for (const name of names) {
      if (said === name || said.replace(/ /g, '') === name.replace(/ /g, '')) return 2;
      const words = said.split(' ');
      const wanted = name.split(' ');
      if (words.length <= wanted.length + 2 && wanted.every((word) => words.includes(word))) best = 1;
    }
    return best;
  };
  const namesOf = Dom.memo((node) => (node.names || []).map(normal).filter(Boolean));

  // --- values ------------------------------------------------------------------------------------

  const SAFE = new Set(
    (
      'alt checked childElementCount className clientHeight clientWidth currentSrc dateTime dir ' +
      'disabled height hidden href id innerText label lang max min multiple name naturalHeight naturalWidth open ' +
      'placeholder readOnly required rowIndex cellIndex selected selectedIndex src step tabIndex tagName text ' +
      'textContent title type value width'
    ).split(' '),
  );
  const absolute = (href) => {
    try {
      return new URL(href, base).href;
    } catch {
      return href;
    }
  };
  const silent = (el) => Dom.tag(el) === 'input' && (Dom.secret(el) || Dom.type(el) === 'hidden');
  const field = (el) => {
    const type = Dom.type(el);
    if (type === 'checkbox' || type === 'radio') return Dom.checked(el) === true;
    return Dom.value(el);
  };
  const attribute = (el, name) => {
    if (silent(el) && name.toLowerCase() === 'value') return null;
    return Dom.attr(el, name);
  };
  const property = (el, name) => {
    if (!SAFE.has(name)) return null;
    if (name === 'value' || name === 'checked')
      return Dom.isField(el) ? (name === 'checked' ? Dom.checked(el) === true : Dom.value(el)) : null;
    const read = el[name];
    if (typeof read === 'string') return Dom.readable(read);
    return /^(?:number|boolean)$/.test(typeof read) ? read : null;
  };
  const text = (el) => (Dom.isField(el) ? field(el) : Context.seen(el, LONGEST));

  const ADDRESS = {
    __proto__: null,
    a: 'href',
    area: 'href',
    link: 'href',
    img: 'src',
    source: 'src',
    iframe: 'src',
    video: 'src',
  };
  const address = (el) => {
    const own = ADDRESS[Dom.tag(el)];
    if (own && Dom.has(el, own)) return absolute(Dom.attr(el, own));
    const [inner] = [...Dom.query(el, 'a[href]'), ...Dom.query(el, 'img[src]')];
    return inner ? absolute(Dom.attr(inner, ADDRESS[Dom.tag(inner)])) : null;
  };
  // What an element says when nobody said how to read it.
  const plain = (el, node) => {
    const tag = Dom.tag(el);
    if (node.format === 'url') {
      const found = address(el);
      if (found !== null) return found;
    }
    if (tag === 'meta') return Dom.attr(el, 'content');
    if (node.format === 'date' && tag === 'time' && Dom.has(el, 'datetime')) return Dom.attr(el, 'datetime');
    if ((tag === 'data' || tag === 'meter' || tag === 'progress') && Dom.has(el, 'value')) return Dom.attr(el, 'value');
    if (tag === 'img') return Dom.attr(el, 'alt');
    if (node.type === 'boolean' && !Dom.isField(el)) {
      const role = Aria.role(el);
      if (/^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role || ''))
        return Aria.states(el, role).checked === true;
      const [box] = Dom.query(el, 'input[type=checkbox], input[type=radio]');
      if (box) return field(box);
    }
    return text(el);
  };
  const read = (el, node, source = {}) => {
    let raw = null;
    if (source.attr) raw = attribute(el, source.attr);
    else if (source.prop) raw = property(el, source.prop);
    else if (source.value) raw = Dom.isField(el) ? field(el) : Dom.attr(el, 'value');
    else if (source.text) raw = text(el);
    else return plain(el, node);
    return node.format === 'url' && typeof raw === 'string' && raw ? absolute(raw) : raw;
  };

  let shown = 0;
  const ref = (el) => {
    if (shown >= MOST_REFS) return undefined;
    shown += 1;
    Refs.show(args.caller, el);
    return Refs.text(Refs.of(el), args.prefix);
  };
  const short = (string) => Text.quote(Text.cut(Text.clean(string), 60));
  const said = (raw) => raw !== null && raw !== undefined && raw !== '';

  return { normal, flat, match, namesOf, absolute, text, plain, read, ref, short, said };
}
