/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev: pairs of names a second by the search, beside a plain table; and what
 * it costs to work in slices.  Prints a line for each: name and number.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "icecore/lev.h"

#define NAMES 1000000
#define BY_TABLE 20000		/* of them that the table has to do with */
#define RUNS 9
#define LONG 10000

static struct str names[NAMES];

/* Of this program's own time. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The least of all runs: others may use the machine too. */
static double
least(const double *value)
{
	double best = value[0];
	int i;

	for (i = 1; i < RUNS; i++)
		if (value[i] < best)
			best = value[i];
	return best;
}

/* ---- names ------------------------------------------------------------------- */

static const char *const packages[] = { "android.view.", "java.lang.", "com.example.app.",
	"android.os.", "java.util.concurrent." };
static const char *const parts[] = { "View", "Draw", "Root", "Touch", "Layout", "Get", "Set",
	"Buffer", "Native", "Run", "Thread", "Async", "Io", "Item", "List", "Read", "Cache" };

/* Like the methods of a trace: a package, a class of two or three words, a method of the same. */
static void
make_names(void)
{
	static char text[NAMES][80];
	uint64_t seed = 88172645463325252;
	size_t i, j;
	int n;

	for (i = 0; i < NAMES; i++) {
		n = snprintf(text[i], sizeof text[i], "%s", packages[i % NELEM(packages)]);
		for (j = 0; j < 4 + i % 3; j++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			n += snprintf(text[i] + n, sizeof text[i] - (size_t)n, "%s%s",
			    j == 2 ? "." : "", parts[(seed >> 20) % NELEM(parts)]);
		}
		names[i] = str_of(text[i]);
	}
}

static struct str
candidate(void *arg, uint64_t i)
{
	(void)arg;
	return names[i];
}

/* ---- the table ------------------------------------------------------------------ */

static unsigned
table(struct str a, struct str b)
{
	size_t width = b.n + 1, i, j;
	uint32_t *cell = mem_array((a.n + 1) * width, sizeof *cell), best;

	if (cell == NULL)
		return 0;
	for (j = 0; j <= b.n; j++)
		cell[j] = (uint32_t)j;
	for (i = 1; i <= a.n; i++) {
		cell[i * width] = (uint32_t)i;
		for (j = 1; j <= b.n; j++) {
			best = cell[(i - 1) * width + j - 1] + (a.s[i - 1] != b.s[j - 1]);
			if (best > cell[(i - 1) * width + j] + 1)
				best = cell[(i - 1) * width + j] + 1;
			if (best > cell[i * width + j - 1] + 1)
				best = cell[i * width + j - 1] + 1;
			cell[i * width + j] = best;
		}
	}
	best = cell[a.n * width + b.n];
	free(cell);
	return best;
}

/* Seconds for a pair. */
static double
table_pair(struct str word)
{
	double start = now();
	volatile unsigned sum = 0;
	size_t i;

	for (i = 0; i < BY_TABLE; i++)
		sum += table(word, names[i]);
	(void)sum;
	return (now() - start) / BY_TABLE;
}

/* ---- the search -------------------------------------------------------------------- */

/* Seconds; the longest step goes to *longest. */
static double
search(struct str word, uint64_t max, unsigned how, uint64_t budget, double *longest)
{
	struct lev_ask ask = { word, candidate, NULL, NAMES, 10, max, how };
	struct lev_search *s;
	double start = now(), before = start, after;
	bool more = true;

	if (!lev_search_new(&s, &ask, NULL))
		exit(1);
	for (*longest = 0; more; before = after) {
		if (!lev_search_step(s, budget, &more, NULL))
			exit(1);
		after = now();
		if (after - before > *longest)
			*longest = after - before;
	}
	lev_search_free(s);
	return before - start;
}

static double
pair(struct str a, struct str b, uint64_t budget)
{
	double start = now();
	struct lev *l;
	bool more = true;

	if (!lev_new(&l, 0, NULL))
		exit(1);
	lev_start(l, a, b, LEV_OVER);
	while (more)
		if (!lev_step(l, budget, &more, NULL))
			exit(1);
	lev_free(l);
	return now() - start;
}

static void
slicing_names(struct str word)
{
	double whole[RUNS], sliced[RUNS], longest[RUNS], t;
	int i;

	for (i = 0; i < RUNS; i++) {
		whole[i] = search(word, LEV_OVER, LEV_SWAPS, UINT64_MAX, &t);
		sliced[i] = search(word, LEV_OVER, LEV_SWAPS, LEV_SLICE, &longest[i]);
	}
	printf("slicing_names_percent %.2f\n", (least(sliced) / least(whole) - 1) * 100);
	printf("step_ms %.3f\n", least(longest) * 1000);
}

static void
slicing_pair(void)
{
	static char a[LONG], b[LONG];
	double whole[RUNS], sliced[RUNS];
	int i;

	memset(b, 1, sizeof b);
	for (i = 0; i < RUNS; i++) {
		whole[i] = pair((struct str){ a, LONG }, (struct str){ b, LONG }, UINT64_MAX);
		sliced[i] = pair((struct str){ a, LONG }, (struct str){ b, LONG }, LEV_SLICE);
	}
	printf("slicing_pair_percent %.2f\n", (least(sliced) / least(whole) - 1) * 100);
	printf("pair_ms %.3f\n", least(whole) * 1000);
}

int
main(void)
{
	struct str word = STR("android.view.TouchLayout.getBufferItem");
	double plain[RUNS], fast[RUNS], slips[RUNS], part[RUNS], t;
	int i;

	make_names();
	for (i = 0; i < RUNS; i++) {
		plain[i] = table_pair(word);
		fast[i] = search(word, LEV_OVER, 0, LEV_SLICE, &t) / NAMES;
		slips[i] = search(word, LEV_SLIPS, LEV_SWAPS | LEV_NOCASE, LEV_SLICE, &t);
		part[i] = search(STR("onTuoch"), LEV_SLIPS, LEV_SWAPS | LEV_NOCASE | LEV_PART,
		    LEV_SLICE, &t);
	}
	printf("table_pairs %.0f\n", 1 / least(plain));
	printf("search_pairs %.0f\n", 1 / least(fast));
	printf("slips_ms %.3f\n", least(slips) * 1000);
	printf("part_ms %.3f\n", least(part) * 1000);
	slicing_names(word);
	slicing_pair();
	return 0;
}
