/*
 * ending: what is done before a signal ends the program.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/os.h"

#define NAMES 8u
#define STACK_BYTES 65536
#define TRIES 20	/* one ms apart: what a file takes to be made */

enum { FREE, TAKEN, NAMED };

/* Copies: what is in a slot stays readable, whoever frees the name meanwhile. */
static struct named {
	atomic_int	 state;
	char		 name[PATH_MAX];
} named[NAMES];

static _Atomic(void (*)(void)) hook;
static atomic_bool ends;

void
ending_before(void (*call)(void))
{
	atomic_store(&hook, call);
}

/* ---- names ---------------------------------------------------------------------- */

void
ending_name(const char *name)
{
	size_t n = strlen(name) + 1;
	int unused;

	for (size_t i = 0; n <= PATH_MAX && i < NAMES; i++) {
		unused = FREE;
		if (!atomic_compare_exchange_strong(&named[i].state, &unused, TAKEN))
			continue;
		memcpy(named[i].name, name, n);
		atomic_store(&named[i].state, NAMED);
		/* The program is ending: its files were removed, no other may be made. */
		while (atomic_load(&ends))
			pause();
		return;
	}
}

void
ending_unname(const char *name)
{
	for (size_t i = 0; i < NAMES; i++)
		if (atomic_load(&named[i].state) == NAMED && strcmp(named[i].name, name) == 0)
			atomic_store(&named[i].state, FREE);
}

/* ---- the end: only calls that are safe in a signal handler ------------------------ */

static void
say_forbidden(unsigned number)
{
	static const char before[] = "icecore: a forbidden system call (", behind[] = ")\n";
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

/* True if a file with a name is missing: another thread may be just making it. */
static bool
remove_named(void)
{
	bool missing = false;

	for (size_t i = 0; i < NAMES; i++)
		if (atomic_load(&named[i].state) == NAMED && unlink(named[i].name) != 0)
			missing |= errno == ENOENT;
	return missing;
}

static void
tidy(void)
{
	void (*call)(void) = atomic_load(&hook);

	if (call != NULL)
		call();
	atomic_store(&ends, true);
	for (int tries = 0; remove_named() && tries < TRIES; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

void
ending_exit(int status)
{
	tidy();
	_exit(status);
}

/* The signal is blocked until the handler returns. */
void
ending_now(int sig, const siginfo_t *info)
{
	tidy();
	if (sig == SIGSYS && info != NULL && info->si_code > 0)
		say_forbidden((unsigned)info->si_syscall);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
on_end(int sig, siginfo_t *info, void *context)
{
	(void)context;
	ending_now(sig, info);
}

/* ---- catching -------------------------------------------------------------------- */

/* Job control, what ends nothing, and what map_guard catches.  Others that cannot be caught are refused. */
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
	map_guard();
	ending_stack();
}

void
ending_stack(void)
{
	static _Thread_local char stack[STACK_BYTES];

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
}
