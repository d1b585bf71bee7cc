// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// pending promises: module promise_list.js.*inflight holds * suspended fetchOne() in promise_list.js*
// replies that never come: their resolvers are kept
const inflight = [];
function call(i) { return new Promise(resolve => { inflight.push(resolve); }); }
async function fetchOne(i) { const buf = new Array(100).fill(i + 0.5); await call(i); return buf; }
for (let i = 0; i < 1000; i++) fetchOne(i);
exports.inflight = inflight;
require("./write.js")();
