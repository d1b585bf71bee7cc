/*
 * money: bank statements as lists.
 */
#include "config.h"

#include "ui/list/list.h"

static const struct list_spec payees_list[] = { {
	.base = "transactions | group payee currency : sum amount as total, count", .columns = "select payee total currency count",
	.sort = "total", .named = "payee", .role = list_delta_role
} };

static const struct list_spec transactions_list[] = { {
	.columns = "select date amount payee account type memo currency state", .sort = "date", .quiet = "type memo currency state",
	.role = list_delta_role
} };

static const struct list_spec accounts_list[] = { {
	.columns = "select id kind currency ledger ledger_asof available transactions pending bank", .quiet = "pending bank",
	.named = "id", .role = list_delta_role
} };

static const struct list_spec balances_list[] = { { .named = "account", .role = list_delta_role } };

static const struct list_spec check_list[] = { {
	.columns = "select account transactions sum ledger verdict", .named = "account", .role = list_delta_role
} };

#define LIST_OF_MONEY(name, source, specs) { name, source, SHAPE_MONEY, IN_LIST, LISTS_OF(specs), .plain = true, \
	.path = list_pane_path }

const struct pane_kind pane_payees = LIST_OF_MONEY("Payees", "transactions", payees_list);
const struct pane_kind pane_transactions = LIST_OF_MONEY("Transactions", "transactions", transactions_list);
const struct pane_kind pane_accounts = LIST_OF_MONEY("Accounts", "accounts", accounts_list);
const struct pane_kind pane_balances = LIST_OF_MONEY("Balances", "balances", balances_list);
const struct pane_kind pane_balance_check = LIST_OF_MONEY("Check", "balance_check", check_list);
