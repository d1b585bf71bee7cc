/*
 * helper: a process that follows orders.
 */
#ifndef HELPER_H
#define HELPER_H

#include "places.h"

/* Starts it; order_give asks it from now on.  It ends with this process.  confine is called in it, before the first order. */
bool	helper_start(struct sandbox *, void (*confine)(struct sandbox *), struct err *) MUST_USE;

#endif
