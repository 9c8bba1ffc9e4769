// The caches of this origin. Nothing is made by looking.
(binary) => async ({ action, cacheName, url, response, most }) => {
  const failure = (name, message, details) => Object.assign(new Error(message), { name, details });
  if (typeof caches === 'undefined') {
    throw failure('Unsupported', 'only pages on https or localhost have caches');
  }
  const names = await caches.keys();
  if (action === 'storages') return names;
  if (action === 'deleteStorage') return caches.delete(cacheName);
  if (action !== 'put' && !names.includes(cacheName)) {
    if (action === 'get') return null;
    throw failure('MissingCache', 'this origin has no cache of that name', { caches: names });
  }
  const cache = await caches.open(cacheName);
  const loose = { ignoreVary: true };
  switch (action) {
    case 'list':
      return (await cache.keys()).map((request) => ({ url: request.url, method: request.method }));
    case 'get': {
      const found = await cache.match(url, loose);
      if (!found) return null;
      const bytes = new Uint8Array(await found.arrayBuffer());
      if (bytes.length > most) throw failure('TooLarge', `the body has ${bytes.length} bytes`);
      return {
        url: found.url,
        type: found.type,
        status: found.status,
        headers: Object.fromEntries(found.headers),
        byteLength: bytes.length,
        content: binary.encode(bytes),
      };
    }
    case 'put': {
      const { status, headers, content } = response;
      const bytes = binary.decode(content);
      // These statuses have no body, not even an empty one.
      const bare = [204, 205, 304].includes(status);
      if (bare && bytes.length) throw failure('InvalidValue', `status ${status} has no body`);
      await cache.put(url, new Response(bare ? null : bytes, { status, headers }));
      return { created: !names.includes(cacheName) };
    }
    case 'delete':
      return cache.delete(url, loose);
    case 'clear': {
      const requests = await cache.keys();
      await Promise.all(requests.map((request) => cache.delete(request, loose)));
      return requests.length;
    }
  }
};
