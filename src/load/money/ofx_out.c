/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_out: write bank statements as columns and facts.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_money.h"
#include "icecore/facts.h"
#include "ofx_tree.h"

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Sort balances by statement; statements get the range of their balances. */
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

/* Overlapping statements contain some transactions twice: the bank gives each an id of its own. */
static bool
count_again(struct ofx *x, struct err *err)
{
	const struct ofx_statement *s = SCRATCH(x->statements, struct ofx_statement);
	const struct ofx_money *m = SCRATCH(x->moneys, struct ofx_money);
	struct idmap seen = IDMAP_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && i < x->nmoneys; i++) {
		uint64_t what[] = { s[m[i].statement - 1].account, m[i].day, m[i].low, m[i].high, m[i].form,
			idmap_hash_text(store_text(x->st, m[i].fitid), 0) };
		uint64_t key = idmap_hash_text((struct str){ (const char *)what, sizeof what }, 0);

		if (m[i].fitid == 0 || m[i].pending)
			continue;
		x->again += idmap_get(&seen, key) != 0;
		ok = (work_tick(x->work, i) || fail_cancel(err)) && idmap_put(&seen, key, 1, err);
	}
	idmap_free(&seen);
	return ok;
}

/* The parents of elements come before them. */
static bool
put_elements(struct ofx *x, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_ELEMENT_NAME, ofx_listed, name), MAKE_FIT(COL_ELEMENT_PARENT, ofx_listed, parent),
		MAKE_FIT(COL_ELEMENT_VALUE, ofx_listed, value),
	};
	struct ofx_listed *all = SCRATCH(x->all, struct ofx_listed);

	assert(x->nall <= MAKE_MOST);
	for (uint64_t i = 0; i < x->nall; i++)
		if (all[i].parent != 0 && all[all[i].parent - 1].hollow)
			all[i].parent = all[all[i].parent - 1].parent;
	return make_columns(x->st, columns, NELEM(columns), MAKE_ROWS(all, x->nall), err);
}

bool
ofx_put_rows(struct ofx *x, struct err *err)
{
	static const struct make_column statements[] = {
		MAKE_FIT(COL_STATEMENT_ACCOUNT, ofx_statement, account), MAKE_FIT(COL_STATEMENT_ALIKE, ofx_statement, alike),
		MAKE_FIT(COL_STATEMENT_KIND, ofx_statement, kind),
		MAKE_FIT(COL_STATEMENT_TYPE, ofx_statement, type), MAKE_FIT(COL_STATEMENT_BANK, ofx_statement, bank),
		MAKE_FIT(COL_STATEMENT_ID, ofx_statement, id), MAKE_FIT(COL_STATEMENT_CURRENCY, ofx_statement, currency),
		MAKE_FIT(COL_STATEMENT_LEDGER, ofx_statement, ledger), MAKE_FIT(COL_STATEMENT_AVAILABLE, ofx_statement, available),
		MAKE_FIT(COL_STATEMENT_BOOKED, ofx_statement, booked), MAKE_FIT(COL_STATEMENT_PENDING, ofx_statement, pending),
		MAKE_FIT(COL_STATEMENT_START, ofx_statement, start), MAKE_FIT(COL_STATEMENT_LISTED, ofx_statement, listed),
		MAKE_FIT(COL_STATEMENT_DESC, ofx_statement, desc), MAKE_FIT(COL_STATEMENT_STATUS, ofx_statement, status),
	}, moneys[] = {
		MAKE_FIT(COL_MONEY_STATEMENT, ofx_money, statement), MAKE_FIT(COL_MONEY_PENDING, ofx_money, pending),
		MAKE_FIT(COL_MONEY_DAY, ofx_money, day), MAKE_FIT(COL_MONEY_TYPE, ofx_money, type),
		MAKE_FIT(COL_MONEY_LOW, ofx_money, low), MAKE_FIT(COL_MONEY_HIGH, ofx_money, high),
		MAKE_FIT(COL_MONEY_FORM, ofx_money, form), MAKE_FIT(COL_MONEY_CURRENCY, ofx_money, currency),
		MAKE_FIT(COL_MONEY_PAYEE, ofx_money, payee), MAKE_FIT(COL_MONEY_MEMO, ofx_money, memo),
		MAKE_FIT(COL_MONEY_FITID, ofx_money, fitid), MAKE_FIT(COL_MONEY_CHECK, ofx_money, check),
		MAKE_FIT(COL_MONEY_SIC, ofx_money, sic), MAKE_FIT(COL_MONEY_CATEGORY, ofx_money, category),
	}, balances[] = {
		MAKE_FIT(COL_BALANCE_STATEMENT, ofx_balance, statement), MAKE_FIT(COL_BALANCE_KIND, ofx_balance, kind),
		MAKE_FIT(COL_BALANCE_NAME, ofx_balance, name), MAKE_FIT(COL_BALANCE_DAY, ofx_balance, day),
		MAKE_FIT(COL_BALANCE_LOW, ofx_balance, low), MAKE_FIT(COL_BALANCE_HIGH, ofx_balance, high),
		MAKE_FIT(COL_BALANCE_FORM, ofx_balance, form),
	};

	return put_elements(x, err) && order_balances(x, err) && count_again(x, err) && make_columns(x->st, statements, NELEM(statements),
	    MAKE_ROWS(SCRATCH(x->statements, struct ofx_statement), x->nstatements), err) &&
	    make_columns(x->st, moneys, NELEM(moneys), MAKE_ROWS(SCRATCH(x->moneys, struct ofx_money), x->nmoneys), err) &&
	    make_columns(x->st, balances, NELEM(balances),
	    MAKE_ROWS(SCRATCH(x->balances, struct ofx_balance), x->nbalances), err);
}

/* ---- facts ----------------------------------------------------------------------------------------------- */

bool
ofx_facts(const struct ofx *x, struct err *err)
{
	/* Nothing of the file is in a source but elements. */
	bool nothing = x->nstatements + x->refused + x->requests.n + x->seen[OFX_SECINFO] == 0;
	const char *reason = x->too_deep > 0 ? "elements nested over a million deep" :
	    x->outside > 0 ? "transactions outside any statement" :
	    x->cut ? "the file ends inside an element" : nothing ? "the file has no statement, account or request" : "";
	const struct make_fact facts[] = {
		{ FACT_MONEY_SINGLE_BYTES, x->single_bytes, MAKE_ANY },
		{ FACT_STATEMENTS, x->nstatements - x->nlist }, { FACT_TRANSACTIONS, x->seen[OFX_STMTTRN] + x->seen[OFX_LOANTRN] },
		{ FACT_PENDING, x->seen[OFX_STMTTRNP], MAKE_ANY }, { FACT_INVESTMENT_TRANSACTIONS, x->seen[OFX_INVTRAN], MAKE_ANY },
		{ FACT_POSITIONS, x->seen[OFX_INVPOS], MAKE_ANY }, { FACT_SECURITIES, x->seen[OFX_SECINFO], MAKE_ANY },
		{ FACT_ACCOUNTS_LISTED, x->seen[OFX_ACCTINFO], MAKE_ANY },
		{ FACT_ELEMENTS, x->read }, { FACT_ELEMENT_DEPTH, x->depth },
		{ FACT_REQUEST, .text = buf_view(&x->requests), .how = MAKE_ANY },
		{ FACT_LOSS_NOT_SHOWN, nothing ? x->read : 0, MAKE_ANY },
		{ FACT_REFUSED, x->refused, MAKE_ANY }, { FACT_REFUSED_FIRST, .text = buf_view(&x->refusal), .how = MAKE_ANY },
		{ FACT_REPAIR_NO_AMOUNT, x->no_amount, MAKE_ANY }, { FACT_REPAIR_NO_DAY, x->no_day, MAKE_ANY },
		{ FACT_REPAIR_SLOW_RULES, x->slow, MAKE_ANY }, { FACT_REPAIR_REPEATED, x->again, MAKE_ANY },
		{ FACT_REPAIR_IMPLICIT_CLOSE, x->implicit_close, MAKE_ANY }, { FACT_REPAIR_STRAY_CLOSE, x->stray_close, MAKE_ANY },
		{ FACT_REPAIR_HOISTED, x->hoisted, MAKE_ANY }, { FACT_REPAIR_STRAY_TEXT, x->stray_text, MAKE_ANY },
		{ FACT_REPAIR_OPEN_AT_END, x->open_at_end, MAKE_ANY },
		{ FACT_LOSS_OUTSIDE, x->outside, MAKE_ANY }, { FACT_LOSS_DEEP_ELEMENTS, x->too_deep, MAKE_ANY },
		{ FACT_LOSS_CUT_ELEMENT, x->cut, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return unread_facts(&x->unread, x->st, err) && make_facts(x->st, facts, NELEM(facts), err);
}
