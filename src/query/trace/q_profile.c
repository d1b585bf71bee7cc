/*
 * q_profile: the same as q_trace and q_tree tell, of profiles: samples and their weights instead of calls and their times.
 */
#include "config.h"

#include "trace.h"

static const char *const calls_needs[] = { "call.method", NULL };
static const char *const methods_needs[] = { "call.method", "method.calls", NULL };

/* ---- threads --------------------------------------------------------------------- */

static const struct coldef thread_cols[] = {
	{ "id", CELL_ID, "number of the thread", false },
	{ "tid", CELL_ID, "thread id of the system, 0: not known", false },
	{ "pid", CELL_ID, "process id of the system, 0: not known", true },
	{ "name", CELL_TEXT, "its name", false },
	{ "main", CELL_COUNT, "1: the main thread", true },
	{ "samples", CELL_COUNT, "samples taken of it", false },
	{ "total", CELL_NONE, "weight of these", false },
	{ "total_pct", CELL_PERCENT, "share of the weight of all", false },
	{ "total_before", CELL_NONE, "weight before", false },
	{ "total_delta", CELL_NONE, "what it grew by", false },
	{ "depth", CELL_COUNT, "frames on its deepest stack", false },
	{ "start", CELL_TIME, "time of its first sample", true },
	{ "end", CELL_TIME, "time of its last sample", true },
	{ "pool", CELL_TEXT, "its name with * for each number and hash", true },
	{ "earlier", CELL_TEXT, "names it, or another thread with this tid, had before", true },
	{ "named_by", CELL_TEXT, "where its name is from: tid or name (how --threads found it), file, or empty", true },
	{ "state", CELL_TEXT, "what it did when a thread dump of --threads was taken", true }
};

static const struct field thread_fields[NELEM(thread_cols)] = {
	{ FIELD_ID, NULL, NULL },
	{ FIELD_NUMBER, "thread.tid", NULL },
	{ FIELD_NUMBER, "listed.pid", NULL },
	{ FIELD_THREAD, NULL, NULL },
	{ FIELD_NUMBER, "thread.main", NULL },
	{ FIELD_NUMBER, "thread.calls", NULL },
	{ FIELD_WEIGHT, "thread.wall", NULL },
	{ FIELD_SHARE, "thread.wall", NULL },
	{ FIELD_BEFORE, "thread.cpu", NULL },
	{ FIELD_DELTA, "thread.wall", "thread.cpu" },
	{ FIELD_NUMBER, "thread.depth", NULL },
	{ FIELD_NUMBER, "thread.start", NULL },
	{ FIELD_NUMBER, "thread.end", NULL },
	{ FIELD_POOL, NULL, NULL },
	{ FIELD_EARLIER, NULL, NULL },
	{ FIELD_BY, NULL, NULL },
	{ FIELD_STATE, NULL, NULL }
};

const struct table_kind profile_threads = {
	thread_cols, NELEM(thread_cols), thread_fields, "thread.tid"
};

const struct command source_profile_threads = {
	.word = "threads",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.what = "the threads, in order of their first sample",
	.example = "threads | sort -total",
	.needs = calls_needs,
	.cols = thread_cols,
	.ncols = NELEM(thread_cols),
	.names = { "name" },
	.views = VIEWS_OF_TREES,
	.lists_threads = true,
	.open = threads_open
};

/* ---- methods --------------------------------------------------------------------- */

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "number of the frame", false },
	{ "name", CELL_TEXT, "its name", false },
	{ "samples", CELL_COUNT, "samples that ended in it", false },
	{ "self", CELL_NONE, "weight of these", false },
	{ "total", CELL_NONE, "weight of all samples that passed through it, recursion once", false },
	{ "self_pct", CELL_PERCENT, "share of self of the weight of all", false },
	{ "total_pct", CELL_PERCENT, "share of total of the weight of all", false },
	{ "self_before", CELL_NONE, "self before", false },
	{ "total_before", CELL_NONE, "total before", false },
	{ "self_delta", CELL_NONE, "what self grew by", false },
	{ "total_delta", CELL_NONE, "what total grew by", false },
	{ "kind", CELL_TEXT, "k kernel, j JIT, i inlined, w waker, 0 interpreted, 1 compiled by C1; empty: not told", false },
	{ "method", CELL_TEXT, "same as name", true },
	{ "method_id", CELL_ID, "same as id", true },
	{ "obfuscated", CELL_TEXT, "what the file calls it, where --mapping has another name", true }
};

static const struct field method_fields[NELEM(method_cols)] = {
	{ FIELD_ID, NULL, NULL },
	{ FIELD_METHOD, NULL, NULL },
	{ FIELD_NUMBER, "method.calls", NULL },
	{ FIELD_WEIGHT, "method.self_wall", NULL },
	{ FIELD_WEIGHT, "method.total_wall", NULL },
	{ FIELD_SHARE, "method.self_wall", NULL },
	{ FIELD_SHARE, "method.total_wall", NULL },
	{ FIELD_BEFORE, "method.self_cpu", NULL },
	{ FIELD_BEFORE, "method.total_cpu", NULL },
	{ FIELD_DELTA, "method.self_wall", "method.self_cpu" },
	{ FIELD_DELTA, "method.total_wall", "method.total_cpu" },
	{ FIELD_KIND, NULL, NULL },
	{ FIELD_METHOD, NULL, NULL },
	{ FIELD_ID, NULL, NULL },
	{ FIELD_TEXT, "raw.method", NULL }
};

const struct table_kind profile_methods = {
	method_cols, NELEM(method_cols), method_fields, "method.raw"
};

const struct command source_profile_methods = {
	.word = "methods",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.what = "the frames by name, with their totals over all threads",
	.example = "methods | sort -self | head 10",
	.needs = methods_needs,
	.cols = method_cols,
	.ncols = NELEM(method_cols),
	.names = { "name" },
	.views = VIEWS_OF_TREES,
	.open = methods_open
};

/* ---- calls ----------------------------------------------------------------------- */

const struct coldef profile_call_cols[PROFILE_CALL_COLS] = {
	[CALL_ID] = { "id", CELL_ID, "number of the stack in the tree", false },
	[CALL_PARENT] = { "parent", CELL_ID, "id of the caller's, 0 at the top", false },
	[CALL_THREAD] = { "thread", CELL_TEXT, "name of the thread", false },
	[CALL_DEPTH] = { "depth", CELL_COUNT, "frames above it", false },
	[CALL_METHOD] = { "method", CELL_TEXT, "name of the frame", false },
	[CALL_CALLS] = { "samples", CELL_COUNT, "samples that ended in it", false },
	[CALL_SELF_WALL] = { "self", CELL_NONE, "weight of these", false },
	[CALL_TOTAL_WALL] = { "total", CELL_NONE, "weight of all samples that passed through it", false },
	[CALL_SELF_CPU] = { "self_before", CELL_NONE, "self before", false },
	[CALL_TOTAL_CPU] = { "total_before", CELL_NONE, "total before", false },
	[CALL_SELF_OFF] = { "self_delta", CELL_NONE, "what self grew by", false },
	[CALL_TOTAL_OFF] = { "total_delta", CELL_NONE, "what total grew by", false },
	[CALL_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", true },
	[CALL_METHOD_ID] = { "method_id", CELL_ID, "id of the method", true },
	[CALL_KIND] = { "kind", CELL_TEXT, "kind of frame, as in methods", true }
};

static const struct field call_fields[PROFILE_CALL_COLS] = {
	[CALL_ID] = { FIELD_ID, NULL, NULL },
	[CALL_PARENT] = { FIELD_NUMBER, "call.parent", NULL },
	[CALL_THREAD] = { FIELD_THREAD, "call.thread", NULL },
	[CALL_DEPTH] = { FIELD_NUMBER, "call.depth", NULL },
	[CALL_METHOD] = { FIELD_METHOD, "call.method", NULL },
	[CALL_CALLS] = { FIELD_NUMBER, "call.calls", NULL },
	[CALL_SELF_WALL] = { FIELD_WEIGHT, "call.self_wall", NULL },
	[CALL_TOTAL_WALL] = { FIELD_WEIGHT, "call.total_wall", NULL },
	[CALL_SELF_CPU] = { FIELD_BEFORE, "call.self_cpu", NULL },
	[CALL_TOTAL_CPU] = { FIELD_BEFORE, "call.total_cpu", NULL },
	[CALL_SELF_OFF] = { FIELD_DELTA, "call.self_wall", "call.self_cpu" },
	[CALL_TOTAL_OFF] = { FIELD_DELTA, "call.total_wall", "call.total_cpu" },
	[CALL_THREAD_ID] = { FIELD_NUMBER, "call.thread", NULL },
	[CALL_METHOD_ID] = { FIELD_NUMBER, "call.method", NULL },
	[CALL_KIND] = { FIELD_KIND, "call.method", NULL }
};

const struct table_kind profile_calls = {
	profile_call_cols, PROFILE_CALL_COLS, call_fields, "call.method"
};

const struct command source_profile_calls = {
	.word = "calls",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "the stacks of each thread as a tree, callers first",
	.example = "calls | where depth < 3",
	.needs = calls_needs,
	.cols = profile_call_cols,
	.ncols = PROFILE_CALL_COLS,
	.views = VIEWS_OF_TREES,
	.open = calls_open
};

const struct command source_profile_merged = {
	.word = "merged",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "one tree of the stacks of several threads, all unless told",
	.example = "merged | where depth < 3",
	.needs = methods_needs,
	.cols = profile_call_cols,
	.ncols = PROFILE_CALL_COLS,
	.views = VIEWS_OF_TREES,
	.open = merged_open
};

const struct command source_profile_inverted = {
	.word = "inverted",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "frames with the weight they have themselves, below each its callers",
	.example = "inverted | where depth < 2 | head 20",
	.needs = methods_needs,
	.cols = profile_call_cols,
	.ncols = PROFILE_CALL_COLS,
	.views = VIEWS_OF_TREES,
	.open = inverted_open
};
