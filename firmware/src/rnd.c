/* Marsaglia's xorshift of 32 bits. */
#include "rnd.h"

#include "hal.h"

static uint32_t rnd_state = 1;

void rnd_mix(uint32_t noise)
{
	rnd_state = (rnd_state ^ noise) | 1;	/* never 0: it would stay so */
	rnd_next();
}

__attribute__((noinline)) uint32_t rnd_next(void)
{
	uint32_t *state = VIA(rnd_state);
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

__attribute__((noinline)) uint32_t rnd_below(uint32_t limit)
{
	return rnd_next() % limit;
}

uint32_t rnd_around(uint32_t value, uint8_t percent)
{
	uint32_t span = value / 100 * percent;

	return value - span + rnd_below(2 * span + 1);
}
