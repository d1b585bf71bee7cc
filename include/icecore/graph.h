/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph: the objects of a heap dump, their references and referrers.  Belongs to layer pass.
 */
#ifndef ICECORE_GRAPH_H
#define ICECORE_GRAPH_H

#include "icecore/edges.h"
#include "icecore/packed.h"
#include "icecore/pass.h"

extern const char *const heap_refs_names[HEAP_REFS];	/* soft strong all unreachable */
extern const char *const heap_sizes_names[HEAP_SIZES];	/* vm mat */

#define HEAP_ROOT UINT32_MAX	/* the dominator of objects that no object dominates */

enum heap_kind { HEAP_INSTANCE, HEAP_OBJECT_ARRAY, HEAP_PRIM_ARRAY, HEAP_CLASS };

#define HEAP_LARGE UINT16_MAX		/* value in a column of 16 bits: another column has the value */

/* A list of objects for each object: src/pass/heap/heap_lists.c. */
struct heap_lists {
	const uint8_t	*data;
	uint64_t	 size;
	const uint8_t	*len;		/* bytes of each list, or HEAP_LONG_LIST */
	const uint64_t	*block;		/* offset of the list of each HEAP_BLOCKth object */
	/* Columns whose values these are, not verified yet; or NULL. */
	const struct column *of_data, *of_len, *of_block;
};

/*
 * Pass "reach": objects that are not strongly reachable, the strongest way to each, and a bit for each that
 * has none.
 */
struct heap_levels {
	const struct column	*object, *level, *none;
};

/* Retained sizes that do not fit retained. */
struct heap_large {
	const struct column	*object, *retained;
};

/* Pass "children". */
struct heap_nexts {
	const struct column	*data, *at, *mask;
};

/* Columns looked up once.  A plain value over the store; opening it costs microseconds, nothing to free. */
struct heap {
	const struct store	*st;
	const struct heap_form	*form;		/* reads names of references; NULL: objects have records */
	const uint8_t		*data;		/* the source */
	uint64_t		 size;
	unsigned		 id_size;
	uint32_t		 objects, classes;
	enum heap_refs		 refs;
	enum heap_sizes		 sizes;
	struct heap_ids		 ids;
	struct heap_lists	 out, in;	/* data NULL: not made yet */
	const struct column	*offset, *high, *offset_block, *far_object, *far_offset, *class, *length,
	    *long_object, *long_length;
	const struct column	*root_kind, *root_thread, *jthread_object, *local_thread, *local_root;
	const struct column	*parent, *retained, *top;
	struct heap_large	 large;
	struct heap_nexts	 children;
	struct heap_levels	 reach;
	const struct column	*native_object, *native_bytes;
	const struct column	*id, *shallow;	/* object.id, object.shallow or object.mat_shallow; NULL: by rule */
	uint64_t		 unit;		/* bytes of a unit of retained */
	uint32_t		 class_class;	/* number of java.lang.Class; 0: not in the dump */
	uint32_t		 class_last;	/* the last class whose objects are classes: usually the same */
	uint32_t		 string_class;	/* number of java.lang.String */
	/* Number of the stack chunk class, whose objects differ in size; 0: the dump has none. */
	uint32_t		 stack_class;
	const struct column	*class_object, *class_by, *class_size, *class_element;
	struct heap_rule	 rule;
};

/* Classes of the language of a heap dump; NULL: Java, whose rules are code. */
static inline const struct heap_language *
heap_language_of(const struct heap *h)
{
	return h->form == NULL ? NULL : h->form->language;
}

/* class.shallow or class.mat_shallow, and the bytes of all objects by that rule. */
const struct column *heap_class_shallow(const struct store *, enum heap_sizes);
uint64_t heap_all_bytes(const struct store *, enum heap_sizes);

/* A column of a family (COL_EACH_X) for the references and sizes of h; NULL when it is not made. */
static inline const struct column *
heap_column(const struct heap *h, column_id family)
{
	return store_column(h->st, heap_col(family, h->refs, h->sizes));
}

/* Open the heap; columns that passes have not made yet stay NULL. */
bool	 heap_open(struct heap *, const struct store *, enum heap_refs, enum heap_sizes, struct err *);

/* ---- objects: pass "objects" ---------------------------------------------------- */

uint32_t heap_find_id(const struct heap *, uint64_t id);	/* by object.id: looks at all of them */

static inline uint32_t
heap_find(const struct heap *h, uint64_t addr)
{
	return h->id != NULL ? heap_find_id(h, addr) : heap_ids_find(&h->ids, addr);
}

static inline uint64_t
heap_addr(const struct heap *h, uint32_t object)
{
	return h->id != NULL ? column_get(h->id, object - 1ull) : heap_ids_addr(&h->ids, object);
}

uint64_t heap_offset(const struct heap *, uint32_t object);	/* offset of its sub-record */
/*
 * The number of its class; java.lang.Class for a class.  0 if a damaged index names a class that does not
 * exist.
 */
static inline uint32_t
heap_class(const struct heap *h, uint32_t object)
{
	uint64_t class = column_get(h->class, (uint64_t)object - 1);

	return class <= h->classes ? (uint32_t)class : 0;
}

/* The object of a class; 0: it has none, or a damaged index names one beyond the last. */
static inline uint32_t
heap_class_object(const struct heap *h, uint32_t class)
{
	uint64_t object = column_get(h->class_object, (uint64_t)class - 1);

	return object <= h->objects ? (uint32_t)object : 0;
}

static inline bool
heap_is_array(const struct heap *h, uint32_t object)
{
	return column_get(h->class_element, (uint64_t)heap_class(h, object) - 1) != 0;
}

/* What an object is, by its class: 1 <= object <= heap_objects. */
enum heap_kind heap_kind(const struct heap *, uint32_t object);
/* The class whose Class object this is, or 0. */
uint32_t heap_class_by_object(const struct heap *, uint32_t object);

/* Whether objects of that class are classes. */
static inline bool
heap_holds_classes(const struct heap *h, uint32_t class)
{
	return class != 0 && class >= h->class_class && class <= h->class_last;
}

static inline uint32_t
heap_class_of_object(const struct heap *h, uint32_t object)
{
	return object == 0 || !heap_holds_classes(h, heap_class(h, object)) ? 0 : heap_class_by_object(h, object);
}

uint32_t heap_length(const struct heap *, uint32_t object);	/* elements of an array, else 0 */
uint64_t heap_shallow(const struct heap *, uint32_t object);
/* The sub-record will be read soon: it is fetched meanwhile. */
void	 heap_fetch(const struct heap *, uint32_t object);
/* The sub-record itself; false when the source has changed under us. */
bool	 heap_read(const struct heap *, uint32_t object, struct heap_record *);
/* heap_read without the check of the address, which is the most expensive part. */
bool	 heap_take(const struct heap *, uint32_t object, struct heap_record *);
/* The thread object that root row (from 1) hangs on: stacks hold for their thread; 0: it is a root itself. */
uint32_t heap_root_thread(const struct heap *, uint32_t row);
struct str heap_part(const struct heap *, uint32_t object);	/* Android: "app", "zygote"; else "" */

/* ---- references ------------------------------------------------------------------- */

/* Going through a list; start with heap_out or heap_in. */
struct heap_walk {
	const uint8_t	*p, *end;
	uint32_t	 self, last;
	/* Strength of the first outgoing references, weak of them; the others are strong. */
	uint32_t	 weak;
	uint8_t		 strength;
	/* The next object in the list of cleared references, returned first; 0: none. */
	uint32_t	 chain;
	const uint8_t	*begin;		/* begin of the list, chain included */
};

/*
 * Outgoing: fields and elements in the order of the file, statics, superclass, loader; of a thread its
 * locals too.  Not the class of an instance.  Incoming: rising numbers, each as often as it refers;
 * all strengths.
 */
void	 heap_out(const struct heap *, uint32_t object, struct heap_walk *);
void	 heap_in(const struct heap *, uint32_t object, struct heap_walk *);
/* The next object, or 0; strength may be NULL. */
uint32_t heap_next(struct heap_walk *, enum heap_strength *);
/* True if references of that strength count under h->refs. */
bool	 heap_counts(const struct heap *, enum heap_strength);

/* ---- dominators: passes "dominators" and "children" ---------------------------------- */

/* HEAP_ROOT; 0: unreachable */
static inline uint32_t
heap_dominator(const struct heap *h, uint32_t object)
{
	return (uint32_t)column_get(h->parent, (uint64_t)object - 1);
}

uint64_t heap_retained(const struct heap *, uint32_t object);	/* 0: unreachable */
/* Like it, for n objects, or for n objects from the first on. */
void	 heap_retained_many(const struct heap *, uint64_t *object, size_t n, bool run);

/*
 * Going through the objects that object (or HEAP_ROOT) dominates at once, by rising number:
 * src/pass/heap/siblings.c.
 */
struct child_walk {
	const uint8_t	*p, *end;
	uint32_t	 next, most;
	/* Dominators, which are searched for the object in of if pass "children" did not run. */
	const struct column *parent;
	uint32_t	 of;
	const struct column *top;	/* objects that nothing dominates, otherwise NULL */
	uint64_t	 row;		/* next row of top */
};

/*
 * Whether an object dominates another; and the walk over those that it dominates at once.  HEAP_ROOT
 * dominates all.
 */
bool	 heap_has_children(const struct heap *, uint32_t object);
void	 heap_children(const struct heap *, uint32_t object, struct child_walk *);
/* Upper limit of the number of children; all are found in one go. */
uint64_t heap_children_most(const struct heap *, uint32_t object);
uint32_t child_next(struct child_walk *);	/* 0 after the last */
/* The first of struct siblings; 0: there is none. */
uint32_t heap_largest_child(const struct heap *, uint32_t object);

/*
 * Children by descending retained size, then by number; sorted lazily, as far as they are read.  Initialise
 * to zeros.
 */
struct siblings {
	uint32_t	*object;
	/* A bit for each place that divides them: all in front of it belong there. */
	uint64_t	*border;
	size_t		 cap, borders;
	uint64_t	 n;
};

/* Finding one place among this many children takes longer than a screen may wait. */
#define SIBLINGS_MANY (1u << 18)

/* Opens a struct siblings; an open one may be opened again. */
bool	 siblings_open(struct siblings *, const struct heap *, uint32_t object, struct work *,
    struct err *) MUST_USE;
void	 siblings_close(struct siblings *);
/* Sorts so that place i < n is right; false: cancelled, and siblings_sort may be called again. */
bool	 siblings_sort(struct siblings *, const struct heap *, uint64_t i, struct work *,
    struct err *) MUST_USE;
/* Child i of an object, however long the search takes. */
uint32_t siblings_at(struct siblings *, const struct heap *, uint64_t i);
/* Number of siblings before an object. */
uint64_t siblings_place(const struct siblings *, const struct heap *, uint32_t object);

/* Grouping of classes, in the order of COL_EACH_COMPONENT_PACKAGE and the columns after it. */
enum component_by { BY_PACKAGE, BY_LOADER, BY_CLASS, COMPONENTS };

/* first[class], of h->classes + 1: the first class of its component. */
bool	 heap_components(const struct heap *, enum component_by, uint32_t *first, struct err *) MUST_USE;
/* Loader of a class, an object; 0: the bootstrap loader. */
uint32_t heap_class_loader(const struct heap *, uint32_t class);

/* Passes "reach" and "dominators": the strongest way it can be reached; HEAP_STRENGTHS: none. */
enum heap_strength heap_reach(const struct heap *, uint32_t object);
/*
 * heap_reach without pass "reach", for rare use: the first call takes as long as the pass.  The caller keeps
 * levels for later calls, and frees it.
 */
bool	 heap_reach_find(const struct heap *, uint32_t object, struct scratch *levels, enum heap_strength *,
    struct work *, struct err *) MUST_USE;

/* Pass "natives": native memory of the object itself. */
uint64_t heap_native(const struct heap *, uint32_t object);

/* The dominator tree, to walk as in pass.h.  Needs R.S.children. */
bool	 tree_open_heap(struct tree **, const struct store *, enum heap_refs, enum heap_sizes, struct err *);
const struct heap *tree_heap(const struct tree *);
uint32_t tree_of_object(const struct tree *, uint32_t object);	/* node of an object; 0: unreachable */

#endif
