/*
 * Private to src/query: a compiled condition.
 *
 * There is one truth value.  "a and b" is: a, go behind b when that was
 * false, b.  So nothing nests, neither here nor when it is decided, whatever
 * the parentheses in the query do.
 */
#ifndef ICECORE_QUERY_EXPR_H
#define ICECORE_QUERY_EXPR_H

#include "calc.h"

enum compare { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_MATCH,
	CMP_UNLIKE, CMP_TRUE };

enum value_kind { VALUE_CELL, VALUE_NULL, VALUE_OPERAND, VALUE_GLOB, VALUE_PART, VALUE_REGEX };

struct value {
	enum value_kind	 kind;
	struct cell	 cell;		/* VALUE_GLOB, VALUE_PART: a text */
	struct str	 word;		/* VALUE_CELL: as it was written, where a cell may be a text as well */
	struct operand	 operand;
	struct regex	*regex;
};

enum known { KNOWN_NOT, KNOWN_FALSE, KNOWN_TRUE };

enum code { CODE_TEST, CODE_NOT, CODE_AND, CODE_OR };

struct instr {
	enum code	code;
	enum compare	cmp;
	struct operand	operand;	/* CODE_TEST: what it looks at */
	size_t		value, nvalues;	/* of them any: in */
	bool		lines;		/* the text has lines, and a test is about any of them */
	struct scratch	rows, methods;	/* u8, of lines: what is known of a row's stack, of a method; enum known */
	size_t		jump;		/* CODE_AND when false, CODE_OR when true: the next instruction */
};

struct expr {
	struct instr	*instr;
	size_t		 n, cap;
	struct value	*value;
	size_t		 nvalues, value_cap;
	struct buf	 text;		/* of the cell that is compared with columns */
};

#endif
