// When an action's effect is there: frames without change, and nothing that says it is busy.
const Settle = (() => {
  const RESTLESS_TIMES = 3;
  const RESTLESS_WITHIN_MS = 3500;
  const RESTLESS_LAST_MS = 1100;
  const DISTINCT_MS = 15;
  const LEAST_STILL_MS = 26;
  const FRAME_FALLBACK_MS = 100;
  const LONGEST_FRAMES_MS = 500;
  const ANIMATING_AFTER = 4;
  const BUSY = '[aria-busy="true"], progress, [role="progressbar"]';
  // What shows how far something is may stand on a page for ever; what cannot say is on its way.
  const UNFINISHED = '[aria-busy="true"], progress:not([value]), [role="progressbar"]:not([aria-valuenow])';

  // A window begins before the input. In the frame of the target it lasts until it is ended; in
  // others, which only look on, until nobody has asked about it for a while.
  let view = null;
  let lastAction = -Infinity;
  const UNASKED_MS = 250;

  // The last times an element changed by itself: not within a window, or as noise in one. Once is
  // nothing, a page being built does that; what keeps changing is a clock, a ticker, an animation.
  const spontaneous = new WeakMap();
  const noteSpontaneous = ({ element, now }) => {
    const times = spontaneous.get(element) || [];
    if (times.length && now - times[times.length - 1] < DISTINCT_MS) return;
    times.push(now);
    if (times.length > RESTLESS_TIMES) times.shift();
    spontaneous.set(element, times);
  };
  const isRestless = (element, start) => {
    const times = spontaneous.get(element);
    return times !== undefined && times.length === RESTLESS_TIMES
      && times[0] > start - RESTLESS_WITHIN_MS && times[times.length - 1] > start - RESTLESS_LAST_MS;
  };

  const busyMarks = (selector = BUSY) => new Set([...Dom.query(document, selector)].filter((el) => Dom.shown(el)));

  // A list of suggestions says that it is on its way in a line of its own, in whatever language.
  const LINES = '[role="option"][aria-disabled="true"], [role="status"], [role="alert"], [aria-live]';
  const UNENDED = /^.{1,60}(?:…|\.\.\.)$/;
  const searches = () => new Set([...Dom.query(document, LINES)]
    .filter((el) => Dom.shown(el) && UNENDED.test(Dom.textContent(el).trim())));

  const isDisabled = (el) => Dom.matches(el, ':disabled') || Dom.attr(el, 'aria-disabled') === 'true';

  // An element restyled on frame after frame is an animation, not an effect in progress.
  const noteRestyling = (at, { element, now }) => {
    const turns = at.restyled.get(element) || { count: 0, last: 0 };
    if (now - turns.last > DISTINCT_MS / 2) turns.count += 1;
    turns.last = now;
    at.restyled.set(element, turns);
    return turns.count;
  };
  const isNoise = (at, change) => {
    const restyled = change.kind === 'attributes' ? noteRestyling(at, change) : 0;
    return restyled > ANIMATING_AFTER || isRestless(change.element, at.start);
  };

  // What the input does to its own target is no effect yet: it takes the focus, and a search field
  // that holds new text has still to answer.
  const isOwn = (at, { element, kind }) => {
    if (kind === 'focusout') return true;
    if (!at.target) return false;
    if (kind === 'focusin') return Dom.contains(at.target, element) || Dom.contains(element, at.target);
    return at.search && element === at.target && (kind === 'input' || kind === 'change');
  };

  const open = (now) => view && (view.held || now - view.asked < UNASKED_MS);

  Observe.subscribe((change) => {
    if (!open(change.now) || isNoise(view, change)) {
      noteSpontaneous(change);
      return;
    }
    if (isOwn(view, change)) return;
    view.changes += 1;
    view.last = change.now;
    if (view.wake) view.wake();
  });

  const arm = (target, { held = true, search = false, fresh = false } = {}) => {
    Observe.flush();
    const start = performance.now();
    if (target) lastAction = start;
    view = {
      start,
      asked: start,
      last: start,
      held,
      search,
      restyled: new Map(),
      changes: 0,
      fresh,
      busy: fresh ? new Set() : busyMarks(),
      searches: search ? searches() : new Set(),
      closing: Closing.watch(),
      target,
      disabled: Boolean(target) && isDisabled(target),
      wake: null,
    };
  };

  const end = () => {
    Observe.flush();
    if (!view) return;
    view.held = false;
    view.restyled.clear();
  };

  const busy = (at) => {
    const marks = [];
    for (const el of busyMarks(at.fresh ? UNFINISHED : BUSY)) if (!at.busy.has(el)) marks.push(Dom.attr(el, 'aria-busy') === 'true' ? 'aria-busy' : 'progressbar');
    if (at.search) for (const el of searches()) if (!at.searches.has(el)) marks.push('search');
    if (at.target && !at.disabled && Dom.connected(at.target) && isDisabled(at.target)) marks.push('disabled control');
    if (document.readyState === 'loading') marks.push('loading document');
    return marks;
  };

  // One painted frame and everything it queued, or a short while in a tab that does not paint.
  const frame = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_FALLBACK_MS);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        clearTimeout(timer);
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
  });

  const twoFrames = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_FRAMES_MS);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    }));
  });

  // Two frames can pass in little more than one; what a handler does a moment later counts too.
  const least = (at) => {
    const left = LEAST_STILL_MS - (performance.now() - at.last);
    return left > 0 ? new Promise((resolve) => { setTimeout(resolve, left); }) : null;
  };

  // A document without a script that is all there will not change by itself.
  const inert = () => document.readyState === 'complete' && !Dom.query(document, 'script').length;

  const report = (at, extra) => ({
    changes: at.changes,
    busy: [...busy(at), ...(at.closing.lasts() ? ['closing animation'] : [])],
    ...extra,
  });

  // Two frames in a row without change; then until nothing new says it is busy.
  const quiet = async ({ cap }) => {
    if (!view) {
      arm(null, { held: false, fresh: true });
      if (inert()) return report(view, { quiet: true });
    }
    const at = view;
    const limit = performance.now() + cap;
    let still = 0;
    let closed = false;
    while (performance.now() < limit) {
      const before = at.changes;
      await frame();
      at.asked = performance.now();
      if (view !== at) return report(at, { quiet: false });
      still = at.changes === before ? still + 1 : 0;
      if (still < 2) continue;
      await least(at);
      if (at.changes !== before || ((at.changes || at.fresh) && busy(at).length)) continue;
      if (at.closing.pending(at.restyled)) {
        closed = true;
      } else if (closed) {
        // What the page does at the end of an animation comes with the next frames.
        await twoFrames();
        closed = false;
        still = 0;
      } else {
        return report(at, { quiet: true });
      }
    }
    return report(at, { quiet: false });
  };

  // The first change after the input, if one comes in time.
  const evidence = ({ cap }) => {
    const at = view;
    if (!at || at.changes || busy(at).length) return Promise.resolve({ changes: at ? at.changes : 0 });
    return new Promise((resolve) => {
      at.asked = performance.now() + cap;
      const done = () => {
        clearTimeout(timer);
        at.asked = performance.now();
        at.wake = null;
        resolve({ changes: at.changes });
      };
      const timer = setTimeout(done, cap);
      at.wake = done;
    });
  };

  // Whether a document shows anything, and whether it may yet change without input.
  const SHOWS = 'input, textarea, select, button, img, canvas, video, audio';
  const createWalker = Dom.method(Document.prototype, 'createTreeWalker');
  const nextNode = Dom.method(TreeWalker.prototype, 'nextNode');
  const shows = (el) => Visibility.visible(el) && !Visibility.concealment(el);
  const hasContent = () => {
    if ([...Dom.query(document, SHOWS)].some(shows)) return true;
    const walker = createWalker(document, document, NodeFilter.SHOW_TEXT);
    for (let node = nextNode(walker); node; node = nextNode(walker)) {
      const above = Dom.nodeParent(node);
      if (/\S/.test(Dom.text(node)) && above && shows(above)) return true;
    }
    return [...Dom.query(document, ':defined')].some((el) => Dom.shadow(el) && shows(el));
  };
  const documentState = () => ({
    content: hasContent(),
    builds: Dom.query(document, 'script, iframe, frame, object, embed').length > 0,
  });
  const firstContent = async ({ cap }) => {
    const limit = performance.now() + cap;
    while (!hasContent() && performance.now() < limit) {
      await new Promise((resolve) => {
        const stop = Observe.subscribe(() => finish());
        const timer = setTimeout(() => finish(), limit - performance.now());
        const finish = () => {
          clearTimeout(timer);
          stop();
          resolve();
        };
      });
    }
    return { content: hasContent() };
  };

  Agent.expose('document_state', documentState);
  Agent.expose('first_content', firstContent);
  Agent.expose('arm', () => arm(null, { held: false }));
  Agent.expose('quiet', quiet);
  Agent.expose('painted', async () => {
    await frame();
    await frame();
  });
  Agent.expose('evidence', evidence);

  return Object.freeze({ arm, end, frame, isRestless, lastAction: () => lastAction });
})();
