/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_samples: the samples of one event, of a time range, of thread states, with labels, or of a stack
 * dump.
 *
 * The store on top of the profile has their columns; the pass that makes call trees of samples makes them of
 * these.  A view of samples recorded with calls is a profile: the calls are masked.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "icecore/columns_labels.h"
#include "icecore/columns_trace.h"
#include "icecore/dumped.h"
#include "icecore/facts.h"
#include "icecore/labels.h"
#include "icecore/make.h"
#include "views.h"

#define SAMPLE_COLUMNS 10

static const column_id names[SAMPLE_COLUMNS] = { COL_SAMPLE_STACK, COL_SAMPLE_THREAD, COL_SAMPLE_WEIGHT,
	COL_SAMPLE_BEFORE, COL_SAMPLE_EVENT, COL_SAMPLE_TIME, COL_SAMPLE_OFFSET, COL_SAMPLE_COUNT,
	COL_SAMPLE_STATE, COL_SAMPLE_LABELS };

struct pick {
	const struct view	*view;
	struct work		*work;
	const struct column	*time, *state, *states, *labels;
	bool			 beside;	/* the samples were recorded with calls */
	uint64_t		 first, end;	/* rows of the dump; only those count */
	bool			 some;		/* only the samples in rows count */
	struct scratch		 rows;		/* u64 */
	struct scratch		 states_fit;	/* u8: by sample.state, 1: it matches */
	ARRAY(uint8_t)		 sets_fit;	/* by set of labels, 1: it has the labels of the view */
	uint64_t		 sets;		/* 1 + their number */
	uint64_t		 n;
};

static bool
fit_states(struct pick *p, struct err *err)
{
	struct str name;
	OWN_BUF all = BUF_INIT;
	bool any = false;

	if (!scratch_array(&p->states_fit, p->states->rows + 1, 1, err))
		return false;
	for (uint64_t at = 1; at <= p->states->rows; at += name.n + 1) {
		name = column_text(p->states, at);
		p->states_fit.data[at] = p->view->state(p->view->state_arg, name);
		any |= p->states_fit.data[at] != 0;
		if (all.n < 300)
			buf_printf(&all, "%s%.*s", at > 1 ? ", " : "", (int)name.n, name.s);
	}
	if (!any)
		fail(err, E_USAGE, "no thread state matches; states: %.*s", all.bad ? 0 : (int)all.n,
		    all.n > 0 ? all.s : "");
	return any;
}

/* The names of labels, or the values that label key has, for a message. */
static void
list_labels(const struct store *st, uint32_t key, struct buf *b)
{
	uint64_t n = column_rows(store_column(st, key == 0 ? COL_LABEL_NAME : COL_LABEL_KEY));
	struct str s;

	for (uint64_t i = 1; i <= n && b->n < 300; i++) {
		if (key != 0 && store_cell(st, COL_LABEL_KEY, i) != key)
			continue;
		s = str_head(key == 0 ? labels_key_name(st, i) : labels_text(st, store_cell(st, COL_LABEL_VALUE, i)),
		    100);
		buf_printf(b, "%s%.*s", b->n > 0 ? ", " : "", (int)s.n, s.n > 0 ? s.s : "");
	}
}

/* Drop the sets without a matching value of a label. */
static bool
fit_label(struct pick *p, const struct store *st, const struct view_label *label, struct err *err)
{
	enum { UNKNOWN, NO, YES };
	uint64_t sets = labels_sets(st), texts = column_rows(store_column(st, COL_LABEL_TEXT));
	uint32_t key = labels_key(st, label->key), place;
	OWN_ARRAY(uint8_t) values = ARRAY_INIT;
	OWN_BUF all = BUF_INIT;
	bool any = false;

	if (!array_grow(&values, texts + 1, err))
		return false;
	values.at[0] = NO;
	for (uint64_t set = 0; set <= sets; set++) {
		if (!work_each(p->work, set, 1024, err))
			return false;
		place = labels_value(st, set, key);
		place = place <= texts ? place : 0;
		if (values.at[place] == UNKNOWN)
			values.at[place] = label->match(label->arg, labels_text(st, place)) ? YES : NO;
		p->sets_fit.at[set] &= values.at[place] == YES;
		any |= values.at[place] == YES;
	}
	if (any)
		return true;
	list_labels(st, key, &all);
	return fail(err, E_USAGE, key == 0 ? "no label '%.*s'; labels: %s" :
	    "no value of label '%.*s' matches; values: %s",
	    (int)label->key.n, label->key.s, all.bad || all.n == 0 ? "" : all.s);
}

static bool
fit_labels(struct pick *p, const struct store *st, struct err *err)
{
	uint64_t sets = labels_sets(st);

	if (!array_grow(&p->sets_fit, sets + 1, err))
		return false;
	p->sets = sets + 1;
	memset(p->sets_fit.at, 1, sets + 1);
	work_start(p->work, "labels", sets);
	for (size_t i = 0; i < p->view->nlabels; i++)
		if (!fit_label(p, st, &p->view->label[i], err))
			return false;
	return true;
}

/* Each sample of a stack dump is a thread of it, in the same order. */
static bool
fit_dump(struct pick *p, struct store *st, struct err *err)
{
	uint64_t n = dumps_count(st), dump = p->view->dump == DUMP_LAST ? n : p->view->dump;

	p->end = store_column(st, COL_SAMPLE_STACK)->rows;
	if (p->view->dump == 0 && p->view->per != PER_DUMP)
		return true;
	if (n == 0 || p->end != column_rows(store_column(st, COL_DUMPED_STATE)))
		return fail(err, E_USAGE, "no stack dumps in this file");
	if (dump > n)
		return fail(err, E_USAGE, "no dump %ju; the file has %ju", (uintmax_t)dump, (uintmax_t)n);
	if (dump > 0) {
		p->first = store_cell(st, COL_TDUMP_FIRST, dump);
		p->end = store_cell(st, COL_TDUMP_FIRST, dump + 1);
	}
	return true;
}

static bool
view_samples_fits(const struct pick *p, uint64_t row)
{
	uint64_t time = p->view->ranged ? column_get(p->time, row) : 0, state;
	uint64_t set = p->sets_fit.at == NULL ? 0 : column_get(p->labels, row);

	if (row < p->first || row >= p->end || (p->view->ranged &&
	    (time < p->view->from || time >= p->view->to)))
		return false;
	if (p->sets_fit.at != NULL && !p->sets_fit.at[set < p->sets ? set : 0])
		return false;
	if (p->view->state == NULL)
		return true;
	state = column_get(p->state, row);
	return state > 0 && state <= p->states->rows && p->states_fit.data[state] != 0;
}

static bool
pick_rows(struct pick *p, const struct store *base, struct err *err)
{
	uint64_t n = store_column(base, COL_SAMPLE_STACK)->rows;

	if ((p->view->state != NULL && !fit_states(p, err)) ||
	    (p->view->nlabels > 0 && !fit_labels(p, base, err)))
		return false;
	work_start(p->work, "range", n);
	for (uint64_t i = 0; i < n; i++) {
		if (!work_each(p->work, i, 1024, err))
			return false;
		if (!view_samples_fits(p, i))
			continue;
		if (!scratch_add(&p->rows, &p->n, &i, sizeof i, err))
			return false;
	}
	return true;
}

static bool
copy_column(struct pick *p, const struct column *from, struct store *st, struct err *err)
{
	void *to = store_make(st, from->col, from->type, p->n, err);

	if (to == NULL)
		return false;
	for (uint64_t i = 0; i < p->n; i++) {
		if (!work_each(p->work, i, 1024, err))
			return false;
		column_set(to, from->type, i, column_get(from, SCRATCH(p->rows, uint64_t)[i]));
	}
	return true;
}

/* ---- samples by something else than their thread -------------------------------------------- */

/*
 * The state of the thread, its stack dump, its pool, its labels.  Each group takes the place of a thread in the view,
 * so that all that works with threads works with groups.
 */
struct per {
	const struct store	*base;
	struct work		*work;
	const struct column	*state, *states, *thread, *labels;
	enum view_per		 by;
	uint32_t		 key;		/* PER_LABEL: number of the key */
	uint64_t		 most;		/* keys above it are of a damaged index */
	ARRAY(uint32_t)	group;		/* by key of a sample: the number of its group; 0: none yet */
	ARRAY(uint32_t)	sample;	/* groups of the samples */
	struct text_pool	 names;		/* names of the groups */
};

/* Samples of a group have the same key, a number; per_name names it. */
static uint64_t
per_key(const struct per *p, uint64_t row)
{
	if (p->by == PER_DUMP)
		return dump_of(p->base, row + 1);
	if (p->by == PER_LABEL)
		return labels_value(p->base, column_get(p->labels, row), p->key);
	if (p->by == PER_LABELS)
		return column_get(p->labels, row);
	return column_get(p->by == PER_STATE ? p->state : p->thread, row);
}

static void
per_name(const struct per *p, uint64_t key, struct buf *b)
{
	buf_clear(b);
	if (p->by == PER_DUMP) {
		buf_printf(b, "dump %ju", (uintmax_t)key);
	} else if (p->by == PER_STATE) {
		buf_str(b, key == 0 ? STR("unknown") : column_text(p->states, key));
	} else if (p->by == PER_LABEL || p->by == PER_LABELS) {
		if (key == 0)
			buf_str(b, STR("(no label)"));
		else if (p->by == PER_LABEL)
			buf_str(b, labels_text(p->base, key));
		else
			labels_show(p->base, key, b);
	} else {
		thread_name(p->base, (uint32_t)key, b);
		name_pool(b, 0);
	}
	if (b->n == 0)
		buf_text(b, "(no name)");
}

static bool
view_samples_group(struct per *p, const uint64_t *rows, uint64_t n, struct err *err)
{
	OWN_BUF name = BUF_INIT;
	bool ok = array_grow(&p->sample, n + 1, err) && array_grow(&p->group, p->most + 1, err);

	work_start(p->work, "groups", n);
	for (uint64_t i = 0; ok && i < n; i++) {
		uint64_t key = per_key(p, rows[i]);
		uint32_t *group = &p->group.at[key <= p->most ? key : 0];

		if (*group == 0) {
			key = key <= p->most ? key : 0;
			per_name(p, key, &name);
			ok = texts_number(&p->names, buf_view(&name), group, err);
		}
		p->sample.at[i] = *group;
		ok = ok && work_each(p->work, i, 1024, err);
	}
	return ok;
}

/* The n rows of samples of base become samples of st, whose threads are groups. */
static bool
view_per(struct store *base, struct store *st, const struct view *v, const uint64_t *rows, uint64_t n,
    struct work *work, struct err *err)
{
	enum view_per by = v->per;
	struct per p = { .base = base, .work = work, .by = by, .labels = store_column(base, COL_SAMPLE_LABELS),
	    .key = by == PER_LABEL ? labels_key(base, v->per_key) : 0, .state = store_column(base, COL_SAMPLE_STATE),
	    .states = store_column(base, COL_SAMPLE_STATES),
	    .thread = store_column(base, COL_SAMPLE_THREAD) };
	ARRAY(uint64_t) refs = ARRAY_INIT;
	uint32_t *to;
	bool ok;

	if (by == PER_STATE && (p.state == NULL || p.states == NULL))
		return fail(err, E_USAGE, "no thread states in these samples");
	if (by == PER_LABEL && p.key == 0)
		return fail(err, E_USAGE, "no label '%.*s' in these samples", (int)v->per_key.n, v->per_key.s);
	p.most = by == PER_LABEL ? column_rows(store_column(base, COL_LABEL_TEXT)) : by == PER_LABELS ?
	    labels_sets(base) : by == PER_DUMP ? dumps_count(base) : by == PER_STATE ? p.states->rows :
	    column_rows(store_column(base, COL_LISTED_TID));
	ok = view_samples_group(&p, rows, n, err) && view_put_texts(&p.names, st, &refs.raw, err) &&
	    store_pack(st, COL_LISTED_THREAD, refs.at, p.names.n, err) &&
	    store_make(st, COL_LISTED_TID, COL_U8, p.names.n, err) != NULL &&
	    store_make(st, COL_LISTED_PID, COL_U8, p.names.n, err) != NULL &&
	    (to = store_make(st, COL_SAMPLE_THREAD, COL_U32, n, err)) != NULL;
	for (uint64_t i = 0; ok && i < n; i++)
		to[i] = p.sample.at[i];
	SCRATCH_FREE(&refs, &p.group, &p.sample);
	ok = ok && fact_set(st, FACT_THREADS, p.names.n, err);
	texts_free(&p.names);
	return ok;
}

static bool
view_samples_put_samples(struct pick *p, struct store *base, struct store *st, struct err *err)
{
	const struct column *c;

	for (size_t i = 0; i < SAMPLE_COLUMNS; i++)
		if ((names[i] != COL_SAMPLE_THREAD || p->view->per == PER_THREAD) &&
		    (c = store_column(base, names[i])) != NULL &&
		    !copy_column(p, c, st, err))
			return false;
	return p->view->per == PER_THREAD || view_per(base, st, p->view, SCRATCH(p->rows, uint64_t),
	    p->n, p->work, err);
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* The totals of the chosen event in the piece of time. */
struct sums {
	uint64_t	samples, weight, stacks, depth;
	uint64_t	first, last;	/* times */
};

/* depth[stack] of all stacks; callers precede their callees. */
static bool
find_depths(const struct column *parent, struct scratch *depth, struct err *err)
{
	uint64_t up;
	uint32_t *d;

	if (!scratch_array(depth, parent->rows + 1, sizeof *d, err))
		return false;
	d = SCRATCH(*depth, uint32_t);
	for (uint64_t i = 1; i <= parent->rows; i++) {
		up = column_get(parent, i - 1);
		d[i] = up < i ? d[up] + 1 : 1;
	}
	return true;
}

/* Each stack counts once: its depth is cleared when it has been counted. */
static bool
view_samples_sum_samples(struct pick *p, const struct store *base, uint64_t event, struct sums *sum,
    struct err *err)
{
	const struct column *events = store_column(base, COL_SAMPLE_EVENT),
	    *stacks = store_column(base, COL_SAMPLE_STACK);
	const struct column *weights = store_column(base, COL_SAMPLE_WEIGHT),
	    *parent = store_column(base, COL_STACK_PARENT);
	const struct column *counts = store_column(base, COL_SAMPLE_COUNT);
	OWN_ARRAY(uint32_t) depth = ARRAY_INIT;
	uint64_t row, stack, time, n = p->some ? p->n : stacks->rows;
	uint32_t *d;

	if (!find_depths(parent, &depth.raw, err))
		return false;
	d = depth.at;
	for (uint64_t i = 0; i < n; i++) {
		if (i % 1024 == 0 && !work_tick(p->work, i)) {
			array_free(&depth);
			return fail_cancel(err);
		}
		row = p->some ? SCRATCH(p->rows, uint64_t)[i] : i;
		stack = column_get(stacks, row);
		if (column_get(events, row) != event || stack == 0 || stack > parent->rows)
			continue;
		sum->samples += counts == NULL ? 1 : column_get(counts, row);
		sum->weight = num_add(sum->weight, column_get(weights, row));
		time = column_get(p->time, row);
		sum->first = time < sum->first ? time : sum->first;
		sum->last = time > sum->last && time != UINT64_MAX ? time : sum->last;
		sum->stacks += d[stack] != 0;
		sum->depth = d[stack] > sum->depth ? d[stack] : sum->depth;
		d[stack] = 0;
	}
	return true;
}

/* Set the facts whose values differ between a profile and the calls recorded with it. */
static bool
put_profile(const struct store *base, struct store *st, const struct sums *sum, struct err *err)
{
	return fact_set(st, FACT_SHAPES, SHAPE_SAMPLES | (load_shapes(base) & SHAPE_COSTS), err) &&
	    fact_set(st, FACT_TRACE_CLOCKS, 1 << CLOCK_WALL, err) &&
	    fact_set(st, FACT_THREADS, column_rows(store_column(base, COL_LISTED_TID)), err) &&
	    fact_set(st, FACT_METHODS, column_rows(store_column(base, COL_LISTED_NAME)), err) &&
	    fact_set(st, FACT_EVENTS, column_rows(store_column(base, COL_EVENT_TYPE)), err) &&
	    fact_set(st, FACT_ELAPSED, sum->last > sum->first ? sum->last - sum->first : 0, err);
}

static bool
view_samples_put_facts(struct pick *p, const struct store *base, struct store *st, struct err *err)
{
	uint64_t event = p->view->event != 0 ? p->view->event : fact_value(base, FACT_EVENT);
	struct sums sum = { .first = UINT64_MAX };

	return view_samples_sum_samples(p, base, event, &sum, err) &&
	    (!p->beside || put_profile(base, st, &sum, err)) &&
	    fact_set(st, FACT_EVENT, event, err) &&
	    (p->view->event == 0 || fact_set_text(st, FACT_CHOSEN_BY, STR("--event"), err)) &&
	    (p->view->dump == 0 || fact_set(st, FACT_DUMP_SHOWN, p->view->dump, err)) &&
	    fact_set(st, FACT_SAMPLES, sum.samples, err) &&
	    fact_set(st, FACT_STACKS, sum.stacks, err) &&
	    fact_set(st, FACT_MAX_DEPTH, sum.depth, err) &&
	    weight_fact(st, FACT_TOTAL, sum.weight, (enum weight_type)store_cell(st, COL_EVENT_TYPE, event),
	    column_text(store_column(st, COL_EVENT_TEXT), store_cell(st, COL_EVENT_UNIT, event)), err);
}

/* No pass made them where there are calls: an index may say that they are there, and have some alone. */
static bool
view_samples_check_columns(struct store *st, struct work *work, struct err *err)
{
	static const column_id columns[] = { COL_STACK_PARENT, COL_STACK_METHOD, COL_SAMPLE_STACK,
	    COL_SAMPLE_THREAD,
		COL_SAMPLE_WEIGHT };

	for (size_t i = 0; i < NELEM(columns); i++)
		if (!pass_want(st, columns[i], work, err))
			return false;
	return true;
}

bool
view_samples(struct store **top, const struct view *v, struct work *work, struct err *err)
{
	/*
	 * Pass samples makes all of these, the threads too; without the records of calls it is the one that
	 * does.
	 */
	static const column_id masked[] = { BUILD_MAKES, TREES_MAKE, COL_NONE }, masked_calls[] = {
		BUILD_MAKES, TREES_MAKE, COL_SEGMENT_OFFSET, COL_SEGMENT_ROW, COL_EVENT_TIME, COL_EVENT_CPU,
		    COL_EVENT_WORD,
		COL_EVENT_TID, COL_NONE }, masked_per[] = { BUILD_MAKES, TREES_MAKE, LISTED_THREADS,
		    COL_NONE };
	bool per = v->per != PER_THREAD;
	struct pick p = { .view = v, .work = work, .time = store_column(*top, COL_SAMPLE_TIME),
	    .state = store_column(*top, COL_SAMPLE_STATE), .states = store_column(*top, COL_SAMPLE_STATES),
	    .labels = store_column(*top, COL_SAMPLE_LABELS),
	    .some = v->ranged || v->state != NULL || v->nlabels > 0 || per || v->dump != 0,
	    .beside = !trace_is_profile(*top) };
	struct store *st;
	bool ok;

	if (!view_samples_check_columns(*top, work, err))
		return false;
	if (v->ranged && p.time == NULL)
		return fail(err, E_USAGE, "no sample times in this profile");
	if (v->state != NULL && (p.state == NULL || p.states == NULL))
		return fail(err, E_USAGE, "no thread states in these samples");
	if (p.labels == NULL && (v->nlabels > 0 || v->per == PER_LABELS || v->per == PER_LABEL))
		return fail(err, E_USAGE, "no labels in these samples");
	if (per && p.beside)
		return fail(err, E_USAGE, "'per' works on profiles, not on events beside calls");
	if (!fit_dump(&p, *top, err) || !store_over(&st, *top,
	    p.beside ? masked_calls : per ? masked_per : masked, err))
		return false;
	ok = (!p.some || (pick_rows(&p, *top, err) && view_samples_put_samples(&p, *top, st, err))) &&
	    view_samples_put_facts(&p, *top, st, err);
	SCRATCH_FREE(&p.rows, &p.states_fit, &p.sets_fit);
	if (ok) {
		store_publish(st);
		ok = pass_want(st, COL_CALL_METHOD, work, err);
	}
	return view_put(top, st, ok);
}
