/*
 * Results of hprof_classes.c for hprof_out.c.
 */
#ifndef LOAD_HPROF_CLASSES_H
#define LOAD_HPROF_CLASSES_H

#include "hprof.h"

struct class_facts {
	uint32_t	*order;		/* all classes, each behind its superclass; the caller frees */
	uint32_t	 class_class;	/* java.lang.Class; 0: it is not in the dump */
	uint64_t	 dumps;		/* classes that are objects */
	struct table	 loaders;	/* u32 objects; the caller frees */
	uint64_t	 cycles, no_super;
};

bool	hprof_classes(struct hprof *, const struct heap_ids *, struct class_facts *);
/* By id, those of one id as they stand in the file. */
bool	hprof_sort_pairs(struct hprof *, int table);
/* The ref of the STRING record with that id; 0: there is none.  They are sorted by then. */
uint64_t hprof_name(const struct hprof *, uint64_t id);

#endif
