/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the cathodes, and the two ways through it. */
#include "digits.h"

#include <string.h>

#include "hal.h"

/* Which of the 48 bits lights a digit, place after place; bit n of word[k] is 8k + n. */
static FLASH uint8_t digit_bit[CATHODES] = {
	0, 1, 2,
	4, 5, 6, 7, 8, 13, 12, 11, 10, 9,
	16, 17, 18, 19, 20, 21,
	22, 23, 24, 25, 26, 31, 30, 29, 28, 27,
	32, 33, 34, 35, 36, 37,
	38, 39, 40, 41, 42, 47, 46, 45, 44, 43,
};

static FLASH uint8_t digit_first[PLACES + 1] = { 0, 3, 13, 19, 29, 35, CATHODES };

uint8_t digits_of(uint8_t place)
{
	return digit_first[place + 1] - digit_first[place];
}

void digits_word(const uint8_t digit[PLACES], uint8_t word[WORD_BYTES])
{
	memset(word, 0, WORD_BYTES);
	for (uint8_t place = 0; place < PLACES; place++) {
		uint8_t bit;

		if (digit[place] >= digits_of(place))
			continue;
		bit = digit_bit[digit_first[place] + digit[place]];
		word[bit / 8] |= (uint8_t)(1 << bit % 8);
	}
}

bool digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES])
{
	uint8_t again[WORD_BYTES];
	uint8_t n = 0;

	for (uint8_t place = 0; place < PLACES; place++) {
		digit[place] = DARK;
		for (uint8_t i = 0; i < digits_of(place); i++, n++)
			if ((word[digit_bit[n] / 8] >> digit_bit[n] % 8 & 1) != 0)
				digit[place] = i;
	}
	digits_word(digit, again);	/* has only the bits of one digit per place */
	return memcmp(word, again, WORD_BYTES) == 0;
}
