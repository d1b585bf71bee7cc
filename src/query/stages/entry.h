/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry: rows to be sorted.
 */
#ifndef QUERY_STAGES_ENTRY_H
#define QUERY_STAGES_ENTRY_H

#include "icecore/rows.h"

/* A row, and the start of its first key as an integer that sorts alike. */
struct sort_entry {
	uint64_t	key, row;
};

/*
 * Sort n entries by their keys alone; those with equal keys stay in their order.  False: cancelled or failed,
 * as rows->err says.
 */
bool	entries_by_key(struct scratch *entry, struct scratch *spare, uint64_t n, struct rows *);

#endif
