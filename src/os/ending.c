/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ending: clean-up before a signal ends the program.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/os.h"

#ifndef SIGRTMAX
#define SIGRTMAX (NSIG - 1)
#endif
#define STACK_BYTES 65536

static _Atomic(void (*)(void)) hook;

void
ending_before(void (*call)(void))
{
	atomic_store(&hook, call);
}

/* ---- clean-up; only async-signal-safe calls --------------------------------------- */

#ifdef __linux__
static void
say_forbidden(unsigned number)
{
	static const char before[] = "icecore: killed by the sandbox: forbidden system call (",
	    behind[] = ")\n";
	char text[sizeof before + sizeof behind + 10], digits[10];
	size_t n = sizeof before - 1, k = 0;
	ssize_t wrote;

	memcpy(text, before, n);
	do
		digits[k++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (k > 0)
		text[n++] = digits[--k];
	memcpy(text + n, behind, sizeof behind - 1);
	wrote = write(STDERR_FILENO, text, n + sizeof behind - 1);
	(void)wrote;
}
#endif

static void
ending_tidy(void)
{
	void (*call)(void) = atomic_load(&hook);

	if (call != NULL)
		call();
	leftovers_end();
}

void
ending_exit(int status)
{
	ending_tidy();
	_exit(status);
}

void
ending_by(int sig)
{
	signal(sig, SIG_DFL);
	kill(getpid(), sig);
}

/* The signal is blocked until the handler returns. */
void
ending_now(int sig, const siginfo_t *info)
{
	ending_tidy();
#ifdef __linux__
	if (sig == SIGSYS && info != NULL && info->si_code > 0)
		say_forbidden((unsigned)info->si_syscall);
#else
	(void)info;
#endif
	ending_by(sig);
}

static void
on_end(int sig, siginfo_t *info, void *context)
{
	(void)context;
	ending_now(sig, info);
}

static void
on_sigbus(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (info->si_code <= 0 || !map_fault(info->si_addr))
		ending_now(sig, info);
	errno = saved;
}

/* ---- catching -------------------------------------------------------------------- */

/*
 * True for signals to leave alone: job control, harmless signals, those of ending_guard. sigaction rejects
 * uncatchable ones.
 */
static bool
is_left(int sig)
{
	static const int left[] = { SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGBUS };

	for (size_t i = 0; i < NELEM(left); i++)
		if (sig == left[i])
			return true;
	return false;
}

void
ending_guard(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigfillset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}

void
ending_catch(bool sanitizers)
{
	struct sigaction sa = { .sa_sigaction = on_end, .sa_flags = SA_SIGINFO | SA_ONSTACK }, old;

	sigfillset(&sa.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (is_left(sig) || sigaction(sig, NULL, &old) < 0)
			continue;
		if (sanitizers ? old.sa_handler != SIG_IGN : old.sa_handler == SIG_DFL)
			sigaction(sig, &sa, NULL);
	}
	ending_guard();
	ending_stack();
}

void
ending_stack(void)
{
	static _Thread_local char stack[STACK_BYTES];

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
}
