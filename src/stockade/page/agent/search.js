// Text of the page, found as a reader sees it: across inline elements, in boxes, in frames' roots.
const Search = (() => {
  const MOST = 200;
  const LINE = 160;
  const INLINE = /^(?:inline|contents|ruby|inline )/;
  const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'textarea',
    'defs', 'symbol', 'clipPath', 'mask', 'marker', 'pattern', 'metadata', 'desc']);
  const FIELDS = new Set(['input', 'textarea', 'select']);
  const UNWRITTEN = new Set(['checkbox', 'radio', 'hidden']);
  const LABELS = ['placeholder', 'alt', 'title', 'aria-label'];
  const LABELLED = ['input', 'textarea', 'select', 'option', ...LABELS.map((name) => `[${name}]`)].join(',');
  const COMBINING = /[\u0300-\u036f\u064b-\u0652\u0670]/;
  const hostOf = Dom.getter(ShadowRoot.prototype, 'host');
  const editable = Dom.getter(HTMLElement.prototype, 'isContentEditable');
  const isContentEditable = (el) => el instanceof HTMLElement && editable(el);
  const rangeRect = Dom.method(Range.prototype, 'getClientRects');
  const setStart = Dom.method(Range.prototype, 'setStart');
  const setEnd = Dom.method(Range.prototype, 'setEnd');

  const squeeze = (string) => string.replace(/\s+/g, ' ').trim();
  // Joiners shape letters and are no part of a word that is looked for.
  const JOINERS = /[\u200c\u200d\ufe0e\ufe0f]/g;
  const SPACE = /[^\S\ufeff]/;
  const key = (string, exact) => squeeze((exact ? Text.strip(string) : Words.fold(string)).replace(JOINERS, ''));

  // The same as `key`, with the place in the source of every character that is left.
  const mapped = (string, exact) => {
    let text = '';
    const from = [];
    let at = 0;
    for (const letter of string) {
      const start = at;
      at += letter.length;
      let out = SPACE.test(letter) ? ' ' : exact ? Text.strip(letter) : COMBINING.test(letter) ? '' : Words.fold(letter);
      if (out === ' ' && (!text || text.endsWith(' '))) out = '';
      for (let i = 0; i < out.length; i += 1) from.push(start);
      text += out;
    }
    from.push(string.length);
    return { text, from };
  };

  const found = (text, wanted) => {
    const places = [];
    let at = text.indexOf(wanted);
    while (at >= 0 && places.length < MOST) {
      places.push(at);
      at = text.indexOf(wanted, at + wanted.length);
    }
    return places;
  };

  // What has no box of its own, as a slot, shows its text in the box around it.
  const isShown = (el) => {
    if (Dom.checkVisibility(el, { visibilityProperty: true })) return true;
    const { display, visibility } = Dom.style(el);
    return display === 'contents' && visibility === 'visible';
  };

  // Runs of text between block boundaries: `visit({block, nodes: [{node, start}], text, hidden})`.
  // True when time was up before the end.
  const runs = function* (top, visit, { includeHidden, hidden: within }) {
    let run = null;
    const flush = () => {
      if (run && run.text.trim()) visit(run);
      run = null;
    };
    const pending = [{ node: top, block: top, hidden: within }];
    for (let looked = 0; pending.length; looked += 1) {
      if (looked % 16 === 15 && Pass.due() && (yield)) return true;
      const { node, block, hidden, close } = pending.pop();
      if (close) { flush(); continue; }
      if (Dom.isText(node)) {
        if (run && (run.block !== block || run.hidden !== hidden)) flush();
        run = run || { block, hidden, text: '', nodes: [] };
        run.nodes.push({ node, start: run.text.length });
        run.text += Dom.text(node);
        continue;
      }
      const tag = Dom.tag(node);
      if (SKIP.has(tag)) continue;
      if (tag === 'br') { if (run) run.text += ' '; continue; }
      const gone = hidden || Aria.pruned(node);
      if (gone && !includeHidden) continue;
      const veiled = gone || !isShown(node);
      const flows = node !== top && (tag === 'slot' || INLINE.test(Dom.style(node).display));
      if (!flows) {
        flush();
        pending.push({ close: true });
      }
      if (tag === 'select') continue;
      const inner = Dom.children(node);
      for (let i = inner.length - 1; i >= 0; i -= 1) {
        const child = inner[i];
        if (Dom.isText(child)) {
          if (!veiled || includeHidden) pending.push({ node: child, block: flows ? block : node, hidden: veiled });
        } else {
          pending.push({ node: child, block: flows ? block : node, hidden: gone });
        }
      }
    }
    flush();
    return false;
  };

  const indexAt = (run, offset) => {
    let low = 0;
    let high = run.nodes.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (run.nodes[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const nodeAt = (run, offset) => {
    const { node, start } = run.nodes[indexAt(run, offset)];
    return { node, offset: Math.min(offset - start, Dom.text(node).length) };
  };
  // Where a match ends is still in the node of its last character, not in the one after it.
  const endAt = (run, end) => {
    const { node, offset } = nodeAt(run, end - 1);
    return { node, offset: Math.min(offset + 1, Dom.text(node).length) };
  };
  const areaOf = (first, last) => {
    const range = new Range();
    setStart(range, first.node, first.offset);
    setEnd(range, last.node, last.offset);
    let area = null;
    for (const { left, top, right, bottom } of [...rangeRect(range)].slice(0, 50)) {
      if (right - left <= 0 || bottom - top <= 0) continue;
      area = area ? Place.area(Math.min(area.left, left), Math.min(area.top, top),
        Math.max(area.right, right), Math.max(area.bottom, bottom)) : Place.area(left, top, right, bottom);
    }
    return area;
  };
  // The control that holds the whole match if there is one, else the block.
  const holder = (run, first, last) => {
    for (let node = Dom.parent(first.node); node && node !== run.block; node = Dom.parent(node)) {
      if (Aria.interactive(node, Aria.role(node)) && Dom.contains(node, Dom.parent(last.node))) return node;
    }
    return run.block;
  };
  const smallest = (run, first, last) => {
    const end = Dom.parent(last.node);
    let node = Dom.parent(first.node);
    while (node && node !== run.block && !Dom.contains(node, end)) node = Dom.parent(node);
    return node || run.block;
  };

  // Where to read closely: the blocks around texts that, put together without spaces, hold what is
  // wanted. One pass over the text nodes of each root finds the places.
  const bare = (string, exact) => (exact ? Text.strip(string) : Words.fold(string)).replace(/[\s\u200c\u200d\ufe0e\ufe0f]+/g, '');
  const walker = Dom.method(Document.prototype, 'createTreeWalker');
  const nextNode = Dom.method(TreeWalker.prototype, 'nextNode');
  const SMALL = 4000;
  const block = (node) => {
    let el = Dom.isElement(node) ? node : Dom.parent(node);
    while (el && Dom.parent(el) && (Dom.isSlot(el) || INLINE.test(Dom.style(el).display))) el = Dom.parent(el);
    return el;
  };
  const textsIn = function* (root, wanted, exact, found) {
    if (!bare(Dom.textContent(root), exact).includes(wanted)) return false;
    const nodes = [];
    const starts = [];
    const parts = [];
    let size = 0;
    const texts = walker(document, root, NodeFilter.SHOW_TEXT);
    for (let node = nextNode(texts); node; node = nextNode(texts)) {
      if (nodes.length % 256 === 255 && Pass.due() && (yield)) return true;
      const said = bare(Dom.text(node), exact);
      if (!said) continue;
      nodes.push(node);
      starts.push(size);
      parts.push(said);
      size += said.length;
    }
    const whole = parts.join('');
    for (let at = whole.indexOf(wanted), place = 0; at >= 0; at = whole.indexOf(wanted, at + 1)) {
      while (place + 1 < starts.length && starts[place + 1] <= at) place += 1;
      found.add(nodes[place]);
    }
    return false;
  };
  // The blocks in document order, none inside another; null when time was up.
  const regions = function* (top, roots, wanted, exact) {
    const plain = bare(wanted, exact);
    const texts = new Set();
    for (const root of [top, ...roots]) if (yield* textsIn(root, plain, exact, texts)) return null;
    const blocks = new Set();
    for (const node of texts) if (Dom.connected(node) && Dom.parent(node)) blocks.add(block(node));
    // Text that a slot brings together is in no one root's text nodes.
    for (const root of roots.slice(0, MOST)) {
      if (!Dom.query(root, 'slot').length) continue;
      const host = hostOf(root);
      if (bare(Context.text(host, SMALL), exact).includes(plain)) blocks.add(block(host));
    }
    const outermost = (el) => {
      for (let node = Dom.parent(el); node; node = Dom.parent(node)) if (blocks.has(node)) return false;
      return true;
    };
    if ([...blocks].some((el) => Dom.contains(el, top))) return [top];
    const apart = [...blocks].filter(outermost);
    return roots.length ? Pass.order(apart) : apart;
  };

  // What an inline element says of a run, with the spaces as they are.
  const saidBy = (run, el) => {
    let start = -1;
    let end = -1;
    for (const each of run.nodes) {
      if (!Dom.contains(el, Dom.parent(each.node))) continue;
      if (start < 0) ({ start } = each);
      end = each.start + Dom.text(each.node).length;
    }
    return run.text.slice(start, end);
  };
  // The element whose whole text a match is, if it is one: the run's, an inline element's or that of
  // a single text among others.
  const wholly = (run, first, last, equal) => {
    const el = smallest(run, first, last);
    if (el !== run.block) return equal(saidBy(run, el)) || (first.node === last.node && equal(Dom.text(first.node)));
    return equal(run.text) || (first.node === last.node && equal(Dom.text(first.node)));
  };

  // Calls `take` with every place where the text stands; true when time was up before the end.
  const inRuns = function* (top, roots, wanted, { exact, includeHidden }, take) {
    const equal = (said) => key(said, exact) === wanted;
    const visit = (run) => {
      if (!key(run.text, exact).includes(wanted)) return;
      const { text: plain, from } = mapped(run.text, exact);
      for (const at of found(plain, wanted)) {
        const start = from[at];
        const end = from[at + wanted.length];
        const first = nodeAt(run, start);
        const last = endAt(run, Math.max(start + 1, end));
        if (exact && !wholly(run, first, last, equal)) continue;
        take({ run, start, end, first, last });
      }
    };
    const blocks = yield* regions(top, roots, wanted, exact);
    if (!blocks) return true;
    for (const region of blocks) {
      const hidden = Aria.pruned(region);
      if (hidden && !includeHidden) continue;
      if (yield* runs(region, visit, { includeHidden, hidden })) return true;
    }
    return false;
  };

  // Elements whose own visible text meets words, and how closely: the smallest that hold all of it.
  const elements = (top, words) => {
    const all = new Map();
    const { exact } = words;
    const wanted = key(words.text, exact);
    if (!wanted) return all;
    const add = (el, level) => {
      if (level < (all.has(el) ? all.get(el) : Wording.NOT)) all.set(el, level);
    };
    const take = ({ run, first, last }) => {
      const el = smallest(run, first, last);
      add(el, words.level(el === run.block ? run.text : saidBy(run, el)));
      // One text among others comes after what says no more than this.
      if (first.node === last.node) add(el, words.level(Dom.text(first.node)) + 0.5);
    };
    Pass.finish(inRuns(top, Selector.roots(top), wanted, { exact }, take));
    for (const el of Selector.css(top, 'input')) {
      if (Aria.role(el) === 'button' && Aria.included(el)) add(el, words.level(Aria.name(el)));
    }
    return new Map(Pass.order([...all.keys()]).map((el) => [el, all.get(el)]));
  };

  const around = (text, start, end) => {
    const from = Math.max(0, start - Math.floor((LINE - (end - start)) / 2));
    const cut = text.slice(from, from + Math.max(LINE, end - start));
    return Text.clean(`${from ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`);
  };
  const unseen = (node) => (/\S/.test(Dom.text(node)) ? Aria.unread(Dom.parent(node)) : '');
  // A match among the words of its run that a person sees, as many as a line takes.
  const amongSeen = (run, start, end) => {
    const { nodes, text } = run;
    const part = (at, from, to) => {
      const next = at + 1 < nodes.length ? nodes[at + 1].start : text.length;
      const said = text.slice(Math.max(from, nodes[at].start), Math.min(to, next));
      return said && unseen(nodes[at].node) ? ' ' : said;
    };
    let before = '';
    let after = '';
    const first = indexAt(run, start);
    for (let at = first; at >= 0 && before.length <= LINE; at -= 1) before = part(at, 0, start) + before;
    for (let at = first; at < nodes.length && after.length <= LINE; at += 1) after += part(at, end, text.length);
    return around(before + text.slice(start, end) + after, before.length, before.length + end - start);
  };
  // Why nobody sees a match, or a part of it.
  const unseenIn = (run, start, end) => {
    const { nodes } = run;
    let why = '';
    for (let at = indexAt(run, start); !why && at < nodes.length && nodes[at].start < end; at += 1) why = unseen(nodes[at].node);
    return why;
  };
  const IN_PLACE = new Set(['text', 'svg']);
  // What a control or labelled element says besides its text: `[text, source, every match counts]`.
  const saidIn = (el, values) => {
    const tag = Dom.tag(el);
    const found = [];
    if (tag === 'option') found.push([Context.text(el, LINE), 'option']);
    else if (FIELDS.has(tag) && !Dom.secret(el)) {
      const role = Aria.role(el);
      const value = tag === 'select' ? Aria.value(el, role) : Dom.value(el);
      if (role === 'button') found.push([value || Aria.name(el), 'value']);
      else if (values && !UNWRITTEN.has(Dom.type(el))) found.push([value, 'value', true]);
    }
    for (const name of LABELS) if (Dom.has(el, name)) found.push([Dom.attr(el, name), name]);
    return found;
  };
  const visiblePart = (el, area) => {
    if (!area) return { bbox: null, clipped: false };
    const { bbox, clipped } = Place.part(el, area);
    return { bbox, clipped };
  };

  // Whether what was found is gone, or a part of the page that was rebuilt may say it, too.
  const MOST_READ = 500000;
  const isStale = (top, { all, parts, worded }, holders, wanted, exact) => {
    if (all || !Dom.connected(top) || holders.some((el) => !Dom.connected(el))) return true;
    const plain = bare(wanted, exact);
    let size = 0;
    return parts.concat(worded).filter((el) => Dom.contains(top, el)).some((el) => {
      const text = Dom.textContent(block(el) || el);
      size += text.length;
      if (size > MOST_READ || bare(text, exact).includes(plain) || Selector.roots(el).length) return true;
      return [el, ...Dom.query(el, LABELLED)].some((each) => Dom.matches(each, LABELLED)
        && saidIn(each, true).some(([said]) => said && bare(said, exact).includes(plain)));
    });
  };

  // One look: `{hits, holders, late}`, the first hits in full and the element of every one.
  const read = function* (top, wanted, most, { exact, includeHidden, values }) {
    const roots = Selector.roots(top);
    for (const root of roots) Observe.watchRoot(root);
    const hits = [];
    const holders = [];
    const take = (el, text, source, hidden, area) => {
      holders.push(el);
      if (hits.length < most) hits.push({ el, text, source, hidden, area });
    };
    let late = yield* inRuns(top, roots, wanted, { exact, includeHidden }, ({ run, start, end, first, last }) => {
      const el = holder(run, first, last);
      if (!values && isContentEditable(el)) return;
      const concealed = run.hidden ? 'not rendered' : unseenIn(run, start, end);
      if (concealed && !includeHidden) return;
      const area = hits.length < most && !run.hidden ? areaOf(first, last) : null;
      const text = concealed ? around(run.text, start, end) : amongSeen(run, start, end);
      take(el, text, Dom.isSvg(run.block) ? 'svg' : 'text', concealed, area);
    });
    const says = (text) => {
      if (!text) return [];
      const plain = key(text, exact);
      if (exact ? plain !== wanted : !plain.includes(wanted)) return [];
      const { text: folded, from } = mapped(text, exact);
      return found(folded, wanted).map((at) => around(text, from[at], from[at + wanted.length]));
    };
    const labelled = [top, ...roots].flatMap((root) => [...Dom.query(root, LABELLED)]);
    if (Dom.isElement(top) && Dom.matches(top, LABELLED)) labelled.unshift(top);
    for (let at = 0; at < labelled.length && !late; at += 1) {
      if (at % 16 === 15 && Pass.due() && (yield)) late = true;
      const el = labelled[at];
      const texts = saidIn(el, values).flatMap(([text, source, all]) => (
        says(text).slice(0, all ? MOST : 1).map((part) => [part, source])
      ));
      if (!texts.length || !Dom.connected(el)) continue;
      const gone = Aria.included(el) ? '' : 'not rendered';
      if (gone && !includeHidden) continue;
      const area = gone || !Place.rendered(el) ? null : Dom.rect(el);
      for (const [text, source] of texts) take(el, text, source, gone, area);
    }
    return { hits, holders, late };
  };

  // A page that is rebuilt meanwhile is looked at again.
  const MOST_TRIES = 5;
  const readAll = function* (args, wanted, most, options) {
    const rebuilt = Observe.collectRebuilt();
    try {
      for (let tries = 1; ; tries += 1) {
        const top = args.scope ? Refs.check(args.caller, args.scope) : document.documentElement;
        const seen = yield* read(top, wanted, most, options);
        const stale = isStale(top, rebuilt.take(), seen.holders, wanted, options.exact);
        if (seen.late || !stale || tries === MOST_TRIES) return { ...seen, stale };
      }
    } finally {
      rebuilt.end();
    }
  };

  const search = function* (args) {
    const { exact = false, includeHidden = false, values = true } = args;
    const wanted = key(args.text, exact);
    if (!wanted) Agent.fail('invalid_argument', 'the text to search for is empty');
    const most = Math.min(MOST, args.maxMatches || 20);
    const { hits, holders, late, stale } = yield* readAll(args, wanted, most, { exact, includeHidden, values });
    const there = hits.filter(({ el }) => Dom.connected(el));
    if (there.some(({ source }) => !IN_PLACE.has(source))) {
      const places = new Map(Pass.order([...new Set(there.map(({ el }) => el))]).map((el, at) => [el, at]));
      there.sort((a, b) => places.get(a.el) - places.get(b.el));
    }
    const matches = there.map(({ el, text, source, hidden, area }) => {
      const context = Context.summary(el);
      const section = Context.section(el);
      Refs.show(args.caller, el);
      return {
        ref: Refs.text(Refs.of(el), args.prefix), role: Aria.role(el) || Dom.tag(el), text,
        ...(source !== 'text' && { source }), ...(hidden && { hidden }),
        ...((context || section) && { context: { ...(section && { section }), ...context } }),
        ...visiblePart(el, area),
      };
    });
    const warnings = [];
    if (late) warnings.push('time was up before the end of the page');
    else if (stale) warnings.push('the page changed while it was searched, again and again');
    return { count: holders.length, matches, warnings, complete: !late && !stale, view: Place.view() };
  };

  Agent.expose('text_search', Pass.sliced(search));

  return Object.freeze({ search, elements });
})();
