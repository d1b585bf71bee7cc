/*
 * Enters and exits as the columns of a method trace.
 */
#include "config.h"

#include <assert.h>

#include "profile.h"

void
calls_in_open(struct calls_in *c, struct samples *names)
{
	*c = (struct calls_in){ .names = names };
}

void
calls_in_close(struct calls_in *c)
{
	scratch_free(&c->events);
}

bool
calls_in_add(struct calls_in *c, const struct call_event *e, struct err *err)
{
	struct call_event *to = make_row(&c->events, c->n, sizeof *e, UINT64_MAX, "calls", err);

	assert(e->thread != 0 && e->word / 4 != 0 && e->word / 4 <= c->names->nnames);
	if (to == NULL)
		return false;
	*to = *e;
	c->n++;
	return true;
}

/* Threads keep their ids, but those that have none or that of another one get the largest there are. */
static bool
unlike_tids(struct samples *s, struct err *err)
{
	struct sample_thread *t = SCRATCH(s->threads, struct sample_thread);
	struct idmap taken = IDMAP_INIT;
	uint64_t i;
	bool ok = true;

	for (i = 0; ok && i < s->nthreads; i++) {
		if (t[i].tid == 0 || idmap_get(&taken, t[i].tid) != 0)
			t[i].tid = UINT32_MAX - (uint32_t)i;
		ok = idmap_put(&taken, t[i].tid, 1, err);
	}
	idmap_free(&taken);
	return ok;
}

static bool
name_columns(struct samples *s, struct err *err)
{
	static const struct make_column threads[] = {
		MAKE(COL_LISTED_TID, sample_thread, tid), MAKE(COL_LISTED_PID, sample_thread, pid),
		MAKE(COL_LISTED_THREAD, sample_thread, ref), MAKE(COL_LISTED_THREAD_OWN, sample_thread, own),
		MAKE_CONST(COL_LISTED_BEFORE, 4, MAKE_ZERO),
	}, names[] = {
		MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD), MAKE(COL_LISTED_NAME, sample_name, ref),
		MAKE(COL_LISTED_OWN, sample_name, own), MAKE_CONST(COL_LISTED_LINE, 8, MAKE_NO_LINE),
		MAKE(COL_LISTED_FILE, sample_name, file), MAKE(COL_LISTED_FILE_OWN, sample_name, file_own),
	}, empty[] = {
		MAKE_CONST(COL_LISTED_CLASS, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_SIGNATURE, 8, MAKE_ZERO),
	};
	const struct sample_thread *thread = SCRATCH(s->threads, struct sample_thread);
	const struct sample_name *name = SCRATCH(s->names, struct sample_name);

	return make_columns(s->st, threads, NELEM(threads), MAKE_ROWS(thread, s->nthreads), err) &&
	    make_columns(s->st, names, NELEM(names), MAKE_ROWS(name, s->nnames), err) &&
	    make_copy(s->st, COL_LISTED_OWN_TEXT, COL_BYTES, s->own.bytes.data, s->own.n, err) &&
	    make_columns(s->st, empty, NELEM(empty), MAKE_ROWS(name, s->nnames), err);
}

/* Threads are told by their tids, times from the first one on. */
static bool
event_columns(struct calls_in *c, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EVENT_TIME, call_event, time), MAKE(COL_EVENT_WORD, call_event, word),
		MAKE(COL_EVENT_TID, call_event, thread),
	};
	const struct sample_thread *t = SCRATCH(c->names->threads, struct sample_thread);
	struct call_event *e = SCRATCH(c->events, struct call_event);
	struct make_rows rows = MAKE_ROWS(e, c->n);
	uint64_t first = UINT64_MAX, i;

	for (i = 0; i < c->n; i++)
		first = e[i].time < first ? e[i].time : first;
	for (i = 0; i < c->n; i++) {
		assert(e[i].thread <= c->names->nthreads);
		e[i].time -= first;
		e[i].thread = t[e[i].thread - 1].tid;
	}
	rows.work = c->names->work;
	return make_columns(c->names->st, columns, NELEM(columns), rows, err) && make_segment(c->names->st, err);
}

bool
calls_in_columns(struct calls_in *c, struct err *err)
{
	struct samples *s = c->names;
	const struct make_fact facts[] = {
		{ "records", c->n }, { "threads_listed", s->nthreads }, { "methods_listed", s->nnames },
		MAKE_COLUMN_TRACE, { "shapes", SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS },
	};

	if (s->nnames >= UINT32_MAX / 4)
		return fail(err, E_INPUT, "more than %u names", UINT32_MAX / 4);
	return unlike_tids(s, err) && name_columns(s, err) && event_columns(c, err) &&
	    make_facts(s->st, facts, NELEM(facts), err) && store_fact_text(s->st, "clock", STR("wall"), err);
}
