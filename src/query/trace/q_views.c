/*
 * q_views: the words of views, and the sources that stand behind rows of threads.
 */
#include "config.h"

#include "query/lang/parsed.h"

const struct command stage_view_hide = {
	.word = "hide",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "PATTERN",
	.what = "leaves frames out; their self time goes to the caller",
	.example = "calls | hide /^icecore\\.os\\./ | where total > 1ms",
	.open = view_misplaced
};

const struct command stage_view_keep = {
	.word = "keep",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "PATTERN",
	.what = "only stacks that pass through a frame like that",
	.example = "merged | keep /print/",
	.open = view_misplaced
};

const struct command stage_view_drop = {
	.word = "drop",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "PATTERN",
	.what = "only stacks that pass through no such frame",
	.example = "methods | drop icecore.ui.* | top 10 self",
	.open = view_misplaced
};

const struct command stage_view_fold = {
	.word = "fold",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "PATTERN",
	.what = "one frame of several that call each other and are like that",
	.example = "calls | fold /^icecore\\.query\\./",
	.open = view_misplaced
};

const struct command stage_view_by = {
	.word = "by",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "class|package|file",
	.what = "frames put together by their class, package or source file",
	.example = "methods | by package | sort -self",
	.open = view_misplaced
};

const struct command stage_view_range = {
	.word = "range",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS,
	.args = "FROM TO",
	.what = "only what happened in a piece of time",
	.example = "calls | range 1s 2s",
	.open = view_misplaced
};

const struct command stage_view_event = {
	.word = "event",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.args = "EVENT",
	.what = "the samples of another event of the profile",
	.example = "methods | event page-faults",
	.open = view_misplaced
};

const struct command stage_view_diff = {
	.word = "diff",
	.kind = COMMAND_STAGE,
	.args = "[normalised | COLUMN ...]",
	.what = "the second file compared with the first: after, before, delta",
	.example = "methods | diff | sort -total_delta",
	.open = view_misplaced
};

const struct command stage_view_file = {
	.word = "file",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS,
	.args = "N",
	.what = "the same of another one of the open files",
	.example = "methods | file 2 | top 10 self",
	.open = view_misplaced
};

/* ---- behind threads -------------------------------------------------------------- */

/* The threads are read when the view is made. */
static bool
without_threads(struct session *session, const struct stage *s, struct rows *in, struct rows **out,
    struct err *err)
{
	return view_misplaced(session, s, in, out, err);
}

const struct command stage_calls_of_threads = {
	.word = "calls",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "",
	.what = "the call trees of the threads",
	.example = "threads | where name ~ main | calls",
	.open = without_threads
};

const struct command stage_merged_of_threads = {
	.word = "merged",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "",
	.what = "one call tree of the threads",
	.example = "threads | where name ~ worker | merged",
	.open = without_threads
};

const struct command stage_inverted_of_threads = {
	.word = "inverted",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "",
	.what = "methods of the threads, below each its callers",
	.example = "threads | where name ~ main | inverted | where depth = 0",
	.open = without_threads
};

const struct command stage_methods_of_threads = {
	.word = "methods",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TREES,
	.args = "",
	.what = "methods with their totals over the threads",
	.example = "threads | where name ~ main | methods | top 10 self",
	.open = without_threads
};
