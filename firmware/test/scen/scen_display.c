/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the display: faces, dimming, the exercise, the self-test, upsets. */
#include <stdio.h>
#include <string.h>

#include "scen_face.h"

enum {
	MINUTE_TENS = 2,		/* a place that always shows a digit */
	TWELVE = 1, NO_ZERO = 2,	/* flags in the EEPROM */
};

static const uint8_t wired[6] = { 3, 10, 6, 10, 6, 10 };

static void faces(struct rig *rig)
{
	static const struct {
		uint32_t second;
		const char *before, *after;
	} row[] = {
		{ 0, "115959", "120000" }, { 3600, "125959", "-10000" },
		{ 12 * 3600, "115959", "120000" }, { 13 * 3600, "125959", "-10000" },
		{ 10 * 3600, "-95959", "100000" },
	};
	char settings[40];

	snprintf(settings, sizeof(settings), "flags=%d", TWELVE | NO_ZERO);
	rig_config(rig, settings);
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		uint32_t utc = MIDNIGHT + DAY + row[i].second;

		face_start(rig, utc);
		face_at(rig, utc - 1, 500, row[i].before);
		face_at(rig, utc - 1, 940, row[i].before);
		face_at(rig, utc, 60, row[i].after);
	}
}

static void no_zero(struct rig *rig)
{
	rig_config(rig, "flags=2");
	face_start(rig, MIDNIGHT + DAY);
	face_at(rig, MIDNIGHT + DAY - 1, 500, "235959");
	face_at(rig, MIDNIGHT + DAY, 60, "-00000");
	face_start(rig, MIDNIGHT + 10 * 3600);
	face_at(rig, MIDNIGHT + 10 * 3600 - 1, 500, "-95959");
	face_at(rig, MIDNIGHT + 10 * 3600, 60, "100000");
}

/* Percent of the time that a place's cathodes are lit in the next seconds. */
static double share(struct rig *rig, double seconds)
{
	uint64_t before = 0, after = 0, from = rig->cycle;

	tubes_pass(&rig->tubes, rig->cycle);
	for (unsigned digit = 0; digit < 6; digit++)
		before += tubes_lit(&rig->tubes, MINUTE_TENS, digit);
	rig_run(rig, seconds);
	tubes_pass(&rig->tubes, rig->cycle);
	for (unsigned digit = 0; digit < 6; digit++)
		after += tubes_lit(&rig->tubes, MINUTE_TENS, digit);
	return 100.0 * (double)(after - before) / (double)(rig->cycle - from);
}

static void dimming(struct rig *rig)
{
	uint32_t evening = MIDNIGHT + 22 * 3600, morning = MIDNIGHT + DAY + 7 * 3600;

	rig_config(rig, "dim=1320,420,4 flags=0");
	face_start(rig, evening);
	CHECK(rig, share(rig, 4) > 99.9);
	face_until(rig, evening, 100);
	CHECK(rig, face_near(share(rig, 20), 25, 2));
	face_even(rig, 18);
	face_start(rig, morning);
	CHECK(rig, face_near(share(rig, 4), 25, 2));
	face_until(rig, morning, 30);
	CHECK(rig, share(rig, 10) > 99.9);
	face_even(rig, 9);
}

/* The colon blinks with the seconds. */
static void blinking(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 1);
	CHECK(rig, !rig->colon);
	CHECK(rig, rig_wait_time(rig, 30));
	for (unsigned i = 1; i <= 4; i++) {
		face_until(rig, rig_utc(rig, rig->cycle, NULL) + 1, 200);
		CHECK(rig, rig->colon);
		rig_run(rig, 0.5);
		CHECK(rig, !rig->colon);
	}
	rig_power(rig, false);
	CHECK(rig, !rig->colon);
}

/* The sensor sees a dark room at noon, and a bright one again. */
static void dark_room(struct rig *rig)
{
	rig_config(rig, "dim=0,0,4 flags=0");
	face_start(rig, MIDNIGHT + 12 * 3600);
	CHECK(rig, share(rig, 3) > 99.9);
	rig->light = 40;
	rig_run(rig, 3);
	CHECK(rig, face_near(share(rig, 6), 25, 2));
	CHECK(rig, !rig->colon);
	rig->light = 80;
	rig_run(rig, 3);
	CHECK(rig, face_near(share(rig, 2), 25, 2));
	rig->light = 200;
	rig_run(rig, 3);
	CHECK(rig, share(rig, 3) > 99.9);
	face_even(rig, 20);
}

/* Every level: its share, an even beat, digits that are right. */
static void levels(struct rig *rig)
{
	for (unsigned level = 1; level < 16; level++) {
		char settings[40];

		snprintf(settings, sizeof(settings), "dim=0,1439,%u flags=0", level);
		rig_config(rig, settings);
		face_start(rig, MIDNIGHT + 12 * 3600 + level * 3600 / 2);
		CHECK(rig, face_near(share(rig, 4), level * 100 / 16.0, 2));
		face_even(rig, 4);
	}
}

static void dark_night(struct rig *rig)
{
	uint32_t evening = MIDNIGHT + 22 * 3600, morning = MIDNIGHT + DAY + 7 * 3600;
	const struct tubes_change *change;
	uint64_t began;
	uint32_t changes;

	rig_config(rig, "dim=1320,420,4 flags=12");
	face_start(rig, evening);
	face_at(rig, evening - 1, 940, "215959");
	began = rig->cycle;
	face_at(rig, evening, 60, "      ");
	change = tubes_find(&rig->tubes, began, "      ");
	CHECK(rig, change && change == &rig->tubes.change[rig->tubes.changes - 1]);
	changes = rig->tubes.changes;
	rig_run(rig, 10);
	rig_button(rig);		/* the time continues, and the tubes stay dark */
	rig_run(rig, 30);
	CHECK(rig, rig->tubes.changes == changes);
	face_start_dark(rig, morning);
	face_at(rig, morning - 1, 900, "      ");
	changes = rig->tubes.changes;
	face_at(rig, morning, 60, "070000");
	CHECK(rig, rig->tubes.changes == changes + 1);
}

static void level_zero(struct rig *rig)
{
	rig_config(rig, "dim=720,780,0 flags=0");
	face_start(rig, MIDNIGHT + 12 * 3600);
	face_at(rig, MIDNIGHT + 12 * 3600 - 1, 500, "115959");
	face_at(rig, MIDNIGHT + 12 * 3600, 60, "      ");
	rig_run(rig, 20);
	CHECK_TUBES(rig, "      ");
	face_start_dark(rig, MIDNIGHT + 13 * 3600);
	face_at(rig, MIDNIGHT + 13 * 3600 - 1, 500, "      ");
	face_at(rig, MIDNIGHT + 13 * 3600, 60, "130000");
}

/* Steps of half a second from utc on, which is a multiple of 15. */
static void runs(struct rig *rig, uint32_t utc, unsigned from, unsigned steps)
{
	for (unsigned step = from; step < from + steps; step++) {
		char text[7];

		for (unsigned place = 0; place < 6; place++)
			text[place] = (char)('0' + step % wired[place]);
		text[6] = 0;
		face_at(rig, utc + step / 2, step % 2 * 500 + 250, text);
	}
}

static void exercise(struct rig *rig)
{
	uint32_t three = MIDNIGHT + DAY + 3 * 3600;

	rig_config(rig, "flags=4");
	face_start(rig, three);
	face_at(rig, three - 1, 940, "025959");
	runs(rig, three, 0, 40);
	face_start_dark(rig, three + 600);
	runs(rig, three, 1190, 10);
	face_at(rig, three + 600, 60, "031000");
	rig_config(rig, "flags=0");
	face_start(rig, three);
	face_at(rig, three, 500, "030000");
}

/* 01:59:59 EST, then 03:00:00 EDT: right into the exercise. */
static void exercise_dst(struct rig *rig)
{
	uint32_t change = 1805007600;	/* 2027-03-14 07:00:00 UTC */

	rig_config(rig, "tz=EST5EDT,M3.2.0,M11.1.0 dim=90,180,8 flags=4");
	face_start(rig, change);
	CHECK(rig, face_near(share(rig, 3), 50, 2));
	face_at(rig, change - 1, 940, "015959");
	runs(rig, change, 0, 10);
	tubes_pass(&rig->tubes, rig->cycle);
	CHECK(rig, share(rig, 2) > 99.9);
	face_start_dark(rig, change + 600);
	face_at(rig, change + 600, 60, "031000");
	CHECK(rig, share(rig, 2) > 99.9);
}

static uint64_t least_lit(struct rig *rig)
{
	uint64_t least = UINT64_MAX;

	tubes_pass(&rig->tubes, rig->cycle);
	for (unsigned place = 0; place < 6; place++)
		for (unsigned digit = 0; digit < wired[place]; digit++)
			if (tubes_lit(&rig->tubes, place, digit) < least)
				least = tubes_lit(&rig->tubes, place, digit);
	return least;
}

/* A day from noon to noon, with the worst settings for the cathodes. */
static void day_of(struct rig *rig, const char *settings)
{
	rig_config(rig, settings);
	face_start(rig, MIDNIGHT + 12 * 3600);
	memset(rig->tubes.lit, 0, sizeof(rig->tubes.lit));
	rig->beat_ms = RIG_QUIET_MS;
	rig_run(rig, DAY);
	CHECK(rig, least_lit(rig) >= (uint64_t)(60 * SIM_HZ));
}

static void cathodes(struct rig *rig)
{
	day_of(rig, "flags=4");
	day_of(rig, "flags=7 dim=1080,600,0");
}

/* The console's `test`: each cathode once, in the order of the places. */
static void walk(struct rig *rig)
{
	const struct tubes *tubes = &rig->tubes;
	uint32_t first;

	rig_config(rig, "");
	face_start(rig, MIDNIGHT + 12 * 3600);
	rig_command(rig, "test");
	CHECK(rig, rig_wait(rig, "0-----", 2));
	first = tubes->changes - 1;
	rig_run(rig, 12);
	for (unsigned place = 0, i = 0; place < 6; place++)
		for (unsigned digit = 0; digit < wired[place]; digit++, i++) {
			char text[] = "------";

			text[place] = (char)('0' + digit);
			CHECK(rig, first + i < tubes->changes && strcmp(tubes->change[first + i].text, text) == 0);
		}
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(0.5 * SIM_HZ), rig->cycle) < 50);
	rig_run(rig, 5);
	face_even(rig, 4);
}

/* Wrong bits that an upset leaves in the registers are gone after 50 ms, dimmed or not. */
static void upset(struct rig *rig)
{
	static const char *const settings[] = { "flags=0", "flags=0 dim=0,1439,8" };

	for (unsigned i = 0; i < 2; i++) {
		rig_config(rig, settings[i]);
		face_start(rig, MIDNIGHT + 12 * 3600);
		for (unsigned n = 0; n < 20; n++) {
			char expected[7];

			face_until(rig, MIDNIGHT + 12 * 3600 + n, 100 + n * 37);
			rig->tubes.latched = rig->tubes.shift = n * 0x123456789abULL;
			rig_run(rig, 0.06);
			rig_expected(rig, rig->cycle, expected);
			CHECK_TUBES(rig, expected);
		}
		rig->tubes.bad = 0;
		rig->tubes.slowest_flicker = 0;
	}
}

/* An EEPROM with a zone that is none: UTC, and code 30 for 2 s of each minute. */
static void bad_zone(struct rig *rig)
{
	uint32_t noon = MIDNIGHT + 12 * 3600;

	rig_config(rig, "tz=nowhere");
	rig_zone(rig, "UTC0");
	face_start(rig, noon);
	face_at(rig, noon - 1, 940, "115959");
	face_at(rig, noon, 60, "----30");
	face_at(rig, noon + 1, 940, "----30");
	face_at(rig, noon + 2, 60, "120002");
}

/* While the network is slow, digits run: on all tubes for 15 s, then on the seconds' ones. */
static void slow_start(struct rig *rig)
{
	rig_config(rig, "");
	wsim_script(rig->wifi)->join_ms = 17500;
	rig_power(rig, true);
	rig_run(rig, 14.5);
	CHECK(rig, strchr(tubes_at(&rig->tubes, rig->cycle), '-') == NULL);
	rig_run(rig, 2);
	CHECK_TUBES(rig, "----**");
	CHECK(rig, tubes_at(&rig->tubes, rig->cycle)[5] != '-');
	CHECK(rig, rig_wait_time(rig, 20));
}

/* Each setting of the console shows as soon as it is taken. */
static void settings_at_once(struct rig *rig)
{
	uint32_t one = MIDNIGHT + 13 * 3600;

	rig_config(rig, "flags=0");
	face_start(rig, one);
	face_until(rig, one + 1, 0);
	rig_command(rig, "hours 12");
	rig_run(rig, 0.06);
	CHECK_TUBES(rig, "0100**");
	rig_command(rig, "zero off");
	rig_run(rig, 0.06);
	CHECK_TUBES(rig, "-100**");
	rig_command(rig, "dim 13:00 14:00 4");
	rig_run(rig, 0.06);
	CHECK(rig, face_near(share(rig, 4), 25, 2));
	rig_command(rig, "night dark");
	rig_run(rig, 0.06);
	CHECK_TUBES(rig, "      ");
	rig_command(rig, "test");	/* seen in the dark, too */
	CHECK(rig, rig_wait(rig, "--0---", 6));
	CHECK(rig, rig_wait(rig, "      ", 12));
	rig_command(rig, "night dim");
	rig_run(rig, 0.06);
	CHECK_TUBES(rig, "-100**");
	rig_command(rig, "dim 13:00 13:00 4");
	rig_run(rig, 0.06);
	CHECK(rig, share(rig, 1) > 99.9);
}

/* Dimmed from 23:00 to 01:00 over New Year, with the network and the console busy. */
static void dimmed_year(struct rig *rig)
{
	const uint32_t year = 1798761600;	/* 2027-01-01 00:00:00 UTC */

	rig_config(rig, "dim=1380,60,3 flags=0");
	face_start(rig, year);
	for (unsigned i = 0; i < 10; i++) {
		rig_type(rig, i & 1 ? "show\r" : "stat\r");
		face_until(rig, year - 4 + i, 0);
	}
	face_even(rig, 9);
	face_at(rig, year + 6, 60, "000006");
	CHECK(rig, face_near(share(rig, 4), 18.75, 2));
	face_start(rig, year + 3600);
	face_at(rig, year + 3600, 60, "010000");
	CHECK(rig, share(rig, 2) > 99.9);
}

/* A watchdog's bite in the dark: code 40 for 5 s, then dark again. */
static void bite_at_night(struct rig *rig)
{
	rig_config(rig, "dim=1320,420,4 flags=8");
	face_start_dark(rig, MIDNIGHT + 23 * 3600);
	CHECK_TUBES(rig, "      ");
	rig->cpu->hang(rig);
	CHECK(rig, rig_wait(rig, "----40", 3));
	rig_run(rig, 4.5);
	CHECK_TUBES(rig, "----40");
	CHECK(rig, rig_wait(rig, "      ", 1));
	rig_run(rig, 20);
	CHECK_TUBES(rig, "      ");
}

const struct scenario scen_display[] = {
	{ "faces", "12 hours without leading zero", "12 at noon and midnight, no zero before 1 to 9", faces, 0 },
	{ "no-zero", "24 hours without leading zero", "00:00 and 09:59 begin dark", no_zero, 0 },
	{ "dimming", "22:00 to 07:00 at 4/16", "lit 25 % of the time, an even beat; off at 07:00", dimming, 0 },
	{ "colon", "power-on, then the time", "the colon is dark, then lit in the first half of each second", blinking, 0 },
	{ "light", "a dark room at noon, then a bright one", "lit 25 % of the time, then always", dark_room, 0 },
	{ "levels", "each level of dimming", "its share of light, an even beat", levels, 0 },
	{ "dark-night", "no light from 22:00 to 07:00, RESET in it",
	    "dark at the second, dark after RESET, 07:00:00 first", dark_night, 0 },
	{ "level-zero", "dimming to level 0", "dark from 12:00:00 to 13:00:00", level_zero, 0 },
	{ "exercise", "03:00 to 03:10 local time",
	    "all digits run, two steps a second; the time before and after", exercise, 0 },
	{ "exercise-dst", "summer time begins at 03:00, ends a dim hour",
	    "the exercise at once, full light", exercise_dst, 0 },
	{ "cathodes", "a day of 24 hours, a day with a long dark night",
	    "each wired cathode is lit for a minute a day", cathodes, SCEN_PC },
	{ "walk", "`test` on the console", "45 cathodes once each, then the time", walk, 0 },
	{ "upset", "noise in the registers", "the time again within 50 ms", upset, 0 },
	{ "bad-zone", "a zone that is none in the EEPROM", "UTC, code 30 for 2 s of each minute", bad_zone, 0 },
	{ "slow-start", "17 s until the network is joined", "digits run on all tubes, then on two", slow_start, 0 },
	{ "settings-at-once", "hours, zero, dim, night, test on the console",
	    "each on the tubes as soon as it is taken", settings_at_once, 0 },
	{ "dimmed-year", "New Year while dimmed, the console busy", "an even beat, the share of light", dimmed_year, 0 },
	{ "bite-at-night", "main loop hangs in the dark hours", "code 40 for 5 s, then dark", bite_at_night, SCEN_HANG },
	{ 0 },
};
