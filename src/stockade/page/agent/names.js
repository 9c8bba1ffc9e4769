// Accessible names and descriptions: what the specifications call text alternatives.
const Names = (() => {
  const words = (string) => new Set(string.split(' '));
  const FROM_CONTENT = words('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox '
    + 'menuitemradio option radio row rowheader switch tab tooltip treeitem');
  const UNNAMEABLE = words('caption code definition deletion emphasis generic insertion mark none paragraph '
    + 'presentation strong subscript suggestion superscript term time');
  // Regions and widgets of their own: what is in them does not name the link or button around them.
  const APART = words('alert alertdialog application article banner blockquote complementary dialog directory '
    + 'document feed figure form generic grid group img log main marquee math menubar navigation note radiogroup '
    + 'search separator status tablist tabpanel timer toolbar tree treegrid');
  const RANGES = words('meter progressbar scrollbar slider spinbutton');
  const MOST_TEXT = 5000;
  const MOST_REFERENCES = 50;
  const DEEPEST = 32;

  const LABELABLE = words('button input meter output progress select textarea');
  const control = Dom.getter(HTMLLabelElement.prototype, 'control');
  // All of a tree at once: to ask each control for its labels is to walk the document each time.
  const labelsIn = Dom.memo((root) => {
    const found = new Map();
    for (const label of Dom.query(root, 'label')) {
      const el = label instanceof HTMLLabelElement && control(label);
      if (el) found.set(el, [...(found.get(el) || []), label]);
    }
    return found;
  });
  const labels = (el) => (LABELABLE.has(Dom.tag(el)) && labelsIn(Dom.rootOf(el)).get(el)) || [];

  const references = (el, attribute) => {
    const value = Dom.attr(el, attribute);
    if (!value) return [];
    const found = [];
    for (const id of value.trim().split(/\s+/, MOST_REFERENCES)) {
      const target = id && Dom.byId(el, id);
      if (target && !found.includes(target)) found.push(target);
    }
    return found;
  };

  // A trail knows which elements already spoke; whether it follows a reference (none is followed
  // inside another); whether it reads a label, all of it; and whether hidden content counts because
  // hidden content was referred to.
  const trail = (seen, referred = false, whole = false, unhidden = false) => ({ seen, referred, whole, unhidden });

  const referredText = (el, targets, path) => targets.map((target) => {
    if (target !== el && path.seen.has(target)) return '';
    const inner = trail(path.seen, true, true, Visibility.hiddenBeside(target, el));
    return alternative(target, inner, true, target !== el);
  }).filter(Boolean).join(' ');

  const labelText = (label, path) => (
    path.seen.has(label) ? '' : alternative(label, trail(path.seen, false, true), true)
  );

  const childWithTag = (el, tag) => Dom.children(el).find((child) => Dom.tag(child) === tag);

  const short = (string) => (string.length > MOST_TEXT ? string.slice(0, MOST_TEXT) : string);
  const trimmed = (el, attribute) => short(Dom.attr(el, attribute) || '').trim();

  const captionText = (el, tag, path) => {
    const caption = childWithTag(el, tag);
    return caption ? labelText(caption, path) : '';
  };

  // What an element's labels say; undefined if it has none. Labels without text name it nothing.
  const labelled = (el, path) => {
    const found = labels(el);
    return found.length ? found.map((label) => labelText(label, path)).filter(Boolean).join(' ') : undefined;
  };

  const inputText = (el, path) => {
    const type = Dom.type(el);
    if (type === 'submit' || type === 'reset' || type === 'button') {
      return Dom.value(el).trim() || { submit: 'Submit', reset: 'Reset', button: trimmed(el, 'title') }[type];
    }
    const said = labelled(el, path);
    if (said !== undefined) return said;
    if (type === 'image') return trimmed(el, 'alt') || trimmed(el, 'title') || 'Submit';
    if (type === 'file') return 'Choose File';
    return trimmed(el, 'title') || (PLACEHOLDING.has(type) ? trimmed(el, 'placeholder') : '');
  };
  const PLACEHOLDING = words('email number password search tel text url');

  const drawnTitle = (el) => {
    const title = childWithTag(el, 'title');
    return title ? Dom.textContent(title).trim() : '';
  };

  // What the host language says the name is, or undefined where it leaves that to the content.
  const native = (el, path, role) => {
    const tag = Dom.tag(el);
    switch (tag) {
      case 'input':
        return el instanceof HTMLInputElement ? inputText(el, path) : undefined;
      case 'textarea': case 'select': case 'meter': case 'progress': case 'output': case 'button': {
        const said = labelled(el, path);
        if (said !== undefined || tag === 'button') return said || (tag === 'button' ? undefined : '');
        return trimmed(el, 'title') || (tag === 'textarea' ? trimmed(el, 'placeholder') : '');
      }
      case 'fieldset': return captionText(el, 'legend', path) || trimmed(el, 'title');
      case 'figure': return captionText(el, 'figcaption', path) || trimmed(el, 'title');
      case 'table': return captionText(el, 'caption', path) || undefined;
      case 'img': case 'area': return trimmed(el, 'alt') || trimmed(el, 'title');
      case 'optgroup': return (role === 'group' && trimmed(el, 'label')) || undefined;
      case 'option': return trimmed(el, 'label') || undefined;
      default: return (Dom.isSvg(el) && drawnTitle(el)) || undefined;
    }
  };

  // A control inside a label or other content speaks its present value.
  const embedded = (el, role) => {
    if (!role) return undefined;
    if (role === 'textbox' || role === 'searchbox') {
      return Dom.isField(el) ? Dom.value(el) : Dom.textContent(el);
    }
    if (role === 'combobox' || role === 'listbox') {
      if (Dom.isField(el) && Dom.tag(el) !== 'select') return Dom.value(el);
      return Controls.selected(el).map((option) => alternative(option, trail(new Set()), true)).join(' ');
    }
    if (RANGES.has(role)) return Controls.range(el);
    return role === 'menu' ? '' : undefined;
  };

  const ariaLabel = (el) => Text.clean(trimmed(el, 'aria-label'));

  // All the ways to speak but content; undefined when content should speak.
  const spoken = (el, path, inside) => {
    if (!path.referred) {
      const targets = references(el, 'aria-labelledby');
      if (targets.length) {
        const said = referredText(el, targets, path);
        if (said) return said;
      }
    }
    const role = Roles.role(el);
    if (inside) {
      const value = embedded(el, role);
      if (value !== undefined) return value;
    }
    const label = ariaLabel(el);
    if (label) return label;
    return native(el, path, role);
  };

  const apart = (el) => APART.has(Roles.role(el) || Roles.explicit(el));

  // The text of an element's content, in flat-tree order, without recursion over depth.
  const content = (root, path) => {
    const out = [];
    const work = [{ open: root, first: true }];
    let length = 0;
    const say = (string) => {
      if (string) { out.push(short(string)); length += string.length; }
    };
    while (work.length && length < MOST_TEXT) {
      const item = work.pop();
      if (item.close) {
        if (item.decorated) say(Generated.after(item.close));
        if (!item.first && out.length === item.mark) say(trimmed(item.close, 'title'));
        out.push(item.close);
        continue;
      }
      const node = item.open;
      if (Dom.isText(node)) { say(Dom.text(node)); continue; }
      if (!item.first) {
        if (path.seen.has(node) || (!path.unhidden && Visibility.hiddenInside(node))) { out.push(node); continue; }
        path.seen.add(node);
        const said = spoken(node, path, true);
        if (said !== undefined) { out.push(node); say(said); out.push(node); continue; }
        if (Dom.tag(node) === 'br') { say(' '); continue; }
        out.push(node);
        if (!path.whole && apart(node)) { say(trimmed(node, 'title')); out.push(node); continue; }
      }
      const decorated = Generated.any(node);
      work.push({ close: node, mark: out.length, first: item.first, decorated });
      if (decorated) say(Generated.before(node));
      const children = Visibility.content(node).concat(references(node, 'aria-owns'));
      for (let i = children.length - 1; i >= 0; i -= 1) work.push({ open: children[i] });
    }
    return join(out);
  };

  // Elements in the list are edges; one that is not inline keeps its words apart from others.
  const join = (parts) => {
    let text = '';
    let edges = [];
    for (const part of parts) {
      if (typeof part !== 'string') { edges.push(part); continue; }
      const apart = text && !/\s$/.test(text) && !/^\s/.test(part) && edges.some(breaks);
      text += apart ? ` ${part}` : part;
      edges = [];
    }
    return text;
  };
  const breaks = Dom.memo((el) => !/^(inline|)$/.test(Dom.style(el).display));

  // Labels may hold controls that have labels of their own, and so on: a page can make that long.
  let nesting = 0;
  const alternative = (el, path, wantsContent, inside = false) => {
    if (nesting >= DEEPEST) return '';
    nesting += 1;
    try {
      path.seen.add(el);
      const said = spoken(el, path, inside);
      if (said !== undefined) return said;
      const text = wantsContent ? content(el, path) : '';
      return text.trim() ? text : trimmed(el, 'title');
    } finally {
      nesting -= 1;
    }
  };

  // Most names are one text, perhaps in a few wrappers: no need for the whole machinery.
  const SIMPLE = words('a h1 h2 h3 h4 h5 h6 td th');
  const WRAPPERS = words('b cite code em i kbd samp small span strong sub sup tt u var');
  const SPEAKING = ['role', 'aria-label', 'aria-labelledby', 'aria-hidden', 'aria-owns'];
  const plainText = (el) => {
    if (Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby') || Dom.has(el, 'aria-owns')) return '';
    for (let node = el; ;) {
      const only = Dom.firstChild(node);
      if (!only || Dom.nextSibling(only) || Dom.shadow(node) || Generated.any(node)) return '';
      if (Dom.isText(only)) {
        return node === el || !Visibility.cssHidden(node) ? Text.clean(short(Dom.text(only))) : '';
      }
      if (!WRAPPERS.has(Dom.tag(only))) return '';
      for (const attribute of SPEAKING) if (Dom.has(only, attribute)) return '';
      node = only;
    }
  };

  const name = Dom.memo((el) => {
    const role = Roles.role(el);
    if (UNNAMEABLE.has(role) || Visibility.cssHidden(el)) return '';
    if (!role && Dom.tag(el) !== 'summary') return '';
    const wantsContent = FROM_CONTENT.has(role) || Dom.tag(el) === 'summary';
    if (wantsContent && SIMPLE.has(Dom.tag(el))) {
      const text = plainText(el);
      if (text) return text;
    }
    return Text.clean(short(alternative(el, trail(new Set()), wantsContent)));
  });

  const description = (el) => {
    const targets = references(el, 'aria-describedby');
    if (targets.length) {
      const said = targets.map((target) => alternative(
        target, trail(new Set(), true, true, Visibility.hidden(target)), true,
      )).join(' ');
      return Text.clean(short(said));
    }
    const own = Dom.attr(el, 'aria-description');
    if (own) return Text.clean(short(own));
    const title = Text.clean(trimmed(el, 'title'));
    return title && title !== name(el) ? title : '';
  };

  // Whether what describes an element is on the page for everybody to read.
  const describedInView = (el) => {
    const targets = references(el, 'aria-describedby');
    return targets.length > 0 && targets.every((target) => !Visibility.hidden(target) && !Visibility.concealment(target));
  };

  return Object.freeze({ name, description, describedInView, labels });
})();
