// Which ARIA role an element has: its own if valid, else the one its HTML gives it.
const Roles = (() => {
  const words = (string) => new Set(string.split(' '));

  const KNOWN = words('alert alertdialog application article banner blockquote button caption cell checkbox code '
    + 'columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed '
    + 'figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee '
    + 'math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph '
    + 'presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator '
    + 'slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time '
    + 'timer toolbar tooltip tree treegrid treeitem');

  const INTERACTIVE = words('button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option '
    + 'radio scrollbar searchbox slider spinbutton switch tab textbox treeitem');

  // What is inside these is a drawing of the control, not content.
  const LEAVES = words('button checkbox img math menuitemcheckbox menuitemradio meter option progressbar radio '
    + 'scrollbar separator slider switch tab');

  const GLOBAL = ('aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect '
    + 'aria-flowto aria-grabbed aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns '
    + 'aria-relevant aria-roledescription').split(' ');
  // Naming is prohibited on these, so aria-label does not count as a reason to keep the role.
  const UNNAMEABLE = words('caption code deletion emphasis generic insertion paragraph presentation strong subscript '
    + 'superscript none');

  const SECTIONING = words('article aside main nav section');
  const SECTION_ROLES = words('article complementary main navigation region');

  const named = (el) => Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby');

  // Header and footer are landmarks unless they belong to a section of the page.
  const inSection = Dom.inherited((el) => {
    const role = explicit(el);
    return (role ? SECTION_ROLES.has(role) : SECTIONING.has(Dom.tag(el))) || undefined;
  }, false);
  const landmark = (role) => (el) => {
    const above = Dom.parent(el);
    return above && inSection(above) ? null : role;
  };

  const enclosing = (el, tag) => {
    let node = Dom.parent(el);
    while (node && Dom.tag(node) !== tag) node = Dom.parent(node);
    return node;
  };
  const gridTable = Dom.memo((table) => {
    const role = own(table);
    return role === 'grid' || role === 'treegrid';
  });
  const cellRole = (el) => {
    const table = enclosing(el, 'table');
    return table && gridTable(table) ? 'gridcell' : 'cell';
  };
  const headerRole = (el) => {
    const scope = (Dom.attr(el, 'scope') || '').toLowerCase();
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    const row = Dom.parent(el);
    if (!row || Dom.tag(row) !== 'tr') return 'columnheader';
    return Dom.childNodes(row).some((cell) => Dom.tag(cell) === 'td') ? 'rowheader' : 'columnheader';
  };

  const inputList = Dom.getter(HTMLInputElement.prototype, 'list');
  const LISTABLE = words('email search tel text url');
  const INPUTS = {
    __proto__: null,
    button: 'button', checkbox: 'checkbox', file: 'button', hidden: null, image: 'button', number: 'spinbutton',
    radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
  };
  const inputRole = (el) => {
    if (!(el instanceof HTMLInputElement)) return null;
    const type = Dom.type(el);
    if (LISTABLE.has(type) && inputList(el)) return 'combobox';
    return type in INPUTS ? INPUTS[type] : 'textbox';
  };

  const selectMultiple = Dom.getter(HTMLSelectElement.prototype, 'multiple');
  const selectSize = Dom.getter(HTMLSelectElement.prototype, 'size');
  const selectRole = (el) => (
    el instanceof HTMLSelectElement && (selectMultiple(el) || selectSize(el) > 1) ? 'listbox' : 'combobox'
  );

  const imageRole = (el) => (
    Dom.attr(el, 'alt') === '' && !Dom.attr(el, 'title') && !globalAttribute(el, 'img') && !tabindex(el)
      ? 'presentation' : 'img'
  );
  const linked = (role) => (el) => (Dom.has(el, 'href') ? role : null);
  const whenNamed = (role) => (el) => (named(el) ? role : null);

  const IMPLICIT = {
    __proto__: null,
    a: linked('link'), area: linked('link'), article: 'article', aside: 'complementary', blockquote: 'blockquote',
    button: 'button', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition', del: 'deletion',
    details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group',
    figure: 'figure', footer: landmark('contentinfo'), form: whenNamed('form'), h1: 'heading', h2: 'heading',
    h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', header: landmark('banner'), hr: 'separator',
    html: 'document', iframe: 'iframe', img: imageRole, input: inputRole, ins: 'insertion', li: 'listitem',
    main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list',
    optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar',
    search: 'search', section: whenNamed('region'), select: selectRole, strong: 'strong', sub: 'subscript',
    sup: 'superscript', svg: 'img', table: 'table', tbody: 'rowgroup', td: cellRole, textarea: 'textbox',
    tfoot: 'rowgroup', th: headerRole, thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
  };
  // A parent whose role was dismissed takes the roles of its required children along.
  const OWNERS = {
    __proto__: null,
    li: words('ul ol menu'), dt: words('dl'), dd: words('dl'), tr: words('table thead tbody tfoot'),
    td: words('tr'), th: words('tr'), tbody: words('table'), thead: words('table'), tfoot: words('table'),
    caption: words('table'),
  };

  const tabindex = (el) => {
    const value = Dom.attr(el, 'tabindex');
    return value !== null && !Number.isNaN(Number.parseInt(value, 10));
  };
  const CONTROLS = words('button details select textarea');
  const focusable = (el) => {
    const tag = Dom.tag(el);
    if (CONTROLS.has(tag) || tag === 'input') {
      if (tag === 'input' && Dom.attr(el, 'type') === 'hidden') return false;
      return tag === 'details' || !Dom.matches(el, ':disabled');
    }
    if ((tag === 'a' || tag === 'area') && Dom.has(el, 'href')) return true;
    return tabindex(el) || editable(el);
  };
  const editable = (el) => {
    const value = Dom.attr(el, 'contenteditable');
    return value !== null && value.toLowerCase() !== 'false';
  };

  const globalAttribute = (el, role) => GLOBAL.some((name) => Dom.attr(el, name)
    && !((name === 'aria-label' || name === 'aria-labelledby') && UNNAMEABLE.has(role)));

  const implicitAlone = (el) => {
    const rule = IMPLICIT[Dom.tag(el)];
    return typeof rule === 'function' ? rule(el) : rule || null;
  };

  const explicit = (el) => {
    const value = Dom.attr(el, 'role');
    if (!value) return null;
    for (const word of value.toLowerCase().split(/\s+/)) if (KNOWN.has(word)) return word;
    return null;
  };

  const dismissed = (role) => role === 'none' || role === 'presentation';
  const own = (el) => {
    const role = Dom.tag(el) === 'iframe' ? null : explicit(el);
    if (!role) return implicit(el);
    if (!dismissed(role)) return role;
    const native = implicitAlone(el);
    return globalAttribute(el, native) || focusable(el) ? native : role;
  };
  const implicit = (el) => {
    const role = implicitAlone(el);
    if (!role) return null;
    let node = el;
    for (;;) {
      const owners = OWNERS[Dom.tag(node)];
      const above = owners && Dom.parent(node);
      if (!above || !owners.has(Dom.tag(above))) return role;
      const given = explicit(above);
      if (given) return dismissed(given) && dismissed(own(above)) ? given : role;
      node = above;
    }
  };

  const role = Dom.memo((el) => {
    if (!Dom.attr(el, 'role') && !(Dom.tag(el) in IMPLICIT)) return null;
    const found = own(el);
    return !found || dismissed(found) || found === 'generic' ? null : found;
  });

  return Object.freeze({ role, explicit, focusable, editable, INTERACTIVE, LEAVES });
})();
