/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracks as rows of cells: cells made bit by bit, stretches against a plain list of what changes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "chance.h"
#include "check.h"
#include "ui/time/lane.h"

#define MANY 250000u		/* points: more than are read in one go */
#define FEW 14u
#define STEP_NS 100000u
#define ROUNDS 2000

struct example {
	uint64_t	*time, *value;
	struct column	 t, v;
	struct lane	 lane;
};

/* The first point belongs to another track. */
static void
example_open(struct example *p, size_t n, enum track_kind kind)
{
	memset(p, 0, sizeof *p);
	p->time = calloc(n + 1, sizeof *p->time);
	p->value = calloc(n + 1, sizeof *p->value);
	assert_non_null(p->time);
	assert_non_null(p->value);
	p->time[0] = 7;
	p->t = (struct column){ COL_POINT_TIME, COL_U64, n + 1, p->time };
	p->v = (struct column){ COL_POINT_VALUE, COL_U64, n + 1, p->value };
	p->lane.track = (struct track){ .kind = kind, .name = "x", .unit = "", .time = &p->t,
	    .value = &p->v, .first = 1, .n = n };
}

static void
example_close(struct example *p)
{
	lane_free(&p->lane);
	free(p->time);
	free(p->value);
}

static void
invent(struct example *p, size_t n, bool rises)
{
	uint64_t	time = below(30), value = below(4);
	size_t		i;

	for (i = 1; i <= n; i++) {
		p->time[i] = time;
		p->value[i] = value;
		time += below(3) == 0 ? 0 : below(9);
		value = rises ? value + below(3) : below(3);
	}
}

/* ---- cells --------------------------------------------------------------- */

static void
check_cells(struct example *p, int64_t offset, int width)
{
	struct lane	*l = &p->lane;
	uint64_t	 cell = 40001, from = 1000000;
	int64_t		 at;
	struct track_piece want;
	int		 i, steps = 1;

	l->offset = offset;
	l->width = 0;
	while (lane_step(l, from, from + cell * (uint64_t)width, width, os_now() + STEP_NS)) {
		assert_int_equal(l->seen, width);
		steps++;
	}
	assert_true(steps > 1);
	assert_int_equal(l->seen, width);
	assert_int_equal(l->done, width);
	for (i = 0; i < width; i++) {
		at = (int64_t)(from + cell * (uint64_t)i) - offset;
		memset(&want, 0, sizeof want);
		if (at + (int64_t)cell > 0)
			track_piece(&l->track, at > 0 ? (uint64_t)at : 0, (uint64_t)at + cell, &want);
		assert_int_equal(l->piece[i].sum, want.sum);
		assert_int_equal(l->piece[i].known, want.known);
		assert_int_equal(l->piece[i].points, want.points);
	}
	assert_false(lane_step(l, from, from + cell * (uint64_t)width, width, 0));
}

static void
cells(void **state)
{
	struct example	p;
	size_t		i;

	(void)state;
	example_open(&p, MANY, TRACK_TOTAL);
	for (i = 1; i <= MANY; i++) {
		p.time[i] = p.time[i - 1] + below(20);
		p.value[i] = p.value[i - 1] + below(5);
	}
	check_cells(&p, 0, 41);
	check_cells(&p, 123457, 40);
	check_cells(&p, -99991, 33);
	check_cells(&p, 1234567, 50);
	example_close(&p);
}

/* ---- stretches ----------------------------------------------------------- */

struct piece {
	uint64_t	from, to;
};

/* States: those with a duration, equal neighbours merged; the last one has no end. */
static size_t
changes(const struct example *p, size_t n, struct piece *out)
{
	uint64_t	value = UINT64_MAX;
	size_t		i, found = 0;

	for (i = 1; i <= n; i++) {
		if ((i < n && p->time[i + 1] == p->time[i]) || p->value[i] == value)
			continue;
		value = p->value[i];
		if (found > 0)
			out[found - 1].to = p->time[i];
		out[found++] = (struct piece){ p->time[i], p->time[n] };
	}
	return found;
}

static size_t
growths(const struct example *p, size_t n, struct piece *out)
{
	size_t	i, found = 0;

	for (i = 2; i <= n; i++)
		if (p->value[i] != p->value[i - 1])
			out[found++] = (struct piece){ p->time[i - 1], p->time[i] };
	return found;
}

/* From the first to the last and back; every time leads into one of them. */
static void
check_walk(const struct lane *l, const struct piece *want, size_t n)
{
	uint64_t	row = lane_at(l, 0), before, last = 0, from, to;
	size_t		i;

	while ((before = lane_next(l, row, true)) != 0)
		row = before;
	for (i = 0; i < n; i++, row = lane_next(l, row, false)) {
		assert_true(row != 0);
		lane_stretch(l, row, &from, &to);
		assert_int_equal(from, want[i].from + (uint64_t)l->offset);
		assert_int_equal(to, want[i].to + (uint64_t)l->offset);
		last = row;
	}
	assert_int_equal(row, 0);
	for (row = last; i > 0; i--, row = lane_next(l, row, true)) {
		lane_stretch(l, row, &from, &to);
		assert_int_equal(from, want[i - 1].from + (uint64_t)l->offset);
	}
	assert_int_equal(row, 0);
	for (i = 0; i < n; i++)
		if (want[i].to > want[i].from) {
			lane_stretch(l, lane_at(l, want[i].from + (uint64_t)l->offset), &from, &to);
			assert_int_equal(to, want[i].to + (uint64_t)l->offset);
		}
}

static void
stretches(void **state)
{
	static const enum track_kind kinds[] = { TRACK_STATE, TRACK_LEVEL, TRACK_TOTAL };
	struct piece	want[FEW];
	struct example	p;
	size_t		round, n, found;
	enum track_kind	kind;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		kind = kinds[round % NELEM(kinds)];
		n = below(FEW);
		example_open(&p, n, kind);
		invent(&p, n, kind == TRACK_TOTAL);
		p.lane.offset = below(2) == 0 ? 0 : (int64_t)below(1000);
		found = kind == TRACK_TOTAL ? growths(&p, n, want) : changes(&p, n, want);
		check_walk(&p.lane, want, found);
		example_close(&p);
	}
}

/* ---- the axis ------------------------------------------------------------- */

static void
axis_cells(void **state)
{
	struct axis	a = { .w = 10, .from = 1000, .to = 2000 };

	(void)state;
	assert_int_equal(axis_cell(&a, 0), 0);
	assert_int_equal(axis_cell(&a, 1000), 0);
	assert_int_equal(axis_cell(&a, 1099), 0);
	assert_int_equal(axis_cell(&a, 1100), 1);
	assert_int_equal(axis_cell(&a, 1999), 9);
	assert_int_equal(axis_cell(&a, 2000), 10);
	assert_int_equal(axis_cell(&a, UINT64_MAX), 10);
	a.to = a.from;
	assert_int_equal(axis_cell(&a, 5000), 0);
}

static void
shows(const struct axis *a, uint64_t from, uint64_t to)
{
	assert_true(a->from == from && a->to == to);
}

/* Windows stay within the file, begin and end at ticks, and are never empty. */
static void
axis_windows(void **state)
{
	struct axis	a = { .w = 10, .all_from = 1000, .all_to = 9000, .tick = 10 };

	(void)state;
	axis_window(&a, 0, UINT64_MAX);
	shows(&a, 1000, 9000);
	assert_false(axis_zoomed(&a));
	assert_int_equal(axis_step(&a), 800);
	axis_window(&a, 2009, 3019);
	shows(&a, 2000, 3010);
	assert_true(axis_zoomed(&a));
	axis_window(&a, 5000, 4000);
	shows(&a, 5000, 5010);
	axis_around(&a, 2000, 3000, UINT64_MAX);
	shows(&a, 1000, 9000);
	axis_around(&a, 4000, 25, 100);
	shows(&a, 3970, 4070);
	axis_center(&a, 8999);
	shows(&a, 8900, 9000);
	axis_center(&a, 0);
	shows(&a, 1000, 1100);
	axis_pan(&a, false);
	shows(&a, 1020, 1120);
	axis_pan(&a, true);
	axis_pan(&a, true);
	shows(&a, 1000, 1100);
	assert_int_equal(axis_part(&a, 70, 2), 30);
	a.tick = 0;
	assert_int_equal(axis_part(&a, 70, 2), 35);
	axis_window(&a, 7, 7);
	shows(&a, 1000, 1001);
	a = (struct axis){ .all_from = UINT64_MAX, .tick = 10 };
	axis_extended(&a);
	axis_all(&a);
	shows(&a, 0, 10);
	axis_extend(&a, 5, 39);
	axis_extend(&a, 20, 25);
	axis_extended(&a);
	axis_all(&a);
	shows(&a, 0, 30);
}

/* A range has whole cells in whichever direction it is marked. */
static void
axis_ranges(void **state)
{
	struct axis	a = { .x = 5, .w = 10, .from = 1000, .to = 2000 };
	struct buf	b = BUF_INIT;

	(void)state;
	axis_drag(&a, NULL, 4, 9, false);
	assert_false(a.mark.open);
	axis_drag(&a, NULL, 8, 6, false);
	assert_true(a.mark.open && a.mark.anchor == 1300 && a.mark.at == 1100 && a.mark.cell == 100);
	axis_drag(&a, NULL, 8, 99, false);
	assert_int_equal(a.mark.at, 1900);
	axis_status(&a, &b);
	assert_true(str_has_prefix(buf_view(&b), STR("range 1.3")));
	buf_free(&b);
}

TOOL(unit, lane)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(stretches),
		cmocka_unit_test(axis_cells), cmocka_unit_test(axis_windows), cmocka_unit_test(axis_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
