// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: context of memoize().results holds * 6 000 {text} in a Map*
function memoize(fn) { const results = new Map(); return function memoized(x) {
	if (!results.has(x)) results.set(x, fn(x)); return results.get(x); }; }
const square = memoize(function slow(x) { return { x, text: 'result of ' + x, y: x * 1.5 }; });
for (let i = 0; i < 6000; i++) square(i);
exports.square = square;
require("./write.js")();
