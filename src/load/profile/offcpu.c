/*
 * Off-CPU time with stacks: the one that was printed with a switch gets the time until that thread runs again.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "offcpu.h"

void
offcpu_open(struct offcpu *o, struct samples *s)
{
	*o = (struct offcpu){ .samples = s };
}

void
offcpu_close(struct offcpu *o)
{
	scratch_free(&o->away);
	idmap_free(&o->by_tid);
}

/* The number that s begins with. */
static bool
number(struct str s, uint32_t *v)
{
	uint64_t n;

	if (!str_number(&s, &n) || n > UINT32_MAX)
		return false;
	*v = (uint32_t)n;
	return true;
}

/* The last place of what, and the number behind it. */
static bool
number_behind(struct str s, struct str what, uint32_t *v)
{
	const char *hit = NULL, *from = s.s, *end = s.s + s.n;

	while (from < end && (from = memmem(from, (size_t)(end - from), what.s, what.n)) != NULL)
		hit = from++;
	return hit != NULL && number((struct str){ hit + what.n, (size_t)(end - hit) - what.n }, v);
}

/* "name:33233 [110] S": the number before the last " [". */
static bool
number_before_priority(struct str s, uint32_t *v)
{
	const char *open = s.n > 0 ? memrchr(s.s, '[', s.n) : NULL;
	const char *colon;
	struct str left;

	if (open == NULL || open == s.s)
		return false;
	left = str_trim((struct str){ s.s, (size_t)(open - s.s) });
	colon = memrchr(left.s, ':', left.n);
	return colon != NULL && number(str_behind(left, (size_t)(colon + 1 - left.s)), v);
}

/* Who leaves and who comes, of either form of the text. */
static bool
switch_of(const struct perf_sample *p, uint32_t *from, uint32_t *to)
{
	static const struct str suffix = { "sched_switch", 12 }, arrow = { "==>", 3 };
	struct str d = p->details, before, after;
	const char *hit;

	if (p->event.n < suffix.n || memcmp(p->event.s + p->event.n - suffix.n, suffix.s, suffix.n) != 0 ||
	    d.n == 0 || (hit = memmem(d.s, d.n, arrow.s, arrow.n)) == NULL)
		return false;
	before = (struct str){ d.s, (size_t)(hit - d.s) };
	after = (struct str){ hit + arrow.n, d.n - before.n - arrow.n };
	if (number_behind(after, STR(" next_pid="), to))
		return number_behind(before, STR(" prev_pid="), from);
	return number_before_priority(before, from) && number_before_priority(after, to);
}

/* The row of a thread, made if it is new. */
static struct sample *
row_of(struct offcpu *o, uint32_t tid, struct err *err)
{
	uint32_t row = idmap_get(&o->by_tid, tid);
	struct sample *new;

	if (row != 0)
		return &SCRATCH(o->away, struct sample)[row - 1];
	new = make_row(&o->away, o->n, sizeof *new, MAKE_MOST, "threads", err);
	if (new == NULL || !idmap_put(&o->by_tid, tid, (uint32_t)o->n + 1, err))
		return NULL;
	o->n++;
	return new;
}

static bool
comes_back(struct offcpu *o, uint32_t tid, uint64_t time, struct err *err)
{
	struct sample *away, s;

	if (idmap_get(&o->by_tid, tid) == 0)
		return true;
	if ((away = row_of(o, tid, err)) == NULL)
		return false;
	s = *away;
	away->event = 0;
	if (s.event == 0 || time < s.time)
		return true;
	if (o->event == 0)
		o->event = samples_event(o->samples, STR("off-cpu"), WEIGHT_TIME, "ns", err);
	if (o->event == 0)
		return false;
	assert(time >= s.time);
	s.event = o->event;
	s.weight = time - s.time;
	return samples_add(o->samples, &s, err);
}

bool
offcpu_sample(struct offcpu *o, const struct perf_sample *p, const struct sample *s, struct err *err)
{
	uint32_t from, to;
	struct sample *away;

	if (!switch_of(p, &from, &to))
		return true;
	if (to != 0 && !comes_back(o, to, p->time, err))
		return false;
	if (from == 0)
		return true;
	if ((away = row_of(o, from, err)) == NULL)
		return false;
	*away = *s;
	return true;
}
