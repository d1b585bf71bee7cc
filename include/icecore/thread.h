/*
 * thread: threads beside the first one, which alone gets signals.
 */
#ifndef ICECORE_THREAD_H
#define ICECORE_THREAD_H

struct thread;

/* All signals are blocked in it but those of its own faults.  An errno, or 0. */
int	thread_start(struct thread **, void (*run)(void *), void *arg);
void	thread_join(struct thread *);	/* frees it; NULL is fine */

#endif
