/*
 * What the pass over objects hands from the walk over the file to the columns it ends in.
 */
#ifndef PASS_OBJECTS_H
#define PASS_OBJECTS_H

#include "class_plan.h"
#include "heap_lists.h"

#define TICK 65536u

/* The length of an array that does not fit its byte. */
struct long_row {
	uint32_t	object, length;
};

/* Lists of objects that follow each other in the file and by number. */
struct run {
	uint64_t	pos;		/* in stream */
	uint32_t	object, n;
};

struct objects {
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct heap		 h;
	struct class_plans	 plans;
	uint32_t		*offset;
	uint8_t			*high;		/* NULL: offsets have 32 bits */
	void			*class;
	enum column_type	 class_type;
	uint8_t			*length, *len;
	struct scratch		 stream;
	uint64_t		 pos;
	struct scratch		 runs;
	uint64_t		 nruns;
	uint32_t		 next;		/* the object that would go on the last run */
	struct scratch		 longs;
	uint64_t		 nlongs, missing, short_records;
	uint64_t		 reserved;	/* bytes of stream there is room for */
};

/* The columns out.* from the lists met, and long.* from the lengths: objects_out.c. */
bool	objects_lists(struct objects *);
bool	objects_lengths(struct objects *);

#endif
