/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * questions: users' questions about each kind of file, with the queries that answer them: rows of the source
 * help.
 */
#include "config.h"

#include "complete.h"

struct question {
	unsigned	 shapes;	/* of the files that it is asked about; 0: any */
	unsigned	 unless;	/* and of those that it is not */
	const char	*query, *file, *what;
};

enum { OF_TIME = SHAPE_CALLS | SHAPE_TASKS, OF_HEAPS = SHAPE_GRAPH | SHAPE_COUNTS,
    OF_LISTS = SHAPE_DUMPS | SHAPE_TABLE | SHAPE_MONEY | SHAPE_TRIAGE };

static const struct question questions[] = {
	{ 0, 0, "overview", "any", "what is this file about?" },
	{ 0, 0, "info", "any", "which format, what is damaged?" },
	{ 0, 0, "presets", "any", "which answers are ready?" },
	{ SHAPE_TREES, OF_LISTS, "methods | top 10 self", "profile", "which functions take the time?" },
	{ SHAPE_TREES, OF_LISTS, "calls", "profile", "where does it go, top down?" },
	{ SHAPE_TREES, OF_LISTS, "inverted", "profile", "who calls them, bottom up?" },
	{ SHAPE_TREES, OF_LISTS, "threads", "profile", "which threads are busy?" },
	{ SHAPE_TREES, OF_LISTS, "methods | diff", "profile", "what changed in a second file?" },
	{ SHAPE_CALLS, 0, "spans | top 10 wall", "trace", "which calls were slow?" },
	{ OF_TIME, 0, "waits | top 10 wall", "trace", "what did threads wait for?" },
	{ SHAPE_LASTING, 0, "intervals | top 10 wall", "trace", "which pauses were long?" },
	{ SHAPE_TASKS, 0, "tasks | top 10 run_queue", "trace", "which tasks waited for a CPU?" },
	{ SHAPE_TASKS, 0, "cpus", "trace", "how busy were the CPUs?" },
	{ SHAPE_MARKS, 0, "frames | where late | top 10 overrun", "Android", "which frames were late?" },
	{ SHAPE_GRAPH, 0, "findings", "heap dump", "which objects are leaks?" },
	{ SHAPE_GRAPH, 0, "classes | top 10 retained", "heap dump", "what needs the memory?" },
	{ SHAPE_GRAPH, 0, "dominators", "heap dump", "what holds it?" },
	{ SHAPE_GRAPH, 0, "duplicates", "heap dump", "which contents exist twice?" },
	{ SHAPE_GRAPH, 0, "objects | top 1 retained | path", "heap dump", "why is an object still there?" },
	{ OF_HEAPS, 0, "growth", "heap dumps", "what grows from dump to dump?" },
	{ SHAPE_COUNTS, 0, "classes | top 10 shallow", "histogram", "which classes are large?" },
	{ SHAPE_NATIVE, 0, "native_memory", "NMT report", "what needs native memory?" },
	{ SHAPE_DUMPS, 0, "blocked", "stacks", "who waits for whom?" },
	{ SHAPE_DUMPS, 0, "deadlocks", "stacks", "which threads block forever?" },
	{ SHAPE_DUMPS, 0, "identical_stacks", "stacks", "which threads do the same?" },
	{ SHAPE_DUMPS, 0, "thread_changes", "stacks", "what changed between dumps?" },
	{ SHAPE_COSTS, 0, "methods | top 10 self", "callgrind", "which functions cost most?" },
	{ SHAPE_CODE, 0, "bugs", "bytecode", "what is never released?" },
	{ SHAPE_TABLE, 0, "columns", "table", "which columns are there?" },
	{ SHAPE_TABLE, 0, "records | head 10", "table", "what do the rows look like?" },
	{ SHAPE_MONEY, 0, "transactions", "statement", "what was paid?" },
	{ SHAPE_MONEY, 0, "balance_check", "statement", "do the balances add up?" },
	{ SHAPE_TRIAGE, 0, "groups", "triage", "which findings do dumps share?" },
	{ SHAPE_TRIAGE, 0, "changes", "triage", "what differs between builds?" },
	{ 0, 0, "info | where field ~ format", "stage", "keep some rows" },
	{ 0, 0, "info | sort -field | head 5", "stage", "order rows, keep the first" },
	{ 0, 0, "info | group field: count", "stage", "a row for all equal keys" },
	{ 0, 0, "info | select field value", "stage", "choose columns, compute more" },
	{ 0, 0, "help all", "help", "all sources and stages" },
	{ 0, 0, "help calls", "help", "one of them, with its columns" },
	{ 0, 0, "schema", "help", "the columns of all sources" }
};

enum questions_col { QUESTIONS_ITEM, QUESTIONS_KIND, QUESTIONS_MEANING };

static const struct coldef questions_cols[] = {
	[QUESTIONS_ITEM] = { "item", CELL_TEXT, "query" },
	[QUESTIONS_KIND] = { "kind", CELL_TEXT, "kind of file" },
	[QUESTIONS_MEANING] = { "meaning", CELL_TEXT, "what it answers" }
};

struct question_rows {
	struct rows	 rows;
	size_t		 n;
	uint8_t		 place[NELEM(questions)];	/* of those for the file */
};

static uint64_t
questions_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct question_rows *)r)->n;
}

static void
questions_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct question *q = &questions[((struct question_rows *)r)->place[row]];

	c->type = CELL_TEXT;
	c->text = str_of(col == QUESTIONS_ITEM ? q->query : col == QUESTIONS_KIND ? q->file : q->what);
}

static void
questions_close(struct rows *r)
{
	(void)r;
}

static const struct rows_ops questions_ops = { questions_reach, questions_cell, questions_close };

bool
questions_open(struct session *session, struct rows **out, struct err *err)
{
	struct question_rows *a = rows_new(sizeof *a, &questions_ops, session, NULL, err);
	unsigned shapes = session_shapes(session);

	if (a == NULL)
		return false;
	a->rows.cols = questions_cols;
	a->rows.ncols = NELEM(questions_cols);
	for (size_t i = 0; i < NELEM(questions); i++)
		if ((questions[i].shapes == 0 || shapes == 0 || (questions[i].shapes & shapes) != 0) &&
		    (questions[i].unless & shapes) == 0)
			a->place[a->n++] = (uint8_t)i;
	*out = &a->rows;
	return true;
}
