/* The answers of one round, and the majority among them. */
#include "vote.h"

#include <stddef.h>

#include "hal.h"

#define ALIKE 16U		/* seconds: further apart no two intervals can overlap */

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
	vote->reply = *reply;
	vote->tick = tick;
	vote->source = source;
}

uint8_t vote_count(void)
{
	return votes_in;
}

uint32_t vote_error(const struct ntp_reply *reply)
{
	return reply->distance + (reply->delay > 0 ? (uint32_t)reply->delay / 2 : 0);
}

/* Returns how far a is ahead of b, in 1/65536 s, by the own clock's account of the time between them; far apart: INT32_MAX. */
static int32_t ahead(const struct vote *a, const struct vote *b)
{
	struct stamp at_a, at_b;
	int32_t seconds;

	clk_at(a->tick, &at_a);
	clk_at(b->tick, &at_b);
	seconds = (int32_t)(a->reply.time.utc - at_a.utc - b->reply.time.utc + at_b.utc);
	if ((uint32_t)seconds + ALIKE > 2 * ALIKE)
		return INT32_MAX;
	return seconds * 65536 + ((int32_t)a->reply.time.frac - at_a.frac) - ((int32_t)b->reply.time.frac - at_b.frac);
}

/* Is the low end of one's interval in that of the other? */
static bool holds(const struct vote *other, const struct vote *low)
{
	int32_t off = ahead(low, other), error = (int32_t)vote_error(&other->reply);

	if (off == INT32_MAX)
		return false;
	off -= (int32_t)vote_error(&low->reply);
	return off <= error && off >= -error;
}

const struct vote *vote_best(uint8_t *agree)
{
	const struct vote *end = votes + votes_in, *winner = NULL;

	*agree = votes_in / 2;
	for (const struct vote *low = votes; low < end; low++) {
		const struct vote *best = low;
		uint8_t count = 0;

		for (const struct vote *other = votes; other < end; other++) {
			if (!holds(other, low))
				continue;
			count++;
			if (vote_error(&other->reply) < vote_error(&best->reply))
				best = other;
		}
		if (count > *agree) {
			*agree = count;
			winner = best;
		}
	}
	return winner;
}
