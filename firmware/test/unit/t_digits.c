/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the cathodes against the reference's examples, masks and every time of the day. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "digits.h"

/* Bits of each place, from the netlist; the three bits that belong to none. */
static const uint8_t mask[PLACES][WORD_BYTES] = {
	{ 0x07 }, { 0xf0, 0x3f }, { 0, 0, 0x3f }, { 0, 0, 0xc0, 0xff }, { 0, 0, 0, 0, 0x3f }, { 0, 0, 0, 0, 0xc0, 0xff },
};
static const uint8_t wired[PLACES] = { 3, 10, 6, 10, 6, 10 };

static void examples(void **state)
{
	static const struct {
		uint8_t digit[PLACES], word[WORD_BYTES];
	} row[] = {
		{ { 0, 0, 0, 0, 0, 0 }, { 0x11, 0x00, 0x41, 0x00, 0x41, 0x00 } },
		{ { 1, 2, 3, 4, 5, 6 }, { 0x42, 0x00, 0x08, 0x04, 0x20, 0x40 } },
		{ { 2, 3, 5, 9, 5, 9 }, { 0x84, 0x00, 0x20, 0x08, 0x20, 0x08 } },
		{ { 1, 9, 0, 8, 2, 7 }, { 0x02, 0x02, 0x01, 0x10, 0x04, 0x20 } },
		{ { DARK, DARK, DARK, DARK, DARK, DARK }, { 0 } },
	};
	uint8_t word[WORD_BYTES];

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		digits_word(row[i].digit, word);
		assert_memory_equal(word, row[i].word, WORD_BYTES);
	}
}

static void every_time(void **state)
{
	(void)state;
	for (uint32_t t = 0; t < 86400; t++) {
		uint32_t h = t / 3600, m = t / 60 % 60, s = t % 60;
		uint8_t digit[PLACES] = { (uint8_t)(h / 10), (uint8_t)(h % 10), (uint8_t)(m / 10),
		    (uint8_t)(m % 10), (uint8_t)(s / 10), (uint8_t)(s % 10) };
		uint8_t word[WORD_BYTES], back[PLACES];
		unsigned bits = 0;

		digits_word(digit, word);
		for (unsigned i = 0; i < WORD_BYTES; i++)
			bits += (unsigned)__builtin_popcount(word[i]);
		assert_int_equal(bits, 6);
		assert_true(digits_read(word, back));
		assert_memory_equal(back, digit, PLACES);
	}
}

/* Each digit alone lights one bit of its place, no two the same one. */
static void cathodes(void **state)
{
	uint64_t all = 0;

	(void)state;
	for (unsigned place = 0; place < PLACES; place++) {
		assert_int_equal(digits_of((uint8_t)place), wired[place]);
		for (uint8_t digit = 0; digit < 10; digit++) {
			uint8_t one[PLACES] = { DARK, DARK, DARK, DARK, DARK, DARK }, word[WORD_BYTES];
			uint64_t bits = 0;

			one[place] = digit;
			digits_word(one, word);
			for (unsigned i = 0; i < WORD_BYTES; i++) {
				assert_int_equal(word[i] & ~mask[place][i], 0);
				bits |= (uint64_t)word[i] << 8 * i;
			}
			assert_int_equal(__builtin_popcountll(bits), digit < wired[place]);
			assert_int_equal(all & bits, 0);
			all |= bits;
		}
	}
	assert_int_equal(__builtin_popcountll(all), 45);
}

/* Every pair of bits: readable only when both are wired and in two places. */
static void pairs(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 48; a++)
		for (unsigned b = 0; b < 48; b++) {
			uint8_t word[WORD_BYTES] = { 0 }, digit[PLACES];
			unsigned found_a = PLACES, found_b = PLACES;

			word[a / 8] |= (uint8_t)(1 << a % 8);
			word[b / 8] |= (uint8_t)(1 << b % 8);
			for (unsigned i = 0; i < PLACES; i++) {
				if (mask[i][a / 8] >> a % 8 & 1)
					found_a = i;
				if (mask[i][b / 8] >> b % 8 & 1)
					found_b = i;
			}
			assert_int_equal(digits_read(word, digit),
			    found_a < PLACES && found_b < PLACES && (a == b || found_a != found_b));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples), cmocka_unit_test(every_time),
		cmocka_unit_test(cathodes), cmocka_unit_test(pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
