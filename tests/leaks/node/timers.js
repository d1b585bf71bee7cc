// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// timers: timers that wait hold * (anonymous)() in timers.js*
function poll(i) { const state = { attempts: i, log: new Array(200).fill(i + 0.5) };
	setInterval(() => state.attempts++ + state.log.length, 3600000).unref(); }
for (let i = 0; i < 500; i++) poll(i);
require("./write.js")();
