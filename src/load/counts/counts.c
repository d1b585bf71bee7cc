/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counts: loader of class histograms and of reports of Native Memory Tracking, alone or in a log.
 */
#include "config.h"

#include <string.h>

#include "icecore/dumped.h"
#include "icecore/scan.h"

#include "counts.h"

/* ---- lines ----------------------------------------------------------------------------- */

/* The text has a time of day, or is that of a log. */
static bool
has_clock(struct str s)
{
	struct str before, rest;

	while (str_divide(s, STR(":"), &before, &rest)) {
		if (before.n >= 2 && is_digit(before.s[before.n - 1]) && str_digits(rest) == 2 && rest.n > 2 &&
		    rest.s[2] == ':' && str_digits(str_after(rest, 3)) == 2)
			return true;
		s = rest;
	}
	return false;
}

/* The resident memory of the process, from /proc/PID/status: of the report that follows, or of the one above. */
static bool
rss_line(struct counts *c, struct str line)
{
	struct native_report *r = c->nreports == c->before ? NULL :
	    &SCRATCH(c->reports, struct native_report)[c->nreports - 1];
	uint64_t n;

	if (!scan(&line, "VmRSS:%_%u%_kB", &n))
		return false;
	n = n > UINT64_MAX >> 10 ? UINT64_MAX : n << 10;
	if (r != NULL && r->rss == 0)
		r->rss = n;
	else
		c->rss = n;
	return true;
}

static bool
counts_is_head(struct str line)
{
	enum histogram_form form;
	size_t at;

	return histogram_is_head(line, &form, &at) || native_is_head(line);
}

bool
counts_line(struct counts *c, struct str line, bool cut)
{
	if (c->bad)
		return false;
	if (counts_is_head(line)) {
		histogram_close(c);
		native_end(c);
	}
	if (histogram_take(c, line, cut) || rss_line(c, line) || native_line(c, line, cut))
		return true;
	if (line.n <= WHEN_MOST && has_clock(line))
		histogram_when(c, line);
	return false;
}

void
counts_next_file(struct counts *c)
{
	histogram_close(c);
	native_end(c);
	c->when = STR("");
	c->rss = 0;
	c->before = c->nreports;
	c->file++;
}

void
counts_open(struct counts *c, struct store *st, struct err *err)
{
	*c = (struct counts){ .st = st, .err = err, .file = 1 };
}

void
counts_close(struct counts *c)
{
	idmap_free(&c->by_name);
	SCRATCH_FREE(&c->histograms, &c->rows, &c->classes, &c->reports, &c->categories, &c->sites);
}

/* ---- loader ---------------------------------------------------------------------------- */

static bool
counts_sniff(const uint8_t *head, size_t n)
{
	struct str text = { (const char *)head, n };

	return n > 0 && memchr(head, '\0', n < SNIFF_MAX ? n : SNIFF_MAX) == NULL && lines_have(text, counts_is_head);
}

static bool
counts_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct lines l = lines_of((struct str){ (const char *)m->data, (size_t)m->size });
	const struct str mark = str_head(str_after(STR(SERIES_MARK), 1), 1);
	struct counts c;
	struct str line;
	unsigned shapes;
	bool ok = true;

	counts_open(&c, st, err);
	scratch_budget_rows(l.rest.n / 32);
	work_start_bytes(w, "class histogram", l.rest.n);
	scan(&l.rest, "\xef\xbb\xbf");
	while (ok && !c.bad && lines_next(&l, &line)) {
		ok = lines_look(&l, lines_at(&l), w, err);
		if (str_eq(line, mark))
			counts_next_file(&c);
		else
			counts_line(&c, line, l.cut);
	}
	ok = ok && counts_columns(&c, &shapes) && (shapes != 0 ||
	    fail(err, E_UNREADABLE, "a class histogram without classes")) &&
	    fact_set(st, FACT_SHAPES, shapes, err) &&
	    fact_set_text(st, FACT_FORMAT, shapes == SHAPE_COUNTS ? STR("class histogram") : shapes == SHAPE_NATIVE ?
	    STR("Native Memory Tracking") : STR("class histogram and Native Memory Tracking"), err);
	counts_close(&c);
	return ok;
}

const struct loader load_counts = {
	"counts", "class histogram or Native Memory Tracking: jcmd, jmap, dotnet-dump",
	SHAPE_COUNTS | SHAPE_NATIVE, counts_sniff, counts_load, .whole = true
};
