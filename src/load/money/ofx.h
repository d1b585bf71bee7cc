/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/money: tokens, names and amounts of OFX.
 */
#ifndef LOAD_MONEY_OFX_H
#define LOAD_MONEY_OFX_H

#include "icecore/money.h"

/* ---- tokens of SGML and XML ---------------------------------------------------------------- */

enum ofx_kind { OFX_END, OFX_OPEN, OFX_CLOSE, OFX_TEXT, OFX_RAW };	/* raw: entities are not decoded */

struct ofx_tokens {
	const char	*s;
	uint64_t	 n, at;		/* position of the next token */
	struct str	 text;		/* current token: a name, or text */
	bool		 closed;	/* an empty-element tag */
	bool		 cut;		/* the text ended inside a token */
};

enum ofx_kind ofx_next(struct ofx_tokens *);
/* True if a text is blank. */
bool	ofx_blank(struct str, enum ofx_kind, bool single_bytes);

/* ---- names ------------------------------------------------------------------------------------ */

/* Names of all versions of the specification, in capitals; both end with NULL. */
extern const char *const ofx_aggregates[], *const ofx_leaves[];

/* ---- values ------------------------------------------------------------------------------------ */

/* Parse an amount as banks write it; false: invalid. */
bool	ofx_amount(struct str text, struct decimal *);
/* Return the day at the start of a date as a number; 0: none. */
uint32_t ofx_day(struct str text);

#endif
