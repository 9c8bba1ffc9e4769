// Devices that are not there: what a page that asks for one over USB, HID or Bluetooth is given.
// Runs in the page's own world, in every document, before the page. Without a catalog every request
// is refused at once, as by a person who closes the chooser; there is no chooser to wait for.
//
// What is said with `tell` is a report and decides nothing. Nobody else knows the token: called on
// it, `requestDevice` takes another catalog.
(tell, token, catalog, makeBluetooth) => {
  if (!globalThis.isSecureContext) return;
  const { DOMException, EventTarget, TypeError, Promise, JSON, Object, Reflect, Map, Array, Number } = globalThis;
  const { navigator, document } = globalThis;
  const { apply, setPrototypeOf } = Reflect;
  const stringify = JSON.stringify.bind(JSON);
  const LONGEST = 4000;

  const kinds = ['USB', 'HID'].filter((name) => typeof globalThis[name] === 'function');
  let staged = catalog;
  const made = { usb: new Map(), hid: new Map(), bluetooth: new Map() };
  const report = (api, options, outcome, device) => {
    let asked = null;
    try {
      const text = stringify(options ?? null) ?? 'null';
      asked = text.length <= LONGEST ? JSON.parse(text) : null;
    } catch {
      // What cannot be written down is left out.
    }
    tell(stringify({ api, outcome, asked, device: device ? device.id : null }));
  };

  const active = Object.getOwnPropertyDescriptor(globalThis.UserActivation?.prototype ?? {}, 'isActive')?.get;
  const gesture = () => !active || apply(active, navigator.userActivation, []);
  const admitted = (feature) => {
    const policy = document.featurePolicy;
    return !policy || !policy.features().includes(feature) || policy.allowsFeature(feature);
  };

  // --- objects as the browser would make them ---------------------------------------------------

  // What a class of the browser's would say, said of our own: between the object and its class.
  const shaped = (base, target, values, methods) => {
    const shape = Object.create(base);
    for (const [name, read] of Object.entries(values)) {
      const described = Object.getOwnPropertyDescriptor(base, name);
      Object.defineProperty(shape, name, {
        get: read.get ?? read, set: read.set, enumerable: described?.enumerable ?? true, configurable: true,
      });
    }
    for (const [name, value] of Object.entries(methods)) {
      Object.defineProperty(shape, name, { value, writable: true, enumerable: true, configurable: true });
    }
    setPrototypeOf(target, shape);
    return target;
  };
  const failed = (name, message) => Promise.reject(new DOMException(message, name));
  const opening = () => {
    const at = { open: false };
    const need = (then) => (at.open ? then() : failed('InvalidStateError', 'The device must be opened first.'));
    return { at, need };
  };

  const usbDevice = (about) => {
    const { at, need } = opening();
    const done = () => need(() => Promise.resolve(undefined));
    const nothing = () => new DataView(new ArrayBuffer(0));
    const read = () => need(() => Promise.resolve(new USBInTransferResult('ok', nothing())));
    const written = () => need(() => Promise.resolve(new USBOutTransferResult('ok', 0)));
    const configuration = Object.freeze({ configurationValue: 1, configurationName: null, interfaces: Object.freeze([]) });
    const [major, minor, patch] = about.usbVersion;
    return shaped(USBDevice.prototype, {}, {
      usbVersionMajor: () => major, usbVersionMinor: () => minor, usbVersionSubminor: () => patch,
      deviceClass: () => about.deviceClass, deviceSubclass: () => about.deviceSubclass, deviceProtocol: () => about.deviceProtocol,
      vendorId: () => about.vendorId, productId: () => about.productId,
      deviceVersionMajor: () => 1, deviceVersionMinor: () => 0, deviceVersionSubminor: () => 0,
      manufacturerName: () => about.manufacturerName, productName: () => about.productName, serialNumber: () => about.serialNumber,
      configuration: () => configuration, configurations: () => [configuration], opened: () => at.open,
    }, {
      open() { at.open = true; return Promise.resolve(undefined); },
      close() { at.open = false; return Promise.resolve(undefined); },
      forget() { at.open = false; made.usb.delete(about.id); return Promise.resolve(undefined); },
      reset: done, selectConfiguration: done, claimInterface: done, releaseInterface: done,
      selectAlternateInterface: done, clearHalt: done,
      controlTransferIn: read, transferIn: read, controlTransferOut: written, transferOut: written,
      isochronousTransferIn: () => need(() => Promise.resolve(new USBIsochronousInTransferResult([], nothing()))),
      isochronousTransferOut: () => need(() => Promise.resolve(new USBIsochronousOutTransferResult([]))),
    });
  };

  const hidDevice = (about) => {
    const { at, need } = opening();
    const done = () => need(() => Promise.resolve(undefined));
    let handler = null;
    const collections = about.collections.map((each) => ({
      ...each, type: 1, children: [], inputReports: [], outputReports: [], featureReports: [],
    }));
    return shaped(HIDDevice.prototype, new EventTarget(), {
      vendorId: () => about.vendorId, productId: () => about.productId, productName: () => about.productName,
      opened: () => at.open, collections: () => collections,
      // Nothing ever comes in.
      oninputreport: { get: () => handler, set: (given) => { handler = typeof given === 'function' ? given : null; } },
    }, {
      open() { at.open = true; return Promise.resolve(undefined); },
      close() { at.open = false; return Promise.resolve(undefined); },
      forget() { at.open = false; made.hid.delete(about.id); return Promise.resolve(undefined); },
      sendReport: done, sendFeatureReport: done,
      receiveFeatureReport: () => need(() => Promise.resolve(new DataView(new ArrayBuffer(0)))),
    });
  };

  const given = (api, about, make) => {
    if (!made[api].has(about.id)) made[api].set(about.id, make(about));
    return made[api].get(about.id);
  };

  // --- what is asked for ------------------------------------------------------------------------

  const invalid = (message) => { throw new TypeError(message); };
  const integer = (filter, name, most) => {
    const value = filter[name];
    if (value === undefined) return undefined;
    const whole = Number(value);
    return Number.isInteger(whole) && whole >= 0 && whole <= most ? whole : invalid(`${name} is outside the range of values`);
  };
  const listOf = (options, name, needed) => {
    if (options === null || typeof options !== 'object') invalid('The options are not an object.');
    const list = options[name];
    if (list === undefined) return needed ? invalid(`Failed to read the '${name}' property: Required member is undefined.`) : [];
    if (list === null || typeof list !== 'object') return invalid(`'${name}' is not a sequence.`);
    return Array.from(list, (each) => (each !== null && typeof each === 'object' ? each : invalid(`'${name}' holds what is no filter.`)));
  };
  const usbFilter = (filter) => {
    const read = {
      vendorId: integer(filter, 'vendorId', 0xffff), productId: integer(filter, 'productId', 0xffff),
      deviceClass: integer(filter, 'classCode', 0xff), deviceSubclass: integer(filter, 'subclassCode', 0xff),
      deviceProtocol: integer(filter, 'protocolCode', 0xff),
      serialNumber: filter.serialNumber === undefined ? undefined : `${filter.serialNumber}`,
    };
    if (read.productId !== undefined && read.vendorId === undefined) invalid('A filter containing a productId must also contain a vendorId.');
    if (read.deviceSubclass !== undefined && read.deviceClass === undefined) invalid('A filter containing a subclassCode must also contain a classCode.');
    if (read.deviceProtocol !== undefined && read.deviceSubclass === undefined) invalid('A filter containing a protocolCode must also contain a subclassCode.');
    return (device) => Object.keys(read).every((name) => read[name] === undefined || read[name] === device[name]);
  };
  const hidFilter = (filter) => {
    const [vendorId, productId] = [integer(filter, 'vendorId', 0xffffffff), integer(filter, 'productId', 0xffff)];
    const [usagePage, usage] = [integer(filter, 'usagePage', 0xffff), integer(filter, 'usage', 0xffff)];
    if (productId !== undefined && vendorId === undefined) invalid('A filter containing a productId must also contain a vendorId.');
    if (usage !== undefined && usagePage === undefined) invalid('A filter containing a usage must also contain a usagePage.');
    const fits = (wanted, has) => wanted === undefined || wanted === has;
    return (device) => fits(vendorId, device.vendorId) && fits(productId, device.productId)
      && (usagePage === undefined || device.collections.some((each) => each.usagePage === usagePage && fits(usage, each.usage)));
  };
  const chooser = (readFilter) => (options) => {
    const wanted = listOf(options, 'filters', true).map(readFilter);
    const unwanted = listOf(options, 'exclusionFilters', false).map(readFilter);
    if (unwanted.length === 0 && options.exclusionFilters !== undefined) invalid("'exclusionFilters' must not be empty.");
    return (device) => (!wanted.length || wanted.some((fits) => fits(device))) && !unwanted.some((fits) => fits(device));
  };

  // `nothing` is what a person who chooses none leaves the page with.
  const ask = ({ api, name, choose, make, answer, nothing }, options) => {
    const refuse = (outcome, error) => {
      report(api, options, outcome);
      return Promise.reject(error);
    };
    const told = (text) => `Failed to execute 'requestDevice' on '${name}': ${text}`;
    let fits;
    try {
      fits = choose(options);
    } catch (error) {
      return refuse('invalid', error);
    }
    if (!admitted(api)) {
      return refuse('not-admitted', new DOMException(told(`Access to the feature "${api}" is disallowed by permissions policy.`), 'SecurityError'));
    }
    if (!gesture()) {
      return refuse('no-gesture', new DOMException(told('Must be handling a user gesture to show a permission request.'), 'SecurityError'));
    }
    if (!staged) {
      report(api, options, 'refused');
      return nothing();
    }
    const device = staged[api].find(fits);
    report(api, options, device ? 'granted' : 'no-match', device);
    return device ? Promise.resolve(answer(given(api, device, make))) : nothing();
  };

  const wrap = (prototype, how) => {
    prototype.requestDevice = new Proxy(prototype.requestDevice, {
      apply(target, self, [options]) {
        if (self === token) {
          staged = options;
          return token;
        }
        if (self !== navigator[how.api]) return apply(target, self, [options]);
        return ask(how, options);
      },
    });
    prototype.getDevices = new Proxy(prototype.getDevices, {
      apply(target, self, rest) {
        if (self !== navigator[how.api] || !staged || !made[how.api].size) return apply(target, self, rest);
        return Promise.resolve([...made[how.api].values()]);
      },
    });
  };
  if (kinds.includes('USB')) {
    wrap(USB.prototype, {
      api: 'usb', name: 'USB', choose: chooser(usbFilter), make: usbDevice, answer: (device) => device,
      nothing: () => failed('NotFoundError', "Failed to execute 'requestDevice' on 'USB': No device selected."),
    });
  }
  if (kinds.includes('HID')) {
    wrap(HID.prototype, {
      api: 'hid', name: 'HID', choose: chooser(hidFilter), make: hidDevice, answer: (device) => [device],
      nothing: () => Promise.resolve([]),
    });
  }
  // A browser without Bluetooth has none to refuse either.
  if (!staged && typeof globalThis.Bluetooth !== 'function') return;
  makeBluetooth({ ask, failed, invalid, listOf, integer, shaped, made, catalog: () => staged });
}
