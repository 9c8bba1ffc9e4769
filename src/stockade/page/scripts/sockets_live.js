// Called on an array of all that descends from WebSockets, where sockets.js has run with the token.
function sockets(token, verb, ...rest) {
  const { send } = WebSocket.prototype;
  const isSocket = (each) => {
    try {
      return typeof each.url === 'string';
    } catch {
      return false;  // It is a prototype.
    }
  };
  const verbs = {
    // Those that are open to an address: their places in the array, and when each was made.
    open: (url) => this.flatMap((each, index) => {
      if (!isSocket(each) || each.url !== url || each.readyState !== WebSocket.OPEN) return [];
      const age = send.call(token, 'age', each);
      return [[index, typeof age === 'number' ? age : null]];
    }),
    follow: () => this.filter(isSocket).forEach((each) => send.call(token, 'follow', each)),
    send: (index, text, encoded) => {
      const data = encoded ? Uint8Array.from(atob(text), (each) => each.charCodeAt(0)) : text;
      send.call(token, 'send', this[index], data);
    },
  };
  return verbs[verb](...rest);
}
