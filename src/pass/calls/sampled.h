/*
 * sampled: whether a method trace was sampled, and how often.
 */
#ifndef PASS_SAMPLED_H
#define PASS_SAMPLED_H

#include "calls.h"

/*
 * Tells sampled method traces from traced ones: at each time a sampler
 * writes exits and then enters, many records with one time.
 */
struct sampled {
	struct scratch	threads;	/* struct sampled_thread */
	uint32_t	nthreads;
	uint64_t	records, groups, odd;
	uint64_t	steps[64 * 8];	/* histogram of the steps between groups, 8 classes an octave */
	uint64_t	nsteps;
};

#define SAMPLED_ROWS (1u << 20)		/* so many records decide */

bool		sampled_run(struct sampled *, const struct run *, bool wall,
		    struct err *);
bool		sampled_is(const struct sampled *);
uint64_t	sampled_interval(const struct sampled *);	/* ticks, 10th percentile */
void		sampled_free(struct sampled *);

#endif
