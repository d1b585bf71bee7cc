/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record: recordings of running processes, made with what the machine has: /proc, the socket of a JVM,
 * perf, ftrace.
 *
 * Nothing here is called when a file is opened.  The process is not confined while it records; a recording
 * is then opened by a new icecore, which is confined as always.
 */
#ifndef ICECORE_RECORD_H
#define ICECORE_RECORD_H

#include "icecore/base.h"

/*
 * icecore record ..., icecore ps ...: argv[0] is the subcommand.  False: err has the error; otherwise
 * *status is the exit status.  record_run does not return if it opens the recording.
 */
bool	record_run(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	record_ps(int argc, char **argv, int *status, struct err *) MUST_USE;

/*
 * Start a process that records for icecore mcp, in this directory, and ends when the socket is closed.
 * Call it before the sandbox and before any thread.
 */
bool	record_agent(int *socket, struct err *) MUST_USE;

/* ---- for tests: the counters that a JVM publishes in a file ------------------------------------------ */

struct jvm_counters {
	struct str	command, version, arguments;	/* slices of the bytes that were read */
	/* Bytes of the heap, since the last collection; 0: unknown. */
	uint64_t	used, max;
	uint64_t	threads;
};

/* False: damaged, or another format.  Any bytes are safe. */
bool	hsperf_read(struct str bytes, struct jvm_counters *);

#endif
