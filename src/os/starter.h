/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starter: a child of the helper that is not confined, because it starts icecore once more, for another file.
 * It gets a path and a query, which the new process treats like words that a user typed.
 */
#ifndef STARTER_H
#define STARTER_H

#include "icecore/program.h"

/*
 * In the helper, before it is confined: fork the starter. Return the socket to it; -1: starter_with was not
 * called, or errno.
 */
int	starter_fork(void);
/* The socket has this number now; -1: there is none, and this process starts others itself. */
void	starter_at(int socket);
/* The query of the next process; false: too long. */
bool	starter_ask(const char *query);
/* Start a process for the file, and wait for its end. */
bool	starter_start(const char *path, int *status);
/* Return what the last process wrote to standard error. */
struct str starter_said(void);
/* Let the starter end, and wait for that. */
void	starter_end(void);

#endif
