/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_words: texts of the pane Stack chart, and its query.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sums.h"
#include "time.h"

void
time_path(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;
	size_t		 at = b->n;

	if (!t->ready)
		return;
	if (t->thread != 0)
		thread_label(t->st, t->thread, b);
	else
		buf_str(b, STR("all tracks"));
	buf_str(b, str_of(glyph(GLYPH_INTO)));
	scale_window_of(b, t->axis.from, t->axis.to, t->axis.all_from, t->axis.all_to);
	screen_fit_from(b, at);
}

void
time_strip(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;

	if (t->ready)
		scale_strip(b, t->axis.from, t->axis.to, t->axis.all_from, t->axis.all_to);
}

void
time_modes(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;
	size_t		 shown = lanes_shown(&t->lanes);

	if (shown < t->lanes.n)
		buf_printf(b, "%zu of %zu tracks", shown, t->lanes.n);
	if (t->display.on)
		screen_number(b, b->n > 0 ? ", frames " : "frames ", num_show_duration, t->display.length);
}

/* ---- status -------------------------------------------------------------- */

static void
show_time(const struct time_pane *t, const char *name, uint64_t ticks, struct buf *b)
{
	screen_number(b, name, num_show_duration, trace_ns(t->st, ticks));
}

bool
time_average(const struct time_pane *t, uint32_t method, uint64_t *ns, uint64_t *calls)
{
	column_id	 total = trace_has_clock(t->st, CLOCK_WALL) ?
			    COL_METHOD_TOTAL_WALL : COL_METHOD_TOTAL_CPU;

	*calls = t->calls ? column_get(store_column(t->st, COL_METHOD_CALLS), method - 1) : 0;
	if (*calls == 0)
		return false;
	*ns = trace_ns(t->st, column_get(store_column(t->st, total), method - 1)) / *calls;
	return true;
}

static void
time_words_show_method(const struct time_pane *t, uint32_t method, struct buf *b)
{
	uint64_t	 ns, calls;

	if (!time_average(t, method, &ns, &calls))
		return;
	screen_number(b, "  avg ", num_show_duration, ns);
	screen_number(b, "  calls ", num_show_count, calls);
}

/* Append the values of the shown tracks, except CPU tracks and the selected track. */
static void
show_tracks(struct time_pane *t, uint64_t from, uint64_t to, struct buf *b)
{
	struct buf	 value = BUF_INIT;
	struct lane	*l;

	for (size_t i = 0; i < t->lanes.n; i++) {
		l = &t->lanes.at[i];
		if (l->track.cpu != 0 || !lanes_shows(&t->lanes, i) || i + 1 == t->lanes.focus)
			continue;
		buf_clear(&value);
		lane_value(l, from, to, &value);
		if (value.n == 0)
			continue;
		buf_str(b, STR("  "));
		lane_label(l, b);
		buf_chr(b, ' ');
		buf_str(b, buf_view(&value));
	}
	buf_free(&value);
}

static void
call_name(const struct time_pane *t, const struct box *fr, const struct span *s, struct buf *b)
{
	if (fr->group > 0) {
		screen_number(b, "", num_show_count, fr->group);
		buf_str(b, STR(" merged calls"));
	} else
		method_name(t->st, s->method, b);
}

/* Describe the selected interval of a track and the call around it. */
static void
stretch_status(struct time_pane *t, struct buf *name, struct buf *rest)
{
	struct lane	*l = &t->lanes.at[t->lanes.focus - 1];
	const struct box *fr = frames_selected(&t->f);
	struct buf	 call = BUF_INIT;
	struct str	 words;
	uint64_t	 from, to, moment;

	if (!time_piece(t, &from, &to))
		return;
	moment = lane_moment(l, t->lanes.stretch);
	lane_label(l, name);
	buf_chr(name, ' ');
	if (moment != 0)
		buf_str(name, word_text(l->st, (uint32_t)store_cell(l->st, COL_INSTANT_NAME, moment)));
	else
		lane_value(l, from, to, name);
	if (fr != NULL && time_selected(t) != NULL && fr->group == 0) {
		call_name(t, fr, time_selected(t), &call);
		words = frame_short(buf_view(&call));
		buf_printf(name, " in %.*s", (int)words.n, words.s);
	}
	scale_at(rest, "  at ", from, t->axis.from, t->axis.to);
	if (moment == 0)
		screen_number(rest, "  for ", num_show_duration, to - from);
	buf_free(&call);
}

/* The value of a track in the window, as beside it. */
static void
lane_status(struct time_pane *t, struct buf *name, struct buf *rest)
{
	struct lane *l = &t->lanes.at[t->lanes.focus - 1];

	lane_label(l, name);
	buf_str(rest, STR("  "));
	lane_value(l, t->axis.from, t->axis.to, rest);
}

static void
call_status(struct time_pane *t, struct buf *name, struct buf *rest)
{
	const struct box *fr = frames_selected(&t->f);
	const struct span *s = time_selected(t);

	if (s == NULL)
		return;
	call_name(t, fr, s, name);
	scale_at(rest, "  at ", s->start, t->axis.from, t->axis.to);
	if (fr->group > 0)
		return;
	screen_number(rest, "  took ", num_show_duration, s->end - s->start);
	if (t->calls && trace_has_clock(t->st, CLOCK_CPU))
		screen_number(rest, "  cpu ", num_show_duration, s->end_cpu - s->start_cpu);
	time_words_show_method(t, s->method, rest);
}

/* Describe the thread if nothing is selected: it has no calls, and no track has the focus. */
static void
thread_status(const struct time_pane *t, struct buf *name, struct buf *rest)
{
	const struct column *on = store_column(t->st, COL_TASK_ON);
	uint64_t	 row = t->thread - 1, gap;

	if (t->calls || t->stacks || t->thread == 0)
		return;
	thread_label(t->st, t->thread, name);
	if (on == NULL || row >= on->rows)
		return;
	show_time(t, "  cpu ", column_get(on, row), rest);
	show_time(t, "  off ", column_get(store_column(t->st, COL_TASK_OFF), row), rest);
	gap = column_get(store_column(t->st, COL_TASK_MAX_GAP), row);
	if (gap == 0)
		return;
	show_time(t, "  longest wait ", gap, rest);
	show_time(t, "  at ", column_get(store_column(t->st, COL_TASK_MAX_GAP_AT), row), rest);
}

/* Append the values that are also shown to the right of the tracks, as far as they fit. */
static void
time_words_add_tracks(struct time_pane *t, struct buf *b)
{
	const struct box *fr = frames_selected(&t->f);
	struct buf	 raw = BUF_INIT, fit = BUF_INIT;
	size_t		 used = text_width(buf_view(b)), w = (size_t)t->pane->area.w;
	uint64_t	 from, to;

	if (used < w && (lanes_focused(&t->lanes) != NULL || (fr != NULL && fr->group == 0)) &&
	    time_piece(t, &from, &to)) {
		show_tracks(t, from, to, &raw);
		screen_fit(&fit, buf_view(&raw));
		screen_short(b, buf_view(&fit), w - used);
	}
	buf_free(&raw);
	buf_free(&fit);
}

void
time_status(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;
	struct buf	 name = BUF_INIT, rest = BUF_INIT;

	if (!t->ready)
		return;
	if (t->axis.mark.open) {
		axis_status(&t->axis, b);
		return;
	}
	if (lanes_focused(&t->lanes) != NULL && t->lanes.stretch != 0)
		stretch_status(t, &name, &rest);
	else if (lanes_focused(&t->lanes) != NULL && time_selected(t) == NULL)
		lane_status(t, &name, &rest);
	else if (!t->calls && !t->stacks)
		thread_status(t, &name, &rest);
	else
		call_status(t, &name, &rest);
	p->status_cut = screen_pair(b, &name, &rest, p->status_w);
	time_words_add_tracks(t, b);
}

void
time_legend(const struct time_pane *t, struct area a)
{
	const struct lane *l;
	uint64_t	 states = 0;

	for (size_t i = 0; i < t->lanes.n; i++) {
		l = &t->lanes.at[i];
		if (l->st == t->st && lanes_shows(&t->lanes, i))
			states |= lane_states(l);
	}
	lane_legend(t->st, states, a);
}

/* ---- the legend ----------------------------------------------------------- */

static void
add_states(const struct time_pane *t, uint64_t states, struct items *items)
{
	char	letter[2] = "";

	for (uint32_t i = 0; i < 64 && i < states_count(t->st); i++)
		if (states >> i & 1) {
			letter[0] = state_letter(t->st, i);
			items_sample(items, letter, state_role(state_class(t->st, i)), state_word(t->st, i));
		}
}

void
time_legend_items(struct pane *p, struct items *items)
{
	struct time_pane	*t = p->data;
	uint64_t		 states = 0;
	bool			 bars = false, tasks = false, moments = false;

	if (!t->ready)
		return;
	for (size_t i = 0; i < t->lanes.n; i++) {
		states |= t->lanes.at[i].st == t->st ? lane_states(&t->lanes.at[i]) : 0;
		moments |= t->lanes.at[i].track.kind == TRACK_MOMENT;
		bars |= t->lanes.at[i].track.kind > TRACK_TASK && t->lanes.at[i].track.kind < TRACK_MOMENT;
		tasks |= t->lanes.at[i].track.kind == TRACK_TASK;
	}
	frames_legend(&t->f, items);
	if (bars) {
		bars_legend(items);
		items_sample(items, screen_bar(USE_STEPS), ROLE_NORMAL,
		    "other tracks; full bar: maximum in the window");
	}
	if (tasks)
		items_sample(items, "a", ROLE_HUE, "first letter of the running task");
	if (moments)
		items_sample(items, "2", ROLE_NORMAL, "number of marks; +: more than 9");
	add_states(t, states, items);
	if (t->display.on)
		items_sample(items, "+", ROLE_MATCH, "start of a display frame");
}

/* ---- text to copy --------------------------------------------------------- */

void
time_copy(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;
	const struct span *s = time_selected(t);
	struct buf	 c = BUF_INIT;

	if (s == NULL || s->crowd > 0)
		return;
	method_name(t->st, s->method, &c);
	text_fit_buf(b, buf_view(&c));
	buf_free(&c);
}

void
time_text(struct pane *p, struct buf *b)
{
	struct time_pane	*t = p->data;

	if (t->ready && t->thread == 0) {
		buf_str(b, STR("metrics"));
		return;
	}
	buf_printf(b, "%s @%u", !t->ready || t->calls ? "spans" : (ui_shapes(p->ui) & SHAPE_TRACKS) != 0 ?
	    "states" : "calls", t->thread);
	if (!t->ready)
		return;
	if (t->calls && axis_zoomed(&t->axis))
		buf_printf(b, " from %" PRIu64 "ns to %" PRIu64 "ns", t->axis.from, t->axis.to);
	if (t->calls && t->display.on)
		buf_printf(b, " | where wall > %" PRIu64 "ns", t->display.length);
}
