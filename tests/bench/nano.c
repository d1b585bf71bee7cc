/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nano: what a Nanoscope trace costs.  Opens FILE with its side files and prints, a line each, a name and a
 * number: seconds to the columns of the loader, to the tracks, to the calls in time order; then of frames of the time
 * pane, while it zooms and pans, the p50 and p99 in milliseconds.  A frame is the calls of the window and all tracks.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/ending.h"
#include "icecore/track.h"

#define COLUMNS 200		/* of a wide terminal */
#define BUDGET 200000		/* records, as in the time pane */
#define FRAMES 2000

static struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
static struct spans spans;
static double cost[FRAMES];

static void
check(bool ok)
{
	if (ok)
		return;
	fprintf(stderr, "nano: %s\n", err.text);
	exit(1);
}

static double
since(uint64_t start)
{
	return (double)(os_now() - start) / 1e9;
}

/* Everything a frame shows of [from, to]. */
static void
frame(struct store *st, uint64_t from, uint64_t to)
{
	static struct track_piece piece[COLUMNS];
	uint64_t tick = trace_ns(st, 1);
	struct track t;
	size_t i;

	check(spans_window(st, 1, from / tick, to / tick, (to - from) / tick / COLUMNS, BUDGET, &spans, &err));
	for (i = 0; i < tracks_count(st); i++)
		if (track_get(st, i, &t))
			track_pieces(&t, from, to, piece, COLUMNS);
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* From the whole trace into it by halves, then from one place to the next, and out again. */
static void
walk(struct store *st)
{
	uint64_t end = store_fact_get(st, "last_wall"), width = end, from = 0, start, seed = 1;
	size_t i;

	for (i = 0; i < FRAMES; i++) {
		start = os_now();
		frame(st, from, from + width);
		cost[i] = since(start) * 1e3;
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		if (seed >> 62 == 0 && width > 1000)
			width /= 2;
		else if (seed >> 62 == 1 && width < end)
			width *= 2;
		from += (seed >> 61 & 1) != 0 ? width / 3 : 0;
		if (width >= end || from > end - width)
			from = width >= end ? 0 : (seed >> 20) % (end - width);
	}
	qsort(cost, FRAMES, sizeof *cost, by_size);
	printf("frame_p50 %.3f\nframe_p99 %.3f\n", cost[FRAMES / 2], cost[FRAMES * 99 / 100]);
}

int
main(int argc, char **argv)
{
	struct store_options options = { .memory_only = true };
	struct side_options sides = { NULL, NULL, NULL };
	struct store *base, *st;
	uint64_t start = os_now();

	if (argc != 2) {
		fprintf(stderr, "usage: nano FILE\n");
		return 2;
	}
	ending_guard();
	check(load_open(&base, argv[1], &options, NULL, &err));
	printf("load %.3f\n", since(start));
	start = os_now();
	check(load_sides(&st, base, &sides, NULL, &err));
	printf("sides %.3f\n", since(start));
	start = os_now();
	check(pass_want(st, COL_SPAN_START, NULL, &err) && pass_want(st, COL_TRACK_KIND, NULL, &err));
	printf("order %.3f\n", since(start));
	walk(st);
	spans_free(&spans);
	return 0;
}
