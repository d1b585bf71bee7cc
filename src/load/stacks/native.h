/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native: common parts of backtraces of debuggers.
 */
#ifndef LOAD_STACKS_NATIVE_H
#define LOAD_STACKS_NATIVE_H

#include "dumps_in.h"

enum dump_state native_state(unsigned marks);	/* by enum runtime of its innermost functions */
/* The end of a thread: its state by its innermost functions; only a thread that is blocked wants a lock. */
void	native_finish(struct dumps_in *);
/* The same: a thread in take_gil waits for the GIL of Python with that key. */
void	native_gil(struct dumps_in *, struct str key);
/* The state by the innermost managed function and its caller; names of other frames are in brackets. */
void	dotnet_finish(struct dumps_in *);
/*
 * The process of the threads of py-spy that come next.  Those of a subprocess have a label that names it, and a GIL of
 * their own: its threads are of the same dump as those of its parent.
 */
struct pyspy {
	uint64_t	pid;
	uint32_t	labels;		/* 0: the process of the dump */
	char		gil[32];
};
/* process: its id, and perhaps its command line; empty: the process of the dump */
void	pyspy_process(struct dumps_in *, struct pyspy *, uint64_t pid, struct str process);
/* The end of a thread: in->reader.state is a struct pyspy. */
void	pyspy_finish(struct dumps_in *);
/* A line of a journal behind the name of systemd-coredump, without blanks at its ends */
struct str crash_text(struct str line);
/* "a.c:12" of the file "/src/a.c" or "C:\src\a.c" and its line, in text_buf */
struct str native_at(struct dumps_in *, struct str file, struct str line);
/* "#00 pc 00012 /lib/libc.so (read+12)" in the open thread */
bool	art_native(struct dumps_in *, struct str);
/* Whether a program fails by a signal, as "SIGSEGV, Segmentation fault"; a debugger stops it by others. */
bool	native_fails(struct str signal);
/* The mutex that a function waits for, by its arguments. */
void	native_mutex(struct dumps_in *, struct str function, struct str args);

#endif
