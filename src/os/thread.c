/*
 * thread: threads beside the first one.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "icecore/ending.h"
#include "icecore/os.h"
#include "icecore/thread.h"

struct thread {
	pthread_t	 id;
	void		(*run)(void *);
	void		*arg;
};

static void *
begin(void *arg)
{
	struct thread *t = arg;
	stack_t before;

	/* The address sanitizer has one of its own, which it wants to find at the end. */
	(void)sigaltstack(NULL, &before);
	ending_stack();
	t->run(t->arg);
	(void)sigaltstack(&before, NULL);
	return NULL;
}

int
thread_start(struct thread **out, void (*run)(void *), void *arg)
{
	static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };
	struct thread *t = mem_array(1, sizeof *t);
	sigset_t all, before;
	int error;

	*out = NULL;
	if (t == NULL)
		return ENOMEM;
	t->run = run;
	t->arg = arg;
	sigfillset(&all);
	for (size_t i = 0; i < NELEM(faults); i++)
		sigdelset(&all, faults[i]);
	/* A new thread inherits the mask. */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&t->id, NULL, begin, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		*out = t;
	else
		free(t);
	return error;
}

void
thread_join(struct thread *t)
{
	if (t != NULL)
		pthread_join(t->id, NULL);
	free(t);
}
