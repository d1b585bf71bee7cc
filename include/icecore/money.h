/*
 * money: what bank statements say, as rows over their columns (columns_money.h).
 *
 * Amounts are exact, and each is in a currency, which is a code in 24 bits: its name where that has three letters at most.  Facts:
 * money.single_bytes (1: bytes above 0x7f are those of Windows-1252).
 */
#ifndef ICECORE_MONEY_H
#define ICECORE_MONEY_H

#include "icecore/decimal.h"
#include "icecore/store.h"

enum money_account { MONEY_BANK, MONEY_CREDITCARD, MONEY_INVESTMENT, MONEY_LOAN };
enum money_balance {
	BALANCE_LEDGER, BALANCE_AVAILABLE,
	BALANCE_CASH, BALANCE_MARGIN, BALANCE_SHORT, BALANCE_POWER,	/* of investments */
	BALANCE_OTHER		/* it has a name */
};

#define MONEY_MINUS 0x80u
#define MONEY_NONE 0xffu
#define MONEY_NO_CURRENCY 0u	/* for an invalid amount */
#define MONEY_UNKNOWN ((uint32_t)'?')	/* not in the file */

/* A value of the source as a text, blanks collapsed: a piece of the source, or of the buffer, whose text is lost. */
struct str money_value(struct str raw, bool single_bytes, struct buf *);
/* Targets of refs. */
struct money_source {
	const struct store	*st;
	bool			 single_bytes, full;	/* full: account numbers are not masked */
};

struct money_source money_source_of(const struct store *);
/* Return the text of a ref. */
struct str money_text(const struct money_source *, uint64_t ref, struct buf *);
/* False: the row has no amount. */
bool	money_amount(uint64_t low, uint64_t high, uint64_t form, struct decimal *);
/* How it is stored. */
void	money_form(struct decimal, uint64_t *low, uint64_t *high, uint8_t *form);
uint32_t money_currency(struct str name);
/* Append the name of a currency; "another currency" if the name was too long to store. */
void	money_currency_name(uint32_t currency, struct buf *);
/* "2026-01-31"; nothing for day 0. */
void	money_day(uint64_t day, struct buf *);
/*
 * Days since 1 March 1799 of one from 1800 to 2299, whose times fit into 64 bits; false: another one.  A day that its month lacks,
 * which banks write, is one of the next month.
 */
bool	money_days(uint64_t day, uint64_t *days);
#define MONEY_DAY_NS (86400ull * 1000000000)
/*
 * "2026", "2026-01" or "2026-01-31" as the time since the first day of the file, where it begins; false: no day.  Over the store of no
 * file only the form is checked.
 */
bool	money_moment(const struct store *, struct str, uint64_t *ns);
/* Subject of a transaction: "check 12" or "(no payee)" where it names no payee; and its type in capitals. */
struct str money_payee(const struct money_source *, uint64_t payee, uint64_t check, struct buf *);
struct str money_type(const struct money_source *, uint64_t type, struct buf *);
/*
 * The number of an account; only the last four characters are shown unless full is requested: "..6789", and "..6789#2"
 * for the second of two that look alike; "?" if the file lacks it.  Appends.
 */
void	money_account_id(const struct money_source *, uint64_t id, uint64_t alike, struct buf *);
/* Name of an account or of a statement: "CHECKING ..6789 EUR"; appends. */
void	money_account_name(const struct money_source *, enum money_account, uint64_t type, uint64_t id, uint64_t alike,
	    uint64_t currency, struct buf *);
void	money_statement_name(const struct money_source *, uint64_t statement, struct buf *);
/* The type of an account: as in the file, in capitals, or the name of its kind. */
struct str money_account_kind(const struct money_source *, enum money_account, uint64_t type, struct buf *);

#endif
