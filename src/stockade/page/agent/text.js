// Strings of the page, made fit for a reader who cannot see what is invisible. What leaves the server
// is cleared of it there (masking/invisible.py, by the same rule); here it is for what is compared,
// searched and counted.
const Text = (() => {
  // Controls, soft hyphen, fillers, zero-width and bidirectional marks, annotations, what is no character,
  // controls of hieroglyphs, shorthand and music, tags and the supplementary variation selectors.
  const GONE = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160'
    + '\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d'
    + '\\ufeff\\uffa0\\ufdd0-\\ufdef\\ufff0-\\ufffb\\ufffe\\uffff\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}'
    + '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
  const tags = (place) => String.fromCodePoint(...Array.from(place, (letter) => 0xe0000 + letter.charCodeAt(0)));
  const PLACES = ['gbeng', 'gbsct', 'gbwls'].map(tags).join('|');
  const INVISIBLE = new RegExp(`((?<=\\u{1f3f4})(?:${PLACES})\\u{e007f})|[${GONE}]+`, 'gu');
  const BREAK = /[\u000b\u000c\u2028\u2029]/g;
  // Joiners stay inside emoji and between letters of scripts that take their shape from them,
  // presentation selectors on a character that has two presentations.
  const JOINERS = '\\u200c\\u200d\\ufe0e\\ufe0f';
  const SHAPED = '\\u0600-\\u085f\\u0860-\\u08ff\\u0900-\\u0dff\\u0f00-\\u109f\\u1780-\\u17ff\\u1800-\\u18af\\u1a20-\\u1aaf'
    + '\\u1b00-\\u1b7f\\ua840-\\ua87f\\ua8e0-\\ua8ff\\ua980-\\ua9df\\ua9e0-\\ua9ff\\uaa60-\\uaa7f\\ufb50-\\ufdcf'
    + '\\ufdf0-\\ufdff\\ufe70-\\ufefe\\u{11000}-\\u{1177f}';
  const VIRAMAS = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u103a\\u17d2\\u1b44\\ua9c0';
  const EMOJI = '\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2194-\\u21aa\\u231a-\\u23ff\\u24c2\\u25aa-\\u25fe\\u2600-\\u27bf'
    + '\\u2934\\u2935\\u2b05-\\u2b55\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}';
  const STRAY = new RegExp(`((?<=[${EMOJI}])(?:\\ufe0f?\\u200d(?=[${JOINERS}]*[${EMOJI}])|[\\ufe0e\\ufe0f])`
    + `|(?<=[0-9#*])\\ufe0f(?=\\u20e3)|(?<=[${SHAPED}])[\\u200c\\u200d](?=[${JOINERS}]*[${SHAPED}])`
    + `|(?<=[${VIRAMAS}])[\\u200c\\u200d])|[${JOINERS}]+`, 'gu');
  const PLAIN = /^[\x20-\x7e]*$/;
  const ODD = /[^\x20-\x7e\n\t\r\u00a0-\u00ac\u00ae-\u0233]/;
  const SPACES = /\s+/g;
  const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

  const strip = (string) => {
    if (!ODD.test(string)) return string;
    return string.toWellFormed().replace(INVISIBLE, '$1').replace(BREAK, ' ').replace(STRAY, '$1');
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
