/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_meant: the meaning of the bytes of a snapshot of V8, for copies without what is private.
 *
 * All strings are in one array, whatever they are used for.  Texts of the program are private; names of classes,
 * functions, variables and properties are names.  A property whose name is not an identifier is a key of data.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "icecore/edges.h"
#include "icecore/telling.h"
#include "v8_form.h"

#define TICK 65536u

/* Uses of a string. */
enum { USED_AS_KEY = 1, USED_AS_NAME = 2, USED_BY_PAGE = 4, USED_BY_V8 = 8 };

struct v8_meaning {
	struct v8	 v;
	struct tells	 tells;
	ARRAY(uint8_t)	 uses;		/* USED_..., by string */
};

/* ---- uses ------------------------------------------------------------------------------------ */

static unsigned
v8_used_by_node(enum v8_type type)
{
	switch (type) {
	case V8_OBJECT: case V8_CLOSURE: case V8_CODE: case V8_REGEXP:
		return USED_AS_NAME;
	case V8_NATIVE: case V8_SYNTHETIC:
		return USED_BY_PAGE;
	case V8_HIDDEN: case V8_ARRAY:
		return USED_BY_V8;
	default:
		return 0;
	}
}

static unsigned
v8_used_by_edge(enum v8_edge_type type)
{
	return type == V8_PROPERTY ? USED_AS_KEY : type == V8_CONTEXT || type == V8_NAMED ? USED_AS_NAME :
	    type == V8_ELEMENT || type == V8_NUMBERED ? 0 : USED_BY_V8;
}

static void
v8_use(struct v8_meaning *m, uint64_t string, unsigned use)
{
	if (string < m->v.strings.n)
		m->uses.at[string] |= (uint8_t)use;
}

/* Rows of an array of numbers: the type of each and its string. */
static bool
v8_uses_of(struct v8_meaning *m, const struct v8_array *a, unsigned width, const uint8_t *column, bool nodes)
{
	const struct map *source = m->v.source;
	struct v8_numbers in = { .p = source->data + a->at, .end = source->data + source->size };
	const uint8_t *types = nodes ? m->v.meta.types : m->v.meta.edge_types;
	uint64_t row[V8_FIELDS], type;

	assert(width <= V8_FIELDS && column[0] < width && column[1] < width);
	m->v.window = 0;
	for (uint64_t i = 0; a->at != 0 && v8_row(&in, width, row); i++) {
		type = row[column[0]] < V8_TYPES ? types[row[column[0]]] : 0;
		v8_use(m, row[column[1]], nodes ? v8_used_by_node((enum v8_type)type) : v8_used_by_edge((enum v8_edge_type)type));
		if (i % TICK == 0 && !v8_go(&m->v, (uint64_t)(in.p - source->data)))
			return false;
	}
	return true;
}

static bool
v8_uses(struct v8_meaning *m)
{
	const struct v8_meta *meta = &m->v.meta;

	return array_grow(&m->uses, m->v.strings.n, m->v.err) &&
	    v8_uses_of(m, &m->v.nodes, meta->width, &meta->node[V8_NODE_TYPE], true) &&
	    v8_uses_of(m, &m->v.edges, meta->edge_width, &meta->edge[V8_EDGE_TYPE], false);
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool
v8_is_identifier(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.s[i]) && s.s[i] != '_' && s.s[i] != '$' && s.s[i] != '#')
			return false;
	return s.n > 0 && !is_digit(s.s[0]);
}

/* Findings need names of the runtime: of its classes, global variables, properties and modules. */
static enum meaning
v8_name_means(struct str s)
{
	static const char *const others[] = { "_events", "*kEvents", "table", "node:*", "internal/*.js", "_http_*.js", "_stream_*.js", "_tls_*.js", "buffer.js", "events.js",
	    "fs.js", "net.js", "timers.js", NULL };

	return str_glob_list(v8_language.runtime, s) || str_glob_list(v8_language.known, s) || str_glob_list(others, s) ?
	    MEANT_FORM : MEANT_NAME;
}

static void
v8_tell(struct v8_meaning *m, struct str s, enum meaning means, const char *path)
{
	telling_whole(&m->tells, s, means, path);
}

/* "7 / part of key (Session @12) -> value (Map @13) pair in WeakMap (table @61)": names of classes. */
static void
v8_tell_pair(struct v8_meaning *m, struct str s)
{
	const char *p;
	size_t n;

	while (s.n > 0) {
		p = memchr(s.s, '(', s.n);
		n = p == NULL ? s.n : (size_t)(p - s.s) + 1;
		v8_tell(m, str_head(s, n), MEANT_FORM, "weak pair");
		s = str_after(s, n);
		for (n = 0; n < s.n && s.s[n] != ' ' && s.s[n] != ')'; n++)
			continue;
		v8_tell(m, str_head(s, n), v8_name_means(str_head(s, n)), "class");
		s = str_after(s, n);
	}
}

/* "Window / https://shop.example/": the address of a page.  "<a href=\"...\">": values of attributes. */
static void
v8_tell_page(struct v8_meaning *m, struct str s)
{
	struct str before, after;
	bool value = false;

	if (str_divide(s, STR(" / "), &before, &after)) {
		v8_tell(m, (struct str){ s.s, (size_t)(after.s - s.s) }, MEANT_FORM, "object of the page");
		v8_tell(m, after, MEANT_TEXT, "address of the page");
		return;
	}
	for (; str_divide(s, STR("\\\""), &before, &after); s = after, value = !value) {
		v8_tell(m, before, value ? MEANT_TEXT : MEANT_FORM, "element");
		v8_tell(m, (struct str){ before.s + before.n, 2 }, MEANT_FORM, "element");
	}
	v8_tell(m, s, value ? MEANT_TEXT : MEANT_FORM, "element");
}

static void
v8_tell_string(struct v8_meaning *m, struct str s, unsigned uses)
{
	bool of_page = (uses & (USED_BY_PAGE | USED_AS_NAME)) != 0 && !str_begins(s, "system / ") && !str_begins(s, "Node / ");
	struct v8_pair pair;

	if ((uses & USED_BY_V8) != 0 && v8_pair_read(s, &pair))
		v8_tell_pair(m, s);
	else if (of_page && ((uses & USED_BY_PAGE) != 0 || str_has(s, STR(" / "))))
		v8_tell_page(m, s);
	else if ((uses & (USED_BY_V8 | USED_BY_PAGE)) != 0)
		v8_tell(m, s, MEANT_FORM, "name of V8");
	else if ((uses & USED_AS_NAME) != 0 || ((uses & USED_AS_KEY) != 0 && v8_is_identifier(s)))
		v8_tell(m, s, v8_name_means(s), "name");
	else
		v8_tell(m, s, MEANT_TEXT, "string");
}

/* ---- members --------------------------------------------------------------------------------- */

/* All bytes from the last part up to that place are of the format. */
static void
v8_tell_up_to(struct v8_meaning *m, uint64_t at)
{
	assert(at >= m->tells.done && at <= m->tells.text.n);
	v8_tell(m, str_head(str_after(m->tells.text, (size_t)m->tells.done), (size_t)(at - m->tells.done)), MEANT_FORM, "numbers");
}

static void
v8_tell_strings(struct v8_meaning *m, struct json *j)
{
	struct str s;

	if (!scan_open(j, '['))
		return;
	for (uint64_t i = 0; scan_item(j) && scan_peek(j) == '"' && scan_plain(j, &s) && !m->tells.bad; i++) {
		v8_tell_up_to(m, (uint64_t)(s.s - m->tells.text.s));
		v8_tell_string(m, s, i < m->v.strings.n ? m->uses.at[i] : 0);
		if (i % TICK == 0 && !v8_go(&m->v, j->at))
			return;
	}
}

static void
v8_tell_members(struct v8_meaning *m)
{
	static const char *const known[] = {
		"snapshot", "nodes", "edges", "trace_function_infos", "trace_tree", "samples", "locations"
	};
	struct json j = { .base = m->tells.text.s, .size = m->tells.text.n };
	struct str name;
	uint64_t at;
	bool inside = false;

	m->v.window = 0;
	(void)scan_open(&j, '{');
	while (scan_member(&j, &name) && !m->tells.bad && !m->v.failed) {
		v8_tell_up_to(m, at = j.at);
		if (str_is(name, "strings"))
			v8_tell_strings(m, &j);
		else if (scan_skip(&j), !str_is_one(known, NELEM(known), name))
			telling_json(&m->tells, (struct str){ j.base + at, (size_t)(j.at - at) }, MEANT_DIGITS, &inside);
		if (j.bad)
			break;
		v8_tell_up_to(m, j.at);
	}
	if (!j.bad && !m->tells.bad)
		v8_tell_up_to(m, j.at);
}

bool
v8_meant(const struct map *source, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct v8_meaning *m = mem_array(1, sizeof *m);
	bool ok;

	if (m == NULL)
		return fail_memory(err, "snapshot");
	m->v.source = source;
	m->v.work = w;
	m->v.err = m->tells.err = err;
	m->tells.take = take;
	m->tells.arg = arg;
	m->tells.text = (struct str){ (const char *)source->data, (size_t)source->size };
	ok = v8_scan(&m->v) && v8_uses(m);
	if (ok)
		v8_tell_members(m);
	ok = ok && !m->tells.bad && !m->v.failed;
	*lost += m->v.cut ? source->size - m->tells.done : 0;
	v8_free(&m->v);
	scratch_free(&m->uses.raw);
	telling_free(&m->tells);
	free(m);
	return ok;
}
