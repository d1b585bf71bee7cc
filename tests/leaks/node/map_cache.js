// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: module map_cache.js.sessions holds * Session in a Map*
// module-level Map that only grows
class Session { constructor(i) { this.id = i; this.user = 'user-' + i;
	this.data = new Array(10).fill(i + 0.5); } }
const sessions = new Map();
function login(i) { sessions.set('key' + i, new Session(i)); }
for (let i = 0; i < 3000; i++) login(i);
exports.login = login;
require("./write.js")();
