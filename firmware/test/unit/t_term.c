/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The demo's terminal on a pseudo terminal: frames, keys, and the old state again however the program ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include "term.h"

static char screen[1 << 16];
static size_t screen_size;
static int status;

/* Reads the output of the child until the child ends or text appears. */
static bool read_until(int master, const char *text)
{
	struct pollfd in = { .fd = master, .events = POLLIN };

	while (screen_size < sizeof screen - 1 && poll(&in, 1, 5000) == 1) {
		ssize_t n = read(master, screen + screen_size, sizeof screen - 1 - screen_size);

		if (n <= 0)
			break;
		screen_size += (size_t)n;
		screen[screen_size] = '\0';
		if (text != NULL && strstr(screen, text) != NULL)
			return true;
	}
	return text == NULL;
}

static void child(void (*how)(void))
{
	alarm(20);
	if (!term_open())
		_exit(99);
	term_clear();
	term_text(1, 2, 0xff8c28, TERM_PLAIN, "ready");
	term_show();
	how();
	exit(7);
}

/* Runs how behind a terminal of 30 x 100, types keys or sends a signal when it is ready. */
static void play(void (*how)(void), const char *keys, int signal_number)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	struct termios before, after;
	int master, slave;
	pid_t pid;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(slave, &before), 0);
	screen_size = 0;
	pid = fork();
	if (pid == 0) {
		close(master);
		login_tty(slave);
		setenv("TERM", "xterm-256color", 1);
		unsetenv("COLORTERM");
		unsetenv("NO_COLOR");
		child(how);
	}
	assert_true(read_until(master, "ready"));
	if (keys != NULL)
		assert_int_equal(write(master, keys, strlen(keys)), strlen(keys));
	if (signal_number != 0)
		kill(pid, signal_number);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(tcgetattr(slave, &after), 0);
	close(slave);
	read_until(master, NULL);
	close(master);
	assert_int_equal(before.c_lflag, after.c_lflag);
	assert_int_equal(before.c_iflag, after.c_iflag);
	assert_non_null(strstr(screen, "\033[?1049h"));
	assert_string_equal(screen + screen_size - 14, "\033[?25h\033[?1049l");
}

static void return_at_once(void)
{
}

static void wait_for_end(void)
{
	for (unsigned i = 0; i < 500 && !term_ended(); i++)
		term_key(10);
	exit(term_ended() ? 5 : 6);
}

static void break_down(void)
{
	signal(SIGCHLD, SIG_DFL);
	abort();
}

/* Exits with the number of keys that came as they were typed. */
static void count_keys(void)
{
	static const int want[] = { 'q', TERM_UP, TERM_DOWN, TERM_RIGHT, TERM_LEFT, TERM_ESCAPE, 'l', '\r', 'x' };
	int right = 0;

	for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++)
		right += term_key(2000) == want[i];
	exit(right);
}

static void say_size(void)
{
	exit((int)(term_rows() + term_columns()));
}

static void comes_back_after_exit(void **state)
{
	(void)state;
	play(return_at_once, NULL, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void comes_back_after_signals(void **state)
{
	static const int list[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	(void)state;
	for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
		play(wait_for_end, NULL, list[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	}
}

static void comes_back_after_a_crash(void **state)
{
	(void)state;
	play(break_down, NULL, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void control_c_ends_it(void **state)
{
	(void)state;
	play(wait_for_end, "\003", 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

static void keys(void **state)
{
	(void)state;
	play(count_keys, "q\033[A\033[B\033OC\033[D\033l\r" "x", 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 9);
}

static void size(void **state)
{
	(void)state;
	play(say_size, NULL, 0);
	assert_int_equal(WEXITSTATUS(status), 130);
}

/* A terminal of few colours: bright for the glow, grey for what stands back. */
static void sixteen_colours(void)
{
	term_close();
	setenv("TERM", "xterm", 1);
	if (!term_open())
		_exit(99);
	term_clear();
	term_text(0, 0, 0xff8c28, TERM_PLAIN, "glow");
	term_text(0, 4, 0x8a8078, TERM_PLAIN, "faint");
	term_text(0, 9, 0xc8c0b8, TERM_PLAIN, "text");
	term_text(0, 13, 0x70c970, TERM_PLAIN, "good");
	term_text(0, 17, 0xff7a5a, TERM_PLAIN, "bad");
	term_show();
}

static void few_colours(void **state)
{
	(void)state;
	play(sixteen_colours, NULL, 0);
	assert_non_null(strstr(screen, "\033[91mglow\033[90mfaint\033[37mtext\033[32mgood\033[91mbad"));
}

static void open_dumb(void)
{
	term_close();
	setenv("TERM", "dumb", 1);
	_exit(term_open() ? 1 : 0);
}

static void dumb_terminal_is_none(void **state)
{
	(void)state;
	play(open_dumb, NULL, 0);
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The second frame writes what is new and nothing else. */
static void two_frames(void)
{
	term_clear();
	term_text(1, 2, 0xff8c28, TERM_PLAIN, "reads");
	term_show();
	term_show();
}

static void only_changes_are_written(void **state)
{
	(void)state;
	play(two_frames, NULL, 0);
	assert_non_null(strstr(screen, "\033[?2026h\033[0m\033[2;7H\033[38;5;208ms\033[?2026l\033[0m\033[?7h"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_after_exit),
		cmocka_unit_test(comes_back_after_signals),
		cmocka_unit_test(comes_back_after_a_crash),
		cmocka_unit_test(control_c_ends_it),
		cmocka_unit_test(keys),
		cmocka_unit_test(size),
		cmocka_unit_test(few_colours),
		cmocka_unit_test(dumb_terminal_is_none),
		cmocka_unit_test(only_changes_are_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
