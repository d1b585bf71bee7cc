/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_labels: the sets of labels that samples of a profile have.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/labels.h"
#include "trace.h"

struct set_of_labels {
	uint32_t	set;
	uint64_t	samples, total;
};

struct label_sets_rows {
	struct item_rows	 rows;
	uint64_t		 whole;		/* weight of all sets */
};

/* Sum the samples of the shown event by their sets. */
static bool
sum_sets(struct label_sets_rows *s, struct set_of_labels *sum, uint64_t sets)
{
	const struct store *st = s->rows.st;
	const struct column *labels = store_column(st, COL_SAMPLE_LABELS),
	    *events = store_column(st, COL_SAMPLE_EVENT), *weights = store_column(st, COL_SAMPLE_WEIGHT),
	    *counts = store_column(st, COL_SAMPLE_COUNT);
	uint64_t event = fact_value(st, FACT_EVENT), set, weight;

	for (uint64_t i = 0; i < labels->rows; i++) {
		if (i % 1024 == 0 && !rows_tick(&s->rows.rows, i))
			return false;
		if (column_get(events, i) != event)
			continue;
		set = column_get(labels, i);
		set = set <= sets ? set : 0;
		weight = column_get(weights, i);
		sum[set].samples += counts == NULL ? 1 : column_get(counts, i);
		sum[set].total = num_add(sum[set].total, weight);
		s->whole = num_add(s->whole, weight);
	}
	return true;
}

static bool
sets_step(struct item_rows *r)
{
	struct label_sets_rows *s = (struct label_sets_rows *)r;
	uint64_t sets = labels_sets(r->st);
	OWN_ARRAY(struct set_of_labels) sum = ARRAY_INIT;

	if (store_column(r->st, COL_SAMPLE_LABELS) == NULL || !array_grow(&sum, sets + 1, &r->rows.err) ||
	    !sum_sets(s, sum.at, sets))
		return false;
	for (uint64_t i = 0; i <= sets; i++) {
		sum.at[i].set = (uint32_t)i;
		if (sum.at[i].samples > 0 && !item_rows_add(r, &sum.at[i]))
			return false;
	}
	return false;
}

static int
sets_find(struct rows *r, struct str name, UNUSED bool quoted)
{
	return label_columns_find(r, name, COL_NONE);
}

static void
q_labels_part_cell(struct item_rows *s, uint64_t total, struct cell *c)
{
	cell_part(c, total, ((const struct label_sets_rows *)s)->whole);
}

#define OF(member) ITEM(struct set_of_labels, member)

static const struct coldef set_cols[] = {
	{ "id", CELL_ID, "number of the set; 0: no labels", MADE(SHOW_NUMBER) },
	{ "labels", CELL_TEXT, "labels, by key", TEXT(label_columns_all) },
	{ "samples", CELL_COUNT, "samples", MADE(.show = SHOW_NUMBER, OF(samples)) },
	{ "total", CELL_NONE, "weight", MADE(.show = TRACE_WEIGHT, OF(total)) },
	{ "total_pct", CELL_PERCENT, "weight as a share of the weight of all samples", .head = "total%",
	    COMPUTED(q_labels_part_cell, OF(total)) }
};

static const struct rows_ops set_ops = { ITEM_OPS, .find = sets_find, .known = label_columns_known };

static const struct source sets = {
	.domain = &trace_domain, .size = sizeof(struct label_sets_rows), .item = sizeof(struct set_of_labels),
	    .step = sets_step, .ops = &set_ops
};

const struct command source_labels = {
	SOURCE("labels", "samples and weight by their labels", "labels | sort -total", item_rows_open),
	OVER(SHAPE_SAMPLES, set_cols), .source = &sets, .names = { "labels" }, .views = VIEWS_OF_SAMPLES
};
