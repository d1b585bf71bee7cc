/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likeness: groups of nearly equal texts, against the distances of all pairs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "check.h"
#include "query/stages/likeness.h"

#define TEXTS 160u
#define LETTERS 208u
#define LONG 66000u

/* The letters of a text; letters above 0x10ffff are bytes that are not UTF-8. */
struct letters {
	uint32_t	letter[LETTERS];
	unsigned	n;
};

static struct letters texts[TEXTS];

/* ---- texts ------------------------------------------------------------------------- */

enum alphabet { TWO_LETTERS, SIX_LETTERS, WORDS, DIGITS, WIDE, BROKEN, ALPHABETS };

static uint32_t
some_letter(enum alphabet alphabet)
{
	static const uint32_t wide[] = { 'a', 'b', 0xe4, 0xdf, 0x4e2d, 0x6587, 0x1f600 };
	static const uint32_t broken[] = { 'a', 'b', 0xe4, 0x1100ff, 0x110080, 0x1100fe };

	switch (alphabet) {
	case TWO_LETTERS:
		return 'a' + below(2);
	case SIX_LETTERS:
		return 'a' + below(6);
	case DIGITS:
		return '0' + below(10);
	case WIDE:
		return wide[below(NELEM(wide))];
	case BROKEN:
		return broken[below(NELEM(broken))];
	default:
		return 'a' + below(26);
	}
}

static void
change(struct letters *t, enum alphabet alphabet)
{
	unsigned at = below(t->n + 1), how = below(3);

	if (how == 0 && t->n + 1 < LETTERS) {
		memmove(&t->letter[at + 1], &t->letter[at], (t->n - at) * sizeof *t->letter);
		t->letter[at] = some_letter(alphabet);
		t->n++;
	} else if (how == 1 && at < t->n) {
		t->n--;
		memmove(&t->letter[at], &t->letter[at + 1], (t->n - at) * sizeof *t->letter);
	} else if (at < t->n) {
		t->letter[at] = some_letter(alphabet);
	}
}

/* Texts of their own and changed ones; lines: all have the same beginning and end. */
static void
make_texts(enum alphabet alphabet, unsigned longest, unsigned changes, bool lines)
{
	struct letters *t;

	for (unsigned i = 0; i < TEXTS; i++) {
		t = &texts[i];
		t->n = 0;
		if (i > 0 && below(3) > 0) {
			*t = texts[below(i)];
			for (unsigned k = below(changes + 1); k > 0; k--)
				change(t, alphabet);
			continue;
		}
		for (unsigned n = below(longest + 1); t->n < n; t->n++)
			t->letter[t->n] = lines && (t->n < n / 2 || t->n > n / 2 + 9) ? 'a' + t->n % 23 : some_letter(alphabet);
	}
}

static struct str
bytes_of(const struct letters *t, char *to)
{
	char *b = to;
	uint32_t c;

	for (unsigned i = 0; i < t->n; i++) {
		c = t->letter[i];
		if (c < 0x80 || c >= 0x110000) {
			*b++ = (char)c;
		} else if (c < 0x800) {
			*b++ = (char)(0xc0 | c >> 6);
			*b++ = (char)(0x80 | (c & 63));
		} else {
			*b++ = (char)(c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
			if (c >= 0x10000)
				*b++ = (char)(0x80 | (c >> 12 & 63));
			*b++ = (char)(0x80 | (c >> 6 & 63));
			*b++ = (char)(0x80 | (c & 63));
		}
	}
	return (struct str){ to, (size_t)(b - to) };
}

/* ---- the slow way ------------------------------------------------------------------ */

static unsigned
slow_distance(const struct letters *a, const struct letters *b)
{
	unsigned row[LETTERS + 1], corner, up;

	for (unsigned k = 0; k <= b->n; k++)
		row[k] = k;
	for (unsigned i = 0; i < a->n; i++) {
		corner = row[0]++;
		for (unsigned k = 0; k < b->n; k++) {
			up = row[k + 1];
			corner += a->letter[i] != b->letter[k];
			row[k + 1] = corner < up + 1 ? corner : up + 1;
			if (row[k] + 1 < row[k + 1])
				row[k + 1] = row[k] + 1;
			corner = up;
		}
	}
	return row[b->n];
}

static unsigned
slow_limit(uint64_t distance, unsigned letters)
{
	unsigned eighth = letters / 8;

	if (distance != LIKENESS_BY_LENGTH)
		return (unsigned)distance;
	return letters < 4 ? 0 : eighth < 1 ? 1 : eighth > 3 ? 3 : eighth;
}

/* The lowest text of each group, by text: alike texts get the same until nothing changes. */
static void
slow_groups(const unsigned *of, unsigned n, uint64_t distance, unsigned *group)
{
	static uint8_t alike[TEXTS][TEXTS];
	bool changed = true;

	for (unsigned i = 0; i < n; i++) {
		group[i] = i;
		for (unsigned k = 0; k < i; k++) {
			const struct letters *a = &texts[of[i]], *b = &texts[of[k]];
			unsigned least = a->n < b->n ? a->n : b->n, most = a->n + b->n - least, limit = slow_limit(distance, least);

			alike[i][k] = most - least <= limit && slow_distance(a, b) <= limit;
		}
	}
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < i; k++)
				if (alike[i][k] && group[i] != group[k]) {
					group[i] = group[k] = group[i] < group[k] ? group[i] : group[k];
					changed = true;
				}
	}
}

/* ---- tests ------------------------------------------------------------------------- */

/* Fill a pool; of: the text of each number, less 1.  Returns how many are different. */
static unsigned
fill_pool(struct text_pool *pool, unsigned *of)
{
	char bytes[4 * LETTERS];
	uint32_t number;

	for (unsigned i = 0; i < TEXTS; i++) {
		assert_true(texts_number(pool, bytes_of(&texts[i], bytes), &number, NULL));
		of[number - 1] = i;
	}
	return pool->n;
}

static void
assert_groups(uint64_t distance)
{
	struct text_pool pool = { .n = 0 };
	unsigned of[TEXTS], group[TEXTS], n = fill_pool(&pool, of);
	struct likeness *l;
	uint64_t far;

	slow_groups(of, n, distance, group);
	assert_true(likeness_open(&l, &pool, distance, LIKENESS_PAIRS, NULL) && likeness_join(l, NULL, NULL));
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < i; k++)
			assert_int_equal(likeness_group(l, i + 1) == likeness_group(l, k + 1), group[i] == group[k]);
		assert_true(likeness_distance(l, i + 1, group[i] + 1, LEV_OVER, &far, NULL, NULL));
		assert_int_equal(far, slow_distance(&texts[of[i]], &texts[of[group[i]]]));
	}
	likeness_close(l);
	texts_free(&pool);
}

static void
groups_are_exact(void **state)
{
	static const struct {
		uint64_t	distance;
		unsigned	longest, changes;
	} cases[] = {
		{ LIKENESS_BY_LENGTH, 12, 2 }, { LIKENESS_BY_LENGTH, 40, 4 }, { LIKENESS_BY_LENGTH, 200, 5 }, { 1, 8, 2 }, { 1, 16, 1 }, { 1, 60, 2 },
		{ 2, 6, 3 }, { 2, 90, 4 }, { 3, 7, 3 }, { 3, 200, 6 }, { 5, 12, 9 }, { 7, 120, 12 }, { 32, 60, 50 }, { 32, 200, 60 }
	};

	(void)state;
	for (unsigned i = 0; i < NELEM(cases); i++)
		for (unsigned alphabet = 0; alphabet < ALPHABETS; alphabet++)
			for (unsigned lines = 0; lines < 2; lines++) {
				make_texts(alphabet, cases[i].longest, cases[i].changes, lines != 0);
				assert_groups(cases[i].distance);
			}
}

/* Only the first letters of a text have pieces. */
static void
long_texts_are_alike(void **state)
{
	static char one[LONG + 2], two[LONG + 2];
	struct text_pool pool = { .n = 0 };
	struct likeness *l;
	uint32_t number;

	(void)state;
	for (unsigned i = 0; i < LONG; i++)
		one[i + 2] = (char)('a' + below(26));
	one[0] = one[1] = '-';
	memcpy(two, one, sizeof two);
	two[LONG] = two[LONG + 1] = two[9] = '!';
	assert_true(texts_number(&pool, (struct str){ one, sizeof one }, &number, NULL));
	assert_true(texts_number(&pool, (struct str){ two, sizeof two }, &number, NULL));
	assert_true(texts_number(&pool, (struct str){ one + 2, LONG }, &number, NULL));
	assert_true(texts_number(&pool, (struct str){ two + 1, LONG - 1 }, &number, NULL));
	assert_true(likeness_open(&l, &pool, LIKENESS_BY_LENGTH, LIKENESS_PAIRS, NULL) && likeness_join(l, NULL, NULL));
	for (number = 2; number <= 4; number++)
		assert_int_equal(likeness_group(l, number), likeness_group(l, 1));
	likeness_close(l);
	texts_free(&pool);
}

/* The rare letters are at the end of the part that has pieces, and three places later in the other text. */
static void
pieces_are_found_later(void **state)
{
	static char text[LONG + 3];
	struct text_pool pool = { .n = 0 };
	struct likeness *l;
	uint32_t number;

	(void)state;
	memset(text, 'a', sizeof text);
	memcpy(text + 3 + 65528, "bcdefghi", 8);
	memset(text, '-', 3);
	assert_true(texts_number(&pool, (struct str){ text + 3, LONG }, &number, NULL));
	assert_true(texts_number(&pool, (struct str){ text, LONG + 3 }, &number, NULL));
	assert_true(likeness_open(&l, &pool, 3, LIKENESS_PAIRS, NULL) && likeness_join(l, NULL, NULL));
	assert_int_equal(likeness_group(l, 1), likeness_group(l, 2));
	likeness_close(l);
	texts_free(&pool);
}

/* Texts of several groups have the same piece. */
static void
groups_share_pieces(void **state)
{
	char text[32];
	struct text_pool pool = { .n = 0 };
	struct likeness *l;
	uint32_t number;

	(void)state;
	/* Three groups by the first letters, with one piece in common; the last text is like texts of two groups. */
	for (unsigned i = 0; i < 30; i++) {
		snprintf(text, sizeof text, "%c%c%c%c same piece", "axp"[i % 3], "axp"[i % 3], "bcdefghijk"[i / 3], "axp"[i % 3]);
		assert_true(texts_number(&pool, str_of(text), &number, NULL));
	}
	assert_true(texts_number(&pool, STR("axba same piece"), &number, NULL));
	assert_true(texts_number(&pool, STR("axbx same piece"), &number, NULL));
	assert_true(likeness_open(&l, &pool, 1, LIKENESS_PAIRS, NULL) && likeness_join(l, NULL, NULL));
	for (number = 1; number <= 30; number++)
		assert_int_equal(likeness_group(l, number) == likeness_group(l, 31), number % 3 != 0);
	likeness_close(l);
	texts_free(&pool);
}

static void
pairs_are_limited(void **state)
{
	struct text_pool pool = { .n = 0 };
	unsigned of[TEXTS];
	struct likeness *l;
	struct err err = { .at = ERR_NOWHERE };

	(void)state;
	make_texts(TWO_LETTERS, 30, 4, false);
	fill_pool(&pool, of);
	assert_true(likeness_open(&l, &pool, 1, 20, NULL));
	assert_false(likeness_join(l, NULL, &err));
	assert_int_equal(err.kind, E_USAGE);
	assert_non_null(strstr(err.text, "too many pairs"));
	likeness_close(l);
	texts_free(&pool);
}

static void
joining_is_cancelled(void **state)
{
	struct text_pool pool = { .n = 0 };
	unsigned of[TEXTS];
	struct likeness *l;
	struct err err = { .at = ERR_NOWHERE };
	struct work work;

	(void)state;
	make_texts(WORDS, 30, 4, false);
	fill_pool(&pool, of);
	work_init(&work, NULL);
	atomic_store(&work.cancel, true);
	assert_true(likeness_open(&l, &pool, 1, LIKENESS_PAIRS, NULL));
	assert_false(likeness_join(l, &work, &err));
	assert_int_equal(err.kind, E_CANCEL);
	likeness_close(l);
	texts_free(&pool);
}

TOOL(unit, likeness)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_are_exact),
		cmocka_unit_test(long_texts_are_alike),
		cmocka_unit_test(pieces_are_found_later),
		cmocka_unit_test(groups_share_pieces),
		cmocka_unit_test(pairs_are_limited),
		cmocka_unit_test(joining_is_cancelled)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
