/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_money: accounts, transactions and balances of bank statements.
 */
#include "config.h"

#include "icecore/columns_money.h"
#include "q_money.h"

#define OF(what, column) MADE(.show = (what), .by = (column))

/* ---- columns ------------------------------------------------------------------------------------ */

static const struct coldef account_cols[] = {
	{ "kind", CELL_TEXT, "kind: CHECKING, SAVINGS, CREDITCARD, INVESTMENT, LOAN, ...",
	    OF(MONEY_ACCOUNT_KIND, COL_STATEMENT_KIND) },
	{ "bank", CELL_TEXT, "bank or broker id", OF(MONEY_TEXT, COL_STATEMENT_BANK) },
	{ "id", CELL_TEXT, "number of the account; --full shows all of it",
	    OF(MONEY_ACCOUNT_ID, COL_STATEMENT_ID) },
	{ "currency", CELL_TEXT, "currency of the amounts", OF(MONEY_TEXT, COL_STATEMENT_CURRENCY) },
	{ "ledger", CELL_DECIMAL, "ledger balance", OF(MONEY_LEDGER, COL_STATEMENT_LEDGER) },
	{ "ledger_asof", CELL_TEXT, "date of the ledger balance",
	    MADE(.show = MONEY_DATE, .by = COL_STATEMENT_LEDGER, .then = COL_BALANCE_DAY) },
	{ "available", CELL_DECIMAL, "available balance", OF(MONEY_LEDGER, COL_STATEMENT_AVAILABLE) },
	{ "transactions", CELL_COUNT, "booked transactions of the statement",
	    OF(SHOW_NUMBER, COL_STATEMENT_BOOKED) },
	{ "pending", CELL_COUNT, "pending transactions", OF(SHOW_NUMBER, COL_STATEMENT_PENDING) },
	{ "desc", CELL_TEXT, "in a list of accounts: its description", OF(MONEY_TEXT, COL_STATEMENT_DESC) },
	{ "status", CELL_TEXT, "in a list of accounts: ACTIVE, AVAIL or PEND",
	    OF(MONEY_TEXT, COL_STATEMENT_STATUS) },
	{ "state", CELL_TEXT, "statement, or listed: without a statement", .more = true,
	    OF(MONEY_LISTED, COL_STATEMENT_LISTED) },
	{ "account", CELL_TEXT, "name in other sources: kind, number and currency",
	    .more = true, MADE(.show = MONEY_ACCOUNT) },
};

static const struct coldef transaction_cols[] = {
	{ "date", CELL_TEXT, "posting date", OF(MONEY_DATE, COL_MONEY_DAY) },
	{ "payee", CELL_TEXT, "payee, or memo, or check number", OF(MONEY_PAYEE_NAME, COL_MONEY_PAYEE) },
	{ "amount", CELL_DECIMAL, "amount; negative: paid", OF(MONEY_AMOUNT, COL_MONEY_FORM) },
	{ "currency", CELL_TEXT, "currency of the amount", OF(MONEY_CURRENCY_NAME, COL_MONEY_CURRENCY) },
	{ "type", CELL_TEXT, "type: DEBIT, CREDIT, CHECK, ...", OF(MONEY_KIND, COL_MONEY_TYPE) },
	{ "account", CELL_TEXT, "account: kind, number and currency",
	    OF(MONEY_ACCOUNT, COL_MONEY_STATEMENT) },
	{ "memo", CELL_TEXT, "memo of the bank", OF(MONEY_TEXT, COL_MONEY_MEMO) },
	{ "category", CELL_TEXT, "category by the rules of --categories", .more = true,
	    OF(MONEY_CATEGORY, COL_MONEY_CATEGORY) },
	{ "month", CELL_TEXT, "month of the date, e.g. 2026-01", .more = true,
	    OF(MONEY_MONTH, COL_MONEY_DAY) },
	{ "year", CELL_TEXT, "year of the date", .more = true, OF(MONEY_YEAR, COL_MONEY_DAY) },
	{ "state", CELL_TEXT, "booked or pending", .more = true, OF(MONEY_STATE, COL_MONEY_PENDING) },
	{ "fitid", CELL_TEXT, "transaction id of the bank", .more = true, OF(MONEY_TEXT, COL_MONEY_FITID) },
	{ "check", CELL_TEXT, "check number", .more = true, OF(MONEY_TEXT, COL_MONEY_CHECK) },
	{ "sic", CELL_TEXT, "industry code of the payee (SIC)", .more = true, OF(MONEY_TEXT, COL_MONEY_SIC) },
};

static const struct coldef balance_cols[] = {
	{ "account", CELL_TEXT, "account: kind, number and currency",
	    OF(MONEY_ACCOUNT, COL_BALANCE_STATEMENT) },
	{ "name", CELL_TEXT, "ledger, available, or the name used by the bank",
	    OF(MONEY_BALANCE_NAME, COL_BALANCE_KIND) },
	{ "amount", CELL_DECIMAL, "balance", MADE(.show = MONEY_LEDGER) },
	{ "asof", CELL_TEXT, "date of the balance", OF(MONEY_DATE, COL_BALANCE_DAY) },
};

/* ---- cells ----------------------------------------------------------------------------------------- */

#define FROM(s) ((const struct money_source *)(s)->own)

static const struct source accounts = { .domain = &money_domain, .rows_of = COL_STATEMENT_KIND };
static const struct source transactions = { .domain = &money_domain, .rows_of = COL_MONEY_DAY };
static const struct source balances = { .domain = &money_domain, .rows_of = COL_BALANCE_STATEMENT };

static void
q_money_put_text(struct item_rows *s, struct str text, struct cell *c)
{
	if (text.s == s->text.s)
		cell_text(&s->rows, c, &s->text);
	c->text = text;
}

static void
day_cell(struct item_rows *s, uint64_t day, size_t n, struct cell *c)
{
	money_day(day, cell_begin(s));
	c->text = str_head(buf_view(&s->text), n);
}

static void
account_cell(struct item_rows *s, uint64_t statement, struct cell *c)
{
	money_statement_name(FROM(s), statement, cell_begin(s));
	cell_text(&s->rows, c, &s->text);
}

static void
account_id_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	(void)cell_begin(s);
	if (id != 0)
		money_account_id(FROM(s), id, store_cell(s->st, COL_STATEMENT_ALIKE, s->number), &s->text);
	cell_text(&s->rows, c, &s->text);
}

static struct str
balance_name(struct item_rows *s, uint64_t kind)
{
	static const char *const names[] = { "ledger", "available", "availcash", "marginbalance",
	    "shortbalance", "buypower" };

	if (kind < NELEM(names))
		return str_of(names[kind]);
	return money_text(FROM(s), store_cell(s->st, COL_BALANCE_NAME, s->number), &s->text);
}

bool
money_balance(const struct money_source *from, uint64_t balance, struct cell *c)
{
	const struct store *st = from->st;
	uint64_t ref = store_cell(st, COL_STATEMENT_CURRENCY, store_cell(st, COL_BALANCE_STATEMENT, balance));
	struct buf text = BUF_INIT;
	struct decimal d;

	if (balance == 0 || !money_amount(store_cell(st, COL_BALANCE_LOW, balance),
	    store_cell(st, COL_BALANCE_HIGH, balance), store_cell(st, COL_BALANCE_FORM, balance), &d))
		return false;
	cell_decimal(c, d, ref == 0 ? MONEY_UNKNOWN : money_currency(money_text(from, ref, &text)));
	buf_free(&text);
	return true;
}

static void
q_money_amount_cell(struct item_rows *s, uint64_t form, struct cell *c)
{
	uint64_t ref = store_cell(s->st, COL_MONEY_CURRENCY, s->number);
	struct decimal d;

	c->type = CELL_NONE;
	if (money_amount(store_cell(s->st, COL_MONEY_LOW, s->number),
	    store_cell(s->st, COL_MONEY_HIGH, s->number), form, &d))
		cell_decimal(c, d, ref == 0 ? MONEY_UNKNOWN :
		    money_currency(money_text(FROM(s), ref, &s->text)));
}

static void
money_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	const struct money_source *from = FROM(s);

	switch ((enum money_show)show) {
	case MONEY_ACCOUNT: account_cell(s, n, c); break;
	case MONEY_ACCOUNT_KIND:
		q_money_put_text(s, money_account_kind(from, (enum money_account)n,
		    store_cell(s->st, COL_STATEMENT_TYPE, s->number), &s->text), c);
		break;
	case MONEY_ACCOUNT_ID: account_id_cell(s, n, c); break;
	case MONEY_TEXT: q_money_put_text(s, money_text(from, n, &s->text), c); break;
	case MONEY_DATE: day_cell(s, n, 10, c); break;
	case MONEY_MONTH: day_cell(s, n, 7, c); break;
	case MONEY_YEAR: day_cell(s, n, 4, c); break;
	case MONEY_AMOUNT: q_money_amount_cell(s, n, c); break;
	case MONEY_STATE: c->text = n != 0 ? STR("pending") : STR("booked"); break;
	case MONEY_CATEGORY: c->text = n == 0 ? STR("") : money_category(s->st, n); break;
	case MONEY_LISTED: c->text = n != 0 ? STR("listed") : STR("statement"); break;
	case MONEY_KIND: q_money_put_text(s, money_type(from, n, &s->text), c); break;
	case MONEY_PAYEE_NAME:
		q_money_put_text(s, money_payee(from, n, store_cell(s->st, COL_MONEY_CHECK, s->number),
		    &s->text), c);
		break;
	case MONEY_CURRENCY_NAME: q_money_put_text(s, n == 0 ? STR("?") : money_text(from, n, &s->text), c); break;
	case MONEY_BALANCE_NAME: q_money_put_text(s, balance_name(s, n), c); break;
	case MONEY_LEDGER:
		if (!money_balance(from, n, c))
			c->type = CELL_NONE;
		break;
	}
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static bool
q_money_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	(void)stage;
	(void)err;
	*(struct money_source *)s->own = money_source_of(s->st);
	return true;
}

const struct domain money_domain = { .size = sizeof(struct money_source), .open = q_money_begin,
    .cell = money_cell };

const struct command source_accounts = {
	MONEY_SOURCE("accounts", "accounts of the statements, with their balances",
	    "accounts | where ledger > 0", account_cols, accounts),
	.names = { "account" }
};

const struct command source_transactions = {
	MONEY_SOURCE("transactions", "transactions, in file order",
	    "transactions | group payee month : sum amount | sort sum_amount", transaction_cols,
	    transactions),
	.names = { "date", "payee", "fitid" }
};

const struct command source_balances = {
	MONEY_SOURCE("balances", "balances of the accounts, as stated by the bank",
	    "balances | where name = ledger", balance_cols, balances),
	.names = { "account", "name" }
};
