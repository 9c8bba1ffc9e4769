// Runs in the page's own world and in workers: tells WebSockets apart, sends on them, and keeps
// their messages back as rules say. A rule is {parts, response, direction}: an address pattern as
// `fits` takes it, 'drop' | 'echo' | {data}, and 'sent' | 'received' | 'both'.
//
// Nobody else knows the token. `send` called on it, in place of a socket, is the way in: so a second
// run finds the first, and the page finds neither.
(token, rules, fits) => {
  const { WebSocket, MessageEvent, EventTarget, Blob, ArrayBuffer, URL, performance } = globalThis;
  if (typeof WebSocket !== 'function') return;
  const { prototype } = WebSocket;
  try {
    if (prototype.send.call(token, 'rules', rules) === token) return;
  } catch {
    // It is the browser's own, which wants a socket.
  }
  const getter = (name) => Reflect.getOwnPropertyDescriptor(prototype, name).get;
  const [urlOf, stateOf, binaryTypeOf] = ['url', 'readyState', 'binaryType'].map(getter);
  const handlerOf = Reflect.getOwnPropertyDescriptor(prototype, 'onmessage');
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
  const nativeSend = prototype.send;
  const ours = new WeakSet();
  const ages = new WeakMap();
  const followed = new WeakSet();
  let current = [];

  const ruleFor = (socket, direction) => {
    if (!current.length) return undefined;
    const url = Reflect.apply(urlOf, socket, []);
    return current.find((rule) => [direction, 'both'].includes(rule.direction) && fits(rule.parts, url));
  };
  const receive = (socket, data) => {
    const { origin } = new URL(Reflect.apply(urlOf, socket, []));
    const event = new MessageEvent('message', { data, origin });
    ours.add(event);
    Reflect.apply(dispatchEvent, socket, [event]);
  };
  // What comes from a server is text, or bytes in the form the socket was told to give.
  const asReceived = async (socket, data) => {
    if (!(data instanceof Blob || data instanceof ArrayBuffer || ArrayBuffer.isView(data))) return `${data}`;
    const blob = new Blob([data]);
    return Reflect.apply(binaryTypeOf, socket, []) === 'arraybuffer' ? blob.arrayBuffer() : blob;
  };
  const keepBack = ({ response }, socket, data) => {
    if (response === 'drop') return;
    const answer = response === 'echo' ? asReceived(socket, data) : Promise.resolve(response.data);
    answer.then((given) => receive(socket, given));
  };
  const heard = (socket, event) => {
    const rule = ours.has(event) ? undefined : ruleFor(socket, 'received');
    if (!rule) return;
    if (rule.response === 'echo') {
      // To the server, which is the other side; when both are kept back it hears nothing at all.
      if (rule.direction === 'received') Reflect.apply(nativeSend, socket, [event.data]);
      return;
    }
    event.stopImmediatePropagation();
    if (rule.response !== 'drop') receive(socket, rule.response.data);
  };
  const verbs = {
    rules(given) {
      current = given;
    },
    // Listeners are called in the order in which they came. A handler can be made to come again;
    // what a page added to a socket before this ran still hears everything.
    follow(socket) {
      if (followed.has(socket)) return;
      followed.add(socket);
      const handler = Reflect.apply(handlerOf.get, socket, []);
      Reflect.apply(handlerOf.set, socket, [null]);
      Reflect.apply(addEventListener, socket, ['message', (event) => heard(socket, event)]);
      Reflect.apply(handlerOf.set, socket, [handler]);
    },
    age: (socket) => ages.get(socket) ?? null,
    send: (socket, data) => Reflect.apply(nativeSend, socket, [data]),
  };

  prototype.send = new Proxy(nativeSend, {
    apply(target, socket, given) {
      if (socket === token) {
        const [verb, ...rest] = given;
        return verbs[verb](...rest) ?? token;
      }
      let rule;
      try {
        const open = Reflect.apply(stateOf, socket, []) === WebSocket.OPEN;
        rule = open && given.length ? ruleFor(socket, 'sent') : undefined;
      } catch {
        // Not a socket: the browser knows best what to say to that.
      }
      return rule ? keepBack(rule, socket, given[0]) : Reflect.apply(target, socket, given);
    },
  });
  const wrapped = new Proxy(WebSocket, {
    construct(target, given, newTarget) {
      const socket = Reflect.construct(target, given, newTarget === wrapped ? target : newTarget);
      ages.set(socket, performance.timeOrigin + performance.now());
      verbs.follow(socket);
      return socket;
    },
  });
  const hidden = { value: wrapped, writable: true, enumerable: false, configurable: true };
  Reflect.defineProperty(prototype, 'constructor', hidden);
  Reflect.defineProperty(globalThis, 'WebSocket', hidden);
  verbs.rules(rules);
}
