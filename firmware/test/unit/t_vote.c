/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* vote.c: the majority of a round, and the largest possible error of its best answer. */
#include "sync_loop.h"

#include "vote.h"

enum { NONE = -1 };

/* An answer: ms that its server is ahead, its error in ms (a fifth of it by the delay), the leap second it announces. */
struct answer {
	int32_t ahead, error;
	uint8_t leap;
};

static int32_t ms(int32_t n)
{
	return (int32_t)((int64_t)n * 65536 / 1000);
}

static void answer(const struct answer *a, uint8_t source)
{
	struct ntp_reply reply = { .delay = ms(a->error) / 5 * 2, .leap = a->leap };
	int64_t time;

	clk_at(hal_ticks(), &reply.time);
	time = (int64_t)reply.time.utc * 65536 + reply.time.frac + (int64_t)a->ahead * 65536 / 1000;
	reply.time.utc = (uint32_t)(time >> 16);
	reply.time.frac = (uint16_t)time;
	reply.distance = (uint32_t)(ms(a->error) - reply.delay / 2);
	vote_add(&reply, hal_ticks(), source);
	run(0.3L);
}

/* The clock is at 0 and known. */
static void known(void)
{
	start(UTC, 0);
	clk_set(&(struct stamp){ (uint32_t)UTC, 0 }, hal_ticks());
	vote_clear();
}

struct row {
	struct answer said[VOTES];
	int32_t own;			/* ms, 0: the clock has no vote */
	int best;			/* which answer, NONE: no majority */
	unsigned agree;
	int32_t reach;			/* ms */
	int leap;
};

static void check(const struct row *row, unsigned i)
{
	struct majority m;
	unsigned count = 0;
	const struct vote *first = NULL;

	known();
	for (; count < VOTES && row->said[count].error > 0; count++)
		answer(&row->said[count], (uint8_t)count);
	assert_int_equal(vote_count(), count);
	vote_decide((uint32_t)ms(row->own), &m);
	if ((m.best == NULL) != (row->best == NONE))
		fail_msg("row %u: majority %d", i, m.best != NULL);
	if (m.best == NULL)
		return;
	first = m.best - m.best->source;
	if (m.best != first + row->best || m.agree != row->agree || m.leap != row->leap)
		fail_msg("row %u: answer %u, %u agree, leap %d", i, m.best->source, m.agree, m.leap);
	/* ticks and ms are rounded to 1/65536 s */
	if (m.reach + 20 - (uint32_t)ms(row->reach) > 40)
		fail_msg("row %u: reach %u/65536 s", i, m.reach);
}

static void check_all(const struct row *rows, size_t count)
{
	for (unsigned i = 0; i < count; i++)
		check(&rows[i], i);
}

#define CHECK_ROWS(rows) check_all(rows, sizeof rows / sizeof rows[0])

static void test_alone(void **state)
{
	static const struct row rows[] = {
		{ { { 700, 20, 0 } }, 0, 0, 1, 20, 0 },
		{ { { -86400000, 20, 0 } }, 0, 0, 1, 20, 0 },		/* a day off, alone */
		{ { { 700, 20, 0 } }, 100, NONE, 0, 0, 0 },		/* the clock disagrees */
		{ { { 700, 20, 0 } }, 679, NONE, 0, 0, 0 },
		{ { { 700, 20, 0 } }, 681, 0, 1, 20, 0 },
		{ { { -700, 20, 0 } }, 679, NONE, 0, 0, 0 },
		{ { { -700, 20, 0 } }, 681, 0, 1, 20, 0 },
		{ { { -86400000, 20, 0 } }, 100, NONE, 0, 0, 0 },
		{ { { 10, 100, 0 } }, 50, 0, 1, 60, 0 },		/* both hold -50 to 50 only */
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void test_majorities(void **state)
{
	static const struct row rows[] = {
		/* two: where both intervals overlap */
		{ { { 0, 20, 0 }, { 10, 40, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 0 }, { 30, 20, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 0 }, { 41, 20, 0 } }, 0, NONE, 0, 0, 0 },
		{ { { 0, 20, 0 }, { -41, 20, 0 } }, 0, NONE, 0, 0, 0 },
		{ { { 0, 20, 0 }, { 39, 20, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 0 }, { -39, 20, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 60000, 20, 0 }, { 60000, 19, 0 } }, 0, 1, 2, 19, 0 },
		/* far from the clock, or from each other: by seconds, minutes, days */
		{ { { 86400000, 20, 0 }, { 86400010, 30, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 86400000, 20, 0 }, { 172800000, 30, 0 } }, 0, NONE, 0, 0, 0 },
		{ { { 0, 20, 0 }, { 65536000, 30, 0 } }, 0, NONE, 0, 0, 0 },
		{ { { 0, 20, 0 }, { 900000, 30, 0 }, { 900010, 30, 0 } }, 0, 1, 2, 30, 0 },
		{ { { -864000000, 20, 0 }, { 0, 30, 0 }, { 864000000, 10, 0 }, { 0, 20, 0 } }, 0, NONE, 0, 0, 0 },
		{ { { 864000000, 20, 0 }, { 0, 30, 0 }, { 864000005, 10, 0 }, { 864000000, 20, 0 } }, 0, 2, 3, 10, 0 },
		{ { { 0, 20, 0 }, { 86400000, 20, 0 }, { 86400005, 30, 0 } }, 0, 1, 2, 20, 0 },
		{ { { 0, 20, 0 }, { 50000000, 20, 0 }, { 86400000, 20, 0 }, { 86400005, 30, 0 } }, 0, NONE, 0, 0, 0 },
		/* one of three is far off: the others overlap up to 20 */
		{ { { 0, 20, 0 }, { 5, 30, 0 }, { 500, 1, 0 } }, 0, 0, 2, 20, 0 },
		/* three hold 0, two hold -25 and 35 */
		{ { { 0, 20, 0 }, { 5, 30, 0 }, { 5, 40, 0 } }, 0, 0, 3, 35, 0 },
		/* a chain: the first two overlap, and so do the last two */
		{ { { -30, 20, 0 }, { 0, 15, 0 }, { 30, 20, 0 } }, 0, 1, 2, 15, 0 },
		/* the surest of four is 30 ms late and claims 1 ms: three hold -35 to 35 */
		{ { { -30, 1, 0 }, { 0, 35, 0 }, { 2, 37, 0 }, { 3, 40, 0 } }, 0, 0, 4, 65, 0 },
		{ { { 30, 1, 0 }, { 0, 35, 0 }, { -2, 37, 0 }, { -3, 40, 0 } }, 0, 0, 4, 65, 0 },
		/* two against two */
		{ { { 0, 20, 0 }, { 500, 20, 0 }, { 0, 20, 0 }, { 500, 20, 0 } }, 0, NONE, 0, 0, 0 },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void test_own(void **state)
{
	static const struct row rows[] = {
		/* the clock decides between two answers, and between two pairs */
		{ { { 0, 20, 0 }, { 500, 20, 0 } }, 100, 0, 1, 20, 0 },
		{ { { 500, 20, 0 }, { 0, 20, 0 } }, 100, 1, 1, 20, 0 },
		{ { { 500, 20, 0 }, { 900, 20, 0 } }, 100, NONE, 0, 0, 0 },
		{ { { 0, 20, 0 }, { 500, 20, 0 }, { 0, 30, 0 }, { 500, 20, 0 } }, 100, 0, 2, 20, 0 },
		/* the clock and one answer against two: no majority */
		{ { { 500, 20, 0 }, { 0, 20, 0 }, { 500, 20, 0 } }, 100, NONE, 0, 0, 0 },
		/* two answers outvote the clock, near and far */
		{ { { 500, 20, 0 }, { 500, 30, 0 } }, 100, 0, 2, 20, 0 },
		{ { { 86400000, 20, 0 }, { 86400000, 30, 0 } }, 100, 0, 2, 20, 0 },
		/* all agree: two of three reach as far as the second widest */
		{ { { 0, 20, 0 }, { 0, 30, 0 } }, 100, 0, 2, 30, 0 },
		{ { { 0, 20, 0 }, { 0, 30, 0 } }, 10, 0, 2, 20, 0 },
	};

	(void)state;
	CHECK_ROWS(rows);
}

/* A leap second needs more than half of all answers; answers outside the majority do not announce. */
static void test_leaps(void **state)
{
	static const struct row rows[] = {
		{ { { 0, 20, 1 } }, 0, 0, 1, 20, 1 },
		{ { { 0, 20, 2 } }, 0, 0, 1, 20, -1 },
		{ { { 0, 20, 1 }, { 0, 30, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 2 }, { 0, 30, 0 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 1 }, { 0, 30, 1 } }, 0, 0, 2, 20, 1 },
		{ { { 0, 20, 2 }, { 0, 30, 2 } }, 0, 0, 2, 20, -1 },
		{ { { 0, 20, 2 }, { 0, 30, 1 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 1 }, { 0, 30, 0 }, { 0, 30, 0 } }, 0, 0, 3, 30, 0 },
		{ { { 0, 20, 0 }, { 0, 30, 1 }, { 0, 30, 1 } }, 0, 0, 3, 30, 1 },
		{ { { 0, 20, 0 }, { 0, 30, 2 }, { 0, 30, 2 } }, 0, 0, 3, 30, -1 },
		{ { { 0, 20, 0 }, { 0, 30, 1 }, { 0, 30, 1 }, { 0, 30, 0 } }, 0, 0, 4, 30, 0 },
		{ { { 0, 20, 0 }, { 0, 30, 1 }, { 0, 30, 1 }, { 0, 30, 1 } }, 0, 0, 4, 30, 1 },
		/* announced by an answer that is a second off */
		{ { { 0, 20, 0 }, { 0, 30, 1 }, { 1000, 30, 1 } }, 0, 0, 2, 20, 0 },
		{ { { 0, 20, 1 }, { 0, 30, 1 }, { 1000, 30, 0 } }, 0, 0, 2, 20, 1 },
	};

	(void)state;
	CHECK_ROWS(rows);
}

/* The error of an answer is half its delay plus the server's own error; a negative delay counts as 0. */
static void test_error(void **state)
{
	struct ntp_reply reply = { .delay = 1001, .distance = 70000 };
	struct majority m;

	(void)state;
	known();
	clk_at(hal_ticks(), &reply.time);
	vote_add(&reply, hal_ticks(), 7);
	vote_decide(0, &m);
	assert_int_equal(m.best->error, 70500);
	assert_int_equal(m.best->delay, 1001);
	assert_int_equal(m.reach, 70500);
	assert_true(vote_from(7));
	assert_false(vote_from(8));
	vote_clear();
	assert_false(vote_from(7));
	reply.delay = -66;
	vote_add(&reply, hal_ticks(), 7);
	vote_decide(0, &m);
	assert_int_equal(m.best->error, 70000);
	assert_int_equal(m.best->delay, 0);
	/* more than VOTES are dropped */
	for (unsigned i = 0; i < VOTES; i++)
		vote_add(&reply, hal_ticks(), 9);
	assert_int_equal(vote_count(), VOTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone), cmocka_unit_test(test_majorities), cmocka_unit_test(test_own),
		cmocka_unit_test(test_leaps), cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
