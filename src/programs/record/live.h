/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live: the pane of record histogram --every on a terminal.
 */
#ifndef RECORD_LIVE_H
#define RECORD_LIVE_H

#include "histogram.h"

/* ---- its terminal, also for --live ------------------------------------------------- */

enum live_key { LIVE_NONE, LIVE_UP, LIVE_DOWN, LIVE_PAGE_UP, LIVE_PAGE_DOWN, LIVE_ENTER, LIVE_WRITE,
    LIVE_QUIT };

bool	live_enter(struct err *) MUST_USE;	/* every signal that ends the program leaves it */
void	live_leave(void);
void	live_size(size_t *rows, size_t *cols);
enum live_key live_key(void);		/* call it when there is input */

/* Until q or an interrupt; Enter makes a heap dump, the result. */
bool	live_run(struct recording *, struct err *) MUST_USE;

#endif
