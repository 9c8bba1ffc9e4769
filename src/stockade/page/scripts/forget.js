// Deletes what a document can reach of its own storage.
async () => {
  sessionStorage.clear();
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  for (const name of self.caches ? await caches.keys() : []) await caches.delete(name);
};
