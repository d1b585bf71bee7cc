/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the calendar and the zones: daylight time, New Year, 2036, 2038, 2100, leap seconds. */
#include <string.h>

#include "scen_ntp.h"

#define NEW_YORK "tz=EST5EDT,M3.2.0,M11.1.0 "
#define BERLIN "tz=CET-1CEST,M3.5.0,M10.5.0/3 "

enum { TO_DST = 1836457200, TO_STD = 1793512800 };		/* New York, 2028 and 2026 */
enum { BERLIN_TO_DST = 1837645200 };

/* The time is known half a minute before the server has utc; it has before seconds then. */
static void known_before(struct rig *rig, const char *settings, uint32_t utc, uint32_t before)
{
	rig_power(rig, false);
	rig_config(rig, settings);
	rig_set_utc(rig, utc - before);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, rig_utc(rig, rig->cycle, NULL) < utc);
}

/* To the middle of the server's second utc. */
static void run_into(struct rig *rig, uint32_t utc)
{
	uint32_t frac, now = rig_utc(rig, rig->cycle, &frac);

	CHECK(rig, (int32_t)(utc - now) >= 0);
	rig_run(rig, (double)(utc - now) + 0.5 - frac / 4294967296.0);
}

/* The tubes second by second from the server's second utc on, in the middle of each. */
static void shows(struct rig *rig, uint32_t utc, const char *const text[])
{
	run_into(rig, utc);
	for (; *text; text++) {
		CHECK_TUBES(rig, *text);
		if (text[1])
			rig_run(rig, 1);
	}
}

#define SHOWS(rig, utc, ...) shows(rig, utc, (const char *const[]){ __VA_ARGS__, NULL })

/* ---- daylight time ----------------------------------------------------------- */

static void new_york(struct rig *rig)
{
	known_before(rig, NEW_YORK, TO_DST, 40);
	SHOWS(rig, TO_DST - 2, "015958", "015959", "030000", "030001");
	known_before(rig, NEW_YORK, TO_STD, 40);
	SHOWS(rig, TO_STD - 2, "015958", "015959", "010000", "010001");
	rig_run(rig, 5);
	ntp_steady(rig, 12);
}

/* The zone changes to the second while there is no network. */
static void change_offline(struct rig *rig)
{
	known_before(rig, BERLIN, BERLIN_TO_DST, 600);
	wsim_script(rig->wifi)->ssid[0] = '\0';
	wsim_drop(rig->wifi);
	SHOWS(rig, BERLIN_TO_DST - 2, "015958", "015959", "030000", "030001");
	rig_run(rig, 60);
	ntp_steady(rig, 70);
}

/* 01:59:59 to 03:00:00 inside the dark hours, which end at 03:00 that morning. */
static void change_dimmed(struct rig *rig)
{
	known_before(rig, BERLIN "dim=1320,180,4 ", BERLIN_TO_DST, 40);
	SHOWS(rig, BERLIN_TO_DST - 2, "015958", "015959", "030000");
	rig_run(rig, 1);
	uint64_t before = 0, after = 0, from = rig->cycle;
	for (unsigned bit = 0; bit < 3; bit++)
		before += rig->tubes.lit[bit];
	rig_run(rig, 10);
	for (unsigned bit = 0; bit < 3; bit++)
		after += rig->tubes.lit[bit];
	CHECK(rig, (double)(after - before) >= 0.99 * (double)(rig->cycle - from));
	ntp_steady(rig, 12);
}

static void half_hour_zone(struct rig *rig)
{
	known_before(rig, "tz=<+1030>-10:30<+11>-11,M10.1.0,M4.1.0 ", 1838214000, 40);
	SHOWS(rig, 1838214000 - 2, "015958", "015959", "013000", "013001");
	known_before(rig, "tz=<+1030>-10:30<+11>-11,M10.1.0,M4.1.0 ", 1853940600, 40);
	SHOWS(rig, 1853940600 - 2, "015958", "015959", "023000", "023001");
	known_before(rig, "tz=<+0545>-5:45 ", 1853940600, 40);
	ntp_steady(rig, 2);
}

/* A change at every kind of rule, on the tubes against the host's C library. */
static void all_zones(struct rig *rig)
{
	static const struct { const char *tz; uint32_t at[2]; } row[] = {
		{ "EST5EDT,M3.2.0,M11.1.0", { 1836457200, 1857016800 } },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", { 1837645200, 1856394000 } },
		{ "GMT0BST,M3.5.0/1,M10.5.0", { 1837645200, 1856394000 } },
		{ "AEST-10AEDT,M10.1.0,M4.1.0/3", { 1853942400, 1838217600 } },
		{ "IST-1GMT0,M10.5.0,M3.5.0/1", { 1856394000, 1837645200 } },
		{ "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", { 1837645200, 1856394000 } },
		{ "<-04>4<-03>,M9.1.6/24,M4.1.6/24", { 1851566400, 1838257200 } },
		{ "EET-2EEST,M4.5.5/0,M10.5.4/24", { 1840485600, 1856206800 } },
		{ "NST3:30NDT,M3.2.0,M11.1.0", { 1836451800, 1857011400 } }, { "XXX3YYY2,J60/0,J300/0", { 1835492400, 1856224800 } },
		{ "XXX3YYY2,59/0,299/0", { 1835406000, 1856138400 } },
	};
	char settings[80];

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		for (unsigned k = 0; k < 2; k++) {
			strcpy(settings, "tz=");
			strcat(settings, row[i].tz);
			known_before(rig, settings, row[i].at[k], 30);
			run_into(rig, row[i].at[k] + 3);
			ntp_steady(rig, 6);
		}
	}
}

/* The change back of each year from 2026 on. */
static void ten_years(struct rig *rig)
{
	static const uint32_t to_std[] = {
		1793512800, 1825567200, 1857016800, 1888466400, 1919916000,
		1951365600, 1983420000, 2014869600, 2046319200, 2077768800,
	};

	for (unsigned i = 0; i < sizeof to_std / sizeof to_std[0]; i++) {
		known_before(rig, NEW_YORK, to_std[i], 30);
		SHOWS(rig, to_std[i] - 1, "015959", "010000");
	}
}

/* ---- the calendar ------------------------------------------------------------ */

static void new_year(struct rig *rig)
{
	known_before(rig, "", 1798761600, 30);
	SHOWS(rig, 1798761600 - 2, "235958", "235959", "000000", "000001");
	ntp_steady(rig, 4);
}

static void leap_day(struct rig *rig)
{
	known_before(rig, "", 1835395200, 30);		/* 2028-02-29 */
	SHOWS(rig, 1835395200 - 1, "235959", "000000");
	rig_command(rig, "stat");
	CHECK(rig, rig_heard(rig, "2028-02-29"));
}

/* A server may not say 2100 yet: by hand. */
static void year_2100(struct rig *rig)
{
	rig_config(rig, "");
	wsim_script(rig->wifi)->ssid[0] = '\0';
	rig_power(rig, true);
	rig_run(rig, 3);
	rig_command(rig, "time 4107542385");
	rig_command(rig, "stat");
	CHECK(rig, rig_heard(rig, "2100-02-28"));
	CHECK(rig, rig_wait(rig, "2359**", 5));
	CHECK(rig, rig_wait(rig, "0000**", 20));
	rig_forget(rig);
	rig_command(rig, "stat");
	CHECK(rig, rig_heard(rig, "2100-03-01"));
}

/* The 32 bits end: it continues, in 1970. */
static void year_2106(struct rig *rig)
{
	rig_config(rig, NEW_YORK);
	wsim_script(rig->wifi)->ssid[0] = '\0';
	rig_power(rig, true);
	rig_run(rig, 3);
	rig_command(rig, "time 4294967285");
	CHECK(rig, rig_wait(rig, "0128**", 5));
	CHECK(rig, rig_wait(rig, "190005", 20));	/* 1970-01-01 */
}

static void era(struct rig *rig)
{
	known_before(rig, "", 2085978496, 30);
	SHOWS(rig, 2085978496 - 6, "062810", "062811", "062812", "062813", "062814",
	    "062815", "062816", "062817", "062818", "062819", "062820");
	rig_run(rig, 120);		/* the next reply comes from the new era */
	CHECK(rig, rig->server[0].requests >= 2);
	ntp_steady(rig, 120);
	known_before(rig, "", 2085978526, 30);
	ntp_steady(rig, 2);
}

/* Asked in one era, answered in the next. */
static void era_in_flight(struct rig *rig)
{
	for (unsigned i = 0; i < 3; i++) {
		rig_power(rig, false);
		rig_config(rig, "");
		rig->server[0].back_ms = 700;
		rig_set_utc(rig, 2085978496 - 4 - i);
		rig_power(rig, true);
		rig_run(rig, 20);
		CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(5 * SIM_HZ), rig->cycle) <= 450);
	}
}

static void year_2038(struct rig *rig)
{
	known_before(rig, "", 2147483648, 30);
	SHOWS(rig, 2147483648 - 2, "031406", "031407", "031408", "031409");
	rig_run(rig, 100);
	ntp_steady(rig, 100);
}

/* ---- leap seconds ------------------------------------------------------------ */

enum { JULY = 1814400000 };	/* 2027-07-01 */

/* Known in good time before midnight, at least twice asked since the server announces it. */
static void announced(struct rig *rig, const char *settings, uint32_t midnight, uint8_t leap)
{
	known_before(rig, settings, midnight, 120);
	rig->server[0].leap = leap;
	rig_run(rig, 80);
	CHECK(rig, rig->server[0].requests >= 2);
}

/* The server's clock by POSIX: its second before midnight comes twice. */
static void insert(struct rig *rig, const char *settings, const char *const text[], bool at_once)
{
	announced(rig, settings, JULY, 1);
	run_into(rig, JULY - 1);
	CHECK_TUBES(rig, text[0]);
	rig_run(rig, 0.5);
	rig->server[0].jump -= 1;
	uint32_t before = rig->server[0].requests;
	if (at_once)
		rig_command(rig, "sync");
	run_into(rig, JULY - 1);
	CHECK_TUBES(rig, text[0]);
	CHECK(rig, rig->server[0].requests == before + at_once);
	rig_run(rig, 1);
	CHECK_TUBES(rig, text[1]);
	rig->server[0].leap = 0;
	rig_run(rig, 700);
	ntp_steady(rig, 690);
}

static void leap_insert(struct rig *rig)
{
	insert(rig, "", (const char *const[]){ "235959", "000000" }, false);
}

static void leap_at_noon(struct rig *rig)
{
	insert(rig, "tz=NZST-12 ", (const char *const[]){ "115959", "120000" }, false);
}

static void leap_sync(struct rig *rig)
{
	insert(rig, "", (const char *const[]){ "235959", "000000" }, true);
}

static void leap_delete(struct rig *rig)
{
	announced(rig, "", JULY, 2);
	run_into(rig, JULY - 2);
	CHECK_TUBES(rig, "235958");
	rig_run(rig, 0.5);
	rig->server[0].jump += 1;
	run_into(rig, JULY);
	CHECK_TUBES(rig, "000000");
	rig->server[0].leap = 0;
	rig_run(rig, 700);
	ntp_steady(rig, 690);
}

/* Announced, and taken back by the next reply. */
static void leap_withdrawn(struct rig *rig)
{
	known_before(rig, "", JULY, 1000);
	rig->server[0].leap = 1;
	rig_run(rig, 100);
	CHECK(rig, rig->server[0].requests >= 2);
	rig->server[0].leap = 0;
	rig_run(rig, 600);
	CHECK(rig, rig->server[0].requests >= 3);
	SHOWS(rig, JULY - 1, "235959", "000000", "000001");
	ntp_steady(rig, 500);
}

/* At the end of May, and not on the last day of June. */
static void leap_elsewhere(struct rig *rig)
{
	static const uint32_t midnight[] = { JULY - 30 * 86400, JULY - 86400, JULY + 31 * 86400 };

	for (unsigned i = 0; i < 3; i++) {
		announced(rig, "", midnight[i], 1);
		SHOWS(rig, midnight[i] - 1, "235959", "000000", "000001");
		rig->server[0].leap = 0;
	}
}

/* Not announced: the server is a second behind from midnight on. */
static void leap_silent(struct rig *rig)
{
	known_before(rig, "", JULY, 120);
	run_into(rig, JULY);
	rig->server[0].jump -= 1;
	rig_run(rig, 3 * 3600);
	ntp_steady(rig, 60);
}

const struct scenario scen_time[] = {
	{ "dst-new-york", "New York, both changes", "01:59:59, 03:00:00; 01:59:59, 01:00:00", new_york, 0 },
	{ "dst-offline", "the change while there is no network", "to the second", change_offline, 0 },
	{ "dst-dimmed", "the change ends the dim hours", "to the second, then full light", change_dimmed, 0 },
	{ "dst-half-hour", "Lord Howe and Kathmandu", "01:59:59, 01:30:00; 01:59:59, 02:30:00", half_hour_zone, 0 },
	{ "dst-table", "every kind of rule", "as the host's C library", all_zones, 0 },
	{ "dst-ten-years", "the autumn changes of ten years", "01:59:59, 01:00:00", ten_years, 0 },
	{ "new-year", "31 December 2026", "23:59:59, 00:00:00", new_year, 0 },
	{ "leap-day", "28 February 2028", "29 February", leap_day, 0 },
	{ "year-2100", "28 February 2100, set by hand", "1 March", year_2100, 0 },
	{ "year-2106", "the end of the 32 bits, set by hand", "goes on", year_2106, 0 },
	{ "era-2036", "2036-02-07 06:28:10 to 20", "no jump, sync on either side", era, 0 },
	{ "era-in-flight", "asked before the era's end, answered after it", "set right", era_in_flight, 0 },
	{ "year-2038", "2038-01-19 03:14:06", "no jump", year_2038, 0 },
	{ "leap-insert", "inserted on 30 June", "59 for two seconds, right after it", leap_insert, SCEN_LIES },
	{ "leap-noon", "inserted, at noon in Auckland", "11:59:59 for two seconds", leap_at_noon, SCEN_LIES },
	{ "leap-sync", "a reply in the inserted second", "59 for two seconds, not three", leap_sync, SCEN_LIES },
	{ "leap-delete", "deleted on 30 June", "58, 00", leap_delete, SCEN_LIES },
	{ "leap-withdrawn", "announced and withdrawn", "no leap", leap_withdrawn, 0 },
	{ "leap-elsewhere", "announced in May, on 29 June and in July", "ignored", leap_elsewhere, 0 },
	{ "leap-silent", "inserted by the server silently", "right again within hours", leap_silent, SCEN_PC | SCEN_LIES },
	{ 0 },
};
