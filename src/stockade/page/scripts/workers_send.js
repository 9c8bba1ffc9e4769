// Runs in a worker: a message comes to it as if a page had posted it.
(message) => {
  if (typeof ServiceWorkerGlobalScope === 'function') {
    const { origin } = location;
    return dispatchEvent(new ExtendableMessageEvent('message', { data: message, origin }));
  }
  if (typeof DedicatedWorkerGlobalScope === 'function') {
    return dispatchEvent(new MessageEvent('message', { data: message }));
  }
  // A shared worker hears what comes through the port of a page that has connected.
  const { port1 } = new MessageChannel();
  dispatchEvent(new MessageEvent('connect', { data: '', ports: [port1], source: port1 }));
  return port1.dispatchEvent(new MessageEvent('message', { data: message }));
}
