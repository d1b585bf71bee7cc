/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/money: rules of --categories. The first rule that matches gives the category.
 */
#ifndef LOAD_MONEY_CATEGORIES_H
#define LOAD_MONEY_CATEGORIES_H

#include "icecore/money.h"
#include "icecore/limited.h"

enum category_field { CATEGORY_PAYEE, CATEGORY_MEMO, CATEGORY_TYPE, CATEGORY_FIELDS };

struct category_rule {
	struct limited	*pattern;
	uint32_t	name;		/* name of the category, as in the column money.category */
	enum category_field field;
};

struct categories {
	struct scratch	rules;		/* struct category_rule */
	uint64_t	n, slow;	/* slow: texts on which a rule exceeded its limits */
};

/* Read rules. False: the error names the line and the fault; categories_close is needed in any case. */
bool	categories_open(struct categories *, struct str text, struct err *);
void	categories_close(struct categories *);
/* The category of the first rule that matches; 0: none. */
uint32_t categories_find(struct categories *, const struct str text[CATEGORY_FIELDS]);

#endif
