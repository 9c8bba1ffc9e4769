// The document as the browser's cache has it, in base64; nothing if it has none. Nothing is asked for.
async () => {
  let answer;
  try {
    answer = await fetch(location.href, { cache: 'only-if-cached', mode: 'same-origin' });
  } catch {
    return null;
  }
  if (!answer.ok) return null;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(parts.join(''));
}
