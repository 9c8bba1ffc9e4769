// What a watch page tells its player of the captions of a video, as its markup has it.
() => {
  const NAME = 'ytInitialPlayerResponse';
  const MOST = 300;
  const LONGEST = { text: 500, url: 8000 };
  const documentOwn = Document.prototype;
  const text = (value, most) => (typeof value === 'string' ? value.slice(0, most) : '');

  // The JSON object that begins at a brace, without what follows it.
  const object = (source, start) => {
    let depth = 0;
    let quoted = false;
    for (let at = start; at < source.length; at += 1) {
      const sign = source[at];
      if (quoted) {
        if (sign === '\\') at += 1;
        else if (sign === '"') quoted = false;
      } else if (sign === '"') quoted = true;
      else if (sign === '{') depth += 1;
      else if (sign === '}') {
        depth -= 1;
        if (!depth) return JSON.parse(source.slice(start, at + 1));
      }
    }
    return null;
  };

  const found = () => {
    for (const script of documentOwn.querySelectorAll.call(document, 'script')) {
      const source = script.textContent;
      for (let at = source.indexOf(NAME); at >= 0; at = source.indexOf(NAME, at + 1)) {
        const start = /^["'\]\s]*=\s*\{/.exec(source.slice(at + NAME.length, at + NAME.length + 50));
        if (!start) continue;
        try {
          const value = object(source, at + NAME.length + start[0].length - 1);
          if (value) return value;
        } catch {
          // Another script may have it whole.
        }
      }
    }
    return null;
  };

  const response = found();
  const list = response?.captions?.playerCaptionsTracklistRenderer?.captionTracks;
  const tracks = (Array.isArray(list) ? list : []).slice(0, MOST).map((track) => ({
    code: text(track?.languageCode, 40),
    name: text(track?.name?.simpleText ?? track?.name?.runs?.[0]?.text, LONGEST.text),
    kind: track?.kind === 'asr' ? 'asr' : 'manual',
    url: text(track?.baseUrl, LONGEST.url),
  }));
  return {
    found: Boolean(response),
    title: text(response?.videoDetails?.title, LONGEST.text),
    tracks: tracks.filter((track) => track.code && track.url),
  };
}
