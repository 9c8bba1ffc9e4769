// What a script gave, as JSON text: what JSON cannot hold is described, and never left out unsaid.
// It runs in the page's own world, on a value that is the page's anyway.
async function plainValue(given, { nodes, depth, characters }) {
  const value = await given;
  const onTheWay = new Set();
  let left = nodes;
  let room = characters;

  const text = (string) => {
    const cut = string.length > room ? `${string.slice(0, Math.max(room, 0))}… [${string.length} characters]` : string;
    room -= string.length;
    return cut;
  };

  const kind = (object) => {
    const tag = Object.prototype.toString.call(object).slice(8, -1);
    const name = object.constructor && typeof object.constructor.name === 'string' ? object.constructor.name : '';
    return tag !== 'Object' ? tag : name || 'Object';
  };

  const primitive = (each) => {
    switch (typeof each) {
      case 'string': return text(each);
      case 'number': return Number.isFinite(each) ? each : String(each);
      case 'bigint': return `${each}n`;
      case 'undefined': return null;
      case 'symbol': return `[${String(each)}]`;
      case 'function': return `[function ${each.name || 'anonymous'}]`;
      default: return each;
    }
  };

  const element = (node) => {
    const attributes = node.attributes ? [...node.attributes].slice(0, 8).map(({ name, value: own }) => ` ${name}="${own.slice(0, 60)}"`) : [];
    return `[<${node.localName}${attributes.join('')}>]`;
  };

  const node = (each) => {
    if (each.nodeType === 1) return element(each);
    if (each.nodeType === 9) return `[document ${each.URL}]`;
    return `[${each.nodeName} ${text(String(each.nodeValue || '').slice(0, 200))}]`;
  };

  const list = (items, level) => {
    const made = [];
    for (const item of items) {
      if (left <= 0) {
        made.push('[more]');
        break;
      }
      made.push(convert(item, level));
    }
    return made;
  };

  const entries = (pairs, level) => {
    const made = {};
    for (const [key, item] of pairs) {
      if (left <= 0) {
        made['…'] = '[more]';
        break;
      }
      made[typeof key === 'string' ? key : String(primitive(key))] = convert(item, level);
    }
    return made;
  };

  // Objects of the browser have their values behind getters of their prototypes.
  const fields = (object) => {
    const found = new Map();
    for (const key of Object.keys(object)) found.set(key, key);
    if (kind(object) !== 'Object' && !found.size) for (const key in object) found.set(key, key);
    return [...found.keys()].flatMap((key) => {
      try {
        const own = object[key];
        return typeof own === 'function' && !Object.hasOwn(object, key) ? [] : [[key, own]];
      } catch (error) {
        return [[key, `[${error && error.name}]`]];
      }
    });
  };

  const special = (object, level) => {
    if (object instanceof Error || kind(object) === 'Error' || kind(object) === 'DOMException') {
      return { error: String(object.name), message: text(String(object.message)), ...entries(Object.entries(object), level) };
    }
    if (object instanceof RegExp) return String(object);
    if (object instanceof Map) return { '[Map]': list(object, level) };
    if (object instanceof Set) return { '[Set]': list(object, level) };
    if (object instanceof WeakMap || object instanceof WeakSet || object instanceof Promise) return `[${kind(object)}]`;
    if (typeof object.nodeType === 'number' && typeof object.nodeName === 'string') return node(object);
    if (object.window === object) return `[window ${object.location && object.location.href}]`;
    if (object instanceof ArrayBuffer) return { '[ArrayBuffer]': object.byteLength };
    if (ArrayBuffer.isView(object)) return object instanceof DataView ? { '[DataView]': object.byteLength } : list(object, level);
    if (typeof Blob === 'function' && object instanceof Blob) return { [`[${kind(object)}]`]: { name: object.name, type: object.type, size: object.size } };
    return undefined;
  };

  const composite = (object, level) => {
    if (typeof object.toJSON === 'function') return convert(object.toJSON(), level);
    const said = special(object, level);
    if (said !== undefined) return said;
    if (Array.isArray(object)) return list(object, level);
    if (typeof object.entries === 'function' && typeof object.append === 'function') return entries(object.entries(), level);
    if (typeof object.length === 'number' && typeof object[Symbol.iterator] === 'function') return list(object, level);
    const own = fields(object);
    return own.length || kind(object) === 'Object' ? entries(own, level) : `[${kind(object)}]`;
  };

  const convert = (each, level) => {
    left -= 1;
    if (each === null || typeof each !== 'object') return primitive(each);
    if (onTheWay.has(each)) return '[circular]';
    if (level <= 0) return `[${kind(each)}]`;
    onTheWay.add(each);
    try {
      return composite(each, level - 1);
    } catch (error) {
      return `[${kind(each)}: ${error && error.message}]`;
    } finally {
      onTheWay.delete(each);
    }
  };

  return JSON.stringify({ value: convert(value, depth), cut: left <= 0 || room < 0, absent: value === undefined });
}
