/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kin: group the objects dominated by one object by class, package or class loader.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "branches.h"
#include "ui/core/core.h"

/* While groups are built: the group of each class. */
struct maker {
	const struct heap	*heap;
	struct kin		*kin;
	uint32_t		*of;		/* group + 1 by class */
	struct idmap		 names;		/* class, hash of a package, or loader + 1, to group + 1 */
	const struct column	*loader;
};

/* ---- group number ------------------------------------------------------------- */

/* Return the class of an object, of a Class object the class itself; 0: not in the dump. */
static uint32_t
kin_class_of(const struct heap *h, uint32_t object)
{
	uint32_t class = heap_class_of_object(h, object);

	class = class != 0 ? class : heap_class(h, object);
	return class <= h->classes ? class : 0;
}

static void
package_of(const struct heap *h, uint32_t class, struct buf *b)
{
	size_t	i, from = b->n;

	heap_class_name(h, class, b);
	for (i = b->n; i > from && b->s[i - 1] != '.'; i--)
		;
	b->n = i > from ? i - 1 : from;
	if (b->s != NULL)
		b->s[b->n] = '\0';
}

/* Return the key that is equal for classes of one group: class, loader or hash of the package. */
static uint64_t
kin_key(const struct maker *m, uint32_t class)
{
	struct buf	b = BUF_INIT;
	uint64_t	key;

	if (m->kin->kind != KIN_PACKAGE)
		return m->kin->kind == KIN_CLASS ? class : column_get(m->loader, class - 1);
	package_of(m->heap, class, &b);
	key = idmap_hash_text(buf_view(&b), 0);
	buf_free(&b);
	return key;
}

/* Called once for each class. */
static bool
kin_place_class(struct maker *m, uint32_t class, struct err *err)
{
	struct kin	*k = m->kin;
	uint64_t	 key = kin_key(m, class);

	m->of[class] = idmap_get(&m->names, key);
	if (m->of[class] != 0)
		return true;
	if (!MEM_ROOM(k->group, k->cap, k->n))
		return fail(err, E_SYSTEM, "out of memory (groups)");
	k->group[k->n++] = (struct kin_group){ .class = class };
	m->of[class] = (uint32_t)k->n;
	return idmap_put(&m->names, key, m->of[class], err);
}

/* ---- making -------------------------------------------------------------------- */

static bool
kin_count(struct maker *m, const struct siblings *s, struct work *work, struct err *err)
{
	const struct heap *h = m->heap;
	struct kin_group *g;
	uint32_t	 object, class;

	work_start(work, "groups", s->n);
	for (uint64_t i = 0; i < s->n; i++) {
		if (!work_go(work, i, err))
			return false;
		object = s->object[i];
		class = kin_class_of(h, object);
		if (m->of[class] == 0 && !kin_place_class(m, class, err))
			return false;
		g = &m->kin->group[m->of[class] - 1];
		g->n++;
		g->retained += heap_retained(h, object);
		g->shallow += heap_shallow(h, object);
	}
	return true;
}

static int
kin_by_retained(const void *a, const void *b)
{
	const struct kin_group *x = a, *y = b;

	return num_order(y->retained, x->retained, num_order(x->first, y->first, 0));
}

/* Until here first was the group's number in order of appearance, which the maps of classes use. */
static bool
kin_sort(struct maker *m)
{
	struct kin	*k = m->kin;
	uint32_t	*now = mem_array(k->n + 1, sizeof *now);
	uint32_t	 at = 0;

	if (now == NULL)
		return false;
	for (uint32_t i = 0; i < k->n; i++)
		k->group[i].first = i;
	if (k->n > 1)
		qsort(k->group, k->n, sizeof *k->group, kin_by_retained);
	for (uint32_t i = 0; i < k->n; i++) {
		now[k->group[i].first] = i + 1;
		k->group[i].first = at;
		at += k->group[i].n;
		k->group[i].n = 0;
	}
	for (uint32_t i = 0; i <= m->heap->classes; i++)
		if (m->of[i] != 0)
			m->of[i] = now[m->of[i] - 1];
	free(now);
	return true;
}

static bool
kin_place(struct maker *m, const struct siblings *s, struct work *work, struct err *err)
{
	struct kin_group *g;

	for (uint64_t i = 0; i < s->n; i++) {
		if (!work_go(work, i, err))
			return false;
		g = &m->kin->group[m->of[kin_class_of(m->heap, s->object[i])] - 1];
		m->kin->row[g->first + g->n++] = (uint32_t)i;
	}
	return true;
}

static bool
kin_sort_all(struct siblings *s, const struct heap *h, uint32_t object, struct work *work, struct err *err)
{
	if (!siblings_open(s, h, object, work, err))
		return false;
	for (uint64_t i = 0; i < s->n; i++)
		if (!siblings_sort(s, h, i, work, err))
			return false;
	return true;
}

struct kin *
kin_make(const struct heap *h, uint32_t object, enum kinship kind, struct work *work,
    struct err *err)
{
	struct maker	 m = { .heap = h, .names = IDMAP_INIT };
	struct siblings	 s = { .n = 0 };
	bool		 ok = false;

	if (!kin_sort_all(&s, h, object, work, err)) {
		siblings_close(&s);
		return NULL;
	}
	m.kin = mem_array(1, sizeof *m.kin);
	m.of = mem_array((size_t)h->classes + 1, sizeof *m.of);
	m.loader = store_column(h->st, COL_CLASS_LOADER);
	if (m.kin != NULL) {
		m.kin->kind = kind;
		m.kin->row = mem_array((size_t)s.n + 1, sizeof *m.kin->row);
	}
	if (m.kin == NULL || m.of == NULL || m.kin->row == NULL)
		fail(err, E_SYSTEM, "out of memory (groups)");
	else if (kin_count(&m, &s, work, err))
		ok = kin_sort(&m) ? kin_place(&m, &s, work, err) :
		    fail(err, E_SYSTEM, "out of memory (groups)");
	idmap_free(&m.names);
	siblings_close(&s);
	free(m.of);
	if (ok)
		return m.kin;
	kin_free(m.kin);
	return NULL;
}

void
kin_free(struct kin *k)
{
	if (k == NULL)
		return;
	free(k->group);
	free(k->row);
	free(k);
}

void
kin_name(const struct heap *h, const struct kin *k, size_t group, struct buf *b)
{
	uint32_t	class = k->group[group].class, loader;
	size_t		from = b->n;

	if (k->kind == KIN_CLASS)
		heap_class_name(h, class, b);
	else if (k->kind == KIN_PACKAGE) {
		package_of(h, class, b);
		if (b->n == from)
			buf_str(b, STR("(default package)"));
	} else {
		loader = (uint32_t)column_get(store_column(h->st, COL_CLASS_LOADER), class - 1);
		loader = (uint32_t)column_get(store_column(h->st, COL_LOADER_OBJECT), loader - 1);
		if (loader != 0)
			object_name(h, loader, b);
		else
			buf_str(b, STR("bootstrap loader"));
	}
}
