// Whether an address is one of a pattern's, given what stands between the pattern's stars.
(parts, address) => {
  const last = parts.length - 1;
  if (!last) return address === parts[0];
  if (!address.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (let i = 1; i < last; i += 1) {
    const found = address.indexOf(parts[i], at);
    if (found < 0) return false;
    at = found + parts[i].length;
  }
  return address.length - parts[last].length >= at && address.endsWith(parts[last]);
}
