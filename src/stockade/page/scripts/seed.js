// Math.random from a seed: mulberry32, begun anew in every document. Cryptography is left alone.
(seed) => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  // A proxy keeps name, length and source of what it stands for.
  Math.random = new Proxy(Math.random, { apply: next });
};
