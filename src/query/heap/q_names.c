/*
 * q_names: what fills the heap, by field path.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "hrows.h"

#define DEPTH 1000u		/* names of a path that are told */

struct name_list {
	struct heap_rows	rows;
	struct name_node	at;		/* the one that was asked for last */
	uint32_t		id;
};

static const void *
name_at(struct heap_rows *r, uint64_t row)
{
	struct name_list *s = (struct name_list *)r;

	if (s->id != row + 1)
		names_get(&r->view.heap, s->id = (uint32_t)row + 1, &s->at);
	return &s->at;
}

static void
id_cell(struct heap_rows *r, uint64_t n, struct cell *c)
{
	(void)n;
	c->u = ((struct name_list *)r)->id;
}

static bool
name_text(struct heap_rows *r, uint64_t n, struct buf *b)
{
	(void)n;
	name_add(r->item, b);
	return true;
}

static bool
class_text_of(struct heap_rows *r, uint64_t n, struct buf *b)
{
	const struct name_node *node = r->item;

	(void)n;
	buf_str(b, node->kind == NAME_CLASS ? STR("") : node->class);
	return b->n > 0;
}

/* From the owner down: what holds, then what that has. */
static bool
path_text(struct heap_rows *r, uint64_t n, struct buf *b)
{
	uint32_t way[DEPTH], steps = 0, id = ((struct name_list *)r)->id;
	struct name_node node;

	(void)n;
	while (id > 1 && steps < DEPTH) {
		way[steps++] = id;
		names_get(&r->view.heap, id, &node);
		id = node.parent;
	}
	while (steps > 0) {
		names_get(&r->view.heap, way[--steps], &node);
		/* A static names its class. */
		if (node.kind == NAME_CLASS && steps > 0)
			continue;
		if (b->n > 0 && node.kind != NAME_ELEMENT)
			buf_str(b, STR(" > "));
		name_add(&node, b);
	}
	return b->n > 0;
}

#define OF(member) ITEM(struct name_node, member)

static const struct coldef name_cols[] = {
	{ "id", CELL_ID, "number of the node", true, COMPUTED(id_cell) },
	{ "parent", CELL_ID, "the node above; empty: the whole heap", true, FROM(SHOW_SOME, OF(parent)) },
	{ "depth", CELL_COUNT, "nodes above", false, FROM(SHOW_NUMBER, OF(depth)) },
	{ "name", CELL_TEXT, "what holds these objects: a field and its class, a static, a local variable, [] for elements", false, TEXT(name_text) },
	{ "class", CELL_TEXT, "their class", false, TEXT(class_text_of) },
	{ "count", CELL_COUNT, "how many they are", false, FROM(SHOW_NUMBER, OF(count)) },
	{ "bytes", CELL_BYTES, "what they and all below them take in the heap", false, FROM(SHOW_NUMBER, OF(total)) },
	{ "percent", CELL_PERCENT, "share of all bytes that are reachable", false, FROM(SHOW_PERCENT, OF(total)) },
	{ "native", CELL_BYTES, "memory outside the heap that they and all below them have", true, FROM(SHOW_NUMBER, OF(native_total)) },
	{ "shallow", CELL_BYTES, "size of the objects alone, and of the tables and entries of collections", true, FROM(SHOW_NUMBER, OF(self)) },
	{ "nested", CELL_COUNT, "how many of them lie below another of them, as the nodes of a list do", true, FROM(SHOW_NUMBER, OF(folded)) },
	{ "object", CELL_ID, "the one that retains most", true, FROM(SHOW_SOME, OF(object)) },
	{ "path", CELL_TEXT, "the names from the owner down to this one", true, TEXT(path_text) }
};

static bool
names_begin(struct heap_rows *r, const struct stage *stage, struct err *err)
{
	(void)stage;
	(void)err;
	if (r->view.heap.st != NULL)
		r->n = names_count(&r->view.heap);
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_NAMES_KIND, COL_NONE };

static const struct heap_source names = {
	.size = sizeof(struct name_list), .begin = names_begin, .item_at = name_at
};

const struct command source_names = {
	HEAP_SOURCE("names", "what fills the heap, by field path: the tree of dominators, folded by the names of fields",
	    "names | where depth = 2 | top 10 bytes", name_cols, names, needs),
	.names = { "path", "class" }
};
