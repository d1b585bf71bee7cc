/*
 * Private to src/query: arithmetic over the cells of a row, with units.
 */
#ifndef ICECORE_QUERY_CALC_H
#define ICECORE_QUERY_CALC_H

#include "stage.h"

#define CALC_DEPTH 64		/* numbers, or operators, that wait at once */

/* An operator, or what puts a number on the stack. */
struct step {
	char	op;		/* 0: a number, 'c': a column */
	double	number;
	size_t	col;
};

struct calc {
	struct step	*step;
	size_t		 n, cap;
	struct buf	 text;
	enum cell_type	 type;
	double		 scale;		/* from the unit of the stack to that of cells */
};

enum number_kind { KIND_INTEGER, KIND_REAL, KIND_PERCENT,
	KIND_ANY };	/* each cell is what it is */

struct unit {
	int			time, bytes;	/* powers */
	enum number_kind	kind;
	bool			minus;		/* it can be below 0 */
};

/* a becomes the unit of the result of an operator; b may become an amount as well. */
bool	unit_apply(struct unit *a, struct unit *b, char op, size_t at, struct err *);
/* What the result is shown as. */
bool	unit_type(const struct unit *, size_t at, struct calc *, struct err *);
bool	unit_of_column(const struct coldef *, size_t at, struct unit *, struct err *);

/*
 * Reads one expression from argument *i on; *i becomes the argument behind
 * it, which can be a parenthesis that closes none of its own.  A column alone
 * gives no calc: *calc is NULL and *col filled.
 */
bool	calc_compile(struct calc **, const struct stage *, size_t *i,
	    struct rows *, size_t *col, struct err *);
/* The argument is a word with an operator in it, or a name with one behind it. */
bool	calc_begins(const struct stage *, size_t i);
/* The argument begins with an operator. */
bool	calc_continues(const struct stage *, size_t i);
void	calc_free(struct calc *);
/* The expression without blanks. */
const char *calc_text(const struct calc *);
enum cell_type calc_type(const struct calc *);
/* Empty when a cell is, and when it divides by 0. */
void	calc_cell(const struct calc *, struct rows *, uint64_t row, struct cell *);

#endif
