// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// node importers.js PEER PATH FILE...: what an importer of another program makes of each file, a row of JSON for each of its threads:
// [file, thread, unit, {function: [self, total]}], or [file, null, why, {}] where it refuses.
//
//	speedscope	PATH is the npm package of that name: its page is run without a browser, up to the first thing that draws.
//	firefox		PATH is a module that exports convertPerfScriptProfile: linux-perf.js of the Firefox Profiler, without types.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm'), zlib = require('zlib');

class Sums {
	constructor() {
		this.of = {};
	}
	// names: of the stack, the innermost first.
	add(names, weight) {
		const seen = new Set(names);
		for (const name of seen)
			(this.of[name] = this.of[name] || [0, 0])[1] += weight;
		if (names.length > 0)
			this.of[names[0]][0] += weight;
	}
}

function speedscope(where) {
	const release = path.join(where, 'dist/release');
	const page = fs.readFileSync(path.join(release, fs.readdirSync(release).find(n => /^speedscope-.*\.js$/.test(n))), 'utf8');
	const importers = page.match(/\(([\w$]+),\{[^{}]*importProfilesFromArrayBuffer:/)[1];
	const start = page.match(new RegExp(`\\(([\\w$]+\\(\\)),${importers.replace('$', '\\$')}\\)`))[1];
	const nothing = new Proxy(function () {}, { get: (t, k) => k === Symbol.toPrimitive ? () => '' : nothing, set: () => true,
		apply: () => nothing, construct: () => nothing, has: () => true });
	const room = vm.createContext({ document: nothing, navigator: { userAgent: '', platform: '' }, localStorage: nothing, fetch: nothing,
		location: { hash: '', protocol: 'http:', pathname: '/', search: '' }, TextDecoder, TextEncoder, URL, atob, btoa, performance,
		console: { log() {}, warn() {}, error() {}, time() {}, timeEnd() {} }, setTimeout, clearTimeout, alert() {},
		requestAnimationFrame() {}, addEventListener() {}, removeEventListener() {} });
	room.window = room.self = room;
	// Samples with times, which only perf texts have, count one each instead of the time to the next one.
	const text = page.replace('(()=>{', `(()=>{globalThis.peer=(n,b)=>(${start},${importers}).importProfilesFromArrayBuffer(n,b);`)
		.replace(/appendSampleWithTimestamp\((\w+),(\w+)\)\{/, '$&return this.appendSampleWithWeight($1,1);');
	try {
		vm.runInContext(text, room);
	} catch (e) {
		if (!room.peer)
			throw e;
	}
	return async (name, bytes) => {
		// Its buffers are those of its own room.
		const buffer = vm.runInContext(`new ArrayBuffer(${bytes.length})`, room);
		new Uint8Array(buffer).set(bytes);
		const group = await room.peer(path.basename(name), buffer);
		if (!group)
			throw new Error('no format that it knows');
		return group.profiles.map(profile => {
			const sums = new Sums();
			profile.samples.forEach((node, i) => {
				const names = [];
				for (; node && !node.isRoot(); node = node.parent)
					// Arguments follow the names of trace events.
					names.push(node.frame.name.replace(/ \{.*\}$/s, ''));
				sums.add(names, profile.weights[i]);
			});
			return [profile.getName(), profile.getWeightUnit(), sums.of];
		});
	};
}

function firefox(where) {
	const { convertPerfScriptProfile } = require(path.resolve(where));
	return async (name, bytes) => {
		const profile = convertPerfScriptProfile((name.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString());
		if (profile.threads.length === 0)
			throw new Error('no samples');
		return profile.threads.map(thread => {
			const sums = new Sums();
			for (const [stack] of thread.samples.data) {
				const names = [];
				for (let at = stack; at !== null; at = thread.stackTable.data[at][0])
					names.push(thread.stringTable[thread.frameTable.data[thread.stackTable.data[at][1]][0]]);
				sums.add(names, 1);
			}
			return [thread.name, 'none', sums.of];
		});
	};
}

async function main([peer, where, ...files]) {
	const read = { speedscope, firefox }[peer](where);
	for (const file of files) {
		try {
			for (const row of await read(file, fs.readFileSync(file)))
				console.log(JSON.stringify([file, ...row]));
		} catch (e) {
			console.log(JSON.stringify([file, null, String(e && e.message || e), {}]));
		}
	}
}
main(process.argv.slice(2));
