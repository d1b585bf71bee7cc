/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: words that are allowed at a position of a query.  complete.c and condition.c find out
 * what is expected, offer.c offers words and keeps those that match the typed part.
 */
#ifndef ICECORE_QUERY_COMPLETE_H
#define ICECORE_QUERY_COMPLETE_H

#include "query/heap/heap.h"
#include "query/lang/lang.h"
#include "query/run/run.h"

/* A text column of a source, looked through for names that fit. */
struct names {
	struct query	*query;
	struct rows	*rows;
	size_t		 col;
	int		 calls, what;	/* columns, or -1 */
	uint64_t	 next;
	bool		 value;		/* names are compared with a column */
	const char	*about;		/* kind of the names; NULL: names in a query, quoted if necessary */
};

struct place {
	struct completion	*c;
	struct session		*session;
	struct str		 text;		/* text of the query up to the word typed */
	struct tokens		 tokens;	/* tokens of text */
	size_t			 from;		/* start of the query: after the parenthesis that contains it */
	struct str		 source;	/* the first stage */
	struct str		 before;	/* all of it in front of the last stage */
	const struct command	*command;	/* command of the last stage */
	const struct token	*arg;		/* arguments of the last stage before the word */
	size_t			 nargs;
	const struct arg	*form;		/* what the command says of these */
	struct arg		 behind[2];	/* the form of the words after a colon */
	bool			 after_keyword;	/* the word follows a keyword of the command */
	struct rows		*in;		/* what that stage gets, over the store of no file; or NULL */
};

void	expect(struct place *, const char *what);	/* the hint */
void	offer_commands(struct place *, bool sources, bool others);
void	expect_condition(struct place *);
/* Offer the columns of a type; CELL_NONE: all columns. */
void	offer_columns(struct place *, enum cell_type);

/* Names of that column of that source, found by completion_step; none when it is not indexed yet. */
void	offer_names(struct completion *, struct session *, struct str source,
	    const char *column, bool value);
/* True if the character has no meaning in any command: a name of such characters needs no quotes. */
bool	is_name_char(char);
/* Rows of the source help if it has no arguments. */
bool	questions_open(struct session *, struct rows **, struct err *) MUST_USE;

#endif
