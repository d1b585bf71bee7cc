/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: what the overview says of each kind of file.
 */
#include "config.h"

#include "icecore/facts.h"

#include "icecore/idle.h"
#include "overview.h"

#define PLATFORM "/^([(]primitive[)]$|(java|javax|jdk|sun|com[.]sun|android|com[.]android|androidx|dalvik|libcore|" \
    "kotlin|kotlinx)([.]|$))/"

#define LASTING "intervals | group event : sum wall as value, max wall as longest, count as n | sort -value"
#define SUBJECTS "intervals | group event what : sum wall as value, avg wall as mean, max wall as longest, count as " \
    "n | sort -value"
/*
 * Lines for profiles: "which" selects whether the weight is just the number of samples, or has its unit by
 * itself.
 */
#define SAMPLED(which) CURRENT " and " which " | select samples as value weight unit threads period no_stack truncated"
#define SAMPLED_WORDS "[elapsed? over {elapsed}|[ in a recording of {duration}]][, period {period}][, {no_stack} " \
    "without a stack][, {truncated} truncated]"
#define OPEN_CALLS "info | where field in ('repair.open', 'repair.no_end') and value != 0 | group : count as open"
/* Samples without a thread have a thread "all". */
#define NAMED_THREADS "threads | where not (name = all and tid = 0) | group : count as named"
/*
 * The longest call of those that do more than begin a thread.  Of it and of the callees that take 95 % of its time, the
 * innermost says what takes so long.
 */
#define LONGEST(more) "spans | where " more "not outer | top 1 wall | select thread_id as thread start_wall as " \
	"since start_wall + wall as until wall - wall / 20 as least"
#define LONGEST_CALL(which, but, more) { which, but, "longest call", \
	"spans @{thread} from {since}ns to {until}ns min " \
	"{least}ns | where not outer | top 1 depth | select wall as value wall as length method method_id " \
	"label start_wall thread_id {end}ns - start_wall - wall as rest", \
	"{method}  {label} at {start_wall}[rest?|[open?, open at the end]]", "spans | where not outer | sort -wall", \
	    .given = { "info", "threads | group : max end as end", OPEN_CALLS, LONGEST(more) }, .with = SHAPE_CALLS, \
	    .weights = WEIGHTS_OF_ONE }
/* A thread may have ended before the last dump. */
#define USED_CPU "thread_changes | where cpu > 0 | group thread number : sum cpu as value, last state_to as state, " \
	"last doing as doing"
#define COLLECTIONS "intervals | where event = jdk.GarbageCollection"
#define SAMPLED_LINE(which, words) { PROFILES, NO_PROFILES | SHAPE_TABLE, "samples", SAMPLED(which), \
	words "[named? in {threads thread|threads}]" SAMPLED_WORDS, "calls", .given = { "info", NAMED_THREADS }, \
	    .weights = WEIGHTS_OF_ONE }
#define WAIT_CELLS "select wall as value wall as length label state waiting_in waker start_wall thread_id"
/* Of a whole system there may be millions of waits.  Where calls say which are idle, few of them are asked. */
#define LONGEST_WAIT "waits | where not idle | top 1 wall | " WAIT_CELLS
#define LONGEST_IN_CALLS "waits | sort -wall | where not idle | head 1 | " WAIT_CELLS
/* ART writes a section around the wait for a lock.  Here and below, what costs most is asked last. */
#define LOCKED "waits | where not idle and waiting_in ~ /contention/"
/* Only threads with such a section have their calls read. */
#define LOCKED_THREADS "tasks | where id in (calls | where method ~ /contention/ | select thread_id) | " LOCKED
/* Resident memory: a counter, or the sum of its parts for a process without it. */
#define RESIDENT_IN(name, source) \
	"(" name " = 'mem.rss' or (" name " in ('mem.rss.anon', 'mem.rss.file', 'mem.rss.shmem') and " \
	"process_id not in (" source " | where " name " = 'mem.rss' | select process_id)))"
#define BESIDE "events | where name != calls"
#define TOP_SELF "where self > 0 | top 3 self | select self as value method method_id"
#define TOP_METHODS "methods | " TOP_SELF
/* What uftrace writes while a thread is off its CPU is no function: two names, so that three others are behind. */
#define OFF_CPU "method ~ /^linux:schedule/"
#define TOP_FUNCTIONS "methods | where self > 0 | top 5 self | where not " OFF_CPU " | head 3 | " \
	"select self as value method method_id"
#define GPU_IDLE "async_spans | where name = 'GPU idle'"
#define BARE "/^0x[0-9a-f]+$/"
/* A trace of a whole system; of one process tasks say as much. */
#define SEVERAL "processes | where threads > 0 | group : count as processes | where processes > 1"
/*
 * The threads are chosen first: of all threads there may be millions of waits. A process of the kernel has one thread.
 */
#define MAIN_WAITS "tasks | where id in (processes | where threads > 1 and main_id > 0 | select main_id) | waits | " \
    "where not idle and state not in (runnable, preempted) and waiting_in != ''"
/*
 * Disk times of tasks include the run queue after them, so that they are not the answer, but find it, as the
 * longest waits do.
 */
#define DISK_WAITS "tasks | where id in (tasks | top 8 disk | select id) or id in (waits | where state = disk | " \
    "top 8 wall | " \
	"select thread_id) | waits | where state = disk"
/*
 * Without calls nothing says whether a main thread slept for lack of work.
 */
#define MAIN_STOPPED "tasks | where id in (processes | where threads > 1 and main_id > 0 | select main_id) | waits | " \
    "where not idle and state in (disk, runnable, preempted)"
#define HEAVIEST_THREADS "threads | where total > 0 and not (name = all and tid = 0) | top 3 total | " \
    "select total as value total_pct as share label top id as thread_id"
#define HEAVIEST HEAVIEST_THREADS, "{label}"
#define MOST_TIME HEAVIEST_THREADS, "{label}[, in {top} by the thread dump]"
/* In wall-clock time, a thread that only waits has as many samples as one that works. */
#define WALL CURRENT " and kind = wall | select name threads"
/* Samples whose kind nothing tells: stacks taken when threads left the CPU, and those of goroutines, end in waits. */
#define OTHER CURRENT " and kind = other | select name"
#define CALLERS "methods | where not waits | group : sum self_with_waits as with, sum self as own | where "
#define WAITING "methods | where waits | group : sum self_pct as waiting | where waiting "
/* Of many threads the one that works has a small share: less than half of a thread is the noise of waits. */
#define ONLY_WAITS "(waiting >= 95 and (1 - waiting) * {threads} < 0.5)"
#define WAITS_AND_WORKS WAITING "> 10 and not " ONLY_WAITS
#define WORKS "calls | where self > 0 and not method_id in (methods | where waits | select method_id)"
/* Weights are of any unit, shares of one: a share in an expression is a part of 1, and a given one a percentage. */
#define BUSIEST WORKS " | group thread thread_id : sum self as value, sum self_pct as share | where share * 200 * " \
	"{threads} > {all} * 3 | top 3 value"
#define TOP_WEIGHT(which, ...) { PROFILES, NO_PROFILES, "top self", "methods | where self > 0" which \
	" | top 3 self | select self as value self_pct as share method method_id", "{method}", .rows = SOME, \
	    .weights = WEIGHTS_OF_ONE, .given = { __VA_ARGS__ } }
#define TOP_WAITING(which, ...) { PROFILES, NO_PROFILES, "top waiting", \
	"methods | where self_with_waits_pct >= 1" which " | top 3 self_with_waits | " \
	"select self_with_waits as value self_with_waits_pct as share method method_id", \
	"{method}", "methods | where self_with_waits > 0 | sort -self_with_waits", .rows = SOME, \
	    .weights = WEIGHTS_OF_ONE, .given = { __VA_ARGS__ } }
#define LOSSES "losses", "info | where field ~ /^loss[.]/ and field != loss.reason and value != 0", "{meaning}", \
    "info | where field ~ /^loss/", \
	.rows = OVERVIEW_ITEMS, .none = "none", .whole = true, .header = true
#define UNREAD "not read", "info", NULL, "info | where field ~ /^unread[.]/", .own = own_unread, .header = true
#define SYSTEM (SHAPE_TASKS | SHAPE_MARKS)
#define SOME 3		/* limit of rows of most lines */
/* A runtime reports a deadlock without names of threads. */
#define TOLD_DEADLOCK "what ~ 'deadlock!'"
/* A thread that waits for work is not stuck. */
/* Growth needs two. */
#define SEVERAL_HISTOGRAMS "histograms | group : count as value, count as n, first when as first, last when as last " \
    "| where value > 1"
#define GROUPS "identical_stacks | where latest and idle < threads"
/* Methods whose weight differs between two files, whichever weight (before, after, delta) is shown. */
#define CHANGED(sign) "methods | where self_delta " sign " 0 | select self_delta as value self_before self_after as " \
    "now method method_id | sort "
#define CHANGE_WORDS "{method}" WAS_AND_NOW
/* In a longer recording all weights are larger: shares show what is not. */
#define BOTH_SUMS "methods | group : sum self_before as all_before, sum self_after as all"
#define WAS_AND_NOW "[  was {self_before}[ ({self_before/all_before})]][  now {now}[ ({now/all})]]"

/* The event that is shown, in two files. */
#define COSTS_DIFFER "events | diff name | where current | "

#define ADDED "findings | diff | where change = added"
/* 64k: the least growth that is a finding. */
#define GREW "findings | diff | where change = kept and retained_delta >= 64k"
#define REMOVED "findings | diff | where change = removed"

/* Lines of the same name must be adjacent; only the first shows the name. */
const struct overview_line overview_lines[] = {
	{ 0, 0, "story", .own = own_story, .late = true, .header = true },
	{ 0, 0, "story", .own = own_story, .late = true, .header = true, .diff = true },

	/* ---- two files compared by their rows: heap dumps, scheduler traces */
	{ SHAPE_GRAPH, 0, "before", "classes | diff | group : sum shallow_before as value, sum objects_before as "
	    "objects",
	    "{objects object|objects}", "histogram", .diff = true },
	{ SHAPE_GRAPH, 0, "after", "classes | diff | group : sum shallow as value, sum objects as objects",
	    "{objects object|objects}", "histogram", .diff = true },
	{ SHAPE_GRAPH, 0, "largest increase",
	    "classes | diff | where retained_delta > 0 | top 3 retained_delta | select "
	    "retained_delta as value retained_before retained name change",
	    "{name}[  was {retained_before}][  now {retained}]",
	    "classes", .rows = SOME, .diff = true, .change = true, .none = "none" },
	{ SHAPE_GRAPH, 0, "largest decrease",
	    "classes | diff | where retained_delta < 0 | sort retained_delta | select "
	    "retained_delta as value retained_before retained name change",
	    "{name}[  was {retained_before}][  now {retained}]",
	    "classes", .rows = SOME, .diff = true, .change = true, .none = "none" },
	{ SHAPE_GRAPH, 0, "new findings", ADDED " | group : count as value", "by signature", ADDED,
	    .none = "none", .diff = true },
	{ SHAPE_GRAPH, 0, "new findings", ADDED " | select retained as value kind what", "{kind}  {what}",
	    ADDED, .rows = 5, .diff = true },
	{ SHAPE_GRAPH, 0, "grown findings",
	    GREW " | top 3 retained_delta | select retained_delta as value retained kind what",
	    "{kind}  {what}[  now {retained}]", GREW, .rows = SOME, .diff = true, .change = true },
	{ SHAPE_GRAPH, 0, "removed findings", REMOVED " | group : count as value", "by signature", REMOVED,
	    .none = "none", .diff = true },
	{ SHAPE_GRAPH, 0, "removed findings", REMOVED " | select retained_before as value kind what",
	    "{kind}  {what}", REMOVED, .rows = 5, .diff = true },
	{ SHAPE_TASKS, 0, "before", "tasks | diff | group : sum cpu_before as value", "CPU time of all tasks",
	    "tasks", .diff = true },
	{ SHAPE_TASKS, 0, "after", "tasks | diff | group : sum cpu_before as before, sum cpu as value",
	    "CPU time of all tasks[, {value/before} of before]",
	    "tasks", .diff = true },
	{ SHAPE_TASKS, 0, "largest increase",
	    "tasks | diff | where cpu_delta > 0 | top 3 cpu_delta | select cpu_delta as value "
	    "cpu_before cpu name", "{name}[  was {cpu_before}][  now {cpu}]", "tasks", .rows = SOME,
	    .diff = true, .change = true, .none = "none" },
	{ SHAPE_TASKS, 0, "largest decrease",
	    "tasks | diff | where cpu_delta < 0 | sort cpu_delta | select cpu_delta as value "
	    "cpu_before cpu name", "{name}[  was {cpu_before}][  now {cpu}]", "tasks", .rows = SOME,
	    .diff = true, .change = true, .none = "none" },

	{ SHAPE_COSTS, 0, "before", COSTS_DIFFER "select total_before as value name", "{name}", "events",
	    .diff = true },
	{ SHAPE_COSTS, 0, "after", COSTS_DIFFER "select total as value name total_before",
	    "{name}[, {value/total_before} of before]",
	    "events", .diff = true },
	{ SHAPE_COSTS, 0, "largest increase",
	    "methods | diff | where self_delta > 0 | top 3 self_delta | select self_delta as value self_before self as "
	    "now name",
	    "{name}" WAS_AND_NOW, "methods", .rows = SOME, .diff = true, .change = true, .none = "none",
	    .given = { "methods | diff | group : sum self_before as all_before, sum self as all" } },
	{ SHAPE_COSTS, 0, "largest decrease",
	    "methods | diff | where self_delta < 0 | sort self_delta | select self_delta as value self_before self as "
	    "now name",
	    "{name}" WAS_AND_NOW, "methods", .rows = SOME, .diff = true, .change = true, .none = "none",
	    .given = { "methods | diff | group : sum self_before as all_before, sum self as all" } },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "before",
	    "classes | diff | where bytes_before > 0 | group : sum bytes_before as value, count as n",
	    "{n class|classes}", "classes", .diff = true },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "after",
	    "classes | diff | where bytes > 0 | group : sum bytes as value, count as n",
	    "{n class|classes}", "classes", .diff = true },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "new bugs",
	    BUGS_DIFFER " | where bugs_delta > 0 | select bugs_delta as value label method", "{label} in {method}",
	    BUGS_DIFFER, .rows = 5, .diff = true, .none = "none" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "removed bugs",
	    BUGS_DIFFER " | where bugs_delta < 0 | select bugs_delta as value label method", "{label} in {method}",
	    BUGS_DIFFER, .rows = 5, .diff = true, .none = "none" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "largest increase",
	    "methods | diff method descriptor | where bytes_delta > 0 | top 3 bytes_delta | select bytes_delta as "
	    "value bytes_before bytes method",
	    "{method}[  was {bytes_before}][  now {bytes}]", "methods", .rows = SOME, .diff = true, .change = true,
	    .none = "none" },
	{ SHAPE_TABLE, PROFILES, "before", "info | diff | where field = records | select value_before as value",
	    "records", "records", .diff = true },
	{ SHAPE_TABLE, PROFILES, "after", "info | diff | where field = records | select value", "records", "records",
	    .diff = true },
	{ SHAPE_TABLE, PROFILES, "columns", "columns | diff name | where change != kept | select change as value name",
	    "{name}", "columns | diff name",
	    .rows = 5, .diff = true },
	{ SHAPE_TABLE, PROFILES, "distinct values",
	    "columns | diff name | where change = kept and distinct_delta != 0 | select distinct_delta as value "
	    "distinct_before distinct name",
	    "{name}  was {distinct_before}  now {distinct}", "columns | diff name", .rows = 5, .diff = true,
	    .change = true },

	/* ---- the same by their stacks */
	{ SHAPE_TREES, 0, "before", "methods | group : sum self_before as value", "[{event}]", "calls",
	    .weights = WEIGHTS_DIFFER, .given = { "info" } },
	{ SHAPE_TREES, 0, "after", "methods | group : sum self_before as before, sum self_after as value",
	    "[{event}, ][{value/before} of before]", "calls", .weights = WEIGHTS_DIFFER, .given = { "info" } },
	{ SHAPE_TREES, 0, "largest increase", CHANGED(">") "-value", CHANGE_WORDS, "methods", .rows = SOME,
	    .weights = WEIGHTS_DIFFER, .change = true, .none = "none", .given = { BOTH_SUMS } },
	{ SHAPE_TREES, 0, "largest decrease", CHANGED("<") "value", CHANGE_WORDS, "methods", .rows = SOME,
	    .weights = WEIGHTS_DIFFER, .change = true, .none = "none", .given = { BOTH_SUMS } },

	/* ---- scheduler traces */
	{ SHAPE_TASKS, 0, "duration", "info", "{cpus CPU|CPUs}, {tasks task|tasks}, {switched switch|switches}",
	    "tasks", .value = "elapsed",
	    .given = { "cpus | group : count as cpus, sum switches as switched", "tasks | group : count as tasks" } },
	{ SHAPE_TASKS, 0, "scheduling", "info | where field = scheduling",
	    "of {elapsed} have scheduler events; CPU percentages are of this time",
	    "info | where field = scheduling", .value = "scheduling", .given = { "info" } },
	{ SHAPE_TASKS, 0, "busiest process",
	    "processes | where cpu > 0 | top 3 cpu | select cpu as value utilisation as share name threads",
	    "[name?{name}|(process unknown)], {threads thread|threads}", "processes | sort -cpu", .rows = SOME,
	    .with = SHAPE_MARKS,
	    .given = { SEVERAL } },
	{ SHAPE_TASKS, 0, "foreground app",
	    "processes | where frames > 0 and name !~ /surfaceflinger|system_server|systemui/ | "
	    "top 1 cpu | select cpu as value utilisation as share name frames",
	    "{name}, {frames frame|frames}", "processes | sort -frames", .with = SHAPE_MARKS },
	{ SHAPE_MARKS, 0, "late frames", "processes | where late_frames > 0 | top 3 late_frames | select late_frames "
	    "as value name frames",
	    "{name}, of {frames frame|frames}", "frames | where late | sort -overrun", .rows = SOME },
	{ SHAPE_MARKS, SHAPE_SAMPLES, "main blocked", MAIN_WAITS " | top 3 wall | " WAIT_CELLS,
	    "{label}, {state} in {waiting_in}[, waker {waker}]",
	    "waits", .rows = SOME, .with = SHAPE_TASKS },
	{ 0, 0, "main blocked", MAIN_STOPPED " | top 3 wall | " WAIT_CELLS,
	    "{label}, {state}[ in {waiting_in}][, waker {waker}]",
	    "waits", .rows = SOME, .all = SYSTEM | SHAPE_SAMPLES },
	{ 0, 0, UNREAD, .all = SYSTEM },
	{ 0, 0, LOSSES, .all = SYSTEM },
	{ SHAPE_TASKS, 0, "CPU use", "cpus | top 8 busy | sort cpu | select utilisation as share cpu as on_cpu "
	    "use_over_time", "CPU {on_cpu}", "cpus",
	    .rows = OVERVIEW_ITEMS },
	{ SHAPE_TASKS, 0, "busiest", "tasks | where cpu > 0 | top 3 cpu | select cpu as value util as share label id "
	    "as thread_id",
	    "{label}", "tasks", .rows = SOME },
	{ SHAPE_TASKS, 0, "run queue", "tasks | where run_queue > 0 | top 1 run_queue | select run_queue as value "
	    "max_run_queue label id as thread_id",
	    "{label}, {max_run_queue} max", "tasks" },
	{ SHAPE_TASKS, 0, "disk sleep", DISK_WAITS " | group label thread_id : sum wall as disk, max wall as longest | "
	    "top 1 disk "
	    "| select disk as value longest label thread_id", "{label}, {longest} max",
	    "waits | where state = disk | sort -wall" },

	/* ---- calls: method traces, trace events, sections of scheduler traces */
	{ SHAPE_CALLS, SHAPE_TASKS, "duration", "threads | group : sum cpu as cpu, count as threads",
	    "[of {elapsed_claimed} (truncated); ]"
	    "[{cpu} on CPU in calls of ]{threads thread|threads}",
	    "threads", .value = "elapsed", .given = { "info" }, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, SHAPE_TASKS, "busiest",
	    "threads | where cpu > 0 | top 3 cpu | select cpu as value label id as thread_id", "{label}",
	    "threads", .of = "threads | sum cpu", .rows = SOME, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, SHAPE_TASKS, "idle threads", "threads | where idle | sort -wall",
	    "under 1% CPU; most wall "
	    "time: {label}", "threads",
	    .count = true, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_EVENTS, NO_PROFILES, "top sampled",
	    "methods | where sampled and self > 0 | top 3 self | select self as value method file line method_id",
	    "{method}[  {file}[:{line}]]", .of = "methods | sum self", .rows = SOME, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, 0, "GPU busy", "info", "{gpus GPU|GPUs}[, idle {gpu_idle}]", GPU_IDLE " | sort -wall",
	    .value = "gpu_busy",
	    .of = "info | where field = gpu_time | select value", OF_GPUS },
	{ SHAPE_CALLS, 0, "longest GPU idle", GPU_IDLE " | top 1 wall | select wall as value start_wall as at process",
	    "{process}, at {at}", GPU_IDLE " | sort -wall", OF_GPUS },
	{ SHAPE_CALLS, 0, "top kernel", STREAMS "methods | where method !~ " COPIES " | " TOP_SELF, "{method}",
	    .of = STREAMS "methods | sum self", .rows = SOME, OF_GPUS },
	{ SHAPE_CALLS, 0, "GPU copies", STREAMS "methods | where method ~ " COPIES " | group : sum self as value, sum "
	    "calls as n",
	    "{n time|times}", STREAMS "methods | where method ~ " COPIES, .of = STREAMS "methods | sum self",
	    OF_GPUS },
	{ SHAPE_CALLS, 0, "top CPU op", NO_STREAMS TOP_METHODS, "{method}", .of = NO_STREAMS "methods | sum self",
	    .rows = SOME, OF_GPUS },
	{ SHAPE_CALLS, 0, "off the CPU", "methods | where self > 0 | top 5 self | where " OFF_CPU " | "
	    "group : sum self as value | where value > 0", "linux:schedule of uftrace",
	    "methods | where " OFF_CPU, .of = "methods | sum self", .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, 0, "top self time", TOP_FUNCTIONS, "{method}",
	    .of = "methods | sum self", .rows = SOME, .weights = WEIGHTS_OF_ONE,
	    .no_fact = { 1 + FACT_GPUS, 1 + FACT_METHODS_NUMBERED } },
	{ SHAPE_CALLS, 0, "top self time",
	    "methods | by name | where self > 0 | top 3 self | select self as value method", "{method}",
	    "methods | by name | sort -self", .of = "methods | sum self", .rows = SOME, .weights = WEIGHTS_OF_ONE,
	    .fact = 1 + FACT_METHODS_NUMBERED, .no_fact = { 1 + FACT_GPUS } },
	{ SHAPE_CALLS, 0, "hottest path", .own = own_hottest_path, .opens = "calls",
	    .weights = WEIGHTS_OF_ONE },
	LONGEST_CALL(SHAPE_CALLS, SHAPE_TASKS, "not thread_id in (threads | where idle | select id) and "),
	LONGEST_CALL(SHAPE_TASKS, 0, ""),
	{ SHAPE_TASKS, SHAPE_SAMPLES, "lock contention", LOCKED_THREADS " | top 1 wall | " WAIT_CELLS,
	    "{label}[ in {waiting_in}][, waker {waker}]",
	    LOCKED " | sort -wall", .with = SHAPE_CALLS, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_TASKS, 0, "longest wait", LONGEST_WAIT,
	    "{label}, {state}[ in {waiting_in}][, waker {waker}]", "waits | where not idle | sort -wall",
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_TRACKS, SHAPE_TASKS | SHAPE_SAMPLES, "longest wait", LONGEST_IN_CALLS,
	    "{label}[ in {waiting_in}][, waker {waker}]",
	    "waits | where not idle | sort -wall", .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, 0, "long frames", LATE_CALLS " | sort -wall",
	    "of {calls}  longer than 16.67 ms; worst {wall}",
	    LATE_DO_FRAMES, .count = true, .weights = WEIGHTS_OF_ONE,
	    .given = { DO_FRAME } },
	{ SHAPE_TASKS, 0, "idle tasks", "tasks | where idle",
	    IDLE_BY_TIMES, "tasks", .count = true },

	{ SHAPE_CALLS, SHAPE_MARKS | SHAPE_TASKS, "below noise",
	    "methods | where noise | group : count as value, sum calls as calls",
	    "{value method|methods}, {calls call|calls} shorter than a clock read[, {clock_overhead}]",
	    "methods | where noise", .given = { "info" } },

	/* ---- tracks alone */
	{ SHAPE_TRACKS, SHAPE_CALLS | SHAPE_TASKS | SHAPE_SAMPLES, "duration",
	    "tracks | group : max wall as value, count as tracks", "{tracks track|tracks}", "tracks" },
	{ SHAPE_TRACKS, SHAPE_CALLS | SHAPE_TASKS | SHAPE_SAMPLES, "busiest",
	    "tracks | where kind = cpu and growth > 0 | top 3 growth | "
	    "select growth as value utilisation as share thread thread_id", "{thread}", "tracks",
	    .rows = SOME },

	/* ---- many files */
	{ SHAPE_TRIAGE, 0, "dumps", "dumps | group : count as value, max dumped_at as last", "newest {last}",
	    "dumps" },
	{ SHAPE_TRIAGE, 0, "not read", "dumps | where state in (toobig, timeout, oom, crash, system, unreadable, 'not "
	    "read', empty) | group state : count as value | "
	    "sort -value", "{state}", "dumps", .rows = SOME },
	{ SHAPE_TRIAGE, 0, "findings", "groups | head 3 | select dumps as value retained_max kind holder content hash",
	    "{kind}[: {content}][ in {holder}]", "groups", .rows = SOME },
	{ SHAPE_TRIAGE, 0, "slower", "changes | where verdict in (slower, more) | head 3 | select share_after as share "
	    "method what", "{method}  {what}",
	    "changes | where verdict in (slower, more)", .rows = SOME },

	/* ---- bank statements */
	{ SHAPE_MONEY, 0, "request", "info | where field = request | select value as what", "{what}",
	    "elements" },
	{ SHAPE_MONEY, 0, "refused", "info | where field = loss.refused and value != 0", "{first}",
	    "info | where field ~ /refused/",
	    .given = { "info | where field = refused.first | select value as first" } },
	{ SHAPE_MONEY, 0, "accounts", "accounts | where state = listed | group : count as value | where value > 0",
	    "listed, without a statement", "accounts" },
	{ SHAPE_MONEY, 0, "transactions", "transactions | where state = booked | group : count as value, min date as "
	    "first, max date as last",
	    "{first} to {last}", "transactions | sort date", .none = "none" },
	{ SHAPE_MONEY, 0, "balance", "accounts | where state = statement | select ledger as value account ledger_asof",
	    "{account}[, {ledger_asof}]", "accounts",
	    .rows = OVERVIEW_ITEMS },
	{ SHAPE_MONEY, 0, "paid", "transactions | where amount < 0 and state = booked | group currency : sum amount as "
	    "value, count | "
	    "sort -count", "{count transaction|transactions}",
	    "transactions | where amount < 0 | sort amount", .rows = SOME },
	{ SHAPE_MONEY, 0, "received", "transactions | where amount > 0 and state = booked | group currency : sum "
	    "amount as value, count | "
	    "sort -count", "{count transaction|transactions}",
	    "transactions | where amount > 0 | sort -amount", .rows = SOME },
	{ SHAPE_MONEY, 0, "category", "transactions | where category != '' and state = booked | group category "
	    "currency : sum amount as value, count | "
	    "sort value", "{category}  {count transaction|transactions}",
	    "transactions | group month category currency : sum amount, count | sort month", .rows = SOME },
	{ SHAPE_MONEY, 0, "top payee", "transactions | where amount < 0 and state = booked | group payee currency : "
	    "sum amount as value, "
	    "count | sort value", "{payee}  {count transaction|transactions}", "transactions",
	    .rows = SOME },
	{ SHAPE_MONEY, 0, "balance check", "balance_check", "{account}: {verdict}", "balance_check",
	    .rows = OVERVIEW_ITEMS },

	/* ---- call graphs with costs */
	{ SHAPE_COSTS, SHAPE_SAMPLES, "top self",
	    "methods | where self > 0 | top 3 self | select self as value self_pct as share name id", "{name}",
	    "methods | sort -self",
	    .rows = SOME },
	{ SHAPE_COSTS, SHAPE_SAMPLES, "top total",
	    "methods | where total > 0 | top 3 total | select total as value total_pct as share name id", "{name}",
	    "methods | sort -total", .rows = SOME },
	{ SHAPE_COSTS, SHAPE_SAMPLES, "top arc",
	    "arcs | where cost > 0 | top 3 cost | select cost as value cost_pct as share caller callee calls",
	    "{caller} -> {callee}, {calls call|calls}", "arcs | sort -cost", .rows = SOME },
	{ SHAPE_COSTS, SHAPE_SAMPLES, "cycles",
	    "methods | where cycle > 0 | group cycle : count as value, first name as first | sort -value | head 3",
	    "functions call each other; their totals are upper limits; e.g. {first}",
	    "methods | where cycle > 0", .rows = SOME },
	{ SHAPE_COSTS, SHAPE_SAMPLES, "event", "events | where current | select total as value name",
	    "{name}", "events" },

	/* ---- stack dumps */
	{ SHAPE_DUMPS, 0, "deadlock", "findings | where newest and " TOLD_DEADLOCK " | select threads as value what",
	    "{what}",
	    "findings | where newest and " TOLD_DEADLOCK, .rows = SOME },
	{ SHAPE_DUMPS, 0, "deadlock", "deadlocks | where newest and place = 1 | head 3 | select threads as value "
	    "circle waits_for source when row",
	    "{circle}; {waits_for}, {source}[; {when}]", "deadlocks | where newest", .rows = SOME },
	{ SHAPE_DUMPS, 0, "deadlock waits",
	    "deadlocks | where newest and place = 1 and waiters > 0 | top 3 waiters | select waiters as value thread "
	    "row",
	    "threads wait for {thread} in the deadlock", "blocked | where newest", .rows = SOME },
	{ SHAPE_DUMPS, 0, "the dump says",
	    "findings | where newest and kind = reason | head 3 | select threads as value what row as stack", "{what}",
	    "findings | where newest", .rows = SOME },
	{ SHAPE_DUMPS, 0, "leaked",
	    "findings | where newest and kind = leaked | head 3 | select threads as value what row", "{what}",
	    "findings | where newest and kind = leaked", .rows = SOME },
	{ SHAPE_DUMPS, 0, "waits forever",
	    "findings | where newest and kind = forever | head 3 | select threads as value what row", "{what}",
	    "findings | where newest and kind = forever", .rows = SOME },
	{ SHAPE_DUMPS, 0, "message queues",
	    "findings | where newest and kind = queue | head 3 | select threads as value what row", "{what}",
	    "threads | where latest and queue > 0 | sort -queue", .rows = SOME },
	{ SHAPE_DUMPS, 0, "main thread", "threads | where latest and name = main | head 1 | select state as value "
	    "waits_for holder own",
	    "[waits for {waits_for}[ held by {holder}], ][in {own}]", "threads | where name = main",
	    .given = { "thread_dumps | where kind = ART | head 1 | select kind" } },
	{ SHAPE_DUMPS, 0, "top blocker", "blocked | where newest and depth = 0 and how = holder | sort -latest -dumps "
	    "-most | head 3 | "
	    "select most as value thread state doing when row",
	    "{thread}, {state}[, in {doing}][; {when}]", "blocked | where newest", .rows = SOME },
	{ SHAPE_DUMPS, 0, "holder unknown",
	    "blocked | where newest and how = unknown | top 3 most | select most as value waiting_threads lock_text "
	    "when",
	    "{waiting_threads}, for {lock_text}[; {when}]", "blocked | where newest", .rows = SOME },
	{ SHAPE_DUMPS, 0, "deadlock", "thread_dumps | where deadlocks > 0 or reason ~ 'deadlock!' | group : count as "
	    "dumps | where dumps = 0 | select dumps", "none",
	    "deadlocks" },
	{ SHAPE_DUMPS, 0, "lock over dumps",
	    "blocked | where depth > 0 and waits_for != '' | group waits_for dump : count as n | sort waits_for dump",
	    NULL,
	    "blocked | where depth > 0", .rows = SOME, .own = own_lock_series,
	    .given = { "thread_dumps | group : count as dumps | where dumps > 1" } },
	{ SHAPE_DUMPS, 0, "in all dumps", "threads | where latest and not idle and same = {dumps} and (waits = lock or "
	    "state = io or state = running) | "
	    "group doing : count as value, first name as name | top 3 value", "{name}[, in {doing}]",
	    "threads | where latest and not idle | sort -same",
	    .rows = SOME, .given = { "thread_dumps | group : count as dumps | where dumps > 1" } },
	{ SHAPE_DUMPS, 0, "used CPU", USED_CPU " | top 3 value", "{thread}, {state}[, in {doing}]",
	    USED_CPU " | sort -value", .rows = SOME },
	{ SHAPE_DUMPS, 0, "largest groups",
	    GROUPS " and threads > 1 | top 3 threads | select threads as value doing names states",
	    "[{doing}; ]{names}; {states}",
	    GROUPS, .rows = SOME },
	{ SHAPE_DUMPS, 0, "states", "threads | where latest | group state : sum count as value | sort -value | head 6",
	    "{state}",
	    "threads | where latest", .rows = OVERVIEW_ITEMS },
	{ SHAPE_DUMPS, 0, "idle", "threads | where latest and idle | group : sum count as value, first name as name",
	    "wait for work, or have no frames, such as {name}",
	    "threads | where latest and idle" },
	{ SHAPE_DUMPS, 0, "dumps", "thread_dumps | group : count as value, first time as first, last time as last | "
	    "select value first last value - 1 as several",
	    "[{first}][several?[ to {last}]]", "thread_dumps" },

	/* ---- class histograms */
	{ SHAPE_COUNTS, 0, "objects", "histograms | tail 1 | select shallow as value objects classes when",
	    "{objects object|objects} of {classes class|classes}[, {when}]", "classes" },
	{ SHAPE_COUNTS, 0, "largest classes",
	    "classes | where shallow > 0 | top 5 shallow | select shallow as value shallow_pct as share name objects",
	    "{name}, {objects instance|instances}", "classes", .rows = 5 },
	{ SHAPE_COUNTS, 0, "grew most", "growth | where shallow_delta > 0 | top 5 shallow_delta | select shallow_delta "
	    "as value objects_delta shallow_before shallow name",
	    "{name}, {shallow_before} to {shallow}", "growth", .rows = 5, .change = true,
	    .given = { SEVERAL_HISTOGRAMS }, .none = "no class" },
	{ SHAPE_COUNTS, 0, "always grew", "growth | where always | group : count as value | where value > 0",
	    "classes, in each of {n} histograms",
	    "growth | where always | sort -shallow_delta", .given =
	    { "histograms | group : count as n | where n > 2" } },
	{ SHAPE_COUNTS, 0, "histograms", SEVERAL_HISTOGRAMS, "[{first}][ to {last}]", "histograms" },

	/* ---- profiles */
	{ SHAPE_TABLE, NO_PROFILES, "samples", "info",
	    "[weight {weight}][ in {threads thread|threads}][ over {elapsed}]", "calls", .value = "samples",
	    .with = PROFILES, .given = { "threads | group : count as threads, sum total as weight" },
	    .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES | SHAPE_TABLE, "samples", SAMPLED("unit in (samples, events) and weight - samples = 0"),
	    "[named?in {threads thread|threads}]" SAMPLED_WORDS, "calls", .given = { "info", NAMED_THREADS },
	    .weights = WEIGHTS_OF_ONE },
	SAMPLED_LINE("unit = '' and kind = cpu", "[{weight} of CPU]"),
	SAMPLED_LINE("unit = '' and kind = wall", "[{weight} of wall time]"),
	SAMPLED_LINE("(unit != '' or kind not in (cpu, wall)) and unit != 'bytes' and not (unit in (samples, events) "
	    "and weight - samples = 0)",
	    "[weight {weight}[ {unit}]]"),
	SAMPLED_LINE("unit = 'bytes'", "[weight {weight}]"),
	{ SHAPE_LASTING, 0, "samples", "info | where field = samples and value = 0 | select field",
	    "none in this recording; "
	    "see Intervals for its events",
	    "intervals | sort -wall", .given = { "intervals | head 1" } },
	{ PROFILES, NO_PROFILES | SHAPE_TABLE, "event",
	    CURRENT " and samples > 0 and name != 'samples' | select name threshold about",
	    "{name}[, threshold {threshold}][: {about}]", "events", .weights = WEIGHTS_OF_ONE },
	{ SHAPE_SAMPLES, SHAPE_GRAPH, UNREAD, .but_all = SYSTEM },
	{ SHAPE_FOLDER, 0, "files", "records | where kind != directory | group kind : count as value | sort -value",
	    "{kind}",
	    "records | where kind != directory", .rows = OVERVIEW_ITEMS, .none = "none" },
	{ SHAPE_FOLDER, 0, "more", "info | head 1 | select field",
	    "icecore triage DIR: leaks and failures of all files; icecore ps: Java processes", "info" },
	{ SHAPE_FOLDER, 0, "formats", "info | head 1 | select field",
	    "traces, profiles, heap dumps, stack dumps, recordings, tables; see icecore --list-formats",
	    "info" },
	{ SHAPE_TABLE, SHAPE_FOLDER, "records", "info", "{columns column|columns}", "records",
	    .value = "records" },
	{ SHAPE_TABLE, PROFILES | SHAPE_FOLDER, "column",
	    "columns | select kind as value name min median max distinct empty top histogram as use_over_time",
	    "{name}[  {min} to {max}][, median {median}], {distinct different value|different values}[, {empty "
	    "empty}][, most often {top}]",
	    "columns", .rows = OVERVIEW_ROWS },
	{ SHAPE_TABLE, PROFILES | SHAPE_FOLDER, "profile",
	    "info | where field = profile_options | select value as options", "icecore {options} makes a call tree",
	    "columns" },
	{ PROFILES, NO_PROFILES, "busiest", HEAVIEST, "threads", .rows = SOME, .threads = true,
	    .given = { CURRENT " and kind not in (duration, wall) and unit not in (bytes, values) | select name" },
	    .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "most memory", HEAVIEST, "threads", .rows = SOME, .threads = true,
	    .given = { CURRENT " and unit = bytes | select name" }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "most values", HEAVIEST, "threads", .rows = SOME, .threads = true,
	    .given = { CURRENT " and unit = values | select name" }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "busiest", HEAVIEST, "threads", .rows = SOME, .threads = true,
	    .given = { WALL, WAITING "<= 10" }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "most time", MOST_TIME, "threads", .rows = SOME, .threads = true,
	    .given = { WALL, WAITING "> 10 and " ONLY_WAITS }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "busiest", BUSIEST " | select value share thread thread_id",
	    "{thread}, without its waits", "threads",
	    .rows = SOME, .threads = true,
	    .given = { WALL, WAITS_AND_WORKS, "methods | where not waits | group : sum self_pct as all" },
	    .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "waiting", "methods | where waits and self > 0 | top 2 self | select self as value "
	    "self_pct as share method method_id", "{method}", "methods | where waits | sort -self", .rows = SOME,
	    .given = { WALL, WAITS_AND_WORKS }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "most time", MOST_TIME, "threads", .rows = SOME, .threads = true,
	    .given = { CURRENT " and kind = duration | select name" }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "names", "info | where field = address_names | select value as names",
	    "{names}", "info | where field ~ /^(address_names|no_names)$/", .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "no names",
	    "methods | where method ~ " BARE " | group : sum self as value, sum self_pct as share, count as n | "
	    "where share > 50",
	    "{n function|functions} without a name: save the profile with symbols on the machine that "
	        "recorded it, e.g. with samply load FILE",
	    "methods | where method ~ " BARE " | sort -self", .weights = WEIGHTS_OF_ONE },
#ifndef USE_LIBIBERTY
	{ PROFILES, NO_PROFILES, "symbols",
	    "methods | where method ~ /^_Z/ | group : count as value, sum self_pct as share | where value > 0",
	    "functions of C++ or Rust; to see their names, build icecore with libiberty",
	    "methods | where method ~ /^_Z/ | sort -self", .weights = WEIGHTS_OF_ONE },
#endif
	/* The innermost frames of waits are those of the scheduler. */
	TOP_WAITING("", CURRENT " and kind = duration | select name"),
	TOP_WAITING("", WALL, WAITING "> 10 and " ONLY_WAITS),
	TOP_WAITING(" and self_with_waits > self", OTHER, CALLERS "with > 0 and own * 20 <= with"),
	TOP_WEIGHT("", CURRENT " and kind not in (wall, duration, other) | select name"),
	TOP_WEIGHT("", OTHER, CALLERS "with = 0 or own * 20 > with"),
	TOP_WEIGHT("", WALL, WAITING "<= 10"),
	TOP_WEIGHT(" and not waits", WALL, WAITS_AND_WORKS),
	{ PROFILES, NO_PROFILES, "hottest path", .own = own_hottest_path, .opens = "calls",
	    .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "elsewhere", .own = own_elsewhere, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "kernel share", "methods | where kind = k | sum self",
	    "self weight in the kernel",
	    "methods | where kind = k | sort -self", .value = "sum_self", .of = "methods | sum self",
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_LASTING, 0, "longest pause",
	    "intervals | where event = jdk.GCPhasePause | top 1 wall | select wall as value wall as length what "
	    "start_wall thread_id at", "{what} at {start_wall}[, {at}]",
	    "intervals jdk.GCPhasePause | sort -wall", .weights = WEIGHTS_OF_ONE },
	/* Old recorders store only how long a collection lasts, which includes its concurrent phases. */
	{ SHAPE_LASTING, 0, "collections",
	    COLLECTIONS " | group : count as value, sum paused as paused, sum wall as total, max wall as most",
	    "[paused?paused {paused} of {elapsed}[, longest {longest_pause}][ ({what})]|{total} in all, longest "
	    "{most}]",
	    "intervals jdk.GarbageCollection | sort -wall", .weights = WEIGHTS_OF_ONE,
	    .given = { "info", COLLECTIONS " | top 1 longest_pause | select longest_pause what" } },
	{ SHAPE_LASTING, 0, "lock waits", "intervals | where event = jdk.JavaMonitorEnter | group what function : sum "
	    "wall as value, count as n, max wall as longest | sort -value",
	    "[{what}][ in {function}], {n time|times}, longest {longest}[known?|; holders are not recorded]",
	    "intervals jdk.JavaMonitorEnter | group what function : sum wall, count, max wall | sort -sum_wall",
	    .rows = SOME, .weights = WEIGHTS_OF_ONE,
	    .given = { "waits | where state = blocked and holder != '' | group : count as known" } },
	{ SHAPE_TRACKS, SHAPE_CALLS | SHAPE_TASKS, "heap used",
	    "tracks | where track ~ /^heap used/ | top 1 max | select max as value",
	    "peak[; in Stack chart {axis} stand for nanoseconds]", "tracks | where track ~ /^heap used/ | sort -max",
	    .given = { "info" },
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_LASTING, SHAPE_TASKS, "longest wait",
	    "waits | where not idle | top 1 wall | select wall as value wall as length label state "
	    "start_wall thread_id", "{label}, {state}", "waits | where not idle | sort -wall",
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_LASTING, 0, "longest in all", SUBJECTS " | head 3",
	    "{what}, {event}, {n time|times}, average {mean}, longest {longest}", SUBJECTS,
	    .rows = SOME, .given = { CURRENT " and kind = duration | select name" }, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_LASTING, 0, "top event time", LASTING " | head 3",
	    "{event}, {n time|times}, longest {longest}", LASTING, .rows = SOME, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "recorded", "info | where field = recorded_events",
	    "events of all kinds[ in {chunks chunk|chunks}][, from {recorded_at}]", "info",
	    .given = { "info" } },
	{ PROFILES, NO_PROFILES, "events", "events | sort -samples | select name samples",
	    "most frequent: {name}, {samples sample|samples}", "events",
	    .value = "all", .given = { "events | group : count as all | where all > 1" } },
	{ SHAPE_EVENTS, NO_PROFILES, "events", BESIDE " | sort -samples | select name samples",
	    "most frequent: {name}, {samples sample|samples}", "events",
	    .value = "all", .given = { BESIDE " | group : count as all | where all > 1" } },

	/* ---- events recorded with the calls or the samples ---- */
	/* Slices in flight at the end are short. */
	{ SHAPE_MARKS, 0, "never ended", "async_spans | where open and (wall >= 100ms or wall * 10 >= {elapsed}ns) | "
	    "group name : max wall as value, count as n, min start_wall as at | top 3 value",
	    "{name}  {n async slice|async slices} from {at} on",
	    "async_spans | where open | sort -wall",
	    .rows = SOME, .given = { "async | where open > 0 | head 1 | select name",
	        "info | where field = elapsed | select value as elapsed" } },
	{ SHAPE_MARKS, 0, "async slices", "async | where name !~ /^(Actual|Expected) Timeline/ | top 3 total | select "
	    "total as value count name", "{name}  {count time|times}", "async",
	    .rows = SOME },
	{ SHAPE_MARKS, 0, "instant events", "marks | group name : count | sort -count",
	    "most frequent: {name}, {count time|times}", "marks",
	    .value = "all", .given = { "marks | group : count as all" } },
	{ SHAPE_MARKS, SHAPE_GRAPH, "most memory", "counters | where process != '' and "
	    RESIDENT_IN("counter", "counters") " | "
	    "group process_id : first label as label, sum last as size, first process_id as of_process | "
	    "where size > 0 | select size * 1B as value label of_process | top 3 value",
	    "{label}", "counters | sort -last", .rows = SOME },
	{ SHAPE_MARKS, SHAPE_GRAPH, "memory grew", "tracks | where growth > 0 and kind = gauge and "
	    RESIDENT_IN("track", "tracks") " and process != '' | "
	    "group process_id : first label as label, sum growth as bytes, first process_id as of_process | "
	    "where bytes > 0 | select bytes + 0B as value label of_process | top 3 value",
	    "{label}", "counters | sort -last", .rows = SOME,
	    .change = true, .with = SHAPE_TRACKS },
	{ SHAPE_MARKS, 0, "counters", "counters", "{counter}", "counters", .count = true },

	/*
	 * ---- heap dumps: findings first; they and other expensive lines are answered late, in the order in
	 * which passes compute them
	 */
	{ SHAPE_VALUES, 0, "OutOfMemoryError", OOM_THREADS " | select name at id as object",
	    "thread {name}[, at {at}]", .rows = SOME },
	{ SHAPE_GRAPH, 0, "OutOfMemoryError", "info | where field = oom.message | select field, value as message",
	    "{message}", "info" },
	{ SHAPE_GRAPH, 0, "findings", "findings | sort -grade -retained | group severity : count as value, first what "
	    "as what, first percent as percent | "
	    "select value severity what percent value - 1 as more", "{severity}[: {percent} {what}][ and {more} more]",
	    "findings", .rows = SOME, .none = "no leak, no accumulation point", .objects = true,
	    .late = true },
	{ SHAPE_GRAPH, 0, "largest owner", "names | head 1", .own = own_owners, .late = true },
	{ SHAPE_GRAPH, 0, "program", "info | where field = command | select field, value as program",
	    "{program}", "info" },
	{ SHAPE_GRAPH, 0, "heap", "histogram | group : sum shallow as value, sum objects as objects",
	    "{objects object|objects}[assumed?; sizes are assumed, as no layout fits the addresses|]", "info",
	    .none = "no objects",
	    .given = { "info | where field = layout and value ~ /assumed/ | group : count as assumed" } },
	/* Reports of native memory, alone or beside a dump. */
	{ SHAPE_NATIVE, 0, "process", "native_memory", NULL, "native_memory", .own = own_process },
	{ SHAPE_NATIVE, SHAPE_GRAPH, "native growth",
	    "native_memory | where committed_delta > 0 | top 3 committed_delta | select committed_delta as value "
	    "committed name",
	    "{name}, now {committed}", "native_memory | sort -committed_delta", .rows = SOME, .change = true },
	{ SHAPE_NATIVE, SHAPE_GRAPH, "call sites",
	    "native_sites | top 3 bytes | select bytes as value category function", "{function}[, {category}]",
	    "native_sites", .rows = SOME },
	{ SHAPE_GRAPH, 0, "reachable", "info", "{live_objects object|objects}", "dominators",
	    .value = "live_bytes", .objects = true },
	{ SHAPE_GRAPH, 0, "unreachable", "info", "{unreachable_objects object|objects}; {most} in {class}",
	    UNREACHABLE_CLASSES,
	    .value = "unreachable_bytes", .objects = true,
	    .given = { UNREACHABLE_MOST }, .late = true },
	{ SHAPE_GRAPH, 0, UNREAD },
	{ SHAPE_GRAPH, 0, "fillers", "info | where field = filler_bytes",
	    "unreachable int arrays that probably fill gaps in the heap",
	    "objects | where reachable = unreachable and class = 'int[]'" },
	{ SHAPE_GRAPH, 0, "accumulation", "dominators | dominated", .own = own_accumulation,
	    .objects = true },
	{ SHAPE_GRAPH, 0, "held by", "dominators | dominated", .own = own_held_by },
	{ SHAPE_GRAPH, 0, "largest", "dominators | head 5 | select retained as value percent as share class object",
	    "{class} @{object}",
	    .rows = 5, .objects = true },
	{ SHAPE_GRAPH, 0, "largest class",
	    "classes | where name != java.lang.Class | top 1 retained | select retained as value name objects",
	    "{name}, {objects instance|instances}", "classes",
	    .of = "info | where field = percent_of | select value", .objects = true },
	{ SHAPE_MADE, 0, "most allocated", "allocations | top 3 alloc_bytes | select alloc_bytes as value class site",
	    "{class}[  {site}]",
	    "allocations", .rows = SOME },
	/* Skip platform packages: their arrays, maps and class loaders hold objects of every package. */
	{ SHAPE_GRAPH, NO_PACKAGES, "top package",
	    "components package | where not component ~ " PLATFORM " | top 3 retained | select retained as value share "
	    "component classes",
	    "{component}, {classes class|classes}",
	    "components package | where not component ~ " PLATFORM " | sort -retained", .rows = SOME, .objects = true },
	{ SHAPE_GRAPH, 0, "direct buffers", "info", "native memory", "info", .value = "direct_bytes" },
	{ SHAPE_GRAPH, 0, "zlib", "info", "native memory, estimated", "info", .value = "zlib_bytes" },
	{ SHAPE_GRAPH, 0, "native memory", "info", "registered with the Android runtime", "info",
	    .value = "registered_bytes" },
	{ SHAPE_GRAPH, 0, "mapped files", "info", "native memory", "info", .value = "mapped_bytes" },
	{ SHAPE_GRAPH, 0, "finalizable", "info", "waiting for finalize()", "info",
	    .value = "finalizable_bytes" },
	{ SHAPE_GRAPH, 0, "classes", "info", "by retained size", "classes", .value = "classes" },
	{ SHAPE_GRAPH, NO_PACKAGES, "class loaders", "info", "by retained size", "loaders | sort -retained",
	    .value = "loaders" },
	{ SHAPE_GRAPH, 0, "GC roots", "roots | group kind : count as n | sort -n",
	    "most frequent: {kind}, {n root|roots}",
	    "roots | group kind : count, sum(retained) as retained | sort -retained", .value = "all",
	    .given = { "roots | group : count as all" }, .none = "none: unreferenced objects used as roots" },
	{ SHAPE_VALUES, 0, "threads", "info", "stacks and locals", "threads", .value = "threads" },
	{ SHAPE_GRAPH, 0, "no stack", "info | where field = stackless_threads and value > 0",
	    "virtual threads with unknown local variables", "info" },
	{ SHAPE_VALUES, 0, "strings", "histogram | where name = java.lang.String | select objects as value shallow",
	    "{shallow} (objects only)",
	    "strings", .objects = true },
	{ SHAPE_TEXTS, 0, "duplicates", "duplicates | group : sum waste as value, count as values",
	    "wasted by {values value|values} of strings and arrays", "duplicates", .objects = true },
	{ SHAPE_VALUES, 0, "unused capacity",
	    "collections | where waste > 0 | group : sum waste as value, count as lists",
	    "in {lists collection|collections}", "collections | sort -waste", .objects = true },
	{ SHAPE_VALUES, 0, "bitmaps", "bitmaps | group : sum bytes as value, count as bitmaps",
	    "pixels of {bitmaps bitmap|bitmaps}", "bitmaps" },
	{ SHAPE_GRAPH, 0, "dumps", "info | where field = dumps and value > 1",
	    "in this file; --dump N opens another[: {graphs}]", "info",
	    .given = { "info | where field = graphs | group : first value as graphs" } },
	{ SHAPE_GRAPH, 0, "process", "info | where field = process | select field, value as process", "{process}",
	    "info" },
	{ SHAPE_GRAPH, 0, "written by", "info | where field in (device, jvm) | top 1 field | select field, value as "
	    "machine", "{machine}", "info" },

	/* ---- bytecode alone */
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "classes", "info", "in {code.files file|files}", "classes",
	    .value = "code.classes" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "methods", "info", NULL, "methods",
	    .value = "code.methods" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "code size", "info", NULL, "methods",
	    .value = "code.bytes" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "largest method",
	    "methods | top 3 bytes | select bytes as value method", "{method}", "methods",
	    .of = "methods | sum bytes", .rows = SOME },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "bugs", "bugs | group label : count as value | sort -value",
	    "{label}", "bugs",
	    .rows = OVERVIEW_ITEMS, .none = "none: every Cursor is closed or has another owner" },
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "leaks on throw",
	    "bugs all | where kind = throw-leak | group label : count as value", "{label}",
	    "bugs all | where kind = throw-leak" },

	/* ---- any file */
	{ 0, SHAPE_GRAPH | SHAPE_SAMPLES, UNREAD, .but_all = SYSTEM },
	{ 0, 0, "repairs", "info | where field ~ /^repair[.]/ and value != 0", "{meaning}",
	    "info | where field ~ /^repair/", .rows = OVERVIEW_ITEMS, .none = "none", .header = true },
	{ SHAPE_LASTING, 0, "recorder lost", "info | where field ~ /^recorder_lost/", "{meaning}",
	    "info | where field ~ /^recorder_lost/", .rows = SOME },
	{ 0, 0, LOSSES, .but_all = SYSTEM },
	{ .name = NULL }
};

static_assert(NELEM(overview_lines) <= OVERVIEW_LINES, "room for each line");

const struct overview_line *
overview_story(bool diff)
{
	const struct overview_line *l = overview_lines;

	while (l->own != own_story || l->diff != diff)
		l++;
	return l;
}
