/*
 * Private to src/load/money: the tokens, the names and the amounts of OFX.
 */
#ifndef LOAD_MONEY_OFX_H
#define LOAD_MONEY_OFX_H

#include "icecore/money.h"

/* ---- tokens: SGML and XML alike ------------------------------------------------------------ */

enum ofx_kind { OFX_END, OFX_OPEN, OFX_CLOSE, OFX_TEXT, OFX_RAW };	/* raw: without entities */

struct ofx_tokens {
	const char	*s;
	uint64_t	 n, at;		/* where the next token begins */
	struct str	 text;		/* of the token: a name, or what it says */
	bool		 closed;	/* an open tag that is its own close tag */
	bool		 cut;		/* the text ended in a token */
};

enum ofx_kind ofx_next(struct ofx_tokens *);
/* A text says nothing but blanks. */
bool	ofx_blank(struct str, enum ofx_kind, bool single_bytes);

/* ---- names ------------------------------------------------------------------------------------ */

/* All that the versions of the specification have, in capitals; both end with NULL. */
extern const char *const ofx_aggregates[], *const ofx_leaves[];

/* ---- values ------------------------------------------------------------------------------------ */

/* An amount as banks write it; false: it is none. */
bool	ofx_amount(struct str text, struct decimal *);
/* The day that a date begins with, as a number; 0: none. */
uint32_t ofx_day(struct str text);

#endif
