/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signals: wake the loop, and restore the terminal before a signal ends the program.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "screen.h"

static const int caught_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT };

/* Signal handlers have no arguments. */
static struct {
	_Atomic(const struct restore *) restore;
	int			 wake_fd;
	volatile sig_atomic_t	 ended;
	struct sigaction	 old[NELEM(caught_signals)];
	sigset_t		 before;
} caught;

/* Use only async-signal-safe calls. Redirect curses first, so that no other thread draws afterwards. */
static void
put_back(void)
{
	const struct restore *r = atomic_load(&caught.restore);
	ssize_t n;

	if (r == NULL)
		return;
	dup2(r->unwritable, r->drawn);
	n = write(r->fd, r->bytes, r->n);
	(void)n;
	if (r->have_modes)
		tcsetattr(r->fd, TCSANOW, &r->modes);
}

static void
signals_on_signal(int sig)
{
	int	saved = errno;
	char	c = WAKE_END;
	ssize_t	n;

	if (sig == SIGINT)
		c = WAKE_INTERRUPT;
	else if (sig == SIGWINCH)
		c = WAKE_SIZE;
	else if (sig == SIGCONT)
		c = WAKE_AGAIN;
	else if (caught.ended != 0)
		ending_now(sig, NULL);
	else
		caught.ended = sig;
	n = write(caught.wake_fd, &c, 1);
	(void)n;
	errno = saved;
}

/* Ignored signals stay ignored (nohup), except SIGINT: Ctrl-C is a key of the explorer. */
void
signals_catch(int wake_fd)
{
	struct sigaction sa = { .sa_handler = signals_on_signal, .sa_flags = SA_RESTART };
	sigset_t stop;

	ending_catch(true);
	/*
	 * Block SIGTSTP: the handler of curses draws, so it may run only inside of signals_wait, never during a frame.
	 */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &stop, &caught.before);
	caught.wake_fd = wake_fd;
	caught.ended = 0;
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < NELEM(caught_signals); i++) {
		sigaction(caught_signals[i], NULL, &caught.old[i]);
		if (caught.old[i].sa_handler != SIG_IGN || caught_signals[i] == SIGINT)
			sigaction(caught_signals[i], &sa, NULL);
	}
}

int
signals_wait(struct pollfd *p, nfds_t n, int timeout)
{
	const struct timespec time = { timeout / 1000, timeout % 1000 * 1000000L };
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	if (sigismember(&caught.before, SIGTSTP) == 0)
		sigdelset(&mask, SIGTSTP);
	return ppoll(p, n, timeout < 0 ? NULL : &time, &mask);
}

/* Curses ignores SIGTSTP during a frame, which would discard a pending signal. */
void
signals_before_frame(void)
{
	sigset_t pending, mask;

	if (sigpending(&pending) != 0 || sigismember(&pending, SIGTSTP) != 1)
		return;
	pthread_sigmask(SIG_SETMASK, &caught.before, &mask);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* While another process uses the terminal, C-z is for that; the starter stops this one when the other has stopped. */
void
signals_leave(bool leave)
{
	static struct sigaction	 drawing;
	static sigset_t		 mask;
	struct sigaction	 ignored = { .sa_handler = SIG_IGN };

	sigemptyset(&ignored.sa_mask);
	if (leave) {
		sigaction(SIGTSTP, &ignored, &drawing);
		pthread_sigmask(SIG_SETMASK, &caught.before, &mask);
	} else {
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
		sigaction(SIGTSTP, &drawing, NULL);
	}
}

void
signals_restore(const struct restore *restore)
{
	atomic_store(&caught.restore, restore);
	ending_before(put_back);
}

void
signals_release(void)
{
	ending_before(NULL);
	pthread_sigmask(SIG_SETMASK, &caught.before, NULL);
	for (size_t i = 0; i < NELEM(caught_signals); i++)
		sigaction(caught_signals[i], &caught.old[i], NULL);
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
	ending_by(sig);
}
