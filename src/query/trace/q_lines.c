/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_lines: lines of functions with their samples, of profiles that count these, such as those of V8.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "trace.h"

static const struct coldef ticked_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "samples", CELL_COUNT, "samples in the line itself", IN(SHOW_NUMBER, COL_TICKED_SAMPLES) },
	{ "line", CELL_ID, "line in the file", IN(SHOW_NUMBER, COL_TICKED_LINE) },
	{ "file", CELL_TEXT, "source file of the function; empty: unknown",
	    IN(TRACE_FILE, COL_TICKED_METHOD), .cut = CUT_FRONT },
	{ "function", CELL_TEXT, "function that contains the line", IN(TRACE_METHOD, COL_TICKED_METHOD), FUNCTION },
	{ "function_id", CELL_ID, "row of the function in 'methods'", MORE, IN(SHOW_NUMBER, COL_TICKED_METHOD) }
};

static const struct source ticked = { .domain = &trace_domain, .rows_of = COL_TICKED_LINE };

static void
no_lines(UNUSED const struct session *session, struct buf *why)
{
	buf_str(why, STR("the file does not count samples by line, as the profiles of V8 do"));
}

/* The loader counts them in the whole file: no view of samples has other ones. */
const struct command source_ticked_lines = {
	SOURCE("lines", "lines of functions with samples, if the profile counts them",
	    "lines | top 10 samples", item_rows_open),
	OVER(SHAPE_SAMPLES | SHAPE_EVENTS, ticked_cols), .unless = SHAPE_COSTS, .source = &ticked, .by_rows = true,
	.nothing = no_lines, .names = { "file" }
};
