// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: module weakmap.js.exports.docs holds * 3 000 Doc in an Array*
class Doc { constructor(i) { this.no = i; } }
const meta = new WeakMap(), docs = [];
for (let i = 0; i < 3000; i++) { const d = new Doc(i); docs.push(d); meta.set(d, {
	words: new Array(20).fill(i + 0.5) }); }
exports.docs = docs; exports.meta = meta;
require("./write.js")();
