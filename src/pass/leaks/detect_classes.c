/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_classes: very many classes whose names differ only in what generators of classes count: proxies,
 * scripts, hidden classes.  An ordinary program has a few thousand of them, no more than some hundreds of one
 * name.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_dominators.h"
#include "findings.h"

#define TICK 1024u
#define TOLD 1000u		/* classes with the same name */
#define WARN 3000u
/* Classes that the JDK generates, such as lambdas: one for each place of a program. */
#define JDK_TOLD 3000u
#define JDK_WARN 20000u
/* Classes with a class loader each are a warning if the loaders together retain these bytes, and this share. */
#define LOADED 100u
#define LOADED_BYTES (4u << 20)
#define LOADED_SHARE 10u
#define METASPACE (4u << 10)	/* bytes that a class takes outside the heap, at least */

struct group {
	uint32_t	n, loaders, loader, first, last;	/* loader: row of loader.*, of the last one; classes */
	uint64_t	bytes, loaded;	/* loaded: bytes that the class loaders retain */
	bool		jdk;
};

struct groups {
	struct scratch	list;		/* struct group */
	uint64_t	n;
	struct idmap	by_name, by_loader;	/* by_loader: those counted: group and row of loader.* */
	struct buf	text;
};

/* Lambdas, method handles and classes made by reflection; its wrapper of annotations is a proxy instead. */
static bool
is_for_itself(struct str name)
{
	static const char *const made[] = { "*$$Lambda*", "java.lang.invoke.*", "jdk.internal.reflect.*",
	    "sun.reflect.*",
	    "*$$InjectedInvoker*" };

	return str_glob_any(made, NELEM(made), name);
}

static bool
detect_classes_add_class(struct finder *f, struct groups *s, uint32_t class, uint32_t object)
{
	const struct column *loader = store_column(f->st, COL_CLASS_LOADER);
	struct group new = { .first = class }, *g;
	uint32_t row = (uint32_t)column_get(loader, class - 1ull), at;
	uint64_t key, of;

	buf_clear(&s->text);
	class_family(&f->h, class, &s->text);
	if (s->text.bad)
		return fail_memory(f->err, "name");
	key = hash_bytes(s->text.s, s->text.n, 0);
	at = idmap_get(&s->by_name, key);
	new.jdk = at == 0 && is_for_itself(buf_view(&s->text));
	if (at == 0 && (!scratch_add(&s->list, &s->n, &new, sizeof new, f->err) ||
	    !idmap_put(&s->by_name, key, at = (uint32_t)s->n, f->err)))
		return false;
	assert(at > 0 && at <= s->n);
	g = &SCRATCH(s->list, struct group)[at - 1];
	g->n++;
	/* The classes of several class loaders may take turns. */
	of = (uint64_t)at << 32 | row;
	if (idmap_get(&s->by_loader, of) == 0) {
		if (!idmap_put(&s->by_loader, of, 1, f->err))
			return false;
		g->loaders++;
		g->loaded = num_add(g->loaded, column_get(heap_column(&f->h, COL_EACH_LOADER_RETAINED), row - 1ull));
	}
	g->loader = row;
	g->last = class;
	g->bytes = num_add(g->bytes, heap_retained(&f->h, object));
	return true;
}

/* Skip classes with one class loader each: the finding about these loaders covers them. */
static bool
detect_classes_is_told(const struct finder *f, const struct group *g)
{
	const struct finding *list = SCRATCH(f->list, struct finding);
	OWN_BUF a = BUF_INIT, b = BUF_INIT;
	bool told = false;

	class_family(&f->h, g->first, &a);
	for (uint64_t i = 0; i < f->n && !told; i++) {
		if (list[i].kind != FINDING_LOADER || list[i].count < g->n / 2)
			continue;
		buf_clear(&b);
		class_family(&f->h, list[i].class, &b);
		told = str_eq(buf_view(&a), buf_view(&b));
	}
	return told;
}

/* An instance of one of them, which is what keeps a hidden class, or else its Class object. */
static bool
find_object(struct finder *f, const struct group *g, uint32_t *object)
{
	const struct heap *h = &f->h;

	for (*object = 1; *object <= h->objects; ++*object) {
		uint32_t class = heap_class(h, *object);

		if (*object % FINDINGS_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		if ((class == g->last || class == g->first) && heap_dominator(h, *object) != 0)
			return true;
	}
	*object = heap_class_object(h, g->last);
	return true;
}

static bool
is_loaded_each(const struct finder *f, const struct group *g)
{
	return g->n >= LOADED && g->loaders >= g->n - g->n / 4 && g->loaded >= LOADED_BYTES &&
	    g->loaded >= f->live / LOADED_SHARE;
}

static bool
tell_groups(struct finder *f, const struct groups *s)
{
	for (uint64_t i = 0; i < s->n; i++) {
		const struct group *g = &SCRATCH(s->list, struct group)[i];
		uint64_t outside = (uint64_t)g->n * METASPACE;
		bool each = is_loaded_each(f, g), many = g->n >= (g->jdk ? JDK_WARN : WARN);
		uint64_t bytes = each ? g->loaded : g->bytes;
		uint32_t object;

		if ((g->n < (g->jdk ? JDK_TOLD : TOLD) && !each) || detect_classes_is_told(f, g))
			continue;
		if (!find_object(f, g, &object) || !finding_add(f,
		    &(struct finding){ .kind = FINDING_CLASSES, .object = object,
		    .class = g->first, .other = (uint32_t)store_cell(f->st, COL_LOADER_OBJECT, g->loader),
		    .count = g->n,
		    .number = g->loaders > 1 ? g->loaders : 0, .retained = bytes,
		    .weight = num_add(bytes, outside),
		    .grade = 1 + (many || each ? SEVERITY_WARNING : SEVERITY_NOTE) }))
			return false;
	}
	return true;
}

static bool
classes_end(struct finder *f, void *state)
{
	struct groups *s = state;
	bool many = f->h.classes >= TOLD || column_rows(store_column(f->st, COL_LOADER_OBJECT)) >= LOADED / 2;

	for (uint32_t class = 1; many && class <= f->h.classes; class++) {
		uint32_t object = heap_class_object(&f->h, class);

		if (!work_each(f->work, class, TICK, f->err))
			return false;
		if (object != 0 && heap_dominator(&f->h, object) != 0 &&
		    !(f->sorts.data[class] & SORT_ARRAY) &&
		    !detect_classes_add_class(f, s, class, object))
			return false;
	}
	return tell_groups(f, s);
}

static void
classes_release(void *state)
{
	struct groups *s = state;

	scratch_free(&s->list);
	idmap_free(&s->by_name);
	idmap_free(&s->by_loader);
	buf_free(&s->text);
}

const struct detector detector_classes = {
	.state_size = sizeof(struct groups), .end = classes_end, .release = classes_release
};
