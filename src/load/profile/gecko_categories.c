/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Categories of a Firefox profile: names, and number of samples of each thread in each.
 */
#include "config.h"

#include <math.h>

#include "icecore/columns_marks.h"
#include "gecko.h"

struct category {
	uint32_t	name;		/* word */
	uint64_t	first, n;	/* subcategories: words */
};

/* The key comes first. */
struct use {
	uint32_t	thread, name, sub;
	uint64_t	samples, weight, cpu;
};

static bool
read_subcategories(struct gecko *g, struct json array, struct category *c, struct err *err)
{
	uint32_t word;
	struct str name;

	c->first = g->nsubcategories;
	if (!scan_open(&array, '['))
		return true;
	while (scan_item(&array) && scan_word(&array, &name))
		if (!marks_word(&g->marks, name, &word, err) ||
		    !make_add(&g->subcategories, &g->nsubcategories, &word, sizeof word, MAKE_MOST, "categories", err))
			return false;
	c->n = g->nsubcategories - c->first;
	return true;
}

bool
gecko_categories(struct gecko *g, struct json array, struct err *err)
{
	static const char *const names[] = { "name", "subcategories", NULL };
	struct json at[2];

	g->ncategories = g->nsubcategories = 0;
	if (!scan_open(&array, '['))
		return true;
	while (scan_item(&array)) {
		struct category new = { .name = 0 };

		jload_members(g->l, array, names, at);
		if (!marks_word(&g->marks, jload_word(at[0]), &new.name, err) || !read_subcategories(g, at[1], &new, err) ||
		    !make_add(&g->categories, &g->ncategories, &new, sizeof new, MAKE_MOST, "categories", err))
			return false;
		if (!scan_skip(&array))
			break;
	}
	return true;
}

void
gecko_category_words(const struct gecko *g, const uint32_t category[2], uint32_t words[2])
{
	const struct category *c;

	words[0] = words[1] = 0;
	if (category[0] == 0 || category[0] > g->ncategories)
		return;
	c = &SCRATCH(g->categories, struct category)[category[0] - 1];
	words[0] = c->name;
	/* The first subcategory is for samples in none: it gets no word. */
	if (category[1] > 1 && category[1] <= c->n)
		words[1] = SCRATCH(g->subcategories, uint32_t)[c->first + category[1] - 1];
}

bool
gecko_use(struct gecko *g, const uint32_t category[2], uint64_t weight, double cpu, struct err *err)
{
	struct use new = { .thread = g->thread }, *use;
	uint32_t words[2], row;

	if (category[0] == 0)
		return true;
	gecko_category_words(g, category, words);
	new.name = words[0];
	new.sub = words[1];
	row = mark_set_add(&g->uses, &new, offsetof(struct use, sub) + sizeof new.sub, sizeof new, "categories", err);
	if (row == 0)
		return false;
	use = &SCRATCH(g->uses.rows, struct use)[row - 1];
	use->samples++;
	use->weight = num_add(use->weight, weight);
	use->cpu = num_add(use->cpu, cpu < (double)WEIGHT_MOST ? (uint64_t)cpu : WEIGHT_MOST);
	return true;
}

bool
gecko_category_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_CATEGORY_THREAD, use, thread), MAKE(COL_CATEGORY_NAME, use, name), MAKE(COL_CATEGORY_SUB, use, sub),
		MAKE(COL_CATEGORY_SAMPLES, use, samples), MAKE(COL_CATEGORY_CPU, use, cpu),
	};

	return make_columns(g->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(g->uses.rows, struct use), g->uses.n), err);
}
