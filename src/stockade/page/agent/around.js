// What is around an element that is acted on: the control it belongs to, the row it stands in, and
// what both say before and after. Only what tells something is told.
const Around = (() => {
  const words = (string) => new Set(string.split(' '));
  const ROWS = words('row listitem article treeitem');
  const OWNERS = words('combobox listbox radiogroup');
  const FIELDS = 'input:not([type=hidden]),select,textarea,[contenteditable]';
  const RADIOS = 'input[type=radio],[role~="radio"]';
  const CLIMB = 6;
  const ROW_CLIMB = 12;
  const WRAPPER_CLIMB = 4;
  const LENGTH = 200;
  const WRAPPER_LENGTH = 120;
  const SECTIONS = words('article aside body dialog fieldset footer form header html li main nav section table td tr');

  const said = (el) => Context.seen(el, LENGTH);
  const isField = (el, role) => Dom.isField(el) || role === 'combobox' || role === 'textbox' || role === 'searchbox';

  // The largest box around a field that holds no other: its label, its chips, what is wrong with it.
  const wrapper = (el) => {
    let found = null;
    for (let up = Dom.parent(el), steps = 0; up && steps < WRAPPER_CLIMB; up = Dom.parent(up), steps += 1) {
      if (SECTIONS.has(Dom.tag(up)) || Dom.query(up, FIELDS).length > 1) break;
      if (Context.seen(up, WRAPPER_LENGTH + 1).length > WRAPPER_LENGTH) break;
      found = up;
    }
    return found;
  };

  const named = (el) => Aria.toldName(el);
  const chosen = (owner, role) => {
    if (role === 'radiogroup') {
      const on = [...Dom.query(owner, RADIOS)].filter((el) => Aria.states(el, 'radio').checked);
      return on.map(named).join(', ');
    }
    const value = role === 'listbox' ? Controls.selected(owner).map(named).join(', ') : Aria.value(owner, role);
    if (value || role === 'listbox') return value || '';
    const around = Dom.isField(owner) ? wrapper(owner) : owner;
    return around ? said(around) : '';
  };

  // A list that a combobox opens belongs to it; the list is gone once an option is chosen.
  const opener = (list) => {
    const id = Dom.attr(list, 'id');
    if (!id) return null;
    const quoted = CSS.escape(id);
    return Dom.query(Dom.rootOf(list), `[aria-controls~="${quoted}"],[aria-owns~="${quoted}"]`)[0] || null;
  };
  const owner = (el) => {
    for (let up = el, steps = 0; up && steps <= CLIMB; up = Dom.parent(up), steps += 1) {
      const role = Aria.role(up);
      if (!OWNERS.has(role)) continue;
      const above = role === 'listbox' ? opener(up) : null;
      return above || up;
    }
    return null;
  };
  const row = (el) => {
    for (let up = Dom.parent(el), steps = 0; up && steps < ROW_CLIMB; up = Dom.parent(up), steps += 1) {
      if (ROWS.has(Aria.role(up))) return up;
    }
    return null;
  };

  const look = (el) => {
    Aria.begin();
    try {
      const role = Aria.role(el);
      const field = isField(el, role);
      const control = owner(el);
      const controlRole = control && Aria.role(control);
      const line = row(el);
      const box = field ? wrapper(el) : el;
      return {
        field, control, line, box, name: Aria.seenName(el),
        text: box ? said(box) : '',
        ...(control && { label: named(control), shows: Text.cut(chosen(control, controlRole), LENGTH) }),
        ...(line && { kind: Aria.role(line), key: Context.rowKey(line), words: said(line) }),
      };
    } finally {
      Aria.end();
    }
  };
  const again = (first) => {
    const read = (el, get) => (el && Dom.connected(el) ? get(el) : '');
    Aria.begin();
    try {
      return {
        text: read(first.box, said), words: read(first.line, said),
        shows: read(first.control, (el) => Text.cut(chosen(el, Aria.role(el)), LENGTH)),
      };
    } finally {
      Aria.end();
    }
  };

  let kept = null;
  const before = (el) => { kept = { el, first: look(el) }; };
  const after = (el) => {
    if (!kept || kept.el !== el) return {};
    const { first } = kept;
    kept = null;
    const now = again(first);
    const fold = (string) => Words.fold(string);
    const tells = first.field ? now.text && fold(now.text) !== fold(first.name) : now.text !== first.text;
    const changed = now.shows !== first.shows;
    const native = first.control === el && el instanceof HTMLSelectElement;
    const alone = !first.words || fold(first.words) === fold(first.text) || fold(first.words) === fold(first.name);
    return {
      ...(tells && now.text && { displayText: now.text }),
      ...(first.control && (changed || !native) && {
        ownerControl: { label: first.label, displayTextBefore: first.shows, displayTextAfter: now.shows, changed },
      }),
      ...(first.line && !alone && {
        container: { kind: first.kind, rowKey: first.key, rowText: now.words, changed: now.words !== first.words },
      }),
    };
  };

  // What is at a point, in words; a frame is named by its number, to be looked into.
  const brief = (el) => {
    const text = Context.seen(el, 100);
    let above = Dom.parent(el);
    while (above && Context.seen(above, LENGTH) === text && Dom.parent(above)) above = Dom.parent(above);
    return {
      tag: Dom.tag(el), role: Aria.role(el), text, ancestorText: above ? Context.seen(above, LENGTH) : '',
    };
  };
  const FRAMES = words('iframe frame object embed fencedframe');
  const hit = ({ x, y }) => {
    const el = Dom.hit(x, y);
    const active = Dom.active();
    return {
      hit: el ? brief(el) : null, active: active ? Refs.of(active) : null,
      frame: el && FRAMES.has(Dom.tag(el)) ? Refs.of(el) : null,
    };
  };
  Agent.expose('hit', Pass.over(hit));

  return Object.freeze({ before, after });
})();
