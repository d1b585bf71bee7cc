/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allocations: code that allocated the objects of a heap dump, from recordings opened with it, matched by
 * class name.
 */
#ifndef PASS_HEAP_ALLOCATIONS_H
#define PASS_HEAP_ALLOCATIONS_H

#include "heap.h"
#include "icecore/make.h"
#include "icecore/pass.h"
#include "icecore/texts.h"

/* Allocations of one class at one site. */
struct made_row {
	uint64_t	bytes, samples, old;
	uint64_t	total;		/* bytes of all sites of the class */
	uint32_t	name, site;	/* place in the text; 0: none */
	uint32_t	class;		/* the first class of the dump with that name; 0: none */
};

/* Starts from zeros. */
struct made_list {
	ARRAY(struct made_row)	rows;
	uint64_t	 n;
	struct idmap	 by_pair;
	struct text_pool text;
};

/* Add the allocations of a recording. */
bool	made_read(struct made_list *, const struct store *recording, struct work *, struct err *);
void	made_close(struct made_list *);

#endif
