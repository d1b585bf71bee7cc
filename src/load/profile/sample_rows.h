/*
 * sample_rows: samples while they are read, each member a narrow column: most files have no use for half of them.
 */
#ifndef LOAD_SAMPLE_ROWS_H
#define LOAD_SAMPLE_ROWS_H

#include "icecore/narrow.h"

#define SAMPLE_NO_TIME UINT64_MAX	/* of one whose time is not known among others: in no piece of time */

struct sample {
	uint64_t	weight, before;	/* fixed-point: value * 10^decimals */
	uint64_t	time, offset;	/* ns on any clock, or SAMPLE_NO_TIME; where its text begins */
	uint64_t	count;		/* samples that it stands for; not kept with COUNT_ONE */
	uint32_t	stack, thread, event;
	uint32_t	state;		/* of its thread, as samples_state has it; 0: not told */
};

struct sample_rows {
	struct narrow	weight, before, time, offset, count, stack, thread, event, state;
};

struct sample sample_rows_get(const struct sample_rows *, uint64_t row);
/* Replace an existing row or append the next one. */
bool	sample_rows_set(struct sample_rows *, uint64_t row, const struct sample *, struct err *) MUST_USE;
void	sample_rows_keep(struct sample_rows *, uint64_t n);	/* the first so many */
void	sample_rows_free(struct sample_rows *);

#endif
