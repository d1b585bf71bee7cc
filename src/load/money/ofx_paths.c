/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_paths: accounts, and transactions as samples.
 *
 * The levels of --by are the stack of a transaction; if the account is the first level, it is shown in place
 * of a thread. Each currency has two events, income and spending, so that amounts in different currencies are
 * never added. Another event counts transactions.
 */
#include "config.h"

#include <string.h>

#include "icecore/facts.h"

#include "categories.h"
#include "ofx_tree.h"

#define LEVELS_MOST 16u

enum level {
	LEVEL_ACCOUNT, LEVEL_KIND, LEVEL_CURRENCY, LEVEL_TYPE, LEVEL_PAYEE, LEVEL_MONTH, LEVEL_YEAR,
	LEVEL_DAY, LEVEL_MEMO, LEVEL_SIC,
	LEVEL_CHECK, LEVEL_CATEGORY
};

static const char *const level_names[] = {
	[LEVEL_ACCOUNT] = "account", [LEVEL_KIND] = "kind", [LEVEL_CURRENCY] = "currency",
	    [LEVEL_TYPE] = "type", [LEVEL_PAYEE] = "payee", [LEVEL_MONTH] = "month", [LEVEL_YEAR] = "year",
	    [LEVEL_DAY] = "day", [LEVEL_MEMO] = "memo",
	[LEVEL_SIC] = "sic", [LEVEL_CHECK] = "check", [LEVEL_CATEGORY] = "category"
};

struct currency {
	uint64_t	ref;		/* name of the currency */
	uint32_t	in, out;	/* events; 0: none */
};

struct account {
	uint32_t	statement, thread;	/* the first of its statements, from 1 */
};

struct ofx_paths {
	struct ofx	*x;
	struct samples	*s;
	struct money_source from;
	enum level	 level[LEVELS_MOST];
	uint32_t	 nlevels;
	bool		 threads;	/* the first level is the account */
	bool		 pending;
	struct idmap	 by_code;	/* row of currencies + 1 */
	/* Accounts by their full names; number of accounts with equal masked names */
	struct idmap	 by_name, by_mask;
	struct scratch	 currencies, accounts;
	uint64_t	 ncurrencies, naccounts;
	uint32_t	 count;		/* event */
	uint32_t	 first, last;	/* days */
	struct buf	 name, text;
};

/* ---- levels ------------------------------------------------------------------------------------------- */

static bool
fail_level(struct str word, struct err *err)
{
	struct buf all = BUF_INIT;

	for (size_t i = 0; i < NELEM(level_names); i++)
		buf_printf(&all, "%s%s", i > 0 ? ", " : "", level_names[i]);
	fail(err, E_USAGE, "no level '%.*s' for --by; levels: %s", word.n > 80 ? 80 : (int)word.n, word.s,
	    all.bad ? "" : all.s);
	buf_free(&all);
	return false;
}

static bool
read_levels(struct ofx_paths *p, struct err *err)
{
	struct str by = fact_text(p->x->st, FACT_TRACE_ASK_BY), word;
	size_t i;

	by = by.n > 0 ? by : STR("account,type,payee");
	while (str_split(&by, ',', &word)) {
		for (i = 0; i < NELEM(level_names) && !str_eq(word, str_of(level_names[i])); )
			i++;
		if (i == NELEM(level_names))
			return fail_level(word, err);
		if (p->nlevels == LEVELS_MOST)
			return fail(err, E_USAGE, "too many levels in --by (limit: %u)", LEVELS_MOST);
		if (i == LEVEL_CATEGORY && fact_text(p->x->st, FACT_TRACE_ASK_CATEGORIES).n == 0)
			return fail(err, E_USAGE, "--by category needs rules; give them with --categories");
		p->level[p->nlevels++] = (enum level)i;
	}
	p->threads = p->level[0] == LEVEL_ACCOUNT;
	return true;
}

static struct str
text_or(struct ofx_paths *p, uint64_t ref, struct str none)
{
	return ref == 0 ? none : money_text(&p->from, ref, &p->text);
}

static void
name_account(struct ofx_paths *p, const struct ofx_statement *s, bool full)
{
	struct money_source from = p->from;

	from.full |= full;
	buf_clear(&p->name);
	money_account_name(&from, (enum money_account)s->kind, s->type, s->id, s->alike, s->currency,
	    &p->name);
}

static struct str
day_text(struct ofx_paths *p, uint32_t day, size_t n)
{
	if (day == 0)
		return STR("(no date)");
	buf_clear(&p->text);
	money_day(day, &p->text);
	return (struct str){ p->text.s, p->text.n < n ? p->text.n : n };
}

/* Return the frame of a transaction at one level. */
static struct str
level_text(struct ofx_paths *p, enum level level, const struct ofx_money *row, const struct ofx_statement *s)
{
	switch (level) {
	case LEVEL_ACCOUNT:
		name_account(p, s, false);
		return buf_view(&p->name);
	case LEVEL_KIND:
		return money_account_kind(&p->from, (enum money_account)s->kind, s->type, &p->text);
	case LEVEL_CURRENCY:
		return text_or(p, row->currency, STR("?"));
	case LEVEL_TYPE:
		return money_type(&p->from, row->type, &p->text);
	case LEVEL_PAYEE:
		return money_payee(&p->from, row->payee, row->check, &p->text);
	case LEVEL_MONTH:
		return day_text(p, row->day, 7);
	case LEVEL_YEAR:
		return day_text(p, row->day, 4);
	case LEVEL_DAY:
		return day_text(p, row->day, 10);
	case LEVEL_MEMO:
		return text_or(p, row->memo, STR("(no memo)"));
	case LEVEL_SIC:
		return text_or(p, row->sic, STR("(no sic)"));
	case LEVEL_CHECK:
		return text_or(p, row->check, STR("(no check)"));
	case LEVEL_CATEGORY:
		return row->category == 0 ? STR("(no category)") : money_category(p->x->st, row->category);
	}
	return STR("");
}

static bool
find_stack(struct ofx_paths *p, const struct ofx_money *row, const struct ofx_statement *s, uint32_t *stack,
    struct err *err)
{
	uint32_t frame;

	*stack = 0;
	for (uint32_t i = p->threads; i < p->nlevels; i++) {
		frame = samples_frame(p->s, level_text(p, p->level[i], row, s), STR(""), 0, err);
		*stack = frame == 0 ? 0 : samples_stack(p->s, *stack, frame, err);
		if (*stack == 0)
			return false;
	}
	return (!p->text.bad && !p->name.bad) || fail(err, E_SYSTEM, "out of memory (payee)");
}

/* Give all transactions their categories, if there are rules. */
static bool
categorise(struct ofx_paths *p, struct err *err)
{
	struct ofx_money *row = SCRATCH(p->x->moneys, struct ofx_money);
	struct categories rules = { .n = 0 };
	struct buf memo = BUF_INIT, type = BUF_INIT;
	struct str text[CATEGORY_FIELDS], all = fact_text(p->x->st, FACT_TRACE_ASK_CATEGORIES);
	bool ok = all.n == 0 || categories_open(&rules, all, err);

	if (all.n > 0)
		work_start(p->x->work, "categories", p->x->nmoneys);
	for (uint64_t i = 0; ok && rules.n > 0 && i < p->x->nmoneys; i++) {
		text[CATEGORY_PAYEE] = money_payee(&p->from, row[i].payee, row[i].check, &p->text);
		text[CATEGORY_MEMO] = row[i].memo == 0 ? STR("") : money_text(&p->from, row[i].memo, &memo);
		text[CATEGORY_TYPE] = money_type(&p->from, row[i].type, &type);
		row[i].category = categories_find(&rules, text);
		ok = i % 64 != 0 || work_go(p->x->work, i, err);
	}
	ok = ok && ((!p->text.bad && !memo.bad && !type.bad) ||
	    fail(err, E_SYSTEM, "out of memory (categories)"));
	p->x->count[OFX_SLOW] = rules.slow;
	categories_close(&rules);
	buf_free(&memo);
	buf_free(&type);
	return ok;
}

/* ---- accounts --------------------------------------------------------------------------------------- */

/* Return the earlier account of a statement by its full name; NULL: it is new. */
static const struct account *
known_account(struct ofx_paths *p, uint64_t key, struct str name)
{
	const struct ofx_statement *s = SCRATCH(p->x->statements, struct ofx_statement);
	uint32_t row = idmap_get(&p->by_name, key);
	const struct account *a;

	if (row == 0)
		return NULL;
	a = &SCRATCH(p->accounts, struct account)[row - 1];
	buf_clear(&p->text);
	buf_str(&p->text, name);
	name_account(p, &s[a->statement - 1], true);
	return str_eq(buf_view(&p->text), buf_view(&p->name)) ? a : NULL;
}

/* A new account gets a number if its masked name is not unique. */
static bool
new_account(struct ofx_paths *p, uint64_t key, struct ofx_statement *s, uint32_t statement, struct err *err)
{
	struct account new = { .statement = statement };
	uint64_t mask;

	name_account(p, s, false);
	mask = idmap_hash_text(buf_view(&p->name), 0);
	s->alike = idmap_get(&p->by_mask, mask) + 1;
	name_account(p, s, false);
	/* A listed account has no transactions. */
	if (!s->listed)
		new.thread = samples_thread(p->s, 0, 0, p->threads ? buf_view(&p->name) : STR(""), err);
	return (new.thread != 0 || s->listed) && idmap_put(&p->by_mask, mask, s->alike, err) &&
	    make_add(&p->accounts, &p->naccounts, &new, sizeof new, MAKE_MOST, "accounts", err) &&
	    idmap_put(&p->by_name, key, (uint32_t)p->naccounts, err);
}

/* Accounts of statements are found before those of lists. */
static bool
find_accounts(struct ofx_paths *p, uint8_t listed, struct err *err)
{
	struct ofx_statement *s = SCRATCH(p->x->statements, struct ofx_statement);
	const struct account *a;
	uint64_t key;

	for (uint64_t i = 0; i < p->x->nstatements; i++) {
		if (i % 1024 == 0 && !work_go(p->x->work, p->x->tokens.n, err))
			return false;
		if (s[i].listed != listed)
			continue;
		name_account(p, &s[i], true);
		key = idmap_hash_text(buf_view(&p->name), 0);
		a = known_account(p, key, buf_view(&p->name));
		if (a == NULL && !new_account(p, key, &s[i], (uint32_t)i + 1, err))
			return false;
		s[i].account = a == NULL ? (uint32_t)p->naccounts :
		    (uint32_t)(a - SCRATCH(p->accounts, struct account)) + 1;
		s[i].alike = s[SCRATCH(p->accounts, struct account)[s[i].account - 1].statement - 1].alike;
	}
	return (!p->name.bad && !p->text.bad) || fail(err, E_SYSTEM, "out of memory (name of an account)");
}

/* A transaction without a currency has that of its statement. */
static void
complete_rows(struct ofx *x)
{
	const struct ofx_statement *s = SCRATCH(x->statements, struct ofx_statement);
	struct ofx_money *row = SCRATCH(x->moneys, struct ofx_money);

	for (uint64_t i = 0; i < x->nmoneys; i++)
		if (row[i].currency == 0)
			row[i].currency = s[row[i].statement - 1].currency;
}

/* ---- samples ------------------------------------------------------------------------------------------ */

static struct currency *
currency_of(struct ofx_paths *p, uint64_t ref, struct err *err)
{
	struct currency new = { .ref = ref };
	uint64_t code = money_currency(text_or(p, ref, STR("?")));
	uint32_t row = idmap_get(&p->by_code, code);

	if (row == 0) {
		if (!make_add(&p->currencies, &p->ncurrencies, &new, sizeof new, MAKE_MOST, "currencies",
		    err) || !idmap_put(&p->by_code, code, row = (uint32_t)p->ncurrencies, err))
			return NULL;
	}
	return &SCRATCH(p->currencies, struct currency)[row - 1];
}

static bool
find_event(struct ofx_paths *p, struct currency *c, bool out, uint32_t *event, struct err *err)
{
	uint32_t *has = out ? &c->out : &c->in;

	if (*has == 0) {
		buf_clear(&p->name);
		buf_printf(&p->name, "%s ", out ? "out" : "in");
		buf_str(&p->name, text_or(p, c->ref, STR("?")));
		*has = samples_event(p->s, buf_view(&p->name), WEIGHT_MONEY, p->name.s + (out ? 4 : 3), err);
	}
	*event = *has;
	return *event != 0;
}

static void
note_day(struct ofx_paths *p, const struct ofx_money *row, struct sample *s)
{
	uint64_t days;

	s->time = SAMPLE_NO_TIME;
	if (row->day == 0 || !money_days(row->day, &days)) {
		p->x->count[OFX_NO_DAY]++;
		return;
	}
	s->time = days * MONEY_DAY_NS;
	p->first = p->first == 0 || row->day < p->first ? row->day : p->first;
	p->last = row->day > p->last ? row->day : p->last;
}

static bool
paths_add_sample(struct ofx_paths *p, const struct ofx_money *row, struct err *err)
{
	const struct ofx_statement *st = &SCRATCH(p->x->statements, struct ofx_statement)[row->statement - 1];
	struct sample s = { .thread = SCRATCH(p->accounts, struct account)[st->account - 1].thread,
	    .offset = row->at };
	struct currency *c;
	struct decimal d;

	if (row->pending && !p->pending)
		return true;
	note_day(p, row, &s);
	if (!money_amount(row->low, row->high, row->form, &d))
		return true;
	buf_clear(&p->name);
	decimal_text(d.value < 0 ? decimal_minus(d) : d, &p->name);
	if (!samples_weight(p->s, buf_view(&p->name), &s.weight, err) ||
	    !find_stack(p, row, st, &s.stack, err) || (c = currency_of(p, row->currency, err)) == NULL ||
	    !find_event(p, c, d.value < 0, &s.event, err) || !samples_add(p->s, &s, err) ||
	    !samples_weight(p->s, STR("1"), &s.weight, err))
		return false;
	s.event = p->count;
	return samples_add(p->s, &s, err);
}

/*
 * Choose the default event: spending (or income) with one currency, the number of transactions with several.
 */
static void
choose_event(struct ofx_paths *p)
{
	const struct currency *c = SCRATCH(p->currencies, struct currency);

	p->s->chosen = p->ncurrencies != 1 ? p->count : c->out != 0 ? c->out : c->in;
}

static bool
add_samples(struct ofx_paths *p, struct err *err)
{
	uint64_t n = p->x->nmoneys, window = 0;
	const struct ofx_money *row = SCRATCH(p->x->moneys, struct ofx_money);

	work_start(p->x->work, "transactions", n);
	p->count = samples_event(p->s, STR("transactions"), WEIGHT_WHOLE, "transactions", err);
	if (p->count == 0)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if ((i % 1024 == 0 && !work_go(p->x->work, i, err)) || !paths_add_sample(p, &row[i], err))
			return false;
		if (i % 1024 == 0) {
			map_forget(store_source(p->x->st), window, row[i].at);
			window = row[i].at;
		}
	}
	choose_event(p);
	p->s->times = p->first != 0;
	return true;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static bool
paths_put_facts(struct ofx_paths *p, struct err *err)
{
	const struct currency *c = SCRATCH(p->currencies, struct currency);
	const struct store *st = p->x->st;
	struct buf first = BUF_INIT, last = BUF_INIT;
	bool ok;

	buf_clear(&p->name);
	for (uint64_t i = 0; i < p->ncurrencies; i++) {
		buf_str(&p->name, i == 0 ? STR("") : STR(" "));
		buf_str(&p->name, text_or(p, c[i].ref, STR("?")));
	}
	money_day(p->first, &first);
	money_day(p->last, &last);
	const struct make_fact facts[] = {
		{ FACT_CURRENCIES, .text = buf_view(&p->name) }, { FACT_FIRST_DAY, .text = buf_view(&first) },
		{ FACT_LAST_DAY, .text = buf_view(&last) },
		{ FACT_BY, .text = fact_text(st, FACT_TRACE_ASK_BY), .how = MAKE_ANY },
	};
	ok = make_facts(p->x->st, facts, NELEM(facts), err);
	buf_free(&first);
	buf_free(&last);
	return ok;
}

bool
ofx_samples(struct ofx *x, struct samples *s)
{
	struct err *err = x->err;
	struct ofx_paths p = { .x = x, .s = s,
	    .from = { x->st, x->single_bytes, fact_text(x->st, FACT_TRACE_ASK_FULL).n > 0 },
		.pending = fact_text(x->st, FACT_TRACE_ASK_PENDING).n > 0 };
	bool ok;

	ok = read_levels(&p, err) && find_accounts(&p, 0, err) && find_accounts(&p, 1, err);
	if (ok)
		complete_rows(x);
	ok = ok && categorise(&p, err) && add_samples(&p, err) && paths_put_facts(&p, err);
	SCRATCH_FREE(&p.currencies, &p.accounts);
	idmap_free(&p.by_code);
	idmap_free(&p.by_name);
	idmap_free(&p.by_mask);
	buf_free(&p.name);
	buf_free(&p.text);
	return ok;
}
