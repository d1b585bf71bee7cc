/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counts_pane: class histograms and reports of Native Memory Tracking.
 */
#include "config.h"

#include "icecore/columns_counts.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec counted_list[] = { {
	.columns = "select objects shallow shallow_pct name module id", .sort = "-shallow", .hide = "id",
	.quiet = "module", .naming = "name", .named = "name", .opens = "counts | where class = {id}", .about = "name"
} };

static const struct list_spec counted_growth_list[] = { {
	.columns = "select shallow_delta shallow objects_delta objects always name shallow_before objects_before "
	"module id",
	.sort = "-shallow_delta", .hide = "id", .quiet = "shallow_before objects_before module", .naming = "name",
	.named = "name", .opens = "counts | where class = {id}", .about = "name"
} };

static const struct list_spec histograms_list[] = { {
	.columns = "select id when classes objects shallow whole file", .quiet = "file", .naming = "when",
	.opens = "counts | where histogram = {id} | sort -shallow", .about = "id"
} };

static const struct list_spec native_list[] = { {
	.columns = "select committed committed_pct reserved malloc mmap arena count name committed_delta mallocs id",
	.sort = "-committed", .hide = "id", .quiet = "committed_delta mallocs", .naming = "name", .named = "name",
	.opens = "native_sites | where category = {name} | sort -bytes", .about = "name"
} };

static const struct list_spec native_sites_list[] = { {
	.columns = "select bytes count category function callers reserved bytes_delta id", .sort = "-bytes",
	.hide = "id", .quiet = "reserved bytes_delta", .naming = "function", .named = "function"
} };

/* One histogram has no growth. */
static bool
counts_several(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_HISTOGRAM_BYTES)) > 1;
}

static bool
has_sites(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_SITE_BYTES)) > 0;
}

#define LIST_OF_COUNTS(name, source, shapes, specs, ...) { name, source, shapes, IN_LIST, LISTS_OF(specs), \
	.plain = true, .act = list_pane_act, __VA_ARGS__ }

const struct pane_kind pane_counted = LIST_OF_COUNTS("Classes", "classes", SHAPE_COUNTS, counted_list, .fits = NULL);
const struct pane_kind pane_counted_growth = LIST_OF_COUNTS("Growth", "growth", SHAPE_COUNTS, counted_growth_list,
    .fits = counts_several);
const struct pane_kind pane_histograms = LIST_OF_COUNTS("Histograms", "histograms", SHAPE_COUNTS, histograms_list,
    .fits = counts_several);
const struct pane_kind pane_native = LIST_OF_COUNTS("Native", "native_memory", SHAPE_NATIVE, native_list, .fits = NULL);
const struct pane_kind pane_native_sites = LIST_OF_COUNTS("Sites", "native_sites", SHAPE_NATIVE, native_sites_list,
    .fits = has_sites);
