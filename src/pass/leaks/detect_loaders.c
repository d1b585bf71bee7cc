/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_loaders: class loaders that are abandoned but still reachable.
 *
 * Such a loader is closed.  Or nothing refers to the loader itself, only to its objects or classes, and it is
 * one of several of its kind with these classes, or little of it is left and no thread runs its code.  The
 * last case is uncertain: a plug-in may be known by only one of its objects, and be in use.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "loader_holds.h"

#define TICK 1024u
#define FEW_INSTANCES 1000u	/* instances of the classes of a loader of which little is left */
#define FEW_HOLDS 8u		/* references to them from outside */
#define WAYS 8u			/* in which loaders of one class are held; with more, one finding covers all */
#define MANY_MADE 1000u		/* loaders of generated code: fewer may be in a cache */

struct worlds {
	struct scratch	 list;		/* struct world */
	uint64_t	 n;
	ARRAY(uint32_t)	by_row;	/* by row of loader.*: 1 + index, 0: of no interest */
	struct idmap	 by_object;	/* loaders to 1 + index */
	uint64_t	 rows;
};

static struct world *
world_at(const struct worlds *s, uint64_t row)
{
	uint32_t at = row == 0 || row > s->rows ? 0 : s->by_row.at[row];

	assert(at <= s->n);
	return at == 0 ? NULL : &SCRATCH(s->list, struct world)[at - 1];
}

/* ---- which loaders --------------------------------------------------------------------- */

/* Loaders of the JDK that live as long as the program, or that have one class each. */
static const char *const own[] = {
	"sun.misc.Launcher$*", "jdk.internal.*", "sun.reflect.*", "java.lang.BootClassLoader",
	"dalvik.system.PathClassLoader"
};

/* Code generators give each generated class its own loader, and keep only the class. */
static const char *const makers[] = {
	"groovy.*", "org.codehaus.groovy.*", "org.codehaus.janino.*", "net.bytebuddy.*", "*JasperLoader",
	"*.AccessClassLoader"
};

/* Classes generated at run time do not identify their loader. */
static const char *const generated[] = { "*$Proxy*", "*$$*" };

static bool
list_worlds(struct finder *f, struct worlds *s)
{
	const struct column *objects = store_column(f->st, COL_LOADER_OBJECT);
	struct world w;
	uint32_t object;

	s->rows = objects == NULL ? 0 : objects->rows;
	if (!array_grow(&s->by_row, s->rows + 1, f->err))
		return false;
	for (uint64_t row = 2; row <= s->rows; row++) {
		object = (uint32_t)column_get(objects, row - 1);
		if (!work_each(f->work, row, TICK, f->err))
			return false;
		if (object == 0 || object > f->h.objects || heap_dominator(&f->h, object) == 0 ||
		    heap_class_like(&f->h, heap_class(&f->h, object), own, NELEM(own)))
			continue;
		w = (struct world){ .object = object, .row = (uint32_t)row,
		    .class = heap_class(&f->h, object) };
		if (!scratch_add(&s->list, &s->n, &w, sizeof w, f->err) ||
		    !idmap_put(&s->by_object, object, (uint32_t)s->n, f->err))
			return false;
		s->by_row.at[row] = (uint32_t)s->n;
	}
	return true;
}

/* The world of a class that counts: of an application, and not generated; otherwise NULL. */
static struct world *
world_of_class(const struct finder *f, const struct worlds *s, const struct column *loader, uint32_t class)
{
	struct world *w = world_at(s, column_get(loader, class - 1ull));

	return w == NULL || (f->sorts.data[class] & (SORT_APP | SORT_ARRAY)) != SORT_APP ||
	    heap_class_like(&f->h, class, generated, NELEM(generated)) ? NULL : w;
}

/* ---- what speaks for and against them ------------------------------------------------------ */

static void
look_at_roots(const struct finder *f, const struct worlds *s)
{
	const struct column *objects = store_column(f->st, COL_ROOT_OBJECT);
	uint64_t rows = objects == NULL ? 0 : objects->rows;
	struct world *w;
	uint32_t object, at;

	for (uint64_t row = 1; row <= rows; row++) {
		object = (uint32_t)column_get(objects, row - 1);
		if (object == 0 || object > f->h.objects)
			continue;
		w = world_at(s, world_row(f, object));
		if (w != NULL)
			w->holds++;
		at = idmap_get(&s->by_object, object);
		if (at != 0)
			SCRATCH(s->list, struct world)[at - 1].held = true;
	}
}

static void
look_at_frames(const struct finder *f, const struct worlds *s)
{
	const struct column *classes = store_column(f->st, COL_FRAME_CLASS);
	const struct column *loader = store_column(f->st, COL_CLASS_LOADER);
	uint64_t rows = classes == NULL ? 0 : classes->rows, class;
	struct world *w;

	for (uint64_t row = 0; row < rows; row++) {
		class = column_get(classes, row);
		w = class == 0 ? NULL : world_at(s, column_get(loader, class - 1));
		if (w != NULL)
			w->running = true;
	}
}

/* A class of an application that a loader of interest loaded. */
struct loaded {
	struct str	name;
	struct world	*world;
};

static int
detect_loaders_by_name(const void *x, const void *y)
{
	const struct loaded *a = x, *b = y;
	int order = str_cmp(a->name, b->name);

	if (order != 0)
		return order;
	return num_order(a->world->class, b->world->class, 0);
}

/* Counts the classes of each world, and finds worlds of one kind that have a class of the same name. */
static bool
look_at_classes(struct finder *f, const struct worlds *s)
{
	const struct column *loader = store_column(f->st, COL_CLASS_LOADER);
	OWN_ARRAY(struct loaded) list = ARRAY_INIT;
	struct loaded *l, one;
	uint64_t n = 0;
	bool ok = true;

	for (uint32_t class = 1; ok && class <= f->h.classes; class++) {
		if (class % TICK == 0 && !work_tick(f->work, class)) {
			ok = fail_cancel(f->err);
			continue;
		}
		if ((one.world = world_of_class(f, s, loader, class)) == NULL)
			continue;
		one.world->classes++;
		if (one.world->first == 0)
			one.world->first = class;
		one.name = class_text(&f->h, class);
		ok = array_add(&list, &n, &one, f->err);
	}
	l = list.at;
	if (ok && n > 1)
		qsort(l, n, sizeof *l, detect_loaders_by_name);
	for (uint64_t i = 1; ok && i < n; i++)
		if (detect_loaders_by_name(&l[i - 1], &l[i]) == 0 && l[i - 1].world != l[i].world)
			l[i - 1].world->twin = l[i].world->twin = true;
	return ok;
}

static bool
loaders_begin(struct finder *f, void *state)
{
	struct worlds *s = state;
	struct world *w;

	if (!list_worlds(f, s) || s->n == 0)
		return s->n == 0;
	if (!look_at_classes(f, s))
		return false;
	look_at_roots(f, s);
	look_at_frames(f, s);
	for (uint32_t i = 0; i < s->n; i++) {
		w = &SCRATCH(s->list, struct world)[i];
		w->held |= w->classes == 0;
		if (w->classes > 0 && !world_look(f, w))
			return false;
	}
	return true;
}

/* ---- the remaining ones ------------------------------------------------------------------------ */

static bool
loaders_wants(struct finder *f, void *state, uint32_t class)
{
	const struct worlds *s = state;
	const struct world *w;

	if (s->n == 0)
		return false;
	w = world_at(s, column_get(store_column(f->st, COL_CLASS_LOADER), class - 1ull));
	return w != NULL && !w->held;
}

static bool
loaders_object(struct finder *f, void *state, uint32_t object)
{
	struct worlds *s = state;
	struct world *w = world_at(s, world_row(f, object));

	return w == NULL || ++w->instances > FEW_INSTANCES || world_count(f, w, object, FEW_HOLDS + 1);
}

static bool
count_class_holds(struct finder *f, const struct worlds *s)
{
	const struct column *loader = store_column(f->st, COL_CLASS_LOADER);
	const struct column *objects = store_column(f->st, COL_CLASS_OBJECT);
	struct world *w;
	uint32_t object;

	for (uint32_t class = 1; class <= f->h.classes; class++) {
		w = world_at(s, column_get(loader, class - 1ull));
		object = w == NULL || w->held ? 0 : (uint32_t)column_get(objects, class - 1ull);
		if (object != 0 && !world_count(f, w, object, FEW_HOLDS + 1))
			return false;
	}
	return true;
}

/* ---- findings ------------------------------------------------------------------------------- */

static bool
detect_loaders_is_left(const struct world *w)
{
	bool little = !w->running && w->instances <= FEW_INSTANCES && w->holds <= FEW_HOLDS;

	return w->classes > 0 && (w->closed || (!w->held && (w->twin || little)));
}

/* Sort by class, then by the way in which the loaders are held. */
static int
detect_loaders_by_class(const void *x, const void *y)
{
	const struct world *a = x, *b = y;

	return num_order(a->class, b->class, num_order(a->way, b->way, num_order(a->object, b->object, 0)));
}

/*
 * Add one finding for the leftover loaders among n that are held in the same way; all: the loaders of their
 * class.
 */
static bool
detect_loaders_add_kind(struct finder *f, const struct world *w, uint64_t n, uint64_t all)
{
	struct finding finding = { .kind = FINDING_LOADER, .grade = 1 + SEVERITY_NOTE, .number = all };
	uint64_t bytes, most = 0;
	const struct column *retained = heap_column(&f->h, COL_EACH_LOADER_RETAINED);

	for (uint32_t i = 0; i < n; i++) {
		if (!detect_loaders_is_left(&w[i]))
			continue;
		if (w[i].closed || w[i].twin)
			finding.grade = 1 + SEVERITY_WARNING;
		finding.count++;
		bytes = column_get(retained, w[i].row - 1ull);
		finding.retained = num_add(finding.retained, bytes);
		if (finding.object != 0 && bytes <= most)
			continue;
		most = bytes;
		finding.object = w[i].object;
		finding.class = w[i].hold[0].by != 0 ? w[i].hold[0].class : w[i].first;
		finding.other = w[i].hold[0].by;
	}
	return finding.count == 0 ||
	    (finding.count < MANY_MADE && heap_class_like(&f->h, w[0].class, makers, NELEM(makers))) ||
	    finding_add(f, &finding);
}

/* A place for each hold, once and in order: the order in which they are found has no meaning. */
static bool
find_way(struct finder *f, struct world *w, struct buf *text)
{
	uint64_t key[WORLD_HOLDS], k;
	size_t n = 0, best = WORLD_HOLDS, i, from;

	for (size_t hold = 0; hold < WORLD_HOLDS && w->hold[hold].by != 0; hold++) {
		buf_clear(text);
		loader_place(&f->h, w->hold[hold].by, w->hold[hold].class, text);
		if (best == WORLD_HOLDS && !str_has_prefix(buf_view(text), STR("a local variable")))
			best = hold;
		/*
		 * Mask the numbers of threads and of unnamed objects, so that they do not make ways differ.
		 */
		for (from = 0; from < text->n && text->s[from] != '"' && text->s[from] != '@'; from++)
			continue;
		name_pool(text, from);
		if (text->bad)
			return fail_memory(f->err, "name");
		k = hash_bytes(text->s, text->n, 0);
		for (i = 0; i < n && key[i] < k; i++)
			continue;
		if (i < n && key[i] == k)
			continue;
		assert(n < WORLD_HOLDS);
		memmove(&key[i + 1], &key[i], (n - i) * sizeof *key);
		key[i] = k;
		n++;
	}
	/*
	 * Only the first hold is reported: prefer one that is not a local variable, which holds for a while
	 * only.
	 */
	if (best < WORLD_HOLDS) {
		struct hold first = w->hold[0];

		w->hold[0] = w->hold[best];
		w->hold[best] = first;
	}
	w->way = n == 0 ? 0 : hash_bytes(key, n * sizeof *key, 0);
	return true;
}

static bool
find_ways(struct finder *f, const struct worlds *s)
{
	struct world *w = SCRATCH(s->list, struct world);
	OWN_BUF text = BUF_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && i < s->n; i++)
		ok = !detect_loaders_is_left(&w[i]) || (work_go(f->work, i, f->err) &&
		    find_way(f, &w[i], &text));
	return ok;
}

/*
 * Loaders of one class, by paths unless there are too many of them; loaders not held from outside have none.
 */
static bool
detect_loaders_add_class(struct finder *f, const struct world *w, uint64_t n)
{
	uint64_t ways = 0, all = 0, to;

	assert(n > 0);
	for (uint64_t i = 0; i < n; i++) {
		all += w[i].classes > 0;
		ways += w[i].way != 0 && (i == 0 || w[i - 1].way != w[i].way);
	}
	if (ways <= 1 || ways > WAYS)
		return detect_loaders_add_kind(f, w, n, all);
	for (uint64_t from = 0; from < n; from = to) {
		for (to = from + 1; to < n && w[to].way == w[from].way; to++)
			continue;
		if (!detect_loaders_add_kind(f, &w[from], to - from, all))
			return false;
	}
	return true;
}

static bool
loaders_end(struct finder *f, void *state)
{
	struct worlds *s = state;
	struct world *w = SCRATCH(s->list, struct world);
	uint64_t to;

	if (s->n == 0)
		return true;
	if (!count_class_holds(f, s))
		return false;
	if (!find_ways(f, s))
		return false;
	qsort(w, s->n, sizeof *w, detect_loaders_by_class);
	for (uint64_t from = 0; from < s->n; from = to) {
		for (to = from + 1; to < s->n && w[to].class == w[from].class; to++)
			continue;
		if (!detect_loaders_add_class(f, &w[from], to - from))
			return false;
	}
	return true;
}

static void
loaders_release(void *state)
{
	struct worlds *s = state;

	SCRATCH_FREE(&s->list, &s->by_row);
	idmap_free(&s->by_object);
}

const struct detector detector_loaders = {
	.state_size = sizeof(struct worlds), .begin = loaders_begin, .wants = loaders_wants,
	.object = loaders_object, .end = loaders_end, .release = loaders_release
};
