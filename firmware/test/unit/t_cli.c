/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the console: keys, noise, floods, what it prints at the speed of the line. */
#include "cli_tests.h"

static void banner(void **state)
{
	(void)state;
	board_init();
	board_run(100);
	assert_string_equal(board.heard, "\r\nNixie clock, try help\r\n> ");
}

static void line_ends(void **state)
{
	static const char *const ends[] = { "\r", "\n", "\r\n" };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		board_forget();
		board_type("hours 12", 8);
		board_type(ends[i], (unsigned)strlen(ends[i]));
		board_run(20);
		assert_string_equal(board.heard, "hours 12\r\nok\r\nunsaved> ");
	}
	board_forget();
	board_type("\r\r\n\n\r\n", 6);
	board_run(20);
	assert_string_equal(board.heard, "\r\nunsaved> \r\nunsaved> \r\nunsaved> ");
}

static void editing(void **state)
{
	(void)state;
	assert_string_equal(command("hourx\bs 13\x7f" "2"), "hourx\b \bs 13\b \b2\r\nok\r\n> ");
	assert_true(conf.flags & CONF_12_HOURS);
	command("abc\x15" "hours 24");
	assert_false(conf.flags & CONF_12_HOURS);
	assert_string_equal(board.heard, "abc\r\nunsaved> hours 24\r\nok\r\n> ");
	/* more than there is */
	assert_string_equal(command("\b\b\x7f"), "\r\n> ");
}

static void keys_are_swallowed(void **state)
{
	(void)state;
	command("\x1b[A\x1b[Bhou\x1b[1;5Crs\x1bOP \x1b[15~1\x1b[200~2\x1b[201~");
	assert_string_equal(board.heard, "hours 12\r\nok\r\n> ");
	command("ho\x01ur\x02s\x07\x00 24");
	assert_string_equal(board.heard, "hours\r\nexpected: hours 24|12\r\n> ");
	command("HOURS\t24");
	assert_string_equal(board.heard, "HOURS 24\r\nok\r\n> ");
	/* an escape byte that is noise */
	assert_string_equal(command("\x1bhours\x1b 12"), "hours 12\r\nok\r\n> ");
	/* a sequence cut short by Enter */
	assert_string_equal(command("\x1b["), "\r\n> ");
}

static void high_bytes(void **state)
{
	(void)state;
	assert_string_equal(command("\xff\xfe\x80hours 12"), "hours 12\r\nok\r\n> ");
	command("set  ssid Gr\xc3\xbc\xc3\x9f" "e \xff");
	assert_string_equal(conf.ssid, "Gr\xc3\xbc\xc3\x9f" "e \xff");
	/* rubbing out takes a whole character */
	command("ssid a\xe2\x82\xac\b\xc3\xa9\b\bz");
	assert_string_equal(conf.ssid, "z");
}

static void long_lines_are_dropped(void **state)
{
	char line[300];

	(void)state;
	memset(line, 'x', sizeof line);
	line[0] = 't';
	line[1] = 'z';
	line[2] = ' ';
	line[298] = '\r';
	line[299] = '\0';
	board_type(line, 299);
	board_run(100);
	assert_non_null(strstr(board.heard, "\r\ndropped: over 80 bytes\r\n> "));
	assert_string_equal(conf.tz, "UTC0");
	/* 80 are not too long */
	memset(line, ' ', 80);
	memcpy(line, "hours", 5);
	memcpy(line + 78, "12", 3);
	assert_non_null(strstr(command(line), "ok\r\n"));
	/* the tail of a long line is not a command of its own, pause or not */
	board_forget();
	memset(line, 'y', 100);
	board_type(line, 100);
	board_run(2000);
	command("hours 24");
	assert_true(conf.flags & CONF_12_HOURS);
	assert_non_null(strstr(board.heard, "over 80"));
	SAYS("hours 24", "ok");
}

static void lost_bytes_drop_the_line(void **state)
{
	(void)state;
	board_type("ssid fo", 7);
	board_run(2);
	board.lost = true;
	board_run(1);
	board_type("obar\r", 5);
	board_run(50);
	assert_string_equal(conf.ssid, "");
	assert_string_equal(board.heard, "ssid fo\r\ndropped: bytes lost\r\n> ");
	/* noise before the first command costs none: a pause ends the bad line */
	board_forget();
	board.lost = true;
	board_run(300);
	assert_string_equal(board.heard, "\r\ndropped: bytes lost\r\n> ");
	SAYS("ssid net", "ok");
	/* what follows text is not shown, it may be the rest of a secret */
	board_forget();
	board_type("tz", 2);
	board_run(2);
	board.lost = true;
	board_run(300);
	assert_string_equal(board.heard, "tz\r\ndropped: bytes lost\r\nunsaved> ");
	assert_string_equal(command("hours 12"), "\r\nok\r\n> ");
	SAYS("hours 24", "ok");
	board_forget();
	board_type("pass sec", 8);
	board_run(2);
	board.lost = true;
	board_run(1000);
	board_type("ret word", 8);
	board_run(1000);
	board_type("\r", 1);
	board_run(20);
	assert_string_equal(board.heard, "pass \r\ndropped: bytes lost\r\nunsaved> \r\nunknown, try help\r\nunsaved> ");
	board_forget();
	board.lost = true;
	board_type("pass ", 5);
	board_run(1000);
	board_type("secret word\x15show\r", 17);
	board_run(100);
	assert_null(strstr(board.heard, "secret"));
	assert_non_null(strstr(board.heard, "> show\r\nssid: "));
}

/* A ring that overflows in the middle of commands: none of them is made of two halves. */
static void an_overflow_joins_nothing(void **state)
{
	(void)state;
	for (unsigned at = 0; at < 80; at++) {
		start(NULL);
		board.pass_us = 30000;	/* no pass while all of this comes */
		for (unsigned i = 0; i < at; i++)
			board_type("\b", 1);
		board_type("ssid first\rssid second\rssid third\rssid fourth\rssid fifth\rssid ", 62);
		board_type("lost lost lost lost\rssid last\r", 30);
		board.pass_us = 1000;
		board_run(400);
		if (conf.ssid[0] != '\0')
			assert_true(strcmp(conf.ssid, "last") == 0 || strcmp(conf.ssid, "fifth") == 0);
		assert_non_null(strstr(command("tz UTC1"), "\r\nok\r\n> "));
	}
}

static void a_paste_of_ten_commands(void **state)
{
	static const char text[] = "ssid net\rpass pass phrase\rsec wpa\rtz CET-1CEST,M3.5.0,M10.5.0/3\r"
	    "server a.example b.example\rdim 22:00 07:00 4\rhours 12\rzero off\rnight dark\rexercise off\rsave\r";

	(void)state;
	for (uint32_t pass_us = 200; pass_us <= 3000; pass_us += 700) {
		start(NULL);
		board.pass_us = pass_us;
		board_type(text, sizeof text - 1);
		board_run(5000);
		assert_string_equal(conf.ssid, "net");
		assert_string_equal(conf.pass, "pass phrase");
		assert_string_equal(conf.tz, "CET-1CEST,M3.5.0,M10.5.0/3");
		assert_string_equal(conf.server, "a.example b.example");
		assert_int_equal(conf.flags, CONF_12_HOURS | CONF_NO_ZERO | CONF_NIGHT_DARK);
		assert_int_equal(board.restarts, 1);
		assert_null(strstr(board.heard, "phrase"));
		assert_null(strstr(board.heard, "lost"));
	}
}

/* Typed while a list goes out: it appears behind the prompt, without the secret. */
static void typing_while_it_prints(void **state)
{
	(void)state;
	board_type("show\r", 5);
	board_type("ssid net", 8);
	board_run(100);
	assert_string_equal(board.heard + board.size - 12, "\r\n> ssid net");
	board_type("\r", 1);
	board_run(10);
	board_forget();
	board_type("help\r", 5);
	board_type("pass my secret", 14);
	board_run(300);
	assert_string_equal(board.heard + board.size - 16, "\r\nunsaved> pass ");
	board_type("\r", 1);
	board_run(10);
	assert_string_equal(conf.pass, "my secret");
	assert_null(strstr(board.heard, "my"));
}

static void the_secret_stays_one(void **state)
{
	static const char *const lines[] = {
		"pass topsecret", "set pass topsecret", "PASS topsecret", "  set   Pass   topsecret", "pass\ttopsecret",
		"pass topsecret0123456789012345678901234567890123456789012345678901234567890123456789", "xpass topsecret",
		"\x1b[Apass topsecret", "pass top\x1b[Dsecret", "pass xx\b\btopsecret", "pass xxxxx\x15pass topsecret",
		"help pass topsecret", "erase pass topsecret", "pass: pass topsecret",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		command(lines[i]);
		assert_null(strstr(board.heard, "top"));
		assert_null(strstr(board.heard, "secret"));
		assert_null(strstr(command("show"), "topsecret"));
	}
	/* rubbing out back to the front shows what is typed then */
	board_run(20);
	board_forget();
	board_type("pass abc\b\b\b\b\b\b\b\b\bhours 12\r", 9 + 8 + 9);
	board_run(20);
	assert_string_equal(board.heard, "pass \b \b\b \b\b \b\b \b\b \bhours 12\r\nok\r\nunsaved> ");
}

static void flood(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		uint8_t byte;

		random = random * 1664525 + 1013904223;
		byte = (uint8_t)(random >> 24);
		board_type(&byte, 1);
	}
	board_run(1000);
	board_type("\r", 1);
	board_run(1000);
	SAYS("ssid net", "ok");
	for (unsigned i = 0; i < 20000; i++)
		board_type("x", 1);
	board_type("\r", 1);
	board_run(100);
	SAYS("ssid other", "ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(banner), TEST(line_ends), TEST(editing), TEST(keys_are_swallowed), TEST(high_bytes),
		TEST(long_lines_are_dropped), TEST(lost_bytes_drop_the_line), TEST(an_overflow_joins_nothing),
		TEST(a_paste_of_ten_commands), TEST(typing_while_it_prints), TEST(the_secret_stays_one),
		TEST(flood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
