// What all WebSockets of a world descend from, even where the page has put a class of its own above.
() => {
  let root = WebSocket.prototype;
  for (let next = Object.getPrototypeOf(root); next && next !== EventTarget.prototype && next !== Object.prototype; next = Object.getPrototypeOf(root)) {
    root = next;
  }
  return root;
}
