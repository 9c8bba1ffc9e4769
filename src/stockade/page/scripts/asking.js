// Runs in the page's own world at the start of every document: tells when the page asks for what a
// person would be asked about. `tell` is the way to the server; the answer comes as an event that only
// this script knows the name of.
//
// Nothing is decided here. Whether a permission is given is the browser's own state, which the server
// has set by the time the native function runs; a page that finds a way around this only goes unseen.
(tell, prefix) => {
  if (typeof tell !== 'function') return;
  const { document, navigator, Proxy, Reflect, Promise, DOMException, FileSystemObserver, Uint8Array } = globalThis;
  const { parse, stringify } = JSON;
  const encode = btoa.bind(globalThis);
  const listen = EventTarget.prototype.addEventListener;
  const getter = (owner, name) => Reflect.getOwnPropertyDescriptor(owner.prototype, name).get;
  const [relatedTo, titleOf, filesOf] = [
    getter(FocusEvent, 'relatedTarget'), getter(HTMLElement, 'title'), getter(HTMLInputElement, 'files'),
  ];
  const LONGEST = 500;
  const PART = 196_608; // Bytes of a file that are told at once; a multiple of three.
  const short = (value) => (value === undefined || value === null ? undefined : `${value}`.slice(0, LONGEST));
  let last = 0;

  const report = (what) => {
    last += 1;
    tell(stringify({ id: last, ...what }));
    return last;
  };
  const ask = (what) => new Promise((resolve) => {
    const heard = (event) => {
      const carrier = Reflect.apply(relatedTo, event, []);
      resolve({ ...parse(Reflect.apply(titleOf, carrier, [])), files: [...Reflect.apply(filesOf, carrier, [])] });
    };
    Reflect.apply(listen, document, [`${prefix}${last + 1}`, heard, { once: true }]);
    const id = report(what);
    what.id = id;
  });

  // A proxy keeps name, length and identity of what it stands for.
  const wrap = (owner, name, apply) => {
    const known = owner && Reflect.getOwnPropertyDescriptor(owner, name);
    if (typeof known?.value !== 'function') return;
    Reflect.defineProperty(owner, name, { ...known, value: new Proxy(known.value, { apply }) });
  };

  // --- permissions ---

  const named = (find, self, given) => {
    try {
      return find(given, self);
    } catch {
      return []; // The browser knows best what to say to that.
    }
  };
  const gate = (owner, name, find) => wrap(owner, name, (target, self, given) => {
    const names = named(find, self, given);
    if (!names.length) return Reflect.apply(target, self, given);
    return (async () => {
      const { allowed } = await ask({ kind: 'permission', names });
      if (!allowed && names.includes('display-capture')) throw new DOMException('Permission denied', 'NotAllowedError');
      return Reflect.apply(target, self, given);
    })();
  });
  // Where the answer comes by a callback or an event, the call itself gives nothing.
  const gateLater = (owner, name, find) => wrap(owner, name, (target, self, given) => {
    const names = named(find, self, given);
    if (!names.length) return Reflect.apply(target, self, given);
    (async () => {
      await ask({ kind: 'permission', names });
      Reflect.apply(target, self, given);
    })();
    return undefined;
  });
  const always = (...names) => () => names;
  const media = ([wanted]) => [...(wanted?.video ? ['camera'] : []), ...(wanted?.audio ? ['microphone'] : [])];
  const inFrame = (...names) => () => (globalThis.top === globalThis ? [] : names);
  const proto = (name) => globalThis[name]?.prototype;

  gate(proto('MediaDevices'), 'getUserMedia', media);
  gate(proto('MediaDevices'), 'getDisplayMedia', always('display-capture'));
  gate(proto('MediaDevices'), 'selectAudioOutput', always('speaker-selection'));
  gateLater(proto('Navigator'), 'webkitGetUserMedia', media);
  gateLater(proto('Navigator'), 'getUserMedia', media);
  gate(proto('Navigator'), 'requestMIDIAccess', ([wanted]) => ['midi', ...(wanted?.sysex ? ['midi-sysex'] : [])]);
  for (const name of ['read', 'readText']) gate(proto('Clipboard'), name, always('clipboard-read'));
  for (const name of ['write', 'writeText']) gate(proto('Clipboard'), name, always('clipboard-write'));
  gate(proto('WakeLock'), 'request', always('screen-wake-lock'));
  gate(proto('StorageManager'), 'persist', always('persistent-storage'));
  gate(proto('PushManager'), 'subscribe', always('notifications'));
  gate(proto('Document'), 'requestStorageAccess', inFrame('storage-access'));
  gate(proto('Document'), 'requestStorageAccessFor', always('top-level-storage-access'));
  gate(globalThis.Notification, 'requestPermission', always('notifications'));
  gate(globalThis.IdleDetector, 'requestPermission', always('idle-detection'));
  gate(globalThis.DeviceMotionEvent, 'requestPermission', always('accelerometer', 'gyroscope'));
  gate(globalThis.DeviceOrientationEvent, 'requestPermission', always('accelerometer', 'gyroscope'));
  gate(globalThis, 'queryLocalFonts', always('local-fonts'));
  gate(globalThis, 'getScreenDetails', always('window-management'));
  const sensors = [
    ['AbsoluteOrientationSensor', 'accelerometer', 'gyroscope', 'magnetometer'],
    ['RelativeOrientationSensor', 'accelerometer', 'gyroscope'],
    ['Accelerometer', 'accelerometer'],
    ['Gyroscope', 'gyroscope'],
    ['Magnetometer', 'magnetometer'],
    ['AmbientLightSensor', 'ambient-light-sensor'],
  ];
  gateLater(proto('Sensor'), 'start', (given, self) => {
    const [, ...names] = sensors.find(([name]) => globalThis[name] && self instanceof globalThis[name]) ?? [];
    return names;
  });

  const position = ([found]) => (typeof found === 'function' ? ['geolocation'] : []);
  gateLater(proto('Geolocation'), 'getCurrentPosition', position);
  const watches = new Map();
  wrap(proto('Geolocation'), 'watchPosition', (target, self, given) => {
    if (!position(given).length) return Reflect.apply(target, self, given);
    const id = watches.size + 1;
    watches.set(id, null);
    (async () => {
      await ask({ kind: 'permission', names: ['geolocation'] });
      if (watches.get(id) === null) watches.set(id, Reflect.apply(target, self, given));
    })();
    return id;
  });
  wrap(proto('Geolocation'), 'clearWatch', (target, self, [id]) => {
    const real = watches.get(Number(id)) ?? undefined;
    if (watches.has(Number(id))) watches.set(Number(id), undefined);
    return Reflect.apply(target, self, [real ?? 0]);
  });

  // --- notifications ---

  const { Notification } = globalThis;
  const shown = (title, options) => report({
    kind: 'notification', title: short(title) ?? '', body: short(options?.body), icon: short(options?.icon), tag: short(options?.tag),
  });
  if (typeof Notification === 'function') {
    const wrapped = new Proxy(Notification, {
      construct(target, given, made) {
        const notification = Reflect.construct(target, given, made === wrapped ? target : made);
        shown(given[0], given[1]);
        return notification;
      },
    });
    Reflect.defineProperty(Notification.prototype, 'constructor', { value: wrapped, writable: true, enumerable: false, configurable: true });
    Reflect.defineProperty(globalThis, 'Notification', { value: wrapped, writable: true, enumerable: false, configurable: true });
  }
  wrap(proto('ServiceWorkerRegistration'), 'showNotification', (target, self, given) => {
    if (given.length) shown(given[0], given[1]);
    return Reflect.apply(target, self, given);
  });

  // --- file pickers ---

  const { getDirectory } = proto('StorageManager') ?? {};
  const { getFileHandle, getDirectoryHandle } = proto('FileSystemDirectoryHandle') ?? {};
  const { createWritable, getFile } = proto('FileSystemFileHandle') ?? {};
  const make = { create: true };
  let places = 0;
  // What a page is given are handles of the browser's own, to files that are its own as well.
  const place = async () => {
    places += 1;
    const root = await Reflect.apply(getDirectory, navigator.storage, []);
    const mine = await Reflect.apply(getDirectoryHandle, root, [`.${prefix.slice(0, 12)}`, make]);
    return Reflect.apply(getDirectoryHandle, mine, [`${places}`, make]);
  };
  const put = async (folder, file) => {
    const handle = await Reflect.apply(getFileHandle, folder, [file.name, make]);
    await file.stream().pipeTo(await Reflect.apply(createWritable, handle, []));
    return handle;
  };
  const base64 = async (blob) => {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return encode(text);
  };
  const save = async (picker, handle, most) => {
    const file = await Reflect.apply(getFile, handle, []);
    const about = { kind: 'saved', picker, name: file.name.slice(0, LONGEST), size: file.size };
    if (file.size > most) {
      report(about);
      return;
    }
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      report({ ...about, at, part: await base64(file.slice(at, at + PART)) });
    }
  };
  const follow = async (picker, handle, most) => {
    let turn = Promise.resolve();
    const observer = new FileSystemObserver((records) => {
      const changed = records.filter(({ type, changedHandle }) => type === 'modified' && changedHandle?.kind === 'file');
      const handles = new Map(changed.map(({ changedHandle }) => [changedHandle.name, changedHandle]));
      for (const each of handles.values()) turn = turn.then(() => save(picker, each, most)).catch(() => {});
    });
    await observer.observe(handle, { recursive: handle.kind === 'directory' });
  };
  const pickers = {
    async showOpenFilePicker({ files }) {
      const handles = [];
      for (const file of files) handles.push(await put(await place(), file));
      return handles;
    },
    async showSaveFilePicker({ name, most }, picker) {
      const handle = await Reflect.apply(getFileHandle, await place(), [name, make]);
      await follow(picker, handle, most);
      return handle;
    },
    async showDirectoryPicker({ files, name, most }, picker) {
      const folder = await Reflect.apply(getDirectoryHandle, await place(), [name, make]);
      for (const file of files) await put(folder, file);
      await follow(picker, folder, most);
      return folder;
    },
  };
  const besideTop = () => {
    try {
      return globalThis.top.location.origin === globalThis.location.origin;
    } catch {
      return false;
    }
  };
  for (const [api, give] of Object.entries(pickers)) {
    wrap(globalThis, api, (target, self, given) => {
      // Without a click, or in a frame of another origin, the browser refuses by itself.
      if (!navigator.userActivation?.isActive || !besideTop()) return Reflect.apply(target, self, given);
      const asked = { kind: 'picker', api, suggestedName: short(given[0]?.suggestedName), multiple: Boolean(given[0]?.multiple) };
      return (async () => {
        const answer = await ask(asked);
        if (!answer.allowed) {
          throw new DOMException(`Failed to execute '${api}' on 'Window': The user aborted a request.`, 'AbortError');
        }
        return give(answer, asked.id);
      })();
    });
  }
}
