// The document as it looks now, as HTML that needs no script: what it loads is marked to be filled in.
(args, markup, savedParts) => {
  const { Dom, Pass, Refs } = globalThis.stockade.modules;
  const { write, text, attribute, attributes, tagOf, kids, isVoid, modeOf } = markup();
  const parts = savedParts(args.token);
  const GONE = new Set('script noscript base template embed applet track'.split(' '));
  const FRAMES = new Set(['iframe', 'frame']);
  const DROPPED = new Set(('srcset sizes imagesrcset imagesizes integrity crossorigin nonce ping loading srcdoc autofocus '
    + 'http-equiv data manifest is').split(' '));
  const LOADED = new Set(['src', 'poster', 'background']);
  const frames = [];
  const known = new Set(args.known);

  const address = (name, string) => {
    if (/^\s*javascript:/i.test(string)) return '';
    return string.startsWith('#') ? string : parts.absolute(string) || '';
  };
  const own = (el, tag) => {
    const shown = [];
    for (const [name, string] of attributes(el)) {
      if (/^on/i.test(name) || DROPPED.has(name) || (name === 'src' && (tag === 'img' || FRAMES.has(tag)))) continue;
      if (name === 'style') shown.push(` style="${parts.css('a', { text: string })}"`);
      else if (LOADED.has(name)) shown.push(attribute(name, parts.resource(string)));
      else if (name === 'href' || name === 'xlink:href') {
        const loads = tag === 'image' || tag === 'link';
        shown.push(attribute(name, loads ? parts.resource(string) : address(name, string)));
      } else if (name === 'action' || name === 'formaction') shown.push(attribute(name, address(name, string)));
      else if (!(Dom.isField(el) && ['value', 'checked'].includes(name)) && !(tag === 'option' && name === 'selected')) {
        shown.push(attribute(name, string));
      }
    }
    return shown.join('');
  };
  const state = (el, tag) => {
    if (tag === 'option') return el.selected ? ' selected=""' : '';
    if (tag !== 'input') return '';
    const kind = Dom.type(el);
    if (kind === 'checkbox' || kind === 'radio') {
      return (Dom.checked(el) === true ? ' checked=""' : '') + attribute('value', Dom.value(el));
    }
    return kind === 'file' ? '' : attribute('value', Dom.value(el));
  };

  const sheet = (el) => {
    const rel = (Dom.attr(el, 'rel') || '').toLowerCase().split(/\s+/);
    if (rel.includes('icon')) return { before: `<link${own(el, 'link')}>`, within: [] };
    if (!rel.includes('stylesheet') || rel.includes('alternate') || Dom.has(el, 'disabled')) return null;
    const href = parts.absolute(Dom.attr(el, 'href') || '');
    if (!href) return null;
    const media = Dom.attr(el, 'media') || '';
    if (known.has(href.split('#')[0])) return { before: parts.css('s', { href, media }), within: [] };
    // The browser has forgotten the file, but not its rules.
    const rules = parts.linkText(el);
    return rules === null ? null : {
      before: `<style${media ? attribute('media', media) : ''}>${parts.css('c', { text: rules, base: href })}</style>`, within: [],
    };
  };
  const drawn = (el) => {
    const url = parts.canvas(el);
    if (!url) return null;
    return { before: `<img${own(el, 'canvas')}${attribute('src', url)}>`, within: [] };
  };
  const extra = (root) => parts.adopted(root).map((rules) => `<style>${parts.css('c', { text: rules })}</style>`);

  const open = (el) => {
    Pass.suspect(el);
    const tag = tagOf(el);
    const html = Dom.isHtml(el);
    if ((html && GONE.has(tag)) || tag === 'script') return null;
    if (html && tag === 'link') return sheet(el);
    if (html && tag === 'meta' && Dom.has(el, 'http-equiv')) return null;
    if (html && tag === 'meta' && Dom.has(el, 'charset')) return null;
    if (html && tag === 'source' && Dom.tag(Dom.nodeParent(el)) === 'picture') return null;
    if (html && tag === 'canvas') {
      const image = drawn(el);
      if (image) return image;
    }
    if (tag === 'style') {
      const media = Dom.attr(el, 'media');
      const before = `<style${media ? attribute('media', media) : ''}>${parts.css('c', { text: html ? parts.styleText(el) : Dom.textContent(el) })}`;
      return { before, within: [], after: '</style>' };
    }
    let before = `<${tag}${own(el, tag)}${html ? state(el, tag) : ''}`;
    if (html && tag === 'img') before += attribute('src', parts.resource(parts.picture(el)));
    if (html && FRAMES.has(tag)) {
      frames.push(Refs.of(el));
      return { before: `${before} ${args.token}-f${frames.length - 1}->`, within: [], after: `</${tag}>` };
    }
    before += '>';
    if (isVoid(el)) return { before, within: [] };
    if (html && tag === 'textarea') return { before: before + text(Dom.value(el)), within: [], after: '</textarea>' };
    let within = kids(el);
    if (html && tag === 'head') within = [`${args.token}-h0-`, ...within, ...extra(document)];
    const root = Dom.shadow(el);
    if (root) within = [`<template shadowrootmode="${modeOf(root)}">`, ...extra(root), ...kids(root), '</template>', ...within];
    return { before, within, after: `</${tag}>` };
  };

  const written = write(kids(document), open);
  return {
    ...written, resources: parts.resources, styles: parts.styles, frames, title: document.title, url: document.URL,
  };
}
