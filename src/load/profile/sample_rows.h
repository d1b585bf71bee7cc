/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample_rows: samples being read, each member a narrow column: most files leave half of them unused.
 */
#ifndef LOAD_SAMPLE_ROWS_H
#define LOAD_SAMPLE_ROWS_H

#include "icecore/narrow.h"

#define SAMPLE_NO_TIME UINT64_MAX	/* for a sample whose time is unknown: outside of every range */

struct sample {
	uint64_t	weight, before;	/* fixed-point: value * 10^decimals */
	uint64_t	time, offset;	/* ns on any clock, or SAMPLE_NO_TIME; position of its text */
	uint64_t	count;		/* number of samples in this row; not stored with COUNT_ONE */
	uint32_t	stack, thread, event;
	uint32_t	state;		/* state of its thread, by samples_state; 0: unknown */
	uint32_t	labels;		/* label_set; 0: none */
};

struct sample_rows {
	struct narrow	weight, before, time, offset, count, stack, thread, event, state;
	struct narrow	labels;		/* without rows up to the first sample that has labels */
};

struct sample sample_rows_get(const struct sample_rows *, uint64_t row);
/* Replace an existing row or append the next one. */
bool	sample_rows_set(struct sample_rows *, uint64_t row, const struct sample *, struct err *) MUST_USE;
void	sample_rows_keep(struct sample_rows *, uint64_t n);	/* keep only the first n */
void	sample_rows_free(struct sample_rows *);

#endif
