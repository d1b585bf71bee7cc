// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// timers: timers that wait hold * run() in timers_many.js*context of later().job.payload*
// every timeout has a delay of its own
function later(i) { const job = { payload: new Array(200).fill(i + 0.5) };
	setTimeout(function run() { return job; }, 1000000 + i); }
for (let i = 0; i < 500; i++) later(i);
require("./write.js")();
