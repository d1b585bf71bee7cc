// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// accumulation: module closure_context.js.*handlers holds * retry() in closure_context.js in an Array*context of request().parsed*
// a handler per request keeps the whole request body
const handlers = [];
function request(i) { const body = Buffer.alloc(20, i % 250).toString('latin1').repeat(100) + i;
	const parsed = new Array(300).fill(i + 0.5); handlers.push(function retry() {
	return parsed.length + body.length; }); }
for (let i = 0; i < 500; i++) request(i);
exports.handlers = handlers;
require("./write.js")();
