/*
 * q_collections: the lists, maps and sets of a heap dump, how full they are and whose.
 */
#include "config.h"

#include "hrows.h"

#define SLICE 4096u		/* objects looked at between two ticks, */
#define SOME 64u		/* and collections read */

/* ---- rows -------------------------------------------------------------------------- */

/* What was read of a row. */
struct entry {
	uint64_t	size, capacity, waste;
	uint32_t	object, table;
	bool		hashed;
};

struct list {
	struct heap_rows	 rows;
	uint32_t		 next;		/* object */
};

static bool
add(struct list *l, uint32_t object)
{
	struct collection c;

	return !collection_get(l->rows.view.collections, object, false, &c) || heap_rows_add(&l->rows,
	    &(struct entry){ c.size, c.capacity, c.waste, object, c.table, c.hashed });
}

static bool
list_step(struct heap_rows *s)
{
	struct list *l = (struct list *)s;
	const struct heap *h = &s->view.heap;
	uint32_t left = SLICE, found[SOME];
	size_t n = 0;

	/* They lie apart: reading one mostly waits for memory. */
	for (; left > 0 && n < SOME && l->next < h->objects; left--)
		if (s->classes.has[heap_class(h, ++l->next)]) {
			heap_fetch(h, l->next);
			found[n++] = l->next;
		}
	for (size_t i = 0; i < n; i++)
		if (!add(l, found[i]))
			return false;
	return l->next < h->objects;
}

/* ---- cells ---------------------------------------------------------------------------- */

static void
site_cell(struct heap_rows *s, uint64_t object, struct cell *c)
{
	view_site_cell(&s->rows, &s->view, (uint32_t)object, c);
}

static void
fill_cell(struct heap_rows *s, uint64_t capacity, struct cell *c)
{
	cell_share(c, ((const struct entry *)s->item)->size, capacity);
}

static void
collisions_cell(struct heap_rows *s, uint64_t object, struct cell *c)
{
	const struct entry *e = s->item;
	struct collection whole;

	c->type = CELL_NONE;
	if (e->hashed && collection_get(s->view.collections, (uint32_t)object, true, &whole))
		cell_share(c, whole.size - whole.used, whole.size);
}

#define OF(member) ITEM(struct entry, member)

static const struct coldef collection_cols[] = {
	{ "object", CELL_ID, "collection object", false, FROM(SHOW_SOME, OF(object)), .of = ID_OBJECT },
	{ "class", CELL_TEXT, "class", false, FROM(OBJECT_CLASS, OF(object)) },
	{ "size", CELL_COUNT, "elements or map entries", false, FROM(SHOW_NUMBER, OF(size)) },
	{ "capacity", CELL_COUNT, "capacity of its array or table", false, FROM(SHOW_NUMBER, OF(capacity)) },
	{ "fill_ratio", CELL_PERCENT, "fill ratio: size / capacity", false,
	    COMPUTED(fill_cell, OF(capacity)), .was = "fill" },
	{ "waste", CELL_BYTES, "bytes of unused slots", false, FROM(SHOW_NUMBER, OF(waste)) },
	{ "retained", CELL_BYTES, "retained size; 0: unreachable", false, FROM(OBJECT_RETAINED, OF(object)) },
	{ "held_by", CELL_TEXT, "class and field of the nearest owner", false,
	    FROM(OBJECT_HELD_BY, OF(object)) },
	{ "owner", CELL_ID, "owner object", true, FROM(OBJECT_OWNER, OF(object)), .of = ID_OBJECT, .was = "holder" },
	{ "collisions", CELL_PERCENT, "share of entries in a bucket with another entry", true,
	    COMPUTED(collisions_cell, OF(object)) },
	{ "table", CELL_ID, "backing array", true, FROM(SHOW_SOME, OF(table)), .of = ID_OBJECT },
	{ "shallow", CELL_BYTES, "shallow size", true, FROM(OBJECT_SHALLOW, OF(object)) },
	{ "addr", CELL_ADDR, "address", true, FROM(OBJECT_ADDR, OF(object)) },
	{ "alloc_site", CELL_TEXT, "allocation site (HPROF agent dumps only)", true,
	    COMPUTED(site_cell, OF(object)), .was = "site" }
};

/* ---- source --------------------------------------------------------------------------------- */

/* The classes of the arguments, or all that are collections. */
static bool
list_begin(struct heap_rows *s, const struct stage *stage, struct err *err)
{
	const struct heap *h = &s->view.heap;
	const struct collections *known;
	uint8_t *has;

	if (!classes_of_stage(&s->classes, h, stage, err))
		return false;
	if (h->st == NULL)
		return true;
	if ((known = view_collections(&s->rows, &s->view)) == NULL || !classes_make(&s->classes, h, err))
		return false;
	has = s->classes.has;
	for (uint32_t i = 1; i <= h->classes; i++)
		has[i] = (stage->n == 0 || has[i]) && collections_know(known, i);
	return true;
}

static const struct heap_source list = {
	.size = sizeof(struct list), .item = sizeof(struct entry), .args = ARGS_OWN,
	.begin = list_begin, .step = list_step
};

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NONE };

const struct command source_collections = {
	HEAP_SOURCE("collections", "lists, maps and sets with size, fill ratio and owner",
	    "collections | group held_by : count, sum waste as waste | sort -waste", collection_cols, list, needs),
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY })
};
