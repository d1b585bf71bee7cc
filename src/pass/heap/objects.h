/*
 * What the pass over objects hands from the walk over the file to the columns it ends in.
 */
#ifndef PASS_OBJECTS_H
#define PASS_OBJECTS_H

#include "icecore/graph.h"
#include "heap_lists.h"

#define TICK 65536u

/* ---- where the references lie in the values of an instance, class by class: class_plan.c ---- */

#define PLAN_NONE UINT32_MAX
#define PLAN_CACHE 1024u

struct class_plan {
	uint64_t	first;		/* in refs */
	uint32_t	n;
	uint32_t	referent;	/* offset of the field that does not hold strongly, or PLAN_NONE */
	uint64_t	bytes;		/* of all values */
	uint8_t		strength;
	bool		made;
};

struct class_plans {
	const struct heap	*h;
	struct class_plan	*plan;		/* by class number */
	struct scratch		 refs;		/* u32 offsets */
	uint64_t		 nrefs, room;	/* bytes of values there can be of classes that have no plan yet */
	struct idmap		 numbers;	/* address + 1 to class number */
	uint32_t		 prims[HEAP_LONG + 1];
	struct {
		uint64_t addr;			/* address + 1 */
		uint32_t class;
	} cache[PLAN_CACHE];
};

bool	class_plans_open(struct class_plans *, const struct heap *, struct err *);
void	class_plans_close(struct class_plans *);
/* NULL: no memory. */
const struct class_plan *class_plan_make(struct class_plans *, uint32_t class, struct err *);

static inline const struct class_plan *
class_plan(struct class_plans *p, uint32_t class, struct err *err)
{
	return p->plan[class].made ? &p->plan[class] : class_plan_make(p, class, err);
}

/* The class of a record; 0 only where the dump does not have java.lang.Class. */
static inline uint32_t
class_number(struct class_plans *p, const struct heap_record *r)
{
	unsigned i = (unsigned)(r->class >> 3) % PLAN_CACHE;

	if (r->tag == TAG_CLASS)
		return p->h->class_class;
	if (r->tag == TAG_PRIMS || r->tag == TAG_NODATA)
		return p->prims[r->type <= HEAP_LONG ? r->type : 0];
	if (p->cache[i].addr != r->class + 1) {
		p->cache[i].addr = r->class + 1;
		p->cache[i].class = idmap_get(&p->numbers, r->class + 1);
	}
	return p->cache[i].class;
}

/* ---- the pass ---- */

/* The length of an array that does not fit its byte. */
struct long_row {
	uint32_t	object, length;
};

/* Lists of objects that follow each other in the file and by number. */
struct list_run {
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
