// Runs in a worker before its own script, or later: tells every message that the worker posts.
(tell) => {
  const LONGEST = 4096;
  const DEEPEST = 8;
  const WIDEST = 200;
  const { JSON, Object, Array, String, Map, Set, Date, ArrayBuffer, Blob, Error } = globalThis;

  // A value as JSON, within limits; what JSON does not know is named.
  const plain = (value, depth = 0, above = []) => {
    if (value === null || ['string', 'boolean'].includes(typeof value)) return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value !== 'object') return value === undefined ? null : String(value);
    if (above.includes(value)) return '[circular]';
    if (depth >= DEEPEST) return '[deep]';
    const inner = (each) => plain(each, depth + 1, [...above, value]);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.constructor.name} of ${value.byteLength} bytes]`;
    if (value instanceof Blob) return `[${value.constructor.name} of ${value.size} bytes]`;
    if (value instanceof Set) return [...value].slice(0, WIDEST).map(inner);
    if (value instanceof Map) return [...value].slice(0, WIDEST).map(([key, each]) => [inner(key), inner(each)]);
    if (Array.isArray(value)) return value.slice(0, WIDEST).map(inner);
    const proto = Object.getPrototypeOf(value);
    if (proto !== Object.prototype && proto !== null) return `[${proto.constructor?.name ?? 'object'}]`;
    return Object.fromEntries(Object.entries(value).slice(0, WIDEST).map(([key, each]) => [key, inner(each)]));
  };
  const note = (value) => {
    try {
      const text = JSON.stringify(plain(value));
      tell(text.length > LONGEST ? JSON.stringify({ text: text.slice(0, LONGEST) }) : JSON.stringify({ data: text }));
    } catch {
      // A getter of the message threw: the worker itself will meet it.
    }
  };
  const listenTo = (holder) => {
    if (typeof holder?.postMessage !== 'function') return;
    holder.postMessage = new Proxy(holder.postMessage, {
      apply(target, self, given) {
        const result = Reflect.apply(target, self, given);
        note(given[0]);
        return result;
      },
    });
  };
  if (typeof DedicatedWorkerGlobalScope === 'function') {
    listenTo(globalThis);
  } else {
    listenTo(globalThis.MessagePort?.prototype);
    listenTo(globalThis.Client?.prototype);
  }
}
