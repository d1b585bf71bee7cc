/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_parts: the parts of a collection, and its content.
 *
 * Tables, nodes and locks of a collection are counted with it.  An object of the same class that a program
 * has put in is content: a lock by key, entries in a list, arrays as values of a map.  The reference that
 * holds it decides which of the two it is.
 */
#include "config.h"

#include "fold.h"

#define LOOKED 4u		/* referrers of a node that its collection does not refer to */

/* Fields by which the JDK's collections, their nodes and their entries hold their contents. */
static const char *const contents[] = {
	"value", "val", "key", "item", "element", "data", "referent", "v", "k", "e0", "e1", "k0", "v0"
};

/* Fields by which collections hold the collections that they are built of. */
static const char *const inner[] = { "map", "m", "c", "al", "list", "mutex", "s", "q", "set", "coll", "ss",
    "sm", "keySet" };

enum link { LINK_NONE, LINK_CONTENT, LINK_PART };

static bool
is_of_jdk(const struct folding *f, uint32_t class)
{
	return class <= f->h.classes && (f->classes.at[class].parts & CLASS_JDK);
}

/* Find out whether holder, a part of a collection, has the object as contents or as another part. */
static bool
find_link(struct folding *f, uint32_t holder, uint32_t object, enum link *link)
{
	uint32_t over = name_class(f, holder)->parts, parts = name_class(f, object)->parts;
	struct label label;

	*link = LINK_NONE;
	if (over & PART_ARRAY) {
		*link = (over & PART_TABLE) && (parts & PART_INNER) ? LINK_PART : LINK_CONTENT;
		return true;
	}
	if (!(over & PART_OF_COLLECTION)) {
		*link = LINK_CONTENT;
		return true;
	}
	if (!label_find(f, holder, object, &label))
		return false;
	if (label.kind == NAME_FIELD)
		*link = !is_of_jdk(f, label.declares) ||
		    str_is_one(contents, NELEM(contents), texts_get(&f->texts, label.text)) ? LINK_CONTENT :
		    LINK_PART;
	return true;
}

/*
 * Nodes that hold each other, as those of a list, are dominated by the list, which refers to none or to two
 * of them.
 */
static bool
find_node_link(struct folding *f, uint32_t object, enum link *link)
{
	struct heap_walk w;
	uint32_t holder;

	heap_in(&f->h, object, &w);
	for (unsigned i = 0; i < LOOKED && *link != LINK_PART && (holder = heap_next(&w, NULL)) != 0; i++)
		if (holder != object && heap_dominator(&f->h, holder) != 0 &&
		    !find_link(f, holder, object, link))
			return false;
	return true;
}

/* A collection that another one is built of, as a set is of a map. */
static bool
find_collection(struct folding *f, uint32_t object, uint32_t up, bool *part)
{
	struct label label;

	if (!label_find(f, up, object, &label))
		return false;
	*part = label.kind == NAME_FIELD && is_of_jdk(f, label.declares) &&
	    str_is_one(inner, NELEM(inner), texts_get(&f->texts, label.text));
	return true;
}

bool
part_find(struct folding *f, uint32_t object, uint32_t up, bool collection, bool *part)
{
	uint32_t parts = name_class(f, object)->parts, over = name_class(f, up)->parts;
	enum link link = LINK_NONE;

	if (f->h.form != NULL) {
		*part = (parts & PART_INNER) || (over & PART_STRING);
		return true;
	}
	*part = (parts & PART_LOCALS) || (over & PART_STRING) || ((over & PART_FAST) && (parts & PART_ARRAY)) ||
	    (!collection && (parts & PART_ARRAY) && (over & PART_ARRAY) && !is_fast_table(f, up));
	if (*part || !collection)
		return true;
	if ((parts & PART_COLLECTION) && (over & PART_COLLECTION))
		return find_collection(f, object, up, part);
	if (!(parts & (PART_INNER | PART_ARRAY)))
		return true;
	if (!find_link(f, up, object, &link) ||
	    (link == LINK_NONE && (parts & PART_INNER) && !find_node_link(f, object, &link)))
		return false;
	*part = link == LINK_PART;
	return true;
}
