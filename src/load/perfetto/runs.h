/*
 * runs: rows in order of time.  A writer tells its events in order, more or less, so rows are kept as runs that are in order, and merged as
 * they are played.  Runs of kernel events are most of a trace: they are made into rows only while they are played.
 */
#ifndef LOAD_PERFETTO_RUNS_H
#define LOAD_PERFETTO_RUNS_H

#include "perfetto.h"

/* What is merged, while it is. */
struct pf_merge;

struct pf_merge *pf_merge_open(struct perfetto *, struct err *);	/* NULL: failure */
void	pf_merge_close(struct pf_merge *);				/* may be NULL */
/* Takes the next row, valid until the one after it is taken; NULL: there is none.  False: failure. */
bool	pf_merge_next(struct pf_merge *, const struct pf_row **, struct err *);

/* ftrace_rows.c: the rows of a run of kernel events. */
bool	pf_ftrace_later(struct perfetto *, const struct pf_run *, struct pf_made *, struct err *);

#endif
