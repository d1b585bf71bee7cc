/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: what the parts of pass "duplicates" share.
 */
#ifndef PASS_DUPLICATES_H
#define PASS_DUPLICATES_H

#include "pass/heap/heap.h"

enum duplicate_kind { DUP_ARRAYS, DUP_STRINGS, DUP_ZEROS, DUP_KINDS };

#define DUP_BYTES 64u		/* least bytes of content: smaller arrays are not compared */
#define DUP_TICK 8192u

/* In which form a String has its text; of arrays FORM_BYTES. */
enum dup_form {
	FORM_BYTES, FORM_UTF16, FORM_CHARS,	/* a whole array, as the coder of struct heap_text */
	FORM_PART				/* anything else: only the String says it */
};

/* A String or an array that may have a copy. */
struct dup_item {
	uint32_t	key;		/* hash, then DUP_SEEN, then enum dup_form */
	uint32_t	object;
	uint32_t	array;		/* that has its characters; of an array itself */
};

#define DUP_FORM 3u
#define DUP_SEEN 4u		/* item found equal, form included, to an earlier item of the same hash */
#define DUP_HASH 3u		/* bits below the hash */

static inline enum dup_form
dup_form(const struct dup_item *item)
{
	return (enum dup_form)(item->key & DUP_FORM);
}

struct dup_list {
	ARRAY(struct dup_item)	items;
	uint64_t	n;
};

/* Objects of one content. */
struct dup_group {
	uint64_t	waste;
	uint64_t	first;		/* place of the first member in members and owns */
	uint32_t	object, copies, arrays, place;	/* place: of its members among those of all, in the end */
	uint8_t		kind;
};

struct duplicates {
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct heap		 h;
	struct text_fields	 text;
	struct dup_list		 list[DUP_KINDS];
	struct scratch	taken;
	ARRAY(uint64_t)	shared;		/* bits by object: a String has that array, several have */
	ARRAY(uint32_t)	more;			/* an array for each further String that shares it */
	uint64_t		 nmore;
	ARRAY(uint32_t)	before;		/* arrays before each word of shared */
	/* By array in shared, by rising number: number of its Strings. */
	ARRAY(uint32_t)	sharers;
	uint64_t		 nsharers;
	ARRAY(struct dup_group)	groups;
	uint64_t		 ngroups;
	ARRAY(uint32_t)	members;
	/* By member: the array of the String would be freed with it. */
	ARRAY(uint8_t)	owns;
	uint64_t		 nmembers;
};

/* ---- contents: duplicates_bytes.c ------------------------------------------------- */

/* Content of a String or an array; compared by value, whatever the form. */
struct dup_bytes {
	const uint8_t	*p;
	uint32_t	 n;		/* characters or elements */
	uint8_t		 type;		/* type of the elements; HEAP_OBJECT: it is a text */
	uint8_t		 coder;		/* coder of a text */
};

/* False: there is no such record.  See there what it does not check. */
bool	dup_record(const struct heap *, uint32_t object, struct heap_record *);
/* Reads the content and the form from the records of a String and its array; false: no content. */
bool	dup_bytes_string(const struct duplicates *, const struct heap_record *string, uint32_t array,
	    struct dup_bytes *, enum dup_form *);
/* Reads the content of an item again. */
bool	dup_bytes(const struct duplicates *, enum duplicate_kind, const struct dup_item *,
    struct dup_bytes *);
/* Equal contents have equal hashes; of long ones only parts count. */
uint32_t dup_hash(const struct dup_bytes *);
bool	dup_zeros(const struct dup_bytes *);
bool	dup_equal(const struct dup_bytes *, const struct dup_bytes *);
/* An order of contents, 0: equal. */
int	dup_order(const struct dup_bytes *, const struct dup_bytes *);

/* ---- the parts, in the order they run ------------------------------------------------- */

bool	dup_find(struct duplicates *, enum duplicate_kind);	/* list to groups: duplicates_find.c */
/* qsort that can be cancelled. */
bool	dup_sort(struct duplicates *, void *, uint64_t n, size_t size,
	    int (*order)(const void *, const void *));
/* How many Strings have an array of shared. */
bool	dup_count_sharers(struct duplicates *);
/* A group of items of one content, whose numbers rise: duplicates_out.c. */
bool	dup_add(struct duplicates *, enum duplicate_kind, const struct dup_item *, uint64_t n);
bool	dup_put(struct duplicates *);			/* makes the columns */

#endif
