/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For fuzz targets (fuzz_*.c).  A target defines LLVMFuzzerTestOneInput; the
 * rest is of use to the driver of fuzz.c only, and may be left out.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_ROOM = 2048 };	/* longest input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Good input number i, to start from, into data (FUZZ_ROOM bytes); its size, 0: there are no more. */
size_t fuzz_seed(unsigned i, uint8_t *data) __attribute__((weak));
/* Words that the parser knows, a NULL after the last. */
extern const char *const fuzz_words[] __attribute__((weak));

#endif
