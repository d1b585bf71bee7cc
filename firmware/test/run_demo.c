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

#include "demo.h"
#include "face.h"
#include "term.h"

enum { STATUS_ROW = FACE_ROWS + 1, CONSOLE_ROW = FACE_ROWS + 7, LINE = 200 };
enum { TEXT = 0xc8c0b8, FAINT = 0x8a8078, GOOD = 0x8fc98f, BAD = 0xff7a5a, TITLE = 0xffb060 };
#define FRAME 0.04

struct view {
	struct demo demo;
	struct face face;
	bool typing, help, quit;
	double seconds;			/* 0: until q */
};

/* ---- drawing --------------------------------------------------------------- */

static const char keys[] = "q quit  l WiFi  s server  b lies  r reset  p power  d DST  n night  t test";
static const char *const help[] = {
	"q  leave                          d  to 5 s before the next change of the zone's offset",
	"l  access point away, back        n  dim the tubes, full again",
	"s  time server silent, back       t  self-test: every cathode, one by one",
	"b  the server lies: next lie      +  - or arrows: faster, slower (1 is real time)",
	"r  RESET button                   c  type on the serial port, Esc ends (try: help, stat)",
	"p  cut the power, give it back    ?  this",
};

static void label(unsigned row, const char *name, int32_t ink, const char *text)
{
	term_text(row, 2, FAINT, TERM_PLAIN, name);
	term_text(row, 11, ink, TERM_PLAIN, text);
}

static void draw_title(struct view *view)
{
	char text[LINE];

	term_text(0, 2, TITLE, TERM_PLAIN, "the clock");
	snprintf(text, sizeof text, "%s", view->demo.speed == 1 ? "real time" : "");
	if (view->demo.speed != 1)
		snprintf(text, sizeof text, "%ux real time, reaches %ux", view->demo.speed, view->demo.reached);
	term_text(0, 14, FAINT, TERM_PLAIN, text);
	term_text(0, 44, FAINT, TERM_PLAIN, "? help");
	term_text(0, 52, FAINT, TERM_PLAIN, tubes_at(&view->demo.rig->tubes, view->demo.rig->cycle));
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

/* The tubes against the server over the last seconds; only where a second can be told from the next. */
static void draw_error(struct view *view)
{
	struct rig *rig = view->demo.rig;
	uint64_t span = (uint64_t)(3 * SIM_HZ);
	char text[LINE];
	double error = 1e9;

	if (rig->cycle > rig->power_on + span && view->demo.power)
		error = rig_error_ms(rig, rig->cycle - span, rig->cycle);
	if (error < 1e8)
		snprintf(text, sizeof text, "the time of the server, at most %.1f ms off in the last 3 seconds", error);
	else if (demo_code(&view->demo) != NULL)
		snprintf(text, sizeof text, "an error code: %s", demo_code(&view->demo));
	else
		snprintf(text, sizeof text, "%s", view->demo.power ? "not the time of the server" : "nothing");
	label(STATUS_ROW + 1, "tubes", error < 50 ? GOOD : BAD, text);
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
	draw_error(view);
	demo_doing(&view->demo, text, sizeof text);
	label(STATUS_ROW + 2, "clock", TEXT, text);
	demo_sync(&view->demo, text, sizeof text);
	label(STATUS_ROW + 3, "replies", TEXT, text);
	draw_faults(view);
}

/* The last lines of what the serial port said, in the rows that are left. */
static void draw_console(struct view *view)
{
	const struct rig *rig = view->demo.rig;
	unsigned row = term_rows() - 1;
	size_t end = rig->heard_size;
	char line[LINE];

	while (row-- > CONSOLE_ROW && end > 0) {
		size_t start = end, size;

		while (start > 0 && rig->heard[start - 1] != '\n')
			start--;
		size = end - start < sizeof line - 1 ? end - start : sizeof line - 1;
		memcpy(line, rig->heard + start, size);
		while (size > 0 && line[size - 1] == '\r')
			size--;
		line[size] = '\0';
		term_text(row, 2, TEXT, TERM_PLAIN, line[0] == '\r' ? line + 1 : line);
		end = start > 0 ? start - 1 : 0;
	}
	term_text(CONSOLE_ROW - 1, 2, FAINT, TERM_PLAIN, "serial port");
	term_text(CONSOLE_ROW - 1, 15, view->typing ? TITLE : FAINT, TERM_PLAIN,
	    view->typing ? "what you type goes there; Esc ends" : "c types there");
}

static void draw_bottom(struct view *view)
{
	unsigned row = term_rows() - 1;

	for (unsigned i = 0; view->help && i < sizeof help / sizeof help[0]; i++)
		term_text(STATUS_ROW + i, 2, TEXT, TERM_PLAIN, help[i]);
	term_text(row, 2, view->demo.notice[0] != '\0' ? TITLE : FAINT, TERM_PLAIN,
	    view->demo.notice[0] != '\0' ? view->demo.notice : keys);
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
	if (!view->help)
		draw_status(view);
	draw_console(view);
	draw_bottom(view);
	term_show();
}

/* ---- keys ------------------------------------------------------------------ */

static void command(struct view *view, int key)
{
	struct demo *demo = &view->demo;

	demo->notice[0] = '\0';
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
	case 'c': view->typing = true; break;
	case '?': view->help = !view->help; break;
	case '+': case '=': case TERM_UP: case TERM_RIGHT: demo_faster(demo, true); break;
	case '-': case TERM_DOWN: case TERM_LEFT: demo_faster(demo, false); break;
	default: break;
	}
}

static void take_key(struct view *view, int key)
{
	uint8_t byte = (uint8_t)key;

	if (key == TERM_GONE)
		view->quit = true;
	else if (!view->typing)
		command(view, key);
	else if (key == TERM_ESCAPE)
		view->typing = false;
	else if (key < 256 && view->demo.power)
		rig_type_bytes(view->demo.rig, &byte, 1);
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

	printf("%s\n", demo->notice);
	for (double passed = 0; passed < end; passed += FRAME) {
		const char *text;

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

/* The host's zone as a TZ string: the last line of its zone file. */
static void host_zone(char zone[48])
{
	const char *tz = getenv("TZ");
	char line[128];
	FILE *f;

	strcpy(zone, "UTC0");
	if (tz != NULL && strpbrk(tz, "0123456789") != NULL && strlen(tz) < 48 && strchr(tz, '/') == NULL) {
		strcpy(zone, tz);
		return;
	}
	f = fopen("/etc/localtime", "re");
	if (f == NULL)
		return;
	while (fgets(line, sizeof line, f) != NULL)
		line[strcspn(line, "\n")] = '\0';
	fclose(f);
	if (strlen(line) > 3 && strlen(line) < 48)
		strcpy(zone, line);
}

static void __attribute__((noreturn)) usage(int status)
{
	fputs("usage: run_demo [--tz TZ] [--at UTC-SECONDS] [--speed N] [--seconds N] [--seed N] [--no-chronyd] [--elf FILE]\n",
	    status == 0 ? stdout : stderr);
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

static double options(int argc, char **argv, struct demo_options *options)
{
	static const struct option list[] = {
		{ "tz", required_argument, NULL, 'z' }, { "at", required_argument, NULL, 'a' },
		{ "speed", required_argument, NULL, 's' }, { "seconds", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 'r' }, { "elf", required_argument, NULL, 'e' },
		{ "no-chronyd", no_argument, NULL, 'c' }, { "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	double seconds = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", list, NULL)) != -1) {
		switch (option) {
		case 'z': options->tz = optarg; break;
		case 'a': options->utc = (uint32_t)number(optarg, UINT32_MAX); break;
		case 's': options->speed = (unsigned)number(optarg, 1000); break;
		case 'n': seconds = (double)number(optarg, 1000000000); break;
		case 'r': options->seed = (uint32_t)number(optarg, UINT32_MAX); break;
		case 'e': options->elf = optarg; break;
		case 'c': options->no_chrony = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	}
	if (optind != argc || options->speed == 0)
		usage(2);
	return seconds;
}

int main(int argc, char **argv)
{
	static struct view view;
	char zone[48];
	struct demo_options wanted = { .cpu = &rig_avr, .elf = "build/clock.elf", .tz = zone, .speed = 1 };

	host_zone(zone);
	wanted.seed = (uint32_t)time(NULL);
	view.seconds = options(argc, argv, &wanted);
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
