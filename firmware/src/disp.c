/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of the tubes, by what is known: see disp.h. */
#include "disp.h"

#include <string.h>

#include "civil.h"
#include "clk.h"
#include "conf.h"
#include "digits.h"
#include "hal.h"
#include "net.h"
#include "sync.h"
#include "tz.h"

enum {
	TICK_MS = 50,			/* what is shown is written again each */
	TICKS = 20,			/* of a second */
	WALK_MS = 250,			/* a step of the self-test */
	START_MS = 15000,		/* the exercise on all tubes after power-on */
	CODE_MS = 5000,
	LATE_MS = 5,			/* the loop sees a second begin up to 10 ms late */
	CODE_SECONDS = 2,		/* of each minute: what is wrong while the time is shown */
	GLOOM = 64, BRIGHT = 96,	/* of 255: a dark room begins, ends */
	COLON_TICKS = 10,		/* of a second that the colon is lit */
	MINUTES_TENS = 2, SECONDS_TENS = 4,
	DATE_AT = 30,			/* second of the minute */
	EXERCISE_AT = 3 * 60,		/* minutes of the local day */
	EXERCISE_MINUTES = 10,
	EXERCISE_BEFORE = 60,		/* minutes before dark hours, when it would fall into them */
	EXERCISE_DARK_MINUTES = 15,
	EXERCISE_PERIOD = 15,		/* seconds after which 3, 6 and 10 digits begin again together */
	LEVEL_OFF = 0xff,		/* no high voltage */
};

/* Shown instead of the time, for a while: the start's exercise, the self-test, or a code. */
enum special {
	SPECIAL_NONE, SPECIAL_START,
	SPECIAL_WATCHDOG = CODE_WATCHDOG, SPECIAL_BROKEN = CODE_SELF_TEST,
	SPECIAL_TEST = 100,
};

static struct disp {
	int32_t offset;			/* local time minus UTC, right from `from` until `until` */
	uint32_t from, until;
	volatile uint32_t due;		/* the second whose picture is `next` */
	uint8_t next[WORD_BYTES];
	uint16_t since;			/* ms when `special` or its step began */
	uint16_t began;			/* ms when the second did */
	volatile uint8_t beat;		/* counts seconds shown */
	uint8_t seen;			/* of them, by the loop */
	uint8_t tick;			/* of the second: TICK_MS each */
	uint8_t special;		/* enum special */
	uint8_t step;			/* of the self-test */
	bool changed;			/* what is to be shown is another now */
	bool bad_zone;
	bool gloom;			/* the light sensor sees a dark room */
	bool fade;			/* of the next second's picture */
	struct tz rules;
} disp;

static void special(uint8_t what)
{
	struct disp *d = VIA(disp);

	d->special = what;
	d->step = 0;
	d->since = (uint16_t)hal_ms();
	d->changed = true;
}

void disp_init(void)
{
	memset(&disp, 0, sizeof(disp));
	hal_show(disp.next, false);
	disp_zone();
	special(SPECIAL_START);
	disp.began = disp.since;
}

void disp_zone(void)
{
	disp.bad_zone = !tz_parse(conf.tz, &disp.rules);
	disp.until = 0;			/* asked again */
	disp.changed = true;
}

void disp_test(void)
{
	special(SPECIAL_TEST);
}

void disp_watchdog(void)
{
	special(SPECIAL_WATCHDOG);
}

void disp_local(uint32_t utc, struct hms *time)
{
	struct disp *d = VIA(disp);
	const uint32_t day = 86400;
	uint32_t second;
	uint16_t rest;

	if (utc < d->from || utc >= d->until) {
		d->offset = tz_offset(&d->rules, utc, &d->until);
		d->from = utc;
	}
	/* offsets reach from -25 to 25 hours */
	second = utc % day + 2 * day + (uint32_t)d->offset;
	time->day = (uint16_t)(utc / day + second / day - 2);
	second %= day;
	time->hour = (uint8_t)(second / 3600);
	rest = (uint16_t)(second % 3600);
	time->minute = (uint8_t)(rest / 60);
	time->second = (uint8_t)(rest % 60);
}

/* Dimming hours, and the exercise */

static bool within(uint16_t minute, uint16_t from, uint16_t to)
{
	if (from <= to)
		return minute >= from && minute < to;
	return minute >= from || minute < to;
}

static bool in_dim_hours(uint16_t minute)
{
	return within(minute, conf.dim_from, conf.dim_to);
}

/* Not in dark hours: then an hour before they begin, and longer, as there is less light all day. */
static bool exercise_at(uint16_t minute, bool dark)
{
	uint16_t from = EXERCISE_AT, to = EXERCISE_AT + EXERCISE_MINUTES;

	if (dark && (in_dim_hours(from) || in_dim_hours(to - 1))) {
		from = (uint16_t)(conf.dim_from + DAY_MINUTES - EXERCISE_BEFORE) % DAY_MINUTES;
		to = (from + EXERCISE_DARK_MINUTES) % DAY_MINUTES;
	}
	return (conf.flags & CONF_EXERCISE) != 0 && within(minute, from, to);
}

/* Pictures: each fills digits that are all dark before */

static void two_digits(uint8_t number, uint8_t digit[2])
{
	digit[0] = number / 10;
	digit[1] = number % 10;
}

/* Each place from `place` on runs through its digits, two steps a second. */
static void exercise(uint8_t place, uint32_t utc, uint8_t tick, uint8_t digit[PLACES])
{
	uint8_t step = (uint8_t)(utc % EXERCISE_PERIOD * 2 + (tick >= TICKS / 2));

	for (; place < PLACES; place++)
		digit[place] = step % digits_of(place);
}

static void known_time(const struct hms *time, uint8_t digit[PLACES])
{
	uint8_t hour = time->hour;

	if ((conf.flags & CONF_12_HOURS) != 0) {
		if (hour >= 12)
			hour -= 12;
		if (hour == 0)
			hour = 12;
	}
	two_digits(hour, digit);
	if ((conf.flags & CONF_NO_ZERO) != 0 && digit[0] == 0)
		digit[0] = DARK;
	two_digits(time->minute, digit + MINUTES_TENS);
	if (sync_state() != SYNC_OLD)
		two_digits(time->second, digit + SECONDS_TENS);
}

/* As a slot machine: all places run, and stop at their digits one after the other. */
static void roll(uint8_t second, uint8_t tick, uint8_t digit[PLACES])
{
	uint16_t step = (uint16_t)(second * TICKS + tick), past = step * PLACES, stop = 0;

	for (uint8_t place = 0; place < PLACES; place++) {
		stop += (uint16_t)(conf.roll * TICKS);
		if (past < stop)
			digit[place] = (uint8_t)((step + place) % digits_of(place));
	}
}

/* Hour tens reach 2 and the others 5: a day has no room in the first two places, nor has a year. */
static void the_date(uint16_t day, uint8_t digit[PLACES])
{
	struct date date;
	uint8_t at = conf.date_form == DATE_DM ? SECONDS_TENS : 0;

	civil_date(day, &date);
	two_digits(date.day, digit + MINUTES_TENS);
	two_digits(date.month, digit + at);
	if (conf.date_form == DATE_MDY)
		two_digits(date.year % 100, digit + SECONDS_TENS);
}

/* Returns the code of a fault that exists although the time is known. */
static uint8_t standing_code(void)
{
	uint8_t code = net_code();

	if (sync_state() == SYNC_STALE)
		return code != CODE_NONE ? code : CODE_NO_ANSWER;
	return disp.bad_zone ? CODE_BAD_TZ : CODE_NONE;
}

/* One cathode after the other, by disp_step. */
static void walk(uint8_t digit[PLACES])
{
	uint8_t step = disp.step;

	for (uint8_t place = 0; place < PLACES; place++) {
		if (step < digits_of(place)) {
			digit[place] = step;
			return;
		}
		step -= digits_of(place);
	}
}

/* The content of a second: a code, otherwise the exercise from a place on, otherwise the time. */
struct view {
	uint8_t code;
	uint8_t run;		/* PLACES: no exercise */
	uint8_t level;
	bool date, roll;	/* in the time's place; digits that still roll */
	struct hms time;
};

static void view_known(uint32_t utc, struct view *view)
{
	bool dark = (conf.flags & CONF_NIGHT_DARK) != 0 || conf.dim_level == 0;
	bool dim;
	uint16_t minute;

	disp_local(utc, &view->time);
	minute = (uint16_t)(view->time.hour * 60 + view->time.minute);
	dim = in_dim_hours(minute);
	if (dim && dark)
		view->level = LEVEL_OFF;
	else if (exercise_at(minute, dark))
		view->run = 0;		/* never dimmed: it is to clean the cathodes */
	else if (dim || (disp.gloom && conf.dim_level > 0))
		view->level = conf.dim_level;
	if (view->run > 0 && view->time.second < CODE_SECONDS)
		view->code = standing_code();
	view->date = (uint8_t)(view->time.second - DATE_AT) < conf.date;
	view->roll = view->time.minute == 0 && view->time.second < conf.roll;
}

static void view_unknown(struct view *view)
{
	view->code = net_code();
	view->run = disp.special == SPECIAL_START ? 0 : SECONDS_TENS;
}

static void face(const struct view *view, uint8_t tick, uint8_t digit[PLACES])
{
	if (view->date)
		the_date(view->time.day, digit);
	else
		known_time(&view->time, digit);
	if (view->roll)
		roll(view->time.second, tick, digit);
}

/* The word of what utc shows, and its level. */
static uint8_t picture(uint32_t utc, uint8_t tick, uint8_t word[WORD_BYTES])
{
	struct view view = { .code = CODE_NONE, .run = PLACES, .level = DIM_FULL };
	uint8_t digit[PLACES], back[PLACES];

	memset(digit, DARK, PLACES);
	if (disp.special > SPECIAL_START)
		view.code = disp.special;
	else if (clk_known())
		view_known(utc, &view);
	else
		view_unknown(&view);
	if (view.code == SPECIAL_TEST)
		walk(digit);
	else if (view.level == LEVEL_OFF)
		;
	else if (view.code != CODE_NONE)
		two_digits(view.code, digit + SECONDS_TENS);
	else if (view.run < PLACES)
		exercise(view.run, utc, tick, digit);
	else
		face(&view, tick, digit);
	digits_word(digit, word);
	if (disp.special == SPECIAL_TEST && !(digits_read(word, back) && memcmp(back, digit, PLACES) == 0))
		special(SPECIAL_BROKEN);
	return view.level;
}

static void special_pass(struct disp *d, uint16_t ms)
{
	uint16_t past = ms - d->since;

	if (d->special == SPECIAL_NONE)
		return;
	if (d->special == SPECIAL_TEST) {
		if (past < WALK_MS)
			return;
		d->since += WALK_MS;
		if (++d->step == CATHODES)
			d->special = SPECIAL_NONE;
	} else {
		if (past < (d->special == SPECIAL_START ? START_MS : CODE_MS))
			return;
		d->special = SPECIAL_NONE;
	}
	d->changed = true;
}

/* false: a second began since beat, word is of the one before it. */
static bool show(uint8_t beat, const uint8_t word[WORD_BYTES], const uint8_t next[WORD_BYTES], uint32_t due,
    bool fade)
{
	struct disp *d = VIA(disp);
	uint8_t before = hal_lock();
	bool current = beat == d->beat;

	if (current) {
		memcpy(d->next, next, WORD_BYTES);
		d->due = due;
		hal_show(word, false);
		d->fade = fade;
	}
	hal_unlock(before);
	return current;
}

/* Does the tick of the second that is on the tubes still last? */
static bool lasts(struct disp *d, uint8_t beat, uint32_t due, uint16_t ms)
{
	uint8_t before = d->tick;

	if (beat != d->seen) {
		uint8_t light = hal_light();

		d->seen = beat;
		d->began = ms;
		if (light < GLOOM || light > BRIGHT)
			d->gloom = light < GLOOM;
	}
	d->tick = (uint8_t)((uint16_t)(ms - d->began + LATE_MS) / TICK_MS);
	return due == d->due && d->tick == before;
}

/* The colon blinks while the clock is synchronised and is lit in holdover; dark while the time is unknown or the tubes are dimmed. */
static bool colon(uint8_t level, uint8_t tick)
{
	enum sync_state state = sync_state();

	return level == DIM_FULL && (state == SYNC_FRESH ? tick < COLON_TICKS : state != SYNC_NEVER);
}

void disp_pass(void)
{
	struct disp *d = VIA(disp);
	uint8_t beat = d->beat;
	uint8_t word[WORD_BYTES], next[WORD_BYTES];
	uint16_t ms = (uint16_t)hal_ms();
	uint32_t due = clk_next();
	uint8_t level;
	bool fade;

	special_pass(d, ms);
	if (lasts(d, beat, due, ms) && !d->changed)
		return;
	d->changed = true;		/* until it is shown */
	level = picture(clk_unix(), d->tick, word);
	fade = picture(due, 0, next) == level && (conf.flags & CONF_FADE) != 0;
	if (level != LEVEL_OFF)
		hal_dim(level);
	if (!show(beat, word, next, due, fade))
		return;
	d->changed = false;
	hal_colon(colon(level, d->tick));
	hal_hv(level != LEVEL_OFF);	/* on after, off after: never on with an old picture */
}

void disp_second(void)
{
	disp.beat++;
	if (disp.due == clk_unix())
		hal_show(disp.next, disp.fade);
}
