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
		let boxes = [], zoom, focus, found = [], letter = 7.3, zooms = 0;

		// ---- what is in the picture: boxes come callers first, so the last one a level up is what holds it

		// Classes of what grew and of what shrank have the strength of their colour behind them.
		const signOf = (g) => [['g', '+ '], ['s', '- ']].reduce((sign, [c, s]) =>
			[1, 2, 3].some((n) => g.classList.contains(c + n)) ? s : sign, '');
		const up = svg.classList.contains('up');
		const read = () => {
			const groups = svg.querySelectorAll('[id^="boxes"] > g'), open = [];
			let deepest = 0, step = 0, top = null;
			boxes = Array.from(groups, (g) => {
				const rect = g.querySelector('rect'), title = g.querySelector('title').textContent;
				const end = title.indexOf('\n'), y = Number(rect.getAttribute('y'));
				return { g, rect, y, x: Number(rect.getAttribute('x')), w: Number(rect.getAttribute('width')),
					text: g.querySelector('text'), path: g.querySelector('path'), name: title.slice(0, end),
					tip: title.slice(end + 1), more: g.classList.contains('m'), sign: signOf(g), children: [] };
			});
			top = boxes.length > 0 ? boxes[0].y : 0;
			step = boxes.length > 1 ? Math.abs(boxes[1].y - top) : 1;
			boxes.forEach((b, i) => {
				b.level = Math.round(Math.abs(b.y - top) / step);
				deepest = Math.max(deepest, b.level);
				b.above = b.level > 0 ? open[b.level - 1] : null;
				open[b.level] = b;
				if (b.above) {
					b.place = b.above.children.length;
					b.above.children.push(b);
				}
				b.g.setAttribute('role', 'treeitem');
				b.g.setAttribute('aria-level', b.level + 1);
				b.g.setAttribute('aria-label', b.name + ', ' + b.tip);
				b.g.setAttribute('tabindex', i === 0 ? 0 : -1);
				b.g.box = b;
			});
			return deepest;
		};
		const deepest = read();

		if (boxes.length === 0)
			return;

		// ---- drawing, in pixels

		// Drop the least distinctive parts first: arguments, then packages, outermost first.
		const short = (name, n) => {
			if (name.length <= n)
				return name;
			const end = name.search(/ ?\(/), own = end > 0 ? name.slice(0, end) : name;
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
				else if (b.x >= zoom.x - 1e-6 && zoom.x + zoom.w + 1e-6 >= b.x + b.w && b.level >= zoom.level)
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
			back.disabled = zoom === boxes[0];
		};
		const zoomTo = (b) => {
			if (b === zoom || b.more)
				return;
			show(b);
			zooms = Math.min(zooms + 1, ZOOMS);
			note(ZOOMS > zooms);
		};

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
				found.length + (found.length === 1 ? ' box, ' : ' boxes, ') + (100 * part / boxes[0].w).toFixed(2) + '%';
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
		const select = (b) => {
			if (!b)
				return;
			if (b.g.classList.contains('off'))
				show(boxes[0]);
			focus.g.setAttribute('tabindex', -1);
			focus = b;
			b.g.setAttribute('tabindex', 0);
			b.g.focus();
			tell(b);
		};
		const restore = () => {
			const all = new URLSearchParams(location.hash.slice(1).replace(/\+/g, '%2B'));
			const given = Number(all.get('p') || 0) === number ? all : new URLSearchParams();
			if (fold && given.has('p'))
				fold.open = true;
			const b = given.get('z') ? boxAt(given.get('z')) : boxes[0];
			field.value = given.get('s') || '';
			search();
			show(b && !b.more ? b : boxes[0]);
		};

		// ---- what is around it

		const bar = make('div', ''), back = make('button', 'Reset zoom'), count = make('output', ''), tip = make('p', '');
		const previous = make('button', '\u2191'), next = make('button', '\u2193');
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
		bar.append(field, previous, next, back, count);
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
		previous.addEventListener('click', () => walk(-1));
		next.addEventListener('click', () => walk(1));
		back.addEventListener('click', () => zoomTo(boxes[0]));

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
			Escape: () => zoomTo(boxes[0]),
			0: () => zoomTo(boxes[0]),
			Backspace: () => zooms > 0 && history.back(),
			n: () => walk(1),
			N: () => walk(-1),
			Home: () => select(boxes[0]),
			ArrowUp: () => select(up ? focus.children[0] : focus.above),
			ArrowDown: () => select(up ? focus.above : focus.children[0]),
			ArrowLeft: () => focus.above && select(focus.above.children[focus.place - 1]),
			ArrowRight: () => focus.above && select(focus.above.children[focus.place + 1]),
			'/': () => field.focus()
		};
		document.addEventListener('keydown', (e) => {
			const find = (e.ctrlKey || e.metaKey) && e.key === 'f';
			// On a page with several pictures, keys are for the one that has the focus.
			if (number > 0 && !svg.contains(document.activeElement))
				return;
			if (!find && (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key)))
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
			zooms = e.state ? e.state.zooms : 0;
			restore();
		});
		window.addEventListener('resize', draw);

		// ---- begin

		const measure = () => {
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
		zoom = focus = boxes[0];
		tell(focus);
		restore();
	};
	// ---- tables that are sorted by a click on a title, and filtered

	// Numbers with units: what a cell shows, as a number of bytes, of seconds or of things; NaN: a text.
	const units = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
	const valueOf = (text) => {
		const m = /^([0-9][0-9 ]*(?:\.[0-9]+)?)(?: ?([KMGT]?i?B))?$/.exec(text);
		return m ? Number(m[1].replace(/ /g, '')) * (units[m[2]] || 1) : NaN;
	};
	const order = (a, b) => {
		const x = valueOf(a), y = valueOf(b);
		return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
	};
	document.querySelectorAll('table.sort').forEach((table) => {
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
		table.parentNode.before(tools);
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

	pictures.forEach((svg, i) => explore(svg, pictures.length > 1 ? i + 1 : 0));
})();
