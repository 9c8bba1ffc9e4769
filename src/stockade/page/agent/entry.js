// What the isolated world offers to Python, and to our own tests.
globalThis.stockade = Object.freeze({
  // A popup's first document makes way for another in the same window, and the script stays behind.
  document,
  retire: () => {
    Guard.retire();
    Observe.retire();
  },
  call: Agent.call,
  // A method that is sent along with its call.
  run: (method, args) => Agent.run(Pass.over(method), args),
  element: Refs.get,
  hear: Clicks.hear,
  grownRoots: Observe.takeGrownRoots,
  suspects: Dom.closedRootSuspects,
  adopt: (host, root) => {
    Dom.adoptClosedRoot(host, root);
    Observe.watchRoot(root);
  },
  modules: Object.freeze({
    Submission, Dom, Text, Agent, Aria, Sheets, Generated, Clicks, Icons, Refs, Observe, Animations, Walk, Render, Delta, Pass, Synonyms, Words, Query, Features, Place, Context, Wording, Search,
    Selector, Locator, Find, Probe, Settle, Upcoming, Agreed, Guard, Around, Act, Fields, Scroll, Vetting,
  }),
});
