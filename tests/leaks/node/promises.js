// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// pending promises: Rpc.waiting holds * {resolve, reject, method}*
// replies that never come
class Rpc { constructor() { this.waiting = new Map(); this.n = 0; }
  call(m) { return new Promise((resolve, reject) => { this.waiting.set(this.n++, {
	resolve, reject, method: m }); }); } }
const rpc = new Rpc();
async function user(i) { const big = new Array(100).fill(i + 0.5);
	const r = await rpc.call('user.get' + i); return [r, big]; }
for (let i = 0; i < 1000; i++) user(i);
exports.rpc = rpc;
require("./write.js")();
