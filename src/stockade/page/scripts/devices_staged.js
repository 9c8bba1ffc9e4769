// Gives another catalog to the devices of this document, where there are any.
(token, catalog) => {
  for (const kind of [globalThis.USB, globalThis.HID]) {
    try {
      if (kind.prototype.requestDevice.call(token, catalog) === token) return;
    } catch {
      // It is the browser's own, or the page's.
    }
  }
}
