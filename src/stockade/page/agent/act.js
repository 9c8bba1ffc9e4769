// Whether input would reach an element, and where to aim it. Nothing here forces anything.
const Act = (() => {
  const STILL_MS = 100;
  const UNPAINTED = 5;
  const LEAST_STILL_MS = 25;
  const MOVING_MS = 1000;
  const SCROLLS = ['center', 'end', 'start'];
  const EDITABLE_INPUTS = new Set(['text', 'search', 'email', 'tel', 'url', 'password', 'number']);
  const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
  const SETTABLE_INPUTS = new Set(['color', 'date', 'datetime-local', 'month', 'time', 'week']);

  const scrollIntoView = Dom.method(Element.prototype, 'scrollIntoView');
  const inputLabels = Dom.getter(HTMLInputElement.prototype, 'labels');
  const readOnlyInput = Dom.getter(HTMLInputElement.prototype, 'readOnly');
  const readOnlyArea = Dom.getter(HTMLTextAreaElement.prototype, 'readOnly');
  const isContentEditable = Dom.getter(HTMLElement.prototype, 'isContentEditable');
  const focusElement = HTMLElement.prototype.focus;
  const focusSvg = SVGElement.prototype.focus;

  const refuse = (el, reason, message, details = {}) => Agent.fail('not_actionable', message, {
    reason, target: Place.describe(el), ...details,
  });

  const labelOf = (el) => {
    if (!(el instanceof HTMLInputElement)) return null;
    return [...(inputLabels(el) || [])].find((label) => Place.rendered(label)) || null;
  };

  const disabledBy = (el) => {
    if (Dom.matches(el, ':disabled')) return el;
    for (let node = el; node; node = Dom.parent(node)) {
      if (Dom.attr(node, 'aria-disabled') === 'true') return node;
    }
    return null;
  };

  const requireEnabled = (el) => {
    const by = disabledBy(el);
    if (!by) return;
    refuse(el, 'disabled', by === el
      ? `${Place.describe(el)} is disabled`
      : `${Place.describe(el)} is disabled by ${Place.describe(by)} around it`);
  };

  const requireInert = (el) => {
    for (let node = el; node; node = Dom.parent(node)) {
      if (Dom.has(node, 'inert')) refuse(el, 'inert', `${Place.describe(el)} is in a part of the page that is inert`);
    }
  };

  // A style or class that changed just now, or a running animation, may be moving it.
  const mayMove = (el) => {
    const now = performance.now();
    for (let node = el; node; node = Dom.parent(node)) {
      const changed = Observe.lastRestyling(node);
      if (changed && now - changed < STILL_MS) return true;
      if (Animations.run(node)) return true;
    }
    return false;
  };

  const aboutToMove = (el) => {
    for (let node = el; node; node = Dom.parent(node)) if (Animations.start(node)) return true;
    return false;
  };

  const sameBox = (a, b) => Math.abs(a.x - b.x) < 0.5 && Math.abs(a.y - b.y) < 0.5
    && Math.abs(a.width - b.width) < 0.5 && Math.abs(a.height - b.height) < 0.5;

  // An animation that leaves the element where it is (a pulse, a spinner inside) does not count.
  const standStill = async (el, patience) => {
    const end = performance.now() + patience;
    let box = Dom.rect(el);
    let since = document.timeline.currentTime;
    let moment = since;
    let still = 0;
    let idle = 0;
    // Two frames of a busy machine can be a moment apart, in which nothing gets far.
    const stands = () => still >= 2 && moment - since >= LEAST_STILL_MS;
    while (!stands() && idle < UNPAINTED) {
      await Settle.frame();
      if (!Dom.connected(el)) Agent.fail('stale_ref', 'the element was removed while it was moving', {});
      const now = Dom.rect(el);
      // Where nothing was painted nothing could move, as in a tab that does not paint at all.
      idle = document.timeline.currentTime === moment ? idle + 1 : 0;
      moment = document.timeline.currentTime;
      if (!sameBox(box, now) || aboutToMove(el)) [still, since] = [0, moment];
      else if (!idle) still += 1;
      box = now;
      if (!stands() && idle < UNPAINTED && performance.now() > end) refuse(el, 'moving', `${Place.describe(el)} does not stand still`);
    }
  };

  const inWindow = ([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

  // The first point where the hit test ends in the element, or what is in the way.
  const aim = (el) => {
    let cover = null;
    for (const point of Place.points(el)) {
      if (!inWindow(point)) continue;
      const hit = Dom.hit(...point);
      if (hit && Place.reaches(el, hit)) return { point, hit };
      cover = cover || hit;
    }
    return { point: null, cover };
  };

  const centred = (el) => {
    const { left, top, right, bottom } = Dom.rect(el);
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  };

  // Scrolling is tried in several ways: a sticky bar may cover the place the first one ends at.
  const bringAndAim = (el) => {
    let found = aim(el);
    for (const block of SCROLLS) {
      if (found.point) return found;
      const covered = found.cover && centred(el) && block === SCROLLS[0];
      scrollIntoView(el, { block: covered ? 'nearest' : block, inline: block === 'center' ? 'center' : 'nearest', behavior: 'instant' });
      found = aim(el);
    }
    return found;
  };

  const obstructed = (el, cover) => {
    if (!cover) refuse(el, 'off-screen', `${Place.describe(el)} cannot be scrolled into view`);
    refuse(el, 'obscured', `${Place.describe(cover)} is in front of ${Place.describe(el)}`, {
      by: Place.describe(cover),
    });
  };

  // What to click for an element that is itself not to be seen: its label, as a person would.
  const stand = (el) => {
    if (Place.rendered(el)) return el;
    const label = labelOf(el);
    if (label) return label;
    const size = Dom.rect(el);
    const why = Dom.shown(el) ? `has no size (${size.width}×${size.height})` : 'is not visible';
    return refuse(el, 'hidden', `${Place.describe(el)} ${why}`);
  };

  const place = (el, { enabled }) => {
    if (enabled) requireEnabled(el);
    requireInert(el);
    let shownAs = stand(el);
    const part = Place.clickedPart(shownAs);
    let found = bringAndAim(part);
    if (!found.point && part !== shownAs) found = bringAndAim(shownAs);
    const label = labelOf(el);
    if (!found.point && label && label !== shownAs) {
      shownAs = label;
      found = bringAndAim(label);
    }
    if (!found.point) obstructed(shownAs, found.cover);
    return { point: found.point, shownAs, hit: found.hit };
  };

  const state = (el) => {
    const role = Aria.role(el);
    const states = Aria.states(el, role);
    const value = Aria.value(el, role);
    return {
      attached: Dom.connected(el),
      focused: Dom.active() === el,
      ...(value === undefined ? {} : { value }),
      ...(CHECKABLE.has(role) && { checked: false }),
      ...states,
    };
  };

  // The element as it was shown. One that is hidden now has lost its name too, so that is said first.
  const shownTarget = ({ caller, ref }) => {
    const el = Refs.get(ref);
    if (el && Dom.connected(el)) stand(el);
    return Refs.check(caller, ref);
  };

  // A name that a style alone adds to, as many do under the pointer, is still the same name.
  const NAMING = ['aria-label', 'aria-labelledby', 'title', 'alt', 'value'];
  const content = (el) => JSON.stringify([Dom.textContent(el), ...NAMING.map((name) => Dom.attr(el, name))]);
  const unchanged = (el) => {
    const print = Refs.fingerprint(el);
    const held = content(el);
    return () => {
      const now = Refs.fingerprint(el);
      return Refs.same(print, now) || (Refs.same({ ...print, name: now.name }, now) && content(el) === held);
    };
  };

  // Everything a pointer action needs to know, with the guard set: all in one visit, so that
  // nothing of the page runs between the check and the permission.
  const prepare = (args) => Upcoming.awaited(args, () => prepareNow(args));
  const prepareNow = async (args) => {
    const el = shownTarget(args);
    const options = { enabled: args.enabled !== false };
    Observe.flush();
    const first = Place.rendered(el) ? el : stand(el);
    if (mayMove(first)) {
      await standStill(first, MOVING_MS);
      Refs.check(args.caller, args.ref);
    }
    const { point, shownAs, hit } = place(el, options);
    const taker = Place.showsFor(el, hit) ? hit : shownAs;
    if (args.guard !== false) {
      Around.before(el);
      Refs.noteAction(el);
    }
    Settle.arm(el);
    if (args.guard !== false) {
      // The label around a hidden control takes the pointer in its place.
      const nodes = Dom.contains(el, hit) ? [el] : [el, shownAs, hit];
      Guard.allow(nodes, { unchanged: unchanged(el) });
    }
    return {
      x: point[0], y: point[1], width: innerWidth, height: innerHeight,
      target: Place.describe(el), via: taker === el ? null : Place.describe(taker), state: state(el),
    };
  };

  // A point of a child frame, seen from here: is the frame element what is hit there?
  const frameHit = ({ x, y, owner }) => {
    const el = Refs.get(owner);
    if (!el || !Dom.connected(el)) Agent.fail('stale_ref', 'the frame is gone', {});
    const hit = inWindow([x, y]) ? Dom.hit(x, y) : null;
    const size = { width: innerWidth, height: innerHeight, inWindow: inWindow([x, y]) };
    if (hit === el) return { hit: true, ...size };
    return { hit: false, by: hit ? Place.describe(hit) : null, ...size };
  };

  const scrollFrame = ({ owner, x, y }) => {
    const el = Refs.get(owner);
    if (!el || !Dom.connected(el)) Agent.fail('stale_ref', 'the frame is gone', {});
    if (!inWindow([x, y])) {
      scrollIntoView(el, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
      scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
    }
  };

  const focus = (el) => {
    if (Dom.active() === el) return;
    (el instanceof SVGElement ? focusSvg : focusElement).call(el, { preventScroll: false });
  };

  // A paragraph of an editor is edited through the editor, which has the focus.
  const editingHost = (el) => {
    let host = el;
    if (!(el instanceof HTMLElement) || !isContentEditable(el)) return el;
    for (let up = Dom.parent(el); up instanceof HTMLElement && isContentEditable(up); up = Dom.parent(up)) host = up;
    return host;
  };

  // Gives an element the focus for the keys that follow. A page may pass the focus on; keys go there
  // then, as a person's would. `takes` says whether what has it now will do.
  const focusFor = (el, takes = () => true) => {
    const taken = [];
    const note = (event) => taken.push(event);
    addEventListener('focus', note, { capture: true });
    const host = editingHost(el);
    try {
      focus(host);
    } finally {
      removeEventListener('focus', note, { capture: true });
    }
    const active = Dom.active();
    if (active && Dom.connected(host) && Dom.contains(host, active)) return active;
    const target = Place.describe(el);
    if (!taken.length) refuse(el, 'not-focusable', `${target} does not take the focus`);
    if (!active || active === document.body || !takes(active)) {
      refuse(el, 'focus-lost', `${target} took the focus and did not keep it; no key was sent`, { touched: true });
    }
    return active;
  };

  const editableKind = (el) => {
    if (el instanceof HTMLInputElement) {
      if (EDITABLE_INPUTS.has(Dom.type(el))) return 'text';
      return SETTABLE_INPUTS.has(Dom.type(el)) ? 'set' : null;
    }
    if (el instanceof HTMLTextAreaElement) return 'text';
    return el instanceof HTMLElement && isContentEditable(el) ? 'rich' : null;
  };

  const requireEditable = (el) => {
    const kind = editableKind(el);
    if (!kind) {
      refuse(el, 'not-editable', `${Place.describe(el)} does not take text`, {
        kind: Dom.type(el) || Dom.tag(el),
      });
    }
    const fixed = (el instanceof HTMLInputElement && readOnlyInput(el))
      || (el instanceof HTMLTextAreaElement && readOnlyArea(el))
      || (kind === 'rich' && Dom.attr(el, 'aria-readonly') === 'true');
    if (fixed) refuse(el, 'read-only', `${Place.describe(el)} is read-only`);
    return kind;
  };

  const visibleForKeys = (el) => {
    if (!Place.rendered(el)) refuse(el, 'hidden', `${Place.describe(el)} is not visible`);
    requireInert(el);
  };

  const focusableForKeys = (el) => {
    if (!Dom.shown(el)) refuse(el, 'hidden', `${Place.describe(el)} is not visible`);
    requireInert(el);
  };

  // Whether it shows its text itself. The input that an editor hides behind its lines does not, and the
  // editor alone knows where its cursor is.
  const CLEAR = /^(?:transparent|rgba\(.*, 0\))$/;
  const showsText = (el) => {
    const { width, height } = Dom.rect(el);
    return width >= 4 && height >= 4 && !CLEAR.test(Dom.style(el).color);
  };

  // As the End key would, but without a key that the page could hear; not all kinds of field let their
  // selection be set.
  const modifySelection = Dom.method(Selection.prototype, 'modify');
  const caretToEnd = (el) => {
    const kind = editableKind(el);
    if (kind === 'text') modifySelection(getSelection(), 'move', 'forward', 'documentboundary');
    if (kind !== 'rich') return;
    const range = document.createRange();
    range.selectNodeContents(el);
    range.collapse(false);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  // Keys go to what has the focus; the guard lets them through to that alone.
  const prepareKeys = (args) => Upcoming.awaited(args, () => prepareKeysNow(args));
  const prepareKeysNow = (args) => {
    const el = Refs.get(args.ref);
    // An editor's own input may have no size, or be out of view: the keys still reach it.
    if (el && Dom.connected(el)) focusableForKeys(el);
    Refs.check(args.caller, args.ref);
    requireEnabled(el);
    const search = isSearch(el);
    Refs.noteAction(el);
    Around.before(el);
    Settle.arm(el, { search });
    const before = { target: Place.describe(el), state: state(el), search };
    const concealed = args.secret && Opaque.requirePlace(el, args.secret);
    const active = focusFor(el);
    if (concealed && active !== el) refuse(el, 'focus-lost', `${before.target} does not keep the focus; no key was sent`);
    if (!concealed) Opaque.requireKeys(active, args.leaving);
    const within = Dom.contains(active, el) && active !== el;
    if (within || (args.atEnd && showsText(active))) caretToEnd(within ? el : active);
    // What the page did to the element when it took the focus is the page's answer to that.
    Guard.allow([el, active], { strict: args.follow === false, copiedIn: args.copiedIn, unchanged: unchanged(el) });
    if (concealed) Opaque.receive(el, args.secret, args.text);
    return { ...before, via: within || Dom.contains(el, active) ? null : Place.describe(active) };
  };

  // A field that looks things up: many say so in the names that scripts know them by alone.
  const LOOKS_UP = /auto-?complete|type-?ahead|suggest|look-?up|search|\btt-input/i;
  const isSearch = (el) => Dom.type(el) === 'search' || Dom.has(el, 'aria-autocomplete') || Dom.has(el, 'list')
    || ['combobox', 'searchbox'].includes(Aria.role(el))
    || ['class', 'id', 'name', 'placeholder'].some((name) => LOOKS_UP.test(Dom.attr(el, name) || ''));

  Agent.expose('prepare', prepare);
  Agent.expose('prepare_keys', prepareKeys);
  // What check and uncheck need to know before they click.
  const checkable = ({ caller, ref }) => {
    const el = Refs.check(caller, ref);
    const role = Aria.role(el);
    if (!CHECKABLE.has(role)) refuse(el, 'not-checkable', `${Place.describe(el)} has no check`);
    return { ...state(el), target: Place.describe(el), kind: role, checked: Aria.states(el, role).checked || false };
  };

  Agent.expose('checkable', checkable);
  Agent.expose('frame_hit', frameHit);
  Agent.expose('scroll_frame', scrollFrame);
  // The action is over: what changes from now on is the page's own doing.
  Agent.expose('finish', ({ ref }) => {
    Settle.end();
    Opaque.received();
    const el = ref && Refs.get(ref);
    return el ? { ...state(el), ...Around.after(el) } : { attached: false };
  });

  return Object.freeze({ shownTarget, prepare, place, state, focus, focusFor, editableKind, refuse, requireEnabled, requireEditable, visibleForKeys, isSearch });
})();
