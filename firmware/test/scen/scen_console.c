/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the console: what is typed, how, and when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scen_console.h"

#define PASTE "ssid net\rpass pass phrase\rsec wpa\rtz EST5EDT,M3.2.0,M11.1.0\rserver ntp.example ntp2.example\r" \
    "dim 22:00 07:00 4\rhours 24\rzero on\rexercise off\rsave\r"

static void paste(struct rig *rig)
{
	rig_secret(rig, "pass phrase");
	start_empty(rig);
	rig_zone(rig, "EST5EDT,M3.2.0,M11.1.0");
	rig_forget(rig);
	rig_type(rig, PASTE);
	rig_run(rig, 3);
	CHECK(rig, rig_heard(rig, "\nsaved") && !rig_heard(rig, "dropped") && !rig_heard(rig, "expected"));
	CHECK(rig, says(rig, "show", "server: ntp.example ntp2.example\r\ndim: 22:00 07:00 4"));
	CHECK(rig, rig_heard(rig, "exercise: off"));
	CHECK(rig, rig_wait_time(rig, 60));
}

static void reset_in_line(struct rig *rig)
{
	wifi_start(rig, "");
	rig_type(rig, "ssid ab");
	rig_button(rig);
	rig_run(rig, 0.5);
	rig_type(rig, "cd\r");
	rig_run(rig, 0.2);
	CHECK(rig, rig_heard(rig, "unknown"));
	CHECK(rig, says(rig, "show", "ssid: net"));
	CHECK(rig, says(rig, "stat", "reset: button"));
	CHECK(rig, rig_wait_time(rig, 60));
}

static void reboot(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 2);
	rig_forget(rig);
	rig_type(rig, "tz CET-1\rreboot\r");
	rig_run(rig, 1.5);
	CHECK(rig, rig_heard(rig, "Nixie clock"));
	CHECK(rig, says(rig, "show", "tz: UTC0"));
	CHECK(rig, rig_wait_time(rig, 60));
}

/* ---- a console that does not help --------------------------------------------------------- */

/* 10000 bytes, most of them no text, then a good command. */
static void flood(struct rig *rig)
{
	static uint8_t bytes[10000];
	uint32_t random = rig->seed;

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < sizeof bytes; i++) {
		random = random * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(random >> 24);
	}
	rig_type_bytes(rig, bytes, sizeof bytes);
	rig_run(rig, 0.5);
	rig_type(rig, "\r");
	rig_run(rig, 0.5);
	CHECK(rig, says(rig, "tz UTC0", "tz UTC0\r\nok\r\nunsaved> "));
	CHECK(rig, says(rig, "show", "pass: set (11)"));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

static void over_long(struct rig *rig)
{
	static char line[10001];

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	memset(line, 'x', sizeof line - 1);
	memcpy(line, "ssid ", 5);
	rig_forget(rig);
	rig_type(rig, line);
	rig_run(rig, 2);
	rig_type(rig, "\r");
	rig_run(rig, 0.2);
	CHECK(rig, rig_heard(rig, "\r\ndropped: "));
	CHECK(rig, says(rig, "show", "ssid: net"));
	memset(line, 0, sizeof line);
	memset(line, 'y', 100);
	for (unsigned i = 0; i < 30; i++)
		rig_command(rig, line);
	CHECK(rig, says(rig, "sec wpa", "ok"));
	rig_run(rig, 2);
	wifi_steady(rig, since);
}

/* A port that is plugged in while the clock runs. */
static void noise_first(struct rig *rig)
{
	static const uint8_t noise[] = { 0, 0xff, 0xfe, 0x80, 0xe0, 0, 0x1b, 0xfc, 0x07, 0xf8 };

	start_empty(rig);
	rig_type_bytes(rig, noise, sizeof noise);
	rig_run(rig, 1);
	CHECK(rig, says(rig, "ssid net", "ok"));
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
}

static void keys_and_ends(struct rig *rig)
{
	start_empty(rig);
	rig_forget(rig);
	rig_type(rig, "set ssod\b\bid nut\x7f\x7f" "et\x1b[D\x1b[3~\r\nhours 12\n");
	rig_run(rig, 0.2);
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	CHECK(rig, rig_heard(rig, "hours: 12\r\n"));
	rig_type(rig, "erase yes\x15show\r");
	rig_run(rig, 0.5);
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
}

static void enter_held_down(struct rig *rig)
{
	static char enters[5001];

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	memset(enters, '\r', sizeof enters - 1);
	rig_type(rig, enters);
	rig_run(rig, 0.5);
	CHECK(rig, says(rig, "", "\r\n> "));
	CHECK(rig, says(rig, "hours 24", "hours 24\r\nok\r\nunsaved> "));
	rig_run(rig, 2);
	wifi_steady(rig, since);
}

static void lists_in_a_flood(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (int i = 0; i < 100; i++)
		rig_type(rig, i % 3 == 0 ? "show\r" : i % 3 == 1 ? "help\r" : "stat\r");
	rig_run(rig, 1);
	CHECK(rig, says(rig, "", "\r\n> "));
	CHECK(rig, says(rig, "show", "\r\nnight: dim\r\nfade: off\r\nroll: 0\r\ndate: 0 dm\r\n> "));
	rig_run(rig, 2);
	wifi_steady(rig, since);
}

static void secrets(struct rig *rig)
{
	static const char *const lines[] = {
		"pass pass phrase", "set pass pass phrase", "PASS pass phrase", "xpass pass phrase", "\x1b[Apass pass phrase",
		"pass pass phrase and much more than eighty characters on one line, so that it is dropped whole, all of it",
		"  set  pass  pass phrase", "pass\tpass phrase", "pass xx\b\bpass phrase",
	};

	rig_secret(rig, "phrase");	/* not even its end */
	start_empty(rig);
	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		rig_type(rig, "help\r");
		rig_type(rig, lines[i]);
		rig_run(rig, 0.3);
		rig_type(rig, "\r");
		rig_run(rig, 0.3);
		rig_command(rig, "show");
		rig_command(rig, "stat");
	}
	CHECK(rig, !rig->leaked);
	rig_type(rig, "pass pass phr");
	rig_button(rig);
	rig_run(rig, 0.5);
	CHECK(rig, !rig->leaked);
}

/* ---- the console and the time ------------------------------------------------------------ */

static void time_by_hand(struct rig *rig)
{
	char line[32];

	wifi_script(rig)->ssid[0] = '\0';
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NETWORK, 90));
	rig_run(rig, 1);
	snprintf(line, sizeof line, "time %lu", (unsigned long)rig_utc(rig, rig->cycle, NULL) - 7200);
	CHECK(rig, says(rig, line, "ok"));
	rig_run(rig, 3);
	CHECK(rig, says(rig, "stat", "utc: 2026-11-20 10:3"));
	CHECK(rig, !rig_heard(rig, "synchronised"));
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 1500));
	CHECK(rig, says(rig, "stat", "state: synchronised"));
	CHECK(rig, says(rig, "time 4294967296", "expected: time"));
	CHECK(rig, says(rig, "time", "expected: time"));
	rig_run(rig, 3);
	CHECK(rig, rig_error_ms(rig, rig->cycle - 2 * SECOND, rig->cycle) <= STEADY_MS);
}

/* Somebody types all the time while the hour changes. */
static void typing_over_a_change(struct rig *rig)
{
	const uint32_t change = 1836457200;	/* 2028-03-12 02:00:00 EST */

	rig_set_utc(rig, change - 40);
	wifi_start(rig, "tz=EST5EDT,M3.2.0,M11.1.0");
	while (rig_utc(rig, rig->cycle, NULL) < change - 6)
		rig_run(rig, 1);
	uint64_t since = rig->cycle;
	while (rig_utc(rig, rig->cycle, NULL) < change + 4) {
		CHECK(rig, says(rig, "stat", "\r\n> "));
		CHECK(rig, says(rig, "show", "\r\n> "));
	}
	CHECK(rig, says(rig, "stat", "local: 03:00:0"));
	wifi_steady(rig, since);
}

static void save_while_it_syncs(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 20);
	uint64_t since = rig->cycle;
	uint32_t asked = wifi_asked(rig);
	rig_forget(rig);
	rig_type(rig, "sync\rsave\rsave\rsync\rstat\r");
	rig_run(rig, 4);
	CHECK(rig, rig_heard(rig, "sync\r\nok"));
	CHECK(rig, rig_heard(rig, "saved\r\n> save\r\nsaved"));
	CHECK(rig, eeprom(rig)[3] == 3 && eeprom(rig)[SLOT + 3] == 2);
	rig_run(rig, 60);
	CHECK(rig, wifi_asked(rig) > asked);
	wifi_steady(rig, since);
	CHECK(rig, says(rig, "show", "ssid: net"));
}

static void sync_not_too_often(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 30);
	uint32_t asked = wifi_asked(rig);
	for (int i = 0; i < 20; i++) {
		rig_command(rig, "sync");
		rig_run(rig, 0.5);
	}
	CHECK(rig, wifi_asked(rig) >= asked + 1 && wifi_asked(rig) <= asked + 2);
}

static void stat_tells_the_truth(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 100);
	const char *said = rig_command(rig, "stat"), *at = strstr(said, "offset ms: ");
	CHECK(rig, at != NULL && atof(at + 11) < 50 && atof(at + 11) > -50);
	at = strstr(said, "up s: ");
	CHECK(rig, at != NULL && labs(atol(at + 6) - (long)((rig->cycle - rig->power_on) / SECOND)) <= 2);
	CHECK(rig, rig_heard(rig, "\r\nmodule: 19.5.2\r\n") && rig_heard(rig, "\r\nnetwork: idle\r\n"));
	CHECK(rig, rig_heard(rig, "\r\ncode: 0\r\n") && rig_heard(rig, "\r\nreset: power"));
}

/* The first round has nothing to be compared with; the second server was asked last. */
static void stat_after_the_first_reply(struct rig *rig)
{
	wifi_start(rig, "server=\"ntp.example ntp2.example\"");
	CHECK(rig, rig_wait_time(rig, 20));
	CHECK(rig, strstr(rig_command(rig, "stat"), "\r\noffset ms: +0.0\r\n") != NULL);
	CHECK(rig, rig_heard(rig, "\r\nserver: 192.0.2.124\r\n"));
}

const struct scenario scen_console[] = {
	{ "paste", "ten commands at full speed", "each is taken", paste, 0 },
	{ "reset-in-line", "DTR in the middle of a command",
	    "no half command; the time is right again", reset_in_line, 0 },
	{ "reboot", "reboot", "settings not saved are gone, the time is right again", reboot, 0 },
	{ "console-flood", "10000 random bytes", "seconds continue, the next command works", flood, 0 },
	{ "over-long-lines", "lines of 10000 and of 100 characters",
	    "dropped whole, the next command works", over_long, 0 },
	{ "noise-first", "noise before the first command", "the command works", noise_first, 0 },
	{ "keys-and-ends", "rubbing out, arrow keys, CR, LF, CRLF", "the intended result", keys_and_ends, 0 },
	{ "lists-in-a-flood", "100 lists asked for without waiting",
	    "seconds continue, the console is sane afterwards", lists_in_a_flood, 0 },
	{ "enter-held-down", "5000 empty lines", "seconds continue, the next command works", enter_held_down, 0 },
	{ "secrets", "the pass phrase typed in many wrong ways", "no part of it is said", secrets, 0 },
	{ "time-by-hand", "time, two hours wrong, then a network",
	    "shown, then put right; not called synchronised", time_by_hand, 0 },
	{ "typing-over-a-change", "stat and show without pause while summer time begins",
	    "the change at its second, an even beat", typing_over_a_change, 0 },
	{ "save-while-it-syncs", "sync, save, save, sync at full speed",
	    "two whole slots, the time continues", save_while_it_syncs, 0 },
	{ "sync-not-too-often", "sync twice a second",
	    "no request sooner than 15 s after another", sync_not_too_often, 0 },
	{ "stat-tells-the-truth", "stat after 100 s",
	    "offset, uptime, versions, addresses as they are", stat_tells_the_truth, 0 },
	{ "stat-first", "stat after the first reply of two servers",
	    "no offset yet, the address of the one that was asked", stat_after_the_first_reply, 0 },
	{ 0 },
};
