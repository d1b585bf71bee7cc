/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: the table of classes that are collections, those of a heap, and the fields of one
 * object.
 */
#ifndef PASS_COLLECTIONS_H
#define PASS_COLLECTIONS_H

#include "icecore/collection.h"
#include "pass/heap/heap.h"

/* How the fields of a rule are to be read; in brackets what they are, in their order. */
enum collection_form {
	FORM_LIST,		/* elements at the start of an array (size, array) */
	FORM_FULL,		/* an array that is as long as there are elements (array) */
	FORM_DEQUE,		/* a ring (array, head, tail) */
	FORM_RING,		/* the same (size, array, head) */
	FORM_LINKED,		/* nodes, counted by the object itself (size, first) */
	FORM_CIRCLE,		/* the same; the last one points to a first one without an element (size, that) */
	FORM_TREE,		/* a map of nodes (size, root) */
	FORM_FIXED,		/* an array without room for more, whatever its length (size, array) */
	FORM_FIXED_PAIRS,	/* the same, keys and values in turns */
	FORM_ENUMS,		/* values by key, which another array has (size, values, keys) */
	FORM_HASH,		/* buckets with chains (size, array, node in front of all; NULL) */
	FORM_HASH_LINKED,	/* the same, and a chain through all (size, array, first) */
	FORM_HASH_CIRCLE,	/* the same, as FORM_CIRCLE */
	FORM_STRIPED,		/* the same, its size in several cells (base, array of cells, array) */
	FORM_SEGMENTS,		/* the same in several parts (array of segments) */
	FORM_PAIRS,		/* keys and values in turns (size, array) */
	FORM_SPARSE,		/* keys and values in two arrays (size, keys, values) */
	FORM_GARBAGE,		/* the same, if some values mean nothing (size, keys, values, flag) */
	FORM_INDEXED,		/* hashes, and keys and values in turns (size, hashes, array) */
	FORM_INDEXED_SET,	/* hashes and elements (size, hashes, array) */
	FORM_WALK,		/* nodes that have to be counted (head) */
	FORM_COUNTED,		/* nodes, counted by another object (AtomicInteger, head) */
	FORM_TWO,		/* fields of one or two elements (first, second) */
	FORM_ONE,		/* always one (element) */
	FORM_PAIR,		/* always one (key, value) */
	FORM_WRAP,		/* a collection that keeps all in another one (that) */
	FORM_SET,		/* a set of the keys of a map (that) */
	FORM_VIEW,		/* the same, if nobody else has that one */
	FORM_PARTS,		/* from here on no collections: parts whose fields the others need */
	FORM_NODE = FORM_PARTS,	/* (element, next) */
	FORM_NUMBER,		/* (value) */
	FORM_COUNTER,		/* that of FORM_COUNTED (value) */
	FORM_SEGMENT,		/* (size, array) */
	FORM_OUTER		/* not read: only the name counts */
};

enum { RULE_FIELDS = 4 };

/*
 * A rule fits a class of that name that has all of these fields; the first that fits counts.  Classes
 * inside one of a rule are parts of collections.
 */
struct collection_rule {
	const char		*class;
	/* Length of class, which is compared first: dumps have many classes. */
	size_t			 length;
	enum collection_form	 form;
	const char		*field[RULE_FIELDS];
};

extern const struct collection_rule collection_rules[];	/* ends with NULL */
/* by form: 1 << each field that is a number; no other is read as one */
extern const uint8_t collection_numbers[];

/* A field: its offset in the values that begin with those of the rule's class. */
struct place {
	uint32_t	at;
	uint8_t		type;
};

/* A rule and a class that it fits. */
struct plan {
	enum collection_form	form;
	uint32_t		class;
	struct place		field[RULE_FIELDS];
};

/* Collections of these forms keep their elements in another collection, their first field. */
static inline bool
form_is_wrap(enum collection_form form)
{
	return form == FORM_WRAP || form == FORM_SET || form == FORM_VIEW;
}

/* Cached facts about a class. */
struct known {
	uint32_t	plan;		/* from 1; 0: none */
	uint32_t	skip;		/* bytes of its values in front of those of the plan's class */
	/* Class of the platform's collections, or part of them: nobody's own. */
	bool		part;
	bool		done;
};

/*
 * Fields by which nodes hold elements and refer to nodes, by any name in their class; type 0: no such field.
 */
enum node_field {
	NODE_KEY, NODE_VALUE, NODE_NEXT, NODE_HASH, NODE_AFTER, NODE_LEFT, NODE_RIGHT,
	NODE_FIRST,		/* first node of a bin */
	NODE_TABLE,		/* for a node that marks moved nodes: their new table */
	NODE_FIELDS
};

struct link_class {
	uint32_t	class;
	struct place	field[NODE_FIELDS];
};

struct link_node {
	const struct link_class	*is;
	struct heap_record	 record;
};

#define HOLDER_BITS 12
#define HOLDERS (1u << HOLDER_BITS)	/* answers that are kept */

/* The answer for an object; below: what the holder dominates at once on the way to it. */
struct holding {
	uint32_t	object, holder, below;
};

struct collections {
	struct heap		 h;
	const struct column	*super;
	struct known		*known;		/* by class */
	struct plan		*plan;
	size_t			 plans, plans_cap;
	struct link_class	*node;		/* classes of nodes that were met */
	size_t			 nodes, nodes_cap, node_at;	/* the last one asked for */
	uint32_t		 empty;		/* marks the absence of a second element; 0: null does */
	uint64_t		 steps, most;	/* nodes and similar objects visited, and their limit */
	struct holding		 holders[HOLDERS];
};

/* The fields of an object by its plan. */
struct planned {
	const struct collections *c;
	const struct plan	*plan;
	uint32_t		 object;
	struct heap_record	 record;
	uint64_t		 at;		/* where the values of the plan's class begin */
};

/* False: it is not an instance of a class with a plan. */
bool	planned_open(const struct collections *, uint32_t object, struct planned *);
/* Field i as a number; false: it is none, or the record ends before it. */
bool	planned_number(const struct planned *, unsigned i, int64_t *);
/* The object it refers to, 0: null; false: it is not a reference, or that object is missing. */
bool	planned_object(const struct planned *, unsigned i, uint32_t *);

/*
 * Like planned_open(), but opens the inner collection if the object wraps one; false: it is not a collection.
 */
bool	planned_unwrap(const struct collections *, uint32_t object, struct planned *);
/* The first field of that name in a class and its superclasses: its offset in the values of the instances. */
bool	collections_field(const struct collections *, uint32_t class, const char *name, struct place *);

/* Nodes: nodes.c.  False: it is not an instance. */
bool	node_open(struct collections *, uint32_t object, struct link_node *);
/* A field as a number; false: there is none. */
bool	node_number(const struct collections *, const struct link_node *, enum node_field, int64_t *);
/* The object it refers to, 0: null, or there is no such field; false: that object is missing. */
bool	node_object(const struct collections *, const struct link_node *, enum node_field, uint32_t *);

/* An array by its number, 0: an empty one; how many elements the file has of it. */
uint64_t array_open(const struct heap *, uint32_t array, struct heap_record *);
/* Element i, which the file has: of objects the number, 0: null or missing. */
uint64_t array_take(const struct heap *, const struct heap_record *, uint64_t i, uint8_t *type);

/* Ways to iterate over the elements; node 0, array 0: there are none. */
bool	elements_chain(struct elements *, uint32_t node, enum node_field by);
bool	elements_circle(struct elements *, uint32_t first, enum node_field by);
bool	elements_tree(struct elements *, uint32_t root);
bool	elements_hash(struct elements *, uint32_t table,
    uint32_t node);	/* node: in front of the table */
bool	elements_segments(struct elements *, uint32_t array);

/* Results of a form besides struct collection: the arrays, and the size of an element in them. */
struct slack {
	uint32_t	array[2];
	uint64_t	unit;		/* bytes */
	uint64_t	whole;		/* bytes of the tables of segments */
	bool		own;		/* some segment has a table of its own */
};

struct reading {
	struct collections	*c;
	struct planned		 f;
	struct slack		 slack;
	struct collection	*out;
	bool			 buckets;
};

/* Fill in out, except waste, and slack; false: not a valid collection.  NULL: the form is of another kind. */
extern bool (*const collection_forms[FORM_PARTS])(struct reading *);

#endif
