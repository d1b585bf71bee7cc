/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks of threads that wait for work: one of their top frames is a pool's, a queue's or a timer's wait.  Such a thread is not
 * stuck.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "icecore/columns_trace.h"
#include "dumps.h"

#define TOP 8			/* frames from the top that are looked at */

/* Frames that wait for work; */
static const char *const waits[] = {
	"*ThreadPoolExecutor.getTask", "*ForkJoinPool.awaitWork", "*BlockingQueue.take", "*BlockingQueue.poll", "*DelayedWorkQueue.take",
	"*DelayedWorkQueue.poll", "*TimerThread.mainLoop", "*ReferenceQueue.remove", "*Reference.waitForReferencePendingList",
	"*BlockingDeque.take*", "*BlockingDeque.poll*", "*TransferQueue.take", "*TransferQueue.poll", "*LinkedTransferQueue.awaitMatch",
	"*io_service*::run_one", "*tokio*::park", "*WorkerThread::WaitForWork*", "android.os.MessageQueue.nativePollOnce",
	"java.lang.Daemons$*Daemon.runInternal"
};

/* and those that do so only where no frame of the program is below them. */
static const char *const selects[] = { "*SelectorImpl.select", "*SelectorImpl.lockAndDoSelect" };

/* Frames of runtimes and of servers whose threads wait for connections. */
static const char *const libraries[] = {
	"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*", "kotlin.*", "kotlinx.*", "scala.*", "io.netty.*", "org.eclipse.jetty.*",
	"org.apache.tomcat.*", "org.apache.catalina.*", "org.apache.coyote.*", "io.undertow.*", "org.xnio.*", "io.vertx.*", "okio.*", "okhttp3.*",
	"runtime.*", "internal/*", "sync.*", "runtime/*", "pthread*", "__pthread*", "futex*", "__futex*", "lll_*", "__lll_*", "__GI_*", "___pthread*",
	"do_futex_wait*", "__new_sem_wait*", "*PyThread_acquire_lock*", "take_gil", "0x*"
};

enum frame_kind { FRAME_WAITS = 1, FRAME_SELECTS = 2, FRAME_LIBRARY = 4 };

/* Frame kinds by method; n: number of methods. */
static bool
name_frames(const struct store *st, struct scratch *kinds, uint64_t n, struct work *w, struct err *err)
{
	struct buf name = BUF_INIT;
	bool ok = scratch_array(kinds, n + 1, 1, err);

	for (uint64_t m = 1; ok && m <= n; m++) {
		struct str s;

		buf_clear(&name);
		method_name(st, (uint32_t)m, &name);
		s = buf_view(&name);
		SCRATCH(*kinds, uint8_t)[m] = (uint8_t)((str_glob_any(waits, NELEM(waits), s) ? FRAME_WAITS : 0) |
		    (str_glob_any(selects, NELEM(selects), s) ? FRAME_SELECTS : 0) |
		    (str_glob_any(libraries, NELEM(libraries), s) ? FRAME_LIBRARY : 0));
		if (m % 1024 == 0 && !work_tick(w, m))
			ok = fail_cancel(err);
	}
	if (name.bad)
		ok = fail(err, E_SYSTEM, "out of memory (names)");
	buf_free(&name);
	return ok;
}

uint64_t
exact_own(const struct store *st, uint64_t row)
{
	struct buf name = BUF_INIT;
	bool library = true;

	while (row != 0 && library) {
		uint64_t up = store_cell(st, COL_EXACT_PARENT, row);

		buf_clear(&name);
		method_name(st, (uint32_t)store_cell(st, COL_EXACT_METHOD, row), &name);
		library = str_glob_any(libraries, NELEM(libraries), buf_view(&name));
		if (library)
			row = up < row ? up : 0;
	}
	buf_free(&name);
	return row;
}

/*
 * own: by row, the stack has a frame outside of libraries.  Parents precede their children, so one walk finds all.  The rows of a
 * damaged index may be in another order: parents that come later count as none.
 */
bool
idle_stacks(const struct store *st, struct scratch *marks, uint64_t *n, struct work *w, struct err *err)
{
	const struct column *parent = store_column(st, COL_EXACT_PARENT), *method = store_column(st, COL_EXACT_METHOD);
	uint64_t nmethods = column_rows(store_column(st, COL_LISTED_METHOD));
	struct scratch kinds = SCRATCH_INIT, owns = SCRATCH_INIT;
	uint8_t *mark, *own;
	bool ok;

	*n = column_rows(parent);
	ok = name_frames(st, &kinds, nmethods, w, err) && scratch_array(marks, *n + 1, 1, err) && scratch_array(&owns, *n + 1, 1, err);
	mark = SCRATCH(*marks, uint8_t);
	own = SCRATCH(owns, uint8_t);
	for (uint64_t i = 1; ok && i <= *n; i++) {
		uint64_t up = column_get(parent, i - 1), at = i;
		unsigned kind = 0;

		for (unsigned k = 0; k < TOP && at != 0; k++) {
			uint64_t m = column_get(method, at - 1), next = column_get(parent, at - 1);
			unsigned frame = m <= nmethods ? SCRATCH(kinds, uint8_t)[m] : 0;

			kind |= frame;
			if (k == 0)
				own[i] = (frame & FRAME_LIBRARY) == 0 || (up < i && own[up] != 0);
			at = next < at ? next : 0;
		}
		mark[i] = (kind & FRAME_WAITS) != 0 || ((kind & FRAME_SELECTS) != 0 && own[i] == 0);
		if (i % 4096 == 0 && !work_tick(w, i))
			ok = fail_cancel(err);
	}
	SCRATCH_FREE(&kinds, &owns);
	return ok;
}
