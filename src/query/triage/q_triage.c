/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_triage: rows about many heap dumps, traces and profiles: the files, their findings, and these by
 * signature; methods.
 */
#include "config.h"

#include "icecore/columns_triage.h"
#include "query/trace/trace.h"

static const struct coldef dump_cols[] = {
	{ "path", CELL_TEXT, "path of the dump", IN(TRACE_WORD, COL_DUMP_PATH), .cut = CUT_FRONT },
	{ "state", CELL_TEXT, "result: ok, clean, salvaged, unreadable, ...",
	    IN(TRACE_WORD, COL_DUMP_STATE) },
	{ "objects", CELL_COUNT, "objects, reachable or not", IN(TRACE_SIGNED, COL_DUMP_OBJECTS) },
	{ "live_bytes", CELL_BYTES, "shallow size of reachable objects",
	    IN(TRACE_SIGNED, COL_DUMP_LIVE_BYTES) },
	{ "findings", CELL_COUNT, "findings: leaks and warnings", IN(TRACE_SIGNED, COL_DUMP_FINDINGS) },
	{ "dumped_at", CELL_TEXT, "time of the dump", IN(TRACE_WORD, COL_DUMP_DUMPED_AT) },
	{ "reason", CELL_TEXT, "why it was not read, or only in part", IN(TRACE_WORD, COL_DUMP_REASON) },
	{ "story", CELL_TEXT, "what happened, in one sentence", IN(TRACE_WORD, COL_DUMP_STORY), .rest = true },
	{ "app", CELL_TEXT, "app, from the path", .more = true, IN(TRACE_WORD, COL_DUMP_APP) },
	{ "build", CELL_TEXT, "build, from the path", .more = true, IN(TRACE_WORD, COL_DUMP_BUILD) },
	{ "process", CELL_TEXT, "process, from the path", .more = true, IN(TRACE_WORD, COL_DUMP_PROCESS) },
	{ "live_objects", CELL_COUNT, "reachable objects", .more = true,
	    IN(TRACE_SIGNED, COL_DUMP_LIVE_OBJECTS) },
	{ "bytes", CELL_BYTES, "size of the file", .more = true, IN(TRACE_SIGNED, COL_DUMP_BYTES) },
	{ "unpacked", CELL_BYTES, "uncompressed size", .more = true, IN(TRACE_SIGNED, COL_DUMP_UNPACKED) },
	{ "lost_bytes", CELL_BYTES, "bytes that could not be read", .more = true,
	    IN(TRACE_SIGNED, COL_DUMP_LOST) },
	{ "format", CELL_TEXT, "format of the dump", .more = true, IN(TRACE_WORD, COL_DUMP_FORMAT) },
	{ "sigs", CELL_TEXT, "hashes of the signatures of its findings", .more = true,
	    IN(TRACE_WORD, COL_DUMP_SIGS) },
	{ "exit", CELL_COUNT, "exit status of its process", .more = true, IN(TRACE_SIGNED, COL_DUMP_EXIT) },
	{ "signal", CELL_COUNT, "signal that ended its process", .more = true,
	    IN(TRACE_SIGNED, COL_DUMP_SIGNAL) },
	{ "attempt", CELL_COUNT, "number of attempts", .more = true, IN(TRACE_SIGNED, COL_DUMP_ATTEMPT) },
	{ "seconds", CELL_REAL, "time to read it", .more = true, IN(TRACE_REAL, COL_DUMP_SECONDS) },
	{ "rss", CELL_BYTES, "peak memory", .more = true, IN(TRACE_SIGNED, COL_DUMP_RSS) },
	{ "version", CELL_TEXT, "version of icecore", .more = true, IN(TRACE_WORD, COL_DUMP_VERSION) },
	{ "rule", CELL_COUNT, "rule of the signatures", .more = true, IN(TRACE_SIGNED, COL_DUMP_RULE) },
	{ "key", CELL_TEXT, "hash of name, content, version and rule", .more = true,
	    IN(TRACE_WORD, COL_DUMP_KEY) },
	{ "sum", CELL_TEXT, "hash of the start, end and size of the file", .more = true,
	    IN(TRACE_WORD, COL_DUMP_SUM) },
	{ "busiest", CELL_TEXT, "methods with the most self time", .more = true,
	    IN(TRACE_WORD, COL_DUMP_BUSIEST) },
	{ "hot_path", CELL_TEXT, "hottest path", .more = true, IN(TRACE_WORD, COL_DUMP_HOT_PATH) },
	{ "hot_share", CELL_PERCENT, "share of the hottest path", .more = true,
	    IN(TRACE_REAL, COL_DUMP_HOT_SHARE) },
	{ "weight", CELL_TEXT, "what shares are of: cpu, wall, or an event", .more = true,
	    IN(TRACE_WORD, COL_DUMP_WEIGHT) },
	{ "wait", CELL_TIME, "longest wait", .more = true, IN(TRACE_SIGNED, COL_DUMP_WAIT) },
	{ "wait_in", CELL_TEXT, "thread of that wait, and what it waits for", .more = true,
	    IN(TRACE_WORD, COL_DUMP_WAIT_IN) },
	{ "main_blocks", CELL_COUNT, "waits of main threads over 16 ms", .more = true,
	    IN(TRACE_SIGNED, COL_DUMP_MAIN_BLOCKS) },
	{ "main_longest", CELL_TIME, "the longest of them", .more = true,
	    IN(TRACE_SIGNED, COL_DUMP_MAIN_LONGEST) },
	{ "elapsed", CELL_TIME, "duration of the trace", .more = true, IN(TRACE_SIGNED, COL_DUMP_ELAPSED) },
	{ "worst", CELL_TEXT, "severity and kind of the worst finding", .more = true,
	    IN(TRACE_WORD, COL_DUMP_WORST) },
};

static const struct coldef found_cols[] = {
	{ "path", CELL_TEXT, "path of the dump", IN(TRACE_WORD, COL_FOUND_PATH), .cut = CUT_FRONT },
	{ "rank", CELL_COUNT, "number among the findings of the dump", IN(TRACE_SIGNED, COL_FOUND_RANK) },
	{ "severity", CELL_TEXT, "leak or warning", IN(TRACE_WORD, COL_FOUND_SEVERITY) },
	{ "kind", CELL_TEXT, "kind of finding", IN(TRACE_WORD, COL_FOUND_KIND) },
	{ "retained", CELL_BYTES, "retained size", IN(TRACE_SIGNED, COL_FOUND_RETAINED) },
	{ "percent", CELL_PERCENT, "share of the live heap", IN(TRACE_REAL, COL_FOUND_PERCENT) },
	{ "count", CELL_COUNT, "number of objects", IN(TRACE_SIGNED, COL_FOUND_COUNT) },
	{ "hash", CELL_TEXT, "hash of the signature", IN(TRACE_WORD, COL_FOUND_SIG) },
	{ "why", CELL_TEXT, "reason", IN(TRACE_WORD, COL_FOUND_WHY), .rest = true },
	{ "holder", CELL_TEXT, "holder of the objects", .more = true, IN(TRACE_WORD, COL_FOUND_HOLDER) },
	{ "content", CELL_TEXT, "class of the objects", .more = true, IN(TRACE_WORD, COL_FOUND_CONTENT) },
	{ "signature", CELL_TEXT, "signature, the same for a leak in every dump", .more = true,
	    IN(TRACE_WORD, COL_FOUND_SIGNATURE) },
	{ "rule", CELL_COUNT, "rule of the signature", .more = true, IN(TRACE_SIGNED, COL_FOUND_RULE) },
	{ "dump", CELL_COUNT, "number of the dump", .more = true, IN(SHOW_NUMBER, COL_FOUND_DUMP) },
	{ "wall", CELL_TIME, "longest time", .more = true, IN(TRACE_SIGNED, COL_FOUND_WALL) },
};

static const struct coldef group_cols[] = {
	{ "hash", CELL_TEXT, "hash of the signature", IN(TRACE_WORD, COL_GROUP_SIG) },
	{ "kind", CELL_TEXT, "kind of finding", IN(TRACE_WORD, COL_GROUP_KIND) },
	{ "holder", CELL_TEXT, "holder of the objects", IN(TRACE_WORD, COL_GROUP_HOLDER) },
	{ "content", CELL_TEXT, "class of the objects", IN(TRACE_WORD, COL_GROUP_CONTENT) },
	{ "dumps", CELL_COUNT, "dumps that contain it", IN(SHOW_NUMBER, COL_GROUP_DUMPS) },
	{ "apps", CELL_COUNT, "apps that contain it", .more = true, IN(SHOW_NUMBER, COL_GROUP_APPS) },
	{ "builds", CELL_COUNT, "builds that contain it", IN(SHOW_NUMBER, COL_GROUP_BUILDS) },
	{ "first", CELL_TEXT, "time of the first dump that contains it", IN(TRACE_WORD, COL_GROUP_FIRST) },
	{ "last", CELL_TEXT, "time of the last dump that contains it", IN(TRACE_WORD, COL_GROUP_LAST) },
	{ "retained_max", CELL_BYTES, "largest retained size", IN(TRACE_SIGNED, COL_GROUP_MOST) },
	{ "retained_median", CELL_BYTES, "median of the retained sizes", IN(TRACE_SIGNED, COL_GROUP_MEDIAN) },
	{ "exemplar", CELL_TEXT, "dump in which it retains the most", IN(TRACE_WORD, COL_GROUP_EXEMPLAR),
	    .cut = CUT_FRONT },
	{ "signature", CELL_TEXT, "signature, the same for a leak in every dump", .more = true,
	    IN(TRACE_WORD, COL_GROUP_SIGNATURE) },
};

static const struct coldef busy_cols[] = {
	{ "path", CELL_TEXT, "path of the file", IN(TRACE_WORD, COL_BUSY_PATH), .cut = CUT_FRONT },
	{ "rank", CELL_COUNT, "number among the methods of the file", IN(TRACE_SIGNED, COL_BUSY_RANK) },
	{ "self_pct", CELL_PERCENT, "share without callees", IN(TRACE_REAL, COL_BUSY_SELF) },
	{ "total_pct", CELL_PERCENT, "share with callees", IN(TRACE_REAL, COL_BUSY_TOTAL) },
	{ "method", CELL_TEXT, "method", IN(TRACE_WORD, COL_BUSY_METHOD), .function = true, .rest = true },
	{ "dump", CELL_COUNT, "number of the file", .more = true, IN(SHOW_NUMBER, COL_BUSY_DUMP) },
};

static const struct coldef change_cols[] = {
	{ "method", CELL_TEXT, "method", IN(TRACE_WORD, COL_CHANGE_METHOD), .function = true },
	{ "verdict", CELL_TEXT, "slower, faster, or same: no difference shown; for other weights more or less",
	    IN(TRACE_WORD, COL_CHANGE_VERDICT) },
	{ "share_after", CELL_PERCENT, "median of the shares in files of the later build",
	    IN(TRACE_REAL, COL_CHANGE_SHARE_AFTER) },
	{ "share_before", CELL_PERCENT, "the same of the earlier build",
	    IN(TRACE_REAL, COL_CHANGE_SHARE_BEFORE) },
	{ "q", CELL_REAL, "p, corrected for the number of methods", IN(TRACE_REAL, COL_CHANGE_Q) },
	{ "what", CELL_TEXT, "the same in words", IN(TRACE_WORD, COL_CHANGE_WHAT), .rest = true },
	{ "after", CELL_TEXT, "later build", .more = true, IN(TRACE_WORD, COL_CHANGE_AFTER) },
	{ "before", CELL_TEXT, "earlier build", .more = true, IN(TRACE_WORD, COL_CHANGE_BEFORE) },
	{ "files_after", CELL_COUNT, "files of the later build", .more = true,
	    IN(SHOW_NUMBER, COL_CHANGE_FILES_AFTER) },
	{ "files_before", CELL_COUNT, "files of the earlier build", .more = true,
	    IN(SHOW_NUMBER, COL_CHANGE_FILES_BEFORE) },
	{ "p", CELL_REAL, "probability of such a difference by chance", .more = true,
	    IN(TRACE_REAL, COL_CHANGE_P) },
	{ "app", CELL_TEXT, "app", .more = true, IN(TRACE_WORD, COL_CHANGE_APP) },
	{ "weight", CELL_TEXT, "what shares are of", .more = true, IN(TRACE_WORD, COL_CHANGE_WEIGHT) },
};

const struct command source_dumps = {
	TABLE_SOURCE("dumps", "dumps of a triage, by path", "dumps | where state = unreadable", SHAPE_TRIAGE,
	    dump_cols, COL_DUMP_PATH),
	.by_rows = true, .names = { "path" }
};

const struct command source_found = {
	TABLE_SOURCE("findings", "findings of all dumps of a triage", "findings | where severity = leak",
	    SHAPE_TRIAGE, found_cols, COL_FOUND_PATH),
	.by_rows = true, .names = { "path", "rank" }
};

const struct command source_groups = {
	TABLE_SOURCE("groups", "findings of a triage by signature, most dumps first", "groups | head 10",
	    SHAPE_TRIAGE, group_cols, COL_GROUP_SIG),
	.by_rows = true, .names = { "hash" }
};

const struct command source_busy = {
	TABLE_SOURCE("methods", "busiest methods of each file of a triage", "methods | where rank = 1",
	    SHAPE_TRIAGE, busy_cols, COL_BUSY_PATH),
	.by_rows = true, .names = { "path", "rank" }
};

const struct command source_changes = {
	TABLE_SOURCE("changes", "methods in two builds of an app, surest change first",
	    "changes | where verdict = slower", SHAPE_TRIAGE, change_cols, COL_CHANGE_METHOD),
	.by_rows = true, .names = { "method" }
};
