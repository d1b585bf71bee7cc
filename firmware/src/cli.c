/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console: lines in, rows out.  Only whole lines are run: one that is too
 * long, or of which bytes were lost, is dropped whole.  The next line waits
 * until the last one has printed all its output; its characters are shown then.
 * The text after "pass " is never shown.
 */
#include "cli.h"

#include <string.h>

#include "clicmd.h"
#include "cliout.h"
#include "clistat.h"
#include "conf.h"
#include "disp.h"
#include "net.h"

enum { LINE_MAX = 80, SHOWN_ALL = 0xff };
enum { BYTES_A_PASS = 64, LINES_A_PASS = 4, QUIET_MS = 250, LAST_WORDS_MS = 30 };
enum { BACKSPACE = 8, CTRL_U = 21, ESCAPE = 27, RUBOUT = 127, SMALL = 'a' - 'A' };

static struct {
	uint8_t length;
	uint8_t shown;		/* number of its characters on the screen */
	uint8_t hidden;		/* index of the first one that is secret; SHOWN_ALL: none is */
	enum { ESC_NONE, ESC_BEGUN, ESC_LONG } escape : 8;
	enum { WHOLE, LOST, TOO_LONG } broken : 8;	/* drop all up to its end */
	bool ended;		/* the line waits for its turn */
	uint8_t job, row;
	struct cli_answer answer;
	uint32_t uptime;	/* s */
	uint16_t second_ms;	/* hal_ms() of its last second */
	uint16_t heard_ms;	/* of the last byte */
	char line[LINE_MAX + 1];
} cli;

static FLASH char text_banner[] = "Nixie clock, try help",
    text_line[] = "\r\n", text_prompt[] = "> ", text_unsaved[] = "unsaved", text_rub[] = "\b \b",
    text_saved[] = "saved", text_no_ssid[] = "saved, but there is no ssid", text_erased[] = "erased", text_failed[] = "EEPROM error",
    text_lost[] = "dropped: bytes lost", text_long[] = "dropped: over 80 bytes", word_pass[] = "pass ";

static uint16_t since(uint16_t then)
{
	return (uint16_t)hal_ms() - then;
}

static void say(FLASH char *text)
{
	cli.job = CLI_SAY;
	cli.row = 0;
	cli.answer.text = text;
	cli.answer.usage = NULL;
}

/* --- out --- */

static bool say_row(void)
{
	if (cli.row > 0 || cli.answer.text == NULL)
		return false;
	out_text(text_line);
	out_text(cli.answer.text);
	if (cli.answer.usage != NULL)
		out_text(cli.answer.usage);
	return true;
}

static bool make_row(void)
{
	switch (cli.job) {
	case CLI_SAY: return say_row();
	case CLI_HELP: return cmd_help(cli.row);
	case CLI_SHOW: return cmd_show(cli.row);
	default: return stat_row(cli.row, cli.uptime);
	}
}

static void prompt(void)
{
	out_text(text_line);
	if (cli.answer.unsaved)
		out_text(text_unsaved);
	out_text(text_prompt);
}

static void put_typed(void)
{
	uint8_t end = cli.length < cli.hidden ? cli.length : cli.hidden;

	while (cli.job == CLI_IDLE && cli.shown < end && hal_uart_put((uint8_t)cli.line[cli.shown]))
		cli.shown++;
}

/* Rows, as many as there is room for; a prompt behind the last one. */
static void put_all(void)
{
	while (cli.job != CLI_IDLE && cli.job < CLI_SAVE) {
		bool more;

		out_start();
		more = make_row();
		if (!more)
			prompt();
		if (!out_done())
			return;
		cli.row++;
		if (!more) {
			cli.job = CLI_IDLE;
			cli.shown = 0;
		}
	}
	put_typed();
}

/* The rate's save ends here, too; only of the console's own it says so. */
static void go_on(void)
{
	enum conf_progress progress = conf_pass();

	if (cli.job == CLI_REBOOT && since(cli.heard_ms) >= LAST_WORDS_MS)
		hal_reset();
	if ((cli.job != CLI_SAVE && cli.job != CLI_ERASE) || progress == CONF_BUSY)
		return;
	if (progress == CONF_FAILED) {
		say(text_failed);
		return;
	}
	cli.answer.unsaved = false;
	if (cli.job != CLI_SAVE)
		say(text_erased);
	else
		say(conf.ssid[0] != '\0' ? text_saved : text_no_ssid);
	disp_zone();
	net_restart();
}

/* --- in --- */

static void new_line(uint8_t broken)
{
	memset(cli.line, 0, sizeof cli.line);
	cli.length = 0;
	cli.shown = 0;
	cli.broken = broken;
	cli.ended = false;
	if (broken == WHOLE)
		cli.hidden = SHOWN_ALL;
}

static void run(void)
{
	if (cli.broken != WHOLE) {
		say(cli.broken == LOST ? text_lost : text_long);
	} else {
		cli.line[cli.length] = '\0';
		cli.row = 0;
		cli.job = cmd_run(cli.line, &cli.answer);
	}
	new_line(WHOLE);
}

/* The line ends with "pass ". */
static bool secret_begins(void)
{
	uint8_t i = cli.length;

	for (uint8_t n = sizeof word_pass - 1; n > 0; n--)
		if (i == 0 || (cli.line[--i] | SMALL) != word_pass[n - 1])
			return false;
	return true;
}

static void append(char c)
{
	if (cli.length == LINE_MAX) {
		new_line(TOO_LONG);
		return;
	}
	cli.line[cli.length++] = c;
	if (cli.hidden == SHOWN_ALL && secret_begins())
		cli.hidden = cli.length;
}

/* A character of several bytes goes as a whole. */
static void rub_out(void)
{
	if (cli.length == 0)
		return;
	while (--cli.length > 0 && ((uint8_t)cli.line[cli.length] & 0xc0) == 0x80)
		;
	if (cli.length < cli.hidden)
		cli.hidden = SHOWN_ALL;
	if (cli.shown <= cli.length)
		return;
	cli.shown = cli.length;
	for (FLASH char *p = text_rub; *p != '\0'; p++)
		hal_uart_put((uint8_t)*p);
}

/* Arrow keys and the like: ESC [ or ESC O and all up to a letter.  Any other ESC is noise. */
static bool in_escape(uint8_t byte)
{
	uint8_t before = cli.escape;

	cli.escape = ESC_NONE;
	if (byte == ESCAPE)
		cli.escape = ESC_BEGUN;
	else if (before == ESC_NONE || byte < ' ' || (before == ESC_BEGUN && byte != '[' && byte != 'O'))
		return false;
	else if (before == ESC_BEGUN || byte < '@')
		cli.escape = ESC_LONG;
	return true;
}

/* A byte of a line that is dropped: the text may be the beginning of a secret. */
static void drop(uint8_t byte)
{
	if (byte > ' ' && byte < RUBOUT)
		cli.hidden = 0;
}

/* Noise before a line: bytes above 127 are part of a network's name only. */
static void take(uint8_t byte)
{
	cli.heard_ms = (uint16_t)hal_ms();
	if (in_escape(byte))
		return;
	if (byte == '\r' || (byte == '\n' && (cli.length > 0 || cli.broken != WHOLE))) {
		cli.ended = true;	/* an LF behind CR is none */
	} else if (byte == CTRL_U) {
		new_line(WHOLE);
		if (cli.job == CLI_IDLE)
			say(NULL);
	} else if (cli.broken != WHOLE) {
		drop(byte);
	} else if (byte == BACKSPACE || byte == RUBOUT) {
		rub_out();
	} else if (byte == '\t') {
		append(' ');
	} else if (byte >= ' ' && (byte < 128 || cli.length > 0)) {
		append((char)byte);
	}
}

/*
 * The place of the gap in the ring is unknown: all its bytes are dropped, and
 * what follows up to the line's end or a pause.  Behind that pause a line is
 * not shown if there was more than noise before: it may be the rest of a secret.
 */
static void lose(void)
{
	uint8_t byte;

	if (cli.length > 0)
		cli.hidden = 0;
	new_line(LOST);
	for (uint8_t i = 0; i < BYTES_A_PASS && hal_uart_get(&byte); i++)
		drop(byte);
	cli.escape = ESC_NONE;
	cli.heard_ms = (uint16_t)hal_ms();
}

static void listen(void)
{
	uint8_t byte;

	for (uint8_t i = 0; i < BYTES_A_PASS && !cli.ended; i++) {
		if (hal_uart_lost())
			lose();
		if (!hal_uart_get(&byte))
			break;
		take(byte);
		put_typed();
	}
	if (cli.broken == LOST && cli.job == CLI_IDLE && since(cli.heard_ms) >= QUIET_MS) {
		uint8_t hidden = cli.hidden;

		say(text_lost);
		new_line(WHOLE);
		cli.hidden = hidden;
	}
}

void cli_init(void)
{
	memset(&cli, 0, sizeof cli);
	out_init();
	new_line(WHOLE);
	say(text_banner);
	cli.second_ms = (uint16_t)hal_ms();
}

void cli_pass(void)
{
	if (since(cli.second_ms) >= 1000) {
		cli.second_ms += 1000;
		cli.uptime++;
	}
	go_on();
	put_all();
	for (uint8_t i = 0; i < LINES_A_PASS && cli.job != CLI_REBOOT; i++) {
		listen();
		if (!cli.ended || cli.job != CLI_IDLE)
			break;
		run();
		put_all();
	}
}
