/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_out: write bank statements as columns and facts.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_money.h"
#include "icecore/facts.h"
#include "ofx_tree.h"

#define STATEMENT(col, member) MAKE_FIT(COL_STATEMENT_##col, ofx_statement, member)
#define MONEY(col, member) MAKE_FIT(COL_MONEY_##col, ofx_money, member)
#define BALANCE(col, member) MAKE_FIT(COL_BALANCE_##col, ofx_balance, member)

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Sort balances by statement; statements get the range of their balances. */
static bool
order_balances(struct ofx *x)
{
	struct ofx_statement *s = SCRATCH(x->statements, struct ofx_statement);
	const struct ofx_balance *b;

	if (!make_sort(&x->balances, x->nbalances, sizeof *b, x->work, x->err))
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
count_again(struct ofx *x)
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
		x->count[OFX_AGAIN] += idmap_get(&seen, key) != 0;
		ok = work_go(x->work, i, x->err) && idmap_put(&seen, key, 1, x->err);
	}
	idmap_free(&seen);
	return ok;
}

/* The parents of elements come before them. */
static bool
put_elements(struct ofx *x)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_ELEMENT_NAME, ofx_listed, name),
		MAKE_FIT(COL_ELEMENT_PARENT, ofx_listed, parent),
		MAKE_FIT(COL_ELEMENT_VALUE, ofx_listed, value),
	};
	struct ofx_listed *all = SCRATCH(x->all, struct ofx_listed);

	assert(x->nall <= MAKE_MOST);
	for (uint64_t i = 0; i < x->nall; i++)
		if (all[i].parent != 0 && all[all[i].parent - 1].hollow)
			all[i].parent = all[all[i].parent - 1].parent;
	return make_columns(x->st, columns, NELEM(columns), MAKE_ROWS(all, x->nall), x->err);
}

bool
ofx_put_rows(struct ofx *x)
{
	static const struct make_column statements[] = {
		STATEMENT(ACCOUNT, account), STATEMENT(ALIKE, alike),
		STATEMENT(KIND, kind),
		STATEMENT(TYPE, type), STATEMENT(BANK, bank),
		STATEMENT(ID, id), STATEMENT(CURRENCY, currency),
		STATEMENT(LEDGER, ledger), STATEMENT(AVAILABLE, available),
		STATEMENT(BOOKED, booked), STATEMENT(PENDING, pending),
		STATEMENT(START, start), STATEMENT(LISTED, listed),
		STATEMENT(DESC, desc), STATEMENT(STATUS, status),
	}, moneys[] = {
		MONEY(STATEMENT, statement), MONEY(PENDING, pending),
		MONEY(DAY, day), MONEY(TYPE, type),
		MONEY(LOW, low), MONEY(HIGH, high),
		MONEY(FORM, form), MONEY(CURRENCY, currency),
		MONEY(PAYEE, payee), MONEY(MEMO, memo),
		MONEY(FITID, fitid), MONEY(CHECK, check),
		MONEY(SIC, sic), MONEY(CATEGORY, category),
	}, balances[] = {
		BALANCE(STATEMENT, statement), BALANCE(KIND, kind),
		BALANCE(NAME, name), BALANCE(DAY, day),
		BALANCE(LOW, low), BALANCE(HIGH, high),
		BALANCE(FORM, form),
	};

	return put_elements(x) && order_balances(x) && count_again(x) &&
	    make_columns(x->st, statements, NELEM(statements),
	    MAKE_ROWS(SCRATCH(x->statements, struct ofx_statement), x->nstatements), x->err) &&
	    make_columns(x->st, moneys, NELEM(moneys),
	    MAKE_ROWS(SCRATCH(x->moneys, struct ofx_money), x->nmoneys), x->err) &&
	    make_columns(x->st, balances, NELEM(balances),
	    MAKE_ROWS(SCRATCH(x->balances, struct ofx_balance), x->nbalances), x->err);
}

/* ---- facts ---------------------------------------------------------------------------------- */

bool
ofx_facts(const struct ofx *x)
{
	static const struct make_count counts[] = {
		{ FACT_REPAIR_NO_AMOUNT, OFX_NO_AMOUNT }, { FACT_REPAIR_NO_DAY, OFX_NO_DAY },
		{ FACT_REPAIR_SLOW_RULES, OFX_SLOW }, { FACT_REPAIR_REPEATED, OFX_AGAIN },
		{ FACT_REPAIR_IMPLICIT_CLOSE, OFX_IMPLICIT_CLOSE },
		{ FACT_REPAIR_STRAY_CLOSE, OFX_STRAY_CLOSE }, { FACT_REPAIR_HOISTED, OFX_HOISTED },
		{ FACT_REPAIR_STRAY_TEXT, OFX_STRAY_TEXT }, { FACT_REPAIR_OPEN_AT_END, OFX_OPEN_AT_END },
		{ FACT_LOSS_OUTSIDE, OFX_OUTSIDE }, { FACT_LOSS_DEEP_ELEMENTS, OFX_TOO_DEEP },
		{ FACT_LOSS_CUT_ELEMENT, OFX_CUT }, { FACT_LOSS_REFUSED, OFX_REFUSED },
	};
	const uint64_t *count = x->count;
	/* Nothing of the file is in a source but elements. */
	bool nothing = x->nstatements + count[OFX_REFUSED] + x->requests.n + x->seen[OFX_SECINFO] == 0;
	const char *reason = count[OFX_TOO_DEEP] > 0 ? "elements nested over a million deep" :
	    count[OFX_OUTSIDE] > 0 ? "transactions outside any statement" :
	    count[OFX_CUT] > 0 ? "the file ends inside an element" : nothing ?
	    "the file has no statement, account or request" :
	    count[OFX_REFUSED] > 0 ? "the bank refused a request" : "";
	const struct make_fact facts[] = {
		{ FACT_MONEY_SINGLE_BYTES, x->single_bytes, MAKE_ANY },
		{ FACT_STATEMENTS, x->nstatements - x->nlist },
		{ FACT_TRANSACTIONS, x->seen[OFX_STMTTRN] + x->seen[OFX_LOANTRN] },
		{ FACT_PENDING, x->seen[OFX_STMTTRNP], MAKE_ANY },
		{ FACT_INVESTMENT_TRANSACTIONS, x->seen[OFX_INVTRAN], MAKE_ANY },
		{ FACT_POSITIONS, x->seen[OFX_INVPOS], MAKE_ANY },
		{ FACT_SECURITIES, x->seen[OFX_SECINFO], MAKE_ANY },
		{ FACT_ACCOUNTS_LISTED, x->seen[OFX_ACCTINFO], MAKE_ANY }, { FACT_ELEMENTS, x->read },
		{ FACT_ELEMENT_DEPTH, x->depth },
		{ FACT_REQUEST, .text = buf_view(&x->requests), .how = MAKE_ANY },
		{ FACT_LOSS_NOT_SHOWN, nothing ? x->read : 0, MAKE_ANY },
		{ FACT_REFUSED_FIRST, .text = buf_view(&x->refusal), .how = MAKE_ANY },
	};

	return unread_facts(&x->unread, x->st, x->err) && make_facts(x->st, facts, NELEM(facts), x->err) &&
	    make_counts(x->st, counts, NELEM(counts), count, x->err) &&
	    (reason[0] == '\0' || fact_set_text(x->st, FACT_LOSS_REASON, str_of(reason), x->err));
}
