/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects: data that pass "objects" hands from its scan of the file to the columns that it writes.
 */
#ifndef PASS_OBJECTS_H
#define PASS_OBJECTS_H

#include "icecore/graph.h"
#include "heap.h"

#define TICK 65536u

/* ---- offsets of the references in the values of an instance, class by class: class_plan.c ---- */

#define PLAN_NONE UINT32_MAX
#define PLAN_CACHE 1024u

struct class_plan {
	uint64_t	first;		/* in refs */
	uint32_t	n;
	uint32_t	referent;	/* offset of the field that does not hold strongly, or PLAN_NONE */
	uint32_t	chain;		/* offset of java.lang.ref.Reference.discovered, or PLAN_NONE */
	uint64_t	bytes;		/* size of all values */
	uint8_t		strength;
	bool		made;
};

struct class_plans {
	const struct heap	*h;
	struct class_plan	*plan;		/* by class number */
	ARRAY(uint32_t)	refs;		/* offsets */
	uint64_t		 nrefs, room;	/* bytes of values there can be of classes that have no plan yet */
	struct idmap		 numbers;	/* address + 1 to class number */
	uint32_t		 prims[HEAP_LONG + 1];
};

/* The classes looked up last, by one thread. */
struct class_cache {
	struct {
		uint64_t addr;			/* address + 1 */
		uint32_t class;
	} at[PLAN_CACHE];
};

bool	class_plans_open(struct class_plans *, const struct heap *, struct err *);
void	class_plans_close(struct class_plans *);

/* Return the plan of a class; for a class without objects, plan 0, which has no references. */
static inline const struct class_plan *
class_plan(const struct class_plans *p, uint32_t class)
{
	return &p->plan[p->plan[class].made ? class : 0];
}

/* The class of a record; 0 only where the dump does not have java.lang.Class. */
static inline uint32_t
class_number(const struct class_plans *p, struct class_cache *cache, const struct heap_record *r)
{
	unsigned i = (unsigned)(r->class >> 3) % PLAN_CACHE;

	if (r->tag == TAG_CLASS)
		return p->h->class_class;
	if (r->tag == TAG_PRIMS || r->tag == TAG_NODATA)
		return p->prims[r->type <= HEAP_LONG ? r->type : 0];
	if (cache->at[i].addr != r->class + 1) {
		cache->at[i].addr = r->class + 1;
		cache->at[i].class = idmap_get(&p->numbers, r->class + 1);
	}
	return cache->at[i].class;
}

/* ---- the pass ---- */

/* The length of an array that does not fit its byte. */
struct long_row {
	uint32_t	object, length;
};

/*
 * Lists of objects that follow each other in the file and by number; by some collectors there is one for
 * nearly each object.
 */
struct list_run {
	uint64_t	objects;	/* the first << 32 | how many: what they are sorted by */
	uint64_t	at;		/* the part << RUN_POS | where they begin in its stream */
};

#define RUN_POS 48
#define PARTS_MOST ((uint64_t)1 << (64 - RUN_POS))

static inline uint32_t
run_object(const struct list_run *r)
{
	return (uint32_t)(r->objects >> 32);
}

static inline uint32_t
run_lists(const struct list_run *r)
{
	return (uint32_t)r->objects;
}

static inline uint64_t
run_pos(const struct list_run *r)
{
	return r->at & (((uint64_t)1 << RUN_POS) - 1);
}

/* A part of the file, with what was met there; the columns are those of all parts. */
struct objects {
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct heap		 h;
	struct class_plans	*plans;
	ARRAY(uint32_t)	offsets;
	ARRAY(uint8_t)	highs;	/* storage of offset and high */
	uint32_t		*offset;	/* by object - 1; 0: not met yet */
	uint8_t			*high;		/* NULL: offsets have 32 bits */
	void			*class;
	enum column_type	 class_type;
	uint8_t			*length, *len;
	uint64_t		 first, end;	/* extents */
	struct class_cache	 cache;
	ARRAY(uint8_t)	stream;
	uint64_t		 pos;
	uint64_t		 reserved;	/* bytes of stream there is room for */
	ARRAY(struct list_run)	runs;
	uint64_t		 nruns;
	uint32_t		 next;		/* the object that would continue the last run */
	ARRAY(struct long_row)	longs;
	uint64_t		 nlongs, missing, short_records;
};

/* The columns of offsets: objects_offset.c. */
bool	objects_offsets(const struct objects *);
/* The columns out.* from the lists met in all parts, and long.* from the lengths: objects_out.c. */
bool	objects_lists(struct objects *part, uint64_t n);
bool	objects_lengths(struct objects *part, uint64_t n);

#endif
