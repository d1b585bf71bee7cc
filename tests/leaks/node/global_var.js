// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: global.requestLog holds * 10 000 {url} in an Array*
global.requestLog = [];
for (let i = 0; i < 10000; i++) global.requestLog.push({ url: '/item/' + i, status: 200, ms: i / 7 });
require("./write.js")();
