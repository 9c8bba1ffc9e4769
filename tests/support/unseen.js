// Runs before a page's own scripts: whatever the page says or keeps has invisible characters in it.
'use strict';
(() => {
  const hostile = __HOSTILE__;
  const spoilt = (string) => (/\S/.test(string) ? string.replace(/\S/, (first) => first + hostile) : string);
  const ATTRIBUTES = ['title', 'alt', 'aria-label', 'placeholder', 'aria-description', 'content', 'label', 'summary'];
  const known = new WeakSet();
  const spoil = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      if (known.has(node) || node.parentElement?.closest('script, style')) continue;
      known.add(node);
      if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.COMMENT_NODE) node.data = spoilt(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      for (const name of ATTRIBUTES) if (node.hasAttribute(name)) node.setAttribute(name, spoilt(node.getAttribute(name)));
      node.setAttribute('data-said', spoilt('said'));
      if (node.shadowRoot) spoil(node.shadowRoot);
    }
  };
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) spoil(node);
  }).observe(document, { childList: true, subtree: true });

  for (const name of ['alert', 'confirm', 'prompt']) {
    const real = window[name].bind(window);
    window[name] = (said, ...rest) => real(spoilt(String(said ?? '-')), ...rest.map((each) => spoilt(String(each))));
  }
  for (const name of ['log', 'warn', 'error', 'info', 'debug']) {
    const real = console[name].bind(console);
    console[name] = (...said) => real(...said, spoilt('logged'), { [spoilt('key')]: [spoilt('value')] });
  }
  if (window.Notification) {
    const Real = Notification;
    window.Notification = class extends Real {
      constructor(title, options = {}) {
        super(spoilt(title), { ...options, body: spoilt(options.body || 'body'), tag: spoilt('tag') });
      }
    };
    Object.defineProperty(window.Notification, 'name', { value: 'Notification' });
  }
  const put = Storage.prototype.setItem;
  put.call(localStorage, spoilt('key'), spoilt('value'));
  put.call(sessionStorage, spoilt('key'), spoilt('value'));
  Storage.prototype.setItem = function (key, value) { put.call(this, key, spoilt(value)); };
  document.cookie = `${spoilt('cookie')}=${spoilt('crumb')}; path=/`;
  window.name = spoilt('window');
  history.replaceState({ [spoilt('state')]: spoilt('kept') }, '');
  performance.mark(spoilt('mark'));
  performance.measure(spoilt('measure'));
  caches.open(spoilt('cache')).then((cache) => cache.put(`/kept?${spoilt('q')}`, new Response(spoilt('body'), { headers: { 'x-said': encodeURIComponent(spoilt('header')) } })));
  const opening = indexedDB.open(spoilt('database'), 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(spoilt('store'));
  opening.onsuccess = () => {
    const kept = opening.result.transaction(spoilt('store'), 'readwrite').objectStore(spoilt('store'));
    kept.put({ [spoilt('field')]: spoilt('value') }, spoilt('key'));
    opening.result.close();
  };
  if (!window.frameElement) {
    fetch(`/api/basket?${spoilt('q')}#${spoilt('part')}`, { method: 'POST', headers: { 'x-said': encodeURIComponent(hostile) }, body: spoilt('sent') });
    new Worker('worker.js', { name: spoilt('worker') });
    setTimeout(() => { throw new Error(spoilt('thrown')); });
    Promise.reject(new TypeError(spoilt('rejected')));
  }
  addEventListener('DOMContentLoaded', () => {
    document.title = spoilt(document.title);
    if (window.frameElement) return;
    const add = (tag, attributes, text = '') => {
      const element = document.body.appendChild(document.createElement(tag));
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = text;
      return element;
    };
    add('a', { href: `/page?${spoilt('q')}#${spoilt('part')}`, id: spoilt('id'), class: spoilt('class') }, 'A link');
    add('a', { href: 'price-list.txt', download: `${spoilt('list')}.txt` }, 'Save the list');
    add('input', { value: spoilt('held'), name: spoilt('name'), 'aria-label': spoilt('Field'), pattern: spoilt('p') });
    add('iframe', { name: spoilt('frame'), title: 'A frame', srcdoc: `<title>${spoilt('t')}</title><p>${spoilt('framed')}</p>`, height: 30 });
    add('img', { src: `cup.svg?${spoilt('q')}`, alt: 'A drawing', width: 20, height: 20 });
    add('style', {}, `.said::after { content: "${spoilt('made by style')}"; }`);
    add('p', { class: 'said', role: 'note' }, 'Said');
  });
})();
