// Whether ARIA is used as its specification says.
(kit) => {
  const { Aria, Dom, Text } = globalThis.stockade.modules;
  const { rule, heard } = kit;
  const words = (string) => new Set(string.split(' '));
  const attributeNames = Dom.method(Element.prototype, 'getAttributeNames');

  const ROLES = words(
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
      'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell ' +
      'group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
      'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader ' +
      'scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript ' +
      'switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol',
  );
  const BOOL = words('true false');
  const TRI = words('true false mixed undefined');
  const TOKENS = {
    __proto__: null,
    'aria-atomic': BOOL,
    'aria-busy': BOOL,
    'aria-disabled': BOOL,
    'aria-modal': BOOL,
    'aria-multiline': BOOL,
    'aria-multiselectable': BOOL,
    'aria-readonly': BOOL,
    'aria-required': BOOL,
    'aria-expanded': words('true false undefined'),
    'aria-grabbed': words('true false undefined'),
    'aria-hidden': words('true false undefined'),
    'aria-selected': words('true false undefined'),
    'aria-checked': TRI,
    'aria-pressed': TRI,
    'aria-autocomplete': words('inline list both none'),
    'aria-current': words('page step location date time true false'),
    'aria-haspopup': words('true false menu listbox tree grid dialog'),
    'aria-invalid': words('grammar false spelling true'),
    'aria-live': words('off polite assertive'),
    'aria-orientation': words('horizontal vertical undefined'),
    'aria-sort': words('ascending descending other none'),
    'aria-relevant': words('additions removals text all'),
    'aria-dropeffect': words('copy execute link move none popup'),
  };
  const NUMBERS = words(
    'aria-colcount aria-colindex aria-colspan aria-level aria-posinset aria-rowcount aria-rowindex aria-rowspan aria-setsize aria-valuemax aria-valuemin aria-valuenow',
  );
  const NAMED = words(
    'aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns',
  );
  const FREE = words(
    'aria-braillelabel aria-brailleroledescription aria-colindextext aria-description aria-keyshortcuts aria-label aria-placeholder aria-roledescription aria-rowindextext aria-valuetext',
  );

  const said = (el) => attributeNames(el).filter((name) => name.startsWith('aria-'));
  const roles = (el) => kit.explicit(el).split(' ').filter(Boolean);
  const badRole = (el) => {
    const given = roles(el);
    if (!given.length || given.some((role) => ROLES.has(role) || role.startsWith('doc-'))) return false;
    return `there is no role ${Text.quote(Text.cut(given.join(' '), 40))}`;
  };
  const badName = (el) => {
    const odd = said(el).filter(
      (name) => !(name in TOKENS) && !NUMBERS.has(name) && !NAMED.has(name) && !FREE.has(name),
    );
    return odd.length > 0 && `there is no attribute ${Text.cut(odd.join(', '), 60)}`;
  };
  const wrong = (el, name) => {
    const value = (Dom.attr(el, name) || '').trim();
    if (!value) return '';
    if (name in TOKENS)
      return value
        .toLowerCase()
        .split(/\s+/)
        .every((word) => TOKENS[name].has(word))
        ? ''
        : `${name} cannot be ${Text.quote(Text.cut(value, 30))}`;
    if (NUMBERS.has(name)) return Number.isFinite(Number(value)) ? '' : `${name} must be a number`;
    return '';
  };
  const badValue = (el) => {
    const found = said(el)
      .map((name) => wrong(el, name))
      .find(Boolean);
    if (found) return found;
    for (const name of [
      'aria-labelledby',
      'aria-describedby',
      'aria-activedescendant',
      'aria-controls',
      'aria-owns',
      'aria-errormessage',
    ]) {
      const lost = kit.ids(el, name).filter((id) => !Dom.byId(el, id));
      const closed =
        name === 'aria-controls' &&
        (Dom.attr(el, 'aria-expanded') === 'false' ||
          Dom.attr(el, 'aria-selected') === 'false' ||
          Dom.has(el, 'aria-haspopup'));
      if (lost.length && !closed) {
        return {
          said: `${name} names nothing in the document: ${Text.cut(lost.join(' '), 40)}`,
          review: name !== 'aria-owns' && name !== 'aria-activedescendant',
        };
      }
    }
    return false;
  };

  const ALLOWED = {
    __proto__: null,
    'aria-checked': words('checkbox menuitemcheckbox menuitemradio option radio switch treeitem'),
    'aria-selected': words('columnheader gridcell option row rowheader tab treeitem'),
    'aria-pressed': words('button'),
    'aria-expanded': words(
      'application button checkbox columnheader combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem',
    ),
    'aria-level': words('heading listitem row treeitem comment'),
    'aria-modal': words('alertdialog dialog'),
    'aria-multiline': words('searchbox textbox'),
    'aria-multiselectable': words('grid listbox tablist tree treegrid'),
    'aria-sort': words('columnheader rowheader'),
    'aria-valuenow': words('meter progressbar scrollbar separator slider spinbutton'),
    'aria-valuemax': words('meter progressbar scrollbar separator slider spinbutton'),
    'aria-valuemin': words('meter progressbar scrollbar separator slider spinbutton'),
    'aria-valuetext': words('meter progressbar scrollbar separator slider spinbutton'),
    'aria-required': words(
      'checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree treegrid',
    ),
    'aria-readonly': words(
      'checkbox columnheader combobox grid gridcell listbox radiogroup rowheader searchbox slider spinbutton switch textbox treegrid menuitemcheckbox menuitemradio',
    ),
    'aria-placeholder': words('searchbox textbox'),
    'aria-autocomplete': words('combobox searchbox textbox'),
    'aria-posinset': words(
      'article comment listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem',
    ),
    'aria-setsize': words(
      'article comment listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem',
    ),
    'aria-orientation': words(
      'combobox listbox menu menubar radiogroup scrollbar select separator slider tablist toolbar tree treegrid',
    ),
    'aria-colcount': words('table grid treegrid'),
    'aria-rowcount': words('table grid treegrid'),
    'aria-activedescendant': words(
      'application combobox grid group listbox menu menubar radiogroup row searchbox select spinbutton tablist textbox toolbar tree treegrid',
    ),
  };
  const misused = (el, role) => {
    const at = role || (Dom.tag(el) === 'summary' ? 'button' : '');
    const odd = said(el).filter((name) => name in ALLOWED && !ALLOWED[name].has(at));
    return odd.length > 0 && `${odd.join(', ')} means nothing on ${at ? `a ${at}` : `<${Dom.tag(el)}>`}`;
  };
  const UNNAMEABLE = words(
    'caption code definition deletion emphasis insertion mark none paragraph presentation strong subscript suggestion superscript term time',
  );
  const prohibited = (el, role) => {
    if (!heard(el) || !(Dom.attr(el, 'aria-label') || Dom.attr(el, 'aria-labelledby'))) return false;
    const own = roles(el)[0];
    if (UNNAMEABLE.has(own) || (role && UNNAMEABLE.has(role))) return `a ${own || role} cannot be named`;
    if (role || own || !/^(?:div|span)$/.test(Dom.tag(el))) return false;
    return kit.text(el, 5)
      ? { said: `<${Dom.tag(el)}> without a role cannot be named`, review: true }
      : `<${Dom.tag(el)}> without a role cannot be named`;
  };

  const NEEDED = {
    __proto__: null,
    checkbox: ['aria-checked'],
    menuitemcheckbox: ['aria-checked'],
    menuitemradio: ['aria-checked'],
    radio: ['aria-checked'],
    switch: ['aria-checked'],
    combobox: ['aria-expanded'],
    heading: ['aria-level'],
    meter: ['aria-valuenow'],
    scrollbar: ['aria-valuenow'],
    slider: ['aria-valuenow'],
  };
  const lacking = (el, role) => {
    if (!(role in NEEDED) || roles(el)[0] !== role || !heard(el)) return false;
    if (Dom.isField(el) || /^h[1-6]$/.test(Dom.tag(el))) return false;
    const lost = NEEDED[role].filter((name) => !Dom.has(el, name));
    return lost.length > 0 && `the ${role} lacks ${lost.join(', ')}`;
  };

  const CHILDREN = {
    __proto__: null,
    feed: 'article',
    grid: 'row rowgroup',
    list: 'listitem',
    listbox: 'option group',
    menu: 'menuitem menuitemcheckbox menuitemradio group',
    menubar: 'menuitem menuitemcheckbox menuitemradio group',
    row: 'cell gridcell columnheader rowheader',
    rowgroup: 'row',
    table: 'row rowgroup',
    tablist: 'tab',
    tree: 'treeitem group',
    treegrid: 'row rowgroup',
  };
  // The nearest elements below that have a role.
  const owned = (el) => {
    const found = [];
    const pending = [
      ...kit
        .ids(el, 'aria-owns')
        .map((id) => Dom.byId(el, id))
        .filter(Boolean),
      ...Dom.children(el).filter(Dom.isElement),
    ];
    for (let looked = 0; pending.length && looked < 2000; looked += 1) {
      const child = pending.pop();
      if (Aria.pruned(child) || kit.muted(child)) continue;
      const role = Aria.role(child);
      if (role) found.push([role, child]);
      else pending.push(...Dom.children(child).filter(Dom.isElement));
    }
    return found;
  };
  const childless = (el, role) => {
    if (!(role in CHILDREN) || roles(el)[0] !== role || !heard(el)) return false;
    if (Dom.attr(el, 'aria-busy') === 'true') return false;
    const wanted = words(CHILDREN[role]);
    const found = owned(el);
    if (found.some(([each]) => wanted.has(each))) {
      const stray = found.find(
        ([each]) => !wanted.has(each) && each !== 'separator' && !(/^menu/.test(role) && each === 'menu'),
      );
      return stray ? `the ${role} holds a ${stray[0]}` : false;
    }
    const lost = `the ${role} holds no ${CHILDREN[role].split(' ').join(', ')}`;
    return found.length ? lost : { said: lost, review: true };
  };
  const PARENTS = {
    __proto__: null,
    cell: 'row',
    columnheader: 'row',
    gridcell: 'row',
    listitem: 'list group',
    menuitem: 'menu menubar group',
    menuitemcheckbox: 'menu menubar group',
    menuitemradio: 'menu menubar group',
    option: 'listbox group',
    row: 'table grid treegrid rowgroup',
    rowgroup: 'table grid treegrid',
    rowheader: 'row',
    tab: 'tablist',
    treeitem: 'tree group',
  };
  const ownedBy = Dom.memo(() => {
    const found = new Map();
    for (const el of Dom.query(document, '[aria-owns]')) for (const id of kit.ids(el, 'aria-owns')) found.set(id, el);
    return found;
  });
  const orphan = (el, role) => {
    if (!(role in PARENTS) || roles(el)[0] !== role || !heard(el)) return false;
    const wanted = words(PARENTS[role]);
    let above = ownedBy('document').get(Dom.attr(el, 'id')) || kit.above(el);
    while (above && !Aria.role(above)) above = Dom.parent(above);
    if (above && (wanted.has(Aria.role(above)) || (role === 'treeitem' && Aria.role(above) === 'treeitem')))
      return false;
    return `the ${role} is in no ${PARENTS[role].split(' ').join(', ')}`;
  };

  const NESTING = words(
    'button checkbox img link menuitemcheckbox menuitemradio meter option progressbar radio slider switch tab',
  );
  const nested = (el, role) => {
    const kind = Dom.tag(el) === 'summary' ? 'summary' : role;
    if (!(NESTING.has(role) || kind === 'summary') || !heard(el)) return false;
    const inner = kit.inside(el, kit.reachable);
    return inner ? `the ${kind} holds ${Aria.role(inner) || Dom.tag(inner)}, which can be used by itself` : false;
  };
  const hiddenFocus = (el) => {
    if (Dom.attr(el, 'aria-hidden') !== 'true') return false;
    const inner = kit.reachable(el) ? el : kit.inside(el, kit.reachable);
    return inner
      ? `the keyboard reaches ${inner === el ? 'it' : `<${Dom.tag(inner)}> in it`}, assistive technology does not`
      : false;
  };

  return [
    rule('aria-roles', '4.1.2 A', 'critical', 'Use a role of the ARIA specification.', { element: badRole }),
    rule('aria-valid-attr', '4.1.2 A', 'critical', 'Use an attribute of the ARIA specification.', { element: badName }),
    rule('aria-valid-attr-value', '4.1.2 A', 'critical', 'Use a value that the attribute may have.', {
      element: badValue,
    }),
    rule('aria-allowed-attr', '4.1.2 A', 'serious', 'Remove the attribute, or use a role that has it.', {
      element: misused,
    }),
    rule('aria-prohibited-attr', '4.1.2 A', 'serious', 'Give it a role, or put the words into its content.', {
      element: prohibited,
    }),
    rule('aria-required-attr', '4.1.2 A', 'critical', 'Add the attribute.', { element: lacking }),
    rule('aria-required-children', '1.3.1 A', 'critical', 'Put elements of those roles into it.', {
      element: childless,
    }),
    rule('aria-required-parent', '1.3.1 A', 'critical', 'Put it into an element of such a role.', { element: orphan }),
    rule('presentation-role-conflict', '4.1.2 A', 'minor', 'Remove the role, or what makes the element matter.', {
      element: (el) =>
        /^(?:none|presentation)$/.test(roles(el)[0] || '') &&
        (Aria.focusable(el) || said(el).length > 0) &&
        'the element is dismissed by its role but matters',
    }),
    rule('aria-hidden-body', '4.1.2 A', 'critical', 'Remove aria-hidden from <body>.', {
      element: (el) =>
        Dom.tag(el) === 'body' &&
        Dom.attr(el, 'aria-hidden') === 'true' &&
        'all of the page is hidden from assistive technology',
    }),
    rule('aria-hidden-focus', '4.1.2 A', 'serious', 'Remove aria-hidden, or take it out of the tab order.', {
      element: hiddenFocus,
    }),
    rule('nested-interactive', '4.1.2 A', 'serious', 'Do not put controls into controls.', { element: nested }),
  ];
}
