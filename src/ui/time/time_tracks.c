/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_tracks: the tracks of a thread above its calls, on the same axis.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "time.h"

enum { PROCESS_LEAST = 5 };	/* columns for the name of a process */

enum { DRAW_NS = 3000000 };

/* ---- choosing the tracks ------------------------------------------------- */

/* Return the file open beside the one shown; NULL: none. */
static struct store *
other_file(const struct session *s)
{
	struct store	*st = s->nstores > 1 ? s->store[s->at == 0 ? 1 : 0] : NULL;

	return st != NULL && load_shapes(st) & SHAPE_TASKS ? st : NULL;
}

bool
time_tracks_want(struct time_pane *t, struct work *work, struct err *err)
{
	struct session	 s = *ui_seen(t->pane->ui);
	struct store	*other = other_file(&s);

	t->sure = 0;
	if (!lane_want(t->next, work, err))
		return false;
	if (other == NULL)
		return true;
	if (!pass_want(other, COL_THREAD_TID, work, err) || !lane_want(other, work, err))
		return false;
	if (ui_options(t->pane->ui)->has_offset || s.at != 0 || s.offset[1] != 0)
		return true;
	if (!session_line_up(&s, 1, &t->sure, work, err))
		return false;
	t->lined_up = s.offset[1];
	return true;
}

static void
show_offset(const struct time_pane *t, const char *how)
{
	const struct session *s = ui_session(t->pane->ui);
	int64_t		 by = s->offset[s->at == 0 ? 1 : 0] - s->offset[s->at];
	char		 text[NUM_TEXT];

	num_show_duration(text, sizeof text, by < 0 ? (uint64_t)-by : (uint64_t)by);
	ui_say(t->pane->ui, "other file shifted by %s %s%s", text, by < 0 ? "earlier" : "later", how);
}

void
time_tracks_told(struct time_pane *t)
{
	char	how[80];

	if (t->sure == 0)
		return;
	/* Keep an offset that the user set meanwhile. */
	if (ui_session(t->pane->ui)->offset[1] == 0)
		ui_session(t->pane->ui)->offset[1] = t->lined_up;
	snprintf(how, sizeof how, ", estimated from common threads (%u%%); < > shift it", t->sure);
	show_offset(t, how);
	t->sure = 0;
}

uint32_t
time_named(const struct store *st, column_id column, void (*name)(const struct store *, uint32_t,
    struct buf *), struct str want, uint32_t from)
{
	const struct column *all = store_column(st, column);
	uint32_t	n = all != NULL && want.n > 0 ? (uint32_t)all->rows : 0;
	struct buf	b = BUF_INIT;

	for (; from <= n; from++) {
		buf_clear(&b);
		name(st, from, &b);
		if (str_eq(buf_view(&b), want))
			break;
	}
	buf_free(&b);
	return from <= n ? from : 0;
}

/* Find the thread in the other file by tid, otherwise by name; 0: not found. */
static uint32_t
thread_in(const struct time_pane *t, const struct store *other)
{
	const struct column *tids = store_column(other, COL_THREAD_TID);
	uint64_t	 tid = t->thread != 0 ? column_get(store_column(t->st, COL_THREAD_TID),
	    t->thread - 1) : 0;
	uint32_t	 i, n = tids != NULL && tid != 0 ? (uint32_t)tids->rows : 0;
	struct buf	 name = BUF_INIT;

	for (i = 1; i <= n; i++)
		if (column_get(tids, i - 1) == tid)
			return i;
	if (t->thread != 0)
		thread_name(t->st, t->thread, &name);
	i = time_named(other, COL_THREAD_TID, thread_name, buf_view(&name), 1);
	buf_free(&name);
	return i;
}

static void
add_moments(struct time_pane *t, const struct store *st, uint32_t thread, uint32_t process, struct lane lane)
{
	if (!moments_track(st, thread, process, &lane.track) ||
	    !MEM_ROOM(t->lanes.at, t->lanes.cap, t->lanes.n))
		return;
	lane.hidden = thread == 0 && process == 0 && t->thread != 0;
	t->lanes.at[t->lanes.n++] = lane;
}

/* Instants of the thread, of its process, and of none; without a thread those of all processes. */
static void
add_instants(struct time_pane *t, const struct store *st, uint32_t thread, struct lane lane)
{
	uint32_t	process = thread_process(st, thread),
	    n = (uint32_t)column_rows(store_column(st, COL_PROCESS_PID));

	if (thread != 0)
		add_moments(t, st, thread, 0, lane);
	if (process != 0)
		add_moments(t, st, 0, process, lane);
	for (uint32_t i = 1; thread == 0 && i <= n; i++)
		add_moments(t, st, 0, i, lane);
	add_moments(t, st, 0, 0, lane);
}

/*
 * Add the tracks of the thread, then those of its process and of the system, then those of CPUs; the last
 * two are hidden at first.
 */
static void
add_lanes(struct time_pane *t, const struct store *st, uint32_t thread, int64_t offset)
{
	struct track	track;
	size_t		n = store_column(st, COL_TRACK_KIND) != NULL ? tracks_count(st) : 0;
	unsigned	file = st == t->st ? 0 : ui_session(t->pane->ui)->at == 0 ? 2 : 1;
	uint64_t	end = n > 0 ? tracks_end(st) : 0;
	uint32_t	process = thread_process(st, thread);

	if (thread != 0 && sampled_track(st, thread, &track) &&
	    MEM_ROOM(t->lanes.at, t->lanes.cap, t->lanes.n))
		t->lanes.at[t->lanes.n++] = (struct lane){ .st = st, .number = SIZE_MAX, .track = track,
		    .offset = offset, .file = file };
	add_instants(t, st, thread, (struct lane){ .st = st, .number = SIZE_MAX, .offset = offset,
	    .file = file, .of_all = thread == 0 });
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < n; i++) {
			if (!track_get(st, i, &track) || track.n == 0 ||
			    (track.cpu != 0 ? 2 : track.thread == 0) != round)
				continue;
			if ((track.cpu == 0 && track.thread != 0 && track.thread != thread) ||
			    track_is_foreign(st, &track, thread))
				continue;
			if (!MEM_ROOM(t->lanes.at, t->lanes.cap, t->lanes.n))
				return;
			t->lanes.at[t->lanes.n++] = (struct lane){ .st = st, .number = i, .track = track,
			    .end = end, .offset = offset,
			        .hidden = track.cpu != 0 ||
			        (process != 0 && !track.beside && track_of_system(st, &track)),
			    .file = file, .of_all = thread == 0 };
		}
}

void
time_tracks(struct time_pane *t)
{
	const struct session *s = ui_session(t->pane->ui);
	struct store	*other = other_file(s);

	lanes_clear(&t->lanes);
	add_lanes(t, t->st, t->thread, 0);
	if (other != NULL)
		add_lanes(t, other, thread_in(t, other),
		    s->offset[s->at == 0 ? 1 : 0] - s->offset[s->at]);
	lanes_nest(&t->lanes);
}

/* Select the track that another pane asked for. */
void
time_tracks_select(struct time_pane *t)
{
	for (size_t i = 0; t->track.n > 0 && i < t->lanes.n; i++) {
		const struct track *track = &t->lanes.at[i].track;

		if (!str_eq(str_of(track->name), buf_view(&t->track)) ||
		    track->process != t->track_process || t->track_before-- > 0)
			continue;
		lanes_reveal(&t->lanes, i);
		t->lanes.focus = i + 1;
		t->lanes.stretch = 0;
		break;
	}
	buf_clear(&t->track);
}

/* ---- visible tracks ------------------------------------------------------ */

bool
time_tracks_step(struct time_pane *t, uint64_t deadline)
{
	bool		more = false;

	for (size_t i = 0; i < t->lanes.n; i++)
		if (lanes_shows(&t->lanes, i))
			more |= lane_step(&t->lanes.at[i], t->axis.from, t->axis.to, t->axis.w, deadline);
	return more;
}

/* ---- selection ----------------------------------------------------------- */

/* Show the interval of a track and the call at that time. */
static void
take_stretch(struct time_pane *t, uint64_t row)
{
	uint64_t	from, to;

	t->lanes.stretch = row;
	if (row == 0)
		return;
	lane_stretch(&t->lanes.at[t->lanes.focus - 1], row, &from, &to);
	/* An instant is seen at every scale. */
	if (lane_moment(&t->lanes.at[t->lanes.focus - 1], row) == 0)
		time_show(t, from, to);
	else if (from < t->axis.from || from >= t->axis.to)
		time_center(t, from, true);
	t->under = true;
	t->fresh = true;
}

/* Focus the clicked track; select the interval at the clicked cell. */
static void
time_tracks_click(void *who, size_t lane, int y, int x)
{
	struct time_pane *t = who;
	uint64_t	row;
	int		cell = x + t->pane->area.x - t->axis.x;

	t->lanes.focus = lane + 1;
	if (y == SPOT_FOCUS || cell < 0 || cell >= t->axis.w)
		return;
	row = lane_at(&t->lanes.at[lane], t->axis.from +
	    (uint64_t)((double)(t->axis.to - t->axis.from) * (cell + 0.5) / t->axis.w));
	t->lanes.stretch = 0;
	if (row != 0)
		take_stretch(t, row);
}

/* ---- drawing ------------------------------------------------------------- */

/* The name of a track says what it is, and the end of the name of its process of which one. */
static void
lane_fit(const struct lane *l, struct str whole, size_t w, struct buf *b)
{
	OWN_BUF process = BUF_INIT;
	struct str name;
	size_t used;

	if (l->of_all)
		process_label(l->st, l->track.process, &process);
	name = str_head(whole, whole.n - process.n);
	used = text_width(name);
	if (process.n == 0)
		screen_short(b, whole, w);
	else if (used + PROCESS_LEAST > w)
		screen_middle(b, whole, w);
	else {
		buf_str(b, name);
		screen_tail(b, buf_view(&process), w - used);
	}
}

static void
draw_lane(struct time_pane *t, struct lane *l, bool focus, struct area a)
{
	struct buf	raw = BUF_INIT, fit = BUF_INIT;
	uint64_t	from = t->axis.from, to = t->axis.to, at = 0, end = 0;
	int		right = t->axis.x + t->axis.w + 1, room = t->axis.x - a.x - 1;

	spot_add(&(struct spot){ .area = a, .click = time_tracks_click, .who = t,
	    .what = (size_t)(l - t->lanes.at),
	    .enters = true });
	lane_head(l, &raw);
	if (room > 0)
		lane_fit(l, buf_view(&raw), (size_t)room, &fit);
	screen_name(a.y, a.x, room, ROLE_NORMAL, focus ? LOOK_REVERSE : LOOK_PLAIN, buf_view(&fit));
	buf_free(&fit);
	if (focus && t->lanes.stretch != 0)
		lane_stretch(l, t->lanes.stretch, &at, &end);
	lane_draw(l, a.y, t->axis.x, at, end);
	if (time_piece(t, &at, &end)) {
		from = at;
		to = end;
	}
	buf_clear(&raw);
	lane_value(l, from, to, &raw);
	screen_name(a.y, right, a.x + a.w - right, ROLE_NORMAL, LOOK_PLAIN, buf_view(&raw));
	buf_free(&raw);
}

int
time_tracks_draw(struct time_pane *t, bool resized, struct area a)
{
	size_t	n = 0, shown = lanes_shown(&t->lanes), room = a.h > 0 ? (size_t)a.h : 0;

	if (t->f.n > 0 && shown > room / 2)
		room = room / 2;
	lanes_scroll(&t->lanes, room);
	time_tracks_step(t, resized ? UINT64_MAX : os_now() + DRAW_NS);
	for (size_t i = 0; i < t->lanes.n; i++) {
		if (!lanes_shows(&t->lanes, i))
			continue;
		if (n >= t->lanes.top && n < t->lanes.top + room)
			draw_lane(t, &t->lanes.at[i], i + 1 == t->lanes.focus,
			    (struct area){ a.y + (int)(n - t->lanes.top), a.x, 1, a.w });
		n++;
	}
	return (int)(shown < room ? shown : room);
}

/* ---- keys ---------------------------------------------------------------- */

/* Move the focus; select the interval at the time of the old selection. */
static void
time_tracks_take_focus(struct time_pane *t, size_t focus)
{
	uint64_t	from = t->axis.from, to, row;

	time_piece(t, &from, &to);
	if (from < t->axis.from)
		from = t->axis.from;
	t->lanes.focus = focus;
	t->lanes.stretch = 0;
	if (focus == 0)
		return;
	row = lane_at(&t->lanes.at[focus - 1], from);
	if (row != 0)
		take_stretch(t, row);
}

/* Find the track with an instant at exactly that time, as a focus; 0: none. */
static size_t
moment_at(const struct time_pane *t, uint64_t time, uint64_t *row)
{
	uint64_t	from, to;

	for (size_t i = 0; i < t->lanes.n; i++) {
		*row = t->lanes.at[i].track.kind == TRACK_MOMENT && lanes_shows(&t->lanes, i) ?
		    lane_at(&t->lanes.at[i], time) : 0;
		if (*row == 0)
			continue;
		lane_stretch(&t->lanes.at[i], *row, &from, &to);
		if (from == time)
			return i + 1;
	}
	return 0;
}

/* Show a time range that another pane asked for; select its interval and the call under it. */
void
time_point(struct time_pane *t, uint64_t from, uint64_t to)
{
	size_t		focus = lanes_first(&t->lanes);
	uint64_t	row = focus != 0 ? lane_at(&t->lanes.at[focus - 1], from) : 0, moment, begin, end;
	size_t		instants = to == from + 1 ? moment_at(t, from, &moment) : 0;

	if (instants != 0) {
		focus = instants;
		row = moment;
	}
	t->lanes.focus = row != 0 ? focus : 0;
	if (row != 0) {
		take_stretch(t, row);
		lane_stretch(&t->lanes.at[focus - 1], row, &begin, &end);
		/* The last interval may end before the range: show all of the range. */
		if (end < to)
			time_show(t, begin, to);
		return;
	}
	t->sel_start = axis_floor(&t->axis, from);
	t->sel_depth = UINT32_MAX;
	time_show(t, from, to);
	t->fresh = true;
}

static bool
next_stretch(struct time_pane *t, bool backward)
{
	uint64_t	row;

	if (t->lanes.focus == 0) {
		t->lanes.focus = lanes_first(&t->lanes);
		if (t->lanes.focus == 0) {
			ui_say(t->pane->ui, "no tracks in this file");
			return true;
		}
		time_tracks_take_focus(t, t->lanes.focus);
		return true;
	}
	row = lane_next(lanes_focused(&t->lanes), t->lanes.stretch, backward);
	if (row != 0)
		take_stretch(t, row);
	else
		ui_say(t->pane->ui, "no %s event on this track", backward ? "earlier" : "later");
	return true;
}

static void
hide(struct time_pane *t)
{
	if (t->lanes.focus == 0) {
		ui_say(t->pane->ui, "%s%s", t->lanes.n == 0 ? "no tracks in this file" :
		    hint_in(t->pane->kind->where, VERB_FOCUS, "select a track with _ first; ").s,
		    t->lanes.n == 0 ? "" : hint(VERB_ALL_TRACKS, "_ shows all").s);
		return;
	}
	t->lanes.every = false;
	t->lanes.at[t->lanes.focus - 1].hidden = true;
	time_tracks_take_focus(t, lanes_beside(&t->lanes, t->lanes.focus, false));
	t->fresh = true;
}

/* Fold or unfold the tracks below the selected track; without one those below all. */
static void
fold(struct time_pane *t)
{
	size_t		focus = t->lanes.focus, at = focus > 0 ? focus - 1 : 0;
	unsigned	depth;

	while (at < t->lanes.n && focus == 0 && !t->lanes.at[at].heads)
		at++;
	/* On a track below another one: fold that one. */
	if (focus > 0 && !t->lanes.at[at].heads) {
		depth = t->lanes.at[at].track.depth;
		while (at < t->lanes.n && t->lanes.at[at].track.depth >= depth)
			at = at > 0 ? at - 1 : t->lanes.n;
	}
	if (at >= t->lanes.n || !t->lanes.at[at].heads) {
		ui_say(t->pane->ui, "no nested tracks %s", focus > 0 ? "here" : "in this file");
		return;
	}
	lanes_fold(&t->lanes, at, !t->lanes.at[at].folded, focus == 0);
	if (focus > 0 && at + 1 != focus)
		time_tracks_take_focus(t, at + 1);
	t->fresh = true;
}

static void
show_all(struct time_pane *t)
{
	if (t->lanes.n == 0)
		ui_say(t->pane->ui, "no tracks in this file");
	t->lanes.every = !t->lanes.every;
	for (size_t i = 0; i < t->lanes.n; i++)
		if (t->lanes.at[i].track.cpu == 0)
			t->lanes.at[i].hidden = false;
	if (t->lanes.focus > 0 && !lanes_shows(&t->lanes, t->lanes.focus - 1))
		time_tracks_take_focus(t, 0);
	t->fresh = true;
}

/* Shift the tracks of the other file by the time of one cell. */
static bool
time_tracks_shift(struct time_pane *t, bool earlier)
{
	struct session	*s = ui_session(t->pane->ui);
	size_t		 other = s->at == 0 ? 1 : 0;
	int64_t		 by = (int64_t)axis_step(&t->axis);

	if (other_file(s) == NULL) {
		ui_say(t->pane->ui, "no scheduler trace open with this file");
		return true;
	}
	s->offset[other] += earlier ? -by : by;
	for (size_t i = 0; i < t->lanes.n; i++) {
		if (t->lanes.at[i].st == t->st)
			continue;
		t->lanes.at[i].offset += earlier ? -by : by;
		t->lanes.at[i].width = 0;
		t->lanes.at[i].part_known = false;
	}
	show_offset(t, "");
	return true;
}

bool
time_tracks_act(struct time_pane *t, enum verb verb)
{
	switch (verb) {
	case VERB_PREV_EVENT: case VERB_NEXT_EVENT:
		return next_stretch(t, verb == VERB_PREV_EVENT);
	case VERB_HIDE_TRACK:
		hide(t);
		return true;
	case VERB_ALL_TRACKS:
		show_all(t);
		return true;
	case VERB_FOLD_ALL:
		fold(t);
		return true;
	case VERB_EARLIER: case VERB_LATER:
		return time_tracks_shift(t, verb == VERB_EARLIER);
	case VERB_FOCUS: case VERB_FOCUS_BACK:
		if (lanes_shown(&t->lanes) == 0)
			ui_turn(t->pane->ui, verb == VERB_FOCUS_BACK);
		else
			time_tracks_take_focus(t, lanes_beside(&t->lanes, t->lanes.focus,
			    verb == VERB_FOCUS_BACK));
		return true;
	case VERB_LEFT: case VERB_RIGHT:
		return t->lanes.focus > 0 && next_stretch(t, verb == VERB_LEFT);
	case VERB_UP: case VERB_DOWN:
		if (t->lanes.focus == 0 && (verb == VERB_DOWN || t->f.sel_level > 0 ||
		    lanes_shown(&t->lanes) == 0))
			return false;
		if (t->lanes.focus == 0 || verb == VERB_DOWN ||
		    lanes_beside(&t->lanes, t->lanes.focus, true) != 0)
			time_tracks_take_focus(t, lanes_beside(&t->lanes, t->lanes.focus, verb == VERB_UP));
		return true;
	default:
		return false;
	}
}
