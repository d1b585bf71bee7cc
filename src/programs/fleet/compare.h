/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/fleet: builds compared by a value of each file.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "fleet.h"

/* ---- distributions: chance.c -------------------------------------------------------------- */

#define RESAMPLES 9999u		/* bootstrap means; the interval ends at the 250th and the 9750th */

/*
 * The number that a value of the distribution of Student with these degrees of freedom exceeds in 2.5 % of
 * all cases.
 */
double	chance_student(double freedom);
/* SplitMix64: return the next number below n, and step. */
uint64_t chance_below(uint64_t *state, uint64_t n);
#define CHANCE_SEED 1u

/* ---- files: compare.c ----------------------------------------------------------------------- */

struct measured {
	/* Path and group of the file; stratum "": no strata. */
	char		*path, *group, *stratum;
	char		*why;		/* NULL: it has a value */
	double		 value;
	enum cell_type	 unit;
	const char	*clock;		/* of clock_names; NULL: none */
	bool		 base;		/* of the group that the others are compared with */
};

/* Files of one group and stratum, sorted by value; files without a value come last. */
struct stratum_files {
	const char	*group, *stratum;
	const struct measured *file;
	size_t		 n, all;		/* with a value; with those without */
	uint64_t	 weight;		/* files of the stratum in all groups; 0: too few in one */
	bool		 used;			/* each group has enough files of this stratum */
	double		*means;			/* means of the resamples; NULL: fewer than two files */
};

/* ---- numbers: compare_sums.c ------------------------------------------------------------------ */

enum compare_number { NUMBER_MEAN, NUMBER_LOW, NUMBER_HIGH, NUMBER_BOOT_LOW, NUMBER_BOOT_HIGH, NUMBER_MEDIAN,
    NUMBER_SD, NUMBER_RATIO,
	NUMBER_CHANGE, NUMBER_CHANGE_LOW, NUMBER_CHANGE_HIGH, NUMBER_DIFF, NUMBER_DIFF_LOW, NUMBER_DIFF_HIGH,
	    NUMBER_DIFF_BOOT_LOW,
	NUMBER_DIFF_BOOT_HIGH, COMPARE_NUMBERS };

struct compare_row {
	const char	*group, *stratum;	/* stratum "": all */
	uint64_t	 n, omitted;
	double		 number[COMPARE_NUMBERS];	/* NAN: none */
	const char	*verdict;
};

struct comparison {
	const struct fleet_options *o;
	struct measured	*file;
	size_t		 n, cap;
	enum cell_type	 unit;
	const char	*clock;
	struct str	 base;		/* group that the others are compared with; empty: the first with a value */
	struct stratum_files *part;	/* by group, the base first, then by stratum */
	size_t		 nparts;
	struct compare_row *row;
	size_t		 nrows;
};

/* Order the files and make the rows; chooses the base if none was given. */
bool	compare_sum(struct comparison *, struct err *) MUST_USE;
void	compare_sum_free(struct comparison *);

/* Append "span load by build, wall clock". */
void	compare_title(const struct comparison *, struct buf *);
/* Print the table or the picture to standard output in the format of the options: compare_print.c */
bool	compare_print(const struct comparison *, struct err *) MUST_USE;

#endif
