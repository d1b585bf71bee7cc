/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_frames: frames of Android: when each was expected and when it came, and why it was late.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "query/trace/trace.h"

static const char *const frame_tags[FRAME_TAGS] = {
	[TAG_NONE] = "No Jank", [TAG_SELF] = "Self Jank", [TAG_OTHER] = "Other Jank",
	    [TAG_STUFFING] = "Buffer Stuffing",
	[TAG_FLINGER_STUFFING] = "SurfaceFlinger Stuffing", [TAG_DROPPED] = "Dropped Frame",
	    [TAG_UNSEEN] = "Non-perceivable Jank"
};

static const char *
tag_word(unsigned tag)
{
	return tag < FRAME_TAGS ? frame_tags[tag] : NULL;
}

static const char *
q_frames_kind_word(unsigned kind)
{
	return kind != 0 ? "display" : "app";
}

static const char *
present_word(unsigned present)
{
	static const char *const words[] = { NULL, "on time", "late", "early", "dropped", "unknown" };

	return present < NELEM(words) ? words[present] : NULL;
}

static const char *
prediction_word(unsigned prediction)
{
	static const char *const words[] = { NULL, "valid", "expired", "unknown" };

	return prediction < NELEM(words) ? words[prediction] : NULL;
}

static const char *
severity_word(unsigned severity)
{
	static const char *const words[] = { NULL, "none", "partial", "full" };

	return severity < NELEM(words) ? words[severity] : NULL;
}

/* ---- times -------------------------------------------------------------------------- */

static uint64_t
frame_end(const struct item_rows *s, uint64_t span)
{
	return store_cell(s->st, COL_ASYNC_END, span);
}

static void
q_frames_wall_cell(struct item_rows *s, uint64_t actual, struct cell *c)
{
	c->u = frame_end(s, actual) - store_cell(s->st, COL_ASYNC_START, actual);
}

/* The expected duration; empty: unknown, as of a frame whose expected end was not recorded. */
static void
q_frames_expected_cell(struct item_rows *s, uint64_t expected, struct cell *c)
{
	bool known = expected != 0 && store_cell(s->st, COL_ASYNC_OPEN, expected) == 0;

	c->type = known ? CELL_TIME : CELL_NONE;
	c->u = known ? frame_end(s, expected) - store_cell(s->st, COL_ASYNC_START, expected) : 0;
}

/* From the expected end to the actual one; 0: it was ready before. */
static void
overrun_cell(struct item_rows *s, uint64_t expected, struct cell *c)
{
	uint64_t end = frame_end(s, store_cell(s->st, COL_FRAME_ACTUAL, s->number)), want;
	bool known = expected != 0 && store_cell(s->st, COL_ASYNC_OPEN, expected) == 0;

	want = known ? frame_end(s, expected) : 0;
	c->type = known ? CELL_TIME : CELL_NONE;
	c->u = known && end > want ? end - want : 0;
}

static const column_id main_needs[] = { COL_PROCESS_MAIN, COL_NONE };

static const struct coldef frame_cols[] = {
	{ "id", CELL_ID, "frame number, in time order", OWN_NUMBER },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_FRAME_PROCESS), .cut = CUT_FRONT },
	{ "kind", CELL_TEXT, "app, or display: a frame of SurfaceFlinger",
	    MADE(.word = q_frames_kind_word, .by = COL_FRAME_KIND) },
	{ "token", CELL_TEXT, "token, which names the frame",
	    WORD(COL_FRAME_ACTUAL, .then = COL_ASYNC_NAME) },
	{ "start_wall", CELL_TIME, "actual start, since the first event", NUMBER(COL_FRAME_START) },
	{ "wall", CELL_TIME, "actual duration", COMPUTED(q_frames_wall_cell, .by = COL_FRAME_ACTUAL) },
	{ "expected", CELL_TIME, "expected duration; empty: unknown",
	    COMPUTED(q_frames_expected_cell, .by = COL_FRAME_EXPECTED) },
	{ "overrun", CELL_TIME, "time from the expected end to the actual end",
	    COMPUTED(overrun_cell, .by = COL_FRAME_EXPECTED) },
	{ "late", CELL_BOOL, "presented late because of the app or SurfaceFlinger", NUMBER(COL_FRAME_LATE) },
	{ "on_time", CELL_BOOL, "whether it was finished in time", NUMBER(COL_FRAME_ON_TIME) },
	{ "tag", CELL_TEXT, "fault: Self Jank, Other Jank, Dropped Frame ...",
	    MADE(.word = tag_word, .by = COL_FRAME_TAG) },
	{ "jank", CELL_TEXT, "jank types", WORD(COL_FRAME_JANK) },
	{ "layer", CELL_TEXT, "layer of the app", WORD(COL_FRAME_LAYER), .cut = CUT_MIDDLE },
	{ "present", CELL_TEXT, "when it was shown: on time, late, early, dropped", MORE,
	    MADE(.word = present_word, .by = COL_FRAME_PRESENT) },
	{ "severity", CELL_TEXT, "severity of the jank: none, partial, full", MORE,
	    MADE(.word = severity_word, .by = COL_FRAME_SEVERITY) },
	{ "prediction", CELL_TEXT, "prediction of its times: valid, expired", MORE,
	    MADE(.word = prediction_word, .by = COL_FRAME_PREDICTION) },
	{ "gpu", CELL_BOOL, "whether the GPU composed it", MORE, NUMBER(COL_FRAME_GPU) },
	{ "display", CELL_TEXT, "token of the display's frame that shows it", MORE, WORD(COL_FRAME_DISPLAY) },
	{ "pid", CELL_TEXT, "process id in the file", MORE, IN(TRACE_PID, COL_FRAME_PROCESS) },
	{ "main_id", CELL_ID, "id of the main thread of the process", MORE,
	    NUMBER(COL_FRAME_PROCESS, .then = COL_PROCESS_MAIN),
	    .needs = main_needs },
	{ "slice", CELL_ID, "number of its slice in async_spans", MORE, NUMBER(COL_FRAME_ACTUAL) }
};

const struct command source_android_frames = {
	TABLE_SOURCE("frames", "frames of Android: expected, actual, why they were late",
	    "frames | where late | top 10 overrun",
	    SHAPE_MARKS, frame_cols, COL_FRAME_START, .moments = true), .views = VIEWS_OF_TIMES,
	.names = { "token" }
};
