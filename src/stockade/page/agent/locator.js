// Ways to name an element that will find it again, the most lasting first; each proved unique here.
const Locator = (() => {
  // Ids that a framework counted or hashed.
  const GENERATED = new RegExp('\\d{3,}|[0-9a-f]{8,}|[:«»]|^(?:\\d|radix|react|ember|mui|headlessui|yui|ext-|__)'
    + '|(?:^|[-_])(?=[a-z]*\\d)(?=[\\da-z]*[a-z])[\\da-z]{5,}$', 'i');
  const HANDLES = ['name', 'aria-label', 'href', 'placeholder', 'title', 'alt', 'for', 'type', 'role'];
  const LABELLED = new Set('checkbox combobox listbox radio searchbox slider spinbutton textbox'.split(' '));
  const LOOSE_ROWS = new Set(['listitem', 'article', 'row', 'treeitem']);
  const DEEPEST = 40;
  const NAME = 120;

  const hostOf = Dom.getter(ShadowRoot.prototype, 'host');
  const quoted = (string) => {
    const safe = string.replace(/["\\]/g, '\\$&');
    return `"${safe.replace(/[\n\r\f]/g, (letter) => `\\${letter.charCodeAt(0).toString(16)} `)}"`;
  };
  // What selectors find; nothing where one names what a secret is in.
  const foundBy = (search) => {
    try {
      return search();
    } catch (error) {
      if (error.code === 'secret_refused') return [];
      throw error;
    }
  };
  const only = (selector, el) => {
    const found = foundBy(() => Selector.matches(selector));
    return found.length === 1 && found[0] === el;
  };
  // The same for those who do not prefer the closest.
  const onlyRendered = (selector, el) => {
    const found = Selector.all(selector);
    const seen = found.length > 1 ? found.filter(Place.rendered) : found;
    return (seen.length ? seen : found).every((each) => each === el);
  };
  // The same for those who count what is not rendered too.
  const strictly = (selector, el) => {
    const found = Selector.all(selector);
    return found.length === 1 && found[0] === el;
  };

  const stableId = (el) => {
    const id = Dom.attr(el, 'id');
    return id && id.length <= 40 && !GENERATED.test(id) ? id : '';
  };
  const onlyIn = (scope, selector, el) => {
    const found = foundBy(() => Selector.css(scope, selector));
    return found.length === 1 && found[0] === el;
  };
  const nthOfType = (el) => {
    const above = Dom.nodeParent(el);
    const tag = Dom.tag(el);
    const alike = above ? Dom.childNodes(above).filter((each) => Dom.tag(each) === tag) : [el];
    return alike.length > 1 ? `${CSS.escape(tag)}:nth-of-type(${alike.indexOf(el) + 1})` : CSS.escape(tag);
  };
  // A short attribute selector, else a path down from the nearest mark, else a place in a count.
  const within = (el, scope) => {
    const tag = CSS.escape(Dom.tag(el));
    const id = stableId(el);
    if (id && onlyIn(scope, `#${CSS.escape(id)}`, el)) return `#${CSS.escape(id)}`;
    for (const handle of HANDLES) {
      const value = Dom.attr(el, handle);
      if (!value || value.length > NAME) continue;
      const selector = `${tag}[${handle}=${quoted(value)}]`;
      if (onlyIn(scope, selector, el)) return selector;
    }
    let path = '';
    let node = el;
    for (let up = 0; node && up < DEEPEST; up += 1) {
      const mark = stableId(node);
      const anchored = mark && onlyIn(scope, `#${CSS.escape(mark)}`, node);
      path = `${anchored ? `#${CSS.escape(mark)}` : nthOfType(node)}${path && ' > '}${path}`;
      if ((anchored || up < 6 || up % 8 === 0) && onlyIn(scope, path, el)) return path;
      const above = Dom.nodeParent(node);
      node = above && Dom.isElement(above) ? above : null;
    }
    if (path && onlyIn(scope, path, el)) return path;
    return `${tag} >> nth=${Selector.css(scope, tag).indexOf(el)}`;
  };
  // CSS from the document down, through the hosts of shadow roots.
  const css = (el) => {
    const parts = [];
    for (let node = el; node;) {
      const root = Dom.rootOf(node);
      const host = root instanceof ShadowRoot ? hostOf(root) : null;
      parts.unshift(within(node, host || document));
      node = host;
    }
    return parts.join(' >> ');
  };

  // Steps that may name the element: `{tier, stability, steps: [{kind, value, name?, attribute?, exact?}]}`.
  const roleStep = (role, name) => ({ kind: 'role', value: role, name });
  // A row by what it says; a card that is no row to ARIA by its class and what it says.
  const rowStep = (row) => {
    const key = Context.rowKey(row);
    if (!key || key.endsWith('…')) return null;
    const role = Aria.role(row);
    if (LOOSE_ROWS.has(role)) return { kind: 'role', value: role, text: key };
    const kind = (Dom.attr(row, 'class') || '').split(/\s+/).find((each) => each && !GENERATED.test(each));
    return kind ? { kind: 'css', value: `${CSS.escape(Dom.tag(row))}.${CSS.escape(kind)}`, text: key } : null;
  };
  const rowSteps = (el, last) => {
    const row = Context.row(el);
    const step = row && rowStep(row);
    return step ? [step, last] : null;
  };
  // The nearest landmark, dialog or named group around an element.
  const PLACES = new Set('banner complementary contentinfo dialog alertdialog form list main menu navigation region '
    .concat('search table tablist tabpanel toolbar').split(' '));
  const placeSteps = (el, last) => {
    for (let up = Dom.parent(el); up; up = Dom.parent(up)) {
      const role = Aria.role(up);
      const name = role ? Aria.seenName(up) : '';
      if (!PLACES.has(role) && !(name && role === 'group')) continue;
      if (name.length <= NAME) return [name ? roleStep(role, name) : { kind: 'role', value: role }, last];
    }
    return null;
  };
  // By the name; where some of its words are hidden, by the others first, and never by those that serve nobody.
  const nameSteps = (el, role, name) => {
    if (!name || name.length > NAME) return [];
    const { seen, hidden, why } = Aria.nameParts(el);
    const whole = roleStep(role, name);
    if (!hidden || !seen) return Aria.telling(el).unseen ? [] : [whole];
    const part = name.includes(seen) ? [{ ...roleStep(role, seen), part: true }] : [];
    return Aria.markForNobody(why) ? part : [...part, whole];
  };
  function* ways(el, attributes, thorough) {
    const role = Aria.role(el);
    const name = Aria.name(el);
    const rendered = Place.rendered(el) && Aria.included(el);
    const test = Features.testId(el, attributes);
    const marked = test && { kind: 'testid', value: test[1], attribute: test[0] };
    if (marked) yield { tier: 1, stability: 'high', steps: [marked] };
    const calls = rendered && role ? nameSteps(el, role, name) : [];
    for (const step of calls) yield { tier: 2, stability: 'medium', steps: [step] };
    const [called] = calls;
    const placeholder = Text.clean(Dom.attr(el, 'placeholder') || '');
    if (called && called.name === name && LABELLED.has(role) && name !== placeholder) {
      yield { tier: 3, stability: 'medium', steps: [{ kind: 'label', value: name }] };
    }
    for (const kind of ['placeholder', 'alt', 'title']) {
      const value = Text.clean(Dom.attr(el, kind) || '');
      if (value && value.length <= NAME) yield { tier: 3, stability: 'medium', steps: [{ kind, value }] };
    }
    for (const last of [marked, called]) {
      const steps = last && rowSteps(el, last);
      if (steps) yield { tier: steps[0].kind === 'role' ? 2 : 3, stability: 'medium', steps };
    }
    const inPlace = thorough && called && placeSteps(el, called);
    if (inPlace) yield { tier: 2, stability: 'medium', steps: inPlace };
    const text = thorough && rendered && !Aria.interactive(el, role) ? Context.seen(el, NAME + 1) : '';
    if (text && text.length <= NAME) yield { tier: 3, stability: 'medium', steps: [{ kind: 'text', value: text }] };
    const id = stableId(el);
    if (id) yield { tier: 4, stability: 'medium', steps: [{ kind: 'css', value: `#${CSS.escape(id)}` }] };
  }

  const written = {
    __proto__: null,
    testid: ({ attribute, value }) => `[${attribute}=${quoted(value)}]`,
    role: ({ value, name, part, text }) => [
      `role=${value}`, name ? `[name${part ? '*' : ''}=${quoted(name)}]` : '', text ? `[text*=${quoted(text)}]` : '',
    ].join(''),
    css: ({ value, text }) => (text ? `${value} >> having=${quoted(text)}` : value),
  };
  const write = (steps) => steps
    .map((step) => (written[step.kind] || (({ kind, value }) => `${kind}=${quoted(value)}`))(step)).join(' >> ');

  // Whether the words alone, as a part and in any case, would mean other elements too.
  const loose = (step) => {
    const said = step.name || step.value;
    if (step.kind === 'role') return `role=${step.value}[name*=${quoted(said)}]`;
    return `${step.kind}=${said}`;
  };
  const settleExactness = (steps, el) => steps.map((step) => {
    if (step.kind === 'testid' || step.kind === 'css' || step.text || step.part || (step.kind === 'role' && !step.name)) return step;
    const alone = steps.length === 1 && !/^["']|>>/.test(step.name || step.value) && onlyRendered(loose(step), el);
    return alone ? step : { ...step, exact: true };
  });

  // Whether the words stand in hidden text too, which a search for what is shown leaves out.
  const walker = Dom.method(Document.prototype, 'createTreeWalker');
  const UNREAD = new Set(['script', 'style', 'template', 'noscript']);
  const lurks = (text) => {
    const wanted = Words.fold(text);
    const texts = walker(document, document, NodeFilter.SHOW_TEXT);
    for (let looked = 0; texts.nextNode() && looked < 50000; looked += 1) {
      const node = texts.currentNode;
      const holder = Dom.nodeParent(node);
      if (Words.fold(Dom.text(node)).includes(wanted) && !UNREAD.has(Dom.tag(holder)) && Aria.pruned(holder)) return true;
    }
    return false;
  };
  const proved = (way, selector, el) => strictly(selector, el)
    && !way.steps.some((step) => step.kind === 'text' && lurks(step.value));

  const best = (el, attributes, { thorough = true, pathAlone = false } = {}) => {
    for (const way of pathAlone ? [] : ways(el, attributes, thorough)) {
      const selector = write(way.steps);
      if (thorough ? proved(way, selector, el) : only(selector, el)) return { ...way, selector };
    }
    const path = css(el);
    const steps = Selector.split(path).map((part) => {
      const nth = /^nth=(\d+)$/.exec(part);
      return nth ? { kind: 'nth', value: nth[1] } : { kind: 'css', value: part };
    });
    return { tier: 5, stability: 'low', steps, selector: path };
  };

  // For several elements at once: without ways that are seldom the best and take long to prove, or
  // with a path alone.
  const hint = (el, attributes, pathAlone = false) => {
    const { tier, stability, selector } = best(el, attributes, { thorough: false, pathAlone });
    return { stability, selectorHint: selector, selectorTier: tier };
  };

  const generate = (args) => {
    const el = Refs.check(args.caller, args.ref);
    const way = best(el, args.testAttributes);
    const path = css(el);
    return {
      components: settleExactness(way.steps, el), stability: way.stability, tier: way.tier,
      selector: way.selector, css: path, unique: strictly(way.selector, el),
    };
  };

  const holder = ({ owner }) => ({ css: css(Refs.get(owner)) });

  Agent.expose('generate_locator', Pass.over(generate));
  Agent.expose('frame_css', Pass.over(holder));

  return Object.freeze({ hint, css, generate });
})();
