/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_load: heap snapshots of V8, the runtime of Chrome and Node.js: roots, lists of references, facts.
 *
 * The root of the graph holds what its edges lead to; it is an object without references here.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_form.h"
#include "v8_in.h"

#define TICK 65536u

/* ---- roots ------------------------------------------------------------------------------------ */

struct v8_rooting {
	ARRAY(struct root_in) rows;
	uint64_t	 n;
};

static enum heap_root
v8_load_root_kind(const struct v8 *v, uint32_t i)
{
	if (!v8_is_user_root(v, i))
		return ROOT_V8_SYSTEM;
	return v8_type(v, i) == V8_NATIVE || v8_type(v, i) == V8_SYNTHETIC ? ROOT_V8_NATIVE : ROOT_V8_GLOBAL;
}

static bool
v8_load_root(struct v8 *v, struct v8_rooting *r, uint32_t i, enum heap_root kind)
{
	assert(i < v->n);
	return array_add(&r->rows, &r->n, (&(struct root_in){ i + 1, (uint8_t)kind }), v->err);
}

/* Add the parts of "(GC roots)", such as "(Global handles)". */
static bool
v8_load_parts(struct v8 *v, struct v8_rooting *r, uint32_t i)
{
	for (struct v8_walk w = v8_walk(v, i); v8_next(&w); )
		if (v8_type(v, w.to) == V8_SYNTHETIC && !v8_load_root(v, r, w.to, ROOT_V8_PART))
			return false;
	return true;
}

static bool
v8_load_roots(struct v8 *v)
{
	struct v8_rooting r = { .n = 0 };
	bool ok = v->n == 0 || v8_load_root(v, &r, v->root, ROOT_V8_SYSTEM);

	for (uint64_t i = 0; ok && i < v->nroot_edges; i++) {
		struct v8_root_edge edge = v->root_edges.at[i];

		if (!v8_holds(edge.way))
			continue;
		if (v->writer == NULL)
			v->writer = v8_mark(v, v->name.at[edge.to]) == V8_BUN ? "Bun" :
			    v8_type(v, edge.to) == V8_SYNTHETIC && v8_is_user_root(v, edge.to) ? "Chrome" : NULL;
		ok = v8_load_root(v, &r, edge.to, v8_load_root_kind(v, edge.to)) &&
		    (v8_mark(v, v->name.at[edge.to]) != V8_ROOTS || v8_load_parts(v, &r, edge.to));
	}
	ok = ok && heap_in_roots(v->st, r.rows.at, r.n, v->err);
	array_free(&r.rows);
	return ok;
}

/* ---- lists -------------------------------------------------------------------------------------- */

struct v8_listing {
	struct lists_in	 in;
	ARRAY(uint32_t)	 weak, strong;
	uint64_t	 nweak, nstrong;
};

/* References of V8 and debuggers to the page do not count. */
static bool
v8_load_list(struct v8 *v, struct v8_listing *l, uint32_t i)
{
	bool page = has_bit(&v->page.raw, i), ok = true;

	l->nweak = l->nstrong = 0;
	for (struct v8_walk w = v8_walk(v, i); ok && v8_next(&w); ) {
		uint32_t to = w.to + 1;

		assert(w.to < v->n);
		if (v8_holds(w.way) && (page || !has_bit(&v->page.raw, w.to)))
			ok = array_add(&l->strong, &l->nstrong, &to, v->err);
		else
			ok = array_add(&l->weak, &l->nweak, &to, v->err);
	}
	if (ok && l->nweak + l->nstrong > 0)
		lists_in_put(&l->in, i + 1, HEAP_WEAK, l->weak.at, l->nweak, l->strong.at, l->nstrong);
	return ok;
}

static bool
v8_load_lists(struct v8 *v)
{
	struct v8_listing l = { .nweak = 0 };
	bool ok = lists_in_open(&l.in, v->st, v->n, v->nedges, v->err);

	work_start(v->work, "lists of references", v->n);
	for (uint32_t i = 0; ok && i < v->n; i++)
		ok = i == v->root || (v8_load_list(v, &l, i) && work_each(v->work, i, TICK, v->err));
	SCRATCH_FREE(&l.weak, &l.strong);
	return ok && lists_in_close(&l.in);
}

/* ---- all of it ------------------------------------------------------------------------------------ */

static bool
v8_load_facts(struct v8 *v)
{
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("V8 heap snapshot") }, { FACT_OBJECTS, v->n }, { FACT_HEAP_OBJECTS, v->n },
		{ FACT_WRITER, .text = str_of(v->writer), .how = MAKE_ANY }, { FACT_EDGES, v->nedges },
		{ FACT_NAMES, v->strings.n }, { FACT_PLACES, v->nplaces, MAKE_ANY }, { FACT_USER_ROOTS, v->user_roots },
		{ FACT_NATIVE_OBJECTS, v->bytes[V8_NATIVE] }, { FACT_BUFFER_BYTES, v->buffers, MAKE_ANY },
		{ FACT_EXTRA_NATIVE_BYTES, v->extra, MAKE_ANY }, { FACT_CODE_OBJECTS, v->bytes[V8_CODE] },
		{ FACT_TEXT_BYTES, v->bytes[V8_STRING] + v->bytes[V8_ROPE] + v->bytes[V8_SLICE] },
		{ FACT_DETACHED, v->detached, MAKE_ANY }, { FACT_CUT_STRINGS, v->strings.cut, MAKE_ANY },
		{ FACT_HEAP_ALIGN, 1 }, { FACT_HEAP_MAT_ALIGN, 1 }, { FACT_HEAP_REST, 1 }, { FACT_HEAP_OWNED, 1 },
		{ FACT_HEAP_ROOT, v->root + 1ull },
		{ FACT_LOSS_JSON, v->cut, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(v->cut ? "JSON truncated or damaged" : ""), .how = MAKE_ANY },
		{ FACT_REPAIR_NUMBER, v->bad.numbers, MAKE_ANY }, { FACT_LOSS_BAD_EDGES, v->bad.edges, MAKE_ANY },
		{ FACT_LOSS_MISSING_EDGES, v->bad.missing, MAKE_ANY },
		{ FACT_LOSS_MISSING_NODES, v->bad.nodes, MAKE_ANY },
		{ FACT_LOSS_BAD_NAMES, v->cut ? 0 : v->bad.names, MAKE_ANY },
	};

	return make_facts(v->st, facts, NELEM(facts), v->err) && unread_facts(&v->unread, v->st, v->err) &&
	    make_copy(v->st, COL_V8_META, COL_BYTES, &v->meta, sizeof v->meta, v->err) &&
	    make_copy(v->st, COL_V8_STRING, COL_U64, v->strings.places.at, (v->strings.n + V8_STRIDE - 1) / V8_STRIDE,
	    v->err);
}

static bool
v8_load_all(struct v8 *v)
{
	bool ok;

	work_start_bytes(v->work, "reading the snapshot", v->source->size);
	ok = v8_scan(v) && v8_nodes_read(v) && v8_locations_read(v) && v8_edges_read(v) &&
	    v8_wide_make(v, &v->id, COL_OBJECT_ID);
	for (uint64_t i = 0; ok && i < v->nroot_edges; i++)
		v->user_roots += v8_is_user_root(v, v->root_edges.at[i].to);
	SCRATCH_FREE(&v->id.low, &v->id.high);
	ok = ok && v8_states(v) && v8_classes(v) && v8_load_roots(v) && v8_pages(v) && v8_distances(v);
	SCRATCH_FREE(&v->type, &v->name, &v->class, &v->size.low, &v->size.high, &v->pair_edges);
	return ok && v8_load_lists(v) && heap_in_no_records(v->st, v->err) && v8_load_facts(v) &&
	    make_whole(v->st, v->n, v->err);
}

static bool
v8_load(struct store *st, struct work *w, struct err *err)
{
	struct v8 *v = mem_array(1, sizeof *v);
	bool ok;

	if (v == NULL)
		return fail_memory(err, "snapshot");
	v->st = st;
	v->work = w;
	v->err = err;
	v->source = store_source(st);
	ok = v8_load_all(v);
	v8_free(v);
	free(v);
	return ok;
}

/* Other files of JSON have nodes and edges, too: the first member that is an array of something else decides. */
static bool
v8_sniff(const uint8_t *head, size_t n)
{
	static const char *const arrays[] = {
		"nodes", "edges", "strings", "locations", "samples", "trace_tree", "trace_function_infos"
	};
	struct json j = { .base = (const char *)head, .size = n }, first;
	struct str name;

	if (!scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &name)) {
		if (str_is(name, "snapshot"))
			return scan_peek(&j) == '{' &&
			    str_has(str_head((struct str){ j.base + j.at, n - (size_t)j.at }, SNIFF_MAX),
			    STR("\"node_fields\""));
		first = json_items(j);
		if (!str_is_one(arrays, NELEM(arrays), name) || first.base == NULL || scan_peek(&first) == '{' ||
		    !scan_skip(&j))
			return false;
	}
	return false;
}

const struct loader load_v8heap = {
	"v8heap", "V8 heap snapshot (.heapsnapshot: Node.js, Chrome, Deno, Bun, Electron)",
	SHAPE_GRAPH | SHAPE_TEXTS | SHAPE_DISTANCES, v8_sniff, v8_load, .meant = v8_meant, .heap = &v8_form,
	    .whole = true
};
