// All that this origin keeps in local storage and databases: taken out, and put back.
(access, values) => {
  const { answer, done, failure } = access;
  const PAGE = 200;
  const PATIENCE = 5000;

  const pathOf = ({ keyPath }) => {
    if (Array.isArray(keyPath)) return { keyPathArray: keyPath };
    return keyPath === null ? {} : { keyPath };
  };

  const field = async (name, value) =>
    values.isPlain(value)
      ? { [name]: value }
      : { [`${name}Encoded`]: await values.encode(value) };

  const records = async (database, name, budget) => {
    const found = [];
    let range = null;
    for (;;) {
      // A transaction ends while values are encoded, so each piece has one of its own.
      const store = access.store(database, name, 'readonly');
      const [keys, items] = await Promise.all([
        answer(store.getAllKeys(range, PAGE)),
        answer(store.getAll(range, PAGE)),
      ]);
      for (const [index, key] of keys.entries()) {
        const record = {
          ...(store.keyPath === null ? await field('key', key) : {}),
          ...(await field('value', items[index])),
        };
        budget.left -= JSON.stringify(record).length;
        if (budget.left < 0) throw failure('TooLarge', 'there is more than can be kept');
        found.push(record);
      }
      if (keys.length < PAGE) return found;
      range = IDBKeyRange.lowerBound(keys.at(-1), true);
    }
  };

  const describe = (database, name) => {
    const store = access.store(database, name, 'readonly');
    const indexes = Array.from(store.indexNames, (each) => {
      const index = store.index(each);
      const { unique, multiEntry } = index;
      return { name: index.name, ...pathOf(index), unique, multiEntry };
    });
    return { name, autoIncrement: store.autoIncrement, ...pathOf(store), indexes };
  };

  const dump = async ({ databases: wanted, most }) => {
    const budget = { left: most };
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    const storage = names.sort().map((name) => ({ name, value: localStorage.getItem(name) }));
    const databases = [];
    const omitted = [];
    for (const { name } of wanted ? await access.list() : []) {
      try {
        const found = await access.using(name, { patience: PATIENCE }, async (database) => {
          const stores = [];
          for (const each of access.names(database)) {
            stores.push({
              ...describe(database, each),
              records: await records(database, each, budget),
            });
          }
          return { name, version: database.version, stores };
        });
        databases.push(found);
      } catch (error) {
        omitted.push({ database: name, reason: error.message });
      }
    }
    return { localStorage: storage, indexedDB: databases, omitted };
  };

  const build = (database, stores) => {
    for (const { name, keyPath, keyPathArray, autoIncrement, indexes } of stores) {
      if (database.objectStoreNames.contains(name)) continue;
      const path = keyPathArray ?? keyPath ?? null;
      const store = database.createObjectStore(name, { keyPath: path, autoIncrement });
      for (const index of indexes) {
        const { unique, multiEntry } = index;
        const by = index.keyPathArray ?? index.keyPath;
        store.createIndex(index.name, by, { unique, multiEntry });
      }
    }
  };

  const fill = async (database, { name, records: kept }) => {
    const items = kept.map(({ key, keyEncoded, value, valueEncoded }) => ({
      key: keyEncoded === undefined ? key : values.decode(keyEncoded),
      value: valueEncoded === undefined ? value : values.decode(valueEncoded),
    }));
    const store = access.store(database, name, 'readwrite');
    const finished = done(store.transaction);
    for (const { key, value } of items) {
      if (store.keyPath === null) store.put(value, key);
      else store.put(value);
    }
    await finished;
  };

  // One that is there already is filled as it is: changing it would need the page to let go.
  const restoreDatabase = async ({ name, version, stores }) => {
    const there = (await access.list()).some((each) => each.name === name);
    const options = there
      ? { patience: PATIENCE }
      : { patience: PATIENCE, version, upgrade: (database) => build(database, stores) };
    await access.using(name, options, async (database) => {
      for (const store of stores) await fill(database, store);
    });
  };

  const restore = async ({ localStorage: entries, indexedDB: databases }) => {
    const omitted = [];
    for (const { name, value } of entries) localStorage.setItem(name, value);
    for (const database of databases) {
      try {
        await restoreDatabase(database);
      } catch (error) {
        omitted.push({ database: database.name, reason: error.message });
      }
    }
    return { omitted };
  };

  return ({ action, ...rest }) => (action === 'dump' ? dump(rest) : restore(rest));
};
