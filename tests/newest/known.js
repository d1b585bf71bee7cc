// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// known.js ROUNDS [FILE]: heavy works three times as long as light.
// FILE: a heap snapshot with 500 objects of the class Leaf.
"use strict";

class Leaf {
	constructor(n) {
		this.name = "leaf " + n;
	}
}

function heavy(rounds) {
	let total = 0;
	for (let i = 0; i < 3 * rounds; i++)
		total += i * i % 7;
	return total;
}

function light(rounds) {
	let total = 0;
	for (let i = 0; i < rounds; i++)
		total += i * i % 5;
	return total;
}

function run(rounds) {
	let total = 0;
	for (let i = 0; i < 12; i++)
		total += heavy(rounds) + light(rounds);
	return total;
}

const leaves = Array.from({ length: 500 }, (_, i) => new Leaf(i));
run(Number(process.argv[2]));
if (process.argv[3]) {
	const v8 = require("v8");
	console.log(v8.queryObjects ? v8.queryObjects(Leaf, { format: "count" }) : leaves.length);
	v8.writeHeapSnapshot(process.argv[3]);
}
