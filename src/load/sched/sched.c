/*
 * Loader for scheduler traces as text: ftrace, trace-cmd report, perf script of sched events, perf sched
 * timehist, atrace, systrace.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "sched.h"
#include "load/trace/trace.h"

#define TICK_BYTES 65536	/* far less than a millisecond */
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
	uint64_t		 lost, unordered, tail, tail_at;
	struct scratch		 left;		/* struct sched_left by CPU, of timehist */
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
	struct sched_row *row;

	if (s->nrows >= UINT32_MAX)
		return fail(s->err, E_INPUT, "more than 2^32 switches");
	if (!scratch_array(&s->rows, s->nrows + 1, sizeof *row, s->err))
		return false;
	row = &SCRATCH(s->rows, struct sched_row)[s->nrows++];
	*row = (struct sched_row){ time, from, to, (uint16_t)cpu, state };
	return true;
}

static bool
add_wake(struct sched *s, uint64_t time, uint32_t thread)
{
	struct sched_woken *w;

	if (s->nwakes >= UINT32_MAX)
		return fail(s->err, E_INPUT, "more than 2^32 wakeups");
	if (!scratch_array(&s->wakes, s->nwakes + 1, sizeof *w, s->err))
		return false;
	w = &SCRATCH(s->wakes, struct sched_woken)[s->nwakes++];
	*w = (struct sched_woken){ time, thread, (uint32_t)s->nrows };
	return true;
}

static bool
take_switch(struct sched *s, const struct sched_line *l)
{
	uint32_t from, to;

	if (!take_task(s, l->from, l->from_name, &from) || !take_task(s, l->to, l->to_name, &to) ||
	    !add_row(s, l->time, l->cpu, from, to, l->state))
		return false;
	if (from != 0 && l->pid != 0 && l->tid == l->from)
		sched_thread_at(&s->threads, from)->pid = l->pid;
	if (from != 0 && (l->state == 'X' || l->state == 'Z' || l->state == 'x'))
		sched_thread_at(&s->threads, from)->ended = true;
	s->unordered += l->time < s->last_event;
	s->last_event = l->time;
	return true;
}

static bool
take_wake(struct sched *s, const struct sched_line *l)
{
	uint32_t thread;

	if (!take_task(s, l->to, l->to_name, &thread))
		return false;
	if (thread == 0)
		return true;
	if (!add_wake(s, l->time, thread))
		return false;
	s->unordered += l->time < s->last_event;
	s->last_event = l->time;
	return true;
}

/* A task came: to what the one before left for idle, or at its own time. */
static bool
add_came(struct sched *s, struct sched_left *left, uint64_t begin, uint32_t cpu, uint32_t thread)
{
	struct sched_row *row = left->row == 0 ? NULL : &SCRATCH(s->rows, struct sched_row)[left->row - 1];

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

	if (!take_task(s, l->from, l->from_name, &thread) ||
	    !scratch_array(&s->left, l->cpu + 1ull, sizeof *left, s->err))
		return false;
	if (thread == 0)
		return true;
	if (l->pid != 0)
		sched_thread_at(&s->threads, thread)->pid = l->pid;
	left = &SCRATCH(s->left, struct sched_left)[l->cpu];
	if (begin + ROUNDED >= left->time && begin <= left->time + ROUNDED)
		begin = left->time;
	left->time = l->time;
	take_time(s, begin - (l->delay <= begin ? l->delay : 0));
	take_time(s, l->time);
	if ((l->delay > 0 && l->delay <= begin && !add_wake(s, begin - l->delay, thread)) ||
	    !add_came(s, left, begin, l->cpu, thread) || !add_row(s, l->time, l->cpu, thread, 0, '?'))
		return false;
	left->row = (uint32_t)s->nrows;
	return true;
}

/* What the line's own task did, whose name stands in front. */
static bool
take_mark(struct sched *s, const struct sched_line *l)
{
	struct str name = str_trim(l->name);
	struct sched_thread *t;
	uint32_t thread;

	if (l->tid == 0)
		return true;
	if (str_eq(name, STR("<...>")))
		name.n = 0;
	thread = sched_thread_of(&s->threads, l->tid, s->err);
	if (thread == 0 || !sched_thread_called(&s->threads, thread, name, s->err))
		return false;
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
	s->count[l->kind]++;
	switch (l->kind) {
	case SCHED_SWITCH:
		take_time(s, l->time);
		return take_switch(s, l);
	case SCHED_WAKE:
		take_time(s, l->time);
		return take_wake(s, l);
	case SCHED_MARK:
		take_time(s, l->time);
		return take_mark(s, l);
	case SCHED_LEVEL:
		take_time(s, l->time);
		return sched_level(&s->marks, l, s->err);
	case SCHED_EXIT:
		return take_exit(s, l);
	case SCHED_RAN:
		return take_ran(s, l);
	case SCHED_LOST:
		s->lost = num_add(s->lost, l->value);
		return true;
	default:
		return true;
	}
}

/* "# entries-in-buffer/entries-written: 116/120   #P:1": what was written and is not in the buffer is lost. */
static void
take_comment(struct sched *s, struct str line)
{
	static const struct str key = { "entries-in-buffer/entries-written: ", 35 };
	const char *p = memmem(line.s, line.n, key.s, key.n);
	struct str number, rest;
	uint64_t in, written;

	if (p == NULL)
		return;
	rest = (struct str){ p + key.n, line.n - (size_t)(p - line.s) - key.n };
	if (str_split(&rest, '/', &number) && num_u64(number, 10, &in) &&
	    str_split(&rest, ' ', &number) && num_u64(number, 10, &written) && written > in)
		s->lost = num_add(s->lost, written - in);
}

static bool
read_lines(struct sched *s)
{
	const char *p = s->data, *end = s->data + s->size, *next, *tick = p;
	struct sched_line l;
	struct str line;

	work_start(s->work, "scheduler text", s->size);
	for (; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (next == NULL)
			next = end;
		if (p >= tick) {
			if (!work_tick(s->work, (uint64_t)(p - s->data)))
				return fail_cancel(s->err);
			tick = p + TICK_BYTES;
		}
		line = (struct str){ p, (size_t)(next - p) };
		if (line.n == 0)
			continue;
		if (p[0] == '#') {
			take_comment(s, line);
			continue;
		}
		sched_read(line, &l);
		if (next == end && (l.kind == SCHED_NONE || l.kind == SCHED_BAD)) {
			s->tail = line.n;
			s->tail_at = (uint64_t)(p - s->data);
			break;
		}
		if (!take_line(s, &l))
			return false;
	}
	return true;
}

/* ---- columns and facts ------------------------------------------------------------------ */

static bool
switch_columns(struct sched *s)
{
	const struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	uint64_t *time = store_make(s->st, COL_SWITCH_TIME, COL_U64, s->nrows, s->err), i;
	uint16_t *cpu = time == NULL ? NULL : store_make(s->st, COL_SWITCH_CPU, COL_U16, s->nrows, s->err);
	uint32_t *from = cpu == NULL ? NULL : store_make(s->st, COL_SWITCH_FROM, COL_U32, s->nrows, s->err);
	uint32_t *to = from == NULL ? NULL : store_make(s->st, COL_SWITCH_TO, COL_U32, s->nrows, s->err);
	uint8_t *state = to == NULL ? NULL : store_make(s->st, COL_SWITCH_STATE, COL_U8, s->nrows, s->err);

	for (i = 0; state != NULL && i < s->nrows; i++) {
		time[i] = row[i].time - s->first;
		cpu[i] = row[i].cpu;
		from[i] = row[i].from;
		to[i] = row[i].to;
		state[i] = row[i].state;
	}
	return state != NULL;
}

static bool
wake_columns(struct sched *s)
{
	const struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);
	uint64_t *time = store_make(s->st, COL_WAKE_TIME, COL_U64, s->nwakes, s->err), i;
	uint32_t *thread = time == NULL ? NULL : store_make(s->st, COL_WAKE_THREAD, COL_U32, s->nwakes, s->err);
	uint32_t *before = thread == NULL ? NULL :
	    store_make(s->st, COL_WAKE_BEFORE, COL_U32, s->nwakes, s->err);

	for (i = 0; before != NULL && i < s->nwakes; i++) {
		time[i] = w[i].time - s->first;
		thread[i] = w[i].thread;
		before[i] = w[i].before;
	}
	return before != NULL;
}

static bool
set_facts(struct sched *s)
{
	const struct sched_marks *m = &s->marks;
	unsigned calls = m->nevents > 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0;
	unsigned tasks = s->nrows > 0 ? SHAPE_TASKS : 0;
	const struct {
		const char	*name;
		enum fact_type	 type;
		uint64_t	 value;
		bool		 always;
	} facts[] = {
		{ "switches", FACT_COUNT, s->nrows, true },
		{ "wakeups", FACT_COUNT, s->nwakes, true },
		{ "marks", FACT_COUNT, s->count[SCHED_MARK], true },
		{ "other_events", FACT_COUNT, s->count[SCHED_OTHER], true },
		{ "threads_listed", FACT_COUNT, s->threads.nthreads, true },
		{ "renames", FACT_COUNT, s->threads.renames, false },
		{ "reused", FACT_COUNT, s->threads.reused, false },
		{ "counters", FACT_COUNT, m->nseries, false },
		{ "instants", FACT_COUNT, m->instants, false },
		{ "clock_start", FACT_TIME, s->first, true },
		{ "elapsed", FACT_TIME, s->last - s->first, true },
		{ "records", FACT_COUNT, m->nevents, true },
		{ "trace.tick", FACT_COUNT, 1, true },
		{ "trace.clocks", FACT_COUNT, 1 << CLOCK_WALL, true },
		{ "trace.wide", FACT_COUNT, 1, true },
		{ "trace.layout", FACT_COUNT, LAYOUT_COLUMNS, true },
		{ "trace.all_threads", FACT_COUNT, 1, true },
		{ "trace.start", FACT_COUNT, s->first, true },
		{ "shapes", FACT_COUNT, SHAPE_ROWS | SHAPE_TRACKS | tasks | calls, true },
		{ "repair.bad_events", FACT_COUNT, s->count[SCHED_BAD], false },
		{ "repair.unordered", FACT_COUNT, s->unordered, false },
		{ "repair.marks", FACT_COUNT, m->unknown, false },
		{ "repair.unopened", FACT_COUNT, m->unopened, false },
		{ "repair.below_zero", FACT_COUNT, m->negative, false },
		{ "loss.events", FACT_COUNT, s->lost, false },
		{ "loss.tail_bytes", FACT_COUNT, s->tail, false },
	};
	size_t i;

	if (!store_fact_text(s->st, "format", STR("scheduler trace (text)"), s->err))
		return false;
	for (i = 0; i < NELEM(facts); i++)
		if ((facts[i].always || facts[i].value > 0) &&
		    !store_fact(s->st, facts[i].name, facts[i].type, facts[i].value, s->err))
			return false;
	return !m->has_realtime || store_fact(s->st, "trace.realtime", FACT_COUNT,
	    num_add(m->realtime, s->first) > m->realtime_at ?
	    num_add(m->realtime, s->first) - m->realtime_at : 0, s->err);
}

static bool
loss_reason(struct sched *s)
{
	char text[256], n[NUM_TEXT];

	num_show_count(n, sizeof n, s->lost);
	if (s->lost > 0)
		snprintf(text, sizeof text, "%s events were lost while the trace was recorded: record fewer "
		    "kinds of events or use larger buffers", n);
	else if (s->tail > 0)
		snprintf(text, sizeof text, "%llu bytes at byte %llu are no whole line: truncated?",
		    (unsigned long long)s->tail, (unsigned long long)s->tail_at);
	else
		return true;
	return store_fact_text(s->st, "loss.reason", str_of(text), s->err);
}

static bool
make_columns(struct sched *s)
{
	if (s->first > s->last && s->count[SCHED_BAD] > 0)
		return fail(s->err, E_INPUT, "a kernel trace whose lines are not read: times must be seconds with decimals "
		    "(trace_clock local or mono) and the form not that of latencies (trace option nolatency-format)");
	if (s->first > s->last && s->count[SCHED_NONE] > s->count[SCHED_OTHER])
		return fail(s->err, E_INPUT, "a kernel trace whose lines are of no form that is read: turn the trace options raw, hex "
		    "and bin off, or run trace-cmd report");
	if (s->first > s->last)
		return fail(s->err, E_INPUT, "a kernel trace without sched_switch events and marks; record it "
		    "with: trace-cmd record -e sched");
	if ((s->unordered > 0 || s->count[SCHED_RAN] > 0) &&
	    !sched_sort(&s->rows, s->nrows, &s->wakes, s->nwakes, s->work, s->err))
		return false;
	return switch_columns(s) && wake_columns(s) &&
	    sched_threads_columns(&s->threads, s->st, s->data, s->err) &&
	    sched_marks_columns(&s->marks, s->st, s->data, s->first, s->err) &&
	    set_facts(s) && loss_reason(s);
}

static bool
load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct sched s;
	bool ok;

	memset(&s, 0, sizeof s);
	s.st = st;
	s.work = w;
	s.err = err;
	s.data = (const char *)m->data;
	s.size = m->size;
	s.first = UINT64_MAX;
	s.rows = s.wakes = s.left = SCRATCH_INIT;
	sched_threads_open(&s.threads);
	sched_marks_open(&s.marks);
	scratch_budget_input(m->size, 0);
	ok = read_lines(&s) && make_columns(&s);
	scratch_free(&s.rows);
	scratch_free(&s.wakes);
	scratch_free(&s.left);
	sched_marks_close(&s.marks);
	sched_threads_close(&s.threads);
	return ok;
}

const struct loader load_sched = {
	.name = "sched",
	.what = "scheduler trace as text: ftrace, trace-cmd report, perf script, perf sched timehist, "
	    "atrace, systrace",
	.shapes = SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_ROWS,
	.sniff = sched_sniff,
	.load = load,
};
