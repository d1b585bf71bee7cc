/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codewalk.h"
#include "heapwalk.h"
#include "icecore/columns_costs.h"
#include "icecore/columns_counts.h"
#include "icecore/columns_marks.h"
#include "icecore/columns_table.h"
#include "icecore/columns_trace.h"
#include "icecore/columns_triage.h"
#include "icecore/event_args.h"
#include "icecore/table.h"
#include "icecore/track.h"
#include "icecore/view.h"
#include "walk.h"

const char *walk_as;
unsigned walk_choice = COL_CHOICES;
bool walk_fuzzes;

#define TREE_STEPS 20000u	/* trees of damaged files can be large */
#define SPAN_THREADS 20u
#define EVENTS 4u
#define SHEET_WALK 64u
#define ARGS_WALK 64u

static uint64_t
read_records(const struct store *st, struct err *err)
{
	struct records r;
	struct record rec[100];
	uint64_t offset[100], rows = 0;
	size_t i, n;

	MUST(records_open(&r, st, err));
	while ((n = records_read(&r, rec, offset, NELEM(rec))) > 0) {
		for (i = 0; i < n; i++) {
			MUST(offset[i] <= store_source(st)->size || offset[i] == UINT64_MAX);
			MUST(rec[i].action <= ACT_UNROLL_TOP);
		}
		rows += n;
	}
	MUST(rows == store_fact_get(st, "records"));
	if (rows > 0) {
		struct record again;

		MUST(records_seek(&r, rows / 2) || r.row == rows / 2);
		MUST(records_read(&r, &again, NULL, 1) == 1);
	}
	return rows;
}

/* The stacks of a profile hang together, and its call trees hold all of its weights. */
static void
check_samples(const struct store *st)
{
	const struct column *parent = store_column(st, COL_STACK_PARENT);
	const struct column *stack = store_column(st, COL_SAMPLE_STACK);
	const struct column *wall = store_column(st, COL_THREAD_WALL), *counts = store_column(st, COL_SAMPLE_COUNT);
	uint64_t event = store_fact_get(st, "event"), i, sum = 0, samples = 0, total = 0;

	for (i = 0; i < parent->rows; i++)
		MUST(column_get(parent, i) <= i);
	for (i = 0; i < stack->rows; i++) {
		MUST(column_get(stack, i) > 0 && column_get(stack, i) <= parent->rows);
		if (column_get(store_column(st, COL_SAMPLE_EVENT), i) != event)
			continue;
		sum += column_get(store_column(st, COL_SAMPLE_WEIGHT), i);
		samples += counts == NULL ? 1 : column_get(counts, i);
	}
	for (i = 0; i < wall->rows; i++)
		total += column_get(wall, i);
	MUST(sum == total && sum == column_get(store_column(st, COL_EVENT_WEIGHT), event - 1));
	MUST(samples == store_fact_get(st, "samples"));
}

static void
read_texts(const struct store *st)
{
	struct buf b = BUF_INIT;
	char fitted[64];
	struct fact f;
	size_t i;

	for (i = 0; store_fact_at(st, i, &f); i++)
		MUST(f.name[0] != '\0');
	for (i = 1; i <= store_fact_get(st, "methods") && i < TREE_STEPS; i++) {
		buf_clear(&b);
		method_name(st, (uint32_t)i, &b);
		text_fit(fitted, sizeof fitted, buf_view(&b));
	}
	for (i = 1; i <= store_fact_get(st, "threads") && i < TREE_STEPS; i++) {
		buf_clear(&b);
		thread_name(st, (uint32_t)i, &b);
		MUST(b.n > 0);
	}
	buf_free(&b);
}

static uint8_t *
every_second_method(const struct store *st)
{
	uint64_t n = column_rows(store_column(st, COL_METHOD_RAW));
	uint8_t *has = mem_array(n + 1, 1);

	MUST(has != NULL);
	for (uint64_t i = 1; i <= n; i += 2)
		has[i] = 1;
	return has;
}

/* All nodes, depth first, without recursion; children weigh no more than their parent. */
static void
walk_tree(const struct store *st, enum tree_kind kind, struct err *err)
{
	struct tree *t;
	uint32_t at = TREE_ROOT, next, steps = 0;
	bool up = false;

	MUST(kind == TREE_CALLERS || kind == TREE_CALLEES ? tree_open_methods(&t, st, kind, every_second_method(st), err) :
	    tree_open(&t, st, kind, NULL, 0, err));
	while (at != 0 && steps++ < TREE_STEPS) {
		struct tree_node n, parent;

		tree_get(t, at, &n);
		MUST((at == TREE_ROOT) == (n.parent == 0));
		MUST(n.self[CLOCK_WALL] <= n.total[CLOCK_WALL]);
		if (n.parent != 0) {
			tree_get(t, n.parent, &parent);
			MUST(kind == TREE_CALLS ? n.depth == 0 : parent.depth + 1 == n.depth);
			MUST(tree_total(t, at, CLOCK_CPU) <= parent.total[CLOCK_CPU]);
		}
		next = up ? 0 : tree_first(t, at);
		up = next == 0;
		if (up)
			next = tree_next(t, at);
		if (next != 0) {
			at = next;
			up = false;
		} else
			at = tree_parent(t, at);
	}
	tree_close(t);
}

static void
count_arg(void *n, const struct event_arg *arg)
{
	MUST(arg->depth < ARGS_DEPTH);
	*(uint64_t *)n += arg->name.n + arg->value.n;
}

static void
walk_spans(const struct store *st, uint32_t thread, struct err *err)
{
	struct spans all, some;
	uint64_t from, to, said = 0;
	size_t i;

	memset(&all, 0, sizeof all);
	memset(&some, 0, sizeof some);
	MUST(spans_window(st, thread, 0, UINT64_MAX, 0, 0, &all, err));
	for (i = 0; i < all.n; i++) {
		MUST(all.span[i].start <= all.span[i].end);
		MUST(all.span[i].crowd == 0 && all.span[i].method != 0);
		MUST(i == 0 || all.span[i - 1].start <= all.span[i].start);
	}
	for (i = 0; i < all.n && i < ARGS_WALK; i++)
		(void)event_args(st, all.span[i].row, count_arg, &said);
	if (all.n > 0) {
		from = all.span[all.n / 3].start;
		to = all.span[all.n - all.n / 3 - 1].end;
		if (to < from)
			to = from;
		MUST(spans_window(st, thread, from, to, (to - from) / 40, 1000,
		    &some, err));
		MUST(some.n <= all.n);
		for (i = 0; i < some.n; i++)
			MUST(some.span[i].start <= to && some.span[i].end >= from);
	}
	spans_free(&all);
	spans_free(&some);
}

/* The values of the pieces add up to the values of the whole. */
static void
walk_track(const struct store *st, const struct track *t, uint64_t from, uint64_t to)
{
	struct track_piece whole, piece[7];
	uint64_t sum = 0, known = 0, points = 0;
	size_t i;

	track_piece(t, from, to, &whole);
	track_pieces(t, from, to, piece, NELEM(piece));
	for (i = 0; i < NELEM(piece); i++) {
		sum = num_add(sum, piece[i].sum);
		known += piece[i].known;
		points += piece[i].points;
		MUST(piece[i].max <= whole.max);
		MUST(state_letter(st, piece[i].state) != '\0');
	}
	MUST(known == whole.known && points == whole.points && points <= t->n);
	if (t->kind == TRACK_TOTAL || t->kind == TRACK_CPU)
		MUST(sum == whole.sum);
	MUST(track_before(t, to) >= track_before(t, from));
}

static void
walk_tracks(const struct store *st)
{
	struct track t;
	uint64_t end;
	size_t i;

	for (i = 0; i < tracks_count(st); i++) {
		MUST(track_get(st, i, &t));
		end = t.n == 0 ? 0 : column_get(t.time, t.first + t.n - 1);
		walk_track(st, &t, 0, end);
		walk_track(st, &t, end / 3, num_add(end, end / 2));
	}
}

static bool
can_run(const struct store *st, const struct pass *p, unsigned choice)
{
	size_t i;

	if (walk_choice != COL_CHOICES && choice != walk_choice && col_is_family(p->makes[0]))
		return false;
	if (p->when != COL_NONE && store_column(st, p->when) == NULL)
		return false;
	for (i = 0; p->needs[i] != COL_NONE; i++)
		if (store_column(st, col_choice(p->needs[i], choice)) == NULL)
			return false;
	return store_column(st, col_choice(p->makes[0], choice)) == NULL;
}

/* Those for files of this kind; a pass may need what one further down the table makes. */
static bool
run_passes(struct store *st, struct work *w, struct err *err)
{
	size_t i = 0;	/* pass and choice */
	column_id made;

	while (passes[i / COL_CHOICES] != NULL) {
		const struct pass *p = passes[i / COL_CHOICES];

		if (!can_run(st, p, i % COL_CHOICES)) {
			i++;
			continue;
		}
		made = col_choice(p->makes[0], i % COL_CHOICES);
		if (!pass_want(st, made, w, err))
			return false;
		MUST(store_column(st, made) != NULL);
		i = 0;
	}
	return true;
}

static void
walk_trees(const struct store *st, struct err *err)
{
	read_texts(st);
	walk_tree(st, TREE_CALLS, err);
	walk_tree(st, TREE_MERGED, err);
	walk_tree(st, TREE_INVERTED, err);
	walk_tree(st, TREE_CALLERS, err);
	walk_tree(st, TREE_CALLEES, err);
}

/* Samples beside calls, each event alone, and a piece of time of it. */
static void
walk_beside(struct store *st, struct work *w, struct err *err)
{
	uint64_t n = column_rows(store_column(st, COL_EVENT_TYPE)), end = store_fact_get(st, "elapsed");
	struct store *view;

	for (uint32_t i = 1; i <= n && i <= EVENTS; i++) {
		MUST(view_open(&view, st, &(struct view){ .event = i }, w, err) && pass_want(view, COL_METHOD_CALLS, w, err));
		if (trace_is_profile(view))
			check_samples(view);
		else
			MUST(i == store_fact_get(st, "trace.calls"));
		walk_trees(view, err);
		store_close_pile(view, st);
		/* Samples may have no times where calls have some. */
		if (!view_open(&view, st, &(struct view){ .event = i, .ranged = true, .from = end / 3, .to = end / 2 }, w, err)) {
			MUST(err->kind == E_USAGE);
			err->kind = E_NONE;
			continue;
		}
		walk_tree(view, TREE_CALLS, err);
		store_close_pile(view, st);
	}
}

static void
walk_trace(struct store *st, uint64_t *records, struct err *err)
{
	uint64_t threads = store_fact_get(st, "threads");
	uint32_t i;

	*records = store_fact_get(st, "records");
	if (store_column(st, COL_SEGMENT_ROW) != NULL)
		*records = read_records(st, err);
	if (trace_is_profile(st))
		check_samples(st);
	walk_trees(st, err);
	if (store_column(st, COL_SAMPLE_STACK) != NULL)
		*records = store_column(st, COL_SAMPLE_STACK)->rows;
	for (i = 1; store_column(st, COL_SEGMENT_ROW) != NULL && i <= threads && i <= SPAN_THREADS; i++)
		walk_spans(st, i, err);
	walk_tracks(st);
}

void
walk_tell(const struct store *st)
{
	if (getenv("WALK_TELLS") != NULL)
		printf("# loader %s\n", load_loader(st)->name);
}

/* Every field of every record of a table; gives how many there are. */
static uint64_t
walk_sheet(const struct store *st, struct err *err)
{
	struct sheet s;
	struct sheet_reader r;
	uint64_t n = 0, bytes = 0;

	MUST(sheet_open(&s, st, err) && sheet_reader_open(&r, &s, s.first, s.line, err));
	for (; sheet_next(&r, err); n++)
		for (uint32_t i = 0; i < s.names.n && i < SHEET_WALK; i++)
			bytes += sheet_text(&r, i).n;
	MUST(err->kind == E_NONE && n == store_fact_get(st, "records"));
	MUST(bytes <= 4 * store_source(st)->size * (s.names.n + 1ull));
	sheet_reader_close(&r);
	sheet_close(&s);
	return n;
}

static bool	walk_store(const char *path, const struct store_options *, uint64_t *records, struct err *);

/* A table once more, with some of its columns as path, weight and time. */
static bool
walk_paths(const char *path, const struct store_options *before, uint64_t columns, bool time, struct err *err)
{
	const char *const weights[] = { columns > 2 ? "3" : "1", NULL };
	const struct ask_options table = { .path = columns > 1 ? "2,1:split=/,1:month" : "1", .weight = weights,
		.time = time ? "1" : NULL };
	struct store_options options = *before;
	uint64_t records;

	options.as = "table";
	options.asks = &table;

	return walk_store(path, &options, &records, err) || (err->kind == E_USAGE && time);
}

/* Trace events with their details in names, statements by all levels; the second dump of a file. */
static const struct ask_options *
asks_of(const struct store *st)
{
	static const struct ask_options details = { .detail = true },
	    levels = { .by = "account,kind,currency,type,payee,year,month,day,memo,sic,check", .full = true, .pending = true };

	return store_column(st, COL_EVENT_ARGS) != NULL ? &details : load_shapes(st) & SHAPE_MONEY ? &levels : NULL;
}

static bool
walk_otherwise(const char *path, const struct store_options *before, const struct ask_options *asks, unsigned dump, struct err *err)
{
	struct store_options options = *before;
	uint64_t records;

	options.asks = asks;
	options.dump = dump;
	return walk_store(path, &options, &records, err);
}

/* In a damaged file the dump that is read determines where the next one begins, so the next one may exist only for this one. */
static bool
walk_second_dump(const char *path, const struct store_options *before, const struct ask_options *asks, bool damaged, struct err *err)
{
	return walk_otherwise(path, before, asks, 2, err) || (damaged && err->kind == E_USAGE);
}

/* Rows name existing rows; each path occurs once. */
static uint64_t
walk_triage(const struct store *st)
{
	uint64_t dumps = column_rows(store_column(st, COL_DUMP_PATH)), found = column_rows(store_column(st, COL_FOUND_DUMP));
	uint64_t groups = column_rows(store_column(st, COL_GROUP_FINDING)), words = column_rows(store_column(st, COL_WORD_OWN));

	for (uint64_t i = 1; i <= dumps; i++) {
		MUST(store_cell(st, COL_DUMP_PATH, i) <= words && store_cell(st, COL_DUMP_SIGS, i) <= words);
		MUST(i == 1 || str_cmp(word_text(st, (uint32_t)store_cell(st, COL_DUMP_PATH, i - 1)),
		    word_text(st, (uint32_t)store_cell(st, COL_DUMP_PATH, i))) < 0);
	}
	for (uint64_t i = 1; i <= found; i++)
		MUST(store_cell(st, COL_FOUND_DUMP, i) - 1 < dumps && store_cell(st, COL_FOUND_WHY, i) <= words);
	for (uint64_t i = 1; i <= groups; i++) {
		MUST(store_cell(st, COL_GROUP_FINDING, i) - 1 < found && store_cell(st, COL_GROUP_DUMPS, i) <= dumps);
		MUST(store_cell(st, COL_FOUND_SIG, store_cell(st, COL_GROUP_FINDING, i)) == store_cell(st, COL_GROUP_SIG, i));
	}
	return dumps;
}

/* Rows of class histograms are of histograms and classes, and add up; categories and call sites are of reports. */
static uint64_t
walk_counts(const struct store *st)
{
	uint64_t n = column_rows(store_column(st, COL_COUNT_BYTES)), all = column_rows(store_column(st, COL_HISTOGRAM_BYTES));
	uint64_t classes = column_rows(store_column(st, COL_COUNTED_NAME)), categories = column_rows(store_column(st, COL_NATIVE_NAME));
	uint64_t sites = column_rows(store_column(st, COL_SITE_BYTES)), reports = column_rows(store_column(st, COL_REPORT_RESERVED)), rows = 0;

	for (uint64_t i = 1; i <= n; i++)
		MUST(store_cell(st, COL_COUNT_HISTOGRAM, i) - 1 < all && store_cell(st, COL_COUNT_CLASS, i) - 1 < classes);
	for (uint64_t i = 1; i <= all; i++)
		rows += store_cell(st, COL_HISTOGRAM_CLASSES, i);
	MUST(rows == n);
	for (uint64_t i = 1; i <= classes; i++)
		MUST(store_cell(st, COL_COUNTED_SEEN, i) - 1 < all && store_cell(st, COL_COUNTED_RISES, i) < all);
	for (uint64_t i = 1; i <= categories; i++)
		MUST(store_cell(st, COL_NATIVE_REPORT, i) - 1 < reports);
	for (uint64_t i = 1; i <= sites; i++)
		MUST(store_cell(st, COL_SITE_REPORT, i) - 1 < reports);
	return n + categories + sites;
}

/* Arcs are between functions, and each event has costs of all functions and arcs. */
static uint64_t
walk_costs(const struct store *st)
{
	uint64_t functions = column_rows(store_column(st, COL_COST_NAME)), arcs = column_rows(store_column(st, COL_ARC_CALLER));
	uint64_t events = column_rows(store_column(st, COL_COST_SUM));

	MUST(column_rows(store_column(st, COL_COST_TOTAL)) == functions * events);
	MUST(column_rows(store_column(st, COL_ARC_COST)) == arcs * events);
	for (uint64_t i = 1; i <= arcs; i++)
		MUST(store_cell(st, COL_ARC_CALLER, i) - 1 < functions && store_cell(st, COL_ARC_CALLEE, i) - 1 < functions);
	for (uint64_t i = 1; i <= functions * events; i++)
		MUST(store_cell(st, COL_COST_SELF, i) <= store_cell(st, COL_COST_TOTAL, i));
	return functions;
}

static bool
walk_store(const char *path, const struct store_options *options, uint64_t *records, struct err *err)
{
	static const struct side_options sides = { NULL, NULL, NULL };
	struct store *base, *st;
	struct work w;
	uint64_t columns = 0;
	const struct ask_options *asks;
	bool ok, dump, damaged;

	*records = 0;
	work_init(&w, NULL);
	if (!load_open(&base, path, options, &w, err))
		return false;
	if (options->asks == NULL)
		walk_tell(base);
	st = base;
	ok = load_sides(&st, base, &sides, &w, err) && run_passes(st, &w, err);
	if (ok && (load_shapes(st) & SHAPE_GRAPH) != 0) {
		*records = walk_heap(st, &w, err);
		if (store_column(st, COL_LISTED_NAME) != NULL)
			walk_trace(st, &columns, err);
		columns = 0;
	} else if (ok && (load_loader(st)->shapes & SHAPE_CODE) != 0)
		*records = walk_code(st, err);
	else if (ok && load_shapes(st) == SHAPE_TRIAGE)
		*records = walk_triage(st);
	else if (ok && load_shapes(st) == SHAPE_COSTS)
		*records = walk_costs(st);
	else if (ok && (load_loader(st)->shapes & SHAPE_NATIVE) != 0)
		*records = walk_counts(st);
	else if (ok && load_shapes(st) == (SHAPE_TABLE | SHAPE_FOLDER))
		*records = walk_sheet(st, err);
	else if (ok && load_shapes(st) == (SHAPE_ROWS | SHAPE_TABLE)) {
		*records = walk_sheet(st, err);
		columns = column_rows(store_column(st, COL_TABLE_NAME));
	} else if (ok) {
		walk_trace(st, records, err);
		if (load_shapes(st) & SHAPE_EVENTS)
			walk_beside(st, &w, err);
	}
	asks = options->asks == NULL ? asks_of(st) : NULL;
	dump = options->dump == 0 && (load_shapes(st) & SHAPE_GRAPH) != 0 && store_fact_get(st, "dumps") > 1;
	damaged = store_damaged(base) || store_fact_get(st, "repair.lengths") > 0;
	if (st != base)
		store_close(st);
	store_close(base);
	if (ok && dump)
		return walk_second_dump(path, options, asks, damaged, err);
	if (ok && asks != NULL)
		return walk_otherwise(path, options, asks, 0, err);
	return ok && (columns == 0 || (walk_paths(path, options, columns, false, err) && walk_paths(path, options, columns, true, err)));
}

bool
walk_file(const char *path, uint64_t *records, struct err *err)
{
	const struct store_options options = { .memory_only = true, .as = walk_as };

	return walk_store(path, &options, records, err);
}

/* An input may be unreadable.  Any other error is a bug. */
static void
need_input(const struct err *err)
{
	if (err->kind == E_UNREADABLE)
		return;
	fprintf(stderr, "error of kind %d: %s\n", err->kind, err->text);
	abort();
}

void
walk_bytes(const uint8_t *data, size_t n)
{
	struct err err = { .kind = E_NONE };
	const struct str bytes = { (const char *)data, n };
	const struct store_options options = { .bytes = &bytes, .as = walk_as };
	uint64_t records;

	if (!walk_store("input", &options, &records, &err))
		need_input(&err);
}

void
load_bytes(const uint8_t *data, size_t n)
{
	struct err err = { .kind = E_NONE };
	const struct str bytes = { (const char *)data, n };
	struct store *st;

	if (load_open(&st, "input", &(struct store_options){ .bytes = &bytes }, NULL, &err))
		store_close(st);
	else
		need_input(&err);
}
