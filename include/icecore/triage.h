/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * triage: results of many heap dumps, traces and profiles, as rows of JSON lines.  Each file has a block:
 * its row, the rows of its findings, and those of its busiest methods.
 */
#ifndef ICECORE_TRIAGE_H
#define ICECORE_TRIAGE_H

#include "icecore/base.h"

#define TRIAGE_SCHEMA 1
#define TRIAGE_RULE 2		/* version of the rules of signatures */
#define TRIAGE_TEXT 4096	/* bytes; longer texts are cut */
#define TRIAGE_NAME 16384	/* bytes of a name: a path of 4 KiB that text_escape escaped */
#define TRIAGE_PAGE (4u << 20)	/* bytes of the parts of a page; longer ones are left out */

/* The first that fits. */
enum triage_state { TRIAGE_EMPTY, TRIAGE_TOOBIG, TRIAGE_TIMEOUT, TRIAGE_OOM, TRIAGE_CRASH, TRIAGE_SYSTEM,
    TRIAGE_UNREADABLE,
	TRIAGE_UNREAD, TRIAGE_SALVAGED, TRIAGE_OK, TRIAGE_CLEAN, TRIAGE_STATES };
extern const char *const triage_states[TRIAGE_STATES];
bool	triage_state_of(struct str, enum triage_state *);

/* ---- rows ------------------------------------------------------------------------------- */

/* PARTS: HTML for which triage_parts_fit is true. */
enum triage_type { TRIAGE_IS_TEXT, TRIAGE_IS_NAME, TRIAGE_IS_COUNT, TRIAGE_IS_REAL, TRIAGE_IS_PARTS };

struct triage_field {
	const char		*name;
	enum triage_type	 type;
};

/*
 * In the order of the keys; all end with NULL.  A row of triage_page is outside the blocks.  It has what
 * only the page of a file shows: the parts of its report.  A row of triage_measure takes its place for
 * icecore compare: the value of a file, or why it has none.
 */
extern const struct triage_field triage_dump[], triage_finding[], triage_method[], triage_page[],
    triage_measure[];

/* Members by name, with values of their own.  A row begins as zeros, and is freed with triage_row_free. */
struct triage_row {
	struct triage_member	*member;
	size_t			 n, cap;
	struct buf		 text;		/* texts of the members */
	bool			 bad;		/* out of memory: the row is not printed */
};

/* Set a member.  text: UTF-8; a number that JSON does not have becomes null. */
void	triage_put_text(struct triage_row *, const char *field, struct str text);
void	triage_put_count(struct triage_row *, const char *field, int64_t);
void	triage_put_real(struct triage_row *, const char *field, double);
void	triage_put_null(struct triage_row *, const char *field);
/* "": it has none; until the row changes. */
struct str triage_text(const struct triage_row *, const char *field);
int64_t	triage_count(const struct triage_row *, const char *field);	/* -1: it has none */
double	triage_real(const struct triage_row *, const char *field);	/* NAN: it has none */
void	triage_row_free(struct triage_row *);

/*
 * Make a row with all fields: each has the value of own, otherwise that of from if the type matches,
 * otherwise null.  own and from may be NULL, and from may have any content.
 */
void	triage_fill(struct triage_row *, const struct triage_field *, const struct triage_row *own,
    const struct triage_row *from);
/* A line without its end; false: it is not a row, and *row is empty. */
bool	triage_parse(struct str line, struct triage_row *row);
bool	triage_print(const struct triage_row *, struct buf *);	/* a line; false: out of memory */

struct triage_rows {
	struct triage_row	*row;
	size_t			 n, cap;
};

struct triage_row *triage_add(struct triage_rows *);	/* an empty row at the end; NULL: out of memory */
void	triage_rows_free(struct triage_rows *);

/* Compare versions by their numbers: 0.10 is newer than 0.9. */
int	triage_version_cmp(struct str, struct str);

/*
 * Whether HTML consists of texts, and of elements and attributes of icecore's own pages that can do
 * nothing.
 */
bool	triage_parts_fit(struct str html);

/* ---- blocks ----------------------------------------------------------------------------- */

struct triage_reader {
	struct str	 rest;
	uint64_t	 lost;		/* lines that belong to no whole block */
	size_t		 torn;		/* bytes of the last block, when the text ends in it */
};

struct triage_block {
	struct triage_row	dump;
	struct triage_rows	findings, methods;	/* by rank */
	/* Or a row of triage_measure; empty, except for the function that makes it. */
	struct triage_row	page;
};

/* The next whole block; false: there is none.  It is the caller's. */
bool	triage_next(struct triage_reader *, struct triage_block *);
void	triage_drop(struct triage_block *);

#endif
