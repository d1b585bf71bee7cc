/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query: the query language.  A query is a source and stages; every answer is rows.
 */
#ifndef ICECORE_QUERY_H
#define ICECORE_QUERY_H

#include <stdio.h>

#include "icecore/collection.h"
#include "icecore/command.h"
#include "icecore/completion.h"
#include "icecore/draw.h"
#include "icecore/leak.h"
#include "icecore/lev.h"
#include "icecore/page.h"
#include "icecore/track.h"

/* ---- queries --------------------------------------------------------------------- */

struct query;

/* err.at is the column (from 0) of the mistake. */
bool	query_parse(struct query **, struct str text, struct err *) MUST_USE;
void	query_free(struct query *);
/* The query's last stage writes a file. */
bool	query_writes(const struct query *);
/* True if the query returns rows: its last stage is not a sink. */
bool	query_only_asks(const struct query *, struct err *) MUST_USE;

/* The query that compares the bugs of two files by their places, on every surface. */
#define BUGS_DIFFER "bugs | group label method site kind : count as bugs | diff label method site kind"

/*
 * Files that a query reads if several are open: the one of the session, all of them, the one that the query
 * selects, no file, or heap dumps in turn.
 */
enum query_files { QUERY_ONE_FILE, QUERY_KNOWS_FILES, QUERY_FILES_IN_TURN };
enum query_files query_files(const struct query *);
bool	query_compares(const struct query *);	/* the query reads two files */
/* Suffixes of the files that queries write, NULL-terminated; and of existing files that 'png' checks. */
extern const char *const export_endings[], *const picture_endings[];
/* The path it writes: a file, or a directory of several files; empty: none. */
struct str query_target(const struct query *);
/*
 * Append why a result is empty, if its source has no rows in this file.  Appends nothing if the reason is
 * unknown.
 */
void	query_nothing(struct query *, const struct session *, struct buf *);
/*
 * The last stage of that word in the text of a query, which may be incomplete.  before: the part before its |.
 * keys, unless NULL: the columns that are its arguments up to a colon, each with a NUL; nothing if an argument is
 * more than a column.  False: none.
 */
bool	query_find_stage(struct str query, const char *word, struct str *before, struct buf *keys);
/* Checks against the open file what query_parse accepts because some file may support it. */
bool	query_fits(struct query *, const struct session *, struct err *) MUST_USE;
/* Likewise, but a query about what the file lacks and others of its format have finds nothing. */
bool	query_may_fit(struct query *, const struct session *, struct err *) MUST_USE;
bool	query_has_events(const struct query *, const struct session *);	/* the open file has those that it names */
/*
 * Announce that only the columns that table shows will be read; default: all.  Call it before
 * query_prepare, which runs only the passes of columns that are read, by the caller or by a stage.
 */
void	query_reads_shown(struct query *);
/* Runs the passes the query needs; on the worker or inline. */
bool	query_prepare(struct query *, struct session *, struct work *, struct err *) MUST_USE;
/* query_prepare; idle threads also run passes that the next query needs.  next NULL: none. */
bool	query_prepare_before(struct query *, struct query *next, struct session *, struct work *,
    struct err *) MUST_USE;
/* False while query_prepare would have something to do, or a file is needed and none is open. */
bool	query_ready(struct query *, struct session *);
/*
 * The rows live no longer than the query, and so do the views it was prepared with: it ends before the
 * stores do.
 */
bool	query_open(struct query *, struct session *, struct rows **, struct err *) MUST_USE;

/* A query and its rows; zeroed: none. */
struct reply {
	struct query	*query;
	struct rows	*rows;
};

/*
 * Flags: fail unless the query returns rows; read only columns that table shows; run no pass, and fail
 * unless query_ready.
 */
enum { ASK_ROWS = 1, ASK_SHOWN = 2, ASK_READY = 4 };
/*
 * All of the above: parses, prepares and opens, on the worker or inline.  False: it is zeroed.  reply_close
 * ends it.
 */
bool	query_ask(struct reply *, struct str text, unsigned how, struct session *, struct work *,
    struct err *) MUST_USE;
void	reply_close(struct reply *);
/* Runs the passes that query_ask would run. */
bool	query_want(struct str text, struct session *, struct work *, struct err *) MUST_USE;

/*
 * The view described by stages, over the store of the session, ignoring its view: "hide /x/ | range 1s 2s |
 * by package".  Passes run on the worker or inline.  session_close and store_close_pile end it; its store
 * is on top of one of the session's.
 */
bool	query_view(const struct session *, struct str stages, struct store **, struct work *,
    struct err *) MUST_USE;
/*
 * Checks stages of a view without making it, and returns their range in ns; 0 to UINT64_MAX if they have
 * none.
 */
bool	query_range(const struct session *, struct str stages, uint64_t *from, uint64_t *to,
    struct err *) MUST_USE;

extern const char *const clock_names[CLOCKS];	/* wall cpu off */

/*
 * Makes room for the machine code of regular expressions, which a sandbox lets nobody make later.  Those
 * that do not fit into it are interpreted.
 */
void	regex_ready(void);

/* ---- scripts ------------------------------------------------------------------------ */

/* A query as the user wrote it. */
struct ask {
	struct str	 text;
	char		*bytes;		/* memory that text points to */
	size_t		 line;		/* line of the script, from 1; 0: not from a script */
	const char	*path;		/* path of that script; NULL: that of -f */
	/* Title above the result, only in a preset; such a query is skipped if it does not fit the file. */
	struct str	 title;
	struct query	*query;		/* once it was parsed */
};

struct asks {
	struct ask	*ask;
	size_t		 n, cap;
};

/* Adds a query, of which it keeps a copy; line: where it stands in its script, from 1, or 0. */
bool	asks_add(struct asks *, struct str, size_t line, struct err *) MUST_USE;
/*
 * Reads a script with a query in each line; # begins a comment line, | at the end continues the query on the
 * next line.  "-" is standard input.
 */
bool	asks_read(struct asks *, const char *path, struct err *) MUST_USE;
void	asks_free(struct asks *);
/*
 * At least one valid query counts samples of a file of these shapes and does not choose their event itself.
 */
bool	asks_use_event(const struct asks *, unsigned shapes);

#endif
