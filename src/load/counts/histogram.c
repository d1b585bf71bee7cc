/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram: class histograms, as jmap, jcmd, jhsdb, logs of JVMs, and dumpheap -stat of .NET print them.
 */
#include "config.h"

#include <string.h>

#include "icecore/scan.h"

#include "counts.h"

#define MOST_MISSING 1000000u	/* a larger gap in the numbers of rows is a damaged number */

/* ---- first lines -------------------------------------------------------------------- */

/* OpenJ9 has other names for the columns.  The prefix of a log is before the first one. */
bool
histogram_is_head(struct str line, enum histogram_form *form, size_t *at)
{
	static const struct {
		struct str	first, second, third;
	} heads[] = {
		[HISTOGRAM_HOTSPOT] = { STR("num "), STR("#instances"), STR("#bytes") },
		[HISTOGRAM_OPENJ9] = { STR("num "), STR("object count"), STR("total size") },
		[HISTOGRAM_DOTNET] = { STR("MT "), STR("Count"), STR("TotalSize") },
	};
	struct str before, between, rest;

	for (size_t i = 0; i < NELEM(heads); i++)
		if (str_divide(line, heads[i].first, &before, &rest) &&
		    str_divide(rest, heads[i].second, &between, &rest) && counts_trim(between).n == 0 &&
		    str_has(rest, heads[i].third)) {
			*form = (enum histogram_form)i;
			*at = before.n;
			return true;
		}
	return false;
}

/* ---- rows ------------------------------------------------------------------------------ */

static struct class_histogram *
histogram_open(struct counts *c)
{
	assert(!c->h.empty && c->nhistograms > 0);
	return &SCRATCH(c->histograms, struct class_histogram)[c->nhistograms - 1];
}

/* A histogram enters the table with its first row: a file that is cut behind the head has none more. */
static bool
histogram_first(struct counts *c)
{
	const struct class_histogram new = { .when = c->h.when, .file = c->file };

	if (!c->h.empty)
		return !c->bad;
	MAKE_PUT(c, histograms, new, MAKE_MOST, "class histograms");
	c->h.empty = c->bad;
	return !c->bad;
}

static struct counted *
counted_named(struct counts *c, struct str name)
{
	const struct counted new = { .name = str_head(name, REF_MAX) };
	uint32_t n = 0;

	c->bad = c->bad || !idmap_enter(&c->by_name, idmap_hash_text(name, 1), (uint32_t)(c->nclasses + 1), &n,
	    c->err);
	if (n > c->nclasses)
		MAKE_PUT(c, classes, new, MAKE_MOST, "classes");
	return c->bad ? NULL : &SCRATCH(c->classes, struct counted)[n - 1];
}

/* Add a row of the open histogram to its class. */
static void
class_add(struct counts *c, struct counted *k, uint64_t objects, uint64_t bytes)
{
	uint32_t at = (uint32_t)c->nhistograms;

	assert(at > 0 && k->last <= at);
	if (k->last != at) {
		k->rises += k->last > 1 && k->bytes > k->before;
		k->before = k->last > 0 && k->last + 1 == at ? k->bytes : 0;
		k->objects = k->bytes = 0;
		k->last = at;
		k->seen++;
	}
	k->objects = num_add(k->objects, objects);
	k->bytes = num_add(k->bytes, bytes);
	if (at == 1) {
		k->first_objects = k->objects;
		k->first_bytes = k->bytes;
	}
}

static void
histogram_row(struct counts *c, uint64_t objects, uint64_t bytes, struct str name)
{
	struct counted *k = histogram_first(c) ? counted_named(c, name) : NULL;
	struct class_histogram *h;
	struct count_row row;

	if (k == NULL)
		return;
	assert(name.n > 0);
	class_add(c, k, objects, bytes);
	row = (struct count_row){ objects, bytes, (uint32_t)c->nhistograms,
	    (uint32_t)(k - SCRATCH(c->classes, struct counted)) + 1 };
	MAKE_PUT(c, rows, row, MAKE_MOST, "rows of histograms");
	h = histogram_open(c);
	h->classes++;
	h->objects = num_add(h->objects, objects);
	h->bytes = num_add(h->bytes, bytes);
}

/*
 * "   1:   1234   56789  java.lang.String (java.base@17)", without the colon if OpenJ9 writes it.  Rows are
 * numbered without gaps; the first of the next histogram may come without a head if that is damaged.  A time
 * of day and the number of a process ("4711:") have no blank behind the colon.
 */
static bool
java_row(struct counts *c, struct str s, bool cut)
{
	uint64_t rank, objects, bytes;
	struct str row = s;
	bool ok = scan(&row, "%u{:}%_%u%_%u%_", &rank, &objects, &bytes) && row.n > 0;
	bool colon = scan(&s, "%*d:");

	if (!colon && !(ok && c->h.form == HISTOGRAM_OPENJ9 && scan(&s, "%*d")))
		return false;
	if (s.n == 0 || !is_blank(s.s[0]))
		return false;
	if (!ok || cut) {
		c->count[COUNTS_LOST_ROWS]++;
		c->h.rank++;
		return true;
	}
	if (rank == 1 && c->h.rank > 0) {
		histogram_close(c);
		c->h = (struct open_histogram){ .on = true, .empty = true, .form = c->h.form,
		    .prefix = c->h.prefix };
	}
	if (rank > c->h.rank + 1)
		c->count[COUNTS_LOST_ROWS] += rank - c->h.rank <= MOST_MISSING ? rank - c->h.rank - 1 : 1;
	c->h.rank = rank > c->h.rank + MOST_MISSING ? c->h.rank + 1 : rank;
	histogram_row(c, objects, bytes, row);
	return true;
}

/* Take digits in groups: "1,234,567", or with another separator of the user's language. */
static bool
grouped_number(struct str *s, uint64_t *n)
{
	static const struct str separators[] = { STR(","), STR("."), STR("'"), STR("\xc2\xa0"),
	    STR("\xe2\x80\xaf"), STR("\xe2\x80\x99") };
	uint64_t group;

	if (!str_number(s, n))
		return false;
	for (size_t i = 0; i < NELEM(separators); i++)
		for (;;) {
			struct str rest = *s;

			if (!str_take(&rest, separators[i]) || str_digits(rest) != 3 ||
			    !str_number(&rest, &group) || *n > (UINT64_MAX - group) / 1000)
				break;
			*n = *n * 1000 + group;
			*s = rest;
		}
	return true;
}

/* Take a number and the blanks behind it; false: there are none. */
static bool
number_column(struct str *s, uint64_t *n)
{
	if (!grouped_number(s, n) || s->n == 0 || !is_blank(s->s[0]))
		return false;
	*s = str_skip_blanks(*s);
	return true;
}

/* "00007f6c1dc00f90   206770   19494060 System.String" */
static bool
dotnet_row(struct counts *c, struct str s, bool cut)
{
	uint64_t objects, bytes;
	struct str row = s;

	if (!scan(&row, "%*x%_") || row.s == s.s || row.n == 0 || !is_blank(row.s[-1]) || !is_digit(row.s[0]))
		return false;
	if (!number_column(&row, &objects) || !number_column(&row, &bytes) || row.n == 0 || cut) {
		c->count[COUNTS_LOST_ROWS]++;
		return true;
	}
	histogram_row(c, objects, bytes, row);
	return true;
}

/* "Total   1234   56789", "Total : 1234 56789", "Total 1,234 objects, 56,789 bytes" */
static bool
total_line(struct counts *c, struct str s)
{
	if (!scan(&s, "Total%_{:}%_") || !grouped_number(&s, &c->h.objects))
		return false;
	(void)scan(&s, "%_objects{,}");
	s = str_skip_blanks(s);
	if (!grouped_number(&s, &c->h.bytes))
		c->h.bytes = UINT64_MAX;
	c->h.total = true;
	histogram_close(c);
	return true;
}

void
histogram_close(struct counts *c)
{
	struct class_histogram *h;

	if (c->bad || !c->h.on)
		return;
	c->h.on = false;
	if (c->h.empty) {
		c->count[COUNTS_BAD_HISTOGRAMS] += !c->h.total || c->h.objects > 0;
		return;
	}
	h = histogram_open(c);
	h->whole = c->h.total && h->objects == c->h.objects && (c->h.bytes == UINT64_MAX || h->bytes == c->h.bytes);
	c->count[COUNTS_BAD_HISTOGRAMS] += !h->whole;
}

void
histogram_when(struct counts *c, struct str line)
{
	struct str before, after;

	line = counts_trim(line);
	if (line.n > 0 && line.s[0] == '[' && str_divide(line, STR("]"), &before, &after))
		line.n = before.n + 1;
	c->when = str_head(line, WHEN_MOST);
}

static void
histogram_begin(struct counts *c, struct str line, enum histogram_form form, size_t at)
{
	struct str prefix = str_head(line, at);

	while (prefix.n > 0 && is_blank(prefix.s[prefix.n - 1]))
		prefix.n--;
	if (prefix.n > 0)
		histogram_when(c, prefix);
	c->h = (struct open_histogram){ .on = true, .empty = true, .form = form, .prefix = prefix, .when = c->when };
	c->when = STR("");
}

/* Lines of others are between those of a histogram if several threads write a log. */
bool
histogram_take(struct counts *c, struct str line, bool cut)
{
	struct str s = line;
	enum histogram_form form;
	size_t at;

	if (histogram_is_head(line, &form, &at)) {
		histogram_begin(c, line, form, at);
		return true;
	}
	if (!c->h.on || (c->h.prefix.n > 0 && !lines_take_prefix(&s, c->h.prefix)))
		return false;
	s = counts_trim(s);
	if (s.n >= 20 && s.s[0] == '-' && s.s[s.n - 1] == '-')
		return true;
	return s.n > 0 && (total_line(c, s) ||
	    (c->h.form == HISTOGRAM_DOTNET ? dotnet_row(c, s, cut) : java_row(c, s, cut)));
}
