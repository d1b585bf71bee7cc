/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labels: what a program says about samples and threads by keys and values, such as service=users.
 *
 * A set of labels has a number from 1; set 0 is empty.  Its labels are in the order of their keys.  Keys
 * are numbered from 1 by name.  A place is that of a value in label.text; 0: none.  Numbers of a damaged
 * index are of empty texts.
 */
#ifndef ICECORE_LABELS_H
#define ICECORE_LABELS_H

#include "icecore/store.h"

uint64_t labels_sets(const struct store *);	/* the number of sets */
uint32_t labels_key(const struct store *, struct str name);	/* 0: no set has that key */
struct str labels_key_name(const struct store *, uint64_t key);
/* The place of the first value that a set has for a key; 0: it lacks the key. */
uint32_t labels_value(const struct store *, uint64_t set, uint64_t key);
struct str labels_text(const struct store *, uint64_t place);
void	labels_show(const struct store *, uint64_t set, struct buf *);	/* append "priority=bg, service=users" */

#endif
