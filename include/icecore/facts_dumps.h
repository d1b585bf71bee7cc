/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts about stack dumps.  See facts.h.
 */
#ifndef ICECORE_FACTS_DUMPS_H
#define ICECORE_FACTS_DUMPS_H

#define FACTS_DUMPS(FACT) \
	FACT(STACK_DUMPS, "stack_dumps", COUNT, PROFILES, "stack dumps in the file") \
	FACT(SERIES_FILES, "series_files", COUNT, PROFILES, "files that were read as one series") \
	FACT(DUMPED_THREADS, "dumped_threads", COUNT, PROFILES, "threads in these dumps, one row each") \
	FACT(UNREAD_LINES, "unread.lines", COUNT, PROFILES, \
	    "{:line that belongs|lines that belong} to no thread or stack") \
	FACT(REPORT_LINES, "report_lines", COUNT, PROFILES, \
	    "lines of crash reports about memory and the machine, not read") \
	FACT(UNREAD_STACKS, "unread.stacks", COUNT, PROFILES, \
	    "{:thread|threads} without a frame beside lines not read") \
	FACT(LINE_PREFIXES, "line_prefixes", COUNT, PROFILES, \
	    "lines with a prefix of a log, which was removed") \
	FACT(ELIMINATED_LOCKS, "eliminated_locks", COUNT, PROFILES, "locks that the compiler eliminated") \
	FACT(LOCAL_VARIABLES, "local_variables", COUNT, PROFILES, "lines with local variables, not kept") \
	FACT(NATIVE_FRAMES, "native_frames", COUNT, PROFILES, "frames or threads of native code, not read") \
	FACT(UNRELIABLE_FRAMES, "unreliable_frames", COUNT, PROFILES, \
	    "frames marked with '?' by the kernel, dropped") \
	FACT(EVENT_HANDLES, "event_handles", COUNT, PROFILES, "handles of libuv, not read") \
	FACT(STACKS_CUT, "stacks_cut", COUNT, PROFILES, "stacks that the writer cut") \
	FACT(STACKS_MISSING, "stacks_missing", COUNT, PROFILES, "stacks that the writer could not read") \
	FACT(AMBIGUOUS_HOLDERS, "ambiguous_holders", COUNT, PROFILES, \
	    "waits for a lock that several threads list; the first is shown") \
	FACT(HOLDERS_OUTSIDE, "holders_outside", COUNT, PROFILES, \
	    "waits for a lock whose holder is not in the dump") \
	FACT(REPAIR_REPEATED_THREADS, "repair.repeated_threads", COUNT, PROFILES, \
	    "repeated {:thread|threads}, dropped") \
	FACT(REPAIR_LOCK_LINES, "repair.lock_lines", COUNT, PROFILES, \
	    "unreadable {:line|lines} about locks, dropped") \
	FACT(LOSS_UNREPORTED_THREADS, "loss.unreported_threads", COUNT, PROFILES, \
	    "{:thread|threads} of the total without a stack") \
	FACT(LOSS_DUMP_END, "loss.dump_end", COUNT, PROFILES, "{:dump|dumps} without an end mark")

#endif
