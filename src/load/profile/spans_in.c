/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spans being read, and their threads; enters and exits as the columns of a method trace.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/name.h"
#include "spans.h"

#define NUMBERED_LEAST 16u	/* names with a number, and the least part of all names that has one */
#define NUMBERED_SHARE 16u

/* ---- enters and exits as the columns of a method trace -------------------------------------------- */

bool
calls_in_add(struct calls_in *c, const struct call_event *e, struct err *err)
{
	assert(e->thread != 0 && e->word / 4 != 0 && e->word / 4 <= c->names->nnames);
	return make_add(&c->events, &c->n, e, sizeof *e, UINT64_MAX, "calls", err);
}

/*
 * Records identify threads by id.  Threads without an id, or with that of another thread, get the largest
 * ids, which are not shown.
 */
static bool
unlike_tids(struct samples *s, struct err *err)
{
	struct sample_thread *t = SCRATCH(s->threads, struct sample_thread);
	struct idmap taken = IDMAP_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && i < s->nthreads; i++) {
		t[i].told = t[i].tid;
		if (t[i].tid == 0 || idmap_get(&taken, t[i].tid) != 0)
			t[i].tid = UINT32_MAX - (uint32_t)i;
		ok = idmap_put(&taken, t[i].tid, 1, err);
	}
	idmap_free(&taken);
	return ok;
}

static bool
name_columns(struct samples *s, uint64_t nframes, struct err *err)
{
	static const struct make_column threads[] = {
		MAKE(COL_LISTED_TID, sample_thread, tid), MAKE(COL_LISTED_PID, sample_thread, pid),
		MAKE(COL_LISTED_TOLD, sample_thread, told),
		MAKE(COL_LISTED_THREAD, sample_thread, ref), MAKE(COL_LISTED_THREAD_OWN, sample_thread, own),
		MAKE_CONST(COL_LISTED_BEFORE, 4, MAKE_ZERO),
	}, methods[] = { MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD) }, names[] = {
		MAKE(COL_LISTED_NAME, sample_name, ref),
		MAKE(COL_LISTED_OWN, sample_name, own), MAKE_COLUMN(COL_LISTED_LINE, sample_name, line, MAKE_SIGNED),
		MAKE(COL_LISTED_FILE, sample_name, file), MAKE(COL_LISTED_FILE_OWN, sample_name, file_own),
	}, cpu[] = { MAKE(COL_LISTED_CPU, sample_name, has_cpu) }, modules[] = {
		MAKE(COL_LISTED_MODULE, sample_name, module), MAKE(COL_LISTED_MODULE_OWN, sample_name, module_own),
	}, empty[] = {
		MAKE_CONST(COL_LISTED_CLASS, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_SIGNATURE, 8, MAKE_ZERO),
	};
	const struct sample_thread *thread = SCRATCH(s->threads, struct sample_thread);
	const struct sample_name *name = SCRATCH(s->names, struct sample_name);
	bool any_module = false, some_cpu = false, no_cpu = false;

	for (uint64_t i = 0; i < s->nnames; i++) {
		any_module |= name[i].module != 0 || name[i].module_own != 0;
		some_cpu |= name[i].has_cpu != 0;
		no_cpu |= name[i].has_cpu == 0;
	}
	return make_columns(s->st, threads, NELEM(threads), MAKE_ROWS(thread, s->nthreads), err) &&
	    make_columns(s->st, methods, NELEM(methods), MAKE_ROWS(name, nframes), err) &&
	    make_columns(s->st, names, NELEM(names), MAKE_ROWS(name, s->nnames), err) &&
	    (!some_cpu || !no_cpu || make_columns(s->st, cpu, NELEM(cpu), MAKE_ROWS(name, s->nnames), err)) &&
	    (!any_module || make_columns(s->st, modules, NELEM(modules), MAKE_ROWS(name, s->nnames), err)) &&
	    make_copy(s->st, COL_LISTED_OWN_TEXT, COL_BYTES, s->own.bytes.data, s->own.size, err) &&
	    make_columns(s->st, empty, NELEM(empty), MAKE_ROWS(name, s->nnames), err);
}

/* Frames of samples come after those of calls. */
static bool
sampled_column(const struct calls_in *c, struct err *err)
{
	uint8_t *sampled = store_make(c->names->st, COL_LISTED_SAMPLED, COL_U8, c->names->nnames, err);

	for (uint64_t i = 0; sampled != NULL && i < c->names->nnames; i++)
		sampled[i] = i >= c->nframes;
	return sampled != NULL;
}

/*
 * A call without a CPU time gets that of the calls in it: its end has the last known time, and its start that
 * of the next event.  If no time in it is known, its end has that of the next event, too.  The last event of a
 * thread has the last known time.
 */
static void
spread_cpu(struct calls_in *c)
{
	struct call_event *e = SCRATCH(c->events, struct call_event);
	uint64_t cpu = 0, depth = 0, told = 0;	/* outermost calls in which a time is known */
	bool unknown = false;

	for (uint64_t i = 0; i < c->n; i++) {
		bool enter = e[i].word % 4 == ACT_ENTER;
		bool last = i + 1 == c->n || e[i].thread != e[i + 1].thread;

		if (i == 0 || e[i].thread != e[i - 1].thread)
			cpu = 0;
		depth += enter;
		if (e[i].cpu != SPAN_NO_CPU) {
			cpu = e[i].cpu;
			told = depth;
		} else if (last || (!enter && depth <= told)) {
			e[i].cpu = cpu;
		} else {
			unknown = true;
		}
		depth -= !enter;
		told = told < depth ? told : depth;
	}
	for (uint64_t i = unknown ? c->n : 0; i-- > 0; cpu = e[i].cpu)
		if (e[i].cpu == SPAN_NO_CPU)
			e[i].cpu = cpu;
}

/* Return how many names have a number; 0: too few to hide others. */
static uint64_t
numbered(const struct samples *s, uint64_t nframes)
{
	OWN_BUF b = BUF_INIT;
	uint64_t n = 0;

	for (uint32_t frame = 1; frame <= nframes; frame++) {
		buf_clear(&b);
		buf_str(&b, samples_frame_name(s, frame));
		n += name_star(&b, 0, true) > 0;
	}
	return n >= NUMBERED_LEAST && n * NUMBERED_SHARE >= nframes ? n : 0;
}

/* Threads are identified by tids; times count from the first one. */
static bool
event_columns(struct calls_in *c, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EVENT_TIME, call_event, time), MAKE(COL_EVENT_WORD, call_event, word),
		MAKE(COL_EVENT_TID, call_event, thread),
	}, cpu[] = { MAKE(COL_EVENT_CPU, call_event, cpu) };
	const struct sample_thread *t = SCRATCH(c->names->threads, struct sample_thread);
	struct call_event *e = SCRATCH(c->events, struct call_event);
	struct make_rows rows = MAKE_ROWS(e, c->n);
	uint64_t first = c->first == 0 ? UINT64_MAX : c->first;

	for (uint64_t i = 0; i < c->n; i++) {
		resident_row(i);
		first = e[i].time < first ? e[i].time : first;
	}
	c->first = first;
	if (c->with_cpu > 0)
		spread_cpu(c);
	for (uint64_t i = 0; i < c->n; i++) {
		assert(e[i].thread <= c->names->nthreads);
		resident_row(i);
		assert(e[i].thread != 0 && e[i].time >= first);
		e[i].time -= first;
		e[i].thread = t[e[i].thread - 1].tid;
	}
	rows.work = c->names->work;
	return make_columns(c->names->st, columns, NELEM(columns), rows, err) &&
	    (c->with_cpu == 0 || make_columns(c->names->st, cpu, NELEM(cpu), rows, err)) &&
	    make_segment(c->names->st, err);
}

bool
calls_in_columns(struct calls_in *c, struct err *err)
{
	struct samples *s = c->names;
	uint64_t nframes = c->listed != 0 ? c->listed : c->nframes == 0 ? s->nnames : c->nframes;
	unsigned calls = c->n > 0 || c->shapes == 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0;
	const struct make_fact facts[] = {
		{ FACT_RECORDS, c->n }, { FACT_THREADS_LISTED, s->nthreads }, { FACT_METHODS_LISTED, nframes },
		{ FACT_REPAIR_UNPLACED, c->unplaced, MAKE_ANY },
		{ FACT_METHODS_NUMBERED, numbered(s, nframes), MAKE_ANY },
		MAKE_COLUMN_TRACE, { FACT_SHAPES, calls | c->shapes | SHAPE_TRACKS | SHAPE_ROWS |
		    (s->nsamples > 0 ? SHAPE_EVENTS : 0) },
	};

	if (s->nnames >= UINT32_MAX / 4)
		return fail(err, E_UNREADABLE, "too many names (limit: %u)", UINT32_MAX / 4);
	return unlike_tids(s, err) && name_columns(s, nframes, err) && (c->listed == 0 || sampled_column(c, err)) &&
	    event_columns(c, err) &&
	    make_facts(s->st, facts, NELEM(facts), err) && (s->nsamples == 0 || samples_beside(s, c->first, err)) &&
	    fact_set_text(s->st, FACT_CLOCK, c->with_cpu > 0 ? STR("dual") : STR("wall"), err) && (c->with_cpu == 0 ||
	    fact_set(s->st, FACT_TRACE_CLOCKS, 1 << CLOCK_WALL | 1 << CLOCK_CPU, err));
}

void
spans_in_open(struct spans_in *in, struct samples *names)
{
	*in = (struct spans_in){ .calls.names = names };
}

void
spans_in_close(struct spans_in *in)
{
	SCRATCH_FREE(&in->calls.events, &in->calls.args, &in->args, &in->cpus, &in->threads, &in->rows,
	    &in->open, &in->text);
	idmap_free(&in->by_id);
	idmap_free(&in->by_tid);
}

/* ---- threads --------------------------------------------------------------------- */

static uint64_t
tid_key(struct str tid)
{
	return idmap_hash_text(tid, 0);
}

static uint64_t
ids_key(struct str pid, struct str tid)
{
	return idmap_hash_text(tid, idmap_hash_text(pid, 0));
}

/* Index a thread by both ids, and by the thread id alone if that is not taken. */
static bool
find_again(struct spans_in *in, uint32_t thread, struct err *err)
{
	const struct span_thread *t = spans_thread_at(in, thread);

	return idmap_put(&in->by_id, ids_key(t->ids[0], t->ids[1]), thread, err) &&
	    (idmap_get(&in->by_tid, tid_key(t->ids[1])) != 0 ||
	    idmap_put(&in->by_tid, tid_key(t->ids[1]), thread, err));
}

uint32_t
spans_in_thread(struct spans_in *in, struct str pid, struct str tid, struct err *err)
{
	uint32_t thread = idmap_get(&in->by_id, ids_key(pid, tid));
	struct span_thread t = { .own = 0 };
	uint64_t v;

	if (thread != 0)
		return thread;
	t.pid = num_u64(pid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	t.tid = num_u64(tid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	t.ids[0] = pid;
	t.ids[1] = tid;
	return make_add(&in->threads, &in->nthreads, &t, sizeof t, MAKE_MOST, "threads", err) &&
	    find_again(in, (uint32_t)in->nthreads, err) ? (uint32_t)in->nthreads : 0;
}

uint32_t
spans_in_any(struct spans_in *in, struct str tid, struct err *err)
{
	uint32_t thread = idmap_get(&in->by_tid, tid_key(tid));

	return thread != 0 ? thread : spans_in_thread(in, STR(""), tid, err);
}

uint32_t
spans_in_task(struct spans_in *in, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	char digits[16];
	struct span_thread t = { .pid = pid, .tid = tid };
	uint32_t thread;

	snprintf(digits, sizeof digits, "%u", tid);
	thread = idmap_get(&in->by_tid, tid_key(str_of(digits)));
	if (thread == 0) {
		if (!make_add(&in->threads, &in->nthreads, &t, sizeof t, MAKE_MOST, "threads", err))
			return 0;
		thread = (uint32_t)in->nthreads;
		if (!idmap_put(&in->by_tid, tid_key(str_of(digits)), thread, err))
			return 0;
	}
	return spans_thread_at(in, thread)->name.n > 0 || spans_in_name(in, thread, name, err) ? thread : 0;
}

bool
spans_in_name(struct spans_in *in, uint32_t thread, struct str name, struct err *err)
{
	struct span_thread *t = spans_thread_at(in, thread);

	t->own = 0;
	t->name = name;
	if (name.n == 0 || samples_has_text(in->calls.names, name))
		return true;
	if (!scratch_array(&in->text, in->ntext + name.n, 1, err))
		return false;
	memcpy(in->text.data + in->ntext, name.s, name.n);
	t->own = in->ntext + 1;
	t->own_n = name.n;
	in->ntext += name.n;
	assert(in->ntext <= in->text.size);
	return true;
}

void
spans_in_of(struct spans_in *in, uint32_t thread, uint32_t pid, uint32_t tid)
{
	spans_thread_at(in, thread)->pid = pid;
	spans_thread_at(in, thread)->tid = tid;
}

uint32_t
spans_in_tid(const struct spans_in *in, uint32_t thread)
{
	return spans_thread_at(in, thread)->tid;
}

bool
spans_in_order(struct spans_in *in, const uint32_t *place, struct err *err)
{
	struct scratch threads = SCRATCH_INIT;
	struct span_row *row = SCRATCH(in->rows, struct span_row);
	bool ok = scratch_array(&threads, in->nthreads, sizeof(struct span_thread), err);

	for (uint32_t i = 1; ok && i <= in->nthreads; i++)
		SCRATCH(threads, struct span_thread)[place[i - 1] - 1] = *spans_thread_at(in, i);
	scratch_free(ok ? &in->threads : &threads);
	if (!ok)
		return false;
	in->threads = threads;
	for (uint64_t i = 0; i < in->nrows; i++) {
		resident_row(i);
		row[i].thread = place[row[i].thread - 1];
	}
	idmap_free(&in->by_id);
	idmap_free(&in->by_tid);
	for (uint32_t i = 1; ok && i <= in->nthreads; i++)
		ok = find_again(in, i, err);
	return ok;
}

/* Append "process/thread" as in the file, for threads whose name and number are ambiguous. */
static bool
name_by_ids(const struct spans_in *in, const struct span_thread *t, struct buf *made, struct err *err)
{
	struct buf plain = BUF_INIT;

	for (size_t i = 0; i < 2; i++) {
		buf_str(made, t->ids[i].n == 0 ? STR("0") : in->unescape == NULL ? t->ids[i] :
		    in->unescape(t->ids[i], &plain));
		if (i == 0)
			buf_chr(made, '/');
	}
	made->bad |= plain.bad;
	buf_free(&plain);
	return !made->bad || fail(err, E_SYSTEM, "out of memory (name)");
}

static struct str
name_told(const struct spans_in *in, const struct span_thread *t)
{
	return t->own == 0 ? t->name : (struct str){ (const char *)in->text.data + t->own - 1, t->own_n };
}

/* Numbers of threads that are told apart when they are made. */
struct span_alike {
	struct idmap	tids;	/* number to a thread that was made */
	struct idmap	names;	/* hash of a name to how many threads without a number have it */
};

/*
 * Make a thread for each pair of ids, of any form: processes may have names as ids.  Its name shows both ids if another
 * process has the same one; also of words, of 0 and of more than 32 bits (pthread_self), which are no numbers here.
 */
static bool
spans_in_make_thread(struct spans_in *in, uint32_t thread, struct span_alike *alike, struct err *err)
{
	const struct span_thread *t = spans_thread_at(in, thread);
	struct samples *s = in->calls.names;
	struct str name = name_told(in, t);
	struct buf made = BUF_INIT;
	bool ok = true;

	if (name.n == 0 ? t->tid == 0 || idmap_get(&alike->tids, t->tid) != 0 :
	    t->tid == 0 && idmap_get(&alike->names, idmap_hash_text(name, 0)) > 1) {
		buf_str(&made, name);
		buf_str(&made, name.n > 0 ? STR(" ") : STR(""));
		ok = name_by_ids(in, t, &made, err);
		name = buf_view(&made);
	}
	ok = ok && samples_thread_new(s, t->pid, t->tid, name, err) != 0;
	buf_free(&made);
	return ok && idmap_put(&alike->tids, t->tid, thread, err);
}

bool
spans_threads(struct spans_in *in, struct err *err)
{
	struct span_alike alike = { IDMAP_INIT, IDMAP_INIT };
	bool ok = true;

	for (uint32_t i = 1; ok && i <= in->nthreads; i++) {
		const struct span_thread *t = spans_thread_at(in, i);
		uint64_t h;

		if (t->tid != 0)
			continue;
		h = idmap_hash_text(name_told(in, t), 0);
		ok = idmap_put(&alike.names, h, idmap_get(&alike.names, h) + 1, err);
	}
	for (uint32_t i = 1; ok && i <= in->nthreads; i++)
		ok = spans_in_make_thread(in, i, &alike, err);
	idmap_free(&alike.tids);
	idmap_free(&alike.names);
	return ok;
}

/* ---- spans ----------------------------------------------------------------------- */

static bool
spans_in_add_row(struct spans_in *in, const struct span *span, enum span_kind kind, struct err *err)
{
	struct span_row row = { .start = span->start, .length = span->end > span->start ? span->end - span->start : 0,
	    .thread = span->thread, .frame = span->frame, .order = (uint32_t)in->nrows, .cat = span->cat,
	    .kind = kind };
	struct span_cpu cpu = { span->cpu, span->cpu_length };

	assert(span->thread != 0 && span->thread <= in->nthreads);
	if (span->cpu != SPAN_NO_CPU || span->cpu_length != SPAN_NO_CPU) {
		if (!make_add(&in->cpus, &in->ncpus, &cpu, sizeof cpu, MAKE_MOST, "CPU times", err))
			return false;
		row.cpu = (uint32_t)in->ncpus;
	}
	if (span->args != 0) {
		if (!scratch_array(&in->args, in->nrows + 1, sizeof(struct span_args), err))
			return false;
		SCRATCH(in->args, struct span_args)[in->nrows].begin = span->args;
		in->nargs = in->nrows + 1;
	}
	return make_add(&in->rows, &in->nrows, &row, sizeof row, MAKE_MOST, "events", err);
}

bool
spans_in_add(struct spans_in *in, const struct span *span, struct err *err)
{
	assert(span->frame != 0);
	return spans_in_add_row(in, span, SPAN_WHOLE, err);
}

bool
spans_in_begin(struct spans_in *in, const struct span *span, struct err *err)
{
	assert(span->frame != 0);
	return spans_in_add_row(in, span, SPAN_BEGIN, err);
}

bool
spans_in_end(struct spans_in *in, const struct span *span, struct err *err)
{
	return spans_in_add_row(in, span, SPAN_END, err);
}
