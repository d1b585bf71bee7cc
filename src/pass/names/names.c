/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: pass "names": the tree of dominators folded by the names of fields, as columns, heaviest first.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_names.h"
#include "icecore/columns_objects.h"
#include "fold.h"

/* ---- order ------------------------------------------------------------------------------------------ */

/* A node among those of its parent; texts as ranks, so that the order is one of names. */
struct sibling {
	uint32_t	up, label, holder, class, node;
	uint64_t	weight;
	uint8_t		kind;
};

/* A node as it goes out. */
struct out {
	uint32_t	parent, size, depth, label, holder, class, count, folded, object;
	uint8_t		kind, role, whose, holder_whose;
	uint64_t	self, total, native, native_total, most;
};

struct ranked {
	struct str	text;
	uint32_t	number;
};

static int
names_by_text(const void *x, const void *y)
{
	return str_cmp(((const struct ranked *)x)->text, ((const struct ranked *)y)->text);
}

/* Compute rank[number], the position of a text in the sorted order; 0: none. */
static bool
rank_texts(struct folding *f, struct scratch *rank)
{
	OWN_ARRAY(struct ranked) list = ARRAY_INIT;
	bool ok = array_grow(&list, f->texts.n + 1ull, f->err) &&
	    scratch_array(rank, f->texts.n + 1ull, sizeof(uint32_t), f->err);
	struct ranked *r = list.at;

	for (uint32_t i = 0; ok && i < f->texts.n; i++)
		r[i] = (struct ranked){ texts_get(&f->texts, i + 1), i + 1 };
	if (ok && f->texts.n > 1)
		qsort(r, f->texts.n, sizeof *r, names_by_text);
	for (uint32_t i = 0; ok && i < f->texts.n; i++)
		SCRATCH(*rank, uint32_t)[r[i].number] = i + 1;
	return ok;
}

static int
names_by_place(const void *x, const void *y)
{
	const struct sibling *a = x, *b = y;

	return num_order(a->up, b->up, num_order(b->weight, a->weight, num_order(a->label, b->label,
	    num_order(a->holder, b->holder, num_order(a->class, b->class, num_order(a->kind, b->kind, 0))))));
}

static bool
sort_places(struct folding *f, struct scratch *places)
{
	const struct fold_node *node = SCRATCH(f->nodes, struct fold_node);
	OWN_ARRAY(uint32_t) ranks = ARRAY_INIT;
	bool ok = rank_texts(f, &ranks.raw) && scratch_array(places, f->n, sizeof(struct sibling), f->err);
	const uint32_t *rank = ranks.at;
	struct sibling *p = SCRATCH(*places, struct sibling);

	/* The root is not a child. */
	for (uint64_t i = 1; ok && i < f->n; i++)
		p[i - 1] = (struct sibling){ node[i].up, rank[node[i].label], rank[node[i].holder],
		    rank[node[i].class], (uint32_t)i,
		    num_add(node[i].total, node[i].native_total), node[i].kind };
	if (ok && f->n > 2)
		qsort(p, f->n - 1, sizeof *p, names_by_place);
	return ok;
}

/*
 * ---- pre-order ------------------------------------------------------------------------------------------
 */

/* to[node]: its id; first: by node, where its children begin in places. */
struct preorder {
	uint32_t	*to, *first, *stack;
	struct out	*out;
};

static void
names_put_node(const struct folding *f, const struct preorder *o, uint32_t node, uint32_t id)
{
	const struct fold_node *n = &SCRATCH(f->nodes, struct fold_node)[node];
	uint32_t parent = node == 0 ? 0 : o->to[n->up];

	/* Parents have their ids before their children. */
	assert(parent < id);
	o->to[node] = id;
	o->out[id - 1] = (struct out){ .parent = parent, .size = 1,
	    .depth = parent == 0 ? 0 : o->out[parent - 1].depth + 1,
	    .label = n->label, .holder = n->holder, .class = n->class, .count = n->count, .folded = n->folded,
	    .object = n->object, .kind = n->kind, .role = n->role,
	    .whose = n->parts & (CLASS_KINDS - 1), .holder_whose = n->holder_whose, .self = n->self,
	    .total = n->total,
	    .native = n->native, .native_total = n->native_total, .most = n->most };
}

static void
put_order(const struct folding *f, const struct sibling *place, const struct preorder *o)
{
	uint32_t n = 0, id = 0, places = (uint32_t)f->n - 1;

	for (uint32_t i = places; i-- > 0; )
		o->first[place[i].up] = i;
	for (o->stack[n++] = 0; n > 0; ) {
		uint32_t node = o->stack[--n], end = o->first[node];

		assert(id < f->n && n < f->n);
		names_put_node(f, o, node, ++id);
		/* The last one first, so that the first one is on top. */
		for (; end < places && place[end].up == node; end++)
			continue;
		while (end > o->first[node])
			o->stack[n++] = place[--end].node;
	}
	assert(id == f->n);
	for (; id > 1; id--)
		o->out[o->out[id - 1].parent - 1].size += o->out[id - 1].size;
}

/*
 * ---- columns --------------------------------------------------------------------------------------------
 */

#define OUT(family, member) MAKE(COL_EACH_NAMES_##family, out, member)
#define FIT(family, member) MAKE_FIT(COL_EACH_NAMES_##family, out, member)

static bool
names_put_text(struct folding *f)
{
	uint64_t *at = heap_make(f->st, &f->h, COL_EACH_NAMES_TEXT_AT, COL_U64, f->texts.n + 1ull, f->err);
	char *text = at == NULL ? NULL : heap_make(f->st, &f->h, COL_EACH_NAMES_TEXT, COL_BYTES,
	    f->texts.size, f->err);

	if (text == NULL)
		return false;
	for (uint64_t i = 0; i <= f->texts.n; i++)
		at[i] = f->texts.n == 0 ? 0 : SCRATCH(f->texts.from, uint64_t)[i];
	if (f->texts.size > 0)
		memcpy(text, f->texts.bytes.data, f->texts.size);
	return true;
}

static bool
names_put_columns(struct folding *f, const struct preorder *o)
{
	static const struct make_column columns[] = {
		OUT(KIND, kind), OUT(ROLE, role), OUT(WHOSE, whose), OUT(HOLDER_WHOSE, holder_whose),
		    FIT(PARENT, parent),
		FIT(SIZE, size), FIT(DEPTH, depth), FIT(LABEL, label),
		FIT(HOLDER, holder), FIT(CLASS, class), FIT(COUNT, count), FIT(FOLDED, folded),
		    FIT(OBJECT, object),
		FIT(SELF, self), FIT(TOTAL, total), FIT(NATIVE, native), FIT(NATIVE_TOTAL, native_total),
		    FIT(MOST, most)
	};

	return heap_make_columns(f->st, &f->h, columns, NELEM(columns), MAKE_ROWS(o->out, f->n), f->err) &&
	    names_put_text(f) &&
	    names_of_put(f, o->to);
}

static bool
names_out(struct folding *f)
{
	OWN_ARRAY(struct sibling) places = ARRAY_INIT;
	OWN_ARRAY(uint32_t) numbers = ARRAY_INIT;
	OWN_ARRAY(struct out) rows = ARRAY_INIT;
	bool ok = sort_places(f, &places.raw) && array_grow(&numbers, 3 * f->n, f->err) &&
	    array_grow(&rows, f->n, f->err);
	struct preorder o = { .to = numbers.at, .out = rows.at };

	if (ok) {
		o.first = o.to + f->n;
		o.stack = o.first + f->n;
		for (uint64_t i = 0; i < f->n; i++)
			o.first[i] = UINT32_MAX;
		put_order(f, places.at, &o);
		ok = names_put_columns(f, &o);
	}
	return ok;
}

/*
 * ---- the pass ---------------------------------------------------------------------------------------------
 */

static bool
names_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct folding f = { .st = st, .work = w, .err = err, .name = BUF_INIT };
	bool ok;

	if (!heap_open(&f.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(f.h.size, f.h.objects);
	ok = name_classes(&f) && roots_map(&f.h, &f.roots, err) && name_locals(&f) && fold_objects(&f);
	if (ok) {
		fold_native(&f);
		fold_sum(&f);
	}
	ok = ok && names_out(&f);
	texts_free(&f.texts);
	link_index_free(&f.links);
	buf_free(&f.name);
	SCRATCH_FREE(&f.classes, &f.fields, &f.label_rows, &f.met_labels, &f.above, &f.inside, &f.key_labels,
	    &f.hub_rows, &f.nodes, &f.of,
	    &f.path, &f.met, &f.titles);
	idmap_free(&f.labels);
	idmap_free(&f.listed);
	idmap_free(&f.roots);
	idmap_free(&f.keys);
	idmap_free(&f.fast_keys);
	idmap_free(&f.hubs);
	idmap_free(&f.by_key);
	return ok;
}

const struct pass pass_names = {
	.name = "names", .what = "heap by field path", .run_choice = names_run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT, COL_ROOT_FRAME, COL_IN_LEN, COL_NATIVE_OBJECT,
	    COL_EACH_DIRECT_OBJECT),
	.makes = PASS_COLUMNS(NAMES_MAKES)
};

/*
 * ---- reading ----------------------------------------------------------------------------------------------
 */

uint32_t
names_count(const struct heap *h)
{
	const struct column *kind = heap_column(h, COL_EACH_NAMES_KIND);

	return kind == NULL || kind->rows > MAKE_MOST ? 0 : (uint32_t)kind->rows;
}

uint32_t
names_of(const struct heap *h, uint32_t object)
{
	const struct column *of = heap_column(h, COL_EACH_NAMES_OF),
	    *often = heap_column(h, COL_EACH_NAMES_OFTEN);
	uint64_t node = object == 0 || object > h->objects ? 0 : column_get(of, object - 1ull), row;

	/* With codes for the nodes of most objects, the code behind these is of objects that have a row. */
	if (column_rows(often) > 0 && node == column_rows(often)) {
		row = column_find(heap_column(h, COL_EACH_NAMES_SELDOM_OBJECT), object);
		node = row == 0 ? 0 : column_get(heap_column(h, COL_EACH_NAMES_SELDOM_NODE), row - 1);
	} else if (column_rows(often) > 0)
		node = column_get(often, node);
	return node <= names_count(h) ? (uint32_t)node : 0;
}

static struct str
names_text_of(const struct heap *h, uint64_t number)
{
	const struct column *at = heap_column(h, COL_EACH_NAMES_TEXT_AT),
	    *text = heap_column(h, COL_EACH_NAMES_TEXT);
	uint64_t from, to;

	if (number == 0 || number >= at->rows)
		return STR("");
	from = column_get(at, number - 1);
	to = column_get(at, number);
	return from <= to && to <= text->rows ? (struct str){ column_span(text, from, to - from),
	    (size_t)(to - from) } : STR("");
}

static uint64_t
names_number_of(const struct heap *h, column_id family, uint32_t id)
{
	return store_cell(h->st, heap_col(family, h->refs, h->sizes), id);
}

void
names_get(const struct heap *h, uint32_t id, struct name_node *n)
{
	uint64_t kind = names_number_of(h, COL_EACH_NAMES_KIND, id),
	    parent = names_number_of(h, COL_EACH_NAMES_PARENT, id),
	    size = names_number_of(h, COL_EACH_NAMES_SIZE, id),
	    role = names_number_of(h, COL_EACH_NAMES_ROLE, id), all = names_count(h);

	assert(id != 0 && id <= all);
	*n = (struct name_node){
		.kind = kind < NAME_KINDS ? (enum name_kind)kind : NAME_REST,
		.role = role < NAME_ROLES ? (enum name_role)role : ROLE_REST,
		.parent = parent < id ? (uint32_t)parent : 0,
		.size = size > 0 && size <= all - id + 1 ? (uint32_t)size : 1,
		.depth = (uint32_t)names_number_of(h, COL_EACH_NAMES_DEPTH, id),
		.label = names_text_of(h, names_number_of(h, COL_EACH_NAMES_LABEL, id)),
		.holder = names_text_of(h, names_number_of(h, COL_EACH_NAMES_HOLDER, id)),
		.class = names_text_of(h, names_number_of(h, COL_EACH_NAMES_CLASS, id)),
		.whose = (unsigned)names_number_of(h, COL_EACH_NAMES_WHOSE, id),
		.holder_whose = (unsigned)names_number_of(h, COL_EACH_NAMES_HOLDER_WHOSE, id),
		.count = (uint32_t)names_number_of(h, COL_EACH_NAMES_COUNT, id),
		.folded = (uint32_t)names_number_of(h, COL_EACH_NAMES_FOLDED, id),
		.object = (uint32_t)names_number_of(h, COL_EACH_NAMES_OBJECT, id),
		.most = names_number_of(h, COL_EACH_NAMES_MOST, id),
		.self = names_number_of(h, COL_EACH_NAMES_SELF, id),
		.total = names_number_of(h, COL_EACH_NAMES_TOTAL, id),
		.native = names_number_of(h, COL_EACH_NAMES_NATIVE, id),
		.native_total = names_number_of(h, COL_EACH_NAMES_NATIVE_TOTAL, id)
	};
}

void
name_add(const struct name_node *n, struct buf *b)
{
	static const char *const words[NAME_KINDS] = {
		[NAME_ROOT] = "heap", [NAME_CLASS] = "class ", [NAME_THREADS] = "threads",
		    [NAME_STATIC] = "static ",
		[NAME_ELEMENT] = "[]", [NAME_THREAD_LOCAL] = "thread local ",
		    [NAME_STATIC_LOCAL] = "thread local static ",
		[NAME_LOST_LOCAL] = "thread local ", [NAME_LOCAL] = "local of ",
		[NAME_GC_ROOT] = "root: ", [NAME_REST] = "(other)"
	};

	buf_text(b, words[n->kind]);
	if (n->kind == NAME_CLASS)
		buf_str(b, n->class);
	buf_str(b, n->holder);
	if (n->holder.n > 0 && n->label.n > 0)
		buf_chr(b, '.');
	buf_str(b, n->label);
}
