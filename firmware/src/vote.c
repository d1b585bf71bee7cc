/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of one round and their majority. */
#include "vote.h"

#include <stddef.h>

#include "hal.h"

#define FAR (1000 * 65536L)	/* intervals that are farther apart do not overlap */

static struct vote votes[VOTES];
static uint8_t votes_in;

void vote_clear(void)
{
	votes_in = 0;
}

void vote_add(const struct ntp_reply *reply, uint32_t tick, uint16_t source)
{
	struct vote *vote = &votes[votes_in];

	if (votes_in == VOTES)
		return;
	votes_in++;
	vote->time = reply->time;
	vote->delay = reply->delay > 0 ? (uint16_t)reply->delay : 0;
	vote->error = reply->distance + vote->delay / 2;
	vote->tick = tick;
	vote->source = source;
	vote->leap = reply->leap == 2 ? -1 : (int8_t)reply->leap;
}

uint8_t vote_count(void)
{
	return votes_in;
}

bool vote_from(uint16_t source)
{
	for (uint8_t i = 0; i < votes_in; i++)
		if (votes[i].source == source)
			return true;
	return false;
}

/*
 * An interval, 1/65536 s from a common whole second.  The answers' intervals come
 * first, then the clock's own.  An interval far from that second is empty.
 */
struct span {
	int32_t low, high;
};

static NOINLINE void lay(struct span *span, int32_t middle, uint32_t error)
{
	bool far = middle >= FAR || middle <= -FAR;

	if (far)
		middle = 0;
	span->low = middle - (int32_t)error;
	span->high = far ? INT32_MIN : middle + (int32_t)error;
}

static NOINLINE bool holds(const struct span *span, int32_t point)
{
	return span->low <= point && span->high >= point;
}

static NOINLINE uint8_t holders(const struct span *span, uint8_t voters, int32_t point)
{
	uint8_t count = 0;

	for (; voters > 0; voters--)
		count += holds(span++, point);
	return count;
}

/* Selects the answer with the smallest error of those that hold this point; returns its time. */
static int32_t choose(const struct span *span, int32_t point, struct majority *m)
{
	int32_t middle = 0;
	int8_t leaps = 0;

	m->agree = 0;
	for (const struct vote *vote = votes; vote < votes + votes_in; vote++, span++) {
		if (!holds(span, point))
			continue;
		leaps += vote->leap;
		if (m->agree++ == 0 || vote->error < m->best->error) {
			m->best = vote;
			middle = span->low + (int32_t)vote->error;
		}
	}
	leaps *= 2;
	m->leap = leaps > votes_in ? 1 : leaps < -votes_in ? -1 : 0;
	return middle;
}

/* false: no point is in more than half of the intervals. */
static bool elect(const struct span *span, uint8_t voters, struct majority *m)
{
	const int32_t *end = &span->low;
	uint8_t most = voters / 2;
	int32_t point = 0;

	m->reach = 0;
	for (uint8_t i = 0; i < voters; i++) {
		uint8_t count = holders(span, voters, span[i].low);

		if (count > most) {
			most = count;
			point = span[i].low;
		}
	}
	if (most == voters / 2)
		return false;
	point = choose(span, point, m);
	for (uint8_t i = 0; i < 2 * voters; i++) {
		int32_t away;

		if (holders(span, voters, end[i]) <= voters / 2)
			continue;
		away = end[i] - point;
		if (away < 0)
			away = -away;
		if ((uint32_t)away > m->reach)
			m->reach = (uint32_t)away;
	}
	return true;
}

/* Tries the seconds near the clock's own time first, then those near each answer. */
void vote_decide(uint32_t own, struct majority *m)
{
	struct span span[VOTES + 1];
	uint32_t whole = 0;

	for (uint8_t i = 0;; i++) {
		struct span *next = span;

		for (const struct vote *vote = votes; vote < votes + votes_in; vote++) {
			struct stamp time = vote->time;

			time.utc -= whole;
			lay(next++, clk_offset(&time, vote->tick), vote->error);
		}
		if (own > 0)
			lay(next++, whole == 0 ? 0 : FAR, own);
		if (elect(span, (uint8_t)(next - span), m))
			return;
		if (i == votes_in)
			break;
		whole = votes[i].time.utc - clk_unix();
	}
	m->best = NULL;
}
