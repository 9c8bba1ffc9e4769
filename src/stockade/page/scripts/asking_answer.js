// Runs in our own world: brings an answer to the script that waits for it in the page's, on an element
// that is in no document.
(name, text, carrier) => {
  const element = carrier ?? document.createElement('input');
  element.type = 'file';
  element.title = text;
  document.dispatchEvent(new FocusEvent(name, { relatedTarget: element }));
}
