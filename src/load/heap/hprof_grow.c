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
#define PADDED_MIN 128u		/* bytes that @Contended adds at least */
/* share of instances of other classes that must fit, if gaps between objects are rare */
#define DENSE_MIN 0.9
#define TIGHT_MIN 0.995		/* if there are nearly none */

/*
 * Classes to which VMs add fields or padding, which their subclasses inherit, with the bytes that all of JDK 11 to 25
 * add; 0: they differ.
 */
static const struct known_larger {
	const char	*name;
	unsigned	 least;
} known_larger[] = {
	{ "java.lang.Class", 0 }, { "java.lang.ClassLoader", 8 }, { "java.lang.InternalError", 1 },
	{ "java.lang.Module", 8 }, { "java.lang.StackFrameInfo", 0 }, { "java.lang.Thread", 0 },
	{ "java.lang.VirtualThread", 0 }, { "java.lang.invoke.MemberName", 8 },
	{ "java.lang.invoke.MethodHandleNatives$CallSiteContext", 0 },
	{ "java.lang.invoke.ResolvedMethodName", 8 }, { "java.util.concurrent.ConcurrentHashMap$CounterCell", 256 },
	{ "java.util.concurrent.Exchanger$Node", 0 }, { "java.util.concurrent.ForkJoinPool", 256 },
	{ "java.util.concurrent.ForkJoinPool$WorkQueue", 0 },
	{ "java.util.concurrent.SubmissionPublisher$BufferedSubscription", 0 },
	{ "java.util.concurrent.atomic.Striped64$Cell", 256 }, { "jdk.internal.vm.StackChunk", 0 }
};

/* Measurements of the instances of a class. */
struct seen {
	uint64_t	least;		/* smallest distance to the next object; UINT64_MAX: none */
	uint64_t	below;		/* minimum extra size, including subclasses; UINT64_MAX: unknown */
	/* First instances: number measured, and number with the smallest distance. */
	uint32_t	n, agree;
	uint32_t	classes;	/* number of this class and its subclasses that agree */
	const struct known_larger *known;	/* its row of the list above; NULL: it has none */
	bool		under;		/* a subclass of a class in the list */
};

struct grow {
	struct hprof	*h;
	const struct heap_rule *rule;
	const uint32_t	*order;
	uint64_t	*size;		/* by the rule, not yet aligned */
	uint64_t	*more;		/* extra size of each class */
	struct seen	*seen;
	bool		 dense, tight;	/* gaps between objects are rare; nearly none */
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

/* Return the part of the instances that the next object follows directly, of classes of which one does. */
static double
touching(const struct grow *g)
{
	uint64_t n = 0, fit = 0;

	for (uint64_t i = 0; i < g->h->table[CLASSES].n; i++)
		if (g->seen[i].n > 0 && g->seen[i].least == hprof_grow_by_rule(g, (uint32_t)i + 1)) {
			n += g->seen[i].n;
			fit += g->seen[i].agree;
		}
	return n == 0 ? 1 : (double)fit / (double)n;
}

/* ---- growing ----------------------------------------------------------------------- */

static bool
agreed(const struct seen *s)
{
	return s->agree >= AGREE_MIN && 2 * s->agree > s->n;
}

static const struct known_larger *
in_list(const struct grow *g, uint32_t class)
{
	struct str name = store_text(g->h->st, hprof_class_row(g->h, class)->name_ref);

	for (size_t i = 0; i < NELEM(known_larger); i++)
		if (heap_same_name(name, str_of(known_larger[i].name)))
			return &known_larger[i];
	return NULL;
}

/*
 * Other classes of the boot loader may be padded, too; but where gaps are frequent a class may always be followed by
 * one, as those of applications may anywhere.
 */
static bool
may_grow(const struct grow *g, uint32_t class, uint64_t more)
{
	const struct class_row *c = hprof_class_row(g->h, class);
	const struct seen *s = &g->seen[class - 1];

	return c->dump != 0 && c->element == 0 && more <= MORE_MAX &&
	    (s->known != NULL || s->under ||
	    (c->loader_addr == 0 && (g->tight || (g->dense && more >= PADDED_MIN))));
}

/* Return the extra size of the class. */
static uint64_t
growth(const struct grow *g, uint32_t class, uint64_t inherited)
{
	const struct seen *s = &g->seen[class - 1];
	uint64_t rule = hprof_grow_by_rule(g, class), more = more_than(s->least, rule), added;

	if (agreed(s) && may_grow(g, class, more))
		return more;
	if (s->n == 0 && s->classes >= AGREE_MIN && s->below > inherited && may_grow(g, class, s->below))
		return s->below;
	/* A gap is taken for fields only where they are not known, or as large as padding. */
	if (s->known != NULL && s->n > 0 && more <= MORE_OF_ONE && may_grow(g, class, more) &&
	    (g->tight || (g->dense && (s->known->least == 0 || s->known->least >= PADDED_MIN))))
		return more;
	added = s->known == NULL || s->n == 0 || !may_grow(g, class, s->known->least) ? 0 :
	    heap_up(g->size[class - 1] + s->known->least, g->rule->align) - rule;
	added = added > inherited ? added : inherited;
	/* The size cannot exceed any distance. */
	return more < added ? more : added;
}

/* Return the bytes that a class inherits from a superclass with added fields; its own fields follow them. */
static uint64_t
inherited_by(const struct grow *g, uint32_t class, uint32_t super)
{
	uint64_t own = g->size[class - 1] - g->size[super - 1];

	if (g->more[super - 1] == 0 && g->seen[super - 1].known == NULL)
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
		s->under = super != 0 && (g->seen[super - 1].known != NULL || g->seen[super - 1].under);
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
	double touch;

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
		touch = touching(&g);
		g.tight = touch >= TIGHT_MIN;
		g.dense = touch >= DENSE_MIN;
		hprof_grow_do(&g, out);
	}
	free(g.seen);
	free(g.more);
	return (g.seen != NULL && g.more != NULL) || fail(h->err, E_SYSTEM, "out of memory (classes)");
}
