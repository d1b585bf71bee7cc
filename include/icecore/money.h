/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * money: contents of bank statements, read from their columns (columns_money.h).
 *
 * Amounts are exact.  Each has a currency, stored as a code of 24 bits: its name, if that has at most three
 * letters.  The fact money.single_bytes is 1 if bytes above 0x7f are Windows-1252.
 */
#ifndef ICECORE_MONEY_H
#define ICECORE_MONEY_H

#include "icecore/decimal.h"
#include "icecore/store.h"

enum money_account { MONEY_BANK, MONEY_CREDITCARD, MONEY_INVESTMENT, MONEY_LOAN };
enum money_balance {
	BALANCE_LEDGER, BALANCE_AVAILABLE,
	BALANCE_CASH, BALANCE_MARGIN, BALANCE_SHORT, BALANCE_POWER,	/* balances of investments */
	BALANCE_OTHER		/* a balance of another kind, with a name */
};

#define MONEY_MINUS 0x80u
#define MONEY_NONE 0xffu
#define MONEY_NO_CURRENCY 0u	/* for an invalid amount */
#define MONEY_UNKNOWN ((uint32_t)'?')	/* not in the file */

/*
 * Decode a value of the source and collapse its blanks.  The result is in the source or in the buffer,
 * whose content is replaced.
 */
struct str money_value(struct str raw, bool single_bytes, struct buf *);
/* The source that refs point into. */
struct money_source {
	const struct store	*st;
	bool			 single_bytes, full;	/* full: account numbers are not masked */
};

/* How texts of a store are read; the store must stay open. */
struct money_source money_source_of(const struct store *);
/* Return the text of a ref. */
struct str money_text(const struct money_source *, uint64_t ref, struct buf *);
/* False: the row has no amount. */
bool	money_amount(uint64_t low, uint64_t high, uint64_t form, struct decimal *);
/* The inverse of money_amount: the stored form of an amount. */
void	money_form(struct decimal, uint64_t *low, uint64_t *high, uint8_t *form);
uint32_t money_currency(struct str name);
/* Append the name of a currency; "another currency" if the name was too long to store. */
void	money_currency_name(uint32_t currency, struct buf *);
/* Append a day such as "2026-01-31"; nothing for day 0. */
void	money_day(uint64_t day, struct buf *);
/*
 * Days since 1 March 1799.  False: the year is not in 1800 to 2299, so times in ns would not fit into 64
 * bits.  A day beyond the end of its month, as banks write it, is a day of the next month.
 */
bool	money_days(uint64_t day, uint64_t *days);
#define MONEY_DAY_NS (86400ull * 1000000000)
/*
 * Convert "2026", "2026-01" or "2026-01-31" to the time between the first day of the file and the start of
 * that period.  False: not a date.  For a store without a file, only the form is checked.
 */
bool	money_moment(const struct store *, struct str, uint64_t *ns);
/* The payee of a transaction, or "check 12" or "(no payee)" if it has none; and its type in capitals. */
struct str money_payee(const struct money_source *, uint64_t payee, uint64_t check, struct buf *);
struct str money_type(const struct money_source *, uint64_t type, struct buf *);
/*
 * Append the number of an account.  Unless full is set, only the last four characters are shown, as
 * "..6789"; a second account with the same four gets "..6789#2".  An account without a number is "?".
 */
void	money_account_id(const struct money_source *, uint64_t id, uint64_t alike, struct buf *);
/*
 * Append the value of an element, by its name.  Unless full is set, account numbers are shortened and
 * secrets are dots.
 */
void	money_element(const struct money_source *, struct str name, uint64_t ref, struct buf *);
/* Check rules of --categories. False: the error names the line and the fault. */
bool	categories_check(struct str text, struct err *);
/* The name of a category of the column money.category; empty: none. */
struct str money_category(const struct store *, uint64_t category);
/* Append the name of an account or of a statement, such as "CHECKING ..6789 EUR". */
void	money_account_name(const struct money_source *, enum money_account, uint64_t type, uint64_t id,
    uint64_t alike, uint64_t currency, struct buf *);
void	money_statement_name(const struct money_source *, uint64_t statement, struct buf *);
/* The type of an account: as in the file, in capitals, or the name of its kind. */
struct str money_account_kind(const struct money_source *, enum money_account, uint64_t type, struct buf *);

#endif
