/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limited: regular expressions from files, with limits of steps and memory for each text.
 */
#ifndef ICECORE_LIMITED_H
#define ICECORE_LIMITED_H

#include "icecore/base.h"

/* The whole text must match; upper and lower case are the same. */
enum { LIMITED_WHOLE = 1, LIMITED_NOCASE = 2 };

/* NULL: E_USAGE, an invalid expression; E_SYSTEM.  The caller frees it. */
struct limited *limited_open(struct str, unsigned how, struct err *);
/*
 * Whether a text matches; one that exceeds the limits does not, and *slow counts it.  After 100 of them no
 * text matches any more.
 */
bool	limited_matches(struct limited *, struct str, uint64_t *slow);
void	limited_free(struct limited *);	/* NULL is fine */

#endif
