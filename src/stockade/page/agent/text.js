// Strings of the page, made fit for a reader who cannot see what is invisible.
const Text = (() => {
  // Controls, soft hyphen, fillers, zero-width and bidi marks, interlinear annotation, musical and
  // shorthand format controls, tag characters and the supplementary variation selectors.
  const INVISIBLE = new RegExp('[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160'
    + '\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d'
    + '\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', 'gu');
  // Joiners stay inside emoji sequences and between letters of scripts that shape by them,
  // presentation selectors stay on a character that has two presentations.
  const STRAY_JOINER = new RegExp('(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])'
    + '(?<![\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}'
    + '\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}'
    + '\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
    + '\\p{Script=Tibetan}])[\\u200c\\u200d]+|[\\u200c\\u200d]+(?![\\p{L}\\p{M}\\p{Extended_Pictographic}])'
    + '|(?<=[\\u200c\\u200d])[\\u200c\\u200d]+', 'gu');
  const STRAY_SELECTOR = /(?<![\p{Emoji}\p{Extended_Pictographic}])[\ufe0e\ufe0f]+|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]+/gu;
  const PLAIN = /^[\x20-\x7e]*$/;
  const ODD = /[^\x20-\x7e\n\t\r\f\u00a0-\u00ac\u00ae-\u0233]/;
  const SPACES = /\s+/g;
  const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

  const strip = (string) => {
    if (!ODD.test(string)) return string;
    return string.toWellFormed().replace(INVISIBLE, '').replace(STRAY_JOINER, '').replace(STRAY_SELECTOR, '');
  };
  const clean = (string) => {
    if (PLAIN.test(string) && !string.includes('  ')) return string.trim();
    return strip(string).replace(SPACES, ' ').trim();
  };

  const cut = (string, most) => {
    if (string.length <= most) return string;
    const kept = string.slice(0, Math.max(0, most - 1));
    return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
  };

  const tokens = (string) => {
    if (PLAIN.test(string)) return Math.ceil(string.length / 4);
    const wide = string.match(WIDE);
    return Math.ceil((string.length + (wide ? wide.length * 3 : 0)) / 4);
  };

  const quote = (string) => JSON.stringify(string);

  return Object.freeze({ strip, clean, cut, tokens, quote });
})();
