/*
 * Loader for scheduler traces as text: ftrace, trace-cmd report, perf script of sched events, perf sched
 * timehist, atrace, systrace.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "beside.h"
#include "wakes.h"

#define ROUNDED 2000		/* ns that times of timehist may be off */

/* When a task left a CPU last, and the row that says so; 0: none yet. */
struct sched_left {
	uint64_t	time;
	uint32_t	row;
};

struct sched {
	struct store		*st;
	struct work		*work;
	const char		*data;
	uint64_t		 size;
	struct sched_threads	 threads;
	struct sched_marks	 marks;
	struct scratch		 rows, wakes;	/* struct sched_row, struct sched_woken */
	uint64_t		 nrows, nwakes;
	uint64_t		 count[SCHED_KINDS];
	uint64_t		 first, last, last_event;	/* times; first: the earliest */
	uint64_t		 lost, unordered, tail;
	uint64_t		 ended;		/* lines of threads that have no id any more */
	struct scratch		 left;		/* struct sched_left by CPU, of timehist */
	struct sched_losses	 losses;
	struct err		*err;
};

/* ---- lines -------------------------------------------------------------------------- */

/* A task by its id in a payload; id 0 is the idle task of a CPU.  False: failure. */
static inline bool
take_task(struct sched *s, uint32_t tid, struct str name, uint32_t *thread)
{
	*thread = 0;
	if (tid == 0)
		return true;
	*thread = sched_thread_of(&s->threads, tid, s->err);
	return *thread != 0 && sched_thread_named(&s->threads, *thread, name, s->err);
}

static inline void
take_time(struct sched *s, uint64_t time)
{
	if (time < s->first)
		s->first = time;
	if (time > s->last)
		s->last = time;
}

static bool
add_row(struct sched *s, uint64_t time, uint32_t cpu, uint32_t from, uint32_t to, uint8_t state)
{
	struct sched_row row = { time, from, to, (uint32_t)s->nrows, (uint16_t)cpu, state };

	return make_add(&s->rows, &s->nrows, &row, sizeof row, UINT32_MAX, "switches", s->err);
}

static bool
add_wake(struct sched *s, uint64_t time, uint32_t thread, uint32_t by, uint32_t cpu, uint16_t target)
{
	struct sched_woken w = { time, thread, (uint32_t)s->nrows, by, (uint16_t)cpu, target };

	return make_add(&s->wakes, &s->nwakes, &w, sizeof w, UINT32_MAX, "wakeups", s->err);
}

/* The time of a switch or wakeup.  Those that are not in order are counted, and sorted in the end. */
static bool
take_order(struct sched *s, const struct sched_line *l)
{
	s->unordered += l->time < s->last_event;
	s->last_event = l->time;
	return sched_loss_line(&s->losses, l->cpu, l->time, s->err);
}

static bool
take_switch(struct sched *s, const struct sched_line *l)
{
	uint32_t from, to;

	if (!take_task(s, l->from, l->from_name, &from) || !take_task(s, l->to, l->to_name, &to) ||
	    !add_row(s, l->time, l->cpu, from, to, l->state))
		return false;
	if (from != 0)
		sched_thread_left(sched_thread_at(&s->threads, from), l);
	return take_order(s, l);
}

/* The task that the line itself is of, whose name stands in front; 0: the idle task. */
static bool
take_self(struct sched *s, const struct sched_line *l, uint32_t *thread)
{
	*thread = 0;
	if (l->tid == 0)
		return true;
	*thread = sched_thread_of(&s->threads, l->tid, s->err);
	return *thread != 0 && (sched_thread_at(&s->threads, *thread)->told ||
	    sched_thread_called(&s->threads, *thread, sched_line_name(l), s->err));
}

static bool
take_wake(struct sched *s, const struct sched_line *l)
{
	uint32_t thread, waker;

	if (!take_order(s, l) || !take_task(s, l->to, l->to_name, &thread))
		return false;
	if (thread == 0)
		return true;
	return take_self(s, l, &waker) && add_wake(s, l->time, thread, sched_wake_by(l, waker), l->cpu, l->target);
}

/* A task came: to what the one before left for idle, or at its own time. */
static bool
add_came(struct sched *s, struct sched_left *left, uint64_t begin, uint32_t cpu, uint32_t thread)
{
	struct sched_row *row = left->row == 0 ? NULL : &SCRATCH(s->rows, struct sched_row)[left->row - 1];

	assert(left->row <= s->nrows && thread != 0);
	if (row == NULL || row->time != begin || row->from == thread)
		return add_row(s, begin, cpu, 0, thread, 'R');
	row->to = thread;
	return true;
}

/* A line of timehist, as the switches that it tells of.  Its times are rounded: what nearly meets, meets. */
static bool
take_ran(struct sched *s, const struct sched_line *l)
{
	uint64_t begin = l->time - l->value;
	struct sched_left *left;
	uint32_t thread;

	/* sched_ran reads no line that ran longer than there is time. */
	assert(l->value <= l->time && l->cpu < SCHED_CPUS);
	if (!take_task(s, l->from, l->from_name, &thread) ||
	    !scratch_array(&s->left, l->cpu + 1ull, sizeof *left, s->err))
		return false;
	if (thread == 0)
		return true;
	s->ended += l->from == SCHED_ENDED;
	if (l->pid != 0 && l->from != SCHED_ENDED)
		sched_thread_at(&s->threads, thread)->pid = l->pid;
	left = &SCRATCH(s->left, struct sched_left)[l->cpu];
	if (begin + ROUNDED >= left->time && begin <= left->time + ROUNDED)
		begin = left->time;
	left->time = l->time;
	take_time(s, begin - (l->delay <= begin ? l->delay : 0));
	take_time(s, l->time);
	if ((l->delay > 0 && l->delay <= begin && !add_wake(s, begin - l->delay, thread,
	    WAKE_BY(WAKE_WAKEUP, 0), SWITCH_NO_CPU, SWITCH_NO_CPU)) ||
	    !add_came(s, left, begin, l->cpu, thread) || !add_row(s, l->time, l->cpu, thread, 0, l->state))
		return false;
	left->row = (uint32_t)s->nrows;
	return true;
}

/* What the line's own task did. */
static bool
take_mark(struct sched *s, const struct sched_line *l)
{
	struct sched_thread *t;
	uint32_t thread;

	if (!take_self(s, l, &thread))
		return false;
	if (thread == 0)
		return true;
	t = sched_thread_at(&s->threads, thread);
	if (l->pid != 0)
		t->pid = l->pid;
	return sched_mark(&s->marks, l, &t->depth, s->err);
}

static bool
take_exit(struct sched *s, const struct sched_line *l)
{
	uint32_t thread;

	if (!take_task(s, l->to, l->to_name, &thread))
		return false;
	if (thread != 0)
		sched_thread_at(&s->threads, thread)->ended = true;
	return true;
}

static bool
take_line(struct sched *s, const struct sched_line *l)
{
	assert(l->kind < SCHED_KINDS);
	s->count[l->kind]++;
	if (l->kind == SCHED_SWITCH || l->kind == SCHED_WAKE || l->kind == SCHED_MARK || l->kind == SCHED_LEVEL)
		take_time(s, l->time);
	switch (l->kind) {
	case SCHED_SWITCH: return take_switch(s, l);
	case SCHED_WAKE: return take_wake(s, l);
	case SCHED_MARK: return take_mark(s, l);
	case SCHED_LEVEL: return sched_level(&s->marks, l, s->err);
	case SCHED_EXIT: return take_exit(s, l);
	case SCHED_RAN: return take_ran(s, l);
	case SCHED_COMMENT:
		s->lost = num_add(s->lost, sched_overwritten(l->text));
		return true;
	case SCHED_LOST:
		s->lost = num_add(s->lost, l->value);
		return true;
	default:
		return true;
	}
}

static bool
take_lines(void *arg, const struct sched_line *l, size_t n, struct err *err)
{
	struct sched *s = arg;

	s->err = err;
	for (const struct sched_line *end = l + n; l < end; l++) {
		if (l->kind == SCHED_LOST && !sched_loss(&s->losses, l->text, err))
			return false;
		/* A last line without its end may have been cut anywhere, so it is no damaged event. */
		if ((l->kind == SCHED_NONE || l->kind == SCHED_BAD) && l->text.s + l->text.n == s->data + s->size)
			s->tail = l->text.n;
		else if (!take_line(s, l))
			return false;
	}
	return true;
}

/* ---- columns and facts ------------------------------------------------------------------ */

/* How many switches stand before each wakeup now, from how many did in the file. */
static void
place_wakes(const struct sched_row *row, uint64_t nrows, struct sched_woken *w, uint64_t nwakes)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < nwakes; i++) {
		assert(i == 0 || w[i - 1].time <= w[i].time);
		while (at < nrows && (row[at].time < w[i].time ||
		    (row[at].time == w[i].time && row[at].row < w[i].before)))
			at++;
		w[i].before = (uint32_t)at;
	}
}

/* Puts both in order of time, what is told at one time in the order of the file. */
static bool
sort_events(struct sched *s)
{
	work_start(s->work, "sorting", 64);
	if (!make_sort(&s->wakes, s->nwakes, sizeof(struct sched_woken), s->work, s->err) ||
	    !make_sort(&s->rows, s->nrows, sizeof(struct sched_row), s->work, s->err))
		return false;
	place_wakes(SCRATCH(s->rows, struct sched_row), s->nrows, SCRATCH(s->wakes, struct sched_woken), s->nwakes);
	return true;
}

/* Sections that nobody ended last to the end of the trace. */
static bool
end_marks(struct sched *s)
{
	for (uint32_t i = 1; i <= s->threads.nthreads; i++) {
		const struct sched_thread *t = sched_thread_at(&s->threads, i);

		if (!sched_marks_end(&s->marks, t->tid, t->depth, s->last, s->err))
			return false;
	}
	return true;
}

/* Times count from the first one on. */
static void
begin_times(struct sched *s)
{
	struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);

	for (uint64_t i = 0; i < s->nrows; i++) {
		assert(row[i].time >= s->first);
		row[i].time -= s->first;
	}
	for (uint64_t i = 0; i < s->nwakes; i++) {
		assert(w[i].time >= s->first && w[i].before <= s->nrows);
		w[i].time -= s->first;
	}
	sched_marks_begin(&s->marks, s->first);
	sched_losses_begin(&s->losses, s->first);
}

static bool
event_columns(struct sched *s)
{
	const struct make_rows rows = MAKE_ROWS(SCRATCH(s->rows, struct sched_row), s->nrows);

	return sched_switch_columns(s->st, rows, s->err) && sched_wake_columns(s->st, &rows,
	    SCRATCH(s->wakes, struct sched_woken), s->nwakes, s->threads.nthreads, &s->losses, s->err);
}

/* Tasks whose waits are not known, where no lost events explain that. */
static uint64_t
count_alone(struct sched *s)
{
	const struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_thread *t;
	uint64_t n = 0;

	for (uint64_t i = 0; i < s->nrows && s->lost == 0; i++) {
		if (row[i].from != 0) {
			t = sched_thread_at(&s->threads, row[i].from);
			t->left++;
			t->unseen += t->away;
			t->away = true;
		}
		if (row[i].to != 0)
			sched_thread_at(&s->threads, row[i].to)->away = false;
	}
	for (uint32_t i = 1; i <= s->threads.nthreads; i++)
		n += sched_alone(sched_thread_at(&s->threads, i)->left, sched_thread_at(&s->threads, i)->unseen);
	return n;
}

static bool
set_facts(struct sched *s)
{
	const struct sched_marks *m = &s->marks;
	unsigned calls = m->nevents > 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0;
	unsigned tasks = s->nrows > 0 ? SHAPE_TASKS : 0;
	const struct make_fact facts[] = {
		{ "format", .text = STR("scheduler trace (text)") },
		{ "switches", s->nrows },
		{ "wakeups", s->nwakes },
		{ "marks", s->count[SCHED_MARK] },
		{ "other_events", s->count[SCHED_OTHER] },
		{ "threads_listed", s->threads.nthreads },
		{ "renames", s->threads.renames, MAKE_ANY },
		{ "reused", s->threads.reused, MAKE_ANY },
		{ "counters", m->nseries, MAKE_ANY },
		{ "instants", m->instants, MAKE_ANY },
		{ "clock_start", s->first, MAKE_TIME },
		{ "elapsed", s->last - s->first, MAKE_TIME },
		{ "records", m->nevents },
		MAKE_COLUMN_TRACE,
		{ "trace.start", s->first },
		{ "shapes", SHAPE_ROWS | SHAPE_TRACKS | tasks | calls },
		{ "repair.bad_events", s->count[SCHED_BAD], MAKE_ANY },
		{ "repair.unordered", s->unordered, MAKE_ANY },
		{ "repair.ended", s->ended, MAKE_ANY },
		{ "repair.one_process", count_alone(s), MAKE_ANY },
		{ "repair.marks", m->unknown, MAKE_ANY },
		{ "repair.unopened", m->unopened, MAKE_ANY },
		{ "repair.no_end", m->no_end, MAKE_ANY },
		{ "repair.below_zero", m->negative, MAKE_ANY },
		{ "loss.events", s->lost, MAKE_ANY },
		{ "loss.tail_bytes", s->tail, MAKE_ANY | MAKE_BYTES },
	};

	return make_facts(s->st, facts, NELEM(facts), s->err) && (!m->has_realtime ||
	    store_fact(s->st, "trace.realtime", FACT_COUNT, num_add(m->realtime, s->first) > m->realtime_at ?
	    num_add(m->realtime, s->first) - m->realtime_at : 0, s->err));
}

static bool
loss_reason(struct sched *s)
{
	char text[256], n[NUM_TEXT];

	num_show_count(n, sizeof n, s->lost);
	if (s->lost > 0)
		snprintf(text, sizeof text, "%s events lost while recording; record fewer events or enlarge buffers",
		    n);
	else if (s->tail > 0)
		snprintf(text, sizeof text, "truncated: the last %llu bytes are not a complete line",
		    (unsigned long long)s->tail);
	else
		return true;
	return store_fact_text(s->st, "loss.reason", str_of(text), s->err);
}

static bool
is_graph(const struct sched *s)
{
	struct str head = { s->data, s->size };

	return str_take(&head, STR("# tracer: ")) && str_has_prefix(head, STR("function"));
}

static bool
put_columns(struct sched *s)
{
	if (s->first > s->last && s->count[SCHED_BAD] > 0)
		return fail(s->err, E_UNREADABLE,
		    "ftrace text in an unsupported form; use trace_clock mono and nolatency-format");
	if (s->first > s->last && is_graph(s))
		return fail(s->err, E_UNREADABLE, "a trace of functions by ftrace, which is not read; record stacks with perf record -g, "
		    "or switches with trace-cmd record -e sched");
	if (s->first > s->last && s->count[SCHED_NONE] > s->count[SCHED_OTHER])
		return fail(s->err, E_UNREADABLE, "ftrace text in an unsupported form; disable raw, hex and bin");
	if (s->first > s->last)
		return fail(s->err, E_UNREADABLE,
		    "no sched_switch events or markers; record with trace-cmd record -e sched");
	if (!end_marks(s) || ((s->unordered > 0 || s->count[SCHED_RAN] > 0) && !sort_events(s)))
		return false;
	begin_times(s);
	return event_columns(s) && sched_threads_columns(&s->threads, s->st, s->data, s->err) &&
	    sched_marks_columns(&s->marks, s->st, s->data, s->err) &&
	    set_facts(s) && loss_reason(s);
}

/* ---- beside samples ---------------------------------------------------------------------- */

/* Ids become those of whoever has the threads. */
static bool
take_threads(struct sched *s, const struct sched_beside *b, uint32_t *most, struct err *err)
{
	struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);
	struct scratch ids = SCRATCH_INIT;
	bool ok = scratch_array(&ids, s->threads.nthreads + 1, sizeof(uint32_t), err);
	uint32_t *id = SCRATCH(ids, uint32_t);

	for (uint32_t i = 1; ok && i <= s->threads.nthreads; i++) {
		const struct sched_thread *t = sched_thread_at(&s->threads, i);

		ok = (id[i] = b->thread(b->arg, t->pid, t->tid, t->name, err)) != 0;
		*most = id[i] > *most ? id[i] : *most;
	}
	for (uint64_t i = 0; ok && i < s->nrows; i++) {
		row[i].from = id[row[i].from];
		row[i].to = id[row[i].to];
	}
	for (uint64_t i = 0; ok && i < s->nwakes; i++) {
		w[i].thread = id[w[i].thread];
		if (WAKE_ID(w[i].by) <= s->threads.nthreads)
			w[i].by = WAKE_BY(WAKE_KIND(w[i].by), id[WAKE_ID(w[i].by)]);
	}
	scratch_free(&ids);
	return ok;
}

bool
sched_beside(struct store *st, struct str text, const struct sched_beside *b, uint64_t *switches, struct work *w, struct err *err)
{
	struct sched s = { .st = st, .work = w, .err = err, .data = text.s, .size = text.n, .first = UINT64_MAX };
	uint32_t most = 0;
	bool ok;

	ok = sched_lines(text, w, take_lines, &s, err);
	s.err = err;
	*switches = s.nrows;
	if (ok && s.nrows > 0 && s.first >= b->first) {
		s.first = b->first;
		ok = (s.unordered == 0 || sort_events(&s)) && take_threads(&s, b, &most, err);
		begin_times(&s);
		s.threads.nthreads = most;
		ok = ok && event_columns(&s) && store_fact(st, "switches", FACT_COUNT, s.nrows, err) &&
		    store_fact(st, "wakeups", FACT_COUNT, s.nwakes, err);
	} else
		*switches = 0;
	SCRATCH_FREE(&s.rows, &s.wakes, &s.left);
	sched_losses_close(&s.losses);
	sched_marks_close(&s.marks);
	sched_threads_close(&s.threads);
	return ok;
}

static bool
load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct sched s = { .st = st, .work = w, .err = err, .data = (const char *)m->data, .size = m->size,
	    .first = UINT64_MAX };
	bool ok;

	scratch_budget_input(m->size, 0);
	ok = sched_lines((struct str){ s.data, (size_t)s.size }, w, take_lines, &s, err);
	s.err = err;
	ok = ok && put_columns(&s);
	SCRATCH_FREE(&s.rows, &s.wakes, &s.left);
	sched_losses_close(&s.losses);
	sched_marks_close(&s.marks);
	sched_threads_close(&s.threads);
	return ok;
}

const struct loader load_sched = {
	"sched", "scheduler trace text: ftrace, trace-cmd report, perf script, perf sched timehist, atrace, systrace",
	SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_ROWS, sched_sniff, load, .threads = true
};
