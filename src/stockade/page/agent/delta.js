// What changed since a caller last looked.
const Delta = (() => {
  const remember = () => {};
  return Object.freeze({ remember });
})();
