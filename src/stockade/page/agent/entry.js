// What the isolated world offers to Python, and to our own tests.
globalThis.stockade = Object.freeze({
  call: Agent.call,
  modules: Object.freeze({
    Dom, Text, Agent, Aria, Refs, Observe, Walk, Render, Delta, Find, Search, Probe, Locator, Act, Guard,
  }),
});
