/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/money: rows over bank statements.
 */
#ifndef QUERY_MONEY_H
#define QUERY_MONEY_H

#include "query/rows/items.h"

/* How a cell shows a number, in addition to enum show of items.h. */
enum money_show {
	MONEY_ACCOUNT = SHOW_OWN,	/* name of the account of a statement, by its number */
	MONEY_TEXT,			/* ref */
	MONEY_DATE, MONEY_MONTH, MONEY_YEAR,	/* date, month or year of a day */
	MONEY_LEDGER,			/* amount of a balance, by its number */
	MONEY_CATEGORY,			/* name of a category */
	MONEY_LISTED,			/* state of an account */
	/* The value of the first of several columns, whose rows are those of the source: */
	MONEY_ACCOUNT_KIND, MONEY_ACCOUNT_ID, MONEY_AMOUNT, MONEY_STATE, MONEY_KIND, MONEY_PAYEE_NAME,
	    MONEY_CURRENCY_NAME,
	MONEY_BALANCE_NAME
};

extern const struct domain money_domain;
/* The first members of a struct command in this room. */
#define MONEY_SOURCE(name, says, query, table, from) \
	SOURCE(name, says, query, item_rows_open), OVER(SHAPE_MONEY, table), .source = &(from), \
	    .by_rows = true

/* The amount of a balance, by its row from 1, in the currency of its account; false: there is none. */
bool	money_balance(const struct money_source *, uint64_t balance, struct cell *);

#endif
