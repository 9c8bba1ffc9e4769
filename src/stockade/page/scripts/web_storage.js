// Local or session storage. Methods come from the prototype: an item may be called like one.
({ area, action, key, value }) => {
  const store = area === 'local' ? localStorage : sessionStorage;
  const { getItem, setItem, removeItem, key: keyAt, clear } = Storage.prototype;
  const length = () => Object.getOwnPropertyDescriptor(Storage.prototype, 'length').get.call(store);
  const get = (name) => getItem.call(store, name);
  switch (action) {
    case 'get':
      return get(key);
    case 'list': {
      const keys = Array.from({ length: length() }, (_, index) => keyAt.call(store, index));
      return keys.sort().map((name) => ({ key: name, value: get(name) }));
    }
    case 'set':
      setItem.call(store, key, value);
      return get(key) === value;
    case 'delete': {
      const there = get(key) !== null;
      removeItem.call(store, key);
      return there;
    }
    case 'clear': {
      const count = length();
      clear.call(store);
      return count;
    }
  }
};
