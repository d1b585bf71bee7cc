/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_meant: the meaning of the bytes of a snapshot of V8, for copies without what is private.
 *
 * All strings are in one array, whatever they are used for.  Texts of the program are private; names of classes,
 * functions, variables and properties are names.  A property whose name is not an identifier is a key of data.
 * The source of a regular expression is a text: people write what they look for.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/edges.h"
#include "icecore/name.h"
#include "icecore/telling.h"
#include "v8_form.h"

#define TICK 65536u
#define WORD_MOST 32u		/* letters of a name that V8 gives to a column or type */

/* Uses of a string. */
enum { USED_AS_KEY = 1, USED_AS_NAME = 2, USED_BY_PAGE = 4, USED_BY_V8 = 8, USED_BY_NODE = 16 };

struct v8_meaning {
	struct v8	 v;
	struct tells	 tells;
	ARRAY(uint8_t)	 uses;		/* USED_..., by string */
	struct idmap	 named;		/* uses of texts that are USED_BY_NODE, by their hash */
};

/* ---- uses ------------------------------------------------------------------------------------ */

static unsigned
v8_used_by_node(enum v8_type type)
{
	switch (type) {
	case V8_OBJECT: case V8_CLOSURE: case V8_CODE:
		return USED_AS_NAME | USED_BY_NODE;
	case V8_NATIVE: case V8_SYNTHETIC:
		return USED_BY_PAGE | USED_BY_NODE;
	case V8_HIDDEN: case V8_ARRAY:
		return USED_BY_V8 | USED_BY_NODE;
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
		v8_use(m, row[column[1]], nodes ? v8_used_by_node((enum v8_type)type) :
		    v8_used_by_edge((enum v8_edge_type)type));
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

/* Only pairs of WeakMaps repeat names of nodes. */
static bool
v8_names_of_nodes(struct v8_meaning *m)
{
	struct json j = { .base = m->tells.text.s, .size = m->tells.text.n };
	struct str s;
	uint64_t hash;

	if (m->v.strings.npairs == 0)
		return true;
	m->v.window = 0;
	j.at = m->v.strings.places.at[0];
	for (uint64_t i = 0; i < m->v.strings.n && scan_item(&j) && scan_plain(&j, &s); i++) {
		hash = (m->uses.at[i] & USED_BY_NODE) != 0 ? idmap_hash_text(s, 0) : 0;
		if (hash != 0 && !idmap_put(&m->named, hash, idmap_get(&m->named, hash) | m->uses.at[i], m->v.err))
			return false;
		if (i % TICK == 0 && !v8_go(&m->v, j.at))
			return false;
	}
	return true;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Findings need names of the runtime: of its classes, global variables, properties and modules. */
static enum meaning
v8_name_means(struct str s)
{
	static const char *const others[] = { "_events", "*kEvents", "table", "node:*", "internal/*.js", "_http_*.js",
	    "_stream_*.js", "_tls_*.js", "buffer.js", "events.js",
	    "fs.js", "net.js", "timers.js", NULL };

	return str_glob_list(v8_language.runtime, s) || str_glob_list(v8_language.known, s) ||
	    str_glob_list(others, s) ?
	    MEANT_FORM : MEANT_NAME;
}

static void
v8_tell(struct v8_meaning *m, struct str s, enum meaning means, const char *path)
{
	telling_whole(&m->tells, s, means, path);
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

/*
 * "https://user:password@shop.example/app.js?token=1": only scheme, host and path are the name of a script.  " / " ends
 * them, too: what follows may be the address of a page.
 */
static void
v8_tell_address(struct v8_meaning *m, struct str s, const struct script_address *a)
{
	const char *path = a->user.n > 0 ? a->user.s + a->user.n : s.s;

	telling_address(&m->tells, s, a, v8_name_means((struct str){ path, (size_t)(s.s + (s.n - a->end.n) - path) }),
	    "name");
}

/* Names of scripts begin so, or have a slash in front of what may be data. */
static bool
v8_is_script(struct str s, const struct script_address *a)
{
	struct str path = str_head(s, s.n - a->end.n);

	if (a->scheme || a->user.n > 0)
		return true;
	return a->end.n > 0 && (is_one_of(s.s[0], "/\\.") || str_begins(str_after(s, 1), ":\\") ||
	    str_ends(path, "js")) && !str_begins(a->end, " / ");
}

/* "<anonymous>", "#secret", "[Symbol.iterator]" and a file: what V8 and people write behind a point. */
static bool
v8_is_part(struct str s)
{
	static const char *const files[] = { "*js", "*ts", "*.wasm", "*.json", "*.node", "*.html", NULL };

	if (s.n == 0 || is_one_of(s.s[0], "<[#"))
		return true;
	return str_is_name(s, "$#") ||
	    (str_glob_list(files, s) && memchr(s.s, ' ', s.n) == NULL && memchr(s.s, '@', s.n) == NULL);
}

/* Bytes of "routes." in "routes.alice@mail.example", which V8 makes of a key of data; s.n: all is a name. */
static size_t
v8_inferred(struct str s)
{
	size_t at = 0, n;

	for (;; at += n + 1) {
		for (n = 0; at + n < s.n &&
		    (is_word(s.s[at + n]) || s.s[at + n] == '$' || (unsigned char)s.s[at + n] >= 0x80); n++)
			continue;
		if (n == 0 || at + n >= s.n || s.s[at + n] != '.')
			break;
	}
	return at == 0 || at + n >= s.n || v8_is_part(str_after(s, at)) ? s.n : at;
}

static void
v8_tell_name(struct v8_meaning *m, struct str s)
{
	size_t n = v8_inferred(s);
	struct str before, last;

	/* The function in {["sk_live_51H8xyzABCDEF"]() {}} has that name. */
	if (!str_divide_last(str_head(s, n), '.', &before, &last))
		last = str_head(s, n);
	n -= name_is_token(last) ? last.n : 0;
	v8_tell(m, str_head(s, n), v8_name_means(str_head(s, n)), "name");
	v8_tell(m, str_after(s, n), MEANT_TEXT, "key in a name");
}

/* Bytes of "7 / part of key (", which begins a pair; 0: it does not. */
static size_t
v8_pair_begins(struct str s)
{
	const struct str words = STR(" / part of key (");
	size_t n = str_digits(s);

	return n > 0 && str_has_prefix(str_after(s, n), words) ? n + words.n : 0;
}

/* A string that is no pair. */
static void
v8_tell_one(struct v8_meaning *m, struct str s, unsigned uses)
{
	bool of_page = (uses & (USED_BY_PAGE | USED_AS_NAME)) != 0 && !str_begins(s, "system / ") &&
	    !str_begins(s, "Node / ");
	size_t pair = (uses & USED_BY_V8) != 0 ? v8_pair_begins(s) : 0;
	struct script_address a;

	telling_script(s, &a);
	if (pair > 0) {
		/* The writer cut it, or it is the name of a part of another one. */
		v8_tell(m, str_head(s, pair), MEANT_FORM, "weak pair");
		v8_tell(m, str_after(s, pair), MEANT_TEXT, "weak pair");
	} else if ((uses & USED_AS_NAME) != 0 && s.n > 0 && v8_is_script(s, &a))
		v8_tell_address(m, s, &a);
	else if (of_page && ((uses & USED_BY_PAGE) != 0 || str_has(s, STR(" / "))))
		v8_tell_page(m, s);
	else if ((uses & (USED_BY_V8 | USED_BY_PAGE)) != 0)
		v8_tell(m, s, MEANT_FORM, "name of V8");
	else if ((uses & USED_AS_NAME) != 0 || ((uses & USED_AS_KEY) != 0 && str_is_name(s, "$#")))
		v8_tell_name(m, s);
	else
		v8_tell(m, s, MEANT_TEXT, "string");
}

/* ---- pairs of WeakMaps ----------------------------------------------------------------------- */

/* The name in "Session @12"; false: there is no id. */
static bool
v8_pair_name(struct str s, struct str *name)
{
	size_t n = s.n;

	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	*name = str_head(s, n > 2 ? n - 2 : 0);
	return n < s.n && str_ends(str_head(s, n), " @");
}

/*
 * The key and the value of a pair.  Names may have any bytes, so its parts are known only if there is one place where
 * the key can end.
 */
static bool
v8_pair_parts(struct str s, struct str *key, struct str *value)
{
	const struct str between = STR(") -> value (");
	struct str rest = s, before, after, name;
	unsigned places = 0;
	size_t id;

	/* Once, as the id may be long, and the places many. */
	if (!v8_pair_name(s, &name))
		return false;
	id = s.n - name.n;
	for (; str_divide(rest, between, &before, &after) && after.n >= id; rest = after) {
		before = (struct str){ s.s, (size_t)(before.s - s.s) + before.n };
		if (!v8_pair_name(before, &name))
			continue;
		*key = before;
		*value = after;
		places++;
	}
	return places == 1;
}

/*
 * "Session @12", where V8 writes the text of a string as it writes the name of an object.  It is a name if it is one
 * elsewhere: all names of nodes are in the array, too, so that nothing else is told here.
 */
static void
v8_tell_part(struct v8_meaning *m, struct str s)
{
	struct str name;

	if (v8_pair_name(s, &name))
		v8_tell_one(m, name, idmap_get(&m->named, idmap_hash_text(name, 0)));
	v8_tell(m, str_after(s, name.n), MEANT_FORM, "weak pair");
}

/* "7 / part of key (Session @12) -> value (Map @13) pair in WeakMap (table @61)", as v8_pair_read takes it. */
static void
v8_tell_pair(struct v8_meaning *m, struct str s)
{
	size_t begin = v8_pair_begins(s);
	struct str inside, end, key, value;

	str_divide_last(s, ')', &inside, &end);
	str_divide_last(inside, ')', &inside, &end);
	assert(begin > 0 && inside.n >= begin);
	inside = str_after(inside, begin);
	end = str_after(s, begin + inside.n);
	v8_tell(m, str_head(s, begin), MEANT_FORM, "weak pair");
	if (v8_pair_parts(inside, &key, &value)) {
		v8_tell_part(m, key);
		v8_tell(m, str_head(str_after(inside, key.n), (size_t)(value.s - key.s) - key.n), MEANT_FORM,
		    "weak pair");
		v8_tell_part(m, value);
	} else
		v8_tell(m, inside, MEANT_TEXT, "weak pair");
	v8_tell(m, end, MEANT_FORM, "weak pair");
}

static void
v8_tell_string(struct v8_meaning *m, struct str s, unsigned uses)
{
	struct v8_pair pair;

	if ((uses & USED_BY_V8) != 0 && v8_pair_read(s, &pair))
		v8_tell_pair(m, s);
	else
		v8_tell_one(m, s, uses);
}

/* ---- members --------------------------------------------------------------------------------- */

struct v8_member {
	const char *name;
	void (*tell)(struct v8_meaning *, struct json *);	/* its value; moves behind it */
};

/* All bytes from the last part up to that place are of the format. */
static void
v8_tell_up_to(struct v8_meaning *m, uint64_t at)
{
	assert(at >= m->tells.done && at <= m->tells.text.n);
	v8_tell(m, str_head(str_after(m->tells.text, (size_t)m->tells.done), (size_t)(at - m->tells.done)), MEANT_FORM,
	    "numbers");
}

static void
v8_tell_json(struct v8_meaning *m, struct json *j, enum meaning numbers)
{
	bool inside = false;

	v8_tell_up_to(m, j->at);
	if (scan_skip(j))
		telling_json(&m->tells, (struct str){ j->base + m->tells.done, (size_t)(j->at - m->tells.done) },
		    numbers, &inside);
}

static void
v8_tell_unknown(struct v8_meaning *m, struct json *j)
{
	v8_tell_json(m, j, MEANT_DIGITS);
}

/* Numbers.  The arrays are long, so that they are looked at only if there is a string in them. */
static void
v8_tell_numbers(struct v8_meaning *m, struct json *j)
{
	struct json value = *j;

	if (!scan_skip(&value) || memchr(j->base + j->at, '"', (size_t)(value.at - j->at)) != NULL)
		v8_tell_json(m, j, MEANT_FORM);
	else
		*j = value;
}

/* V8 names columns and types with small letters; these names have a blank. */
static bool
v8_is_word(struct str s)
{
	static const char *const blank[] = { "concatenated string", "sliced string", "object shape", "wasm object" };
	size_t letters = 0;

	while (letters < s.n && (s.s[letters] == '_' || (s.s[letters] >= 'a' && s.s[letters] <= 'z')))
		letters++;
	return (letters == s.n && letters <= WORD_MOST) || str_is_one(blank, NELEM(blank), s);
}

/* What V8 does not write is a text. */
static void
v8_tell_word(struct v8_meaning *m, struct json *j)
{
	struct json word = *j;
	struct str s;

	if (scan_peek(j) == '"' && scan_plain(&word, &s) && v8_is_word(s))
		*j = word;
	else
		v8_tell_unknown(m, j);
}

static void
v8_tell_words(struct v8_meaning *m, struct json *j)
{
	if (!scan_open(j, '[')) {
		v8_tell_unknown(m, j);
		return;
	}
	while (!m->tells.bad && !j->bad && scan_item(j))
		if (scan_open(j, '['))
			while (!m->tells.bad && !j->bad && scan_item(j))
				v8_tell_word(m, j);
		else
			v8_tell_word(m, j);
}

static void
v8_tell_object(struct v8_meaning *m, struct json *j, const struct v8_member *known, size_t n)
{
	struct str name;
	size_t i;

	if (!scan_open(j, '{')) {
		v8_tell_unknown(m, j);
		return;
	}
	while (!m->tells.bad && !m->v.failed && scan_member(j, &name)) {
		v8_tell_up_to(m, (uint64_t)(name.s - m->tells.text.s));
		v8_tell(m, name, str_is_name(name, "$#") ? MEANT_FORM : MEANT_TEXT, "name of a member");
		v8_tell_up_to(m, j->at);
		for (i = 0; i < n && !str_is(name, known[i].name); i++)
			continue;
		(i < n ? known[i].tell : v8_tell_unknown)(m, j);
		if (j->bad)
			return;
		v8_tell_up_to(m, j->at);
	}
	if (!j->bad && !m->tells.bad && !m->v.failed)
		v8_tell_up_to(m, j->at);
}

static void
v8_tell_meta(struct v8_meaning *m, struct json *j)
{
	static const struct v8_member known[] = {
		{ "node_fields", v8_tell_words }, { "node_types", v8_tell_words }, { "edge_fields", v8_tell_words },
		{ "edge_types", v8_tell_words }, { "trace_function_info_fields", v8_tell_words },
		{ "trace_node_fields", v8_tell_words }, { "sample_fields", v8_tell_words },
		    { "location_fields", v8_tell_words }
	};

	v8_tell_object(m, j, known, NELEM(known));
}

static void
v8_tell_head(struct v8_meaning *m, struct json *j)
{
	static const struct v8_member known[] = {
		{ "meta", v8_tell_meta }, { "node_count", v8_tell_numbers }, { "edge_count", v8_tell_numbers },
		{ "trace_function_count", v8_tell_numbers }, { "extra_native_bytes", v8_tell_numbers },
		    { "root_index", v8_tell_numbers }
	};

	v8_tell_object(m, j, known, NELEM(known));
}

static void
v8_tell_strings(struct v8_meaning *m, struct json *j)
{
	struct str s;

	if (!scan_open(j, '[')) {
		v8_tell_unknown(m, j);
		return;
	}
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
	static const struct v8_member known[] = {
		{ "snapshot", v8_tell_head }, { "strings", v8_tell_strings }, { "nodes", v8_tell_numbers },
		{ "edges", v8_tell_numbers },
		{ "trace_function_infos", v8_tell_numbers }, { "trace_tree", v8_tell_numbers },
		{ "samples", v8_tell_numbers },
		{ "locations", v8_tell_numbers }
	};
	struct json j = { .base = m->tells.text.s, .size = m->tells.text.n };

	m->v.window = 0;
	v8_tell_object(m, &j, known, NELEM(known));
}

bool
v8_meant(const struct map *source, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct v8_meaning *m = mem_array(1, sizeof *m);
	bool ok;

	if (m == NULL)
		return fail_memory(err, "snapshot");
	m->named = IDMAP_INIT;
	m->v.source = source;
	m->v.work = w;
	m->v.err = m->tells.err = err;
	m->tells.take = take;
	m->tells.arg = arg;
	m->tells.text = (struct str){ (const char *)source->data, (size_t)source->size };
	ok = v8_scan(&m->v) && v8_uses(m) && v8_names_of_nodes(m);
	if (ok)
		v8_tell_members(m);
	ok = ok && !m->tells.bad && !m->v.failed;
	*lost += m->v.cut ? source->size - m->tells.done : 0;
	v8_free(&m->v);
	scratch_free(&m->uses.raw);
	idmap_free(&m->named);
	telling_free(&m->tells);
	free(m);
	return ok;
}
