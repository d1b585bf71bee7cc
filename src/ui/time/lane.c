/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lane: tracks as rows of cells: bars, state letters, task letters.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/sums.h"
#include "lane.h"

enum { STEP_POINTS = 100000, ROUGH_POINTS = 10000 };

/* ---- times --------------------------------------------------------------- */

static uint64_t
moved(uint64_t time, int64_t by)
{
	if (by >= 0)
		return num_add(time, (uint64_t)by);
	return time > (uint64_t)-by ? time - (uint64_t)-by : 0;
}

/* Convert a time of the axis to the clock of the track; 0 before that clock began. */
static uint64_t
to_track(const struct lane *l, uint64_t time)
{
	return moved(time, -l->offset);
}

/* Return where a cell begins, on the axis and on the clock of the track. */
static uint64_t
lane_cell_begin(const struct lane *l, int cell)
{
	return l->from + (uint64_t)((double)(l->to - l->from) * cell / l->width);
}

static uint64_t
cell_time(const struct lane *l, int cell)
{
	return to_track(l, lane_cell_begin(l, cell));
}

/* True before the clock of the track began. */
static bool
is_early(const struct lane *l, uint64_t time)
{
	return l->offset > 0 && time < (uint64_t)l->offset;
}

static void
set_unknown(struct track_piece *p)
{
	memset(p, 0, sizeof *p);
	p->state = STATE_NONE;
}

/* ---- contents of cells --------------------------------------------------- */

bool
lane_want(struct store *st, struct work *work, struct err *err)
{
	struct err	why = { .kind = E_NONE };
	bool		ok = store_column(st, COL_TRACK_KIND) != NULL ||
	    pass_want(st, COL_TRACK_KIND, work, &why);

	if ((ok || why.kind != E_CANCEL) && sampled_has(st) && store_column(st, COL_SAMPLED_FIRST) == NULL)
		ok = pass_want(st, COL_SAMPLED_FIRST, work, &why);
	if ((ok || why.kind != E_CANCEL) && column_rows(store_column(st, COL_INSTANT_TIME)) > 0 &&
	    store_column(st, COL_MOMENT_TIME) == NULL)
		ok = pass_want(st, COL_MOMENT_TIME, work, &why);
	if (ok || why.kind != E_CANCEL)
		return true;
	*err = why;
	return false;
}

void
lane_free(struct lane *l)
{
	free(l->piece);
	memset(l, 0, sizeof *l);
}

/* Return how many cells from the first unknown one can be read fast. */
static int
few_cells(const struct lane *l)
{
	int		n = l->width - l->done;
	uint64_t	points = track_before(&l->track, cell_time(l, l->width)) -
			    track_before(&l->track, cell_time(l, l->done));

	/* Cells before the clock began have another length. */
	if (is_early(l, lane_cell_begin(l, l->done)))
		return 1;
	if (points > STEP_POINTS)
		n = (int)((double)n * STEP_POINTS / (double)points);
	return n > 0 ? n : 1;
}

/* Return the total at the last point before a time. */
static uint64_t
rough_total(const struct lane *l, uint64_t time)
{
	uint64_t	row = track_before(&l->track, time);

	return column_get(l->track.value, row > 0 ? row - 1 : l->track.first);
}

/* Estimate a cell fast: the value at its middle, or the growth of a total from its start to its end. */
static void
rough_cell(const struct lane *l, int i, struct track_piece *p)
{
	uint64_t	from = cell_time(l, i), to = cell_time(l, i + 1);
	uint64_t	row = track_before(&l->track, from + (to - from) / 2), value;

	set_unknown(p);
	if (row == 0 || is_early(l, lane_cell_begin(l, i)))
		return;
	value = column_get(l->track.value, row - 1);
	p->known = to - from;
	p->sum = p->max = value;
	if (l->track.kind == TRACK_CPU || l->track.kind == TRACK_TOTAL)
		p->sum = rough_total(l, to) - rough_total(l, from);
	if (to > from)
		p->use = (double)p->sum / (double)(to - from);
	if (value < STATE_NONE)
		p->state = (uint32_t)value;
}

/* Start another window: no cell is known.  If there are many points, estimate the cells first. */
static bool
lane_begin(struct lane *l, uint64_t from, uint64_t to, int width)
{
	l->from = from;
	l->to = to;
	l->width = l->done = l->seen = 0;
	if (!mem_grow(&l->piece, &l->cap, (size_t)width, sizeof *l->piece))
		return false;
	l->width = width;
	if (l->track.kind != TRACK_MOMENT && track_before(&l->track,
	    cell_time(l, width)) - track_before(&l->track, cell_time(l, 0)) > ROUGH_POINTS)
		for (; l->seen < width; l->seen++)
			rough_cell(l, l->seen, &l->piece[l->seen]);
	return true;
}

bool
lane_step(struct lane *l, uint64_t from, uint64_t to, int width, uint64_t deadline)
{
	int	n;

	if (width <= 0 || to <= from)
		return false;
	if ((l->from != from || l->to != to || l->width != width) && !lane_begin(l, from, to, width))
		return false;
	while (l->done < l->width) {
		if (l->seen == l->width && os_now() >= deadline)
			return true;
		n = few_cells(l);
		if (is_early(l, lane_cell_begin(l, l->done + n) - 1))
			set_unknown(&l->piece[l->done]);
		else
			track_pieces(&l->track, cell_time(l, l->done), cell_time(l, l->done + n),
			    l->piece + l->done, (size_t)n);
		l->done += n;
		l->seen = l->seen > l->done ? l->seen : l->done;
	}
	return false;
}

/* ---- cells --------------------------------------------------------------- */

/* Return the first letter or digit of the task's name. */
static char
task_letter(const struct store *st, uint32_t thread)
{
	struct buf	name = BUF_INIT;
	char		c = '#';

	thread_name(st, thread, &name);
	for (size_t i = 0; i < name.n; i++)
		if (isalnum((unsigned char)name.s[i])) {
			c = name.s[i];
			break;
		}
	buf_free(&name);
	return c;
}

static enum role
letter_of(const struct lane *l, const struct track_piece *p, char *s)
{
	s[1] = '\0';
	s[0] = ' ';
	if (l->track.kind == TRACK_MOMENT) {
		s[0] = p->points == 0 ? ' ' : p->points < 10 ? (char)('0' + p->points) : '+';
		return ROLE_NORMAL;
	}
	if (p->state == STATE_NONE)
		return ROLE_NORMAL;
	if (l->track.kind == TRACK_STATE) {
		s[0] = state_letter(l->st, p->state);
		return state_role(state_class(l->st, p->state));
	}
	if (p->state == 0) {
		s[0] = '.';
		return ROLE_DIM;
	}
	s[0] = task_letter(l->st, p->state);
	return ROLE_HUE + p->state * 5 % HUES;
}

/* Return the value that a bar shows, before it is scaled. */
static double
height(const struct lane *l, const struct track_piece *p)
{
	if (l->track.kind == TRACK_CPU)
		return p->use;
	return l->track.kind == TRACK_TOTAL ? (double)p->sum : l->track.kind == TRACK_LEVEL ?
	    (double)p->max : 0;
}

static double
lane_highest(const struct lane *l)
{
	double	most = 0;

	for (int i = 0; i < l->seen; i++)
		if (l->piece[i].known > 0 && height(l, &l->piece[i]) > most)
			most = height(l, &l->piece[i]);
	return most;
}

/* Return the step of a bar: of CPU use, others relative to the most in the window. */
static unsigned
bar_step(const struct lane *l, const struct track_piece *p, double most)
{
	double	h = height(l, p);

	most = l->track.kind == TRACK_CPU ? 1 : most;
	return most <= 0 || h <= 0 ? 0 : use_step((uint64_t)(h / most * 1e6) + 1, 1000000);
}

static bool
is_letters(const struct lane *l)
{
	return l->track.kind == TRACK_STATE || l->track.kind == TRACK_TASK || l->track.kind == TRACK_MOMENT;
}

void
lane_draw(const struct lane *l, int y, int x, uint64_t sel_from, uint64_t sel_to)
{
	struct axis	 axis = { y, x, l->width, l->from, l->to };
	int		 first = l->width, last = 0;
	double		 most = is_letters(l) ? 0 : lane_highest(l);
	char		 letter[2];
	enum role	 role;
	unsigned	 look, step;
	const char	*s;

	if (sel_to > sel_from && sel_to > l->from && sel_from < l->to) {
		first = axis_cell(&axis, sel_from);
		last = axis_cell(&axis, sel_to);
		last = last > first ? last : first + 1;
		screen_cursor(y, x + (first < l->width ? first : l->width - 1), false);
	}
	for (int i = 0; i < l->seen; i++) {
		look = i >= first && i < last ? LOOK_REVERSE | LOOK_BOLD : 0;
		role = ROLE_NORMAL;
		s = letter;
		if (is_letters(l))
			role = letter_of(l, &l->piece[i], letter);
		else if (l->piece[i].known == 0)
			s = " ";
		else {
			step = bar_step(l, &l->piece[i], most);
			s = screen_bar(step);
			role = l->track.kind == TRACK_CPU || step == 0 ? screen_bar_role(step) : role;
		}
		if (strcmp(s, ".") == 0)
			role = ROLE_DIM;
		screen_puts(y, x + i, 1, role, look, s);
	}
}

/* ---- value as text ------------------------------------------------------- */

void
lane_label(const struct lane *l, struct buf *b)
{
	OWN_BUF process = BUF_INIT;

	if (l->file > 0)
		buf_printf(b, "%u: ", l->file);
	if (l->track.cpu != 0)
		buf_printf(b, "CPU %u", l->track.cpu - 1);
	else
		buf_str(b, str_of(l->track.name));
	if (l->same > 0)
		buf_printf(b, " (%u)", l->same + 1);
	if (l->of_all)
		process_label(l->st, l->track.process, &process);
	if (process.n > 0)
		buf_str(b, STR(" "));
	buf_str(b, buf_view(&process));
}

void
lane_head(const struct lane *l, struct buf *b)
{
	buf_printf(b, "%*s%s", (int)(2 * l->track.depth), "", !l->heads ? "" : l->folded ? "+ " : "- ");
	lane_label(l, b);
}

static void
lane_part_of(struct lane *l, uint64_t from, uint64_t to)
{
	if (l->part_known && l->part_from == from && l->part_to == to)
		return;
	l->part_from = from;
	l->part_to = to;
	l->part_known = true;
	if (is_early(l, to))
		set_unknown(&l->part);
	else
		track_piece(&l->track, to_track(l, from), to_track(l, to), &l->part);
}

static void
lane_add_amount(const struct lane *l, uint64_t n, struct buf *b)
{
	char		 s[NUM_TEXT];
	const char	*unit = l->track.unit;
	bool		 scaled = l->track.decimals > 0 || l->track.below > 0;
	double		 real = scaled ? track_real(&l->track, n) : 0;
	bool		 whole = !scaled || fabs(real) < 0x1p63,
			 size = strcmp(unit, "bytes") == 0 && whole, time = strcmp(unit, "ns") == 0 && whole;

	if (scaled && whole)
		n = (uint64_t)fabs(real);
	if ((size || time) && real < 0)
		buf_chr(b, '-');
	if (size)
		num_show_size(s, sizeof s, n);
	else if (time)
		num_show_duration(s, sizeof s, n);
	else if (scaled)
		snprintf(s, sizeof s, "%.6g", real);
	else
		num_show_count(s, sizeof s, n);
	buf_str(b, str_of(s));
	if (unit[0] != '\0' && strcmp(unit, "bytes") != 0 && strcmp(unit, "ns") != 0 &&
	    strcmp(unit, "open") != 0)
		buf_printf(b, "%s%s", strcmp(unit, "%") == 0 ? "" : " ", unit);
}

static void
lane_add_moment(const struct lane *l, uint64_t row, struct buf *b)
{
	buf_str(b, word_text(l->st, (uint32_t)store_cell(l->st, COL_INSTANT_NAME, row + 1)));
}

void
lane_value(struct lane *l, uint64_t from, uint64_t to, struct buf *b)
{
	lane_part_of(l, from, to);
	if (l->part.known == 0 && l->part.state == STATE_NONE)
		return;
	switch (l->track.kind) {
	case TRACK_STATE:
		if (l->part.state != STATE_NONE)
			buf_str(b, str_of(state_word(l->st, l->part.state)));
		break;
	case TRACK_TASK:
		if (l->part.state == 0)
			buf_str(b, STR("idle"));
		else if (l->part.state != STATE_NONE)
			thread_label(l->st, l->part.state, b);
		break;
	case TRACK_CPU:
		buf_printf(b, "%.0f%%", l->part.use * 100);
		break;
	case TRACK_TOTAL:
	case TRACK_LEVEL:
		lane_add_amount(l, l->part.sum, b);
		break;
	case TRACK_MOMENT:
		if (l->part.points == 1)
			lane_add_moment(l, l->part.sum, b);
		else if (l->part.points > 0)
			buf_printf(b, "%" PRIu64, l->part.points);
		break;
	}
}

/* ---- stretches ----------------------------------------------------------- */

static uint64_t
lane_time_at(const struct lane *l, uint64_t row)
{
	return column_get(l->track.time, row - 1);
}

static uint64_t
value_at(const struct lane *l, uint64_t row)
{
	return column_get(l->track.value, row - 1);
}

static bool
lane_is_total(const struct lane *l)
{
	return l->track.kind == TRACK_TOTAL || l->track.kind == TRACK_CPU;
}

/* True if a state or level begins at row; one of zero length does not count. */
static bool
is_change(const struct lane *l, uint64_t row)
{
	uint64_t	before = row - 1, time = lane_time_at(l, row);

	if (row < l->track.first + l->track.n && lane_time_at(l, row + 1) == time)
		return false;
	while (before > l->track.first && lane_time_at(l, before) == time)
		before--;
	return before == l->track.first || value_at(l, before) != value_at(l, row);
}

/* True if an interval begins at row; for totals, if it ends there. */
static bool
lane_is_event(const struct lane *l, uint64_t row)
{
	if (l->track.kind == TRACK_MOMENT)
		return true;
	if (!lane_is_total(l))
		return is_change(l, row);
	return row > l->track.first + 1 &&
	    (l->track.kind == TRACK_CPU || value_at(l, row) != value_at(l, row - 1));
}

uint64_t
lane_next(const struct lane *l, uint64_t row, bool backward)
{
	uint64_t	first = l->track.first + 1, last = l->track.first + l->track.n;

	if (row == 0)
		return 0;
	for (;;) {
		if (backward ? row <= first : row >= last)
			return 0;
		row = backward ? row - 1 : row + 1;
		if (lane_is_event(l, row))
			return row;
	}
}

/* Return the interval that contains a time, or begins before it. */
uint64_t
lane_at(const struct lane *l, uint64_t time)
{
	uint64_t	row = track_before(&l->track, to_track(l, time)), next;

	if (row == 0)
		return l->track.n == 0 ? 0 : lane_is_event(l, l->track.first + 1) ?
		    l->track.first + 1 : lane_next(l, l->track.first + 1, false);
	if (lane_is_total(l)) {
		next = lane_next(l, row, false);
		return next != 0 ? next : lane_is_event(l, row) ? row : lane_next(l, row, true);
	}
	return lane_is_event(l, row) ? row : lane_next(l, row, true);
}

uint64_t
lane_end(const struct lane *l)
{
	return l->track.n == 0 ? 0 : moved(lane_time_at(l, l->track.first + l->track.n),
	    l->offset) + (l->track.kind == TRACK_MOMENT);
}

uint64_t
lane_moment(const struct lane *l, uint64_t row)
{
	return l->track.kind == TRACK_MOMENT && row > 0 ? value_at(l, row) + 1 : 0;
}

void
lane_stretch(const struct lane *l, uint64_t row, uint64_t *from, uint64_t *to)
{
	uint64_t	next;

	if (lane_is_total(l)) {
		*to = moved(lane_time_at(l, row), l->offset);
		*from = row > l->track.first + 1 ? moved(lane_time_at(l, row - 1), l->offset) : *to;
		return;
	}
	next = lane_next(l, row, false);
	*from = moved(lane_time_at(l, row), l->offset);
	*to = l->track.kind == TRACK_MOMENT ? *from + 1 : next != 0 ?
	    moved(lane_time_at(l, next), l->offset) : moved(l->end, l->offset);
	if (next == 0 && l->track.kind != TRACK_MOMENT && *to < lane_end(l))
		*to = lane_end(l);
}
