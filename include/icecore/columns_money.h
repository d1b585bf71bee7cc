/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of bank statements.  A "ref" is a value as written in the source: money_text makes a text of it.
 * A day is a number, 20260131; 0: none.  An amount is three columns: its digits as a number of 128 bits,
 * and its form.
 */
#ifndef ICECORE_COLUMNS_MONEY_H
#define ICECORE_COLUMNS_MONEY_H

#include "icecore/columns.h"

#define COLUMNS_MONEY(ROW) \
	/* A row for each statement, in the order of the file; an account may have several statements. */ \
	ROW(STATEMENT_ACCOUNT, "statement.account")	/* numbers from 1, in the order of the file */ \
	/* Number among accounts with the same masked name, from 1. */ \
	ROW(STATEMENT_ALIKE, "statement.alike") \
	ROW(STATEMENT_KIND, "statement.kind")		/* u8: enum money_account */ \
	ROW(STATEMENT_TYPE, "statement.type")		/* ref: the account type, e.g. CHECKING */ \
	ROW(STATEMENT_BANK, "statement.bank")		/* ref */ \
	ROW(STATEMENT_ID, "statement.id")		/* ref */ \
	ROW(STATEMENT_CURRENCY, "statement.currency")	/* ref */ \
	ROW(STATEMENT_LEDGER, "statement.ledger")	/* row of balance.*, from 1; 0: none */ \
	ROW(STATEMENT_AVAILABLE, "statement.available")	/* the same */ \
	ROW(STATEMENT_BOOKED, "statement.booked")	/* number of transactions */ \
	ROW(STATEMENT_PENDING, "statement.pending") \
	ROW(STATEMENT_START, "statement.start")		/* first day it covers; 0: unknown */ \
	/* u8; 1: an account of a list, without a statement. */ \
	ROW(STATEMENT_LISTED, "statement.listed") \
	ROW(STATEMENT_DESC, "statement.desc")		/* ref, in lists */ \
	ROW(STATEMENT_STATUS, "statement.status")	/* ref, in lists */ \
	/* Transactions, in the order of the file. */ \
	ROW(MONEY_STATEMENT, "money.statement")		/* u32 */ \
	ROW(MONEY_PENDING, "money.pending")		/* u8 */ \
	ROW(MONEY_DAY, "money.day") \
	ROW(MONEY_TYPE, "money.type")			/* ref */ \
	ROW(MONEY_LOW, "money.low")			/* u64 */ \
	ROW(MONEY_HIGH, "money.high")			/* u64 */ \
	/* u8: places, or'ed with MONEY_MINUS; MONEY_NONE: no amount that can be read. */ \
	ROW(MONEY_FORM, "money.form") \
	ROW(MONEY_CURRENCY, "money.currency")		/* ref: currency of its statement, or its own */ \
	ROW(MONEY_PAYEE, "money.payee")			/* ref */ \
	ROW(MONEY_MEMO, "money.memo")			/* ref */ \
	ROW(MONEY_FITID, "money.fitid")			/* ref */ \
	ROW(MONEY_CHECK, "money.check")			/* ref */ \
	ROW(MONEY_SIC, "money.sic")			/* ref */ \
	/* u32: offset and length (8 bits) in the rules; 0: none. */ \
	ROW(MONEY_CATEGORY, "money.category") \
	/* Balances, by statement. */ \
	ROW(BALANCE_STATEMENT, "balance.statement")	/* u32 */ \
	ROW(BALANCE_KIND, "balance.kind")		/* u8: enum money_balance */ \
	ROW(BALANCE_NAME, "balance.name")		/* ref */ \
	ROW(BALANCE_DAY, "balance.day") \
	ROW(BALANCE_LOW, "balance.low") \
	ROW(BALANCE_HIGH, "balance.high") \
	ROW(BALANCE_FORM, "balance.form") \
	/* All elements, in the order of the file. */ \
	ROW(ELEMENT_NAME, "element.name")		/* ref */ \
	/* u32: row, from 1, of an earlier element; 0: none. */ \
	ROW(ELEMENT_PARENT, "element.parent") \
	ROW(ELEMENT_VALUE, "element.value")		/* ref; 0: it has no value */

COLUMN_FAMILY(MONEY, COL_NUMBER, COL_OF_TABLE);

#endif
