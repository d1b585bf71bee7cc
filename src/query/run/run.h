/*
 * run: from the text of a query to its rows.
 *
 * Private to src/query.  A query that was parsed, what it needs before it is opened, and the views that its stages make
 * of the file.
 */
#ifndef ICECORE_QUERY_RUN_H
#define ICECORE_QUERY_RUN_H

#include <pthread.h>

#include "icecore/view.h"
#include "query/lang/lang.h"

/* Each stage is a call in a call when rows are read. */
#define STAGES_MAX 64

/*
 * What a source and the view stages behind it see instead of the file, or what a source that stands behind rows of threads
 * does.  Made when the query is prepared; stays as long as the query.
 */
struct made {
	struct made	*next;		/* made before it */
	size_t		 stage;		/* of the source */
	uint64_t	 stamp;		/* of the session it was made for: made_stamp */
	struct store	*view, *under;	/* view NULL: none is needed; under: what it lies over */
	struct session	 session;	/* that sees it */
	struct session	 plain;		/* the same file without it */
	struct session	 before;	/* where rows are compared: of the first file; session is of the other one */
};

/* What the columns that are read need of the store, for files of some shapes: found out when it is asked first. */
struct needed {
	struct touching		 touching;
	struct needed		*next;
	unsigned		 shapes;
	enum clock		 clock;		/* "self" is another column with each */
	struct {
		const struct command	*command;	/* NULL: nothing is known of the stage */
		uint64_t		 cols[(COL_END + 63) / 64];	/* a bit for each that its cells need */
	}			 stage[STAGES_MAX];
};

struct nested_query;

struct query {
	struct str	 text;
	char		*bytes;		/* what text and the tokens point to */
	struct tokens	 tokens;
	struct stage	 stage[STAGES_MAX];
	size_t		 nstages;
	pthread_mutex_t	 lock;		/* for made, which preparing makes while others look */
	struct made	*made;
	struct nested_query *nested;
	struct needed	*needed;	/* under the lock as well; once made they stay */
	bool		 shown;		/* query_reads_shown */
};

/* What is still to be made before a query can be opened. */
#define MISSING_MOST 32u

struct missing {
	struct session	*session;
	column_id	 column[MISSING_MOST];	/* of its store, which a stage needs; none: the view of a stage */
	size_t		 n;
	const struct query *query;	/* whose stage it is, */
	struct session	*top;		/* and what all of that query is about */
	size_t		 stage, nviews;
	struct session	 other;		/* that session is, where another file lacks it */
};

/* False: nothing is. */
bool	query_missing(const struct query *, struct session *, struct missing *);
/* Rows of a query in the one that a list is for are read, which its own list tells from then on. */
void	needed_add(struct query *, const struct needed *, struct rows *, uint64_t columns);
void	needed_free(struct query *);
void	made_free(struct query *);
/* The view of a query that has nothing else behind its source; the caller closes it. */
bool	made_take(struct query *, struct store **);
/* What was made for a stage over this session; NULL: nothing yet. */
struct made *find_made(const struct query *, size_t stage, const struct session *);

/*
 * The rows of a query, whether or not the session is ready for it: over a session without a store there are
 * none, but their columns are right for files of those shapes.
 */
bool	query_rows(const struct query *, struct session *, unsigned shapes, struct rows **,
	    struct err *);

/* ---- steps: run.c -------------------------------------------------------------- */

/* The same stage with the command that its word means for such files. */
struct stage stage_for(const struct query *, size_t i, unsigned shapes);
/* A view stage chooses the event. */
bool	names_event(const struct query *);
/* How many view stages belong to a stage. */
size_t	views_behind(const struct query *, size_t i, unsigned shapes);
/* The stage is diff; where no stage has it as a view it compares the rows in front of it, asked of both files. */
bool	compares(const struct query *, size_t i);
/* The stage is a source of the threads in front of it; the source that it stands for. */
bool	of_threads(const struct query *, size_t i);
struct stage source_for(const struct query *, size_t i, unsigned shapes);
/* The rows of the first stages.  touching: to be told of rows that are read on the way, and closed; or NULL. */
bool	open_until(const struct query *, size_t end, struct session *, unsigned shapes, struct touching *,
	    struct rows **, struct err *);
/* All words of a query are for files of these shapes. */
bool	words_fit(const struct query *, unsigned shapes);
/* It is right for files of one kind at least. */
bool	query_check(const struct query *, struct err *);

/* ---- queries in parentheses: nested.c ---------------------------------------------- */

/* As query_parse, but right for files of one kind only when the query around it is.  depth: of parentheses around it. */
bool	query_read(struct query **, struct str text, unsigned depth, struct err *);
bool	nested_read(struct query *, unsigned depth, struct err *);
void	nested_free(struct query *);
/* The first thing that queries in a stage lack. */
bool	nested_missing(const struct stage *, struct session *, struct missing *);
bool	nested_words_fit(const struct query *, unsigned shapes);

/* ---- view stages: plan.c ------------------------------------------------------------ */

/* What the n view stages behind a source say, checked as far as the session allows. */
bool	plan_open(struct plan **, const struct session *, const struct stage *source, size_t n, struct err *);
void	plan_close(struct plan *);
/* What it shows are samples, or what differs, whatever the file has. */
bool	plan_samples(const struct plan *);
/* There are two files to be compared. */
bool	diff_has_two(const struct session *, const struct stage *, struct err *);
/* The one that the first is compared with. */
size_t	diff_file(size_t at);
/* Makes the view; threads NULL: all of them.  m gets view, under and session. */
bool	plan_run(struct plan *, const uint32_t *threads, size_t nthreads, struct made *m, struct work *, struct err *);

/* ---- rows of two files: diff.c --------------------------------------------- */

/* The sessions of the rows that a stage compares. */
bool	diff_sessions(const struct session *, const struct stage *, struct made *, struct err *);
/* Takes over both rows, which come from that source, also on failure. */
bool	diff_open(struct session *, const struct stage *, const struct command *source, struct rows *before,
	    struct rows *after, struct rows **, struct err *);

#endif
