/*
 * query: the query language.  A query is a source and stages; every answer is rows.
 */
#ifndef ICECORE_QUERY_H
#define ICECORE_QUERY_H

#include <stdio.h>

#include "icecore/collection.h"
#include "icecore/leak.h"
#include "icecore/lev.h"
#include "icecore/track.h"

/* ---- session: the open stores ---------------------------------------------- */

#define SESSION_STORES 8

struct session {
	struct store	*store[SESSION_STORES];	/* [0] is the file asked for; each perhaps over others: store_below */
	size_t		 nstores;
	size_t		 at;			/* the one that queries are about */
	int64_t		 offset[SESSION_STORES];	/* ns to be added to its times to get those of [0] */
	struct store	*view;			/* over store[at]: what queries see instead of it; or NULL */
	enum clock	 clock;			/* --clock; what self and total stand for */
	enum heap_refs	 refs;			/* --refs: which references count */
	enum heap_sizes	 sizes;			/* --sizes */
	bool		 sealed;		/* export is refused: no query may write files */
};

/* ---- rows: a lazy table ------------------------------------------------------ */

enum cell_type {
	CELL_NONE,	/* empty; as the type of a column: each cell has its own */
	CELL_ID,	/* u */
	CELL_ADDR,	/* u, in hexadecimal digits everywhere */
	CELL_COUNT,	/* u */
	CELL_INT,	/* i */
	CELL_REAL,	/* f */
	CELL_BYTES,	/* u, a size */
	CELL_TIME,	/* u, nanoseconds: a duration or a time since the start */
	CELL_PERCENT,	/* f, 0 to 100 */
	CELL_BOOL,	/* u: true unless it is 0 */
	CELL_TEXT	/* text, raw bytes, not yet fitted */
};

struct cell {
	enum cell_type	type;
	union {
		uint64_t	u;
		int64_t		i;
		double		f;
		struct str	text;	/* valid until the next cell of the same rows */
	};
};

struct coldef {
	const char	*name;
	enum cell_type	 type;
	const char	*what;		/* one line for help */
	bool		 more;		/* table leaves it out unless it was selected */
};

/*
 * The first member of every kind of rows.  Rows own the rows they were made from.
 */
struct rows {
	const struct rows_ops	*ops;
	const struct coldef	*cols;
	size_t			 ncols;
	struct work		*work;	/* asked by long loops; may be NULL */
	struct session		*session;
	struct rows		*in;	/* what they were made from, or NULL */
	struct err		 err;	/* kind E_NONE; else why reach fell short */
	unsigned		 format;	/* 1 + the enum format that a stage chose; 0: none did */
	uint64_t		 most;	/* a promise: no row at or after this one is asked for */
	bool			 same;	/* their columns are those of in */
};

struct rows_ops {
	/* Makes rows 0 .. n-1 known if there are so many; returns how many are known (less than n: these are all). */
	uint64_t	(*reach)(struct rows *, uint64_t n);
	/* row was reached. */
	void		(*cell)(struct rows *, uint64_t row, size_t col, struct cell *);
	/* Frees what the rows hold, not in and not the rows themselves; may be NULL. */
	void		(*close)(struct rows *);
	/*
	 * Where columns are made when they are named; may be NULL.  Adds one, hidden, each cell with a type of
	 * its own, behind those that are there, which keep their indices; -1 when it knows no such name.
	 * quoted: the name is whole, not a word that may be an expression as well.
	 */
	int		(*find)(struct rows *, struct str name, bool quoted);
	/* Name i of those it knows; false behind the last one. */
	bool		(*known)(struct rows *, uint64_t i, struct str *name);
	/* Of call trees: the row of the caller, from 1, smaller than this one, and the method of this one; 0: none.  Or NULL. */
	uint64_t	(*caller)(struct rows *, uint64_t row, uint32_t *method);
};

#define ROWS_ALL UINT64_MAX

/* The store that queries are about; NULL: no file is open. */
static inline struct store *
session_store(const struct session *s)
{
	return s->view != NULL ? s->view : s->at < s->nstores ? s->store[s->at] : NULL;
}

/* A profile that knows nothing of threads: what is called one stands for all. */
bool	threads_nameless(const struct store *);

/* Closes a store and all it lies over. */
void	session_close(struct session *);
/*
 * Sets the offset of file i by when the threads that it and the first file know were busy; *sure 0 to 100, 0: nothing is in
 * common, or the two are of one kind and not to be shown on one axis.
 */
bool	session_line_up(struct session *, size_t i, unsigned *sure, struct work *, struct err *);
/* Closes a view of the session's stores, down to them. */
void	session_close_view(const struct session *, struct store *);

static inline uint64_t
rows_reach(struct rows *r, uint64_t n)
{
	return r->ops->reach(r, n);
}

static inline void
rows_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	r->ops->cell(r, row, col, c);
}

void	rows_close(struct rows *);	/* with all they were made from; NULL is fine */
/* Why rows ended early, here or in what they were made from; NULL when they did not. */
const struct err *rows_error(const struct rows *);
void	rows_set_work(struct rows *, struct work *);	/* here and in what they were made from */
/* Index of a column, or -1.  "self" and "total" stand for self_wall ... of the session's clock. */
int	rows_column(const struct rows *, struct str name);
/* The same, and where there is none one is made if that can be; of a quoted name always one that is made. */
int	rows_find(struct rows *, struct str name, bool quoted);
/* Order of two cells of one column: numbers by value, text by bytes, empty first. */
int	cell_cmp(const struct cell *, const struct cell *);

/* ---- commands ------------------------------------------------------------------ */

enum command_kind { COMMAND_SOURCE, COMMAND_STAGE, COMMAND_SINK };

struct stage;	/* a command with its arguments, parsed: parse.c */

/* A line of what help tells of a command beside its columns. */
struct topic {
	struct str	item, kind, type, meaning;
};

struct command {
	const char		*word;
	enum command_kind	 kind;
	unsigned		 shapes;	/* or of enum shape that files must have one of; 0: any file */
	const char		*args;		/* "[THREAD]"; "" when it takes none */
	const char		*what;		/* one line */
	const char		*example;	/* a whole query */
	const char *const	*needs;		/* columns, NULL-terminated; or NULL; "REFS.SIZES.parent": as the session says */
	const struct coldef	*cols;		/* of a source, or of a stage that has its own */
	size_t			 ncols;
	bool			 no_file;	/* a source that answers without a file */
	bool			(*topic)(uint64_t i, struct topic *);	/* false behind the last; or NULL */
	bool			 writes;	/* changes files: to be asked once, never again by itself */
	/* A source gets in == NULL.  Takes over in, also on failure. */
	bool			(*open)(struct session *, const struct stage *,
				    struct rows *in, struct rows **out, struct err *);
};

/* src/tables.c; ends with NULL.  Of several with one word that is meant which fits the file. */
extern const struct command *const commands[];

/* ---- queries --------------------------------------------------------------------- */

struct query;

/* err.at is the column (from 0) of the mistake. */
bool	query_parse(struct query **, struct str text, struct err *);
void	query_free(struct query *);
/* Its last stage writes a file. */
bool	query_writes(const struct query *);
/* What query_parse lets pass because it is right for some file may be wrong for the one that is open. */
bool	query_fits(const struct query *, const struct session *, struct err *);
/* Runs the passes the query needs; on the worker or inline. */
bool	query_prepare(const struct query *, struct session *, struct work *, struct err *);
/* False while query_prepare would have something to do, or a file is needed and none is open. */
bool	query_ready(const struct query *, const struct session *);
/* The rows live no longer than the query, and so do the views it was prepared with: it ends before the stores do. */
bool	query_open(const struct query *, struct session *, struct rows **, struct err *);

/*
 * The view that stages say, over the session's store, whatever its view is: "hide /x/ | range 1s 2s | by package".  What it needs
 * is run: on the worker or inline.  session_close_view ends it; its store lies over one of the session's.
 */
bool	query_view(const struct session *, struct str stages, struct store **, struct work *, struct err *);

extern const char *const clock_names[CLOCKS];	/* wall cpu off */

/* ---- scripts ------------------------------------------------------------------------ */

/* A query as it was given. */
struct ask {
	struct str	 text;
	char		*bytes;		/* what text points to */
	size_t		 line;		/* of its script, from 1; 0: of no script */
	struct query	*query;		/* once it was parsed */
};

struct asks {
	struct ask	*ask;
	size_t		 n, cap;
};

bool	asks_add(struct asks *, struct str, size_t line, struct err *);
/*
 * One query a line; # begins a line that is a comment, | at the end goes on
 * in the next line.  "-" is standard input.
 */
bool	asks_read(struct asks *, const char *path, struct err *);
void	asks_free(struct asks *);

/* ---- completion ----------------------------------------------------------------------- */

/* What may stand at a place of a query. */
struct candidate {
	char		*text;		/* as it has to stand in the query */
	char		*what;		/* its meaning, one line */
	unsigned	 rank;		/* 0: what was typed begins it; the lower the better */
};

struct completion {
	size_t			 from, to;	/* bytes of the query that a candidate takes the place of */
	struct candidate	*item;		/* the best first */
	size_t			 n, cap, words;	/* so many of them are words, the others names of the file */
	struct buf		 word;		/* what was typed of it, without quotes */
	char			 hint[120];	/* what is expected there, or what the word means; "" */
	bool			 first;		/* the first word of the query */
	bool			 near;		/* something fits as it was typed */
	bool			 bad;		/* memory ran out: candidates are missing */
	struct buf		 lacks;		/* query whose passes must run before its names can be looked through; "" */
	struct lev		*lev;		/* forgives slips */
	struct names		*names;		/* of the file, to be looked through; or NULL */
};

/* Fills a completion for the cursor before byte point; completion_free releases it.  Rows of the file are not looked at yet. */
void	completion_begin(struct completion *, struct str query, size_t point, struct session *);
/* Looks through names of the file until the deadline (ns); true when there are more. */
bool	completion_step(struct completion *, uint64_t deadline);
/* One more word that may stand there. */
void	completion_offer(struct completion *, const char *word, const char *what);
/* Leaves only words that fit. */
void	completion_filter(struct completion *, bool (*fits)(struct str word));
void	completion_free(struct completion *);

/* ---- printing --------------------------------------------------------------------- */

enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_CSV, FORMAT_JSON, FORMAT_FOLDED, FORMATS };
extern const char *const format_names[FORMATS];

/*
 * All rows to f; *n gets their number.  table: for people, fitted to width columns (0: unbounded).
 * tsv, csv, json: plain numbers in base units.  A full disk is E_SYSTEM, a broken
 * pipe ends quietly with true.
 */
bool	rows_print(struct rows *, enum format, unsigned width, FILE *, uint64_t *n, struct err *);
/* One cell for people, as table prints it; appends. */
void	cell_show(const struct cell *, struct buf *);
/* Three lines for people, passed through text_fit: the message, the query, a ^ under err.at. */
void	query_show_error(struct str query, const struct err *, struct buf *);
/* Runs the passes that the outline needs; on the worker or inline. */
bool	outline_prepare(struct session *, struct work *, struct err *);
/* The biggest calls, or what retains most in a heap dump, as an indented text tree of at most that many lines. */
bool	outline_print(struct session *, unsigned width, size_t most, FILE *, struct err *);
/* The same for a report. */
bool	report_prepare(struct session *, struct work *, struct err *);
/*
 * A page about the open file, which goes by that name: findings with their leak traces, what fills it; REPORT_WIDTH
 * columns at most.  json: one object.  Of one file always the same bytes.
 */
#define REPORT_WIDTH 100
bool	report_print(struct session *, const char *file, bool json, FILE *, struct work *, struct err *);

#endif
