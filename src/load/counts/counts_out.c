/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counts_out: the columns and facts of histograms and reports.
 */
#include "config.h"

#include "icecore/columns_counts.h"

#include "counts.h"

/* ---- ends ------------------------------------------------------------------------------- */

/* Classes that the last histogram lacks have no objects. */
static void
settle_classes(struct counts *c)
{
	struct counted *k = SCRATCH(c->classes, struct counted);

	assert(c->nrows == 0 || (c->nclasses > 0 && c->nhistograms > 0));
	for (uint64_t i = 0; i < c->nclasses; i++) {
		k[i].rises += k[i].last > 1 && k[i].bytes > k[i].before;
		if (k[i].last != c->nhistograms)
			k[i].objects = k[i].bytes = 0;
	}
}

/*
 * Without changes since a baseline, those of the last report since the first one: categories of both with
 * the same name.  If their units differ, a difference below the larger unit comes from rounding.
 */
static bool
settle_changes(struct counts *c)
{
	struct native_category *k = SCRATCH(c->categories, struct native_category);
	OWN_IDMAP first = IDMAP_INIT;
	const struct native_report *r = SCRATCH(c->reports, struct native_report);
	bool written = false;
	uint64_t least = 0, now, before;
	uint32_t n;

	for (uint64_t i = 0; i < c->ncategories; i++)
		written |= k[i].change != 0;
	if (c->nreports > 1 && r[0].unit != r[c->nreports - 1].unit)
		least = r[0].unit > r[c->nreports - 1].unit ? r[0].unit : r[c->nreports - 1].unit;
	for (uint64_t i = 0; c->nreports > 1 && !written && i < c->ncategories; i++) {
		uint64_t key = idmap_hash_text(k[i].name, 1);

		if (k[i].report == 1 && !idmap_put(&first, key, (uint32_t)i + 1, c->err))
			return false;
		n = k[i].report == c->nreports ? idmap_get(&first, key) : 0;
		now = k[i].committed;
		before = n > 0 ? k[n - 1].committed : 0;
		if (k[i].report == c->nreports && (now > before ? now - before : before - now) >= least)
			k[i].change = num_difference(now, before);
	}
	return true;
}

/* ---- columns ---------------------------------------------------------------------------- */

#define PUT_COUNTS(c, columns, table, row) \
	make_columns((c)->st, columns, NELEM(columns), MAKE_TEXT_ROWS(SCRATCH((c)->table, struct row), (c)->n##table, \
	    store_source((c)->st)->data), (c)->err)

static bool
put_histograms(struct counts *c)
{
	static const struct make_column histograms[] = {
		MAKE_COLUMN(COL_HISTOGRAM_WHEN, class_histogram, when, MAKE_REF),
		MAKE(COL_HISTOGRAM_FILE, class_histogram, file), MAKE(COL_HISTOGRAM_CLASSES, class_histogram, classes),
		MAKE(COL_HISTOGRAM_OBJECTS, class_histogram, objects),
		    MAKE(COL_HISTOGRAM_BYTES, class_histogram, bytes),
		MAKE(COL_HISTOGRAM_WHOLE, class_histogram, whole),
	}, rows[] = {
		MAKE_FIT(COL_COUNT_HISTOGRAM, count_row, histogram), MAKE_FIT(COL_COUNT_CLASS, count_row, class),
		MAKE_FIT(COL_COUNT_OBJECTS, count_row, objects), MAKE_FIT(COL_COUNT_BYTES, count_row, bytes),
	}, classes[] = {
		MAKE_COLUMN(COL_COUNTED_NAME, counted, name, MAKE_REF),
		MAKE_FIT(COL_COUNTED_OBJECTS, counted, objects), MAKE_FIT(COL_COUNTED_BYTES, counted, bytes),
		MAKE_FIT(COL_COUNTED_FIRST_OBJECTS, counted, first_objects),
		MAKE_FIT(COL_COUNTED_FIRST_BYTES, counted, first_bytes),
		MAKE_FIT(COL_COUNTED_SEEN, counted, seen), MAKE_FIT(COL_COUNTED_RISES, counted, rises),
	};

	return PUT_COUNTS(c, histograms, histograms, class_histogram) && PUT_COUNTS(c, rows, rows, count_row) &&
	    PUT_COUNTS(c, classes, classes, counted);
}

static bool
put_reports(struct counts *c)
{
	static const struct make_column reports[] = {
		MAKE_COLUMN(COL_REPORT_WHEN, native_report, when, MAKE_REF),
		MAKE(COL_REPORT_RESERVED, native_report, reserved),
		    MAKE(COL_REPORT_COMMITTED, native_report, committed),
		MAKE(COL_REPORT_MALLOC, native_report, malloc), MAKE(COL_REPORT_RSS, native_report, rss),
	}, categories[] = {
		MAKE(COL_NATIVE_REPORT, native_category, report),
		MAKE_COLUMN(COL_NATIVE_NAME, native_category, name, MAKE_REF),
		MAKE(COL_NATIVE_RESERVED, native_category, reserved),
		    MAKE(COL_NATIVE_COMMITTED, native_category, committed),
		MAKE(COL_NATIVE_MALLOC, native_category, malloc), MAKE(COL_NATIVE_MALLOCS, native_category, mallocs),
		MAKE(COL_NATIVE_MMAP, native_category, mmap), MAKE(COL_NATIVE_ARENA, native_category, arena),
		MAKE(COL_NATIVE_COUNT, native_category, count),
		MAKE_COLUMN(COL_NATIVE_CHANGE, native_category, change, MAKE_SIGNED),
	}, sites[] = {
		MAKE(COL_SITE_REPORT, native_site, report), MAKE_COLUMN(COL_SITE_STACK, native_site, stack, MAKE_REF),
		MAKE_COLUMN(COL_SITE_NATIVE, native_site, category, MAKE_REF), MAKE(COL_SITE_BYTES, native_site, bytes),
		MAKE(COL_SITE_RESERVED, native_site, reserved), MAKE(COL_SITE_COUNT, native_site, count),
		MAKE_COLUMN(COL_SITE_CHANGE, native_site, change, MAKE_SIGNED),
	};

	return PUT_COUNTS(c, reports, reports, native_report) &&
	    PUT_COUNTS(c, categories, categories, native_category) && PUT_COUNTS(c, sites, sites, native_site);
}

static bool
put_counts_facts(struct counts *c)
{
	static const struct make_count counts[] = {
		{ FACT_UNREAD_REGIONS, COUNTS_REGIONS }, { FACT_UNREAD_REPORT_LINES, COUNTS_UNREAD },
		{ FACT_NATIVE_OMITTED, COUNTS_OMITTED }, { FACT_LOSS_HISTOGRAM_ROWS, COUNTS_LOST_ROWS },
		{ FACT_LOSS_HISTOGRAMS, COUNTS_BAD_HISTOGRAMS }, { FACT_LOSS_REPORT_LINES, COUNTS_LOST_LINES },
		{ FACT_LOSS_NATIVE_REPORTS, COUNTS_BAD_REPORTS },
	};
	const uint64_t *n = c->count;
	const char *reason = n[COUNTS_LOST_ROWS] > 0 ? "lines of a class histogram are missing or damaged" :
	    n[COUNTS_BAD_HISTOGRAMS] > 0 ? "the rows of a class histogram do not add up to a Total line" :
	    n[COUNTS_LOST_LINES] > 0 ? "lines of a report of native memory are damaged" :
	    n[COUNTS_BAD_REPORTS] > 0 ? "categories of a report of native memory are missing" : "";
	uint64_t rss = c->nreports == 0 ? 0 : SCRATCH(c->reports, struct native_report)[c->nreports - 1].rss;
	const struct make_fact facts[] = {
		{ FACT_HISTOGRAMS, c->nhistograms, MAKE_ANY }, { FACT_COUNTED_CLASSES, c->nclasses, MAKE_ANY },
		{ FACT_HISTOGRAM_ROWS, c->nrows, MAKE_ANY }, { FACT_NATIVE_REPORTS, c->nreports, MAKE_ANY },
		{ FACT_NATIVE_SITES, c->nsites, MAKE_ANY }, { FACT_NATIVE_RSS, rss, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(c->st, facts, NELEM(facts), c->err) &&
	    make_counts(c->st, counts, NELEM(counts), n, c->err);
}

bool
counts_columns(struct counts *c, unsigned *shapes)
{
	histogram_close(c);
	native_end(c);
	*shapes = (c->nrows > 0 ? SHAPE_COUNTS : 0u) | (c->ncategories > 0 ? SHAPE_NATIVE : 0u);
	if (c->bad || *shapes == 0)
		return !c->bad;
	settle_classes(c);
	return settle_changes(c) && (c->nrows == 0 || put_histograms(c)) && (c->ncategories == 0 || put_reports(c)) &&
	    put_counts_facts(c);
}
