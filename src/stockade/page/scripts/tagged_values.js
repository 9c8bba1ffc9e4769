// What a database can hold, as JSON: kinds that JSON lacks are objects with a `$` tag.
(binary) => {
  const DEEPEST = 100;
  const NUMBERS = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
  const failure = (message) => Object.assign(new Error(message), { name: 'InvalidValue' });
  const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  const encode = async (root) => {
    const blobs = [];

    const primitive = (value) => {
      if (value === undefined) return { $undefined: true };
      if (typeof value === 'bigint') return { $bigint: String(value) };
      if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
        return { $number: Object.is(value, -0) ? '-0' : String(value) };
      }
      return value;
    };

    const object = (value, inside) => {
      const entries = Object.keys(value).map((key) => [key, part(value[key], inside)]);
      const plain = Object.fromEntries(entries);
      return entries.some(([key]) => key.startsWith('$')) ? { $object: plain } : plain;
    };

    const blob = (value) => {
      const shown = { type: value.type };
      if (kindOf(value) === 'File') shown.name = value.name;
      blobs.push([value, shown]);
      return { $blob: shown };
    };

    const part = (value, around) => {
      if (typeof value !== 'object' || value === null) return primitive(value);
      if (around.includes(value)) return { $cycle: true };
      if (around.length >= DEEPEST) return { $deeper: true };
      const inside = [...around, value];
      const kind = kindOf(value);
      if (ArrayBuffer.isView(value)) {
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        return { $binary: binary.encode(bytes), type: kind };
      }
      switch (kind) {
        case 'Array':
          return Array.from(value, (each) => part(each, inside));
        case 'Date':
          return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
        case 'ArrayBuffer':
          return { $binary: binary.encode(new Uint8Array(value)) };
        case 'Map':
          return { $map: Array.from(value, (pair) => pair.map((each) => part(each, inside))) };
        case 'Set':
          return { $set: Array.from(value, (each) => part(each, inside)) };
        case 'RegExp':
          return { $regexp: value.source, flags: value.flags };
        case 'Error':
          return { $error: value.message, name: value.name };
        case 'Blob':
        case 'File':
          return blob(value);
        case 'Boolean':
        case 'Number':
        case 'String':
        case 'BigInt':
          return primitive(value.valueOf());
        case 'Object':
          return object(value, inside);
        default:
          return { $unsupported: kind };
      }
    };

    const encoded = part(root, []);
    for (const [value, shown] of blobs) {
      shown.base64 = binary.encode(new Uint8Array(await value.arrayBuffer()));
    }
    return encoded;
  };

  const date = (text) => {
    const moment = new Date(text ?? NaN);
    if (text !== null && Number.isNaN(moment.getTime())) throw failure('$date is not a date');
    return moment;
  };

  const number = (text) => {
    if (!Object.hasOwn(NUMBERS, text)) throw failure('$number is NaN, Infinity, -Infinity or -0');
    return NUMBERS[text];
  };

  const bytes = (text, type) => {
    const { buffer } = binary.decode(text);
    if (type === undefined || type === 'ArrayBuffer') return buffer;
    const Kind = globalThis[type];
    if (!/^(DataView|\w+Array)$/.test(type) || typeof Kind !== 'function') {
      throw failure('the type of $binary is no typed array');
    }
    return new Kind(buffer);
  };

  const big = (text) => {
    if (!/^-?\d+$/.test(text)) throw failure('$bigint is not a whole number');
    return BigInt(text);
  };

  const blob = ({ base64, type, name }) => {
    const content = [binary.decode(base64 ?? '')];
    return name === undefined ? new Blob(content, { type }) : new File(content, name, { type });
  };

  const fields = (value) =>
    Object.fromEntries(Object.keys(value).map((key) => [key, decode(value[key])]));

  const TAGS = {
    $undefined: () => undefined,
    $number: (text) => number(text),
    $bigint: (text) => big(String(text)),
    $date: (text) => date(text),
    $binary: (text, { type }) => bytes(text, type),
    $map: (pairs) => new Map(pairs.map((pair) => pair.map(decode))),
    $set: (items) => new Set(items.map(decode)),
    $regexp: (source, { flags }) => new RegExp(source, flags),
    $error: (message, { name }) => Object.assign(new Error(message), { name: name ?? 'Error' }),
    $blob: (shown) => blob(shown),
    $object: (value) => fields(value),
  };

  const decode = (value) => {
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== 'object' || value === null) return value;
    const tag = Object.keys(value).find((key) => key.startsWith('$'));
    if (tag === undefined) return fields(value);
    if (!Object.hasOwn(TAGS, tag)) {
      throw failure(
        `a tag is one of ${Object.keys(TAGS).join(', ')}; a field that begins with $ goes into $object`,
      );
    }
    try {
      return TAGS[tag](value[tag], value);
    } catch (error) {
      throw error.name === 'InvalidValue' ? error : failure(`${tag} is not well formed`);
    }
  };

  const decodeKey = (given) => {
    const key = decode(given);
    try {
      indexedDB.cmp(key, key);
    } catch {
      throw failure('a key is text, a number, a list of keys, {"$date": …} or {"$binary": …}');
    }
    return key;
  };

  return { encode, decode, decodeKey };
};
