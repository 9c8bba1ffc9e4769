// Words by which a selector names something, and how closely a text of the page meets them.
const Wording = (() => {
  // The lower the closer; of several elements those on the lowest level are meant.
  const SAME = 0;
  const SAME_IN_ANY_CASE = 1;
  const WHOLE_WORDS = 2;
  const PART = 3;
  const NOT = Infinity;

  const LETTER = /[\p{L}\p{M}\p{N}]/u;
  const inWord = (text, at) => at > 0 && at < text.length && LETTER.test(text[at - 1]) && LETTER.test(text[at]);
  const holdsWords = (text, words) => {
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
      if (!inWord(text, at) && !inWord(text, at + words.length)) return true;
    }
    return false;
  };

  const level = (said, wanted) => {
    const text = Text.clean(said);
    if (!wanted.clean) return NOT;
    if (text === wanted.clean) return SAME;
    const folded = Words.fold(text);
    if (folded === wanted.folded) return SAME_IN_ANY_CASE;
    if (!folded.includes(wanted.folded)) return NOT;
    return holdsWords(folded, wanted.folded) ? WHOLE_WORDS : PART;
  };

  // `farthest` is the level that still counts.
  const wording = (text, farthest = PART) => {
    const clean = Text.clean(text);
    const wanted = { clean, folded: Words.fold(clean) };
    const parts = wanted.folded.split(' ');
    return {
      text, exact: farthest === SAME,
      // Whether all the words are said, in whatever order.
      within: (said) => {
        const folded = Words.fold(Text.clean(said));
        return parts.every((part) => folded.includes(part));
      },
      level: (said) => {
        const found = level(said, wanted);
        return found <= farthest ? found : NOT;
      },
    };
  };

  const QUOTED = /^(["']).*\1$/s;
  const unquote = (string) => string.slice(1, -1).replace(/\\(.)/g, '$1');
  const quoted = (string) => string.length > 1 && QUOTED.test(string);
  // `"Buy"` asks for exactly that, `Buy` for something that contains it.
  const read = (string) => (quoted(string) ? wording(unquote(string), SAME) : wording(string));

  return Object.freeze({ SAME, SAME_IN_ANY_CASE, PART, NOT, wording, read, quoted, unquote });
})();
