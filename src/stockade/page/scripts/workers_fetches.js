// Runs in a service worker before its own script, or later: answers what rules are for before any
// handler of fetches is asked. A rule is {parts, status, headers, body}: an address pattern as
// `fits` takes it, and an answer in base64.
//
// Nobody else knows the token, the name of the event by which a second run finds the first.
(token, rules, fits) => {
  if (typeof ServiceWorkerGlobalScope !== 'function') return;
  let current = [];
  const take = (given) => {
    current = given;
  };
  if (!dispatchEvent(new MessageEvent(token, { data: rules, cancelable: true }))) return;
  const { Response, Uint8Array, atob } = globalThis;
  addEventListener(token, (event) => {
    event.preventDefault();
    take(event.data);
  });
  const bodiless = (status) => [204, 205, 304].includes(status);
  // Listeners are called in the order in which they came: those that are there are made to come again.
  const handler = globalThis.onfetch;
  const there = typeof getEventListeners === 'function' ? getEventListeners(globalThis).fetch ?? [] : [];
  const listeners = there.filter(({ listener }) => listener !== handler);
  globalThis.onfetch = null;
  listeners.forEach(({ listener, useCapture }) => removeEventListener('fetch', listener, useCapture));
  addEventListener('fetch', (event) => {
    const { url } = event.request;
    const rule = current.find(({ parts }) => fits(parts, url.split('#', 1)[0]));
    if (!rule) return;
    const { status, headers, body } = rule;
    const bytes = Uint8Array.from(atob(body), (each) => each.charCodeAt(0));
    event.respondWith(new Response(bodiless(status) ? null : bytes, { status, headers }));
  });
  globalThis.onfetch = handler;
  listeners.forEach(({ listener, useCapture, once, passive }) => addEventListener('fetch', listener, { capture: useCapture, once, passive }));
  take(rules);
}
