/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live: the pane of record histogram --every on a terminal.
 */
#ifndef RECORD_LIVE_H
#define RECORD_LIVE_H

#include "histogram.h"

/* Until q or an interrupt; Enter makes a heap dump, the result. */
bool	live_run(struct recording *, struct err *) MUST_USE;

#endif
