/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of hprof_classes.c for hprof_out.c.
 */
#ifndef LOAD_HPROF_CLASSES_H
#define LOAD_HPROF_CLASSES_H

#include "hprof.h"

struct class_facts {
	uint32_t	*order;		/* all classes, each after its superclass; the caller frees it */
	uint32_t	 class_class;	/* java.lang.Class; 0: not in the dump */
	uint64_t	 dumps;		/* number of classes that are objects */
	struct table	 loaders;	/* u32 objects; the caller frees them */
	uint64_t	 cycles, no_super;
};

bool	hprof_classes(struct hprof *, const struct heap_ids *, struct class_facts *);
/* By id; equal ids in file order. */
bool	hprof_sort_pairs(struct hprof *, int table);
/* Return the ref of the STRING record with that id; 0: none. Records must already be sorted. */
uint64_t hprof_name(const struct hprof *, uint64_t id);

#endif
