/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_classes: relations between the classes of a dump, after all were read.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hprof_classes.h"

/* ---- names --------------------------------------------------------------------- */

bool
hprof_sort_pairs(struct hprof *h, int table)
{
	return make_sort(&h->table[table].rows, h->table[table].n, sizeof(struct pair), NULL, h->err) || hprof_fail(h);
}

uint64_t
hprof_name(const struct hprof *h, uint64_t id)
{
	const struct table *t = &h->table[STRINGS];
	const struct pair *row = SCRATCH(t->rows, struct pair);
	uint64_t at = make_place(row, t->n, sizeof *row, id);

	return at < t->n && row[at].id == id ? row[at].offset : 0;
}

/*
 * Return the element type in the name of an array class: "[I", "int[]"; HEAP_OBJECT for other classes; 0: not an
 * array.
 */
static unsigned
element_of(struct str name)
{
	static const struct {
		const char *code, *word;
		unsigned type;
	} types[] = {
		{ "[Z", "boolean[]", HEAP_BOOLEAN }, { "[C", "char[]", HEAP_CHAR },
		{ "[F", "float[]", HEAP_FLOAT }, { "[D", "double[]", HEAP_DOUBLE },
		{ "[B", "byte[]", HEAP_BYTE }, { "[S", "short[]", HEAP_SHORT },
		{ "[I", "int[]", HEAP_INT }, { "[J", "long[]", HEAP_LONG }
	};

	for (size_t i = 0; i < NELEM(types); i++)
		if (str_eq(name, str_of(types[i].code)) || str_eq(name, str_of(types[i].word)))
			return types[i].type;
	if (name.n > 0 && name.s[0] == '[')
		return HEAP_OBJECT;
	return name.n > 2 && str_has_suffix(name, STR("[]")) ? HEAP_OBJECT : 0;
}

/* Set the name of each class, the element type of array classes, and the superclass. */
static void
hprof_classes_name_classes(struct hprof *h, struct class_facts *f)
{
	struct class_row *c;
	unsigned element;
	struct str name;

	for (uint32_t i = 1; i <= h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, i);
		c->name_ref = hprof_name(h, c->name);
		name = store_text(h->st, c->name_ref);
		element = element_of(name);
		/* A class with only arrays is an array class, whatever its name. */
		if (element == 0 && c->arrays > 0 && c->arrays >= c->count && c->fields == 0)
			element = HEAP_OBJECT;
		c->element = (uint8_t)element;
		if (element > HEAP_OBJECT && h->prim_number[element] == 0)
			h->prim_number[element] = i;
		if (f->class_class == 0 && c->dump != 0 && heap_same_name(name, STR("java.lang.Class"))) {
			f->class_class = i;
			c->element = 0;
		}
		if (c->super_addr != 0) {
			c->super = idmap_get(&h->class_map, c->super_addr + 1);
			f->no_super += c->super == 0;
		}
	}
}

/* Move the counts of primitive arrays to their classes, which are created if the dump does not name them. */
static bool
place_prims(struct hprof *h)
{
	struct class_row *c;

	for (unsigned type = HEAP_BOOLEAN; type < PRIM_TYPES; type++) {
		if (h->prims[type].count == 0)
			continue;
		if (h->prim_number[type] == 0) {
			if (!hprof_add(h, &h->table[CLASSES], &(struct class_row){ .element = (uint8_t)type },
			    sizeof(struct class_row)))
				return false;
			h->prim_number[type] = (uint32_t)h->table[CLASSES].n;
		}
		c = hprof_class_row(h, h->prim_number[type]);
		c->count += h->prims[type].count;
		c->elements += h->prims[type].elements;
		c->up0 += h->prims[type].up0;
		c->up4 += h->prims[type].up4;
	}
	return true;
}

/* ---- superclasses ------------------------------------------------------------------- */

/*
 * Order classes after their superclasses. In a cycle of superclasses, the class that closes it has no superclass.
 */
static void
order_classes(struct hprof *h, uint32_t *order, uint32_t *mark, uint64_t *cycles)
{
	uint32_t n = 0, c, path, top;
	struct class_row *row;

	for (uint32_t i = 1; i <= h->table[CLASSES].n; i++) {
		/* The path upwards is kept in the unused end of order. */
		for (c = i, path = 0; c != 0 && mark[c] == 0; c = row->super) {
			mark[c] = i;
			row = hprof_class_row(h, c);
			order[h->table[CLASSES].n - ++path] = c;
		}
		if (path > 0 && c != 0 && mark[c] == i) {
			top = order[h->table[CLASSES].n - path];
			hprof_class_row(h, top)->super = 0;
			++*cycles;
		}
		assert(n + path <= h->table[CLASSES].n);
		for (; path > 0; path--)
			order[n++] = order[h->table[CLASSES].n - path];
	}
}

/* ---- references ------------------------------------------------------------------------ */

static unsigned
strength_of(struct str name)
{
	static const struct {
		const char *name;
		enum heap_strength strength;
	} bases[] = {
		{ "java.lang.ref.Reference", HEAP_SOFT },
		{ "java.lang.ref.SoftReference", HEAP_SOFT },
		{ "java.lang.ref.FinalReference", HEAP_FINALIZER },
		{ "java.lang.ref.Finalizer", HEAP_FINALIZER },
		{ "java.lang.ref.FinalizerReference", HEAP_FINALIZER },
		{ "java.lang.ref.WeakReference", HEAP_WEAK },
		{ "java.lang.ref.PhantomReference", HEAP_PHANTOM }
	};

	for (size_t i = 0; i < NELEM(bases); i++)
		if (heap_same_name(name, str_of(bases[i].name)))
			return bases[i].strength;
	return HEAP_STRONG;
}

/* Set the reference strength of each class; the default is that of its superclass, which comes before it. */
static void
find_strengths(struct hprof *h, const uint32_t *order)
{
	struct class_row *c;

	for (uint64_t i = 0; i < h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, order[i]);
		c->strength = (uint8_t)strength_of(store_text(h->st, c->name_ref));
		if (c->strength == HEAP_STRONG && c->super != 0)
			c->strength = hprof_class_row(h, c->super)->strength;
	}
}

/* ---- loaders ------------------------------------------------------------------------------ */

/* Row 1 is the boot loader; u32 object for each row. */
static bool
find_loaders(struct hprof *h, const struct heap_ids *ids, struct table *found)
{
	struct idmap map = IDMAP_INIT;
	struct class_row *c;
	uint32_t object = 0;
	bool ok = hprof_add(h, found, &object, sizeof object);

	for (uint32_t i = 1; ok && i <= h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, i);
		c->loader = c->loader_addr == 0 ? 1 : idmap_get(&map, c->loader_addr);
		if (c->loader != 0)
			continue;
		object = heap_ids_find(ids, c->loader_addr);
		ok = hprof_add(h, found, &object, sizeof object) &&
		    idmap_put(&map, c->loader_addr, (uint32_t)found->n, h->err);
		c->loader = (uint32_t)found->n;
	}
	idmap_free(&map);
	return ok;
}

/* ---- classes whose id is also used by another record ---------------------------------------- */

struct firsts {
	struct hprof	*h;
	struct idmap	 classes;	/* 1 + address, to class, until its first record is found */
	uint32_t	 class_class;
};

static bool
see_first(void *arg, const struct heap_record *r)
{
	struct firsts *f = arg;
	uint32_t class = idmap_get(&f->classes, r->id + 1);
	struct class_row *c;

	if (class == 0 || (c = hprof_class_row(f->h, class))->instance == false)
		return true;
	c->instance = false;
	c->foreign = r->tag != TAG_INSTANCE ||
	    idmap_get(&f->h->class_map, r->class + 1) != f->class_class;
	return true;
}

/*
 * Find classes whose id is also used by another record. The first of these records decides: an instance of
 * java.lang.Class is expected, anything else is foreign.
 */
static bool
find_foreign(struct hprof *h, struct class_facts *f)
{
	struct firsts firsts = { .h = h, .class_class = f->class_class };
	uint64_t n = 0;
	bool ok = true;

	for (uint32_t i = 1; ok && i <= h->table[CLASSES].n; i++)
		if (hprof_class_row(h, i)->instance) {
			ok = idmap_put(&firsts.classes, hprof_class_row(h, i)->addr + 1, i, h->err);
			n++;
		}
	ok = ok && (n == 0 || hprof_each(h, &firsts, see_first));
	idmap_free(&firsts.classes);
	return ok;
}

/* Objects of java.lang.Class: its instances, and classes that are not instances. */
static bool
hprof_classes_count_classes(struct hprof *h, struct class_facts *f)
{
	uint64_t n = h->table[CLASSES].n;
	struct class_row *c;

	for (uint64_t i = 1; i <= n; i++) {
		c = hprof_class_row(h, (uint32_t)i);
		f->dumps += c->dump != 0;
		/* Classes with objects but without a record of their own. */
		h->lost.no_class += c->count > 0 && c->dump == 0 && c->addr != 0;
	}
	/* Add java.lang.Class if the dump lacks it. */
	if (f->class_class == 0 && f->dumps > 0) {
		if (!hprof_add(h, &h->table[CLASSES], &(struct class_row){ .addr = 0 }, sizeof(struct class_row)))
			return false;
		f->class_class = (uint32_t)++n;
	}
	for (uint64_t i = 1; i <= n && f->class_class != 0; i++) {
		c = hprof_class_row(h, (uint32_t)i);
		hprof_class_row(h, f->class_class)->count += c->dump != 0 && !c->instance;
	}
	return find_foreign(h, f);
}

bool
hprof_classes(struct hprof *h, const struct heap_ids *ids, struct class_facts *f)
{
	uint32_t *mark;
	uint64_t n;

	if (!hprof_sort_pairs(h, STRINGS))
		return false;
	hprof_classes_name_classes(h, f);
	if (!place_prims(h) || !hprof_classes_count_classes(h, f))
		return false;
	n = h->table[CLASSES].n;
	f->order = mem_array(n + 1, sizeof *f->order);
	mark = mem_array(n + 1, sizeof *mark);
	if (f->order == NULL || mark == NULL) {
		free(mark);
		return fail(h->err, E_SYSTEM, "out of memory (classes)");
	}
	order_classes(h, f->order, mark, &f->cycles);
	free(mark);
	find_strengths(h, f->order);
	return find_loaders(h, ids, &f->loaders);
}
