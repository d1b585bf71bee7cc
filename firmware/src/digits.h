/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of the 45 wired cathodes: digits to the 48 bits of the registers and back. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdbool.h>
#include <stdint.h>

enum { PLACES = 6, CATHODES = 45, WORD_BYTES = 6, DARK = 0xff };

/* How many digits place has: 3, 10, 6, 10, 6, 10 from hour tens on. */
uint8_t digits_of(uint8_t place);

/* A digit that is not wired, and DARK, leave the place dark. */
void digits_word(const uint8_t digit[PLACES], uint8_t word[WORD_BYTES]);

/* false: two bits in one place, or a bit that nothing hangs on. */
bool digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES]);

#endif
