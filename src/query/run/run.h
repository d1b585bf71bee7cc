/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run: from the text of a query to its rows.
 *
 * Private to src/query.  A query that was parsed, what it needs before it is opened, and the views that its
 * stages make of the file.
 */
#ifndef ICECORE_QUERY_RUN_H
#define ICECORE_QUERY_RUN_H

#include <pthread.h>

#include "icecore/view.h"
#include "query/lang/lang.h"

/* Each stage is a call in a call when rows are read. */
#define STAGES_MAX 64

/*
 * The session that a source sees instead of the file: with the view of the view stages behind the source, or
 * of the threads in front of it.  Made when the query is prepared; kept as long as the query.
 */
struct made {
	struct made	*next;		/* made before it */
	size_t		 stage;		/* place of the source among the stages */
	uint64_t	 stamp;		/* made_stamp of the session that it was made for */
	struct store	*view, *under;	/* view NULL: no view is needed; under: the store below the view */
	struct session	 session;	/* the session that sees the view */
	struct session	 plain;		/* the same file without the view */
	struct session	 before;	/* diff of rows: the first file; session is the second */
};

/* Store columns needed by the columns that are read, for files of some shapes; computed on first use. */
struct needed {
	struct touching		 touching;
	struct needed		*next;
	unsigned		 shapes;
	enum clock		 clock;		/* column "self" depends on the clock */
	struct {
		const struct command	*command;	/* NULL: nothing is known of the stage */
		uint64_t		 cols[(COL_END + 63) / 64];	/* bit set of columns that its cells need */
	}			 stage[STAGES_MAX];
};

struct nested_query;

struct query {
	struct str	 text;
	char		*bytes;		/* what text and the tokens point to */
	struct tokens	 tokens;
	struct stage	 stage[STAGES_MAX];
	size_t		 nstages;
	pthread_mutex_t	 lock;		/* guards made and needed: other threads read while one prepares */
	struct made	*made;
	struct nested_query *nested;
	struct needed	*needed;	/* guarded by lock; entries are never removed */
	bool		 shown;		/* query_reads_shown */
	struct session	 nothing;	/* without files: the rows of a query that query_lacks are of it */
};

/*
 * A query in parentheses, as in "in (QUERY)" and "union (QUERY)": one token of its stage.  It is checked with
 * the query around it, prepared before that, and opened by its stage over the same files.
 */
struct nested_query {
	struct nested		 of;		/* first */
	struct query		*query;
	size_t			 at;		/* place of the text in the query around it */
	struct nested_query	*next;
};

/* The next thing to compute before a query can be opened. */
#define MISSING_MOST 32u

struct missing {
	struct session	*session;
	column_id	 column[MISSING_MOST];	/* missing columns of its store; n 0: the view of a stage is missing */
	size_t		 n;
	struct query	*query;	/* the query of the stage */
	struct session	*top;		/* the session of that query */
	size_t		 stage, nviews;
	struct session	 other;		/* session points here if another file lacks the columns */
};

/*
 * Return shapes that the query fits and the file lacks, but may have by its format; 0: the query fits the file, or
 * none.
 */
unsigned query_lacks(struct query *, const struct session *);
void	needed_free(struct query *);
void	made_free(struct query *);
/* Take the view of a query that is one source with view stages; the caller closes it. */
bool	made_take(struct query *, struct store **);

/*
 * Open the rows of a query, even if the session is not ready for it.  Over the store of no
 * file there are no rows, but their columns are right for files of those shapes.
 */
bool	query_rows(struct query *, struct session *, unsigned shapes, struct rows **,
	    struct err *);

/* ---- steps: run.c -------------------------------------------------------------- */

/* Return the stage with the command that its word means for files of these shapes. */
struct stage stage_for(const struct query *, size_t i, unsigned shapes);
/* True if a view stage chooses the event. */
bool	names_event(const struct query *);
/* Count the view stages that belong to a stage. */
size_t	views_behind(const struct query *, size_t i, unsigned shapes);
/*
 * True if the stage is diff: it compares the rows in front of it, of both files, unless it is a view stage.
 */
bool	compares(const struct query *, size_t i);
/* True if the stage is a source for the threads in front of it; source_for returns that source. */
bool	of_threads(const struct query *, size_t i);
struct stage source_for(const struct query *, size_t i, unsigned shapes);
/* Open the rows of the first stages.  touching: records rows that are read and closed on the way; or NULL. */
bool	open_until(struct query *, size_t end, struct session *, unsigned shapes, struct touching *,
	    struct rows **, struct err *);
/* Return the session made for a stage over this session; NULL: not made yet. */
struct made *find_made(struct query *, size_t stage, const struct session *);
/* Hash everything that a view of the session depends on. */
uint64_t made_stamp(const struct session *);

/* ---- queries in parentheses: run.c, prepare.c ---------------------------------- */

/* Return the session of such a query: it does not see the views of the query around it. */
struct session *nested_session(struct session *);
/* The members of struct nested. */
bool	nested_open(const struct nested *, struct session *, unsigned shapes, struct rows **, struct err *);
void	nested_touch(const struct nested *, struct rows *, uint64_t columns, struct touching *);
/* Move the place of an error to the query around it; returns false. */
bool	nested_shift(const struct nested_query *, struct err *);

/* ---- checks: check.c ----------------------------------------------------------- */

/* Check that the query is valid for at least one kind of file. */
bool	query_check(struct query *, struct err *);
/* Append a query in the way of SQL or jq as one of ours; it may be wrong. */
void	habits_rewrite(struct str query, struct buf *);

/* ---- view stages: plan.c ------------------------------------------------------------ */

/* Parse the n view stages behind a source; check them as far as the session allows. */
bool	plan_open(struct plan **, const struct session *, const struct stage *source, size_t n, struct err *);
void	plan_close(struct plan *);
/* True if the view shows samples or a difference, whatever the file contains. */
bool	plan_samples(const struct plan *);
/* the range of its stages; without one nothing is set */
void	plan_limits(const struct plan *, uint64_t *from, uint64_t *to);
/* Check that there are two files to compare. */
bool	diff_has_two(const struct session *, const struct stage *, struct err *);
/* Return the file that the first one is compared with. */
size_t	diff_file(size_t at);
/* Make the view; threads NULL: all threads.  Sets view, under and session of m. */
bool	plan_run(struct plan *, const uint32_t *threads, size_t nthreads, struct made *m, struct work *,
    struct err *);

/* ---- rows of two files: diff.c --------------------------------------------- */

/* Set the sessions of the rows that a diff stage compares. */
bool	diff_sessions(const struct session *, const struct stage *, struct made *, struct err *);
/* Takes over both rows, which come from that source, also on failure. */
bool	diff_open(struct session *, const struct stage *, const struct command *source, struct rows *before,
	    struct rows *after, struct rows **, struct err *);

#endif
