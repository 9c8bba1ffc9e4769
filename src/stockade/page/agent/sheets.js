// Style sheets: which elements their rules may give generated text, a hand as pointer, or another look
// under the pointer. To ask
// each element for its style would cost more, and would not tell what is its own from what it inherits.
const Sheets = (() => {
  const PSEUDO = /::?(before|after)\b/;
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
  const DRAWN = '[opacity],[filter],[mask],[clip-path]';
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
  const subjectOf = (selector, rule) => {
    const last = selector.replace(/\[[^\]]*\]|::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/g, '').trim().split(/[\s>+~]+/).at(-1);
    if (!last.includes('&')) return last;
    return rule.parentRule instanceof CSSStyleRule ? subjectOf(ruleSelector(rule.parentRule), rule.parentRule) : '';
  };

  // Selectors, or null where any element may be meant.
  const read = (sheet) => {
    const found = { decorated: [], pointed: [], passing: [], hovered: [], veiling: [], dimming: [], hiding: [], broad: false };
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
      if (found.veiling && veils(style)) {
        if (nested) found.veiling = null;
        else found.veiling.push(...parts(selector).filter((part) => !part.includes('::')));
      }
      const dims = veils(style) || pales(style);
      if (dims || HIDING.test(ruleText(style))) {
        const subjects = parts(selector).filter((part) => !part.includes('::')).map((part) => [subjectOf(part, rule), nested ? '&' : part]);
        if (dims) found.dimming.push(...subjects);
        found.hiding.push(...subjects);
      }
      if (PSEUDO.test(selector)) {
        if (!addsText(style)) continue;
        if (nested) found.decorated = null;
        if (!found.decorated) continue;
        for (const part of parts(selector)) {
          if (PSEUDO.test(part)) found.decorated.push(part.replace(/::?(before|after)\b.*/, '').trim() || '*');
        }
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

  const UNKNOWN = Object.freeze({ decorated: null, pointed: null, passing: [], hovered: [], veiling: null, dimming: null, hiding: null, broad: true });
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
  // The elements of the document that some rule of a kind may mean; null: any.
  const matching = (kind) => {
    const found = selectors(kind);
    try {
      return found && new Set(found.length ? Dom.query(document, found.join(',')) : []);
    } catch (error) {
      return null; // a selector that only works with its pseudo-element
    }
  };
  // Those that some rule or attribute may keep from being seen; null: any.
  const veiled = () => {
    const found = matching('veiling');
    if (!found) return null;
    for (const el of Dom.query(document, '[style]')) if (VEILING.test(Dom.attr(el, 'style'))) found.add(el);
    for (const el of Dom.query(document, DRAWN)) found.add(el);
    return found;
  };

  // Whether some rule or attribute may hide an element (`hiding`), or make hard to see what is in it
  // (`dimming`). Asked of single elements, by the class, the id or the name that rules are for; so rules are
  // put in order by these, once for as long as the sheets stay the same.
  const KEY = /^[\w*|-]*?([.#](?:[\w-]|\\.|[^\x00-\x7f])+)|^([a-z][\w-]*)/i;
  const ordered = { __proto__: null, hiding: { sheets: [], keys: null }, dimming: { sheets: [], keys: null } };
  const keysOf = Dom.memo((kind) => {
    const sheets = all('document');
    const known = ordered[kind];
    if (known.keys && sheets.length === known.sheets.length && sheets.every((sheet, at) => sheet === known.sheets[at])) return known.keys;
    const keys = { any: false, ids: false, rules: new Map(), applicable: new Map() };
    for (const sheet of sheets) {
      if (!sheet[kind]) keys.any = true;
      else for (const [subject, selector] of sheet[kind]) {
        const [, marked, tag] = KEY.exec(subject) || [];
        const key = marked ? marked.replaceAll('\\', '') : (tag || '').toLowerCase();
        if (key.startsWith('#')) keys.ids = true;
        if (keys.rules.has(key)) keys.rules.get(key).push(selector);
        else keys.rules.set(key, [selector]);
      }
    }
    for (const [key, selectors] of keys.rules) keys.rules.set(key, selectors.some((each) => each.includes('&')) ? '' : selectors.join(','));
    ordered[kind] = { sheets, keys };
    return keys;
  });
  const meant = (el, selectors) => {
    if (selectors === undefined) return false;
    try {
      return selectors === '' || Dom.matches(el, selectors);
    } catch (error) {
      return true; // a selector that only works where it stands
    }
  };
  const INLINE = {
    __proto__: null, hiding: new RegExp(`${HIDING.source}|${VEILING.source}`, 'i'),
    dimming: /color|font|opacity *: *0?\.|opacity *: *0|filter|mask|clip|backface|z-index|text-indent|translate|-\d\d|\d{4}/i,
  };
  // Selectors that may mean elements of one tag and class, of which there are few: '' for any, null for none.
  const applicableTo = (keys, tag, classes) => {
    const key = `${tag} ${classes}`;
    let found = keys.applicable.get(key);
    if (found === undefined) {
      const names = classes.split(/\s+/).filter(Boolean).map((each) => `.${each}`);
      const sets = ['', tag, ...names].map((each) => keys.rules.get(each)).filter((each) => each !== undefined);
      found = sets.length ? (sets.includes('') ? '' : sets.join(',')) : null;
      keys.applicable.set(key, found);
    }
    return found;
  };
  const may = (kind, el) => {
    const keys = keysOf(kind);
    if (keys.any) return true;
    const style = Dom.attr(el, 'style');
    const tag = Dom.tag(el);
    if ((style && INLINE[kind].test(style)) || tag === 'font') return true;
    const found = applicableTo(keys, tag, Dom.attr(el, 'class') || '');
    return (found !== null && meant(el, found)) || (keys.ids && meant(el, keys.rules.get(`#${Dom.attr(el, 'id')}`)));
  };

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

  return Object.freeze({ matching, veiled, may, asker, clickHints });
})();
