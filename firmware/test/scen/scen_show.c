/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the show: the roll of the hour, digits that fade, the date. */
#include <stdio.h>
#include <string.h>

#include "scen_face.h"

enum { ONE = MIDNIGHT + 13 * 3600, FADE_MS = 340, ONES = 5 };

static const uint8_t wired[6] = { 3, 10, 6, 10, 6, 10 };

/* So many changes of what is to be read since cycle from. */
static unsigned changes(const struct rig *rig, uint64_t from)
{
	unsigned n = 0;

	for (uint32_t i = rig->tubes.changes; i > 0 && rig->tubes.change[i - 1].cycle >= from; i--)
		n++;
	return n;
}

/* Six seconds: a place stops each second, from the left; each shows all its digits before. */
static void roll(struct rig *rig)
{
	uint16_t seen[6] = { 0 };
	uint64_t began;

	rig_config(rig, "roll=6 flags=0");
	face_start(rig, ONE);
	face_at(rig, ONE - 1, 940, "125959");
	began = rig->cycle;
	for (unsigned ms = 100; ms < 5990; ms += 20) {
		const char *text;
		char now[7];

		face_until(rig, ONE + ms / 1000, ms % 1000);
		text = tubes_at(&rig->tubes, rig->cycle);
		snprintf(now, sizeof now, "13000%u", ms / 1000);
		for (unsigned place = 0; place < 6; place++) {
			CHECK(rig, text[place] != '-');
			if (ms < place * 1000 + 900)
				seen[place] |= (uint16_t)(1U << (text[place] - '0'));
			else if (ms > place * 1000 + 1100)
				CHECK(rig, text[place] == now[place]);
		}
	}
	for (unsigned place = 0; place < 6; place++)
		CHECK(rig, seen[place] == (1U << wired[place]) - 1);
	CHECK(rig, changes(rig, began) > 100);
	face_at(rig, ONE + 6, 60, "130006");
	face_until(rig, ONE + 14, 500);
	face_even(rig, 7);
	face_start(rig, ONE + 60);		/* not at a minute */
	face_at(rig, ONE + 60, 60, "130100");
}

/* In a dim hour, of twelve hours; none; in a dark one. */
static void roll_otherwise(struct rig *rig)
{
	rig_config(rig, "roll=4 dim=780,840,4 flags=3");
	face_start(rig, ONE);
	face_at(rig, ONE + 4, 60, "-10004");
	rig_config(rig, "roll=0 flags=0");
	face_start(rig, ONE);
	face_at(rig, ONE, 60, "130000");
	face_at(rig, ONE + 1, 940, "130001");
	rig_config(rig, "roll=4 dim=780,840,0 flags=0");	/* dark hours stay dark */
	face_start(rig, ONE);
	face_at(rig, ONE, 60, "      ");
	face_at(rig, ONE + 2, 60, "      ");
}

static uint64_t lit(struct rig *rig, unsigned digit)
{
	tubes_pass(&rig->tubes, rig->cycle);
	return tubes_lit(&rig->tubes, ONES, digit);
}

/* Percent of some ms that the cathode of each of two digits glows. */
static void shares(struct rig *rig, unsigned ms, unsigned old, unsigned new, double percent[2])
{
	uint64_t from = rig->cycle, before[2] = { lit(rig, old), lit(rig, new) };

	rig_run(rig, ms / 1e3);
	percent[0] = 100.0 * (double)(lit(rig, old) - before[0]) / (double)(rig->cycle - from);
	percent[1] = 100.0 * (double)(lit(rig, new) - before[1]) / (double)(rig->cycle - from);
}

/* The old digit and the new one share all the light there is, the new one gets more and more of it. */
static void fades(struct rig *rig, double light, unsigned step)
{
	double last = 0, percent[2];

	for (unsigned second = 1; second < 9; second++, last = 0) {
		face_until(rig, ONE + second, 2);
		for (unsigned ms = 0; ms < FADE_MS - 40; ms += step) {
			shares(rig, step, second - 1, second, percent);
			CHECK(rig, face_near(percent[0] + percent[1], light, light / 16 + 1));
			CHECK(rig, percent[1] > last - 0.5 && (ms > FADE_MS / 2 || percent[0] > 0));
			last = percent[1];
		}
		CHECK(rig, last > light / 2);
		face_until(rig, ONE + second, FADE_MS + 10);
		shares(rig, 600, second - 1, second, percent);
		CHECK(rig, percent[0] == 0 && face_near(percent[1], light, light / 16 + 1));
	}
	face_even(rig, 8);
	CHECK(rig, rig->tubes.slowest_flicker > SIM_HZ / 130 && rig->tubes.slowest_flicker <= SIM_HZ / 100);
}

static void fade(struct rig *rig)
{
	rig_config(rig, "flags=16");
	face_start(rig, ONE);
	fades(rig, 100, 8);
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(5 * SIM_HZ), rig->cycle) < 20);
}

static void fade_dimmed(struct rig *rig)
{
	rig_config(rig, "flags=16 dim=0,1439,4");
	face_start(rig, ONE);
	fades(rig, 25, 8);
	rig_config(rig, "flags=16 dim=0,1439,1");
	face_start(rig, ONE);
	fades(rig, 6.4, 48);
}

/* A picture that is repeated every 50 ms leaves it alone; another picture ends it. */
static void fade_upset(struct rig *rig)
{
	rig_config(rig, "flags=16");
	face_start(rig, ONE);
	for (unsigned second = 1; second < 9; second++) {
		face_until(rig, ONE + second, 30 * second);
		rig->tubes.latched = rig->tubes.shift = second * 0x123456789abULL;
		rig_run(rig, 0.4);
		CHECK_TUBES(rig, "13000*");
		CHECK(rig, tubes_at(&rig->tubes, rig->cycle)[5] == (char)('0' + second));
	}
	rig->tubes.bad = 0;
	rig->tubes.slowest_flicker = 0;
	face_until(rig, ONE + 10, 100);
	rig_type(rig, "fade off\r");
	face_until(rig, ONE + 12, 100);
	rig->tubes.slowest_flicker = 0;
	rig_run(rig, 5);
	CHECK(rig, rig->tubes.slowest_flicker == 0);
	face_even(rig, 4);
}

/* From second 30 on, of the local day. */
static void date(struct rig *rig)
{
	static const struct {
		const char *settings, *shown, *time;
	} row[] = {
		{ "date=5,0 flags=0", "--2011", "130035" }, { "date=5,1 flags=0", "1120--", "130035" },
		{ "date=5,2 flags=0", "112026", "130035" }, { "date=5,2 flags=0 tz=XXX-11", "112126", "000035" },
		{ "date=5,0 flags=0 tz=XXX13:01", "--1911", "235935" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		rig_config(rig, row[i].settings);
		face_start(rig, ONE + 30);
		CHECK(rig, strcmp(tubes_at(&rig->tubes, rig->cycle), row[i].shown) != 0);
		face_at(rig, ONE + 31, 60, row[i].shown);
		face_at(rig, ONE + 34, 900, row[i].shown);
		face_at(rig, ONE + 35, 60, row[i].time);
	}
	rig_config(rig, "date=0,2 flags=0");
	face_start(rig, ONE + 30);
	face_at(rig, ONE + 30, 60, "130030");
	face_even(rig, 4);
}

/* All of it for three hours, over the exercise; the time in between is right, and each second even. */
static void all_of_it(struct rig *rig)
{
	rig_config(rig, "roll=10 date=5,2 flags=20 dim=1320,150,5");
	face_start(rig, MIDNIGHT + 2 * 3600);
	for (unsigned minute = 1; minute < 3 * 60; minute += 7) {
		uint32_t utc = MIDNIGHT + 2 * 3600 + minute * 60;
		char text[7];

		snprintf(text, sizeof text, "%02u%02u25", 2 + minute / 60, minute % 60);
		if (minute / 10 != 6)
			face_at(rig, utc + 25, 500, text);
		face_at(rig, utc + 32, 500, minute / 10 == 6 ? "******" : "112026");
		face_until(rig, utc + 50, 500);
		CHECK(rig, minute / 10 == 6 || rig_error_ms(rig, rig->cycle - (uint64_t)(10 * SIM_HZ), rig->cycle) < 50);
	}
}

const struct scenario scen_show[] = {
	{ "roll", "the hour, with a roll of 6 s", "places run through their digits, one after the other stops", roll, 0 },
	{ "roll-otherwise", "a roll while dimmed, in the dark; none", "it ends at the time; dark stays dark", roll_otherwise, 0 },
	{ "fade", "fading digits", "old and new share the light at 125 Hz, an even beat", fade, 0 },
	{ "fade-dimmed", "fading digits while dimmed to 4/16", "they share 25 % of the time", fade_dimmed, 0 },
	{ "fade-upset", "noise in the registers while digits fade; fade off", "the time; no fading", fade_upset, 0 },
	{ "date", "the date for 5 s, in each form, over midnight", "day and month of the local day, then the time", date, 0 },
	{ "all-of-it", "roll, date, fading, dimming, exercise", "the time in between, no flicker", all_of_it, SCEN_PC },
	{ 0 },
};
