// Bluetooth as far as the choice of a device goes: one can be asked for, found and connected to, and
// has no service that answers. Chromium on Linux has no `navigator.bluetooth`, so it is made here.
({ ask, failed, invalid, listOf, integer, shaped, made, catalog }) => {
  const { navigator, EventTarget, TypeError, Object, Promise, Reflect } = globalThis;
  const BASE = '-0000-1000-8000-00805f9b34fb';
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  const SERVICES = {
    generic_access: 0x1800, generic_attribute: 0x1801, immediate_alert: 0x1802, link_loss: 0x1803, tx_power: 0x1804,
    current_time: 0x1805, reference_time_update: 0x1806, next_dst_change: 0x1807, glucose: 0x1808, health_thermometer: 0x1809,
    device_information: 0x180a, heart_rate: 0x180d, phone_alert_status: 0x180e, battery_service: 0x180f, blood_pressure: 0x1810,
    alert_notification: 0x1811, human_interface_device: 0x1812, scan_parameters: 0x1813, running_speed_and_cadence: 0x1814,
    automation_io: 0x1815, cycling_speed_and_cadence: 0x1816, cycling_power: 0x1818, location_and_navigation: 0x1819,
    environmental_sensing: 0x181a, body_composition: 0x181b, user_data: 0x181c, weight_scale: 0x181d, bond_management: 0x181e,
    continuous_glucose_monitoring: 0x181f, internet_protocol_support: 0x1820, indoor_positioning: 0x1821, pulse_oximeter: 0x1822,
    http_proxy: 0x1823, transport_discovery: 0x1824, object_transfer: 0x1825, fitness_machine: 0x1826, mesh_provisioning: 0x1827,
    mesh_proxy: 0x1828, reconnection_configuration: 0x1829,
  };
  const short = (number) => (number >>> 0).toString(16).padStart(8, '0') + BASE;
  const service = (name) => {
    if (typeof name === 'number') return short(name);
    const text = `${name}`;
    if (UUID.test(text)) return text;
    return Object.hasOwn(SERVICES, text) ? short(SERVICES[text]) : invalid(`Invalid Service name: '${text.slice(0, 60)}'. It must be a valid UUID alias, UUID, or name.`);
  };

  const offered = (name) => {
    try {
      return service(name);
    } catch {
      return '';
    }
  };

  const filterOf = (filter) => {
    const has = (name) => filter[name] !== undefined;
    if (!['services', 'name', 'namePrefix', 'manufacturerData', 'serviceData'].some(has)) {
      invalid('A filter must restrict the devices in some way.');
    }
    const services = has('services') ? Array.from(filter.services, service) : [];
    if (has('services') && !services.length) invalid("'services', if present, must contain at least one service.");
    const prefix = has('namePrefix') ? `${filter.namePrefix}` : '';
    if (has('namePrefix') && !prefix) invalid("'namePrefix', if present, must be non-empty.");
    const companies = listOf(filter, 'manufacturerData', false).map((each) => integer(each, 'companyIdentifier', 0xffff));
    if (has('manufacturerData') && !companies.length) invalid("'manufacturerData', if present, must be non-empty.");
    return (device) => services.every((each) => device.services.map(offered).includes(each))
      && (!has('name') || device.name === `${filter.name}`)
      && (!prefix || device.name.startsWith(prefix))
      && companies.every((each) => device.manufacturerIds.includes(each))
      && !has('serviceData');
  };
  const choose = (options) => {
    const all = options?.acceptAllDevices === true;
    const wanted = listOf(options ?? {}, 'filters', !all).map(filterOf);
    if (all && options.filters !== undefined) invalid("Either 'filters' should be present or 'acceptAllDevices' should be true, but not both.");
    if (!all && !wanted.length) invalid("'filters' member must be non-empty to find any devices.");
    const unwanted = listOf(options, 'exclusionFilters', false).map(filterOf);
    if (options.exclusionFilters !== undefined && (all || !unwanted.length)) invalid("'exclusionFilters' needs 'filters', and must be non-empty.");
    if (options.optionalServices !== undefined) Array.from(options.optionalServices, service);
    return (device) => (all || wanted.some((fits) => fits(device))) && !unwanted.some((fits) => fits(device));
  };

  // --- the classes ------------------------------------------------------------------------------

  const classNamed = (name, parent) => {
    const made = { [name]: function () { throw new TypeError(`Failed to construct '${name}': Illegal constructor`); } }[name];
    if (parent) {
      Object.setPrototypeOf(made, parent);
      Object.setPrototypeOf(made.prototype, parent.prototype);
    }
    Object.defineProperty(made, 'prototype', { writable: false });
    Object.defineProperty(made.prototype, Symbol.toStringTag, { value: name, configurable: true });
    Object.defineProperty(globalThis, name, { value: made, writable: true, enumerable: false, configurable: true });
    return made;
  };
  const Bluetooth = classNamed('Bluetooth', EventTarget);
  const Device = classNamed('BluetoothDevice', EventTarget);
  const Server = classNamed('BluetoothRemoteGATTServer');

  const serverOf = (device, about) => {
    let connected = false;
    const none = (uuid) => {
      if (!connected) return failed('NetworkError', 'GATT Server is disconnected. Cannot retrieve services. (Re)connect first with `device.gatt.connect`.');
      return failed('NotFoundError', uuid === undefined ? 'No Services found in device.' : `No Services matching UUID ${uuid} found in Device.`);
    };
    const named = (name) => {
      try {
        return none(name === undefined ? undefined : service(name));
      } catch (error) {
        return Promise.reject(error);
      }
    };
    const server = shaped(Server.prototype, {}, { device: () => device, connected: () => connected }, {
      connect() {
        connected = made.bluetooth.has(about.id);
        return connected ? Promise.resolve(server) : failed('NetworkError', 'Bluetooth Device is no longer in range.');
      },
      disconnect() {
        if (!connected) return;
        connected = false;
        device.dispatchEvent(new Event('gattserverdisconnected', { bubbles: true }));
      },
      getPrimaryService(name) {
        return arguments.length ? named(name) : Promise.reject(new TypeError('1 argument required, but only 0 present.'));
      },
      getPrimaryServices(name) { return named(name); },
    });
    return server;
  };
  const deviceOf = (about) => {
    let handler = null;
    const target = new EventTarget();
    const device = shaped(Device.prototype, target, {
      id: () => about.id, name: () => about.name, gatt: () => server, watchingAdvertisements: () => false,
      ongattserverdisconnected: {
        get: () => handler,
        set(given) {
          if (handler) target.removeEventListener('gattserverdisconnected', handler);
          handler = typeof given === 'function' ? given : null;
          if (handler) target.addEventListener('gattserverdisconnected', handler);
        },
      },
    }, {
      forget() { made.bluetooth.delete(about.id); return Promise.resolve(undefined); },
      watchAdvertisements: () => failed('NotSupportedError', 'Advertisements cannot be watched.'),
    });
    const server = serverOf(device, about);
    return device;
  };

  const how = {
    api: 'bluetooth', name: 'Bluetooth', choose, make: deviceOf, answer: (device) => device,
    nothing: () => failed('NotFoundError', 'User cancelled the requestDevice() chooser.'),
  };
  const bluetooth = shaped(Bluetooth.prototype, new EventTarget(), {}, {
    getAvailability: () => Promise.resolve(Boolean(catalog()?.bluetooth.length)),
    getDevices: () => Promise.resolve([...made.bluetooth.values()]),
    requestDevice(options) { return ask(how, options); },
  });
  Reflect.defineProperty(Navigator.prototype, 'bluetooth', {
    get() {
      if (this !== navigator) throw new TypeError('Illegal invocation');
      return bluetooth;
    },
    set: undefined, enumerable: true, configurable: true,
  });
}
