/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async: events that are not calls of a thread: spans of tracks, counters, instants.  Times are ns since
 * the first event.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "load/kernel/kernel.h"
#include "perfetto.h"

#define ROW(p, i) async_row(&(p)->marks, i)

static uint32_t
about_process(struct perfetto *p, const struct pf_about *a, struct err *err)
{
	uint32_t process = a->process == 0 && a->pid != 0 ? pf_process(p, a->pid, err) : a->process;

	return process == 0 && a->pid != 0 ? 0 : pf_mark_process(p, process, err);
}

/* Threads of marks are those of calls. */
bool
pf_async_ids(struct perfetto *p, const struct pf_about *a, uint32_t *thread, uint32_t *process,
    struct err *err)
{
	*thread = 0;
	if (a->task != 0 ? (*thread = pf_task_thread(p, pf_task_at(p, a->task), err)) == 0 :
	    a->tid != 0 && (*thread = pf_span_thread(p, a->tid, err)) == 0)
		return false;
	return (*process = about_process(p, a, err)) != 0;
}

/* Spans of a track that has a name, such as all frames of a process, are one line over time. */
bool
pf_async_begin(struct perfetto *p, uint64_t key, uint64_t time, const struct pf_about *a, struct err *err)
{
	struct async_row new = { .is = { .start = time, .end = time, .name = a->name, .cat = a->cat,
	    .kind = a->kind, .track = a->path }, .args = a->args };
	struct mark_span like;

	if (!pf_async_ids(p, a, &new.is.thread, &new.is.process, err))
		return false;
	like = new.is;
	if (a->track != 0 || a->up != 0) {
		like.name = a->track != 0 ? a->track : a->name;
		like.cat = a->above;
	}
	return async_begin(&p->marks, key, &new, &like, a->up, err);
}

bool
pf_async_end(struct perfetto *p, uint64_t key, uint64_t time, struct err *err)
{
	return async_end(&p->marks, key, time, err);
}

bool
pf_async_end_args(struct perfetto *p, uint64_t key, uint32_t args, struct err *err)
{
	uint32_t span;

	if (!async_innermost(&p->marks, key, &span, err))
		return false;
	if (span != 0)
		ROW(p, span)->end_args = args;
	return true;
}

bool
pf_async_around(struct perfetto *p, uint64_t key, struct flow_stop *end, bool *has, struct err *err)
{
	uint32_t span;

	if (!async_innermost(&p->marks, key, &span, err))
		return false;
	*has = span != 0;
	if (span != 0) {
		end->name = ROW(p, span)->is.name;
		end->cat = ROW(p, span)->is.cat;
	}
	return true;
}

bool
pf_text_word(struct perfetto *p, uint32_t *word, struct err *err)
{
	return p->text.bad ? fail(err, E_SYSTEM, "out of memory (names)") :
	    marks_word_of(&p->marks, buf_view(&p->text), word, err);
}

bool
pf_instant(struct perfetto *p, uint64_t time, const struct pf_about *a, char scope, struct err *err)
{
	struct mark_instant new = { .time = time, .name = a->name, .cat = a->cat, .args = a->args,
	    .scope = scope, .letter = 'i', .tag = a->tag, .priority = a->priority, .track = a->path };

	return pf_async_ids(p, a, &new.thread, &new.process, err) && marks_instant(&p->marks, &new, err);
}

bool
pf_level(struct perfetto *p, uint64_t time, const struct pf_about *a, double value, struct err *err)
{
	struct mark_counter new = { .process = about_process(p, a, err), .name = a->name,
	    .track = a->counter };

	return new.process != 0 && counter_value(&p->marks, time, &new, a->unit, value, err);
}

bool
pf_async_columns(struct perfetto *p, struct err *err)
{
	return async_columns(&p->marks, p->last - p->first, err);
}

bool
pf_async_args(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_ASYNC_ARGS, async_row, args),
	    MAKE(COL_ASYNC_END_ARGS, async_row, end_args) };

	return make_columns(p->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(p->marks.spans, struct async_row), p->marks.nspans), err);
}
