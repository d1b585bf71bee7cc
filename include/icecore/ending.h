/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ending: cleanup before a signal ends the program.
 */
#ifndef ICECORE_ENDING_H
#define ICECORE_ENDING_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Catch every signal that ends the program by default, except those ignored at the start.  The handler runs
 * the cleanup below, then the default action, so that the exit status shows the signal.  SIGKILL and the
 * signals of the C library cannot be caught.  For a system call that a filter has trapped (SIGSYS),
 * standard error names the call.  sanitizers: also catch signals that the sanitizers handle, which then
 * report nothing.
 */
void	ending_catch(bool sanitizers);
/*
 * A part of ending_catch: install the SIGBUS handler, once, before threads.  Mapped files that shrank read
 * as zeros (map_fault); a SIGBUS elsewhere ends the program.
 */
void	ending_guard(void);
void	ending_before(void (*)(void));	/* set a function to call first; async-signal-safe; NULL: none */
void	ending_now(int sig, const siginfo_t *);	/* cleanup for other handlers, in which sig is blocked */
/* The default action; raise of musl makes a call that the sandbox forbids. */
void	ending_by(int sig);
void	ending_exit(int status);		/* cleanup, then exit with that status; async-signal-safe */
/* Use a separate stack for handlers of this thread, because its own may be full. */
void	ending_stack(void);

/* ---- leftover: files with temporary names ------------------------------------------------ */

/*
 * Return an unused name in directory that contains the process id, for sweeps.  The caller frees it.  NULL:
 * errno.
 */
char	*leftover_name(const char *directory);
/* Remember a file to remove; its name may be freed.  Files beyond the eighth stay until a sweep. */
void	leftover_note(const char *);
void	leftover_forget(const char *);
/* Remove the noted files and prevent new ones; async-signal-safe. */
void	leftovers_end(void);
/*
 * The child at the other end of the socket may have more files.  It exits with this process, which waits
 * for it.
 */
void	leftovers_elsewhere(int socket, int pid);
/* Remove temporary files of dead processes, as file_sweep does (os.h); false: errno. */
bool	leftovers_sweep(const char *directory);
/* By a signal, or by a debugger. */
bool	process_stopped(pid_t);
/*
 * No process has this number, or only a zombie, whose parent does not wait for it: it does nothing any more.
 * Where /proc does not show it, a zombie is taken for alive.
 */
bool	process_ended(pid_t);

#endif
