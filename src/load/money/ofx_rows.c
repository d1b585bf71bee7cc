/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_rows: make statements, transactions and balances when their elements end.
 */
#include "config.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "ofx_tree.h"

#define MESSAGE_MOST 255u	/* bytes of a bank's message; the specification permits this number of characters */
#define BALANCE_ORDER 8u	/* maximum kinds of balances in a statement */

/* ---- values ------------------------------------------------------------------------------------- */

static struct str
text_in(struct ofx *x, const struct ofx_element *e)
{
	if (e == NULL)
		return STR("");
	return money_value((struct str){ x->tokens.s + e->from, e->to - e->from }, x->single_bytes, &x->text);
}

static uint64_t
ref_of(const struct ofx *x, const struct ofx_element *parent, enum ofx_use use)
{
	return ofx_ref(ofx_child(x, parent, use));
}

/* Return the first of two texts that is not blank. */
static uint64_t
either(uint64_t ref, uint64_t other)
{
	return ref != 0 ? ref : other;
}

static uint32_t
rows_day_of(struct ofx *x, const struct ofx_element *e)
{
	return ofx_day(text_in(x, e));
}

/* False: the text is not an amount. */
static bool
take_amount(struct ofx *x, const struct ofx_element *e, uint64_t *low, uint64_t *high, uint8_t *form)
{
	struct decimal d;

	*form = MONEY_NONE;
	if (!ofx_amount(text_in(x, e), &d))
		return false;
	money_form(d, low, high, form);
	return true;
}

/* ---- balances ------------------------------------------------------------------------------------ */

/* Add a balance; its row, or 0: failed. */
static uint32_t
add_balance(struct ofx *x, uint32_t statement, enum money_balance kind)
{
	struct ofx_balance b = { .order = (uint64_t)statement * BALANCE_ORDER + kind, .statement = statement,
	    .kind = (uint8_t)kind, .form = MONEY_NONE };

	MAKE_PUT(x, balances, b, MAKE_MOST, "balances");
	return x->bad ? 0 : (uint32_t)x->nbalances;
}

static void
put_balance(struct ofx *x, uint32_t statement, enum money_balance kind, const struct ofx_element *amount,
    const struct ofx_element *day)
{
	uint32_t row = add_balance(x, statement, kind);
	struct ofx_balance *b;

	if (row == 0)
		return;
	b = &SCRATCH(x->balances, struct ofx_balance)[row - 1];
	b->day = rows_day_of(x, day);
	take_amount(x, amount, &b->low, &b->high, &b->form);
}

static void
put_balances(struct ofx *x, uint32_t statement, const struct ofx_element *e)
{
	static const struct { enum ofx_use use; enum money_balance kind; } listed[] = {
		{ OFX_LEDGERBAL, BALANCE_LEDGER }, { OFX_AVAILBAL, BALANCE_AVAILABLE },
	}, invested[] = {
		{ OFX_AVAILCASH, BALANCE_CASH }, { OFX_MARGINBALANCE, BALANCE_MARGIN },
		{ OFX_SHORTBALANCE, BALANCE_SHORT }, { OFX_BUYPOWER, BALANCE_POWER },
	};
	const struct ofx_element *all = ofx_child(x, e, OFX_INVBAL), *at;

	for (size_t i = 0; i < NELEM(listed); i++)
		if ((at = ofx_child(x, e, listed[i].use)) != NULL)
			put_balance(x, statement, listed[i].kind, ofx_child(x, at, OFX_BALAMT),
			    ofx_child(x, at, OFX_DTASOF));
	for (size_t i = 0; i < NELEM(invested); i++)
		if ((at = ofx_child(x, all, invested[i].use)) != NULL)
			put_balance(x, statement, invested[i].kind, at, ofx_child(x, e, OFX_DTASOF));
}

static void
end_balance(struct ofx *x, const struct ofx_element *e)
{
	struct ofx_balance *b = &SCRATCH(x->balances, struct ofx_balance)[e->row - 1];

	b->name = ref_of(x, e, OFX_NAME);
	b->day = rows_day_of(x, ofx_child(x, e, OFX_DTASOF));
	take_amount(x, ofx_child(x, e, OFX_VALUE), &b->low, &b->high, &b->form);
}

/* ---- transactions ------------------------------------------------------------------------------- */

static void
begin_money(struct ofx *x, struct ofx_element *e)
{
	struct ofx_money m = { .at = x->tokens.at, .statement = x->statement, .form = MONEY_NONE,
	    .pending = e->use == OFX_STMTTRNP };
	struct ofx_statement *s;

	if (x->statement == 0) {
		x->count[OFX_OUTSIDE]++;
		return;
	}
	MAKE_PUT(x, moneys, m, MAKE_MOST, "transactions");
	e->row = (uint32_t)x->nmoneys;
	s = &SCRATCH(x->statements, struct ofx_statement)[x->statement - 1];
	s->pending += m.pending;
	s->booked += !m.pending;
}

static void
end_money(struct ofx *x, const struct ofx_element *e)
{
	struct ofx_money *m = &SCRATCH(x->moneys, struct ofx_money)[e->row - 1];
	const struct ofx_element *posted = ofx_child(x, e, OFX_DTPOSTED);

	m->type = ref_of(x, e, OFX_TRNTYPE);
	m->memo = ref_of(x, e, OFX_MEMO);
	m->payee = either(either(ref_of(x, e, OFX_NAME), ref_of(x, ofx_child(x, e, OFX_PAYEE), OFX_NAME)),
	    m->memo);
	m->fitid = ref_of(x, e, OFX_FITID);
	m->check = ref_of(x, e, OFX_CHECKNUM);
	m->sic = ref_of(x, e, OFX_SIC);
	m->currency = ref_of(x, ofx_child(x, e, OFX_CURRENCY), OFX_CURSYM);
	m->day = rows_day_of(x, ofx_ref(posted) != 0 ? posted : ofx_child(x, e, OFX_DTTRAN));
	x->count[OFX_NO_AMOUNT] += !take_amount(x, ofx_child(x, e, OFX_TRNAMT), &m->low, &m->high, &m->form);
}

/* ---- statements ---------------------------------------------------------------------------------- */

static void
begin_statement(struct ofx *x, struct ofx_element *e)
{
	struct ofx_statement s = { .outer = x->statement,
	    .kind = (uint8_t)(e->use - OFX_STMTRS + MONEY_BANK) };

	MAKE_PUT(x, statements, s, MAKE_MOST, "statements");
	if (!x->bad)
		e->row = x->statement = (uint32_t)x->nstatements;
}

/* Start of the first transaction list of a statement. */
static void
end_list(struct ofx *x, const struct ofx_element *e)
{
	struct ofx_statement *s = &SCRATCH(x->statements, struct ofx_statement)[e->row - 1];

	s->start = s->start != 0 ? s->start : rows_day_of(x, ofx_child(x, e, OFX_DTSTART));
}

/* Return the account of a statement, the first one if there are several. */
static const struct ofx_element *
account_of(const struct ofx *x, const struct ofx_element *e)
{
	static const enum ofx_use kinds[] =
	    { OFX_BANKACCTFROM, OFX_CCACCTFROM, OFX_INVACCTFROM, OFX_LOANACCTFROM };
	const struct ofx_element *account = NULL, *at;

	for (size_t i = 0; i < NELEM(kinds); i++) {
		at = ofx_child(x, e, kinds[i]);
		/* Rows are stored in file order. */
		if (at != NULL && (account == NULL || at < account))
			account = at;
	}
	return account;
}

/* The type, bank and number of an account. */
static void
name_statement(const struct ofx *x, const struct ofx_element *account, struct ofx_statement *s)
{
	s->type = ref_of(x, account, OFX_ACCTTYPE);
	s->bank = either(ref_of(x, account, OFX_BANKID), ref_of(x, account, OFX_BROKERID));
	s->id = either(ref_of(x, account, OFX_ACCTID), ref_of(x, account, OFX_LOANACCTID));
}

static void
end_statement(struct ofx *x, const struct ofx_element *e)
{
	struct ofx_statement *s = &SCRATCH(x->statements, struct ofx_statement)[e->row - 1];

	name_statement(x, account_of(x, e), s);
	s->currency = ref_of(x, e, OFX_CURDEF);
	x->statement = s->outer;
	put_balances(x, e->row, e);
}

/* ---- lists of accounts --------------------------------------------------------------------------- */

static void
end_account(struct ofx *x, const struct ofx_element *e)
{
	static const struct { enum ofx_use use; enum money_account kind; } kinds[] = {
		{ OFX_BANKACCTINFO, MONEY_BANK }, { OFX_CCACCTINFO, MONEY_CREDITCARD },
		{ OFX_INVACCTINFO, MONEY_INVESTMENT }, { OFX_LOANACCTINFO, MONEY_LOAN },
		{ OFX_BPACCTINFO, MONEY_BANK },
	};
	const struct ofx_element *info, *account;
	struct ofx_statement s;
	uint64_t before = x->nlist;

	for (size_t i = 0; i < NELEM(kinds); i++) {
		info = ofx_child(x, e, kinds[i].use);
		account = account_of(x, info);
		/* Payments of bills are a service of an account that is mostly listed already. */
		if (account == NULL || (kinds[i].use == OFX_BPACCTINFO && x->nlist > before))
			continue;
		s = (struct ofx_statement){ .kind = (uint8_t)kinds[i].kind, .listed = 1,
		    .desc = ref_of(x, e, OFX_DESC),
			.status = ref_of(x, info, OFX_SVCSTATUS) };
		name_statement(x, account, &s);
		MAKE_PUT(x, statements, s, MAKE_MOST, "accounts");
		x->nlist++;
	}
}

void
ofx_row_request(struct ofx *x)
{
	static const struct { struct str name; struct str what; } known[] = {
		{ STR("SONRQ"), STR("sign-on") }, { STR("ACCTINFOTRNRQ"), STR("list of accounts") },
		{ STR("STMTTRNRQ"), STR("bank statement") }, { STR("CCSTMTTRNRQ"), STR("card statement") },
		{ STR("INVSTMTTRNRQ"), STR("investment statement") },
		{ STR("LOANSTMTTRNRQ"), STR("loan statement") },
		{ STR("PROFTRNRQ"), STR("profile of the bank") },
	};
	struct str what = x->tokens.text;

	for (size_t i = 0; i < NELEM(known); i++)
		if (what.n == known[i].name.n && strncasecmp(what.s, known[i].name.s, what.n) == 0) {
			what = known[i].what;
			break;
		}
	/* Only names of the specification come here, so the text has a limit. */
	if (x->requests.n > 0 && memmem(x->requests.s, x->requests.n, what.s, what.n) != NULL)
		return;
	buf_list(&x->requests, ", ", what);
}

/* ---- responses of the bank ------------------------------------------------------------------------ */

static void
end_status(struct ofx *x, const struct ofx_element *e)
{
	struct str severity = text_in(x, ofx_child(x, e, OFX_SEVERITY)), message;

	if (severity.n != 5 || strncasecmp(severity.s, "ERROR", 5) != 0 || x->count[OFX_REFUSED]++ > 0)
		return;
	buf_str(&x->refusal, text_in(x, ofx_child(x, e, OFX_CODE)));
	message = text_in(x, ofx_child(x, e, OFX_MESSAGE));
	if (message.n > MESSAGE_MOST)
		for (message.n = MESSAGE_MOST; (message.s[message.n] & 0xc0) == 0x80; )
			message.n--;
	buf_str(&x->refusal, message.n > 0 ? STR(" ") : message);
	buf_str(&x->refusal, message);
}

/* ---- all --------------------------------------------------------------------------------------------- */

void
ofx_row_begin(struct ofx *x, struct ofx_element *e)
{
	switch ((enum ofx_use)e->use) {
	case OFX_STMTRS: case OFX_CCSTMTRS: case OFX_INVSTMTRS: case OFX_LOANSTMTRS:
		begin_statement(x, e);
		break;
	case OFX_STATUS: case OFX_ACCTINFO:
		e->row = 1;	/* rows are made when it ends */
		break;
	case OFX_BANKTRANLIST:
		e->row = x->statement;
		break;
	case OFX_BAL:
		if (x->statement != 0)
			e->row = add_balance(x, x->statement, BALANCE_OTHER);
		break;
	default:
		begin_money(x, e);
		break;
	}
}

void
ofx_row_end(struct ofx *x, const struct ofx_element *e)
{
	switch ((enum ofx_use)e->use) {
	case OFX_STMTRS: case OFX_CCSTMTRS: case OFX_INVSTMTRS: case OFX_LOANSTMTRS:
		end_statement(x, e);
		break;
	case OFX_STATUS:
		end_status(x, e);
		break;
	case OFX_ACCTINFO:
		end_account(x, e);
		break;
	case OFX_BANKTRANLIST:
		end_list(x, e);
		break;
	case OFX_BAL:
		end_balance(x, e);
		break;
	default:
		end_money(x, e);
		break;
	}
}
