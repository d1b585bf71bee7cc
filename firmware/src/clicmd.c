/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console's commands.  Every value is checked before conf takes it.
 *
 * A command's text is its name and its usage; of two words with a bar between
 * the second one stands for a set bit of conf.flags, see set_choice.
 */
#include "clicmd.h"

#include <string.h>

#include "civil.h"
#include "cliout.h"
#include "clk.h"
#include "conf.h"
#include "disp.h"
#include "hal.h"
#include "net.h"
#include "sync.h"
#include "tz.h"
#include "winc.h"

#define BAD UINT32_MAX

struct command {
	FLASH char *text;
	bool (*run)(char *value, FLASH struct command *command);	/* false: not so */
	uint8_t what;			/* of settings: bit of conf.flags, 0: security; else enum cli_job */
};

static FLASH char text_ok[] = "ok", text_expected[] = "expected: ", text_unknown[] = "unknown, try help",
    text_line[] = "\r\n", text_pass[] = "set (", text_no_pass[] = "not set",
    word_set[] = "set";

/* The text after each number, and its limit. */
static FLASH char dim_ends[] = ": : ", dim_limits[] = { 24, 60, 24, 60, DIM_FULL };
static FLASH char time_ends[] = "- ::", time_limits[] = { 13, 32, 24, 60, 60 };

enum { SMALL = 'a' - 'A', FORM_WORD = 2 };	/* FORM_WORD: of date's text, where its forms begin */

/* text begins with name, in letters of any size, and ends there or has a space or a bar next. */
static bool same(const char *name, FLASH char *text)
{
	for (; *name != '\0'; name++, text++)
		if ((*name | SMALL) != *text)
			return false;
	return *text == '\0' || *text == ' ' || *text == '|';
}

/* Word number i of a command's text. */
static FLASH char *word(FLASH char *text, uint8_t i)
{
	while (i > 0) {
		char c = *text++;

		if (c == ' ' || c == '|')
			i--;
	}
	return text;
}

/* The word *rest begins with, ended by a NUL; *rest moves past it and one space. */
static char *next_word(char **rest)
{
	char *p = *rest, *first;

	while (*p == ' ')
		p++;
	first = p;
	while (*p != '\0' && *p != ' ')
		p++;
	if (*p == ' ')
		*p++ = '\0';
	*rest = p;
	return first;
}

static bool is_digit(char c)
{
	return (uint8_t)(c - '0') < 10;
}

/* A digit or one of the first so many letters. */
static bool is_letter(char c, uint8_t letters)
{
	return is_digit(c) || (uint8_t)((c | SMALL) - 'a') < letters;
}

/* Decimal digits up to the first other character, which *text is moved to; BAD: none, or too many. */
static uint32_t number(char **text)
{
	char *p = *text;
	uint32_t n = 0;

	if (!is_digit(*p))
		return BAD;
	for (; is_digit(*p); p++) {
		if (n >= BAD / 10)
			return BAD;
		n = n * 10 + (uint8_t)(*p - '0');
	}
	*text = p;
	return n;
}

enum { NUMBERS = 5 };

/* NUMBERS numbers, and nothing behind them. */
static bool numbers(char *value, FLASH char *ends, FLASH char *limits, uint8_t n[NUMBERS])
{
	for (uint8_t i = 0; i < NUMBERS; i++) {
		uint32_t v = number(&value);

		if (v >= (uint8_t)limits[i] || *value++ != ends[i])
			return false;
		n[i] = (uint8_t)v;
	}
	return true;
}

/* size: of field, with the NUL. */
static bool keep(char *field, uint8_t size, const char *value)
{
	if (strlen(value) >= size)
		return false;
	strncpy(field, value, size);
	return true;
}

static bool set_ssid(char *value, FLASH struct command *command)
{
	(void)command;
	return *value != '\0' && keep(conf.ssid, CONF_SSID, value);
}

static bool set_pass(char *value, FLASH struct command *command)
{
	uint8_t length = (uint8_t)strlen(value);

	(void)command;
	if (length < 8)
		return false;
	for (char *p = value; *p != '\0'; p++)
		if (length == CONF_PASS - 1 ? !is_letter(*p, 6) : (uint8_t)*p > 126)
			return false;
	return keep(conf.pass, CONF_PASS, value);
}

static bool set_tz(char *value, FLASH struct command *command)
{
	struct tz tz;

	(void)command;
	if (!tz_parse(value, &tz) || !keep(conf.tz, CONF_TZ, value))
		return false;
	disp_zone();
	return true;
}

/*
 * Up to four names of RFC 1123: labels of letters, digits and inner hyphens.
 * One whose last label is a number must be an address.
 */
static bool hosts_good(const char *p)
{
	enum { NO_NUMBER = 0xffff };
	uint8_t labels = 0, bytes = 0, words = 1;
	const char *label = p;
	uint16_t n = 0;

	for (;; p++) {
		if (is_letter(*p, 26) || (*p == '-' && p != label)) {
			if (!is_digit(*p))
				n = NO_NUMBER;
			else if (n < 1000)
				n = (uint16_t)(n * 10 + (uint8_t)(*p - '0'));
			continue;
		}
		if (p == label || p[-1] == '-')
			return false;
		labels++;
		bytes += n < 256;
		if (*p != '.') {
			if (n != NO_NUMBER && (labels != 4 || bytes != 4))
				return false;
			if (*p == '\0')
				return true;
			if (*p != ' ' || words++ == 4)
				return false;
			labels = bytes = 0;
		}
		n = 0;
		label = p + 1;
	}
}

static bool set_server(char *value, FLASH struct command *command)
{
	(void)command;
	return hosts_good(value) && keep(conf.server, CONF_SERVER, value);
}

static bool set_dim(char *value, FLASH struct command *command)
{
	uint8_t n[NUMBERS];

	(void)command;
	if (!numbers(value, dim_ends, dim_limits, n))
		return false;
	conf.dim_from = (uint16_t)(n[0] * 60 + n[1]);
	conf.dim_to = (uint16_t)(n[2] * 60 + n[3]);
	conf.dim_level = n[4];
	return true;
}

static bool set_roll(char *value, FLASH struct command *command)
{
	uint32_t n = number(&value);

	(void)command;
	if (n > ROLL_MOST || *value != '\0')
		return false;
	conf.roll = (uint8_t)n;
	return true;
}

static bool set_date(char *value, FLASH struct command *command)
{
	uint32_t n = number(&value);

	if (n > DATE_MOST || *value++ != ' ')
		return false;
	for (uint8_t form = 0; form < DATE_FORMS; form++)
		if (same(value, word(command->text, FORM_WORD + form))) {
			conf.date = (uint8_t)n;
			conf.date_form = form;
			return true;
		}
	return false;
}

static bool set_choice(char *value, FLASH struct command *command)
{
	bool second = same(value, word(command->text, 2));
	uint8_t bit = command->what;

	if (!second && !same(value, word(command->text, 1)))
		return false;
	if (bit == 0)
		conf.security = second ? WINC_OPEN : WINC_WPA;
	else
		conf.flags = (uint8_t)((conf.flags | bit) - (second ? 0 : bit));
	return true;
}

static bool do_nothing(char *value, FLASH struct command *command)
{
	(void)command;
	return *value == '\0';
}

static bool do_sync(char *value, FLASH struct command *command)
{
	return do_nothing(value, command) && net_ask_now();
}

static bool do_test(char *value, FLASH struct command *command)
{
	if (!do_nothing(value, command))
		return false;
	disp_test();
	return true;
}

/* value: MM-DD HH:MM:SS. */
static uint32_t utc_of(uint32_t year, char *value)
{
	uint8_t n[NUMBERS];

	if (year - 1970 >= 136 || !numbers(value, time_ends, time_limits, n) || n[0] < 1 || n[1] < 1 ||
	    n[1] > civil_month_days((uint16_t)year, n[0]))
		return BAD;
	return civil_days((uint16_t)year, n[0], n[1]) * 86400UL + (uint16_t)(n[2] * 60 + n[3]) * 60UL + n[4];
}

static bool do_time(char *value, FLASH struct command *command)
{
	uint32_t utc = number(&value);

	(void)command;
	if (*value == '-')
		utc = utc_of(utc, value + 1);
	else if (*value != '\0')
		return false;
	if (utc == BAD)
		return false;
	sync_by_hand(utc);
	return true;
}

/* A save that is made anyway takes the learned rate along. */
static bool do_save(char *value, FLASH struct command *command)
{
	if (!do_nothing(value, command))
		return false;
	conf.rate = clk_get_rate();
	conf_save();
	return true;
}

static bool do_erase(char *value, FLASH struct command *command)
{
	if (!same(value, word(command->text, 1)))
		return false;
	conf_erase();
	return true;
}

/* The settings first. */
#define COMMANDS(X) \
	X(ssid, " NAME, 1 to 32 bytes", set_ssid, 0) \
	X(pass, " TEXT, 8 to 63 characters or 64 hex digits", set_pass, 0) \
	X(tz, " POSIX string, like EST5EDT,M3.2.0,M11.1.0", set_tz, 0) \
	X(server, " NAME [NAME]..., four at most, or addresses", set_server, 0) \
	X(dim, " HH:MM HH:MM N (from, to, 0 to 15)", set_dim, 0) \
	X(sec, " wpa|open", set_choice, 0) \
	X(hours, " 24|12", set_choice, CONF_12_HOURS) \
	X(zero, " on|off", set_choice, CONF_NO_ZERO) \
	X(exercise, " off|on", set_choice, CONF_EXERCISE) \
	X(night, " dim|dark", set_choice, CONF_NIGHT_DARK) \
	X(fade, " off|on", set_choice, CONF_FADE) \
	X(roll, " N (seconds of an hour, to 60)", set_roll, 0) \
	X(date, " N dm|md|mdy (seconds of a minute, to 29)", set_date, 0) \
	X(save, "", do_save, CLI_SAVE) \
	X(show, "", do_nothing, CLI_SHOW) \
	X(stat, "", do_nothing, CLI_STAT) \
	X(sync, " (when connected, each 15 s)", do_sync, CLI_SAY) \
	X(test, "", do_test, CLI_SAY) \
	X(time, " YYYY-MM-DD HH:MM:SS in UTC, or SECONDS since 1970", do_time, CLI_SAY) \
	X(reboot, "", do_nothing, CLI_REBOOT) \
	X(erase, " yes", do_erase, CLI_ERASE) \
	X(help, "", do_nothing, CLI_HELP)

#define ID(name, usage, run, what) ROW_##name,
enum row { COMMANDS(ID) ROWS, ROW_SETTINGS = ROW_save };

#define TEXT(name, usage, run, what) static FLASH char command_##name[] = #name usage;
COMMANDS(TEXT)

#define ROW(name, usage, run, what) { command_##name, run, what },
static FLASH struct command commands[] = { COMMANDS(ROW) };

/* Without spaces at both ends: those of names and pass phrases may count. */
static char *trimmed(char *value)
{
	char *end;

	while (*value == ' ')
		value++;
	for (end = value + strlen(value); end > value && end[-1] == ' ';)
		*--end = '\0';
	return value;
}

uint8_t cmd_run(char *line, struct cli_answer *answer)
{
	FLASH struct command *command = commands, *end = commands + ROWS;
	char *name = next_word(&line);

	answer->text = answer->usage = NULL;
	if (*name == '\0')
		return CLI_SAY;
	if (same(name, word_set)) {
		name = next_word(&line);
		end = commands + ROW_SETTINGS;
	}
	while (command < end && !same(name, command->text))
		command++;
	answer->text = text_unknown;
	if (command == end)
		return CLI_SAY;
	if (command > commands + ROW_pass)
		line = trimmed(line);
	answer->text = text_ok;
	if (command->run(line, command)) {
		if (command >= commands + ROW_SETTINGS)
			return command->what;
		answer->unsaved = true;
		return CLI_SAY;
	}
	answer->text = text_expected;
	answer->usage = command->text;
	return CLI_SAY;
}

bool cmd_help(uint8_t row)
{
	if (row >= ROWS)
		return false;
	out_text(text_line);
	out_text(commands[row].text);
	return true;
}

static void show_minutes(uint16_t minutes)
{
	out_two((uint8_t)(minutes / 60));
	out_char(':');
	out_two((uint8_t)(minutes % 60));
	out_char(' ');
}

static void show_dim(void)
{
	show_minutes(conf.dim_from);
	show_minutes(conf.dim_to);
	out_number(conf.dim_level);
}

static void show_pass(void)
{
	if (conf.pass[0] == '\0') {
		out_text(text_no_pass);
		return;
	}
	out_text(text_pass);
	out_number(strlen(conf.pass));
	out_char(')');
}

static void show_choice(FLASH struct command *command)
{
	bool second = command->what == 0 ? conf.security == WINC_OPEN : conf.flags & command->what;

	out_word(word(command->text, second ? 2 : 1));
}

static void show_date(FLASH struct command *command)
{
	out_number(conf.date);
	out_char(' ');
	out_word(word(command->text, FORM_WORD + conf.date_form));
}

bool cmd_show(uint8_t row)
{
	FLASH struct command *command = &commands[row];

	if (row >= ROW_SETTINGS)
		return false;
	out_text(text_line);
	out_word(command->text);
	out_char(':');
	out_char(' ');
	switch (row) {
	case ROW_ssid: out_string(conf.ssid); break;
	case ROW_pass: show_pass(); break;
	case ROW_tz: out_string(conf.tz); break;
	case ROW_server: out_string(conf.server); break;
	case ROW_dim: show_dim(); break;
	case ROW_roll: out_number(conf.roll); break;
	case ROW_date: show_date(command); break;
	default: show_choice(command); break;
	}
	return true;
}
