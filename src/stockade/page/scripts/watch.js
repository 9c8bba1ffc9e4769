// Regions that come and go while somebody watches: toasts, dialogs, messages, menus. Changes of
// the document are looked into as they happen, so that what lasts for a moment is seen too.
(args) => {
  const { Agent, Dom, Text, Aria, Refs, Place, Observe, Context, Selector } = globalThis.stockade.modules;
  const ROLES = ('dialog alertdialog alert status banner tooltip log marquee timer menu menubar listbox complementary '
    + 'tablist toolbar').split(' ');
  const REGIONS = new Set(ROLES);
  const MOST_REGIONS = 200;
  const MOST_LOOKED = 1000;
  const MOST_DIRTY = 100;
  const watches = globalThis.stockadeWatches || (globalThis.stockadeWatches = new Map());
  const CANDIDATES = ['dialog,[popover],[aria-live],output,header,aside', ...ROLES.map((role) => `[role~=${role}]`)]
    .join(',');

  const begin = () => {
    const start = performance.now();
    const at = { open: new Map(), rows: [], samples: 0, ended: false, wake: null, off: null };
    watches.set(args.key, at);
    const known = new WeakMap();
    const now = () => Math.round((performance.now() - start) * 10) / 10;
    const kind = (el) => {
      const role = Aria.role(el);
      if (REGIONS.has(role)) return role;
      if (Dom.has(el, 'popover')) return 'popover';
      const live = Dom.attr(el, 'aria-live');
      return live && live !== 'off' ? (live === 'assertive' ? 'alert' : 'status') : '';
    };
    // An empty live region is waiting to say something: it appears when it does.
    const said = (el) => Aria.toldName(el, 120) || Context.seen(el, 120);
    const there = (el) => Dom.connected(el) && Place.rendered(el) && Dom.opaque(el);
    const look = (el) => {
      const role = kind(el);
      if (!role && !known.has(el)) return;
      const row = known.get(el);
      const text = there(el) ? said(el) : '';
      const shows = there(el) && Boolean(text || Dom.query(el, '*').length);
      if (row && row.disappearedAtMs === null) {
        if (!shows || row.role !== role) {
          row.disappearedAtMs = now();
          at.open.delete(el);
        } else if (text && row.name !== text && row.changeable) {
          row.disappearedAtMs = now();
          at.open.delete(el);
        } else return;
      }
      if (!shows || !role || at.rows.length >= MOST_REGIONS) return;
      Refs.show(args.caller, el);
      const fresh = {
        role, name: text, ref: Refs.text(Refs.of(el), args.prefix), appearedAtMs: now(), disappearedAtMs: null,
        // What a message says is what it is; a dialog stays the same one.
        changeable: role === 'alert' || role === 'status',
      };
      known.set(el, fresh);
      at.open.set(el, fresh);
      at.rows.push(fresh);
    };
    const pass = (work) => {
      Aria.begin();
      try {
        work();
      } finally {
        Aria.end();
      }
    };
    const all = () => pass(() => {
      at.samples += 1;
      for (const root of Selector.roots(document)) Observe.watchRoot(root);
      for (const el of [...at.open.keys()]) look(el);
      for (const el of Selector.css(document, CANDIDATES).slice(0, MOST_LOOKED)) look(el);
    });
    // One look for all that changed together, before the page is drawn again.
    const dirty = new Set();
    const lookAtDirty = () => {
      const elements = [...dirty];
      dirty.clear();
      if (at.ended) return;
      if (elements.length > MOST_DIRTY) all();
      else pass(() => {
        at.samples += 1;
        const near = new Set(at.open.keys());
        for (const element of elements) {
          for (let up = element, steps = 0; up && steps < 8; up = Dom.parent(up), steps += 1) near.add(up);
          for (const el of Selector.css(element, CANDIDATES).slice(0, MOST_LOOKED)) near.add(el);
        }
        for (const el of near) look(el);
      });
    };
    const changed = ({ element }) => {
      if (!Dom.isElement(element)) return;
      if (!dirty.size) queueMicrotask(lookAtDirty);
      dirty.add(element);
    };
    // Also what no mutation tells of: a style sheet, an animation, a shadow root.
    const timer = setInterval(all, args.sampleMs);
    const off = Observe.subscribe(changed);
    const leaving = () => { at.ended = true; tell(); };
    const tell = () => { if (at.wake) at.wake(); };
    addEventListener('pagehide', leaving, true);
    addEventListener('beforeunload', tell, true);
    at.off = () => {
      clearInterval(timer);
      off();
      removeEventListener('pagehide', leaving, true);
      removeEventListener('beforeunload', tell, true);
    };
    all();
    return { began: true };
  };

  const report = (at) => {
    Observe.flush();
    return {
      rows: at.rows.map(({ changeable, ...row }) => row), samples: at.samples, ended: at.ended,
    };
  };
  const fetch = () => {
    const at = watches.get(args.key);
    if (!at) return { rows: [], samples: 0, ended: true };
    if (at.ended) return report(at);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        at.wake = null;
        resolve(report(at));
      };
      const timer = setTimeout(done, args.cap);
      at.wake = done;
    });
  };
  const end = () => {
    const at = watches.get(args.key);
    if (!at) return { rows: [], samples: 0, ended: true };
    const last = report(at);
    at.off();
    watches.delete(args.key);
    return last;
  };

  const steps = { begin, fetch, end };
  return steps[args.step] ? steps[args.step]() : Agent.fail('invalid_argument', 'no such step');
}
