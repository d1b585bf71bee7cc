/*
 * ofx_out: bank statements that were read, as columns, as samples and as facts.
 *
 * A transaction is a sample: its account stands in the place of a thread, its type and its payee are the stack.  Each currency has two
 * events, what came in and what went out, so that amounts of several are never added up; one more counts the transactions.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "ofx_tree.h"

struct currency {
	uint64_t	ref;		/* its name */
	uint32_t	in, out;	/* events; 0: there is nothing */
};

struct moneys {
	struct ofx	*x;
	struct samples	*s;
	struct money_source from;
	struct idmap	 by_code;	/* row of currencies + 1 */
	struct scratch	 currencies;
	uint64_t	 ncurrencies;
	uint32_t	 count;		/* event */
	uint32_t	 first, last;	/* days */
	uint64_t	 no_day;
	struct buf	 name, text;
};

/* ---- accounts --------------------------------------------------------------------------------------- */

static struct str
text_or(struct moneys *m, uint64_t ref, struct str none, struct buf *b)
{
	return ref == 0 ? none : money_text(&m->from, ref, b);
}

/* "CHECKING 12345 EUR", as a thread. */
static bool
name_account(struct moneys *m, struct ofx_statement *s, struct err *err)
{
	buf_clear(&m->name);
	money_account_name(&m->from, (enum money_account)s->kind, s->type, s->id, s->currency, &m->name);
	if (m->name.bad)
		return fail(err, E_SYSTEM, "no memory for the name of an account");
	s->account = samples_thread(m->s, 0, 0, buf_view(&m->name), err);
	return s->account != 0;
}

static bool
name_accounts(struct moneys *m, struct err *err)
{
	struct ofx_statement *s = SCRATCH(m->x->statements, struct ofx_statement);

	for (uint64_t i = 0; i < m->x->nstatements; i++)
		if ((i % 1024 == 0 && !work_go(m->x->work, m->x->tokens.n, err)) || !name_account(m, &s[i], err))
			return false;
	return true;
}

/* ---- samples ------------------------------------------------------------------------------------------ */

static struct currency *
currency_of(struct moneys *m, uint64_t ref, struct err *err)
{
	struct currency new = { .ref = ref };
	uint64_t code = money_currency(text_or(m, ref, STR("?"), &m->text));
	uint32_t row = idmap_get(&m->by_code, code);

	if (row == 0) {
		if (!make_add(&m->currencies, &m->ncurrencies, &new, sizeof new, MAKE_MOST, "currencies", err) ||
		    !idmap_put(&m->by_code, code, row = (uint32_t)m->ncurrencies, err))
			return NULL;
	}
	return &SCRATCH(m->currencies, struct currency)[row - 1];
}

static bool
find_event(struct moneys *m, struct currency *c, bool out, uint32_t *event, struct err *err)
{
	uint32_t *has = out ? &c->out : &c->in;

	if (*has == 0) {
		buf_clear(&m->name);
		buf_printf(&m->name, "%s ", out ? "out" : "in");
		buf_str(&m->name, text_or(m, c->ref, STR("?"), &m->text));
		*has = samples_event(m->s, buf_view(&m->name), WEIGHT_MONEY, m->name.s + (out ? 4 : 3), err);
	}
	*event = *has;
	return *event != 0;
}

static bool
find_stack(struct moneys *m, const struct ofx_money *row, uint32_t *stack, struct err *err)
{
	uint32_t type, payee, above;

	type = samples_frame(m->s, money_type(&m->from, row->type, &m->text), STR(""), 0, err);
	payee = type == 0 ? 0 : samples_frame(m->s, money_payee(&m->from, row->payee, row->check, &m->text), STR(""), 0, err);
	above = payee == 0 ? 0 : samples_stack(m->s, 0, type, err);
	*stack = above == 0 ? 0 : samples_stack(m->s, above, payee, err);
	return *stack != 0 && (!m->text.bad || fail(err, E_SYSTEM, "no memory for a payee"));
}

static void
note_day(struct moneys *m, uint32_t day)
{
	m->first = m->first == 0 || day < m->first ? day : m->first;
	m->last = day > m->last ? day : m->last;
}

static bool
add_sample(struct moneys *m, struct ofx_money *row, struct err *err)
{
	const struct ofx_statement *st = &SCRATCH(m->x->statements, struct ofx_statement)[row->statement - 1];
	struct sample s = { .thread = st->account, .time = SAMPLE_NO_TIME, .offset = row->at };
	struct currency *c;
	struct decimal d;
	uint64_t days;

	if (row->currency == 0)
		row->currency = st->currency;
	if (row->pending)
		return true;
	if (row->day != 0 && money_days(row->day, &days)) {
		s.time = days * MONEY_DAY_NS;
		note_day(m, row->day);
	} else {
		m->no_day++;
	}
	if (!money_amount(row->low, row->high, row->form, &d))
		return true;
	buf_clear(&m->name);
	decimal_text(d.value < 0 ? decimal_minus(d) : d, &m->name);
	if (!samples_weight(m->s, buf_view(&m->name), &s.weight, err) || !find_stack(m, row, &s.stack, err) ||
	    (c = currency_of(m, row->currency, err)) == NULL || !find_event(m, c, d.value < 0, &s.event, err) ||
	    !samples_add(m->s, &s, err) || !samples_weight(m->s, STR("1"), &s.weight, err))
		return false;
	s.event = m->count;
	return samples_add(m->s, &s, err);
}

/* What is spent of the only currency is asked for first; of several, how many transactions there are. */
static void
choose_event(struct moneys *m)
{
	const struct currency *c = SCRATCH(m->currencies, struct currency);

	m->s->chosen = m->ncurrencies != 1 ? m->count : c->out != 0 ? c->out : c->in;
}

static bool
add_samples(struct moneys *m, struct err *err)
{
	struct ofx_money *row = SCRATCH(m->x->moneys, struct ofx_money);

	work_start(m->x->work, "transactions", m->x->nmoneys);
	m->count = samples_event(m->s, STR("transactions"), WEIGHT_WHOLE, "transactions", err);
	if (m->count == 0)
		return false;
	for (uint64_t i = 0; i < m->x->nmoneys; i++)
		if ((i % 1024 == 0 && !work_go(m->x->work, i, err)) || !add_sample(m, &row[i], err))
			return false;
	choose_event(m);
	m->s->times = m->first != 0;
	return true;
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Balances by statement; statements get the numbers of theirs. */
static bool
order_balances(struct ofx *x, struct err *err)
{
	struct ofx_statement *s = SCRATCH(x->statements, struct ofx_statement);
	const struct ofx_balance *b;

	if (!make_sort(&x->balances, x->nbalances, sizeof *b, x->work, err))
		return false;
	b = SCRATCH(x->balances, struct ofx_balance);
	for (uint64_t i = 0; i < x->nbalances; i++) {
		assert(b[i].statement != 0 && b[i].statement <= x->nstatements);
		if (b[i].kind == BALANCE_LEDGER)
			s[b[i].statement - 1].ledger = (uint32_t)i + 1;
		if (b[i].kind == BALANCE_AVAILABLE)
			s[b[i].statement - 1].available = (uint32_t)i + 1;
	}
	return true;
}

static bool
put_columns(struct ofx *x, struct err *err)
{
	static const struct make_column statements[] = {
		MAKE_FIT(COL_STATEMENT_ACCOUNT, ofx_statement, account), MAKE_FIT(COL_STATEMENT_KIND, ofx_statement, kind),
		MAKE_FIT(COL_STATEMENT_TYPE, ofx_statement, type), MAKE_FIT(COL_STATEMENT_BANK, ofx_statement, bank),
		MAKE_FIT(COL_STATEMENT_ID, ofx_statement, id), MAKE_FIT(COL_STATEMENT_CURRENCY, ofx_statement, currency),
		MAKE_FIT(COL_STATEMENT_LEDGER, ofx_statement, ledger), MAKE_FIT(COL_STATEMENT_AVAILABLE, ofx_statement, available),
		MAKE_FIT(COL_STATEMENT_BOOKED, ofx_statement, booked), MAKE_FIT(COL_STATEMENT_PENDING, ofx_statement, pending),
	}, moneys[] = {
		MAKE_FIT(COL_MONEY_STATEMENT, ofx_money, statement), MAKE_FIT(COL_MONEY_PENDING, ofx_money, pending),
		MAKE_FIT(COL_MONEY_DAY, ofx_money, day), MAKE_FIT(COL_MONEY_TYPE, ofx_money, type),
		MAKE_FIT(COL_MONEY_LOW, ofx_money, low), MAKE_FIT(COL_MONEY_HIGH, ofx_money, high),
		MAKE_FIT(COL_MONEY_FORM, ofx_money, form), MAKE_FIT(COL_MONEY_CURRENCY, ofx_money, currency),
		MAKE_FIT(COL_MONEY_PAYEE, ofx_money, payee), MAKE_FIT(COL_MONEY_MEMO, ofx_money, memo),
		MAKE_FIT(COL_MONEY_FITID, ofx_money, fitid), MAKE_FIT(COL_MONEY_CHECK, ofx_money, check),
	}, balances[] = {
		MAKE_FIT(COL_BALANCE_STATEMENT, ofx_balance, statement), MAKE_FIT(COL_BALANCE_KIND, ofx_balance, kind),
		MAKE_FIT(COL_BALANCE_NAME, ofx_balance, name), MAKE_FIT(COL_BALANCE_DAY, ofx_balance, day),
		MAKE_FIT(COL_BALANCE_LOW, ofx_balance, low), MAKE_FIT(COL_BALANCE_HIGH, ofx_balance, high),
		MAKE_FIT(COL_BALANCE_FORM, ofx_balance, form),
	};

	return make_columns(x->st, statements, NELEM(statements),
	    MAKE_ROWS(SCRATCH(x->statements, struct ofx_statement), x->nstatements), err) &&
	    make_columns(x->st, moneys, NELEM(moneys), MAKE_ROWS(SCRATCH(x->moneys, struct ofx_money), x->nmoneys), err) &&
	    make_columns(x->st, balances, NELEM(balances),
	    MAKE_ROWS(SCRATCH(x->balances, struct ofx_balance), x->nbalances), err);
}

/* ---- facts ----------------------------------------------------------------------------------------------- */

static bool
list_currencies(struct moneys *m, struct err *err)
{
	const struct currency *c = SCRATCH(m->currencies, struct currency);

	buf_clear(&m->name);
	for (uint64_t i = 0; i < m->ncurrencies; i++) {
		buf_str(&m->name, i == 0 ? STR("") : STR(" "));
		buf_str(&m->name, text_or(m, c[i].ref, STR("?"), &m->text));
	}
	return store_fact_text(m->x->st, "currencies", buf_view(&m->name), err);
}

static bool
put_days(struct moneys *m, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	money_day(m->first, &b);
	ok = store_fact_text(m->x->st, "first_day", buf_view(&b), err);
	buf_clear(&b);
	money_day(m->last, &b);
	ok = ok && store_fact_text(m->x->st, "last_day", buf_view(&b), err);
	buf_free(&b);
	return ok;
}

static bool
put_facts(struct moneys *m, struct err *err)
{
	const struct ofx *x = m->x;
	const char *reason = x->too_deep > 0 ? "elements lie more than a million deep" :
	    x->outside > 0 ? "transactions lie outside of any statement" :
	    x->cut ? "the file ends within an element" : "";
	const struct make_fact facts[] = {
		{ "money.single_bytes", x->single_bytes, MAKE_ANY },
		{ "statements", x->nstatements }, { "transactions", x->seen[OFX_STMTTRN] + x->seen[OFX_LOANTRN] },
		{ "pending", x->seen[OFX_STMTTRNP], MAKE_ANY }, { "investment_transactions", x->seen[OFX_INVTRAN], MAKE_ANY },
		{ "positions", x->seen[OFX_INVPOS], MAKE_ANY }, { "securities", x->seen[OFX_SECINFO], MAKE_ANY },
		{ "accounts_listed", x->seen[OFX_ACCTINFO], MAKE_ANY },
		{ "elements", x->read }, { "element_depth", x->depth }, { "unknown_elements", x->unknown, MAKE_ANY },
		{ "repair.no_amount", x->no_amount, MAKE_ANY }, { "repair.no_day", m->no_day, MAKE_ANY },
		{ "repair.implicit_close", x->implicit_close, MAKE_ANY }, { "repair.stray_close", x->stray_close, MAKE_ANY },
		{ "repair.hoisted", x->hoisted, MAKE_ANY }, { "repair.stray_text", x->stray_text, MAKE_ANY },
		{ "repair.open_at_end", x->open_at_end, MAKE_ANY },
		{ "loss.outside", x->outside, MAKE_ANY }, { "loss.deep_elements", x->too_deep, MAKE_ANY },
		{ "loss.cut_element", x->cut, MAKE_ANY },
		{ "loss.reason", .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(x->st, facts, NELEM(facts), err) && list_currencies(m, err) && put_days(m, err);
}

bool
ofx_columns(struct ofx *x, struct samples *s, struct err *err)
{
	struct moneys m = { .x = x, .s = s, .from = { x->st, x->single_bytes } };
	bool ok;

	ok = name_accounts(&m, err) && add_samples(&m, err) && order_balances(x, err) && put_columns(x, err);
	scratch_free(&x->moneys);
	ok = ok && put_facts(&m, err) && samples_columns(s, err);
	SCRATCH_FREE(&m.currencies);
	idmap_free(&m.by_code);
	buf_free(&m.name);
	buf_free(&m.text);
	return ok;
}
