/*
 * q_money: accounts, transactions and balances of bank statements.
 */
#include "config.h"

#include "icecore/columns_money.h"
#include "q_money.h"

enum money_field {
	MONEY_ACCOUNT = FIELD_OWN, MONEY_ACCOUNT_KIND, MONEY_ACCOUNT_ID, MONEY_TEXT, MONEY_DATE, MONEY_MONTH, MONEY_YEAR, MONEY_AMOUNT,
	MONEY_STATE, MONEY_KIND, MONEY_PAYEE_NAME, MONEY_CURRENCY_NAME, MONEY_BALANCE_NAME, MONEY_LEDGER, MONEY_LEDGER_DAY,
	MONEY_COUNT
};

struct money_rows {
	struct rows		 rows;
	struct money_source	 from;
	const struct column	*column[16], *other[16];
	const struct column	*statement, *currency, *low, *high, *form;	/* of the table */
	struct buf		 text;
	uint64_t		 n;
};

/* ---- columns ------------------------------------------------------------------------------------ */

/* The first column of each has a row for each of its rows. */
static const struct coldef account_cols[] = {
	{ "kind", CELL_TEXT, "kind: CHECKING, SAVINGS, CREDITCARD, INVESTMENT, LOAN, ...", false, MONEY_ACCOUNT_KIND,
	    COL_STATEMENT_KIND, COL_STATEMENT_TYPE },
	{ "bank", CELL_TEXT, "bank or broker id", false, MONEY_TEXT, COL_STATEMENT_BANK },
	{ "id", CELL_TEXT, "number of the account; --full shows all of it", false, MONEY_ACCOUNT_ID,
	    COL_STATEMENT_ID, COL_STATEMENT_ALIKE },
	{ "currency", CELL_TEXT, "currency of the amounts", false, MONEY_TEXT, COL_STATEMENT_CURRENCY },
	{ "ledger", CELL_DECIMAL, "ledger balance", false, MONEY_LEDGER, COL_STATEMENT_LEDGER },
	{ "ledger_asof", CELL_TEXT, "date of the ledger balance", false, MONEY_LEDGER_DAY, COL_STATEMENT_LEDGER },
	{ "available", CELL_DECIMAL, "available balance", false, MONEY_LEDGER, COL_STATEMENT_AVAILABLE },
	{ "transactions", CELL_COUNT, "booked transactions of the statement", false, MONEY_COUNT, COL_STATEMENT_BOOKED },
	{ "pending", CELL_COUNT, "pending transactions", false, MONEY_COUNT, COL_STATEMENT_PENDING },
	{ "account", CELL_TEXT, "name in other sources: kind, number and currency",
	    true, MONEY_ACCOUNT, COL_STATEMENT_ACCOUNT },
};

static const struct coldef transaction_cols[] = {
	{ "date", CELL_TEXT, "posting date", false, MONEY_DATE, COL_MONEY_DAY },
	{ "payee", CELL_TEXT, "payee, else memo, else check number", false, MONEY_PAYEE_NAME, COL_MONEY_PAYEE,
	    COL_MONEY_CHECK },
	{ "amount", CELL_DECIMAL, "amount; negative: paid", false, MONEY_AMOUNT, COL_MONEY_FORM },
	{ "currency", CELL_TEXT, "currency of the amount", false, MONEY_CURRENCY_NAME, COL_MONEY_CURRENCY },
	{ "type", CELL_TEXT, "type: DEBIT, CREDIT, CHECK, ...", false, MONEY_KIND, COL_MONEY_TYPE },
	{ "account", CELL_TEXT, "account: kind, number and currency", false, MONEY_ACCOUNT, COL_MONEY_STATEMENT },
	{ "memo", CELL_TEXT, "memo of the bank", false, MONEY_TEXT, COL_MONEY_MEMO },
	{ "month", CELL_TEXT, "month of the date, e.g. 2026-01", true, MONEY_MONTH, COL_MONEY_DAY },
	{ "year", CELL_TEXT, "year of the date", true, MONEY_YEAR, COL_MONEY_DAY },
	{ "state", CELL_TEXT, "booked or pending", true, MONEY_STATE, COL_MONEY_PENDING },
	{ "fitid", CELL_TEXT, "transaction id of the bank", true, MONEY_TEXT, COL_MONEY_FITID },
	{ "check", CELL_TEXT, "check number", true, MONEY_TEXT, COL_MONEY_CHECK },
	{ "sic", CELL_TEXT, "code of the trade of the payee", true, MONEY_TEXT, COL_MONEY_SIC },
};

static const struct coldef balance_cols[] = {
	{ "account", CELL_TEXT, "account: kind, number and currency", false, MONEY_ACCOUNT, COL_BALANCE_STATEMENT },
	{ "name", CELL_TEXT, "ledger, available, or the name the bank gives", false, MONEY_BALANCE_NAME,
	    COL_BALANCE_KIND, COL_BALANCE_NAME },
	{ "amount", CELL_DECIMAL, "balance", false, MONEY_AMOUNT, COL_BALANCE_FORM },
	{ "asof", CELL_TEXT, "date of the balance", false, MONEY_DATE, COL_BALANCE_DAY },
};

/* ---- cells ----------------------------------------------------------------------------------------- */

static void
q_money_put_text(struct money_rows *m, struct str text, struct cell *c)
{
	if (text.s == m->text.s)
		cell_text(&m->rows, c, &m->text);
	c->type = CELL_TEXT;
	c->text = text;
}

static void
day_cell(struct money_rows *m, uint64_t day, size_t n, struct cell *c)
{
	buf_clear(&m->text);
	money_day(day, &m->text);
	c->type = CELL_TEXT;
	c->text = buf_view(&m->text);
	c->text.n = c->text.n < n ? c->text.n : n;
}

static void
account_cell(struct money_rows *m, uint64_t statement, struct cell *c)
{
	buf_clear(&m->text);
	money_statement_name(&m->from, statement, &m->text);
	cell_text(&m->rows, c, &m->text);
}

static void
balance_name_cell(struct money_rows *m, uint64_t kind, uint64_t name, struct cell *c)
{
	static const char *const names[] = { "ledger", "available", "availcash", "marginbalance", "shortbalance", "buypower" };

	if (kind < NELEM(names))
		q_money_put_text(m, str_of(names[kind]), c);
	else
		q_money_put_text(m, money_text(&m->from, name, &m->text), c);
}

/* A transaction has its own currency; a balance has that of its statement. */
static uint32_t
currency_at(struct money_rows *m, uint64_t row)
{
	uint64_t ref = m->currency != NULL ? column_get(m->currency, row) :
	    store_cell(m->from.st, COL_STATEMENT_CURRENCY, column_get(m->statement, row));

	return ref == 0 ? MONEY_UNKNOWN : money_currency(money_text(&m->from, ref, &m->text));
}

static void
q_money_amount_cell(struct money_rows *m, uint64_t row, struct cell *c)
{
	struct decimal d;

	c->type = CELL_NONE;
	if (money_amount(column_get(m->low, row), column_get(m->high, row), column_get(m->form, row), &d))
		cell_decimal(c, d, currency_at(m, row));
}

/* The balance that a statement refers to. */
static void
ledger_cell(struct money_rows *m, uint64_t balance, struct cell *c)
{
	if (!money_balance(&m->from, balance, c))
		c->type = CELL_NONE;
}

static void
money_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct money_rows *m = (struct money_rows *)r;
	uint64_t v = column_get(m->column[col], row), other = column_get(m->other[col], row);

	switch ((enum money_field)r->cols[col].kind) {
	case MONEY_ACCOUNT: account_cell(m, m->statement == NULL ? row + 1 : v, c); break;
	case MONEY_ACCOUNT_KIND: q_money_put_text(m, money_account_kind(&m->from, (enum money_account)v, other, &m->text), c); break;
	case MONEY_ACCOUNT_ID:
		buf_clear(&m->text);
		if (v != 0)
			money_account_id(&m->from, v, other, &m->text);
		cell_text(&m->rows, c, &m->text);
		break;
	case MONEY_TEXT: q_money_put_text(m, money_text(&m->from, v, &m->text), c); break;
	case MONEY_DATE: day_cell(m, v, 10, c); break;
	case MONEY_MONTH: day_cell(m, v, 7, c); break;
	case MONEY_YEAR: day_cell(m, v, 4, c); break;
	case MONEY_AMOUNT: q_money_amount_cell(m, row, c); break;
	case MONEY_STATE: q_money_put_text(m, v != 0 ? STR("pending") : STR("booked"), c); break;
	case MONEY_KIND: q_money_put_text(m, money_type(&m->from, v, &m->text), c); break;
	case MONEY_PAYEE_NAME: q_money_put_text(m, money_payee(&m->from, v, other, &m->text), c); break;
	case MONEY_CURRENCY_NAME: q_money_put_text(m, v == 0 ? STR("?") : money_text(&m->from, v, &m->text), c); break;
	case MONEY_BALANCE_NAME: balance_name_cell(m, v, other, c); break;
	case MONEY_LEDGER: ledger_cell(m, v, c); break;
	case MONEY_LEDGER_DAY: day_cell(m, store_cell(m->from.st, COL_BALANCE_DAY, v), 10, c); break;
	case MONEY_COUNT:
		c->type = CELL_COUNT;
		c->u = v;
		break;
	}
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static uint64_t
money_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct money_rows *)r)->n;
}

static void
money_close(struct rows *r)
{
	buf_free(&((struct money_rows *)r)->text);
}

static const struct rows_ops money_ops = { .reach = money_reach, .cell = money_cell, .close = money_close };

static void
q_money_find_columns(struct money_rows *m, const struct command *command)
{
	const struct store *st = m->from.st;
	bool moneys = command->cols == transaction_cols, balances = command->cols == balance_cols;

	for (size_t i = 0; i < command->ncols; i++) {
		m->column[i] = store_column(st, command->cols[i].column);
		m->other[i] = command->cols[i].other == COL_NONE ? NULL : store_column(st, command->cols[i].other);
	}
	m->n = column_rows(m->column[0]);
	if (!moneys && !balances)
		return;
	m->statement = store_column(st, moneys ? COL_MONEY_STATEMENT : COL_BALANCE_STATEMENT);
	m->currency = moneys ? store_column(st, COL_MONEY_CURRENCY) : NULL;
	m->low = store_column(st, moneys ? COL_MONEY_LOW : COL_BALANCE_LOW);
	m->high = store_column(st, moneys ? COL_MONEY_HIGH : COL_BALANCE_HIGH);
	m->form = store_column(st, moneys ? COL_MONEY_FORM : COL_BALANCE_FORM);
}

static bool
money_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct money_rows *m = rows_of_command(sizeof *m, &money_ops, session, stage, in, err);

	if (m == NULL)
		return false;
	m->from = money_source_of(session_store(session));
	q_money_find_columns(m, stage->command);
	return rows_opened(&m->rows, stage_at_most(stage, 0, err), out);
}

#define MONEY_SOURCE(name, says, query, table) SOURCE(name, says, query, money_open), OVER(SHAPE_MONEY, table), .by_rows = true

const struct command source_accounts = {
	MONEY_SOURCE("accounts", "accounts of the statements, with their balances",
	    "accounts | where ledger > 0", account_cols),
	.names = { "account" }
};

const struct command source_transactions = {
	MONEY_SOURCE("transactions", "transactions, in file order",
	    "transactions | group payee month : sum amount | sort sum_amount", transaction_cols),
	.names = { "date", "payee", "fitid" }
};

const struct command source_balances = {
	MONEY_SOURCE("balances", "balances of the accounts, as stated by the bank",
	    "balances | where name = ledger", balance_cols),
	.names = { "account", "name" }
};
