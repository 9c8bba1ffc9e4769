// A page as one document without scripts: its elements, the rules that apply to them, what its
// fields hold, and its shadow trees.
() => {
  const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
  const matches = (root, selector) => {
    try {
      const bare = selector.replace(/::?[a-z-]+(\([^()]*\))?/g, (found) => (/^:(is|not|where|has|host)/.test(found) ? found : ''));
      return root.querySelector(bare.trim() || '*') !== null;
    } catch {
      return true;
    }
  };
  const kept = (root, rules) => [...rules].map((rule) => {
    if (rule instanceof CSSFontFaceRule || rule instanceof CSSKeyframesRule) return '';
    if (rule instanceof CSSStyleRule) {
      return rule.selectorText.split(',').some((each) => matches(root, each)) ? rule.cssText : '';
    }
    if (rule.cssRules) {
      const inner = kept(root, rule.cssRules);
      return inner && `${rule.cssText.slice(0, rule.cssText.indexOf('{'))}{${inner}}`;
    }
    return rule.cssText;
  }).filter(Boolean).join('\n').replace(/url\("?data:[^)]*\)/g, 'none');
  const styles = (root) => {
    const sheets = [...root.styleSheets, ...root.adoptedStyleSheets];
    const text = sheets.map((sheet) => kept(root, sheet.cssRules)).join('\n');
    return text ? `<style>${text}</style>` : '';
  };
  const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const VOID = new Set(['input', 'img', 'br', 'hr', 'link', 'meta', 'col', 'source', 'wbr', 'area', 'track', 'embed']);
  const write = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return escape(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return '';
    const tag = node.localName;
    if (['script', 'style', 'link', 'noscript'].includes(tag)) return '';
    const own = new Map([...node.attributes].map(({ name, value }) => [name, value]));
    for (const name of [...own.keys()]) if (name.startsWith('on')) own.delete(name);
    const state = (name, on) => { if (on) own.set(name, ''); else own.delete(name); };
    if (tag === 'input') {
      state('checked', node.checked);
      if (!['checkbox', 'radio', 'file', 'password'].includes(node.type)) own.set('value', node.value);
    }
    if (tag === 'option') state('selected', node.selected);
    if (tag === 'img') own.set('src', BLANK);
    if (tag === 'a' && own.has('href')) own.set('href', '#');
    if (tag === 'iframe') own.delete('src');
    const attributes = [...own].map(([name, value]) => ` ${name}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`).join('');
    if (VOID.has(tag)) return `<${tag}${attributes}>`;
    const shadow = node.shadowRoot
      ? `<template shadowrootmode="open">${styles(node.shadowRoot)}${[...node.shadowRoot.childNodes].map(write).join('')}</template>` : '';
    const inner = tag === 'textarea' ? `\n${escape(node.value)}` : [...node.childNodes].map(write).join('');
    return `<${tag}${attributes}>${shadow}${inner}</${tag}>`;
  };
  const attributes = (element) => [...element.attributes].map(({ name, value }) => ` ${name}="${value.replace(/"/g, '&quot;')}"`).join('');
  const body = [...document.body.childNodes].map(write).join('');
  return `<!doctype html>\n<html${attributes(document.documentElement)}><head><meta charset="utf-8">`
    + `<title>${escape(document.title)}</title>\n${styles(document)}</head>\n<body${attributes(document.body)}>${body}</body></html>\n`;
}
