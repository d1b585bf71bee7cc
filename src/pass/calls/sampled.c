/*
 * sampled: whether a method trace was sampled, and how often.
 */
#include "config.h"

#include "sampled.h"

struct sampled_thread {
	uint64_t	time;
	uint32_t	action, seen;
};

static unsigned
class_of(uint64_t step)
{
	unsigned octave;

	if (step < 8)
		return (unsigned)step;
	octave = 63 - (unsigned)__builtin_clzll(step);
	return (octave - 2) * 8 + (unsigned)(step >> (octave - 3) & 7);
}

static uint64_t
class_floor(unsigned class)
{
	if (class < 16)
		return class;
	return (8 + (uint64_t)(class & 7)) << (class / 8 - 1);
}

static void
take(struct sampled *s, struct sampled_thread *t, uint64_t time, uint32_t action)
{
	bool enter = action == ACT_ENTER;

	s->records++;
	s->odd += action == ACT_UNROLL || action == ACT_UNROLL_TOP;
	if (!t->seen || t->time != time) {
		s->groups++;
		if (t->seen) {
			s->steps[class_of(time - t->time)]++;
			s->nsteps++;
		}
	} else {
		s->odd += t->action == ACT_ENTER && !enter;
	}
	t->time = time;
	t->action = action;
	t->seen = 1;
}

bool
sampled_run(struct sampled *s, const struct run *run, bool wall, struct err *err)
{
	struct sampled_thread *t;
	uint32_t i;

	if (run->thread > s->nthreads) {
		if (!scratch_array(&s->threads, run->thread, sizeof *t, err))
			return false;
		s->nthreads = run->thread;
	}
	t = &SCRATCH(s->threads, struct sampled_thread)[run->thread - 1];
	for (i = 0; i < run->n; i++)
		take(s, t, wall ? run->ev[i].wall : run->ev[i].cpu,
		    run->ev[i].action);
	return true;
}

bool
sampled_is(const struct sampled *s)
{
	return s->groups > 0 && s->odd == 0 && s->records >= 2 * s->groups;
}

uint64_t
sampled_interval(const struct sampled *s)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < NELEM(s->steps); i++) {
		sum += s->steps[i];
		if (sum > s->nsteps / 10)
			return class_floor(i);
	}
	return 0;
}

void
sampled_free(struct sampled *s)
{
	scratch_free(&s->threads);
}
