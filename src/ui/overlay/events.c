/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: choose the event that all panes show, or calls if the file has both.
 */
#include "config.h"

#include <string.h>

#include "icecore/facts.h"
#include "icecore/keys.h"
#include "overlay.h"
#include "ui/list/list.h"

#define EVENTS "events | where samples > 0 | select id name samples weight unit kind about"
#define COSTS "events | select id name total"

#define EVENTS_MORE UINT32_MAX	/* meaning of the item below them */

enum { EVENTS_MOST = 300 };	/* the layout is rebuilt for each key */

enum { ID, NAME, SAMPLES, WEIGHT, UNIT, KIND, ABOUT, TOTAL = SAMPLES };

/* "1 825 samples, 5.36 GiB"; a weight that only counts samples is omitted. */
static void
events_add_amounts(struct rows *r, uint64_t row, const char *noun, struct buf *b)
{
	struct cell	 samples, weight, unit;

	rows_cell(r, row, SAMPLES, &samples);
	rows_cell(r, row, WEIGHT, &weight);
	rows_cell(r, row, UNIT, &unit);
	cell_show(&samples, b);
	buf_printf(b, " %.*s", (int)strlen(noun) - (samples.u == 1), noun);
	if (weight.type == CELL_NONE || str_eq(unit.text, str_of(noun)) || str_eq(unit.text, STR("events")))
		return;
	buf_str(b, STR(", "));
	cell_show(&weight, b);
	if (weight.type == CELL_COUNT && unit.text.n > 0)
		buf_printf(b, " %.*s", (int)unit.text.n, unit.text.s);
}

/* Describe samples of the event, and what it means. */
static void
events_add_samples(struct rows *r, uint64_t row, const struct store *st, struct buf *text, struct buf *note)
{
	struct cell	 id, kind, about;

	rows_cell(r, row, KIND, &kind);
	rows_cell(r, row, ABOUT, &about);
	rows_cell(r, row, ID, &id);
	events_add_amounts(r, row, (load_shapes(st) & SHAPE_MONEY) != 0 ? "transactions" :
	    id.u == fact_value(st, FACT_TRACE_CALLS) ? "calls" : "samples", text);
	if (!str_eq(kind.text, STR("other")))
		buf_str(note, kind.text);
	buf_str(note, note->n > 0 && about.text.n > 0 ? STR(": ") : STR(""));
	buf_str(note, about.text);
}

static bool
event_is_shown(struct ui *ui, struct str name)
{
	struct buf	stage = BUF_INIT;
	bool		shown;

	buf_str(&stage, STR("event "));
	shown = list_quote(name, &stage) && str_eq(look_stage(look_wanted(ui), "event"), buf_view(&stage));
	buf_free(&stage);
	return shown;
}

static void
add_event(struct ui *ui, struct rows *r, uint64_t row, struct items *items)
{
	const struct store *st = ui_file(ui);
	bool		 any = look_stage(look_wanted(ui), "event").n > 0,
	    calls = (load_shapes(st) & SHAPE_EVENTS) != 0;
	struct buf	 text = BUF_INIT, note = BUF_INIT;
	struct cell	 id, name, about;
	struct remark	*item;

	rows_cell(r, row, ID, &id);
	rows_cell(r, row, NAME, &name);
	if (load_graph_only(load_shapes(st))) {
		rows_cell(r, row, TOTAL, &about);
		cell_show(&about, &text);
	} else {
		events_add_samples(r, row, st, &text, &note);
	}
	item = items_add(items, name.text, buf_view(&text), note.n > 0 ? note.s : "");
	if (item != NULL) {
		item->choice = (uint32_t)id.u + 1;
		item->now = any ? event_is_shown(ui, name.text) : !calls &&
		    fact_value(st, FACT_EVENT) == id.u;
	}
	buf_free(&text);
	buf_free(&note);
}

static void
events_fill(const struct overlay_of *of, struct items *items)
{
	struct ui	*ui = of->ui;
	struct remark	*item;
	struct reply	 a;
	struct err	 err;

	if (ui_store(ui) == NULL || ui_events(ui) < 2)
		return;
	if ((load_shapes(ui_file(ui)) & SHAPE_EVENTS) != 0 &&
	    (item = items_add(items, fact_value(ui_file(ui), FACT_TRACE_CALLS) == 0 ? STR("calls") :
	    STR("calls and samples"), STR("the trace"), "")) != NULL) {
		item->choice = 1;
		item->now = look_stage(look_wanted(ui), "event").n == 0;
	}
	if (query_ask(&a, load_graph_only(load_shapes(ui_file(ui))) ? STR(COSTS) : STR(EVENTS), ASK_READY,
	    ui_plain(ui), NULL, &err))
		for (uint64_t row = 0; rows_reach(a.rows, row + 1) > row; row++) {
			if (row == EVENTS_MOST) {
				if ((item = items_add(items, STR("..."), STR("more: query events"),
				    "")) != NULL)
					item->choice = EVENTS_MORE;
				break;
			}
			add_event(ui, a.rows, row, items);
		}
	reply_close(&a);
}

static void
events_take(struct ui *ui, uint32_t choice)
{
	const struct store *st = ui_file(ui);
	bool		 calls = choice == 1;
	struct err	 err;

	if (choice == EVENTS_MORE) {
		if (!ui_add(ui, &pane_query, "events", &err))
			ui_fail(ui, &err);
		return;
	}
	/* The default event needs no filter. */
	if (!calls && (load_shapes(st) & SHAPE_EVENTS) == 0 && fact_value(st, FACT_EVENT) == choice - 1)
		look_add(ui, "event", STR(""));
	else
		list_event(ui, calls ? STR("") : event_name(st, choice - 1));
}

const struct overlay_kind overlay_events = {
	.name = "Events", .verb = VERB_EVENT, .where = IN_OVERLAY | IN_HELP | IN_EVENTS, .chooses = true,
	.take = events_take,
	.empty = "no events to choose from", .fill = events_fill
};
