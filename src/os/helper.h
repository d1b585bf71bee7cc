/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * helper: a process that executes orders.
 */
#ifndef HELPER_H
#define HELPER_H

#include "places.h"

/*
 * Start the helper; order_give uses it from now on. It ends with this process. It calls confine before the
 * first order.
 */
bool	helper_start(struct sandbox *, void (*confine)(struct sandbox *), struct err *) MUST_USE;
/*
 * Answer the orders from a socket until its other end is closed: the work of the helper.  terminal: the keys
 * of the user; -1: none.
 */
void	helper_serve(const struct sandbox *, int socket, int terminal);

#endif
