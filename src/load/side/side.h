/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * side: declarations shared by the readers of side files.
 */
#ifndef LOAD_SIDE_H
#define LOAD_SIDE_H

#include "icecore/lines.h"
#include "icecore/make.h"

#define SIDE_NO_TID UINT64_MAX
#define COMM_MAX 15		/* bytes of a task name in Linux */

/* A thread from a dump or list; its texts are in the file, or in the store of a dump. */
struct side_row {
	uint64_t	tid;		/* system id, or SIDE_NO_TID */
	struct str	name, state, top;	/* top: "java.lang.Object.wait", the innermost function */
	uint32_t	dump;		/* number of the dump, from 1, over all files */
	uint32_t	seq;		/* order of the rows */
	bool		virtual;	/* a virtual thread, which only borrows a system thread */
};

struct sides {
	struct store	*base, *over;
	struct work	*work;
	struct scratch	 maps;		/* struct map: the files, mapped until everything is copied */
	uint64_t	 nmaps;
	struct scratch	 stores;	/* struct store *: of thread dumps, open until everything is copied */
	uint64_t	 nstores;
	struct scratch	 rows;		/* struct side_row */
	uint64_t	 nrows;
	uint32_t	 dump;		/* number of dumps so far */
	uint64_t	 deadlocks, ignored;
	uint64_t	 cut;		/* damaged or truncated files */
	struct buf	 text;		/* becomes the own text of over */
};

/* Copy into the text; return the ref of the copy, 0 for nothing. */
uint64_t side_text(struct sides *, struct str);
/* Add a row in the current dump; NULL: failure. */
struct side_row *side_row(struct sides *, struct err *);

/* Read stack dumps of any form; *any is false if the text is none. */
bool	side_dump(struct sides *, struct str text, bool *any, struct err *);
/* Write columns and facts of the threads. */
bool	side_join(struct sides *, struct err *);

/*
 * side_table.c: put a store with the tracks of a table over the trace. False: the table cannot be shown
 * there; err names it.
 */
bool	side_table(struct store **trace, const char *path, const struct side_options *, struct work *,
	    struct err *);

/* Return whether files with samples or states are next to the trace of this store: NAME.timer, NAME.state. */
bool	side_has_tracks(const struct store *);
/*
 * Make a store over that of the trace with their tracks (track.*, point.*, state.name) and facts,
 * unpublished. Unreadable parts are counted and do not fail the call.
 */
bool	side_tracks(struct store *, struct work *, struct err *);

/* A store over a heap dump with the last report of native memory of the other one, instead of the dump. */
bool	side_native(struct store **dump, const struct store *, struct err *);

#endif
