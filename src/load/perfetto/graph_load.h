/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_load: tables of a heap graph while it is loaded.  Rows count from 1.
 */
#ifndef LOAD_GRAPH_LOAD_H
#define LOAD_GRAPH_LOAD_H

#include "graph.h"

#define GRAPH_NONE UINT64_MAX

struct graph_type {
	uint64_t	id, place, super_id, loader, size;
	struct str	name;
	uint32_t	field, fields;	/* places in fields of its own ones */
	uint32_t	super;		/* row; 0: none */
	uint32_t	class;		/* number of the class */
	uint32_t	object;		/* the last one of the type */
	uint32_t	described;	/* java.lang.Class<X>: the row of X; 0: not such a type */
	uint32_t	next;		/* row of another one with that name and place */
	/* References of its objects: all that have a name, those whose name is unknown, the place of the referent. */
	uint64_t	all, nameless, referent;
	uint8_t		kind, strength, element;
	bool		known, taken, settling, settled;
};

/* A name of a field, or a place that code is from. */
struct graph_name {
	uint64_t	iid;		/* first: rows are sorted by it */
	struct str	text;
	uint64_t	ref;		/* name of the place; of the field alone, with its original name */
	uint64_t	place;		/* ref of the place that the name is for; 0: any */
	uint32_t	class;		/* type that declares it; finally the class */
	bool		referent, super;
};

struct graph_root {
	uint64_t	id;
	uint8_t		kind;		/* as in the file, at most GRAPH_ROOT_MOST */
};

#define GRAPH_ROOT_MOST 14u

/* GRAPH_PARTS: objects and bytes of each part. */
enum { GRAPH_BAD, GRAPH_MISSING, GRAPH_NAMELESS, GRAPH_ABSENT, GRAPH_CYCLES, GRAPH_NO_SUPER, GRAPH_RENAMED,
    GRAPH_PARTS, GRAPH_COUNTS = GRAPH_PARTS + 8 };

struct graph_load {
	struct perfetto	*p;
	struct store	*st;
	struct err	*err;
	const struct pf_graph *g;
	struct str	 package;	/* package of the process; empty: unknown */
	struct ids_in	 ids;
	struct heap_ids	 find;
	struct idmap	 by_type, by_name, by_loader;	/* rows of types, by id and by name */
	struct scratch	 types, names, places, roots, fields, path;	/* path: finally types by class */
	struct scratch	 loaders;	/* u32: objects; the first one is the runtime's own */
	uint64_t	 ntypes, nnames, nplaces, nroots, nfields, nloaders;
	/* By object, from 0; class: finally the class, at first the row of the type. */
	struct scratch	 class, length, bytes, place, part, root;
	uint32_t	 n;
	uint64_t	 last, now;	/* id and part of the object before */
	uint64_t	 references, most;	/* in all; of one object */
	struct buf	 own, text;	/* own: texts and messages that are not in the file */
	uint32_t	 class_class;
	uint64_t	 count[GRAPH_COUNTS];
	bool		 failed;	/* err is set */
};

static inline struct graph_type *
graph_type(const struct graph_load *l, uint32_t row)
{
	return &SCRATCH(l->types, struct graph_type)[row - 1];
}

/* Once classes have numbers. */
static inline struct graph_type *
type_of_class(const struct graph_load *l, uint32_t class)
{
	return graph_type(l, SCRATCH(l->path, uint32_t)[class]);
}

/* The dump of that number, or NULL. */
static inline struct graph_name *
graph_name(const struct scratch *names, uint64_t n, uint64_t iid)
{
	uint64_t i = make_place(names->data, n, sizeof(struct graph_name), iid + 1);
	struct graph_name *name = SCRATCH(*names, struct graph_name);

	return i > 0 && name[i - 1].iid == iid ? &name[i - 1] : NULL;
}

/* Ref of a text, which is copied if it is not in the file. */
uint64_t graph_ref(struct graph_load *, struct str);
/* The field at *at, with its key, and its message: in the file, or among own texts. */
struct str graph_message(const struct graph_load *, uint64_t at);
/* The number of an object; 0: it is not there. */
static inline uint32_t
graph_find(const struct graph_load *l, uint64_t id)
{
	return graph_id_ok(id) ? heap_ids_find(&l->find, id << GRAPH_SHIFT) : 0;
}

/* graph_types.c: names, classes, superclasses, fields; then class of objects is the class. */
bool	graph_settle(struct graph_load *);
bool	graph_classes(struct graph_load *);

#endif
