/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* conf.c on an EEPROM of the test's own, whose power fails at any byte; slots are read back by the test, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "conf.h"
#include "hal.h"
#include "winc.h"

enum { SLOT = 256, ROOM = 1024, DAY_MS = 86400000 };
enum torn { TORN_OLD, TORN_NEW, TORN_ERASED, TORN_RANDOM };

static struct {
	uint8_t byte[ROOM];
	unsigned writes, power_for;	/* bytes */
	enum torn torn;
	unsigned busy;			/* asks until the write is through */
	int stuck;			/* address whose bit 0 stays set; -1 */
} ee;
static uint32_t now_ms;

uint32_t hal_ms(void)
{
	return now_ms;
}

uint8_t hal_ee_read(uint16_t at)
{
	assert_in_range(at, 0, ROOM - 1);
	return ee.byte[at];
}

bool hal_ee_busy(void)
{
	if (ee.busy == 0)
		return false;
	ee.busy--;
	return true;
}

/* Returns the byte that remains when power fails in the middle of a write. */
static uint8_t torn_byte(uint8_t before, uint8_t after)
{
	switch (ee.torn) {
	case TORN_OLD: return before;
	case TORN_NEW: return after;
	case TORN_ERASED: return 0xff;
	default: return (uint8_t)rand();
	}
}

void hal_ee_write(uint16_t at, uint8_t byte)
{
	assert_in_range(at, 0, ROOM - 1);
	assert_int_equal(ee.busy, 0);
	if (ee.writes >= ee.power_for) {
		if (ee.writes == ee.power_for)
			ee.byte[at] = torn_byte(ee.byte[at], byte);
		ee.writes = ee.power_for + 1;
		return;
	}
	ee.writes++;
	ee.byte[at] = byte;
	if (at == ee.stuck)
		ee.byte[at] |= 1;
	ee.busy = 2;
}

/* CRC-16/CCITT-FALSE as the CRC catalogue gives it: "123456789" has 0x29b1. */
static uint16_t crc(const uint8_t *bytes, size_t size)
{
	uint16_t value = 0xffff;

	for (size_t i = 0; i < size; i++)
		for (int bit = 7; bit >= 0; bit--)
			value = (uint16_t)((value << 1) ^ (((value >> 15) ^ (bytes[i] >> bit & 1)) ? 0x1021 : 0));
	return value;
}

static void seal(uint8_t *slot)
{
	uint16_t value = crc(slot, 254);

	slot[254] = value & 0xff;
	slot[255] = (uint8_t)(value >> 8);
}

/* A slot by the table of the reference. */
static void make_slot(uint8_t *slot, uint8_t sequence, const char *ssid, const char *pass)
{
	memset(slot, 0, SLOT);
	slot[0] = 0x58;
	slot[1] = 0x4e;
	slot[2] = 1;
	slot[3] = sequence;
	strcpy((char *)slot + 4, ssid);
	strcpy((char *)slot + 37, pass);
	strcpy((char *)slot + 102, "CET-1CEST,M3.5.0,M10.5.0/3");
	strcpy((char *)slot + 150, "a.example b.example");
	slot[214] = 2;
	slot[215] = 5;
	slot[216] = 1320 & 0xff;
	slot[217] = 1320 >> 8;
	slot[218] = 420 & 0xff;
	slot[219] = 420 >> 8;
	slot[220] = 4;
	slot[221] = 0x38;	/* -200 */
	slot[222] = 0xff;
	slot[223] = 60;		/* roll; date, its form */
	slot[224] = 29;
	slot[225] = 2;
	seal(slot);
}

static void blank(void)
{
	memset(&ee, 0, sizeof ee);
	memset(ee.byte, 0xff, sizeof ee.byte);
	ee.power_for = 1000000;
	ee.stuck = -1;
	now_ms = 0;
}

static enum conf_progress finish(void)
{
	for (unsigned i = 0; i < 20000; i++) {
		unsigned before = ee.writes;
		enum conf_progress progress = conf_pass();

		assert_in_range(ee.writes - before, 0, 1);
		if (progress != CONF_BUSY)
			return progress;
	}
	fail();
	return CONF_FAILED;
}

static void set(const char *ssid, const char *pass)
{
	memset(conf.ssid, 0, sizeof conf.ssid);
	memset(conf.pass, 0, sizeof conf.pass);
	strcpy(conf.ssid, ssid);
	strcpy(conf.pass, pass);
}

static void empty_has_defaults(void **state)
{
	(void)state;
	blank();
	memset(&conf, 0xaa, sizeof conf);
	assert_false(conf_load());
	assert_string_equal(conf.ssid, "");
	assert_string_equal(conf.pass, "");
	assert_string_equal(conf.tz, "UTC0");
	assert_string_equal(conf.server, "pool.ntp.org");
	assert_int_equal(conf.security, WINC_WPA);
	assert_int_equal(conf.flags, CONF_EXERCISE);
	assert_int_equal(conf.dim_from, conf.dim_to);
	assert_int_equal(conf.rate, 0);
	assert_int_equal(conf_pass(), CONF_IDLE);
}

static void reads_the_reference(void **state)
{
	(void)state;
	assert_int_equal(crc((const uint8_t *)"123456789", 9), 0x29b1);
	blank();
	make_slot(ee.byte, 9, "net", "pass phrase");
	assert_true(conf_load());
	assert_string_equal(conf.ssid, "net");
	assert_string_equal(conf.pass, "pass phrase");
	assert_string_equal(conf.tz, "CET-1CEST,M3.5.0,M10.5.0/3");
	assert_string_equal(conf.server, "a.example b.example");
	assert_int_equal(conf.security, WINC_WPA);
	assert_int_equal(conf.flags, CONF_12_HOURS | CONF_EXERCISE);
	assert_int_equal(conf.dim_from, 1320);
	assert_int_equal(conf.dim_to, 420);
	assert_int_equal(conf.dim_level, 4);
	assert_int_equal(conf.roll, 60);
	assert_int_equal(conf.date, 29);
	assert_int_equal(conf.date_form, DATE_MDY);
	assert_int_equal(conf.rate, -200);
}

static void writes_the_reference(void **state)
{
	uint8_t expected[SLOT];

	(void)state;
	blank();
	make_slot(ee.byte, 9, "net", "pass phrase");
	make_slot(expected, 10, "net", "pass phrase");
	assert_true(conf_load());
	conf_save();
	assert_int_equal(finish(), CONF_DONE);
	assert_memory_equal(ee.byte + SLOT, expected, SLOT);
	assert_int_equal(conf_pass(), CONF_IDLE);
	/* and into the other one next, where only the sequence and the CRC differ */
	ee.writes = 0;
	make_slot(expected, 11, "net", "pass phrase");
	conf_save();
	assert_int_equal(finish(), CONF_DONE);
	assert_memory_equal(ee.byte, expected, SLOT);
	assert_in_range(ee.writes, 1, 5);
	for (unsigned i = 2 * SLOT; i < ROOM; i++)
		assert_int_equal(ee.byte[i], 0xff);
}

static void newer_wins(void **state)
{
	(void)state;
	for (int a = 0; a < 256; a++) {
		blank();
		make_slot(ee.byte, (uint8_t)a, "old", "12345678");
		make_slot(ee.byte + SLOT, (uint8_t)(a + 1), "new", "12345678");
		assert_true(conf_load());
		assert_string_equal(conf.ssid, "new");
		make_slot(ee.byte, (uint8_t)(a + 2), "newest", "12345678");
		assert_true(conf_load());
		assert_string_equal(conf.ssid, "newest");
	}
}

static void hundreds_of_saves(void **state)
{
	char name[8] = "net000";

	(void)state;
	blank();
	conf_load();
	for (int i = 0; i < 600; i++) {
		name[3] = (char)('0' + i / 100);
		name[4] = (char)('0' + i / 10 % 10);
		name[5] = (char)('0' + i % 10);
		set(name, "12345678");
		conf_save();
		assert_int_equal(finish(), CONF_DONE);
		if (i % 7 == 0) {
			assert_true(conf_load());
			assert_string_equal(conf.ssid, name);
		}
	}
}

/* A slot with a right CRC and a wrong content, and one with a wrong CRC. */
static void bad_slots(void **state)
{
	static const struct { unsigned at, size; uint8_t byte; } bad[] = {
		{ 0, 1, 0 }, { 1, 1, 0x4f }, { 2, 1, 0 }, { 2, 1, 2 },
		{ 4, 33, 'x' }, { 37, 65, 'x' }, { 102, 48, 'x' }, { 150, 64, 'x' },
		{ 214, 1, 0 }, { 214, 1, 3 }, { 217, 1, 0xff }, { 219, 1, 6 }, { 220, 1, 16 }, { 222, 1, 0x7f }, { 222, 1, 0x80 },
		{ 215, 1, 0x20 }, { 223, 1, 61 }, { 224, 1, 30 }, { 225, 1, 3 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		blank();
		make_slot(ee.byte, 1, "old", "12345678");
		make_slot(ee.byte + SLOT, 2, "new", "12345678");
		memset(ee.byte + SLOT + bad[i].at, bad[i].byte, bad[i].size);
		seal(ee.byte + SLOT);
		assert_true(conf_load());
		assert_string_equal(conf.ssid, "old");
	}
	for (unsigned bit = 0; bit < SLOT * 8; bit++) {
		blank();
		make_slot(ee.byte, 1, "old", "12345678");
		make_slot(ee.byte + SLOT, 2, "new", "12345678");
		ee.byte[SLOT + bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_true(conf_load());
		assert_string_equal(conf.ssid, "old");
	}
}

static void check_old_or_new(void)
{
	bool is_new = strcmp(conf.ssid, "the new one") == 0;

	assert_string_equal(conf.ssid, is_new ? "the new one" : "old");
	assert_string_equal(conf.pass, is_new ? "another phrase" : "first phrase");
	assert_string_equal(conf.server, is_new ? "c.example" : "a.example b.example");
}

/* Power fails at write number cut of a save from slot `from` on; then a save must work. */
static void cut_save(unsigned from, unsigned cut, enum torn torn, bool *reached_end)
{
	blank();
	make_slot(ee.byte + from * SLOT, 200, "old", "first phrase");
	make_slot(ee.byte + (1 - from) * SLOT, 199, "older", "other phrase");
	assert_true(conf_load());
	set("the new one", "another phrase");
	memset(conf.server, 0, sizeof conf.server);
	strcpy(conf.server, "c.example");
	ee.power_for = cut;
	ee.torn = torn;
	conf_save();
	*reached_end = finish() == CONF_DONE && ee.writes <= cut;
	ee.power_for = 1000000;
	ee.busy = 0;
	assert_true(conf_load());
	check_old_or_new();
	if (*reached_end)
		assert_string_equal(conf.ssid, "the new one");
	conf_save();
	assert_int_equal(finish(), CONF_DONE);
	assert_true(conf_load());
	check_old_or_new();
}

static void power_cut_after_each_byte(void **state)
{
	(void)state;
	for (unsigned from = 0; from < 2; from++) {
		for (enum torn torn = TORN_OLD; torn <= TORN_RANDOM; torn++) {
			bool ended = false;

			for (unsigned cut = 0; !ended; cut++) {
				assert_in_range(cut, 0, 300);
				cut_save(from, cut, torn, &ended);
			}
		}
	}
}

/* The very first save: nothing or all of it. */
static void power_cut_in_the_first_save(void **state)
{
	(void)state;
	for (unsigned cut = 0; cut <= 260; cut++) {
		blank();
		conf_load();
		set("the new one", "another phrase");
		ee.power_for = cut;
		ee.torn = cut % 2 ? TORN_RANDOM : TORN_ERASED;
		conf_save();
		finish();
		ee.power_for = 1000000;
		ee.busy = 0;
		if (conf_load())
			assert_string_equal(conf.pass, "another phrase");
		else
			assert_string_equal(conf.pass, "");
	}
	assert_true(conf_load());
}

static void a_change_while_it_saves(void **state)
{
	(void)state;
	for (unsigned passes = 0; passes < 700; passes += 3) {
		blank();
		conf_load();
		set("one", "11111111");
		conf_save();
		for (unsigned i = 0; i < passes; i++)
			conf_pass();
		set("two two", "22222222");
		conf_save();
		assert_int_equal(finish(), CONF_DONE);
		assert_int_equal(conf_pass(), CONF_IDLE);
		assert_true(conf_load());
		assert_string_equal(conf.ssid, "two two");
		assert_string_equal(conf.pass, "22222222");
	}
}

static void worn_byte(void **state)
{
	(void)state;
	blank();
	make_slot(ee.byte, 1, "old", "12345678");
	conf_load();
	set("bbb", "12345678");
	ee.stuck = SLOT + 4;	/* 'b' is 0x62 */
	conf_save();
	assert_int_equal(finish(), CONF_FAILED);
	assert_int_equal(conf_pass(), CONF_IDLE);
	assert_true(conf_load());
	assert_string_equal(conf.ssid, "old");
}

static void erase_leaves_nothing(void **state)
{
	(void)state;
	blank();
	make_slot(ee.byte, 1, "old", "first phrase");
	make_slot(ee.byte + SLOT, 2, "new", "other phrase");
	conf_load();
	conf_erase();
	assert_string_equal(conf.pass, "");
	assert_int_equal(finish(), CONF_DONE);
	for (unsigned i = 0; i < ROOM; i++)
		assert_int_equal(ee.byte[i], 0xff);
	assert_false(conf_load());
	set("next", "12345678");
	conf_save();
	assert_int_equal(finish(), CONF_DONE);
	assert_true(conf_load());
	assert_string_equal(conf.ssid, "next");
}

/* An erase that power cut short leaves all of the last settings, or none; never older ones. */
static void power_cut_in_an_erase(void **state)
{
	(void)state;
	for (unsigned from = 0; from < 2; from++) {
		for (unsigned cut = 0; cut < 512; cut++) {
			blank();
			make_slot(ee.byte + from * SLOT, 2, "new", "other phrase");
			make_slot(ee.byte + (1 - from) * SLOT, 1, "old", "first phrase");
			conf_load();
			ee.power_for = cut;
			ee.torn = TORN_RANDOM;
			conf_erase();
			finish();
			ee.power_for = 1000000;
			ee.busy = 0;
			if (conf_load())
				assert_string_equal(conf.ssid, "new");
		}
	}
}

static void rate_once_a_day(void **state)
{
	(void)state;
	blank();
	make_slot(ee.byte, 1, "net", "first phrase");
	conf_load();
	conf.ssid[0] = 'N';	/* not saved */
	conf_keep_rate(-100);
	assert_int_equal(conf_pass(), CONF_IDLE);
	now_ms = DAY_MS + 65536;
	conf_keep_rate(-209);
	assert_int_equal(conf_pass(), CONF_IDLE);
	conf_keep_rate(-190);
	assert_int_equal(finish(), CONF_DONE);
	conf_keep_rate(500);
	assert_int_equal(conf_pass(), CONF_IDLE);
	now_ms += DAY_MS - 70000;
	conf_keep_rate(500);
	assert_int_equal(conf_pass(), CONF_IDLE);
	assert_string_equal(conf.ssid, "Net");
	assert_true(conf_load());
	assert_int_equal(conf.rate, -190);
	assert_string_equal(conf.ssid, "net");
	assert_string_equal(conf.pass, "first phrase");
	assert_int_equal(ee.byte[SLOT + 3], 2);
}

/* hal_ms wraps after 49.7 days: one save a day before and after. */
static void rate_over_the_wrap(void **state)
{
	unsigned saves = 0;

	(void)state;
	blank();
	make_slot(ee.byte, 1, "net", "first phrase");
	conf_load();
	for (unsigned hour = 0; hour < 24 * 120; hour++) {
		now_ms += 3600000;
		conf_keep_rate(hour % 2 ? 100 : -100);
		if (finish() == CONF_DONE)
			saves++;
	}
	assert_in_range(saves, 100, 120);
}

static void rate_without_settings(void **state)
{
	(void)state;
	blank();
	conf_load();
	now_ms = 2 * DAY_MS;
	conf_keep_rate(300);
	assert_int_equal(conf_pass(), CONF_IDLE);
	assert_int_equal(ee.writes, 0);
	/* a slot that rots while the clock runs is not copied */
	make_slot(ee.byte, 1, "net", "first phrase");
	now_ms = 0;
	conf_load();
	ee.byte[40] ^= 1;
	now_ms = 2 * DAY_MS;
	conf_keep_rate(300);
	assert_int_equal(conf_pass(), CONF_IDLE);
	assert_int_equal(ee.writes, 0);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(empty_has_defaults), TEST(reads_the_reference), TEST(writes_the_reference),
		TEST(newer_wins), TEST(hundreds_of_saves), TEST(bad_slots), TEST(power_cut_after_each_byte),
		TEST(power_cut_in_the_first_save), TEST(a_change_while_it_saves), TEST(worn_byte),
		TEST(erase_leaves_nothing), TEST(power_cut_in_an_erase), TEST(rate_once_a_day),
		TEST(rate_over_the_wrap), TEST(rate_without_settings),
	};

	srand(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
