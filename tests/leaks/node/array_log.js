// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: Audit.entries holds * AuditEntry in an Array*
class AuditEntry { constructor(i) { this.at = i + 0.5; this.text = 'entry ' + i; } }
class Audit { constructor() { this.entries = []; } add(e) { this.entries.push(e); } }
const audit = new Audit();
for (let i = 0; i < 8000; i++) audit.add(new AuditEntry(i));
setInterval(() => audit.add(1), 1e6).unref();
require("./write.js")();
