/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the console: what each takes, refuses, says and does. */
#include "cli_tests.h"

static void spaces_in_names(void **state)
{
	(void)state;
	command("ssid  two  words ");
	assert_string_equal(conf.ssid, " two  words ");
	command("  tz   CET-1  ");
	assert_string_equal(conf.tz, "CET-1");
	command("pass   eight ch ");
	assert_string_equal(conf.pass, "  eight ch ");
	command("server   a.example 192.0.2.1  ");
	assert_string_equal(conf.server, "a.example 192.0.2.1");
}

static void set_checks(void **state)
{
	static const struct { const char *line, *wrong; } row[] = {
		{ "ssid", "expected: ssid" }, { "ssid ", "expected: ssid" },
		{ "ssid 123456789012345678901234567890123", "expected: ssid" }, { "pass", "expected: pass" },
		{ "pass 1234567", "expected: pass" },
		{ "pass 12345678901234567890123456789012345678901234567890123456789012345", "expected: pass" },
		{ "pass 123456789012345678901234567890123456789012345678901234567890123g", "expected: pass" },
		{ "sec wep", "expected: sec" }, { "sec", "expected: sec" }, { "tz", "expected: tz" },
		{ "tz E5", "expected: tz" }, { "tz CET-1CEST,M13.1.0,M1.1.0", "expected: tz" },
		{ "server", "expected: server" }, { "server -a", "expected: server" },
		{ "server a-", "expected: server" }, { "server a..b", "expected: server" },
		{ "server .a", "expected: server" }, { "server a.", "expected: server" },
		{ "server a_b", "expected: server" }, { "server a b c d e", "expected: server" },
		{ "server 1.2.3", "expected: server" }, { "server 1.2.3.256", "expected: server" },
		{ "server 1.2.3.4.5", "expected: server" }, { "server 1234", "expected: server" },
		{ "server a.1", "expected: server" },
		{ "server 1234567890123456789012345678901234567890123456789012345678901234", "expected: server" },
		{ "server 12345678901234567890123456789012.example 2345678901234567890123.example", "expected: server" },
		{ "dim", "expected: dim" }, { "dim 22:00", "expected: dim" }, { "dim 22:00 07:00", "expected: dim" },
		{ "dim 22:00 07:00 16", "expected: dim" }, { "dim 24:00 07:00 4", "expected: dim" },
		{ "dim 22:60 07:00 4", "expected: dim" }, { "dim 22:00 07:00 4 4", "expected: dim" },
		{ "dim 22 07 4", "expected: dim" }, { "dim :00 07:00 4", "expected: dim" },
		{ "dim 22:00 07:00 -1", "expected: dim" }, { "dim off", "expected: dim" },
		{ "dim  22:00 07:00", "expected: dim" }, { "dim 22:00  07:00 4", "expected: dim" },
		{ "dim 4294967297:00 07:00 4", "expected: dim" }, { "hours", "expected: hours" },
		{ "hours 13", "expected: hours" }, { "zero 1", "expected: zero" }, { "night", "expected: night" },
		{ "exercise onn", "expected: exercise" }, { "set", "unknown" }, { "set show", "unknown" },
		{ "set foo bar", "unknown" }, { "frobnicate", "unknown" }, { "sho", "unknown" },
		{ "shows", "unknown" }, { "time", "expected: time" }, { "time -1", "expected: time" },
		{ "time 4294967296", "expected: time" }, { "time 12x", "expected: time" },
		{ "save now", "expected: save" }, { "show all", "expected: show" },
		{ "reboot now", "expected: reboot" }, { "erase", "expected: erase" },
		{ "erase no", "expected: erase" }, { "erase yesyes", "expected: erase" },
		{ "sync x", "expected: sync" }, { "test 5", "expected: test" },
		{ "server a  b", "expected: server" }, { "pass \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", "expected: pass" },
		{ "ssid", "expected: ssid NAME, 1 to 32 bytes" },
		{ "fade", "expected: fade off|on" }, { "roll", "expected: roll" }, { "roll 61", "expected: roll" },
		{ "roll -1", "expected: roll" }, { "roll 5x", "expected: roll" }, { "date", "expected: date" },
		{ "date 5", "expected: date" }, { "date 30 md", "expected: date" }, { "date 5 ymd", "expected: date" },
		{ "date 5  md", "expected: date" }, { "date md", "expected: date" },
		{ "time 2026-11-20", "expected: time" }, { "time 2026-11-20 12:00", "expected: time" },
		{ "time 2026-02-29 12:00:00", "expected: time" }, { "time 2026-00-10 12:00:00", "expected: time" },
		{ "time 2026-13-10 12:00:00", "expected: time" }, { "time 2026-10-00 12:00:00", "expected: time" },
		{ "time 2026-10-32 12:00:00", "expected: time" }, { "time 2026-10-10 24:00:00", "expected: time" },
		{ "time 2026-10-10 12:60:00", "expected: time" }, { "time 2026-10-10 12:00:60", "expected: time" },
		{ "time 2026-10-10 12:00:00Z", "expected: time" }, { "time 1969-12-31 23:59:59", "expected: time" },
		{ "time 2106-01-01 00:00:00", "expected: time" }, { "time 65536-01-01 00:00:00", "expected: time" },
		{ "time -10-10 12:00:00", "expected: time" }, { "time 4294967295-10-10 12:00:00", "expected: time" },
	};
	struct conf before;

	(void)state;
	memcpy(&before, &conf, sizeof conf);
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		command(row[i].line);
		if (strstr(board.heard, row[i].wrong) == NULL)
			fail_msg("'%s' should tell '%s', said: %s", row[i].line, row[i].wrong, board.heard);
		assert_memory_equal(&before, &conf, sizeof conf);
	}
	assert_int_equal(board.writes + board.restarts + board.tests + board.asks + board.by_hand, 0);
}

static void set_takes(void **state)
{
	(void)state;
	SAYS("ssid net", "ok");
	assert_string_equal(conf.ssid, "net");
	SAYS("ssid 12345678901234567890123456789012", "ok");
	assert_string_equal(conf.ssid, "12345678901234567890123456789012");
	command("pass \"quoted\" % $ ~");
	assert_string_equal(conf.pass, "\"quoted\" % $ ~");
	command("pass 12345678901234567890123456789012345678901234567890123456789012g");
	assert_int_equal(strlen(conf.pass), 63);
	command("set pass 0123456789abcdefABCDEF6789abcdef0123456789abcdef0123456789abcdef");
	assert_int_equal(strlen(conf.pass), 64);
	command("pass 12345678");
	assert_memory_equal(conf.pass, "12345678\0\0\0\0", 12);
	SAYS("sec open", "ok");
	assert_int_equal(conf.security, WINC_OPEN);
	SAYS("sec WPA", "ok");
	assert_int_equal(conf.security, WINC_WPA);
	SAYS("tz <+0545>-5:45", "ok");
	assert_int_equal(board.zones, 1);
	SAYS("server 3.pool.ntp.org 10.0.0.1", "ok");
	assert_string_equal(conf.server, "3.pool.ntp.org 10.0.0.1");
	SAYS("server 0-9.a-b.x1", "ok");
	SAYS("server 255.255.255.255", "ok");
	SAYS("server localhost", "ok");
	assert_string_equal(conf.server, "localhost");
	SAYS("dim 22:00 7:05 15", "ok");
	assert_int_equal(conf.dim_from, 22 * 60);
	assert_int_equal(conf.dim_to, 7 * 60 + 5);
	assert_int_equal(conf.dim_level, 15);
	SAYS("dim 0:00 0:0 0", "ok");
	assert_int_equal(conf.dim_from + conf.dim_to + conf.dim_level, 0);
	command("hours 12");
	command("zero off");
	command("exercise off");
	command("night dark");
	assert_int_equal(conf.flags, CONF_12_HOURS | CONF_NO_ZERO | CONF_NIGHT_DARK);
	command("hours 24");
	command("zero on");
	command("exercise on");
	command("night dim");
	assert_int_equal(conf.flags, CONF_EXERCISE);
	command("fade on");
	assert_int_equal(conf.flags, CONF_EXERCISE | CONF_FADE);
	command("fade off");
	assert_int_equal(conf.flags, CONF_EXERCISE);
	SAYS("roll 60", "ok");
	assert_int_equal(conf.roll, 60);
	SAYS("roll 0", "ok");
	assert_int_equal(conf.roll, 0);
	SAYS("date 29 mdy", "ok");
	assert_int_equal(conf.date * 16 + conf.date_form, 29 * 16 + DATE_MDY);
	SAYS("date 1 MD", "ok");
	assert_int_equal(conf.date * 16 + conf.date_form, 16 + DATE_MD);
	SAYS("date 0 dm", "ok");
	assert_int_equal(conf.date * 16 + conf.date_form, DATE_DM);
	assert_int_equal(board.writes, 0);
}

static void show_tells_all_but_the_secret(void **state)
{
	(void)state;
	SAYS("show", "ssid: \r\npass: not set\r\ntz: UTC0\r\nserver: pool.ntp.org\r\ndim: 00:00 00:00 0\r\nsec: wpa"
	    "\r\nhours: 24\r\nzero: on\r\nexercise: on\r\nnight: dim\r\nfade: off\r\nroll: 0\r\ndate: 0 dm");
	command("ssid my net");
	command("pass pass phrase!");
	command("dim 22:00 07:05 4");
	SAYS("show", "ssid: my net\r\npass: set (12)\r\ntz: UTC0\r\nserver: pool.ntp.org\r\ndim: 22:00 07:05 4\r\nsec: wpa"
	    "\r\nhours: 24\r\nzero: on\r\nexercise: on\r\nnight: dim\r\nfade: off\r\nroll: 0\r\ndate: 0 dm");
}

/* A slot may hold any bytes. */
static void show_is_safe(void **state)
{
	(void)state;
	strcpy(conf.ssid, "a\x1b[2J\r\n> b\xc3\xa4");
	assert_non_null(strstr(command("show"), "\r\nssid: a?[2J?" "?> b\xc3\xa4\r\n"));
	strcpy(conf.ssid, "");
}

static void stat_tells(void **state)
{
	(void)state;
	board.sync.age = board.sync.bound = UINT32_MAX;
	SAYS("stat", "utc: unknown\r\nlocal: unknown\r\nstate: unknown\r\nnetwork: off\r\nreset: \r\noffset ms: +0.0"
	    "\r\ndelay ms: +0.0\r\nrate ppm: +0.0\r\naddress: 0.0.0.0\r\nserver: 0.0.0.0\r\nmodule: 19.5.2\r\nerrors: 3"
	    "\r\ncode: 0\r\nerror ms: unknown\r\nage s: unknown\r\nnext s: 0\r\nup s: 0");
	board.known = true;
	board.utc = 1795178096;
	board.state = SYNC_FRESH;
	board.sync = (struct sync_info){ .offset = -131072, .delay = 655, .age = 77, .bound = 12 };
	board.net = (struct net_info){ .ip = 0x070200c0, .server = 0x7b0200c0, .next = 3520, .state = NET_IDLE };
	board.rate = -405;
	board.code = CODE_NO_NAME;
	board.cause = RESET_BROWNOUT | RESET_WATCHDOG;
	board.pass_us = 900000;
	board_run(4111);
	board.pass_us = 1000;
	SAYS("stat", "utc: 2026-11-20 12:34:56\r\nlocal: 12:34:56\r\nstate: synchronised\r\nnetwork: idle"
	    "\r\nreset: brown-out watchdog \r\noffset ms: -2000.0\r\ndelay ms: +9.9\r\nrate ppm: -40.5\r\naddress: 192.0.2.7"
	    "\r\nserver: 192.0.2.123\r\nmodule: 19.5.2\r\nerrors: 3\r\ncode: 20\r\nerror ms: 12\r\nage s: 77"
	    "\r\nnext s: 3520\r\nup s: 3700");
	board.utc = 4291747199;
	command("stat");
	assert_non_null(strstr(board.heard, "utc: 2105-12-31 23:59:59\r\nlocal: 23:59:59\r\n"));
	/* out of the range of the arithmetic */
	board.sync.offset = INT32_MIN;
	board.sync.delay = INT32_MAX;
	command("stat");
	assert_non_null(strstr(board.heard, "\r\noffset ms: -32000.0\r\ndelay ms: +32000.0\r\n"));
	/* a number that changes while its row goes out stays as it was */
	board_forget();
	board_type("stat\r", 5);
	for (int i = 0; i < 300; i++) {
		board.sync.bound = i % 2 ? 11111 : 22222;
		board_run(1);
	}
	assert_true(strstr(board.heard, "error ms: 11111\r\n") != NULL || strstr(board.heard, "error ms: 22222\r\n") != NULL);
}

static void help_names_each_command(void **state)
{
	static const char *const names[] = {
		"ssid", "pass", "sec", "tz", "server", "dim", "hours", "zero", "exercise", "night", "fade", "roll", "date",
		"save", "show", "stat", "sync", "test", "time", "reboot", "erase", "help",
	};
	char row[16];

	(void)state;
	command("help");
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(row, sizeof row, "\r\n%s", names[i]);
		assert_non_null(strstr(board.heard, row));
	}
}

static void the_rest(void **state)
{
	(void)state;
	SAYS("sync", "ok");
	board.can_ask = false;
	SAYS("sync", "expected: sync (when connected, each 15 s)");
	assert_int_equal(board.asks, 2);
	SAYS("test", "ok");
	assert_int_equal(board.tests, 1);
	SAYS("time 4294967289", "ok");
	assert_int_equal(board.by_hand, 4294967289U);
	SAYS("time 2026-11-20 12:00:00", "ok");
	assert_int_equal(board.by_hand, 1795176000U);
	SAYS("time 2105-12-31 23:59:59", "ok");
	assert_int_equal(board.by_hand, 4291747199U);
	SAYS("time 2028-2-29 0:0:1", "ok");
	assert_int_equal(board.by_hand, 1835395201U);
	SAYS("time 1970-01-01 00:00:00", "ok");
	assert_int_equal(board.by_hand, 0);
	assert_string_equal(command(""), "\r\n> ");
}

/* From a changed setting to its save the prompt says so; what was refused or only asked changes nothing. */
static void prompt_tells_unsaved(void **state)
{
	static const char *const changes[] = {
		"ssid net", "pass pass phrase", "tz UTC0", "server a.example", "dim 1:00 2:00 3", "sec wpa", "hours 12",
		"fade on", "roll 5", "date 5 dm",
	};

	(void)state;
	command("show");
	assert_false(was_unsaved);
	command("roll 61");
	assert_false(was_unsaved);
	for (unsigned i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		command(changes[i]);
		assert_true(was_unsaved);
		command("show");
		assert_true(was_unsaved);
		SAYS("save", "saved");
		assert_false(was_unsaved);
	}
	command("roll 6");
	SAYS("erase yes", "erased");
	assert_false(was_unsaved);
}

static void save_without_a_network(void **state)
{
	(void)state;
	command("roll 7");
	SAYS("save", "saved, but there is no ssid");
	assert_true(conf_load());
	assert_int_equal(conf.roll, 7);
	command("ssid net");
	SAYS("save", "saved");
}

static void save_and_connect(void **state)
{
	(void)state;
	command("ssid net");
	command("pass pass phrase");
	board.rate = 123;
	assert_int_equal(board.restarts, 0);
	SAYS("save", "saved");
	assert_int_equal(board.restarts, 1);
	assert_in_range(board.writes, 200, 260);
	command("ssid other");
	assert_true(conf_load());
	assert_string_equal(conf.ssid, "net");
	assert_int_equal(conf.rate, 123);
	SAYS("erase yes", "erased");
	assert_int_equal(board.restarts, 2);
	assert_false(conf_load());
	for (unsigned i = 0; i < sizeof board.eeprom; i++)
		assert_int_equal(board.eeprom[i], 0xff);
}

/* The rate's own save is the console's business only to keep going. */
static void rate_save_is_silent(void **state)
{
	(void)state;
	command("ssid net");
	command("save");
	board.us += 90000000000U;
	board.writes = 0;
	conf_keep_rate(500);
	board_forget();
	board_run(2000);
	assert_string_equal(board.heard, "");
	assert_int_equal(board.restarts, 1);
	assert_in_range(board.writes, 200, 260);
	assert_true(conf_load());
	assert_int_equal(conf.rate, 500);
}

static void reboots_after_its_last_words(void **state)
{
	(void)state;
	if (setjmp(board.reset) == 0) {
		board_type("reboot\r", 7);
		board_run(1000);
		fail();
	}
	assert_string_equal(board.heard, "reboot");
	assert_int_equal(board.going, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(spaces_in_names), TEST(set_checks), TEST(set_takes), TEST(show_tells_all_but_the_secret),
		TEST(show_is_safe), TEST(stat_tells), TEST(help_names_each_command), TEST(the_rest),
		TEST(prompt_tells_unsaved), TEST(save_without_a_network),
		TEST(save_and_connect), TEST(rate_save_is_silent), TEST(reboots_after_its_last_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
