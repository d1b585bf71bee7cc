/*
 * q_collections: the lists, maps and sets of a heap dump, how full they are and whose.
 */
#include "config.h"

#include "sites.h"

#define SLICE 4096u		/* objects looked at between two ticks */

enum collection_col {
	COL_OBJECT, COL_CLASS, COL_SIZE, COL_CAPACITY, COL_FILL, COL_WASTE, COL_RETAINED,
	COL_HELD_BY, COL_HOLDER, COL_COLLISIONS, COL_TABLE, COL_SHALLOW, COL_ADDR, COL_SITE
};

static const struct coldef collection_cols[] = {
	{ "object", CELL_ID, "the collection", false },
	{ "class", CELL_TEXT, "its class", false },
	{ "size", CELL_COUNT, "elements, or pairs of a map", false },
	{ "capacity", CELL_COUNT, "so many its array or table has room for", false },
	{ "fill", CELL_PERCENT, "size of capacity; empty where there is no capacity", false },
	{ "waste", CELL_BYTES, "bytes of its array that hold nothing", false },
	{ "retained", CELL_BYTES, "what would be freed with it; 0: it is unreachable", false },
	{ "held_by", CELL_TEXT, "whose it is: class and field of the nearest owner", false },
	{ "holder", CELL_ID, "the object that owns it", true },
	{ "collisions", CELL_PERCENT, "of a hash table: elements that share a bucket with another", true },
	{ "table", CELL_ID, "the array behind it", true },
	{ "shallow", CELL_BYTES, "size of the collection itself", true },
	{ "addr", CELL_ADDR, "its address", true },
	{ "site", CELL_TEXT, "the method that made it, where a dump of the HPROF agent tells", true }
};

/* What was read of a row; its holder only when somebody asks. */
struct entry {
	uint64_t	size, capacity, waste;
	uint32_t	object, table;
	bool		hashed;
};

struct list {
	struct rows		 rows;
	struct heap_view	 view;
	struct collections	*known;
	struct sites		 sites;
	struct class_set	 classes;
	struct scratch		 entries;	/* struct entry */
	uint64_t		 n;
	uint32_t		 next;		/* object */
	bool			 ended;
};

/* ---- rows -------------------------------------------------------------------------- */

static bool
add(struct list *l, uint32_t object)
{
	struct collection c;

	if (!collection_get(l->known, object, false, &c))
		return true;
	if (!scratch_array(&l->entries, l->n + 1, sizeof(struct entry), &l->rows.err))
		return false;
	SCRATCH(l->entries, struct entry)[l->n++] = (struct entry){ c.size, c.capacity, c.waste,
	    object, c.table, c.hashed };
	return true;
}

static bool
list_step(struct list *l)
{
	const struct heap *h = &l->view.heap;
	uint32_t left = SLICE, class;

	for (; left > 0 && l->next < h->objects; left--) {
		class = heap_class(h, ++l->next);
		if (l->classes.has[class] && !add(l, l->next))
			return false;
	}
	return l->next < h->objects;
}

static uint64_t
list_reach(struct rows *r, uint64_t n)
{
	struct list *l = (struct list *)r;

	while (l->n < n && !l->ended && r->err.kind == E_NONE)
		if (!rows_tick(r, l->n) || !list_step(l))
			l->ended = true;
	return l->n;
}

/* ---- cells ---------------------------------------------------------------------------- */

/* The object that the holder dominates at once, and under which the collection is. */
static uint32_t
below_holder(const struct heap *h, uint32_t object, uint32_t holder)
{
	uint32_t above = heap_dominator(h, object), hops;

	for (hops = 0; above != holder && hops < h->objects; hops++) {
		object = above;
		above = heap_dominator(h, object);
	}
	return object;
}

/* "com.example.Cache.map": the class that declares the field; without a reference the class of the holder. */
static void
add_held_by(const struct heap *h, uint32_t object, uint32_t holder, struct buf *b)
{
	struct heap_slot slot;

	if (!heap_link(h, holder, below_holder(h, object, holder), &slot) ||
	    (slot.kind != SLOT_FIELD && slot.kind != SLOT_STATIC)) {
		heap_label(h, holder, b);
		return;
	}
	heap_class_name(h, slot.class, b);
	buf_chr(b, '.');
	buf_str(b, slot.name);
}

static void
held_by_cell(struct list *l, uint32_t object, struct cell *c)
{
	struct heap_view *v = &l->view;
	uint32_t holder = collection_holder(l->known, object);

	c->type = CELL_NONE;
	if (holder == 0)
		return;
	buf_clear(&v->text);
	v->class = 0;
	add_held_by(&v->heap, object, holder, &v->text);
	cell_text(&l->rows, c, &v->text);
}

static void
site_cell(struct list *l, uint32_t object, struct cell *c)
{
	struct heap_view *v = &l->view;

	c->type = CELL_NONE;
	if (!sites_make(&l->sites, &v->heap, l->rows.work, &l->rows.err))
		return;
	buf_clear(&v->text);
	v->class = 0;
	sites_add(&l->sites, &v->heap, object, &v->text);
	if (v->text.n > 0)
		cell_text(&l->rows, c, &v->text);
}

static void
ratio_cell(struct cell *c, uint64_t part, uint64_t all)
{
	c->type = all == 0 ? CELL_NONE : CELL_PERCENT;
	c->f = all == 0 ? 0 : 100.0 * (double)part / (double)all;
}

static void
collisions_cell(struct list *l, const struct entry *e, struct cell *c)
{
	struct collection whole;

	c->type = CELL_NONE;
	if (e->hashed && collection_get(l->known, e->object, true, &whole))
		ratio_cell(c, whole.size - whole.used, whole.size);
}

static void
list_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const enum object_col of_object[] = { [COL_OBJECT] = OBJECT_ID,
		[COL_CLASS] = OBJECT_CLASS, [COL_RETAINED] = OBJECT_RETAINED,
		[COL_SHALLOW] = OBJECT_SHALLOW, [COL_ADDR] = OBJECT_ADDR };
	struct list *l = (struct list *)r;
	const struct entry *e = &SCRATCH(l->entries, struct entry)[row];

	switch ((enum collection_col)col) {
	case COL_OBJECT:
	case COL_CLASS:
	case COL_RETAINED:
	case COL_SHALLOW:
	case COL_ADDR:
		object_cell(r, &l->view, e->object, of_object[col], c);
		break;
	case COL_SIZE:
	case COL_CAPACITY:
		c->type = CELL_COUNT;
		c->u = col == COL_SIZE ? e->size : e->capacity;
		break;
	case COL_FILL:
		ratio_cell(c, e->size, e->capacity);
		break;
	case COL_WASTE:
		c->type = CELL_BYTES;
		c->u = e->waste;
		break;
	case COL_HELD_BY:
		held_by_cell(l, e->object, c);
		break;
	case COL_HOLDER:
		cell_number(c, CELL_ID, collection_holder(l->known, e->object));
		break;
	case COL_COLLISIONS:
		collisions_cell(l, e, c);
		break;
	case COL_TABLE:
		cell_number(c, CELL_ID, e->table);
		break;
	case COL_SITE:
		site_cell(l, e->object, c);
		break;
	}
}

static void
list_close(struct rows *r)
{
	struct list *l = (struct list *)r;

	collections_close(l->known);
	sites_free(&l->sites);
	classes_free(&l->classes);
	scratch_free(&l->entries);
	heap_view_close(&l->view);
}

static const struct rows_ops list_ops = { .reach = list_reach, .cell = list_cell,
	.close = list_close };

/* ---- source --------------------------------------------------------------------------------- */

/* The classes of the arguments, or all that are collections. */
static bool
take_classes(struct list *l, const struct stage *stage, struct err *err)
{
	struct heap *h = &l->view.heap;
	uint32_t i;

	if (stage->n > 0 && !classes_of_stage(&l->classes, h, stage, err))
		return false;
	if (h->st == NULL) {
		l->ended = true;
		return true;
	}
	if (!collections_open(&l->known, h, err))
		return false;
	if (stage->n == 0)
		l->classes.has = mem_array(h->classes + 1ull, 1);
	if (l->classes.has == NULL)
		return fail(err, E_SYSTEM, "no memory for a set of classes");
	for (i = 1; stage->n == 0 && i <= h->classes; i++)
		l->classes.has[i] = 1;
	for (i = 1; i <= h->classes; i++)
		l->classes.has[i] = l->classes.has[i] && collections_know(l->known, i);
	return true;
}

static bool
collections_rows(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct list *l = rows_new(sizeof *l, &list_ops, session, in, err);

	if (l == NULL)
		return false;
	l->entries = SCRATCH_INIT;
	l->rows.cols = stage->command->cols;
	l->rows.ncols = stage->command->ncols;
	if (!heap_view_open(&l->view, session, err) || !take_classes(l, stage, err)) {
		rows_close(&l->rows);
		return false;
	}
	*out = &l->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NONE };

const struct command source_collections = {
	.word = "collections",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.what = "lists, maps and sets, how full they are and whose they are",
	.example = "collections | group held_by : count, sum waste as waste | sort -waste",
	.needs = needs,
	.cols = collection_cols,
	.ncols = NELEM(collection_cols),
	.open = collections_rows
};
