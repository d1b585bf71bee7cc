// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: Uploads.done holds * 100 Upload in an Array*
class Upload { constructor(i) { this.name = 'file' + i; this.chunk = Buffer.alloc(65536, i % 250); } }
class Uploads { constructor() { this.done = []; } }
const uploads = new Uploads();
for (let i = 0; i < 100; i++) uploads.done.push(new Upload(i));
exports.uploads = uploads;
require("./write.js")();
