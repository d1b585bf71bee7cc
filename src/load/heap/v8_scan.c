/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_scan: the members of a snapshot of V8, in any order; the header says what its numbers mean.
 */
#include "config.h"

#include "v8_in.h"

#define WINDOW (4u << 20)	/* bytes of the source that are in memory at once */
#define PIECE 4096u
#define GROUP 128u		/* bytes whose commas a byte can count */
#define DIGITS 19u		/* most digits of a number */

/* ---- numbers ---------------------------------------------------------------------------- */

static bool
v8_scan_blank(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool
v8_scan_ends(uint8_t c)
{
	return v8_scan_blank(c) || c == ',' || c == ']';
}

bool
v8_number_slow(struct v8_numbers *n, uint64_t *v)
{
	const uint8_t *p = n->p, *end = n->end, *from;
	uint64_t value = 0;

	while (p < end && (v8_scan_blank(*p) || *p == ','))
		p++;
	n->p = from = p;
	if (p >= end || *p == ']')
		return false;
	for (; p < end && is_digit((char)*p) && p - from < DIGITS; p++)
		value = value * 10 + (*p - (unsigned)'0');
	if (p < end && !v8_scan_ends(*p)) {
		n->bad++;
		value = 0;
		while (p < end && !v8_scan_ends(*p))
			p++;
	}
	/* The end of the file may have cut it. */
	if (p >= end)
		return false;
	while (p < end && v8_scan_blank(*p))
		p++;
	n->p = p + (p < end && *p == ',');
	*v = value;
	return true;
}

/* ---- arrays of numbers --------------------------------------------------------------------- */

static uint64_t
v8_scan_commas(const uint8_t *p, size_t n)
{
	uint64_t sum = 0;
	uint8_t some;

	for (; n >= GROUP; n -= GROUP, p += GROUP) {
		some = 0;
		for (size_t i = 0; i < GROUP; i++)
			some += p[i] == ',';
		sum += some;
	}
	while (n > 0)
		sum += p[--n] == ',';
	return sum;
}

/* Count the numbers of an array, and move j behind it. */
static void
v8_scan_numbers(struct v8 *v, struct json *j, struct v8_array *a)
{
	const uint8_t *data = v->source->data, *stop = NULL;
	uint64_t at = j->at + 1, size = v->source->size, n;

	assert(at <= size && data[at - 1] == '[');
	*a = (struct v8_array){ .at = at, .n = 1 };
	while (at < size && stop == NULL && (at % WINDOW >= PIECE || v8_go(v, at)) && !v->failed) {
		n = size - at < PIECE ? size - at : PIECE;
		stop = memchr(data + at, ']', n);
		n = stop == NULL ? n : (uint64_t)(stop - (data + at));
		a->n += v8_scan_commas(data + at, n);
		at += n;
	}
	j->bad = stop == NULL;
	j->at = stop == NULL ? size : at + 1;
}

/* Members that the loader does not read are named, unless they are empty. */
static void
v8_scan_other(struct v8 *v, struct json *j, struct str name)
{
	struct json rest = json_items(*j), item;

	if (scan_peek(j) != '[' || json_next(&rest, &item))
		unread_add(&v->unread, UNREAD_KEY, name, 1);
	scan_skip(j);
}

/* ---- header -------------------------------------------------------------------------------- */

/* The value of a member of an object; missing: at the end. */
static struct json
v8_scan_member(struct json j, const char *name)
{
	struct str is;

	if (scan_open(&j, '{'))
		while (scan_member(&j, &is)) {
			if (str_is(is, name))
				return j;
			scan_skip(&j);
		}
	return (struct json){ .base = j.base, .size = j.size, .at = j.size, .bad = true };
}

static uint64_t
v8_scan_count(struct json j, const char *name)
{
	struct str word;
	uint64_t v;

	j = v8_scan_member(j, name);
	return !j.bad && scan_plain(&j, &word) && num_u64(word, 10, &v) ? v : 0;
}

/* The place of a word in an array; V8_ABSENT: it has none. */
static uint8_t
v8_scan_column(struct json array, const char *name)
{
	struct json rest = json_items(array);
	struct str word;

	for (uint8_t i = 0; i < V8_FIELDS && json_next_word(&rest, &word); i++)
		if (str_is(word, name))
			return i;
	return V8_ABSENT;
}

uint8_t
v8_fields(const struct v8 *v, const char *kind, const char *const *names, size_t n, size_t first, uint8_t *column)
{
	struct json array = v8_scan_member(v8_scan_member(v->head, "meta"), kind);
	uint64_t width = 0;

	for (size_t i = 0; i < n; i++)
		column[i] = v8_scan_column(array, names[i]);
	JSON_EACH(array, item)
		width++;
	return width <= V8_FIELDS && memchr(column, V8_ABSENT, first) == NULL ? (uint8_t)width : 0;
}

/* The names of the types of a column, which are an array in an array. */
static struct json
v8_scan_types(struct json array, uint8_t column)
{
	JSON_EACH(array, item)
		if (column-- == 0)
			return item;
	return (struct json){ .base = "" };
}

struct str
v8_type_name(const struct map *source, const struct v8_meta *m, uint64_t type)
{
	struct json rest = { .base = (const char *)source->data, .size = source->size,
	    .at = m->names < source->size ? m->names : source->size };
	struct str word = STR("");

	rest = json_items(rest);
	for (uint64_t i = 0; i <= type; i++)
		if (!json_next_word(&rest, &word))
			return STR("");
	return word;
}

static void
v8_scan_mean(struct json types, const char *const *names, size_t n, uint8_t to[V8_TYPES])
{
	struct json rest = json_items(types);
	struct str word;

	memset(to, 0, V8_TYPES);
	for (size_t i = 0; i < V8_TYPES && json_next_word(&rest, &word); i++)
		for (uint8_t k = 1; k < n; k++)
			if (str_is(word, names[k]))
				to[i] = k;
}

/* Fields of rows that the loader does not read; trace_node_id refers to trace_tree, which is named by itself. */
static void
v8_scan_other_fields(struct v8 *v, const char *kind, const char *const *names, size_t n, uint64_t rows)
{
	struct json rest = json_items(v8_scan_member(v8_scan_member(v->head, "meta"), kind));
	struct str word;

	while (json_next_word(&rest, &word))
		if (!str_is_one(names, n, word) && !str_is(word, "trace_node_id"))
			unread_add(&v->unread, UNREAD_FIELD, word, rows);
}

static bool
v8_scan_header(struct v8 *v)
{
	static const char *const types[] = {
		[V8_OTHER] = "", [V8_OBJECT] = "object", [V8_NATIVE] = "native", [V8_HIDDEN] = "hidden",
		[V8_ARRAY] = "array", [V8_SYNTHETIC] = "synthetic", [V8_CLOSURE] = "closure", [V8_REGEXP] = "regexp",
		[V8_CODE] = "code", [V8_STRING] = "string", [V8_ROPE] = "concatenated string",
		[V8_SLICE] = "sliced string", [V8_SYMBOL] = "symbol"
	}, *const edges[] = {
		[V8_NAMED] = "", [V8_CONTEXT] = "context", [V8_ELEMENT] = "element", [V8_PROPERTY] = "property",
		[V8_INTERNAL] = "internal", [V8_NUMBERED] = "hidden", [V8_SHORTCUT] = "shortcut", [V8_WEAK] = "weak"
	};
	static const char *const node[] = { "type", "name", "id", "self_size", "edge_count", "detachedness" };
	static const char *const edge[] = { "type", "name_or_index", "to_node" };
	struct json meta = v8_scan_member(v->head, "meta"), end = v->head, of;
	struct v8_meta *m = &v->meta;

	if (v->head.base == NULL || !scan_skip(&end))
		return false;
	m->width = v8_fields(v, "node_fields", node, NELEM(node), V8_NODE_STATE, m->node);
	m->edge_width = v8_fields(v, "edge_fields", edge, NELEM(edge), NELEM(edge), m->edge);
	of = v8_scan_types(v8_scan_member(meta, "node_types"), m->node[V8_NODE_TYPE]);
	m->names = of.at;
	v8_scan_mean(of, types, NELEM(types), m->types);
	v8_scan_mean(v8_scan_types(v8_scan_member(meta, "edge_types"), m->edge[V8_EDGE_TYPE]), edges, NELEM(edges),
	    m->edge_types);
	v8_scan_other_fields(v, "node_fields", node, NELEM(node), v8_scan_count(v->head, "node_count"));
	v8_scan_other_fields(v, "edge_fields", edge, NELEM(edge), v8_scan_count(v->head, "edge_count"));
	return m->width != 0 && m->edge_width != 0;
}

/* ---- members ---------------------------------------------------------------------------------- */

static struct v8_array *
v8_scan_array(struct v8 *v, struct str name)
{
	return str_is(name, "nodes") ? &v->nodes : str_is(name, "edges") ? &v->edges :
	    str_is(name, "locations") ? &v->locations : NULL;
}

bool
v8_scan(struct v8 *v)
{
	struct json j = { .base = (const char *)v->source->data, .size = v->source->size };
	struct v8_array *array;
	struct str name;
	uint64_t root;

	if (!scan_open(&j, '{'))
		return fail(v->err, E_UNREADABLE, "no V8 heap snapshot");
	while (!v->failed && scan_member(&j, &name)) {
		array = scan_peek(&j) == '[' ? v8_scan_array(v, name) : NULL;
		if (str_is(name, "snapshot")) {
			v->head = j;
			scan_skip(&j);
		} else if (array != NULL)
			v8_scan_numbers(v, &j, array);
		else if (str_is(name, "strings") && scan_open(&j, '['))
			for (v->strings.n = 0; v8_strings_read(v, &j) && v8_go(v, j.at); )
				continue;
		else
			v8_scan_other(v, &j, name);
	}
	v->cut = j.bad;
	if (v->failed)
		return false;
	if (!v8_scan_header(v))
		return fail(v->err, E_UNREADABLE, "a V8 heap snapshot without its header");
	v->extra = v8_scan_count(v->head, "extra_native_bytes");
	v->bad.nodes = v8_scan_count(v->head, "node_count");
	root = v8_scan_count(v->head, "root_index") / v->meta.width;
	v->root = root < V8_MOST ? (uint32_t)root : 0;
	return true;
}

/* ---- columns ----------------------------------------------------------------------------------- */

bool
v8_wide_put(struct v8 *v, struct v8_wide *w, uint32_t i, uint64_t value)
{
	w->low.at[i] = (uint32_t)value;
	if (value > UINT32_MAX && w->high.raw.size == 0 && !array_grow(&w->high, v->n, v->err))
		return false;
	if (w->high.raw.size > 0)
		w->high.at[i] = (uint32_t)(value >> 32);
	return true;
}

bool
v8_wide_make(struct v8 *v, const struct v8_wide *w, column_id col)
{
	enum column_type type = w->high.raw.size > 0 ? COL_U64 : COL_U32;
	void *to = store_make(v->st, col, type, v->n, v->err);

	for (uint32_t i = 0; to != NULL && i < v->n; i++)
		column_set(to, type, i, v8_wide_get(w, i));
	return to != NULL;
}

void
v8_free(struct v8 *v)
{
	SCRATCH_FREE(&v->strings.places, &v->strings.marked, &v->strings.pairs, &v->type, &v->name, &v->class,
	    &v->id.low, &v->id.high,
	    &v->size.low, &v->size.high, &v->page, &v->packed, &v->at, &v->block, &v->root_edges, &v->pair_edges,
	    &v->places,
	    &v->shapes.props, &v->shapes.own, &v->shapes.rows);
	idmap_free(&v->strings.marks);
	idmap_free(&v->shapes.map);
}
