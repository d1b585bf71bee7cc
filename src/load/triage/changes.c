/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * changes: methods whose share differs between the files of two builds of an app.
 *
 * A method without a row in a file has share 0 there.  Two builds are compared by the rank-sum test of
 * Wilcoxon, Mann and Whitney with two sides: exactly, also with ties, for few files; otherwise by the normal
 * distribution.  The p of all methods of two builds are corrected by the method of Benjamini and Hochberg.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "triage.h"

#define FILES_LEAST 5u		/* minimum number of files of a build */
#define SHARE_LEAST 1.0		/* a method is tested if it has this percentage */
#define SHARE_FILES 3u		/* in so many files */
#define EXACT_MOST 40u		/* maximum number of files of both builds for an exact test */
#define LEVEL 0.05

/* A file with methods; those of a build are neighbours. */
struct sided {
	uint32_t		 app, weight, build, dump;
	const struct triage	*t;
};

/* A method in a file of two builds. */
struct method_share {
	uint32_t	method, file;	/* file: from 0, those of the first build first */
	double		self;
};

struct ranked {
	double		value;
	bool		after;
};

static int
by_build(const void *x, const void *y)
{
	const struct sided *a = x, *b = y;
	int order = a->build == b->build ? 0 : triage_version_order(a->t, a->build, b->build);

	order = order != 0 ? order : num_order(a->build, b->build, num_order(a->dump, b->dump, 0));
	return num_order(a->app, b->app, num_order(a->weight, b->weight, order));
}

static int
by_method(const void *x, const void *y)
{
	const struct method_share *a = x, *b = y;

	return num_order(a->method, b->method, num_order(a->file, b->file, 0));
}

static int
changes_by_value(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return a->value < b->value ? -1 : a->value > b->value;
}

static int
by_p(const void *x, const void *y)
{
	const struct change_row *a = x, *b = y;

	return a->p < b->p ? -1 : a->p > b->p ? 1 : num_order(a->method, b->method, 0);
}

/* ---- the test ---------------------------------------------------------------------------- */

/*
 * Twice the ranks of all values in order, the mean rank where values are equal.  Returns twice the rank sum
 * of after, and the sum of n^3 - n over groups of n equal values.
 */
static uint64_t
rank_twice(const struct ranked *v, uint64_t n, uint32_t *twice, double *ties)
{
	uint64_t sum = 0, end;

	*ties = 0;
	for (uint64_t i = 0; i < n; i = end) {
		double same;

		for (end = i + 1; end < n && v[end].value <= v[i].value; )
			end++;
		same = (double)(end - i);
		*ties += same * same * same - same;
		for (uint64_t k = i; k < end; k++) {
			twice[k] = (uint32_t)(i + 1 + end);
			sum += v[k].after ? twice[k] : 0;
		}
	}
	return sum;
}

/*
 * The share, of all choices of k of the ranks, of those whose sum is at least as far from the mean as this
 * one.
 */
static double
exact_p(const uint32_t *twice, uint32_t n, uint32_t k, uint64_t sum)
{
	const size_t width = (size_t)n * (n + 1) + 1;
	double *ways = mem_array((k + 1) * width, sizeof *ways), all = 0, far = 0;
	uint64_t mean = (uint64_t)k * (n + 1), off = sum > mean ? sum - mean : mean - sum;

	if (ways == NULL)
		return -1;
	ways[0] = 1;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1 < k ? i + 1 : k; j > 0; j--)
			for (size_t s = twice[i]; s < width; s++)
				ways[j * width + s] += ways[(j - 1) * width + s - twice[i]];
	for (size_t s = 0; s < width; s++) {
		all += ways[k * width + s];
		far += (s > mean ? s - mean : mean - s) >= off ? ways[k * width + s] : 0;
	}
	free(ways);
	return far / all;
}

static double
normal_p(uint64_t n, uint64_t before, uint64_t after, double shift, double ties)
{
	double all = (double)n, spread =
	    (double)before * (double)after / 12 * (all + 1 - ties / (all * (all - 1)));
	double off = fabs(shift) - 0.5;

	return spread <= 0 || off <= 0 ? 1 : erfc(off / sqrt(spread) / sqrt(2));
}

static double
median(struct ranked *v, uint64_t n, bool after)
{
	uint64_t of = 0, seen = 0;
	double low = 0;

	for (uint64_t i = 0; i < n; i++)
		of += v[i].after == after;
	for (uint64_t i = 0; i < n; i++) {
		if (v[i].after != after)
			continue;
		if (seen == (of - 1) / 2)
			low = v[i].value;
		if (seen++ == of / 2)
			return (low + v[i].value) / 2;
	}
	return 0;
}

/* Fills everything except the verdict; false: out of memory. */
static bool
test_method(struct change_row *c, struct ranked *v, uint32_t *twice)
{
	uint64_t n = (uint64_t)c->files_before + c->files_after, sum;
	double ties;

	qsort(v, n, sizeof *v, changes_by_value);
	sum = rank_twice(v, n, twice, &ties);
	c->shift = (double)sum / 2 - (double)c->files_after * (double)(n + 1) / 2;
	c->p = n <= EXACT_MOST ? exact_p(twice, (uint32_t)n, c->files_after, sum) :
	    normal_p(n, c->files_before, c->files_after, c->shift, ties);
	c->share_before = median(v, n, false);
	c->share_after = median(v, n, true);
	return c->p >= 0;
}

/* ---- words --------------------------------------------------------------------------------- */

/*
 * For example "slower in 2.1 than in 2.0: 12.3 % instead of 4.1 % of the time, 9 against 8 files, p = 0.002".
 */
static bool
tell_change(struct triage *t, struct change_row *c, struct err *err)
{
	static const char *const verdicts[][2] = { { "more", "less" }, { "slower", "faster" } };
	const char *weight = triage_word_text(t, c->weight), *verdict;
	bool time = strcmp(weight, "cpu") == 0 || strcmp(weight, "wall") == 0 ||
	    strcmp(weight, "samples") == 0, ok;
	struct buf b = BUF_INIT;

	verdict = c->q > LEVEL ? "same" : verdicts[time][c->shift < 0];
	if (c->q > LEVEL)
		buf_printf(&b, "no difference shown between %s and %s", triage_word_text(t, c->after),
		    triage_word_text(t, c->before));
	else
		buf_printf(&b, "%s in %s than in %s", verdict, triage_word_text(t, c->after),
		    triage_word_text(t, c->before));
	buf_printf(&b, ": %.1f %% instead of %.1f %% of the %s, %u against %u files, p %s", c->share_after,
	    c->share_before, time ? "time" : weight, c->files_after, c->files_before, c->q < 0.001 ?
	    "< 0.001" : "= ");
	if (c->q >= 0.001)
		buf_printf(&b, "%.*f", c->q < 0.01 ? 3 : 2, c->q);
	ok = (!b.bad || fail(err, E_SYSTEM, "out of memory (rows)")) &&
	    triage_word(t, buf_view(&b), &c->what, err) && triage_word(t, str_of(verdict), &c->verdict, err);
	buf_free(&b);
	return ok;
}

/*
 * The least p times the number of methods, divided by its place, and so on; never less than that of a lesser
 * p.
 */
static bool
correct(struct triage *t, uint64_t from, struct err *err)
{
	struct change_row *c = SCRATCH(t->changes, struct change_row) + from;
	uint64_t n = t->nchanges - from;
	double least = 1;
	bool ok = true;

	if (n > 0)
		qsort(c, n, sizeof *c, by_p);
	for (uint64_t i = n; i-- > 0; ) {
		double q = c[i].p * (double)n / (double)(i + 1);

		least = q < least ? q : least;
		c[i].q = least;
	}
	for (uint64_t i = 0; ok && i < n; i++)
		ok = tell_change(t, &c[i], err);
	return ok;
}

/* ---- pairs of builds ------------------------------------------------------------------------ */

/* Collect the shares of the methods of files. */
static bool
take_shares(const struct triage *t, const struct sided *f, uint64_t n, uint64_t first, struct scratch *shares,
    uint64_t *nshares, struct err *err)
{
	bool ok = true;

	for (uint64_t i = 0; ok && i < n; i++) {
		const struct dump_row *d = &SCRATCH(t->dumps, struct dump_row)[f[i].dump];

		for (uint64_t k = 0; ok && k < d->nbusy; k++) {
			const struct busy_row *b = &SCRATCH(t->busy, struct busy_row)[d->first_busy + k];
			struct method_share s = { b->method, (uint32_t)(first + i), b->self };

			ok = make_add(shares, nshares, &s, sizeof s, MAKE_MOST, "shares", err);
		}
	}
	return ok;
}

/* A method may have several rows in a file: overloads without signatures. */
static bool
compare_method(struct triage *t, const struct change_row *pair, const struct method_share *s, uint64_t n,
    struct ranked *v, uint32_t *twice, struct err *err)
{
	struct change_row c = *pair;
	uint64_t files = (uint64_t)c.files_before + c.files_after, large = 0;

	for (uint64_t i = 0; i < files; i++)
		v[i] = (struct ranked){ 0, i >= c.files_before };
	for (uint64_t i = 0; i < n; i++)
		v[s[i].file].value += s[i].self;
	for (uint64_t i = 0; i < files; i++)
		large += v[i].value >= SHARE_LEAST;
	c.method = s[0].method;
	if (large < SHARE_FILES || c.method == 0)
		return true;
	return (test_method(&c, v, twice) || fail(err, E_SYSTEM, "out of memory (changes)")) &&
	    make_add(&t->changes, &t->nchanges, &c, sizeof c, MAKE_MOST, "changes", err);
}

static bool
compare_builds(struct triage *t, const struct sided *before, uint64_t nbefore, const struct sided *after,
    uint64_t nafter, struct err *err)
{
	struct change_row pair = { .app = after->app, .weight = after->weight, .before = before->build,
	    .after = after->build, .files_before = (uint32_t)nbefore, .files_after = (uint32_t)nafter };
	struct scratch shares = SCRATCH_INIT, ranked = SCRATCH_INIT, twice = SCRATCH_INIT;
	uint64_t n = 0, from = t->nchanges, end;
	struct method_share *s;
	bool ok = take_shares(t, before, nbefore, 0, &shares, &n, err) &&
	    take_shares(t, after, nafter, nbefore, &shares, &n, err) &&
	    scratch_array(&ranked, nbefore + nafter, sizeof(struct ranked), err) &&
	    scratch_array(&twice, nbefore + nafter, sizeof(uint32_t), err);

	s = SCRATCH(shares, struct method_share);
	if (ok && n > 0)
		qsort(s, n, sizeof *s, by_method);
	for (uint64_t i = 0; ok && i < n; i = end) {
		for (end = i + 1; end < n && s[end].method == s[i].method; )
			end++;
		ok = compare_method(t, &pair, s + i, end - i, SCRATCH(ranked, struct ranked),
		    SCRATCH(twice, uint32_t), err) && work_go(t->work, store_source(t->st)->size, err);
	}
	SCRATCH_FREE(&shares, &ranked, &twice);
	return ok && correct(t, from, err);
}

bool
triage_changes(struct triage *t, struct err *err)
{
	struct scratch files = SCRATCH_INIT;
	uint64_t n = 0, last = 0, nlast = 0, end;
	struct sided *f;
	bool ok = true;

	for (uint64_t i = 0; ok && i < t->ndumps; i++) {
		const struct dump_row *d = &SCRATCH(t->dumps, struct dump_row)[i];
		struct sided s = { d->app, d->weight, d->build, (uint32_t)i, t };

		if (d->weight != 0 && d->build != 0)
			ok = make_add(&files, &n, &s, sizeof s, MAKE_MOST, "files", err);
	}
	f = SCRATCH(files, struct sided);
	if (ok && n > 0)
		qsort(f, n, sizeof *f, by_build);
	for (uint64_t i = 0; ok && i < n; i = end) {
		for (end = i + 1; end < n && f[end].app == f[i].app && f[end].weight == f[i].weight &&
		    f[end].build == f[i].build; )
			end++;
		if (end - i < FILES_LEAST)
			continue;
		if (nlast > 0 && f[last].app == f[i].app && f[last].weight == f[i].weight)
			ok = compare_builds(t, f + last, nlast, f + i, end - i, err);
		last = i;
		nlast = end - i;
	}
	scratch_free(&files);
	return ok;
}
