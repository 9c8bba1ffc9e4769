// Text of the page, found as a reader sees it: across inline elements, in boxes, in frames' roots.
const Search = (() => {
  const MOST = 200;
  const LINE = 160;
  const INLINE = /^(?:inline|contents|ruby|inline )/;
  const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'textarea', 'svg']);
  const FIELDS = new Set(['input', 'textarea', 'select']);
  const LABELS = ['placeholder', 'alt', 'title', 'aria-label'];
  const LABELLED = ['input', 'textarea', 'select', 'option', ...LABELS.map((name) => `[${name}]`)].join(',');
  const COMBINING = /[\u0300-\u036f\u064b-\u0652\u0670]/;
  const rangeRect = Dom.method(Range.prototype, 'getClientRects');
  const setStart = Dom.method(Range.prototype, 'setStart');
  const setEnd = Dom.method(Range.prototype, 'setEnd');

  const squeeze = (string) => string.replace(/\s+/g, ' ').trim();
  const key = (string, exact) => squeeze(exact ? Text.strip(string) : Words.fold(string));

  // The same as `key`, with the place in the source of every character that is left.
  const mapped = (string, exact) => {
    let text = '';
    const from = [];
    let at = 0;
    for (const letter of string) {
      const start = at;
      at += letter.length;
      let out = /\s/.test(letter) ? ' ' : exact ? Text.strip(letter) : COMBINING.test(letter) ? '' : Words.fold(letter);
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

  // Runs of text between block boundaries: `visit({block, nodes: [{node, start}], text, hidden})`.
  // False when time was up before the end.
  const runs = (top, visit, { includeHidden, hidden: within, until }) => {
    let run = null;
    const flush = () => {
      if (run && run.text.trim()) visit(run);
      run = null;
    };
    const pending = [{ node: top, block: top, hidden: within }];
    for (let looked = 0; pending.length; looked += 1) {
      if (looked % 256 === 255 && performance.now() > until) return false;
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
      const veiled = gone || !Dom.checkVisibility(node, { visibilityProperty: true });
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
    return true;
  };

  const nodeAt = (run, offset) => {
    let low = 0;
    let high = run.nodes.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (run.nodes[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    const { node, start } = run.nodes[low];
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

  // Where to read closely: the smallest blocks whose text, spaces aside, holds what is wanted.
  const bare = (string, exact) => (exact ? Text.strip(string) : Words.fold(string)).replace(/\s+/g, '');
  const times = (string, wanted) => string.split(wanted).length - 1;
  const SMALL = 4000;
  const NARROW_MS = 80;
  const READ_MS = 150;
  const narrow = (root, wanted, exact, found) => {
    const until = performance.now() + NARROW_MS;
    const count = (node) => times(bare(Dom.textContent(node), exact), wanted);
    const all = count(root);
    const pending = all ? [[root, all]] : [];
    while (pending.length) {
      const [node, here] = pending.pop();
      const parts = [];
      let inside = 0;
      for (const child of Dom.textContent(node).length > SMALL ? Dom.childNodes(node) : []) {
        if (performance.now() > until) break;
        const hits = Dom.isElement(child) ? count(child) : 0;
        inside += hits;
        if (hits) parts.push([child, hits]);
      }
      if (inside < here || !parts.length) found.push(node);
      else while (parts.length) pending.push(parts.pop());
    }
  };
  const block = (node) => {
    let el = Dom.isElement(node) ? node : Dom.parent(Dom.firstChild(node));
    while (el && Dom.parent(el) && (Dom.isSlot(el) || INLINE.test(Dom.style(el).display))) el = Dom.parent(el);
    return el;
  };
  const regions = (top, wanted, exact) => {
    const found = [];
    const plain = bare(wanted, exact);
    for (const root of [top, ...Selector.roots(top)]) narrow(root, plain, exact, found);
    // Text that a slot brings together is in no one node's `textContent`.
    for (const root of Selector.roots(top).slice(0, MOST)) {
      if (!Dom.query(root, 'slot').length) continue;
      const host = Dom.parent(Dom.firstChild(root));
      if (bare(Context.text(host, SMALL), exact).includes(plain)) found.push(host);
    }
    const blocks = new Set(found.map(block));
    const outermost = (el) => {
      for (let node = Dom.parent(el); node; node = Dom.parent(node)) if (blocks.has(node)) return false;
      return true;
    };
    const apart = [...blocks].filter(outermost);
    return Selector.roots(top).length ? Pass.order(apart) : apart;
  };

  const inRuns = (top, wanted, { exact, includeHidden, whole }, take) => {
    const visit = (run) => {
      const text = key(run.text, exact);
      if (whole ? text !== wanted : !text.includes(wanted)) return;
      const { text: plain, from } = mapped(run.text, exact);
      for (const at of found(plain, wanted)) {
        const start = from[at];
        const end = from[at + wanted.length];
        take({ run, start, end, first: nodeAt(run, start), last: endAt(run, Math.max(start + 1, end)) });
      }
    };
    const until = performance.now() + READ_MS;
    for (const region of regions(top, wanted, exact)) {
      const hidden = Aria.pruned(region);
      if (hidden && !includeHidden) continue;
      if (!runs(region, visit, { includeHidden, hidden, until })) return `${READ_MS} ms`;
    }
    return '';
  };

  // Elements whose own visible text is (or contains) `text`: the smallest that hold all of it.
  const elements = (top, text, exact) => {
    const all = new Set();
    const wanted = key(text, exact);
    inRuns(top, wanted, { exact, whole: exact }, ({ run, first, last }) => all.add(smallest(run, first, last)));
    for (const el of Selector.css(top, 'input')) {
      const said = Aria.role(el) === 'button' && Aria.included(el) ? key(Aria.name(el), exact) : '';
      if (exact ? said === wanted : said.includes(wanted)) all.add(el);
    }
    return Pass.order([...all]);
  };

  const around = (text, start, end) => {
    const from = Math.max(0, start - Math.floor((LINE - (end - start)) / 2));
    const cut = text.slice(from, from + Math.max(LINE, end - start));
    return Text.clean(`${from ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`);
  };
  const visiblePart = (el, area) => {
    if (!area) return { bbox: null, clipped: false };
    const { bbox, clipped } = Place.part(el, area);
    return { bbox, clipped };
  };

  const search = (args) => {
    const { exact = false, includeHidden = false } = args;
    const most = Math.min(MOST, args.maxMatches || 20);
    const wanted = key(args.text, exact);
    if (!wanted) Agent.fail('invalid_argument', 'the text to search for is empty');
    const top = args.scope ? Refs.check(args.caller, args.scope) : document.documentElement;
    const hits = [];
    let count = 0;
    const take = (el, text, source, hidden, area) => {
      count += 1;
      if (hits.length < most) hits.push({ el, text, source, hidden, area });
    };
    const limited = inRuns(top, wanted, { exact, includeHidden }, ({ run, start, end, first, last }) => {
      const el = holder(run, first, last);
      const concealed = run.hidden ? 'not rendered' : Aria.concealment(Dom.parent(first.node));
      if (concealed && !includeHidden) return;
      const area = hits.length < most && !run.hidden ? areaOf(first, last) : null;
      take(el, around(run.text, start, end), 'text', concealed, area);
    });
    const says = (text) => Boolean(text) && key(text, exact).includes(wanted);
    for (const el of Selector.css(top, LABELLED)) {
      const role = Aria.role(el);
      const tag = Dom.tag(el);
      const gone = Aria.included(el) ? '' : 'not rendered';
      if (gone && !includeHidden) continue;
      const offer = (text, source) => {
        if (!says(text)) return;
        const area = gone || !Place.rendered(el) ? null : Dom.rect(el);
        take(el, Text.cut(Text.clean(text), LINE), source, gone, area);
      };
      if (tag === 'option') offer(Context.text(el, LINE), 'option');
      else if (FIELDS.has(tag) && !Dom.secret(el)) {
        offer(Aria.value(el, role) || (role === 'button' ? Aria.name(el) : ''), 'value');
      }
      for (const name of LABELS) if (Dom.has(el, name)) offer(Dom.attr(el, name), name);
    }
    if (hits.some(({ source }) => source !== 'text')) {
      const places = new Map(Pass.order([...new Set(hits.map(({ el }) => el))]).map((el, at) => [el, at]));
      hits.sort((a, b) => places.get(a.el) - places.get(b.el));
    }
    const matches = hits.map(({ el, text, source, hidden, area }) => {
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
    const warnings = limited ? [`the page is large: stopped at ${limited}`] : [];
    return { count, matches, warnings, view: Place.view() };
  };

  Agent.expose('text_search', Pass.over(search));

  return Object.freeze({ search, elements });
})();
