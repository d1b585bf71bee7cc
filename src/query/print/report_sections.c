/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_sections: the parts of a report, what matters most first; in each the largest rows first.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_facts.h"
#include "report.h"

/* Columns of some files only. */
#define MODULE "$module"
#define PROCESS "$process"
/* SOME_IDLE: the row with the most CPU time is listed even if idle, so that the table is never empty. */
#define SOME_IDLE(rows) "(" rows " | top 1 cpu | select id)"
#define BUSY(rows) rows " | where not idle or id in " SOME_IDLE(rows)
#define NOT_BUSY(rows) rows " | where idle and not id in " SOME_IDLE(rows)
/* A section of the largest rows above 0: its query, the sentence for no rows, and the query of the whole list. */
#define TOP(rows, by, cells, none) \
	rows " | where " by " > 0 | top 15 " by " | select " cells, none, rows " | sort -" by
/* The same, including rows of 0 and below. */
#define TOP_OF_ALL(rows, by, cells, none) rows " | top 15 " by " | select " cells, none, rows " | sort -" by
/* Two sections: the rows that grew most and that shrank most between two files. */
#define DIFFERENCES(name, shape, title_up, title_down, rows, delta, cells) \
	{ name "_increases", title_up, shape, AS_TABLE, TOP(rows " | diff", delta, cells, "None."), .compares = true }, \
	{ name "_decreases", title_down, shape, AS_TABLE, \
	    rows " | diff | where " delta " < 0 | sort " delta " | head 15 | select " cells, "None.", \
	    rows " | diff | sort " delta, .compares = true }

/* A thread, the number of threads, their weight and name of each pool. */
#define POOLS(weight, own) "threads | where " own " > 0 | group pool : max id as id, count as threads, sum " weight " as " weight \
	" | where " weight " > 0 | sort -" weight " | select id threads " weight " pool"

const struct section sections[] = {
	{ NULL, "At a glance", 0, AS_OVERVIEW, .html = true },
	{ NULL, "Flame graph of the change", SHAPE_TREES, AS_PICTURE, "calls | diff", .compares = true, .html = true },
	{ NULL, "Flame graph", SHAPE_TREES, AS_PICTURE, "calls", .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_CALLS, AS_POOLS, POOLS("cpu", "calls"), .when = WHEN_CPU, .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_CALLS, AS_POOLS, POOLS("wall", "calls"), .when = WHEN_NO_CPU, .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_SAMPLES, AS_POOLS, POOLS("total", "samples"), .when = WHEN_THREADS,
	    .but = SHAPE_MONEY | SHAPE_DUMPS, .html = true },
	{ "info", "Overview", 0, AS_FACTS,
	    "info | where field !~ /^(repair|loss|unread|index )/ or field = loss.reason | select field value", NULL, NULL },
	{ "damage", NULL, 0, AS_DATA,
	    "info | where field ~ /^(loss|repair|unread)/ and field != loss.reason and value != 0", NULL, NULL },

	/* Two files. */
	{ "totals", "Totals", SHAPE_GRAPH, AS_TABLE,
	    "info | diff | where field in (live_bytes, live_objects, unreachable_bytes, classes, threads, roots) "
	    "| select field value_before value", NULL, NULL, .compares = true },
	{ "new_findings", "New findings", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | diff | where change = added | head 15 | select severity kind why", "None.", "findings | diff",
	    .compares = true },
	{ "grown_findings", "Findings that grew", SHAPE_GRAPH, AS_TABLE,
	    "findings | diff | where change = both and retained_delta > 0 | top 15 retained_delta "
	    "| select retained_delta retained_before retained kind content holder", "None.", "findings | diff",
	    .compares = true },
	{ "gone_findings", "Findings no longer present", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | diff | where change = removed | head 15 | select severity kind why", "None.", "findings | diff",
	    .compares = true },
	DIFFERENCES("class", SHAPE_GRAPH, "Largest increases in retained size", "Largest decreases in retained size", "classes",
	    "retained_delta", "retained_delta retained objects_delta objects change name"),
	DIFFERENCES("task", SHAPE_TASKS, "Tasks with more CPU time", "Tasks with less CPU time", "tasks", "cpu_delta",
	    "cpu_delta cpu cpu_before max_wait max_wait_before name"),
	DIFFERENCES("method", SHAPE_CALLS, "Largest increases in self time", "Largest decreases in self time", "methods", "self_delta",
	    "self_delta self_before total_delta total_before method"),
	DIFFERENCES("method", SHAPE_SAMPLES, "Largest increases", "Largest decreases", "methods", "self_delta",
	    "self_delta self_before total_delta total_before method"),

	/* Heap dumps. */
	{ "exhausted", "OutOfMemoryError", SHAPE_GRAPH, AS_TABLE,
	    "threads | where top ~ /^java[.]lang[.]OutOfMemoryError[.]/ | sort -retained | head 15 | select retained id name at",
	    NULL, "frames" },
	{ "findings", NULL, SHAPE_GRAPH, AS_DATA, "findings", NULL, NULL },
	{ NULL, "Findings", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | head 15 | select severity kind why", "", "findings",
	    "findings | where finding > 15", "findings", .but = SHAPE_MADE },
	{ NULL, "Findings", SHAPE_MADE, AS_FINDINGS,
	    "findings | head 15 | select severity kind why made_at", "", "findings",
	    "findings | where finding > 15", "findings" },
	{ "leaktraces", "Leak traces", SHAPE_GRAPH, AS_LINES, "findings | head 15 | leaktrace", NULL, "findings | leaktrace" },
	{ "dominators", "Largest objects by retained size", SHAPE_GRAPH, AS_TREE,
	    "dominators | head 15 | select retained percent shallow object class", "No objects.", "dominators" },
	{ NULL, "Flame graph of retained sizes", SHAPE_GRAPH, AS_PICTURE, "dominators", .html = true },
	{ "classes", "Largest classes by retained size", SHAPE_GRAPH, AS_TABLE,
	    TOP("classes", "retained", "retained shallow objects name", "No classes.") },
	{ "allocations", "Code that allocates them", SHAPE_MADE, AS_TABLE,
	    "classes | where retained > 0 | top 15 retained | where alloc_bytes > 0 | select alloc_bytes alloc_rate name alloc_site",
	    "No allocations in the recording.", "allocations" },
	{ "packages", "Largest packages by retained size", SHAPE_GRAPH, AS_TABLE,
	    TOP("components", "retained", "retained share shallow objects component", NULL) },
	{ "threads", "Threads by retained size", SHAPE_GRAPH, AS_TABLE,
	    "threads | where retained >= 1k | top 15 retained | select retained frames locals id name", NULL,
	    "threads | sort -retained", "threads | where retained < 1k", "threads retain less than 1 KiB each" },
	{ "garbage", "Unreachable objects by class", SHAPE_GRAPH, AS_TABLE,
	    "objects | where reachable = unreachable | group class : count as objects, sum shallow as bytes | top 15 bytes "
	    "| select bytes objects class", NULL, "objects | where reachable = unreachable | sort -shallow", .when = WHEN_GARBAGE },
	{ "bitmaps", "Bitmaps", SHAPE_GRAPH, AS_TABLE,
	    "bitmaps | group format storage : count, sum bytes as bytes, sum retained as retained, sum waste as waste "
	    "| where bytes > 0 | top 15 bytes | select bytes retained waste count format storage", NULL, NULL },
	{ "big_bitmaps", "Largest bitmaps", SHAPE_GRAPH, AS_TABLE,
	    TOP("bitmaps", "bytes", "bytes width height format copies storage object held_by", NULL) },
	{ "copies", "Duplicate data", SHAPE_GRAPH, AS_TABLE,
	    "duplicates | group kind : count as values, sum copies as copies, sum waste as waste | sort -waste "
	    "| select waste values copies kind", NULL, NULL },
	{ "strings", "Duplicate strings and arrays", SHAPE_GRAPH, AS_TABLE,
	    "duplicates strings arrays zeros | where waste >= 1k | top 15 waste | select waste copies kind length object value",
	    NULL, "duplicates strings arrays zeros | sort -waste" },
	{ "collections", "Unused collection capacity", SHAPE_GRAPH, AS_TABLE,
	    "collections | group class owner : count, sum size as elements, sum waste as waste | where waste >= 1k "
	    "| top 15 waste | select waste count elements class owner", NULL,
	    "collections | group class owner : count, sum size as elements, sum waste as waste | sort -waste" },

	/* Many heap dumps. */
	{ "states", "Heap dumps by state", SHAPE_TRIAGE, AS_TABLE, "dumps | group state : count as dumps | sort -dumps", NULL, "dumps" },
	{ "groups", "Leaks and warnings by signature", SHAPE_TRIAGE, AS_TABLE,
	    "groups | head 15 | select dumps retained_max kind holder content hash", "None.", "groups" },

	{ "bugs", "Resources not released on all paths", SHAPE_CODE, AS_TABLE,
	    "bugs | head 15 | select kind method line why", "No findings.", "bugs", "bugs | where id > 15", "findings" },

	/* Scheduler traces; those with several processes. */
	{ "processes", "Processes by CPU time", SHAPE_TASKS, AS_TABLE,
	    TOP("processes", "cpu", "cpu utilisation runq disk threads late_frames pid name", NULL), .when = WHEN_PROCESSES },
	{ "frames", "Frames by process", SHAPE_MARKS, AS_TABLE,
	    "frames | group process tag : count, p50 wall, p99 wall, max overrun | sort -count | head 15", NULL,
	    "frames | group process tag : count, p50 wall, p99 wall, max overrun | sort -count" },
	{ "tasks", "Tasks by CPU time", SHAPE_TASKS, AS_TABLE,
	    BUSY("tasks") " | top 15 cpu | select cpu utilisation off_cpu runq max_wait tid name" PROCESS, "None.", "tasks | sort idle -cpu",
	    NOT_BUSY("tasks"), "idle tasks (under 0.1 % CPU, never waited 1 ms for a CPU or the disk)" },
	{ "run_queue", "Run-queue latency", SHAPE_TASKS, AS_TABLE,
	    "tasks | where max_runq >= 1ms or preempted >= 1ms | top 15 max_runq "
	    "| select max_runq runq runq_waits preempted tid name" PROCESS, NULL, "tasks | sort -max_runq" },
	{ "waits", "Longest wait of each task", SHAPE_TASKS, AS_TABLE,
	    "waits | where not idle | top 1 wall per thread | top 15 wall | select wall start_wall state waiting_in ended_by thread" PROCESS, NULL,
	    "waits | where not idle | top 1 wall per thread | sort -wall" },
	{ "cpus", "CPUs by utilisation", SHAPE_TASKS, AS_TABLE,
	    TOP_OF_ALL("cpus", "busy", "busy utilisation idle max_idle switches cpu", NULL) },

	/* Stack dumps. */
	{ "findings", "Findings in the last dump", SHAPE_DUMPS, AS_TABLE,
	    "findings | where latest | head 15 | select severity kind threads what", "No findings.", "findings | where latest" },
	{ "deadlocks", "Deadlocks of the last dump", SHAPE_DUMPS, AS_TABLE,
	    "deadlocks | where latest | head 15 | select deadlock thread wants held_by source", "None.", "deadlocks | where latest" },
	{ "blocked", "Holders of locks, by waiting threads", SHAPE_DUMPS, AS_TABLE,
	    "blocked | where latest and depth = 0 | head 15 | select behind thread state wants how doing", "None.", "blocked | where latest" },
	{ "same_stacks", "Threads with equal stacks, without idle ones", SHAPE_DUMPS, AS_TABLE,
	    "same_stacks | where latest and idle < threads | head 15 | select threads states doing names", "None.",
	    "same_stacks | where latest and idle < threads" },

	/* Method traces, profiles. */
	{ "threads", "Threads by CPU time", SHAPE_CALLS, AS_TABLE,
	    BUSY("threads") " | top 15 cpu | select cpu wall off_cpu calls tid label as name", "None.", "threads | sort idle -cpu",
	    NOT_BUSY("threads"), "idle threads (under 1 % CPU of the elapsed time, 95 "
	        "% of their time in one stack)", .when = WHEN_CPU, .but = SHAPE_TASKS },
	{ "threads", "Threads by wall time", SHAPE_CALLS, AS_TABLE,
	    TOP("threads", "wall", "wall calls tid label as name", NULL), .when = WHEN_NO_CPU, .but = SHAPE_TASKS },
	{ "source", "Source of the numbers", SHAPE_SAMPLES, AS_FIELDS,
	    "events | where current = true and samples > 0 | select name as event kind samples weight unit threads period threshold "
	    "no_stack truncated about",
	    NULL, NULL, .but = SHAPE_TABLE | SHAPE_MONEY, .when = WHEN_EVENT },
	{ "events", "Events", SHAPE_SAMPLES, AS_TABLE,
	    TOP_OF_ALL("events", "samples", "samples weight unit kind current name", NULL), .when = WHEN_EVENTS, .but = SHAPE_MONEY },
	{ "events", "Transactions paid and received; --event shows one of them", SHAPE_MONEY, AS_TABLE,
	    "events | head 15 | select weight as total unit current name", NULL, "events | select weight as total unit current name",
	    .when = WHEN_EVENTS },
	{ "columns", "Columns", SHAPE_TABLE, AS_TABLE, "columns | head 50 | select name kind form empty distinct", "No columns.", "columns" },
	{ "accounts", "Accounts listed", SHAPE_MONEY, AS_TABLE,
	    "accounts | where state = listed | head 15 | select id kind bank status desc", NULL, "accounts | where state = listed" },
	{ "balance_check", "Balances and transactions", SHAPE_MONEY, AS_TABLE,
	    "balance_check | head 15 | select account transactions sum ledger verdict", "No statements in this file.",
	    "balance_check" },
	{ "payees", "Payees by amount", SHAPE_MONEY, AS_TABLE,
	    "transactions | where amount < 0 | group payee currency : sum amount as total, count | sort total | head 15 "
	    "| select total currency count payee", "No payments.",
	    "transactions | where amount < 0 | group payee currency : sum amount as total, count | sort total" },
	{ "methods", "Top methods by self time", SHAPE_CALLS, AS_TABLE,
	    TOP("methods", "self", "self total calls method", "No methods.") },
	{ "noise", "Below the noise: average call shorter than a clock read", SHAPE_CALLS, AS_TABLE,
	    "methods | where noise | top 5 calls | select total_wall calls method", NULL, "methods | where noise | sort -calls" },
	{ "lasting", "Events with a duration, by total time", SHAPE_LASTING, AS_TABLE,
	    "intervals | group event : sum wall as wall, max wall as longest, count | sort -wall | head 15 | select wall longest count event",
	    NULL, "intervals | group event : sum wall as wall, max wall as longest, count | sort -wall" },
	{ "pauses", "Longest garbage collection pauses", SHAPE_LASTING, AS_TABLE,
	    "intervals | where event = jdk.GCPhasePause | top 10 wall | select wall start_wall at what", NULL, "intervals jdk.GCPhasePause | sort -wall" },
	{ "collections", "Longest garbage collections, from start to end", SHAPE_LASTING, AS_TABLE,
	    "intervals | where event = jdk.GarbageCollection | top 10 wall | select wall start_wall at what", NULL,
	    "intervals jdk.GarbageCollection | sort -wall" },
	{ "methods", "Top functions by self weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "self", "self self_pct total total_pct samples name" MODULE, "No samples."), .but = SHAPE_MONEY },
	{ "calls", "Call tree by total time", SHAPE_CALLS, AS_TREE, "calls | top 15 total", "No calls.", "calls | sort -total" },
	{ "calls", "Call tree by total weight", SHAPE_SAMPLES, AS_TREE, "calls | top 15 total", "No samples.",
	    "calls | sort -total", .but = SHAPE_MONEY },
	{ "calls", "Transactions by account, type and payee", SHAPE_MONEY, AS_TREE, "calls | top 15 total", "No transactions.",
	    "calls | sort -total" },
	{ "methods", "Top functions by self cost", SHAPE_COSTS, AS_TABLE,
	    TOP("methods", "self", "self self_pct total total_pct calls cycle name", "No functions."), .but = SHAPE_SAMPLES },
	{ "arcs", "Calls from function to function by cost", SHAPE_COSTS, AS_TABLE,
	    TOP("arcs", "cost", "cost cost_pct calls caller callee", "No calls.") },
	{ "totals", "Top functions by total weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "total", "total total_pct self self_pct name" MODULE, NULL), .but = SHAPE_MONEY },
	{ "threads", "Threads by weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("threads", "total", "total total_pct samples tid label as name", NULL), .when = WHEN_THREADS, .but = SHAPE_MONEY | SHAPE_DUMPS },
	{ "grown", "Largest increases", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "self_delta", "self_delta self_before self name" MODULE, "None."), .when = WHEN_DIFFERS },
	{ "shrunk", "Largest decreases", SHAPE_SAMPLES, AS_TABLE,
	    "methods | where self_delta < 0 | sort self_delta | head 15 | select self_delta self_before self name" MODULE, "None.",
	    "methods | sort self_delta", .when = WHEN_DIFFERS },
	{ "beside", "Samples recorded with the calls; --event shows them", SHAPE_EVENTS, AS_TABLE,
	    TOP_OF_ALL("events", "samples", "samples weight unit kind name", NULL) },
	{ "async", "Async slices by total time", SHAPE_MARKS, AS_TABLE,
	    TOP_OF_ALL("async", "total", "total max count open cat name", NULL) },
	{ "counters", "Counters", SHAPE_MARKS, AS_TABLE,
	    TOP_OF_ALL("counters", "points", "points min max last counter key process", NULL) },
	{ "marks", "Instant events by name", SHAPE_MARKS, AS_TABLE,
	    "marks | group name scope : count | top 15 count | select count scope name", NULL,
	    "marks | group name scope : count | sort -count" },

	{ NULL, "Tracks", SHAPE_TRACKS, AS_CHARTS,
	    "tracks | where kind in (counter, gauge, cpu) and points > 1 | top 24 points | select id track process thread utilisation max", .html = true },

	{ NULL, "Next steps", 0, AS_ADVICE },

	/* Files without a tree have rows in its place. */
	{ .form = AS_OVERVIEW, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TASKS, AS_TABLE, "tasks | top 40 max_wait | select max_wait off_cpu cpu name", .but = SHAPE_TREES | SHAPE_GRAPH,
	    .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_CODE, AS_TABLE, "bugs | head 40 | select method line kind why",
	    .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TRIAGE, AS_TABLE, "groups | head 40 | select dumps retained_max kind holder content hash",
	    .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_CODE, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_COSTS, AS_TABLE, "methods | top 40 self | select self self_pct total total_pct calls cycle name", .but = SHAPE_SAMPLES, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TABLE, AS_TABLE, "records | head 40", .but = SHAPE_TREES, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TREES | SHAPE_GRAPH, AS_TREE, .page = PAGE_TEXT },
	{ NULL, NULL, 0, AS_TREE, .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_CODE | SHAPE_TRIAGE | SHAPE_TABLE | SHAPE_COSTS,
	    .page = PAGE_TEXT },

	{ .form = AS_OVERVIEW, .page = PAGE_OVERVIEW },
	{ .form = 0 }
};

/* ---- which of them ----------------------------------------------------------------- */

/* Earlier sections need live_bytes, so it is known before this section is prepared. */
static bool
mostly_garbage(const struct session *session)
{
	const struct store *st = session_store(session);

	return heap_all_bytes(st, session->sizes) / 2 > heap_fact(st, FACT_LIVE_BYTES, session->refs, session->sizes);
}

static bool
has_processes(const struct session *session)
{
	return (session_shapes(session) & SHAPE_TASKS) != 0 && (session_shapes(session) & SHAPE_MARKS) != 0 &&
	    column_rows(store_column(session_store(session), COL_PROCESS_PID)) > 1;
}

static bool
has_cpu(const struct session *session)
{
	struct weights w;

	weights_of(session_store(session), &w);
	return w.clocks && w.name[CLOCK_CPU] != NULL;
}

bool
section_fits(const struct report *r, const struct section *s)
{
	unsigned shapes = session_shapes(r->session);

	return s->page == r->o->page && (r->o->format == FORMAT_HTML ? s->form != AS_TREE : !s->html) && (s->but & shapes) == 0 &&
	    (s->shapes == 0 || (s->compares == r->compares && (s->shapes & shapes) != 0)) &&
	    ((s->when & WHEN_GARBAGE) == 0 || mostly_garbage(r->session)) &&
	    ((s->when & WHEN_PROCESSES) == 0 || has_processes(r->session)) && ((s->when & WHEN_CPU) == 0 || has_cpu(r->session)) &&
	    ((s->when & WHEN_NO_CPU) == 0 || !has_cpu(r->session));
}

bool
section_wanted(const struct report *r, const struct section *s)
{
	const struct store *st = session_store(r->session);

	return section_fits(r, s) && (r->o->format == FORMAT_JSON ? s->name != NULL : s->form != AS_DATA) &&
	    ((s->when & WHEN_DIFFERS) == 0 || fact_value(st, FACT_WEIGHT_DIFFERS) != 0) &&
	    ((s->when & WHEN_THREADS) == 0 || !threads_nameless(st)) &&
	    ((s->when & WHEN_EVENT) == 0 || fact_value(st, FACT_WEIGHT_DIFFERS) == 0) &&
	    ((s->when & WHEN_EVENTS) == 0 || column_rows(store_column(st, COL_EVENT_TYPE)) > 1);
}

void
section_query(const struct report *r, const char *text, struct buf *b)
{
	const char *module = strstr(text, MODULE), *process = strstr(text, PROCESS);
	bool some = module != NULL ? column_rows(store_column(session_store(r->session), COL_LISTED_MODULE)) > 0 : has_processes(r->session);
	const char *word = module != NULL ? module : process;

	if (word == NULL)
		buf_str(b, str_of(text));
	else
		buf_printf(b, "%.*s%s%s", (int)(word - text), text, !some ? "" : module != NULL ? " module" : " process",
		    word + strlen(module != NULL ? MODULE : PROCESS));
}
