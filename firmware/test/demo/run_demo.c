/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make demo: the clock in the terminal.  The real program runs on a simulated
 * ATmega328P and follows a real chronyd; six tubes show what glows.
 */
#include <err.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "demo.h"
#include "face.h"
#include "place.h"
#include "term.h"

enum { STATUS_ROW = FACE_ROWS + 1, CONSOLE_ROW = FACE_ROWS + 7, LINE = 200 };
enum { TEXT = 0xc8c0b8, FAINT = 0x8a8078, GOOD = 0x70c970, BAD = 0xff7a5a, TITLE = 0xffb060 };
#define FRAME 0.04
enum { NOTICE_FRAMES = 250 };		/* that a notice stays */

struct view {
	struct demo demo;
	struct face face;
	bool typing, help, quit;
	unsigned back;			/* lines of the serial port below the last one shown */
	unsigned noticed, notice_frames;
	double seconds;			/* 0: until q */
};

/* ---- drawing --------------------------------------------------------------- */

static const char keys[] = "? help  q quit  l WiFi  s server  b lies  r reset  p power  d DST  n dim";
static const char *const help[] = {
	"q  leave                            d  to 5 s before the next change to",
	"l  access point away, back             or from daylight saving time",
	"s  time server silent, back         n  dim the tubes, full again",
	"b  the server lies; next lie        t  self-test: each cathode in turn",
	"r  RESET button                     +  -  faster, slower",
	"p  cut the power, give it back      c  type on the serial port; Esc ends",
};

static void label(unsigned row, const char *name, int32_t ink, const char *text)
{
	term_text(row, 2, FAINT, TERM_PLAIN, name);
	term_text(row, 11, ink, TERM_PLAIN, text);
}

static void draw_title(struct view *view)
{
	struct demo *demo = &view->demo;
	char text[LINE];

	term_text(0, 2, TITLE, TERM_PLAIN, "the clock");
	term_text(0, 13, FAINT, TERM_PLAIN, "its program on a simulated board");
	if (demo->speed != 1)
		snprintf(text, sizeof text, "%ux real time, reaches %ux", demo->speed, demo->reached);
	else if (demo->behind > 1.5)
		snprintf(text, sizeof text, "real time, %.0f s behind", demo->behind);
	else
		snprintf(text, sizeof text, "real time");
	term_text(0, 49, FAINT, TERM_PLAIN, text);
}

static void draw_server(struct view *view)
{
	struct demo *demo = &view->demo;
	char text[LINE], time_text[64];
	double utc = demo_utc(demo);
	struct tm local = demo_local(demo, (time_t)utc);

	strftime(time_text, sizeof time_text, "%a %Y-%m-%d %H:%M:%S", &local);
	snprintf(text, sizeof text, "%s %s (UTC%+.3g h)  by %s", time_text, local.tm_zone, (double)local.tm_gmtoff / 3600,
	    demo->real ? "chronyd" : "the scripted server");
	label(STATUS_ROW, "server", TEXT, text);
}

static void draw_tubes(struct view *view)
{
	char text[LINE];

	demo_tubes(&view->demo, text, sizeof text);
	label(STATUS_ROW + 1, "tubes", demo_error(&view->demo) < 50 ? GOOD : BAD, text);
}

static void draw_faults(struct view *view)
{
	const struct demo *demo = &view->demo;
	char text[LINE];

	snprintf(text, sizeof text, "WiFi %s, server %s%s%s%s%s", demo->wifi_lost ? "LOST" : "there",
	    demo->server_lost ? "SILENT" : "there", demo->lie != DEMO_HONEST ? " and LIES: " : "",
	    demo->lie != DEMO_HONEST ? demo_lie_name(demo->lie) : "", demo->night ? ", DIMMED" : "",
	    demo->power ? "" : ", POWER CUT");
	label(STATUS_ROW + 4, "faults", demo->wifi_lost || demo->server_lost || demo->lie || !demo->power ? BAD : TEXT, text);
}

static void draw_status(struct view *view)
{
	char text[LINE];

	draw_server(view);
	draw_tubes(view);
	demo_doing(&view->demo, text, sizeof text);
	label(STATUS_ROW + 2, "clock", TEXT, text);
	demo_sync(&view->demo, text, sizeof text);
	label(STATUS_ROW + 3, "replies", TEXT, text);
	draw_faults(view);
}

/* The row above the last belongs to a notice while there is one. */
static unsigned console_end(const struct view *view)
{
	return term_rows() - (view->notice_frames > 0 ? 2 : 1);
}

static void draw_line(unsigned row, const char *start, size_t size)
{
	char line[LINE];

	if (size > 0 && *start == '\r') {
		start++;
		size--;
	}
	while (size > 0 && start[size - 1] == '\r')
		size--;
	if (size >= sizeof line)
		size = sizeof line - 1;
	memcpy(line, start, size);
	line[size] = '\0';
	term_text(row, 2, TEXT, TERM_PLAIN, line);
}

/* The newest lines of what the serial port said, from the row first on; view->back of them are below. */
static void draw_console(struct view *view, unsigned first)
{
	const struct rig *rig = view->demo.rig;
	unsigned row = console_end(view), back = 0;
	size_t end = rig->heard_size;

	while (row > first && end > 0) {
		size_t start = end;

		while (start > 0 && rig->heard[start - 1] != '\n')
			start--;
		if (back++ >= view->back)
			draw_line(--row, rig->heard + start, end - start);
		end = start > 0 ? start - 1 : 0;
	}
	if (row > first && view->back > 0)
		view->back--;		/* there are no more */
	term_text(first - 1, 2, FAINT, TERM_PLAIN, "serial port");
	term_text(first - 1, 15, view->typing ? TITLE : FAINT, TERM_PLAIN,
	    view->typing ? "what you type goes there (try help); arrows scroll, Esc ends" : "c types there");
}

/* Beside the keys, what the last one did. */
static void draw_bottom(struct view *view)
{
	unsigned row = term_rows() - 1;

	if (view->noticed != view->demo.noticed) {
		view->noticed = view->demo.noticed;
		view->notice_frames = NOTICE_FRAMES;
	}
	if (view->notice_frames > 0) {
		view->notice_frames--;
		term_text(row - 1, 2, TITLE, TERM_PLAIN, view->demo.notice);
	}
	term_text(row, 2, FAINT, TERM_PLAIN, view->typing ? "Esc back to the keys   up, down: older, newer lines" : keys);
}

static void draw_help(void)
{
	for (unsigned i = 0; i < sizeof help / sizeof help[0]; i++)
		term_text(STATUS_ROW + i, 2, TEXT, TERM_PLAIN, help[i]);
}

static void draw(struct view *view)
{
	face_look(&view->face, &view->demo.rig->tubes, view->demo.rig->cycle);
	term_clear();
	draw_title(view);
	if (term_columns() >= FACE_COLUMNS + 2 && term_rows() >= 24)
		face_draw(&view->face, 1, 2);
	else
		term_text(4, 2, TITLE, TERM_PLAIN, "(80 x 24 are needed to draw the tubes)");
	if (view->help && !view->typing)
		draw_help();
	else if (!view->typing)
		draw_status(view);
	draw_console(view, view->typing ? STATUS_ROW + 1 : CONSOLE_ROW + (view->help ? 1 : 0));
	draw_bottom(view);
	term_show();
}

/* ---- keys ------------------------------------------------------------------ */

static void command(struct view *view, int key)
{
	struct demo *demo = &view->demo;

	view->notice_frames = 0;
	switch (key) {
	case 'q': view->quit = true; break;
	case 'l': demo_wifi(demo); break;
	case 's': demo_server(demo); break;
	case 'b': demo_next_lie(demo); break;
	case 'r': demo_button(demo); break;
	case 'p': demo_power(demo); break;
	case 'd': demo_jump(demo); break;
	case 'n': demo_night(demo); break;
	case 't': demo_test(demo); break;
	case 'c': view->typing = true; view->back = 0; break;
	case '?': view->help = !view->help; break;
	case '+': case '=': case TERM_UP: case TERM_RIGHT: demo_faster(demo, true); break;
	case '-': case TERM_DOWN: case TERM_LEFT: demo_faster(demo, false); break;
	default: break;
	}
}

static void stop_typing(struct view *view)
{
	view->typing = false;
	view->back = 0;
}

static void type(struct view *view, uint8_t byte)
{
	view->back = 0;
	rig_type_bytes(view->demo.rig, &byte, 1);
}

static void take_key(struct view *view, int key)
{
	if (key == TERM_GONE)
		view->quit = true;
	else if (!view->typing)
		command(view, key);
	else if (key == TERM_ESCAPE)
		stop_typing(view);
	else if (key == TERM_UP)
		view->back++;
	else if (key == TERM_DOWN && view->back > 0)
		view->back--;
	else if (key < 256 && view->demo.power)
		type(view, (uint8_t)key);
}

static void show_tubes(struct view *view)
{
	double end = view->seconds;
	int key;

	for (double passed = 0; !view->quit && !term_ended() && (end == 0 || passed < end); passed += FRAME) {
		demo_run(&view->demo, FRAME);
		while ((key = term_key(0)) != TERM_NONE && !view->quit)
			take_key(view, key);
		draw(view);
	}
	term_close();
}

/* Without a terminal: a line for each change of the digits. */
static void print_tubes(struct view *view)
{
	struct demo *demo = &view->demo;
	char last[7] = "", doing[LINE];
	double end = view->seconds > 0 ? view->seconds : 8;

	for (double passed = 0; passed < end; passed += FRAME) {
		const char *text;

		if (view->noticed != demo->noticed)
			printf("%s\n", demo->notice);
		view->noticed = demo->noticed;
		demo_run(demo, FRAME);
		text = tubes_at(&demo->rig->tubes, demo->rig->cycle);
		if (strcmp(text, last) == 0)
			continue;
		snprintf(last, sizeof last, "%s", text);
		demo_doing(demo, doing, sizeof doing);
		printf("%.2s:%.2s:%.2s  the clock %s\n", text, text + 2, text + 4, doing);
		fflush(stdout);
	}
}

/* ---- options --------------------------------------------------------------- */

static void __attribute__((noreturn)) usage(int status)
{
	FILE *out = status == 0 ? stdout : stderr;

	fputs("usage: run_demo [options]      or  make demo DEMO=\"options\"\n"
	    "  --tz ZONE      POSIX TZ string or name of a zone (Europe/Berlin); else the host's\n"
	    "  --at TIME      UTC at power-on: 2026-11-01T05:50, or seconds since 1970; else now\n"
	    "  --script NAME  what happens: see below\n"
	    "  --speed N      times real time, 1 to 600\n"
	    "  --seconds N    ends after so many of real time; without a terminal after 8\n"
	    "  --no-chronyd   follow the scripted server\n"
	    "  --seed N       of all that is random\n"
	    "  --elf FILE     the program\n"
	    "Keys: press ? in it.  Without a terminal, and where TERM is dumb, it prints the digits.\n"
	    "Scripts:\n",
	    out);
	for (const struct script *script = scripts; script->name != NULL; script++)
		fprintf(out, "  %-14s %s\n", script->name, script->text);
	exit(status);
}

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || value > most)
		errx(2, "%s: not a number up to %lu", text, most);
	return value;
}

/* The firmware refuses times outside of the 60 years from its release on. */
static uint32_t start_time(const char *text)
{
	const time_t release = FW_BUILD_UNIX;
	char day[16];
	uint32_t utc;

	if (!place_time(text, &utc))
		errx(2, "%s: not a time like 2026-11-01T05:50 (UTC), nor seconds since 1970", text);
	strftime(day, sizeof day, "%Y-%m-%d", gmtime(&release));
	if (utc - FW_BUILD_UNIX >= 60 * 365 * 86400U)
		errx(2, "%s: the clock believes only times of the 60 years from its release on, %s", text, day);
	return utc;
}

static void zone_of(const char *text, char zone[PLACE_ZONE])
{
	if (!place_zone(text, zone))
		errx(2, "%s: neither a POSIX TZ string (EST5EDT,M3.2.0,M11.1.0) nor a zone of this host (Europe/Berlin)",
		    text);
}

static unsigned speed_of(const char *text)
{
	unsigned speed = (unsigned)number(text, 600);

	if (speed == 0)
		errx(2, "--speed 0: time must advance");
	return speed;
}

static const struct script *find_script(const char *name)
{
	const struct script *script = script_find(name);

	if (script == NULL)
		errx(2, "%s: there is no such script; --help lists them", name);
	return script;
}

static double options(int argc, char **argv, struct demo_options *options, char zone[PLACE_ZONE])
{
	static const struct option list[] = {
		{ "tz", required_argument, NULL, 'z' }, { "at", required_argument, NULL, 'a' },
		{ "speed", required_argument, NULL, 's' }, { "seconds", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 'r' }, { "elf", required_argument, NULL, 'e' },
		{ "no-chronyd", no_argument, NULL, 'c' }, { "script", required_argument, NULL, 'p' }, { "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	double seconds = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", list, NULL)) != -1) {
		switch (option) {
		case 'z': zone_of(optarg, zone); break;
		case 'a': options->utc = start_time(optarg); break;
		case 's': options->speed = speed_of(optarg); break;
		case 'n': seconds = (double)number(optarg, 1000000000); break;
		case 'r': options->seed = (uint32_t)number(optarg, UINT32_MAX); break;
		case 'e': options->elf = optarg; break;
		case 'c': options->no_chrony = true; break;
		case 'p': options->script = find_script(optarg); break;
		case 'h': usage(0);
		default: usage(2);
		}
	}
	if (optind != argc)
		errx(2, "%s: unknown argument; see --help", argv[optind]);
	return seconds;
}

int main(int argc, char **argv)
{
	static struct view view;
	char zone[PLACE_ZONE];
	struct demo_options wanted = { .cpu = &rig_avr, .elf = "build/clock.elf", .tz = zone };

	place_host_zone(zone);
	wanted.seed = (uint32_t)time(NULL);
	view.seconds = options(argc, argv, &wanted, zone);
	if (access(wanted.elf, R_OK) != 0)
		err(1, "%s", wanted.elf);
	if (!demo_open(&view.demo, &wanted))
		errx(1, "%s: the simulator does not take it", wanted.elf);
	if (term_open())
		show_tubes(&view);
	else
		print_tubes(&view);
	demo_close(&view.demo);
	return 0;
}
