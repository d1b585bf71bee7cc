/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_picture: the means of icecore compare with error bars, as SVG or as a page.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/bars.h"
#include "compare.h"

#define LEAD "Bars: means, from zero. Lines: 95 % intervals, of Student above, of the bootstrap below. Texts: mean, interval, ratio to the first, files."

/* "1.10 main" */
static bool
compare_bar_name(const struct compare_row *row, struct mean_bar *bar)
{
	struct buf b = BUF_INIT;

	buf_str(&b, str_of(row->group));
	if (row->stratum[0] != '\0') {
		buf_chr(&b, ' ');
		buf_str(&b, str_of(row->stratum));
	}
	bar->name = buf_view(&b);
	return !b.bad;
}

/* "207.2 ms (199.9 ms, 214.6 ms), 1.12, n 15" */
static bool
compare_bar_tell(const struct comparison *c, const struct compare_row *row, struct mean_bar *bar)
{
	static const enum compare_number shown[] = { NUMBER_MEAN, NUMBER_LOW, NUMBER_HIGH };
	static const char *const before[] = { "", " (", ", " };
	struct buf b = BUF_INIT;
	struct cell cell;

	for (size_t i = 0; i < NELEM(shown) && !isnan(row->number[shown[i]]); i++) {
		buf_str(&b, str_of(before[i]));
		compare_number_cell(&cell, c->unit, row->number[shown[i]]);
		cell_show(&cell, &b);
	}
	if (!isnan(row->number[NUMBER_HIGH]))
		buf_chr(&b, ')');
	if (!isnan(row->number[NUMBER_RATIO]))
		buf_printf(&b, ", %.3g", row->number[NUMBER_RATIO]);
	buf_printf(&b, "%sn %llu", b.n > 0 ? ", " : "", (unsigned long long)row->n);
	bar->told = buf_view(&b);
	return !b.bad;
}

bool
compare_picture(const struct comparison *c, struct rows *table, enum format format, struct err *err)
{
	static const enum compare_number at[BAR_NUMBERS] = { [BAR_VALUE] = NUMBER_MEAN, [BAR_LOW] = NUMBER_LOW, [BAR_HIGH] = NUMBER_HIGH,
	    [BAR_OTHER_LOW] = NUMBER_BOOT_LOW, [BAR_OTHER_HIGH] = NUMBER_BOOT_HIGH };
	struct mean_bar *bar = mem_array(c->nrows, sizeof *bar);
	struct buf title = BUF_INIT, text = BUF_INIT;
	bool ok = bar != NULL;

	for (size_t i = 0; ok && i < c->nrows; i++) {
		for (size_t k = 0; k < BAR_NUMBERS; k++)
			bar[i].at[k] = c->row[i].number[at[k]];
		ok = compare_bar_name(&c->row[i], &bar[i]) && compare_bar_tell(c, &c->row[i], &bar[i]);
	}
	text_fit_buf(&title, str_of(c->o->of));
	buf_printf(&title, " by %s", pattern_parts[c->o->part]);
	ok = (ok && !title.bad) || fail(err, E_SYSTEM, "out of memory (picture)");
	ok = ok && draw_error_bars(&(struct mean_bars){ bar, c->nrows, buf_view(&title), STR(LEAD) }, table, format, &text, err);
	if (ok)
		(void)fwrite(text.s, 1, text.n, stdout);
	for (size_t i = 0; bar != NULL && i < c->nrows; i++) {
		free((char *)(uintptr_t)bar[i].name.s);
		free((char *)(uintptr_t)bar[i].told.s);
	}
	free(bar);
	buf_free(&title);
	buf_free(&text);
	return ok;
}
