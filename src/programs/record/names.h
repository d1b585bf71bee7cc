/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: names of threads and of compiled code, for stacks of a process.
 */
#ifndef RECORD_NAMES_H
#define RECORD_NAMES_H

#include "perfmap.h"

struct code_names {
	char		map[64];	/* file of the JVM with names of compiled code, to remove; empty: none */
	struct perf_map	code;		/* names of compiled code of a JVM in a container */
};

#define CODE_NAMES_NONE ((struct code_names){ .code = PERF_MAP_NONE })

/*
 * While the process still lives: ask a JVM for the addresses of its compiled code, and for names of threads
 * that the kernel has cut.  frameless: most stacks of the recording do not reach the frames of Java, so ask for
 * these of all threads, too.  Say where the names are from.  Without a JVM that takes requests: only count them.
 */
void	names_ask(struct code_names *, struct recording *, bool frameless);
void	code_names_end(struct code_names *);

#endif
