/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native_beside: the reports of native memory of a file are copied to a store over a heap dump, because
 * texts of columns are in the source of their store.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_counts.h"
#include "side.h"

/* Copy a column, and the texts of its refs, whose place in the new store begins at own. */
static bool
beside_column(struct store *to, const struct store *from, column_id col, bool text, uint64_t own, struct buf *b,
    struct err *err)
{
	const struct column *c = store_column(from, col);
	uint64_t n = column_rows(c), *value = store_make(to, col, COL_U64, n, err);
	struct str s;

	if (value == NULL)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		value[i] = column_get(c, i);
		if (!text || value[i] == 0)
			continue;
		s = store_text(from, value[i]);
		value[i] = ref_make(own + b->n, s.n);
		buf_str(b, s);
	}
	return true;
}

static bool
copy_native(struct store *to, const struct store *from, struct buf *b, struct err *err)
{
	static const struct {
		column_id	col;
		bool		text;
	} columns[] = {
		{ COL_REPORT_WHEN, true }, { COL_REPORT_RESERVED }, { COL_REPORT_COMMITTED }, { COL_REPORT_MALLOC },
		{ COL_REPORT_RSS }, { COL_NATIVE_REPORT }, { COL_NATIVE_NAME, true }, { COL_NATIVE_RESERVED },
		{ COL_NATIVE_COMMITTED }, { COL_NATIVE_MALLOC }, { COL_NATIVE_MALLOCS }, { COL_NATIVE_MMAP },
		{ COL_NATIVE_ARENA }, { COL_NATIVE_COUNT }, { COL_NATIVE_CHANGE }, { COL_SITE_REPORT },
		{ COL_SITE_STACK, true }, { COL_SITE_NATIVE, true }, { COL_SITE_BYTES }, { COL_SITE_RESERVED },
		{ COL_SITE_COUNT }, { COL_SITE_CHANGE },
	};
	static const enum fact_id facts[] = { FACT_NATIVE_REPORTS, FACT_NATIVE_SITES, FACT_NATIVE_RSS,
	    FACT_NATIVE_OMITTED, FACT_UNREAD_REPORT_LINES, FACT_UNREAD_REGIONS };
	const uint64_t own = store_own_at(to);
	void *data;

	for (size_t i = 0; i < NELEM(facts); i++) {
		uint64_t n = fact_value(from, facts[i]);

		if (n > 0 && !fact_set(to, facts[i], n, err))
			return false;
	}
	for (size_t i = 0; i < NELEM(columns); i++)
		if (!beside_column(to, from, columns[i].col, columns[i].text, own, b, err))
			return false;
	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (report of native memory)");
	if ((data = store_make(to, COL_NATIVE_TEXT, COL_BYTES, b->n, err)) == NULL)
		return false;
	memcpy(data, b->s, b->n);
	store_own_text(to, (struct str){ data, b->n });
	return fact_set(to, FACT_SHAPES, load_shapes(store_below(to)) | SHAPE_NATIVE, err);
}

bool
side_native(struct store **dump, const struct store *from, struct err *err)
{
	static const column_id none[] = { COL_NONE };
	OWN_BUF b = BUF_INIT;
	struct store *over;

	if (!store_over(&over, *dump, none, err))
		return false;
	if (!copy_native(over, from, &b, err)) {
		store_discard(over);
		store_close(over);
		return false;
	}
	store_publish(over);
	*dump = over;
	return true;
}
