/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * java: common parts of dumps of Java VMs: frames, lock lines, states.
 */
#ifndef LOAD_STACKS_JAVA_H
#define LOAD_STACKS_JAVA_H

#include "dumps_in.h"

/* A frame "C.m(C.java:12)", in any form with modules, loaders and numbers of hidden classes. */
void	java_frame(struct dumps_in *, struct str);
/* A line "- locked <0x1> (a C)" without blanks in front.  False: not understood.  *relock: it wants a lock that a line below calls locked. */
bool	java_lock_line(struct dumps_in *, struct str, bool *relock);
/* enum dump_state of RUNNABLE and so on; unknown of other words. */
enum dump_state java_state(struct str);
enum dump_want java_park(struct str class);	/* a lock, or something that nobody holds */
uint8_t	java_marks(struct str function);
/* RUNNABLE in a system call is io; one that waits for the VM waits. */
void	java_truth(struct dumps_in *);
/* The end of a thread: one that waits has given its lock up. */
void	java_waits(struct dumps_in *);
/* The same, of a form without a state for sleeping threads. */
void	java_finish(struct dumps_in *);
struct str java_class(struct str key);		/* of "Class@hash" */

/* The thread that a header line begins with '"' for, opened; false: it is none. */
bool	hotspot_head(struct dumps_in *, struct str line, const char *at);
bool	hotspot_is_head(struct str line);

#endif
