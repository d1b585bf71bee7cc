/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * java: common parts of dumps of Java VMs: frames, lock lines, states.
 */
#ifndef LOAD_STACKS_JAVA_H
#define LOAD_STACKS_JAVA_H

#include "dumps_in.h"

/*
 * A frame "C.m(C.java:12)", in any form with modules, loaders and numbers of hidden classes; false: it is none.
 * marked: it is behind "at ", or an item of a stack, so that it needs no place.
 */
bool	java_frame(struct dumps_in *, struct str, bool marked);
/*
 * The bytes of a frame, up to the bracket that closes its place; 0: the text begins with none. *place: where it opens.
 */
size_t	java_frame_length(struct str, size_t *place);
/*
 * Report a frame, without what follows it. False: the parts that are no data were reported, and nothing else may be.
 */
bool	java_tell_frame(struct dumps_in *, struct str, size_t place);
bool	java_is_told(struct str);	/* a frame without data in it */
/*
 * A line "- locked <0x1> (a C)" without blanks in front.  False: not understood.  *relock: it wants a lock
 * that a line below calls locked.
 */
bool	java_lock_line(struct dumps_in *, struct str, bool *relock);
/* enum dump_state of RUNNABLE and so on; unknown of other words. */
enum dump_state java_state(struct str);
enum dump_want java_park(struct str class);	/* a lock, or something that nobody holds */
/* RUNNABLE in a system call is io; one that waits for the VM waits. */
void	java_truth(struct dumps_in *);
/* The end of a thread: one that waits has given its lock up. */
void	java_waits(struct dumps_in *);
/* The same, of a form without a state for sleeping threads. */
void	java_finish(struct dumps_in *);
struct str java_dots(struct buf *, struct str);	/* "java/lang/Object" with dots, in the buffer */
/* A function without module, loader and numbers of hidden classes; it may be in text_buf. */
struct str java_function(struct dumps_in *, struct str);
struct str java_class(struct str key);		/* return the class of "Class@hash" */

/*
 * Divide a line '"name" rest' at the last quote of *name, which begins as the line without its first byte.
 * False: none is left, or the line begins with no quote.
 */
bool	java_name(struct str line, struct str *name, struct str *rest);
/* The thread that a header line begins with '"' for, opened; false: it is none. */
bool	hotspot_head(struct dumps_in *, struct str line, const char *at);
bool	hotspot_is_head(struct str line);
/* The part of a line from a quote on, asked for one quote after another; *from: 0 at first. */
bool	hotspot_is_head_at(struct str line, size_t at, size_t *from);

/* ---- jhsdb.c ---------------------------------------------------------------------------- */

bool	jhsdb_is_head(struct str line);		/* "Thread 7: (state = BLOCKED)" of jstack -F */
bool	jhsdb_head(struct dumps_in *, struct str line);
/* "- C.m(int) @bci=2, line=4 (Interpreted frame)" */
bool	jhsdb_frame(struct dumps_in *, struct str);
/*
 * A line of jhsdb jstack --mixed: the number of the next thread of the system, which *lwp keeps, or a
 * frame of Java or C.
 */
bool	jhsdb_mixed(struct dumps_in *, struct str line, struct str *lwp);
/* The end of a thread: one that is blocked does not hold that lock, a row of holds, but wants it. */
void	jhsdb_finish(struct dumps_in *, uint64_t wanted);

#endif
