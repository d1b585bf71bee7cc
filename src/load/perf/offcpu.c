/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offcpu: compute waits.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/scan.h"
#include "icecore/sched.h"
#include "icecore/runtime.h"
#include "offcpu.h"

/* A thread that leaves its CPU. */
struct leaver {
	struct sample	away;		/* sample of the switch; event 0: none */
	uint64_t	time, lost;	/* time of the switch; number of lost events before it */
	uint32_t	left, unseen;	/* number of switches; those where its previous return was not seen */
	uint32_t	tid;
	bool		is_away, io;	/* io: it waits for I/O */
};

struct away_time {
	struct sample	sample;
	uint32_t	task;
	bool		io;
};

/* Frames with which the stack of a wait ends. */
enum end_frame { FRAME_UNSEEN, FRAME_OWN, FRAME_WAITS, FRAME_WAITS_IO };

void
offcpu_free(struct offcpu *o)
{
	SCRATCH_FREE(&o->tasks, &o->waits, &o->ends);
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

/* For "name:33233 [110] S", return the number before the last " [". */
static bool
number_before_priority(struct str s, uint32_t *v)
{
	struct str left;

	if (!scan(&s, "%l[", &left))
		return false;
	left = str_trim(left);
	return scan(&left, "%*l:%p", v);
}

/* The letter of "prev_state=S", "prev_state=R+" or "[110] D"; 0: none. */
static char
letter_before(struct str before)
{
	struct str s = str_trim(before);
	size_t n = s.n;

	while (n > 0 && s.s[n - 1] != ' ' && s.s[n - 1] != '=')
		n--;
	return n > 0 && n < s.n ? s.s[n] : '\0';
}

/* A switch: both tasks, 0: the idle task, and the state of the one that leaves. */
struct task_switch {
	uint32_t	from, to;
	char		state;
};

/* Read a switch in both forms of the text. */
static bool
switch_of(const struct perf_sample *p, struct task_switch *s)
{
	struct str before, after;
	bool from;

	if (!str_ends(p->event, "sched_switch") || !str_divide(p->details, STR("==>"), &before, &after))
		return false;
	s->state = letter_before(before);
	if (scan(&after, "%*l next_pid=%p", &s->to))
		from = scan(&before, "%*l prev_pid=%p", &s->from);
	else
		from = number_before_priority(before, &s->from) && number_before_priority(after, &s->to);
	return from;
}

bool
offcpu_is_switch(const struct perf_sample *p)
{
	struct task_switch s;

	return switch_of(p, &s);
}

/* ---- where tasks wait -------------------------------------------------------------------------- */

static uint32_t
offcpu_state(struct offcpu *o, char letter, struct err *err)
{
	static const struct { char letter; const char *word; } words[] = {
		{ 'S', "sleep" }, { 'D', "disk" }, { 'R', "preempted" }, { 'I', "idle" }, { 'T', "stopped" },
		{ 't', "traced" }, { 'P', "parked" }
	};

	for (size_t i = 0; i < NELEM(words); i++)
		if (words[i].letter == letter)
			return samples_state(o->samples, str_of(words[i].word), err);
	return samples_state(o->samples, STR("other"), err);
}

static enum end_frame
ends_with(struct str text)
{
	if (str_has_prefix(text, STR("io_schedule")))
		return FRAME_WAITS_IO;
	return runtime_is(text, WAITING_ANY) ? FRAME_WAITS : FRAME_OWN;
}

bool
offcpu_cut(struct offcpu *o, uint32_t *stack, bool *io, struct err *err)
{
	const struct sample_stack *node = SCRATCH(o->samples->stacks, struct sample_stack);
	uint32_t at = *stack, last = at;
	uint8_t *end;

	*io = false;
	if (!scratch_array(&o->ends, o->samples->nnames + 1, 1, err))
		return false;
	end = SCRATCH(o->ends, uint8_t);
	for (; at != 0; last = at, at = node[at].parent) {
		uint32_t frame = node[at].frame;

		assert(frame != 0 && frame <= o->samples->nnames && node[at].parent < at);
		if (end[frame] == FRAME_UNSEEN)
			end[frame] = (uint8_t)ends_with(samples_frame_name(o->samples, frame));
		if (end[frame] == FRAME_OWN)
			break;
		*io = *io || end[frame] == FRAME_WAITS_IO;
	}
	*stack = at != 0 ? at : last;
	return true;
}

/* ---- waits -------------------------------------------------------------------------------- */

static struct leaver *
task_at(const struct offcpu *o, uint32_t row)
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
	*new = (struct leaver){ .tid = tid };
	return (uint32_t)o->ntasks++;
}

/* End the wait of a task that returned, or at the end of the text. */
static bool
add_wait(struct offcpu *o, uint32_t row, uint64_t time, struct err *err)
{
	struct leaver *t = task_at(o, row);
	struct away_time w = { t->away, row, t->io };

	assert(t->is_away);
	t->is_away = false;
	t->away.event = 0;
	if (time < t->time)
		return true;
	w.sample.time = t->time;
	w.sample.weight = time - t->time;
	return make_add(&o->waits, &o->nwaits, &w, sizeof w, UINT32_MAX, "waits", err);
}

/* A task leaves, with this sample. */
static bool
leaves(struct offcpu *o, const struct task_switch *is, const struct sample *s, uint64_t lost, struct err *err)
{
	uint32_t row = task_of(o, is->from, err);
	struct leaver *t;

	if (row == UINT32_MAX)
		return false;
	t = task_at(o, row);
	t->away = *s;
	t->away.state = offcpu_state(o, is->state, err);
	if (t->away.state == 0 || !offcpu_cut(o, &t->away.stack, &t->io, err))
		return false;
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
offcpu_sample(struct offcpu *o, const struct perf_sample *p, const struct sample *s, uint64_t lost,
    struct err *err)
{
	struct task_switch is;
	uint32_t row;

	if (!switch_of(p, &is))
		return true;
	o->sampled += !offcpu_has_records(o) && p->period > 1;
	o->idles |= is.from == 0;
	row = is.to == 0 || o->records ? 0 : idmap_get(&o->by_tid, is.to);
	if (row != 0 && task_at(o, row - 1)->is_away && !add_wait(o, row - 1, s->time, err))
		return false;
	return is.from == 0 || sched_ended(is.state) || leaves(o, &is, s, lost, err);
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
	t = task_at(o, row);
	if (p->record == PERF_IN)
		return !t->is_away || add_wait(o, row, p->time, err);
	if (t->away.event == 0) {
		t->away = (struct sample){ .offset = p->offset };
		t->away.thread = samples_thread(o->samples, p->pid, p->tid, p->comm, err);
		t->away.stack = samples_stack(o->samples, 0,
		    samples_function(o->samples, STR("[off-cpu]"), STR(""), 0, err), err);
		if (t->away.thread == 0 || t->away.stack == 0)
			return false;
	}
	if (p->record == PERF_PREEMPTED && (t->away.state = offcpu_state(o, 'R', err)) == 0)
		return false;
	t->is_away = true;
	t->time = p->time;
	return true;
}

/*
 * Without switch records, a task that did not return waits until the end. The wait of the last switch has no
 * length yet and is omitted.
 */
static bool
end_tasks(struct offcpu *o, struct err *err)
{
	for (uint32_t i = 0; i < o->ntasks; i++) {
		const struct leaver *t = task_at(o, i);

		o->alone += sched_alone(t->left, t->unseen);
		if (!t->is_away)
			continue;
		if (offcpu_has_records(o))
			o->open++;
		else if (t->time < o->last && !add_wait(o, i, o->last, err))
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
		if (sched_alone(task_at(o, w[i].task)->left, task_at(o, w[i].task)->unseen))
			continue;
		if (event == 0 && (event = o->event =
		    samples_event(o->samples, STR(OFFCPU_EVENT), WEIGHT_TIME, "ns", err)) == 0)
			return false;
		w[i].sample.event = event;
		if (!samples_add(o->samples, &w[i].sample, err))
			return false;
	}
	return true;
}

bool
offcpu_reasons(const struct offcpu *o, const struct idmap *threads, struct scratch *reasons, uint64_t *n,
    struct err *err)
{
	const struct away_time *w = SCRATCH(o->waits, struct away_time);
	const struct sample_stack *node = SCRATCH(o->samples->stacks, struct sample_stack);

	for (uint64_t i = 0; i < o->nwaits; i++) {
		const struct sample *s = &w[i].sample;
		uint64_t end = num_add(s->time, s->weight);
		struct sched_reason new = { end > o->first ? end - o->first : 0,
		    idmap_get(threads, task_at(o, w[i].task)->tid), node[s->stack].frame, w[i].io };

		/* Nothing is known of a switch without a sample. */
		if (new.thread != 0 && s->state != 0 && s->stack != 0 &&
		    !make_add(reasons, n, &new, sizeof new, UINT32_MAX, "waits", err))
			return false;
	}
	return true;
}
