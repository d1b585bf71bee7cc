/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grants: in the helper, what the user entered, and what may be written for that.
 *
 * The confined process edits and draws its prompts itself, so its word for a name proves nothing. The helper
 * reads the keys before that process gets them, and edits them once more: a name counts only if these keys
 * enter it.
 */
#ifndef GRANTS_H
#define GRANTS_H

#include "places.h"

/* Keys of the terminal, or of a script, in their order. */
void	grants_key(const char *, size_t);
/*
 * After places_allow: whether the user asked for that, or no user must. Completes the order. False: errno,
 * EPERM if the user did not enter the name. grants_ran follows when the order was run.
 */
bool	grants_allow(const struct sandbox *, struct file_order *);
void	grants_ran(const struct file_order *, const struct file_answer *);

#endif
