/*
 * contents: what passes found in a heap, in a few words.
 */
#ifndef UI_CONTENTS_H
#define UI_CONTENTS_H

#include "ui/core/core.h"

/* False: it is not known yet. */
bool	 told_findings(const struct heap *, uint64_t *n, struct buf *);	/* "3 leaks, 1 note"; appends */
bool	 told_strings(const struct heap *, struct buf *);	/* "duplicates 88 MiB in 41 022 values"; appends */

/* The bitmaps, added up by the worker. */
struct tally {
	struct task	 task;
	bool		 known, stopped;
	uint64_t	 n, bytes;
};

bool	 tally_bitmaps(struct ui *, struct tally *);	/* asks for it, too */

#endif
