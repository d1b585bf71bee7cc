/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * label_sets: sets of labels being read.  Equal labels, and equal sets, have one number.
 */
#ifndef LOAD_LABEL_SETS_H
#define LOAD_LABEL_SETS_H

#include "icecore/store.h"
#include "icecore/texts.h"

/* A zeroed struct is empty. */
struct label_sets {
	struct text_pool keys, text;	/* keys are numbered; text: values, at places */
	struct scratch	 labels, first, list;	/* struct of_label; u64 by set; u32: labels of the sets */
	uint64_t	 nlabels, nsets, nlist;
	struct idmap	 by_label, by_set;
};

/* The number of a label; 0: failed. */
uint32_t label_number(struct label_sets *, struct str key, struct str value, struct err *);
/* The number of the set of n labels, in any order, which it sorts, equal ones once; of no labels 0. */
bool	label_set(struct label_sets *, uint32_t *label, uint64_t n, uint32_t *set, struct err *) MUST_USE;
bool	label_sets_columns(struct label_sets *, struct store *, struct work *, struct err *) MUST_USE;
void	label_sets_free(struct label_sets *);

#endif
