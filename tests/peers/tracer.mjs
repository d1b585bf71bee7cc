// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// tracer.mjs UI_DIR: asks Perfetto's trace processor, the WebAssembly program of its UI, about files.
//
// A line of standard input is {"file": path, "sql": [statements]}, a line of the output its answer:
// {"error": text of the load, "results": [{"error": text, "rows": [[cells]]}]}.  UI_DIR holds engine_bundle.js and
// trace_processor.wasm.  If the program crashes, the answer says so and is the last one.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { MessageChannel } from 'node:worker_threads';

const dir = process.argv[2];
const PIECE = 16 << 20;
// Requests of TraceProcessorRpc, and the fields of its arguments and answers.
const APPEND = { request: 1, args: 101, answer: 201, error: 2 };
const FINISH = { request: 2, args: 0, answer: 212, error: 1 };
const QUERY = { request: 3, args: 103, answer: 203 };
const RESET = { request: 11, args: 0, answer: 0, error: 0 };

function crashed(e) {
  fs.writeSync(1, JSON.stringify({ error: 'crashed: ' + String(e?.message ?? e).split('\n')[0], results: [] }) + '\n');
  process.exit(4);
}

// The engine is written for a worker of a browser; it starts the program at once.
function startEngine() {
  const { Instance } = WebAssembly;
  let ready;
  const started = new Promise(resolve => { ready = resolve; });
  WebAssembly.Instance = function (...args) {
    const made = new Instance(...args), init = made.exports.trace_processor_rpc_init;
    if (!init)
      return made;
    const begin = (...a) => { const r = init(...a); setImmediate(ready); return r; };
    return { exports: { ...made.exports, trace_processor_rpc_init: begin } };
  };
  const own = url => fs.readFileSync(path.join(dir, path.basename(String(url))));
  Object.assign(globalThis, {
    self: globalThis, WorkerGlobalScope: function () {}, location: { href: 'file:///engine_bundle.js' },
    XMLHttpRequest: class { open(_, url) { this.url = url; } send() { this.response = new Uint8Array(own(this.url)).buffer; } },
    fetch: async url => new Response(own(url), { headers: { 'Content-Type': 'application/wasm' } }),
  });
  console.warn = console.log = () => {};
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, node: undefined } });
  (0, eval)(fs.readFileSync(path.join(dir, 'engine_bundle.js'), 'utf8'));
  Object.defineProperty(process, 'versions', { value: versions });
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event);
    process.on(event, crashed);
  }
  return started;
}

// ---- protobuf

function varint(n) {
  const bytes = [];
  for (n = BigInt(n); n > 127n; n >>= 7n)
    bytes.push(Number(n & 127n) | 128);
  return Buffer.from([...bytes, Number(n)]);
}

const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
const bytes = (field, b) => Buffer.concat([varint(field << 3 | 2), varint(b.length), b]);

// The number that begins at a place, and the place behind it.
function numberAt(b, at) {
  let n = 0n, shift = 0n;
  for (;; at++, shift += 7n) {
    n |= BigInt(b[at] & 127) << shift;
    if (b[at] < 128)
      return [n, at + 1];
  }
}

function* fields(b) {
  for (let at = 0, key, n; at < b.length;) {
    [key, at] = numberAt(b, at);
    const wire = Number(key & 7n), field = Number(key >> 3n);
    if (wire === 0) {
      [n, at] = numberAt(b, at);
      yield [field, n];
      continue;
    }
    n = wire === 1 ? 8n : 4n;
    if (wire === 2)
      [n, at] = numberAt(b, at);
    yield [field, b.subarray(at, at + Number(n))];
    at += Number(n);
  }
}

function numbers(v) {
  if (typeof v === 'bigint')
    return [v];
  const all = [];
  for (let at = 0, n; at < v.length;) {
    [n, at] = numberAt(v, at);
    all.push(n);
  }
  return all;
}

// ---- requests

const { port1, port2 } = new MessageChannel();
let partial = Buffer.alloc(0), seq = 0, take = null;
port1.on('message', m => {
  partial = Buffer.concat([partial, Buffer.from(m)]);
  for (;;) {
    const head = partial.subarray(1).findIndex(b => b < 128);
    if (head < 0)
      return;
    const [size, at] = numberAt(partial, 1);
    if (partial.length < at + Number(size))
      return;
    const message = partial.subarray(at, at + Number(size));
    partial = partial.subarray(at + Number(size));
    take?.(message);
  }
});

// Sends a request; each gets the fields of every message of the answer and says whether it was the last.
function ask(kind, args, each) {
  return new Promise((resolve, reject) => {
    take = message => {
      let last = false;
      for (const [field, v] of fields(message)) {
        if (field === 5)
          return reject(new Error(v.toString()));
        last = each(field, v) || last;
      }
      if (last) {
        take = null;
        resolve();
      }
    };
    const body = args ? bytes(kind.args, args) : Buffer.alloc(0);
    port1.postMessage(new Uint8Array(bytes(1, Buffer.concat([number(1, seq++), number(2, kind.request), body]))));
  });
}

// A request with an answer of one message; its error, or an empty text.
async function simple(kind, args) {
  let error = '';
  await ask(kind, args, (field, v) => {
    if (field === kind.answer && typeof v !== 'bigint')
      for (const [inner, text] of fields(v))
        error = inner === kind.error ? text.toString() : error;
    return true;
  });
  return error;
}

async function load(file) {
  const fd = fs.openSync(file), piece = Buffer.alloc(PIECE);
  let error = '';
  for (let n; !error && (n = fs.readSync(fd, piece, 0, PIECE, null)) > 0;)
    error = await simple(APPEND, piece.subarray(0, n));
  fs.closeSync(fd);
  return error || simple(FINISH, null);
}

// The cells of a batch: their kinds, then the values of each kind.
function cells(batch) {
  const kinds = [], whole = [], real = [];
  let texts = [];
  for (const [field, v] of fields(batch)) {
    if (field === 1)
      kinds.push(...numbers(v).map(Number));
    else if (field === 2)
      whole.push(...numbers(v).map(n => Number(BigInt.asIntN(64, n))));
    else if (field === 3)
      for (let i = 0; i < v.length; i += 8)
        real.push(v.readDoubleLE(i));
    else if (field === 5)
      texts = v.toString().split('\0');
  }
  const next = { 2: whole.values(), 3: real.values(), 4: texts.values() };
  return kinds.map(k => next[k]?.next().value ?? null);
}

async function query(sql) {
  const rows = [];
  let error = '', width = 0, row = [];
  await ask(QUERY, bytes(1, Buffer.from(sql)), (field, v) => {
    let last = false;
    if (field !== QUERY.answer)
      return false;
    for (const [inner, part] of fields(v)) {
      width += inner === 1;
      if (inner === 2 && part.length) {
        error = part.toString();
        last = true;
      }
      if (inner !== 3)
        continue;
      for (const [f, x] of fields(part))
        last ||= f === 6 && x !== 0n;
      for (const cell of cells(part))
        if (row.push(cell) === width) {
          rows.push(row);
          row = [];
        }
    }
    return last;
  });
  return { error, rows };
}

const started = startEngine();
self.onmessage({ data: port2 });
const alive = setInterval(() => {}, 1 << 30);      // a pending promise alone does not keep node running
await started;
let first = true;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { file, sql } = JSON.parse(line), results = [];
  if (!first)
    await simple(RESET, null);
  first = false;
  const error = await load(file);
  for (const s of sql)
    results.push(await query(s));
  console.info(JSON.stringify({ error, results }));
}
clearInterval(alive);
port1.close();
port2.close();
