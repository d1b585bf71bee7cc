/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native: common parts of backtraces of debuggers.
 */
#ifndef LOAD_STACKS_NATIVE_H
#define LOAD_STACKS_NATIVE_H

#include "dumps_in.h"

uint8_t	native_marks(struct str function);
/* The end of a thread: its state by its innermost functions; only a thread that is blocked wants a lock. */
void	native_finish(struct dumps_in *);
/* The same: a thread in take_gil waits for the GIL of Python. */
void	native_gil(struct dumps_in *);
/* The mutex that a function waits for, by its arguments. */
void	native_mutex(struct dumps_in *, struct str function, struct str args);

#endif
