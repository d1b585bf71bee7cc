/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forms: which form of stack dump a text has.
 */
#ifndef LOAD_STACKS_FORMS_H
#define LOAD_STACKS_FORMS_H

#include "dumps_in.h"

struct stack_form {
	const char	*name;		/* name, as in "thread dump (HotSpot 17)" */
	void		(*read)(struct dumps_in *);
};

enum { STACK_TEXT_FORMS = 31 };		/* forms of text; those of JSON come after them */
extern const struct stack_form stack_forms[];

/*
 * The first form, in the order of forms, that a text has; NULL: none.  Further ones are counted in unread,
 * unless it is NULL. size: how much of the text is looked at.
 */
const struct stack_form *stack_form_of(struct str text, size_t size, struct unread *unread);

#endif
