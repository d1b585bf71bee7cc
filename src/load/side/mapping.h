/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mapping: declarations shared by the readers of R8 and ProGuard mapping.txt.
 */
#ifndef LOAD_MAPPING_H
#define LOAD_MAPPING_H

#include "side.h"

/* "was -> is:" and the lines of its members. All texts are in the files. */
struct map_class {
	struct str	is, was, body;
	uint32_t	seq;
};

/* "[from:to:]type was[(args)][:orig_from[:orig_to]] -> is" */
struct map_member {
	struct str	is, was, type, args;
	struct str	residual;	/* new signature of the member, if the file states it */
	uint64_t	from, to, orig_from, orig_to;
	uint32_t	seq;
	bool		method, ranged;
	bool		moved;		/* orig_from .. orig_to are given; otherwise lines are unchanged */
};

struct mapping {
	struct sides	*s;
	struct scratch	 classes, members;	/* struct map_class by new name; struct map_member of last */
	uint64_t	 nclasses, nmembers;
	const struct map_class *last;
	struct str	 file;			/* source file of last, if given */
	struct buf	 args;
	uint64_t	 doubles, ignored;	/* duplicate classes; invalid lines */
	uint64_t	 renamed_classes, renamed_methods, renamed_fields, ambiguous;
};

/* ---- mapping.c: file ----------------------------------------------------------------- */

bool	mapping_read(struct mapping *, struct str text, struct err *);
bool	mapping_sort(struct mapping *, struct err *);
/* By new name, with dots or slashes; NULL: the name is unchanged. */
const struct map_class *mapping_class(const struct mapping *, struct str name);
/* Read the members of a class, sorted by new name, methods after fields, then in file order. */
bool	mapping_members(struct mapping *, const struct map_class *, struct err *);
/* Members with that name: rows *from .. result - 1. */
uint64_t mapping_find(const struct mapping *, struct str name, bool method, uint64_t *from);
/* Append the original type of a descriptor, in the words of the file: "La/b;" is "com.app.Main". */
void	mapping_type(const struct mapping *, struct str *descriptor, struct buf *);
/*
 * Like mapping_type, for types in words separated by commas: "a.b[], int". between: separator of the new
 * names.
 */
void	mapping_words(const struct mapping *, struct str types, struct str between, struct buf *);

/* ---- mapping_method.c: original method ------------------------------------------------ */

struct map_method {
	struct str	signature;	/* from a VM: "(I)V", or in words: "(a.b, int)"; empty: unknown */
	int64_t		line;		/* below 1: unknown */
};

/*
 * Append the original name of a method in the last class of mapping_members; "a|b (ambiguous)" if there are
 * several.
 * *owner: its original class if that is another one, otherwise empty. *line: the original line, if known.
 * False: the name is unchanged.
 */
bool	mapping_method(struct mapping *, struct str name, const struct map_method *, struct str *owner,
	    int64_t *line, struct buf *);
/* Like mapping_method, in the form for stacks: "outer [inlined Helper.inner:70]". */
bool	mapping_frame(struct mapping *, struct str name, const struct map_method *, int64_t *line,
	    struct buf *);

/* ---- names for the open file ------------------------------------------------------------- */

bool	mapping_trace(struct mapping *, struct err *);	/* mapping_trace.c */
bool	mapping_heap(struct mapping *, struct err *);	/* mapping_heap.c */

#endif
