/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: declarations shared by the files of this directory.
 */
#ifndef LOAD_TABLE_H
#define LOAD_TABLE_H

#include "icecore/masks.h"
#include "icecore/table.h"
#include "load/profile/profile.h"

/* lines.c: return the next object of JSON lines; like sheet_next. */
bool	sheet_next_line(struct sheet_reader *, struct err *);

/* ---- options --path etc.: columns.c ------------------------------------------------ */

#define PATH_PARTS 64u
#define WEIGHTS_MOST 16u
#define SPLIT_MOST 4096u	/* maximum frames of a record */

enum part_how { PART_WHOLE, PART_SPLIT, PART_YEAR, PART_MONTH, PART_DAY, PART_HOUR };

struct path_part {
	uint32_t	 column;
	enum part_how	 how;
	char		 at;		/* PART_SPLIT: separator */
};

struct weighed {
	uint32_t	 column;
	char		 unit_text[8];	/* common currency of its values; empty: none */
	bool		 units;		/* the values have several currencies */
};

struct asked {
	struct path_part	 part[PATH_PARTS];
	struct weighed	 weight[WEIGHTS_MOST];
	uint32_t	 nparts, nweights;
	uint32_t	 time;		/* column, from 1; 0: none */
	char		 sep, mark;	/* 0: not requested */
	int		 header;	/* 1: found, -1: missing, 0: not requested */
};

/* Read separator, decimal mark and header from the facts of the store. */
void	asked_form(struct asked *, const struct store *);
/*
 * The column with exactly that name, or the only one that differs only in case, or with that number, from 1;
 * 0: none.
 */
uint32_t sheet_meant(const struct sheet_names *, struct str word);
/* Find the columns named in the facts of the store; false: a column is unknown, and none is chosen. */
bool	asked_columns(struct asked *, const struct store *, const struct sheet_names *, struct err *);

/* date.c: the order of dates implied by a value without surrounding white space. */
void	sheet_vote_date(struct sheet_votes *, struct str);

/* ---- state of reading, table.c ------------------------------------------------------- */

struct load {
	struct store	*st;
	struct work	*work;
	struct sheet	 sheet;
	struct asked	 asked;
	uint64_t	 nuls;
	bool		 high;		/* the text is not ASCII only */
	/* Filled by sniff.c from the start of the text: */
	uint64_t	 body;		/* start of the records: after a line that names the separator */
	uint64_t	 body_line;
	uint32_t	 width;		/* number of fields in most records */
	struct scratch	 likely;	/* u8, enum sheet_kind: by column, from the first records */
	struct scratch	 places;	/* u8: decimals, by column */
	bool		 header;
	struct sheet_votes *votes;	/* by column, only of requested columns */
	struct scratch	 vote;
	/* Counts over all records. */
	uint64_t	 preamble, shorter, longer, unclosed, stray, bad;
	uint64_t	 no_weight, no_time, too_large, rounded;
	struct buf	 odd;		/* the first weight that is not a number */
	struct scratch	 block, line;	/* u64: every SHEET_BLOCK-th record */
	uint64_t	 nblocks;
};

/* records.c: encoding of the first bytes. */
void	load_look(struct load *);
/*
 * Read all records from the body on; *width: that of most records. *others: the texts must be read again with
 * another encoding, because of a later byte.
 */
bool	load_count(struct load *, uint32_t *width, bool *others, struct err *);
/* sniff.c: detect separator, width, header and names from the start of the text. */
bool	load_sniff(struct load *, struct err *);
/* Read the names again if the width turned out to be another one. */
bool	load_top(struct load *, struct err *);
/* paths.c: make samples of paths with weights. */
bool	load_paths(struct load *, struct err *);

#endif
