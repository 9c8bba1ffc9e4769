// A document as clean HTML: what one would read it for, without code, styling and what nobody sees.
(args) => {
  const { Aria, Dom, Pass, Place, Refs, Text } = globalThis.stockade.modules;
  const { limits } = args;
  const until = performance.now() + limits.ms;
  const keep = new Set(args.keep);
  const all = args.attributes === 'all';
  const COMMENT = 8;
  const DEEPEST_INDENT = 24;

  const nodeType = Dom.getter(Node.prototype, 'nodeType');
  const rootMode = Dom.getter(ShadowRoot.prototype, 'mode');
  const attributesOf = Dom.getter(Element.prototype, 'attributes');
  const nameOf = Dom.getter(Attr.prototype, 'name');
  const valueOf = Dom.getter(Attr.prototype, 'value');
  const count = Dom.getter(NamedNodeMap.prototype, 'length');
  const item = Dom.method(NamedNodeMap.prototype, 'item');
  const ofDocument = (name) => Dom.getter(Document.prototype, name)(document);

  // --- attributes --------------------------------------------------------------------------------

  const USEFUL = new Set(
    (
      'abbr accept action alt autocomplete checked class colspan content contenteditable datetime ' +
      'dir disabled download draggable for form headers height hidden high href id itemid itemprop itemscope itemtype ' +
      'kind label lang list loading low max maxlength method min minlength multiple name open optimum pattern ' +
      'placeholder popover popovertarget readonly ref rel required role rowspan scope selected shape size slot span src ' +
      'start step tabindex target title type value width'
    ).split(' '),
  );
  const TESTS = new Set([
    'data-testid',
    'data-test-id',
    'data-test',
    'data-cy',
    'data-qa',
    'data-e2e',
    'data-automation-id',
  ]);
  const LIVE = new Set(['value', 'checked', 'selected']);
  const BARE = new Set('checked disabled hidden itemscope multiple open readonly required selected'.split(' '));
  const longest = all ? 2000 : 300;
  // One more than there may be in all, so that it is told as a limit.
  const held = (el) => Text.cut(Text.strip(Dom.value(el)), limits.characters + 1);

  const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const quoted = (text) => `"${escape(text).replace(/"/g, '&quot;')}"`;
  const short = (value) => {
    const data = /^data:([^,;]{0,60})/i.exec(value);
    if (data && value.length > 100) return `data:${data[1]},…${value.length} characters`;
    return Text.cut(Text.strip(value), longest);
  };
  const wanted = (name) => {
    if (all) return true;
    return USEFUL.has(name) || name.startsWith('aria-') || TESTS.has(name);
  };
  // What a field holds now, not what it was made with; secrets and hidden tokens never.
  const live = (el, tag) => {
    const found = [];
    if (tag === 'input') {
      const type = Dom.type(el);
      const silent = Dom.secret(el) || type === 'hidden' || type === 'file';
      if (type === 'checkbox' || type === 'radio') {
        if (Dom.checked(el) === true) found.push(' checked');
        if (Dom.attr(el, 'value') !== null) found.push(` value=${quoted(short(Dom.attr(el, 'value')))}`);
      } else if (!silent && Dom.value(el)) found.push(` value=${quoted(held(el))}`);
    } else if (tag === 'option' && el instanceof HTMLOptionElement) {
      if (Dom.has(el, 'value')) found.push(` value=${quoted(short(Dom.attr(el, 'value')))}`);
      if (chosen(el)) found.push(' selected');
    }
    return found.join('');
  };
  const chosen = Dom.getter(HTMLOptionElement.prototype, 'selected');
  const attributes = (el, tag) => {
    let out = '';
    const list = attributesOf(el);
    for (let at = 0; at < Math.min(count(list), 200); at += 1) {
      const one = item(list, at);
      const name = nameOf(one);
      const lower = name.toLowerCase();
      if (!/^[\w:.@-]{1,100}$/.test(name) || !wanted(lower)) continue;
      if (LIVE.has(lower) && (tag === 'input' || tag === 'option')) continue;
      const value = short(valueOf(one));
      if (!all && lower === 'class' && !value.trim()) continue;
      out += value === '' || (!all && BARE.has(lower)) ? ` ${name}` : ` ${name}=${quoted(value)}`;
    }
    return out + live(el, tag);
  };
  const reference = (el) => {
    if (!args.refs) return '';
    Refs.show(args.caller, el);
    return ` ref="${Refs.text(Refs.of(el), args.prefix)}"`;
  };

  // --- elements ----------------------------------------------------------------------------------

  const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
  const HEAD = new Set(['title']);
  const CODE = new Set(['script', 'noscript']);
  const INLINE = /^(?:inline|contents|ruby)/;

  const parts = [];
  let size = 0;
  let hidden = 0;
  let lastWasBlock = true;
  const push = (text) => {
    parts.push(text);
    size += text.length;
  };
  const lineBreak = (depth) => push(`\n${' '.repeat(Math.min(depth, DEEPEST_INDENT))}`);

  const left = (el, tag) => {
    if (CODE.has(tag)) return !keep.has('scripts');
    if (tag === 'style' || (tag === 'link' && !all)) return !keep.has('styles');
    if (tag === 'meta' || tag === 'base') return !all;
    if (tag === 'template') return !keep.has('hidden');
    if (tag === 'head' || HEAD.has(tag) || tag === 'html') return false;
    if (keep.has('hidden') || !Aria.pruned(el)) return false;
    hidden += 1;
    return true;
  };
  const seen = Dom.memo((el) => (Aria.included(el) && !Aria.unread(el) ? 'yes' : 'no'));
  const text = (node, raw, preserved) => {
    const holder = Dom.parent(node);
    const tag = holder ? Dom.tag(holder) : '';
    if (!/\S/.test(raw)) {
      if (parts.length && !/\s$/.test(parts.at(-1)) && !lastWasBlock) push(' ');
      return;
    }
    const closed = tag === 'details' && !Dom.has(holder, 'open');
    const read = keep.has('hidden') || CODE.has(tag) || tag === 'style' || HEAD.has(tag);
    if (holder && !read && (closed || seen(holder) === 'no')) {
      hidden += 1;
      return;
    }
    lastWasBlock = false;
    push(preserved ? escape(Text.strip(raw)) : escape(Text.strip(raw).replace(/\s+/g, ' ')));
  };

  const nodesOf = (node) => {
    const found = [];
    for (let child = Dom.firstChild(node); child; child = Dom.nextSibling(child)) found.push(child);
    return found;
  };
  const frames = [];
  const pending = [];
  const later = (nodes, depth, preserved) => {
    for (let at = nodes.length - 1; at >= 0; at -= 1) pending.push({ node: nodes[at], depth, preserved });
  };

  const close = (tag, depth, block, mark) => ({
    exit: () => {
      if (block && lastWasBlock && parts.length > mark) lineBreak(depth);
      push(`</${tag}>`);
      lastWasBlock = block;
    },
  });
  const shadowTree = (root, depth, preserved) => ({
    exit: () => {
      lineBreak(depth);
      push(`<template shadowrootmode="${rootMode(root)}">`);
      lastWasBlock = true;
      const mark = parts.length;
      pending.push(close('template', depth, true, mark));
      later(nodesOf(root), depth + 1, preserved);
    },
  });

  const element = (el, depth, preserved) => {
    const tag = Dom.tag(el);
    Pass.suspect(el);
    if (left(el, tag)) return;
    const block = tag === 'head' || tag === 'title' || !INLINE.test(Dom.style(el).display || 'block');
    if (block && parts.length) lineBreak(depth);
    push(`<${tag}${reference(el)}${attributes(el, tag)}>`);
    lastWasBlock = false;
    if (VOID.has(tag) && Dom.isHtml(el)) {
      lastWasBlock = block;
      return;
    }
    const mark = parts.length;
    pending.push(close(tag, depth, block, mark));
    if (tag === 'iframe' || tag === 'frame') {
      frames.push(Refs.of(el));
      push(`\u0000${Refs.of(el)}\u0000`);
      return;
    }
    if (tag === 'textarea') {
      push(escape(held(el)));
      return;
    }
    if (tag === 'svg' && Dom.isSvg(el) && !all) {
      const [title] = Dom.query(el, 'title');
      if (title) push(`<title>${escape(Text.clean(Dom.textContent(title)))}</title>`);
      return;
    }
    const inner = nodesOf(el);
    const root = Dom.shadow(el);
    if (args.depth && depth + 1 >= args.depth && (inner.length || root)) {
      push(`<!-- ${Dom.query(el, '*').length} elements deeper -->`);
      return;
    }
    later(inner, depth + 1, preserved || tag === 'pre' || tag === 'listing');
    if (root) pending.push(shadowTree(root, depth + 1, preserved));
  };

  let limited = '';
  const top = args.scope ? Refs.check(args.caller, args.scope) : ofDocument('documentElement');
  pending.push({ node: top, depth: 0, preserved: false });
  for (let looked = 0; pending.length; looked += 1) {
    if (looked > limits.nodes) limited = `${limits.nodes} nodes`;
    else if (looked % 128 === 0 && performance.now() > until) limited = `${limits.ms} ms`;
    else if (size > limits.characters) limited = `${limits.characters} characters`;
    if (limited) break;
    const { node, exit, depth, preserved } = pending.pop();
    if (exit) exit();
    else if (Dom.isElement(node)) element(node, depth, preserved);
    else if (Dom.isText(node)) text(node, Dom.text(node), preserved);
    else if (nodeType(node) === COMMENT && keep.has('comments')) {
      push(
        `<!--${Text.cut(Text.strip(Dom.text(node)), longest)
          .replace(/--+!?>?/g, '-')
          .replace(/[<>]/g, '')}-->`,
      );
    }
  }
  if (size > limits.characters) limited ||= `${limits.characters} characters`;
  if (limited) while (pending.length) pending.pop().exit?.();
  return {
    view: Place.view(),
    text: parts.join(''),
    url: location.href,
    title: Text.cut(Text.clean(ofDocument('title')), 200),
    frames,
    hidden,
    limited,
  };
}
