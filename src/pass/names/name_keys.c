/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_keys: names of the values of thread locals and ClassValues, from the holder of the key.
 *
 * The JDK's own are entries of a table, which refer to their keys weakly; those of Netty's FastThreadLocal
 * are in an array, at the index stored in the key.
 */
#include "config.h"

#include <assert.h>

#include "fold.h"

#define LOOKED 64u		/* objects that have the key: fields of them are looked at; of classes all */

/*
 * A static that has the key, otherwise a field; of each sort the least name.  All threads of a pool have an
 * entry of it, so its list is scanned; for objects only the first referrers, for classes all.
 */
static bool
find_key_holder(struct folding *f, uint32_t key, struct label *best)
{
	struct label label;
	struct heap_walk w;
	uint32_t holder, last = 0, n = 0;

	heap_in(&f->h, key, &w);
	for (uint64_t i = 1; (holder = heap_next(&w, NULL)) != 0; i++) {
		if (i % FOLD_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		if (holder == last || heap_dominator(&f->h, holder) == 0 ||
		    name_class(f, holder)->parts & (PART_LOCALS | PART_OF_COLLECTION | PART_ARRAY | PART_THREAD))
			continue;
		last = holder;
		if (!heap_holds_classes(&f->h, heap_class(&f->h, holder)) && n++ >= LOOKED)
			continue;
		if (!label_find(f, holder, key, &label))
			return false;
		if (label.kind == NAME_ROOT || label.holder == 0)
			continue;
		if (best->kind == NAME_ROOT || (label.kind == NAME_STATIC && best->kind != NAME_STATIC)) {
			*best = label;
		} else if (label.kind == best->kind) {
			int order = str_cmp(texts_get(&f->texts, label.holder),
			    texts_get(&f->texts, best->holder));

			if (order < 0 || (order == 0 &&
			    str_cmp(texts_get(&f->texts, label.text), texts_get(&f->texts, best->text)) < 0))
				*best = label;
		}
	}
	return true;
}

/*
 * Name a key by its holder.  A key without one is named by its class, which is often anonymous and thus
 * specific.
 */
static bool
name_keys_name_key(struct folding *f, uint32_t key, struct label *label)
{
	struct label best = { .kind = NAME_ROOT };

	if (!find_key_holder(f, key, &best))
		return false;
	*label = best;
	label->kind = best.kind == NAME_STATIC ? NAME_STATIC_LOCAL : NAME_THREAD_LOCAL;
	if (best.kind != NAME_ROOT)
		return true;
	label->text = name_class(f, key)->text;
	label->class = heap_class(&f->h, key) <= f->h.classes ? heap_class(&f->h, key) : 0;
	return true;
}

/* Return the label of a key.  Labels are cached: many threads use the same key. */
static bool
label_key(struct folding *f, uint32_t key, struct label *label)
{
	uint32_t row = key == 0 ? 0 : idmap_get(&f->keys, key);

	*label = (struct label){ .kind = NAME_LOST_LOCAL };
	/* A dump of all objects has keys that the next collection takes. */
	if (key == 0 || heap_dominator(&f->h, key) == 0)
		return name_text(f, STR("(key gone)"), &label->text);
	if (row != 0) {
		assert(row <= f->nkeys);
		*label = f->key_labels.at[row - 1];
		return true;
	}
	return name_keys_name_key(f, key, label) && array_add(&f->key_labels, &f->nkeys, label, f->err) &&
	    idmap_put(&f->keys, key, (uint32_t)f->nkeys, f->err);
}

/* The ClassValue of an entry: the entry, or since JDK 25 an object of its own, refers weakly to the version of it. */
static uint32_t
class_value(const struct heap *h, uint32_t entry)
{
	uint32_t weak = heap_field_object(h, entry, "version"), version;

	version = heap_field_object(h, weak != 0 ? weak : entry, "referent");
	return version == 0 ? 0 : heap_field_object(h, version, "classValue");
}

bool
label_entry(struct folding *f, uint32_t entry, struct label *label)
{
	bool value = name_class(f, entry)->parts & PART_VALUE;

	if (!label_key(f, value ? class_value(&f->h, entry) : heap_field_object(&f->h, entry, "referent"), label))
		return false;
	/* The values of a ClassValue live as long as their classes, whatever holds the key. */
	if (value)
		label->kind = NAME_SHARED;
	return true;
}

/* ---- Netty's ---------------------------------------------------------------------------------- */

static bool
find_fast_keys(struct folding *f)
{
	const struct heap *h = &f->h;
	struct heap_slot slot;
	uint32_t class;

	f->fast_known = true;
	for (uint32_t object = 1; object <= h->objects; object++) {
		if (object % FOLD_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		class = heap_class(h, object);
		if (class <= h->classes && (f->classes.at[class].parts & PART_FAST_KEY) &&
		    heap_dominator(h, object) != 0 && heap_field(h, object, "index", 0, &slot) &&
		    slot.type == HEAP_INT &&
		    !idmap_put(&f->fast_keys, (uint32_t)slot.bits + 1ull, object, f->err))
			return false;
	}
	return true;
}

bool
label_fast_local(struct folding *f, uint32_t table, uint32_t object, struct label *label)
{
	struct heap_slot slot;
	bool found;

	if (!f->fast_known && !find_fast_keys(f))
		return false;
	found = link_index_link(&f->links, &f->h, table, object, &slot, f->err) && slot.kind == SLOT_ELEMENT;
	return f->err->kind == E_NONE && label_key(f, found ? idmap_get(&f->fast_keys, slot.index + 1ull) : 0,
	    label);
}
