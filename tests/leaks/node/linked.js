// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// linked structure: Queue.head holds * Job*
class Job { constructor(i) { this.no = i; this.body = 'body of job ' + i; this.next = null; } }
class Queue { constructor() { this.head = this.tail = null; } push(j) {
	if (!this.head) this.head = this.tail = j; else { this.tail.next = j; this.tail = j; } } }
const queue = new Queue();
for (let i = 0; i < 8000; i++) queue.push(new Job(i));
exports.queue = queue;
require("./write.js")();
