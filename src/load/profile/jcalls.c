/*
 * Calls out of JSON, as columns.
 */
#include "config.h"

#include <string.h>

#include "jcalls.h"
#include "load/trace/trace.h"

#define SLICE 4096u		/* rows between two looks at the clock */

void
jcalls_open(struct jcalls *c, struct samples *names)
{
	*c = (struct jcalls){ .names = names, .events = SCRATCH_INIT };
}

void
jcalls_close(struct jcalls *c)
{
	scratch_free(&c->events);
}

bool
jcalls_add(struct jcalls *c, const struct jevent *e, struct err *err)
{
	if (!scratch_array(&c->events, c->n + 1, sizeof *e, err))
		return false;
	SCRATCH(c->events, struct jevent)[c->n++] = *e;
	return true;
}

/* Threads get their ids as they are, but those that another one has. */
static bool
thread_columns(struct jcalls *c, uint32_t *tid_of, struct err *err)
{
	const struct samples *s = c->names;
	const struct sample_thread *t = SCRATCH(s->threads, struct sample_thread);
	uint32_t *tid = store_make(s->st, COL_LISTED_TID, COL_U32, s->nthreads, err);
	uint32_t *pid = tid == NULL ? NULL : store_make(s->st, COL_LISTED_PID, COL_U32, s->nthreads, err);
	uint64_t *name = pid == NULL ? NULL : store_make(s->st, COL_LISTED_THREAD, COL_U64, s->nthreads, err);
	uint32_t *own = name == NULL ? NULL : store_make(s->st, COL_LISTED_THREAD_OWN, COL_U32, s->nthreads, err);
	struct idmap taken = IDMAP_INIT;
	uint64_t i;
	bool ok = own != NULL && store_make(s->st, COL_LISTED_BEFORE, COL_U32, s->nthreads, err) != NULL;

	for (i = 0; ok && i < s->nthreads; i++) {
		tid[i] = t[i].tid;
		if (tid[i] == 0 || idmap_get(&taken, tid[i]) != 0)
			tid[i] = UINT32_MAX - (uint32_t)i;
		tid_of[i] = tid[i];
		pid[i] = t[i].pid;
		name[i] = t[i].ref;
		own[i] = t[i].own;
		ok = idmap_put(&taken, tid[i], 1, err);
	}
	idmap_free(&taken);
	return ok;
}

static bool
name_columns(struct jcalls *c, struct err *err)
{
	static const enum col empty[] = { COL_LISTED_CLASS, COL_LISTED_SIGNATURE };
	const struct samples *s = c->names;
	const struct sample_name *n = SCRATCH(s->names, struct sample_name);
	uint64_t *method = store_make(s->st, COL_LISTED_METHOD, COL_U64, s->nnames, err), i;
	uint64_t *name = method == NULL ? NULL : store_make(s->st, COL_LISTED_NAME, COL_U64, s->nnames, err);
	uint32_t *own = name == NULL ? NULL : store_make(s->st, COL_LISTED_OWN, COL_U32, s->nnames, err);
	int64_t *line = own == NULL ? NULL : store_make(s->st, COL_LISTED_LINE, COL_I64, s->nnames, err);
	uint64_t *file = line == NULL ? NULL : store_make(s->st, COL_LISTED_FILE, COL_U64, s->nnames, err);
	uint32_t *file_own = file == NULL ? NULL : store_make(s->st, COL_LISTED_FILE_OWN, COL_U32, s->nnames, err);
	char *text = file_own == NULL ? NULL : store_make(s->st, COL_LISTED_OWN_TEXT, COL_BYTES, s->own.n, err);

	if (text == NULL)
		return false;
	for (i = 0; i < NELEM(empty); i++)
		if (store_make(s->st, empty[i], COL_U64, s->nnames, err) == NULL)
			return false;
	if (s->own.n > 0)
		memcpy(text, s->own.bytes.data, (size_t)s->own.n);
	for (i = 0; i < s->nnames; i++) {
		method[i] = 4 * (i + 1);
		name[i] = n[i].ref;
		own[i] = n[i].own;
		file[i] = n[i].file;
		file_own[i] = n[i].file_own;
		line[i] = -1;
	}
	return true;
}

static bool
event_columns(struct jcalls *c, const uint32_t *tid_of, struct err *err)
{
	const struct samples *s = c->names;
	const struct jevent *e = SCRATCH(c->events, struct jevent);
	uint64_t *time = store_make(s->st, COL_EVENT_TIME, COL_U64, c->n, err), i, first = UINT64_MAX;
	uint32_t *word = time == NULL ? NULL : store_make(s->st, COL_EVENT_WORD, COL_U32, c->n, err);
	uint32_t *tid = word == NULL ? NULL : store_make(s->st, COL_EVENT_TID, COL_U32, c->n, err);

	if (tid == NULL)
		return false;
	for (i = 0; i < c->n; i++)
		first = e[i].time < first ? e[i].time : first;
	for (i = 0; i < c->n; i++) {
		if (i % SLICE == 0 && !work_tick(s->work, i))
			return fail_cancel(err);
		time[i] = e[i].time - first;
		word[i] = e[i].word;
		tid[i] = tid_of[e[i].thread - 1];
	}
	return store_make(s->st, COL_SEGMENT_OFFSET, COL_U64, 1, err) != NULL &&
	    store_make(s->st, COL_SEGMENT_ROW, COL_U64, 1, err) != NULL;
}

static bool
facts(struct jcalls *c, struct err *err)
{
	const struct samples *s = c->names;
	const struct { const char *name; uint64_t value; } counts[] = {
		{ "records", c->n }, { "threads_listed", s->nthreads }, { "methods_listed", s->nnames },
		{ "trace.tick", 1 }, { "trace.clocks", 1 << CLOCK_WALL }, { "trace.wide", 1 },
		{ "trace.layout", LAYOUT_COLUMNS }, { "trace.all_threads", 1 },
		{ "shapes", SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS },
	};
	size_t i;

	for (i = 0; i < NELEM(counts); i++)
		if (!store_fact(s->st, counts[i].name, FACT_COUNT, counts[i].value, err))
			return false;
	return store_fact_text(s->st, "clock", STR("wall"), err);
}

bool
jcalls_columns(struct jcalls *c, struct err *err)
{
	struct scratch tids = SCRATCH_INIT;
	bool ok;

	if (c->names->nnames >= UINT32_MAX / 4)
		return fail(err, E_INPUT, "more than %u names", UINT32_MAX / 4);
	ok = scratch_array(&tids, c->names->nthreads + 1, sizeof(uint32_t), err) &&
	    thread_columns(c, SCRATCH(tids, uint32_t), err) && name_columns(c, err) &&
	    event_columns(c, SCRATCH(tids, uint32_t), err) && facts(c, err);
	scratch_free(&tids);
	return ok;
}
