// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: module object_cache.js.cache holds * {html} in an Object*
// object used as a dictionary at module level
const cache = {};
function render(k) { return cache[k] || (cache[k] = {
	html: '<p>' + k + '</p>'.repeat(20) + k, at: k.length + 0.5 }); }
for (let i = 0; i < 5000; i++) render('/page/' + i);
exports.render = render;
require("./write.js")();
