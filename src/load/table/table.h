/*
 * table: what the files of this room share.
 */
#ifndef LOAD_TABLE_H
#define LOAD_TABLE_H

#include "icecore/masks.h"
#include "icecore/table.h"
#include "load/profile/profile.h"

/* lines.c: the next object of JSON lines; as sheet_next. */
bool	sheet_next_line(struct sheet_reader *, struct err *);

/* ---- what is asked for: --path and its like, columns.c ----------------------------- */

#define PATH_PARTS 64u
#define WEIGHTS_MOST 16u
#define SPLIT_MOST 4096u	/* frames of one record */

enum part_how { PART_WHOLE, PART_SPLIT, PART_YEAR, PART_MONTH, PART_DAY, PART_HOUR };

struct path_part {
	uint32_t	 column;
	enum part_how	 how;
	char		 at;		/* PART_SPLIT: where */
};

struct weighed {
	uint32_t	 column;
	char		 unit_text[8];	/* a currency that its values name; empty: none */
	bool		 units;		/* they name several */
};

struct asked {
	struct path_part	 part[PATH_PARTS];
	struct weighed	 weight[WEIGHTS_MOST];
	uint32_t	 nparts, nweights;
	uint32_t	 time;		/* column, from 1; 0: none */
	char		 sep, mark;	/* 0: not asked for */
	int		 header;	/* 1: there is one, -1: there is none, 0: not asked for */
};

/* Read separator, decimal mark and header from the facts of the store. */
void	asked_form(struct asked *, const struct store *);
/* Find the columns that the facts of the store name; false: a column is unknown, and none is chosen. */
bool	asked_columns(struct asked *, const struct store *, const struct sheet_names *, struct err *);

/* date.c: what a value without white space around it says about the order of dates. */
void	sheet_vote_date(struct sheet_votes *, struct str);

/* ---- one load, table.c --------------------------------------------------------------- */

struct load {
	struct store	*st;
	struct work	*work;
	struct sheet	 sheet;
	struct asked	 asked;
	uint64_t	 nuls;
	bool		 high;		/* not all of it is ASCII */
	/* Filled by sniff.c from the start of the text: */
	uint64_t	 body;		/* where records begin: behind a line that names the separator */
	uint64_t	 body_line;
	uint32_t	 width;		/* of most records */
	struct scratch	 likely;	/* u8, enum sheet_kind: by column, of the first records */
	bool		 header;
	struct sheet_votes *votes;	/* by column of those that are asked for; of the others zeros */
	struct scratch	 vote;
	/* Counts of all records. */
	uint64_t	 preamble, shorter, longer, unclosed, stray, bad;
	uint64_t	 no_weight, no_time, too_large, rounded;
	struct buf	 odd;		/* the first weight that is no number */
	struct scratch	 block, line;	/* u64: every SHEET_BLOCK-th record */
	uint64_t	 nblocks;
};

/* records.c: how the first bytes are encoded. */
void	load_look(struct load *);
/*
 * All records, from the body on; *width: that of most of them.  *others: the texts of the sheet have to be read in another way than so
 * far, as some byte behind the first ones demands it.
 */
bool	load_count(struct load *, uint32_t *width, bool *others, struct err *);
/* sniff.c: separator, width, header and names, from the begin of the text. */
bool	load_sniff(struct load *, struct err *);
/* The names again, for a width that turned out to be another one. */
bool	load_top(struct load *, struct err *);
/* paths.c: the paths with their weights, as samples. */
bool	load_paths(struct load *, struct err *);

#endif
