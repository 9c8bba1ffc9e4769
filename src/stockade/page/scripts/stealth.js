// A browser without a window has no plugins and no `chrome`. This gives pages what one with a
// window has, and nothing where it is there already. `navigator.webdriver` is the engine's doing.
() => {
  'use strict';
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;

  // --- functions that look like the browser's own ----------------------------------------------

  const words = new WeakMap();

  const posing = (original, answer) => {
    const posed = new Proxy(original, { apply: (target, self, args) => answer(target, self, args) });
    words.set(posed, apply(Function.prototype.toString, original, []));
    return posed;
  };

  const replace = (owner, name, answer) => {
    const described = getOwnPropertyDescriptor(owner, name);
    const kind = described.get ? 'get' : 'value';
    defineProperty(owner, name, { ...described, [kind]: posing(described[kind], answer) });
  };

  let listening = false;
  const listenForToString = () => {
    if (listening) return;
    listening = true;
    const has = WeakMap.prototype.has.bind(words);
    const get = WeakMap.prototype.get.bind(words);
    replace(Function.prototype, 'toString', (target, self, args) =>
      has(self) ? get(self) : apply(target, self, args));
  };

  // Functions that were made, not named: the browser's own of that sort look the same.
  const made = (answer) => {
    const bound = (() => answer()).bind();
    return defineProperty(bound, 'name', { value: '' });
  };

  // --- plugins ---------------------------------------------------------------------------------

  const VIEWERS = [
    'PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer', 'Microsoft Edge PDF Viewer',
    'WebKit built-in PDF',
  ];
  const DESCRIPTION = 'Portable Document Format';
  const TYPES = ['application/pdf', 'text/pdf'];

  const givePlugins = () => {
    // What each of our objects holds; the browser's own are not here, and answer for themselves.
    const inside = new WeakMap();
    const held = (self, name) => inside.has(self) && name in inside.get(self);

    const speak = (owner, ...names) => {
      for (const name of names) {
        replace(owner, name, (target, self, args) => {
          if (!held(self, name)) return apply(target, self, args);
          const value = inside.get(self)[name];
          return typeof value === 'function' ? value(...args) : value;
        });
      }
    };

    const collection = (prototype, items, keyed, facts) => {
      const list = Object.create(prototype);
      items.forEach((item, index) => {
        defineProperty(list, index, { value: item, enumerable: true, configurable: true });
      });
      for (const [name, item] of keyed) {
        defineProperty(list, name, { value: item, configurable: true });
      }
      const byName = new Map(keyed);
      inside.set(list, {
        ...facts,
        length: items.length,
        item: (index) => items[index >>> 0] || null,
        namedItem: (name) => byName.get(`${name}`) || null,
        refresh: () => undefined,
      });
      return list;
    };

    const plugins = VIEWERS.map((name) => {
      let plugin = null;
      const types = TYPES.map((type) => {
        const described = Object.create(MimeType.prototype);
        inside.set(described, {
          type, suffixes: 'pdf', description: DESCRIPTION,
          get enabledPlugin() { return plugin; },
        });
        return described;
      });
      plugin = collection(Plugin.prototype, types, TYPES.map((type, at) => [type, types[at]]), {
        name, filename: 'internal-pdf-viewer', description: DESCRIPTION,
      });
      return plugin;
    });
    const types = TYPES.map((_, at) => plugins[0][at]);
    const pluginArray = collection(
      PluginArray.prototype, plugins, VIEWERS.map((name, at) => [name, plugins[at]]), {});
    const mimeTypes = collection(
      MimeTypeArray.prototype, types, TYPES.map((type, at) => [type, types[at]]), {});

    speak(PluginArray.prototype, 'length', 'item', 'namedItem', 'refresh');
    speak(MimeTypeArray.prototype, 'length', 'item', 'namedItem');
    speak(Plugin.prototype, 'name', 'filename', 'description', 'length', 'item', 'namedItem');
    speak(MimeType.prototype, 'type', 'suffixes', 'description', 'enabledPlugin');

    const navigators = getPrototypeOf(navigator);
    const answers = { plugins: pluginArray, mimeTypes, pdfViewerEnabled: true };
    for (const [name, value] of Object.entries(answers)) {
      // Called on something else, it throws what the browser throws.
      replace(navigators, name, (target, self, args) => (apply(target, self, args), value));
    }
    listenForToString();
  };

  if (navigator.plugins.length === 0) givePlugins();

  // --- languages -------------------------------------------------------------------------------

  if (navigator.languages.length === 0) {
    const languages = Object.freeze([navigator.language || 'en-US']);
    replace(getPrototypeOf(navigator), 'languages', (target, self, args) => (
      apply(target, self, args), languages));
    listenForToString();
  }

  // --- chrome ----------------------------------------------------------------------------------

  const named = (...names) => Object.fromEntries(
    names.map((name) => [name.toUpperCase().replace(/[ -]/g, '_'), name.replace(/ /g, '_')]));

  const runtime = () => ({
    ContextType: named('TAB', 'POPUP', 'BACKGROUND', 'OFFSCREEN DOCUMENT', 'SIDE PANEL', 'DEVELOPER TOOLS'),
    OnInstalledReason: named('install', 'update', 'chrome update', 'shared module update'),
    OnRestartRequiredReason: named('app update', 'os update', 'periodic'),
    PlatformArch: named('arm', 'arm64', 'x86-32', 'x86-64', 'mips', 'mips64', 'riscv64'),
    PlatformNaclArch: named('arm', 'x86-32', 'x86-64', 'mips', 'mips64'),
    PlatformOs: named('mac', 'win', 'android', 'cros', 'linux', 'openbsd', 'fuchsia'),
    RequestUpdateCheckStatus: named('throttled', 'no update', 'update available'),
    connect: made(() => undefined),
    sendMessage: made(() => undefined),
  });

  const seconds = () => performance.timeOrigin / 1000;

  if (typeof globalThis.chrome === 'undefined') {
    defineProperty(globalThis, 'chrome', {
      value: {
        loadTimes: made(() => ({
          requestTime: seconds(), startLoadTime: seconds(), commitLoadTime: seconds(),
          finishDocumentLoadTime: 0, finishLoadTime: 0, firstPaintTime: 0,
          firstPaintAfterLoadTime: 0, navigationType: 'Other', wasFetchedViaSpdy: false,
          wasNpnNegotiated: false, npnNegotiatedProtocol: 'unknown',
          wasAlternateProtocolAvailable: false, connectionInfo: 'http/1.1',
        })),
        csi: made(() => ({
          startE: Math.floor(performance.timeOrigin), onloadT: 0, pageT: performance.now(), tran: 15,
        })),
        app: {
          isInstalled: false,
          getDetails: made(() => null),
          getIsInstalled: made(() => false),
          installState: made(() => undefined),
          runningState: made(() => 'cannot_run'),
          InstallState: named('disabled', 'installed', 'not installed'),
          RunningState: named('cannot run', 'ready to run', 'running'),
        },
      },
      writable: true, enumerable: true, configurable: true,
    });
  }
  const { chrome } = globalThis;
  if (chrome && typeof chrome === 'object' && !('runtime' in chrome)) {
    defineProperty(chrome, 'runtime', {
      value: runtime(), writable: true, enumerable: true, configurable: true,
    });
  }
}
