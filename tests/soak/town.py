"""A site where everything a browser keeps carries its owner's mark, and every page shows it."""

from __future__ import annotations

import base64

from tests.support.site import Request, Response, Site

KEPT = ("cookie", "local", "database", "cache", "worker", "fetched", "password")
"""What a page shows, each with the mark it found."""

_ENTER = """<!doctype html><title>Enter</title><p>Working</p><script>
const mark = new URLSearchParams(location.search).get('mark');
const done = (async () => {
  localStorage.setItem('mark', mark);
  const cache = await caches.open('marks');
  await cache.put('/cache-mark', new Response(mark));
  await new Promise((ok, no) => {
    const opening = indexedDB.open('marks', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('marks');
    opening.onerror = no;
    opening.onsuccess = () => {
      const writing = opening.result.transaction('marks', 'readwrite');
      writing.objectStore('marks').put(mark, 'mark');
      writing.oncomplete = () => { opening.result.close(); ok(); };
    };
  });
  await navigator.serviceWorker.register(`/worker.js?mark=${mark}`);
  await navigator.serviceWorker.ready;
  await fetch('/fetched', { cache: 'reload' });
  await new Promise((ok) => {
    const asking = new XMLHttpRequest();
    asking.open('GET', '/password', true, mark, 'pass');
    asking.onloadend = ok;
    asking.send();
  });
})();
done.then(() => { document.querySelector('p').textContent = 'Entered'; },
          (error) => { document.querySelector('p').textContent = `Failed: ${error}`; });
</script>"""

_SHOW = """<!doctype html><title>House {number}</title><h1>House {number}</h1>
<p>cookie {cookie}</p><ul></ul>
<p>Count: <span id="count">0</span></p><button>Count up</button>
<label>Say <input oninput="document.querySelector('output').textContent = this.value"></label>
<p>Said <output></output></p>
<a href="/show?number=1">First house</a> <a href="/show?number=2">Second house</a>
<p id="state">Looking</p>
<script>
document.querySelector('button').onclick = () => { document.querySelector('#count').textContent++; };
const found = (name, mark) => {
  const item = document.createElement('li');
  item.textContent = `${name} ${mark}`;
  document.querySelector('ul').append(item);
};
const text = async (path) => (await fetch(path)).text();
const database = () => new Promise((ok, no) => {
  const opening = indexedDB.open('marks', 1);
  opening.onerror = no;
  opening.onsuccess = () => {
    const reading = opening.result.transaction('marks').objectStore('marks').get('mark');
    reading.onsuccess = () => { opening.result.close(); ok(reading.result); };
    reading.onerror = no;
  };
});
(async () => {
  found('local', localStorage.getItem('mark'));
  found('database', await database());
  found('cache', await (await caches.match('/cache-mark')).text());
  found('worker', await text('/worker-mark'));
  found('fetched', await text('/fetched'));
  found('password', await text('/password'));
})().then(() => { document.querySelector('#state').textContent = 'Shown'; },
          (error) => { document.querySelector('#state').textContent = `Failed: ${error}`; });
</script>"""

_WORKER = """const mark = new URL(location).searchParams.get('mark');
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname === '/worker-mark') event.respondWith(new Response(mark));
});
"""


def settle(site: Site) -> None:
    """Build the town on a site."""
    site.route("/enter", _enter)
    site.route("/show", _show)
    site.route("/fetched", _fetched)
    site.route("/password", _password)
    site.page("/worker.js", _WORKER, content_type="text/javascript")


async def _enter(request: Request) -> Response:
    cookie = f"mark={request.params['mark']}; HttpOnly; Path=/; Max-Age=86400"
    return Response(_ENTER, headers={"set-cookie": cookie})


async def _show(request: Request) -> Response:
    shown = _SHOW.replace("{number}", request.params["number"])
    return Response(shown.replace("{cookie}", request.cookies.get("mark", "nobody")))


async def _fetched(request: Request) -> Response:
    return Response(
        request.cookies.get("mark", "nobody"),
        content_type="text/plain",
        headers={"cache-control": "private, max-age=86400"},
    )


async def _password(request: Request) -> Response:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return Response("who?", 401, headers={"www-authenticate": 'Basic realm="town"'})
    name = base64.b64decode(given).decode().partition(":")[0]
    return Response(name, content_type="text/plain", headers={"cache-control": "no-store"})
