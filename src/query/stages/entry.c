/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry: sort by numbers byte by byte.  Bytes that are the same in all keys are skipped.
 */
#include "config.h"

#include <string.h>

#include "entry.h"
#include "query/lang/lang.h"

bool
entries_by_key(struct scratch *entry, struct scratch *spare, uint64_t n, struct rows *rows)
{
	uint64_t all = 0, any = 0, first[257];
	struct sort_entry *from, *to;
	struct scratch swap;
	bool ok = scratch_array(spare, n, sizeof *from, &rows->err);

	for (uint64_t i = 0; ok && i < n; i++) {
		any |= SCRATCH(*entry, struct sort_entry)[i].key;
		all |= ~SCRATCH(*entry, struct sort_entry)[i].key;
	}
	for (unsigned shift = 0; ok && shift < 64; shift += 8) {
		if ((any & all) >> shift == 0)
			break;
		if (((any & all) >> shift & 0xff) == 0)
			continue;
		from = SCRATCH(*entry, struct sort_entry);
		to = SCRATCH(*spare, struct sort_entry);
		memset(first, 0, sizeof first);
		for (uint64_t i = 0; i < n; i++)
			first[(from[i].key >> shift & 0xff) + 1]++;
		for (unsigned k = 0; k < 256; k++)
			first[k + 1] += first[k];
		for (uint64_t i = 0; i < n; i++)
			to[first[from[i].key >> shift & 0xff]++] = from[i];
		swap = *entry;
		*entry = *spare;
		*spare = swap;
		ok = rows_tick(rows, n);
	}
	scratch_free(spare);
	return ok;
}
