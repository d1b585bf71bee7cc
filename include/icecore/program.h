/*
 * program: another program that reads a file for us, and what it prints.
 *
 * It is started before the sandbox, which would hold it back, and leaves us no other power over it than three pipes: between it and
 * us stands a keeper, which waits for its end and ends it, with all that it started, when we go or lose interest.
 */
#ifndef ICECORE_PROGRAM_H
#define ICECORE_PROGRAM_H

#include "icecore/base.h"
#include "icecore/sandbox.h"

struct work;
struct intake;

struct program {
	int		 out, err;	/* its output; -1: closed */
	int		 life;		/* it lives as long as this is open */
	int		 status;	/* how it ended, once it did */
};

#define PROGRAM_FILE "/dev/fd/3"	/* the file that it is to read, in its arguments */
#define PROGRAM_SAID 4096u		/* bytes of its errors that are kept */

/* The path of a program in an absolute directory of PATH; false: there is none. */
bool	program_find(const char *name, struct buf *path) MUST_USE;
/*
 * Starts it without a shell, with that environment, no input, only the file open, and its own session; confined by
 * sandbox_program.  Before there are threads.
 */
bool	program_start(struct program *, const char *path, char *const *argv, char *const *envp, int file, enum sandbox_level,
	    struct err *) MUST_USE;
/* Reads all its output until it ends; *status as in wait(2), said: the start of its error output. */
bool	program_read(struct program *, struct intake *, struct buf *said, int *status, struct work *, struct err *) MUST_USE;
/* Ends it, if it still runs. */
void	program_close(struct program *);

#endif
