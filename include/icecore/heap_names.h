/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_names: what fills a heap, by field path: the tree of dominators folded by the names of fields.
 * Belongs to layer pass.
 *
 * Objects held by the same field below the same field are one node, as a flame graph folds stacks.  Every
 * reachable byte is in the self size of exactly one node.
 */
#ifndef ICECORE_HEAP_NAMES_H
#define ICECORE_HEAP_NAMES_H

#include "icecore/values.h"

/* Ways in which the parent of a node holds its objects. */
enum name_kind {
	NAME_ROOT,		/* the whole heap */
	NAME_CLASS,		/* a class with its static fields */
	NAME_THREADS,		/* all threads */
	NAME_FIELD,		/* field label of class holder */
	NAME_STATIC,		/* static field label of class holder */
	NAME_ELEMENT,		/* element of an array or a collection */
	/* Field label of class holder has its key; nothing has: label is the class of the key. */
	NAME_THREAD_LOCAL,
	NAME_STATIC_LOCAL,	/* the same, a static field */
	/* A thread local whose key was collected or is unreachable: its value can no longer be read. */
	NAME_LOST_LOCAL,
	NAME_LOCAL,		/* a local variable of method label of class holder */
	NAME_SHARED,		/* several holders; holder.label is the best of them */
	NAME_GC_ROOT,		/* label: kind of root */
	NAME_REST,		/* the smallest children of a node with too many, merged */
	NAME_KINDS
};

/* Origin of a class. */
enum class_kind { CLASS_JDK = 1, CLASS_LIBRARY = 2, CLASS_PROGRAM = 4, CLASS_KINDS = 8 };

/* Role of a node's objects for the objects below. */
enum name_role { ROLE_PLAIN, ROLE_COLLECTION, ROLE_ARRAY, ROLE_CLASS, ROLE_THREADS, ROLE_ROOT, ROLE_REST,
    NAME_ROLES };

struct name_node {
	enum name_kind	 kind;
	enum name_role	 role;
	uint32_t	 parent;	/* 0: of the first node */
	/* Nodes in the subtree including itself; nodes are in pre-order, heaviest child first. */
	uint32_t	 size;
	uint32_t	 depth;
	struct str	 label, holder, class;	/* class: without numbers that differ between runs */
	unsigned	 whose, holder_whose;	/* the class, and holder: enum class_kind; 0: none */
	uint32_t	 count;		/* objects */
	/* Number of these objects below another one of the node: lists, trees. */
	uint32_t	 folded;
	uint32_t	 object;	/* the object that retains most */
	uint64_t	 most;		/* bytes it retains */
	uint64_t	 self, total;	/* bytes; self includes the parts of the objects */
	uint64_t	 native, native_total;	/* bytes outside of the heap */
};

static inline bool
name_is_thread_local(enum name_kind kind)
{
	return kind == NAME_THREAD_LOCAL || kind == NAME_STATIC_LOCAL || kind == NAME_LOST_LOCAL;
}

/* Bytes of the node and of all below it, in the heap and outside. */
static inline uint64_t
name_weight(const struct name_node *n)
{
	return num_add(n->total, n->native_total);
}

/* The node's objects are about equally large: the largest has at most an eighth more than the average. */
static inline bool
name_is_even(const struct name_node *n)
{
	return n->count > 0 && n->folded == 0 && n->most - n->most / 9 <= n->total / n->count;
}

/* The node's objects have elements. */
static inline bool
name_is_collection(const struct name_node *n)
{
	return n->role == ROLE_COLLECTION || n->role == ROLE_ARRAY;
}

/* The objects of both nodes are held by the same field, maybe on different ways. */
static inline bool
name_is_same_field(const struct name_node *a, const struct name_node *b)
{
	return a->kind == b->kind && str_eq(a->label, b->label) && str_eq(a->holder, b->holder);
}

/* Number of nodes, after pass "names"; 0: it has not run. */
uint32_t names_count(const struct heap *);
void	 names_get(const struct heap *, uint32_t id, struct name_node *);	/* from 1 */
uint32_t names_of(const struct heap *, uint32_t object);	/* the node of an object; 0: unreachable */
/* "shop.Registry.done", "[]", "static a.B.c", "local of a.B.run"; appends, raw bytes. */
void	 name_add(const struct name_node *, struct buf *);

#define CUT_FIELDS 3u		/* collections that are named */

/* An object whose collections share things: nodes. */
struct cut_found {
	uint32_t	things;			/* the class that a person knows */
	uint32_t	field[CUT_FIELDS];	/* the fields with the collections, the heaviest first */
	unsigned	fields;			/* of them */
};

/*
 * Look below a node of one object: whether things that occur about as often in several collections have most
 * of its bytes, and the collections share some of them.  Needs the incoming references.  cuts.c
 */
bool	cut_find(const struct heap *, uint32_t node, struct cut_found *);

/* Go up from an element of collections to the outermost collection, which a field holds. */
static inline void
name_leave_elements(const struct heap *h, struct name_node *n)
{
	while (n->kind == NAME_ELEMENT && n->parent != 0)
		names_get(h, n->parent, n);
}

/* Append "shop.Registry.done", the field by which the objects of a node are held. */
static inline void
name_add_field(const struct name_node *n, struct buf *b)
{
	buf_str(b, n->holder);
	if (n->holder.n > 0 && n->label.n > 0)
		buf_chr(b, '.');
	buf_str(b, n->label);
}

/*
 * Appends the part of the program that holds an object: the nearest field or local variable, ignoring parts
 * of the JDK and of libraries in between.  For example "shop.Chat.out"; if many objects have that field, also
 * their holder: "shop.Chat.out in shop.Server.chats".  Fields of the object itself and class loaders do not
 * count; locals: local variables do.  False: not found.  nearest.c
 */
bool	 names_nearest(const struct heap *, uint32_t object, bool locals, struct buf *);

/*
 * Opens the nodes as a tree (pass.h).  Weights are bytes in the heap and outside; ids are those of names_get.
 */
bool	 tree_open_names(struct tree **, const struct store *, enum heap_refs, enum heap_sizes, struct err *);

#endif
