/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_native: categories and call sites of the last report of Native Memory Tracking.
 */
#include "config.h"

#include "icecore/columns_counts.h"
#include "query/trace/trace.h"

/* Add the rows of the last report: rows of a report are together. */
static bool
native_rows(struct item_rows *s, column_id report)
{
	const struct column *of = store_column(s->st, report);
	uint64_t n = column_rows(of), last = column_rows(store_column(s->st, COL_REPORT_COMMITTED)), first = n;

	while (first > 0 && column_get(of, first - 1) == last)
		first--;
	return n == first || item_rows_run(s, (uint32_t)first + 1, n - first);
}

/* ---- categories ------------------------------------------------------------------------------ */

static void
native_share_cell(struct item_rows *s, uint64_t bytes, struct cell *c)
{
	const struct column *all = store_column(s->st, COL_REPORT_COMMITTED);

	cell_part(c, bytes, column_rows(all) == 0 ? 0 : column_get(all, all->rows - 1));
}

static void
native_change_cell(UNUSED struct item_rows *s, uint64_t change, struct cell *c)
{
	c->i = (int64_t)change;
	c->type = c->i < 0 ? CELL_INT : CELL_BYTES;
}

static const struct coldef native_cols[] = {
	{ "committed", CELL_BYTES, "memory that the process may use", NUMBER(COL_NATIVE_COMMITTED) },
	{ "committed_pct", CELL_PERCENT, "committed as a share of the total", .head = "committed%",
	    COMPUTED(native_share_cell, .by = COL_NATIVE_COMMITTED) },
	{ "reserved", CELL_BYTES, "addresses set aside", NUMBER(COL_NATIVE_RESERVED) },
	{ "name", CELL_TEXT, "category of the VM", IN(SHOW_REF, COL_NATIVE_NAME) },
	{ "malloc", CELL_BYTES, "allocated with malloc", IN(SHOW_SOME, COL_NATIVE_MALLOC) },
	{ "mallocs", CELL_COUNT, "number of these blocks", IN(SHOW_SOME, COL_NATIVE_MALLOCS) },
	{ "mmap", CELL_BYTES, "committed with mmap, and stacks of threads", IN(SHOW_SOME, COL_NATIVE_MMAP) },
	{ "arena", CELL_BYTES, "allocated in arenas", IN(SHOW_SOME, COL_NATIVE_ARENA) },
	{ "count", CELL_COUNT, "number of classes or threads", IN(SHOW_SOME, COL_NATIVE_COUNT) },
	{ "committed_delta", CELL_BYTES, "change of committed since the baseline or the first report", MORE,
	    COMPUTED(native_change_cell, .by = COL_NATIVE_CHANGE) },
	{ "id", CELL_ID, "row in file order", MORE, OWN_NUMBER }
};

static bool
native_memory_begin(struct item_rows *s, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	return native_rows(s, COL_NATIVE_REPORT);
}

static const struct source native_categories = { .domain = &trace_domain, .begin = native_memory_begin };

const struct command source_native_memory = {
	SOURCE("native_memory", "memory of a JVM by category of Native Memory Tracking",
	    "native_memory | top 5 committed", item_rows_open),
	OVER(SHAPE_NATIVE, native_cols), .source = &native_categories, .names = { "name" },
	.to_get = "a report: jcmd PID VM.native_memory > FILE"
};

/* ---- call sites ---------------------------------------------------------------------------------- */

/* Take a frame: "[0x00007f64883ddad8] Arena::Arena(MemTag)+0x3f". */
static bool
next_frame(struct str *stack, struct str *frame)
{
	struct str line, before, rest;

	if (!str_split(stack, '\n', &line))
		return false;
	*frame = str_divide(line, STR("]"), &before, &rest) ? str_skip_blanks(rest) : line;
	if (str_divide(*frame, STR("+0x"), &before, &rest))
		*frame = before;
	*frame = str_trim(*frame);
	return true;
}

static bool
site_function_text(struct item_rows *s, uint64_t ref, struct buf *b)
{
	struct str stack = store_text(s->st, ref), frame;

	if (!next_frame(&stack, &frame))
		return false;
	buf_str(b, frame);
	return true;
}

static bool
site_callers_text(struct item_rows *s, uint64_t ref, struct buf *b)
{
	struct str stack = store_text(s->st, ref), frame;

	for (size_t i = 0; next_frame(&stack, &frame); i++)
		if (i > 0)
			buf_list(b, " < ", frame);
	return b->n > 0;
}

static const struct coldef site_cols[] = {
	{ "bytes", CELL_BYTES, "allocated, or committed by mmap", NUMBER(COL_SITE_BYTES) },
	{ "count", CELL_COUNT, "number of blocks; empty: mmap", IN(SHOW_SOME, COL_SITE_COUNT) },
	{ "category", CELL_TEXT, "category of the VM", IN(SHOW_REF, COL_SITE_NATIVE) },
	{ "function", CELL_TEXT, "innermost frame", TEXT(site_function_text, .by = COL_SITE_STACK), FUNCTION },
	{ "callers", CELL_TEXT, "frames above it, innermost first", TEXT(site_callers_text, .by = COL_SITE_STACK),
	    .rest = true },
	{ "reserved", CELL_BYTES, "reserved by mmap", MORE, IN(SHOW_SOME, COL_SITE_RESERVED) },
	{ "bytes_delta", CELL_BYTES, "change of bytes since the baseline", MORE,
	    COMPUTED(native_change_cell, .by = COL_SITE_CHANGE) },
	{ "id", CELL_ID, "row in file order", MORE, OWN_NUMBER }
};

static bool
sites_begin(struct item_rows *s, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	return native_rows(s, COL_SITE_REPORT);
}

static const struct source native_sites = { .domain = &trace_domain, .begin = sites_begin };

static void
no_sites(const struct session *session, struct buf *b)
{
	const struct store *st = session_store(session);
	uint64_t n = column_rows(store_column(st, COL_SITE_BYTES));
	uint64_t last = column_rows(store_column(st, COL_REPORT_COMMITTED));

	if (n > 0 && store_cell(st, COL_SITE_REPORT, n) < last)
		buf_text(b,
		    "the last report is a summary, without call sites: jcmd PID VM.native_memory detail");
	else if (n == 0)
		buf_text(b, "summaries have no call sites: jcmd PID VM.native_memory detail");
}

const struct command source_native_sites = {
	SOURCE("native_sites", "call sites of a detailed report of Native Memory Tracking",
	    "native_sites | top 10 bytes", item_rows_open),
	OVER(SHAPE_NATIVE, site_cols), .source = &native_sites, .names = { "category", "function" },
	.nothing = no_sites,
	.to_get = "a report: jcmd PID VM.native_memory detail > FILE"
};
