// What each kind of element becomes in an outline: a control, a heading, a container, or nothing
// but its content.
const Kinds = (() => {
  const words = (string) => new Set(string.split(' '));
  // Containers worth a ref, so that a look can be scoped to them.
  const REFERRED = words('alertdialog dialog banner navigation main complementary contentinfo region search form table '
    + 'grid treegrid tree article popover');
  // Containers that get one when they are long.
  const LISTS = words('list menu menubar tablist toolbar radiogroup group feed log figure tabpanel directory '
    + 'application note');
  const SPOKEN = words('alert status timer marquee tooltip');
  // Without a name these are mere boxes.
  const IF_NAMED = words('group figure application note region document');
  const TABLES = words('table grid treegrid');
  const CELLS = words('cell gridcell columnheader rowheader');
  const MEASURES = words('progressbar meter');
  const ASIDES = words('banner navigation complementary contentinfo');
  const FRAMES = words('iframe frame object embed fencedframe');
  const SMALLEST_FRAME = 8;
  const labelControl = Dom.getter(HTMLLabelElement.prototype, 'control');

  const overlay = (el, tag) => {
    if (Dom.has(el, 'popover') && Dom.matches(el, ':popover-open')) return true;
    return tag === 'dialog' && Dom.matches(el, ':modal');
  };

  // Whether who clicks the control of an entry clicks this element in it, which takes up `share` of it.
  const HALF = 0.5;
  const fills = (el, entry, share) => {
    if (entry.kind !== 'control' || entry.role === 'gridcell') return false;
    const outer = Dom.rect(entry.el);
    const inner = Dom.rect(el);
    const [x, y] = [outer.left + outer.width / 2, outer.top + outer.height / 2];
    return inner.left <= x && x <= inner.right && inner.top <= y && y <= inner.bottom
      && inner.width * inner.height >= share * outer.width * outer.height;
  };

  // Why the element can be clicked by itself, beside what it is in; '' if it cannot.
  const clickable = (el, tag, context) => {
    if (context.inside || context.pointer === 'label') {
      if (!Clicks.handles(el, tag)) return '';
      const said = Text.clean(Dom.textContent(el));
      return said === context.name || (!said && fills(el, context.entry, HALF)) ? '' : 'handler';
    }
    const why = Clicks.why(el, tag)
      || (context.listener && !context.pointer && Clicks.served(el, tag, context.listener) ? 'handler' : '');
    return !context.pointer || why === 'handler' || (why === 'hand' && context.pointer === 'hand') ? why : '';
  };

  const DRAGGABLE = ' [draggable]';
  const drags = (el) => Dom.attr(el, 'draggable') === 'true';

  const onlyText = (el) => {
    const first = Dom.firstChild(el);
    if (!first) return !Dom.shadow(el);
    return Dom.isText(first) && !Dom.nextSibling(first) && !Dom.shadow(el);
  };

  // Controls in a drawing are still controls; its words are not text.
  const ACTIVE = 'a[href],button,input,select,textarea,[role],[tabindex],[onclick]';
  const firstMatch = Dom.method(Element.prototype, 'querySelector');
  const shadowMatch = Dom.method(DocumentFragment.prototype, 'querySelector');
  const MOST_PARTS = 60;
  const activeInShadow = (el) => {
    const root = Dom.shadow(el);
    if (!root) return false;
    return shadowMatch(root, ACTIVE) !== null || Array.from(Dom.query(root, '*')).slice(0, MOST_PARTS).some(activeInShadow);
  };
  const active = (el) => Clicks.within(el) || firstMatch(el, ACTIVE) !== null || activeInShadow(el);
  const drawing = (el, context) => (active(el) ? { ...context, mute: true } : null);

  // What a field holds beyond its first line comes last, in lines of its own.
  const moreOf = (rest, el, entry, context, add) => {
    rest.forEach((value, at) => {
      const inner = { ...context, entry, prio: Math.max(context.prio, Near.FOLD) };
      add('text', el, inner, { owner: el, part: at + 1, value, mark: 'continued' });
    });
  };
  const TYPED = words('textbox searchbox');

  const PRESSED = words('link button');
  const CHECKS = words('checkbox radio switch');
  const control = (pass, el, tag, role, context, add) => {
    const native = tag === 'option' && role === 'option';
    const editable = !role && tag !== 'summary';
    const word = role || (editable ? 'textbox' : tag);
    const parts = Line.control(el, role, word, pass.options.urls);
    // A part of a control that says what the control says, and has neither focus nor state of its own.
    const repeats = context.inside && parts.whole && parts.whole === context.name && !CHECKS.has(role);
    if (repeats && (!Aria.focusable(el) || (PRESSED.has(role) && !parts.tail && fills(el, context.entry, 0)))) return { ...context };
    if (editable) parts.tail += ' [contenteditable]';
    if (drags(el)) parts.tail += DRAGGABLE;
    const columns = role === 'gridcell' ? columnsOf(el, context.grid) : null;
    const entry = add('control', el, context, { role: word, ref: !native, columns, ...parts });
    const typed = editable || (TYPED.has(role) && !Dom.isField(el));
    if (tag === 'input' || tag === 'textarea') {
      moreOf(parts.rest, el, entry, context, add);
      return null;
    }
    if (parts.name && onlyText(el) && !typed) return null;
    if (Aria.leaves(role)) return drawing(el, { ...context, entry, name: parts.whole, inside: true, rowish: false });
    return {
      ...context, entry, name: typed ? '' : parts.whole, inside: true,
      rowish: typed, zone: context.zone === 'mixed' && tag !== 'a' ? 'mixed' : 'set',
    };
  };

  // What is hidden as a whole in a way that serves nobody.
  const veil = (pass, el, parts) => (!pass.interactive && parts.name && !parts.unseen && Aria.markForNobody(Aria.concealment(el))) || '';

  const heading = (pass, el, context, add) => {
    const parts = Line.structure(el, 'heading');
    if (context.inside && context.name === parts.whole) return { ...context };
    parts.tail += veil(pass, el, parts);
    const click = active(el) ? '' : clickable(el, Dom.tag(el), context);
    if (click) parts.tail += ' [clickable]';
    const entry = add('heading', el, context, { role: 'heading', ...parts, ref: Boolean(click) });
    if (parts.name && onlyText(el)) return null;
    return { ...context, entry, name: parts.whole, zone: 'set', pointer: click || context.pointer };
  };

  // A small picture that clicks go through belongs to what is under it.
  const ADORNMENT = 32;
  const adorns = (el) => Dom.style(el).pointerEvents === 'none' && Dom.rect(el).width <= ADORNMENT;

  const ICON = 8;
  const PHOTO = 24;
  const picture = (pass, el, tag, role, context, add) => {
    const parts = Line.structure(el, role);
    const click = clickable(el, tag, context);
    const dragged = drags(el);
    if (click || dragged) {
      const word = click ? 'clickable' : role;
      const head = Line.head(word, parts.name || Icons.name(el));
      add('control', el, context, { role: word, ref: true, ...parts, head, tail: parts.tail + (dragged ? DRAGGABLE : '') });
      return null;
    }
    if (!parts.name && tag !== 'img') return context;
    if (!parts.name) {
      // An image that nobody named is told by its file, if it is one to look at.
      if (pass.interactive || context.mute || context.inside || context.name) return null;
      const box = Dom.rect(el);
      const file = Icons.name(el);
      if (box.width < ICON || box.height < ICON || (!file && box.width < PHOTO)) return null;
      add('image', el, context, { role, ...parts, tail: file ? ` [src=${file.replace(/[[\]]/g, '')}]` : '' });
      return null;
    }
    if (!pass.interactive && !context.mute && !context.name.includes(parts.whole) && !adorns(el)) {
      add('image', el, context, { role, ...parts, tail: parts.tail + veil(pass, el, parts) });
    }
    return tag === 'svg' && Dom.query(el, 'text').length ? { ...context, name: parts.whole } : drawing(el, context);
  };

  const container = (pass, el, tag, role, context, add) => {
    const parts = Line.structure(el, role);
    // One that takes the focus does so for the keyboard's sake.
    const why = clickable(el, tag, context);
    const click = why === 'focus' ? '' : why;
    if (IF_NAMED.has(role) && !parts.name && !click) return { ...context };
    const layer = overlay(el, tag) || (parts.tail.includes('[modal]') && context.prio <= Near.TOP);
    const prio = ASIDES.has(role) && context.prio > Near.HOT ? Math.max(context.prio, Near.ASIDE) : context.prio;
    const above = layer ? { ...context, prio, entry: pass.root } : { ...context, prio };
    const entry = add('container', el, above, {
      role, ...parts, click, ref: REFERRED.has(role) || click ? true : LISTS.has(role) ? 'long' : false,
    });
    if (click) entry.tail += ' [clickable]';
    if (layer) {
      pass.root.kids.pop();
      pass.root.tops.push(entry);
    }
    const inner = {
      ...above, entry, name: '', grid: TABLES.has(role) ? { row: 0, column: 0, taken: [] } : context.grid,
      aside: context.aside || ASIDES.has(role), pointer: click || context.pointer,
    };
    return bounded(pass, el, entry, inner, add);
  };

  const bounded = (pass, el, entry, inner, add) => {
    if (!pass.options.depth || entry.depth + 1 < pass.options.depth || !Dom.firstChild(el)) return inner;
    add('range', el, { ...inner, prio: Infinity }, { cause: 'depth', count: 0 });
    entry.ref = true;
    return null;
  };

  // Which columns a cell takes: those before it may be taken from the rows above.
  const MOST_COLUMNS = 50;
  const count = (el, name) => {
    const said = Number.parseInt(Dom.attr(el, name) || Dom.attr(el, `aria-${name}`) || '1', 10);
    return said >= 1 ? Math.min(said, MOST_COLUMNS) : 1;
  };
  const columnsOf = (el, grid) => {
    if (!grid) return { before: 0, span: 1 };
    const { row, taken } = grid;
    const from = grid.column;
    let at = from;
    while (taken[at] >= row) at += 1;
    const span = count(el, 'colspan');
    const last = row + count(el, 'rowspan') - 1;
    for (let i = at; i < at + span; i += 1) taken[i] = last;
    grid.column = at + span;
    return { before: at - from, span };
  };

  const part = (kind, pass, el, tag, role, context, add) => {
    const click = clickable(el, tag, context);
    const dragged = drags(el);
    const tail = Line.states(el, role) + (click ? ' [clickable]' : '') + (dragged ? DRAGGABLE : '');
    const { grid } = context;
    if (kind === 'row' && grid) Object.assign(grid, { row: grid.row + 1, column: 0 });
    const columns = kind === 'cell' ? columnsOf(el, grid) : null;
    const entry = add(kind, el, context, { role, head: role, tail, click, columns, ref: Boolean(click) || dragged });
    const inner = { ...context, entry, name: '', pointer: click || context.pointer, rowish: true };
    return kind === 'cell' ? inner : bounded(pass, el, entry, inner, add);
  };

  const fallback = (el) => Dom.childNodes(el).some((node) => Dom.isElement(node) && Dom.checkVisibility(node));
  // Canvas, video and audio: no words, but there to be looked at and acted on.
  const MEDIA = words('canvas video audio');
  const mediaPaused = Dom.getter(HTMLMediaElement.prototype, 'paused');
  const media = (el, tag, context, add) => {
    const box = Dom.rect(el);
    if (box.width < SMALLEST_FRAME || box.height < SMALLEST_FRAME) return null;
    const said = Text.clean(Dom.attr(el, 'aria-label') || Dom.attr(el, 'title') || '');
    const name = said || (tag === 'canvas' ? '' : Icons.name(el));
    const playing = el instanceof HTMLMediaElement && !mediaPaused(el) ? ' [playing]' : '';
    const tail = playing + Line.states(el, null) + (drags(el) ? DRAGGABLE : '');
    add('control', el, context, { role: tag, name, head: Line.head(tag, name), tail, ref: true });
    return null;
  };

  const frame = (el, tag, context, add) => {
    if (tag === 'object' && fallback(el)) return context;
    const box = Dom.rect(el);
    if (box.width < SMALLEST_FRAME || box.height < SMALLEST_FRAME) return null;
    const word = tag === 'frame' ? 'iframe' : tag;
    const name = Text.clean(Dom.attr(el, 'aria-label') || Dom.attr(el, 'title') || Dom.attr(el, 'name') || '');
    add('frame', el, context, { role: word, name, head: Line.head(word, name), ref: true });
    return null;
  };

  // Behind an open modal: marked once, and no less told for it.
  const background = (el, context, add) => {
    const head = 'background';
    const entry = add('container', el, context, { role: head, head, tail: ' [inert]', click: '', ref: false });
    return { ...context, entry };
  };

  const TOGGLED = words('checkbox radio file');
  const plain = (pass, el, tag, context, add) => {
    if (tag === 'body' && pass.heat.modal) return background(el, context, add);
    if (tag === 'form') return container(pass, el, tag, 'form', context, add);
    if (Dom.has(el, 'popover') && overlay(el, tag)) return container(pass, el, tag, 'popover', context, add);
    if (tag === 'label') {
      const owner = el instanceof HTMLLabelElement ? labelControl(el) : null;
      if (owner && (Aria.included(owner) || (Aria.muted(el) && !Aria.hiddenInside(owner)))) return { ...context, name: Aria.name(owner), pointer: 'label' };
      // The label of a switch that nobody sees stands for it.
      if (owner && !context.inside && TOGGLED.has(Dom.type(owner))) return clickTarget(el, Line.states(owner, Aria.role(owner)), 'handler', context, add);
    }
    const click = clickable(el, tag, context);
    if (!click && !drags(el)) return context;
    return clickTarget(el, Line.states(el, null) + (drags(el) ? DRAGGABLE : ''), click, context, add);
  };
  const clickTarget = (el, tail, click, context, add) => {
    const name = Text.clean(Dom.attr(el, 'aria-label') || Dom.attr(el, 'title') || '');
    const entry = add('clickable', el, context, {
      role: click ? 'clickable' : 'item', name, head: Line.head(click ? 'clickable' : 'item', name), tail, click, ref: true,
    });
    return { ...context, entry, name: '', pointer: click || context.pointer, inside: false, mute: false, rowish: true };
  };

  // Adds what the element becomes, and answers the context of its content, or null to pass over it.
  const enter = (pass, el, tag, context, add) => {
    if (tag === 'br') {
      if (pass.run) pass.run.text += ' ';
      return null;
    }
    if (FRAMES.has(tag)) return frame(el, tag, context, add);
    const role = Aria.role(el);
    if (MEDIA.has(tag) && (!role || role === 'img')) return media(el, tag, context, add);
    if (Aria.interactive(el, role)) {
      if (Aria.included(el)) return control(pass, el, tag, role, context, add);
      return Dom.isField(el) ? null : { ...context };
    }
    if (!role) return plain(pass, el, tag, context, add);
    if (role === 'heading') return heading(pass, el, context, add);
    if (role === 'img') return picture(pass, el, tag, role, context, add);
    if (role === 'listitem') return part('item', pass, el, tag, role, context, add);
    if (role === 'row') return part('row', pass, el, tag, role, context, add);
    if (CELLS.has(role)) return part('cell', pass, el, tag, role, context, add);
    if (MEASURES.has(role)) {
      add('image', el, context, { role, ...Line.control(el, role, role, false) });
      return null;
    }
    if (REFERRED.has(role) || LISTS.has(role) || SPOKEN.has(role)) {
      return container(pass, el, tag, role, context, add);
    }
    return plain(pass, el, tag, context, add);
  };

  return Object.freeze({ enter, clickable });
})();
