/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_grow: classes whose instances are larger than their fields.
 *
 * The VM adds fields to some classes (java.lang.Thread, java.lang.Class, java.lang.ClassLoader) and pads others
 * (@Contended). The dump does not contain this. But the next object comes after all of it: the smallest distance from
 * an instance to the next object is the class size, if several instances have it.
 */
#include "config.h"

#include <stdlib.h>

#include "grow.h"

#define AGREE_MIN 3u		/* instances, or subclasses, that must agree */
#define MORE_MAX 4096u		/* maximum bytes that the VM adds to a class */
#define MORE_OF_ONE 512u	/* if only one or two instances agree */
/* share of instances of other classes that must fit, if gaps between objects are rare */
#define DENSE_MIN 0.9

/* Classes to which VMs add fields or padding; their subclasses inherit them. */
static const char *const known_larger[] = {
	"java.lang.Class", "java.lang.ClassLoader", "java.lang.InternalError", "java.lang.Module",
	"java.lang.StackFrameInfo", "java.lang.Thread", "java.lang.VirtualThread", "java.lang.invoke.MemberName",
	"java.lang.invoke.MethodHandleNatives$CallSiteContext", "java.lang.invoke.ResolvedMethodName",
	"java.util.concurrent.ConcurrentHashMap$CounterCell", "java.util.concurrent.Exchanger$Node",
	"java.util.concurrent.ForkJoinPool", "java.util.concurrent.ForkJoinPool$WorkQueue",
	"java.util.concurrent.SubmissionPublisher$BufferedSubscription", "java.util.concurrent.atomic.Striped64$Cell",
	"jdk.internal.vm.StackChunk"
};

/* Measurements of the instances of a class. */
struct seen {
	uint64_t	least;		/* smallest distance to the next object; UINT64_MAX: none */
	uint64_t	below;		/* minimum extra size, including subclasses; UINT64_MAX: unknown */
	/* First instances: number measured, and number with the smallest distance. */
	uint32_t	n, agree;
	uint32_t	classes;	/* number of this class and its subclasses that agree */
	bool		known, under;	/* in the list above, or a subclass of a class in it */
};

struct grow {
	struct hprof	*h;
	const struct heap_rule *rule;
	const uint32_t	*order;
	uint64_t	*size;		/* by the rule, not yet aligned */
	uint64_t	*more;		/* extra size of each class */
	struct seen	*seen;
	bool		 dense;		/* gaps between objects are rare */
};

static uint64_t
hprof_grow_by_rule(const struct grow *g, uint32_t class)
{
	return heap_up(g->size[class - 1], g->rule->align);
}

static uint64_t
more_than(uint64_t bytes, uint64_t rule)
{
	return bytes < rule ? 0 : bytes - rule;
}

/* ---- distances --------------------------------------------------------------------- */

static void
hprof_grow_see(struct seen *s, uint64_t bytes, bool first)
{
	s->n += first;
	if (bytes < s->least) {
		s->least = bytes;
		s->agree = 0;
	}
	s->agree += first && bytes == s->least;
}

/* Measure the samples; the stack in a stack chunk is not counted. */
static void
hprof_grow_see_samples(struct grow *g, const struct heap_sample *s, uint64_t n, bool first)
{
	uint64_t bytes, stack;

	for (; n > 0; n--, s++) {
		if (s->id == 0 || s->class >= PRIM_CLASS)
			continue;
		bytes = s->id;
		if (s->class == g->h->stack_class) {
			stack = heap_rule_stack(g->rule, s->length);
			bytes = bytes < stack ? 0 : (bytes - stack) / g->rule->align * g->rule->align;
		}
		hprof_grow_see(&g->seen[s->class - 1], bytes, first);
	}
}

/* Class objects are at least as large as an instance of java.lang.Class, followed by their statics. */
static void
see_classes(struct grow *g, const struct heap_ids *ids, uint32_t class_class)
{
	const struct class_row *c;
	uint64_t after, statics;

	for (uint64_t i = 1; i <= g->h->table[CLASSES].n && class_class != 0; i++) {
		c = hprof_class_row(g->h, (uint32_t)i);
		after = c->dump == 0 || c->foreign ? 0 : heap_ids_after(ids, c->addr);
		statics = heap_rule_statics(g->rule, c->static_refs - c->static_added, c->static_bytes,
		    c->static_wide != 0);
		if (after != 0 && after - c->addr >= statics)
			hprof_grow_see(&g->seen[class_class - 1], after - c->addr - statics, false);
	}
}

/* Record that n classes are larger by at least that many bytes. */
static void
see_more(struct seen *s, uint64_t more, uint32_t classes)
{
	if (more < s->below) {
		s->below = more;
		s->classes = 0;
	}
	s->classes += more == s->below ? classes : 0;
}

/* Subclasses come first: their measurements count for the superclass as well. */
static void
see_below(struct grow *g)
{
	struct seen *s;
	uint32_t super;

	for (uint64_t i = g->h->table[CLASSES].n; i-- > 0;) {
		s = &g->seen[g->order[i] - 1];
		if (s->least != UINT64_MAX)
			see_more(s, more_than(s->least, hprof_grow_by_rule(g, g->order[i])), 1);
		super = hprof_class_row(g->h, g->order[i])->super;
		if (super != 0)
			see_more(&g->seen[super - 1], s->below, s->classes);
	}
}

/* In classes that match the rule, nearly all instances must be directly followed by the next object. */
static bool
dense(const struct grow *g)
{
	uint64_t n = 0, fit = 0;

	for (uint64_t i = 0; i < g->h->table[CLASSES].n; i++)
		if (g->seen[i].n > 0 && g->seen[i].least == hprof_grow_by_rule(g, (uint32_t)i + 1)) {
			n += g->seen[i].n;
			fit += g->seen[i].agree;
		}
	return (double)fit >= DENSE_MIN * (double)n;
}

/* ---- growing ----------------------------------------------------------------------- */

static bool
agreed(const struct seen *s)
{
	return s->agree >= AGREE_MIN && 2 * s->agree > s->n;
}

static bool
in_list(const struct grow *g, uint32_t class)
{
	struct str name = store_text(g->h->st, hprof_class_row(g->h, class)->name_ref);

	for (size_t i = 0; i < NELEM(known_larger); i++)
		if (heap_same_name(name, str_of(known_larger[i])))
			return true;
	return false;
}

/*
 * Return the extra size of the class. Other classes of the boot loader may be padded too, but with frequent gaps
 * distances are unreliable, and application classes may always be followed by gaps.
 */
static uint64_t
growth(const struct grow *g, uint32_t class, uint64_t inherited)
{
	const struct class_row *c = hprof_class_row(g->h, class);
	const struct seen *s = &g->seen[class - 1];
	uint64_t more = more_than(s->least, hprof_grow_by_rule(g, class));
	bool may = c->dump != 0 && c->element == 0 && (s->known || s->under || (g->dense && c->loader_addr == 0));

	if (may && agreed(s) && more <= MORE_MAX)
		return more;
	if (may && s->n == 0 && s->classes >= AGREE_MIN && s->below > inherited && s->below <= MORE_MAX)
		return s->below;
	if (may && s->known && g->dense && s->n > 0 && more <= MORE_OF_ONE)
		return more;
	/* The size cannot exceed any distance. */
	return more < inherited ? more : inherited;
}

/* Return the bytes that a class inherits from a superclass with added fields; its own fields follow them. */
static uint64_t
inherited_by(const struct grow *g, uint32_t class, uint32_t super)
{
	uint64_t own = g->size[class - 1] - g->size[super - 1];

	if (g->more[super - 1] == 0 && !g->seen[super - 1].known)
		return 0;
	return more_than(heap_up(hprof_grow_by_rule(g, super) + g->more[super - 1] + own, g->rule->align),
	    hprof_grow_by_rule(g, class));
}

static void
hprof_grow_do(struct grow *g, struct larger *out)
{
	struct seen *s;
	uint64_t inherited;
	uint32_t class, super;

	for (uint64_t i = 0; i < g->h->table[CLASSES].n; i++) {
		class = g->order[i];
		super = hprof_class_row(g->h, class)->super;
		s = &g->seen[class - 1];
		s->known = in_list(g, class);
		s->under = super != 0 && (g->seen[super - 1].known || g->seen[super - 1].under);
		inherited = super == 0 ? 0 : inherited_by(g, class, super);
		g->more[class - 1] = growth(g, class, inherited);
		out->classes += g->more[class - 1] > inherited;
	}
	for (uint64_t i = 0; i < g->h->table[CLASSES].n; i++) {
		g->size[i] += g->more[i];
		s = &g->seen[i];
		out->differ += s->n >= AGREE_MIN && s->least != hprof_grow_by_rule(g, (uint32_t)i + 1);
	}
}

bool
hprof_grow(struct hprof *h, const struct heap_ids *ids, const struct heap_rule *r, const uint32_t *order,
    uint32_t class_class, uint64_t *size, struct larger *out)
{
	uint64_t n = h->table[CLASSES].n;
	const struct table *firsts = &h->table[FIRSTS];
	struct grow g = { .h = h, .rule = r, .order = order, .size = size };

	*out = (struct larger){ 0, 0 };
	g.seen = mem_array(n + 1, sizeof *g.seen);
	g.more = mem_array(n + 1, sizeof *g.more);
	if (g.seen != NULL && g.more != NULL) {
		for (uint64_t i = 0; i < n; i++)
			g.seen[i].least = g.seen[i].below = UINT64_MAX;
		hprof_grow_see_samples(&g, SCRATCH(firsts->rows, struct heap_sample), firsts->n, true);
		hprof_grow_see_samples(&g, h->samples.row, h->samples.n, false);
		see_classes(&g, ids, class_class);
		see_below(&g);
		g.dense = dense(&g);
		hprof_grow_do(&g, out);
	}
	free(g.seen);
	free(g.more);
	return (g.seen != NULL && g.more != NULL) || fail(h->err, E_SYSTEM, "out of memory (classes)");
}
