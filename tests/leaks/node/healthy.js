// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// nothing: a server like express without a leak
const http = require('http'), EventEmitter = require('events'), path = require('path');

class Layer {
	constructor(p, fn) { this.path = p; this.handle = fn; this.keys = []; this.regexp = /^\/?$/i; }
	match(p) { return p.startsWith(this.path); }
}

class Route {
	constructor(p) { this.path = p; this.stack = []; this.methods = {}; }
	get(fn) { this.stack.push(new Layer(this.path, fn)); this.methods.get = true; }
}

class Router {
	constructor() { this.stack = []; }
	use(fn) { this.stack.push(new Layer('/', fn)); }
	route(p) {
		const r = new Route(p), l = new Layer(p, r);
		l.route = r;
		this.stack.push(l);
		return r;
	}
	handle(req, res) {
		let i = 0;
		const next = () => {
			const l = this.stack[i++];
			if (!l)
				return res.end('404');
			if (!l.match(req.url))
				return next();
			return l.route ? l.route.stack[0].handle(req, res) : l.handle(req, res, next);
		};
		next();
	}
}

class App extends EventEmitter {
	constructor() {
		super();
		this.router = new Router();
		this.settings = { env: 'production', 'x-powered-by': true, views: path.join(__dirname, 'views') };
		this.locals = { title: 'shop' };
	}
}

class User { constructor(i) { this.id = i; this.name = 'user ' + i; this.roles = ['reader']; } }

class LRU {
	constructor(max) { this.max = max; this.map = new Map(); }
	get(k) { return this.map.get(k); }
	set(k, v) {
		if (this.map.size >= this.max)
			this.map.delete(this.map.keys().next().value);
		this.map.set(k, v);
	}
}

const app = new App(), cache = new LRU(100);
for (const m of ['json', 'cookies', 'session', 'logger', 'auth', 'cors'])
	app.router.use(function middleware(req, res, next) { req[m] = { name: m }; next(); });
for (let i = 0; i < 40; i++)
	app.router.route('/r' + i).get((req, res) => {
		const u = cache.get(i) || new User(i);
		cache.set(i, u);
		res.setHeader('content-type', 'application/json');
		res.end(JSON.stringify({ i, u, t: app.locals.title }));
	});
app.on('mount', () => {});
const server = http.createServer((req, res) => app.router.handle(req, res));
server.listen(0, async () => {
	const port = server.address().port, agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
	const get = p => new Promise((ok, no) => http.get({ port, path: p, agent }, r => {
		r.on('data', () => {});
		r.on('end', ok);
	}).on('error', no));
	for (let k = 0; k < 5; k++)
		await Promise.all(Array.from({ length: 40 }, (_, i) => get('/r' + i)));
	require('./write.js')();
});
