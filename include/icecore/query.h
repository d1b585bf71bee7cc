/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query: the query language.  A query is a source and stages; every answer is rows.
 */
#ifndef ICECORE_QUERY_H
#define ICECORE_QUERY_H

#include <stdio.h>

#include "icecore/collection.h"
#include "icecore/command.h"
#include "icecore/leak.h"
#include "icecore/lev.h"
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

/* ---- completion ----------------------------------------------------------------------- */

/* A completion at a place of a query. */
/* The act of a candidate: numbers of its owner. */
struct candidate_act {
	unsigned	what, n, of;
};

struct candidate {
	char		*text;		/* text to write in the query */
	char		*what;		/* meaning, in a line */
	unsigned	 rank;		/* 0: it begins with the typed text; lower is better */
	struct candidate_act act;
};

struct completion {
	size_t			 from, to;	/* bytes of the query that a candidate takes the place of */
	struct candidate	*item;		/* the best first */
	/* The first of them are words, the others names of the file. */
	size_t			 n, cap, words;
	struct buf		 word;		/* the part already typed, without quotes */
	char			 hint[120];	/* the word expected there, or its meaning; "" */
	bool			 first;		/* the first word of the query */
	bool			 nocase;	/* upper and lower case are the same */
	bool			 near;		/* something fits as it was typed */
	bool			 bad;		/* memory ran out: candidates are missing */
	/* Query whose passes must run before its names can be looked through; "". */
	struct buf		 lacks;
	struct lev		*lev;		/* forgives slips */
	struct names		*names;		/* names of the file to search; or NULL */
	unsigned		 turn;		/* for the owner of the names: how many were searched */
	struct candidate_act	 act;		/* act of the candidates that are offered next */
};

/*
 * Fills a completion for the cursor before byte point; completion_free releases it.  Rows of the file are
 * not read yet.
 */
void	completion_begin(struct completion *, struct str query, size_t point, struct session *);
/* Search the names of the file until the deadline (ns); true if names are left. */
bool	completion_step(struct completion *, uint64_t deadline);
/* Adds a word that is allowed there; it is kept if it matches. */
void	completion_offer(struct completion *, const char *word, const char *what);
void	completion_offer_late(struct completion *, const char *word, const char *what);	/* behind the names */
/*
 * Looks through a column of a query for names, too, in the next steps; what says what they are.  They are offered as they are, not as
 * a query needs them.  False: its passes did not run yet, or names are being looked through.
 */
bool	completion_names(struct completion *, struct session *, struct str query, const char *column, const char *what);
/* Adds the sources for files of these shapes that are queries by themselves, with this text before their meaning. */
void	completion_sources(struct completion *, unsigned shapes, const char *before);
/* Leaves only words that fit. */
void	completion_filter(struct completion *, bool (*fits)(struct str word));
void	completion_free(struct completion *);

/* ---- printing --------------------------------------------------------------------- */

enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_CSV, FORMAT_JSON, FORMAT_MD, FORMAT_FOLDED, FORMAT_TREE,
    FORMAT_DOT,
	FORMAT_SVG, FORMAT_HTML, FORMAT_SARIF, FORMATS };
extern const char *const format_names[FORMATS];

/* How pictures are drawn: svg, html, dot. */
struct draw_options {
	bool		 up;		/* callers below callees */
	bool		 interactive;	/* svg: with the script that a page has */
	double		 min;		/* percent of all; boxes of less are joined */
	bool		 alike;		/* small objects of one class below one object are one box */
	unsigned	 nodes;		/* most nodes of a graph */
	unsigned	 figure;	/* number of this picture on a page with several; 0: the only one */
	struct str	 title;		/* raw bytes; empty: the names of the files */
};

#define NODES_MAX 5000u
#define DRAW_OPTIONS ((struct draw_options){ .min = 0.1, .nodes = 200 })

/* The format is a picture or a page. */
static inline bool
format_draws(enum format format)
{
	return format == FORMAT_DOT || format == FORMAT_SVG || format == FORMAT_HTML;
}

/* The format is for people and omits columns that table hides. */
static inline bool
format_shows(enum format format)
{
	return format == FORMAT_TABLE || format == FORMAT_MD;
}

/* The format by the suffix of a file name. */
bool	format_of_path(const char *path, enum format *);
/* The requested format; FORMATS: the default for standard output. */
enum format output_format(size_t asked);
/* Width of the terminal on standard output, in columns; 0: not a terminal. */
unsigned output_width(void);

/*
 * All rows to f; *n gets their number.  table: for people, fitted to width columns (0: unbounded).  md: the
 * same cells as a table of Markdown.  tsv, csv, json: plain numbers in base units.  svg, html, dot: one
 * picture, *n its boxes.  A full disk is E_SYSTEM, a broken pipe ends quietly with true.
 */
bool	rows_print(struct rows *, enum format, unsigned width, FILE *, uint64_t *n, struct err *) MUST_USE;
/* Print the empty line before rows that follow other rows, with the line end of the format. */
void	rows_gap(const struct rows *, enum format, FILE *);
/* rows_print with options for drawing. */
bool	rows_draw(struct rows *, enum format, const struct draw_options *, unsigned width, FILE *,
    uint64_t *n, struct err *) MUST_USE;
/*
 * rows_draw to a file, created completely or not at all; *size gets its bytes.  replace: overwrite an
 * existing file.
 */
bool	rows_write(struct rows *, enum format, const struct draw_options *, const char *path, bool replace,
    uint64_t *n, uint64_t *size, struct err *) MUST_USE;
/* "time". */
const char *cell_type_name(enum cell_type);
const char *cell_unit(enum cell_type);	/* base unit of its numbers; "": none */
/* The columns that table shows. */
uint64_t columns_shown(const struct rows *);
/*
 * Append a cell: for people, as table prints it; for programs, in base units, and nothing for a text.
 */
void	cell_show(const struct cell *, struct buf *);
void	cell_plain(const struct cell *, struct buf *);
/* Append a name or a text as a query needs it: in quotes, unless it is a word and need not be. */
void	name_quote(struct buf *, struct str name, bool always);
/* cell_show; a negative amount, which is an integer, keeps the unit of its column: "-72 B". */
void	cell_show_in(const struct coldef *, const struct cell *, struct buf *);
/* Three lines for people, passed through text_fit: the message, the query, a ^ under err.at. */
void	query_show_error(struct str query, const struct err *, struct buf *);

/* ---- pages: of text, or of Markdown ------------------------------------------------ */

/* An option that affects results, as the user wrote it. */
struct report_option {
	const char	*name, *value;	/* value NULL: it has none */
	bool		 path;		/* value is a path; pages show only its last part */
};

/*
 * REPORT: findings with leak traces, the largest and the slowest.  TEXT: the overview and an outline.
 * OVERVIEW: the overview alone.
 */
enum page_kind { PAGE_REPORT, PAGE_TEXT, PAGE_OVERVIEW };

struct report_options {
	enum page_kind			 page;
	enum format			 format;	/* table, md; of a report json: one object */
	/* Session of the overview below the header; NULL: the session itself. */
	struct session			*view;
	/* The header leaves out losses and everything that needs a pass over the file. */
	bool				 brief;
	/* HTML without the head and the end of the page, and without the name of the file. */
	bool				 parts;
	bool				 no_hash, stamp;	/* no digest; the time of the file */
	/* The user selected one of two files: they are not compared. */
	bool				 one;
	const struct report_option	*given;
	size_t				 ngiven;
};

/*
 * A page begins with a header: the file, its digest, format and losses, the program and its options.  The
 * same files and options always give the same bytes.  Given two files of the same kind, the page compares
 * the second with the first, except for PAGE_TEXT, which shows one.
 */

/* The head of a page of HTML: fitted texts. */
struct html_page {
	struct str	title;
	struct str	heading;	/* empty: the title */
	bool		images;		/* its policy allows those that are in the page itself */
};

/*
 * A page of HTML: its head, policy and heading; its end, with the script of pictures and tables.  They
 * append.
 */
void	html_page_begin(const struct html_page *, struct buf *), html_page_end(struct buf *);
/*
 * Append the options that give the same results on a command line, each followed by a blank: "--clock wall
 * --event lock ".
 */
void	command_options(const struct session *, const struct report_options *, struct buf *);
/*
 * Appends the address of a place in a file, icecore://PATH?NAME=VALUE with the options that change its rows: name is q, of a query, or
 * pane.
 */
void	command_address(const struct session *, const struct report_options *, struct str path, const char *name, struct str value, struct buf *);
/* Append "in the explorer: icecore 'icecore://PATH?q=QUERY'". */
void	command_explorer(const struct session *, const struct report_options *, struct str path, struct str query, struct buf *);
/* Runs the passes that a page needs, except those of its overview, on the worker or inline. */
bool	report_prepare(struct session *, const struct report_options *, struct work *, struct err *) MUST_USE;
/* Call report_prepare first, except for PAGE_OVERVIEW, which prepares itself. */
bool	report_print(struct session *, const struct report_options *, FILE *, struct work *,
    struct err *) MUST_USE;

#endif
