// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// Writes the heap snapshot when what is garbage was collected: node --expose-gc PROGRAM OUT
module.exports = () => setTimeout(() => {
	global.gc();
	require("v8").writeHeapSnapshot(process.argv[2]);
	process.exit(0);
}, 50);
