/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contents: short summaries of heap passes: findings, and duplicate strings.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "heap.h"
#include "ui/term/term.h"

/* ---- findings ------------------------------------------------------------ */

bool
told_findings(const struct heap *h, uint64_t *n, struct buf *b)
{
	struct findings	all;
	struct buf	text = BUF_INIT;

	if (!findings_open(&all, h))
		return false;
	*n = all.n;
	findings_told(&all, &text);
	screen_fit(b, buf_view(&text));
	buf_free(&text);
	return true;
}

/* ---- strings ------------------------------------------------------------- */

bool
told_strings(const struct heap *h, struct buf *b)
{
	const struct column *string = heap_column(h, COL_EACH_DUP_STRING);
	const struct column *waste = heap_column(h, COL_EACH_DUP_WASTE);
	uint64_t	 i, n = 0, bytes = 0;

	if (string == NULL || waste == NULL)
		return false;
	for (i = 0; i < string->rows; i++) {
		if (column_get(string, i) != 1)
			continue;
		n++;
		bytes += column_get(waste, i);
	}
	if (n == 0) {
		buf_str(b, STR("no duplicates"));
		return true;
	}
	screen_number(b, "duplicate strings ", num_show_size, bytes);
	screen_number(b, " in ", num_show_count, n);
	buf_str(b, n == 1 ? STR(" value") : STR(" values"));
	return true;
}
