/*
 * mapping: what the parts share that read mapping.txt of R8 and ProGuard.
 */
#ifndef LOAD_MAPPING_H
#define LOAD_MAPPING_H

#include "side.h"

/* "was -> is:" and the lines of its members.  All text lies in the files. */
struct map_class {
	struct str	is, was, body;
	uint32_t	seq;
};

/* "[from:to:]type was[(args)][:orig_from[:orig_to]] -> is" */
struct map_member {
	struct str	is, was, type, args;
	struct str	residual;	/* the signature it has now, where the file says so */
	uint64_t	from, to, orig_from, orig_to;
	uint32_t	seq;
	bool		method, ranged;
	bool		moved;		/* orig_from .. orig_to are told: else lines are what they were */
};

struct mapping {
	struct sides	*s;
	struct scratch	 classes, members;	/* struct map_class by its name now; struct map_member of last */
	uint64_t	 nclasses, nmembers;
	const struct map_class *last;
	struct str	 file;			/* source file of last, where it is told */
	struct buf	 args;
	uint64_t	 doubles, ignored;	/* classes named twice; lines that are neither */
	uint64_t	 renamed_classes, renamed_methods, renamed_fields, ambiguous;
};

/* ---- mapping.c: the file ------------------------------------------------------------- */

bool	mapping_read(struct mapping *, struct str text, struct err *);
bool	mapping_sort(struct mapping *, struct err *);
/* By its name now, with dots or slashes; NULL: it keeps its name. */
const struct map_class *mapping_class(const struct mapping *, struct str name);
/* The members of a class, by their names now, methods behind fields, then as they stand in the file. */
bool	mapping_members(struct mapping *, const struct map_class *, struct err *);
/* Those with that name: rows *from .. result - 1. */
uint64_t mapping_find(const struct mapping *, struct str name, bool method, uint64_t *from);
/* Appends what a descriptor stands for in the file's words: "La/b;" is "com.app.Main". */
void	mapping_type(const struct mapping *, struct str *descriptor, struct buf *);
/* Like mapping_type, for types in words with commas between: "a.b[], int".  between: put between the new names. */
void	mapping_words(const struct mapping *, struct str types, struct str between, struct buf *);

/* ---- mapping_method.c: which method it was -------------------------------------------- */

struct map_method {
	struct str	signature;	/* of a VM: "(I)V", or in words: "(a.b, int)"; empty: not known */
	int64_t		line;		/* below 1: not known */
};

/*
 * Appends the name that a method of the last class of mapping_members had; "a|b (ambiguous)" where it may be several.
 * *owner: the class it came from when that is another one, else empty.  *line becomes what it was, where that is known.
 * False: it kept its name.
 */
bool	mapping_method(struct mapping *, struct str name, const struct map_method *, struct str *owner,
	    int64_t *line, struct buf *);
/* Like mapping_method, in the form of stacks: "outer [inlined Helper.inner:70]". */
bool	mapping_frame(struct mapping *, struct str name, const struct map_method *, int64_t *line,
	    struct buf *);

/* ---- names of the file that is open ------------------------------------------------------ */

bool	mapping_trace(struct mapping *, struct err *);	/* mapping_trace.c */
bool	mapping_heap(struct mapping *, struct err *);	/* mapping_heap.c */

#endif
