// What the document is about to become: whether something in it is under way, and when that next changes.
const Upcoming = (() => {
  // How long after a change, and after an action of ours, a page is believed to go on by itself: it
  // may wait for a timer, of which nothing tells.
  const AFTER_CHANGE_MS = 500;
  const AFTER_ACTION_MS = 2000;
  // For what is nowhere in the page yet it is less: more often it is called by a wrong name.
  const MISSING_AFTER_ACTION_MS = 750;
  // Some pages change all the time, and animate one thing after the other.
  const CHANGES_MS = 5000;
  const ANIMATIONS_MS = 10000;
  const PASSING = new Set(['disabled', 'hidden', 'inert', 'moving', 'obscured', 'off-screen', 'read-only']);

  let lastChange = -Infinity;
  Observe.subscribe(({ element, now }) => {
    if (!Settle.isRestless(element, now)) lastChange = now;
  });

  // Until when something is to be expected, as far as is known now.
  const expectedUntil = (began, missing = false) => {
    const now = performance.now();
    if (document.readyState !== 'complete' || (now < began + ANIMATIONS_MS && Animations.ending().length)) {
      // What it ends in comes a moment later.
      lastChange = now;
      return Infinity;
    }
    const changing = lastChange + AFTER_CHANGE_MS;
    const acting = Settle.lastAction() + (missing ? MISSING_AFTER_ACTION_MS : AFTER_ACTION_MS);
    const until = Math.max(acting, changing < began + CHANGES_MS ? changing : 0);
    return until > now ? until : 0;
  };

  // The next change, or a frame of what moves without one.
  const change = (until) => new Promise((resolve) => {
    let timer = null;
    const animations = Animations.ending().length > 0;
    const done = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const unsubscribe = Observe.subscribe(done);
    timer = setTimeout(done, Math.min(Math.max(until - performance.now(), 0), animations ? 50 : 250));
  });

  // Whether something changed or may still do so; false once there is nothing to wait for.
  const next = async (began, limit, grace = 0, missing = false) => {
    Observe.flush();
    const until = Math.min(Math.max(expectedUntil(began, missing), began + grace), limit);
    if (until <= performance.now()) return false;
    await change(until);
    await Settle.frame();
    return true;
  };

  // Tries until it works or there is nothing to wait for; what is refused for good is refused at once.
  const awaited = async ({ patience = 0, grace = 0 }, attempt) => {
    const began = performance.now();
    for (;;) {
      try {
        return await attempt();
      } catch (failure) {
        const passes = failure.code === 'not_found'
          || (failure.code === 'not_actionable' && PASSING.has(failure.details.reason));
        if (passes && await next(began, began + patience, grace)) continue;
        if (passes) failure.details.passing = true;
        throw failure;
      }
    }
  };

  Agent.expose('upcoming', async ({ waited, patience, grace, missing }) => {
    const now = performance.now();
    return { moved: await next(now - waited, now + patience, waited + grace, missing) };
  });

  return Object.freeze({ awaited, expectedUntil });
})();
