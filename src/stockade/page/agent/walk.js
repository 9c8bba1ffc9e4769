// One iterative pass over the flat tree, from elements to an outline of entries. What lies far
// from the viewport, or is one more of many alike, is left as a range that may be walked later.
const Walk = (() => {
  const SHOWN = { visibilityProperty: true };
  const words = (string) => new Set(string.split(' '));
  const SKIP = words('script style noscript template head meta link title base param source track datalist colgroup '
    + 'defs metadata desc clippath mask symbol');
  const INLINE = words('a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rt rp s samp '
    + 'slot small span strike strong sub sup time tt u var wbr tspan');
  const FOLDABLE = words('li tr option article dl div section a button tbody td');
  const KEPT_ALIKE = 8;
  const KEPT_OPTIONS = 10;
  const COUNTED_ALIKE = 200;
  const FAR_IN_A_ROW = 64;
  const CHUNK = 500;
  const LONGEST_TEXT = 100000;
  const MOST_PRUNED = 2000;

  const classOf = (el) => Dom.attr(el, 'class') || '';
  const elementCount = Dom.getter(Element.prototype, 'childElementCount');
  const SPACE_END = /\s$/;
  const SPACE_START = /^\s/;
  const INK = /\S/;
  const MERE_MARKS = /^[\p{P}|\s]*$/u;

  let pass = null;

  // Entries.

  const add = (kind, el, context, more) => {
    if (kind !== 'text') flush();
    const parent = context.entry;
    const entry = {
      kind, el, parent, kids: [], depth: parent.depth + 1, prio: context.prio,
      role: '', name: '', head: '', tail: '', value: '', ref: false, ...more,
    };
    parent.kids.push(entry);
    pass.entries.push(entry);
    pass.tokens += 3 + (entry.head.length + entry.tail.length + entry.value.length) / 4;
    return entry;
  };

  // Text runs.

  const flush = () => {
    const { run } = pass;
    pass.edges.length = 0;
    if (!run) return;
    pass.run = null;
    let text = Text.clean(run.text);
    if (MERE_MARKS.test(text) || text === run.context.entry.name) return;
    for (let part = 0; text; part += 1) {
      let end = text.length;
      if (end > CHUNK) {
        const space = text.lastIndexOf(' ', CHUNK);
        end = space > CHUNK / 2 ? space : CHUNK;
        if (!text.slice(0, end).isWellFormed()) end += 1;
      }
      add('text', run.node, run.context, { owner: run.owner, part, value: text.slice(0, end), mark: run.mark });
      text = text.slice(end).trimStart();
    }
  };
  const breaks = (el) => !/^(inline|contents|ruby)/.test(Dom.style(el).display);

  const say = (node, raw, frame, mark) => {
    let { run } = pass;
    if (run && (run.context.entry !== frame.context.entry || run.mark !== mark)) {
      flush();
      run = null;
    }
    if (!run) {
      run = { text: '', node, owner: frame.block, context: frame.context, mark };
      pass.run = run;
    } else if (pass.edges.length && !SPACE_END.test(run.text) && !SPACE_START.test(raw) && pass.edges.some(breaks)) {
      run.text += ' ';
    }
    pass.edges.length = 0;
    run.text += raw.length > LONGEST_TEXT ? `${raw.slice(0, LONGEST_TEXT)} … (text of ${raw.length} characters)` : raw;
  };

  // Ink on ground of the same colour is hidden, unless a picture may lie behind it.
  const overlaps = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const pictured = (el) => {
    const box = Dom.rect(el);
    for (let up = el, steps = 0; up && steps < 5; up = Dom.parent(up), steps += 1) {
      for (const picture of Array.from(Dom.query(up, 'img,video,canvas,svg')).slice(0, 20)) {
        if (overlaps(Dom.rect(picture), box)) return true;
      }
    }
    return false;
  };
  const visitText = (node, frame) => {
    const { context } = frame;
    if (pass.interactive && !context.rowish) return;
    const raw = Dom.text(node);
    if (!INK.test(raw)) {
      if (pass.run && raw) pass.run.text += ' ';
      return;
    }
    if (context.name && context.name.includes(Text.clean(raw))) return;
    let veil = context.veil || (frame.shown && !frame.closed ? '' : 'hidden');
    if (!veil && !pass.interactive) veil = Aria.concealment(frame.el);
    if (veil === 'contrast') veil = 'low_contrast';
    if (veil === 'low_contrast' && pictured(frame.el)) {
      say(node, raw, frame, 'low_contrast');
      return;
    }
    if (!veil) {
      say(node, raw, frame, '');
      return;
    }
    pass.hidden += 1;
    if (pass.options.hidden) say(node, raw, frame, veil === 'hidden' ? 'hidden' : `hidden: ${veil}`);
  };

  // Frames: the cursor among the children of one element.

  const frameOf = (el, tag, context, shown, outer) => {
    const inline = tag ? INLINE.has(tag) || (!INLINE.has(tag) && tag.includes('-') && !breaks(el)) : false;
    const frame = {
      el, context, shown, inline, block: inline && outer ? outer.block : el,
      node: null, stop: null, list: null, at: 0, end: 0,
      signature: '', alike: 0, passed: 0, far: 0, range: null, unfold: context.entry === pass.scopeEntry,
      closed: tag === 'details' && !Dom.has(el, 'open'), cause: 'full', prio: Near.REST,
    };
    const root = Dom.shadow(el);
    if (root) {
      Observe.watchRoot(root);
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
    frame.node = Dom.firstChild(el);
    return frame;
  };
  const step = (frame) => {
    if (frame.list) return frame.at < frame.end ? frame.list[frame.at++] : null;
    const { node } = frame;
    if (!node || node === frame.stop) return null;
    frame.node = Dom.nextSibling(node);
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
    if (pass.pruned.length < MOST_PRUNED) pass.pruned.push(el);
    if (pass.options.hidden) {
      push(frameOf(el, tag, { ...frame.context, veil: 'hidden', name: '' }, true, frame));
      return;
    }
    if (INK.test(Dom.textContent(el))) pass.hidden += 1;
  };

  const visitElement = (el, frame) => {
    const tag = Dom.tag(el);
    if (SKIP.has(tag)) return;
    if (pass.options.since && Observe.lastMutation(el) > pass.options.since) pass.changed = true;
    const outer = frame.context;
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
      push(frameOf(el, tag, context, false, frame));
      return;
    }
    const inner = Kinds.enter(pass, el, tag, context, add);
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

  const limit = (why) => {
    pass.limited = why;
    pass.full = true;
  };
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
      else if ((pass.nodes & 127) === 0 && performance.now() > pass.deadline) limit('time');
      if (!pass.full && pass.tokens >= pass.wanted) pass.full = true;
      if (pass.full && (pass.limited || !frame.context.forced || pass.tokens > 4 * pass.wanted)) {
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
        else visitText(node, frame);
      }
    }
    flush();
  };

  const base = { name: '', veil: '', inside: false, pointer: false, aside: false, forced: false, rowish: false };

  const begin = (top, options, context) => {
    const root = {
      kind: 'root', el: null, parent: null, kids: [], tops: [], depth: -1, prio: 0, name: '', out: [],
    };
    const whole = !options.scoped;
    pass = {
      root, top, options, entries: [], pruned: [], heat: whole ? Near.heat(options.changed || []) : Near.COLD, area: Near.view(),
      nodes: 0, elements: 0, suspects: 0, changed: false, hidden: 0, tokens: 0,
      limited: null, full: false, wanted: options.budget * 1.2 + 40, deadline: performance.now() + options.ms,
      interactive: options.mode === 'interactive', seen: options.seen || null, stack: [], run: null, edges: [], scopeEntry: null,
      context: { ...base, ...context, prio: whole ? Near.MAIN : Near.REST, zone: whole ? 'mixed' : 'set', entry: root },
    };
    return pass;
  };

  // An outline of `top`, with what should come first walked.
  const open = (top, options) => {
    const outline = begin(top, options, {});
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
