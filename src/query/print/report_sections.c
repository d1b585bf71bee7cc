/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_sections: the parts of a report, what matters most first; in each the largest rows first.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_facts.h"
#include "icecore/idle.h"
#include "report.h"

/* Columns of some files only. */
#define MODULE "$module"
#define PROCESS "$process"
/* SOME_IDLE: the row with the most CPU time is listed even if idle, so that the table is never empty. */
#define SOME_IDLE(rows) "(" rows " | top 1 cpu | select id)"
#define BUSY(rows) rows " | where not idle or id in " SOME_IDLE(rows)
#define NOT_BUSY(rows) rows " | where idle and not id in " SOME_IDLE(rows)
/*
 * A section of the largest rows above 0: its query, the sentence for no rows, and the query of the whole
 * list.
 */
#define TOP(rows, by, cells, none) \
	rows " | where " by " > 0 | top 15 " by " | select " cells, none, rows " | sort -" by
/* The same, including rows of 0 and below. */
#define TOP_OF_ALL(rows, by, cells, none) rows " | top 15 " by " | select " cells, none, rows " | sort -" by
/* Two sections: the rows that grew most and that shrank most between two files. */
#define DIFFERENCES(name, shape, title_up, title_down, rows, delta, cells) \
	{ name "_increases", title_up, shape, AS_TABLE, TOP(rows " | diff", delta, cells, "None."), \
	    .compares = true }, \
	{ name "_decreases", title_down, shape, AS_TABLE, \
	    rows " | diff | where " delta " < 0 | sort " delta " | head 15 | select " cells, "None.", \
	    rows " | diff | sort " delta, .compares = true }

/* A thread, the number of threads, their weight and name of each pool. */
#define POOLS(weight, own) "threads | where " own " > 0 | group pool : max id as id, count as threads, " \
    "sum " weight " as " weight \
	" | where " weight " > 0 | sort -" weight " | select id threads " weight " pool"

/* Calls of the thread with most of a clock. */
#define LONGEST(clock) \
	"spans | where thread_id in (threads | where calls > 0 | top 1 " clock " | select id) | top 40 wall"

const struct section sections[] = {
	{ NULL, "Flame graph of the change", SHAPE_TREES, AS_PICTURE, "calls | diff", .compares = true,
	    .html = true },
	{ NULL, "Flame graph", SHAPE_TREES, AS_PICTURE, "calls", .but = SHAPE_DUMPS, .html = true },
	{ NULL, "Flame graph of all threads", SHAPE_DUMPS, AS_PICTURE, "merged", .html = true },
	{ NULL, "Flame graph of retained sizes", SHAPE_GRAPH, AS_PICTURE, "dominators", .html = true },
	{ NULL, "At a glance", 0, AS_OVERVIEW, .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_CALLS, AS_POOLS, POOLS("cpu", "calls"),
	    .when = WHEN_CPU, .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_CALLS, AS_POOLS, POOLS("wall", "calls"),
	    .when = WHEN_NO_CPU, .html = true },
	{ NULL, "Flame graphs of threads and pools", SHAPE_SAMPLES, AS_POOLS, POOLS("total", "samples"),
	    .when = WHEN_THREADS, .but = SHAPE_MONEY | SHAPE_DUMPS, .html = true },
	{ NULL, "40 longest calls of the busiest thread, in time order", SHAPE_CALLS, AS_PICTURE, LONGEST("cpu"),
	    .when = WHEN_CPU, .html = true },
	{ NULL, "40 longest calls of the longest thread, in time order", SHAPE_CALLS, AS_PICTURE, LONGEST("wall"),
	    .when = WHEN_NO_CPU, .html = true },
	{ "info", "Overview", 0, AS_FACTS,
	    "info | where field !~ /^(repair|loss|unread|index )/ or field = loss.reason | select field value", NULL,
	    NULL },
	{ "damage", NULL, 0, AS_DATA,
	    "info | where field ~ /^(loss|repair|unread)/ and field != loss.reason and value != 0", NULL,
	    NULL },

	/* Two files. */
	{ "totals", "Totals", SHAPE_GRAPH, AS_TABLE,
	    "info | diff | where field in (live_bytes, live_objects, unreachable_bytes, classes, threads, roots) "
	    "| select field value_before value", NULL, NULL, .compares = true },
	{ "new_findings", "New findings", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | diff | where change = added | head 15 | select severity kind why", "None.",
	    "findings | diff", .compares = true },
	{ "grown_findings", "Findings that grew", SHAPE_GRAPH, AS_TABLE,
	    "findings | diff | where change = kept and retained_delta > 0 | top 15 retained_delta "
	    "| select retained_delta retained_before retained kind content holder", "None.",
	    "findings | diff", .compares = true },
	{ "gone_findings", "Findings no longer present", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | diff | where change = removed | head 15 | select severity kind why", "None.",
	    "findings | diff", .compares = true },
	DIFFERENCES("class", SHAPE_GRAPH, "Largest increases in retained size",
	    "Largest decreases in retained size", "classes",
	    "retained_delta", "retained_delta retained objects_delta objects change name"),
	DIFFERENCES("task", SHAPE_TASKS, "Tasks with more CPU time", "Tasks with less CPU time", "tasks",
	    "cpu_delta", "cpu_delta cpu cpu_before max_wait max_wait_before name"),
	DIFFERENCES("method", SHAPE_CALLS, "Largest increases in self time", "Largest decreases in self time",
	    "methods", "self_delta", "self_delta self_before total_delta total_before method"),
	DIFFERENCES("method", SHAPE_SAMPLES, "Largest increases", "Largest decreases", "methods",
	    "self_delta", "self_delta self_before total_delta total_before method"),

	DIFFERENCES("method", SHAPE_COSTS, "Largest increases", "Largest decreases", "methods",
	    "self_delta", "self_delta self total_delta total change name"),
	{ "bugs", "Resources not released on all paths", SHAPE_CODE, AS_TABLE,
	    BUGS_DIFFER " | where bugs_delta != 0 | head 15 | select bugs_delta label method site kind",
	    "No changes.", "bugs", .compares = true },
	DIFFERENCES("class", SHAPE_CODE, "Classes that grew", "Classes that shrank", "classes",
	    "bytes_delta", "bytes_delta bytes methods_delta change class"),
	{ "columns", "Columns", SHAPE_TABLE, AS_TABLE, "columns | diff name | head 15", "No columns.",
	    "columns | diff name", .compares = true },

	/* Heap dumps. */
	{ "exhausted", "OutOfMemoryError", SHAPE_VALUES, AS_TABLE,
	    "threads | where top ~ /^java[.]lang[.]OutOfMemoryError[.]/ | sort -retained | head 15 | select retained "
	    "id name at",
	    NULL, "frames" },
	{ "findings", NULL, SHAPE_GRAPH, AS_DATA, "findings", NULL, NULL },
	{ NULL, "Findings", SHAPE_GRAPH, AS_TRACES,
	    "findings | head 15 | leaktrace | select text line suspect", "", "findings",
	    "findings | where finding > 15", "findings", .html = true },
	{ NULL, "Images of bitmaps", SHAPE_VALUES, AS_BITMAPS,
	    "bitmaps | where bytes > 0 | top 1 bytes per hash | top 12 bytes | select object bytes copies holder",
	    NULL, NULL, .html = true },
	{ NULL, "Code that allocates what findings are about", SHAPE_MADE, AS_TABLE,
	    "findings | head 15 | where made_at != '' | select finding made_at", NULL, NULL, .html = true },
	{ NULL, "Findings", SHAPE_GRAPH, AS_FINDINGS,
	    "findings | head 15 | select severity kind why", "", "findings",
	    "findings | where finding > 15", "findings", .but = SHAPE_MADE, .text = true },
	{ NULL, "Findings", SHAPE_MADE, AS_FINDINGS,
	    "findings | head 15 | select severity kind why made_at", "", "findings",
	    "findings | where finding > 15", "findings", .text = true },
	{ "leaktraces", "Leak traces", SHAPE_GRAPH, AS_LINES, "findings | head 15 | leaktrace", NULL,
	    "findings | leaktrace", .text = true },
	{ "dominators", "Largest objects by retained size", SHAPE_GRAPH, AS_TREE,
	    "dominators | head 15 | select retained percent shallow object class", "No objects.",
	    "dominators" },
	{ "classes", "Largest classes by retained size", SHAPE_GRAPH, AS_TABLE,
	    TOP("classes", "retained", "retained shallow objects name", "No classes.") },
	{ "allocations", "Code that allocates them", SHAPE_MADE, AS_TABLE,
	    "classes | where retained > 0 | top 15 retained | where alloc_bytes > 0 | select alloc_bytes alloc_rate "
	    "name alloc_site",
	    "No allocations in the recording.", "allocations" },
	{ "packages", "Largest packages by retained size", SHAPE_GRAPH, AS_TABLE,
	    TOP("components", "retained", "retained share shallow objects component", NULL) },
	{ "threads", "Threads by retained size", SHAPE_VALUES, AS_TABLE,
	    "threads | where retained >= 1k | top 15 retained | select retained frames locals id name", NULL,
	    "threads | sort -retained", "threads | where retained < 1k",
	    "threads retain less than 1 KiB each" },
	{ NULL, "Objects held by stacks of threads", SHAPE_VALUES, AS_TABLE,
	    "locals | where retained >= 1k and object != thread_id | top 1 retained per object | top 15 retained "
	    "| select retained class method thread", NULL, "locals | sort -retained", .html = true },
	{ "garbage", "Unreachable objects by class", SHAPE_GRAPH, AS_TABLE,
	    "objects | where reachable = unreachable | group class : count as objects, sum shallow as bytes | top 15 "
	    "bytes "
	    "| select bytes objects class", NULL, "objects | where reachable = unreachable | sort -shallow",
	    .when = WHEN_GARBAGE },
	{ "bitmaps", "Bitmaps", SHAPE_VALUES, AS_TABLE,
	    "bitmaps | group format storage : count, sum bytes as bytes, sum retained as retained, sum waste as waste "
	    "| where bytes > 0 | top 15 bytes | select bytes retained waste count format storage", NULL,
	    NULL },
	{ "big_bitmaps", "Largest bitmaps", SHAPE_VALUES, AS_TABLE,
	    TOP("bitmaps", "bytes", "bytes width height format copies storage object holder", NULL) },
	{ "copies", "Duplicate data", SHAPE_VALUES, AS_TABLE,
	    "duplicates | group kind : count as values, sum copies as copies, sum waste as waste | sort -waste "
	    "| select waste values copies kind", NULL, NULL },
	{ "strings", "Duplicate strings and arrays", SHAPE_TEXTS, AS_TABLE,
	    "duplicates strings arrays zeros | where waste >= 1k | top 15 waste | select waste copies kind length "
	    "object value",
	    NULL, "duplicates strings arrays zeros | sort -waste" },
	{ "collections", "Unused collection capacity", SHAPE_VALUES, AS_TABLE,
	    "collections | group class owner : count, sum size as elements, sum waste as waste | where waste >= 1k "
	    "| top 15 waste | select waste count elements class owner", NULL,
	    "collections | group class owner : count, sum size as elements, sum waste as waste | sort -waste" },

	/* Many heap dumps. */
	{ "states", "Heap dumps by state", SHAPE_TRIAGE, AS_TABLE,
	    "dumps | group state : count as dumps | sort -dumps", NULL, "dumps" },
	{ "groups", "Leaks and warnings by signature", SHAPE_TRIAGE, AS_TABLE,
	    "groups | head 15 | select dumps retained_max kind holder content hash", "None.", "groups" },

	{ "bugs", "Resources not released on all paths", SHAPE_CODE, AS_TABLE,
	    "bugs | head 15 | select label method line why kind", "No findings.", "bugs", "bugs | where id > 15",
	    "findings" },

	/* Scheduler traces; those with several processes. */
	{ "processes", "Processes by CPU time", SHAPE_TASKS, AS_TABLE,
	    TOP("processes", "cpu", "cpu utilisation run_queue disk threads late_frames pid name", NULL),
	    .when = WHEN_PROCESSES },
	{ "frames", "Frames by process", SHAPE_MARKS, AS_TABLE,
	    "frames | group process tag : count, p50 wall, p99 wall, max overrun | sort -count | head 15",
	    NULL, "frames | group process tag : count, p50 wall, p99 wall, max overrun | sort -count" },
	{ "tasks", "Tasks by CPU time", SHAPE_TASKS, AS_TABLE,
	    BUSY("tasks") " | top 15 cpu | select cpu utilisation off_cpu run_queue max_wait tid name" PROCESS,
	    "None.", "tasks | sort idle -cpu",
	    NOT_BUSY("tasks"), "idle tasks (" IDLE_BY_TIMES ")" },
	{ "run_queue", "Run-queue latency", SHAPE_TASKS, AS_TABLE,
	    "tasks | where max_run_queue >= 1ms or preempted >= 1ms | top 15 max_run_queue "
	    "| select max_run_queue run_queue run_queue_waits preempted tid name" PROCESS, NULL,
	    "tasks | sort -max_run_queue" },
	{ "waits", "Longest wait of each task", SHAPE_TASKS, AS_TABLE,
	    "waits | where not idle | top 1 wall per thread | top 15 wall | select wall start_wall state waiting_in "
	    "waker_or_end thread" PROCESS, NULL,
	    "waits | where not idle | top 1 wall per thread | sort -wall" },
	{ "waits", "Longest wait of each thread", SHAPE_TRACKS, AS_TABLE,
	    "waits | where not idle | top 1 wall per thread | top 15 wall | select wall start_wall state waiting_in "
	    "thread", NULL, "waits | where not idle | top 1 wall per thread | sort -wall",
	    .but = SHAPE_TASKS | SHAPE_SAMPLES },
	{ "cpus", "CPUs by utilisation", SHAPE_TASKS, AS_TABLE,
	    TOP_OF_ALL("cpus", "busy", "busy utilisation idle max_idle switches cpu", NULL) },

	/* Stack dumps. */
	{ "findings", "Findings", SHAPE_DUMPS, AS_TABLE,
	    "findings | where newest | head 15 | select severity kind threads what", "No findings.",
	    "findings | where newest" },
	{ "deadlocks", "Deadlocks", SHAPE_DUMPS, AS_TABLE,
	    "deadlocks | where newest | head 15 | select deadlock thread waits_for holder source when", "None.",
	    "deadlocks | where newest" },
	{ "blocked", "Holders of locks, by waiting threads", SHAPE_DUMPS, AS_TABLE,
	    "blocked | where newest and depth = 0 | top 15 most | select most thread state waits_for how doing when",
	    "None.", "blocked | where newest" },
	{ "identical_stacks", "Threads with equal stacks, without idle ones", SHAPE_DUMPS, AS_TABLE,
	    "identical_stacks | where latest and idle < threads | head 15 | select threads states doing names",
	    "None.", "identical_stacks | where latest and idle < threads" },

	/* Method traces, profiles. */
	{ "threads", "Threads by CPU time", SHAPE_CALLS, AS_TABLE,
	    BUSY("threads") " | top 15 cpu | select cpu wall off_cpu calls tid label as name", "None.",
	    "threads | sort idle -cpu",
	    NOT_BUSY("threads"), "idle threads (" IDLE_BY_STACKS ")", .when = WHEN_CPU, .but = SHAPE_TASKS },
	{ "threads", "Threads by wall time", SHAPE_CALLS, AS_TABLE,
	    TOP("threads", "wall", "wall calls tid label as name", NULL), .when = WHEN_NO_CPU,
	    .but = SHAPE_TASKS },
	{ "source", "About this profile", SHAPE_SAMPLES, AS_FIELDS,
	    "events | where current = true and samples > 0 | select name as event kind samples weight unit threads "
	    "period threshold "
	    "no_stack truncated about",
	    NULL, NULL, .but = SHAPE_TABLE | SHAPE_MONEY, .when = WHEN_EVENT },
	{ "events", "Events", SHAPE_SAMPLES, AS_TABLE,
	    TOP_OF_ALL("events", "samples", "samples weight unit kind current name", NULL),
	    .when = WHEN_EVENTS, .but = SHAPE_MONEY },
	{ "refused", "Refused by the bank", SHAPE_MONEY, AS_TABLE,
	    "info | where field = refused.first | select value as error", NULL, "info | where field ~ /refused/" },
	{ "events", "Transactions paid and received; --event shows one of them", SHAPE_MONEY, AS_TABLE,
	    "events | head 15 | select weight as total unit current name", NULL,
	    "events | select weight as total unit current name", .when = WHEN_EVENTS },
	{ "columns", "Columns", SHAPE_TABLE, AS_TABLE,
	"columns | head 50 | select name kind distinct empty min median max top", "No columns.", "columns" },
	{ "accounts", "Accounts listed", SHAPE_MONEY, AS_TABLE,
	    "accounts | where state = listed | head 15 | select id kind bank status desc", NULL,
	    "accounts | where state = listed" },
	{ "balance_check", "Balances and transactions", SHAPE_MONEY, AS_TABLE,
	    "balance_check | head 15 | select account transactions sum ledger verdict",
	    "No statements in this file.", "balance_check" },
	{ "payees", "Payees by amount", SHAPE_MONEY, AS_TABLE,
	    "transactions | where amount < 0 | group payee currency : sum amount as total, count | sort total | head "
	    "15 "
	    "| select total currency count payee", "No payments.",
	    "transactions | where amount < 0 | group payee currency : sum amount as total, count | sort total" },
	{ "methods", "Top methods by self time", SHAPE_CALLS, AS_TABLE,
	    TOP("methods", "self", "self total calls method", "No methods.") },
	{ "noise", "Below the noise: average call shorter than a clock read", SHAPE_CALLS, AS_TABLE,
	    "methods | where noise | top 5 calls | select total_wall calls method", NULL,
	    "methods | where noise | sort -calls" },
	{ "lasting", "Events with a duration, by total time", SHAPE_LASTING, AS_TABLE,
	    "intervals | group event : sum wall as wall, max wall as longest, count | sort -wall | head 15 | select "
	    "wall longest count event",
	    NULL, "intervals | group event : sum wall as wall, max wall as longest, count | sort -wall" },
	{ "pauses", "Longest garbage collection pauses", SHAPE_LASTING, AS_TABLE,
	    "intervals | where event = jdk.GCPhasePause | top 10 wall | select wall start_wall at what", NULL,
	    "intervals jdk.GCPhasePause | sort -wall" },
	{ "collections", "Longest garbage collections, from start to end", SHAPE_LASTING, AS_TABLE,
	    "intervals | where event = jdk.GarbageCollection | top 10 wall | select wall start_wall at what",
	    NULL, "intervals jdk.GarbageCollection | sort -wall", .instead = true },
	{ "methods", "Top functions by self weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "self", "self self_pct total total_pct samples name" MODULE, "No samples."),
	    .but = SHAPE_MONEY },
	{ "calls", "Call tree by total time", SHAPE_CALLS, AS_TREE, "calls | top 15 total", "No calls.",
	    "calls | sort -total" },
	{ "calls", "Call tree by total weight", SHAPE_SAMPLES, AS_TREE, "calls | top 15 total", "No samples.",
	    "calls | sort -total", .but = SHAPE_MONEY },
	{ "calls", "Transactions by account, type and payee", SHAPE_MONEY, AS_TREE, "calls | top 15 total",
	    "No transactions.", "calls | sort -total" },
	{ "methods", "Top functions by self cost", SHAPE_COSTS, AS_TABLE,
	    TOP("methods", "self", "self self_pct total total_pct calls cycle name", "No functions."),
	    .but = SHAPE_SAMPLES },
	{ "arcs", "Calls from function to function by cost", SHAPE_COSTS, AS_TABLE,
	    TOP("arcs", "cost", "cost cost_pct calls caller callee", "No calls.") },
	{ "classes", "Largest classes", SHAPE_COUNTS, AS_TABLE,
	    TOP("classes", "shallow", "objects shallow shallow_pct name", "No classes.") },
	{ "growth", "Classes that grew most", SHAPE_COUNTS, AS_TABLE,
	    TOP("growth", "shallow_delta", "shallow_delta shallow objects_delta objects always name", NULL) },
	{ "native_memory", "Memory of the process by category", SHAPE_NATIVE, AS_TABLE,
	    TOP("native_memory", "committed", "committed committed_pct reserved malloc mmap arena name", NULL) },
	{ "totals", "Top functions by total weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "total", "total total_pct self self_pct name" MODULE, NULL), .but = SHAPE_MONEY },
	{ "threads", "Threads by weight", SHAPE_SAMPLES, AS_TABLE,
	    TOP("threads", "total", "total total_pct samples tid label as name", NULL), .when = WHEN_THREADS,
	    .but = SHAPE_MONEY | SHAPE_DUMPS },
	{ "grown", "Largest increases", SHAPE_SAMPLES, AS_TABLE,
	    TOP("methods", "self_delta", "self_delta self_before self name" MODULE, "None."),
	    .when = WHEN_DIFFERS },
	{ "shrunk", "Largest decreases", SHAPE_SAMPLES, AS_TABLE,
	    "methods | where self_delta < 0 | sort self_delta | head 15 | select self_delta self_before self "
	    "name" MODULE, "None.",
	    "methods | sort self_delta", .when = WHEN_DIFFERS },
	{ "beside", "Samples recorded with the calls; --event shows them", SHAPE_EVENTS, AS_TABLE,
	    TOP_OF_ALL("events", "samples", "samples weight unit kind name", NULL) },
	{ "async", "Async slices by total time", SHAPE_MARKS, AS_TABLE,
	    TOP_OF_ALL("async", "total", "total max count open cat name", NULL) },
	{ "open", "Longest async slices without an end", SHAPE_MARKS, AS_TABLE,
	    "async_spans | where open | top 15 wall | select wall start_wall cat name", NULL,
	    "async_spans | where open | sort -wall" },
	{ "counters", "Counters", SHAPE_MARKS, AS_TABLE,
	    TOP_OF_ALL("counters", "points", "points min max last counter key process", NULL) },
	{ "marks", "Instant events by name", SHAPE_MARKS, AS_TABLE,
	    "marks | group name scope : count | top 15 count | select count scope name", NULL,
	    "marks | group name scope : count | sort -count" },

	{ NULL, "Tracks", SHAPE_TRACKS, AS_CHARTS,
	    "tracks | where kind in (counter, gauge, cpu) and points > 1 | top 24 points | select id track process "
	    "thread utilisation max", .html = true },

	{ NULL, "Next steps", 0, AS_ADVICE },

	/* Files without a tree have rows in its place. */
	{ .form = AS_OVERVIEW, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TASKS, AS_TABLE, "tasks | top 40 max_wait | select max_wait off_cpu cpu name",
	    .but = SHAPE_TREES | SHAPE_GRAPH, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_CODE, AS_TABLE, "bugs | head 40 | select method line label why kind",
	    .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TRIAGE, AS_TABLE, "groups | head 40 | select dumps retained_max kind holder content hash",
	    .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_CODE, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_COSTS, AS_TABLE,
	    "methods | top 40 self | select self self_pct total total_pct calls cycle name", .but = SHAPE_SAMPLES,
	    .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_COUNTS, AS_TABLE, "classes | top 40 shallow | select objects shallow shallow_pct name",
	    .but = SHAPE_TREES, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_NATIVE, AS_TABLE, "native_memory | sort -committed", .but = SHAPE_GRAPH,
	    .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TABLE, AS_TABLE, "records | head 40", .but = SHAPE_TREES, .page = PAGE_TEXT },
	{ NULL, NULL, SHAPE_TREES | SHAPE_GRAPH, AS_TREE, .page = PAGE_TEXT },
	{ NULL, NULL, 0, AS_TREE, .but = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_CODE | SHAPE_TRIAGE |
	SHAPE_TABLE | SHAPE_COSTS | SHAPE_COUNTS | SHAPE_NATIVE,
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

	return heap_all_bytes(st, session->sizes) / 2 > heap_fact(st, FACT_LIVE_BYTES, session->refs,
	    session->sizes);
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

	return s->page == r->o->page && (r->o->format == FORMAT_HTML ? s->form != AS_TREE : !s->html) &&
	    (s->but & shapes) == 0 && !(s->text && r->o->format == FORMAT_HTML) &&
	    !(r->o->parts && (s->form == AS_BITMAPS || s->form == AS_FINDINGS)) &&
	    (s->shapes == 0 || (s->compares == r->compares && (s->shapes & shapes) != 0)) &&
	    ((s->when & WHEN_GARBAGE) == 0 || mostly_garbage(r->session)) &&
	    ((s->when & WHEN_PROCESSES) == 0 || has_processes(r->session)) &&
	    ((s->when & WHEN_CPU) == 0 || has_cpu(r->session)) &&
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

/* ---- their queries ----------------------------------------------------------------- */

void
section_query(const struct report *r, const char *text, struct buf *b)
{
	const char *module = strstr(text, MODULE), *process = strstr(text, PROCESS);
	bool some = module != NULL ? column_rows(store_column(session_store(r->session),
	    COL_LISTED_MODULE)) > 0 : has_processes(r->session);
	const char *word = module != NULL ? module : process;

	if (word == NULL)
		buf_str(b, str_of(text));
	else
		buf_printf(b, "%.*s%s%s", (int)(word - text), text,
		    !some ? "" : module != NULL ? " module" : " process",
		    word + strlen(module != NULL ? MODULE : PROCESS));
}

bool
report_ask(struct report *r, const char *text, struct reply *a, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	*a = (struct reply){ .query = NULL };
	section_query(r, text, &b);
	/* The passes have run by now; only a diff is recomputed for each query. */
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (report)") :
	    query_ask(a, buf_view(&b), 0, r->session, r->work, err);
	buf_free(&b);
	if (ok) {
		rows_reach(a->rows, 1);
		ok = rows_whole(a->rows, err);
	}
	return ok;
}
