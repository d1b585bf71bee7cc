/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_meant: what the lines of scheduler text mean, as sched_read takes them.
 */
#include "config.h"

#include "icecore/mark.h"
#include "import.h"
#include "sched.h"

#define TICK_BYTES 65536	/* bytes between two looks at the clock */

/* Keys and states of the events that are read. */
static const char fields[] =
    " prev_comm prev_pid prev_prio prev_state next_comm next_pid next_prio comm pid prio success "
    "target_cpu cpu_id state CPU task "
    "R S D T t X x Z P I K W N C ";

#define USED_FIELDS " comm pid runtime vruntime ns "

/* Keys of the other events that are read. */
#define EVENT_FIELDS \
	" state cpu_id min max min_freq max_freq gpu_id frequency pid iowait caller vec irq " \
	"name ret transaction dest_node dest_proc dest_thread reply flags code work struct " \
	"function comm clone_flags oom_score_adj oldcomm newcomm prio mm_id curr type member " \
	"size sig errno grp res sa_handler sa_flags buffer_id len total_allocated inode "

#define MARK_WORDS " tracing_mark_write trace_event_clock_sync parent_ts realtime_ts B E C S F G H I N "

/* Lines that all traces have. */
static const char *const lines[] = {
	"# tracer: nop", "# tracer: function", "# tracer: function_graph", "# tracer: wakeup",
	"# tracer: wakeup_rt", "# tracer: irqsoff",
	"# entries-in-buffer/entries-written: 9/9 #P:9", "# -----=> irqs-off",
	"# -----=> irqs-off/BH-disabled", "# _-----=> irqs-off",
	"# _-----=> irqs-off/BH-disabled", "# / _----=> need-resched", "# | / _---=> hardirq/softirq",
	"# || / _--=> preempt-depth",
	"# ||| / delay", "# ||| / _-=> migrate-disable", "# |||| / delay",
	"# TASK-PID CPU# |||| TIMESTAMP FUNCTION",
	"# TASK-PID CPU# ||||| TIMESTAMP FUNCTION", "# TASK-PID TGID CPU# |||| TIMESTAMP FUNCTION",
	"# TASK-PID TGID CPU# ||||| TIMESTAMP FUNCTION",
	"# TASK-PID ( TGID) CPU# |||| TIMESTAMP FUNCTION", "# TASK-PID (-----) [9] |||| TIMESTAMP FUNCTION",
	"# | | | |||| | |", "# | | | ||||| | |",
	"# | | | | |||| | |", "# | | | | ||||| | |", "# TASK-PID CPU# TIMESTAMP FUNCTION", "# | | | | |", "#",
	"cpus=9", "version = 9", "TRACE:",
	"time cpu task name wait time sch delay run time", "[tid/pid] (msec) (msec) (msec)",
	"time cpu task name wait time sch delay run time state",
	"Samples do not have callchains."
};

/* "-12", "0x1f,": what may follow is not a part of it. */
static bool
meant_is_value(struct str s)
{
	str_take(&s, STR("-"));
	while (s.n > 0 && (s.s[s.n - 1] == ',' || s.s[s.n - 1] == ';'))
		s.n--;
	if (!str_take(&s, STR("0x")))
		return s.n > 0 && s.n <= 20 && str_digits(s) == s.n;
	return s.n > 0 && s.n <= 16 && str_hexes(s) == s.n;
}

void
sched_tell_fields(struct tells *t, struct str s, bool own)
{
	struct str word, key, value;

	while (str_split(&s, ' ', &word)) {
		value = word;
		if (!str_split(&value, '=', &key) || !str_is_name(key, "") || !meant_is_value(value))
			continue;
		telling_span(t, key, MEANT_NAME, "field");
		telling_span(t, value, own ? MEANT_OWN_DIGITS : MEANT_FORM, "number");
	}
}

static void
meant_tell_mark(struct tells *t, struct str text)
{
	struct mark_piece piece[MARK_PIECES];
	size_t n = mark_private(text, piece);

	for (size_t i = 0; i < n; i++)
		telling_span(t, piece[i].text, piece[i].means, piece[i].path);
}

/* Names of tasks and numbers of an event that is read. */
static void
tell_kernel(struct tells *t, const struct sched_line *l, bool own)
{
	struct kernel_event e;

	if (l->event_kind == KERNEL_GENERIC || !kernel_event_read(l->event_kind, l->text, &e)) {
		sched_tell_fields(t, l->rest, own);
		return;
	}
	for (unsigned i = 1; i < KERNEL_FIELDS; i++)
		if (kernel_event_names(e.kind) >> i & 1)
			telling_span(t, e.s[i], MEANT_WHO, "task");
		else if (e.numbers >> i & 1)
			telling_span(t, e.s[i], MEANT_FORM, "number");
}

/* Events have the names of functions of C. */
static bool
meant_is_event(struct str s)
{
	size_t n;

	return str_is_name(s, "-.:") && telling_personal(s, true, &n) == s.n;
}

/* From the event to the end. */
static void
meant_tell_event(struct tells *t, struct str line, const struct sched_line *l)
{
	const char *payload = fields;
	bool known = kernel_event_known(l->event), own = !known || kernel_event_is_free(l->event);

	telling_span(t, l->event, known ? MEANT_FORM : meant_is_event(l->event) ? MEANT_NAME : MEANT_TEXT, "event");
	if (l->kind == SCHED_SWITCH)
		telling_span(t, l->from_name, MEANT_WHO, "task");
	if (l->kind == SCHED_SWITCH || l->kind == SCHED_WAKE || l->kind == SCHED_EXIT ||
	    l->kind == SCHED_USED) {
		telling_span(t, l->to_name, MEANT_WHO, "task");
		payload = l->kind == SCHED_USED ? USED_FIELDS : payload;
	} else if (l->kind == SCHED_MARK) {
		meant_tell_mark(t, l->text);
		payload = MARK_WORDS;
	} else if (l->kind == SCHED_EVENT) {
		tell_kernel(t, l, own);
		payload = EVENT_FIELDS;
	} else if (l->kind == SCHED_ODD)
		sched_tell_fields(t, l->rest, own);
	else if (l->kind == SCHED_OTHER) {
		/* A wakeup that woke no task. */
		if (l->failed)
			telling_span(t, l->to_name, MEANT_WHO, "task");
		else
			sched_tell_fields(t, l->rest, own);
	} else if (l->kind == SCHED_BAD)
		telling_span(t, l->rest, MEANT_TEXT, "payload");
	assert(l->rest.s >= line.s && l->rest.s <= line.s + line.n);
	telling_sort(t);
	telling_piece(t, (struct str){ line.s, (size_t)(l->rest.s - line.s) },
	    " sched timer irq power ftrace print ", TELL_LOOSE | TELL_FLAGS | TELL_SHORT);
	telling_piece(t, (struct str){ l->rest.s, (size_t)(line.s + line.n - l->rest.s) }, payload,
	    own && l->kind != SCHED_MARK ? TELL_NO_NUMBERS : payload == fields ? TELL_SHORT : 0);
}

static void
sched_tell(struct tells *t, struct str line, const struct sched_line *l)
{
	if (telling_line(t, line, lines, NELEM(lines)))
		return;
	if (l->event.n > 0) {
		telling_span(t, sched_line_name(l), MEANT_WHO, "task");
		meant_tell_event(t, line, l);
	} else if (l->kind == SCHED_RAN) {
		telling_span(t, str_trim(l->from_name), MEANT_WHO, "task");
		telling_sort(t);
		telling_piece(t, (struct str){ line.s, (size_t)(l->rest.s - line.s) }, fields, TELL_LOOSE);
	} else if (l->kind == SCHED_LOST) {
		t->counted = " CPU LOST ";
		telling_piece(t, line, " CPU LOST EVENTS events DROPPED ", TELL_LOOSE);
		t->counted = NULL;
	} else if (l->kind == SCHED_COMMENT)
		telling_piece(t, str_head(line, 1), " ", 0);
	telling_drop(t);
}

bool
sched_tell_line(struct tells *t, struct str line)
{
	struct sched_line l;

	assert(t->n == 0);
	sched_read(line, &l);
	if (l.kind != SCHED_SWITCH && l.kind != SCHED_WAKE && l.kind != SCHED_EXIT && l.kind != SCHED_USED &&
	    l.kind != SCHED_BAD && (l.kind != SCHED_EVENT || l.event_kind == KERNEL_GENERIC))
		return false;
	sched_tell(t, line, &l);
	return true;
}

bool
sched_meant(const struct map *m, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct tells t = { .take = take, .arg = arg, .text = { (const char *)m->data, (size_t)m->size },
	    .err = err };
	struct str rest = t.text, line;
	const char *tick = rest.s;
	struct sched_line l;

	*lost = 0;
	for (; rest.n > 0 && !t.bad; rest = str_after(rest, line.n + 1)) {
		if (rest.s >= tick) {
			t.bad = !work_go(w, (uint64_t)(rest.s - t.text.s), err);
			tick = rest.s + TICK_BYTES;
		}
		line = str_until(rest, '\n');
		sched_read(line, &l);
		/* The last line may be cut anywhere. */
		if (line.n == rest.n && (l.kind == SCHED_NONE || l.kind == SCHED_BAD))
			*lost = line.n;
		sched_tell(&t, line, &l);
	}
	telling_free(&t);
	return !t.bad;
}
