/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: arithmetic over the cells of a row, with units.
 */
#ifndef ICECORE_QUERY_CALC_H
#define ICECORE_QUERY_CALC_H

#include "icecore/lev.h"
#include "lang.h"

#define CALC_DEPTH 64		/* numbers, or operators, that wait at once */

#define CALC_CONSTANT SIZE_MAX

/* A text of a row, or one that the query contains. */
struct step_text {
	size_t		col;		/* or CALC_CONSTANT */
	struct str	text;
};

/* An operator, or a step that pushes a number. */
struct step {
	char	op;		/* 0: a number, 'c': a column, '|': without its sign, 'd': the distance of two texts */
	double	number;
	size_t	col;
	struct step_text text[2];
};

/* What distances of texts need. */
struct calc_distance {
	struct lev	*lev;
	struct buf	 first;		/* a copy: the next cell may take its place */
};

struct calc {
	struct step	*step;
	size_t		 n, cap;
	struct buf	 text;
	enum cell_type	 type;
	double		 scale;		/* from the unit of the stack to that of cells */
	struct calc_distance *distance;	/* NULL: no step needs one */
};

enum number_kind { KIND_INTEGER, KIND_REAL, KIND_PERCENT,
	KIND_ANY };	/* each cell keeps its own type */

struct unit {
	int			time, bytes;	/* powers */
	enum number_kind	kind;
	bool			minus;		/* the number can be below 0 */
};

/*
 * Compute the results for rows [first, first + n) into the first n numbers of the stack, which has room for
 * CALC_DEPTH * n.  A result that is not finite becomes an empty cell.  batch: room for a batch, or NULL for a
 * single row.  Return false if a column has no batch.
 */
bool	calc_numbers(const struct calc *, struct rows *, uint64_t first, size_t n, double *stack,
    struct batch *);
void	calc_cell(const struct calc *, double, struct cell *);
/* a becomes the unit of the result of an operator; b may become an amount as well. */
bool	unit_apply(struct unit *a, struct unit *b, char op, size_t at, struct err *);
/* Set the type and the scale of the result from its unit. */
bool	unit_type(const struct unit *, size_t at, struct calc *, struct err *);
bool	unit_of_column(const struct coldef *, size_t at, struct unit *, struct err *);

#endif
