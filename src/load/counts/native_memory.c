/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native_memory: reports of Native Memory Tracking, as jcmd VM.native_memory prints them: summaries, details,
 * and both with changes since a baseline.
 *
 * Sizes have a unit unless the scale is bytes: "reserved=131072KB".  After a baseline a change may follow
 * each of them: "reserved=1573KB +39KB".
 */
#include "config.h"

#include "icecore/scan.h"

#include "counts.h"

/* ---- sizes ------------------------------------------------------------------------------ */

/* A size in bytes; *unit: what it is a multiple of. */
static bool
native_size(struct str *s, uint64_t *bytes, uint64_t *unit)
{
	static const struct {
		struct str	name;
		unsigned	shift;
	} units[] = { { STR("KB"), 10 }, { STR("MB"), 20 }, { STR("GB"), 30 }, { STR("B"), 0 }, { STR(""), 0 } };
	struct str rest = *s;
	size_t i = 0;

	if (!str_number(&rest, bytes))
		return false;
	while (!str_take(&rest, units[i].name))
		i++;
	*unit = UINT64_C(1) << units[i].shift;
	*bytes = *bytes > UINT64_MAX >> units[i].shift ? UINT64_MAX : *bytes << units[i].shift;
	*s = rest;
	return true;
}

/* A change behind a blank, which may be missing; it is written with its sign. */
static void
native_change(struct str *s, int64_t *change)
{
	struct str rest = str_skip_blanks(*s);
	uint64_t n, unit;
	bool less = rest.n > 0 && rest.s[0] == '-';

	*change = 0;
	if (rest.n == 0 || !is_one_of(rest.s[0], "+-"))
		return;
	rest = str_after(rest, 1);
	if (!native_size(&rest, &n, &unit))
		return;
	*s = rest;
	*change = n > INT64_MAX ? INT64_MAX : (int64_t)n;
	*change = less ? -*change : *change;
}

/* A size and its change; false: it cannot be read. */
static bool
changed_size(struct counts *c, struct str *s, uint64_t *bytes, int64_t *change)
{
	uint64_t unit;

	if (!native_size(s, bytes, &unit))
		return false;
	if (c->nreports > 0)
		SCRATCH(c->reports, struct native_report)[c->nreports - 1].unit = unit;
	native_change(s, change);
	return true;
}

/* "reserved=10KB +1KB, committed=5KB", and whatever follows. */
static bool
native_both(struct counts *c, struct str *s, uint64_t *reserved, uint64_t *committed, int64_t *change)
{
	return scan(s, "reserved=") && changed_size(c, s, reserved, change) && scan(s, ", committed=") &&
	    changed_size(c, s, committed, change);
}

/* ---- categories ------------------------------------------------------------------------ */

static struct native_report *
report_open(struct counts *c)
{
	assert(c->nreports > 0);
	return &SCRATCH(c->reports, struct native_report)[c->nreports - 1];
}

/* "-                 Java Heap (reserved=131072KB, committed=51200KB)" */
static bool
category_line(struct counts *c, struct str s)
{
	struct native_category new = { .report = (uint32_t)c->nreports };
	struct str name, rest;
	struct native_report *r;

	assert(c->r.on);
	if (!scan(&s, "-%_") || !str_divide(s, STR("(reserved="), &name, &rest))
		return false;
	new.name = counts_trim(name);
	s = str_after(s, name.n + 1);
	c->r.category = new.name.n > 0 && native_both(c, &s, &new.reserved, &new.committed, &new.change) &&
	    s.n > 0;
	if (!c->r.category)
		return false;
	MAKE_PUT(c, categories, new, MAKE_MOST, "categories");
	r = report_open(c);
	r->sum = num_add(r->sum, new.committed);
	r->categories++;
	return true;
}

static uint64_t
native_blocks(struct str s)
{
	struct str before, after;
	uint64_t n;

	return str_divide(s, STR("#"), &before, &after) && str_number(&after, &n) ? n : 0;
}

/* Lines of the open category.  Those that only divide its parts further are skipped. */
static bool
part_line(struct counts *c, struct str s)
{
	static const char *const skipped[] = { "(  instance classes*", "*(  Metadata*", "(    reserved=*",
	    "(    used=*",
	    "(    waste=*", "(    free=*", "*(  Class space*", "(tracking overhead=*" };
	struct native_category *k = &SCRATCH(c->categories, struct native_category)[c->ncategories - 1];
	uint64_t reserved, n;
	int64_t change;

	assert(c->ncategories > 0);
	if (str_glob_any(skipped, NELEM(skipped), s))
		return true;
	if (scan(&s, "(mmap: ") || scan(&s, "(stack: ")) {
		if (!native_both(c, &s, &reserved, &n, &change))
			return false;
		k->mmap = num_add(k->mmap, n);
	} else if (scan(&s, "(malloc=") && changed_size(c, &s, &n, &change)) {
		k->malloc = num_add(k->malloc, n);
		k->mallocs = num_add(k->mallocs, native_blocks(s));
	} else if (scan(&s, "(arena=") && changed_size(c, &s, &n, &change)) {
		k->arena = num_add(k->arena, n);
	} else if (scan(&s, "(classes #%u", &n) || scan(&s, "(thread{s} #%u", &n)) {
		k->count = n;
	} else {
		return false;
	}
	return true;
}

/* ---- call sites ------------------------------------------------------------------------- */

/* The name of the category: "type=GC", "tag=Class Name", "Type=Thread Stack)". */
static struct str
site_category(struct str s)
{
	static const struct str keys[] = { STR("ype="), STR("ag=") };
	struct str before, after;
	size_t n = 0;

	for (size_t i = 0; i < NELEM(keys); i++)
		if (str_divide(s, keys[i], &before, &after)) {
			while (n < after.n && !is_one_of(after.s[n], "+-#)"))
				n++;
			return counts_trim(str_head(after, n));
		}
	return STR("");
}

/*
 * The line behind the frames of a call site: "(malloc=2KB type=GC +1KB #6 +2)", "((malloc=2KB tag=GC #6) (at
 * peak))", "(mmap: reserved=1MB, committed=4KB Type=Thread Stack)", or without the first word.
 */
static bool
site_line(struct counts *c, struct str s)
{
	struct native_site new = { .stack = str_head(c->r.stack, REF_MAX), .report = (uint32_t)c->nreports,
	    .category = site_category(s) };
	struct str before, after;
	bool ok;

	assert(c->r.stack.n > 0 && c->nreports > 0);
	s = str_has_prefix(s, STR("((")) ? str_after(s, 1) : s;
	(void)(scan(&s, "(mmap: ") || scan(&s, "(malloc=") || scan(&s, "(arena=") || scan(&s, "("));
	if (str_has_prefix(s, STR("reserved=")))
		ok = native_both(c, &s, &new.reserved, &new.bytes, &new.change);
	else if ((ok = changed_size(c, &s, &new.bytes, &new.change))) {
		new.count = native_blocks(s);
		/* The category is before the change. */
		if (new.change == 0 && new.category.n > 0 && str_divide(s, new.category, &before, &after))
			native_change(&after, &new.change);
	}
	c->r.stack = STR("");
	if (!ok) {
		c->count[COUNTS_LOST_LINES]++;
		return true;
	}
	MAKE_PUT(c, sites, new, MAKE_MOST, "call sites");
	return true;
}

/* "[0x00007f64883ddad8] OtherRegionsTable::add_reference(void*, unsigned int)+0x278", or a region of the map. */
static bool
native_frame(struct counts *c, struct str line)
{
	struct str s = line;

	if (!scan(&s, "[%*h"))
		return false;
	if (scan(&s, " - %*h]")) {
		c->count[COUNTS_REGIONS]++;
		return true;
	}
	if (!scan(&s, "]"))
		return false;
	if (c->r.map)
		return true;
	if (c->r.stack.n == 0)
		c->r.stack = line;
	c->r.stack.n = (size_t)(line.s + line.n - c->r.stack.s);
	c->r.category = false;
	return true;
}

/* ---- reports ------------------------------------------------------------------------------ */

bool
native_is_head(struct str line)
{
	return str_is(counts_trim(line), "Native Memory Tracking:");
}

/* The categories add up to the total, each rounded to the unit; those below it may be left out. */
static bool
report_is_whole(const struct native_report *r)
{
	return r->summed && r->categories > 0 && num_add(r->sum, (r->categories + 40) * r->unit) >= r->committed;
}

/* A report that is cut before its first category is counted as damaged, and does not hide the one before. */
void
native_end(struct counts *c)
{
	if (c->r.on && !c->bad) {
		c->count[COUNTS_BAD_REPORTS] += !report_is_whole(report_open(c)) || c->r.stack.n > 0;
		if (report_open(c)->categories == 0 && (c->nsites == 0 ||
		    SCRATCH(c->sites, struct native_site)[c->nsites - 1].report < c->nreports))
			c->nreports--;
	}
	c->r = (struct open_report){ .on = false };
}

static void
native_begin(struct counts *c)
{
	const struct native_report new = { .when = c->when, .rss = c->rss };

	MAKE_PUT(c, reports, new, MAKE_MOST, "reports");
	c->r.on = !c->bad;
	c->when = STR("");
	c->rss = 0;
}

/* "Total: reserved=1575416KB, committed=113804KB", and the total of malloc in the next line or two. */
static bool
report_total(struct counts *c, struct str s)
{
	struct native_report *r = report_open(c);
	int64_t change;

	if (!r->summed && scan(&s, "Total: "))
		return r->summed = native_both(c, &s, &r->reserved, &r->committed, &change);
	if (scan(&s, "malloc: ") || scan(&s, "malloc="))
		return changed_size(c, &s, &r->malloc, &change);
	return scan(&s, "mmap:");
}

static bool
report_line(struct counts *c, struct str s)
{
	static const char *const known[] = { "Memory file details*", "Details:*", "(Omitting categories*" };
	uint64_t n;

	if (scan(&s, "Virtual memory map:")) {
		c->r.map = true;
		c->r.category = false;
		return true;
	}
	if (str_glob_any(known, NELEM(known), s)) {
		c->r.map = c->r.map && s.s[0] != 'D';
		return true;
	}
	if (scan(&s, "(%u call sites weighting less", &n)) {
		c->count[COUNTS_OMITTED] = num_add(c->count[COUNTS_OMITTED], n);
		return true;
	}
	return report_total(c, s);
}

/* A category that is damaged, and no line of a shell: "-rw-r--r-- 1 root". */
static bool
like_category(struct str s)
{
	return str_has_prefix(s, STR("-  ")) || (s.s[0] == '-' && str_has(s, STR("(")));
}

/* Frames without the line of sizes behind them. */
static void
site_lost(struct counts *c)
{
	c->count[COUNTS_LOST_LINES] += c->r.stack.n > 0;
	c->r.stack = STR("");
}

/* Lines of a shell may be between reports; the lines of a report begin with one of few bytes. */
bool
native_line(struct counts *c, struct str line, bool cut)
{
	struct str s = counts_trim(line);
	bool ok;

	if (native_is_head(line)) {
		native_begin(c);
		return true;
	}
	if (s.n == 0)
		site_lost(c);
	if (!c->r.on || s.n == 0)
		return c->r.on;
	if (!is_one_of(s.s[0], "-([:TmVDM"))
		return false;
	ok = !cut && (native_frame(c, s) || report_line(c, s) || category_line(c, s) ||
	    (s.s[0] != '-' && c->r.stack.n > 0 && site_line(c, s)) || (c->r.category && part_line(c, s)));
	if (!ok && (cut || like_category(s)))
		c->count[COUNTS_LOST_LINES]++;
	else
		c->count[COUNTS_UNREAD] += !ok;
	return true;
}
