/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cursor: the first row of the next page, and a hash of the query and its files, which nobody else can forge.
 */
#include "config.h"

#include "mcp.h"

uint64_t
cursor_key(struct str asked, const struct file_id *id, size_t n)
{
	return idmap_hash_text(asked, idmap_hash_text((struct str){ (const char *)id, n * sizeof *id }, n));
}

static uint64_t
seal_of(uint64_t row, uint64_t key)
{
	uint64_t both[] = { row, key };

	return idmap_hash_text((struct str){ (const char *)both, sizeof both }, 0);
}

void
cursor_put(struct buf *b, uint64_t row, uint64_t key)
{
	buf_printf(b, "%llx-%016llx", (unsigned long long)row, (unsigned long long)seal_of(row, key));
}

bool
cursor_read(struct str cursor, uint64_t key, uint64_t *row, struct err *err)
{
	struct str digits, seal;
	uint64_t hash;

	return (str_divide(cursor, STR("-"), &digits, &seal) && num_u64(digits, 16, row) &&
	    num_u64(seal, 16, &hash) && hash == seal_of(*row, key)) || fail(err, E_USAGE,
	    "the file or the query has changed; repeat the call without the cursor");
}
