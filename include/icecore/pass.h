/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* pass: derives columns from columns, once.  Cursors over derived columns: spans.h, weights.h. */
#ifndef ICECORE_PASS_H
#define ICECORE_PASS_H

#include "icecore/called.h"
#include "icecore/load.h"
#include "icecore/spans.h"

struct pass {
	const char		*name;
	const char		*what;		/* a line for help */
	/* A loader column of the files it applies to; COL_NONE: all files. */
	column_id		 when;
	const column_id		*needs;		/* COL_NONE ends them; families: those of the choice */
	const column_id		*makes;
	/*
	 * Relative duration, if it can run in parallel with other passes, reading only its needs and loader
	 * columns.  0: it cannot.
	 */
	unsigned		 beside;
	bool			(*run)(struct store *, struct work *, struct err *);
	/* Instead of run, of a pass that makes families: once for each choice that is wanted. */
	bool			(*run_choice)(struct store *, enum heap_refs, enum heap_sizes, struct work *,
	    struct err *);
};

/* Input or output of a pass. */
#define PASS_COLUMNS(...) (const column_id[]){ __VA_ARGS__, COL_NONE }

extern const struct pass *const passes[];	/* src/tables.c; ends with NULL */

/* Runs the missing passes for the column. */
bool	pass_want(struct store *, column_id, struct work *, struct err *) MUST_USE;
/*
 * Run the missing passes for n columns.  Threads that are idle also run passes for later columns, which the
 * caller does not wait for.  The results and their order in the store do not depend on the number of threads.
 */
bool	passes_want(struct store *, const column_id *, size_t n, const column_id *later, size_t nlater,
    struct work *, struct err *) MUST_USE;
/* A store_rebuild: see store.h. */
bool	pass_rebuild(struct store *, column_id, struct work *, struct err *) MUST_USE;
/* Number of passes run whose columns an index keeps, each choice counted separately. */
size_t	passes_run(const struct store *);

#endif
