/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: strings of a recording at their place in the file.
 */
#ifndef LOAD_JFR_TEXT_H
#define LOAD_JFR_TEXT_H

#include "icecore/base.h"
#include "in.h"

enum jfr_text_kind { TEXT_NULL, TEXT_EMPTY, TEXT_CONSTANT, TEXT_UTF8, TEXT_UTF16, TEXT_LATIN1 };

/* A text at its place in the file.  The units of TEXT_UTF16 are compressed numbers. */
struct jfr_text {
	uint8_t		kind;
	uint64_t	key, units;	/* key: of a constant */
	struct jfr_in	body;		/* the text itself */
};

/* Take a text without reading it; false: truncated or invalid. */
bool	jfr_text_take(struct jfr_in *, struct jfr_text *);
/* Append it in UTF-8; nothing for a constant. */
void	jfr_text_add(const struct jfr_text *, struct buf *);
/* Append a text at its place in the file, in UTF-8; *key: not 0 if it is a constant. */
void	jfr_text_read(struct jfr_in *, struct buf *, uint64_t *key);

#endif
