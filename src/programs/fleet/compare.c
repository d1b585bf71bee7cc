/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare: icecore compare: measure many files and compare their builds.
 *
 * Each file gives one value or is omitted by name: nothing disappears silently.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "icecore/lev.h"
#include "compare.h"

#define USUAL "/{any}"		/* behind the part that is compared: the directory of a file */

static enum cell_type
compare_unit(struct str name)
{
	static const enum cell_type units[] = { CELL_TIME, CELL_BYTES, CELL_COUNT, CELL_PERCENT };

	for (size_t i = 0; i < NELEM(units); i++)
		if (str_eq(name, str_of(cell_type_name(units[i]))))
			return units[i];
	return CELL_REAL;
}

/* NULL: the value has none. */
static const char *
compare_clock(struct str name)
{
	for (size_t i = 0; i < CLOCKS; i++)
		if (str_is(name, clock_names[i]))
			return clock_names[i];
	return NULL;
}

/* Join the parts of the path that make the stratum; false: the path lacks one. */
static bool
compare_stratum(const struct fleet_options *o, const struct pattern_found *found, struct buf *b)
{
	bool all = true;

	for (size_t i = 0; i < PATTERN_PARTS; i++) {
		if ((o->strata >> i & 1) == 0)
			continue;
		if (b->n > 0)
			buf_chr(b, ' ');
		buf_str(b, found->part[i]);
		all = all && found->part[i].n > 0;
	}
	return all;
}

static bool
compare_add(struct comparison *c, struct measured *f, struct err *err)
{
	if (f->path != NULL && f->group != NULL && f->stratum != NULL &&
	    mem_grow(&c->file, &c->cap, c->n + 1, sizeof *c->file)) {
		c->file[c->n++] = *f;
		return true;
	}
	free(f->path);
	free(f->group);
	free(f->stratum);
	free(f->why);
	return fail(err, E_SYSTEM, "out of memory (files)");
}

/* Return why a file has no value, NULL: it has one. */
static const char *
compare_why(const struct triage_block *b, bool named, double *value, struct buf *text)
{
	struct str why = triage_text(&b->page, "why"), state = triage_text(&b->dump, "state");

	*value = triage_real(&b->page, "value");
	if (!named)
		return "its path does not match the pattern of names";
	if (isfinite(*value))
		return NULL;
	if (b->page.n == 0) {
		buf_str(text, str_eq(state, STR("salvaged")) ? STR("damaged") : state);
		buf_str(text, STR(": "));
		why = triage_text(&b->dump, "reason");
	}
	buf_str(text, why);
	return text->bad || text->n == 0 ? "no value" : text->s;
}

static bool
compare_take(void *to, const char *name, const struct triage_block *b, struct err *err)
{
	struct comparison *c = to;
	const struct fleet_options *o = c->o;
	struct pattern_found found = pattern_find(o->pattern, name);
	struct buf stratum = BUF_INIT, text = BUF_INIT;
	struct measured f = { .path = mem_copy(str_of(name)), .group = mem_copy(found.part[o->part]) };
	bool named = compare_stratum(o, &found, &stratum) && found.part[o->part].n > 0;
	const char *why = compare_why(b, named, &f.value, &text);
	bool ok = !stratum.bad && (why == NULL || (f.why = mem_copy(str_of(why))) != NULL);

	f.stratum = ok ? mem_copy(buf_view(&stratum)) : NULL;
	f.unit = b->page.n > 0 ? compare_unit(triage_text(&b->page, "unit")) : CELL_NONE;
	f.clock = compare_clock(triage_text(&b->page, "clock"));
	buf_free(&stratum);
	buf_free(&text);
	return compare_add(c, &f, err);
}

static int
compare_by_path(const void *x, const void *y)
{
	return strcmp(((const struct measured *)x)->path, ((const struct measured *)y)->path);
}

/* All values must be of the unit of the first one, and times of the clock of the first one that has a clock. */
static bool
compare_units(struct comparison *c, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = true;

	if (c->n > 0)
		qsort(c->file, c->n, sizeof *c->file, compare_by_path);
	for (size_t i = 0; ok && i < c->n; i++) {
		struct measured *f = &c->file[i];

		if (f->why != NULL)
			continue;
		c->unit = c->unit == CELL_NONE ? f->unit : c->unit;
		c->clock = c->clock == NULL && f->unit == c->unit ? f->clock : c->clock;
		if (f->unit == c->unit && (f->clock == NULL || f->clock == c->clock))
			continue;
		buf_clear(&b);
		if (f->unit != c->unit)
			buf_printf(&b, "its value is a %s, that of files before it a %s",
			    cell_type_name(f->unit), cell_type_name(c->unit));
		else
			buf_printf(&b, "its value is by the %s clock, that of files before it by the %s clock",
			    f->clock, c->clock);
		ok = !b.bad && (f->why = mem_copy(buf_view(&b))) != NULL;
	}
	buf_free(&b);
	return ok || fail(err, E_SYSTEM, "out of memory (files)");
}

/* Say to standard error what the table compares, by which clock, and with what. */
static void
compare_head(const struct comparison *c)
{
	struct buf b = BUF_INIT;

	compare_title(c, &b);
	buf_str(&b, STR("; differences from "));
	text_fit_buf(&b, c->base);
	if (c->unit != CELL_NONE)
		fprintf(stderr, "icecore: %.*s\n", (int)b.n, b.n > 0 ? b.s : "");
	buf_free(&b);
}

/* Files with a value come last. */
static int
compare_by_why(const void *x, const void *y)
{
	const struct measured *a = x, *b = y;
	int order = (a->why == NULL) - (b->why == NULL);

	if (order == 0 && a->why != NULL)
		order = strcmp(a->why, b->why);
	return order != 0 ? order : strcmp(a->path, b->path);
}

/*
 * Print why files have no value to standard error, a line for each reason; returns how many there are.  Nothing
 * reads the files after it: it changes their order.
 */
static size_t
compare_tell_omitted(struct comparison *c)
{
	struct buf b = BUF_INIT;
	size_t left, same;

	qsort(c->file, c->n, sizeof *c->file, compare_by_why);
	for (left = 0; left < c->n && c->file[left].why != NULL; left += same) {
		const struct measured *f = &c->file[left];

		for (same = 1; left + same < c->n && f[same].why != NULL && strcmp(f->why, f[same].why) == 0; same++)
			;
		buf_clear(&b);
		text_fit_buf(&b, str_of(f->path));
		if (same > 1)
			buf_printf(&b, " and %zu more", same - 1);
		buf_str(&b, STR(": "));
		text_fit_buf(&b, str_of(f->why));
		fprintf(stderr, "icecore: omitted: %.*s\n", (int)b.n, b.n > 0 ? b.s : "");
	}
	buf_free(&b);
	return left;
}

/* Print what is not in the table to standard error. */
static void
compare_tell(struct comparison *c)
{
	size_t left;
	struct buf b = BUF_INIT;

	fflush(stdout);
	left = compare_tell_omitted(c);
	for (size_t i = 0; i < c->nparts; i++) {
		const struct stratum_files *p = &c->part[i];

		if (p->used || p->n == 0)
			continue;
		buf_clear(&b);
		text_fit_buf(&b, str_of(p->stratum));
		buf_str(&b, STR(" of "));
		text_fit_buf(&b, str_of(p->group));
		fprintf(stderr, "icecore: not in the mean: %.*s: %zu file%s, as not all have at least two\n",
		    (int)b.n, b.n > 0 ? b.s : "", p->n, p->n == 1 ? "" : "s");
	}
	fprintf(stderr, "%zu file%s: %zu measured, %zu omitted%s\n", c->n, c->n == 1 ? "" : "s", c->n - left,
	    left, fleet_stop != 0 ? "; interrupted" : "");
	buf_free(&b);
}

static bool
compare_files(struct comparison *c, const struct fleet_options *o, const struct path_list *names, int *status,
    struct err *err)
{
	struct row_file out = OUT_INIT;
	struct triage_tally tally = { .all = 0 };
	bool ok;

	out.take = compare_take;
	out.to = c;
	ok = crew_run(&out, o, names, &tally, err);
	idmap_free(&out.tried);
	ok = ok && compare_units(c, err) && compare_sum(c, err);
	if (ok)
		compare_head(c);
	ok = ok && compare_print(c, err);
	if (ok)
		compare_tell(c);
	*status = fleet_stop != 0 ? E_CANCEL : c->unit == CELL_NONE ? E_EMPTY : E_NONE;
	return ok;
}

struct groups {
	const struct fleet_options *o;
	const struct path_list	*names;
};

static struct str
compare_group(void *of, uint64_t i)
{
	const struct groups *g = of;

	return pattern_find(g->o->pattern, names_get(g->names, i)).part[g->o->part];
}

/* Paths are in order: a group that the path before has as well is no further candidate. */
static struct str
compare_candidate(void *of, uint64_t i)
{
	struct str group = compare_group(of, i);

	return i > 0 && str_eq(group, compare_group(of, i - 1)) ? STR("") : group;
}

/*
 * Find the group that the others are compared with: that of --base, or the first directory if it is one.  A name
 * that no path has is an error before any file is read.
 */
static bool
compare_choose_base(struct comparison *c, const struct path_list *names, struct err *err)
{
	const struct fleet_options *o = c->o;
	const char *given = o->base != NULL ? o->base : below_is(o, 0) ? o->paths[0] : "";
	struct groups groups = { o, names };
	struct str base = last_name(given);
	char guess[GUESS_TEXT];

	for (uint64_t i = 0; base.n > 0 && i < names->n; i++)
		if (str_eq(compare_group(&groups, i), base)) {
			c->base = base;
			return true;
		}
	return o->base == NULL || fail(err, E_USAGE, "--base: no file is of %s '%.*s'%s", pattern_parts[o->part],
	    (int)base.n, base.s, guess_among(base, compare_candidate, &groups, names->n, guess, sizeof guess));
}

static bool
compare_all(struct fleet_options *o, int *status, struct err *err)
{
	struct comparison c = { .o = o };
	struct path_list names = NAMES_INIT;
	struct buf usual = BUF_INIT;
	bool ok;

	if (!measure_check(o->of, err))
		return false;
	fleet_catch();
	if (o->pattern == NULL) {
		buf_printf(&usual, "{%s}%s", pattern_parts[o->part], USUAL);
		o->pattern = usual.s;
	}
	ok = (!usual.bad || fail(err, E_SYSTEM, "out of memory (names)")) && names_gather(&names, o, err);
	if (ok && names.n > 0) {
		tally_begin();
		ok = compare_choose_base(&c, &names, err) && compare_files(&c, o, &names, status, err);
	} else if (ok) {
		fprintf(stderr, "icecore: no heap dumps, traces or profiles found; --all reads files with any name\n");
		*status = E_EMPTY;
	}
	below_end(o);
	compare_sum_free(&c);
	for (size_t i = 0; i < c.n; i++) {
		free(c.file[i].path);
		free(c.file[i].group);
		free(c.file[i].stratum);
		free(c.file[i].why);
	}
	free(c.file);
	names_free(&names);
	buf_free(&usual);
	return ok;
}

bool
fleet_compare(int argc, char **argv, int *status, struct err *err)
{
	struct fleet_options o;

	*status = E_NONE;
	if (!fleet_options_read(&o, FLEET_COMPARE, argc, argv, err))
		return false;
	if (!o.help)
		return compare_all(&o, status, err);
	fleet_help(FLEET_COMPARE, o.help);
	return true;
}
