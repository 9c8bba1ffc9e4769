'use strict';
self.addEventListener('message', (event) => self.postMessage(`counted ${event.data}`));
