// What a person asked for: words that say what the element is called, words that say what kind
// of thing it is, and words that say where it is.
const Query = (() => {
  const set = (string) => new Set(string.split(' '));
  const KINDS = `
button btn knob schaltflache knopf bouton boton кнопка 按钮 ボタン: button
link hyperlink anchor lien enlace ссылка 链接 リンク: link
field input textbox textfield box entry editor feld champ campo поле 输入框: textbox searchbox combobox spinbutton
textarea: textbox
searchbox searchbar: searchbox textbox
checkbox tickbox tick: checkbox switch menuitemcheckbox
radio: radio menuitemradio
switch toggle: switch checkbox button
dropdown select combobox combo picker listbox selector chooser: combobox listbox
option choice: option radio menuitem
tab reiter onglet: tab
heading header headline title uberschrift: heading
image picture photo img icon logo illustration: img
slider range: slider
spinner stepper: spinbutton
menu: menu menubar
menuitem: menuitem menuitemcheckbox menuitemradio
dialog modal popup overlay: dialog alertdialog
row line: row
cell: cell gridcell
column: columnheader
table grid: table grid treegrid
list: list listbox
item entry card: listitem article row
form: form
section region area panel: region group tabpanel complementary
toolbar: toolbar
sidebar: complementary navigation
navigation nav: navigation
footer: contentinfo
banner: banner region
paragraph text: paragraph
group fieldset: group radiogroup
tree: tree
progress: progressbar`;
  const kinds = new Map();
  for (const line of KINDS.trim().split('\n')) {
    const [words, roles] = line.split(': ');
    for (const word of words.split(' ')) {
      kinds.set(word, new Set([...(kinds.get(word) || []), ...roles.split(' ')]));
    }
  }

  const PLACES = set('in of for from under inside within on near at beside');
  const GESTURES = set('click press tap hit push type enter fill choose pick use find');

  const ORDINALS = new Map('first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
    .map((word, at) => [word, at + 1]));
  ORDINALS.set('last', -1);
  const place = (word) => ORDINALS.get(word) || Number((/^(\d{1,3})(?:st|nd|rd|th)$/.exec(word) || [])[1]) || 0;

  const SURE = 1;
  const NUMBER = 1.25;
  const KIND = 0.45;
  const GESTURE = 0.3;
  const FILL = 0.06;

  const weigh = (token, at, count) => {
    if (Words.filler(token.word) && count > 1) return FILL;
    if (at === 0 && count > 1 && GESTURES.has(token.word)) return GESTURE;
    return /^\p{N}/u.test(token.word) && count > 1 ? NUMBER : SURE;
  };

  // `{text, core, tokens: [{…token, weight, roles, tail}]}`
  const parse = (string) => {
    const text = Words.fold(Text.clean(string)).trim();
    const quoted = [...text.matchAll(/["“«]([^"”»]+)["”»]|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu)]
      .map((found) => (found[1] || found[2]).trim());
    const plain = text.replace(/["“”«»]/g, ' ');
    const found = Words.tokens(plain);
    let tail = false;
    const tokens = found.map((token, at) => {
      const roles = kinds.get(token.word) || kinds.get(token.stem) || null;
      if (at > 0 && PLACES.has(token.word)) tail = true;
      const weight = roles && found.length > 1 ? KIND : weigh(token, at, found.length);
      return { ...token, roles, weight, tail: tail && !PLACES.has(token.word) };
    });
    const heavy = tokens.filter((token) => token.weight >= SURE);
    const at = tokens.length > 1 ? tokens.findIndex((token) => place(token.word)) : -1;
    return {
      ordinal: at < 0 ? null : { at, word: tokens[at].word, place: place(tokens[at].word) },
      verb: tokens.findIndex((token) => token.weight === GESTURE),
      text: plain.replace(/\s+/g, ' ').trim(), quoted,
      core: heavy.map((token) => token.word).join(' '),
      coreWithVerb: tokens.filter(({ weight }) => weight >= SURE || weight === GESTURE).map(({ word }) => word).join(' '),
      tokens, sieve: Words.sieve(tokens),
    };
  };

  return Object.freeze({ parse });
})();
