#include "rnd.h"

static uint32_t state = 1;

void rnd_mix(uint32_t noise)
{
	state ^= noise;
	rnd_next();
}

uint32_t rnd_next(void)
{
	if (state == 0)
		state = 1;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

uint32_t rnd_below(uint32_t limit)
{
	return rnd_next() % limit;
}

uint32_t rnd_around(uint32_t value, uint8_t percent)
{
	uint32_t span = value / 100 * percent;

	return value - span + rnd_below(2 * span + 1);
}
