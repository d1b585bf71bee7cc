/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_details: all values of the selected call: times by every clock, and its callers.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/event_args.h"
#include "time.h"

static void
time_details_add_time(const char *name, uint64_t ns, const char *what, struct items *items)
{
	char	text[NUM_TEXT];

	num_show_duration(text, sizeof text, ns);
	items_add(items, str_of(name), str_of(text), what);
}

static void
time_details_add_method(const struct time_pane *t, const char *label, uint32_t method, struct items *items)
{
	struct buf	name = BUF_INIT;

	method_name(t->st, method, &name);
	items_add(items, str_of(label), buf_view(&name), "");
	buf_free(&name);
}

static void
add_clocks(const struct time_pane *t, const struct span *s, struct items *items)
{
	uint64_t	wall = s->end - s->start, cpu = s->end_cpu - s->start_cpu;

	time_details_add_time("start", s->start, "", items);
	time_details_add_time("end", s->end, "", items);
	time_details_add_time(trace_has_clock(t->st, CLOCK_WALL) ? "wall" : "cpu", wall, "with its callees",
	    items);
	if (!trace_has_clock(t->st, CLOCK_CPU) || !trace_has_clock(t->st, CLOCK_WALL))
		return;
	time_details_add_time("cpu", cpu, "on CPU, with its callees", items);
	time_details_add_time("off", wall > cpu ? wall - cpu : 0, "waiting, with its callees", items);
}

/* Add what is known of the method in the whole trace, to which the call compares. */
static void
time_details_add_average(const struct time_pane *t, uint32_t method, struct items *items)
{
	char		text[NUM_TEXT];
	uint64_t	ns, calls;

	if (!time_average(t, method, &ns, &calls) || calls == 1)
		return;
	time_details_add_time("average", ns, "of all calls of the method", items);
	num_show_count(text, sizeof text, calls);
	items_add(items, STR("calls"), str_of(text), "of the method");
}

/* Add the values of the tracks during the selection. */
static void
time_details_add_tracks(struct time_pane *t, struct items *items)
{
	struct buf	name = BUF_INIT, value = BUF_INIT;
	uint64_t	from, to;

	for (size_t i = 0; time_piece(t, &from, &to) && i < t->lanes.n; i++) {
		buf_clear(&name);
		buf_clear(&value);
		lane_label(&t->lanes.at[i], &name);
		lane_value(&t->lanes.at[i], from, to, &value);
		if (t->lanes.at[i].track.cpu == 0 && value.n > 0)
			items_add(items, buf_view(&name), buf_view(&value), "track during this time");
	}
	buf_free(&name);
	buf_free(&value);
}

struct told_args {
	struct items	*items;
	struct buf	 name;
	bool		 begun;
};

/* Add an argument; a nested one is indented below its parent. */
static void
time_details_add_arg(void *to, const struct event_arg *arg)
{
	struct told_args *list = to;

	if (!list->begun)
		items_head(list->items, "Args");
	list->begun = true;
	buf_clear(&list->name);
	for (unsigned i = 0; i < arg->depth; i++)
		buf_str(&list->name, STR("  "));
	buf_str(&list->name, arg->name);
	items_add(list->items, buf_view(&list->name), arg->value, "");
}

static void
add_args(const struct time_pane *t, const struct span *s, struct items *items)
{
	struct told_args list = { .items = items, .name = BUF_INIT };

	if (!event_args(t->st, s->row, time_details_add_arg, &list))
		items_add(items, STR(""), STR("..."), "more in the file");
	buf_free(&list.name);
}

/* Return the caller of a call; NULL: it is not among the shown calls. */
static const struct span *
caller_of(const struct time_pane *t, const struct span *s)
{
	const struct span *up;

	for (size_t i = 0; i < t->spans.n && s->depth > 0; i++) {
		up = &t->spans.span[i];
		if (up->depth + 1 == s->depth && up->crowd == 0 && up->start <= s->start && up->end >= s->end)
			return up;
	}
	return NULL;
}

static void
time_details_add_word(const struct store *st, const char *label, column_id column, uint64_t row,
    struct items *items)
{
	struct str	s = store_column(st, column) != NULL ?
	    word_text(st, (uint32_t)store_cell(st, column, row)) : STR("");

	if (s.n > 0)
		items_add(items, str_of(label), s, "");
}

/* The selected instant. */
static void
add_instant(const struct store *st, uint64_t row, struct items *items)
{
	char		text[NUM_TEXT];
	struct buf	args = BUF_INIT;

	time_details_add_word(st, "mark", COL_INSTANT_NAME, row, items);
	num_show_duration(text, sizeof text, store_cell(st, COL_INSTANT_TIME, row));
	items_add(items, STR("time"), str_of(text), "");
	time_details_add_word(st, "category", COL_INSTANT_CAT, row, items);
	time_details_add_word(st, "tag", COL_INSTANT_TAG, row, items);
	time_details_add_word(st, "track", COL_INSTANT_TRACK, row, items);
	time_details_add_word(st, "detail", COL_INSTANT_DETAIL, row, items);
	if (store_column(st, COL_INSTANT_ARGS) != NULL)
		args_detail(st, store_cell(st, COL_INSTANT_ARGS, row), 0, &args);
	if (args.n > 0)
		items_add(items, STR("args"), buf_view(&args), "");
	buf_free(&args);
}

void
time_details(struct pane *p, struct items *items)
{
	struct time_pane	*t = p->data;
	const struct span	*s = time_selected(t);
	struct buf		 thread = BUF_INIT;
	const struct lane	*l = lanes_focused(&t->lanes);
	uint64_t		 moment = t->ready && l != NULL ? lane_moment(l, t->lanes.stretch) : 0;

	if (moment != 0)
		add_instant(l->st, moment, items);
	if (!t->ready || s == NULL || s->crowd > 0)
		return;
	time_details_add_method(t, "name", s->method, items);
	thread_label(t->st, t->thread, &thread);
	items_add(items, STR("thread"), buf_view(&thread), "");
	buf_free(&thread);
	add_clocks(t, s, items);
	time_details_add_average(t, s->method, items);
	time_details_add_tracks(t, items);
	add_args(t, s, items);
	if ((s = caller_of(t, s)) != NULL)
		items_head(items, "Called by");
	for (; s != NULL; s = caller_of(t, s))
		time_details_add_method(t, "", s->method, items);
}

void
time_subject(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;
	const struct span	*s = time_selected(t);

	if (s != NULL && s->crowd == 0)
		method_name(t->st, s->method, b);
	else if (t->ready && t->thread != 0)
		thread_label(t->st, t->thread, b);
}
