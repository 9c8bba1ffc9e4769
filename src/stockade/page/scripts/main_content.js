// The part of a page that it is there for: what it says is its main part, else where the prose is.
() => {
  const { Aria, Dom, Pass, Place } = globalThis.stockade.modules;
  const PROSE = new Set(['p', 'pre', 'td', 'blockquote', 'li', 'dd', 'figcaption']);
  const APART = new Set([
    'navigation',
    'complementary',
    'contentinfo',
    'banner',
    'search',
    'dialog',
    'menu',
    'menubar',
  ]);
  const JUNK =
    /(?:^|[\s_-])(?:ad|ads|banner|breadcrumbs?|comments?|cookie|footer|menu|meta|nav|pager|promo|related|share|sidebar|social|sponsor|toolbar|widget)(?:$|[\s_-])/i;
  const GOOD = /(?:^|[\s_-])(?:article|body|content|entry|main|page|post|story|text)(?:$|[\s_-])/i;
  const root = Dom.getter(Document.prototype, 'documentElement')(document);
  const LEAST = 25;
  const LEAST_PAGE = 140;

  const visible = (el) => Place.rendered(el) && Aria.included(el);
  const alone = (role) => {
    const found = [...Dom.query(document, `${role === 'main' ? 'main' : 'article'}, [role~="${role}"]`)].filter(
      (el) => Aria.role(el) === role && visible(el),
    );
    return found.length === 1 ? found[0] : null;
  };
  const length = (el) => Dom.textContent(el).replace(/\s+/g, ' ').length;
  const linkShare = (el) => {
    const all = length(el) || 1;
    let inLinks = 0;
    for (const link of [...Dom.query(el, 'a')].slice(0, 3000)) inLinks += length(link);
    return Math.min(1, inLinks / all);
  };

  const declared = alone('main') || alone('article');
  if (declared && length(declared) >= LEAST_PAGE) return declared;

  const scores = new Map();
  const add = (el, points) => {
    if (!el || el === root) return;
    const mark = `${Dom.attr(el, 'class') || ''} ${Dom.attr(el, 'id') || ''}`;
    if (!scores.has(el)) scores.set(el, (GOOD.test(mark) ? 25 : 0) - (JUNK.test(mark) ? 25 : 0));
    scores.set(el, scores.get(el) + points);
  };
  Pass.walk(
    Dom.getter(Document.prototype, 'body')(document) || root,
    (el) => {
      if (Aria.pruned(el) || APART.has(Aria.role(el))) return false;
      if (!PROSE.has(Dom.tag(el))) return true;
      const said = Dom.textContent(el).trim();
      if (said.length < LEAST) return true;
      const points = 1 + (said.match(/[,，、]/g) || []).length + Math.min(3, said.length / 100);
      const above = Dom.parent(el);
      add(above, points);
      add(above && Dom.parent(above), points / 2);
      return true;
    },
    { ms: 200 },
  );
  let best = null;
  let most = 0;
  for (const [el, points] of scores) {
    const value = points * (1 - linkShare(el));
    if (value > most) [best, most] = [el, value];
  }
  if (!best || length(best) < LEAST_PAGE) return declared;
  // Siblings with nearly as much to say belong to the same text.
  const above = Dom.parent(best);
  const beside = above ? Dom.children(above).filter((el) => el !== best && (scores.get(el) || 0) > most * 0.3) : [];
  return beside.length && above !== root ? above : best;
}
