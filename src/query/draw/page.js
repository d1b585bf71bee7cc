// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
(() => {
	const HTML = 'http://www.w3.org/1999/xhtml';
	const make = (name, text) => {
		const e = document.createElementNS(HTML, name);
		e.textContent = text;
		return e;
	};
	// A lone picture becomes a page around it, like the other files.
	const settle = (root) => {
		const room = document.createElementNS(root.namespaceURI, 'foreignObject'), svg = root.cloneNode(false);
		const page = room.appendChild(make('div', '')), main = make('main', ''), head = make('header', ''), foot = make('footer', '');
		const take = (what, name) => Array.from(root.querySelectorAll(what), (e) => {
			e.remove();
			return name ? make(name, e.textContent) : e;
		});
		page.className = 'page';
		page.append(...take('.head', 'h1'), head, main, foot);
		head.append(...take('.lead', 'p'));
		main.append(svg);
		svg.append(...take('#boxes'));
		foot.append(...take('#legend'), ...take('.note', 'p'));
		for (const name of ['viewBox', 'role', 'aria-labelledby'])
			root.removeAttribute(name);
		root.setAttribute('class', 'host');
		room.setAttribute('width', '100%');
		room.setAttribute('height', '100%');
		root.append(room);
		return svg;
	};
	const root = document.documentElement, alone = root instanceof SVGElement;
	const pictures = alone ? [settle(root)] : Array.from(document.querySelectorAll('svg[role="img"]'));
	const ROW = 18, HEIGHT = 17, PAD = 3, ZOOMS = 50;

	// One picture, with its controls; number: among those of the page.
	const explore = (svg, number) => {
		const field = make('input', ''), fold = svg.closest('details');
		let boxes, deepest, zoom, focus, found = [], letter = 7.3, zooms = 0;
		let joined = false, middle = '';	// threads are one; the function between its callers and callees

		// ---- what is in the picture: boxes come callers first, so the last one a level up is what holds it

		// Classes of what grew and of what shrank have the strength of their colour behind them.
		const signOf = (g) => [['g', '+ '], ['s', '- ']].reduce((sign, [c, s]) =>
			[1, 2, 3].some((n) => g.classList.contains(c + n)) ? s : sign, '');
		const up = svg.classList.contains('up');
		const boxFrom = (g, above, kin, level, x, w) => {
			const title = g.querySelector('title').textContent, end = title.indexOf('\n');
			const b = { g, above, kin, level, x, w, rect: g.querySelector('rect'), text: g.querySelector('text'),
				path: g.querySelector('path'), name: title.slice(0, end), tip: title.slice(end + 1),
				more: g.classList.contains('m'), sign: signOf(g), children: [] };
			g.setAttribute('role', 'treeitem');
			g.setAttribute('aria-level', level + 1);
			g.setAttribute('aria-label', b.name + ', ' + b.tip);
			g.setAttribute('tabindex', -1);
			g.box = b;
			b.place = kin.push(b) - 1;
			return b;
		};
		const read = () => {
			const open = [], place = (b, what) => Number(b.querySelector('rect').getAttribute(what));
			let top, step = 0;
			return Array.from(svg.querySelectorAll('[id^="boxes"] > g'), (g, i) => {
				const y = place(g, 'y');
				top = i === 0 ? y : top;
				step = step || Math.abs(y - top);
				const level = i === 0 ? 0 : Math.round(Math.abs(y - top) / step), above = level > 0 ? open[level - 1] : null;
				open[level] = boxFrom(g, above, above ? above.children : [], level, place(g, 'x'), place(g, 'width'));
				return open[level];
			});
		};
		const own = read(), whole = own[0];

		if (!whole)
			return null;

		// ---- several boxes as one, with all callers above and all callees below

		const percent = (part, all) => (100 * part / all).toFixed(2) + '%';
		const gather = (tops, like, all) => {
			const node = (first) => ({ like: first, w: 0, next: new Map() }), made = [], up = node(like), down = node(like);
			const step = (from, b, w) => {
				const key = b.more ? '' : b.name, to = from.next.get(key) || node(b);
				from.next.set(key, to);
				to.w += w;
				return to;
			};
			const lay = (of, above, kin, level, x, by) => {
				const g = of.like.g.cloneNode(true);
				g.querySelector('title').textContent = (of.like.more ? 'more' : of.like.name) + '\n' + percent(of.w, whole.w) +
					' of the total' + (above && like !== all ? ', ' + percent(of.w, down.w) + ' of ' + like.name : '');
				g.removeAttribute('aria-expanded');
				const b = boxFrom(g, above, kin, level, x, of.w);
				b.rise = 0 > by;
				made.push(b);
				layChildren(of, b, b.children, by);
				return b;
			};
			const layChildren = (of, b, kin, by) => {
				let x = b.x;
				for (const child of Array.from(of.next.values()).sort((p, q) => p.like.more - q.like.more || q.w - p.w)) {
					lay(child, b, kin, b.level + by, x, by);
					x += child.w;
				}
			};
			for (const top of tops) {
				const todo = [[down, top]];
				down.w += top.w;
				for (let at = up, b = top.above; b && b !== all; b = b.above)
					at = step(at, b, top.w);
				for (const [to, b] of todo)
					for (const child of b.children)
						todo.push([step(to, child, child.w), child]);
			}
			const b = lay(down, null, [], 0, 0, 1);
			b.callers = [];
			layChildren(up, b, b.callers, -1);
			const least = Math.min(...made.map((m) => m.level));
			made.forEach((m) => {
				m.level -= least;
				m.g.setAttribute('aria-level', m.level + 1);
			});
			return made;
		};
		const isThread = (b) => b.g.classList.contains('t'), calls = svg.classList.contains('calls');
		const threads = calls && own.filter(isThread).length > 1;
		// A function that calls itself counts once, as its outermost calls.
		const outermost = (name) => own.filter((b) => {
			let a = b.above;
			while (a && a.name !== name)
				a = a.above;
			return b.name === name && !b.more && !a;
		});
		const layer = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
		// The picture; all threads as one; or the function in the middle.
		const look = (name, together) => {
			const tops = calls && name ? outermost(name) : [], all = whole.g.classList.contains('e') ? whole : null;
			joined = together && threads;
			middle = tops.length > 0 ? name : '';
			boxes = middle ? gather(tops, tops[0], all) : joined ? gather(own.filter(isThread), whole, all) : own;
			deepest = boxes.reduce((most, b) => Math.max(most, b.level), 0);
			whole.g.parentNode.classList.toggle('off', boxes !== own);
			layer.replaceChildren(...(boxes === own ? [] : boxes.map((b) => b.g)));
			zoom = boxes[0];
			if (!boxes.includes(focus))
				mark(zoom);
			search();
		};

		// ---- drawing, in pixels

		// Drop the least distinctive parts first: arguments, then packages, outermost first.
		const short = (name, n) => {
			if (name.length <= n)
				return name;
			const several = /^[0-9 ]+ x (?=.)/.exec(name);
			if (several && n > several[0].length + 2)
				return several[0] + short(name.slice(several[0].length), n - several[0].length);
			// Brackets before a dot or a colon are part of the name: "a.(*Type).run".
			const end = name.search(/ ?\((?![^()]*\)[.:])| @[0-9]+$/), own = end > 0 ? name.slice(0, end) : name;
			if (own.length <= n)
				return own;
			for (const m of own.matchAll(/[.:/$ ]+/g))
				if (n > own.length - m.index - m[0].length)
					return '\u2026' + own.slice(m.index + m[0].length);
			return Array.from(own.replace(/^.*[.:/$ ](?=.)/, '')).slice(0, n - 1).join('') + '\u2026';
		};
		const drawBox = (b, x, w, faint) => {
			const n = Math.floor((w - 2 * PAD) / letter), room = n - b.sign.length;
			const y = (up ? deepest - b.level : b.level) * ROW;
			b.g.classList.toggle('off', 0.1 > w);
			b.g.classList.toggle('faint', faint);
			if (0.1 > w)
				return;
			b.rect.setAttribute('x', x);
			b.rect.setAttribute('y', y);
			b.rect.setAttribute('width', Math.max(w - 0.5, 0.1));
			b.rect.setAttribute('height', HEIGHT);
			if (b.path)
				b.path.setAttribute('d', 'M' + x + ' ' + (y + HEIGHT / 2) + 'h' + w);
			if (n >= 3 && !b.text)
				b.text = b.g.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
			if (!b.text)
				return;
			b.text.setAttribute('x', x + PAD);
			b.text.setAttribute('y', y + 13);
			const named = room >= b.name.length || (room >= 3 && !b.more);
			b.text.textContent = 3 > n ? '' : b.sign + (named ? short(b.name, room) : '');
		};
		const draw = () => {
			const width = Math.max(svg.clientWidth || svg.getBoundingClientRect().width, 100), scale = width / zoom.w;
			const above = new Set();
			for (let b = zoom.above; b; b = b.above)
				above.add(b);
			svg.setAttribute('viewBox', '0 0 ' + width + ' ' + (deepest + 1) * ROW);
			boxes.forEach((b) => {
				if (above.has(b))
					drawBox(b, 0, width, true);
				else if (b.x >= zoom.x - 1e-6 && zoom.x + zoom.w + 1e-6 >= b.x + b.w && (b.rise || b.level >= zoom.level))
					drawBox(b, (b.x - zoom.x) * scale, b.w * scale, false);
				else
					b.g.classList.add('off');
			});
		};

		// ---- places: a zoom and a search, in the fragment of the address

		const pathOf = (b) => {
			const path = [];
			for (; b.above; b = b.above)
				path.unshift(b.place.toString(36));
			return path.join('.');
		};
		const boxAt = (path) => path.split('.').reduce((b, part) => b && b.children[parseInt(part, 36)], boxes[0]);
		const note = (push) => {
			const part = number > 0 ? ['p=' + number] : [];
			if (joined)
				part.push('m=1');
			if (middle)
				part.push('f=' + encodeURIComponent(middle));
			if (zoom !== boxes[0])
				part.push('z=' + pathOf(zoom));
			if (field.value !== '')
				part.push('s=' + encodeURIComponent(field.value));
			const hash = '#' + part.join('&');
			try {
				history[push ? 'pushState' : 'replaceState']({ zooms, number }, '', 2000 >= hash.length ? hash : '#');
			} catch (e) {
				// Some browsers have no history for files.
				return;
			}
		};
		const show = (b) => {
			zoom.g.removeAttribute('aria-expanded');
			zoom = b;
			zoom.g.setAttribute('aria-expanded', 'true');
			draw();
			back.disabled = zoom === own[0];
			around.setAttribute('aria-pressed', middle !== '');
			merge.setAttribute('aria-pressed', joined);
		};
		const noteZoom = () => {
			zooms = Math.min(zooms + 1, ZOOMS);
			note(ZOOMS > zooms);
		};
		const turn = (name, together) => {
			look(name, together);
			show(zoom);
			select(zoom);
			noteZoom();
		};
		const zoomTo = (b) => {
			if (b === zoom || b.more)
				return;
			if (middle)
				return turn(b.name, joined);
			show(b);
			noteZoom();
		};
		const reset = () => middle ? turn('', joined) : zoomTo(boxes[0]);

		// ---- search: each word of a stack counts once

		const matcher = (text) => {
			const fold = text === text.toLowerCase(), regex = /^\/(.+)\/$/s.exec(text);
			if (regex) {
				const re = new RegExp(regex[1], fold ? 'i' : '');
				return (name) => re.test(name);
			}
			return (name) => (fold ? name.toLowerCase() : name).includes(text);
		};
		const search = () => {
			let test = () => false, part = 0, error = '';
			if (field.value !== '')
				try {
					test = matcher(field.value);
				} catch (e) {
					error = e.message;
				}
			found = [];
			boxes.forEach((b) => {
				b.match = !b.more && test(b.name);
				b.inside = b.above !== null && (b.above.match || b.above.inside);
				b.g.classList.toggle('match', b.match);
				if (b.match)
					found.push(b);
				if (b.match && !b.inside)
					part += b.w;
			});
			field.setAttribute('aria-invalid', error !== '');
			count.textContent = error !== '' ? error : field.value === '' ? '' :
				found.length + (found.length === 1 ? ' box' : ' boxes') + (middle ? '' : ', ' + percent(part, boxes[0].w));
		};
		const walk = (step) => {
			if (found.length === 0)
				return;
			const at = found.indexOf(focus), next = at === -1 ? (step > 0 ? 0 : found.length - 1) : at + step;
			const b = found[(next + found.length) % found.length];
			if (b.g.classList.contains('off'))
				show(boxes[0]);
			select(b);
		};

		// ---- the selected box

		const tell = (b) => {
			tip.replaceChildren(make('b', b.name), make('span', b.tip));
		};
		const mark = (b) => {
			if (focus)
				focus.g.setAttribute('tabindex', -1);
			focus = b;
			b.g.setAttribute('tabindex', 0);
			tell(b);
		};
		const select = (b) => {
			if (!b)
				return;
			if (b.g.classList.contains('off'))
				show(boxes[0]);
			mark(b);
			b.g.focus();
		};
		// Towards the callers, and away from them.
		const outwards = (b) => b.callers ? b.callers[0] : b.rise ? b.children[0] : b.above;
		const inwards = (b) => b.rise ? b.above : b.children[0];
		// The names from the box outwards, and its numbers, as text.
		const copy = () => {
			const lines = [];
			for (let b = focus; b; b = b.above)
				lines.push(b.name);
			if (focus.rise)
				lines.reverse();
			navigator.clipboard.writeText(lines.concat(focus.tip, '').join('\n')).then(() => {
				count.textContent = 'Stack copied';
			});
		};
		const restore = () => {
			const all = new URLSearchParams(location.hash.slice(1).replace(/\+/g, '%2B'));
			const given = Number(all.get('p') || 0) === number ? all : new URLSearchParams();
			if (fold && given.has('p'))
				fold.open = true;
			field.value = given.get('s') || '';
			look(given.get('f') || '', given.has('m'));
			const b = given.get('z') ? boxAt(given.get('z')) : zoom;
			show(b && !b.more ? b : zoom);
		};

		// ---- what is around it

		const bar = make('div', ''), count = make('output', ''), tip = make('p', '');
		const button = (name, title, act) => {
			const b = make('button', name);
			b.title = title;
			b.addEventListener('click', act);
			return b;
		};
		const previous = button('\u2191', 'Previous match (N)', () => walk(-1)), next = button('\u2193', 'Next match (n)', () => walk(1));
		const back = button('Whole picture', 'Undo zoom (Escape); Backspace goes one step back', () => reset());
		const around = button('Callers and callees', 'The selected function in all stacks (S)', () => keys.S());
		const merge = button('Merge threads', 'All threads as one (m)', () => keys.m());
		bar.className = 'bar';
		bar.setAttribute('role', 'toolbar');
		bar.setAttribute('aria-label', 'Flame graph controls');
		field.type = 'search';
		field.placeholder = 'Search: text or /regex/';
		field.setAttribute('aria-label', 'Search');
		previous.setAttribute('aria-label', 'Previous match');
		next.setAttribute('aria-label', 'Next match');
		tip.className = 'tip';
		tip.setAttribute('role', 'status');
		bar.append(field, previous, next, back, ...(calls ? [around] : []), ...(threads ? [merge] : []),
			...(navigator.clipboard ? [button('Copy stack', 'Names from the selected box outwards (Ctrl+C)', copy)] : []), count);
		svg.parentNode.before(bar);
		svg.parentNode.after(tip);
		svg.classList.add('live');
		svg.setAttribute('role', 'tree');

		field.addEventListener('input', () => {
			search();
			note(false);
		});
		field.addEventListener('keydown', (e) => {
			if (e.key === 'Enter')
				walk(e.shiftKey ? -1 : 1);
			if (e.key === 'Escape') {
				field.value = '';
				search();
				note(false);
				focus.g.focus();
			}
			e.stopPropagation();
		});

		const boxOf = (e) => {
			const g = e.target.closest ? e.target.closest('g[role]') : null;
			return g ? g.box : null;
		};
		svg.addEventListener('click', (e) => {
			const b = boxOf(e);
			if (b) {
				select(b);
				zoomTo(b);
			}
		});
		svg.addEventListener('pointerover', (e) => {
			const b = boxOf(e);
			if (b)
				tell(b);
		});
		// A picture that listens for focus itself would take it.
		document.addEventListener('focusin', (e) => {
			const b = svg.contains(e.target) ? boxOf(e) : null;
			if (b && b !== focus)
				select(b);
			else if (b)
				tell(b);
		});

		const keys = {
			Enter: () => zoomTo(focus),
			Escape: reset,
			0: reset,
			S: () => calls && !focus.more && turn(middle === focus.name ? '' : focus.name, joined),
			m: () => threads && turn('', !joined),
			Backspace: () => zooms > 0 && history.back(),
			n: () => walk(1),
			N: () => walk(-1),
			Home: () => select(boxes[0]),
			ArrowUp: () => select(up ? inwards(focus) : outwards(focus)),
			ArrowDown: () => select(up ? outwards(focus) : inwards(focus)),
			ArrowLeft: () => select(focus.kin[focus.place - 1]),
			ArrowRight: () => select(focus.kin[focus.place + 1]),
			'/': () => field.focus()
		};
		document.addEventListener('keydown', (e) => {
			const held = e.ctrlKey || e.metaKey, find = held && e.key === 'f';
			if (held && e.key === 'c' && svg.contains(document.activeElement) && getSelection().isCollapsed && navigator.clipboard)
				copy();
			// On a page with several pictures, keys are for the one that has the focus.
			if (number > 0 && !svg.contains(document.activeElement))
				return;
			if (!find && (held || e.altKey || !Object.hasOwn(keys, e.key)))
				return;
			// Buttons and the table keep the keys that they have themselves.
			if (e.key === 'Enter' && !boxOf(e))
				return;
			e.preventDefault();
			if (find)
				field.select();
			(find ? keys['/'] : keys[e.key])();
		});
		window.addEventListener('popstate', (e) => {
			const within = svg.contains(document.activeElement);
			zooms = e.state ? e.state.zooms : 0;
			restore();
			if (within)
				focus.g.focus();
		});
		window.addEventListener('resize', draw);

		// ---- begin

		const measure = () => {
			// In the units that names are drawn in: a text of a fraction of a pixel has another width.
			svg.setAttribute('viewBox', '0 0 ' + Math.max(svg.clientWidth, 100) + ' ' + ROW);
			const probe = svg.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
			probe.textContent = 'm'.repeat(50);
			letter = probe.getComputedTextLength() / 50 || letter;
			probe.remove();
		};
		if (fold)
			fold.addEventListener('toggle', () => {
				measure();
				draw();
			});
		measure();
		restore();
		return { names: new Set(own.map((b) => b.name)), find: (name) => {
			field.value = name;
			look('', joined);
			show(zoom);
			mark(found[0] || zoom);
			note(false);
			bar.scrollIntoView({ block: 'nearest' });
			field.focus({ preventScroll: true });
		} };
	};
	// ---- tables that are sorted by a click on a title, and filtered

	// Numbers with units: what a cell shows, as a number of bytes, of seconds or of things; NaN: a text.
	const units = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, '%': 1, ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1,
		min: 60, h: 3600, d: 86400 };
	const valueOf = (text) => {
		const m = /^([+-]?)([0-9][0-9 ]*(?:\.[0-9]+)?) ?([A-Za-z%]*)(?: ([0-9]+) ([a-z]+))?$/.exec(text);
		if (!m || (m[3] && !units[m[3]]) || (m[5] && !units[m[5]]))
			return text === '' ? -Infinity : NaN;
		const value = Number(m[2].replace(/ /g, '')) * (units[m[3]] || 1) + (m[4] ? Number(m[4]) * units[m[5]] : 0);
		return m[1] === '-' ? -value : value;
	};
	const FILTERED = 20;
	const order = (a, b) => {
		const x = valueOf(a), y = valueOf(b);
		return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x === y ? 0 : x - y;
	};
	document.querySelectorAll('table.rows').forEach((table) => {
		const rows = Array.from(table.tBodies[0].rows), input = make('input', ''), said = make('output', ''), tools = make('div', '');
		const filter = () => {
			const words = input.value.toLowerCase().split(/\s+/);
			let n = 0;
			rows.forEach((row) => {
				const text = row.textContent.toLowerCase(), shown = words.every((word) => text.includes(word));
				row.hidden = !shown;
				n += shown;
			});
			said.textContent = input.value === '' ? '' : n + ' of ' + rows.length;
		};
		tools.className = 'bar';
		input.type = 'search';
		input.placeholder = 'Filter: words that a row contains';
		input.setAttribute('aria-label', 'Filter');
		input.addEventListener('input', filter);
		tools.append(input, said);
		if (rows.length > FILTERED || table.classList.contains('sort'))
			table.parentNode.before(tools);
		// A report leaves out columns without values.
		Array.from(table.closest('.wide') && rows.length > 0 ? table.tHead.rows[0].cells : []).forEach((head) => {
			const cells = rows.map((row) => row.cells[head.cellIndex]);
			if (cells.every((cell) => cell.textContent === ''))
				[head, ...cells].forEach((cell) => cell.remove());
		});
		Array.from(table.tHead.rows[0].cells, (head, at) => {
			const button = make('button', head.textContent);
			head.replaceChildren(button);
			button.addEventListener('click', () => {
				const down = head.getAttribute('aria-sort') === 'ascending',
					text = (row) => row.cells[at].dataset.order || row.cells[at].textContent;
				Array.from(table.tHead.rows[0].cells, (other) => other.removeAttribute('aria-sort'));
				head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
				rows.sort((a, b) => (down ? -1 : 1) * order(text(a), text(b)));
				table.tBodies[0].append(...rows);
			});
		});
	});

	// ---- contents of a long page: buttons, because the address has the zoom and the search of a picture

	const parts = Array.from(document.querySelectorAll('h2')).filter((h) => !h.closest('details'));
	if (parts.length > 3) {
		const nav = make('nav', '');
		nav.setAttribute('aria-label', 'Contents');
		nav.append(...parts.map((h) => {
			const button = make('button', h.textContent);
			h.setAttribute('tabindex', -1);
			button.addEventListener('click', () => {
				h.scrollIntoView();
				h.focus({ preventScroll: true });
			});
			return button;
		}));
		parts[0].before(nav);
	}

	const first = pictures.map((svg, i) => explore(svg, pictures.length > 1 ? i + 1 : 0))[0];

	// ---- cells of tables: a name finds its boxes in the first picture, a share has a bar

	document.querySelectorAll('table.rows tbody td').forEach((cell) => {
		const text = cell.textContent, share = /^([0-9.]+)%$/.exec(text);
		if (share) {
			cell.className = 'share';
			cell.style.backgroundSize = Math.min(Number(share[1]), 100) + '% 2px';
		}
		if (!first || !cell.classList.contains('text') || !first.names.has(text))
			return;
		const button = make('button', text);
		button.title = 'Find it in the first picture';
		button.addEventListener('click', () => first.find(text));
		cell.replaceChildren(button);
	});
})();
