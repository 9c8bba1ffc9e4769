// The captions at an address of the page's own site, as text; nothing if there are none.
async (address, most) => {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) return null;
  let answer;
  try {
    answer = await fetch(url);
  } catch {
    return null;
  }
  if (!answer.ok) return null;
  const text = await answer.text();
  return text.length > most ? null : text;
}
