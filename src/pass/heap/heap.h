/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual of room heap: what the rooms above it may use beside the public headers graph.h and values.h.
 *
 * Lists of objects in their packed form, for passes over all of them; slots and texts read from records that
 * the caller has already; classes by what they are, and the objects of a class.
 */
#ifndef PASS_HEAP_H
#define PASS_HEAP_H

#include "icecore/values.h"

/* ---- columns of the choice of references and sizes of a heap: heap.c ------------------ */

struct make_column;
struct make_rows;

/* Like make_columns() of make.h, for column families. */
bool	heap_make_columns(struct store *, const struct heap *, const struct make_column *, size_t n,
    struct make_rows, struct err *);

static inline void *
heap_make(struct store *st, const struct heap *h, column_id family, enum column_type type, uint64_t rows,
    struct err *err)
{
	return store_make(st, heap_col(family, h->refs, h->sizes), type, rows, err);
}

/* ---- packed lists: heap_lists.c ------------------------------------------------------- */

/* Verify all lists, for callers that read them without heap_out() and heap_in(). */
void	heap_lists_all(const struct heap_lists *);
/* Return the offset of list i (object i + 1) in l->data. */
uint64_t heap_list_at(const struct heap_lists *, uint64_t i);
/* Bytes of a list with a head, which begins there. */
uint64_t heap_list_long(const struct heap_lists *, uint64_t at);

/* Bytes of list i, which begins there. */
static inline uint64_t
heap_list_bytes(const struct heap_lists *l, uint64_t i, uint64_t at)
{
	return l->len[i] != HEAP_LONG_LIST ? l->len[i] : heap_list_long(l, at);
}

/* Prefetch the places of the list, class and dominator of an object that will be read soon. */
void	heap_fetch_list(const struct heap *, uint32_t object);
/* The list that begins there, without what is chained. */
void	heap_list(const struct heap_lists *, uint64_t i, uint64_t at, struct heap_walk *);

/* Like heap_next(), without the strength. */
static inline uint32_t
list_next(struct heap_walk *w)
{
	uint64_t v;

	if (w->p >= w->end)
		return 0;
	v = packed_number(&w->p, w->end);
	w->last += (uint32_t)(v >> 1) ^ -(uint32_t)(v & 1);
	return w->last;
}

/* ---- what objects dominate: siblings.c -------------------------------------------------- */

#define CHILD_ROOM 10u	/* bytes a child needs at most */

/* Writes a child, behind last, the one before it of the same parent, or, if it is the first of them, 0. */
uint8_t	*child_put(uint8_t *p, uint32_t parent, uint32_t last, uint32_t child, bool ends);

/* ---- roots: roots.c ------------------------------------------------------------------- */

/* Lower rank = better root, among the roots of one object or of several. */
uint32_t root_rank(uint64_t kind);
#define ROOT_RANKS 9u		/* root_rank gives 0 .. ROOT_RANKS - 1 */
/* The program itself has such roots: global variables. */
bool	root_is_of_program(uint64_t kind);
/* Objects of such roots are known by them, whatever refers to them. */
bool	root_is_first(uint64_t kind);
/* The machine itself refers to it: another root says more. */
bool	root_is_late(uint64_t kind);
/* The object of the next root that is one, behind *row, which becomes its row; 0: there is none. */
uint32_t root_next(const struct heap *, uint32_t *row);
/* Fills rows with the best root of each object. */
bool	roots_map(const struct heap *, struct idmap *rows, struct err *);

/* ---- slots: slots.c, slot_find.c ------------------------------------------------------ */

/* The next slot without its value: for references neither bits nor object. */
bool	slots_next(struct heap_slots *, struct heap_slot *);
/* Read the value at slot->at; set the type to 0 if the record ends before the value does. */
void	slots_read(const struct heap_slots *, struct heap_slot *);

/* ---- classes: heap.c, slots.c, class_plan.c -------------------------------------------- */

/* Return the name of a class as written in the file; empty for class 0. */
struct str class_text(const struct heap *, uint32_t class);
/* Return whether the class has that name (with dots). */
static inline bool
class_is(const struct heap *h, uint32_t class, const char *name)
{
	return heap_same_name(class_text(h, class), str_of(name));
}

/* Return the first class of that name after class `after' (0: from the start); 0: none. */
uint32_t class_find(const struct heap *, const char *name, uint32_t after);
/*
 * Whether a class itself declares that field, and its type; *at moves over the others in front, or all.
 * NULL: just that.
 */
bool	class_field(const struct heap *, uint32_t class, const char *name, uint64_t *at, uint8_t *type);
/* Whether a reference in that field of class declares holds nothing: the VM keeps its own there. */
bool	field_chains(const struct heap *, uint32_t declares,
    struct str name);	/* java.lang.ref.Reference.discovered */
bool	field_idle(const struct heap *, uint32_t declares, struct str name);
/*
 * The superclass whose objects have the same fields, which hold alike: class adds none; 0: there is no such
 * one.  class_plan.c
 */
uint32_t class_same_fields(const struct heap *, uint32_t class);
/* The class of that name (with dots) in the chain of superclasses that begins with class; 0: none. */
uint32_t class_named(const struct heap *, uint32_t class, const char *name);
/* Return whether the object is of that class or of one that extends it. */
static inline bool
object_is(const struct heap *h, uint32_t object, const char *name)
{
	return object != 0 && class_named(h, heap_class(h, object), name) != 0;
}

/*
 * Return "java.util.HashMap" for "java.util.HashMap$Node"; empty if the class is not the node of a
 * collection.  inside.c
 */
struct str collection_node_of(struct str name);
/* Whether nodes of the one are nodes of the other: a LinkedHashMap has nodes of both classes. */
bool	collection_same_node(struct str, struct str);

/* heap_class_name without numbers that generators of classes give: stable_name.c.  Appends. */
void	heap_stable_name(const struct heap *, uint32_t class, struct buf *);

/* The object that dominates this one; 0: none does, or it is unreachable. */
static inline uint32_t
heap_above(const struct heap *h, uint32_t object)
{
	uint32_t up = heap_dominator(h, object);

	return up == HEAP_ROOT ? 0 : up;
}

/* Return whether one of n globs matches the heap_label() of an object. */
bool	heap_label_like(const struct heap *, uint32_t object, const char *const *globs, size_t n);

/* ---- texts: heap_text.c --------------------------------------------------------------- */

/* A field of java.lang.String: its offset in the values; type 0: no such field. */
struct text_field {
	uint32_t	at;
	uint8_t		type;
};

struct text_fields {
	struct text_field value, coder, offset, count;
};

void	text_fields_open(const struct heap *, struct text_fields *);
/* The address of the array of a String whose record this is; 0: null. */
uint64_t text_value(const struct heap *, const struct text_fields *, const struct heap_record *);
/* Do the work of heap_text on the records of a String and its array; false: the array has no characters. */
bool	text_take(const struct heap *, const struct text_fields *, const struct heap_record *string,
	    uint32_t array, const struct heap_record *chars, struct heap_text *);

/* Appends the characters of a text, at most max. */
void	text_add(const struct heap *, const struct heap_text *, size_t max, struct buf *);
/* Appends one character as UTF-8. */
void	code_add(uint32_t c, struct buf *);

/* ---- what a class is to a person who looks for a leak: class_sorts.c ------------------ */

enum class_sort {
	SORT_APP = 1,		/* class of an application or a library: no part of the JDK or of Android */
	SORT_CLASS = 2,		/* java.lang.Class */
	SORT_ARRAY = 4,
	SORT_THREAD = 8,	/* java.lang.Thread, or extends it */
	SORT_LOADER = 16	/* java.lang.ClassLoader, or extends it */
};

/* Bits for each class, by its number (0: none). */
bool	class_sorts(const struct heap *, struct scratch *sorts, struct err *);
/* Return whether an object is of an application (SORT_APP); for a Class object, whether its class is. */
bool	is_app(const struct heap *, const struct scratch *sorts, uint32_t object);

static inline unsigned
sort_of(const struct heap *h, const struct scratch *sorts, uint32_t object)
{
	uint32_t class = heap_class(h, object);

	return class > h->classes ? 0 : sorts->data[class];
}

/* ---- threads: thread_pool.c ------------------------------------------------------------ */

/*
 * The pool that a Thread works for: an executor, a ForkJoinPool or what is called a pool; a group of those is
 * one.  0: not known.
 */
uint32_t heap_thread_pool(const struct heap *, uint32_t thread);
/* Return the Runnable of a thread, or the task of a virtual thread; 0: none, its class overrides run(). */
uint32_t heap_thread_task(const struct heap *, uint32_t thread);
/*
 * Return the innermost frame of a class outside of the JDK; 0: none.  platform: cached kinds by class, or
 * NULL.
 */
uint32_t thread_frame(const struct heap *, uint64_t thread, const uint8_t *platform);
/*
 * Append class and method of that frame and return true; without such a frame, append the class of the task.
 */
bool	thread_place(const struct heap *, uint32_t thread, uint32_t object, const uint8_t *platform,
    struct buf *);

/* ---- the objects of a class of the platform and of those that extend it: members.c ---- */

/* AHEAD: the class is on the chain of superclasses being followed. */
enum class_mark { MARK_NONE, MARK_AHEAD, MARK_NO, MARK_YES };

/* Set the marks (by class number, YES or NONE) of subclasses of YES classes to YES, and all others to NO. */
void	class_inherit(const struct heap *, uint8_t *marks);

struct members {
	const struct heap	*h;
	struct scratch		 marks;		/* enum class_mark */
	uint64_t		 left;		/* objects still to be found */
	uint32_t		 next;		/* object to look at, from 1 */
};

/* Start from zeros.  Several classes may have the name (with dots), or none. */
bool	members_open(struct members *, const struct heap *, struct str name, struct err *);
void	members_close(struct members *);
bool	members_has(const struct members *, uint32_t class);
/*
 * Rising numbers, 0 at the end; does not look at the objects where no class has the name.  False: cancelled.
 */
bool	members_next(struct members *, uint32_t *object, struct work *, struct err *);

/* ---- what only waits for finalize() to run: finalizable.c ----------------------------- */

/* Objects that were counted; one that is all zeros is empty. */
struct finalizable {
	struct scratch	 seen, todo;	/* seen: a bit for each object; todo: u32 */
};

/* Return whether instances of the class are the VM's links to objects that wait for finalize(). */
bool	 finalizer_class(const struct heap *, uint32_t class);
/* Return the object of such a link if nothing else holds it; 0: something does, or the link is empty. */
uint32_t finalizer_waits(const struct heap *, uint32_t link);
/* Add the bytes of an object and of all that it reaches, except for what was counted before. */
bool	 finalizable_add(struct finalizable *, const struct heap *, uint32_t object, struct work *,
    uint64_t *bytes, struct err *);
void	 finalizable_close(struct finalizable *);
/* Compute the bytes that wait for finalize() in the whole heap.  Needs R.S.parent. */
bool	 finalizable_bytes(const struct heap *, struct work *, uint64_t *bytes, struct err *);

#endif
