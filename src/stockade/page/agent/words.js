// Words of a page and of a query, made comparable: case, diacritics, plurals, identifiers,
// scripts without spaces, symbols that stand for a word.
const Words = (() => {
  const ASCII = /^[\x00-\x7f]*$/;
  const MARKS = /[\u0300-\u036f\u064b-\u0652\u0670]/g;
  const LIGATURES = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
  const LIGATURE = /[ßæœøłđðþı]/g;
  const SPACELESS = new RegExp('[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
    + '\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]', 'u');
  const WORD = /[\p{L}\p{M}\p{N}]+/gu;
  const MAIL = /\be-mail/g;
  const POSSESSIVE = /(?<=\p{L})['’]s(?!\p{L})/gu;
  const anyOf = (parts, flags) => new RegExp(parts.sort((a, b) => b.length - a.length)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') || '(?!)', flags);

  const fold = (string) => {
    if (ASCII.test(string)) return string.toLowerCase();
    return Text.strip(string).normalize('NFKD').replace(MARKS, '').normalize('NFKC').toLowerCase()
      .replace(LIGATURE, (letter) => LIGATURES[letter]);
  };

  // `userEmail-field_2` → `user Email field 2`
  const spread = (identifier) => identifier
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$1$2 ')
    .replace(/[-_./:#]+/g, ' ');

  const DOUBLE = /([bdfgmnprt])\1$/;
  const stem = (word) => {
    if (word.length < 4 || !ASCII.test(word)) return word;
    let root = word;
    if (/(?:ss|sh|ch|x)es$/.test(root)) root = root.slice(0, -2);
    else if (/[^sui]s$/.test(root)) root = root.slice(0, -1);
    if (root.endsWith('ing') && root.length > 5) root = root.slice(0, -3).replace(DOUBLE, '$1');
    else if (root.endsWith('ed') && root.length > 4) root = root.slice(0, -2).replace(DOUBLE, '$1');
    if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
    return root.length > 3 && root.endsWith('y') ? `${root.slice(0, -1)}i` : root;
  };

  const FILLER = new Set(('a an the to in of for on with my this that these those please and or is it its at by from '
    + 'under inside within near as into your our me i').split(' '));
  const filler = (word) => FILLER.has(word);

  // phrase or symbol → the ideas it may stand for; made at first use, most documents never need it
  const learn = () => {
    const ideas = new Map();
    const longest = new Map();
    const know = (phrase, idea) => {
      const known = ideas.get(phrase);
      if (!known) ideas.set(phrase, [idea]);
      else if (!known.includes(idea)) known.push(idea);
    };
    const all = Synonyms.ideas();
    for (const [idea, { words, symbols }] of all.entries()) {
      for (const word of words.map(fold)) {
        know(word, idea);
        if (!word.includes(' ')) know(stem(word), idea);
        const parts = word.split(' ');
        if (parts.length > 1) longest.set(parts[0], Math.max(longest.get(parts[0]) || 1, parts.length));
      }
      for (const sign of symbols) know(sign, idea);
    }
    return { all, ideas, longest, symbol: anyOf(all.flatMap(({ symbols }) => symbols), 'gu') };
  };
  let learned = null;
  const lexicon = () => {
    learned = learned || learn();
    return learned;
  };

  const token = (word, { symbol = false, alone = true } = {}) => {
    const root = stem(word);
    const { ideas } = lexicon();
    return {
      word, stem: root, symbol, spaceless: SPACELESS.test(word),
      ideas: (alone || !FILLER.has(word)) && (ideas.get(word) || ideas.get(root)) || [],
    };
  };

  // Phrases that the synonyms know (`sign in`) become one token.
  const join = (words) => {
    const { ideas, longest } = lexicon();
    const found = [];
    for (let at = 0; at < words.length;) {
      let size = Math.min(longest.get(words[at]) || 1, words.length - at);
      while (size > 1 && !ideas.has(words.slice(at, at + size).join(' '))) size -= 1;
      found.push(token(words.slice(at, at + size).join(' '), { alone: words.length === 1 }));
      at += size;
    }
    return found;
  };

  // Symbols count as words only where letters do not already say it.
  const tokens = (string) => {
    const folded = fold(string).replace(POSSESSIVE, '').replace(MAIL, 'email');
    const words = folded.match(WORD) || [];
    const found = join(words);
    if (words.length <= 2 && folded.length < 40) {
      for (const sign of string.match(lexicon().symbol) || []) {
        if (sign !== '?' && sign !== '-' || !words.length) found.push(token(sign, { symbol: true }));
      }
    }
    return found;
  };

  const bigrams = (word) => {
    const letters = [...word];
    if (letters.length < 3) return [word];
    return letters.slice(1).map((letter, at) => letters[at] + letter);
  };

  // Whether one edit (or two, in long words) makes a of b; letters that changed places are one.
  const nearly = (a, b) => {
    const most = Math.min(a.length, b.length) >= 8 ? 2 : 1;
    if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > most) return false;
    let before = null;
    let row = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const swapped = before && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2] + 1 : Infinity;
        next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
      }
      before = row;
      row = next;
    }
    // In a short word another letter makes another word.
    const short = Math.min(a.length, b.length) === 4;
    return row[b.length] <= most && (!short || [...a].sort().join('') === [...b].sort().join(''));
  };

  const shared = (a, b) => a.ideas.length > 0 && a.ideas.some((idea) => b.ideas.includes(idea));

  // How well `wanted` is met by one token of the page, 0 to 1.
  const likeness = (wanted, found, fuzzy) => {
    if (wanted.word === found.word) return 1;
    if (wanted.symbol || found.symbol) return shared(wanted, found) ? 0.75 : 0;
    if (wanted.stem === found.stem) return 0.9;
    const related = shared(wanted, found) ? 0.8 : 0;
    const [short, long] = wanted.word.length < found.word.length
      ? [wanted.word, found.word] : [found.word, wanted.word];
    if (short.length >= 3 && long.startsWith(short)) {
      return Math.max(related, 0.5 + 0.35 * (short.length / long.length));
    }
    if (related) return related;
    if (wanted.word.length >= 4 && found.word.includes(wanted.word)) return 0.55;
    return fuzzy && nearly(wanted.word, found.word) ? 0.6 : 0;
  };

  // A text of the page, ready to be compared: `{text, tokens}`.
  const prepare = (string) => ({ text: fold(string), tokens: tokens(string) });
  const match = (wanted, prepared, fuzzy = false) => {
    if (wanted.spaceless) {
      if (prepared.text.includes(wanted.word)) return 1;
      const pairs = bigrams(wanted.word);
      const share = pairs.filter((pair) => prepared.text.includes(pair)).length / pairs.length;
      if (share > 0.3) return 0.8 * share;
    }
    let best = 0;
    for (const found of prepared.tokens) {
      best = Math.max(best, likeness(wanted, found, fuzzy));
      if (best === 1) break;
    }
    return best;
  };

  // Tests that reject at once most texts in which no token could be met (near misses apart):
  // `text` for prose, `code` for identifiers, where words have no edges.
  const sieve = (wanted) => {
    const starts = new Set();
    const parts = new Set();
    const add = (word) => starts.add(word.split(' ')[0].slice(0, 4));
    for (const each of wanted) {
      if (FILLER.has(each.word) && wanted.length > 1) continue;
      if (each.spaceless) for (const letter of each.word) parts.add(letter);
      if (each.symbol) parts.add(each.word);
      else if (each.word.length >= 4) parts.add(each.word);
      add(each.word);
      add(each.stem);
      for (const idea of each.ideas) {
        const { words, symbols } = lexicon().all[idea];
        for (const word of words.map(fold)) {
          add(word);
          if (SPACELESS.test(word)) parts.add(word);
        }
        for (const sign of symbols) parts.add(sign);
      }
      if (each.word.startsWith('email')) starts.add('e-ma');
    }
    starts.delete('');
    const inside = parts.size ? `|${anyOf([...parts]).source}` : '';
    const begin = anyOf([...starts]).source;
    return {
      text: new RegExp(`(?<![\\p{L}\\p{N}])(?:${begin})${inside}`, 'u'),
      code: new RegExp(`${begin}${inside}`, 'u'),
    };
  };

  return Object.freeze({ filler, fold, spread, stem, tokens, prepare, match, sieve });
})();
