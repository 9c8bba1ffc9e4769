// What a caller gives is compared with content of the page, and whether it fits would tell a secret
// piece by piece. While it is, content reads with names in the place of secrets. Only the server knows
// those: what it has not looked through yet is collected, the answer is thrown away, and the call comes
// again with the parts of this document that are secret.
const Vetting = (() => {
  // No part of a secret that is known by itself is shorter.
  const SHORTEST = 4;
  const MOST_CONTENT = 20_000_000;
  const MOST_PENDING = 8;

  const data = Dom.getter(CharacterData.prototype, 'data');
  const textContent = Dom.getter(Node.prototype, 'textContent');
  const walker = Dom.method(Document.prototype, 'createTreeWalker');
  const nextNode = Dom.method(TreeWalker.prototype, 'nextNode');

  // What is known of this document, for one edition of the secrets.
  let edition = '';
  let secrets = []; // [part of this document, what it reads as], the longest first
  let clean = new Set(); // strings, as they read
  let size = 0;
  let cleanText = ''; // of the document, as it reads
  let cleanNodes = new WeakMap(); // text nodes, with what they held
  const pending = new Map();
  let asked = 0;

  const forget = () => {
    clean = new Set();
    size = 0;
    cleanText = '';
    cleanNodes = new WeakMap();
  };
  const reading = (string) => {
    let read = string;
    for (const [part, name] of secrets) if (read.includes(part)) read = read.replaceAll(part, name);
    return read;
  };
  const learn = (known) => {
    if (known.edition !== edition) {
      forget();
      secrets = [];
      ({ edition } = known);
    }
    const answered = pending.get(known.key);
    pending.delete(known.key);
    if (!answered || answered.edition !== edition) return;
    if (size > MOST_CONTENT) forget();
    if (known.secrets.length) {
      secrets = [...new Map([...secrets, ...known.secrets])].sort(([one], [other]) => other.length - one.length);
      clean = new Set([...clean].map(reading));
    }
    for (const each of answered.strings) {
      clean.add(reading(each));
      size += each.length;
    }
    if (answered.text !== null) {
      cleanText = reading(answered.text);
      cleanNodes = new WeakMap(answered.nodes);
    }
  };

  // All text nodes of the document and its shadow roots: `[node, what it holds]`, and the text of all.
  const allText = () => {
    const nodes = [];
    for (const root of [document, ...Selector.roots(document)]) {
      const texts = walker(document, root, NodeFilter.SHOW_TEXT);
      for (let node = nextNode(texts); node; node = nextNode(texts)) nodes.push([node, data(node)]);
    }
    return { nodes, text: nodes.map(([, held]) => held).join('') };
  };
  const attributeNames = Dom.method(Element.prototype, 'getAttributeNames');
  const getAttribute = Dom.method(Element.prototype, 'getAttribute');
  const allAttributes = function* () {
    for (const root of [document, ...Selector.roots(document)]) {
      for (const el of Dom.query(root, '*')) for (const name of attributeNames(el)) yield getAttribute(el, name);
    }
  };
  // What each text node reads as; a secret may begin in one and end in another.
  const readings = ({ nodes, text }) => {
    const read = new Map(nodes.map(([node, held]) => [node, { held, reads: held }]));
    if (!secrets.some(([part]) => text.includes(part))) return read;
    const taken = new Uint8Array(text.length);
    const names = new Map();
    for (const [part, name] of secrets) {
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
        if (!taken[at]) names.set(at, name);
        taken.fill(1, at, at + part.length);
      }
    }
    let at = 0;
    for (const [node, held] of nodes) {
      let reads = '';
      for (const end = at + held.length; at < end; at += 1) {
        if (names.has(at)) reads += names.get(at);
        if (!taken[at]) reads += text[at];
      }
      read.get(node).reads = reads;
    }
    return read;
  };

  // How one call reads content. At the `last` try, what was not looked through reads as nothing.
  class Reader {
    constructor(known) {
      this.last = known.last;
      this.strings = new Set();
      this.texts = null;
      this.textIsNew = false;
    }

    get isPlain() { return !secrets.length && !this.last; }

    string(string) {
      if (string.length < SHORTEST) return string;
      const read = reading(string);
      if (clean.has(read)) return read;
      if (this.last) return '';
      this.strings.add(read);
      return read;
    }

    text(node) {
      const held = data(node);
      const known = this.known().get(node);
      if (known && known.held === held) return known.reads;
      // It changed while the call was working in slices, or came.
      if (this.last) return '';
      this.textIsNew = true;
      return held;
    }

    content(node) {
      this.known();
      if (this.isPlain) return textContent(node);
      let read = '';
      const texts = walker(document, node, NodeFilter.SHOW_TEXT);
      for (let each = nextNode(texts); each; each = nextNode(texts)) read += this.text(each);
      return read;
    }

    known() {
      if (this.texts) return this.texts;
      const all = allText();
      this.texts = readings(all);
      if (reading(all.text) === cleanText) return this.texts;
      if (this.last) {
        for (const [node, held] of all.nodes) if (cleanNodes.get(node) !== held) this.texts.get(node).reads = '';
      } else {
        this.textIsNew = true;
      }
      return this.texts;
    }

    // Nothing that comes of content which nobody looked through is to be noticed.
    check() {
      if (!this.textIsNew && !this.strings.size) return;
      const { nodes, text } = this.textIsNew ? allText() : { nodes: [], text: null };
      // Who compares texts reads attributes all over the page, others at every call. A text is looked through
      // by itself, too: next to others, a number is a part of another.
      if (this.textIsNew) {
        for (const each of allAttributes()) this.string(each);
        for (const [, held] of nodes) this.string(held);
      }
      const strings = [...this.strings];
      if (strings.reduce((sum, each) => sum + each.length, text === null ? 0 : text.length) > MOST_CONTENT) {
        Agent.fail('secret_refused', 'the page is too long to be looked through for secrets, so nothing is compared with what it says');
      }
      asked += 1;
      const key = `${performance.timeOrigin}-${asked}`;
      pending.set(key, { edition, strings, nodes, text });
      if (pending.size > MOST_PENDING) pending.delete(pending.keys().next().value);
      Agent.fail('unvetted', 'content was not looked through for secrets', { key, strings, text: text === null ? '' : reading(text) });
    }
  }

  let reader = null;
  const start = (known) => {
    if (!known) return null;
    learn(known);
    return new Reader(known);
  };
  const during = (next, work) => {
    if (!next) return work();
    reader = next;
    try {
      return Dom.filtered(next, work);
    } finally {
      reader = null;
    }
  };
  const check = () => { if (reader) reader.check(); };

  // Conditions of CSS compare values of attributes where nothing stands in between: those that name an
  // attribute which holds a secret anywhere in the document are refused, whatever they ask for.
  const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gi;
  const unescape = (string) => string.replace(ESCAPE, (_, code, letter) => (
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : letter
  ));
  const COMMENT = /\/\*.*?(?:\*\/|$)/ys;
  const STRING = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/ys;
  const CONDITION = /\[((?:\/\*.*?(?:\*\/|$)|\\.|[^\]="'\\])*)(=?)/ys;
  const WORD = '(?:\\\\[0-9a-f]{1,6}\\s?|\\\\.|[^\\\\~|^$*\\s])+';
  const NAME = new RegExp(`^\\s*(?:(?:${WORD}|\\*)?\\|)?(${WORD})`, 'is');
  const comparedIn = (selector) => {
    const names = new Set();
    for (let at = 0; at < selector.length;) {
      const [token] = [COMMENT, STRING, CONDITION].map((each) => {
        each.lastIndex = at;
        return each.exec(selector);
      }).filter(Boolean);
      if (token && token[2]) {
        const [, name = ''] = NAME.exec(token[1].replace(/\/\*.*?(?:\*\/|$)/gs, '')) || [];
        if (name) names.add(unescape(name));
      }
      at += token ? token[0].length : 1 + (selector[at] === '\\');
    }
    return names;
  };
  const attributes = Dom.getter(Element.prototype, 'attributes');
  const requireComparable = (selector) => {
    if (!reader) return;
    for (const name of comparedIn(selector)) {
      const wanted = name.toLowerCase();
      for (const root of [document, ...Selector.roots(document)]) {
        for (const el of Dom.query(root, `[*|${CSS.escape(name)}]`)) {
          for (const { localName, value } of attributes(el)) {
            if (localName.toLowerCase() !== wanted || reader.string(value) === value) continue;
            Agent.fail('secret_refused', `a secret is in an attribute ${Text.quote(name)} of this page, so nothing is selected by the values of that`);
          }
        }
      }
    }
  };

  return Object.freeze({ start, during, check, requireComparable });
})();
