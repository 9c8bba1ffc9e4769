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
  // inside another); whether it reads a label, all of it; whether hidden content counts because
  // hidden content was referred to; and what is done with each string and the element that says it.
  const trail = (seen, voice, { referred = false, whole = false, unhidden = false } = {}) => ({
    seen, voice, referred, whole, unhidden,
  });

  const referredText = (el, targets, path) => targets.map((target) => {
    if (target !== el && path.seen.has(target)) return '';
    const inner = trail(path.seen, path.voice, { referred: true, whole: true, unhidden: Visibility.hiddenBeside(target, el) });
    return alternative(target, inner, true, target !== el);
  }).filter(Boolean).join(' ');

  const labelText = (label, path) => (
    path.seen.has(label) ? '' : alternative(label, trail(path.seen, path.voice, { whole: true }), true)
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
  const embedded = (el, path, role) => {
    if (!role) return undefined;
    if (role === 'textbox' || role === 'searchbox') {
      return Dom.isField(el) ? Dom.value(el) : Dom.textContent(el);
    }
    if (role === 'combobox' || role === 'listbox') {
      if (Dom.isField(el) && Dom.tag(el) !== 'select') return Dom.value(el);
      return Controls.selected(el).map((option) => alternative(option, trail(new Set(), path.voice), true)).join(' ');
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
      const value = embedded(el, path, role);
      if (value !== undefined) return value;
    }
    const label = ariaLabel(el);
    if (label) return label;
    return native(el, path, role);
  };

  // Words of a name are written, or stand for a drawing.
  const WRITTEN = (el) => (Visibility.cssHidden(el) ? 'hidden' : Visibility.unread(el));
  const DRAWN = (el) => Visibility.undrawn(el);
  // Why those that `by` says of a name are not before human eyes. Most are in plain sight, which is known
  // without all that it takes to know it of any text; what is said by one element alone is as seen as that is.
  const unseenOf = (el, by, how, alone) => {
    if (Veils.maybeDim(by)) return how(by);
    if (alone || by === el) return '';
    return Veils.maybeHiddenIn(by, el) || Visibility.replaced(by) || Visibility.cssHidden(by) ? how(by) : '';
  };

  const apart = (el) => APART.has(Roles.role(el) || Roles.explicit(el));

  // The text of an element's content, in flat-tree order, without recursion over depth.
  const content = (root, path) => {
    const out = [];
    const work = [{ open: root, first: true }];
    let length = 0;
    const say = (string, by, how) => {
      if (string) { out.push(path.voice(short(string), by, how)); length += string.length; }
    };
    while (work.length && length < MOST_TEXT) {
      const item = work.pop();
      if (item.close) {
        if (item.decorated) say(Generated.after(item.close), item.close, WRITTEN);
        if (!item.first && out.length === item.mark) say(trimmed(item.close, 'title'), item.close, DRAWN);
        out.push(item.close);
        continue;
      }
      const node = item.open;
      if (Dom.isText(node)) { say(Dom.text(node), Dom.parent(node), WRITTEN); continue; }
      if (!item.first) {
        if (path.seen.has(node) || (!path.unhidden && Visibility.hiddenInside(node))) { out.push(node); continue; }
        path.seen.add(node);
        const said = spoken(node, path, true);
        if (said !== undefined) { out.push(node); say(said, node, DRAWN); out.push(node); continue; }
        if (Dom.tag(node) === 'br') { say(' ', node, WRITTEN); continue; }
        out.push(node);
        if (!path.whole && apart(node)) { say(trimmed(node, 'title'), node, DRAWN); out.push(node); continue; }
      }
      const decorated = Generated.any(node);
      work.push({ close: node, mark: out.length, first: item.first, decorated });
      if (decorated) say(Generated.before(node), node, WRITTEN);
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
    if (Dom.has(el, 'aria-label') || Dom.has(el, 'aria-labelledby') || Dom.has(el, 'aria-owns')) return null;
    for (let node = el; ;) {
      const only = Dom.firstChild(node);
      if (!only || Dom.nextSibling(only) || Dom.shadow(node) || Generated.any(node)) return null;
      if (Dom.isText(only)) return node === el || !Visibility.cssHidden(node) ? only : null;
      if (!WRAPPERS.has(Dom.tag(only))) return null;
      for (const attribute of SPEAKING) if (Dom.has(only, attribute)) return null;
      node = only;
    }
  };

  const fromContent = (el) => FROM_CONTENT.has(Roles.role(el)) || Dom.tag(el) === 'summary';
  const spell = (el, voice) => short(alternative(el, trail(new Set(), voice), fromContent(el)));

  // A name, and who says the words of it that are not said by attributes of its element: `[element, how, …]`.
  const NAMELESS = Object.freeze({ name: '', sources: Object.freeze([]), plain: false });
  const named = Dom.memo((el) => {
    const role = Roles.role(el);
    if (UNNAMEABLE.has(role) || Visibility.cssHidden(el)) return NAMELESS;
    if (!role && Dom.tag(el) !== 'summary') return NAMELESS;
    if (SIMPLE.has(Dom.tag(el)) && fromContent(el)) {
      const only = plainText(el);
      const text = only && Text.clean(short(Dom.text(only)));
      if (text) return { name: text, sources: [Dom.parent(only), WRITTEN], plain: true };
    }
    const sources = [];
    const said = spell(el, (string, by, how) => {
      if (INK.test(string)) sources.push(by, how);
      return string;
    });
    return { name: Text.clean(said), sources, plain: false };
  });
  const INK = /\S/;
  // All of it, as assistive technology says it: to be compared, searched and addressed.
  const name = (el) => named(el).name;

  // To be told: the words that a person sees, and those that nobody or only assistive technology does.
  const VEIL = '\u0001';
  const UNVEIL = '\u0002';
  const VEILED = /\u0001([^\u0002]*)\u0002?/g;
  const veiled = (string) => VEIL + string.replace(/[\u0001\u0002]/g, '') + UNVEIL;
  // The private characters of icon fonts are a drawing.
  const WORDLESS = /^[\p{Co}\s]*$/u;
  const parts = Dom.memo((el) => {
    const { name: whole, sources, plain } = named(el);
    let why = '';
    const alone = sources.length === 2;
    for (let at = 0; !why && at < sources.length; at += 2) why = unseenOf(el, sources[at], sources[at + 1], alone);
    if (!why) return { seen: whole, hidden: '', why };
    if (plain) return { seen: '', hidden: whole, why };
    const said = spell(el, (string, by, how) => (INK.test(string) && unseenOf(el, by, how, alone) ? veiled(string) : string));
    const seen = Text.clean(said.replace(VEILED, ''));
    if (WORDLESS.test(seen)) return { seen: '', hidden: whole, why };
    return { seen, hidden: Text.clean((said.match(VEILED) || []).join(' ')), why };
  });
  // Names that are for ears alone are cut off or put aside; other ways to hide one are for nobody.
  const FOR_NOBODY = {
    __proto__: null,
    transparent: ' [hidden: transparent]', covered: ' [hidden: covered]', turned: ' [hidden: turned]', contrast: ' [low_contrast]',
  };
  const markForNobody = (why) => FOR_NOBODY[why] || '';
  const HIDDEN_LENGTH = 60;
  const isControl = (el) => Roles.INTERACTIVE.has(Roles.role(el)) || Dom.tag(el) === 'summary';
  // `{name, mark, unseen}`: words that a person sees make the name, and the others are marked. Where there
  // are none to see, the name is `unseen` and marked, unless it is for ears and belongs to what is seen.
  const telling = (el, most = MOST_TEXT) => {
    const { seen, hidden, why } = parts(el);
    if (!hidden) return { name: Text.cut(seen, most), mark: '', unseen: false };
    if (seen) {
      const mark = ` [hidden: ${Text.quote(Text.cut(hidden, HIDDEN_LENGTH))}]`;
      return { name: Text.cut(seen, most), mark, unseen: false };
    }
    const mark = FOR_NOBODY[why] || (isControl(el) && Visibility.unseenBox(el) ? ` [hidden: ${why}]` : '');
    return { name: Text.cut(hidden, most), mark, unseen: mark !== '' };
  };
  // What of it can be told without a mark.
  const seenName = (el) => {
    const { name: words, unseen } = telling(el);
    return unseen ? '' : words;
  };
  // All that is told of it, in one string.
  const told = (el, most) => {
    const { name: words, mark } = telling(el, most);
    return words + mark;
  };

  const description = (el) => {
    const targets = references(el, 'aria-describedby');
    if (targets.length) {
      const said = targets.map((target) => alternative(
        target, trail(new Set(), (string) => string, { referred: true, whole: true, unhidden: Visibility.hidden(target) }), true,
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

  return Object.freeze({ name, parts, seenName, telling, told, markForNobody, description, describedInView, labels });
})();
