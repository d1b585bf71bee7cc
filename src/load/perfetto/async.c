/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async: events that are not calls of a thread: spans of tracks, counters, instants.  Times are ns since the first event.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "perfetto.h"

/* Spans of a key nest: one that begins within another one has that as its parent. */
struct async_row {
	struct mark_span is;
	uint32_t	id, parent, points, series, args, end_args;
};

#define ROW(p, i) ((struct async_row *)(void *)marks_span(&(p)->marks, i))

static uint32_t
about_process(struct perfetto *p, const struct pf_about *a, struct err *err)
{
	uint32_t process = a->process == 0 && a->pid != 0 ? pf_process(p, a->pid, err) : a->process;

	return process == 0 && a->pid != 0 ? 0 : pf_mark_process(p, process, err);
}

/* Threads of marks are those of calls. */
bool
pf_async_ids(struct perfetto *p, const struct pf_about *a, uint32_t *thread, uint32_t *process, struct err *err)
{
	*thread = 0;
	if (a->task != 0 ? (*thread = pf_task_thread(p, pf_task_at(p, a->task), err)) == 0 :
	    a->tid != 0 && (*thread = pf_span_thread(p, a->tid, err)) == 0)
		return false;
	return (*process = about_process(p, a, err)) != 0;
}

/* Spans of a track that has a name, such as all frames of a process, are one line over time. */
static bool
async_track(struct perfetto *p, const struct pf_about *a, struct async_row *row, struct err *err)
{
	struct mark_span like = row->is;

	if (a->track != 0 || a->up != 0) {
		like.name = a->track != 0 ? a->track : a->name;
		like.cat = a->above;
	}
	if (!marks_track(&p->marks, &like, &row->series, err))
		return false;
	if (a->up != 0)
		marks_nest(&p->marks, row->series, a->up - 1);
	return true;
}

bool
pf_async_begin(struct perfetto *p, uint64_t key, uint64_t time, const struct pf_about *a, struct err *err)
{
	struct async_row new = { .is = { .start = time, .end = time, .name = a->name, .cat = a->cat, .kind = a->kind,
	    .track = a->path }, .args = a->args };

	p->marks.span_size = sizeof new;
	if (!pf_async_ids(p, a, &new.is.thread, &new.is.process, err) || !marks_innermost(&p->marks, (uint32_t)(key >> 32), (uint32_t)key,
	    &new.parent, err) || !async_track(p, a, &new, err))
		return false;
	new.is.depth = new.parent == 0 ? 0 : ROW(p, new.parent)->is.depth + 1;
	if (!marks_begin(&p->marks, &new, (uint32_t)(key >> 32), (uint32_t)key, err))
		return false;
	return marks_level(&p->marks, new.series, time, 1, err);
}

bool
pf_async_end(struct perfetto *p, uint64_t key, uint64_t time, struct err *err)
{
	uint32_t span;

	if (!marks_innermost(&p->marks, (uint32_t)(key >> 32), (uint32_t)key, &span, err))
		return false;
	if (span == 0) {
		p->marks.no_begin++;
		return true;
	}
	marks_end(&p->marks, span, time);
	return marks_level(&p->marks, ROW(p, span)->series, time, MARK_LESS, err);
}

bool
pf_async_end_args(struct perfetto *p, uint64_t key, uint32_t args, struct err *err)
{
	uint32_t span;

	if (!marks_innermost(&p->marks, (uint32_t)(key >> 32), (uint32_t)key, &span, err))
		return false;
	if (span != 0)
		ROW(p, span)->end_args = args;
	return true;
}

bool
pf_async_around(struct perfetto *p, uint64_t key, struct pf_flow_end *end, bool *has, struct err *err)
{
	uint32_t span;

	if (!marks_innermost(&p->marks, (uint32_t)(key >> 32), (uint32_t)key, &span, err))
		return false;
	*has = span != 0;
	if (span != 0) {
		end->name = ROW(p, span)->is.name;
		end->cat = ROW(p, span)->is.cat;
	}
	return true;
}

bool
pf_instant(struct perfetto *p, uint64_t time, const struct pf_about *a, char scope, struct err *err)
{
	struct mark_instant new = { .time = time, .name = a->name, .cat = a->cat, .args = a->args, .scope = scope, .letter = 'i',
	    .tag = a->tag, .priority = a->priority };

	return pf_async_ids(p, a, &new.thread, &new.process, err) && marks_instant(&p->marks, &new, err);
}

bool
pf_level(struct perfetto *p, uint64_t time, const struct pf_about *a, double value, struct err *err)
{
	struct mark_counter new = { .name = a->name, .process = about_process(p, a, err) };
	struct mark_counter *known;
	uint32_t counter = new.process == 0 ? 0 : mark_set_add(&p->marks.counters, &new, offsetof(struct mark_counter, series), sizeof new,
	    "counters", err);

	if (counter == 0)
		return false;
	known = &SCRATCH(p->marks.counters.rows, struct mark_counter)[counter - 1];
	return (a->unit.n == 0 || known->unit != 0 || marks_word_of(&p->marks, a->unit, &known->unit, err)) &&
	    marks_count(&p->marks, counter, time, value, err);
}

bool
pf_async_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ASYNC_START, async_row, is.start), MAKE(COL_ASYNC_END, async_row, is.end),
		MAKE(COL_ASYNC_NAME, async_row, is.name), MAKE(COL_ASYNC_CAT, async_row, is.cat), MAKE(COL_ASYNC_ID, async_row, id),
		MAKE(COL_ASYNC_PROCESS, async_row, is.process), MAKE(COL_ASYNC_PARENT, async_row, parent),
		MAKE(COL_ASYNC_POINTS, async_row, points), MAKE(COL_ASYNC_OPEN, async_row, is.open),
		MAKE(COL_ASYNC_THREAD, async_row, is.thread), MAKE(COL_ASYNC_TRACK, async_row, is.track),
		MAKE(COL_ASYNC_DEPTH, async_row, is.depth),
	};
	struct marks_in *m = &p->marks;

	m->span_size = sizeof(struct async_row);
	for (uint64_t i = 1; i <= m->nspans; i++)
		if (ROW(p, i)->is.open)
			ROW(p, i)->is.end = p->last - p->first;
	return marks_sum_spans(m, err) && marks_operation_columns(m, err) && make_columns(m->l->st, columns,
	    NELEM(columns), MAKE_ROWS(SCRATCH(m->spans, struct async_row), m->nspans), err);
}

bool
pf_async_args(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_ASYNC_ARGS, async_row, args),
	    MAKE(COL_ASYNC_END_ARGS, async_row, end_args) };

	return make_columns(p->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(p->marks.spans, struct async_row), p->marks.nspans), err);
}
