// What was done on the page, told to the site when the page is left: no request disturbs a call.

const recorded = [];
const inputs = [];

export function record(control, value) {
  recorded.push([control, value]);
}

for (const type of ['pointerdown', 'keydown']) {
  addEventListener(type, (event) => { if (event.isTrusted) inputs.push(Date.now() / 1000); }, true);
}

addEventListener('pagehide', () => {
  navigator.sendBeacon(`/told${location.search}`, JSON.stringify({ recorded, inputs }));
});
