/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ending: what is done before a signal ends the program, whichever it is and in whichever thread.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "icecore/ending.h"
#include "icecore/thread.h"
#include "icecore/os.h"

#define SAID 200
#define ENDS 100	/* at as many moments */

static char *folder;

/* ---- a child that ends ----------------------------------------------------------- */

static void
say(void)
{
	ssize_t n = write(STDERR_FILENO, "put back\n", 9);

	(void)n;
}

/* Runs act in a process of its own.  Returns how that ended; said: what it wrote. */
static int
ended(void (*act)(int), int sig, char said[SAID])
{
	struct rlimit none = { 0, 0 };
	int fd[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		dup2(fd[1], STDERR_FILENO);
		for (int s = 1; s <= SIGRTMAX; s++)
			signal(s, s == SIGUSR2 ? SIG_IGN : SIG_DFL);
		ending_catch(true);
		ending_before(say);
		act(sig);
		_exit(0);
	}
	close(fd[1]);
	while (n < SAID - 1 && (got = read(fd[0], said + n, SAID - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

/* ---- signals ------------------------------------------------------------------------ */

static void
raise_it(int sig)
{
	raise(sig);
}

static bool
ends_nothing(int sig)
{
	return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

static bool
is_caught(int sig)
{
	struct sigaction old;

	return sig != SIGKILL && sig != SIGSTOP && sig != SIGTSTP && sig != SIGTTIN && sig != SIGTTOU && sig != SIGUSR2 &&
	    !ends_nothing(sig) && sigaction(sig, NULL, &old) == 0;
}

static void
every_signal(void **state)
{
	char said[SAID];
	unsigned n = 0;

	(void)state;
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (is_caught(sig)) {
			assert_int_equal(ended(raise_it, sig, said), sig);
			assert_string_equal(said, "put back\n");
			n++;
		} else if (ends_nothing(sig))
			assert_int_equal(ended(raise_it, sig, said), 0);
	assert_true(n > 40);
	/* It was ignored before. */
	assert_int_equal(ended(raise_it, SIGUSR2, said), 0);
	assert_string_equal(said, "");
}

/* ---- threads ---------------------------------------------------------------------- */

static void
raise_there(void *sig)
{
	raise(*(int *)sig);
}

static void
raise_in_thread(int sig)
{
	struct thread *t;

	if (thread_start(&t, raise_there, &sig) == 0)
		thread_join(t);
}

static void
in_a_thread(void **state)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
	char said[SAID];

	(void)state;
	for (size_t i = 0; i < NELEM(faults); i++) {
		assert_int_equal(ended(raise_in_thread, faults[i], said), faults[i]);
		assert_string_equal(said, "put back\n");
	}
}

static volatile unsigned depth;

static unsigned
fill_stack(unsigned n)
{
	volatile char page[4096];

	page[n % sizeof page] = (char)n;
	depth = n;
	return depth == 0 ? 0 : fill_stack(n + 1) + (unsigned)page[n % sizeof page];
}

static void
fill_there(void *unused)
{
	(void)unused;
	fill_stack(1);
}

static void
overflow(int in_thread)
{
	struct thread *t;

	if (!in_thread)
		fill_stack(1);
	else if (thread_start(&t, fill_there, NULL) == 0)
		thread_join(t);
}

/* Its handler needs another stack, in every thread. */
static void
full_stack(void **state)
{
	char said[SAID];

	(void)state;
	for (int in_thread = 0; in_thread < 2; in_thread++) {
		assert_int_equal(ended(overflow, in_thread, said), SIGSEGV);
		assert_string_equal(said, "put back\n");
	}
}

/* ---- forbidden system calls ----------------------------------------------------------- */

static void
call_forbidden(int number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { NELEM(filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(1);
	syscall(number);
}

static void
forbidden(void **state)
{
	char said[SAID], want[SAID];
	int how = ended(call_forbidden, SYS_getppid, said);

	(void)state;
	if (how == -1)
		skip();		/* no filters here */
	snprintf(want, sizeof want, "put back\nicecore: killed by the sandbox: forbidden system call (%d)\n", (int)SYS_getppid);
	assert_int_equal(how, SIGSYS);
	assert_string_equal(said, want);
}

/* ---- files with a name ------------------------------------------------------------------ */

static void
name_two(int sig)
{
	char *gone = folder_path(folder, "gone"), *stays = folder_path(folder, "stays");

	folder_write(gone, "1", 1);
	folder_write(stays, "2", 1);
	leftover_note(gone);
	leftover_note(stays);
	leftover_forget(stays);
	memset(gone, 'x', strlen(gone));
	raise(sig);
}

static void
names(void **state)
{
	char *gone = folder_path(folder, "gone"), *stays = folder_path(folder, "stays"), said[SAID];

	(void)state;
	assert_int_equal(ended(name_two, SIGHUP, said), SIGHUP);
	assert_int_equal(access(gone, F_OK), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(access(stays, F_OK), 0);
	free(gone);
	free(stays);
}

/* Files of another thread, which is about to make one or has just done it, most of the time. */
static void
make_files(void *unused)
{
	char *name = folder_path(folder, "busy");

	(void)unused;
	for (;;) {
		leftover_note(name);
		folder_write(name, "1", 1);
		unlink(name);
		leftover_forget(name);
	}
}

static void
end_busy(int sig)
{
	struct thread *t;
	char *name = folder_path(folder, "busy");

	if (thread_start(&t, make_files, NULL) != 0)
		_exit(1);
	while (access(name, F_OK) != 0)
		;
	raise(sig);
}

static void
names_elsewhere(void **state)
{
	char *name = folder_path(folder, "busy"), said[SAID];

	(void)state;
	for (int i = 0; i < ENDS; i++) {
		assert_int_equal(ended(end_busy, SIGTERM, said), SIGTERM);
		assert_int_equal(access(name, F_OK), -1);
	}
	free(name);
}

/* A zombie has ended: its number and the time of its start are still those of the process that it was. */
static void
zombies(void **state)
{
	char name[64], *path;
	siginfo_t info;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	snprintf(name, sizeof name, ".icecore-%ld-1-0", (long)pid);
	path = folder_path(folder, name);
	folder_write(path, "1", 1);
	assert_true(process_ended(pid));
	assert_false(process_ended(getpid()));
	assert_true(leftovers_sweep(folder));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(process_ended(pid));
	free(path);
}

/* By a signal, and by the debugger that this process is. */
static void
stopped(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_false(process_stopped(getpid()));
	for (int traced = 0; traced < 2; traced++) {
		pid = fork();
		if (pid == 0) {
			if (traced)
				(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
			raise(SIGSTOP);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
		assert_true(WIFSTOPPED(status));
		assert_true(process_stopped(pid));
		assert_false(process_ended(pid));
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_false(process_stopped(pid));
	}
}

TOOL(unit, ending)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_signal),
		cmocka_unit_test(in_a_thread),
		cmocka_unit_test(full_stack),
		cmocka_unit_test(forbidden),
		cmocka_unit_test(names),
		cmocka_unit_test(zombies),
		cmocka_unit_test(stopped),
		cmocka_unit_test(names_elsewhere),
	};
	int failed;

	folder = folder_make();
	failed = cmocka_run_group_tests_name("ending", tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
