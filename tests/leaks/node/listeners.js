// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// listeners: Bus._events.tick holds * 1 000 listeners, onTick() in listeners.js*context of subscribe().payload*
const EventEmitter = require('events');
class Bus extends EventEmitter {}
const bus = new Bus(); bus.setMaxListeners(0);
function subscribe(i) { const payload = new Array(100).fill(i + 0.5);
	bus.on('tick', function onTick() { return payload; }); }
for (let i = 0; i < 1000; i++) subscribe(i);
module.exports = { bus };
require("./write.js")();
