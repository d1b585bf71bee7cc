/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_search: processes whose name matches a pattern, and calls, async slices and instants whose name or args
 * match it.
 *
 * Distinct names are matched first, then rows are found by their names; those with matching args come last.
 * Of calls, only blocks of records are replayed in which one that matches begins.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "icecore/facts.h"
#include "icecore/span_find.h"
#include "icecore/view.h"
#include "marks.h"

enum found_kind { FOUND_CALL, FOUND_ASYNC, FOUND_MARK, FOUND_PROCESS };
enum found_step { PROCESSES, CALLS_BY_NAME, ASYNC_BY_NAME, MARKS_BY_NAME, ASYNC_BY_ARGS, MARKS_BY_ARGS,
    CALLS_BY_ARGS, STEPS };

static const char *const kind_words[] = { "call", "async", "mark", "process" };

/* A match; row: of the records, or of async.*, instant.* or process.*, from 1. */
struct search_row {
	uint64_t	start, length, row;
	uint32_t	name, thread, process, kind;	/* name: method or word */
};

struct found_rows {
	struct item_rows	 rows;
	struct regex		*regex;		/* NULL: text */
	struct str		 text;
	bool			 any_case;
	/* what matches, by number; listed: by row of the records' names */
	uint8_t			*method, *listed, *word;
	uint64_t		 nmethods, nlisted, nwords;
	enum found_step		 step;
	uint64_t		 at;		/* next row or block of the step */
	uint64_t		 first;		/* first record of the block that matched is about, from 0 */
	ARRAY(uint8_t)	matched;	/* by record of that block: its args match */
	ARRAY(uint32_t)	main;		/* by process: its main thread, or else its first one */
	uint64_t		 nmain;
	uint64_t		 from, to;	/* the range; without one the whole file */
	struct buf		 args;
};

/* ---- matching ---------------------------------------------------------------------- */

static bool
found_matches(struct found_rows *f, struct str s, bool *yes, struct err *err)
{
	*yes = (f->any_case ? str_has_nocase : str_has)(s, f->text);
	return f->regex == NULL || regex_test(f->regex, s, yes, err);
}

/* Set the bytes of all names that match. */
static bool
match_names(struct found_rows *f, uint64_t n, void (*name)(const struct store *, uint32_t, struct buf *),
    uint8_t **set, struct err *err)
{
	bool ok = (*set = mem_array((size_t)n + 1, 1)) != NULL || fail_memory(err, "names"), yes;

	for (uint64_t i = 1; ok && i <= n; i++) {
		buf_clear(&f->args);
		name(f->rows.st, (uint32_t)i, &f->args);
		ok = rows_tick(&f->rows.rows, i) && found_matches(f, buf_view(&f->args), &yes, err);
		(*set)[i] = ok && yes;
	}
	return ok;
}

static void
word_name(const struct store *st, uint32_t word, struct buf *b)
{
	buf_str(b, word_text(st, word));
}

/* Records name methods by 4 * row of listed.*, which is the raw id of the method. */
static bool
match_listed(struct found_rows *f, struct err *err)
{
	const struct column *raw = store_column(f->rows.st, COL_METHOD_RAW);

	f->nlisted = column_rows(store_column(f->rows.st, COL_LISTED_METHOD));
	if ((f->listed = mem_array((size_t)f->nlisted + 1, 1)) == NULL)
		return fail_memory(err, "names");
	for (uint64_t i = 1; i <= f->nmethods; i++)
		if (f->method[i] && column_get(raw, i - 1) / 4 <= f->nlisted)
			f->listed[column_get(raw, i - 1) / 4] = 1;
	return true;
}

/* Add a match, if it is in the range for some time. */
static bool
found_add(struct found_rows *f, const struct search_row *new)
{
	return new->start >= f->to || (new->length > 0 ? num_add(new->start, new->length) <= f->from :
	    new->start < f->from) ||
	    item_rows_add(&f->rows, new);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* A process lasts as long as the recording, as far as is known. */
static bool
found_processes(struct found_rows *f)
{
	const struct store *st = f->rows.st;
	struct search_row new = { .kind = FOUND_PROCESS, .length = fact_value(st, FACT_ELAPSED) };
	uint64_t last = fact_value(st, FACT_LAST_WALL);
	bool ok = true;

	new.length = last > new.length ? last : new.length;
	for (uint32_t i = 1; ok && i <= column_rows(store_column(st, COL_PROCESS_PID)); i++) {
		new.name = (uint32_t)store_cell(st, store_cell(st, COL_PROCESS_NAME,
		    i) != 0 ? COL_PROCESS_NAME : COL_PROCESS_PID, i);
		new.row = new.process = i;
		new.thread = i <= f->nmain ? f->main.at[i] : 0;
		ok = new.name > f->nwords || !f->word[new.name] || found_add(f, &new);
	}
	f->at = UINT64_MAX;
	return ok;
}

/* ---- calls ---------------------------------------------------------------------------- */

static bool
search_take_call(void *arg, const struct span *span, uint32_t thread, UNUSED struct err *err)
{
	struct found_rows *f = arg;
	bool named = span->method <= f->nmethods && f->method[span->method], args = false;
	uint64_t tick = TRACE(&f->rows)->tick;
	struct search_row new = { .row = span->row, .name = span->method, .thread = thread,
	    .kind = FOUND_CALL,
	    .process = thread_process(f->rows.st, thread) };

	if (f->step == CALLS_BY_ARGS && span->row > f->first && span->row - f->first <= f->matched.raw.size)
		args = f->matched.at[span->row - 1 - f->first] != 0;
	if (f->step == CALLS_BY_NAME ? !named : named || !args)
		return true;
	new.start = tick > 1 ? span->start * tick : span->start;
	new.length = span->end > span->start ? (span->end - span->start) * (tick > 1 ? tick : 1) : 0;
	return found_add(f, &new);
}

/*
 * Whether a record of the block begins a call of a method that matches; not all files say so without reading
 * the block.
 */
static bool
wants_names(void *arg, uint64_t row, uint64_t end, bool *yes, UNUSED struct err *err)
{
	struct found_rows *f = arg;
	const struct column *words = store_column(f->rows.st, COL_EVENT_WORD);
	uint64_t word;

	*yes = words == NULL;
	end = end < column_rows(words) ? end : column_rows(words);
	for (; !*yes && row < end; row++) {
		word = column_get(words, row);
		*yes = word % 4 == ACT_ENTER && word / 4 <= f->nlisted && f->listed[word / 4];
	}
	return true;
}

static bool
wants_args(void *arg, uint64_t row, uint64_t end, bool *yes, struct err *err)
{
	struct found_rows *f = arg;
	const struct column *args = store_column(f->rows.st, COL_EVENT_ARGS),
	    *ends = store_column(f->rows.st, COL_EVENT_END_ARGS);
	bool ok = array_grow(&f->matched, end - row, err), has;

	f->first = row;
	*yes = false;
	if (ok)
		memset(f->matched.raw.data, 0, end - row);
	end = end < column_rows(args) ? end : column_rows(args);
	for (; ok && row < end; row++) {
		if (column_get(args, row) == 0 && (ends == NULL || row >= ends->rows))
			continue;
		buf_clear(&f->args);
		event_detail(f->rows.st, row + 1, &f->args);
		if (f->args.n == 0)
			continue;
		ok = rows_tick(&f->rows.rows, row) && found_matches(f, buf_view(&f->args), &has, err);
		f->matched.at[row - f->first] = ok && has;
		*yes |= ok && has;
	}
	return ok;
}

static bool
found_calls(struct found_rows *f, bool by_args)
{
	struct span_find find = { f->rows.rows.work, by_args ? wants_args : wants_names, search_take_call,
	    f };
	bool any = false;

	for (uint64_t i = 1; !any && i <= f->nmethods; i++)
		any = f->method[i] != 0;
	if (by_args ? column_rows(store_column(f->rows.st, COL_EVENT_ARGS)) == 0 : !any)
		f->at = UINT64_MAX;
	else if (!spans_find(f->rows.st, &find, &f->at, &f->rows.rows.err))
		return false;
	return true;
}

/* ---- async slices and instants -------------------------------------------------------- */

/* Columns of async slices or instants. */
struct found_of {
	column_id	start, end, name, process, thread;
	bool		(*detail)(struct item_rows *, uint64_t row, struct buf *);
	uint32_t	kind;
};

static const struct found_of asyncs = { COL_ASYNC_START, COL_ASYNC_END, COL_ASYNC_NAME, COL_ASYNC_PROCESS,
    COL_ASYNC_THREAD,
	async_detail, FOUND_ASYNC };
static const struct found_of marks = { COL_INSTANT_TIME, COL_NONE, COL_INSTANT_NAME, COL_INSTANT_PROCESS,
    COL_INSTANT_THREAD,
	instant_detail, FOUND_MARK };

static uint64_t
cell_if(const struct store *st, column_id column, uint64_t row)
{
	return column == COL_NONE || store_column(st, column) == NULL ? 0 : store_cell(st, column, row);
}

static bool
add_mark(struct found_rows *f, const struct found_of *of, uint64_t row)
{
	const struct store *st = f->rows.st;
	struct search_row new = { .start = store_cell(st, of->start, row), .row = row,
	    .name = (uint32_t)store_cell(st, of->name, row),
	    .process = (uint32_t)store_cell(st, of->process, row),
	    .thread = (uint32_t)cell_if(st, of->thread, row), .kind = of->kind };
	uint64_t end = cell_if(st, of->end, row);

	new.length = end > new.start ? end - new.start : 0;
	if (new.thread == 0 && new.process <= f->nmain)
		new.thread = f->main.at[new.process];
	return found_add(f, &new);
}

/* Look at some rows; the step ends with the last one. */
static bool
found_marks(struct found_rows *f, const struct found_of *of, bool by_args)
{
	uint64_t n = column_rows(store_column(f->rows.st, of->start)), name,
	    end = f->at + 4096 < n ? f->at + 4096 : n;
	const struct column *names = store_column(f->rows.st, of->name);
	struct err *err = &f->rows.rows.err;
	bool ok = true, yes;

	for (; ok && f->at < end; f->at++) {
		name = column_get(names, f->at);
		yes = name <= f->nwords && f->word[name];
		if (by_args && !yes) {
			buf_clear(&f->args);
			(void)of->detail(&f->rows, f->at + 1, &f->args);
			ok = f->args.n == 0 || found_matches(f, buf_view(&f->args), &yes, err);
		} else if (by_args)
			yes = false;
		ok = ok && (!yes || add_mark(f, of, f->at + 1));
	}
	f->at = f->at < n ? f->at : UINT64_MAX;
	return ok && rows_tick(&f->rows.rows, f->at);
}

/* ---- rows ------------------------------------------------------------------------------- */

static bool
found_step(struct item_rows *r)
{
	struct found_rows *f = (struct found_rows *)r;
	bool ok = true;

	switch (f->step) {
	case PROCESSES:
		ok = found_processes(f);
		break;
	case CALLS_BY_NAME: case CALLS_BY_ARGS:
		ok = found_calls(f, f->step == CALLS_BY_ARGS);
		break;
	case ASYNC_BY_NAME: case ASYNC_BY_ARGS:
		ok = found_marks(f, &asyncs, f->step == ASYNC_BY_ARGS);
		break;
	case MARKS_BY_NAME: case MARKS_BY_ARGS:
		ok = found_marks(f, &marks, f->step == MARKS_BY_ARGS);
		break;
	case STEPS:
		return false;
	}
	if (f->at == UINT64_MAX) {
		f->step++;
		f->at = 0;
	}
	return ok;
}

static void
found_end(struct item_rows *r)
{
	struct found_rows *f = (struct found_rows *)r;

	regex_free(f->regex);
	free(f->method);
	free(f->listed);
	free(f->word);
	SCRATCH_FREE(&f->matched, &f->main);
	buf_free(&f->args);
}

static bool
find_main_threads(struct found_rows *f, struct err *err)
{
	const struct column *listed = store_column(f->rows.st, COL_THREAD_LISTED),
	    *pid = store_column(f->rows.st, COL_LISTED_PID);
	const struct column *tid = store_column(f->rows.st, COL_THREAD_TID);
	uint64_t row, process;
	uint32_t *to;

	f->nmain = column_rows(store_column(f->rows.st, COL_PROCESS_PID));
	if (!array_grow(&f->main, f->nmain + 1, err))
		return false;
	for (uint64_t i = 0; i < column_rows(tid); i++) {
		process = thread_process(f->rows.st, (uint32_t)i + 1);
		row = listed != NULL ? column_get(listed, i) : 0;
		if (process == 0 || process > f->nmain || row == 0 || row > column_rows(pid))
			continue;
		to = &f->main.at[process];
		if (*to == 0 || column_get(pid, row - 1) == column_get(tid, i))
			*to = (uint32_t)i + 1;
	}
	return true;
}

/* In lower case a text matches any case, as in searches of the explorer. */
static bool
found_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct found_rows *f = (struct found_rows *)r;

	f->matched.raw = f->main.raw = SCRATCH_INIT;
	if (stage->n == 0)
		return fail_at(err, E_USAGE, stage->end, "'search' needs a text or /regex/, e.g. '%s'",
		    stage->command->example);
	if (!stage_at_most(stage, 1, err) || (stage->token[0].kind == TOKEN_REGEX &&
	    !regex_compile(&f->regex, &stage->token[0], err)))
		return false;
	f->text = stage->token[0].text;
	if (!view_range(r->st, &f->from, &f->to)) {
		f->from = 0;
		f->to = UINT64_MAX;
	}
	f->any_case = !str_has_capital(f->text);
	f->nmethods = column_rows(store_column(r->st, COL_METHOD_RAW));
	f->nwords = column_rows(store_column(r->st, COL_WORD_REF));
	if (column_rows(store_column(r->st, COL_SPAN_START)) == 0)
		f->nmethods = 0;
	return match_names(f, f->nmethods, method_name, &f->method, err) &&
	    match_names(f, f->nwords, word_name, &f->word, err) &&
	    match_listed(f, err) && find_main_threads(f, err);
}

/* ---- columns ---------------------------------------------------------------------------- */

static bool
found_name(struct item_rows *s, uint64_t name, struct buf *b)
{
	if (((const struct search_row *)s->item)->kind == FOUND_CALL)
		method_name(s->st, (uint32_t)name, b);
	else
		buf_str(b, word_text(s->st, (uint32_t)name));
	return true;
}

static bool
found_detail(struct item_rows *s, uint64_t row, struct buf *b)
{
	uint32_t kind = ((const struct search_row *)s->item)->kind;

	if (kind == FOUND_CALL)
		event_detail(s->st, row, b);
	else if (kind == FOUND_PROCESS)
		buf_str(b, word_text(s->st, (uint32_t)store_cell(s->st, COL_PROCESS_COMMAND, row)));
	else
		(void)(kind == FOUND_ASYNC ? async_detail : instant_detail)(s, row, b);
	return true;
}

static void
found_method(struct item_rows *s, uint64_t name, struct cell *c)
{
	c->u = ((const struct search_row *)s->item)->kind == FOUND_CALL ? name : 0;
}

#define OF(member) ITEM(struct search_row, member)

static const struct coldef found_cols[] = {
	{ "kind", CELL_TEXT, "call, async, mark or process", MADE(.words = kind_words, OF(kind)) },
	{ "name", CELL_TEXT, "name", TEXT(found_name, OF(name)) },
	{ "process", CELL_TEXT, "process", .beside = SHAPE_MARKS, MADE(.show = TRACE_PROCESS, OF(process)),
	    .cut = CUT_FRONT },
	{ "thread", CELL_TEXT, "thread; of an async slice the main thread of its process",
	    THREAD_FROM(OF(thread)) },
	{ "start_wall", CELL_TIME, "start, since the first event", MADE(OF(start)) },
	{ "wall", CELL_TIME, "duration", MADE(OF(length)) },
	{ "detail", CELL_TEXT, "args; of a process its command line", TEXT(found_detail, OF(row)) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ "call_of", CELL_ID, "id of the method of a call; 0: none", MORE, COMPUTED(found_method, OF(name)) }
};

static const struct source searching = {
	.domain = &trace_domain, .size = sizeof(struct found_rows), .item = sizeof(struct search_row),
	    .args = ARGS_OWN,
	.begin = found_begin, .step = found_step, .end = found_end
};

static const struct arg_type arg_found = { .name = "PATTERN",
    .hint = "/regex/, or a part of the name or of the args", .regex = true, .quoted = true };
static const column_id needs[] = { COL_CALL_METHOD, COL_SPAN_START, COL_NONE };
static const column_id thread_needs[] = { COL_THREAD_TID, COL_NONE };

#define SEARCH(shapes, reads, ...) \
	SOURCE("search", "processes by name; calls, slices, marks by name or args", "search main", item_rows_open), \
	OVER(shapes, found_cols), .views = VIEWS_OF_TIMES, .source = &searching, .args = ARGS({ &arg_found }), \
	    .needs = (reads), __VA_ARGS__

const struct command source_search = { SEARCH(SHAPE_INTERVALS, needs, .unless = 0) };
/* Files without calls in order of time. */
const struct command source_mark_search = { SEARCH(SHAPE_MARKS, thread_needs, .unless = SHAPE_INTERVALS) };
