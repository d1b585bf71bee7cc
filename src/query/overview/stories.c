/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stories: one sentence for each file, which says what happened.
 *
 * A row of the table is a fact that explains a file.  The first one that holds is the story of the file; if none holds,
 * it has no story.
 */
#include "config.h"

#include "icecore/facts.h"
#include "icecore/runtime.h"
#include "overview.h"

#define SELF_LEAST 20		/* percent of the weight that a method takes itself */
#define SELF_MOST 5		/* at most so many methods do that */
#define EVENT CURRENT " | select name"
/*
 * Enough samples; of pprof they are stacks, which are counted. Events of JFR that an application defines are not time.
 */
#define ENOUGH CURRENT " and (samples >= 20 or weight >= 20 and unit = count or kind in (cpu, wall) and name !~ " \
    "/^jdk[.]/ and weight >= 200ms or " \
	"name ~ /snapshot/) and not (kind = duration or kind = other and name ~ /^[a-z]+[.].*[.]/ or name = " \
	    "jdk.NativeMethodSample)"
#define SAMPLED ENOUGH " and kind != allocation and name !~ /snapshot/ | select name"
#define RUN_SAMPLED ENOUGH " and (kind = cpu or name = samples) | select name"
#define NO_WAITS ENOUGH " and kind not in (allocation, wall) and name !~ /snapshot|^@/ | select name"
#define ALLOCATED ENOUGH " and (kind = allocation or name ~ /snapshot/) | select name"
#define KEPT "{retained} ({percent}) are kept by {what}"
#define FIRST_FINDING "findings | where severity != note or percent >= 20 | head 1"
/* Main threads of programs that draw. */
#define MAIN_OFF "tasks | where id in (processes | where main_id > 0 and frames > 0 | select main_id) | " \
	"waits | where not idle and wall >= 100ms and waiting_in != ''"
#define MEMBERS "thread_dumps | where latest | select members"
#define CONTENDED "tasks | where id in (calls | where method ~ /contention/ | select thread_id) | waits | where not " \
    "idle and waiting_in ~ /contention/"
#define BUGS(word, name) "bugs | where kind = " word " | group : count as " name
#define LATE "processes | where late_frames * 20 >= frames and late_frames > 0"
#define ELAPSED(sums) " | group : " sums " | where value * 10 >= {elapsed}ns"

/* Complete the sentence of a method.  The next one is in it as well if it takes about as much. */
static bool
stories_two(struct answering *a, uint64_t next, struct err *err)
{
	struct overview_item *to = &a->answer->item[0], *other = rows_reach(a->asked.rows, next + 1) > next ?
	    answering_row(a, next) : NULL;
	bool two = other != NULL && other->share >= to->share * 9 / 10 &&
	    !runtime_is(buf_view(&other->words), RUNTIME_FRAME);

	if (two) {
		buf_text(&to->words, " and ");
		buf_str(&to->words, buf_view(&other->words));
		to->share += other->share;
	}
	if (other != NULL)
		answering_drop(a->answer);
	buf_text(&to->words, two ? " take " : " takes ");
	story_add_share(a, to);
	return rows_whole(a->asked.rows, err) && (two || to->about != ABOUT_METHOD || story_add_caller(a, to, err));
}

/* The first method that takes much itself, and neither waits nor is of a runtime. */
static bool
stories_self(struct answering *a, struct err *err)
{
	struct overview_item *to;

	for (uint64_t row = 0; row < SELF_MOST && rows_reach(a->asked.rows, row + 1) > row; row++) {
		to = answering_row(a, row);
		if (to == NULL || to->share < SELF_LEAST)
			break;
		if (!runtime_is(buf_view(&to->words), RUNTIME_FRAME))
			return stories_two(a, row + 1, err);
		answering_drop(a->answer);
	}
	while (a->answer->n > 0)
		answering_drop(a->answer);
	return rows_whole(a->asked.rows, err);
}

static const struct overview_line stories[] = {
	/* ---- damage that changes the answer */
	{ SHAPE_TABLE, SHAPE_FOLDER, "story",
	    "info | where field = loss.bad_json and value * 4 >= {records} | select value as lost",
	    "{lost} of {lines} lines are not JSON objects",
	    "info | where field ~ /^loss/",
	    .given = { "info", "info | where field = loss.bad_json | select value + {records} as lines" },
	    .value = "lost" },
	{ PROFILES, NO_PROFILES, "story", "info | where field = recorder_lost_samples and value * 2 >= {samples} | "
	    "select value as lost",
	    "the recorder lost {lost} samples; {samples} are in the file", "info | where field ~ /lost/",
	    .given = { "info" }, .value = "lost", .weights = WEIGHTS_OF_ONE },
	{ SHAPE_TASKS, 0, "story", "info | where field = loss.events and value >= {switches} | select value as lost",
	    "{lost} events were lost while recording; {switches} context switches are in the file",
	    "info | where field ~ /^loss/", .given = { "info" }, .value = "lost" },

	/* ---- two files */
	{ SHAPE_GRAPH, 0, "story", "findings | diff | where change = kept and retained_delta >= 64k | top 1 "
	    "retained_delta | select retained_delta retained what",
	    "{what} grew by {retained_delta}, to {retained}", "findings | diff | where retained_delta > 0",
	    .diff = true },
	{ SHAPE_GRAPH, 0, "story", "findings | diff | where change = added and (severity != note or percent >= 20) | "
	    "head 1 | select retained what", "{what} is new: {retained}",
	    "findings | diff | where change = added", .diff = true },
	{ SHAPE_GRAPH, 0, "story", "classes | diff | top 1 shallow_delta | where shallow_delta * 2 >= {all} and "
	    "shallow_delta >= 64k | select shallow_delta name",
	    "the heap grew by {all}, {shallow_delta} of it instances of {name}", "classes", .diff = true,
	    .given = { "classes | diff | group : sum shallow_delta as all | where all >= 64k" } },
	{ SHAPE_TASKS, 0, "story", "tasks | diff | where cpu_delta * 10 >= {all} and cpu_delta > 0 | top 1 cpu_delta | "
	    "select cpu_delta cpu_before cpu name",
	    "{name} used {cpu} of CPU time instead of {cpu_before}", "tasks | diff | sort -cpu_delta", .diff = true,
	    .given = { "tasks | diff | group : sum cpu_before as all" } },
	{ SHAPE_COSTS, 0, "story", "methods | diff | where self_delta * 20 >= {all} and self_delta > 0 | top 1 "
	    "self_delta | select self_before self name",
	    "{name} takes {self} instead of {self_before}", "methods", .diff = true,
	    .given = { "methods | diff | group : sum self_before as all" } },
	{ SHAPE_TREES, 0, "story", "methods | where self_delta > 0 | top 1 self_delta | select self_before self_after "
	    "method method_id",
	    "{method}: {self_after} instead of {self_before}", "methods | sort -self_delta", .weights = WEIGHTS_DIFFER,
	    .fact = 1 + FACT_TRANSACTIONS },
	{ SHAPE_TREES, 0, "story", "methods | where self_delta * 20 >= {all} and self_delta > 0 | top 1 self_delta | "
	    "select self_before self_after method method_id",
	    "{method} takes {self_after} instead of {self_before}", "methods | sort -self_delta",
	    .weights = WEIGHTS_DIFFER,
	    .given = { "methods | group : sum self_before as all" }, .no_fact = { 1 + FACT_TRANSACTIONS } },
	/* ---- stack dumps: what the runtime reports, then who holds up others */
	{ SHAPE_DUMPS, 0, "story", "findings | where newest and what ~ 'deadlock!' | head 1 | select what", "{what}",
	    "findings | where newest" },
	{ SHAPE_DUMPS, 0, "story", "deadlocks | where newest and place = 1 | top 1 threads | select threads circle "
	    "waiters row",
	    "{threads} threads wait for each other: {circle}[; {waiters more waits|more wait} for them][; {others more "
	    "deadlock|more deadlocks}]",
	    "deadlocks | where newest", .given =
	    { "deadlocks | where newest and place = 1 | group : count as n | select n - 1 as others" } },
	{ SHAPE_DUMPS, 0, "story", "findings | where newest and kind = reason | head 1 | select what row as stack",
	    "{what}",
	    "findings | where newest" },
	{ SHAPE_DUMPS, 0, "story", "findings | where newest and kind = leaked | top 1 threads | select threads "
	    "what row",
	    "{threads} {members} {what}", "findings | where newest and kind = leaked", .given = { MEMBERS } },
	{ SHAPE_DUMPS, 0, "story", "threads | where latest and name = main and (waits_for != '' or state = sleep) | "
	    "head 1 | select waits_for holder own id",
	    "main [waits_for?waits for a lock of class {waits_for}[, held by {holder}]|sleeps][, in {own}]",
	    "threads | where name = main",
	    .given = { "thread_dumps | where kind = ART | head 1 | select kind" } },
	{ SHAPE_DUMPS, 0, "story", "blocked | where newest and depth = 0 and how = holder and most >= 3 | sort -latest "
	    "-dumps -most | head 1 | "
	    "select most thread state doing when row latest",
	    "{most} {members} [latest?wait|waited] for {thread} ({state}[, in {doing}])[, {when}]",
	    "blocked | where newest", .given = { MEMBERS } },
	{ SHAPE_DUMPS, 0, "story", "blocked | where newest and how = unknown and most >= 3 | top 1 most | select most "
	    "lock_text waiting_threads when",
	    "{most} {members} wait for {lock_text}; the dump does not name its holder[; {when}]",
	    "blocked | where newest", .given = { MEMBERS } },
	{ SHAPE_DUMPS, 0, "story", "identical_stacks | where latest and idle = 0 and doing != '' and states ~ "
	    "/^running [0-9]+$/ and threads >= 3 and threads * 2 >= {all} | top 1 threads | "
	    "select threads doing names", "{threads} of {all} running {members} are in {doing}: {names}",
	    "identical_stacks | where latest and idle < threads",
	    .given = { "threads | where latest and not idle and state = running and doing != '' | group : sum count as "
	    "all", MEMBERS } },
	{ SHAPE_DUMPS, 0, "story", "identical_stacks | where latest and idle = 0 and own != '' and states !~ "
	    "/waiting|timed|sleep|unknown/ and threads >= 3 and threads * 2 >= {all} | top 1 threads | "
	    "select threads doing names states", "{threads} of {all} {members} are in {doing}: {names}",
	    "identical_stacks | where latest and idle < threads",
	    .given = { "threads | where latest and not idle | group : sum count as all", MEMBERS } },
	{ SHAPE_DUMPS, 0, "story", "threads | where latest and idle | group : sum count as idle | where idle * 10 >= "
	    "{all} * 8",
	    "[waiters?{waiters waits|wait} for a lock|nothing waits]: {idle} of {all} {members} are idle",
	    "threads | where latest and idle",
	    .given = { "threads | where latest | group : sum count as all", MEMBERS,
	    "blocked | where newest and depth = 0 | group : sum most as waiters" } },

	/* ---- bytecode */
	{ SHAPE_CODE, SHAPE_TREES | SHAPE_GRAPH, "story",
	    "bugs | group : count as bugs, first method as method | where bugs > 0",
	    "{bugs bug|bugs}: [{outside} left open on exception, ][{open} left open, ][{handled} left open "
	    "by a handler, ]first in {method}", "bugs",
	    .given = { BUGS("outside-try", "outside"), BUGS("not-closed", "open"),
	    BUGS("handler-no-close", "handled") } },

	/* ---- heap dumps */
	{ SHAPE_VALUES, 0, "story", OOM_THREADS " | head 1 | select name at id as object",
	    "OutOfMemoryError in thread {name}[; " KEPT "][, at {at}]", "findings",
	    .given = { FIRST_FINDING " | select what retained percent" } },
	{ SHAPE_GRAPH, 0, "story", "info | where field = oom.message | select field, value as message",
	    "OutOfMemoryError: {message}[; " KEPT "]", "findings",
	    .given = { FIRST_FINDING " | select what retained percent" } },
	{ SHAPE_GRAPH, 0, "story", FIRST_FINDING " | where severity = leak | select object what retained path",
	    "leaked: {what} ({retained})[, through {path}]", "findings" },
	{ SHAPE_VALUES, 0, "story", FIRST_FINDING " | select object what retained percent", KEPT, "findings" },
	{ SHAPE_GRAPH, 0, "story", "histogram | group : sum shallow as value | where value >= 16m and value / 2 <= "
	    "{unreachable_bytes}",
	    "{unreachable_bytes} of {value} are unreachable[, {most} of it {class}]", UNREACHABLE_CLASSES,
	    .given = { "info", UNREACHABLE_MOST } },

	/* ---- scheduler traces */
	/* The compositor is late where an app is. */
	{ SHAPE_MARKS, 0, "story", "frames | where main_id = {main_id} and late | select start_wall as at wall overrun",
	    "{late_frames} of {frames} frames of {name} were late",
	    "frames | where late | sort -overrun",
	    .given = { LATE " and not (name ~ /surfaceflinger$/) | top 1 late_frames | select late_frames name frames "
	    "main_id",
	    "frames | where main_id = {main_id} and late and jank ~ /App Deadline Missed/ | group : count as missed" },
	    .own = own_story_frames },
	{ SHAPE_MARKS, 0, "story", LATE " | top 1 late_frames | select late_frames name frames",
	    "{late_frames} of {frames} frames of {name} were late", "frames | where late | sort -overrun" },
	{ SHAPE_MARKS, 0, "story", "spans from {at}ns to {until}ns | where thread_id = {main_id} and depth = 0 and "
	    "start_wall >= {at}ns | group method : sum wall as part | top 3 part",
	    "{launch} took {took}: {method} {part}", "spans", .with = SHAPE_CALLS, .own = own_story_parts,
	    .given = { "async_spans | where name ~ /^launching(Activity#|: )/ and wall >= 1s | top 1 wall | select "
	    "name as launch wall as took start_wall as at start_wall + wall as until",
	    "spans min 1ms | where method = bindApplication and start_wall >= {at}ns and start_wall < {until}ns | head "
	    "1 | select thread_id as main_id" } },
	{ SHAPE_TASKS, 0, "story", MAIN_OFF " | top 1 wall | select wall as length label state waiting_in waker "
	    "start_wall thread_id",
	    "{label} was off CPU for {length} ({state}) in {waiting_in}[; {waker} woke it]", "waits",
	    .with = SHAPE_MARKS },
	/* ART and the framework write a section around the wait for a lock. */
	{ SHAPE_TASKS, 0, "story", CONTENDED " | "
	    "group label waiting_in : sum wall as value, max wall as longest | top 1 value | where value * 10 >= "
	    "{elapsed}ns",
	    "{label} waited {value} in {waiting_in}, at most {longest}",
	    "waits | where waiting_in ~ /contention/ | sort -wall", .with = SHAPE_CALLS, .given = { "info" } },
	{ SHAPE_TASKS, 0, "story", "cpus | group : avg utilisation as use, count as cpus | where use >= 90 and "
	    "{elapsed}ns >= 100ms",
	    "the CPUs are {use} busy[, most with {label}]", "tasks | sort -cpu",
	    .given = { "tasks | top 1 cpu | select label", "info" }, .value = "use" },
	{ SHAPE_TASKS, 0, "story", "tasks | where run_queue * 10 >= {elapsed}ns and max_run_queue >= 5ms | top 1 "
	    "run_queue | select run_queue as value max_run_queue label id as thread_id",
	    "{label} waited {value} for a CPU, at most {max_run_queue} at a time", "tasks", .given = { "info" } },

	/* ---- recordings */
	{ SHAPE_LASTING, 0, "story", "intervals | where event = jdk.JavaMonitorEnter | group what : sum wall as value, "
	    "max wall as longest, count as n | "
	    "top 1 value | where value * 10 >= {elapsed}ns",
	    "threads waited {value} for locks of class {what} ({n time|times}, longest {longest})",
	    "intervals jdk.JavaMonitorEnter | sort -wall",
	    .given = { "info" } },
	{ SHAPE_LASTING, 0, "story", "intervals | where event = jdk.GarbageCollection" ELAPSED("sum paused as value, "
	    "max longest_pause as longest, count as n"),
	    "{n collection|collections} stopped the program for {value} of {elapsed}, at most {longest}",
	    "intervals jdk.GarbageCollection | sort -paused", .given = { "info" } },
	{ SHAPE_LASTING, 0, "story", "intervals | where event = jdk.GarbageCollection and not (paused >= "
	    "0)" ELAPSED("sum wall as value, max wall as longest, count as n"),
	    "{n collection|collections} took {value} of {elapsed}, at most {longest}",
	    "intervals jdk.GarbageCollection | sort -wall", .given = { "info" } },

	/* ---- traces, profiles and call graphs */
	{ SHAPE_CALLS, 0, "story", NO_STREAMS "methods | top 1 self | where self * 2 >= {all} and {gpu_busy} * 2 < "
	    "{gpu_time} and self * 10 >= {gpu_time}ns | select self as took method method_id",
	    "the GPU was busy for {gpu_busy} of {gpu_time}; {method} took {took}", "methods | sort -self",
	    .given = { "info", NO_STREAMS "methods | group : sum self as all" }, .value = "took", OF_GPUS },
	{ SHAPE_CALLS, 0, "story", STREAMS "methods | where method !~ " COPIES " | top 1 self | where self * 2 >= "
	    "{gpu_busy}ns and self <= {gpu_busy}ns and {gpu_time}ns >= 10ms | select self as took method method_id",
	    "the GPU was busy for {gpu_busy} of {gpu_time}, {took} of it with {method}", "methods | sort -self",
	    .given = { "info" }, .value = "took", OF_GPUS },
	{ SHAPE_CALLS, 0, "story", LATE_CALLS " | group : count as late, max wall as worst | "
	    "where late * 10 >= {calls}", "{late} of {calls} frames took longer than 16.67 ms, at most {worst}",
	    LATE_DO_FRAMES, .weights = WEIGHTS_OF_ONE, .given = { DO_FRAME } },
	/* Who waits so long does not ask what used the CPU. */
	{ SHAPE_TRACKS, SHAPE_TASKS | SHAPE_SAMPLES, "story", "threads | where main | waits | where wall >= 100ms and "
	    "wall * 4 >= {elapsed}ns and not idle and waiting_in != '' | top 1 wall | select wall as length label "
	    "waiting_in start_wall thread_id", "{label} was off CPU for {length} of {elapsed}, in {waiting_in}",
	    "waits | where not idle | sort -wall", .with = SHAPE_CALLS, .given = { "info" },
	    .value = "length" },
	{ SHAPE_CALLS, SHAPE_TASKS, "story",
	    "methods | where self > 0 | top 5 self | select self as value method method_id", "{method}",
	    "methods | sort -self", .of = "methods | sum self", .weights = WEIGHTS_OF_ONE,
	    .no_fact = { 1 + FACT_GPUS, 1 + FACT_METHODS_NUMBERED },
	    .own = stories_self },
	{ PROFILES, NO_PROFILES, "story", .own = own_story_runtime, .opens = "calls", .given = { RUN_SAMPLED },
	    .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "story", .own = own_story_kernel, .opens = "methods | where kind = k | sort -self",
	    .given = { RUN_SAMPLED }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "story", .own = own_story_site, .opens = "methods | sort -self",
	    .given = { ALLOCATED }, .weights = WEIGHTS_OF_ONE },
	{ PROFILES, NO_PROFILES, "story",
	    "methods | where self > 0 | top 5 self | select self as value self_pct as share method method_id",
	    "{method}",
	    "methods | sort -self", .given = { SAMPLED }, .weights = WEIGHTS_OF_ONE, .own = stories_self },
	{ SHAPE_COSTS, SHAPE_SAMPLES, "story",
	    "methods | where self > 0 | top 5 self | select self as value self_pct as share name id", "{name}",
	    "methods | sort -self", .given = { EVENT }, .own = stories_self },
	{ PROFILES, NO_PROFILES, "story", .own = own_story_path, .opens = "calls", .given = { NO_WAITS },
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_CALLS, SHAPE_TASKS, "story", .own = own_story_path, .opens = "calls", .weights = WEIGHTS_OF_ONE,
	    .no_fact = { 1 + FACT_GPUS } },

	/* ---- class histograms and reports of native memory */
	{ SHAPE_COUNTS, 0, "story", "growth | where shallow_delta > 0 | top 1 shallow_delta | where shallow_delta >= "
	    "64k and shallow_delta * 10 >= shallow_before | select shallow_delta shallow_before shallow name",
	    "{name} grew by {shallow_delta}, from {shallow_before} to {shallow}", "growth" },
	{ SHAPE_NATIVE, SHAPE_GRAPH, "story",
	    "native_memory | where committed_delta > 0 | top 1 committed_delta | select committed_delta committed name",
	    "{name} grew by {committed_delta}, to {committed}", "native_memory | sort -committed_delta" },
	{ .name = NULL }
};

bool
own_story(struct answering *a, struct err *err)
{
	bool ok = true;

	for (const struct overview_line *l = stories; ok && l->name != NULL && a->answer->n == 0; l++) {
		struct answering one = { .line = l, .session = a->session, .work = a->work, .answer = a->answer };

		if (!overview_fits(l, a->session, a->line->diff))
			continue;
		ok = answering_line(&one, err);
		answering_end(&one);
		if (a->answer->n == 0)
			continue;
		story_shorten(&a->answer->item[0]);
		/* No number is shown beside the sentence. */
		a->answer->item[0].opens = l->opens;
		a->answer->item[0].value.type = CELL_NONE;
		a->answer->item[0].shared = a->answer->item[0].named = false;
	}
	return ok;
}
