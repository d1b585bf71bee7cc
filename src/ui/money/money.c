/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * money: lists of bank statements.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec payees_list[] = { {
	.base = "transactions | group payee currency : sum amount as total, count",
	.columns = "select payee total currency count",
	.sort = "total", .named = "payee", .about = "payee",
	.opens = "transactions | where payee = {payee} and currency = {currency} | select date amount type account "
	    "memo currency state | sort date"
} };

static const struct list_spec transactions_list[] = { {
	.columns = "select date amount payee account type memo currency state", .sort = "date",
	.naming = "payee",
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

#define LIST_OF_MONEY(name, source, specs) { name, source, SHAPE_MONEY, IN_LIST, LISTS_OF(specs), .plain = true, \
	.tell[TELL_PATH] = list_pane_path }

const struct pane_kind pane_payees = LIST_OF_MONEY("Payees", "transactions", payees_list);
const struct pane_kind pane_transactions = LIST_OF_MONEY("Transactions", "transactions", transactions_list);
const struct pane_kind pane_accounts = LIST_OF_MONEY("Accounts", "accounts", accounts_list);
const struct pane_kind pane_balances = LIST_OF_MONEY("Balances", "balances", balances_list);
const struct pane_kind pane_balance_check = LIST_OF_MONEY("Check", "balance_check", check_list);
const struct pane_kind pane_elements = LIST_OF_MONEY("Elements", "elements", elements_list);
