// One iterative pass over the flat tree, from elements to an outline of entries. What lies far
// from the viewport, or is one more of many alike, is left as a range that may be walked later.
const Walk = (() => {
  const SHOWN = { visibilityProperty: true };
  const words = (string) => new Set(string.split(' '));
  const SKIP = words('script style noscript template head meta link title base param source track datalist colgroup '
    + 'defs metadata desc clippath mask symbol');
  const INLINE = words('a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rt rp s samp '
    + 'slot small span strike strong sub sup time tt u var wbr tspan');
  const WORDS = words('b cite code em i kbd q s samp small span strong sub sup tt u var');
  const FOLDABLE = words('li tr option article dl div section a button tbody td');
  // What these hold may end up on one line, so it is walked as a whole.
  const WHOLE = words('item row cell control heading clickable');
  const KEPT_ALIKE = 8;
  const KEPT_OPTIONS = 10;
  const COUNTED_ALIKE = 200;
  const FAR_IN_A_ROW = 64;

  const classOf = (el) => Dom.attr(el, 'class') || '';
  const firstElement = Dom.getter(Element.prototype, 'firstElementChild');
  const nextElement = Dom.getter(Element.prototype, 'nextElementSibling');
  const elementCount = Dom.getter(Element.prototype, 'childElementCount');
  const INK = /\S/;

  let pass = null;
  const add = (kind, el, context, more) => Entries.add(pass, kind, el, context, more);
  const flush = () => Entries.flush(pass);

  // Frames: the cursor among the children of one element.

  const pierces = (root) => {
    const { pierce = 'closed' } = pass.options;
    return pierce === 'closed' || (pierce === 'open' && root.mode === 'open');
  };

  const frameOf = (el, tag, context, shown, outer) => {
    const inline = tag ? INLINE.has(tag) || (!INLINE.has(tag) && tag.includes('-') && !Entries.breaks(el)) : false;
    const frame = {
      el, context, shown, inline, block: inline && outer ? outer.block : el,
      node: null, stop: null, list: null, at: 0, end: 0,
      signature: '', alike: 0, passed: 0, far: 0, range: null, unfold: context.entry === pass.scopeEntry,
      closed: tag === 'details' && !Dom.has(el, 'open'), cause: 'full', prio: Near.REST,
      wordless: pass.interactive && !context.rowish,
    };
    const root = Dom.shadow(el);
    if (root && pierces(root)) {
      Observe.watchRoot(root);
      frame.wordless = false;
      frame.node = Dom.firstChild(root);
      return frame;
    }
    if (tag === 'slot') {
      const taken = Dom.assigned(el);
      if (taken.length) {
        frame.list = taken;
        frame.end = taken.length;
        return frame;
      }
    }
    frame.node = frame.wordless ? firstElement(el) : Dom.firstChild(el);
    return frame;
  };
  const step = (frame) => {
    if (frame.list) return frame.at < frame.end ? frame.list[frame.at++] : null;
    const { node } = frame;
    if (!node || node === frame.stop) return null;
    frame.node = frame.wordless ? nextElement(node) : Dom.nextSibling(node);
    return node;
  };
  const push = (frame) => {
    if (frame.inline) pass.edges.push(frame.el);
    else flush();
    pass.stack.push(frame);
  };
  const leave = (frame) => {
    if (frame.inline) pass.edges.push(frame.el);
    else flush();
  };

  // Ranges: what is not walked now.

  const defer = (frame, node, cause, prio) => {
    const { range } = frame;
    if (range && range.cause === cause && range.prio === prio) {
      range.stop = frame.node;
      range.to = frame.at;
      range.count += 1;
      return range;
    }
    const entry = add('range', frame.el, frame.context, {
      cause, count: 1, first: node, stop: frame.node, list: frame.list, from: frame.at - 1, to: frame.at,
      context: frame.context, shown: frame.shown, block: frame.block, inline: frame.inline, passed: frame.passed,
      what: Dom.isElement(node) ? Aria.role(node) || Dom.tag(node) : '',
    });
    entry.prio = prio;
    frame.range = entry;
    return entry;
  };
  const deferRest = (frame, node, cause, prio) => {
    const range = defer(frame, node, cause, prio);
    range.stop = frame.stop;
    range.to = frame.end;
    if (frame.list) range.count = frame.end - range.from;
    else if (!frame.stop) range.count = Math.max(range.count, elementCount(frame.el) - frame.passed + range.count);
    range.vague = true;
    frame.list = null;
    frame.node = null;
    return range;
  };

  const folds = (el, tag, frame) => {
    if (frame.unfold || pass.options.unfold || !FOLDABLE.has(tag)) return false;
    const signature = `${tag} ${classOf(el)}`;
    if (signature !== frame.signature) {
      frame.signature = signature;
      frame.alike = 0;
    }
    frame.alike += 1;
    return frame.alike > (tag === 'option' ? KEPT_OPTIONS : KEPT_ALIKE) && !pass.heat.path.has(el);
  };

  // True when the element was put off.
  const postponed = (el, tag, frame) => {
    const { context } = frame;
    frame.passed += 1;
    frame.zone = 'mixed';
    if (WHOLE.has(context.entry.kind) && tag !== 'option') return false;
    const fold = folds(el, tag, frame);
    const onPath = pass.heat.path.has(el);
    let zone = 'in';
    if (context.zone === 'mixed' && !INLINE.has(tag)) {
      if (frame.far > FAR_IN_A_ROW) {
        if (!pass.heat.path.has(frame.el)) {
          deferRest(frame, el, fold ? 'fold' : 'far', fold ? Near.FOLD : Near.REST);
          return true;
        }
        zone = onPath ? 'mixed' : 'far';
      } else {
        zone = Near.zone(el, pass.area);
      }
      frame.far = zone === 'far' ? frame.far + 1 : 0;
      if (zone === 'above') zone = 'far';
    }
    frame.zone = zone === 'far' ? 'mixed' : zone;
    if (onPath) return false;
    if (fold) {
      const prio = tag === 'option' ? Infinity : zone === 'far' ? Near.FOLD : Math.max(context.prio, Near.ASIDE) + 0.5;
      if (frame.alike > COUNTED_ALIKE && !pass.heat.path.has(frame.el)) deferRest(frame, el, 'fold', prio);
      else defer(frame, el, 'fold', prio);
      return true;
    }
    if (zone !== 'far') return false;
    defer(frame, el, 'far', Near.REST);
    return true;
  };

  // What is not rendered: counted, or told on request.

  const prune = (el, tag, frame) => {
    Entries.unseen(pass, el);
    if (pass.options.hidden) {
      push(frameOf(el, tag, { ...frame.context, veil: 'hidden', name: '' }, true, frame));
      return;
    }
    if (INK.test(Dom.textContent(el))) pass.hidden += 1;
  };

  // Nothing but text, or a listing, where only controls are wanted.
  const ACTIVE = 'a,button,input,select,textarea,summary,iframe,[role],[tabindex],[onclick],[contenteditable]';
  const MOST_WORDS = 24;
  const NOTED = '[role],[contenteditable],[onclick],[tabindex]';
  const bare = (el) => !Dom.matches(el, NOTED) && !Dom.shadow(el);
  const mereWords = (el, tag, context) => {
    if (context.rowish) return false;
    if (tag === 'pre') return !Dom.query(el, ACTIVE).length && !Kinds.clickable(el, tag, context);
    if (!WORDS.has(tag) || !Dom.firstChild(el) || !bare(el)) return false;
    if (!firstElement(el)) return !Kinds.clickable(el, tag, context);
    const inner = Dom.query(el, '*');
    if (inner.length > MOST_WORDS) return false;
    // What the pointer shows is inherited, so the innermost tell for those around them.
    return Array.prototype.every.call(inner, (each) => {
      const name = Dom.tag(each);
      if (!WORDS.has(name) || !Dom.firstChild(each) || !bare(each)) return false;
      return firstElement(each) || !Kinds.clickable(each, name, context);
    });
  };

  const visitElement = (el, frame) => {
    const tag = Dom.tag(el);
    if (SKIP.has(tag)) return;
    if (pass.options.omit && Dom.matches(el, pass.options.omit)) {
      pass.omitted += 1;
      return;
    }
    if (pass.options.since && Observe.lastMutation(el) > pass.options.since) pass.changed = true;
    const outer = frame.context;
    if (pass.interactive && mereWords(el, tag, outer)) return;
    if (outer.veil) {
      push(frameOf(el, tag, outer, true, frame));
      return;
    }
    if (pass.options.vouch && !INLINE.has(tag) && pass.options.vouch(el, frame)) {
      defer(frame, el, 'same', Infinity);
      return;
    }
    if (postponed(el, tag, frame)) return;
    frame.range = null;
    pass.elements += 1;
    if (pass.seen) pass.seen.add(el);
    let shown = Dom.checkVisibility(el, SHOWN);
    if (!shown && tag !== 'option' && tag !== 'optgroup') {
      if (Aria.pruned(el)) {
        prune(el, tag, frame);
        return;
      }
      const style = Dom.style(el);
      shown = style.display === 'contents' && style.visibility === 'visible';
    }
    const context = contextFor(el, frame);
    if (tag.includes('-') || !Dom.firstChild(el)) {
      if (Dom.maybeHost(el)) {
        Dom.noteSuspect(el);
        pass.suspects += 1;
      }
    }
    if (!shown && tag !== 'option' && tag !== 'optgroup') {
      if (frame.shown) Entries.unseen(pass, el);
      push(frameOf(el, tag, context, false, frame));
      return;
    }
    let inner = Kinds.enter(pass, el, tag, context, add);
    if (inner && Clicks.listens(el)) inner = { ...inner, listener: el };
    if (el === pass.top && pass.options.scoped) pass.scopeEntry = inner && inner.entry;
    if (inner) push(frameOf(el, tag, inner, true, frame));
  };

  const contextFor = (el, frame) => {
    const outer = frame.context;
    const rank = pass.heat.ranks.get(el);
    if (rank !== undefined && rank < outer.prio) return { ...outer, prio: rank, zone: 'set', forced: true };
    if (outer.zone === 'mixed' && (frame.zone === 'in' || frame.zone === 'near')) {
      return { ...outer, zone: 'set', prio: Near.rank(frame.zone, outer.aside) };
    }
    return outer;
  };

  // Time the browser did not give us is not ours: a pause counts as little more than a slice.
  const LONGEST_SLICE = 50;
  const late = () => {
    const now = performance.now();
    pass.spent += Math.min(now - pass.clock, LONGEST_SLICE);
    pass.clock = now;
    return pass.spent > pass.options.ms;
  };
  const limit = (why) => {
    pass.limited = why;
    pass.full = true;
  };
  // Once enough is there, what is hot and what may be one line is still finished.
  const mustGoOn = (context) => pass.tokens <= 4 * pass.wanted + 2000
    && (context.forced || WHOLE.has(context.entry.kind));
  const run = () => {
    const { stack } = pass;
    while (stack.length) {
      const frame = stack[stack.length - 1];
      const node = step(frame);
      if (!node) {
        stack.pop();
        leave(frame);
        continue;
      }
      pass.nodes += 1;
      if (pass.nodes >= pass.options.nodes) limit('nodes');
      else if ((pass.nodes & 127) === 0 && late()) limit('time');
      if (!pass.full && pass.tokens >= pass.wanted) pass.full = true;
      if (pass.full && (pass.limited || !mustGoOn(frame.context))) {
        const passable = !pass.limited && Dom.isElement(node) && pass.heat.path.has(node);
        if (!passable) {
          if (pass.limited || !pass.heat.path.has(frame.el)) deferRest(frame, node, frame.cause, frame.prio);
          else defer(frame, node, frame.cause, frame.prio);
          continue;
        }
      }
      if (Dom.isElement(node)) {
        visitElement(node, frame);
      } else if (Dom.isText(node)) {
        if (frame.range && frame.range.cause === 'far') defer(frame, node, 'far', Near.REST);
        else Entries.text(pass, node, frame);
      }
    }
    flush();
    pass = null;
  };

  const base = {
    name: '', veil: '', inside: false, pointer: '', aside: false, forced: false, rowish: false, mute: false,
    grid: null, listener: null,
  };

  const listenerAround = (el) => {
    let up = Dom.parent(el);
    while (up && !Clicks.listens(up)) up = Dom.parent(up);
    return up;
  };

  const begin = (top, options, context) => {
    const root = {
      kind: 'root', el: null, parent: null, kids: [], tops: [], depth: -1, prio: 0, name: '', out: [],
    };
    const whole = !options.scoped;
    const listener = whole || !top ? null : listenerAround(top);
    pass = {
      root, top, options, entries: [], unseen: [], area: Near.view(),
      heat: whole ? Near.heat(options.changed || []) : Near.COLD,
      nodes: 0, elements: 0, suspects: 0, changed: false, hidden: 0, omitted: 0, tokens: 0,
      limited: null, full: false, wanted: options.budget * 1.2 + 40, clock: performance.now(), spent: 0,
      interactive: options.mode === 'interactive', seen: options.seen || null, scopeEntry: null,
      stack: [], run: null, edges: [],
      context: { ...base, listener, ...context, prio: whole ? Near.MAIN : Near.REST, zone: whole ? 'mixed' : 'set', entry: root },
    };
    return pass;
  };

  // An outline of `top`, with what should come first walked.
  const open = (top, options) => {
    const outline = begin(top, options, {});
    if (!top) return outline;
    const frame = frameOf(top, '', outline.context, true, null);
    Object.assign(frame, { node: null, list: [top], at: 0, end: 1, unfold: true });
    outline.stack.push(frame);
    run();
    return outline;
  };

  const cursor = (range, context) => {
    const frame = frameOf(range.el, '', context, range.shown, null);
    return Object.assign(frame, {
      node: range.list ? null : range.first, stop: range.stop, list: range.list, at: range.from, end: range.to,
      wordless: false,
      unfold: range.cause === 'fold', inline: range.inline, block: range.block,
      cause: range.cause, prio: range.prio, passed: range.passed - 1,
    });
  };

  // An outline of a range alone.
  const openRange = (range, options) => {
    const outline = begin(range.el, { ...options, scoped: true }, range.context);
    outline.stack.push(cursor(range, outline.context));
    run();
    return outline;
  };

  // Walks one range; what it brings takes the place of the range.
  const expand = (outline, range) => {
    pass = outline;
    pass.clock = performance.now();
    const { parent } = range;
    const before = parent.kids;
    parent.kids = [];
    outline.full = false;
    outline.stack.push(cursor(range, { ...range.context, entry: parent, prio: range.prio, zone: 'set' }));
    run();
    const at = before.indexOf(range);
    parent.kids = before.slice(0, at).concat(parent.kids, before.slice(at + 1));
    range.gone = true;
  };

  const ranges = (outline) => {
    const found = [];
    const pending = [outline.root];
    while (pending.length) {
      const entry = pending.pop();
      if (entry.kind === 'range') {
        if (Number.isFinite(entry.prio)) found.push(entry);
        continue;
      }
      for (let i = entry.kids.length - 1; i >= 0; i -= 1) pending.push(entry.kids[i]);
      if (entry.tops) for (let i = entry.tops.length - 1; i >= 0; i -= 1) pending.push(entry.tops[i]);
    }
    return found.sort((one, other) => one.prio - other.prio);
  };

  // Walks ranges, the most deserving first, until about `wanted` tokens are there. Says whether
  // anything was walked.
  const grow = (outline, wanted) => {
    outline.wanted = wanted;
    let grown = false;
    for (let waiting = ranges(outline); waiting.length; waiting = ranges(outline)) {
      for (const range of waiting) {
        if (outline.limited || outline.tokens >= wanted) return grown;
        expand(outline, range);
        grown = true;
      }
    }
    return grown;
  };

  return Object.freeze({ open, openRange, grow });
})();
