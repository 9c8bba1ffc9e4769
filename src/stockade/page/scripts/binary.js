// Bytes as base64 and back.
() => {
  const PIECE = 0x8000;
  const encode = (bytes) => {
    let text = '';
    for (let start = 0; start < bytes.length; start += PIECE) {
      text += String.fromCharCode(...bytes.subarray(start, start + PIECE));
    }
    return btoa(text);
  };
  const decode = (text) => {
    let bytes;
    try {
      bytes = atob(text);
    } catch {
      throw Object.assign(new Error('that is not base64'), { name: 'InvalidValue' });
    }
    return Uint8Array.from(bytes, (each) => each.charCodeAt(0));
  };
  return { encode, decode };
};
