/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of settings at their ends, and of nights in which two things go wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scen_console.h"
#include "scen_ntp.h"

#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"

enum {
	SPRING = 1805007600,	/* 2027-03-14 07:00:00 UTC: New York to summer time */
	AUTUMN = 1825567200,	/* 2027-11-07 06:00:00 UTC: and back */
	LEAP = 1814400000,	/* 2027-07-01 00:00:00 UTC */
	MINUTE_TENS = 2,
};

static void until(struct rig *rig, uint32_t utc, unsigned ms)
{
	uint32_t frac, now = rig_utc(rig, rig->cycle, &frac);

	CHECK(rig, now < utc || (now == utc && frac < ms * 4294967.296));
	rig_run(rig, (double)(utc - now) + ms / 1e3 - frac / 4294967296.0);
}

/* In sync before utc, by that many seconds at least. */
static void start_before(struct rig *rig, uint32_t utc, uint32_t seconds, const char *settings)
{
	rig_set_utc(rig, utc - seconds - 30);
	wifi_start(rig, settings);
	until(rig, utc - seconds, 0);
}

static uint64_t lit(struct rig *rig)
{
	uint64_t sum = 0;

	tubes_pass(&rig->tubes, rig->cycle);
	for (unsigned digit = 0; digit < 6; digit++)
		sum += tubes_lit(&rig->tubes, MINUTE_TENS, digit);
	return sum;
}

/* Percent of the next seconds in which a place glows. */
static double share(struct rig *rig, double seconds)
{
	uint64_t before = lit(rig), from = rig->cycle;

	rig_run(rig, seconds);
	return 100.0 * (double)(lit(rig) - before) / (double)(rig->cycle - from);
}

/* ---- settings ---------------------------------------------------------------------- */

static void longest_name(struct rig *rig)
{
	static const char name[] = "a123456789012345678901234567890123456789012345678901234.example";
	char settings[100];

	CHECK(rig, strlen(name) == 63);
	strcpy(wifi_script(rig)->host[0].name, name);
	snprintf(settings, sizeof settings, "server=%s", name);
	wifi_start(rig, settings);
	CHECK(rig, says(rig, "show", name));
	CHECK(rig, ntp_wait_asked(rig, 80));
}

static void plain_address(struct rig *rig)
{
	wifi_start(rig, "server=\"192.0.2.99 192.0.2.123\"");
	CHECK(rig, says(rig, "server 192.0.2.123", "ok"));
	CHECK(rig, says(rig, "server 192.0.2.256", "expected: server"));
	CHECK(rig, says(rig, "server 1.2.3", "expected: server"));
	CHECK(rig, ntp_wait_asked(rig, 80));
	CHECK(rig, wifi_requests(rig, IP, RESOLVE, 0) == 0);
}

static void twice_the_same(struct rig *rig)
{
	wifi_start(rig, "server=\"ntp.example ntp.example\"");
	uint64_t since = rig->cycle;
	rig_run(rig, 1300);
	wifi_steady(rig, since);
	CHECK(rig, rig->server[0].requests == 3);
}

/* A zone that is none, typed or in the EEPROM, and a good one again. */
static void zone_bad_and_back(struct rig *rig)
{
	wifi_start(rig, "tz=CET-1CEST,M3.5.0,M10.5.0/3");
	uint64_t since = rig->cycle;
	rig_type(rig, "tz CET-1CEST,M3.5.0,M10.5\r");
	rig_run(rig, 0.5);
	CHECK(rig, rig_heard(rig, "expected: tz"));
	rig_run(rig, 3);
	wifi_steady(rig, since);
	CHECK(rig, says(rig, "tz JST-9", "ok"));
	rig_run(rig, 0.1);
	since = rig->cycle;
	rig_run(rig, 5);
	wifi_steady(rig, since);
}

static uint16_t crc16(const uint8_t *bytes, unsigned size)
{
	uint16_t crc = 0xffff;

	for (unsigned i = 0; i < size; i++) {
		crc ^= (uint16_t)(bytes[i] << 8);
		for (unsigned bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
	}
	return crc;
}

static void reseal(uint8_t *slot)
{
	uint16_t crc = crc16(slot, 254);

	slot[254] = (uint8_t)crc;
	slot[255] = (uint8_t)(crc >> 8);
}

/* A slot of another version, with a right CRC, is not for us, be it newer or the only one. */
static void other_version(struct rig *rig)
{
	rig_config(rig, "");
	uint8_t *slot = eeprom(rig);

	memcpy(slot + SLOT, slot, SLOT);
	slot[SLOT + 2] = 2;
	slot[SLOT + 3] = 9;
	memcpy(slot + SLOT + 4, "later", 6);
	reseal(slot + SLOT);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	rig_power(rig, false);
	rig_run(rig, 1);
	slot[2] = 0;
	reseal(slot);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "----01", 30));
	CHECK(rig, says(rig, "ssid net", "ok") && says(rig, "pass pass phrase", "ok"));
	CHECK(rig, says(rig, "server ntp.example", "ok") && says(rig, "save", "\nsaved"));
	CHECK(rig, rig_wait_time(rig, 30));
}

/* Values that no console lets in, with a right CRC. */
static void impossible_settings(struct rig *rig)
{
	static const struct { unsigned at; uint8_t value; } bad[] = {
		{ 36, 'x' }, { 101, 'x' }, { 149, 'x' }, { 213, 'x' }, { 214, 3 }, { 214, 0 }, { 215, 0x55 },
		{ 217, 0xff }, { 219, 6 }, { 220, 16 }, { 222, 0x7f },
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		rig_config(rig, "");
		eeprom(rig)[bad[i].at] = bad[i].value;
		reseal(eeprom(rig));
		rig_power(rig, true);
		rig_run(rig, 0.5);
		CHECK(rig, says(rig, "show", "pass: not set"));
		rig_power(rig, false);
		rig_run(rig, 0.1);
	}
}

/* From 08:00 to 08:00 is never, not always. */
static void dim_equal(struct rig *rig)
{
	start_before(rig, 1795132800 + 8 * 3600, 5, "dim=480,480,4");
	CHECK(rig, share(rig, 15) > 99.9);
}

/* 02:15 to 02:45 is not in the night that has no such hour; 01:15 to 01:45 comes twice in the one that has two. */
static void dim_in_the_gap(struct rig *rig)
{
	start_before(rig, SPRING, 5, "dim=135,165,4 tz=" NEW_YORK);
	CHECK(rig, share(rig, 15) > 99.9);
	rig_power(rig, false);
	start_before(rig, AUTUMN - 45 * 60, 5, "dim=75,105,4 tz=" NEW_YORK);
	CHECK(rig, share(rig, 4) > 99.9);
	until(rig, AUTUMN - 45 * 60, 100);
	CHECK(rig, fabs(share(rig, 4) - 25) < 2);
	until(rig, AUTUMN - 15 * 60, 100);
	CHECK(rig, share(rig, 4) > 99.9);
	until(rig, AUTUMN + 15 * 60, 100);
	CHECK(rig, fabs(share(rig, 4) - 25) < 2);
}

/* ---- nights ------------------------------------------------------------------------- */

/* Summer time begins while the module stands still, ends while there is no network. */
static void change_alone(struct rig *rig)
{
	start_before(rig, SPRING, 40, "tz=" NEW_YORK);
	uint64_t since = rig->cycle;
	wifi_script(rig)->hung = true;
	until(rig, SPRING + 30, 0);
	wifi_steady(rig, since);
	rig_power(rig, false);
	wifi_script(rig)->hung = false;
	start_before(rig, AUTUMN, 40, "tz=" NEW_YORK);
	since = rig->cycle;
	wifi_script(rig)->ssid[0] = '\0';
	wsim_drop(rig->wifi);
	until(rig, AUTUMN + 30, 0);
	wifi_steady(rig, since);
}

/* RESET 2 s before the hour changes: the new hour anyway. */
static void reset_at_change(struct rig *rig)
{
	start_before(rig, AUTUMN, 2, "tz=" NEW_YORK);
	wifi_script(rig)->ssid[0] = '\0';
	rig_button(rig);
	until(rig, AUTUMN + 3, 0);
	CHECK_TUBES(rig, "01000*");
	CHECK(rig, fabs(remainder(ntp_error(rig), 3600)) < 1);
}

/* The supply dips for 30 ms, again and again: that is power-on each time, and RAM is not believed. */
static void dips(struct rig *rig)
{
	wifi_start(rig, "");
	for (unsigned i = 0; i < 10; i++) {
		rig_power(rig, false);
		rig_run(rig, 0.03);
		rig_power(rig, true);
		rig_run(rig, 0.4 + i * 0.731);
	}
	wifi_script(rig)->ssid[0] = '\0';
	rig_power(rig, false);
	rig_run(rig, 0.03);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NETWORK, 30));
	rig_run(rig, 16);	/* the start's exercise is over: its end just before the first time looks like a flicker */
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, says(rig, "stat", "reset: power"));
	CHECK(rig, rig->gates.eeprom_writes == 0);
}

/* A leap second where the local hour of the exercise begins: 02:59:59 for two seconds, then the digits run. */
static void leap_before_exercise(struct rig *rig)
{
	rig->server[0].leap = 1;
	start_before(rig, LEAP, 20, "tz=MSK-3 flags=4");
	until(rig, LEAP - 1, 500);
	CHECK_TUBES(rig, "025959");
	rig->server[0].jump = -1;	/* it has counted the leap second, as a server does */
	rig->server[0].leap = 0;
	rig_run(rig, 1);
	CHECK_TUBES(rig, "025959");
	rig_run(rig, 0.75);
	CHECK_TUBES(rig, "000000");
	until(rig, LEAP + 600, 500);
	CHECK_TUBES(rig, "031000");
	uint64_t since = rig->cycle;
	rig_run(rig, 20);
	wifi_steady(rig, since);
}

/* ---- the console ----------------------------------------------------------------------- */

/* Somebody's cat, half an hour: no setting changes, no byte is written. */
static void cat(struct rig *rig)
{
	static const char paw[] = "erase ye\b\x1b[A\x7fqwertsave save\t ssid\x15time\r\nset pass\rtz\rdim 1:1\r\x03\x1a";
	uint32_t random = rig->seed;

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 3600; i++) {
		random = random * 1664525 + 1013904223;
		char key[2] = { paw[(random >> 16) % (sizeof paw - 1)], 0 };

		rig_type(rig, key);
		rig_run(rig, (random >> 8) % 1000 / 1000.0);
	}
	wifi_steady(rig, since);
	CHECK(rig, rig->gates.eeprom_writes == 0);
	rig_type(rig, "\x15\r");
	rig_run(rig, 0.2);
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	CHECK(rig, rig_heard(rig, "pass: set (11)"));
}

/* Set by hand to the last seconds of 32 bits: 1970 follows, nothing hangs, and the network puts it right. */
static void last_second(struct rig *rig)
{
	wifi_script(rig)->ssid[0] = '\0';
	rig_config(rig, "tz=" NEW_YORK);
	rig_power(rig, true);
	rig_run(rig, 20);
	CHECK(rig, says(rig, "time 4294967289", "ok"));
	rig_run(rig, 3);
	CHECK(rig, says(rig, "stat", "utc: 2106-02-07 06:28:1"));
	CHECK(rig, rig_heard(rig, "local: 01:28:1"));
	rig_run(rig, 6);
	CHECK(rig, says(rig, "stat", "utc: 1970-01-01 00:00:0"));
	CHECK(rig, rig_heard(rig, "local: 19:00:0"));
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 200));
}

const struct scenario scen_nights[] = {
	{ "longest-name", "a server's name of 63 characters", "the time", longest_name, 0 },
	{ "plain-address", "servers as addresses, the first one dead", "the time, without any DNS", plain_address, 0 },
	{ "twice-the-same", "the same name twice", "the time, not asked more often", twice_the_same, SCEN_PC },
	{ "zone-bad-and-back", "a bad zone, then another good one",
	    "the old one stays; the new one at once", zone_bad_and_back, 0 },
	{ "other-version", "a newer slot of another version; then the only one",
	    "the older slot; then code 01, and save works", other_version, 0 },
	{ "impossible-settings", "slots with a right CRC and wrong values", "none is taken", impossible_settings, 0 },
	{ "dim-equal", "dimming from 08:00 to 08:00", "never", dim_equal, 0 },
	{ "dim-in-the-gap", "dimming within the hour that is left out, that comes twice",
	    "never; twice", dim_in_the_gap, SCEN_PC },
	{ "change-alone", "summer time begins with a hung module, ends without network", "at its second", change_alone, 0 },
	{ "reset-at-change", "RESET 2 s before the end of summer time, no network", "the new hour", reset_at_change, 0 },
	{ "dips", "power dips of 30 ms, ten of them", "no time out of RAM; the time from the network", dips, SCEN_ERRORS },
	{ "leap-before-exercise", "a leap second at 03:00 local time",
	    "02:59:59 for 2 s, then the exercise", leap_before_exercise, SCEN_PC | SCEN_LIES },
	{ "cat", "half an hour of keys", "nothing is changed or written, the seconds continue", cat, SCEN_PC },
	{ "last-second", "`time` six seconds before the end of 32 bits", "1970, then the network's time", last_second, 0 },
	{ 0 },
};
