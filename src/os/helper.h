/*
 * helper: a process that follows orders.
 */
#ifndef HELPER_H
#define HELPER_H

#include "orders.h"

struct helper {
	void	(*confine)(void *arg);	/* called in it, before the first order */
	bool	(*allows)(const void *arg, const struct file_order *);	/* else errno says why not */
	void	*arg;
};

/* Starts it; order_give asks it from now on.  It ends with this process. */
bool	helper_start(const struct helper *, struct err *) MUST_USE;

#endif
