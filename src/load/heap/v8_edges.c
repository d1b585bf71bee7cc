/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_edges: the edges of a snapshot of V8, packed by node for the walks that follow, and what only names of
 * edges tell: properties of plain objects, elements of arrays, pairs of WeakMaps.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_in.h"

#define TICK 1024u
#define EDGE_MOST 6u		/* bytes of a packed edge */
#define APART 512u		/* edges between two places that are kept, at most, except those of one node */
#define DESCRIPTOR 3u		/* elements for each property in an array of descriptors */

/* Where the edges of a node begin in the source. */
struct v8_edge_place {
	uint64_t	at;
	uint32_t	object;
};

struct v8_long {
	uint32_t	object, elements;
};

struct v8_edges {
	struct v8	*v;
	struct v8_numbers in;
	uint64_t	 rows, row;	/* edges, and those that were read, at most */
	uint64_t	 unscale;	/* index / width = index * unscale >> 64 */
	uint8_t		*length;	/* column of lengths */
	ARRAY(struct v8_edge_place) places;
	ARRAY(struct v8_long) longs;
	uint64_t	 nplaces, nlongs, since;
	/* The node whose edges are read. */
	uint32_t	 node, last, elements;
	unsigned	 mark;		/* mark of its name */
	bool		 plain;
};

/* ---- an edge -------------------------------------------------------------------------------- */

/*
 * Distances leave out one element in three of an array of descriptors: the value of a property.
 */
static bool
v8_edges_descriptor(const struct v8 *v, enum v8_edge_type type, uint64_t label)
{
	uint64_t place = label;
	struct str s;

	if (type != V8_ELEMENT && type != V8_NUMBERED) {
		if (!v8_string(v->source, v->strings.places.at, v->strings.n, label, &s))
			return false;
		s = str_skip_blanks(s);
		if (!num_u64(str_head(s, str_digits(s)), 10, &place))
			return false;
	}
	return place < 2 || place % DESCRIPTOR != 1;
}

static enum v8_way
v8_edges_pair(struct v8_edges *e, uint32_t to, const struct v8_pair *pair)
{
	struct v8 *v = e->v;
	struct v8_pair_edge edge = { (uint64_t)e->node << 32 | to, pair->tail, 0 };

	v->failed = v->failed || !array_add(&v->pair_edges, &v->npair_edges, &edge, v->err);
	return pair->table == v8_wide_get(&v->id, e->node) ? V8_WAY_TABLE : V8_WAY_KEY;
}

static enum v8_way
v8_edges_way(struct v8_edges *e, enum v8_edge_type type, uint64_t label, uint32_t to)
{
	struct v8 *v = e->v;
	unsigned mark = type == V8_ELEMENT || type == V8_NUMBERED ? V8_NO_MARK : v8_mark(v, label);
	bool far = e->mark == V8_DESCRIPTORS ? !v8_edges_descriptor(v, type, label) :
	    mark == V8_CONTEXT_MAP && e->mark == V8_NATIVE_CONTEXT;

	if (type == V8_WEAK)
		return V8_WAY_WEAK;
	if (to == e->node || (type == V8_SHORTCUT && e->node != v->root))
		return far ? V8_WAY_LOOSE_FAR : V8_WAY_LOOSE;
	if (type == V8_INTERNAL && mark >= V8_PAIR)
		return v8_edges_pair(e, to, &v->strings.pairs.at[mark - V8_PAIR]);
	return far ? V8_WAY_FAR : type == V8_NUMBERED ? V8_WAY_HIDDEN : V8_WAY_PLAIN;
}

static bool
v8_edges_put(struct v8_edges *e, uint32_t to, enum v8_edge_type type, enum v8_way way)
{
	struct v8 *v = e->v;
	struct v8_root_edge edge = { to, (uint8_t)type, (uint8_t)way };
	int64_t d = (int64_t)to - (int64_t)e->last;

	assert(to < v->n && way <= V8_WAY_TABLE);
	if (v->packed.raw.size - v->npacked < EDGE_MOST && !array_grow(&v->packed, v->npacked + EDGE_MOST, v->err))
		return false;
	v->npacked = (uint64_t)(put_number(v->packed.at + v->npacked,
	    ((uint64_t)d << 1 ^ (uint64_t)(d >> 63)) << 3 | way) -
	    v->packed.at);
	e->last = to;
	v->nedges++;
	return e->node != v->root || array_add(&v->root_edges, &v->nroot_edges, &edge, v->err);
}

static bool
v8_edges_take(struct v8_edges *e, const uint64_t row[V8_FIELDS])
{
	struct v8 *v = e->v;
	uint64_t index = row[v->meta.edge[V8_EDGE_TO]], label = row[v->meta.edge[V8_EDGE_LABEL]],
	    type = row[v->meta.edge[V8_EDGE_TYPE]];
	uint64_t to = (uint64_t)((unsigned __int128)index * e->unscale >> 64);
	enum v8_edge_type is = type < V8_TYPES ? (enum v8_edge_type)v->meta.edge_types[type] : V8_NAMED;
	uint32_t name = (uint32_t)(label < v->strings.n ? label : v->strings.n);

	if (to >= v->n || to * v->meta.width != index) {
		v->bad.edges++;
		return true;
	}
	if (is == V8_ELEMENT)
		e->elements++;
	else if (is != V8_NUMBERED)
		v->bad.names += label >= v->strings.n;
	if (is == V8_PROPERTY && e->plain && !array_add(&v->shapes.own, &v->shapes.nown, &name, v->err))
		return false;
	return v8_edges_put(e, (uint32_t)to, is, v8_edges_way(e, is, label, (uint32_t)to)) && !v->failed;
}

/* ---- a node ---------------------------------------------------------------------------------- */

static bool
v8_edges_begin(struct v8_edges *e, uint32_t node)
{
	struct v8 *v = e->v;
	struct v8_edge_place place = { (uint64_t)(e->in.p - v->source->data), node + 1 };
	enum v8_type type = v8_type(v, node);

	assert(node < v->n);
	if ((node % HEAP_BLOCK == 0 || e->since >= APART)) {
		e->since = 0;
		if (!array_add(&e->places, &e->nplaces, &place, v->err))
			return false;
	}
	if (node % HEAP_BLOCK == 0)
		v->block.at[node / HEAP_BLOCK] = v->npacked;
	e->node = e->last = node;
	e->elements = 0;
	e->mark = v8_mark(v, v->name.at[node]);
	if ((e->mark == V8_DESCRIPTORS && type != V8_ARRAY) || (e->mark == V8_NATIVE_CONTEXT && type != V8_HIDDEN))
		e->mark = V8_NO_MARK;
	e->plain = e->mark == V8_PLAIN && type == V8_OBJECT;
	v->shapes.nown = 0;
	return v->npacked - v->block.at[node / HEAP_BLOCK] <= UINT32_MAX ||
	    fail(v->err, E_SYSTEM, "too many references");
}

static bool
v8_edges_end(struct v8_edges *e)
{
	struct v8_long row = { e->node + 1, e->elements };
	struct v8 *v = e->v;

	e->length[e->node] = e->elements < HEAP_LONG_LIST ? (uint8_t)e->elements : HEAP_LONG_LIST;
	if (e->plain && !v8_shapes_add(v, &v->class.at[e->node]))
		return false;
	return e->elements < HEAP_LONG_LIST || array_add(&e->longs, &e->nlongs, &row, v->err);
}

static bool
v8_edges_node(struct v8_edges *e, uint32_t node)
{
	struct v8 *v = e->v;
	uint64_t row[V8_FIELDS], n = v->at.at[node], k = 0;

	if (!v8_edges_begin(e, node))
		return false;
	v->at.at[node] = (uint32_t)(v->npacked - v->block.at[node / HEAP_BLOCK]);
	for (; k < n && e->row < e->rows && v8_row(&e->in, v->meta.edge_width, row); k++) {
		if (!v8_edges_take(e, row) ||
		    (++e->row % TICK == 0 && !v8_go(v, (uint64_t)(e->in.p - v->source->data))))
			return false;
	}
	v->bad.missing += n - k;
	e->since += k;
	return v8_edges_end(e);
}

/* ---- all of them ------------------------------------------------------------------------------ */

static bool
v8_edges_out(struct v8_edges *e)
{
	static const struct make_column longs[] = {
		MAKE(COL_LONG_OBJECT, v8_long, object), MAKE(COL_LONG_LENGTH, v8_long, elements)
	}, places[] = {
		MAKE(COL_V8_EDGE_OBJECT, v8_edge_place, object), MAKE(COL_V8_EDGE_PLACE, v8_edge_place, at)
	};

	return make_columns(e->v->st, longs, NELEM(longs), MAKE_ROWS(e->longs.at, e->nlongs), e->v->err) &&
	    make_columns(e->v->st, places, NELEM(places), MAKE_ROWS(e->places.at, e->nplaces), e->v->err);
}

bool
v8_edges_read(struct v8 *v)
{
	const uint8_t *data = v->source->data;
	struct v8_edges e = { .v = v, .in = { .p = data + v->edges.at, .end = data + v->source->size },
	    .rows = v->edges.n / v->meta.edge_width, .unscale = UINT64_MAX / v->meta.width + 1 };
	bool ok = v->meta.width > 1 && array_grow(&v->block, v->n / HEAP_BLOCK + 2ull, v->err) && array_grow(&v->packed,
	    3 * e.rows + EDGE_MOST, v->err) &&
	    (e.length = store_make(v->st, COL_OBJECT_LENGTH, COL_U8, v->n, v->err)) != NULL;

	v->window = 0;
	work_start_bytes(v->work, "references of the snapshot", v->source->size);
	for (uint32_t i = 0; ok && i < v->n; i++)
		ok = v8_edges_node(&e, i) && (i % TICK != 0 || v8_go(v, (uint64_t)(e.in.p - data)));
	if (ok) {
		if (v->n % HEAP_BLOCK == 0)
			v->block.at[v->n / HEAP_BLOCK] = v->npacked;
		v->at.at[v->n] = (uint32_t)(v->npacked - v->block.at[v->n / HEAP_BLOCK]);
		v->bad.numbers += e.in.bad;
		ok = v8_edges_out(&e) && make_sort(&v->pair_edges.raw, v->npair_edges, sizeof(struct v8_pair_edge),
		    v->work, v->err);
	}
	SCRATCH_FREE(&e.places, &e.longs);
	return ok;
}
