// Ways to databases that are there: nothing is made by looking, and nothing stays open.
() => {
  const failure = (name, message, details) => Object.assign(new Error(message), { name, details });

  const answer = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  const done = (transaction) =>
    new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? failure('AbortError', 'it was undone'));
    });

  const list = async () => {
    const found = await indexedDB.databases();
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  };

  const missing = async () => {
    const databases = (await list()).map((each) => each.name);
    return failure('MissingDatabase', 'this origin has no database of that name', { databases });
  };

  // With `upgrade` the database is made or changed; without it, one that is absent is an error.
  const open = (name, { patience, version, upgrade } = {}) =>
    new Promise((resolve, reject) => {
      let late = false;
      let absent = false;
      const request = indexedDB.open(name, version);
      const timer = setTimeout(() => {
        late = true;
        reject(failure('Blocked', 'the page holds the database and does not let it go'));
      }, patience);
      request.onupgradeneeded = () => {
        if (late || !upgrade) {
          absent = !late;
          request.transaction.abort();
        } else {
          upgrade(request.result);
        }
      };
      request.onerror = async () => {
        clearTimeout(timer);
        reject(absent ? await missing() : request.error);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        const database = request.result;
        // The page may want to change it: it must not have to wait for us.
        database.onversionchange = () => database.close();
        if (late) database.close();
        else resolve(database);
      };
    });

  const using = async (name, options, work) => {
    const database = await open(name, options);
    try {
      return await work(database);
    } finally {
      database.close();
    }
  };

  const names = (database) => Array.from(database.objectStoreNames);

  const store = (database, name, mode) => {
    if (!database.objectStoreNames.contains(name)) {
      throw failure('MissingStore', 'the database has no store of that name', {
        stores: names(database),
      });
    }
    return database.transaction(name, mode).objectStore(name);
  };

  return { failure, answer, done, list, using, names, store };
};
