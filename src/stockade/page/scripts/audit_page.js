// How a page is built: its head, headings, landmarks, lists and identifiers.
(kit, tables, elements) => {
  const { Aria, Dom, Text } = globalThis.stockade.modules;
  const { rule, heard } = kit;
  const read = (name) => Dom.getter(Document.prototype, name)(document);
  const root = read('documentElement');
  const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

  const spoken = elements.filter(heard);
  const ofRole = (role) => spoken.filter((el) => Aria.role(el) === role);
  const headings = ofRole('heading');
  const level = (el) => Number(Aria.states(el, 'heading').level || 2);

  const jumps = () =>
    headings
      .slice(1)
      .map((el, at) => ({ el, from: level(headings[at]), to: level(el) }))
      .filter(({ from, to }) => to > from + 1)
      .map(({ el, from, to }) => ({ el, said: `a heading of level ${to} follows one of level ${from}` }));

  const LANDMARKS = ['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search'];
  // What lies behind a dialog is hidden for now, but it is there.
  const mains = elements.filter((el) => Aria.role(el) === 'main');
  const titled = elements.some((el) => Aria.role(el) === 'heading' && level(el) === 1);
  const surplus = (role) => () =>
    ofRole(role)
      .slice(1)
      .map((el) => ({ el, said: `there is more than one ${role}` }));
  const alike = () =>
    LANDMARKS.flatMap((role) => {
      const seen = new Map();
      for (const el of ofRole(role)) {
        const name = kit.fold(Aria.name(el));
        if (!seen.has(name)) seen.set(name, []);
        seen.get(name).push(el);
      }
      return [...seen]
        .filter(([, list]) => list.length > 1)
        .map(([name, [el, ...rest]]) => ({
          el,
          said: `${rest.length + 1} landmarks are ${role}${name ? ` ${Text.quote(Text.cut(name, 40))}` : ' without a name'}`,
        }));
    });

  // Ids that something refers to and several elements have.
  const REFERENCES = [
    'aria-labelledby',
    'aria-describedby',
    'aria-controls',
    'aria-owns',
    'aria-activedescendant',
    'aria-details',
    'aria-errormessage',
    'aria-flowto',
    'for',
  ];
  const twice = () => {
    const wanted = new Set(elements.flatMap((el) => REFERENCES.flatMap((name) => kit.ids(el, name))));
    const seen = new Map();
    for (const el of Dom.query(document, '[id]')) {
      const id = Dom.attr(el, 'id');
      if (!wanted.has(id)) continue;
      if (!seen.has(id)) seen.set(id, []);
      seen.get(id).push(el);
    }
    return [...seen]
      .filter(([, list]) => list.length > 1)
      .map(([id, list]) => ({
        el: list[1],
        said: `${list.length} elements have the id ${Text.quote(Text.cut(id, 40))} that something refers to`,
      }));
  };

  const content = (name) => {
    const [el] = Dom.query(document, `meta[name="${name}" i]`);
    return el ? { el, said: Dom.attr(el, 'content') || '' } : null;
  };
  const zoom = () => {
    const viewport = content('viewport');
    if (!viewport) return [];
    const parts = new Map(
      viewport.said.split(/[,;]/).map((part) =>
        part
          .toLowerCase()
          .split('=')
          .map((each) => each.trim()),
      ),
    );
    const most = Number.parseFloat(parts.get('maximum-scale'));
    const blocked = /^(?:no|0)$/.test(parts.get('user-scalable') || '') || (most >= 0 && most < 2);
    return blocked ? [{ el: viewport.el, said: 'the page cannot be zoomed to twice its size' }] : [];
  };
  const refresh = () =>
    [...Dom.query(document, 'meta[http-equiv="refresh" i]')]
      .filter((el) => {
        const seconds = Number.parseFloat(Dom.attr(el, 'content') || '');
        return seconds > 0 && seconds < 72000;
      })
      .map((el) => ({ el, said: 'the page reloads or leaves by itself' }));

  const SCRIPTS = new Set(['script', 'template', 'style']);
  const elementsIn = (el) => Dom.childNodes(el).filter(Dom.isElement);
  const listed = (el, role) => {
    if (!/^(?:ul|ol|menu)$/.test(Dom.tag(el)) || role !== 'list' || !heard(el)) return false;
    const stray = elementsIn(el).filter(
      (child) =>
        !SCRIPTS.has(Dom.tag(child)) &&
        !Aria.pruned(child) &&
        Aria.role(child) !== 'listitem' &&
        Dom.tag(child) !== 'slot',
    );
    const loose = Dom.childNodes(el).some((child) => Dom.isText(child) && /\S/.test(Dom.text(child)));
    if (stray.length) return `the list holds <${Dom.tag(stray[0])}> beside its items`;
    return loose && 'the list holds text beside its items';
  };
  const strayItem = (el) => {
    if (Dom.tag(el) !== 'li' || Dom.has(el, 'role') || !heard(el)) return false;
    const above = kit.above(el);
    return !(above && Aria.role(above) === 'list') && 'the list item is in no list';
  };
  const defined = (el) => {
    if (Dom.tag(el) !== 'dl' || Dom.has(el, 'role') || !heard(el)) return false;
    const stray = elementsIn(el).find(
      (child) => !/^(?:dt|dd|div|script|template|style)$/.test(Dom.tag(child)) && !Aria.pruned(child),
    );
    return stray ? `the definition list holds <${Dom.tag(stray)}> beside terms and definitions` : false;
  };
  const strayTerm = (el) => {
    if (!/^d[td]$/.test(Dom.tag(el)) || Dom.has(el, 'role') || !heard(el)) return false;
    let above = Dom.parent(el);
    if (above && Dom.tag(above) === 'div') above = Dom.parent(above);
    return Dom.tag(above || el) !== 'dl' && `<${Dom.tag(el)}> is in no definition list`;
  };

  const FILLED = new Set(
    (
      'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password ' +
      'current-password one-time-code organization-title organization street-address address-line1 address-line2 address-line3 ' +
      'address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name cc-given-name ' +
      'cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency ' +
      'transaction-amount language bday bday-day bday-month bday-year sex url photo tel tel-country-code tel-national ' +
      'tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp on off'
    ).split(' '),
  );
  const filled = (el) => {
    const said = Dom.isField(el) ? kit.ids(el, 'autocomplete').map((word) => word.toLowerCase()) : [];
    if (!said.length) return false;
    const last = said.at(-1) === 'webauthn' && said.length > 1 ? said.at(-2) : said.at(-1);
    return !FILLED.has(last) && last !== 'webauthn' && `autocomplete does not know ${Text.quote(Text.cut(last, 40))}`;
  };

  const skips = () =>
    [...Dom.query(document, 'a[href^="#"]')]
      .slice(0, 3)
      .filter((el) => {
        const id = Dom.attr(el, 'href').slice(1);
        const skip = /skip|jump|springe|zum inhalt|aller au|saltar/i.test(Aria.name(el) || Dom.textContent(el));
        return id && skip && !Dom.byId(root, id) && !Dom.query(document, `[name="${CSS.escape(id)}"]`).length;
      })
      .map((el) => ({ el, said: 'the skip link leads nowhere' }));
  const keys = () => {
    const seen = new Map();
    for (const el of elements) {
      const key = (Dom.attr(el, 'accesskey') || '').toLowerCase();
      if (key) seen.set(key, [...(seen.get(key) || []), el]);
    }
    return [...seen]
      .filter(([, list]) => list.length > 1)
      .map(([key, list]) => ({ el: list[1], said: `the access key ${Text.quote(key)} is given twice` }));
  };
  const title = Text.clean(read('title'));
  const lang = (Dom.attr(root, 'lang') || Dom.attr(root, 'xml:lang') || '').trim();
  const once = (wrong, said, more) => () => (wrong() ? [{ said, ...more }] : []);

  return [
    rule('document-title', '2.4.2 A', 'serious', 'Give the page a <title>.', {
      whole: true,
      main: true,
      page: once(() => !title, 'the page has no title'),
    }),
    rule('html-has-lang', '3.1.1 A', 'serious', 'Say the language: <html lang="en">.', {
      whole: true,
      page: once(() => !lang, 'the page does not say its language'),
    }),
    rule('html-lang-valid', '3.1.1 A', 'serious', 'Use a language tag such as en or pt-BR.', {
      whole: true,
      page: once(() => lang && !LANGUAGE.test(lang), 'lang is no language tag'),
    }),
    rule('meta-viewport', '1.4.4 AA', 'critical', 'Remove user-scalable=no and maximum-scale.', {
      whole: true,
      main: true,
      page: zoom,
    }),
    rule('meta-refresh', '2.2.1 A', 'critical', 'Remove the refresh, or let people stop it.', {
      whole: true,
      page: refresh,
    }),
    rule('bypass', '2.4.1 A', 'serious', 'Add a main landmark, headings or a skip link.', {
      whole: true,
      main: true,
      page: once(
        () =>
          !mains.length && !headings.length && ofRole('link').length > 5 && !Dom.query(document, 'a[href^="#"]').length,
        'nothing lets one skip to the content',
      ),
    }),
    rule('landmark-one-main', '1.3.1 A', 'moderate', 'Put the main content into <main>.', {
      whole: true,
      main: true,
      page: once(() => !mains.length, 'there is no main landmark'),
    }),
    rule('landmark-no-duplicate-main', '1.3.1 A', 'moderate', 'Keep one <main>.', {
      whole: true,
      page: surplus('main'),
    }),
    rule('landmark-no-duplicate-banner', '1.3.1 A', 'moderate', 'Keep one banner.', {
      whole: true,
      page: surplus('banner'),
    }),
    rule('landmark-no-duplicate-contentinfo', '1.3.1 A', 'moderate', 'Keep one contentinfo.', {
      whole: true,
      page: surplus('contentinfo'),
    }),
    rule('landmark-unique', '1.3.1 A', 'moderate', 'Name landmarks of the same kind differently.', {
      whole: true,
      page: alike,
    }),
    rule('page-has-heading-one', '1.3.1 A', 'moderate', 'Begin the content with an <h1>.', {
      whole: true,
      main: true,
      page: once(() => !titled, 'there is no heading of level 1'),
    }),
    rule('heading-order', '1.3.1 A', 'moderate', 'Let levels rise by one.', { page: jumps }),
    rule('duplicate-id-aria', '4.1.2 A', 'critical', 'Give each element an id of its own.', { page: twice }),
    rule('skip-link', '2.4.1 A', 'moderate', 'Let it lead to the id of the main content.', {
      whole: true,
      page: skips,
    }),
    rule('accesskeys', '2.1.1 A', 'serious', 'Use each access key once.', { page: keys }),
    rule('autocomplete-valid', '1.3.5 AA', 'serious', 'Use a token of the HTML standard.', { element: filled }),
    rule('list', '1.3.1 A', 'serious', 'Put only <li> into the list.', { element: listed }),
    rule('listitem', '1.3.1 A', 'serious', 'Put it into <ul> or <ol>.', { element: strayItem }),
    rule('definition-list', '1.3.1 A', 'serious', 'Put only <dt>, <dd> and <div> into the list.', { element: defined }),
    rule('dlitem', '1.3.1 A', 'serious', 'Put it into <dl>.', { element: strayTerm }),
    rule('marquee', '2.2.2 A', 'serious', 'Let nothing blink or scroll by itself.', {
      element: (el) => /^(?:blink|marquee)$/.test(Dom.tag(el)) && `<${Dom.tag(el)}> moves by itself`,
    }),
  ];
}
