/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the loader of V8 heap snapshots: arrays of numbers read in place, and what is known
 * of nodes and edges while the file is loaded.
 *
 * A node is an object; nodes are numbered from 0, as in the file.
 */
#ifndef LOAD_HEAP_V8_IN_H
#define LOAD_HEAP_V8_IN_H

#include <assert.h>

#include "icecore/bytes.h"
#include "icecore/json.h"
#include "icecore/meant.h"
#include "icecore/unread.h"
#include "heap_in.h"

/* ---- numbers: v8_scan.c ---------------------------------------------------------------- */

/* Numbers of an array, from p on.  Damaged ones are 0. */
struct v8_numbers {
	const uint8_t	*p, *end;	/* end of the source, which may come before the end of the array */
	uint64_t	 bad;
};

bool	v8_number_slow(struct v8_numbers *, uint64_t *);

/* The next number; false: none is left.  Takes up to 7 digits at once if a comma follows. */
static inline bool
v8_number(struct v8_numbers *n, uint64_t *v)
{
	uint64_t x, others;
	unsigned bits;

	if (n->end - n->p < 16)
		return v8_number_slow(n, v);
	x = le64(n->p) ^ 0x3030303030303030;
	others = ((x + 0x7676767676767676) | x) & 0x8080808080808080;
	bits = others == 0 ? 0 : (unsigned)__builtin_ctzll(others) & ~7u;
	if (bits == 0)
		return v8_number_slow(n, v);
	others = bits / 8;
	others += n->p[others] == '\n';
	if (n->p[others] != ',')
		return v8_number_slow(n, v);
	n->p += others + 1;
	x <<= 64 - bits;
	x = x * 10 + (x >> 8);
	*v = ((x & 0xff000000ff) * 0xf424000000064 + (x >> 16 & 0xff000000ff) * 0x271000000001) >> 32;
	return true;
}

/* ---- layout ------------------------------------------------------------------------------ */

#define V8_FIELDS 64u		/* numbers of a node or an edge, at most */
#define V8_TYPES 64u
#define V8_ABSENT UINT8_MAX	/* the rows lack the column */

/* Types of nodes and of edges that differ in what they mean. */
enum v8_type {
	V8_OTHER, V8_OBJECT, V8_NATIVE, V8_HIDDEN, V8_ARRAY, V8_SYNTHETIC, V8_CLOSURE, V8_REGEXP, V8_CODE, V8_STRING,
	V8_ROPE, V8_SLICE, V8_SYMBOL
};
enum v8_edge_type { V8_NAMED, V8_CONTEXT, V8_ELEMENT, V8_PROPERTY, V8_INTERNAL, V8_NUMBERED, V8_SHORTCUT, V8_WEAK };

enum { V8_NODE_TYPE, V8_NODE_NAME, V8_NODE_ID, V8_NODE_SIZE, V8_NODE_COUNT, V8_NODE_STATE, V8_NODE_FIELDS };
enum { V8_EDGE_TYPE, V8_EDGE_LABEL, V8_EDGE_TO, V8_EDGE_FIELDS };

/* Where the numbers of a row are, and what types mean; kept as the column v8.meta. */
struct v8_meta {
	uint64_t names;		/* offset of the array with the names of the types of nodes */
	uint8_t	width, edge_width;
	uint8_t	node[V8_NODE_FIELDS], edge[V8_EDGE_FIELDS];
	uint8_t	types[V8_TYPES], edge_types[V8_TYPES];		/* enum v8_type, enum v8_edge_type */
};

/* The name of a type of nodes; empty: it has none. */
struct str v8_type_name(const struct map *, const struct v8_meta *, uint64_t type);

static inline bool
v8_row(struct v8_numbers *n, unsigned width, uint64_t row[V8_FIELDS])
{
	for (unsigned i = 0; i < width; i++)
		if (!v8_number(n, &row[i]))
			return false;
	return true;
}

/* ---- strings: v8_strings.c ---------------------------------------------------------------- */

#define V8_STRIDE 16u		/* strings from one whose place is known to the next */

/* Text i of the array as it is in the file, between quotes, from the places of every V8_STRIDEth; false: missing. */
bool	v8_string(const struct map *, const uint64_t *places, uint64_t n, uint64_t i, struct str *);

/* Strings whose text the loader knows; numbers from V8_PAIR on are rows of pairs. */
enum v8_mark {
	V8_NO_MARK, V8_PLAIN, V8_PROTO, V8_CONTEXT_MAP, V8_NATIVE_CONTEXT, V8_DESCRIPTORS, V8_EXTERNAL, V8_BUFFER,
	V8_TREES, V8_ROOTS, V8_BUN, V8_PAIR
};

/* "7 / part of key (...) -> value (...) pair in WeakMap (table @61)" */
struct v8_pair {
	uint64_t	tail;		/* hash of the text behind the number */
	uint64_t	table;		/* id */
};

/* False: the text is another one. */
bool	v8_pair_read(struct str, struct v8_pair *);

struct v8_strings {
	ARRAY(uint64_t)	places, marked;	/* marked: bits */
	ARRAY(struct v8_pair) pairs;
	struct idmap	marks;		/* 1 + number of a marked string */
	uint64_t	n, npairs, cut;	/* cut: by the writer */
};

/* ---- loading ------------------------------------------------------------------------------- */

#define V8_MOST (UINT32_C(1) << 30)	/* nodes */

struct v8_array {
	uint64_t	at, n;		/* place of its first number; numbers, at most; at 0: absent */
};

/* A column of numbers that mostly fit 32 bits. */
struct v8_wide {
	ARRAY(uint32_t)	low, high;	/* high: none unless some do not */
};

/* How an edge counts: where the walks of v8_spread.c and dominators follow it. */
enum v8_way {
	V8_WAY_PLAIN,
	V8_WAY_HIDDEN,		/* does not attach DOM nodes */
	V8_WAY_LOOSE,		/* holds nothing, but counts for owners and distances */
	V8_WAY_WEAK,
	V8_WAY_FAR,		/* as PLAIN, and LOOSE, but not for distances */
	V8_WAY_LOOSE_FAR,
	V8_WAY_KEY,		/* as PLAIN, of a pair of a WeakMap; of its two edges one counts for distances */
	V8_WAY_TABLE		/* as LOOSE, the other one */
};

static inline bool
v8_holds(unsigned way)
{
	return way == V8_WAY_PLAIN || way == V8_WAY_HIDDEN || way == V8_WAY_FAR || way == V8_WAY_KEY;
}

/* An edge of the root, or one of a pair of a WeakMap. */
struct v8_root_edge {
	uint32_t	to;
	uint8_t		type, way;
};

struct v8_pair_edge {
	uint64_t	ends;		/* rising: nodes from << 32 | to */
	uint64_t	tail, met;	/* met: by distances, of those with equal ends, at the first */
};

struct v8_place {
	uint64_t	node;		/* rising */
	uint32_t	script, line, column;
};

/* Lists of the property names of plain objects: v8_shapes.c. */
struct v8_shape {
	uint64_t	first, n;	/* in props */
	uint64_t	objects;
	uint32_t	interface;	/* from 1; 0: none fits */
};

struct v8_shapes {
	ARRAY(uint32_t)	props, own;	/* numbers of strings; own: of the node that is read */
	ARRAY(struct v8_shape) rows;
	struct idmap	map;
	uint64_t	nprops, nown, n, objects;
};

struct v8 {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	const struct map *source;
	struct v8_meta	 meta;
	struct json	 head;		/* the member "snapshot" */
	struct v8_array	 nodes, edges, locations;
	uint64_t	 window;	/* the source before it has left memory */
	bool		 cut, failed;
	struct {
		uint64_t	numbers, edges, missing, names, nodes;
	} bad;
	struct v8_strings strings;
	uint32_t	 n, root;
	/* By node. */
	ARRAY(uint8_t)	 type;
	ARRAY(uint32_t)	 name, class;	/* class: first the shape of a plain object */
	struct v8_wide	 id, size;
	uint8_t		*state;		/* column */
	ARRAY(uint64_t)	 page;		/* bits */
	/* Edges by node, packed. */
	ARRAY(uint8_t)	 packed;
	ARRAY(uint32_t)	 at;		/* behind block; first the number of edges */
	ARRAY(uint64_t)	 block;		/* place of each HEAP_BLOCKth */
	uint64_t	 npacked, nedges;
	ARRAY(struct v8_root_edge) root_edges;
	ARRAY(struct v8_pair_edge) pair_edges;
	ARRAY(struct v8_place) places;
	uint64_t	 nroot_edges, npair_edges, nplaces;
	uint64_t	 user_roots, detached, extra;	/* extra: bytes that belong to no object */
	uint64_t	 bytes[V8_SYMBOL + 1], buffers;		/* by type; of ArrayBuffers */
	const char	*writer;
	struct v8_shapes shapes;
	struct unread	 unread;
};

/* Progress in the source; parts that were read leave memory.  False: cancelled. */
bool	v8_go(struct v8 *, uint64_t at);
/* Finds the arrays, and reads header and strings. */
bool	v8_scan(struct v8 *);
/*
 * The columns of n fields in rows of that kind, by the header; returns the width of a row.  0: it is too wide, or one
 * of the first fields is missing.
 */
uint8_t	v8_fields(const struct v8 *, const char *kind, const char *const *names, size_t n, size_t first,
    uint8_t *column);
/* Reads some strings of the array that *rest is in, and moves it; false: these were the last ones. */
bool	v8_strings_read(struct v8 *, struct json *rest);
bool	v8_nodes_read(struct v8 *);
bool	v8_locations_read(struct v8 *);
bool	v8_edges_read(struct v8 *);
/* The shape of a plain object whose property names are in shapes.own. */
bool	v8_shapes_add(struct v8 *, uint32_t *shape);
/* Finds the interface of each shape; their names follow each other, each with a NUL behind. */
bool	v8_shapes_name(struct v8 *, struct buf *names);
bool	v8_states(struct v8 *);
bool	v8_pages(struct v8 *);
/* Makes size the bytes by owner. */
bool	v8_owners(struct v8 *);
bool	v8_distances(struct v8 *);
/* Classes of all nodes, and their columns. */
bool	v8_classes(struct v8 *);
void	v8_free(struct v8 *);		/* frees all members, not the struct itself */
/* Member of struct loader: v8_meant.c. */
bool	v8_meant(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *, struct err *);

static inline uint64_t
v8_wide_get(const struct v8_wide *w, uint32_t i)
{
	return w->low.at[i] | (w->high.raw.size == 0 ? 0 : (uint64_t)w->high.at[i] << 32);
}

bool	v8_wide_put(struct v8 *, struct v8_wide *, uint32_t i, uint64_t value);
/* Makes a column of them. */
bool	v8_wide_make(struct v8 *, const struct v8_wide *, column_id);

static inline enum v8_type
v8_type(const struct v8 *v, uint32_t i)
{
	return v->type.at[i] < V8_TYPES ? (enum v8_type)v->meta.types[v->type.at[i]] : V8_OTHER;
}

static inline unsigned
v8_mark(const struct v8 *v, uint64_t string)
{
	return string < v->strings.n && has_bit(&v->strings.marked.raw, (uint32_t)string) ?
	    idmap_get(&v->strings.marks, string + 1) : V8_NO_MARK;
}

/* Text as UTF-8, in b or in the source; "?" if it is missing. */
static inline struct str
v8_text(const struct v8 *v, uint64_t string, struct buf *b)
{
	struct str raw;

	return v8_string(v->source, v->strings.places.at, v->strings.n, string, &raw) ? scan_unescape(raw, b) :
	    STR("?");
}

/* A user root: the target of an edge of the root that belongs to the program, not to V8. */
static inline bool
v8_is_user_root(const struct v8 *v, uint32_t i)
{
	return v8_type(v, i) != V8_SYNTHETIC || v8_mark(v, v->name.at[i]) == V8_TREES;
}

/* Going through the edges of a node. */
struct v8_walk {
	const uint8_t	*p, *end;
	uint32_t	 to;
	enum v8_way	 way;
};

static inline struct v8_walk
v8_walk(const struct v8 *v, uint32_t i)
{
	const uint64_t *block = v->block.at;
	const uint32_t *at = v->at.at;

	assert(i < v->n);
	return (struct v8_walk){ .p = v->packed.at + block[i / HEAP_BLOCK] + at[i],
	    .end = v->packed.at + block[(i + 1) / HEAP_BLOCK] + at[i + 1], .to = i };
}

static inline bool
v8_next(struct v8_walk *w)
{
	uint64_t x;

	if (w->p >= w->end)
		return false;
	x = packed_number(&w->p, w->end);
	w->way = (enum v8_way)(x & 7);
	w->to += (uint32_t)(x >> 4) ^ -(uint32_t)(x >> 3 & 1);
	return true;
}

#endif
