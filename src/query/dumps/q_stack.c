/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_stack: the frames of a thread of a stack dump.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

static const struct arg_type arg_thread_row = {
	.name = "ROW", .hint = "a row of 'threads'", .look = LOOK_NAMES, .query = "threads", .column = "id"
};

/* Reads the row, and adds the frames of its stack, innermost first. */
static bool
stack_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	uint64_t row = 0, n = column_rows(store_column(s->st, COL_DUMPED_STATE)), at;

	if (!num_u64(stage->token[0].text, 10, &row) || row == 0)
		return fail_at(err, E_USAGE, stage_at(stage, 0),
		    "expected a row of 'threads', e.g. stack 12");
	if (store_is_blank(s->st))
		return true;
	if (row > n)
		return fail_at(err, E_USAGE, stage_at(stage, 0), "no row %ju in 'threads', which has %ju",
		    (uintmax_t)row, (uintmax_t)n);
	for (at = store_cell(s->st, COL_DUMPED_STACK, row); at != 0; ) {
		uint64_t up = store_cell(s->st, COL_EXACT_PARENT, at);

		if (!item_rows_add_number(s, (uint32_t)at))
			return false;
		at = up < at ? up : 0;
	}
	return true;
}

static bool
frame_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	method_name(s->st, (uint32_t)n, b);
	return n != 0;
}

static bool
place_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	struct str place = dump_text(s->st, COL_EXACT_PLACE, COL_EXACT_PLACE_OWN, n);

	buf_str(b, place);
	return place.n > 0;
}

static const struct coldef stack_cols[] = {
	{ "depth", CELL_COUNT, "frames from the outermost one", IN(SHOW_NUMBER, COL_EXACT_DEPTH) },
	{ "frame", CELL_TEXT, "function", TEXT(frame_text, .by = COL_EXACT_METHOD), .function = true },
	{ "place", CELL_TEXT, "file and line, or the module", TEXT(place_text), .cut = CUT_FRONT },
	{ "method_id", CELL_ID, "number of the function", .more = true, IN(SHOW_NUMBER, COL_EXACT_METHOD),
	    .of = ID_METHOD }
};

static const struct source stack = { .domain = &trace_domain, .args = ARGS_OWN, .begin = stack_begin };

const struct command source_dumped_stack = {
	SOURCE("stack", "frames of a thread of a stack dump, innermost first", "stack 1", item_rows_open),
	OVER(SHAPE_DUMPS, stack_cols),
	.source = &stack, .args = ARGS({ &arg_thread_row })
};
