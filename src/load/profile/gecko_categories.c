/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Categories of a Firefox profile: names, and number of samples of each thread in each.
 */
#include "config.h"

#include <assert.h>
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

#define CATEGORY(W, V, O) W(name) V(subcategories)
JLOAD_SHAPE(said_category, CATEGORY)

void
gecko_categories(struct gecko *g, struct json array)
{
	struct gecko_categories *c = &g->cat;
	struct str name;
	uint32_t word;

	c->n = c->nsubs = 0;
	JSON_EACH(array, item) {
		struct said_category at = said_category_read(g->l, item);
		struct category new = { .name = into_word(g->to, at.name), .first = c->nsubs };
		struct json subs = at.subcategories;

		for (scan_open(&subs, '['); json_is(subs) && scan_item(&subs) && scan_word(&subs, &name); ) {
			word = into_word(g->to, name);
			INTO_ROW(g->to, c->subs, c->nsubs, word, "categories");
		}
		new.n = c->nsubs - new.first;
		INTO_ROW(g->to, c->rows, c->n, new, "categories");
	}
}

void
gecko_category_words(const struct gecko *g, const uint32_t category[2], uint32_t words[2])
{
	const struct category *c;

	words[0] = words[1] = 0;
	if (category[0] == 0 || category[0] > g->cat.n)
		return;
	c = &SCRATCH(g->cat.rows, struct category)[category[0] - 1];
	assert(c->first + c->n <= g->cat.nsubs);
	words[0] = c->name;
	/* The first subcategory is for samples in none: it gets no word. */
	if (category[1] > 1 && category[1] <= c->n)
		words[1] = SCRATCH(g->cat.subs, uint32_t)[c->first + category[1] - 1];
}

void
gecko_use(struct gecko *g, const uint32_t category[2], uint64_t weight, double cpu)
{
	struct use new = { .thread = g->thread }, *use;
	uint32_t words[2], row;

	if (category[0] == 0)
		return;
	gecko_category_words(g, category, words);
	new.name = words[0];
	new.sub = words[1];
	row = into_key(g->to, &g->uses, &new, offsetof(struct use, sub) + sizeof new.sub, sizeof new, "categories");
	if (row == 0)
		return;
	use = &SCRATCH(g->uses.rows, struct use)[row - 1];
	use->samples++;
	use->weight = num_add(use->weight, weight);
	use->cpu = num_add(use->cpu, cpu < (double)WEIGHT_MOST ? (uint64_t)cpu : WEIGHT_MOST);
}

bool
gecko_category_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_CATEGORY_THREAD, use, thread), MAKE(COL_CATEGORY_NAME, use, name),
		MAKE(COL_CATEGORY_SUB, use, sub),
		MAKE(COL_CATEGORY_SAMPLES, use, samples), MAKE(COL_CATEGORY_CPU, use, cpu),
	};

	return make_columns(g->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(g->uses.rows, struct use), g->uses.n), err);
}
