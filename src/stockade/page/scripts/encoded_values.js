// What a database can hold, in the form that storage state files have: plain JSON as it is,
// anything else encoded; `map`, `set` and `blob` are ours.
(binary) => {
  const DEEPEST = 200;
  const VIEWS = {
    i8: Int8Array,
    ui8: Uint8Array,
    ui8c: Uint8ClampedArray,
    i16: Int16Array,
    ui16: Uint16Array,
    i32: Int32Array,
    ui32: Uint32Array,
    f32: Float32Array,
    f64: Float64Array,
    bi64: BigInt64Array,
    bui64: BigUint64Array,
  };
  const WORDS = {
    null: null,
    undefined,
    NaN,
    Infinity,
    '-Infinity': -Infinity,
    '-0': -0,
  };
  const failure = (message) => Object.assign(new Error(message), { name: 'InvalidValue' });
  const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  // Whether JSON gives the same back. What is met twice may be a cycle, and is encoded.
  const isPlain = (value, met = new Set(), depth = 0) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    if (typeof value !== 'object' || met.has(value) || depth > DEEPEST) return false;
    met.add(value);
    const kind = kindOf(value);
    if (kind === 'Array') {
      const whole = Object.keys(value).length === value.length;
      return whole && value.every((each) => isPlain(each, met, depth + 1));
    }
    return kind === 'Object' && Object.values(value).every((each) => isPlain(each, met, depth + 1));
  };

  const encode = async (root) => {
    const blobs = [];
    const known = new Map();

    const part = (value, depth) => {
      if (value === null) return { v: 'null' };
      if (value === undefined) return { v: 'undefined' };
      if (typeof value === 'bigint') return { bi: String(value) };
      if (typeof value === 'number') {
        if (Object.is(value, -0)) return { v: '-0' };
        return Number.isFinite(value) ? value : { v: String(value) };
      }
      if (typeof value !== 'object') return value;
      if (known.has(value)) return { ref: known.get(value) };
      if (depth > DEEPEST) throw failure('a value is nested too deep');
      const kind = kindOf(value);
      const view = Object.keys(VIEWS).find((each) => value instanceof VIEWS[each]);
      if (view !== undefined) {
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        return { ta: { b: binary.encode(bytes), k: view } };
      }
      const id = known.size + 1;
      const all = (items) => Array.from(items, (each) => part(each, depth + 1));
      switch (kind) {
        case 'Date':
          return { d: value.toJSON() ?? 'invalid' };
        case 'RegExp':
          return { r: { p: value.source, f: value.flags } };
        case 'Error':
          return { e: { n: value.name, m: value.message, s: value.stack ?? '' } };
        case 'ArrayBuffer':
          return { ab: { b: binary.encode(new Uint8Array(value)) } };
        case 'Boolean':
        case 'Number':
        case 'String':
          return part(value.valueOf(), depth);
        case 'Array':
          known.set(value, id);
          return { a: all(value), id };
        case 'Map':
          known.set(value, id);
          return { map: Array.from(value, all), id };
        case 'Set':
          known.set(value, id);
          return { set: all(value), id };
        case 'Object': {
          known.set(value, id);
          const fields = Object.keys(value).map((k) => ({ k, v: part(value[k], depth + 1) }));
          return { o: fields, id };
        }
        case 'Blob':
        case 'File': {
          const shown = { t: value.type };
          if (kind === 'File') shown.n = value.name;
          blobs.push([value, shown]);
          return { blob: shown };
        }
        default:
          throw failure(`a ${kind} cannot be taken out of its browser`);
      }
    };

    const encoded = part(root, 0);
    for (const [value, shown] of blobs) {
      shown.b = binary.encode(new Uint8Array(await value.arrayBuffer()));
    }
    return encoded;
  };

  const decode = (root) => {
    const known = new Map();

    const filled = (holder, { id }, fill) => {
      if (id !== undefined) known.set(id, holder);
      fill(holder);
      return holder;
    };

    const KINDS = {
      ref: ({ ref }) => known.get(ref),
      v: ({ v }) => WORDS[v],
      bi: ({ bi }) => BigInt(bi),
      d: ({ d }) => new Date(d),
      u: ({ u }) => u,
      r: ({ r }) => new RegExp(r.p, r.f),
      e: ({ e }) => Object.assign(new Error(e.m), { name: e.n }),
      ab: ({ ab }) => binary.decode(ab.b).buffer,
      ta: ({ ta }) => new VIEWS[ta.k](binary.decode(ta.b).buffer),
      blob: ({ blob: { b, t, n } }) => {
        const content = [binary.decode(b)];
        return n === undefined ? new Blob(content, { type: t }) : new File(content, n, { type: t });
      },
      a: (value) =>
        filled([], value, (list) => {
          for (const each of value.a) list.push(part(each));
        }),
      o: (value) =>
        filled({}, value, (fields) => {
          for (const { k, v } of value.o) {
            Object.defineProperty(fields, k, {
              value: part(v),
              enumerable: true,
              configurable: true,
              writable: true,
            });
          }
        }),
      map: (value) =>
        filled(new Map(), value, (map) => {
          for (const [k, v] of value.map) map.set(part(k), part(v));
        }),
      set: (value) =>
        filled(new Set(), value, (set) => {
          for (const each of value.set) set.add(part(each));
        }),
    };

    const part = (value) => {
      if (typeof value !== 'object' || value === null) return value;
      const kind = Object.keys(KINDS).find((each) => Object.hasOwn(value, each));
      if (kind === undefined) throw failure('a value is encoded in a way that is not known');
      return KINDS[kind](value);
    };

    return part(root);
  };

  return { isPlain, encode, decode };
};
