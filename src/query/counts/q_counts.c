/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_counts: the classes of class histograms, their growth from the first histogram to the last, and all rows.
 */
#include "config.h"

#include "icecore/columns_counts.h"
#include "icecore/facts.h"
#include "icecore/name.h"
#include "query/trace/trace.h"

/* ---- names: "[Ljava.lang.Object; (java.base@17.0.15)" ------------------------------------- */

/* Divide a name as written from its module, which only histograms of JVMs have. */
static struct str
class_and_module(struct item_rows *s, uint64_t ref, struct str *module)
{
	struct str name = store_text(s->st, ref), class;

	*module = STR("");
	if (str_has_suffix(name, STR(")")) && str_divide(name, STR(" ("), &class, module)) {
		module->n--;
		return class;
	}
	return name;
}

static bool
q_counts_name_text(struct item_rows *s, uint64_t ref, struct buf *b)
{
	size_t dimensions;
	struct str module, class = class_and_module(s, ref, &module), element = name_element(class, &dimensions);

	/* A damaged name stays as it is. */
	if (dimensions > 0 && element.s == class.s + dimensions) {
		element = class;
		dimensions = 0;
	}
	buf_str(b, element);
	while (dimensions-- > 0)
		buf_str(b, STR("[]"));
	return true;
}

static bool
q_counts_module_text(struct item_rows *s, uint64_t ref, struct buf *b)
{
	struct str module;

	(void)class_and_module(s, ref, &module);
	buf_str(b, module);
	return module.n > 0;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void
q_counts_share_cell(struct item_rows *s, uint64_t bytes, struct cell *c)
{
	const struct column *all = store_column(s->st, COL_HISTOGRAM_BYTES);

	cell_part(c, bytes, column_rows(all) == 0 ? 0 : column_get(all, all->rows - 1));
}

/* The mean of the instances; empty: there are none. */
static void
instance_cell(struct item_rows *s, uint64_t bytes, struct cell *c)
{
	uint64_t objects = item_other(s);

	cell_number(c, CELL_BYTES, objects == 0 ? 0 : bytes / objects);
}

/* A change of bytes below 0 has no unit. */
static void
change_cell(struct item_rows *s, uint64_t last, struct cell *c)
{
	c->i = num_difference(last, item_other(s));
	c->type = c->i < 0 ? CELL_INT : c->type;
}

static void
counted_always_cell(struct item_rows *s, uint64_t rises, struct cell *c)
{
	uint64_t n = column_rows(store_column(s->st, COL_HISTOGRAM_BYTES));

	c->u = n > 1 && rises == n - 1;
}

#define NAMED(...) { "name", CELL_TEXT, "class", TEXT(q_counts_name_text, __VA_ARGS__), .cut = CUT_FRONT }, \
	{ "module", CELL_TEXT, "module with its version (JDK 11 or newer)", MORE, \
	    TEXT(q_counts_module_text, __VA_ARGS__) }

/* ---- classes ---------------------------------------------------------------------------------- */

static const struct coldef counted_cols[] = {
	NAMED(.by = COL_COUNTED_NAME),
	{ "objects", CELL_COUNT, "instances in the last histogram", NUMBER(COL_COUNTED_OBJECTS) },
	{ "shallow", CELL_BYTES, "shallow size of these instances", NUMBER(COL_COUNTED_BYTES) },
	{ "shallow_pct", CELL_PERCENT, "shallow as a share of the last histogram", .head = "shallow%",
	    COMPUTED(q_counts_share_cell, .by = COL_COUNTED_BYTES) },
	{ "mean_size", CELL_BYTES, "mean shallow size of one instance", MORE,
	    COMPUTED(instance_cell, .by = COL_COUNTED_BYTES, .other = COL_COUNTED_OBJECTS) },
	{ "histograms", CELL_COUNT, "histograms that contain the class", MORE, NUMBER(COL_COUNTED_SEEN) },
	{ "id", CELL_ID, "class number in file order", MORE, OWN_NUMBER }
};

/* Those that the last histogram lacks have no objects. */
static bool
counted_begin(struct item_rows *s, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	uint64_t n = column_rows(store_column(s->st, COL_COUNTED_NAME));
	bool ok = true;

	for (uint64_t i = 1; ok && i <= n; i++)
		if (store_cell(s->st, COL_COUNTED_OBJECTS, i) > 0 || store_cell(s->st, COL_COUNTED_BYTES, i) > 0)
			ok = item_rows_add_number(s, (uint32_t)i);
	return ok;
}

static const struct source counted = { .domain = &trace_domain, .begin = counted_begin };

const struct command source_counted_classes = {
	SOURCE("classes", "classes of the last class histogram", "classes | sort -shallow | head 10", item_rows_open),
	OVER(SHAPE_COUNTS, counted_cols), .source = &counted,
	.names = { "name", "module" }, .by_rows = true
};

/* ---- growth ------------------------------------------------------------------------------------- */

static const struct coldef counted_growth_cols[] = {
	{ "shallow_delta", CELL_BYTES, "change of shallow, from the first histogram to the last",
	    COMPUTED(change_cell, .by = COL_COUNTED_BYTES, .other = COL_COUNTED_FIRST_BYTES) },
	{ "shallow", CELL_BYTES, "shallow size in the last histogram", NUMBER(COL_COUNTED_BYTES) },
	{ "objects_delta", CELL_INT, "change in instances",
	    COMPUTED(change_cell, .by = COL_COUNTED_OBJECTS, .other = COL_COUNTED_FIRST_OBJECTS) },
	{ "objects", CELL_COUNT, "instances in the last histogram", NUMBER(COL_COUNTED_OBJECTS) },
	{ "always", CELL_BOOL, "every histogram has more bytes than the one before",
	    COMPUTED(counted_always_cell, .by = COL_COUNTED_RISES) },
	NAMED(.by = COL_COUNTED_NAME),
	{ "shallow_before", CELL_BYTES, "shallow size in the first histogram", MORE, NUMBER(COL_COUNTED_FIRST_BYTES) },
	{ "objects_before", CELL_COUNT, "instances in the first histogram", MORE, NUMBER(COL_COUNTED_FIRST_OBJECTS) },
	{ "rises", CELL_COUNT, "histograms with more bytes than the one before", MORE, NUMBER(COL_COUNTED_RISES) },
	{ "histograms", CELL_COUNT, "histograms that contain the class", MORE, NUMBER(COL_COUNTED_SEEN) },
	{ "id", CELL_ID, "class number in file order", MORE, OWN_NUMBER }
};

/* One histogram has no growth. */
static bool
counted_growth_begin(struct item_rows *s, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	return column_rows(store_column(s->st, COL_HISTOGRAM_BYTES)) == 1 || item_rows_each(s, COL_COUNTED_NAME, false);
}

static void
no_growth(const struct session *session, struct buf *b)
{
	if (column_rows(store_column(session_store(session), COL_HISTOGRAM_BYTES)) < 2)
		buf_text(b, "growth needs two or more class histograms, in one file or several: icecore -e growth "
		    "FIRST ... LAST");
}

static const struct source counted_growth = { .domain = &trace_domain, .begin = counted_growth_begin };

const struct command source_counted_growth = {
	SOURCE("growth", "change of each class from the first class histogram to the last",
	    "growth | where shallow_delta > 0 | top 10 shallow_delta", item_rows_open),
	OVER(SHAPE_COUNTS, counted_growth_cols), .source = &counted_growth, .names = { "name", "module" },
	.nothing = no_growth
};

/* ---- histograms, and their rows ------------------------------------------------------------------- */

static const struct coldef histograms_cols[] = {
	{ "id", CELL_ID, "number in file order", OWN_NUMBER },
	{ "when", CELL_TEXT, "time in a line above it, as written", IN(SHOW_REF, COL_HISTOGRAM_WHEN) },
	{ "classes", CELL_COUNT, "rows", NUMBER(COL_HISTOGRAM_CLASSES) },
	{ "objects", CELL_COUNT, "instances of these rows", NUMBER(COL_HISTOGRAM_OBJECTS) },
	{ "shallow", CELL_BYTES, "shallow size of these instances", NUMBER(COL_HISTOGRAM_BYTES) },
	{ "whole", CELL_BOOL, "its rows add up to its Total line", NUMBER(COL_HISTOGRAM_WHOLE) },
	{ "file", CELL_ID, "number of its file if several are open", MORE, NUMBER(COL_HISTOGRAM_FILE) }
};

const struct command source_histograms = {
	TABLE_SOURCE("histograms", "class histograms of the file", "histograms | sort -shallow", SHAPE_COUNTS,
	    histograms_cols, COL_HISTOGRAM_BYTES)
};

static const struct coldef counts_cols[] = {
	{ "histogram", CELL_ID, "number of the histogram", NUMBER(COL_COUNT_HISTOGRAM) },
	NAMED(.by = COL_COUNT_CLASS, .then = COL_COUNTED_NAME),
	{ "objects", CELL_COUNT, "instances", NUMBER(COL_COUNT_OBJECTS) },
	{ "shallow", CELL_BYTES, "their shallow size", NUMBER(COL_COUNT_BYTES) },
	{ "when", CELL_TEXT, "time of the histogram, as written", MORE,
	    IN(SHOW_REF, COL_COUNT_HISTOGRAM, .then = COL_HISTOGRAM_WHEN) },
	{ "class", CELL_ID, "row of the class in 'classes'", MORE, NUMBER(COL_COUNT_CLASS) }
};

const struct command source_counts = {
	TABLE_SOURCE("counts", "rows of all class histograms", "counts | where name = java.lang.String",
	    SHAPE_COUNTS, counts_cols, COL_COUNT_BYTES),
	.names = { "name", "module" }
};
