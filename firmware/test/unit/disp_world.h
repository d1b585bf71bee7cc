/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A clock, a network and a board made up for disp.c, and digits.c with a table
 * that can be broken.  For the tests of what the tubes show: a test file
 * includes it once.
 */
#ifndef DISP_WORLD_H
#define DISP_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "clk.h"
#include "conf.h"
#include "digits.h"
#include "disp.h"
#include "hal.h"
#include "net.h"
#include "sync.h"

/* digits.c with a table that can be broken. */
static bool true_digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES]);
#define digits_read true_digits_read
#include "digits.c"
#undef digits_read

static bool table_broken;

bool digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES])
{
	return !table_broken && true_digits_read(word, digit);
}

struct conf conf;

/* The world: ms since start, UTC of the second shown, the elapsed part of that second. */
static uint32_t world_ms, world_utc, world_next, world_part;
static bool world_known, world_leap;
static enum sync_state world_sync;
static uint8_t world_code;
/* Effects on the board. */
static uint8_t shown[WORD_BYTES], level;
static bool colon_lit;
static uint8_t world_light = 255;
static bool high_voltage, fades;	/* fades: as the last picture that was another one came */
static unsigned shows;
static uint64_t lit_ms[PLACES][10];	/* times 16 */
/* An interrupt in the middle: at the n-th call of the world from now. */
static int interrupt_in = -1;
static unsigned locks;

static void begin_second(void)
{
	world_utc = world_next;
	world_next = world_leap ? world_utc : world_utc + 1;
	world_leap = false;
	world_part = 0;
	disp_second();
}

static void called(void)
{
	if (interrupt_in >= 0 && interrupt_in-- == 0)
		begin_second();
}

bool clk_known(void) { called(); return world_known; }
uint32_t clk_unix(void) { called(); return world_utc; }
uint32_t clk_next(void) { called(); return world_next; }
enum sync_state sync_state(void) { called(); return world_sync; }
uint8_t net_code(void) { called(); return world_code; }
uint32_t hal_ms(void) { called(); return world_ms; }

uint8_t hal_lock(void)
{
	called();
	locks++;
	return 0;
}

void hal_unlock(uint8_t before)
{
	assert_int_equal(before, 0);
	assert_int_equal(locks, 1);
	locks--;
	called();
}

void hal_show(const uint8_t word[6], bool fade)
{
	uint8_t digit[PLACES];

	assert_true(true_digits_read(word, digit));
	if (memcmp(shown, word, sizeof(shown)) != 0)
		fades = fade;
	memcpy(shown, word, sizeof(shown));
	shows++;
}

void hal_dim(uint8_t to)
{
	assert_true(to > 0 && to <= 16);
	level = to;
}

uint8_t hal_light(void)
{
	return world_light;
}

void hal_colon(bool on)
{
	colon_lit = on;
}

void hal_hv(bool on)
{
	static const uint8_t dark[WORD_BYTES];

	if (on && !high_voltage)
		assert_true(shows > 0);
	if (!on && high_voltage)
		assert_memory_equal(shown, dark, WORD_BYTES);
	high_voltage = on;
}

/* The tubes as text; no high voltage: spaces. */
static inline const char *tubes(void)
{
	static char text[PLACES + 1];
	uint8_t digit[PLACES];

	true_digits_read(shown, digit);
	for (unsigned i = 0; i < PLACES; i++)
		text[i] = !high_voltage ? ' ' : digit[i] == DARK ? '-' : (char)('0' + digit[i]);
	return text;
}

static inline void count_lit(uint32_t ms)
{
	uint8_t digit[PLACES];

	true_digits_read(shown, digit);
	for (unsigned i = 0; i < PLACES && high_voltage; i++)
		if (digit[i] != DARK)
			lit_ms[i][digit[i]] += (uint64_t)ms * level;
}

/* Lets time pass in steps that fit into a second. */
static inline void run(uint32_t ms, uint32_t step)
{
	for (; ms > 0; ms -= step) {
		world_ms += step;
		world_part += step;
		count_lit(step);
		if (world_part >= 1000)
			begin_second();
		disp_pass();
		assert_int_equal(locks, 0);
	}
}

static inline int setup(void **state)
{
	(void)state;
	memset(&conf, 0, sizeof(conf));
	strcpy(conf.tz, "UTC0");
	conf.flags = CONF_EXERCISE;
	world_ms = 4294966000U;		/* hal_ms wraps in each test */
	world_utc = 0;
	world_next = 1;
	world_part = 0;
	world_known = world_leap = table_broken = false;
	world_sync = SYNC_NEVER;
	world_code = CODE_NONE;
	memset(shown, 0xff, sizeof(shown));
	memset(lit_ms, 0, sizeof(lit_ms));
	level = 16;
	high_voltage = fades = false;
	shows = 0;
	interrupt_in = -1;
	locks = 0;
	disp_init();
	assert_false(high_voltage);
	return 0;
}

/* The clock is known: utc begins now. */
static inline void set_time(uint32_t utc)
{
	world_known = true;
	world_sync = SYNC_FRESH;
	world_utc = utc;
	world_next = utc + 1;
	world_part = 0;
	disp_pass();
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

#endif
