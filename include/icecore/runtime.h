/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime: functions that say nothing about a program, of all languages and of the kernel, by their names:
 * in which threads wait, which begin and run threads, and which work for their callers.
 */
#ifndef ICECORE_RUNTIME_H
#define ICECORE_RUNTIME_H

#include "icecore/str.h"

/* Purposes of functions. */
enum runtime {
	WAITING_SLEEPS = 1 << 0,
	WAITING_IO = 1 << 1,
	WAITING_SIGNAL = 1 << 2,	/* until a signal comes */
	WAITING_LOCK = 1 << 3,		/* another thread holds a lock */
	WAITING_TIMED = 1 << 4,		/* until a signal comes, or a time is over */
	WAITING_NAPS = 1 << 5,		/* a method of Java that calls another one to sleep */
	WAITING_WORK = 1 << 6,		/* until there is work: such a thread is not stuck */
	WAITING_EVENTS = 1 << 7,	/* as above, where no frame of the program is below */
	WAITING_OTHER = 1 << 8,		/* the reason is not known by the name */
	RUNTIME_ENTRY = 1 << 9,		/* begins a thread: java.lang.Thread.run, start_thread */
	RUNTIME_MAIN = 1 << 10,		/* the function of a program that its entry calls */
	RUNTIME_LOOP = 1 << 11,		/* takes tasks or events, and runs them */
	RUNTIME_GLUE = 1 << 12,		/* between a caller and its callee: interpreters, system calls */
	RUNTIME_NAMELESS = 1 << 13,	/* an address, a module, or a word instead of a function */
	RUNTIME_LIBRARY = 1 << 14,	/* works for its caller */
	RUNTIME_ENDS = 1 << 15,		/* ends the program, or reports where it is */
	RUNTIME_COLLECTS = 1 << 16,	/* garbage */
	RUNTIME_COMPILES = 1 << 17,
	RUNTIME_INNER = 1 << 18,	/* begins with "__": inside of a library, or of the kernel */
	RUNTIME_RAISES = 1 << 19,	/* fails, and calls what is to be done then: the cause is its caller */

	WAITING_ANY = RUNTIME_ENTRY - 1,
	/* Such a callee says less than its caller. */
	RUNTIME_FRAME = WAITING_ANY | RUNTIME_ENTRY | RUNTIME_MAIN | RUNTIME_LOOP | RUNTIME_GLUE |
	    RUNTIME_NAMELESS,
	RUNTIME_CALLED = RUNTIME_LIBRARY | RUNTIME_ENDS | RUNTIME_INNER
};

/*
 * Return enum runtime, or'ed; 0: a function of the program.  A look-up by parts of the name, fast enough for
 * each frame that is drawn; any thread may call it.
 */
unsigned runtime_of(struct str function);

/* The name of a thread that a runtime or the kernel starts for itself: it sleeps for nothing else than lack of work. */
bool	runtime_thread(struct str name);

static inline bool
runtime_is(struct str function, unsigned any)
{
	return (runtime_of(function) & any) != 0;
}

#endif
