/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masks: each way that this processor has against bytes one by one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "check.h"
#include "icecore/masks.h"

#define LONG (5 * MASK_BYTES + 3)	/* bytes */
#define ROUNDS 20000

static const char any[3] = { ',', '\n', '\r' };

static bool
is_any(char c)
{
	return c == any[0] || c == any[1] || c == any[2];
}

static size_t
plain(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.s[n] > 0 && (unsigned char)s.s[n] < 0x80)
		n++;
	return n;
}

static void
check_text(struct str s)
{
	uint64_t mask[LONG / MASK_BYTES + 2] = { 0 }, other[LONG / MASK_BYTES + 2] = { 0 };
	size_t whole = s.n / MASK_BYTES, front = plain(s);

	masks_find(s, any, mask);
	for (size_t i = 0; i < (s.n + MASK_BYTES - 1) / MASK_BYTES * MASK_BYTES; i++)
		assert_int_equal(mask[i / MASK_BYTES] >> i % MASK_BYTES & 1, i < s.n && is_any(s.s[i]));
	assert_int_equal(mask[(s.n + MASK_BYTES - 1) / MASK_BYTES], 0);
	assert_int_equal(masks_plain(s), front);
	for (const struct masks_way *w = masks_ways;; w++) {
		if (!w->runs())
			continue;
		w->find(s.s, whole, any, other);
		assert_memory_equal(other, mask, whole * sizeof *mask);
		front = front < whole * MASK_BYTES ? front - front % MASK_BYTES : whole * MASK_BYTES;
		assert_int_equal(w->plain(s.s, whole), front);
		if (strcmp(w->name, "C") == 0)
			break;
	}
}

/* Random bytes, often those that are looked for, at each alignment; the memory ends with them, so that a sanitizer sees a byte too many. */
static void
random_texts(void **state)
{
	static const char often[] = { ',', '\n', '\r', '\0', '\x80', '\xff', '\x7f', ',' + 1, '\n' - 1 };
	size_t n, at;
	char *s;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		n = below(LONG);
		at = below(MASK_BYTES);
		assert_non_null(s = malloc(at + n + 1));
		memset(s, 'x', at + n + 1);
		for (size_t i = 0; i < n && round % 3 > 0; i++)
			s[at + i] = round % 3 == 1 ? (char)below(256) : below(20) == 0 ? often[below(sizeof often)] : (char)('a' + below(26));
		if (n > 0 && round % 3 == 0)
			s[at + below((uint32_t)n)] = often[below(sizeof often)];
		assert_non_null(s = realloc(s, at + n + (at + n == 0)));
		check_text((struct str){ s + at, n });
		free(s);
	}
}

static void
each_byte(void **state)
{
	char s[MASK_BYTES];

	(void)state;
	for (unsigned c = 0; c < 256; c++)
		for (size_t at = 0; at < sizeof s; at++) {
			memset(s, 'x', sizeof s);
			s[at] = (char)c;
			check_text((struct str){ s, sizeof s });
		}
}

TOOL(unit, masks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_texts),
		cmocka_unit_test(each_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
