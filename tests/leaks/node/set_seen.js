// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: Seen.ids holds * in a Set*
class Seen { constructor() { this.ids = new Set(); } }
const seen = new Seen();
for (let i = 0; i < 30000; i++) seen.ids.add('message-id-' + i + '-' + (i * 7919));
module.exports = seen;
require("./write.js")();
