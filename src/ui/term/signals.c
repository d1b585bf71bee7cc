/*
 * signals: they wake the loop, and the terminal is put back before they
 * end the program.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "screen.h"

static const int fatal_signals[] = { SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGQUIT };
static const int caught_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH };

/* Signal handlers have no arguments. */
static struct {
	const struct restore	*restore;
	int			 wake_fd;
	volatile sig_atomic_t	 ended;
	struct sigaction	 old_fatal[NELEM(fatal_signals)];
	struct sigaction	 old_caught[NELEM(caught_signals)];
	struct sigaction	 old_bus;
	stack_t			 old_stack;
	void			*stack;
} caught;

/* Only calls that are safe in a signal handler. */
static void
put_back(void)
{
	const struct restore *r = caught.restore;
	ssize_t n = write(r->fd, r->bytes, r->n);

	(void)n;
	if (r->have_modes)
		tcsetattr(r->fd, TCSANOW, &r->modes);
}

/* SA_RESETHAND has put the default back: the signal ends us the second time. */
static void
on_fatal(int sig)
{
	put_back();
	raise(sig);
}

/* A fault in a mapped file is mended where it happened; any other one is fatal. */
static void
on_bus(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (map_fault(info->si_addr))
		return;
	signal(sig, SIG_DFL);
	put_back();
	raise(sig);
}

static void
on_signal(int sig)
{
	int	saved = errno;
	char	c = WAKE_END;
	ssize_t	n;

	if (sig == SIGINT)
		c = WAKE_INTERRUPT;
	else if (sig == SIGWINCH)
		c = WAKE_SIZE;
	else if (caught.ended != 0) {
		signal(sig, SIG_DFL);
		put_back();
		raise(sig);
	} else
		caught.ended = sig;
	n = write(caught.wake_fd, &c, 1);
	(void)n;
	errno = saved;
}

void
signals_catch(int wake_fd)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	caught.wake_fd = wake_fd;
	caught.ended = 0;
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < NELEM(caught_signals); i++)
		sigaction(caught_signals[i], &sa, &caught.old_caught[i]);
}

/* A stack overflow needs another stack to put the terminal back from. */
void
signals_catch_fatal(const struct restore *restore)
{
	struct sigaction sa = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND | SA_ONSTACK };
	stack_t		 st = { .ss_size = 65536 };

	caught.restore = restore;
	sigemptyset(&sa.sa_mask);
	st.ss_sp = caught.stack = malloc(st.ss_size);
	if (st.ss_sp != NULL)
		sigaltstack(&st, &caught.old_stack);
	for (size_t i = 0; i < NELEM(fatal_signals); i++)
		sigaction(fatal_signals[i], &sa, &caught.old_fatal[i]);
	sa.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sa.sa_sigaction = on_bus;
	sigaction(SIGBUS, &sa, &caught.old_bus);
}

void
signals_release(void)
{
	for (size_t i = 0; i < NELEM(caught_signals); i++)
		sigaction(caught_signals[i], &caught.old_caught[i], NULL);
	for (size_t i = 0; caught.restore != NULL && i < NELEM(fatal_signals); i++)
		sigaction(fatal_signals[i], &caught.old_fatal[i], NULL);
	if (caught.restore != NULL)
		sigaction(SIGBUS, &caught.old_bus, NULL);
	caught.restore = NULL;
	if (caught.stack != NULL)
		sigaltstack(&caught.old_stack, NULL);
	free(caught.stack);
	caught.stack = NULL;
}

int
signals_ended(void)
{
	return caught.ended;
}

void
signals_raise(void)
{
	int	sig = caught.ended;

	caught.ended = 0;
	signal(sig, SIG_DFL);
	raise(sig);
}
