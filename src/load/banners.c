/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that tools write around their data.
 */
#include "config.h"

#include "icecore/scan.h"
#include "decode.h"

/* A pattern must fit the whole line: what a script prints by itself is no banner. */
static const char *const banners[] = {
	/* bpftrace and its scripts, BCC, libbpf-tools: when they begin and when they end */
	"Attaching %*d probe{s}...$", "Attached %*d probe{s}$", "^C$", "{^C}Detaching...$", "{^C}Exiting...$",
	"%*lHit Ctrl-C to end{.}$", "%*lhit Ctrl-C to end{.}$", "%*lCtrl{-}{+}C to quit{.}$",
	"Tracing %*l...$", "Tracing %*l for %*d sec{ond}{s}{.}$", "Sampling %*l...$",
	"Sampling %*l for %*d sec{ond}{s}{.}$", "Counting %*l...$", "Measuring %*l...$",
	"off-CPU time of %*l, by bpftrace$",
	"dtrace: %*l matched %*d probe{s}$", "CPU%_ID%_FUNCTION:NAME$", "%*d%_%*d%_:%*w$",
	/* memleak of libbpf-tools */
	"using default object: %*w$", "using page size: %*d$", "tracing kernel: %*w$",
	/* /proc/sched_debug */
	"runnable tasks:$",
	/* The time of an interval */
	"%*d:%*d:%*d$", "[%*d:%*d:%*d]$",
	/* jcmd Thread.print: the list of threads follows */
	"Threads class SMR info:$",
	/* jstack -F, jhsdb jstack */
	"Attaching to process ID %*d, please wait...$", "Attaching to core %*l, please wait...$",
	"Debugger attached successfully.$", "Server compiler detected.$", "Client compiler detected.$",
	"JVM version is %*w$", "Deadlock Detection:$", "No deadlocks found.$", "===== END OF THREAD DUMP$",
};

bool
banner_is(struct str line)
{
	for (size_t i = 0; i < NELEM(banners); i++) {
		struct str s = line;

		if (scan(&s, banners[i]))
			return true;
	}
	return false;
}
