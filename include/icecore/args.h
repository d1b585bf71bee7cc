/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args: the command line of a program, read by the table of its options.  Belongs to layer os.
 *
 * The table is the one list: parsing, --help, the suggestion for a mistyped name and the lines of a profile use it,
 * manual and completions are checked against it.  The argument of a long option follows as the next word or after =, that
 * of a letter as the next word or directly; names are not abbreviated.  All words after -- are operands.
 */
#ifndef ICECORE_ARGS_H
#define ICECORE_ARGS_H

#include <stddef.h>

#include "icecore/base.h"

/* Kind of an argument, and the type that it is stored as. */
enum args_kind {
	ARGS_FLAG,		/* bool; takes none */
	ARGS_TEXT,		/* const char *, as it is */
	ARGS_LIST,		/* struct args_list: the option may be given again */
	ARGS_WORD,		/* size_t: which of its words */
	ARGS_NUMBER,		/* unsigned */
	ARGS_BYTES, ARGS_TIME,	/* uint64_t; ns */
	ARGS_LIMIT,		/* bytes that a function takes */
	ARGS_OWN		/* a function reads it */
};

/* Arguments of an option that may be given again. */
struct args_list {
	const char	**arg;		/* ends with NULL; NULL: none */
	size_t		 n, cap;
};

struct args_row {
	char			 letter;
	const char		*name, *arg, *what;	/* arg NULL: the option takes no argument; what NULL: --help omits it */
	enum args_kind		 kind;
	size_t			 at;			/* in the struct that is filled */
	unsigned		 least, most;		/* of a number or bytes; most 0: no limit */
	const char *const	*words;			/* that it may be; of other kinds --help lists them */
	size_t			 nwords;
	const char		*(*word)(size_t);	/* in place of words: from 0 up to NULL */
	void			(*limit)(uint64_t);
	bool			(*own)(void *to, const struct args_row *, const char *arg, struct err *);
	unsigned		 of;			/* programs that have the option, as bits; 0: the first */
	int			 mark;			/* for the caller */
};

struct args {
	const struct args_row	*row;
	size_t			 n;
	unsigned		 of;		/* bit of this program */
	const char		*program;	/* "icecore redact" */
	void			*to;		/* what rows fill */
	bool			(*operand)(void *to, const char *, struct err *);
	/* After each option; or NULL. */
	bool			(*given)(void *to, const struct args_row *, const char *arg, struct err *);
};

/* argv[0] is the name of the program.  False: E_USAGE with a hint, or out of memory. */
bool	args_read(const struct args *, int argc, char **argv, struct err *) MUST_USE;
/* "mode stable", "--mode stable": one of a profile; the line is cut up, and options point into it. */
bool	args_read_line(const struct args *, char *line, struct err *) MUST_USE;
/* One option.  An error message names the option, so the parser of its argument need not know it. */
bool	args_take(const struct args *, const struct args_row *, const char *arg, struct err *) MUST_USE;
/* For rows that read their argument themselves: one of the words; one more of a list. */
bool	args_set_word(const struct args_row *, size_t *word, const char *arg, struct err *) MUST_USE;
bool	args_add(struct args_list *, const char *arg, struct err *) MUST_USE;
/* A line for each option. */
void	args_help(const struct args *);

#endif
