/*
 * q_balance_check: the ledger balance of each account against the sum of its transactions.
 */
#include "config.h"

#include "q_money.h"

struct check {
	struct decimal	sum, ledger;
	uint64_t	transactions, bad;
	uint64_t	asof, last;	/* days */
	uint32_t	statement;	/* one of its statements; 0: the account has none */
	uint32_t	currency;	/* of the transactions */
	bool		has_ledger, mixed, too_large;
};

struct checks {
	struct rows		 rows;
	struct money_source	 from;
	struct scratch		 check;		/* struct check, by account */
	struct scratch		 order;		/* u32: accounts in the order of their first statements */
	uint64_t		 naccounts, n;
	struct buf		 text;
	bool			 known;
};

enum check_field {
	CHECK_ACCOUNT = FIELD_OWN, CHECK_CURRENCY, CHECK_TRANSACTIONS, CHECK_BAD, CHECK_SUM, CHECK_LEDGER, CHECK_OPENING,
	CHECK_VERDICT
};

static const struct coldef check_cols[] = {
	{ "account", CELL_TEXT, "kind, number and currency of the account", false, CHECK_ACCOUNT },
	{ "currency", CELL_TEXT, "of its amounts", true, CHECK_CURRENCY },
	{ "transactions", CELL_COUNT, "booked transactions", false, CHECK_TRANSACTIONS },
	{ "bad", CELL_COUNT, "of these without an amount that can be read", true, CHECK_BAD },
	{ "sum", CELL_DECIMAL, "of the transactions", false, CHECK_SUM },
	{ "ledger", CELL_DECIMAL, "the newest ledger balance", false, CHECK_LEDGER },
	{ "opening", CELL_DECIMAL, "ledger less sum: what was there before", false, CHECK_OPENING },
	{ "verdict", CELL_TEXT, "opening and the amount, or why that cannot be said", false, CHECK_VERDICT },
};

bool
money_balance(const struct money_source *from, uint64_t balance, struct cell *c)
{
	const struct store *st = from->st;
	uint64_t ref = store_cell(st, COL_STATEMENT_CURRENCY, store_cell(st, COL_BALANCE_STATEMENT, balance));
	struct buf text = BUF_INIT;
	struct decimal d;

	if (balance == 0 || !money_amount(store_cell(st, COL_BALANCE_LOW, balance), store_cell(st, COL_BALANCE_HIGH, balance),
	    store_cell(st, COL_BALANCE_FORM, balance), &d))
		return false;
	cell_decimal(c, d, ref == 0 ? MONEY_UNKNOWN : money_currency(money_text(from, ref, &text)));
	buf_free(&text);
	return true;
}

/* ---- sums ----------------------------------------------------------------------------------------- */

static struct check *
check_of(struct checks *s, uint64_t statement)
{
	uint64_t account = store_cell(s->from.st, COL_STATEMENT_ACCOUNT, statement);

	return account == 0 || account > s->naccounts ? NULL : &SCRATCH(s->check, struct check)[account - 1];
}

static bool
add_statements(struct checks *s)
{
	const struct store *st = s->from.st;
	uint64_t n = column_rows(store_column(st, COL_STATEMENT_ACCOUNT)), asof;
	uint32_t account;
	struct check *k;
	struct cell c;

	for (uint64_t i = 1; i <= n; i++) {
		if (!rows_tick(&s->rows, i))
			return false;
		if ((k = check_of(s, i)) == NULL)
			continue;
		account = (uint32_t)(k - SCRATCH(s->check, struct check));
		if (k->statement == 0 && !scratch_add(&s->order, &s->n, &account, sizeof account, &s->rows.err))
			return false;
		k->statement = (uint32_t)i;
		if (!money_balance(&s->from, store_cell(st, COL_STATEMENT_LEDGER, i), &c))
			continue;
		asof = store_cell(st, COL_BALANCE_DAY, store_cell(st, COL_STATEMENT_LEDGER, i));
		if (k->has_ledger && asof < k->asof)
			continue;
		k->has_ledger = true;
		k->asof = asof;
		k->ledger = cell_exact(&c);
	}
	return true;
}

static void
add_amount(struct checks *s, struct check *k, uint64_t row, bool first)
{
	const struct store *st = s->from.st;
	uint64_t ref = store_cell(st, COL_MONEY_CURRENCY, row);
	uint32_t currency = ref == 0 ? MONEY_UNKNOWN : money_currency(money_text(&s->from, ref, &s->text));
	struct decimal d;

	if (!money_amount(store_cell(st, COL_MONEY_LOW, row), store_cell(st, COL_MONEY_HIGH, row),
	    store_cell(st, COL_MONEY_FORM, row), &d)) {
		k->bad++;
		return;
	}
	if (first)
		k->currency = currency;
	k->mixed |= currency != k->currency;
	k->too_large |= !decimal_add(&k->sum, d);
}

static bool
add_transactions(struct checks *s)
{
	const struct store *st = s->from.st;
	uint64_t n = column_rows(store_column(st, COL_MONEY_FORM)), day;
	struct check *k;

	for (uint64_t i = 1; i <= n; i++) {
		if (!rows_tick(&s->rows, i))
			return false;
		if (store_cell(st, COL_MONEY_PENDING, i) != 0 || (k = check_of(s, store_cell(st, COL_MONEY_STATEMENT, i))) == NULL)
			continue;
		k->transactions++;
		day = store_cell(st, COL_MONEY_DAY, i);
		k->last = day > k->last ? day : k->last;
		add_amount(s, k, i, k->transactions - k->bad == 1);
	}
	return true;
}

static uint64_t
checks_reach(struct rows *r, uint64_t n)
{
	struct checks *s = (struct checks *)r;

	if (n > 0 && !s->known && s->from.st != NULL) {
		s->known = true;
		s->naccounts = column_rows(store_column(s->from.st, COL_LISTED_TID));
		if (!scratch_array(&s->check, s->naccounts, sizeof(struct check), &r->err) || !add_statements(s) ||
		    !add_transactions(s))
			s->n = 0;
	}
	return s->n;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

/* False: it cannot be said. */
static bool
opening_of(const struct check *k, struct decimal *opening)
{
	*opening = k->ledger;
	return k->has_ledger && !k->mixed && !k->too_large && decimal_add(opening, decimal_minus(k->sum));
}

static void
verdict_cell(struct checks *s, const struct check *k, struct cell *c)
{
	struct decimal opening;

	buf_clear(&s->text);
	if (!k->has_ledger)
		buf_str(&s->text, STR("no ledger balance"));
	else if (k->bad > 0)
		buf_str(&s->text, STR("bad amounts"));
	else if (k->mixed)
		buf_str(&s->text, STR("several currencies"));
	else if (k->asof != 0 && k->last > k->asof)
		buf_str(&s->text, STR("ledger older than last transaction"));
	else if (!opening_of(k, &opening))
		buf_str(&s->text, STR("amounts too large"));
	else {
		buf_str(&s->text, STR("opening "));
		decimal_text(opening, &s->text);
	}
	cell_text(&s->rows, c, &s->text);
}

static void
name_cell(struct checks *s, const struct check *k, struct cell *c)
{
	const struct store *st = s->from.st;
	uint64_t currency = store_cell(st, COL_STATEMENT_CURRENCY, k->statement);

	buf_clear(&s->text);
	money_account_name(&s->from, (enum money_account)store_cell(st, COL_STATEMENT_KIND, k->statement),
	    store_cell(st, COL_STATEMENT_TYPE, k->statement), store_cell(st, COL_STATEMENT_ID, k->statement), currency, &s->text);
	cell_text(&s->rows, c, &s->text);
}

static void
checks_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct checks *s = (struct checks *)r;
	const struct check *k = &SCRATCH(s->check, struct check)[SCRATCH(s->order, uint32_t)[row]];
	struct decimal opening;

	c->type = CELL_NONE;
	switch ((enum check_field)r->cols[col].kind) {
	case CHECK_ACCOUNT: name_cell(s, k, c); break;
	case CHECK_CURRENCY:
		c->type = CELL_TEXT;
		c->text = money_text(&s->from, store_cell(s->from.st, COL_STATEMENT_CURRENCY, k->statement), &s->text);
		break;
	case CHECK_TRANSACTIONS:
	case CHECK_BAD:
		c->type = CELL_COUNT;
		c->u = r->cols[col].kind == CHECK_BAD ? k->bad : k->transactions;
		break;
	case CHECK_SUM:
		if (!k->mixed && !k->too_large)
			cell_decimal(c, k->sum, k->currency);
		break;
	case CHECK_LEDGER:
		if (k->has_ledger)
			cell_decimal(c, k->ledger, k->currency);
		break;
	case CHECK_OPENING:
		if (opening_of(k, &opening))
			cell_decimal(c, opening, k->currency);
		break;
	case CHECK_VERDICT: verdict_cell(s, k, c); break;
	}
}

static void
checks_close(struct rows *r)
{
	struct checks *s = (struct checks *)r;

	SCRATCH_FREE(&s->check, &s->order);
	buf_free(&s->text);
}

static const struct rows_ops checks_ops = { .reach = checks_reach, .cell = checks_cell, .close = checks_close };

static bool
checks_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct checks *s = rows_of_command(sizeof *s, &checks_ops, session, stage, in, err);

	if (s == NULL)
		return false;
	s->from = money_source_of(session_store(session));
	return rows_opened(&s->rows, stage_at_most(stage, 0, err), out);
}

const struct command source_balance_check = {
	SOURCE("balance_check", "the ledger balance of each account against the sum of its transactions",
	    "balance_check | where verdict ~ opening", checks_open),
	OVER(SHAPE_MONEY, check_cols), .by_rows = true, .names = { "account" }
};
