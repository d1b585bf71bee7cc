/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps: stack dumps: what the threads of a process do at a moment, and for whom they wait.
 *
 * A dump is a moment of one process; a file has one or more.  Columns: columns_dumps.h.  Each thread of a
 * dump is a sample too, of weight dumped.count, so that everything for profiles works.  Nothing is guessed: a
 * thread that wants a lock has a holder that the dump reports, or the only thread that lists the lock among
 * those that it holds, or none.  The words are those of icecore-stacks(7).
 */
#ifndef ICECORE_DUMPS_H
#define ICECORE_DUMPS_H

#include "icecore/dumped.h"
#include "icecore/pass.h"

/* Kinds of rows of behind.*. */
enum behind_how { BEHIND_HOLDER, BEHIND_CIRCLE, BEHIND_TOLD, BEHIND_FOUND, BEHIND_NOBODY, BEHIND_WAITS,
    BEHIND_HOWS };
/*
 * A deadlock that the dump reports and the stacks show; that only the stacks show; that only the dump
 * reports.
 */
enum circle_how { CIRCLE_TOLD_TOO, CIRCLE_FOUND, CIRCLE_TOLD_ONLY, CIRCLE_HOWS };
enum move_how { MOVE_SAME, MOVE_MOVED, MOVE_GONE, MOVE_NEW, MOVE_HOWS };

/* Findings: they keep threads from going on; worst first.  icecore-stacks(7) has the rules. */
enum dump_trouble {
	TROUBLE_DEADLOCK, TROUBLE_REASON, TROUBLE_MAIN, TROUBLE_CONVOY, TROUBLE_LEAKED, TROUBLE_FOREVER,
	    TROUBLE_QUEUE,
	    TROUBLE_HELD, TROUBLE_STUCK, TROUBLE_BUSY, TROUBLE_GROUP,
	DUMP_TROUBLES
};

extern const struct trouble_row {
	const char	*name;		/* "deadlock" */
	bool		 warns;		/* a warning, otherwise a note */
	const char	*what;		/* a line for help */
} trouble_rows[DUMP_TROUBLES];
extern const char *const dump_kind_words[DUMP_KINDS];	/* "hotspot" */
extern const char *const dump_state_words[DUMP_STATES];	/* "blocked" */
extern const char *const dump_want_words[DUMP_WANTS];	/* NULL, "lock" */
extern const char *const dump_how_words[DUMP_HOWS];	/* NULL, "reported" */

/* A text with a ref column and an own column of the row, from 1; "" for row 0. */
struct str dump_text(const struct store *, column_id ref, column_id own, uint64_t row);
/*
 * Appends the name of a row of dumped.*: its name, "virtual #41", "#12", "tid 2011" or "group"; nothing for
 * row 0.
 */
void	dumped_label(const struct store *, uint64_t row, struct buf *);
/* Appends the frame of a row of exact.*: "Pool.slowQuery (Pool.java:6)"; nothing for row 0. */
void	exact_show(const struct store *, uint64_t row, struct buf *);
uint64_t dumps_shown(const struct store *);	/* the dump that a view chose, otherwise the last one */
/*
 * Appends which lock a thread (listed.*) wanted in the last dump until a time, ns since the first dump: ",
 * wants Lock held by main".
 */
void	dumped_wait(const struct store *, uint32_t thread, uint64_t at, struct buf *);
bool	dumps_timed(const struct store *);	/* there are several dumps, and all have a time */

#endif
