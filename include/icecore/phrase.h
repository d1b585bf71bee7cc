/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phrase: templates of sentences whose fields are filled in.
 *
 *	{NAME}			a field
 *	{NAME:ONE|MANY}		ONE if the field is 1, otherwise MANY: "{n} {n:was|were}"
 *	{NAME ONE|MANY}		the field, followed by ONE or MANY: "{n page|pages}"
 *	[TEXT]			omitted if a field in it is empty or 0
 *	[NAME?YES|NO]		YES unless the field is empty or 0, otherwise NO; |NO may be omitted
 *
 * ONE, MANY, TEXT, YES and NO may contain fields and brackets.  Templates are part of icecore; values of
 * fields may come from a file.
 */
#ifndef ICECORE_PHRASE_H
#define ICECORE_PHRASE_H

#include "icecore/str.h"

enum amount { AMOUNT_NONE, AMOUNT_ONE, AMOUNT_MANY };	/* empty or 0; 1; anything else */

/* Access to the fields by name. */
struct phrase_fields {
	enum amount	(*amount)(void *of, struct str name);
	/* Called only for fields that are shown; appends. */
	void		(*add)(void *of, struct str name, struct buf *);
	void		*of;
};

void	phrase_add(struct str phrase, const struct phrase_fields *, struct buf *);	/* appends */

#endif
