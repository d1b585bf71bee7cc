/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of tracks against a count of every nanosecond, and the offset of two traces.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chance.h"
#include "check.h"
#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "icecore/sums.h"
#include "icecore/track.h"

#define END 120u		/* ns that are counted */
#define STATES 5u
#define ROUNDS 400

static struct store *
empty_store(void)
{
	struct store_options options = { .memory_only = true };
	int fd = memfd_create("track", MFD_CLOEXEC);
	struct store *st;
	struct err err;
	char path[64];

	assert_int_equal(write(fd, "x", 1), 1);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!store_open(&st, path, &options, &err))
		fail_msg("%s", err.text);
	close(fd);
	return st;
}

/* ---- pieces -------------------------------------------------------------------------- */

struct example {
	uint64_t	time[12], value[12];
	size_t		n;
};

static void
invent(struct example *x, enum track_kind kind)
{
	uint64_t at = below(30), v = below(100);
	size_t i;

	x->n = below(12);
	for (i = 0; i < x->n; i++, at += below(4) == 0 ? 0 : below(20)) {
		v = kind == TRACK_STATE ? below(STATES + 1) : kind == TRACK_LEVEL ? below(100) : v + below(50);
		x->time[i] = at;
		x->value[i] = kind == TRACK_STATE && v == STATES ? STATE_NONE : v;
	}
}

static struct store *
store_of_example(const struct example *x, enum track_kind kind)
{
	struct store *st = empty_store();
	struct points p;
	struct err err;
	uint32_t s;
	char name[2] = "a";
	size_t i;

	points_open(&p);
	for (s = 0; s < STATES; s++, name[0]++)
		assert_int_equal(points_state(&p, name, &err), s);
	/* One more track in front, so that places in the columns are not those in the track. */
	assert_true(points_track(&p, TRACK_LEVEL, "other", "", 0, 0, &err));
	assert_true(points_add(&p, 1, 2, &err));
	assert_true(points_track(&p, kind, "example", "bytes", 3, 0, &err));
	for (i = 0; i < x->n; i++)
		assert_true(points_add(&p, x->time[i], x->value[i], &err));
	assert_true(points_columns(&p, st, &err));
	store_publish(st);
	points_close(&p);
	return st;
}

/* The last point at or before a time, from 1. */
static size_t
at_or_before(const struct example *x, uint64_t time)
{
	size_t i = 0;

	while (i < x->n && x->time[i] <= time)
		i++;
	return i;
}

/* A total at a time, rounded down. */
static uint64_t
total_at(const struct example *x, uint64_t time)
{
	size_t i = at_or_before(x, time);

	if (x->n == 0)
		return 0;
	if (i == 0 || i == x->n)
		return x->value[i == 0 ? 0 : i - 1];
	return x->value[i - 1] + (x->value[i] - x->value[i - 1]) * (time - x->time[i - 1]) /
	    (x->time[i] - x->time[i - 1]);
}

static void
check_total(const struct example *x, uint64_t from, uint64_t to, const struct track_piece *p)
{
	uint64_t known = 0, t;

	assert_int_equal(p->sum, total_at(x, to) - total_at(x, from));
	for (t = from; t < to; t++)
		known += at_or_before(x, t) > 0 && at_or_before(x, t) < x->n;
	assert_int_equal(p->known, known);
}

static void
check_level(const struct example *x, uint64_t from, uint64_t to, const struct track_piece *p)
{
	uint64_t known = 0, area = 0, t;
	size_t i;

	for (t = from; t < to; t++)
		if ((i = at_or_before(x, t)) > 0) {
			area += x->value[i - 1];
			known++;
		}
	assert_int_equal(p->known, known);
	if (known > 0)
		assert_int_equal(p->sum, area / known);
	else if (from == to && (i = at_or_before(x, from)) > 0)
		assert_int_equal(p->sum, x->value[i - 1]);
}

static void
check_state(const struct track *track, const struct example *x, uint64_t from, uint64_t to,
    const struct track_piece *p)
{
	uint64_t ns[STATES] = { 0 }, told[STATES] = { 0 }, known = 0, t;
	size_t i, best = 0;

	for (t = from; t < to; t++)
		if ((i = at_or_before(x, t)) > 0 && x->value[i - 1] < STATES) {
			ns[x->value[i - 1]]++;
			known++;
		}
	for (i = 1; i < STATES; i++)
		best = ns[i] > ns[best] ? i : best;
	assert_int_equal(p->known, known);
	assert_int_equal(p->sum, ns[best]);
	if (known > 0)
		assert_int_equal(p->state, best);
	else
		assert_int_equal(p->state, at_or_before(x, from) == 0 ? STATE_NONE :
		    x->value[at_or_before(x, from) - 1]);
	track_states(track, from, to, told, STATES);
	assert_memory_equal(ns, told, sizeof ns);
}

static void
check_piece(const struct track *t, const struct example *x, uint64_t from, uint64_t to,
    const struct track_piece *p)
{
	assert_int_equal(p->points, at_or_before(x, to) - at_or_before(x, from));
	if (t->kind == TRACK_STATE)
		check_state(t, x, from, to, p);
	else if (t->kind == TRACK_LEVEL)
		check_level(x, from, to, p);
	else
		check_total(x, from, to, p);
}

static void
pieces_are_counted(void **state)
{
	static const enum track_kind kinds[] = { TRACK_STATE, TRACK_TOTAL, TRACK_CPU, TRACK_LEVEL };
	struct track_piece whole, piece[7];
	struct example x;
	struct track t;
	size_t round, k;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		struct store *st;
		uint64_t from = below(END), to = from + below(END), start;

		invent(&x, kinds[round % NELEM(kinds)]);
		st = store_of_example(&x, kinds[round % NELEM(kinds)]);
		assert_int_equal(tracks_count(st), 2);
		assert_true(track_find(st, 3, "example", &t));
		assert_false(track_find(st, 2, "example", &t));
		assert_true(track_get(st, 1, &t));
		assert_int_equal(t.n, x.n);
		assert_string_equal(t.unit, "bytes");
		track_piece(&t, from, to, &whole);
		check_piece(&t, &x, from, to, &whole);
		track_pieces(&t, from, to, piece, NELEM(piece));
		for (k = 0, start = from; k < NELEM(piece); k++) {
			uint64_t end = from + (to - from) * (k + 1) / NELEM(piece);

			check_piece(&t, &x, start, end, &piece[k]);
			start = end;
		}
		assert_int_equal(track_before(&t, from), at_or_before(&x, from) == 0 ? 0 :
		    at_or_before(&x, from) + 1);
		store_close(st);
	}
}

/* Where points are many what is drawn rests on some of them: it must be near to what is. */
static void
dense_pieces(void **state)
{
	enum { N = 200000, PIECES = 20 };
	struct track_piece piece[PIECES], exact;
	struct store *st = empty_store();
	uint64_t at = 0, from, to;
	struct points p;
	struct track t;
	struct err err;
	size_t i;

	(void)state;
	points_open(&p);
	assert_true(points_track(&p, TRACK_TASK, "task", "", 0, 1, &err));
	/* A CPU that is idle every other time, and then runs the same task for half of the rest. */
	for (i = 0; i < N; i++) {
		assert_true(points_add(&p, at, i % 2 == 0 ? 0 : i % 4 == 1 ? 7 : 8 + below(500), &err));
		at += i % 4 == 1 ? 1000 + below(1000) : below(1000);
	}
	assert_true(points_columns(&p, st, &err));
	store_publish(st);
	points_close(&p);
	assert_true(track_get(st, 0, &t));
	track_pieces(&t, 0, at, piece, PIECES);
	for (i = 0, from = 0; i < PIECES; i++, from = to) {
		to = at * (i + 1) / PIECES;
		track_piece(&t, from, to, &exact);
		assert_int_equal(exact.state, 7);
		assert_int_equal(piece[i].state, 7);
		assert_int_equal(piece[i].known, exact.known);
		assert_int_equal(piece[i].points, exact.points);
		assert_true(piece[i].sum > exact.sum / 4 * 3 && piece[i].sum < exact.sum / 4 * 5);
	}
	store_close(st);
}

/* Growth of totals near the end of what fits. */
static void
great_numbers(void **state)
{
	struct example x = { { 0, UINT64_MAX / 2, UINT64_MAX }, { 0, UINT64_MAX / 2, UINT64_MAX }, 3 };
	struct store *st = store_of_example(&x, TRACK_TOTAL);
	struct track_piece p;
	struct track t;

	(void)state;
	assert_true(track_get(st, 1, &t));
	track_piece(&t, 0, UINT64_MAX, &p);
	assert_int_equal(p.sum, UINT64_MAX);
	assert_int_equal(p.known, UINT64_MAX);
	track_piece(&t, UINT64_MAX / 4, UINT64_MAX / 2, &p);
	assert_int_equal(p.sum, UINT64_MAX / 2 - UINT64_MAX / 4);
	store_close(st);
}

/* ---- offsets --------------------------------------------------------------------------- */

#define MS 1000000u
#define THREADS 3

/*
 * Threads that run sometimes, seen from one time on for so long: as a scheduler sees them, or by their CPU clock
 * at points 2 ms apart.
 */
static struct store *
seen(const uint64_t *busy, size_t n, uint64_t from, uint64_t length, bool sched)
{
	struct store *st = empty_store();
	uint64_t tid[THREADS], raw[THREADS], cpu, at, i;
	struct points p;
	struct err err;
	uint32_t k, state;

	points_open(&p);
	for (k = 0; k < THREADS; k++) {
		tid[k] = 4000 + k;
		raw[k] = 0;
		cpu = 0;
		assert_true(points_track(&p, sched ? TRACK_STATE : TRACK_CPU, sched ? "state" : "cpu", "", k + 1,
		    0, &err));
		for (i = 0; i < n; i++) {
			at = i * MS;
			if (at >= from && at < from + length && (sched || i % 2 == 0)) {
				state = points_state(&p, busy[i] >> k & 1 ? "running" : "sleeping", &err);
				assert_true(points_add(&p, at - from, sched ? state : cpu, &err));
			}
			cpu += busy[i] >> k & 1 ? MS : 0;
		}
	}
	assert_true(points_columns(&p, st, &err));
	assert_true(store_pack(st, COL_THREAD_TID, tid, THREADS, &err));
	assert_true(store_pack(st, COL_THREAD_NAME, raw, THREADS, &err));
	store_publish(st);
	points_close(&p);
	return st;
}

static void
offset_is_found(void **state)
{
	enum { N = 20000 };
	uint64_t *busy = calloc(N, sizeof *busy), on = 0, i;
	struct store *trace, *sched;
	int64_t offset;
	unsigned sure;

	(void)state;
	assert_non_null(busy);
	for (i = 0; i < N; i++) {
		on ^= below(30) == 0 ? 1u << below(THREADS) : 0;
		busy[i] = on;
	}
	trace = seen(busy, N, 4000ull * MS, 9000ull * MS, false);
	sched = seen(busy, N, 1500ull * MS, 15000ull * MS, true);
	assert_true(track_offset(trace, sched, &offset, &sure));
	/* The scheduler's trace began 2.5 s earlier. */
	assert_true(llabs(offset + 2500ll * MS) <= 2ll * MS);
	assert_true(sure > 60);
	assert_true(track_offset(sched, trace, &offset, &sure));
	assert_true(llabs(offset - 2500ll * MS) <= 2ll * MS);
	store_close(trace);
	/* Another run has nothing to do with it. */
	for (i = 0, on = 0; i < N; i++) {
		on ^= below(30) == 0 ? 1u << below(THREADS) : 0;
		busy[i] = on;
	}
	trace = seen(busy, N, 4000ull * MS, 9000ull * MS, false);
	assert_true(!track_offset(trace, sched, &offset, &sure) || sure < 30);
	store_close(trace);
	store_close(sched);
	free(busy);
}

/* ---- sums ------------------------------------------------------------------------------ */

/* The last state goes on to the end of the trace, and no further. */
static void
sums_end(void **state)
{
	struct example x = { { 10, 30 }, { 7, 0 }, 2 };
	struct store *st = store_of_example(&x, TRACK_TASK);
	static const uint64_t times[] = { 5, 20, 60, END, END + 1, UINT64_MAX };
	static const uint64_t run[] = { 0, 10, 20, 20, 20, 20 }, sleep[] = { 0, 0, 30, END - 30, END - 30, END - 30 };
	struct sums_place at = { .n = 0 };
	struct track_sums s;
	struct track t;
	uint64_t sum[KINDS];
	struct err err;

	(void)state;
	assert_true(track_get(st, 1, &t));
	assert_true(sums_make(&s, st, &t, END, true, NULL, &err));
	for (size_t i = 0; i < NELEM(times); i++) {
		sums_at(&s, times[i], &at, sum);
		assert_int_equal(sum[KIND_RUN], run[i]);
		assert_int_equal(sum[KIND_SLEEP], sleep[i]);
	}
	assert_int_equal(s.total[KIND_RUN], 20);
	assert_int_equal(s.total[KIND_SLEEP], END - 30);
	sums_free(&s);
	store_close(st);
}

/* Many tracks together: exact at the ends of steps, and in order between them. */
static void
grid_sums(void **state)
{
	struct sums_grid g;
	struct track_sums s[3];
	struct store *st[NELEM(s)];
	struct example x;
	struct track t;
	uint64_t sum[KINDS], all, before;
	struct err err;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		sums_grid_open(&g, 4096 * 8, 65536);
		assert_int_equal(g.n, 4096);
		assert_int_equal(g.step, 9);
		for (size_t i = 0; i < NELEM(s); i++) {
			invent(&x, TRACK_LEVEL);
			for (size_t k = 0; k < x.n; k++) {
				x.value[k] %= 3;
				x.time[k] = x.time[k] < END ? x.time[k] : END;
			}
			st[i] = store_of_example(&x, TRACK_TASK);
			assert_true(track_get(st[i], 1, &t));
			assert_true(sums_make(&s[i], st[i], &t, END, true, NULL, &err));
			sums_grid_add(&g, &s[i], KIND_RUN);
		}
		sums_grid_done(&g);
		before = 0;
		for (uint64_t time = 0; time < 2 * END; time++) {
			all = 0;
			for (size_t i = 0; i < NELEM(s); i++) {
				sums_at(&s[i], time, &(struct sums_place){ .n = 0 }, sum);
				all += sum[KIND_RUN];
			}
			assert_true(sums_grid_at(&g, time) >= before);
			before = sums_grid_at(&g, time);
			if (time % g.step == 0)
				assert_int_equal(before, all);
		}
		sums_grid_free(&g);
		for (size_t i = 0; i < NELEM(s); i++) {
			sums_free(&s[i]);
			store_close(st[i]);
		}
	}
	sums_grid_open(&g, 1000, 10);
	assert_int_equal(g.n, 0);
}

/* The instants of an owner are those of the file, in order of time, and each is in the piece where it is. */
static void
moments_are_found(void **state)
{
	enum { MOST = 40, OWNERS = 4, PIECES = 7 };
	struct store *st;
	struct track t;
	struct track_piece p[PIECES];
	struct err err;
	uint64_t *time, n, at, found, from, to;
	uint32_t *thread, *process;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		st = empty_store();
		n = below(MOST);
		assert_non_null(time = store_make(st, COL_INSTANT_TIME, COL_U64, n, &err));
		assert_non_null(thread = store_make(st, COL_INSTANT_THREAD, COL_U32, n, &err));
		assert_non_null(process = store_make(st, COL_INSTANT_PROCESS, COL_U32, n, &err));
		assert_non_null(store_make(st, COL_LISTED_PROCESS, COL_U32, OWNERS - 1, &err));
		assert_non_null(store_make(st, COL_PROCESS_PID, COL_U32, OWNERS - 1, &err));
		at = 0;
		for (uint64_t i = 0; i < n; i++) {
			time[i] = at += below(6);
			/* An index may have ids that do not exist. */
			thread[i] = below(20) == 0 ? UINT32_MAX : below(OWNERS);
			process[i] = below(OWNERS);
		}
		store_publish(st);
		assert_true(pass_want(st, COL_MOMENT_TIME, NULL, &err));
		for (uint32_t owner = 0; owner < 2 * OWNERS; owner++) {
			uint32_t of_thread = owner < OWNERS ? owner : 0, of_process = owner < OWNERS ? 0 : owner - OWNERS;

			if (owner == 0)
				continue;
			found = 0;
			if (!moments_track(st, of_thread, of_process, &t))
				t.n = 0;
			for (uint64_t i = 0; i < n; i++)
				if (thread[i] == of_thread && (of_thread != 0 || process[i] == of_process)) {
					assert_true(found < t.n);
					assert_int_equal(column_get(t.value, t.first + found), i);
					assert_int_equal(column_get(t.time, t.first + found++), time[i]);
				}
			assert_int_equal(found, t.n);
			if (t.n == 0)
				continue;
			from = below(30);
			to = from + below(100);
			track_pieces(&t, from, to, p, PIECES);
			for (uint64_t k = 0; k < PIECES; k++) {
				uint64_t begin = from + (to - from) * k / PIECES, end = from + (to - from) * (k + 1) / PIECES;

				for (found = at = 0; at < t.n; at++)
					found += column_get(t.time, t.first + at) >= begin && column_get(t.time, t.first + at) < end;
				assert_int_equal(p[k].points, found);
			}
		}
		store_close(st);
	}
}

TOOL(unit, track)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_counted),
		cmocka_unit_test(dense_pieces),
		cmocka_unit_test(great_numbers),
		cmocka_unit_test(offset_is_found),
		cmocka_unit_test(sums_end),
		cmocka_unit_test(grid_sums),
		cmocka_unit_test(moments_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
