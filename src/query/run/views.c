/*
 * views: the words of views, and the sources that stand behind rows of threads.
 */
#include "config.h"

#include "run.h"

static const struct arg_type arg_pattern = { .name = "PATTERN", .hint = "a /regex/, or a name in which * stands for anything",
	.regex = true, .look = LOOK_NAMES, .query = "methods", .column = "method", .quoted = true };
static const struct arg_type arg_event = { .name = "EVENT", .hint = "an event of the profile", .look = LOOK_NAMES,
	.query = "events", .column = "name", .quoted = true };

#define VIEW(word, does, behind, says, query) STAGE(word, says, query, NULL), .view = (does), .views = (behind)
#define FRAMES(word, rule, says, query) { VIEW(word, plan_frames, VIEWS_OF_TREES, says, query), .shapes = SHAPE_TREES, \
	.args = ARGS({ &arg_pattern }), .source = &(const enum view_rule_kind){ rule } }
#define SHAPES_OF_TIMES (SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS)

const struct command stage_view_hide = FRAMES("hide", VIEW_HIDE, "leaves frames out; their self time goes to the caller",
    "calls | hide /^icecore\\.os\\./ | where total > 1ms");
const struct command stage_view_keep = FRAMES("keep", VIEW_KEEP, "only stacks that pass through a frame like that",
    "merged | keep /print/");
const struct command stage_view_drop = FRAMES("drop", VIEW_DROP, "only stacks that pass through no such frame",
    "methods | drop icecore.ui.* | top 10 self");
const struct command stage_view_fold = FRAMES("fold", VIEW_FOLD, "one frame of several that call each other and are like that",
    "calls | fold /^icecore\\.query\\./");

const struct command stage_view_by = {
	VIEW("by", plan_by, VIEWS_OF_TREES, "frames put together by their class, package or source file",
	    "methods | by package | sort -self"),
	.shapes = SHAPE_TREES,
	.args = ARGS({ NULL, 0, "class" }, { NULL, ARG_OR, "package" }, { NULL, ARG_OR, "file" })
};

const struct command stage_view_range = {
	VIEW("range", plan_range, VIEWS_OF_TIMES, "only what happened in a piece of time", "calls | range 1s 2s"),
	.shapes = SHAPES_OF_TIMES,
	.args = ARGS({ .type = &arg_time, .name = "FROM" }, { .type = &arg_time, .name = "TO" })
};

const struct command stage_view_event = {
	VIEW("event", plan_event, VIEWS_OF_TREES, "the samples of another event of the profile",
	    "methods | event page-faults"),
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_event })
};

const struct command stage_view_diff = {
	VIEW("diff", plan_diff, VIEWS_OF_TREES, "the second file compared with the first: after, before, delta",
	    "methods | diff | sort -total_delta"),
	.args = ARGS({ NULL, ARG_OPTIONAL, "normalised" }, { &arg_column, ARG_OR | ARG_MANY }),
	.compares = true
};

const struct command stage_view_file = {
	VIEW("file", plan_file, VIEWS_OF_TIMES, "the same of another one of the open files",
	    "methods | file 2 | top 10 self"),
	.shapes = SHAPES_OF_TIMES,
	.args = ARGS({ &arg_number })
};

/* ---- behind threads -------------------------------------------------------------- */

#define OF_THREADS(word, says, query) { VIEW(word, NULL, VIEWS_OF_TREES, says, query), .shapes = SHAPE_TREES, \
	.of_threads = true }

const struct command stage_calls_of_threads = OF_THREADS("calls", "the call trees of the threads",
    "threads | where name ~ main | calls");
const struct command stage_merged_of_threads = OF_THREADS("merged", "one call tree of the threads",
    "threads | where name ~ worker | merged");
const struct command stage_inverted_of_threads = OF_THREADS("inverted", "methods of the threads, below each its callers",
    "threads | where name ~ main | inverted | where depth = 0");
const struct command stage_methods_of_threads = OF_THREADS("methods", "methods with their totals over the threads",
    "threads | where name ~ main | methods | top 10 self");
