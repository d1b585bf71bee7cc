/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a function graph: "[time |] cpu) [task-pid |] [flags |] [mark] [length us] |  function".  Options of the
 * tracer omit or add columns, so they are recognised by what they contain.
 */
#include "config.h"

#include <assert.h>

#include "icecore/json.h"
#include "icecore/scan.h"
#include "graph.h"

#define DEPTH_MOST 4096u	/* kernels have at most 50 levels, programs more */

/* ---- numbers ------------------------------------------------------------------------------- */

static const struct { const char *name; unsigned decimals; uint64_t times; } length_units[] = {
	{ "ns", 0, 1 }, { "us", 3, 1 }, { "ms", 6, 1 }, { "s", 9, 1 }, { "m", 9, 60 },
};

/* "1.25" as ns, below the limit; false: another text. */
static bool
graph_ns(struct str digits, struct str unit, uint64_t *ns)
{
	for (size_t i = 0; i < NELEM(length_units); i++)
		if (str_is(unit, length_units[i].name))
			return digits.n > 0 && is_digit(digits.s[0]) &&
			    scan_fixed(digits, length_units[i].decimals, ns) &&
			    *ns < SCHED_TIME_MOST / length_units[i].times && (*ns *= length_units[i].times, true);
	return false;
}

/* "+ 28.148 us": a length, with a mark of its size before it; blank: unknown. */
static bool
graph_read_length(struct str s, uint64_t *length)
{
	struct str digits, unit;

	s = str_trim(s);
	if (s.n > 0 && is_one_of(s.s[0], "+!#*@$"))
		s = str_skip_blanks(str_after(s, 1));
	*length = GRAPH_UNKNOWN;
	return s.n == 0 || (scan(&s, "%w%_%w$", &digits, &unit) && graph_ns(digits, unit, length));
}

/* ---- functions ----------------------------------------------------------------------------- */

/* The first word of the comment after a closing bracket, unless it is a value or a caller. */
static struct str
closing_name(struct str s)
{
	struct str name = STR("");

	if (!scan(&s, "%_/*%_%w", &name) || str_begins(name, "<-") || str_begins(name, "=") ||
	    str_begins(name, "ret=") || str_is(name, "*/"))
		return STR("");
	return name;
}

/* "name() {", "name();", "}", each with a comment or not, or a comment alone. */
static enum graph_kind
graph_function(struct str s, struct graph_line *l)
{
	struct str rest, name, module;
	const char *comment;

	if (str_take(&s, STR("}"))) {
		l->name = closing_name(s);
		return GRAPH_CLOSE;
	}
	if (scan(&s, "/*")) {
		if (!str_has_suffix(s, STR("*/")))
			return GRAPH_BAD;
		l->name = str_trim(str_head(s, s.n - 2));
		return GRAPH_COMMENT;
	}
	if (str_has_suffix(s, STR("*/")) && (comment = memmem(s.s, s.n, " /*", 3)) != NULL)
		s = str_trim(str_head(s, (size_t)(comment - s.s)));
	rest = l->name = str_trim(str_until(s, '('));
	if (l->name.n == s.n || !scan(&rest, "%w{ [%t]}$", &name, &module))
		return GRAPH_BAD;
	return str_has_suffix(s, STR("{")) ? GRAPH_OPEN : str_has_suffix(s, STR(";")) ? GRAPH_LEAF : GRAPH_BAD;
}

/* Two blanks for each level, after so many others. */
static enum graph_kind
graph_call(struct str s, size_t others, struct graph_line *l)
{
	size_t blanks = s.n - str_skip_blanks(s).n, levels = blanks > others ? (blanks - others) / 2 : 0;

	l->depth = levels < DEPTH_MOST ? (uint32_t)levels : DEPTH_MOST;
	return graph_function(str_trim(s), l);
}

/* ---- columns ------------------------------------------------------------------------------- */

static bool
graph_flags(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_one_of(s.s[i], ".dDnNpPbBhHsSzZlL0123456789"))
			return false;
	return s.n >= 4 && s.n <= 6;
}

/* "task-12"; the name may contain dashes. */
static bool
graph_task(struct str s, struct str *name, uint32_t *tid)
{
	s = str_trim(s);
	if (!scan(&s, "%l-%p$", name, tid) || name->n == 0)
		return false;
	if (str_is(*name, "<...>"))
		*name = STR("");
	return true;
}

static enum graph_kind
graph_columns(struct str s, struct graph_line *l)
{
	struct str rest = s, column;
	size_t others = 0;

	for (; rest.n > 0; s = rest) {
		if (!scan(&rest, "%t|", &column)) {
			column = rest;
			rest = STR("");
		}
		if (str_is(str_trim(column), "==========>"))
			return GRAPH_INTERRUPT;
		if (str_is(str_trim(column), "<=========="))
			return GRAPH_RETURN;
		if (rest.n > 0 && graph_read_length(column, &l->length))
			return graph_call(rest, 2, l);
		if (graph_task(column, &l->task, &l->tid))
			l->has_task = true;
		else if (!graph_flags(str_trim(column)))
			break;
		others = 1;
	}
	l->length = GRAPH_UNKNOWN;
	return graph_call(s, others, l);
}

/* " 1)   cat-42     =>   kworker-57": the tasks of a CPU. */
static bool
graph_switch(struct str s, struct graph_line *l)
{
	struct str from;

	return scan(&s, "%t=>", &from) && graph_task(from, &l->from_task, &l->from) &&
	    graph_task(s, &l->task, &l->tid);
}

/* trace-cmd without its plugin: "--> name (depth)", "<-- name (depth) (start: a end: b) over: 0". */
static enum graph_kind
graph_raw(struct str s, struct graph_line *l)
{
	bool enters = scan(&s, "--> "), leaves = !enters && scan(&s, "<-- ");
	struct str start, end;
	uint64_t depth, from, to;

	if ((!enters && !leaves) || !scan(&s, "%w (%u)", &l->name, &depth))
		return GRAPH_BAD;
	l->depth = depth < DEPTH_MOST ? (uint32_t)depth : DEPTH_MOST;
	if (leaves && scan(&s, "%_(start: %x%_end: %x)", &start, &end) && num_u64(start, 16, &from) &&
	    num_u64(end, 16, &to) && to >= from && to - from < SCHED_TIME_MOST)
		l->length = to - from;
	return enters ? GRAPH_OPEN : GRAPH_CLOSE;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The line of a task, as trace-cmd report prints all events. */
static enum graph_kind
graph_read_event(const struct sched_wrote *w, struct graph_line *l)
{
	enum graph_kind kind;

	l->time = w->time;
	l->cpu = w->cpu;
	l->tid = w->tid;
	l->task = w->name;
	l->has_task = true;
	if (!str_begins(w->event, "funcgraph_")) {
		l->name = w->event;
		return GRAPH_OTHER;
	}
	kind = graph_raw(w->rest, l);
	return kind == GRAPH_BAD ? graph_columns(w->rest, l) : kind;
}

/* "   1.250 us [ 28141] |   f();", as uftrace replay prints it. */
static bool
graph_user(struct str s, struct graph_line *l, enum graph_kind *kind)
{
	struct str column;

	if (!scan(&s, "%t[%_%p] |", &column, &l->tid) || !graph_read_length(column, &l->length))
		return false;
	l->has_task = l->user = true;
	*kind = graph_call(s, 1, l);
	return true;
}

bool
graph_blank(struct str s)
{
	return s.n == 0 || str_begins(s, "#") || str_begins(s, "-----") || scan(&s, "cpus=%*d$") ||
	    scan(&s, "version = ") || scan(&s, "CPU %*d is empty$");
}

void
graph_read(struct str line, struct graph_line *l)
{
	struct str s = line, seconds, part;
	struct sched_wrote w;
	enum graph_kind kind;

	*l = (struct graph_line){ .time = GRAPH_UNKNOWN, .length = GRAPH_UNKNOWN, .cpu = GRAPH_UNKNOWN };
	if (scan(&s, "%_{%d.%d%_|%_}%u)", &seconds, &part, &l->cpu)) {
		if (part.n > 0 && !graph_ns((struct str){ seconds.s, (size_t)(part.s + part.n - seconds.s) },
		    STR("s"), &l->time))
			return;
		scan(&s, " ");
		l->kind = graph_switch(s, l) ? GRAPH_SWITCH : graph_columns(s, l);
	} else if (graph_user(line, l, &kind)) {
		l->kind = kind;
	} else if (sched_wrote(line, &w)) {
		l->cpu = GRAPH_UNKNOWN;
		l->length = GRAPH_UNKNOWN;
		l->kind = graph_read_event(&w, l);
	} else if ((l->lost = w.lost) > 0 || graph_blank(str_trim(line))) {
		l->kind = GRAPH_BLANK;
	} else {
		l->cpu = GRAPH_UNKNOWN;
		l->kind = graph_columns(line, l);
	}
	assert(l->kind < GRAPH_KINDS && l->depth <= DEPTH_MOST);
	assert(l->time == GRAPH_UNKNOWN || l->time < SCHED_TIME_MOST);
}
