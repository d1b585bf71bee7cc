/*
 * views: the steps that views are made of.  Each puts one store over *top, which it replaces; what it failed on is closed.
 */
#ifndef PASS_VIEWS_H
#define PASS_VIEWS_H

#include "icecore/view.h"

#include "pass/calls/calls.h"

#define VIEW_RULES 64u		/* a bit each */

/* Distinct texts, numbered from 1. */
struct view_texts {
	struct buf	 bytes;
	struct scratch	 piece;		/* u64: where each begins; one more */
	struct idmap	 by_hash;
	uint32_t	 n;
};

#define TEXTS_INIT ((struct view_texts){ BUF_INIT, SCRATCH_INIT, IDMAP_INIT, 0 })

bool	texts_number(struct view_texts *, struct str, uint32_t *number, struct err *);
struct str texts_get(const struct view_texts *, uint32_t number);
/* They become the own text of a store over another; the ref of number n is then in refs[n - 1]. */
bool	texts_keep(const struct view_texts *, struct store *, struct scratch *refs, struct err *);
void	texts_free(struct view_texts *);

/* Samples of one event, in a piece of time. */
bool	view_samples(struct store **top, const struct view *, struct work *, struct err *);
/* Calls as far as they lie in a piece of time. */
bool	view_records(struct store **top, const struct view *, struct work *, struct err *);
/* A piece of time for what is no call tree: tasks, CPUs, states, values, switches, spans. */
bool	view_times(struct store **top, const struct view *, struct err *);
bool	view_put_range(struct store *, const struct view *, struct err *);	/* what view_range tells */
/* Rules, groups, threads. */
bool	view_rules(struct store **top, const struct view *, struct work *, struct err *);
/* *top less another store; event: the one compared where nobody asked for one, or empty. */
bool	view_less(struct store **top, struct store *before, const struct view *, struct str event, struct work *, struct err *);

/* The current events of two profiles are one, or their names tell nothing of a difference. */
bool	events_alike(const struct store *after, const struct store *before);
/* Of profiles whose current events are not alike one that both have; else 0, and where they have none. */
void	events_common(const struct store *after, const struct store *before, uint32_t *of_after, uint32_t *of_before);
/* Says which events could be compared, or that the files are of different kinds. */
bool	events_fail(const struct store *after, const struct store *before, struct err *);

/* Ends the making of a store over *top: which it takes the place of; or, when it is not whole, which stays.  Returns whole. */
bool	view_put(struct store **top, struct store *made, bool whole);

/* What a thread has beside its top-level calls: samples without frames, frames that are hidden. */
void	view_rest(const struct store *, uint32_t thread, uint64_t *wall, uint64_t *cpu);

#endif
