// A document as Markdown, in one pass over what a reader sees. The writer keeps the lines, `findMain`
// chooses the main content, tables of data are told from those that only lay out a page.
(args, makeWriter, findMain, makeTables) => {
  const { Aria, Dom, Pass, Place, Refs, Text } = globalThis.stockade.modules;
  const { limits, links } = args;
  const until = performance.now() + limits.ms;
  const read = (name) => Dom.getter(Document.prototype, name)(document);
  const base = Dom.getter(Node.prototype, 'baseURI')(document);

  const body = read('body') || read('documentElement');
  const top = args.scope ? Refs.check(args.caller, args.scope) : (args.mainOnly && findMain()) || body;
  const tables = makeTables();
  const out = makeWriter();
  const frames = [];
  let hidden = 0;

  // --- links -----------------------------------------------------------------------------------

  const addresses = new Map();
  const escaped = (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const address = (href) => {
    const raw = href.trim();
    if (!raw || raw.startsWith('#') || /^(?:javascript|data|blob):/i.test(raw)) return '';
    try {
      return Text.cut(new URL(raw, base).href.replace(/[()\s]/g, escaped), 500);
    } catch {
      return '';
    }
  };
  const linked = (text, href) => {
    const url = links === 'none' ? '' : address(href);
    if (!url || !text) return text;
    if (links === 'inline') return `[${text}](${url})`;
    if (!addresses.has(url)) addresses.set(url, addresses.size + 1);
    return `[${text}][${addresses.get(url)}]`;
  };

  // --- text ------------------------------------------------------------------------------------

  const ICONS = /icon|symbol|awesome|glyph/i;
  const pictogram = (el) => Dom.attr(el, 'aria-hidden') === 'true' && ICONS.test(Dom.style(el).fontFamily);
  const seen = Dom.memo((el) => (Aria.included(el) && !Aria.unread(el) && !pictogram(el) ? 'yes' : 'no'));
  const text = (node) => {
    const raw = Dom.text(node);
    if (!/\S/.test(raw)) {
      out.space();
      return;
    }
    const holder = Dom.parent(node);
    if (seen(holder) === 'no') {
      hidden += 1;
      return;
    }
    const kept = /^(?:pre|break)/.test(Dom.style(holder).whiteSpace);
    if (kept && raw.includes('\n'))
      for (const [at, line] of raw.split('\n').entries()) {
        if (at) out.newline();
        out.say(Text.strip(line));
      }
    else out.say(Text.strip(raw));
  };

  // --- controls --------------------------------------------------------------------------------

  const labelsOf = new Map(
    [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].map((type) => [
      type.prototype,
      Dom.getter(type.prototype, 'labels'),
    ]),
  );
  const labelled = (el) => {
    const labels = labelsOf.get(Object.getPrototypeOf(el));
    return [...((labels && labels(el)) || [])].some((label) => Place.rendered(label));
  };
  const selectedOptions = Dom.getter(HTMLSelectElement.prototype, 'selectedOptions');
  const chosen = (el) =>
    [...selectedOptions(el)]
      .slice(0, 20)
      .map((option) => Aria.name(option))
      .join(', ');
  const field = (el, role) => {
    const type = Dom.type(el);
    if (type === 'hidden') return '';
    if (type === 'checkbox' || role === 'checkbox' || role === 'switch') {
      return Aria.states(el, role).checked ? '[x] ' : '[ ] ';
    }
    if (type === 'radio') return Aria.states(el, role).checked ? '(x) ' : '( ) ';
    const name = labelled(el) ? '' : Aria.toldName(el, 80);
    if (role === 'button' && type !== 'file') return `[${Aria.toldName(el) || type}]`;
    let value = (el instanceof HTMLSelectElement ? chosen(el) : Aria.value(el, role)) || '';
    // One more than there may be in all, so that it is told as a limit.
    value = Text.cut(value, limits.characters + 1);
    if (Dom.secret(el) || type === 'file') value = type === 'file' ? 'file' : 'password';
    return `[${name && value ? `${name}: ${value}` : name || value || '_'}]`;
  };

  // --- elements --------------------------------------------------------------------------------

  const SKIP = new Set(
    (
      'audio base canvas datalist embed head link map meta noscript object optgroup option script ' +
      'source style template title track video wbr'
    ).split(' '),
  );
  const FIELDS = new Set(['input', 'select', 'textarea', 'meter', 'progress']);
  const LOOSE = new Set(
    (
      'address article aside blockquote details dialog dl fieldset figure footer form h1 h2 h3 h4 h5 ' +
      'h6 header hgroup main nav ol p section table ul'
    ).split(' '),
  );
  const APART = new Set(['navigation', 'complementary', 'contentinfo', 'search']);
  const MARKS = { __proto__: null, b: '**', strong: '**', em: '*', i: '*', del: '~~', s: '~~', q: '"' };
  const CODE = new Set(['code', 'kbd', 'samp', 'tt']);
  const LANGUAGE = /(?:^|[\s-])(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*|sourceCode\s+)([\w+#-]+)/i;

  const pending = [];
  const inside = (el, exit) => {
    if (exit) pending.push({ exit });
    const closed = Dom.tag(el) === 'details' && !Dom.has(el, 'open');
    const children = Dom.children(el).filter((child) => !closed || Dom.tag(child) === 'summary');
    for (let at = children.length - 1; at >= 0; at -= 1) pending.push({ node: children[at] });
  };
  const block = (el, loose, enter = () => {}, leave = () => {}) => {
    out.flush(loose);
    enter();
    inside(el, () => {
      out.flush(loose);
      leave();
    });
  };

  const language = (el) => {
    const [only] = Dom.children(el).filter(Dom.isElement);
    for (const each of [only, el, Dom.parent(el), Dom.parent(Dom.parent(el) || el)]) {
      const found = each && LANGUAGE.exec(Dom.attr(each, 'class') || '');
      if (found && !/^(?:default|none|text|notranslate)$/.test(found[1])) return found[1];
    }
    return '';
  };
  // The text of a subtree as it is laid out, breaks kept: code, where every space counts.
  const verbatim = (el) => {
    const parts = [];
    const waiting = [el];
    for (let looked = 0; waiting.length && looked < 50000; looked += 1) {
      const node = waiting.pop();
      if (Dom.isText(node)) parts.push(seen(Dom.parent(node)) === 'no' && /\S/.test(Dom.text(node)) ? '' : Dom.text(node));
      else if (Dom.tag(node) === 'br') parts.push('\n');
      else if (node === el || !Aria.pruned(node)) waiting.push(...Dom.children(node).reverse());
    }
    return Text.strip(parts.join(''));
  };
  const formula = (el) => {
    const [tex] = Dom.query(el, 'annotation[encoding*="tex" i]');
    return tex ? `$${Text.clean(Dom.textContent(tex))}$` : Text.clean(Dom.attr(el, 'alttext') || Dom.textContent(el));
  };
  const picture = (el) => {
    const box = Dom.rect(el);
    const name = box.width > 2 && box.height > 2 ? Aria.toldName(el, 200) : '';
    if (name) out.say(`![${name}]`);
  };
  const order = (list) => {
    if (Dom.tag(list) !== 'ol') return null;
    const start = Number.parseInt(Dom.attr(list, 'start') || '1', 10);
    return { next: Number.isNaN(start) ? 1 : start, step: Dom.has(list, 'reversed') ? -1 : 1 };
  };
  const lists = [];
  const marker = (item) => {
    const list = lists.at(-1);
    if (!list) return '- ';
    const own = Number.parseInt(Dom.attr(item, 'value') || '', 10);
    if (!Number.isNaN(own)) list.next = own;
    const { next } = list;
    list.next += list.step;
    return `${next}. `;
  };
  const level = (el) => Number(/^h([1-6])$/.exec(Dom.tag(el))?.[1] || Aria.states(el, 'heading').level || 2);

  // What an element that is shown by one word or line says; true where nothing is left to visit.
  const alone = (el, tag, role) => {
    if (tag === 'br') out.newline();
    else if (tag === 'hr' || role === 'separator') out.line('---');
    else if (tag === 'img' || (tag === 'svg' && Dom.isSvg(el)) || role === 'img') picture(el);
    else if (tag === 'iframe' || tag === 'frame') {
      frames.push(Refs.of(el));
      out.line(`\u0000${Refs.of(el)}\u0000`);
    } else if (FIELDS.has(tag)) out.say(field(el, role));
    else if (tag === 'math') out.say(formula(el));
    else if (tag === 'pre') out.fence(verbatim(el).replace(/^\n|\s+$/g, ''), language(el));
    else if (CODE.has(tag)) out.code(Text.clean(verbatim(el)));
    else return false;
    return true;
  };
  const spaced = (el, display) => /^inline-/.test(display) || Dom.tag(el) === 'label';

  const inline = (el, tag, role, display) => {
    const wide = spaced(el, display);
    if (wide) out.space();
    const after = () => {
      if (wide) out.space();
    };
    if (role === 'link' && Dom.has(el, 'href')) {
      out.apart();
      const mark = out.mark();
      inside(el, () => {
        out.close(mark, (said) => linked(said, Dom.attr(el, 'href')));
        after();
      });
    } else if (role === 'button') {
      out.apart();
      const mark = out.mark();
      const name = Aria.toldName(el);
      inside(el, () => {
        if (out.empty(mark) && name) out.say(name);
        out.close(mark, (said) => `[${said}]`);
        after();
      });
    } else if (tag === 'sup' || tag in MARKS) {
      const mark = out.mark();
      inside(el, () => out.close(mark, (said) => (tag === 'sup' ? `^${said}` : `${MARKS[tag]}${said}${MARKS[tag]}`)));
    } else inside(el, after);
  };

  const blocks = {
    __proto__: null,
    heading: (el) => block(el, true, () => out.heading(level(el))),
    list: (el) => {
      out.listed(() => {
        lists.push(order(el));
        inside(el, () => {
          out.unlisted();
          lists.pop();
        });
      });
    },
    listitem: (el) =>
      block(
        el,
        false,
        () => out.item(marker(el)),
        () => out.up(),
      ),
    blockquote: (el) =>
      block(
        el,
        true,
        () => out.quote(),
        () => out.up(),
      ),
    definition: (el) =>
      block(
        el,
        false,
        () => out.item(': '),
        () => out.up(),
      ),
  };

  const table = (el) => {
    out.flush(true);
    const caption = Dom.children(el).find((child) => Dom.tag(child) === 'caption');
    out.table(tables.head(el));
    inside(el, () => out.endTable());
    if (caption) {
      const said = Text.clean(verbatim(caption));
      if (said) out.title(said);
    }
  };

  const element = (el) => {
    const tag = Dom.tag(el);
    if (SKIP.has(tag) && Dom.isHtml(el)) return;
    Pass.suspect(el);
    if (Aria.pruned(el)) return;
    const role = Aria.role(el);
    if (args.mainOnly && APART.has(role) && el !== top) return;
    if (alone(el, tag, role)) return;
    const { display } = Dom.style(el);
    if (role === 'link' && Dom.has(el, 'href') && !/^(?:inline|contents)/.test(display)) {
      // A card that is a link as a whole: its address stands at its end.
      out.flush(false);
      const mark = out.mark();
      inside(el, () => {
        out.close(mark, (said) => linked(said, Dom.attr(el, 'href')), linked('→', Dom.attr(el, 'href')));
        out.flush(false);
      });
    } else if (out.betweenRows() && role === 'row') {
      out.flush(false);
      out.row();
      inside(el, () => out.endRow());
    } else if (out.inRow() && tables.CELLS.has(role)) {
      out.cell(tables.span(el), /header$/.test(role));
      inside(el, () => out.endCell());
    } else if (tables.ROLES.has(role) && !out.inTable() && tables.data(el)) table(el);
    else if (tag === 'caption' && out.inTable()) return;
    else if (role in blocks && (role !== 'definition' || tag === 'dd')) blocks[role](el);
    else if (/^(?:inline|contents)/.test(display) || role === 'button') inline(el, tag, role, display);
    else if (tag === 'dt') block(el, false);
    else block(el, LOOSE.has(tag));
  };

  let limited = '';
  pending.push({ node: top });
  for (let looked = 0; pending.length; looked += 1) {
    if (looked > limits.nodes) limited = `${limits.nodes} nodes`;
    else if (looked % 128 === 0 && performance.now() > until) limited = `${limits.ms} ms`;
    else if (out.size() > limits.characters) limited = `${limits.characters} characters`;
    if (limited) break;
    const { node, exit } = pending.pop();
    if (exit) exit();
    else if (Dom.isText(node)) text(node);
    else if (Dom.isElement(node)) element(node);
  }
  while (pending.length) pending.pop().exit?.();
  out.flush(true);
  if (out.size() > limits.characters) limited ||= `${limits.characters} characters`;
  if (addresses.size) {
    out.line([...addresses].map(([url, number]) => `[${number}]: ${url}`).join('\n'));
  }
  return {
    view: Place.view(),
    text: out.text(),
    url: location.href,
    title: Text.cut(Text.clean(read('title')), 200),
    frames,
    hidden,
    limited,
    region: top === body ? '' : Place.describe(top),
  };
}
