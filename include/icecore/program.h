/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program: run another program on a file, and read its output.
 *
 * The program is started before the sandbox, which would forbid it.  The sandboxed process has three pipes
 * to the program and no other control over it.  A keeper process waits for the program to end.  If icecore
 * exits or closes the pipe life, the keeper kills the program and everything it started.
 */
#ifndef ICECORE_PROGRAM_H
#define ICECORE_PROGRAM_H

#include "icecore/base.h"
#include "icecore/sandbox.h"

struct work;
struct intake;

struct program {
	int		 out, err;	/* standard output and error of the program; -1: closed */
	int		 life;		/* closing this pipe ends the program */
	int		 status;	/* status as in wait(2), once it has ended */
};

#define PROGRAM_FILE "/dev/fd/3"	/* the name of the file in the arguments of the program */
#define PROGRAM_SAID 4096u		/* bytes of its standard error that are kept */

/* Append the path of a program in an absolute directory of PATH; false: not found. */
bool	program_find(const char *name, struct buf *path) MUST_USE;
/*
 * Start the program in its own session, without a shell and without input.  It inherits only the file and
 * is confined by sandbox_program.  Call this before any thread is started.
 */
bool	program_start(struct program *, const char *path, char *const *argv, char *const *envp, int file,
    enum sandbox_level, struct err *) MUST_USE;
/*
 * Read the output until the program ends.  *status is as in wait(2); said gets the start of its standard
 * error.
 */
bool	program_read(struct program *, struct intake *, struct buf *said, int *status, struct work *,
    struct err *) MUST_USE;
/* Kill the program if it still runs. */
void	program_close(struct program *);

/* ---- icecore itself, for another file: named_start -------------------------------------------------- */

/*
 * Before the sandbox: words of the command line of such processes, before the file.  They stay the
 * caller's.
 */
void	starter_with(const char *const *words, size_t n);
/* Scripts of keys for these processes, in their order, instead of a terminal. */
void	starter_scripts(const char *const *scripts, size_t n);

#endif
