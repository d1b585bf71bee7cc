/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ghc: profiles of Haskell in JSON (+RTS -pj): a tree of cost centres, each with its own ticks and bytes.
 */
#include "config.h"

#include <assert.h>

#include "jtree.h"

#define TOP(W, V, \
    O) W(program) V(arguments) V(rts_arguments) W(end_time) W(initial_capabilities) W(total_time) W(total_ticks) \
	W(tick_interval) W(total_alloc) V(cost_centres) V(profile)
#define CENTRE(W, V, O) W(id) W(label) W(module) W(src_loc) W(is_caf)

JLOAD_SHAPE(ghc_top, TOP)
JLOAD_SHAPE(ghc_centre, CENTRE)

enum { GHC_ID, GHC_ENTRIES, GHC_ALLOC, GHC_TICKS };

struct ghc {
	struct idmap	 frames;	/* by the hash of an id */
	uint32_t	 root, ticks, bytes;	/* frame of the root, which only has what is its own; events */
	uint64_t	 interval;	/* ns */
};

static void
ghc_centres(struct jload *l, struct ghc *g, struct json centres)
{
	OWN_BUF name = BUF_INIT;

	JLOAD_EACH(l, centres, item) {
		struct ghc_centre at = ghc_centre_read(l, item);
		struct str file, place;
		uint64_t line = 0;
		uint32_t frame;

		/* "Main.hs:5:1-20"; "<built-in>" */
		if (str_divide(at.src_loc, STR(":"), &file, &place))
			(void)str_number(&place, &line);
		else
			file = STR("");
		buf_set(&name, at.module, STR("."), at.label);
		frame = jload_function(l, into_made(&l->to, &name), file, line);
		if (frame != 0 && line > 0)
			samples_line(&l->samples, frame, line);
		if (str_is(at.module, "MAIN") && str_is(at.label, "MAIN"))
			g->root = frame;
		into_map(&l->to, &g->frames, idmap_hash_text(at.id, 0), frame);
	}
}

static uint32_t
ghc_stack(struct jtree *t, const struct jtree_node *node, uint32_t parent)
{
	const struct ghc *g = t->what;
	uint32_t frame = idmap_get(&g->frames, idmap_hash_text(node->word[GHC_ID], 0));

	t->l->no_node += frame == 0;
	if (frame == 0)
		frame = into_frame(&t->l->to, STR("[unknown]"));
	return frame == g->root && parent == 0 ? 0 : into_stack(&t->l->to, parent, frame);
}

static void
ghc_add(struct jtree *t, uint32_t event, uint64_t weight, uint64_t count)
{
	if (weight == 0)
		return;
	assert(event > 0 || t->l->to.bad);
	t->one.event = event;
	t->one.weight = samples_whole(&t->l->samples, weight < WEIGHT_MOST ? weight : WEIGHT_MOST);
	t->one.count = count;
	into_sample(&t->l->to, &t->one);
}

static void
ghc_leave(struct jtree *t, struct jtree_node *node, struct jtree_node *above)
{
	const struct ghc *g = t->what;
	uint64_t ticks = jload_whole(node->word[GHC_TICKS], 0);

	assert(above == NULL || above->ready);
	t->one.stack = node->stack != 0 ? node->stack : into_stack(&t->l->to, 0, g->root);
	t->one.offset = node->at;
	ghc_add(t, g->ticks, ticks < WEIGHT_MOST / g->interval ? ticks * g->interval : WEIGHT_MOST, ticks);
	ghc_add(t, g->bytes, jload_whole(node->word[GHC_ALLOC], 0), 1);
}

void
ghc_load(struct jload *l)
{
	struct json doc = l->doc;
	struct ghc_top at = ghc_top_take(l, &doc, true);
	struct ghc g = { .frames = IDMAP_INIT };
	struct jtree t = { .l = l, .keys = { "id", "entries", "alloc", "ticks" }, .stack = ghc_stack,
	    .leave = ghc_leave,
	    .one.time = SAMPLE_NO_TIME, .what = &g };
	uint64_t us = jload_whole(at.tick_interval, 0);

	g.interval = us > 0 && us < PERIOD_MOST / 1000 ? us * 1000 : 1;
	t.one.thread = INTO_ID(&l->to, samples_thread(&l->samples, 0, 0, STR("all"), l->to.err));
	g.ticks = g.interval > 1 ? into_event(&l->to, STR("time"), WEIGHT_TIME, "ns") :
	    into_event(&l->to, STR("ticks"), WEIGHT_COUNT,
	    "ticks");
	g.bytes = into_event(&l->to, STR("alloc"), WEIGHT_BYTES, "bytes");
	g.root = 0;
	ghc_centres(l, &g, at.cost_centres);
	if (g.root == 0)
		g.root = into_frame(&l->to, STR("MAIN"));
	l->samples.counts = COUNT_TOLD;
	l->samples.chosen = g.ticks;
	jtree_read(&t, at.profile);
	idmap_free(&g.frames);
}
