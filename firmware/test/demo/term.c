/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal without a library: ANSI sequences for cells that changed, termios for keys. */
#include "term.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { ROWS = 100, COLUMNS = 300, GLYPH = 5 };

struct cell {
	char glyph[GLYPH];
	int32_t ink, paper;
};

static struct cell wanted[ROWS][COLUMNS], shown[ROWS][COLUMNS];
static unsigned rows = 24, columns = 80;
static struct termios before;
static bool open_now, utf8, all;	/* all: nothing on the screen is known */
static unsigned colours;		/* 0, 16, 256, 1 << 24 */
static volatile sig_atomic_t ended, resized;

/* ---- going in and out ------------------------------------------------------ */

static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

/* Also from signal handlers. */
static void write_all(const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, text, size);

		if (n < 0 && errno == EAGAIN) {
			struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

			if (poll(&out, 1, 1000) == 1)
				continue;
		}
		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
}

static void go_raw(void)
{
	struct termios raw = before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	write_all(enter, sizeof enter - 1);
	open_now = all = true;
}

void term_close(void)
{
	if (!open_now)
		return;
	open_now = false;
	write_all(leave, sizeof leave - 1);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static void on_signal(int signal_number)
{
	if (signal_number == SIGWINCH)
		resized = 1;
	else
		ended = 1;
}

/* ASan ends the program without its exit handlers. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* The program breaks: the terminal first. */
static void on_fault(int signal_number)
{
	term_close();
	raise(signal_number);
}

static void on_stop(int signal_number)
{
	int kept = errno;

	(void)signal_number;
	term_close();
	raise(SIGSTOP);
	go_raw();
	resized = 1;
	errno = kept;
}

static void catch(int signal_number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaction(signal_number, &action, NULL);
}

static void catch_all(void)
{
	static const int end[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH };
	static const int fault[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

	for (unsigned i = 0; i < sizeof end / sizeof end[0]; i++)
		catch(end[i], on_signal, 0);
	for (unsigned i = 0; i < sizeof fault / sizeof fault[0]; i++)
		catch(fault[i], on_fault, (int)SA_RESETHAND | SA_NODEFER);
	catch(SIGTSTP, on_stop, 0);
	catch(SIGPIPE, SIG_IGN, 0);
	atexit(term_close);
	if (__sanitizer_set_death_callback != NULL)
		__sanitizer_set_death_callback(term_close);
}

static void measure(void)
{
	struct winsize size;

	resized = 0;
	all = true;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	rows = size.ws_row < ROWS ? size.ws_row : ROWS;
	columns = size.ws_col < COLUMNS ? size.ws_col : COLUMNS;
}

static unsigned count_colours(void)
{
	const char *term = getenv("TERM"), *depth = getenv("COLORTERM"), *none = getenv("NO_COLOR");

	if (none != NULL && none[0] != '\0')
		return 0;
	if (depth != NULL && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0))
		return 1 << 24;
	return strstr(term, "256color") != NULL || strstr(term, "direct") != NULL ? 256 : 16;
}

static bool dumb(void)
{
	const char *term = getenv("TERM");

	return term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;
}

bool term_open(void)
{
	if (dumb() || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
		return false;
	setlocale(LC_CTYPE, "");
	utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	colours = count_colours();
	catch_all();
	measure();
	go_raw();
	return true;
}

bool term_utf8(void)
{
	return utf8;
}

unsigned term_colours(void)
{
	return colours;
}

unsigned term_rows(void)
{
	return rows;
}

unsigned term_columns(void)
{
	return columns;
}

bool term_ended(void)
{
	return ended;
}

/* ---- colours --------------------------------------------------------------- */

/* Return the level of a colour component, 0 to 5, in the 256-colour palette. */
static unsigned step(int32_t colour, unsigned shift)
{
	unsigned value = (unsigned)colour >> shift & 0xff;

	return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

/* Nearly grey and dark: the finer ramp of greys. */
static unsigned colour_256(int32_t colour)
{
	unsigned red = (unsigned)colour >> 16 & 0xff, green = (unsigned)colour >> 8 & 0xff, blue = (unsigned)colour & 0xff;
	unsigned most = red > green ? red : green, sum = red + green + blue;

	if (most < 48 || (most - blue < 24 && sum < 600))
		return sum < 12 ? 16 : 232 + (sum / 3 > 238 ? 23 : sum / 3 < 8 ? 0 : (sum / 3 - 8) / 10);
	return 16 + 36 * step(colour, 16) + 6 * step(colour, 8) + step(colour, 0);
}

/* Among the ink's codes, the dark and the bright eight; nearly grey does not count as a colour. */
static unsigned colour_16(int32_t colour)
{
	unsigned red = (unsigned)colour >> 16 & 0xff, green = (unsigned)colour >> 8 & 0xff, blue = (unsigned)colour & 0xff;
	unsigned most = red > green ? red : green, part;

	most = most > blue ? most : blue;
	part = most * 3 / 4;
	if (red >= part && green >= part && blue >= part)
		return most > 160 ? 37 : 90;
	part = most * 5 / 8;
	return (most >= 0xf0 ? 90 : 30) + (red > part) + (green > part) * 2U + (blue > part) * 4U;
}

static size_t paint(char *out, size_t room, int32_t colour, bool ink)
{
	unsigned base = ink ? 30 : 40;

	if (colours == 0)
		return 0;
	if (colour == TERM_PLAIN)
		return (size_t)snprintf(out, room, "\033[%um", base + 9);
	if (colours == 16)
		return (size_t)snprintf(out, room, "\033[%um", colour_16(colour) + base - 30);
	if (colours == 256)
		return (size_t)snprintf(out, room, "\033[%u;5;%um", base + 8, colour_256(colour));
	return (size_t)snprintf(out, room, "\033[%u;2;%u;%u;%um", base + 8,
	    (unsigned)colour >> 16 & 0xff, (unsigned)colour >> 8 & 0xff, (unsigned)colour & 0xff);
}

/* ---- frames ---------------------------------------------------------------- */

void term_clear(void)
{
	if (resized)
		measure();
	for (unsigned row = 0; row < rows; row++) {
		for (unsigned column = 0; column < columns; column++)
			wanted[row][column] = (struct cell){ " ", TERM_PLAIN, TERM_PLAIN };
	}
}

static unsigned glyph_bytes(const char *text)
{
	unsigned n = 1;

	while (n < GLYPH - 1 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n++;
	return n;
}

unsigned term_text(unsigned row, unsigned column, int32_t ink, int32_t paper, const char *text)
{
	unsigned start = column;

	for (; *text != '\0' && row < rows && column < columns; column++) {
		struct cell *cell = &wanted[row][column];
		unsigned n = glyph_bytes(text);

		memset(cell->glyph, 0, GLYPH);
		memcpy(cell->glyph, text, n);
		if (n == 1 && ((unsigned char)text[0] < ' ' || (unsigned char)text[0] >= 127))
			cell->glyph[0] = '.';
		cell->ink = ink;
		cell->paper = paper;
		text += n;
	}
	return column - start;
}

const char *term_glyph(unsigned row, unsigned column)
{
	return wanted[row][column].glyph;
}

struct out {
	char text[1 << 16];
	size_t size;
	unsigned row, column;		/* where the cursor stands */
	int32_t ink, paper;
};

static void add(struct out *out, const char *text, size_t size)
{
	if (out->size + size > sizeof out->text) {
		write_all(out->text, out->size);
		out->size = 0;
	}
	memcpy(out->text + out->size, text, size);
	out->size += size;
}

static void add_cell(struct out *out, unsigned row, unsigned column)
{
	const struct cell *cell = &wanted[row][column];
	char sequence[64];

	if (out->row != row || out->column != column)
		add(out, sequence, (size_t)snprintf(sequence, sizeof sequence, "\033[%u;%uH", row + 1, column + 1));
	if (out->ink != cell->ink)
		add(out, sequence, paint(sequence, sizeof sequence, cell->ink, true));
	if (out->paper != cell->paper)
		add(out, sequence, paint(sequence, sizeof sequence, cell->paper, false));
	add(out, cell->glyph, strlen(cell->glyph));
	out->ink = cell->ink;
	out->paper = cell->paper;
	out->row = row;
	out->column = column + 1;
	shown[row][column] = *cell;
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ink == b->ink && a->paper == b->paper && strcmp(a->glyph, b->glyph) == 0;
}

/* The terminal is asked to show the frame at once (mode 2026; others ignore it). */
void term_show(void)
{
	static struct out out;
	static const char begin[] = "\033[?2026h\033[0m", clear[] = "\033[2J", end[] = "\033[?2026l";

	out.size = 0;
	out.row = out.column = ~0U;
	out.ink = out.paper = TERM_PLAIN;
	add(&out, begin, sizeof begin - 1);
	if (all)
		add(&out, clear, sizeof clear - 1);
	for (unsigned row = 0; row < rows; row++) {
		for (unsigned column = 0; column < columns; column++) {
			if (all || !same(&wanted[row][column], &shown[row][column]))
				add_cell(&out, row, column);
		}
	}
	all = false;
	add(&out, end, sizeof end - 1);
	if (out.size > sizeof begin + sizeof end - 2)
		write_all(out.text, out.size);
}

/* ---- keys ------------------------------------------------------------------ */

static int kept = -1;		/* came right after an escape */

static int next_byte(unsigned ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char byte;
	int ready = poll(&in, 1, (int)ms);

	if (ready <= 0)
		return -1;
	if (read(STDIN_FILENO, &byte, 1) != 1)
		return -2;
	return byte;
}

/* After an escape: an arrow, a sequence that means nothing here, or another key. */
static int sequence(void)
{
	int byte = next_byte(20), end;

	if (byte != '[' && byte != 'O') {
		kept = byte;
		return TERM_ESCAPE;
	}
	do
		end = next_byte(20);
	while (end >= 0 && (end < '@' || end > '~'));
	return end >= 'A' && end <= 'D' ? (int[]){ TERM_UP, TERM_DOWN, TERM_RIGHT, TERM_LEFT }[end - 'A'] : TERM_NONE;
}

int term_key(unsigned ms)
{
	int byte = kept >= 0 ? kept : next_byte(ms);

	kept = -1;
	if (byte == -2)
		return TERM_GONE;
	if (byte < 0)
		return TERM_NONE;
	return byte == TERM_ESCAPE ? sequence() : byte;
}
