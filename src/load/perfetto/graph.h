/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph: objects of heap graphs, for those who load a graph and who walks over the references of an object.
 */
#ifndef LOAD_GRAPH_H
#define LOAD_GRAPH_H

#include "load/heap/heap_in.h"
#include "perfetto.h"

/* LIST: a repeated number, which graph_numbers reads: packed, one by one, or both. */
struct graph_list {
	struct str	packed;		/* the only field; others are read from the message */
	unsigned	fields;		/* at least 2: several, or not packed */
};

#define SHAPE_IS_LIST(member) struct graph_list member;
#define SHAPE_TAKE_LIST(f, m, member) \
	(m)->member.fields += (f).wire == PROTO_BYTES ? 1 : 2; \
	(m)->member.packed = (f).in;

static inline struct shape_numbers
graph_numbers(struct str message, const struct graph_list *l, unsigned field)
{
	return l->fields > 1 ? shape_numbers(message, field, false) :
	    (struct shape_numbers){ .rest = STR(""), .packed = l->packed, .field = field };
}

enum { GRAPH_OBJECT = 2, GRAPH_NAMES = 4, GRAPH_VALUES = 5, GRAPH_INNER = 10 };

#define OBJECT(F) F(1, id, U64) F(2, type, U64) F(3, size, U64) F(4, names, LIST) F(5, values, LIST) \
	F(6, base, U64) F(7, delta, U64) F(8, registered, I64) F(9, part, U64) F(10, inner, LIST) \
	F(11, bitmap, I64) F(12, source, I64) F(13, width, U64) F(14, height, U64) F(15, version, U64)
SHAPE(graph_object, "heap_graph.objects", OBJECT)

/* Ids are addresses without their lowest bits. */
#define GRAPH_SHIFT 3u

static inline bool
graph_id_ok(uint64_t id)
{
	return id != 0 && id <= UINT64_MAX >> GRAPH_SHIFT;
}

#endif
