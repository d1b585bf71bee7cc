/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: a compiled condition.
 *
 * There is one truth value.  "a and b" is: a, skip past b if that was false, b.  So nothing nests, neither
 * here nor at run time, whatever the parentheses in the query.
 */
#ifndef ICECORE_QUERY_EXPR_H
#define ICECORE_QUERY_EXPR_H

#include "calc.h"

enum compare { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_MATCH,
	CMP_UNLIKE, CMP_TRUE };

enum value_kind { VALUE_CELL, VALUE_NULL, VALUE_OPERAND, VALUE_GLOB, VALUE_PART, VALUE_REGEX, VALUE_ANSWER };

struct value {
	enum value_kind	 kind;
	struct cell	 cell;		/* VALUE_GLOB, VALUE_PART: a text */
	bool		 either;	/* VALUE_GLOB, VALUE_PART: of either case */
	struct str	 word;		/* VALUE_CELL: as it was written, where a cell may be a text as well */
	struct operand	 operand;
	struct regex	*regex;
	struct answer	*answer;
};

enum code { CODE_TEST, CODE_NOT, CODE_AND, CODE_OR };

struct instr {
	enum code	code;
	enum compare	cmp;
	struct operand	operand;	/* CODE_TEST: what it looks at */
	size_t		value, nvalues;	/* any of them may match: in */
	bool		lines;		/* the text has lines: any of them may match */
	struct scratch	rows;		/* u8 by row, if lines: whether its stack matches; enum known */
	struct scratch	values;		/* u8 by method, or by value of a batch: enum known */
	size_t		jump;		/* CODE_AND when false, CODE_OR when true: the next instruction */
};

struct expr {
	struct instr	*instr;
	size_t		 n, cap;
	struct value	*value;
	size_t		 nvalues, value_cap;
	struct buf	 text;		/* copy of the text of the cell that is compared with columns */
	struct many	*many;		/* room for expr_tell; or NULL */
};

/* ---- decided ------------------------------------------------------------------------- */

/* The values are the same for all rows. */
bool	expr_is_constant(const struct expr *, const struct instr *);
/*
 * The value a cell of that type compares with.  In columns of any type it is a text beside texts, so = 18
 * finds both, and beside sizes and percentages, as in columns of these, 10k is 10240 and 50% is 50.
 */
struct cell literal_beside(const struct value *, enum compare, enum cell_type);
/* = < <= > >=; false where one of them is empty, or one alone a text. */
bool	cells_compare(enum compare, const struct cell *, const struct cell *);
/* Test a cell of that row. */
bool	expr_test_cell(struct expr *, struct instr *, struct cell *, struct rows *, uint64_t row, bool *yes,
    struct err *);
void	many_free(struct many *);

/* ---- while it is compiled ---------------------------------------------------------- */

struct compiler {
	struct expr		*expr;
	const struct stage	*stage;
	struct rows		*in;
	size_t			 i;		/* next token */
	struct unclosed		*wait;	/* what has no right side yet */
	size_t			 nwait, wait_cap;
};

extern const char *const compare_text[];
const struct token *compiler_peek(const struct compiler *);
/* The next token is that keyword, perhaps in capitals, or of that kind; it is taken. */
bool	compiler_word(struct compiler *, const char *word);
bool	compiler_accept(struct compiler *, enum token_kind);
bool	compiler_expected(const struct compiler *, const char *what, struct err *);
/* Values for a subject of that column: one, the list behind in, null. */
bool	compile_value(struct compiler *, const struct coldef *, enum compare, struct err *);
bool	compile_list(struct compiler *, const struct coldef *, struct err *);
bool	compile_null(struct compiler *, const struct coldef *, struct err *);

#endif
