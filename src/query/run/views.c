/*
 * views: the words of views, and the sources that stand behind rows of threads.
 */
#include "config.h"

#include "run.h"

static const struct arg_type arg_pattern = { .name = "PATTERN", .hint = "a /regex/, or a name in which * stands for anything",
	.regex = true, .look = LOOK_NAMES, .query = "methods", .column = "method", .quoted = true };
static const struct arg_type arg_event = { .name = "EVENT", .hint = "an event of the profile", .look = LOOK_NAMES,
	.query = "events", .column = "name", .quoted = true };

const struct command stage_view_hide = {
	.word = "hide",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = ARGS({ &arg_pattern }),
	.what = "leaves frames out; their self time goes to the caller",
	.example = "calls | hide /^icecore\\.os\\./ | where total > 1ms",
	.views = VIEWS_OF_TREES,
	.view = plan_frames
};

const struct command stage_view_keep = {
	.word = "keep",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = ARGS({ &arg_pattern }),
	.what = "only stacks that pass through a frame like that",
	.example = "merged | keep /print/",
	.views = VIEWS_OF_TREES,
	.view = plan_frames
};

const struct command stage_view_drop = {
	.word = "drop",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = ARGS({ &arg_pattern }),
	.what = "only stacks that pass through no such frame",
	.example = "methods | drop icecore.ui.* | top 10 self",
	.views = VIEWS_OF_TREES,
	.view = plan_frames
};

const struct command stage_view_fold = {
	.word = "fold",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = ARGS({ &arg_pattern }),
	.what = "one frame of several that call each other and are like that",
	.example = "calls | fold /^icecore\\.query\\./",
	.views = VIEWS_OF_TREES,
	.view = plan_frames
};

const struct command stage_view_by = {
	.word = "by",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = ARGS({ NULL, 0, "class" }, { NULL, ARG_OR, "package" }, { NULL, ARG_OR, "file" }),
	.what = "frames put together by their class, package or source file",
	.example = "methods | by package | sort -self",
	.views = VIEWS_OF_TREES,
	.view = plan_by
};

const struct command stage_view_range = {
	.word = "range",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS,
	.args = ARGS({ .type = &arg_time, .name = "FROM" }, { .type = &arg_time, .name = "TO" }),
	.what = "only what happened in a piece of time",
	.example = "calls | range 1s 2s",
	.views = VIEWS_OF_TIMES,
	.view = plan_range
};

const struct command stage_view_event = {
	.word = "event",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_event }),
	.what = "the samples of another event of the profile",
	.example = "methods | event page-faults",
	.views = VIEWS_OF_TREES,
	.view = plan_event
};

const struct command stage_view_diff = {
	.word = "diff",
	.kind = COMMAND_STAGE,
	.args = ARGS({ NULL, ARG_OPTIONAL, "normalised" }, { &arg_column, ARG_OR | ARG_MANY }),
	.what = "the second file compared with the first: after, before, delta",
	.example = "methods | diff | sort -total_delta",
	.views = VIEWS_OF_TREES,
	.compares = true,
	.view = plan_diff
};

const struct command stage_view_file = {
	.word = "file",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS,
	.args = ARGS({ &arg_number }),
	.what = "the same of another one of the open files",
	.example = "methods | file 2 | top 10 self",
	.views = VIEWS_OF_TIMES,
	.view = plan_file
};

/* ---- behind threads -------------------------------------------------------------- */

const struct command stage_calls_of_threads = {
	.word = "calls",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.what = "the call trees of the threads",
	.example = "threads | where name ~ main | calls",
	.views = VIEWS_OF_TREES,
	.of_threads = true
};

const struct command stage_merged_of_threads = {
	.word = "merged",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.what = "one call tree of the threads",
	.example = "threads | where name ~ worker | merged",
	.views = VIEWS_OF_TREES,
	.of_threads = true
};

const struct command stage_inverted_of_threads = {
	.word = "inverted",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.what = "methods of the threads, below each its callers",
	.example = "threads | where name ~ main | inverted | where depth = 0",
	.views = VIEWS_OF_TREES,
	.of_threads = true
};

const struct command stage_methods_of_threads = {
	.word = "methods",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.what = "methods with their totals over the threads",
	.example = "threads | where name ~ main | methods | top 10 self",
	.views = VIEWS_OF_TREES,
	.of_threads = true
};
