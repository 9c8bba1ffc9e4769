'use strict';

const basket = document.getElementById('basket');
let count = 0;

for (const button of document.querySelectorAll('button.buy')) {
  button.addEventListener('click', async () => {
    count += 1;
    const name = button.closest('tr').cells[0].textContent;
    await fetch('api/basket', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name }) });
    basket.textContent = `${count} in your basket: ${name}`;
    localStorage.setItem('basket', String(count));
  });
}

document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  history.pushState({}, '', `?q=${encodeURIComponent(event.target.q.value)}`);
});

document.getElementById('order').addEventListener('submit', (event) => {
  event.preventDefault();
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Thank you');
  dialog.textContent = `Thank you, ${event.target.name.value}`;
  document.body.append(dialog);
  dialog.showModal();
});

document.getElementById('cup').addEventListener('dragstart', (event) => event.dataTransfer.setData('text', 'cup'));
const tray = document.getElementById('tray');
tray.addEventListener('dragover', (event) => event.preventDefault());
tray.addEventListener('drop', (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files].map((file) => file.name);
  tray.textContent = files.length ? `Got ${files.join(', ')}` : 'The cup is on the tray';
});

const list = document.getElementById('list');
for (let number = 1; number <= 60; number += 1) {
  const row = document.createElement('div');
  row.setAttribute('role', 'listitem');
  row.textContent = `Order ${number}`;
  list.append(row);
}

customElements.define('shop-note', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<p>Open from nine to five</p><button>Call us</button>';
  }
});

const ink = document.getElementById('label').getContext('2d');
ink.fillStyle = '#286';
ink.fillRect(10, 10, 60, 30);

const counter = new Worker('worker.js');
counter.addEventListener('message', (event) => { document.body.dataset.counted = event.data; });
counter.postMessage('start');

const news = new WebSocket(new URL('news', location.href.replace(/^http/, 'ws')));
news.addEventListener('open', () => news.send('hello'));

sessionStorage.setItem('visit', 'first');
document.cookie = 'theme=light; path=/';
caches.open('pictures').then((cache) => cache.put('cup.svg', new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })));
const opening = indexedDB.open('shop', 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('orders');
opening.onsuccess = () => {
  opening.result.transaction('orders', 'readwrite').objectStore('orders').put({ total: 10 }, 'first');
  opening.result.close();
};
console.log('shop ready');
console.warn('stock is low');
