/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_balance_check: the ledger balance of each account against the sum of its transactions, and against its
 * other statements, of this file and of others that are open: where one ends, the next one begins.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_money.h"
#include "q_money.h"

/* How two statements follow each other, from best to worst. */
enum follow { FOLLOW_UNKNOWN, FOLLOW_CONTINUES, FOLLOW_APART, FOLLOW_GAP };

struct joint {
	enum follow	follow;
	uint64_t	asof;		/* day of the ledger balance of the other one */
	uint64_t	from, to;	/* days: the first ends, the second begins */
	struct decimal	gap;		/* between the balance where one ends and that where the other begins */
};

enum { JOINT_WITHIN, JOINT_EARLIER, JOINT_LATER, JOINTS };

struct check {
	struct decimal	sum, ledger;
	uint64_t	transactions, bad;
	uint64_t	start, asof, first, last;	/* days */
	uint32_t	statement;	/* number of a statement of the account; 0: the account has none */
	uint32_t	currency;	/* currency of the transactions */
	uint32_t	of_ledger;	/* currency of the ledger balance */
	bool		has_ledger, mixed, too_large;
	/*
	 * Joints to other statements of this file, and to the nearest earlier and later file with this
	 * account.
	 */
	struct joint	joint[JOINTS];
};

/* The accounts of a file. */
struct sums {
	struct money_source from;
	struct scratch	 check;		/* struct check, by account */
	struct scratch	 part;		/* struct check, by statement */
	struct scratch	 order;		/* u32: accounts in the order of their first statements */
	uint64_t	 naccounts, n;
};

struct checks {
	struct item_rows	 rows;
	struct sums		 of;
	struct buf		 text, name;
};

/* ---- sums ----------------------------------------------------------------------------------------- */

static struct check *
check_of(const struct sums *s, uint64_t statement)
{
	uint64_t account = store_cell(s->from.st, COL_STATEMENT_ACCOUNT, statement);

	return account == 0 || account > s->naccounts ? NULL : &SCRATCH(s->check, struct check)[account - 1];
}

/* Keep the newest ledger balance. */
static void
take_ledger(struct check *k, uint64_t asof, const struct cell *c)
{
	if (k->has_ledger && asof < k->asof)
		return;
	k->has_ledger = true;
	k->asof = asof;
	k->ledger = cell_exact(c);
	k->of_ledger = c->currency;
}

static bool
add_statements(struct sums *s, struct rows *r)
{
	const struct store *st = s->from.st;
	uint64_t n = column_rows(store_column(st, COL_STATEMENT_ACCOUNT)), asof, start;
	struct check *k, *part = SCRATCH(s->part, struct check);
	uint32_t account;
	struct cell c;

	for (uint64_t i = 1; i <= n; i++) {
		if (!rows_tick(r, i))
			return false;
		if (store_cell(st, COL_STATEMENT_LISTED, i) != 0 || (k = check_of(s, i)) == NULL)
			continue;
		account = (uint32_t)(k - SCRATCH(s->check, struct check));
		if (k->statement == 0 && !scratch_add(&s->order, &s->n, &account, sizeof account, &r->err))
			return false;
		k->statement = part[i - 1].statement = (uint32_t)i;
		start = part[i - 1].start = store_cell(st, COL_STATEMENT_START, i);
		k->start = start != 0 && (k->start == 0 || start < k->start) ? start : k->start;
		if (!money_balance(&s->from, store_cell(st, COL_STATEMENT_LEDGER, i), &c))
			continue;
		asof = store_cell(st, COL_BALANCE_DAY, store_cell(st, COL_STATEMENT_LEDGER, i));
		take_ledger(k, asof, &c);
		take_ledger(&part[i - 1], asof, &c);
	}
	return true;
}

static void
q_balance_check_add_amount(struct check *k, uint64_t day, uint32_t currency, bool readable, struct decimal d)
{
	k->transactions++;
	k->last = day > k->last ? day : k->last;
	k->first = day != 0 && (k->first == 0 || day < k->first) ? day : k->first;
	if (!readable) {
		k->bad++;
		return;
	}
	if (k->transactions - k->bad == 1)
		k->currency = currency;
	k->mixed |= currency != k->currency;
	k->too_large |= !decimal_add(&k->sum, d);
}

static bool
add_transactions(struct sums *s, struct rows *r)
{
	const struct store *st = s->from.st;
	uint64_t n = column_rows(store_column(st, COL_MONEY_FORM)), day, ref, statement;
	struct buf text = BUF_INIT;
	struct decimal d;
	uint32_t currency;
	struct check *k;
	bool readable, ok = true;

	for (uint64_t i = 1; ok && i <= n; i++) {
		ok = rows_tick(r, i);
		statement = store_cell(st, COL_MONEY_STATEMENT, i);
		if (store_cell(st, COL_MONEY_PENDING, i) != 0 || (k = check_of(s, statement)) == NULL)
			continue;
		day = store_cell(st, COL_MONEY_DAY, i);
		ref = store_cell(st, COL_MONEY_CURRENCY, i);
		currency = ref == 0 ? MONEY_UNKNOWN : money_currency(money_text(&s->from, ref, &text));
		readable = money_amount(store_cell(st, COL_MONEY_LOW, i), store_cell(st, COL_MONEY_HIGH, i),
		    store_cell(st, COL_MONEY_FORM, i), &d);
		q_balance_check_add_amount(k, day, currency, readable, d);
		q_balance_check_add_amount(&SCRATCH(s->part, struct check)[statement - 1], day, currency,
		    readable, d);
	}
	buf_free(&text);
	return ok;
}

/* True if all transactions are in one currency, that of the ledger balance. */
static bool
is_one_currency(const struct check *k)
{
	return !k->mixed && (k->transactions == k->bad || k->currency == k->of_ledger);
}

/* Compute the opening balance; false: it is unknown. */
static bool
opening_of(const struct check *k, struct decimal *opening)
{
	*opening = k->ledger;
	return k->has_ledger && is_one_currency(k) && !k->too_large &&
	    decimal_add(opening, decimal_minus(k->sum));
}

/* ---- one after the other ------------------------------------------------------------------------- */

/* True if at least one day between the statements is in neither. */
static bool
is_apart(const struct check *early, const struct check *late)
{
	uint64_t end, start;

	return late->start != 0 && money_days(early->asof, &end) && money_days(late->start, &start) &&
	    start > end + 1;
}

/*
 * Compare the end of one statement with the start of a later one: the gap is the difference of their
 * balances.
 */
static bool
find_joint(const struct check *early, const struct check *late, struct joint *j)
{
	if (!early->has_ledger || early->asof == 0 || early->asof < early->last || late->bad > 0 ||
	    late->asof < late->last || early->asof >= late->asof || (late->first != 0 &&
	    (late->first <= early->last || late->first < early->asof)) ||
	    !opening_of(late, &j->gap) || !decimal_add(&j->gap, decimal_minus(early->ledger)))
		return false;
	j->from = early->asof;
	j->to = late->start;
	j->follow = j->gap.value == 0 ? FOLLOW_CONTINUES : is_apart(early, late) ? FOLLOW_APART : FOLLOW_GAP;
	return true;
}

static void
q_balance_check_join(struct check *k, const struct check *other)
{
	bool early = other->asof < k->asof;
	struct joint *nearest = &k->joint[early ? JOINT_EARLIER : JOINT_LATER], j = { .asof = other->asof };

	if (nearest->follow != FOLLOW_UNKNOWN && (early ? j.asof <= nearest->asof : j.asof >= nearest->asof))
		return;
	if (early ? find_joint(other, k, &j) : find_joint(k, other, &j))
		*nearest = j;
}

struct place {
	uint64_t	account, asof, statement;
};

/* By account, then by the day of the balance, then in file order. */
static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return num_order(x->account, y->account, num_order(x->asof, y->asof,
	    num_order(x->statement, y->statement, 0)));
}

/*
 * Find the worst joint between statements of each account in one file; statements that continue are not
 * reported.
 */
static bool
join_parts(struct sums *s, struct rows *r)
{
	const struct check *part = SCRATCH(s->part, struct check);
	uint64_t all = column_rows(store_column(s->from.st, COL_STATEMENT_ACCOUNT)), n = 0;
	struct scratch places = SCRATCH_INIT;
	struct place *place, one;
	bool ok = true;

	for (uint64_t i = 1; ok && i <= all; i++) {
		one = (struct place){ store_cell(s->from.st, COL_STATEMENT_ACCOUNT, i), part[i - 1].asof, i };
		ok = !part[i - 1].has_ledger || scratch_add(&places, &n, &one, sizeof one, &r->err);
	}
	place = SCRATCH(places, struct place);
	if (ok && n > 1)
		qsort(place, n, sizeof *place, compare_places);
	for (uint64_t i = 1; ok && i < n; i++) {
		struct joint *worst = &check_of(s, place[i].statement)->joint[JOINT_WITHIN],
		    j = { .follow = FOLLOW_UNKNOWN };

		if (place[i].account == place[i - 1].account &&
		    find_joint(&part[place[i - 1].statement - 1], &part[place[i].statement - 1], &j) &&
		    j.follow > FOLLOW_CONTINUES && j.follow > worst->follow)
			*worst = j;
	}
	scratch_free(&places);
	return ok;
}

static bool
sums_open(struct sums *s, const struct store *st, struct rows *r)
{
	s->from = money_source_of(st);
	/* Each account has a statement, so there are at most as many accounts as statements. */
	s->naccounts = column_rows(store_column(st, COL_STATEMENT_ACCOUNT));
	return scratch_array(&s->check, s->naccounts, sizeof(struct check), &r->err) &&
	    scratch_array(&s->part, s->naccounts, sizeof(struct check), &r->err) &&
	    add_statements(s, r) && add_transactions(s, r) && join_parts(s, r);
}

/* ---- files ---------------------------------------------------------------------------------------- */

/* By the whole name, masked or not. */
static struct str
account_key(struct checks *s, const struct sums *of, uint64_t account)
{
	struct money_source from = of->from;

	from.full = true;
	buf_clear(&s->name);
	money_statement_name(&from, SCRATCH(of->check, struct check)[account].statement, &s->name);
	return buf_view(&s->name);
}

static bool
join_file(struct checks *s, const struct sums *other, struct err *err)
{
	const uint32_t *order = SCRATCH(other->order, uint32_t), *mine = SCRATCH(s->of.order, uint32_t);
	struct idmap by_name = IDMAP_INIT;
	uint32_t at;
	bool ok = true;

	for (uint64_t i = 0; ok && i < other->n; i++)
		ok = idmap_put(&by_name, idmap_hash_text(account_key(s, other, order[i]), 0), order[i] + 1,
		    err);
	for (uint64_t i = 0; ok && i < s->of.n; i++) {
		at = idmap_get(&by_name, idmap_hash_text(account_key(s, &s->of, mine[i]), 0));
		if (at == 0)
			continue;
		buf_clear(&s->text);
		buf_str(&s->text, buf_view(&s->name));
		if (str_eq(account_key(s, other, at - 1), buf_view(&s->text)))
			q_balance_check_join(&SCRATCH(s->of.check, struct check)[mine[i]],
			    &SCRATCH(other->check, struct check)[at - 1]);
	}
	idmap_free(&by_name);
	return ok;
}

static void
sums_close(struct sums *s)
{
	SCRATCH_FREE(&s->check, &s->part, &s->order);
}

static bool
join_files(struct checks *s)
{
	const struct session *session = s->rows.rows.session;
	struct sums other;
	bool ok = true;

	for (size_t i = 0; ok && i < session->nstores; i++) {
		if (i == session->at || (load_shapes(session->store[i]) & SHAPE_MONEY) == 0)
			continue;
		other = (struct sums){ .check = SCRATCH_INIT, .part = SCRATCH_INIT, .order = SCRATCH_INIT };
		ok = sums_open(&other, session->store[i], &s->rows.rows) &&
		    join_file(s, &other, &s->rows.rows.err);
		sums_close(&other);
	}
	return ok;
}

static bool
checks_step(struct item_rows *r)
{
	struct checks *s = (struct checks *)r;

	if (sums_open(&s->of, r->st, &r->rows) && join_files(s))
		r->n = s->of.n;
	return false;
}

static const void *
check_at(struct item_rows *r, uint64_t row)
{
	struct sums *of = &((struct checks *)r)->of;

	return &SCRATCH(of->check, struct check)[SCRATCH(of->order, uint32_t)[row]];
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static void
add_joint(const struct joint *j, struct buf *b)
{
	switch (j->follow) {
	case FOLLOW_UNKNOWN:
		break;
	case FOLLOW_CONTINUES:
		buf_str(b, STR("continues"));
		break;
	case FOLLOW_APART:
		buf_str(b, STR("no statement between "));
		money_day(j->from, b);
		buf_str(b, STR(" and "));
		money_day(j->to, b);
		break;
	case FOLLOW_GAP:
		buf_str(b, STR("gap of "));
		decimal_text(j->gap, b);
		break;
	}
}

static bool
verdict_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	const struct check *k = s->item;
	const struct joint *worst = k->joint;
	struct decimal opening;

	for (size_t i = 1; i < JOINTS; i++)
		worst = k->joint[i].follow > worst->follow ? &k->joint[i] : worst;

	(void)n;
	if (!k->has_ledger)
		buf_str(b, STR("no ledger balance"));
	else if (k->bad > 0)
		buf_str(b, STR("bad amounts"));
	else if (!is_one_currency(k))
		buf_str(b, STR("several currencies"));
	else if (k->asof != 0 && k->last > k->asof)
		buf_str(b, STR("ledger older than last transaction"));
	else if (!opening_of(k, &opening))
		buf_str(b, STR("amounts too large"));
	else if (worst->follow != FOLLOW_UNKNOWN)
		add_joint(worst, b);
	else {
		buf_str(b, STR("opening "));
		decimal_text(opening, b);
	}
	return true;
}

static void
sum_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	const struct check *k = s->item;

	(void)n;
	c->type = CELL_NONE;
	if (!k->mixed && !k->too_large)
		cell_decimal(c, k->sum, k->currency);
}

static void
ledger_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	const struct check *k = s->item;

	(void)n;
	c->type = CELL_NONE;
	if (k->has_ledger)
		cell_decimal(c, k->ledger, k->of_ledger);
}

static void
opening_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	const struct check *k = s->item;
	struct decimal opening;

	(void)n;
	c->type = CELL_NONE;
	if (opening_of(k, &opening))
		cell_decimal(c, opening, k->of_ledger);
}

#define STATEMENT ITEM(struct check, statement)

static const struct coldef check_cols[] = {
	{ "account", CELL_TEXT, "account: kind, number and currency",
	    MADE(.show = MONEY_ACCOUNT, STATEMENT) },
	{ "currency", CELL_TEXT, "currency of the amounts", .more = true,
	    MADE(.show = MONEY_TEXT, STATEMENT, .by = COL_STATEMENT_CURRENCY) },
	{ "transactions", CELL_COUNT, "booked transactions", MADE(ITEM(struct check, transactions)) },
	{ "bad", CELL_COUNT, "booked transactions without a readable amount", .more = true,
	    MADE(ITEM(struct check, bad)) },
	{ "sum", CELL_DECIMAL, "sum of the transactions", COMPUTED(sum_cell) },
	{ "ledger", CELL_DECIMAL, "newest ledger balance", COMPUTED(ledger_cell) },
	{ "opening", CELL_DECIMAL, "opening balance: ledger - sum", COMPUTED(opening_cell) },
	{ "verdict", CELL_TEXT, "opening balance or why it is unknown; gaps in statements",
	    TEXT(verdict_text) },
};

static void
checks_end(struct item_rows *r)
{
	struct checks *s = (struct checks *)r;

	sums_close(&s->of);
	buf_free(&s->text);
	buf_free(&s->name);
}

static const struct source checks = {
	.domain = &money_domain, .size = sizeof(struct checks), .step = checks_step, .item_at = check_at,
	.end = checks_end
};

const struct command source_balance_check = {
	MONEY_SOURCE("balance_check", "ledger balance of each account against its transactions",
	    "balance_check | where verdict ~ opening", check_cols, checks),
	.all_files = true, .names = { "account" }
};
