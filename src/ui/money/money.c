/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * money: lists of bank statements.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec payees_list[] = { {
	.base = "transactions | group payee currency : sum amount as total, count", .columns = "select payee total currency count",
	.sort = "total", .named = "payee"
} };

static const struct list_spec transactions_list[] = { {
	.columns = "select date amount payee account type memo currency state", .sort = "date", .naming = "payee",
	.quiet = "type memo currency state"
} };

static const struct list_spec accounts_list[] = { {
	.columns = "select id kind currency ledger ledger_asof available transactions pending bank desc status",
	.quiet = "pending bank desc status",
	.named = "id"
} };

static const struct list_spec balances_list[] = { { .named = "account" } };

static const struct list_spec check_list[] = { {
	.columns = "select account transactions sum ledger verdict", .named = "account"
} };

static const struct list_spec elements_list[] = { { .named = "path" } };

/* Enter on a payee opens its transactions. */
static bool
act_payees(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT;
	struct cell	 c;
	bool		 ok;

	if (verb != VERB_ENTER)
		return list_act(l, verb);
	buf_str(&query, STR("transactions | where payee = "));
	ok = list_cell(l, "payee", &c) && list_quote(c.text, &query);
	buf_str(&query, STR(" and currency = "));
	ok = ok && list_cell(l, "currency", &c) && list_quote(c.text, &query);
	buf_str(&query, STR(" | select date amount type account memo currency state | sort date"));
	if (ok && !query.bad)
		list_ask(l, query.s, "payee");
	buf_free(&query);
	return ok;
}

#define LIST_OF_MONEY(name, source, specs, enter) { name, source, SHAPE_MONEY, IN_LIST, LISTS_OF(specs), .plain = true, \
	.tell[TELL_PATH] = list_pane_path, .act = enter }

const struct pane_kind pane_payees = LIST_OF_MONEY("Payees", "transactions", payees_list, act_payees);
const struct pane_kind pane_transactions = LIST_OF_MONEY("Transactions", "transactions", transactions_list, NULL);
const struct pane_kind pane_accounts = LIST_OF_MONEY("Accounts", "accounts", accounts_list, NULL);
const struct pane_kind pane_balances = LIST_OF_MONEY("Balances", "balances", balances_list, NULL);
const struct pane_kind pane_balance_check = LIST_OF_MONEY("Check", "balance_check", check_list, NULL);
const struct pane_kind pane_elements = LIST_OF_MONEY("Elements", "elements", elements_list, NULL);
