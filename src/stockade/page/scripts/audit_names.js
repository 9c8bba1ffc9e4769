// Whether what there is to see and to use has a name.
(kit, tables) => {
  const { Aria, Dom, Text } = globalThis.stockade.modules;
  const { rule, heard } = kit;
  const words = (string) => new Set(string.split(' '));
  const nameless = (el) => heard(el) && !Aria.name(el);
  const labelled = (el) =>
    ['aria-label', 'title'].some((name) => (Dom.attr(el, name) || '').trim()) ||
    kit.ids(el, 'aria-labelledby').some((id) => Dom.byId(el, id));
  const labelsOf = new Map(
    [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].map((type) => [
      type.prototype,
      Dom.getter(type.prototype, 'labels'),
    ]),
  );
  const labels = (el) => {
    const read = labelsOf.get(Object.getPrototypeOf(el));
    return read ? [...(read(el) || [])] : [];
  };

  const native = (el) => /^(?:button|input)$/.test(Dom.tag(el));
  const commanded = (el, role) =>
    /^(?:menuitem|tab|treeitem)$/.test(role || '') ||
    (role === 'button' && !native(el)) ||
    (role === 'link' && !/^(?:a|area)$/.test(Dom.tag(el)));

  const FILE = /^[\w %-]+\.(?:avif|gif|jpe?g|png|svg|webp)$/i;
  const image = (el, role) => {
    const tag = Dom.tag(el);
    if (tag === 'input')
      return (
        Dom.type(el) === 'image' && !Dom.attr(el, 'alt') && !labelled(el) && 'the image button has no alternative text'
      );
    if (tag === 'area') return Dom.has(el, 'href') && nameless(el) && 'the area has no alternative text';
    if (tag === 'object') return heard(el) && !labelled(el) && !kit.text(el, 5) && 'the object has no alternative text';
    const drawn = tag === 'img' || (role === 'img' && Dom.has(el, 'role'));
    if (!drawn || role !== 'img' || !heard(el)) return false;
    const name = Aria.name(el);
    if (!name) return 'the image has no alternative text';
    return (
      FILE.test(name) && {
        said: `is the alternative text a file name: ${Text.quote(Text.cut(name, 60))}?`,
        review: true,
      }
    );
  };

  const ENTRIES = words('combobox listbox searchbox slider spinbutton textbox');
  const TOGGLES = words('checkbox radio switch menuitemcheckbox menuitemradio');
  const FIELDS = words('input select textarea');
  const BUTTONS = words('button submit reset image');
  const field = (el) => {
    const tag = Dom.tag(el);
    return FIELDS.has(tag) && !(tag === 'input' && (BUTTONS.has(Dom.type(el)) || Dom.type(el) === 'hidden'));
  };
  const unlabelled = (el) => {
    if (!field(el) || !heard(el) || Dom.attr(el, 'role') === 'presentation') return false;
    // The browser's own words for a file input name no purpose.
    const name = Dom.type(el) === 'file' ? labels(el).length > 0 || labelled(el) : Aria.name(el);
    return !name && 'the field has no label';
  };
  const hintOnly = (el) => {
    if (!field(el) || !heard(el) || !Aria.name(el)) return false;
    const own = labels(el).length || Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby');
    if (own || Dom.type(el) === 'file') return false;
    return `only its ${Dom.attr(el, 'title') ? 'title' : 'placeholder'} names the field`;
  };

  const CONTENT = words(
    'button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab treeitem',
  );
  const LETTERS = /\p{L}{2}/u;
  const mismatch = (el, role) => {
    if (!CONTENT.has(role) || !heard(el) || !(Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby')))
      return false;
    const seen = Dom.isField(el) ? (labels(el)[0] ? kit.text(labels(el)[0], 100) : '') : kit.text(el, 100);
    const plain = (string) =>
      kit
        .fold(string)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    if (!LETTERS.test(seen) || plain(Aria.name(el)).includes(plain(seen))) return false;
    return `shows ${Text.quote(Text.cut(seen, 60))} but is named ${Text.quote(Aria.toldName(el, 60))}`;
  };

  const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
  const VAGUE = words(
    'click here|here|more|read more|link|details|learn more|mehr|hier|weiterlesen|this'
      .replaceAll(' ', '_')
      .replaceAll('|', ' '),
  );

  const cellText = (el) => kit.text(el, 20) || Aria.name(el);
  const bareTable = (el, role) => {
    if (role !== 'table' || !heard(el) || Dom.query(el, 'th, [role~="columnheader"], [role~="rowheader"]').length)
      return false;
    const rows = tables.rowsOf(el, 3);
    if (rows.length < 2 || tables.cellsOf(rows[0]).length < 2) return false;
    const captioned = Dom.query(el, 'caption').length > 0 || Aria.name(el);
    if (captioned || Dom.query(el, 'thead').length) return 'the table has no header cells';
    return tables.data(el) && { said: 'if this table holds data, it needs header cells', review: true };
  };
  const strayHeaders = (el) => {
    if (!/^t[dh]$/.test(Dom.tag(el)) || !Dom.has(el, 'headers')) return false;
    const lost = kit.ids(el, 'headers').filter((id) => !Dom.byId(el, id));
    return lost.length > 0 && `headers names no cell: ${Text.cut(lost.join(' '), 60)}`;
  };

  return [
    rule('image-alt', '1.1.1 A', 'critical', 'Give it alt text that says what it shows; alt="" if it is decoration.', {
      element: image,
    }),
    rule('button-name', '4.1.2 A', 'critical', 'Give the button text, or aria-label.', {
      element: (el, role) =>
        role === 'button' &&
        native(el) &&
        Dom.type(el) !== 'image' &&
        Dom.type(el) !== 'file' &&
        nameless(el) &&
        'the button has no name',
    }),
    rule('summary-name', '4.1.2 A', 'serious', 'Give the summary text.', {
      element: (el) =>
        Dom.tag(el) === 'summary' &&
        Dom.tag(Dom.parent(el)) === 'details' &&
        heard(el) &&
        !kit.text(el, 5) &&
        !Aria.name(el) &&
        'the summary has no text',
    }),
    rule('link-name', '2.4.4 A', 'serious', 'Give the link text, alt text to the image in it, or aria-label.', {
      element: (el, role) => role === 'link' && Dom.tag(el) === 'a' && nameless(el) && 'the link has no name',
    }),
    rule('link-purpose', '2.4.9 AAA', 'minor', 'Say where the link leads in its own words.', {
      element: (el, role) =>
        role === 'link' &&
        heard(el) &&
        VAGUE.has(
          kit
            .fold(Aria.name(el))
            .replace(/[^\p{L} ]/gu, '')
            .trim()
            .replaceAll(' ', '_'),
        ) && { said: `${Text.quote(Aria.toldName(el))} says nothing by itself`, review: true },
    }),
    rule('label', '4.1.2 A', 'critical', 'Connect a <label> to the field, or give it aria-label.', {
      element: unlabelled,
    }),
    rule('label-title-only', '3.3.2 A', 'serious', 'Add a visible label: a placeholder goes away as one types.', {
      element: hintOnly,
    }),
    rule('aria-input-field-name', '4.1.2 A', 'serious', 'Give it aria-label or aria-labelledby.', {
      element: (el, role) => ENTRIES.has(role) && !FIELDS.has(Dom.tag(el)) && nameless(el) && `the ${role} has no name`,
    }),
    rule('aria-toggle-field-name', '4.1.2 A', 'serious', 'Give it text, aria-label or aria-labelledby.', {
      element: (el, role) => TOGGLES.has(role) && !FIELDS.has(Dom.tag(el)) && nameless(el) && `the ${role} has no name`,
    }),
    rule('aria-command-name', '4.1.2 A', 'serious', 'Give it text or aria-label.', {
      element: (el, role) => commanded(el, role) && nameless(el) && `the ${role} has no name`,
    }),
    rule('aria-meter-name', '1.1.1 A', 'serious', 'Give it aria-label or aria-labelledby.', {
      element: (el, role) => /^(?:meter|progressbar)$/.test(role || '') && nameless(el) && `the ${role} has no name`,
    }),
    rule('aria-dialog-name', '4.1.2 A', 'serious', 'Name the dialog with aria-labelledby or aria-label.', {
      element: (el, role) => /^(?:alert)?dialog$/.test(role || '') && nameless(el) && 'the dialog has no name',
    }),
    rule('empty-heading', '1.3.1 A', 'minor', 'Give the heading text, or remove it.', {
      element: (el, role) => role === 'heading' && nameless(el) && 'the heading is empty',
    }),
    rule('label-content-name-mismatch', '2.5.3 A', 'serious', 'Begin the name with the words that are shown.', {
      element: mismatch,
    }),
    rule('frame-title', '4.1.2 A', 'serious', 'Give the frame a title that says what is in it.', {
      element: (el) =>
        /^i?frame$/.test(Dom.tag(el)) &&
        heard(el) &&
        kit.tabindex(el) !== -1 &&
        !labelled(el) &&
        'the frame has no title',
    }),
    rule('valid-lang', '3.1.2 AA', 'serious', 'Use a language tag such as en or pt-BR.', {
      element: (el) =>
        Dom.tag(el) !== 'html' &&
        Dom.has(el, 'lang') &&
        kit.text(el, 5) !== '' &&
        !LANGUAGE.test(Dom.attr(el, 'lang').trim()) &&
        'lang is no language tag',
    }),
    rule('table-headers', '1.3.1 A', 'serious', 'Mark the cells that head rows or columns as <th>.', {
      element: bareTable,
    }),
    rule('empty-table-header', '1.3.1 A', 'minor', 'Give the header cell text, or make it a <td>.', {
      element: (el, role) => /header$/.test(role || '') && heard(el) && !cellText(el) && 'the header cell is empty',
    }),
    rule('td-headers-attr', '1.3.1 A', 'serious', 'Name cells of the same table in headers.', {
      element: strayHeaders,
    }),
    rule('video-caption', '1.2.2 A', 'critical', 'Add a <track kind="captions">.', {
      element: (el) =>
        Dom.tag(el) === 'video' &&
        !Dom.has(el, 'muted') &&
        !Dom.query(el, 'track[kind="captions" i], track[kind="subtitles" i]').length && {
          said: 'if the video speaks, it needs captions',
          review: true,
        },
    }),
    rule('no-autoplay-audio', '1.4.2 A', 'moderate', 'Do not start sound by itself, or offer a control.', {
      element: (el) =>
        /^(?:audio|video)$/.test(Dom.tag(el)) &&
        Dom.has(el, 'autoplay') &&
        !Dom.has(el, 'muted') &&
        (Dom.has(el, 'controls') || Dom.has(el, 'loop') === false
          ? { said: 'if its sound lasts longer than 3 seconds, it must not start by itself', review: true }
          : 'sound starts by itself and there is no control'),
    }),
  ];
}
