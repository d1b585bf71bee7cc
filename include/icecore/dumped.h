/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumped: the values of columns of stack dumps that a loader makes (columns_dumps.h), and series of files.
 */
#ifndef ICECORE_DUMPED_H
#define ICECORE_DUMPED_H

#include "icecore/load.h"

enum dump_kind {
	DUMP_HOTSPOT, DUMP_HOTSPOT_FILE, DUMP_HOTSPOT_JSON, DUMP_THREADINFO_JSON, DUMP_ART, DUMP_OPENJ9,
	    DUMP_GO, DUMP_GO_COUNTS,
	DUMP_GDB, DUMP_EU_STACK, DUMP_LLDB, DUMP_PY_SPY, DUMP_PY_SPY_JSON, DUMP_FAULTHANDLER, DUMP_DOTNET,
	    DUMP_NODE, DUMP_ERLANG,
	DUMP_KERNEL, DUMP_COREDUMP, DUMP_TOMBSTONE, DUMP_SANITIZER, DUMP_RUST, DUMP_MAC, DUMP_WINDBG,
	    DUMP_SOS, DUMP_PSTACKS, DUMP_KOTLIN,
	DUMP_PHP, DUMP_SIGDUMP, DUMP_ASYNCIO, DUMP_LOGCAT, DUMP_HSERR, DUMP_KINDS
};

enum dump_state {
	DSTATE_UNKNOWN, DSTATE_RUNNING, DSTATE_IO, DSTATE_NATIVE, DSTATE_BLOCKED, DSTATE_WAITING,
	    DSTATE_TIMED, DSTATE_SLEEPING,
	DSTATE_SUSPENDED, DSTATE_CARRYING, DSTATE_NEW, DSTATE_ENDED, DUMP_STATES
};

/*
 * Reason of a wait: to own a lock; for a signal, after it released the lock; on something other than a
 * lock; until a class is initialised.
 */
enum dump_want { WANT_NOTHING, WANT_LOCK, WANT_WAIT, WANT_PARK, WANT_INIT, DUMP_WANTS };

/* Ways in which the holder of the wanted lock is known. */
enum dump_how {
	HOW_NONE,	/* the thread wants no lock */
	HOW_TOLD,	/* the dump names the holder */
	HOW_FOUND,	/* exactly one other thread lists the lock as its own */
	HOW_UNKNOWN,	/* the dump does not say */
	HOW_OUTSIDE,	/* the dump names a thread that it does not contain */
	DUMP_HOWS
};

/* REPORTED: the thread that crashed, or for which the dump was made. */
enum dump_flag { DUMP_DAEMON = 1, DUMP_VIRTUAL = 2, DUMP_CUT = 4, DUMP_FOREVER = 8, DUMP_REPORTED = 16,
    DUMP_LEAKED = 32 };

/* The words of enum dump_state, in its order. */
#define DUMP_STATE_WORDS \
	"unknown", "running", "io", "native", "blocked", "waiting", "timed", "sleep", "suspended", \
	    "carrying", "new", "dead"

/* Dumps of the file; 0: it has no stack dumps. */
uint64_t dumps_count(const struct store *);
uint64_t dump_of(const struct store *, uint64_t row);	/* the dump of a row of dumped.*; 0: none */

/*
 * Opens several files as one, a series, if all of them are stack dumps or all are class histograms; *out is NULL if
 * not.  No index is kept.  SERIES_MARK is between the texts of the files.
 */
#define SERIES_MARK "\n\x1e\n"
bool	load_series(struct store **out, const char *const *path, size_t n, const struct store_options *,
    struct work *, struct err *) MUST_USE;

#endif
