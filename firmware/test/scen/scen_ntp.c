/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of single replies: invalid answers, invalid times, kisses, silence. */
#include <string.h>

#include "scen_ntp.h"

/* ---- hands on the replies ------------------------------------------------------ */

static void put_kiss(uint8_t *reply, const char *code)
{
	reply[0] |= 0xc0;
	reply[1] = 0;
	memcpy(reply + 12, code, 4);
}

enum { LATER_MS = 300 };	/* comes the second copy of a reply */

/* With two copies of each reply the first one is spoilt. */
static bool first_copy(uint32_t n)
{
	return n % 2 == 0;
}

static void wrong_origin(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)size;
	if (first_copy(n)) {
		reply[31] ^= 1;
		reply[43] ^= 0x40;	/* and a time that must not be shown */
	}
}

static void forged_deny(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)size;
	if (first_copy(n)) {
		put_kiss(reply, "DENY");
		reply[24] ^= 0x80;
	}
}

/* Six kinds of reply that are none; then good ones. */
static void misshapen(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	switch (n) {
	case 0: reply[0] = 4 << 3 | 3; break;
	case 1: reply[0] = 4 << 3 | 5; break;
	case 2: reply[0] = 1 << 3 | 4; break;
	case 3: *size = 47; break;
	case 4: *size = 1; break;
	default: memset(reply + 48, 0x5a, 1400 - 48); *size = 1400; break;
	}
}

static void zero_receive(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	(void)size;
	memset(reply + 32, 0, 8);
}

static void zero_transmit(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	(void)size;
	memset(reply + 40, 0, 8);
}

static void earlier_transmit(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	(void)size;
	memcpy(reply + 40, reply + 32, 4);
	reply[43] -= 2;
}

static void later_reference(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	(void)size;
	reply[18]++;
}

static void year_1999(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	(void)size;
	for (int at = 16; at <= 40; at += at == 16 ? 16 : 8)
		reply[at] = 0xbc;
}

static void kiss(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)n;
	(void)size;
	put_kiss(reply, server->arg);
}

/* ---- silence -------------------------------------------------------------------- */

static double asked_gap(struct rig *rig, uint32_t i)
{
	return (double)(rig->server[0].asked[i] - rig->server[0].asked[i - 1]) / SIM_HZ;
}

/* The pauses double from 2 s; 2 s of waiting come on top, and up to 5 s of a new start of the module. */
static void check_pauses(struct rig *rig)
{
	double pause = 2;

	for (uint32_t i = 1; i < rig->server[0].requests; i++) {
		CHECK(rig, asked_gap(rig, i) >= 2 + pause * 0.9);
		CHECK(rig, asked_gap(rig, i) <= 2 + pause * 1.1 + 8);
		CHECK(rig, i < 4 || asked_gap(rig, i) >= 15);
		pause = pause < 1024 ? pause * 2 : 1024;
	}
}

static void silent(struct rig *rig)
{
	rig->server[0].silent = true;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ANSWER, 20));
	rig_run(rig, 150);
	CHECK_TUBES(rig, NO_ANSWER);
	CHECK(rig, rig->server[0].requests >= 6);
	check_pauses(rig);
	rig->server[0].silent = false;
	CHECK(rig, rig_wait_time(rig, 160));
}

static void silent_long(struct rig *rig)
{
	rig->server[0].silent = true;
	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 8 * 3600);
	CHECK_TUBES(rig, NO_ANSWER);
	check_pauses(rig);
	CHECK(rig, rig->server[0].requests >= 28 && rig->server[0].requests <= 38);
	rig->server[0].silent = false;
	CHECK(rig, rig_wait_time(rig, 1200));
}

/* Answers come when nobody waits for them any more, at 2 s and around it. */
static void at_timeout(struct rig *rig)
{
	rig_config(rig, "");
	rig->server[0].out_ms = 1000;
	rig->server[0].back_ms = 980;
	rig_power(rig, true);
	for (int i = 0; i < 100; i++) {
		rig_run(rig, 0.5);
		rig->server[0].back_ms += 0.5;
	}
	CHECK(rig, tubes_find(&rig->tubes, rig->power_on, "12****") == NULL);
	rig->server[0].out_ms = rig->server[0].back_ms = 5;
	CHECK(rig, rig_wait_time(rig, 80));
}

/* ---- no answer to us -------------------------------------------------------------- */

static void origin(struct rig *rig)
{
	rig->server[0].copies = 2;
	rig->server[0].edit = wrong_origin;
	rig->server[0].out_ms += LATER_MS;	/* as long as the right one's way back */
	wifi_start(rig, "");
	rig_run(rig, 40);
	ntp_steady(rig, 38);
	CHECK(rig, rig->server[0].requests == 1);
}

static void duplicates(struct rig *rig)
{
	rig->server[0].copies = 2;
	wifi_start(rig, "");
	rig_run(rig, 90);
	ntp_steady(rig, 85);
	CHECK(rig, rig->server[0].requests == 2);
	CHECK(rig, rig->server[0].replies == 4);
}

static void elsewhere(struct rig *rig)
{
	rig->server[0].from_ip = 0x637b0200 + 192;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ANSWER, 20));
	rig->server[0].from_ip = 0;
	rig->server[0].from_port = 1123;
	rig_run(rig, 40);
	CHECK_TUBES(rig, NO_ANSWER);
	rig->server[0].from_port = 0;
	CHECK(rig, rig_wait_time(rig, 80));
}

static void shapes(struct rig *rig)
{
	rig->server[0].edit = misshapen;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REJECTED, 20));
	CHECK(rig, rig_wait_time(rig, 160));
	CHECK(rig, rig->server[0].replies == 6);
	rig_run(rig, 100);
	ntp_steady(rig, 90);
}

/* 64 KB of anything for our port, from the server's address too. */
static void stray(struct rig *rig)
{
	uint8_t data[1400];
	uint32_t noise = 1;

	rig_config(rig, "");
	rig_power(rig, true);
	for (int i = 0; i < 48; i++) {
		for (unsigned k = 0; k < sizeof data; k++)
			data[k] = (uint8_t)((noise = noise * 1664525 + 1013904223) >> 24);
		rig_run(rig, 0.4);
		wsim_datagram(rig->wifi, i % 2 ? rig->server[0].ip : noise, i % 3 ? 123 : (uint16_t)noise,
		    ntp_port(rig), data, i % 5 ? sizeof data : (uint16_t)(noise % 100), rig->cycle);
	}
	CHECK(rig, rig_wait_time(rig, 40));
	rig_run(rig, 80);
	ntp_steady(rig, 75);
}

/* ---- no time -------------------------------------------------------------------- */

static void no_time(struct rig *rig, const char *code)
{
	CHECK(rig, rig_wait(rig, code, 25));
	rig_run(rig, 30);
	CHECK_TUBES(rig, code);
	CHECK(rig, rig->server[0].requests <= 6);
}

static void then_time(struct rig *rig)
{
	rig->server[0].edit = NULL;
	CHECK(rig, rig_wait_time(rig, 160));
}

static void unsynchronised(struct rig *rig)
{
	rig->server[0].leap = 3;
	rig_config(rig, "");
	rig_power(rig, true);
	no_time(rig, NOT_SYNCHRONISED);
	rig->server[0].leap = 0;
	then_time(rig);
}

static void stratum_16(struct rig *rig)
{
	rig->server[0].stratum = 16;
	rig_config(rig, "");
	rig_power(rig, true);
	no_time(rig, NOT_SYNCHRONISED);
	rig->server[0].stratum = 15;
	then_time(rig);
}

/* As a chronyd without any source answers. */
static void stratum_0(struct rig *rig)
{
	rig->server[0].stratum = 0;
	rig->server[0].leap = 3;
	memset(rig->server[0].refid, 0, 4);
	rig_config(rig, "");
	rig_power(rig, true);
	no_time(rig, NOT_SYNCHRONISED);
	rig->server[0].stratum = 8;
	rig->server[0].leap = 0;
	then_time(rig);
}

static void rejected(struct rig *rig, ntpsrv_edit *edit)
{
	rig->server[0].edit = edit;
	rig_config(rig, "");
	rig_power(rig, true);
	no_time(rig, REJECTED);
	then_time(rig);
}

static void stamps_receive(struct rig *rig) { rejected(rig, zero_receive); }
static void stamps_transmit(struct rig *rig) { rejected(rig, zero_transmit); }
static void stamps_order(struct rig *rig) { rejected(rig, earlier_transmit); }
static void stamps_reference(struct rig *rig) { rejected(rig, later_reference); }
static void old_date(struct rig *rig) { rejected(rig, year_1999); }

static void root_delay(struct rig *rig)
{
	rig->server[0].root_delay = 8 << 16;
	rig_config(rig, "");
	rig_power(rig, true);
	no_time(rig, REJECTED);
	rig->server[0].root_delay = 0;
	then_time(rig);
}

/* ---- kisses ------------------------------------------------------------------------ */

static void refused(struct rig *rig, const char *code)
{
	static char letters[5];

	strcpy(letters, code);
	rig->server[0].edit = kiss;
	rig->server[0].arg = letters;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REFUSED, 20));
	rig_run(rig, 100);
	CHECK_TUBES(rig, REFUSED);
	CHECK(rig, rig->server[0].requests == 1);
}

static void deny(struct rig *rig) { refused(rig, "DENY"); }
static void rstr(struct rig *rig) { refused(rig, "RSTR"); }

static void deny_day(struct rig *rig)
{
	refused(rig, "DENY");
	rig->beat_ms = RIG_QUIET_MS;
	rig_run(rig, 86400 - 130);
	CHECK(rig, rig->server[0].requests == 1);
	rig_run(rig, 1300);
	CHECK(rig, rig->server[0].requests == 2);	/* one try a day */
	rig->server[0].edit = NULL;
	CHECK(rig, rig_wait_time(rig, 86700 + 1300));
}

/* The name leads to other machines, too: they have the time, and the one that refused is left alone for its day. */
static void deny_pool(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	for (unsigned i = 1; i < RIG_SERVERS; i++)
		strcpy(script->host[i].name, script->host[0].name);
	for (unsigned i = 0; i < 3; i++) {
		rig->server[i].edit = kiss;
		rig->server[i].arg = i == 1 ? "RSTR" : "DENY";
	}
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 120));
	rig->beat_ms = RIG_QUIET_MS;
	rig_run(rig, 86300 - 120);
	for (unsigned i = 0; i < 3; i++)
		CHECK(rig, rig->server[i].requests == 1);
	CHECK(rig, rig->server[3].requests >= 20 && rig->server[3].requests <= 40);
	ntp_steady(rig, 3600);
	rig_run(rig, 3 * 3600);
	CHECK(rig, rig->server[0].requests == 2);
}

static void deny_forged(struct rig *rig)
{
	rig->server[0].copies = 2;
	rig->server[0].edit = forged_deny;
	rig->server[0].out_ms += LATER_MS;
	wifi_start(rig, "");
	CHECK(rig, rig->server[0].requests == 1);
}

static void deny_both(struct rig *rig)
{
	for (int i = 0; i < 2; i++) {
		rig->server[i].edit = kiss;
		rig->server[i].arg = "DENY";
	}
	rig_config(rig, "server=\"ntp.example ntp2.example\"");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REFUSED, 30));
	rig_run(rig, 100);
	CHECK(rig, rig->server[0].requests == 1 && rig->server[1].requests == 1);
	CHECK_TUBES(rig, REFUSED);
}

static void deny_one(struct rig *rig)
{
	rig->server[0].edit = kiss;
	rig->server[0].arg = "DENY";
	wifi_start(rig, "server=\"ntp.example ntp2.example\"");
	CHECK(rig, rig->server[0].requests == 1);
	rig_run(rig, 150);
	CHECK(rig, rig->server[0].requests == 1);
	ntp_steady(rig, 145);
}

static void rate(struct rig *rig)
{
	static const double wait[] = { 7200, 14400, 28800, 57600, 64800, 64800 };
	uint32_t asked;

	wifi_start(rig, "");
	rig_run(rig, 3 * 3600);
	rig->beat_ms = RIG_QUIET_MS;
	rig->server[0].edit = kiss;
	rig->server[0].arg = "RATE";
	asked = rig->server[0].requests;
	CHECK(rig, ntp_wait_asked(rig, 4000));
	for (unsigned i = 0; i < sizeof wait / sizeof wait[0]; i++) {
		asked = rig->server[0].requests;
		rig_run(rig, wait[i] * 0.93);
		CHECK(rig, rig->server[0].requests == asked);
		CHECK(rig, ntp_wait_asked(rig, wait[i] * 0.12 + 1200));
	}
	CHECK(rig, strstr(rig_command(rig, "stat"), "code: 23\r") != NULL);
	/* each good reply makes it less, and while it lasts there is nothing to tell */
	rig->server[0].edit = NULL;
	CHECK(rig, ntp_wait_asked(rig, 70000));
	for (unsigned hours = 9; hours >= 2; hours /= 2) {
		asked = rig->server[0].requests;
		for (double end = (double)rig->cycle / SIM_HZ + hours * 3600; (double)rig->cycle / SIM_HZ < end - 200;) {
			rig_run(rig, 20);
			CHECK(rig, strspn(tubes_at(&rig->tubes, rig->cycle), "0123456789") == 6);
		}
		CHECK(rig, strstr(rig_command(rig, "stat"), "code: 0\r") != NULL);
		CHECK(rig, rig->server[0].requests <= asked + 3);	/* one whose answer came too late for a dozing board */
		CHECK(rig, ntp_wait_asked(rig, 6000));
	}
	rig_run(rig, 6 * 3600);
	CHECK(rig, rig->server[0].requests >= asked + 6);
}

/* RATE before there is any time: asked after longer and longer pauses, not hammered. */
static void rate_boot(struct rig *rig)
{
	rig->server[0].edit = kiss;
	rig->server[0].arg = "RATE";
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REFUSED, 20));
	rig_run(rig, 1000);
	CHECK(rig, rig->server[0].requests >= 2 && rig->server[0].requests <= 4);
	rig->server[0].edit = NULL;
	CHECK(rig, rig_wait_time(rig, 1100));
}

const struct scenario scen_ntp[] = {
	{ "silent", "the server does not answer for 150 s", "code 21, pauses of 2, 4, 8 ... s, then time", silent, 0 },
	{ "silent-8h", "the server does not answer for 8 h", "pauses up to 1024 s", silent_long, SCEN_PC },
	{ "at-timeout", "answers around the time-out of 2 s", "none is used; then time", at_timeout, 0 },
	{ "origin", "a reply with a wrong origin before each right one", "the right one is used", origin, 0 },
	{ "duplicates", "each reply comes twice", "the second is ignored", duplicates, 0 },
	{ "elsewhere", "replies from another address, another port", "ignored", elsewhere, 0 },
	{ "shapes", "modes 3 and 5, version 1, 47 bytes, 1 byte, 1400 bytes", "ignored; 48 of the 1400 used", shapes, 0 },
	{ "stray", "64 KB of noise for our port", "time, seconds continue", stray, 0 },
	{ "li-3", "leap indicator 3", "code 22; then time", unsynchronised, 0 },
	{ "stratum-16", "stratum 16", "code 22; stratum 15 is taken", stratum_16, 0 },
	{ "stratum-0", "stratum 0 without kiss code", "code 22, not 23", stratum_0, 0 },
	{ "zero-t2", "receive timestamp 0", "code 24", stamps_receive, 0 },
	{ "zero-t3", "transmit timestamp 0", "code 24", stamps_transmit, 0 },
	{ "t3-before-t2", "sent before it was received", "code 24", stamps_order, 0 },
	{ "reference-late", "reference after the transmit timestamp", "code 24", stamps_reference, 0 },
	{ "root-delay", "root delay 8 s", "code 24", root_delay, 0 },
	{ "year-1999", "server says 1999", "code 24: older than the firmware", old_date, 0 },
	{ "deny", "kiss DENY", "code 23, not asked again", deny, 0 },
	{ "rstr", "kiss RSTR", "code 23, not asked again", rstr, 0 },
	{ "deny-day", "kiss DENY for a day", "one try after 24 h", deny_day, SCEN_PC },
	{ "deny-pool", "three machines of a name say DENY or RSTR, the fourth has the time",
	    "the time within two minutes; none asked again before its day is over", deny_pool, SCEN_PC },
	{ "deny-forged", "kiss DENY with a wrong origin before each reply", "ignored", deny_forged, 0 },
	{ "deny-both", "both servers say DENY", "code 23, each asked once", deny_both, 0 },
	{ "deny-one", "the first of two says DENY", "time from the other", deny_one, 0 },
	{ "rate", "kiss RATE again and again", "interval doubles up to 18 h, halves with each good reply", rate, SCEN_PC },
	{ "rate-boot", "kiss RATE before the first time", "code 23, pauses of at least 128, 256, 512 s", rate_boot, SCEN_PC },
	{ NULL, NULL, NULL, NULL, 0 },
};
