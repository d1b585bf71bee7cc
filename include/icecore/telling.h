/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * telling: for loaders of text that report its meaning (meant.h): what the reader of a line took of it, and
 * what stays of the bytes between: marks such as brackets, listed words, and numbers that follow these.
 * All other words are text.
 */
#ifndef ICECORE_TELLING_H
#define ICECORE_TELLING_H

#include "icecore/meant.h"
#include "icecore/str.h"
#include "icecore/texts.h"

/* What stands between a number and what stays in front of it. */
enum telling_near {
	NEAR_NOTHING,
	NEAR_BLANK,		/* a blank or the end of brackets: addresses stay, and numbers with a unit */
	NEAR_JOINED,		/* other marks, as in "prio=5" */
	NEAR_COUNTED		/* it stands behind a word that counts, or begins the line */
};

/* Starts from zeros with take, arg, text and err; telling_free. */
struct tells {
	meant_take	 take;
	void		*arg;
	struct str	 text;		/* all of the file */
	struct err	*err;
	struct scratch	 spans;		/* struct meant_part */
	uint64_t	 n, next;	/* next: the first that was not reported */
	uint64_t	 done;		/* bytes reported */
	struct word_lists listed;
	/* With TELL_LOOSE: the words in front of numbers, as in "line 12"; NULL: any that stays. */
	const char	*counted;
	enum telling_near near;
	bool		 bad;		/* take failed: nothing more is reported */
};

enum telling_how {
	TELL_LOOSE = 1,		/* numbers may have blanks in front of them */
	TELL_FLAGS = 2,		/* short words of the letters that stand for flags stay */
	TELL_NO_NUMBERS = 4,
	TELL_CLOSE = 8,		/* with TELL_LOOSE: not behind a MEANT_WHO */
	TELL_SHORT = 16		/* decimal numbers of more than 12 digits, which may be those of cards, do not stay */
};

/*
 * A part of a line that a reader took, in any order; texts that are not in the file are ignored.  A part in
 * a MEANT_TEXT is reported as its own; of the rest of such a text only the marks stay.
 */
void	telling_span(struct tells *, struct str, enum meaning, const char *path);
/* No language has such a name: "alice@example.org", "password=x", a number. */
bool	telling_is_data(struct str);
/*
 * Where the first number of a card, an account or a telephone or a key begins; *n: its bytes; s.n: there is none.
 * name: no counts are there, so that a long number is one, too.
 */
size_t	telling_personal(struct str s, bool name, size_t *n);
/*
 * MEANT_WORDS, or MEANT_TEXT of what is data; the names of users in a path are MEANT_USER, and what may be such
 * MEANT_PLACE.
 */
void	telling_name(struct tells *, struct str, const char *path);
/* A user in a path; the parts that are not there are empty. */
struct path_user {
	struct str	name;
	bool		common;		/* the name is a word, such as "user": it is only hidden here */
	struct str	secret;		/* ":password" after the name, in front of a host */
	/* The directory after the name, which may be the user's own one: the name is then that of a domain. */
	struct str	behind;
	bool		domain;		/* it is */
};
/* Starts from zeros with the path as rest, which is then what follows the last part. */
struct user_parts {
	struct str	 rest;
	struct path_user u;
	unsigned	 left;		/* parts of u */
};
/* The next part of the users in a path: MEANT_USER, MEANT_PLACE of what may be none, or MEANT_TEXT; false: no more. */
bool	telling_user_part(struct user_parts *, struct str *part, enum meaning *);
/* The address of a script, with or without a scheme: what is data in it. */
struct script_address {
	struct str	user;		/* "al:password" in front of "@"; empty: none */
	struct str	end;		/* from '?' or '#' on; the code in "data:" and "javascript:" */
	bool		scheme;
};
void	telling_script(struct str, struct script_address *);
/* Report all of it: scheme, host and path have that meaning, and no other part stays. */
void	telling_address(struct tells *, struct str, const struct script_address *, enum meaning, const char *path);
/* All spans up to the end of a line are there; then pieces of it in order, which lets their spans go. */
void	telling_sort(struct tells *);
/* The piece is one part, whatever spans it has. */
void	telling_whole(struct tells *, struct str piece, enum meaning, const char *path);
/* words: a list of struct word_lists. */
void	telling_piece(struct tells *, struct str piece, const char *words, unsigned how);
/*
 * The line is one of the known ones, in which 9 stands for any number and a blank for some blanks; then it
 * stays.
 */
bool	telling_line(struct tells *, struct str line, const char *const *known, size_t n);
/*
 * A piece of JSON that no reader took, in order; *inside: it begins in a string, or ends in one.  Marks, words of JSON
 * and keys that are identifiers stay, other strings and words are texts, and numbers have that meaning; if they stay,
 * so do addresses.
 */
void	telling_json(struct tells *, struct str piece, enum meaning numbers, bool *inside);
/* Letters, digits, '_' and bytes that no text has, at the start of a text; empty: a mark comes first. */
struct str telling_word(struct str);
bool	telling_is_address(struct str);		/* "0x1f" */
void	telling_drop(struct tells *);		/* all spans */
void	telling_free(struct tells *);

#endif
