// The databases of this origin, record by record.
(access, values) => {
  const { answer, done, failure } = access;

  const about = async (database) => {
    const stores = [];
    for (const name of access.names(database)) {
      const store = access.store(database, name, 'readonly');
      const [count, keys] = await Promise.all([
        answer(store.count()),
        answer(store.getAllKeys(null, 20)),
      ]);
      stores.push({
        name,
        keyPath: store.keyPath,
        autoIncrement: store.autoIncrement,
        indexes: Array.from(store.indexNames, (each) => {
          const { name: called, keyPath, unique, multiEntry } = store.index(each);
          return { name: called, keyPath, unique, multiEntry };
        }),
        count,
        firstKeys: await values.encode(keys),
      });
    }
    return { version: database.version, stores };
  };

  // Where keys are part of the value, one that is given beside it goes to its place there.
  const placed = (value, path, key) => {
    if (typeof path !== 'string' || typeof value !== 'object' || value === null) {
      throw failure('InvalidValue', 'the keys of this store are part of its values: leave out key');
    }
    const steps = path.split('.');
    const last = steps.pop();
    let holder = value;
    for (const step of steps) {
      if (!Object.hasOwn(holder, step)) holder[step] = {};
      holder = holder[step];
    }
    if (!Object.hasOwn(holder, last)) holder[last] = key;
    else if (indexedDB.cmp(holder[last], key) !== 0) {
      throw failure('InvalidValue', `key and the value's ${path} differ: leave out key`);
    }
    return value;
  };

  const put = async (database, storeName, key, value) => {
    const store = access.store(database, storeName, 'readwrite');
    const finished = done(store.transaction);
    let request;
    if (store.keyPath !== null) {
      request = store.put(key === undefined ? value : placed(value, store.keyPath, key));
    } else if (key !== undefined) {
      request = store.put(value, key);
    } else if (store.autoIncrement) {
      request = store.put(value);
    } else {
      throw failure('InvalidValue', 'this store needs a key');
    }
    const [kept] = await Promise.all([answer(request), finished]);
    return { key: await values.encode(kept) };
  };

  const change = async (database, storeName, query, act) => {
    const store = access.store(database, storeName, 'readwrite');
    const finished = done(store.transaction);
    const counted = answer(store.count(query));
    act(store);
    const [count] = await Promise.all([counted, finished]);
    return count;
  };

  return async ({ action, dbName, storeName, patience, key: givenKey, value: givenValue }) => {
    if (action === 'databases') return access.list();
    const key = givenKey === undefined ? undefined : values.decodeKey(givenKey);
    const value = givenValue === undefined ? undefined : values.decode(givenValue);
    return access.using(dbName, { patience }, async (database) => {
      switch (action) {
        case 'stores':
          return about(database);
        case 'get': {
          const store = access.store(database, storeName, 'readonly');
          const [count, found] = await Promise.all([answer(store.count(key)), answer(store.get(key))]);
          return count ? { found: true, value: await values.encode(found) } : { found: false };
        }
        case 'put':
          return put(database, storeName, key, value);
        case 'delete':
          return change(database, storeName, key, (store) => store.delete(key));
        case 'clear':
          return change(database, storeName, undefined, (store) => store.clear());
      }
    });
  };
};
