/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_sums: means, intervals and differences of groups of files.
 *
 * Each group is the mean of its strata, weighted by the number of files of the stratum in all groups.  So a
 * stratum weighs the same in each group, and a changed mix of strata changes nothing.  Without strata there
 * is one, of weight 1.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define LEAST 2u		/* files of a stratum in each group: fewer show no spread */

/* The weighted mean of some strata of a group. */
struct estimate {
	bool	 has, ranged;	/* a mean; an interval */
	double	 mean, var, freedom;	/* var: of the mean; freedom: sum of var^2 / (n - 1) of the strata */
	double	*means;		/* means of the resamples */
};

/* ---- order ---------------------------------------------------------------------------------- */

static int
sums_by_name(const char *a, const char *b)
{
	int order = triage_version_cmp(str_of(a), str_of(b));

	return order != 0 ? order : strcmp(a, b);
}

static int
sums_by_place(const void *x, const void *y)
{
	const struct measured *a = x, *b = y;
	int order = b->base - a->base;

	order = order != 0 ? order : sums_by_name(a->group, b->group);
	order = order != 0 ? order : sums_by_name(a->stratum, b->stratum);
	order = order != 0 ? order : (a->why != NULL) - (b->why != NULL);
	return order != 0 ? order : a->value < b->value ? -1 : a->value > b->value ? 1 :
	    strcmp(a->path, b->path);
}

static int
sums_by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

static bool
sums_fail(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (comparison)");
}

/* ---- one stratum of a group -------------------------------------------------------------------- */

static double
sums_mean(const struct stratum_files *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->file[i].value;
	return sum / (double)p->n;
}

static double
sums_var(const struct stratum_files *p, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += (p->file[i].value - mean) * (p->file[i].value - mean);
	return sum / (double)(p->n - 1);
}

/* Draw as many files as there are, with repetition, again and again. */
static bool
sums_resample(struct stratum_files *p, uint64_t *state, struct err *err)
{
	if (p->n < LEAST)
		return true;
	p->means = mem_array(RESAMPLES, sizeof *p->means);
	if (p->means == NULL)
		return sums_fail(err);
	for (size_t r = 0; r < RESAMPLES; r++) {
		double sum = 0;

		for (size_t i = 0; i < p->n; i++)
			sum += p->file[chance_below(state, p->n)].value;
		p->means[r] = sum / (double)p->n;
	}
	return true;
}

/* Mark the files of the base: differences from a group without a value would all be empty. */
static void
sums_choose_base(struct comparison *c)
{
	const char *least = NULL;

	for (size_t i = 0; c->base.n == 0 && i < c->n; i++)
		if (c->file[i].why == NULL && (least == NULL || sums_by_name(c->file[i].group, least) < 0))
			least = c->file[i].group;
	c->base = least != NULL ? str_of(least) : c->base;
	for (size_t i = 0; i < c->n; i++)
		c->file[i].base = str_eq(str_of(c->file[i].group), c->base);
}

static bool
sums_split(struct comparison *c, struct err *err)
{
	uint64_t state = CHANCE_SEED;
	bool ok = true;

	sums_choose_base(c);
	if (c->n > 0)
		qsort(c->file, c->n, sizeof *c->file, sums_by_place);
	c->part = mem_array(c->n, sizeof *c->part);
	if (c->part == NULL)
		return sums_fail(err);
	for (size_t i = 0; i < c->n; i++) {
		const struct measured *f = &c->file[i];
		struct stratum_files *p = c->nparts > 0 ? &c->part[c->nparts - 1] : NULL;

		if (p == NULL || strcmp(p->group, f->group) != 0 || strcmp(p->stratum, f->stratum) != 0) {
			p = &c->part[c->nparts++];
			*p = (struct stratum_files){ .group = f->group, .stratum = f->stratum, .file = f };
		}
		p->n += f->why == NULL;
		p->all++;
	}
	for (size_t i = 0; ok && i < c->nparts; i++)
		ok = sums_resample(&c->part[i], &state, err);
	return ok;
}

/* ---- strata -------------------------------------------------------------------------------------- */

/* The part of a group with that stratum; NULL: it has none. */
static struct stratum_files *
sums_part(const struct comparison *c, size_t group, const char *stratum)
{
	const char *name = c->part[group].group;

	for (size_t i = group; i < c->nparts && strcmp(c->part[i].group, name) == 0; i++)
		if (strcmp(c->part[i].stratum, stratum) == 0)
			return &c->part[i];
	return NULL;
}

static size_t
sums_next_group(const struct comparison *c, size_t group)
{
	size_t i = group + 1;

	while (i < c->nparts && strcmp(c->part[i].group, c->part[group].group) == 0)
		i++;
	return i;
}

static bool
sums_has_values(const struct comparison *c, size_t group)
{
	size_t n = 0;

	for (size_t i = group; i < sums_next_group(c, group); i++)
		n += c->part[i].n;
	return n > 0;
}

static int
sums_by_stratum(const void *x, const void *y)
{
	const struct stratum_files *const *a = x, *const *b = y;
	int order = strcmp((*a)->stratum, (*b)->stratum);

	return order != 0 ? order : (*a > *b) - (*a < *b);
}

/*
 * The weight of a stratum is the number of its files in all groups; 0: a group that has values has too few.
 */
static bool
sums_weigh(struct comparison *c, struct err *err)
{
	struct stratum_files **p = mem_array(c->nparts, sizeof(struct stratum_files *));
	size_t groups = 0, end;

	if (p == NULL)
		return sums_fail(err);
	for (size_t g = 0; g < c->nparts; g = sums_next_group(c, g))
		groups += sums_has_values(c, g);
	for (size_t i = 0; i < c->nparts; i++)
		p[i] = &c->part[i];
	if (c->nparts > 0)
		qsort(p, c->nparts, sizeof(struct stratum_files *), sums_by_stratum);
	for (size_t i = 0; i < c->nparts; i = end) {
		size_t enough = 0;
		uint64_t all = 0;

		for (end = i; end < c->nparts && strcmp(p[end]->stratum, p[i]->stratum) == 0; end++) {
			enough += p[end]->n >= LEAST;
			all += p[end]->n;
		}
		for (size_t k = i; k < end; k++)
			p[k]->weight = enough == groups ? all : 0;
	}
	free(p);
	return true;
}

/* ---- estimates ----------------------------------------------------------------------------------- */

/* Add a stratum with a weight. */
static void
sums_add_part(struct estimate *e, const struct stratum_files *p, double weight)
{
	double mean, var;

	if (p->n == 0)
		return;
	mean = sums_mean(p);
	e->ranged = (!e->has || e->ranged) && p->n >= LEAST;
	e->has = true;
	e->mean += weight * mean;
	if (p->n < LEAST)
		return;
	var = weight * weight * sums_var(p, mean) / (double)p->n;
	e->var += var;
	e->freedom += var * var / (double)(p->n - 1);
	for (size_t r = 0; r < RESAMPLES; r++)
		e->means[r] += weight * p->means[r];
}

static bool
sums_estimate_begin(struct estimate *e, struct err *err)
{
	*e = (struct estimate){ .means = mem_array(RESAMPLES, sizeof *e->means) };
	return e->means != NULL || sums_fail(err);
}

/*
 * Half of the interval of Student, with the degrees of freedom of Welch and Satterthwaite; a variance of 0
 * has no width.
 */
static double
sums_half(double var, double freedom)
{
	return var > 0 && freedom > 0 ? chance_student(var * var / freedom) * sqrt(var) : 0;
}

/* The ends of the interval of the resamples, which are sorted. */
static void
sums_ends(double *means, double *low, double *high)
{
	qsort(means, RESAMPLES, sizeof *means, sums_by_value);
	*low = means[(RESAMPLES + 1) / 40 - 1];
	*high = means[(RESAMPLES + 1) / 40 * 39 - 1];
}

static const char *
sums_verdict(const struct comparison *c, double low, double high)
{
	static const char *const verdicts[][2] = { { "more", "less" }, { "slower", "faster" } };

	return low <= 0 && high >= 0 ? "same" : verdicts[c->unit == CELL_TIME][high < 0];
}

/* Fill what is relative to the first group, and change the resamples of e. */
static void
sums_relate(const struct comparison *c, struct compare_row *row, struct estimate *e,
    const struct estimate *first)
{
	double *number = row->number, diff = e->mean - first->mean, half;

	if (first->mean > 0 || first->mean < 0)
		number[NUMBER_RATIO] = e->mean / first->mean;
	if (e == first)
		return;
	number[NUMBER_DIFF] = diff;
	if (e->ranged && first->ranged) {
		half = sums_half(e->var + first->var, e->freedom + first->freedom);
		number[NUMBER_DIFF_LOW] = diff - half;
		number[NUMBER_DIFF_HIGH] = diff + half;
		row->verdict = sums_verdict(c, diff - half, diff + half);
		for (size_t r = 0; r < RESAMPLES; r++)
			e->means[r] -= first->means[r];
		sums_ends(e->means, &number[NUMBER_DIFF_BOOT_LOW], &number[NUMBER_DIFF_BOOT_HIGH]);
	}
	for (int i = 0; i < 3 && first->mean > 0; i++)
		number[NUMBER_CHANGE + i] = 100 * number[NUMBER_DIFF + i] / first->mean;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static double
sums_median(const struct stratum_files *p)
{
	return p->n == 0 ? NAN : (p->file[(p->n - 1) / 2].value + p->file[p->n / 2].value) / 2;
}

/*
 * Fill a row of an estimate, whose resamples are changed; first: of the first group, or the estimate itself.
 */
static bool
sums_fill(const struct comparison *c, struct compare_row *row, struct estimate *e,
    const struct estimate *first, struct err *err)
{
	double *sorted = mem_array(RESAMPLES, sizeof *sorted), half;

	for (size_t i = 0; i < COMPARE_NUMBERS; i++)
		row->number[i] = NAN;
	row->verdict = "";
	if (sorted == NULL)
		return sums_fail(err);
	if (e->has)
		row->number[NUMBER_MEAN] = e->mean;
	if (e->ranged) {
		half = sums_half(e->var, e->freedom);
		row->number[NUMBER_LOW] = e->mean - half;
		row->number[NUMBER_HIGH] = e->mean + half;
		memcpy(sorted, e->means, RESAMPLES * sizeof *sorted);
		sums_ends(sorted, &row->number[NUMBER_BOOT_LOW], &row->number[NUMBER_BOOT_HIGH]);
	}
	if (e->has && first->has)
		sums_relate(c, row, e, first);
	free(sorted);
	return true;
}

/* The row of one group: its used strata, or only the one of that name. */
static bool
sums_row(struct comparison *c, size_t group, const char *only, struct estimate *first, struct err *err)
{
	struct compare_row *row = &c->row[c->nrows++];
	struct estimate own, *e = group == 0 ? first : &own;
	const struct stratum_files *alone = NULL;
	uint64_t all = 0;
	size_t parts = 0;
	bool ok;

	*row = (struct compare_row){ .group = c->part[group].group, .stratum = only != NULL ? only : "" };
	if (!sums_estimate_begin(e, err))
		return false;
	for (size_t i = group; i < sums_next_group(c, group); i++)
		all += c->part[i].used ? c->part[i].weight : 0;
	for (size_t i = group; i < sums_next_group(c, group); i++) {
		const struct stratum_files *p = &c->part[i];
		bool in = only == NULL ? p->used : strcmp(p->stratum, only) == 0;

		if (only == NULL || in)
			row->omitted += p->all - (in ? p->n : 0);
		if (!in)
			continue;
		row->n += p->n;
		alone = p;
		parts++;
		sums_add_part(e, p, only != NULL || c->o->strata == 0 ? 1 : (double)p->weight / (double)all);
	}
	ok = sums_fill(c, row, e, first, err);
	if (parts == 1) {
		row->number[NUMBER_MEDIAN] = sums_median(alone);
		row->number[NUMBER_SD] = alone->n >= LEAST ? sqrt(sums_var(alone, sums_mean(alone))) : NAN;
	}
	if (e == &own)
		free(own.means);
	return ok;
}

/* The rows of all groups, of all strata or of one, one after the other. */
static bool
sums_rows(struct comparison *c, const char *only, struct err *err)
{
	struct estimate first = { .means = NULL };
	bool ok = true;

	for (size_t g = 0; ok && g < c->nparts; g = sums_next_group(c, g))
		if (only == NULL || g == 0 || sums_part(c, g, only) != NULL)
			ok = sums_row(c, g, only, &first, err);
	free(first.means);
	return ok;
}

bool
compare_sum(struct comparison *c, struct err *err)
{
	bool ok = sums_split(c, err) && sums_weigh(c, err);

	/*
	 * Each part has a row in its stratum, at most one more in the rows of all, and the first group one in
	 * each stratum.
	 */
	c->row = ok ? mem_array(3 * c->nparts, sizeof *c->row) : NULL;
	if (ok && c->row == NULL)
		return sums_fail(err);
	for (size_t i = 0; ok && i < c->nparts; i++)
		c->part[i].used = c->part[i].n > 0 && (c->o->strata == 0 || c->part[i].weight > 0);
	ok = ok && sums_rows(c, NULL, err);
	for (size_t i = 0; ok && c->o->strata != 0 && i < c->nparts; i++) {
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= strcmp(c->part[k].stratum, c->part[i].stratum) == 0;
		if (!seen)
			ok = sums_rows(c, c->part[i].stratum, err);
	}
	return ok;
}

void
compare_sum_free(struct comparison *c)
{
	for (size_t i = 0; i < c->nparts; i++)
		free(c->part[i].means);
	free(c->part);
	free(c->row);
}
