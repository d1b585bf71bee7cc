/*
 * ending: cleanup before a signal ends the program.
 */
#ifndef ICECORE_ENDING_H
#define ICECORE_ENDING_H

#include <signal.h>
#include <stdbool.h>

/*
 * Every signal whose default is to end the program and that was not ignored at the start does what is said
 * here, then what it does by default: the status names it.  SIGKILL cannot be caught, nor those of the C library.
 * A system call that a filter has trapped (SIGSYS) is named on standard error.
 * sanitizers: those that they have caught too, which then report nothing.
 */
void	ending_catch(bool sanitizers);
void	ending_before(void (*)(void));	/* called first; async-signal-safe; NULL: nothing */
void	ending_now(int sig, const siginfo_t *);	/* for other handlers, in which sig is blocked */
void	ending_exit(int status);		/* the same, then the program ends with that status; async-signal-safe */
void	ending_stack(void);		/* another stack for handlers of this thread: its own may be full */

/* ---- leftover: files with temporary names ------------------------------------------------ */

/* A name in directory that nobody has used, in which sweeps read the process id; the caller frees it.  NULL: errno. */
char	*leftover_name(const char *directory);
/* A file to remove; its name may be freed.  Files beyond the eighth stay until a sweep. */
void	leftover_note(const char *);
void	leftover_forget(const char *);
/* Removes the noted files and prevents new ones; async-signal-safe. */
void	leftovers_end(void);
/* There may be more, of the child at the other end of that socket, which ends when this process does and is waited for. */
void	leftovers_elsewhere(int socket, int pid);
/* As file_sweep (os.h); false: errno. */
bool	leftovers_sweep(const char *directory);

#endif
