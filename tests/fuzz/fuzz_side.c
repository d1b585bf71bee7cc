/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a thread dump, a list of threads, or a table beside a small trace. */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/track.h"
#include "../unit/traces.h"

#include "heapwalk.h"
#include "target.h"

static void
look(struct store *st)
{
	struct err err = { .kind = E_NONE };
	struct buf b = BUF_INIT;
	uint32_t i;

	MUST(store_fact_get(st, "side.joined") + store_fact_get(st, "side.unmatched") == 4);
	MUST(store_fact_get(st, "side.threads") + store_fact_get(st, "side.no_tid") <=
	    store_fact_get(st, "side.rows"));
	MUST(store_fact_get(st, "side.by_name") <= store_fact_get(st, "side.joined"));
	MUST(pass_want(st, COL_CALL_METHOD, NULL, &err));
	for (i = 1; i <= 4; i++) {
		buf_clear(&b);
		thread_name(st, i, &b);
		MUST(b.n > 0);
		thread_earlier(st, i, &b);
		name_pool(&b, 0);
		buf_str(&b, thread_state(st, i));
		MUST(!b.bad && thread_by(st, i)[0] != '\0');
	}
	buf_free(&b);
}

/* The tracks of the table come after those of the trace, and lie within it. */
static void
look_tracks(struct store *st)
{
	struct err err = { .kind = E_NONE };
	struct track_piece p;
	struct track t;

	MUST(pass_want(st, COL_TRACK_KIND, NULL, &err));
	for (size_t i = 0; i < tracks_count(st); i++) {
		MUST(track_get(st, i, &t));
		track_piece(&t, 0, tracks_end(st), &p);
		MUST(t.n == 0 || column_get(t.time, t.first + t.n - 1) <= tracks_end(st));
	}
	MUST(tracks_count(st) > 0 && t.beside && t.n <= store_fact_get(st, "tracks.points"));
}

TARGET(side, &mutate_text)
{
	static struct session session;
	struct err err = { .kind = E_NONE };
	char path[64];
	const char *const list[] = { path, NULL };
	struct side_options o = { .threads = list }, beside = { .tables = list };
	struct store *st;
	int fd = memfd_create("side", MFD_CLOEXEC);

	if (session.nstores == 0)
		trace_open(&session);
	MUST(fd != -1 && fd_write_all(fd, data, size, &err));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (load_sides(&st, session.store[0], &o, NULL, &err)) {
		look(st);
		store_close(st);
	} else
		MUST(err.kind == E_USAGE);
	if (load_sides(&st, session.store[0], &beside, NULL, &err)) {
		look_tracks(st);
		store_close(st);
	} else
		MUST(err.kind == E_USAGE);
	close(fd);
}
