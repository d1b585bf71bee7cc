// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// timers: timers that wait hold * RequestContext*
const { AsyncLocalStorage } = require('async_hooks');
const als = new AsyncLocalStorage();
class RequestContext { constructor(i) { this.no = i; this.trace = new Array(50).fill(i + 0.5); } }
function handle(i) { als.run(new RequestContext(i), () => { setTimeout(() => i, 3600000).unref(); }); }
for (let i = 0; i < 1000; i++) handle(i);
require("./write.js")();
