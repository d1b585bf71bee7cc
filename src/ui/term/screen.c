/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen: the terminal. Curses draws and keeps the tty modes; bytes are read and signals are caught here.
 */
#include "config.h"

#include <sys/ioctl.h>

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/named.h"
#include "screen.h"

#define CURSES_NEEDS 100000	/* bytes, about */
#define CTRL_C 3

/* State of the screen; there is only one screen at a time, as in curses. */
static struct {
	FILE		*in, *out;
	int		 infd, outfd, wake[2];	/* infd: to be polled for keys; keys_read reads them */
	bool		 headless, paste, mouse, drags, alive, curses;	/* curses has all resources it needs */
	bool		 gone;		/* state of the terminal at the last wait */
	char		 note[128];	/* problem of the terminal; or "" */
	struct restore	 restore;
	int		 cursor_y, cursor_x;
	bool		 cursor;
} tty = { .infd = -1, .outfd = -1, .wake = { -1, -1 } };

/* ---- opening and closing ------------------------------------------------- */

static int
restore_byte(int c)
{
	if (tty.restore.n < sizeof tty.restore.bytes)
		tty.restore.bytes[tty.restore.n++] = (char)c;
	return c;
}

static void
prepare_restore(void)
{
	static const char	 modes_off[] = "\033[?2004l\033[?1002l\033[?1000l\033[?1006l";

	for (size_t i = 0; i < sizeof modes_off - 1; i++)
		restore_byte(modes_off[i]);
	strings_restore(restore_byte);
}

static bool
open_tty(struct err *err)
{
	const char	*mode = tty.headless ? "/dev/null" : "/dev/tty";

	if (!tty.headless && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		tty.infd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		tty.outfd = keys_output(STDOUT_FILENO);
	} else {
		tty.infd = open(mode, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		tty.outfd = open(mode, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	}
	if (tty.infd == -1 || tty.outfd == -1)
		return errno_crowded(errno) || errno == ENOMEM ? fail_errno(err, "terminal") :
		    fail(err, E_USAGE, "no terminal; use -e 'QUERY'");
	tty.in = fdopen(tty.infd, "r");
	tty.out = fdopen(tty.outfd, "w");
	if (tty.in == NULL || tty.out == NULL)
		return fail_errno(err, "terminal");
	if (pipe2(tty.wake, O_NONBLOCK | O_CLOEXEC) == -1)
		return fail_errno(err, "pipe");
	if (!tty.headless)
		keys_from(tty.infd);
	tty.restore.fd = fcntl(tty.outfd, F_DUPFD_CLOEXEC, 3);
	tty.restore.drawn = tty.outfd;
	tty.restore.unwritable = tty.wake[0];
	tty.restore.n = 0;
	tty.restore.have_modes = tcgetattr(tty.outfd, &tty.restore.modes) == 0;
	return true;
}

/*
 * Restore the terminal at exit: curses may exit without memory, and nothing else calls exit while the screen is open.
 */
static void
end_of_curses(void)
{
	if (!tty.alive)
		return;
	if (!tty.headless && fd_write_all(tty.outfd, tty.restore.bytes, tty.restore.n, NULL) &&
	    tty.restore.have_modes)
		tcsetattr(tty.outfd, TCSANOW, &tty.restore.modes);
	fputs("icecore: out of memory (terminal); free some memory, or raise 'ulimit -v'\n", stderr);
	_exit(E_SYSTEM);
}

/*
 * Use a common entry for an unknown TERM. Such terminals wrap a full line only when the next character is
 * written; the entry "ansi" wraps at once.
 */
static SCREEN *
open_unknown(const char *term)
{
	static const char *const common[] = { "screen-256color", "screen", "xterm", "linux", "vt100" };
	SCREEN	*screen = NULL;
	size_t	 i;

	for (i = 0; screen == NULL && i < NELEM(common); i++)
		screen = newterm(common[i], tty.out, tty.in);
	if (screen != NULL && term != NULL && *term != '\0')
		snprintf(tty.note, sizeof tty.note, "TERM=%.40s is unknown; using '%s'", term, common[i - 1]);
	else if (screen != NULL)
		snprintf(tty.note, sizeof tty.note, "TERM is not set; using '%s'", common[i - 1]);
	return screen;
}

static bool
open_curses(struct err *err)
{
	const char	*term = getenv("TERM");
	SCREEN		*screen;
	char		*room;
	int		 fd = -1;

	if (term != NULL && strcmp(term, "dumb") == 0 && !tty.headless)
		return fail(err, E_USAGE, "TERM=dumb cannot run the explorer; use -e 'QUERY'");
	if (!tty.headless) {
		unsetenv("LINES");
		unsetenv("COLUMNS");
	}
	/* Curses would read clicks of the Linux console from gpm, so they would not arrive as bytes. */
	setenv("NCURSES_GPM_TERMS", "", 1);
	if (getenv("ESCDELAY") == NULL)
		set_escdelay(25);
	/* Curses crashes if memory runs out at its start: make sure that malloc has enough. */
	if ((room = mem_array(CURSES_NEEDS, 1)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (terminal)");
	free(room);
	errno = 0;
	screen = newterm(tty.headless ? "screen" : NULL, tty.out, tty.in);
	if (screen == NULL && errno == ENOMEM) {
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (terminal)");
	}
	if (screen == NULL)
		screen = open_unknown(term);
	/* Curses reports no cause: too many open files look like an unknown terminal. */
	if (screen == NULL && (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) == -1)
		return fail_errno(err, "terminal");
	if (fd != -1)
		close(fd);
	if (screen == NULL)
		return fail(err, E_USAGE, "unknown terminal TERM=%s; set TERM or use -e 'QUERY'",
		    term != NULL ? term : "");
	return true;
}

/*
 * Modes that curses does not set. Ctrl-C is an ordinary key: as a signal it would arrive out of order, and
 * the terminal would drop typed input and the rest of a frame. Reads do not block: other processes may drop
 * input that poll reported (C-z, tcflush).
 */
static void
set_modes(void)
{
	struct termios	modes;

	if (tcgetattr(tty.outfd, &modes) == -1)
		return;
	if (modes.c_cc[VINTR] == CTRL_C)
		modes.c_cc[VINTR] = _POSIX_VDISABLE;
	modes.c_cc[VMIN] = modes.c_cc[VTIME] = 0;
	if (tcsetattr(tty.outfd, TCSANOW, &modes) == 0)
		def_prog_mode();
}

bool
screen_open(bool headless, enum graphics graphics, struct err *err)
{
	tty.headless = headless;
	if (!open_tty(err))
		return false;
	/* Before newterm, so that curses does not change these. */
	if (!headless)
		signals_catch(tty.wake[1]);
	tty.alive = true;
	raw_open(headless ? NULL : tty.out);
	notice_open(!headless);
	atexit(end_of_curses);
	if (!open_curses(err) || !strings_ready(err))
		return false;
	tty.curses = true;
	cbreak();
	noecho();
	nonl();
	typeahead(-1);
	if (!headless)
		set_modes();
	colours_start();
	graphics_open(headless, graphics, tty.outfd);
	idlok(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	if (!headless) {
		prepare_restore();
		signals_restore(&tty.restore);
	}
	return true;
}

/* Whoever takes this process over must not read or wait for keys, so no descriptor of it can read the terminal. */
void
screen_confined(void)
{
	if (tty.headless || !keys_helped())
		return;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			(void)dup2(tty.outfd, fd);
	/* The open file of the output can be polled for keys as well. */
	(void)dup2(tty.outfd, tty.infd);
}

void
screen_leave(void)
{
	if (tty.headless)
		return;
	graphics_erased(true);
	endwin();
	signals_leave(true);
}

void
screen_return(void)
{
	if (tty.headless)
		return;
	signals_leave(false);
	screen_again();
}

void
screen_close(void)
{
	/* Without memory curses cannot free either: keep the screen, because the process ends with it. */
	if (tty.curses) {
		screen_paste(false);
		screen_mouse(false);
		graphics_erased(true);
		endwin();
	} else if (tty.restore.have_modes) {
		tcsetattr(tty.outfd, TCSANOW, &tty.restore.modes);
	}
	tty.curses = false;
	if (tty.alive && !tty.headless)
		signals_release();
	tty.alive = false;
	raw_open(NULL);
	notice_open(false);
	spots_free();
	if (tty.in != NULL)
		fclose(tty.in);
	if (tty.out != NULL)
		fclose(tty.out);
	if (tty.wake[0] != -1) {
		close(tty.restore.fd);
		close(tty.wake[0]);
		close(tty.wake[1]);
	}
	tty.in = tty.out = NULL;
	tty.infd = tty.outfd = tty.wake[0] = tty.wake[1] = -1;
}

const char *
screen_note(void)
{
	return tty.note[0] != '\0' ? tty.note : NULL;
}

/* ---- waiting and reading ------------------------------------------------- */

int
screen_wake_fd(void)
{
	return tty.wake[1];
}

bool
screen_wait(int timeout, bool wakes, bool *input)
{
	struct pollfd	p[2] = {
		{ .fd = wakes ? tty.wake[0] : -1, .events = POLLIN },
		{ .fd = tty.headless ? -1 : tty.infd, .events = POLLIN }
	};
	int		n;

	*input = false;
	timeout = graphics_wait(timeout);
	n = tty.headless ? poll(p, 2, timeout) : signals_wait(p, 2, timeout);
	if (n == -1)
		return errno == EINTR || errno == EAGAIN;
	*input = (p[1].revents & POLLIN) != 0;
	tty.gone = (p[1].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
	return *input || !tty.gone;
}

enum wake
screen_woken(void)
{
	char	c;

	if (read(tty.wake[0], &c, 1) != 1)
		return WAKE_NONE;
	return c == WAKE_SIZE || c == WAKE_INTERRUPT || c == WAKE_AGAIN || c == WAKE_END ? (enum wake)c :
	    WAKE_WORKER;
}

bool
screen_read(char *s, size_t size, size_t *n)
{
	ssize_t got = keys_read(s, size);

	*n = got > 0 ? (size_t)got : 0;
	return got > 0 || (got == 0 ? !tty.gone : errno == EINTR || errno == EAGAIN);
}

/* ---- drawing ------------------------------------------------------------- */

void
screen_size(int *h, int *w)
{
	getmaxyx(stdscr, *h, *w);
}

bool
screen_fits(void)
{
	int	h, w;

	screen_size(&h, &w);
	return h >= SCREEN_MIN_H && w >= SCREEN_MIN_W;
}

void
screen_resize(int h, int w)
{
	struct winsize	ws;

	if (h == 0 && ioctl(tty.outfd, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0) {
		h = ws.ws_row;
		w = ws.ws_col;
	}
	if (h <= 0 || w <= 0)
		return;
	resizeterm(h, w);
	graphics_erased(true);
	clearok(curscr, TRUE);
}

void
screen_again(void)
{
	reset_prog_mode();
	tty.drags = false;
	screen_resize(0, 0);
}

void
screen_erase(bool all)
{
	erase();
	graphics_erased(all);
	spots_clear();
	colours_settle();
	if (all)
		clearok(curscr, TRUE);
}

int
screen_put(int y, int x, int w, enum role role, unsigned look, struct str s)
{
	char	fit[4096];
	size_t	used, n;
	int	mh, mw;

	screen_size(&mh, &mw);
	if (y < 0 || y >= mh || x < 0 || x >= mw || w <= 0)
		return 0;
	if (w > mw - x)
		w = mw - x;
	/* Texts should be fit before; an error may have a name of the file. */
	n = text_fit(fit, sizeof fit, s);
	s = (struct str){ fit, n < sizeof fit ? n : strlen(fit) };
	n = text_cut(s, (size_t)w, &used);
	colours_role(role, look);
	mvaddnstr(y, x, s.s, (int)n);
	colours_role(ROLE_NORMAL, LOOK_PLAIN);
	return (int)used;
}

int
screen_puts(int y, int x, int w, enum role role, unsigned look, const char *s)
{
	return screen_put(y, x, w, role, look, str_of(s));
}

void
screen_hint(struct area a, const char *s)
{
	screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN, s);
}

/* Frames that tests compare do not show colours. */
int
screen_colours(void)
{
	return tty.headless ? 0 : colours_many();
}

bool
screen_cell(int y, int x, const char *s, int fg, int bg)
{
	if (!colours_set(fg, bg))
		return false;
	mvaddstr(y, x, s);
	colours_role(ROLE_NORMAL, LOOK_PLAIN);
	return true;
}

void
screen_look(int y, int x, int w, enum role role, unsigned look)
{
	attr_t	a;
	short	pair;

	if (w <= 0)
		return;
	colours_role(role, look);
	attr_get(&a, &pair, NULL);
	mvchgat(y, x, w, a, pair, NULL);
	colours_role(ROLE_NORMAL, LOOK_PLAIN);
}

void
screen_cursor(int y, int x, bool visible)
{
	tty.cursor_y = y;
	tty.cursor_x = x;
	tty.cursor = visible;
}

void
screen_flush(void)
{
	graphics_before();
	/* Move the cursor even if it is invisible: screen readers and copy modes follow it. */
	move(tty.cursor_y, tty.cursor_x);
	curs_set(tty.cursor ? 1 : 0);
	wnoutrefresh(stdscr);
	graphics_between();
	if (!tty.headless)
		signals_before_frame();
	doupdate();
	if (tty.mouse && !tty.drags) {
		screen_raw(STR("\033[?1002h"));
		tty.drags = true;
	}
	graphics_after();
}

void
screen_paste(bool on)
{
	if (tty.paste != on)
		screen_raw(on ? STR("\033[?2004h") : STR("\033[?2004l"));
	tty.paste = on;
}

/*
 * Curses switches the terminal's mouse reports, also before and after suspension. It does not support
 * motion with a pressed button: the next frame requests it.
 */
bool
screen_mouse(bool on)
{
	if (tty.headless || tty.mouse == on)
		return true;
	if (tty.drags)
		screen_raw(STR("\033[?1002l"));
	tty.drags = false;
	tty.mouse = mousemask(on ? ALL_MOUSE_EVENTS : 0, NULL) != 0;
	return tty.mouse == on;
}
