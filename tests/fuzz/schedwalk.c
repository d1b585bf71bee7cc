/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sched.h"
#include "icecore/track.h"
#include "heapwalk.h"
#include "schedwalk.h"
#include "walk.h"

/* So many pieces fit into the buffer of a socket, however small they are. */
#define PIECES 100u
#define LIVE_BYTES 60000u

bool
schedwalk_file(const uint8_t *data, size_t n, struct store **st, struct err *err)
{
	const struct str bytes = { (const char *)data, n };

	if (!load_open(st, "input", &(struct store_options){ .bytes = &bytes }, NULL, err))
		return false;
	walk_tell(*st);
	return true;
}

/* Each piece is what one read gives. */
static int
send_pieces(const uint8_t *data, size_t n, size_t piece)
{
	int pair[2];
	size_t at, some;

	MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	for (at = 0; at < n; at += some) {
		some = n - at < piece ? n - at : piece;
		MUST(send(pair[0], data + at, some, MSG_DONTWAIT) == (ssize_t)some);
	}
	close(pair[0]);
	return pair[1];
}

/* Text that is not of a scheduler is in a file now, all of it. */
static void
same_bytes(int fd, const uint8_t *data, size_t n)
{
	uint8_t *got = malloc(n + 1);

	MUST(got != NULL && read(fd, got, n + 1) == (ssize_t)n && memcmp(got, data, n) == 0);
	free(got);
}

bool
schedwalk_live(const uint8_t *data, size_t n, size_t piece, struct store **st, struct err *err)
{
	struct live *live;
	bool end = false, ok;
	int fd;

	*st = NULL;
	if (piece < n / PIECES + 1)
		piece = n / PIECES + 1;
	fd = send_pieces(data, n, piece);
	MUST(live_open(&live, fd, NULL, err));
	if (live == NULL) {
		same_bytes(fd, data, n);
		close(fd);
		return true;
	}
	while (!end)
		MUST(live_read(live, 1000, &end, NULL, err));
	ok = live_store(live, st, err);
	live_close(live);
	return ok;
}

/* ---- what must hold ------------------------------------------------------------ */

static uint64_t
of(const struct store *st, column_id column, uint64_t row)
{
	const struct column *c = store_column(st, column);

	MUST(c != NULL && row < c->rows);
	return column_get(c, row);
}

static void
check_tasks(const struct store *st)
{
	uint64_t i, n = store_column(st, COL_TASK_ON)->rows;
	struct buf b = BUF_INIT;

	MUST(n == store_fact_get(st, "threads_listed"));
	for (i = 0; i < n; i++) {
		uint64_t off = of(st, COL_TASK_OFF, i), gaps = of(st, COL_TASK_GAPS, i);
		uint64_t most = of(st, COL_TASK_MAX_GAP, i);

		MUST(of(st, COL_TASK_SLEEPING, i) + of(st, COL_TASK_DISK, i) + of(st, COL_TASK_PREEMPTED, i) +
		    of(st, COL_TASK_OTHER, i) == off);
		MUST(most <= off && off <= gaps * most);
		MUST(of(st, COL_TASK_P50, i) <= of(st, COL_TASK_P99, i) && of(st, COL_TASK_P99, i) <= most);
		MUST(of(st, COL_TASK_P99_DELAY, i) <= of(st, COL_TASK_MAX_DELAY, i));
		MUST(of(st, COL_TASK_MAX_DELAY, i) <= of(st, COL_TASK_DELAY, i));
		/* The last one lasts to the end. */
		MUST(gaps <= of(st, COL_TASK_IN, i) + 1 && gaps <= of(st, COL_TASK_OUT, i));
		MUST(of(st, COL_TASK_ON, i) + off <= store_fact_get(st, "elapsed"));
		buf_clear(&b);
		thread_name(st, (uint32_t)i + 1, &b);
		thread_earlier(st, (uint32_t)i + 1, &b);
		MUST(b.n > 0);
	}
	buf_free(&b);
}

static void
check_tracks(const struct store *st)
{
	struct track_piece p;
	struct track t;
	uint64_t k;
	size_t i;

	for (i = 0; i < tracks_count(st); i++) {
		MUST(track_get(st, i, &t));
		for (k = 1; k < t.n; k++)
			MUST(column_get(t.time, t.first + k - 1) <= column_get(t.time, t.first + k));
		track_piece(&t, 0, store_fact_get(st, "elapsed"), &p);
		MUST(p.known <= store_fact_get(st, "elapsed"));
		MUST(t.kind != TRACK_CPU || p.sum <= store_fact_get(st, "elapsed"));
	}
}

/* Who is woken, by whom, and the switch to it. */
static void
check_wakes(const struct store *st)
{
	uint64_t n = store_column(st, COL_WAKE_TIME)->rows, threads = store_fact_get(st, "threads_listed"), at;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t by = WAKE_ID(of(st, COL_WAKE_BY, i));

		MUST(of(st, COL_WAKE_THREAD, i) > 0 && of(st, COL_WAKE_THREAD, i) <= threads);
		MUST(by <= threads || by > TASKS_MOST);
		if ((at = of(st, COL_WAKE_SWITCH, i)) == 0)
			continue;
		MUST(of(st, COL_SWITCH_TO, at - 1) == of(st, COL_WAKE_THREAD, i));
		MUST(of(st, COL_SWITCH_TIME, at - 1) >= of(st, COL_WAKE_TIME, i));
	}
}

static void
check_store(struct store *st)
{
	struct err err = { .kind = E_NONE };

	MUST(pass_want(st, COL_CALL_METHOD, NULL, &err) && pass_want(st, COL_THREAD_TID, NULL, &err) &&
	    pass_want(st, COL_TASK_ON, NULL, &err) && pass_want(st, COL_TRACK_KIND, NULL, &err));
	check_tasks(st);
	check_wakes(st);
	check_tracks(st);
}

/* Columns that both may lack. */
static void
compare_columns(const struct store *file, const struct store *live, const column_id *columns, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t rows = column_rows(store_column(file, columns[k]));

		MUST(rows == column_rows(store_column(live, columns[k])));
		for (uint64_t i = 0; i < rows; i++) {
			if (of(file, columns[k], i) != of(live, columns[k], i)) {
				fprintf(stderr, "column %u, row %llu: %llu, live %llu\n", (unsigned)columns[k], (unsigned long long)i,
				    (unsigned long long)of(file, columns[k], i), (unsigned long long)of(live, columns[k], i));
				abort();
			}
		}
	}
}

static void
compare_facts(const struct store *file, const struct store *live)
{
	static const char *const facts[] = { "switches", "wakeups", "marks", "threads_listed", "renames", "reused", "clock_start", "elapsed",
		"trace.start", "repair.bad_events", "repair.one_process", "repair.unmatched", "loss.events", "loss.tail_bytes" };

	for (size_t i = 0; i < NELEM(facts); i++) {
		if (store_fact_get(file, facts[i]) != store_fact_get(live, facts[i]))
			fprintf(stderr, "%s: %llu, live %llu\n", facts[i], (unsigned long long)store_fact_get(file, facts[i]),
			    (unsigned long long)store_fact_get(live, facts[i]));
		MUST(store_fact_get(file, facts[i]) == store_fact_get(live, facts[i]));
	}
	MUST(str_eq(store_fact_str(file, "loss.reason"), store_fact_str(live, "loss.reason")));
}

/* Losses that began at once are in any order, and each end is the latest one up to it. */
static void
compare_losses(const struct store *file, const struct store *live)
{
	uint64_t n = column_rows(store_column(file, COL_LOST_FROM));

	for (uint64_t i = 1; i <= n; i++)
		MUST((i < n && of(file, COL_LOST_FROM, i) == of(file, COL_LOST_FROM, i - 1)) ||
		    of(file, COL_LOST_TO, i - 1) == of(live, COL_LOST_TO, i - 1));
}

/* The names that a task had, the latest one first; a live one has no zero bytes.  Main threads without a name depend on the process. */
static void
compare_names(const struct store *file, const struct store *live)
{
	uint64_t n = store_fact_get(file, "threads_listed");
	struct buf a = BUF_INIT, b = BUF_INIT;

	for (uint32_t i = 1; i <= n; i++) {
		buf_clear(&a);
		buf_clear(&b);
		thread_name(file, i, &a);
		thread_earlier(file, i, &a);
		thread_name(live, i, &b);
		thread_earlier(live, i, &b);
		MUST(str_eq(buf_view(&a), buf_view(&b)) || of(file, COL_LISTED_PID, i - 1) != of(live, COL_LISTED_PID, i - 1));
	}
	buf_free(&a);
	buf_free(&b);
}

/* Tasks are in the order of their first events; marks are not kept live. */
static void
compare(const struct store *file, const struct store *live)
{
	static const column_id columns[] = { COL_LISTED_TID, COL_TASK_ON, COL_TASK_OFF, COL_TASK_GAPS, COL_TASK_MAX_GAP,
		COL_TASK_SLEEPING, COL_TASK_DISK, COL_TASK_PREEMPTED, COL_TASK_OTHER, COL_TASK_DELAY, COL_TASK_DELAYS, COL_TASK_MAX_DELAY,
		COL_TASK_IN, COL_TASK_OUT, COL_SWITCH_TIME, COL_SWITCH_FROM, COL_SWITCH_TO, COL_SWITCH_CPU, COL_SWITCH_STATE,
		COL_WAKE_TIME, COL_WAKE_THREAD, COL_WAKE_BEFORE, COL_WAKE_BY, COL_WAKE_CPU, COL_WAKE_TARGET, COL_WAKE_SWITCH,
		COL_CPU_NUMBER, COL_CPU_BUSY, COL_CPU_IDLE, COL_CPU_UNKNOWN, COL_CPU_SWITCHES, COL_LOST_FROM };
	uint64_t n = store_column(file, COL_TASK_ON)->rows;

	compare_facts(file, live);
	compare_columns(file, live, columns, NELEM(columns));
	for (uint64_t i = 0; i < n; i++) {
		uint64_t exact = of(file, COL_TASK_P50, i), about = of(live, COL_TASK_P50, i);

		MUST((exact > about ? exact - about : about - exact) <= exact / 16 + 32);
	}
	/* Marks name processes too. */
	for (uint64_t i = 0; i < n; i++)
		MUST(of(live, COL_LISTED_PID, i) == 0 || of(file, COL_LISTED_PID, i) == of(live, COL_LISTED_PID, i));
	compare_losses(file, live);
	compare_names(file, live);
}

/* Times that a task ran are read of a file alone; nothing else has rows without a state. */
static bool
has_ran(const struct store *st)
{
	const struct column *state = store_column(st, COL_SWITCH_STATE);

	for (uint64_t i = 0; i < column_rows(state); i++)
		if (column_get(state, i) == '?')
			return true;
	return false;
}

static bool
is_sched(const struct store *st)
{
	return str_eq(store_fact_str(st, "loader"), STR("sched"));
}

void
schedwalk_bytes(const uint8_t *data, size_t n)
{
	struct err err = { .kind = E_NONE };
	struct store *file = NULL, *live = NULL;

	if (schedwalk_file(data, n, &file, &err) && is_sched(file))
		check_store(file);
	else
		MUST(file != NULL || err.kind == E_UNREADABLE);
	if (n > 0 && n <= LIVE_BYTES) {
		MUST(schedwalk_live(data, n, data[0] % 64 + 1, &live, &err));
		if (live != NULL)
			check_store(live);
	}
	if (file != NULL && live != NULL && is_sched(file) && store_source(file)->size == n &&
	    !has_ran(file) && store_fact_get(file, "repair.unordered") == 0 && store_fact_get(live, "repair.unordered") == 0 &&
	    memchr(data, '\0', n) == NULL)
		compare(file, live);
	store_close(file);
	store_close(live);
}
