// A clock in the page's own world that can stand still: dates, timers and animation frames agree.
// Once there it stays, and lets everything through while time runs. It is reached through
// `performance.now` with a token that the page does not know. Workers (whose timers are not there yet
// when scripts can first be put into them), CSS animations,
// `AbortSignal.timeout` and `scheduler.postTask` go by real time.
({ token, date }) => {
  const known = performance.now(token);
  if (typeof known === 'object') {
    known.freeze(date);
    return;
  }
  const FRAME_MS = 1000 / 60;
  const FIRST_ID = 1_000_001;
  const native = {
    now: performance.now.bind(performance),
    date: Date.now,
    Date,
    Channel: MessageChannel,
    reportError: reportError.bind(globalThis),
    setTimeout: setTimeout.bind(globalThis),
    clearTimeout: clearTimeout.bind(globalThis),
    requestAnimationFrame: requestAnimationFrame.bind(globalThis),
    cancelAnimationFrame: cancelAnimationFrame.bind(globalThis),
  };
  const timers = new Map();
  const at = { frozen: false, date: 0, perf: 0, offset: 0, id: FIRST_ID, order: 0 };
  // An id above 1 means that the page has set timers which are not ours to hold.
  const probe = native.setTimeout(() => {}, 0);
  native.clearTimeout(probe);
  const earlier = probe > 1;

  const perf = () => (at.frozen ? at.perf : native.now() + at.offset);
  const today = () => (at.frozen ? Math.floor(at.date) : native.date());

  // --- timers ---

  const call = (timer, ...given) => {
    try {
      if (typeof timer.run === 'function') Reflect.apply(timer.run, globalThis, given);
      else (0, eval)(String(timer.run));
    } catch (error) {
      native.reportError(error);
    }
  };
  const fire = (timer, moment) => {
    if (timer.every === null) timers.delete(timer.id);
    else timer.due += timer.every;
    if (timer.kind === 'frame') call(timer, moment);
    else if (timer.kind === 'idle') call(timer, { didTimeout: false, timeRemaining: () => 50 });
    else call(timer, ...timer.given);
    if (!at.frozen && timers.get(timer.id) === timer) start(timer);
  };
  const start = (timer) => {
    if (timer.kind === 'frame') timer.handle = native.requestAnimationFrame((moment) => fire(timer, moment + at.offset));
    else timer.handle = native.setTimeout(() => fire(timer), Math.max(0, timer.due - perf()));
  };
  const stop = (timer) => {
    if (timer.handle === null) return;
    if (timer.kind === 'frame') native.cancelAnimationFrame(timer.handle);
    else native.clearTimeout(timer.handle);
    timer.handle = null;
  };
  const set = (kind, run, delay, every, given) => {
    const timer = { id: at.id, kind, run, given, every, due: perf() + delay, order: at.order, handle: null };
    at.id += 1;
    at.order += 1;
    timers.set(timer.id, timer);
    if (!at.frozen) start(timer);
    return timer.id;
  };
  const clear = (id) => {
    const timer = timers.get(Number(id));
    if (timer === undefined) return false;
    stop(timer);
    timers.delete(timer.id);
    return true;
  };
  // A frame that is due in no time at all would be due for ever.
  const untilFrame = (now) => (Math.floor(now / FRAME_MS + 0.001) + 1) * FRAME_MS - now;
  const delay = (value) => Math.max(1, Number(value) || 0);

  // --- what the page calls ---

  // A proxy keeps name, length and source of what it stands for.
  const replace = (owner, name, apply) => {
    const original = owner?.[name];
    if (typeof original === 'function') owner[name] = new Proxy(original, { apply });
  };
  const clearing = (target, self, given) => (clear(given[0]) ? undefined : Reflect.apply(target, self, given));
  replace(globalThis, 'setTimeout', (target, self, [run, wait, ...given]) => set('timeout', run, delay(wait), null, given));
  replace(globalThis, 'setInterval', (target, self, [run, wait, ...given]) => set('interval', run, delay(wait), delay(wait), given));
  replace(globalThis, 'requestAnimationFrame', (target, self, [run]) => set('frame', run, untilFrame(perf()), null, []));
  replace(globalThis, 'requestIdleCallback', (target, self, [run]) => set('idle', run, 1, null, []));
  for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback']) {
    replace(globalThis, name, clearing);
  }
  replace(Performance.prototype, 'now', (target, self, given) => (given[0] === token ? control : perf()));

  const Today = new Proxy(native.Date, {
    apply: () => new native.Date(today()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length ? given : [today()], made),
  });
  replace(native.Date, 'now', today);
  native.Date.prototype.constructor = Today;
  globalThis.Date = Today;

  const formats = new WeakMap();
  const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    configurable: true,
    get: new Proxy(get, {
      apply: (target, self) => {
        const format = Reflect.apply(target, self, []);
        if (!formats.has(format)) {
          formats.set(format, new Proxy(format, { apply: (to, it, [moment = today()]) => to(moment) }));
        }
        return formats.get(format);
      },
    }),
  });
  replace(Intl.DateTimeFormat.prototype, 'formatToParts', (target, self, [moment = today()]) => Reflect.apply(target, self, [moment]));

  const { Temporal } = globalThis;
  if (Temporal?.Now) {
    const instant = () => Temporal.Instant.fromEpochMilliseconds(today());
    const zoned = (zone) => instant().toZonedDateTimeISO(zone ?? Temporal.Now.timeZoneId());
    replace(Temporal.Now, 'instant', instant);
    replace(Temporal.Now, 'zonedDateTimeISO', (target, self, [zone]) => zoned(zone));
    replace(Temporal.Now, 'plainDateTimeISO', (target, self, [zone]) => zoned(zone).toPlainDateTime());
    replace(Temporal.Now, 'plainDateISO', (target, self, [zone]) => zoned(zone).toPlainDate());
    replace(Temporal.Now, 'plainTimeISO', (target, self, [zone]) => zoned(zone).toPlainTime());
  }

  // --- what we call ---

  const move = (to) => {
    at.date += to - at.perf;
    at.perf = to;
  };
  const next = (end) => {
    let best = null;
    for (const timer of timers.values()) {
      if (timer.due <= end && (best === null || timer.due < best.due || (timer.due === best.due && timer.order < best.order))) best = timer;
    }
    return best;
  };
  // Promises and messages get their turn between two timers.
  const turn = () => new Promise((resolve) => {
    const channel = new native.Channel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
  const control = {
    freeze(moment) {
      if (!at.frozen) {
        at.perf = perf();
        at.frozen = true;
        timers.forEach(stop);
      }
      at.date = moment;
    },
    async advance({ by, patience }) {
      const end = at.perf + by;
      const until = native.now() + patience;
      let fired = 0;
      let timer = next(end);
      while (timer !== null && at.frozen && native.now() < until) {
        move(Math.max(timer.due, at.perf));
        fire(timer, at.perf);
        fired += 1;
        await turn();
        timer = next(end);
      }
      if (at.frozen) move(Math.max(end, at.perf));
      return { fired, late: timer !== null, earlier };
    },
    release() {
      at.offset = Math.max(at.offset, at.perf - native.now());
      at.frozen = false;
      for (const timer of [...timers.values()].sort((a, b) => a.due - b.due || a.order - b.order)) start(timer);
    },
    state: () => ({ earlier }),
  };
  control.freeze(date);
};
