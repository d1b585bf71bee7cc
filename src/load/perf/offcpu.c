/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offcpu: compute waits.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/sched.h"
#include "offcpu.h"

/* A thread that leaves its CPU. */
struct leaver {
	struct sample	away;		/* sample of the switch; event 0: none */
	uint64_t	time, lost;	/* time of the switch; number of lost events before it */
	uint32_t	left, unseen;	/* number of switches; those where its previous return was not seen */
	bool		is_away;
};

struct away_time {
	struct sample	sample;
	uint32_t	task;
};

void
offcpu_free(struct offcpu *o)
{
	SCRATCH_FREE(&o->tasks, &o->waits);
	idmap_free(&o->by_tid);
}

bool
offcpu_has_records(struct offcpu *o)
{
	static const struct str record = { "PERF_RECORD_SWITCH", 18 };

	if (!o->looked)
		o->records = o->text.n > 0 && memmem(o->text.s, o->text.n, record.s, record.n) != NULL;
	o->looked = true;
	return o->records;
}

/* ---- parsing samples ------------------------------------------------------------------- */

/* Read the number at the start of s. */
static bool
offcpu_number(struct str s, uint32_t *v)
{
	uint64_t n;

	if (!str_number(&s, &n) || n > UINT32_MAX)
		return false;
	*v = (uint32_t)n;
	return true;
}

/* Find the last occurrence of what, and the number after it. */
static bool
number_behind(struct str s, struct str what, uint32_t *v)
{
	const char *hit = NULL, *from = s.s, *end = s.s + s.n;

	while (from < end && (from = memmem(from, (size_t)(end - from), what.s, what.n)) != NULL)
		hit = from++;
	return hit != NULL && offcpu_number((struct str){ hit + what.n, (size_t)(end - hit) - what.n }, v);
}

/* For "name:33233 [110] S", return the number before the last " [". */
static bool
number_before_priority(struct str s, uint32_t *v)
{
	struct str left, rest, name;

	return str_divide_last(s, '[', &left, &rest) && str_divide_last(str_trim(left), ':', &name, &rest) &&
	    offcpu_number(rest, v);
}

/* "prev_state=X", "[110] Z": the task will not return. */
static bool
has_ended(struct str before)
{
	struct str s = str_trim(before);

	while (s.n > 1 && s.s[s.n - 2] != ' ' && s.s[s.n - 2] != '=')
		s.n--;
	return s.n > 1 && (s.s[s.n - 1] == 'X' || s.s[s.n - 1] == 'Z');
}

/* Read the task that leaves, 0 if it ends, and the task that comes, in both forms of the text. */
static bool
switch_of(const struct perf_sample *p, uint32_t *from, uint32_t *to)
{
	struct str before, after;

	if (!str_has_suffix(p->event, STR("sched_switch")) || !str_divide(p->details, STR("==>"), &before, &after))
		return false;
	if (has_ended(before)) {
		*from = 0;
		return number_behind(after, STR(" next_pid="), to) || number_before_priority(after, to);
	}
	if (number_behind(after, STR(" next_pid="), to))
		return number_behind(before, STR(" prev_pid="), from);
	return number_before_priority(before, from) && number_before_priority(after, to);
}

bool
offcpu_is_switch(const struct perf_sample *p)
{
	uint32_t from, to;

	return switch_of(p, &from, &to);
}

/* ---- waits -------------------------------------------------------------------------------- */

static struct leaver *
offcpu_task_at(const struct offcpu *o, uint32_t row)
{
	assert(row < o->ntasks);
	return &SCRATCH(o->tasks, struct leaver)[row];
}

/* Return the row of a task, adding it if it is new; UINT32_MAX: failure. */
static uint32_t
task_of(struct offcpu *o, uint32_t tid, struct err *err)
{
	uint32_t row = idmap_get(&o->by_tid, tid);
	struct leaver *new;

	if (row != 0)
		return row - 1;
	new = make_row(&o->tasks, o->ntasks, sizeof *new, MAKE_MOST, "threads", err);
	if (new == NULL || !idmap_put(&o->by_tid, tid, (uint32_t)o->ntasks + 1, err))
		return UINT32_MAX;
	*new = (struct leaver){ .is_away = false };
	return (uint32_t)o->ntasks++;
}

/* End the wait of a task that returned, or at the end of the text. */
static bool
offcpu_add_wait(struct offcpu *o, uint32_t row, uint64_t time, struct err *err)
{
	struct leaver *t = offcpu_task_at(o, row);
	struct away_time w = { t->away, row };

	assert(t->is_away);
	t->is_away = false;
	t->away.event = 0;
	if (time < t->time)
		return true;
	w.sample.time = t->time;
	w.sample.weight = time - t->time;
	return make_add(&o->waits, &o->nwaits, &w, sizeof w, UINT32_MAX, "waits", err);
}

bool
offcpu_sample(struct offcpu *o, const struct perf_sample *p, const struct sample *s, uint64_t lost, struct err *err)
{
	uint32_t from, to, row;
	struct leaver *t;

	if (!switch_of(p, &from, &to))
		return true;
	o->sampled += !offcpu_has_records(o) && p->period > 1;
	row = to == 0 || o->records ? 0 : idmap_get(&o->by_tid, to);
	if (row != 0 && offcpu_task_at(o, row - 1)->is_away && !offcpu_add_wait(o, row - 1, s->time, err))
		return false;
	if (from == 0)
		return true;
	if ((row = task_of(o, from, err)) == UINT32_MAX)
		return false;
	t = offcpu_task_at(o, row);
	t->away = *s;
	if (o->records)
		return true;
	t->left++;
	t->unseen += t->is_away && t->lost == lost;
	t->is_away = true;
	t->time = s->time;
	t->lost = lost;
	return true;
}

bool
offcpu_record(struct offcpu *o, const struct perf_sample *p, struct err *err)
{
	struct leaver *t;
	uint32_t row;

	if (p->tid == 0)
		return true;
	if ((row = task_of(o, p->tid, err)) == UINT32_MAX)
		return false;
	t = offcpu_task_at(o, row);
	if (p->record == PERF_IN)
		return !t->is_away || offcpu_add_wait(o, row, p->time, err);
	if (t->away.event == 0) {
		t->away = (struct sample){ .offset = p->offset };
		t->away.thread = samples_thread(o->samples, p->pid, p->tid, p->comm, err);
		t->away.stack = samples_stack(o->samples, 0, samples_function(o->samples, STR("[off-cpu]"), STR(""), 0, err), err);
		if (t->away.thread == 0 || t->away.stack == 0)
			return false;
	}
	t->is_away = true;
	t->time = p->time;
	return true;
}

/*
 * Without switch records, a task that did not return waits until the end. The wait of the last switch has no length
 * yet and is omitted.
 */
static bool
end_tasks(struct offcpu *o, struct err *err)
{
	for (uint32_t i = 0; i < o->ntasks; i++) {
		const struct leaver *t = offcpu_task_at(o, i);

		o->alone += sched_alone(t->left, t->unseen);
		if (!t->is_away)
			continue;
		if (offcpu_has_records(o))
			o->open++;
		else if (t->time < o->last && !offcpu_add_wait(o, i, o->last, err))
			return false;
	}
	return true;
}

bool
offcpu_end(struct offcpu *o, struct err *err)
{
	struct away_time *w;
	uint32_t event = 0;

	if (!end_tasks(o, err))
		return false;
	if (o->sampled > 0)
		o->nwaits = o->alone = 0;
	w = SCRATCH(o->waits, struct away_time);
	for (uint64_t i = 0; i < o->nwaits; i++) {
		if (sched_alone(offcpu_task_at(o, w[i].task)->left, offcpu_task_at(o, w[i].task)->unseen))
			continue;
		if (event == 0 && (event = samples_event(o->samples, STR("off-cpu"), WEIGHT_TIME, "ns", err)) == 0)
			return false;
		w[i].sample.event = event;
		if (!samples_add(o->samples, &w[i].sample, err))
			return false;
	}
	return true;
}
