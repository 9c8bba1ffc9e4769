// Style sheets: which elements their rules may hide, or give generated text, a hand as pointer, or another
// look under the pointer. To ask each element for its style would cost more, and would not tell what is its
// own from what it inherits.
const Sheets = (() => {
  const PSEUDO = /(?<!\\)::?(?:before|after)\b/;
  const PSEUDO_END = /(?<!\\):(?:before|after)\b.*/;
  const PASSING = /:(?:hover|active|focus(?:-visible|-within)?)\b/g;
  const ruleSelector = Dom.getter(CSSStyleRule.prototype, 'selectorText');
  const ruleStyle = Dom.getter(CSSStyleRule.prototype, 'style');
  const ruleText = Dom.getter(CSSStyleDeclaration.prototype, 'cssText');

  const addsText = (style) => {
    const { content } = style;
    return content !== '' && content !== 'none' && content !== 'normal' && content !== '""';
  };
  // What may keep an element from being seen although it has its box: see `Veils`.
  const veils = (style) => (style.opacity !== '' && style.opacity !== '1') || (style.filter !== '' && style.filter !== 'none')
    || style.maskImage !== '' || style.maskSize !== '' || style.clipPath !== '' || style.clip !== ''
    || style.backfaceVisibility === 'hidden' || style.zIndex.startsWith('-') || style.zIndex.includes('(');
  const DRAWN = ['opacity', 'filter', 'mask', 'clip-path'];
  // What may make its words hard to see: ink like paper, or none.
  const PALE = /^(?:white|transparent)$|rgba?\((?:2[2-5]\d[, ]+){2}2[2-5]\d|(?:\/|^rgba\((?:[^,]*,){3}) *0?(?:\.[0-4]\d*)?\)$/;
  const pales = (style) => (style.color !== '' && PALE.test(style.color))
    || (style.webkitTextFillColor !== '' && PALE.test(style.webkitTextFillColor));
  // What may hide a part of something: also by its place, its size or any colour.
  const HIDING = new RegExp('(?:^|[; ])(?:color|-webkit-text-fill-color|background(?:-color)?|transform|translate|scale|rotate|zoom|contain'
    + '|text-indent|content-visibility|(?:left|right|top|bottom|inset[\\w-]*)) *:|position *: *(?:absolute|fixed)'
    + '|margin[\\w-]* *:[^;]*-|font(?:-size)? *:[^;]*(?:\\b[01](?:\\.\\d+)?(?:px|[ /;]|$)|\\b0?\\.[01]\\d*(?:r?em|%)|\\()'
    + '|overflow[\\w-]* *: *(?:hidden|clip)|(?:width|height|-size) *: *[0-2](?:\\.\\d+)?(?:px)?(?:;|$)', 'i');
  const VEILING = /opacity|filter|mask|clip|backface|z-index|all\s*:/i;
  const points = (style) => style.cursor.endsWith('pointer');
  const parts = (selector) => selector.split(/,(?![^(]*\))/);
  // All that is in something has the pointer of that thing, and is not another.
  const ofAll = (selector) => /(?:^|[\s>+~])\*(?::|$)/.test(selector);

  // Rules for the very element that the pointer is over, as they read without it.
  const isHovered = (part) => /:hover[^\s>+~]*$/.test(part) && !part.includes('&');
  const SPECIFIC = /(?:^|[\s>+~])[a-z.#[][^\s>+~]*$/i;
  const atRest = (part) => {
    const lasting = part.replace(PASSING, '').replace(/::?[\w-]+$/, '').trim();
    return SPECIFIC.test(lasting) ? lasting : '';
  };

  // The last part of a selector, without what it says of states and attributes; of a nested one, `&` is the
  // subject of the rule around it.
  const ESCAPED_CODE = /\\[\da-f\n]/i;
  const STATES = /(\\.)|\[[^\]]*\]|::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/g;
  const subjectOf = (selector, rule) => {
    if (ESCAPED_CODE.test(selector)) return '';
    const last = selector.replace(STATES, '$1').trim().split(/(?<!\\)[\s>+~]+/).at(-1);
    if (!/(?<!\\)&/.test(last)) return last;
    return rule.parentRule instanceof CSSStyleRule ? subjectOf(ruleSelector(rule.parentRule), rule.parentRule) : '';
  };

  // Selectors; of `pointed`, null where any element may be meant. What rules do to elements without regard to
  // what these inherit is listed in `kinds`, as pairs of a selector's subject and the selector.
  const read = (sheet) => {
    const found = { pointed: [], passing: [], hovered: [], kinds: { hiding: [], dimming: [], veiling: [], decorated: [] }, broad: false };
    const pending = [...sheet.cssRules];
    while (pending.length) {
      const rule = pending.pop();
      if (rule.cssRules && rule.cssRules.length) pending.push(...rule.cssRules);
      if (rule.styleSheet) pending.push(...rule.styleSheet.cssRules);
      if (!(rule instanceof CSSStyleRule)) continue;
      const selector = ruleSelector(rule);
      const style = ruleStyle(rule);
      if (selector.includes(':hover')) found.hovered.push(...parts(selector).filter(isHovered).map(atRest).filter(Boolean));
      const nested = selector.includes('&') || (rule.parentRule && rule.parentRule instanceof CSSStyleRule);
      const subjects = (wanted) => parts(selector).filter(wanted)
        .map((part) => part.replace(/::.*/, '').replace(PSEUDO_END, '').trim() || '*')
        .map((part) => [subjectOf(part, rule), nested ? '&' : part]);
      const veiling = veils(style);
      const dimming = veiling || pales(style);
      if (dimming || HIDING.test(ruleText(style))) {
        const meant = subjects((part) => !part.includes('::'));
        found.kinds.hiding.push(...meant);
        if (dimming) found.kinds.dimming.push(...meant);
        if (veiling) found.kinds.veiling.push(...meant);
      }
      if (PSEUDO.test(selector)) {
        if (addsText(style)) found.kinds.decorated.push(...subjects((part) => PSEUDO.test(part)));
      } else if (points(style)) {
        if (nested) found.pointed = null;
        if (!found.pointed) continue;
        for (const part of parts(selector)) {
          if (ofAll(part.trim())) {
            found.broad = true;
            continue;
          }
          const lasting = part.replace(PASSING, '').trim();
          if (lasting === part.trim()) found.pointed.push(lasting);
          else if (lasting && !/[\s>+~(]$/.test(lasting)) found.passing.push(lasting);
        }
      }
    }
    return found;
  };

  const UNKNOWN = Object.freeze({ pointed: null, passing: [], hovered: [], kinds: null, broad: true });
  const kept = new WeakMap();
  const selectorsOf = (sheet) => {
    try {
      const size = sheet.cssRules.length;
      const known = kept.get(sheet);
      if (known && known.size === size) return known.selectors;
      const selectors = read(sheet);
      kept.set(sheet, { size, selectors });
      return selectors;
    } catch (error) {
      return UNKNOWN; // a sheet of another origin does not show its rules
    }
  };

  const documentSheets = Dom.getter(Document.prototype, 'styleSheets');
  const documentAdopted = Dom.getter(Document.prototype, 'adoptedStyleSheets');
  const all = Dom.memo(() => [...documentSheets(document), ...documentAdopted(document)].map(selectorsOf));

  // The selectors of a kind, in all sheets; null where any element may be meant.
  const selectors = (kind) => {
    const found = [];
    for (const sheet of all('document')) {
      if (!sheet[kind] || sheet[kind].includes('*')) return null;
      found.push(...sheet[kind]);
    }
    return found;
  };

  // Whether some rule or attribute may hide an element (`hiding`), make hard to see what is in it (`dimming`),
  // keep it from being seen although it has its box (`veiling`), or add text to it (`decorated`). Rules are put
  // in order by the class, the id or the name that they are for, once for as long as the sheets stay the
  // same; elements of one name and class, of which there are many, have the same to be tried.
  const KEY = /^[\w*|-]*?([.#](?:[\w-]|\\.|[^\x00-\x7f])+)|^([a-z][\w-]*)/i;
  const BITS = { __proto__: null, hiding: 1, dimming: 2, veiling: 4, decorated: 8 };
  const NONE = Object.freeze([]);
  const compatMode = Dom.getter(Document.prototype, 'compatMode');
  const isQuirky = () => compatMode(document) === 'BackCompat';
  // Key → [[bit, selectors]], where selectors are '' for any element.
  const order = (sheets, quirky) => {
    const lists = new Map();
    for (const { kinds } of sheets) for (const kind of Object.keys(kinds)) for (const [subject, selector] of kinds[kind]) {
      const [, marked, tag] = KEY.exec(subject) || [];
      let key = marked ? marked.replaceAll('\\', '') : (tag || '').toLowerCase();
      if (quirky) key = key.toLowerCase();
      if (!lists.has(key)) lists.set(key, { __proto__: null });
      (lists.get(key)[kind] ||= new Set()).add(selector);
    }
    const rules = new Map();
    for (const [key, found] of lists) {
      rules.set(key, Object.keys(found).map((kind) => [BITS[kind], found[kind].has('&') || found[kind].has('*') ? '' : [...found[kind]].join(',')]));
    }
    return rules;
  };
  let lastOrder = null;
  const ordered = Dom.memo(() => {
    const sheets = all('document');
    const quirky = isQuirky();
    const known = lastOrder;
    if (known && known.quirky === quirky && sheets.length === known.sheets.length && sheets.every((sheet, at) => sheet === known.sheets[at])) return known;
    const any = sheets.some(({ kinds }) => !kinds);
    const rules = any ? new Map() : order(sheets, quirky);
    const ids = [...rules.keys()].some((key) => key.startsWith('#'));
    lastOrder = { sheets, quirky, any, rules, ids, byClass: new Map() };
    return lastOrder;
  });
  const MOST_CLASSES = 5000;
  const rulesFor = ({ rules, byClass, quirky }, tag, classes) => {
    let byTag = byClass.get(classes);
    if (!byTag) {
      if (byClass.size >= MOST_CLASSES) byClass.clear();
      byTag = new Map();
      byClass.set(classes, byTag);
    }
    let found = byTag.get(tag);
    if (!found) {
      const names = (quirky ? classes.toLowerCase() : classes).split(/\s+/).filter(Boolean).map((each) => `.${each}`);
      const lists = ['', tag.toLowerCase(), ...names].map((each) => rules.get(each)).filter(Boolean);
      found = lists.length ? lists.flat() : NONE;
      byTag.set(tag, found);
    }
    return found;
  };
  const isMeant = (el, selectors) => {
    try {
      return selectors === '' || Dom.matches(el, selectors);
    } catch (error) {
      return true; // a selector that only works where it stands
    }
  };
  const INLINE = [
    [BITS.hiding, new RegExp(`${HIDING.source}|${VEILING.source}`, 'i')],
    [BITS.dimming, /color|font|opacity *: *0?\.|opacity *: *0|filter|mask|clip|backface|z-index|text-indent|translate|-\d\d|\d{4}/i],
    [BITS.veiling, VEILING],
  ];
  const ofRules = (el, wanted) => {
    const known = ordered('document');
    if (known.any) return wanted;
    let bits = 0;
    const ask = (rules) => {
      for (const [bit, selectors] of rules) if (bit & wanted & ~bits && isMeant(el, selectors)) bits |= bit;
    };
    ask(rulesFor(known, Dom.tag(el), Dom.attr(el, 'class') || ''));
    const id = known.ids && Dom.attr(el, 'id');
    if (id) ask(known.rules.get(`#${known.quirky ? id.toLowerCase() : id}`) || NONE);
    return bits;
  };
  const ofAttributes = (el) => {
    let bits = Dom.tag(el) === 'font' ? BITS.hiding | BITS.dimming : 0;
    const style = Dom.attr(el, 'style');
    if (style) for (const [bit, pattern] of INLINE) if (pattern.test(style)) bits |= bit;
    return Dom.isSvg(el) && DRAWN.some((name) => Dom.has(el, name)) ? bits | BITS.veiling : bits;
  };
  // Colours and places hide nothing in most cases, and have the most rules: asked for apart, of few.
  const COMMON = BITS.dimming | BITS.veiling | BITS.decorated;
  const commonOf = Dom.memo((el) => ofAttributes(el) | ofRules(el, COMMON));
  const may = (kind, el) => (commonOf(el) & BITS[kind]) !== 0 || (kind === 'hiding' && ofRules(el, BITS.hiding) !== 0);

  // The same, to be asked of single elements: {some, tags, test, broad}. `tags` are those of elements that
  // may be meant without any attribute; with `broad`, rules for all that is in something were left out.
  const LAST = /(?:^|[\s>+~])([a-z][\w-]*)?([^\s>+~]*)$/i;
  const askerOf = (found) => {
    if (!found) return false;
    const tags = new Set();
    for (const selector of found) {
      const [, tag, rest] = LAST.exec(selector) || [];
      if (tag && !/[.#[]/.test(rest)) tags.add(tag.toLowerCase());
      else if (!tag && /^:/.test(rest || ':')) return false;
    }
    const joined = found.join(',');
    try {
      if (joined) Dom.query(document.createDocumentFragment(), joined);
    } catch (error) {
      return false;
    }
    const broad = all('document').some((sheet) => sheet.broad);
    return { some: joined !== '', tags, broad, test: (el) => joined !== '' && Dom.matches(el, joined) };
  };
  const asker = Dom.memo((kind) => askerOf(selectors(kind)));
  // Whether an element may be one to click, by an attribute or by a rule of either kind; false where any may.
  const MARKS = ['[onclick]', '[tabindex]', '[style*=cursor]'];
  const hinted = Dom.memo(() => {
    const [pointed, passing] = [selectors('pointed'), selectors('passing')];
    const found = pointed && passing ? askerOf([...MARKS, ...pointed, ...passing]) : false;
    return found && !found.broad ? found : false;
  });
  const clickHints = () => hinted('document');

  return Object.freeze({ may, asker, clickHints });
})();
