/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a thread dump or a list of threads of a small trace. */
#include "config.h"

#include "icecore/columns_trace.h"
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

TARGET(side, &mutate_text)
{
	static struct session session;
	struct err err = { .kind = E_NONE };
	char path[64];
	const char *const list[] = { path, NULL };
	struct side_options o = { .threads = list };
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
	close(fd);
}
