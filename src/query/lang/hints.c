/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hints: words of other query languages and tools, and what to write instead.
 */
#include "config.h"

#include "lang.h"

struct hint {
	const char	*word, *answer;
	const char	*use;		/* a stage that takes the same arguments as the word; or NULL */
};

#define PIPE_ORDER "start with the source: Y | where Z | select X"
#define SORT "use 'sort X' (-X is descending)"
#define GROUP "use 'group KEY: count, sum X'"
#define MATCH "use '~': name ~ draw, name ~ /^draw/, name = draw*"
#define VIEWS "use 'keep', 'hide', 'drop', 'fold'"
#define BUCKET "use 'group x by 100ms'"
#define HEAP_STEPS "use 'referrers', 'refs', 'dominator', 'select label'"

static const struct hint hints[] = {
	{ "limit", "use 'head N'", "head" }, { "take", "use 'head N'", "head" },
	{ "first", "use 'head N'", "head" },
	{ "last", "use 'tail N'", "tail" },
	{ "order", SORT, "sort" }, { "orderby", SORT, "sort" }, { "order_by", SORT, "sort" },
	{ "sort_by", SORT, NULL },
	{ "desc", "use '-COLUMN'", NULL }, { "descending", "use '-COLUMN'", NULL },
	{ "select", PIPE_ORDER, NULL }, { "from", PIPE_ORDER, NULL },
	{ "filter", "use 'where'", "where" }, { "having", "use 'where'", "where" },
	{ "grep", "use 'where'", NULL },
	{ "match", "use 'where'", "where" },
	{ "project", "use 'select'", "select" }, { "map", "use 'select'", NULL },
	{ "pick", "use 'select'", "select" },
	{ "group_by", GROUP, "group" }, { "groupby", GROUP, "group" },
	{ "by", "use 'sort X', 'top 10 X' or 'group KEY: count'", NULL },
	{ "summarize", GROUP, NULL },
	{ "summarise", GROUP, NULL }, { "stats", GROUP, NULL }, { "aggregate", GROUP, NULL },
	{ "median", "use 'p50'", "p50" }, { "p100", "use 'max'", "max" }, { "p0", "use 'min'", "min" },
	{ "mean", "use 'avg'", "avg" },
	{ "average", "use 'avg'", "avg" }, { "percentile", "use pN, e.g. p99", NULL },
	{ "quantile", "use pN, e.g. p99", NULL },
	{ "share", "use 'select share(X)' as a whole item, or 'share' in group", NULL },
	{ "uniq", "use 'distinct'", NULL }, { "unique", "use 'distinct'", "distinct" },
	{ "dedup", "use 'distinct'", "distinct" },
	{ "dcount", "use 'distinct x' in group, or 'group x: count'", NULL },
	{ "like", MATCH, NULL }, { "ilike", MATCH, NULL }, { "contains", MATCH, NULL },
	{ "matches", MATCH, NULL },
	{ "startswith", MATCH, NULL }, { "endswith", MATCH, NULL }, { "test", MATCH, NULL },
	{ "glob", MATCH, NULL },
	{ "between", "use 'x >= a and x <= b'; for times the stage 'range a b'", NULL },
	{ "join", "use 'during' (time), 'in (...)' (ids), or fields: customer.name", NULL },
	{ "&&", "use and, or, not", NULL }, { "||", "use and, or, not", NULL },
	{ "!", "use and, or, not", NULL },
	{ "length", "use 'count'; length of a string or array is the column length", NULL },
	{ "len", "use 'count'; length of a string or array is the column length", NULL },
	{ "size", "use 'count'; length of a string or array is the column length", NULL },
	{ "round", BUCKET, NULL }, { "floor", BUCKET, NULL }, { "bin", BUCKET, NULL },
	{ "bucket", BUCKET, NULL },
	{ "date_trunc", BUCKET, NULL },
	{ "pivot", "use 'group x by WIDTH: count'", NULL }, { "rate", "use 'group x by WIDTH: count'", NULL },
	{ "histogram", "use 'group x by WIDTH: count'", NULL },
	{ "heap", "use 'objects CLASS'", NULL }, { "dump", "use 'objects CLASS'", NULL },
	{ "instances", "use 'objects CLASS'", NULL },
	{ "slices", "use 'spans'", "spans" }, { "slice", "use 'spans'", "spans" },
	{ "thread_state", "use 'states', 'switches', 'waits'", "states" },
	{ "sched", "use 'states', 'switches', 'waits'", "switches" },
	{ "stack_profile", "use 'calls' or 'stacks'", "calls" },
	{ "cpu_profile_stack_sample", "use 'calls' or 'stacks'", "calls" },
	{ "focus", VIEWS, "keep" }, { "ignore", VIEWS, "drop" }, { "show", VIEWS, NULL },
	{ "prune_from", VIEWS, NULL },
	{ "peek", "use 'callers' and 'callees'", NULL }, { "list", "use 'callers' and 'callees'", NULL },
	{ "callgrind", "use 'callers' and 'callees'", NULL },
	{ "inbounds", HEAP_STEPS, "referrers" }, { "outbounds", HEAP_STEPS, "refs" },
	{ "dominatorof", HEAP_STEPS, "dominator" },
	{ "toString", HEAP_STEPS, NULL },
	{ "leaks", "use 'findings' or 'merge_paths'", "findings" },
	{ "suspects", "use 'findings' or 'merge_paths'", "findings" },
	{ "merge_shortest_paths", "use 'merge_paths'", "merge_paths" },
	{ "waker", "use 'wakeups' or 'waits'", "wakeups" }, { "wakers", "use 'wakeups' or 'waits'",
	    "wakeups" },
	/* Former names of icecore itself. */
	{ "moves", "use 'thread_changes'", "thread_changes" },
	{ "same_stacks", "use 'identical_stacks'", "identical_stacks" },
	{ "move", "use 'change'", NULL }, { "runq", "use 'run_queue'", NULL },
	{ "max_runq", "use 'max_run_queue'", NULL },
	{ "p99_runq", "use 'p99_run_queue'", NULL }, { "runq_waits", "use 'run_queue_waits'", NULL },
	{ "mostly", "use 'top_class'", NULL }, { "direct", "use 'self_with_class'", NULL },
	{ "direct_pct", "use 'self_with_class_pct'", NULL }, { "held_by", "use 'holder'", NULL },
	{ "ended_by", "use 'waker_or_end'", NULL }, { "wants", "use 'waits_for'", NULL },
	{ "waiting_for", "use 'waits_for'; of stack dumps 'lock' is the address", NULL },
	{ "behind", "use 'waiters'", NULL }, { "wanted", "use 'waiters'", NULL }
};

static const struct hint *
hints_find(struct str word)
{
	for (size_t i = 0; i < NELEM(hints); i++)
		if (str_eq_nocase(word, str_of(hints[i].word)))
			return &hints[i];
	return NULL;
}

const char *
hint_of(struct str word)
{
	const struct hint *h = hints_find(word);

	return h == NULL ? NULL : h->answer;
}

const char *
hint_use(struct str word)
{
	const struct hint *h = hints_find(word);

	return h == NULL ? NULL : h->use;
}
