/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for function graphs as text.  Switches of the scheduler between the calls become tasks and tracks, if times
 * are printed.
 */
#include "config.h"

#include "icecore/facts.h"
#include "icecore/lines.h"
#include "icecore/unread.h"
#include "graph.h"

#define SNIFF_LINES 64
#define SNIFF_LEAST 2		/* lines that show the format */

struct graph {
	struct store	*st;
	struct into	 to;
	struct samples	 names;
	struct calls_in	 calls;
	struct graph_tree tree;
	struct unread	 unread;
	struct sched_import tracks;
	uint64_t	 lost, bad_lines, tail, switches;
	uint64_t	 last;		/* time of the last event of all, if there are switches */
	bool		 user;
};

/* ---- sniffing --------------------------------------------------------------------------------- */

static bool
is_graph(const struct graph_line *l)
{
	return l->kind >= GRAPH_OPEN && l->kind <= GRAPH_CLOSE && (l->cpu != GRAPH_UNKNOWN || l->user);
}

/*
 * The first lines decide, and lines of trace-cmd that name the event: in the trace of a scheduler these may be far from
 * the begin.
 */
static bool
graph_sniff(const uint8_t *head, size_t n)
{
	struct lines lines = lines_of((struct str){ (const char *)head, n });
	unsigned seen = 0, events = 0;
	struct graph_line l;
	struct str line;
	bool named;

	if (n == 0 || memchr(head, '\0', n) != NULL)
		return false;
	if (str_begins(lines.rest, "# tracer: "))
		return str_begins(lines.rest, "# tracer: function_graph");
	while (events < SNIFF_LEAST && lines_next(&lines, &line)) {
		named = str_has(line, STR(": funcgraph_e"));
		if (!named && seen++ >= SNIFF_LINES)
			continue;
		graph_read(line, &l);
		events += !is_graph(&l) ? 0 : named ? SNIFF_LEAST : 1;
	}
	return events >= SNIFF_LEAST;
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* "sched_switch: prev_comm=..." is an event, other texts are those of trace_printk. */
static void
graph_comment(struct graph *g, struct str text)
{
	struct str event, rest;

	if (str_divide(text, STR(": "), &event, &rest) && str_until(event, ' ').n == event.n)
		unread_add(&g->unread, UNREAD_KERNEL, event, 1);
	else
		unread_add(&g->unread, UNREAD_KERNEL, STR("print"), 1);
}

static void
graph_other(struct graph *g, struct str event)
{
	if (str_is(event, "sched_switch") || str_begins(event, "sched_wak"))
		g->switches++;
	else
		unread_add(&g->unread, UNREAD_KERNEL, event.n > 0 ? event : STR("function"), 1);
}

static void
graph_lines(struct graph *g, struct str text)
{
	struct lines lines = lines_of(text);
	struct graph_line l;
	struct str line;

	work_start_bytes(g->to.work, "function graph", text.n);
	while (!g->to.bad && lines_next(&lines, &line)) {
		INTO(&g->to, lines_look(&lines, lines_at(&lines), g->to.work, g->to.err));
		graph_read(line, &l);
		g->lost = num_add(g->lost, l.lost);
		g->user = g->user || l.user;
		if (l.kind == GRAPH_COMMENT)
			graph_comment(g, l.name);
		else if (l.kind == GRAPH_OTHER)
			graph_other(g, l.name);
		else if (l.kind == GRAPH_BAD && lines.cut)
			g->tail = line.n;
		else if (l.kind == GRAPH_BAD)
			g->bad_lines++;
		else
			graph_take(&g->tree, &l);
	}
}

/* ---- tasks ------------------------------------------------------------------------------------ */

static bool
graph_begin(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *err)
{
	struct graph *g = arg;
	const struct call_event *e = SCRATCH(g->calls.events, struct call_event);

	(void)err;
	g->calls.first = first > 0 ? first : 1;
	g->last = last;
	for (uint64_t i = 0; i < g->calls.n; i++) {
		g->calls.first = e[i].time < g->calls.first ? e[i].time : g->calls.first;
		g->last = e[i].time > g->last ? e[i].time : g->last;
	}
	*at = first - (g->calls.first < first ? g->calls.first : first);
	return true;
}

static uint32_t
graph_thread_of(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	struct graph *g = arg;

	(void)pid, (void)err;
	return graph_thread(&g->tree, tid, name);
}

static void
graph_tasks(struct graph *g, struct str text)
{
	g->tracks = (struct sched_import){ graph_begin, graph_thread_of, g };
	if (g->switches > 0 && g->tree.timeless == 0)
		INTO(&g->to, sched_import(g->st, text, &g->tracks, g->to.work, g->to.err));
	if (g->tracks.switches == 0 && g->switches > 0)
		unread_add(&g->unread, UNREAD_KERNEL, STR("sched_switch"), g->switches);
	g->calls.shapes = g->tracks.switches > 0 ? SHAPE_TASKS | SHAPE_TRACKS : 0u;
}

/* ---- file ------------------------------------------------------------------------------------- */

static bool
graph_facts(const struct graph *g, struct err *err)
{
	const struct graph_tree *t = &g->tree;
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = g->user ? STR("uftrace replay (text)") :
		    STR("function graph of ftrace (text)") },
		{ FACT_ELAPSED, g->tracks.switches == 0 ? 0 : g->last - g->calls.first, MAKE_ANY },
		{ FACT_REPAIR_BAD_LINES, g->bad_lines, MAKE_ANY },
		{ FACT_REPAIR_NO_STARTS, t->timeless, MAKE_ANY },
		{ FACT_REPAIR_BEGUN_BEFORE, t->no_begin, MAKE_ANY },
		{ FACT_REPAIR_OUTER_END, t->outer_end, MAKE_ANY },
		{ FACT_REPAIR_END_NAME, t->end_name, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP, t->overlap, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP_TIME, t->overlap_time, MAKE_ANY }, { FACT_REPAIR_MOVED, t->moved, MAKE_ANY },
		{ FACT_LOSS_EVENTS, g->lost, MAKE_ANY }, { FACT_LOSS_TAIL_BYTES, g->tail, MAKE_ANY },
	};

	return unread_facts(&g->unread, g->st, err) && make_facts(g->st, facts, NELEM(facts), err) &&
	    sched_loss_reason(g->st, g->lost, g->tail, err);
}

static bool
graph_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct str text = { (const char *)m->data, (size_t)m->size };
	struct graph g = { .st = st, .calls.names = &g.names };

	g.to = (struct into){ .samples = &g.names, .work = w, .err = err };
	g.tree.to = &g.to;
	scratch_budget_input(m->size, 0);
	samples_open(&g.names, st, w);
	graph_lines(&g, text);
	INTO(&g.to, g.tree.calls > 0 || fail(err, E_UNREADABLE, "no calls of a function graph"));
	if (!g.to.bad)
		graph_calls(&g.tree, &g.calls);
	if (!g.to.bad)
		graph_tasks(&g, text);
	INTO(&g.to, calls_in_columns(&g.calls, err) && graph_facts(&g, err));
	graph_tree_close(&g.tree);
	scratch_free(&g.calls.events);
	samples_close(&g.names);
	return !g.to.bad;
}

const struct loader load_graph = {
	"graph", "function graph of ftrace as text (tracefs, trace-cmd report), uftrace replay",
	SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS | SHAPE_ROWS, graph_sniff, graph_load
};
