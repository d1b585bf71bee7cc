/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * triage: results of many heap dumps, traces and profiles, as rows of JSON lines.  Each file has a block: its row, the rows of its
 * findings, and those of its busiest methods.
 */
#ifndef ICECORE_TRIAGE_H
#define ICECORE_TRIAGE_H

#include <jansson.h>

#include "icecore/base.h"

#define TRIAGE_SCHEMA 1
#define TRIAGE_RULE 2		/* of signatures */
#define TRIAGE_TEXT 4096	/* bytes; longer texts are cut */
#define TRIAGE_NAME 16384	/* of a name: a path of 4 KiB, as text_escape makes it */
#define TRIAGE_PAGE (4u << 20)	/* bytes of the parts of a page; longer ones are left out */

/* The first that fits. */
enum triage_state { TRIAGE_EMPTY, TRIAGE_TOOBIG, TRIAGE_TIMEOUT, TRIAGE_OOM, TRIAGE_CRASH, TRIAGE_SYSTEM, TRIAGE_UNREADABLE,
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
 * In the order of the keys; all end with NULL.  A row of triage_page is outside the blocks.  It has what only the page of a file
 * shows: the parts of its report.  A row of triage_measure takes its place for icecore compare: the value of a file, or why
 * it has none.
 */
extern const struct triage_field triage_dump[], triage_finding[], triage_method[], triage_page[], triage_measure[];

/*
 * A new row: each field has the value of own, otherwise that of from if the type matches, otherwise null.  from may be
 * NULL, and have any content.  NULL: out of memory.
 */
json_t	*triage_row(const struct triage_field *, const json_t *own, const json_t *from);
/* A line without its end; NULL: it is not a row. */
json_t	*triage_parse(struct str line);
bool	triage_print(const json_t *row, struct buf *);	/* a line; false: out of memory */
struct str triage_text(const json_t *row, const char *field);	/* "": it has none */
int64_t	triage_count(const json_t *row, const char *field);	/* -1: it has none */

/* Compare versions by their numbers: 0.10 is newer than 0.9. */
int	triage_version_cmp(struct str, struct str);

/* Whether HTML consists of texts, and of elements and attributes of icecore's own pages that can do nothing. */
bool	triage_parts_fit(struct str html);

/* ---- blocks ----------------------------------------------------------------------------- */

struct triage_reader {
	struct str	 rest;
	uint64_t	 lost;		/* lines that belong to no whole block */
	size_t		 torn;		/* bytes of the last block, when the text ends in it */
};

struct triage_block {
	json_t		*dump, *findings, *methods;	/* two arrays, by rank */
	json_t		*page;			/* or a row of triage_measure; NULL, except for the function that makes it */
};

/* The next whole block; false: there is none.  It is the caller's. */
bool	triage_next(struct triage_reader *, struct triage_block *);
void	triage_drop(struct triage_block *);

#endif
