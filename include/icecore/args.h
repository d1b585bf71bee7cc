/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args: the command line of a program, read by the table of its options.  Belongs to layer os.
 *
 * The table is the one list: parsing, --help, the suggestion for a mistyped name and the lines of a profile
 * use it, manual and completions are checked against it.  The argument of a long option follows as the next
 * word or after =, that of a letter as the next word or directly; names are not abbreviated.  All words
 * after -- are operands.  A flag is shown by its name, another option by its letter.
 */
#ifndef ICECORE_ARGS_H
#define ICECORE_ARGS_H

#include <stddef.h>

#include "icecore/base.h"

/* Kind of an argument, and the type that it is stored as. */
enum args_kind {
	ARGS_FLAG,		/* bool; takes none */
	ARGS_HELP,		/* unsigned: enum args_helped */
	ARGS_TEXT,		/* const char *, as it is */
	ARGS_LIST,		/* struct args_list: the option may be given again */
	ARGS_WORD,		/* size_t: which of its words */
	ARGS_NUMBER,		/* unsigned */
	ARGS_BYTES, ARGS_TIME,	/* uint64_t; ns */
	ARGS_LIMIT,		/* bytes that a function takes */
	ARGS_OWN		/* a function reads it */
};

/* --help prints the options that people use, --help all prints all. */
enum args_helped { HELP_NONE, HELP_OFTEN, HELP_ALL };

/* Arguments of an option that may be given again. */
struct args_list {
	const char	**arg;		/* ends with NULL; NULL: none */
	size_t		 n, cap;
};

struct args_row {
	char			 letter;
	/* arg is NULL if the option takes no argument, what is NULL if --help omits it. */
	const char		*name, *arg, *what;
	enum args_kind		 kind;
	size_t			 at;			/* offset in the struct that is filled */
	unsigned		 least, most;		/* range of a number or of bytes; most 0: no limit */
	const char *const	*words;			/* allowed words, or words in --help */
	size_t			 nwords;
	const char		*(*word)(size_t);	/* words by number, from 0 up to NULL */
	void			(*limit)(uint64_t);
	bool			(*own)(void *to, const struct args_row *, const char *arg, struct err *);
	/* Programs that have the option, as bits; 0: the first. */
	unsigned		 of;
	unsigned		 often;			/* programs whose short --help lists it */
	int			 mark;			/* number for the caller */
};

struct args {
	const struct args_row	*row;
	size_t			 n;
	unsigned		 of;		/* bit of this program */
	const char		*program;	/* "icecore redact" */
	void			*to;		/* struct that the rows fill */
	bool			(*operand)(void *to, const char *, struct err *);
	/* After each option; or NULL. */
	bool			(*given)(void *to, const struct args_row *, const char *arg, struct err *);
};

/* argv[0] is the name of the program.  False: E_USAGE with a hint, or out of memory. */
bool	args_read(const struct args *, int argc, char **argv, struct err *) MUST_USE;
/* "mode stable", "--mode stable": one of a profile; the line is cut up, and options point into it. */
bool	args_read_line(const struct args *, char *line, struct err *) MUST_USE;
/* Read an option.  An error message names it, so the parser of its argument need not know it. */
bool	args_take(const struct args *, const struct args_row *, const char *arg, struct err *) MUST_USE;
/* For rows that read their argument themselves: one of the words; one more of a list. */
bool	args_set_word(const struct args_row *, size_t *word, const char *arg, struct err *) MUST_USE;
bool	args_add(struct args_list *, const char *arg, struct err *) MUST_USE;
/* The row of --help. */
#define ARGS_HELP_ROW(...) \
	{ 'h', "help", NULL, "print this help; --help all: with all options", .kind = ARGS_HELP, __VA_ARGS__ }
/*
 * Print the usage, a line for each option, and the page of the manual; with HELP_ALL, or if no option is more
 * used than others, all options and the exit status.
 */
void	args_help(const struct args *, unsigned helped, const char *usage, const char *exits, const char *page);

#endif
