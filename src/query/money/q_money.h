/*
 * Private to src/query/money.
 */
#ifndef QUERY_MONEY_H
#define QUERY_MONEY_H

#include "query/trace/trace.h"

/* The amount of a balance, by its row from 1, in the currency of its account; false: there is none. */
bool	money_balance(const struct money_source *, uint64_t balance, struct cell *);

#endif
