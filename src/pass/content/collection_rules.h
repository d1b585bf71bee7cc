/*
 * Private to src/pass: the table of classes that are collections, and where each keeps its numbers.
 */
#ifndef PASS_COLLECTION_RULES_H
#define PASS_COLLECTION_RULES_H

#include <stdint.h>

/* How the fields of a rule are to be read; in brackets what they are, in their order. */
enum collection_form {
	FORM_LIST,		/* elements at the start of an array (size, array) */
	FORM_FULL,		/* an array that is as long as there are elements (array) */
	FORM_DEQUE,		/* a ring (array, head, tail) */
	FORM_LINKED,		/* nodes, counted by the object itself (size) */
	FORM_FIXED,		/* an array without room for more, whatever its length (size, array) */
	FORM_HASH,		/* buckets with chains (size, array) */
	FORM_STRIPED,		/* the same, its size in several cells (base, array of cells, array) */
	FORM_SEGMENTS,		/* the same in several parts (array of segments) */
	FORM_PAIRS,		/* keys and values in turns (size, array) */
	FORM_SPARSE,		/* keys and values in two arrays (size, keys, values) */
	FORM_GARBAGE,		/* the same, where values may stand for nothing (size, keys, values, flag) */
	FORM_INDEXED,		/* hashes, and keys and values in turns (size, hashes, array) */
	FORM_WALK,		/* nodes that have to be counted (head) */
	FORM_COUNTED,		/* nodes, counted by another object (AtomicInteger) */
	FORM_TWO,		/* one or two elements in fields (first, second) */
	FORM_ONE,		/* always one (key) */
	FORM_WRAP,		/* a collection that keeps all in another one (that) */
	FORM_VIEW,		/* the same, if nobody else has that one */
	FORM_PARTS,		/* from here on no collections: parts whose fields the others need */
	FORM_NODE = FORM_PARTS,	/* (element, next) */
	FORM_NUMBER,		/* (value) */
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
	enum collection_form	 form;
	const char		*field[RULE_FIELDS];
};

extern const struct collection_rule collection_rules[];	/* ends with NULL */

#endif
