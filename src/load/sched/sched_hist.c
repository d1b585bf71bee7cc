/*
 * Lines of perf sched timehist: "seconds [cpu]  name[tid/pid]  wait  delay  run", times in ms, and perhaps more
 * behind them.  Each tells of a task that leaves a CPU.
 */
#include "config.h"

#include <string.h>

#include "sched.h"

static bool
take_char(struct str *s, char c)
{
	if (s->n == 0 || s->s[0] != c)
		return false;
	*s = str_behind(*s, 1);
	return true;
}

/* "12.345" and so many digits behind the point, in units of the last one. */
static bool
take_fixed(struct str *s, size_t digits, uint64_t unit, uint64_t *v)
{
	uint64_t whole, part;
	size_t before;

	if (!str_number(s, &whole) || !take_char(s, '.'))
		return false;
	before = s->n;
	if (!str_number(s, &part) || before - s->n != digits || whole > SCHED_TIME_MAX / unit)
		return false;
	*v = whole * unit + part;
	return true;
}

/* Three times in ms, as ns. */
static bool
take_times(struct str s, struct sched_line *l)
{
	uint64_t ms[3];
	size_t i;

	for (i = 0; i < NELEM(ms); i++) {
		s = str_skip_blanks(s);
		if (!take_fixed(&s, 3, 1000, &ms[i]))
			return false;
	}
	l->delay = ms[1] * 1000;
	l->value = ms[2] * 1000;
	return true;
}

/* "[12/7]" or "[12]" at the end of s; what is before it is the name. */
static bool
split_task(struct str s, struct sched_line *l)
{
	const char *open = memrchr(s.s, '[', s.n);
	struct str ids, tid, pid;
	uint64_t t, p = 0;

	if (open == NULL)
		return false;
	ids = (struct str){ open + 1, s.n - (size_t)(open - s.s) - 1 };
	if (!str_split(&ids, '/', &tid) || !num_u64(tid, 10, &t) || t > UINT32_MAX ||
	    (str_split(&ids, '/', &pid) && !num_u64(pid, 10, &p)) || p > UINT32_MAX)
		return false;
	l->from = (uint32_t)t;
	l->pid = (uint32_t)p;
	l->from_name = (struct str){ s.s, (size_t)(open - s.s) };
	return true;
}

bool
sched_ran(struct str s, struct sched_line *l)
{
	const char *close, *from;
	uint64_t cpu;

	s = str_skip_blanks(s);
	if (!take_fixed(&s, 6, 1000000, &l->time) || l->time >= SCHED_TIME_MAX / 1000)
		return false;
	l->time *= 1000;
	s = str_skip_blanks(s);
	if (!take_char(&s, '[') || !str_number(&s, &cpu) || !take_char(&s, ']') || cpu >= SCHED_CPUS)
		return false;
	l->cpu = (uint32_t)cpu;
	s = str_skip_blanks(s);
	/* The name may hold brackets. */
	for (from = s.s; (close = memchr(from, ']', s.n - (size_t)(from - s.s))) != NULL; from = close + 1)
		if (take_times((struct str){ close + 1, s.n - (size_t)(close - s.s) - 1 }, l) &&
		    split_task((struct str){ s.s, (size_t)(close - s.s) }, l))
			return l->value <= l->time && l->delay <= l->time - l->value;
	return false;
}
