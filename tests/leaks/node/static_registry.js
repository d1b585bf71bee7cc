// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: Widget.all holds * 6 000 Widget in a Set*
class Widget { static all = new Set(); constructor(i) { this.no = i; this.title = 'widget ' + i;
	Widget.all.add(this); } }
for (let i = 0; i < 6000; i++) new Widget(i);
exports.Widget = Widget;
require("./write.js")();
