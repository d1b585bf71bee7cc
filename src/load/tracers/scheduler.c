/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts about the scheduler: histograms of BCC and libbpf-tools (runqlat, runqlen, cpudist and others), and
 * the longest time off the CPU of each task in each interval, and the file sched_debug of Linux.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"

/* ---- values over time --------------------------------------------------------------------- */

enum { SERIES_VALUES = 2 };

/* What was measured at a time: of all (key 0), of a thread, or of what has a name. */
struct series_row {
	uint64_t	key, time, value[SERIES_VALUES];
	uint32_t	thread;
	struct str	name;
};

struct series {
	ARRAY(struct series_row) rows;
	uint64_t	 n;
};

static void
series_add(struct series *s, struct tracers_in *in, const struct series_row *row)
{
	in->bad = in->bad || !make_add(&s->rows.raw, &s->n, row, sizeof *row, UINT32_MAX, "values", in->err);
}

/* A track of each value whose name is not NULL, for each key; and free the rows. */
static void
series_tracks(struct series *s, struct tracers_in *in, const char *const names[SERIES_VALUES], const char *unit)
{
	uint64_t end, first = UINT64_MAX;
	const struct series_row *row;

	in->bad = in->bad || !make_sort(&s->rows.raw, s->n, sizeof *row, in->s.work, in->err);
	row = s->rows.at;
	for (uint64_t i = 0; i < s->n && !in->bad; i = end) {
		for (end = i + 1; end < s->n && row[end].key == row[i].key; end++)
			;
		for (size_t k = 0; k < SERIES_VALUES && names[k] != NULL; k++) {
			buf_set(&in->buf, str_of(names[k]), str_of(row[i].name.n > 0 ? " " : ""), row[i].name);
			in->bad = in->bad || (in->buf.bad && !fail_memory(in->err, "name")) ||
			    !points_track(&in->points, TRACK_LEVEL, in->buf.s, unit, row[i].thread, 0, in->err);
			for (uint64_t at = i; at < end; at++)
				in->bad = in->bad || !points_add(&in->points, row[at].time, row[at].value[k], in->err);
		}
	}
	for (uint64_t i = 0; i < s->n && !in->bad; i++)
		first = row[i].time < first ? row[i].time : first;
	if (s->n > 0 && !in->bad)
		points_since(&in->points, first);
	scratch_free(&s->rows.raw);
}

/* ---- histograms --------------------------------------------------------------------------- */

#define DAY_NS 86400000000000u

struct histograms {
	struct tracers_in *in;
	struct str	 what;		/* measured quantity, from the first line */
	struct str	 unit;		/* unit of the ranges, "usecs"; empty: no histogram is open */
	struct str	 section;	/* "cpu = 3"; empty: all */
	bool		 dated, process;	/* process: the section is one, or a thread */
	bool		 ranged;	/* the open histogram has a range */
	uint64_t	 day, before;	/* last time: ns before its day, and in its day */
	/* The open histogram has these; high: that of its last range with values */
	uint64_t	 time, sum, high;
	struct series	 times;
};

/* "     usecs               : count     distribution" */
static bool
is_histogram_head(struct str line)
{
	return line.n > 0 && is_blank(line.s[0]) && scan(&line, "%_%*w%*t : count%_distribution%_$");
}

/* "   4 -> 7   : 203   |****|" or "   3   : 203   |****|" */
static bool
take_range(struct str line, struct str *range, uint64_t *high, uint64_t *count)
{
	struct str s;

	if (!scan(&line, "%t : %_%u%_|", range, count) ||
	    (text_trim(line).n > 0 && !str_ends(text_trim(line), "|")))
		return false;
	s = *range = text_trim(*range);
	return scan(&s, "%*d%_->%_%u$", high) || scan(&s, "%u$", high);
}

/* "08:30:01" in ns of the day. */
static bool
take_time_of_day(struct str s, uint64_t *ns)
{
	uint64_t hours, minutes, seconds;

	if (!scan(&s, "%u:%u:%u$", &hours, &minutes, &seconds) || hours > 60 || minutes > 60 || seconds > 60)
		return false;
	*ns = (hours * 3600 + minutes * 60 + seconds) * 1000000000u;
	return true;
}

/* Keep each histogram that has a time. */
static void
histogram_end(struct histograms *h)
{
	struct tracers_in *in = h->in;
	struct series_row new = { .time = h->time, .value = { h->high, h->sum }, .thread = in->thread };

	if (h->unit.n > 0 && !h->ranged)
		in->count[TRACED_NO_VALUE]++;
	if (h->unit.n > 0 && h->dated && h->ranged) {
		new.name = h->process ? STR("") : h->section;
		if (new.name.n > 0)
			tracers_push_name(in, new.name);
		new.key = h->process ? (uint64_t)1 << 32 | in->thread : tracers_stack(in);
		series_add(&h->times, in, &new);
	}
	h->unit = STR("");
	h->sum = h->high = 0;
	h->ranged = false;
}

static void
histogram_range(struct histograms *h, struct str line)
{
	struct tracers_in *in = h->in;
	uint64_t high, count;
	struct str range;

	if (!take_range(line, &range, &high, &count)) {
		in->count[TRACED_NO_VALUE]++;
		return;
	}
	h->ranged = true;
	h->sum = num_add(h->sum, count);
	h->high = count > 0 ? high : h->high;
	if (count == 0)
		return;
	tracers_event(in, h->what.n > 0 ? h->what : h->unit, WEIGHT_COUNT, "values");
	assert(h->unit.n > 0);
	if (h->section.n > 0 && !h->process)
		tracers_push_name(in, h->section);
	tracers_push_name(in, buf_set(&in->buf, str_head(range, 64), STR(" "), str_head(h->unit, 64)));
	in->time = h->dated ? h->time : SAMPLE_NO_TIME;
	in->s.times |= h->dated;
	tracers_add(in, tracers_stack(in), count, count, line.s);
}

/* "pid = 12 name", "cpu = 3" */
static bool
histogram_section(struct histograms *h, struct str line)
{
	struct str s = line, key, name;
	uint32_t id = 0;

	if (!scan(&s, "%w = ", &key) || str_is(key, "avg"))
		return false;
	h->section = text_trim(line);
	h->process = str_is(key, "pid") || str_is(key, "tid");
	h->in->thread = 0;
	if (h->process) {
		name = s = text_trim(s);
		if (scan(&s, "%p%_", &id))
			name = s.n > 0 ? s : h->section;
		tracers_thread(h->in, str_is(key, "pid") ? id : 0, str_is(key, "tid") ? id : 0, name);
	}
	return true;
}

/* "runqocc, CPU 3   12.34%" */
static bool
take_occupancy(struct str line, struct str *cpu, uint64_t *hundredths)
{
	struct str rest = line;

	if (!scan(&rest, "runqocc") || !str_ends(rest, "%"))
		return false;
	rest.n--;
	*cpu = STR("all CPUs");
	if (scan(&rest, ", ")) {
		size_t n = rest.n;

		while (n > 0 && !is_blank(rest.s[n - 1]))
			n--;
		*cpu = text_trim(str_head(rest, n));
		rest = str_after(rest, n);
	} else if (!scan(&rest, ":")) {
		return false;
	}
	return scan_fixed(text_trim(rest), 2, hundredths);
}

static void
scheduler_histogram_line(struct histograms *h, struct str line)
{
	struct tracers_in *in = h->in;
	struct str s = text_trim(line), cpu;
	uint64_t n;

	if (is_histogram_head(line)) {
		histogram_end(h);
		h->unit = text_trim(str_until(line, ':'));
		return;
	}
	if (h->unit.n > 0 && line.n > 0 && is_blank(line.s[0])) {
		histogram_range(h, line);
		return;
	}
	histogram_end(h);
	if (s.n == 0) {
		h->section = STR("");
		h->process = false;
		in->thread = 0;
	} else if (take_time_of_day(s, &n)) {
		h->day += h->dated && n < h->before ? DAY_NS : 0;
		h->before = n;
		h->dated = true;
		h->time = num_add(h->day, n);
	} else if (take_occupancy(s, &cpu, &n)) {
		tracers_event(in, STR("run queue occupancy"), WEIGHT_COUNT, "0.01 %");
		tracers_push_name(in, cpu);
		tracers_add(in, tracers_stack(in), n, 1, line.s);
	} else if (!histogram_section(h, s)) {
		if (scan(&s, "Tracing ") || scan(&s, "Sampling "))
			h->what = str_until(s, '.');
		tracers_message(in, line);
	}
}

void
histograms_read(struct tracers_in *in)
{
	/* The upper end of the highest range, and the number of values. */
	static const char *const names[SERIES_VALUES] = { "maximum", "values" };
	struct histograms h = { .in = in };
	struct str line;

	in->values = "the number of values in each range";
	while (tracers_line(in, &line))
		scheduler_histogram_line(&h, line);
	histogram_end(&h);
	series_tracks(&h.times, in, names, "");
}

bool
histograms_line(struct str line)
{
	struct str cpu;
	uint64_t n;

	return is_histogram_head(line) || take_occupancy(text_trim(line), &cpu, &n);
}

/* ---- longest times off the CPU ---------------------------------------------------------------- */

struct longest {
	uint64_t	 time, us;
	struct str	 name;
};

/* "2026-11-30 10:00:01.120617 max offcpu for worker-a is 4us" */
static bool
take_longest(struct str line, struct longest *l)
{
	struct str time, rest;

	if (!str_divide(line, STR(" max offcpu for "), &time, &rest) || !scan(&rest, "%l is %uus$", &l->name, &l->us))
		return false;
	l->time = text_time(time);
	return l->time != UINT64_MAX && l->us <= UINT64_MAX / 1000;
}

bool
longest_line(struct str line)
{
	struct longest l;

	return take_longest(line, &l);
}

void
longest_read(struct tracers_in *in)
{
	static const char *const names[SERIES_VALUES] = { "off-cpu" };
	struct series times = { 0 };
	struct longest l;
	struct str line;

	in->values = "the longest time off the CPU in each interval";
	while (tracers_line(in, &line)) {
		if (!take_longest(line, &l)) {
			tracers_message(in, line);
			continue;
		}
		tracers_event(in, STR("off-cpu"), WEIGHT_TIME, "ns");
		tracers_thread(in, 0, 0, text_trim(l.name));
		tracers_push_name(in, STR("[off-cpu]"));
		in->time = l.time;
		in->s.times = true;
		tracers_add(in, tracers_stack(in), l.us * 1000, 1, line.s);
		series_add(&times, in, &(struct series_row){ .key = in->thread, .time = l.time,
		    .value = { l.us * 1000 }, .thread = in->thread });
	}
	series_tracks(&times, in, names, "ns");
}

/* ---- sched_debug ---------------------------------------------------------------------------- */

enum { NAME_MOST = 15, SCHED_COLUMNS = 24 };

struct sched_debug {
	struct tracers_in *in;
	struct str	 cpu;
	struct str	 column[SCHED_COLUMNS];	/* after the name */
	size_t		 ncolumns, name_end;	/* name_end 0: no list of tasks is open */
	bool		 states;		/* the column of states has a head, and marks the running task by '>' */
};

/* " S            task   PID ...": names end in one column. */
static bool
take_tasks_head(struct sched_debug *d, struct str line)
{
	struct str before, rest;

	if (!str_divide(line, STR("task   PID "), &before, &rest) || text_trim(before).n > 1)
		return false;
	d->name_end = before.n + 4;
	d->states = text_trim(before).n > 0;
	rest = str_skip_blanks(str_after(line, d->name_end));
	for (d->ncolumns = 0; d->ncolumns < SCHED_COLUMNS && text_take_word(&rest, &d->column[d->ncolumns]);)
		d->ncolumns++;
	/* Who pastes a list may cut columns off. */
	if (d->ncolumns > 0 && str_is(d->column[d->ncolumns - 1], "..."))
		d->ncolumns--;
	return d->ncolumns > 0;
}

bool
sched_tasks_line(struct str line)
{
	struct sched_debug d;

	return take_tasks_head(&d, line);
}

/* Older kernels mark only the task that runs. */
static const char *
sched_task_state(const struct sched_debug *d, struct str mark)
{
	static const char *const names[] = { "R", "runnable", "S", "sleeping", "D", "disk sleep", "I", "idle",
	    "T", "stopped" };

	if (str_is(mark, d->states ? ">R" : "R"))
		return "running";
	for (size_t i = 0; i < NELEM(names) && d->states; i += 2)
		if (str_eq(mark, str_of(names[i])))
			return names[i + 1];
	return NULL;
}

static void
sched_task_label(struct tracers_in *in, const char *key, struct str value, uint32_t *label, size_t *n)
{
	in->bad = in->bad || (label[*n] = label_number(&in->s.labels, str_of(key), value, in->err)) == 0;
	*n += !in->bad;
}

/* Its state and priority, as far as they are there. */
static void
sched_task_labels(struct sched_debug *d, const char *state, const struct str *word, size_t nwords)
{
	struct tracers_in *in = d->in;
	uint32_t label[2];
	size_t n = 0;

	for (size_t i = 0; i < nwords && n == 0; i++)
		if (str_is(d->column[i], "prio"))
			sched_task_label(in, "prio", word[i], label, &n);
	if (state != NULL)
		sched_task_label(in, "state", str_of(state), label, &n);
	in->bad = in->bad || !label_set(&in->s.labels, label, n, &in->labels, in->err);
}

/* Times since the start of each task, and its switches. */
static void
sched_task(struct sched_debug *d, struct str line)
{
	static const struct { const char *column, *event; bool time; } events[] = {
		{ "sum-exec", "CPU time", true }, { "wait-time", "run queue", true },
		{ "sum-sleep", "sleep", true }, { "sum-block", "blocked", true },
		{ "switches", "switches", false }
	};
	struct tracers_in *in = d->in;
	struct str name, rest = str_skip_blanks(str_after(line, d->name_end)), word[SCHED_COLUMNS];
	size_t n = 0;
	uint64_t pid, value;

	while (n < d->ncolumns && text_take_word(&rest, &word[n]))
		n++;
	if (n == 0 || n < d->ncolumns || d->name_end < NAME_MOST || !tracers_number(in, word[0], &pid) ||
	    pid > UINT32_MAX) {
		in->count[TRACED_NO_VALUE]++;
		return;
	}
	assert(n > 0 && n <= SCHED_COLUMNS);
	name = text_trim(str_after(str_head(line, d->name_end), d->name_end - NAME_MOST));
	tracers_thread(in, 0, (uint32_t)pid, name);
	sched_task_labels(d, sched_task_state(d, text_trim(str_head(line, d->name_end - NAME_MOST))), word, n);
	for (size_t i = 0; i < n * NELEM(events); i++) {
		if (!str_eq(d->column[i % n], str_of(events[i / n].column)))
			continue;
		if (events[i / n].time)
			value = text_ns(word[i % n], 6);
		else if (!tracers_number(in, word[i % n], &value))
			value = UINT64_MAX;
		in->count[TRACED_NO_VALUE] += value == UINT64_MAX;
		if (value == UINT64_MAX || value == 0)
			continue;
		tracers_event(in, str_of(events[i / n].event), events[i / n].time ? WEIGHT_TIME :
		    WEIGHT_COUNT,
			events[i / n].time ? "ns" : "switches");
		tracers_push_name(in, d->cpu.n > 0 ? d->cpu : STR("[no CPU]"));
		tracers_push_name(in, name);
		tracers_add(in, tracers_stack(in), value, 1, line.s);
	}
}

void
sched_debug_read(struct tracers_in *in)
{
	struct sched_debug d = { .in = in };
	struct str line;

	in->values = "sums since the start of each task";
	while (tracers_line(in, &line)) {
		if (text_trim(line).n == 0)
			d.name_end = 0;
		else if (str_begins(line, "cpu#"))
			d.cpu = str_until(line, ',');
		else if (take_tasks_head(&d, line) || str_begins(line, "----"))
			continue;
		else if (d.name_end == 0)
			tracers_message(in, line);
		else
			sched_task(&d, line);
	}
}
