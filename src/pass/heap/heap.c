/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap: the columns of a heap dump, looked up once, and the single class and object.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/heap_facts.h"
#include "icecore/make.h"
#include "heap.h"

#define HEAP_FACT_SIZE 48

const char *const heap_refs_names[HEAP_REFS] = { "soft", "strong", "all", "unreachable" };
const char *const heap_sizes_names[HEAP_SIZES] = { "vm", "mat" };

static const char *
heap_fact_name(char to[HEAP_FACT_SIZE], enum fact_id id, enum heap_refs refs, enum heap_sizes sizes)
{
	assert(refs < HEAP_REFS && sizes < HEAP_SIZES);
	snprintf(to, HEAP_FACT_SIZE, "%s.%s.%s", heap_refs_names[refs], heap_sizes_names[sizes],
	    fact_name(id));
	return to;
}

uint64_t
heap_fact(const struct store *st, enum fact_id id, enum heap_refs refs, enum heap_sizes sizes)
{
	char full[HEAP_FACT_SIZE];

	return store_fact_get(st, heap_fact_name(full, id, refs, sizes));
}

uint64_t
heap_whole(const struct store *st, enum heap_refs refs, enum heap_sizes sizes)
{
	static const enum fact_id parts[] = { FACT_LIVE_BYTES, FACT_DIRECT_BYTES, FACT_ZLIB_BYTES,
	    FACT_REGISTERED_BYTES };
	uint64_t whole = 0;

	for (size_t i = 0; i < NELEM(parts); i++)
		whole = num_add(whole, heap_fact(st, parts[i], refs, sizes));
	return whole;
}

bool
heap_fact_set(struct store *st, enum fact_id id, enum heap_refs refs, enum heap_sizes sizes, uint64_t value,
    struct err *err)
{
	char full[HEAP_FACT_SIZE];

	return store_fact(st, heap_fact_name(full, id, refs, sizes), fact_type(id), value, err);
}

const struct column *
heap_class_shallow(const struct store *st, enum heap_sizes sizes)
{
	return store_column(st, sizes == SIZES_MAT ? COL_CLASS_MAT_SHALLOW : COL_CLASS_SHALLOW);
}

uint64_t
heap_all_bytes(const struct store *st, enum heap_sizes sizes)
{
	const struct column *shallow = heap_class_shallow(st, sizes);
	uint64_t sum = 0;

	for (uint64_t i = 0; shallow != NULL && i < shallow->rows; i++)
		sum = num_add(sum, column_get(shallow, i));
	return sum;
}

/* A heap whose loader made the columns of objects. */
static const struct heap_form *
heap_form_of(const struct store *st)
{
	const struct loader *l = store_column(st, COL_OBJECT_SHALLOW) != NULL ? load_loader(st) : NULL;

	return l != NULL ? l->heap : NULL;
}

/* ---- opening ---------------------------------------------------------------------- */

static void
open_lists(const struct store *st, column_id data, column_id len, column_id block,
    uint32_t objects, struct heap_lists *lists)
{
	const struct column *d = store_column(st, data), *l = store_column(st, len),
	    *b = store_column(st, block);

	memset(lists, 0, sizeof *lists);
	if (d == NULL || l == NULL || b == NULL || l->rows != objects ||
	    b->rows < objects / HEAP_BLOCK + 1 || d->type != COL_BYTES ||
	    l->type != COL_U8 || b->type != COL_U64)
		return;
	*lists = (struct heap_lists){ d->values, d->rows, l->values, b->values, d, l, b };
}

static void
open_dominators(struct heap *h, enum heap_refs refs, enum heap_sizes sizes)
{
	h->parent = store_column(h->st, heap_col(COL_EACH_PARENT, refs, sizes));
	h->retained = store_column(h->st, heap_col(COL_EACH_RETAINED, refs, sizes));
	h->large.object = store_column(h->st, heap_col(COL_EACH_LARGE_OBJECT, refs, sizes));
	h->large.retained = store_column(h->st, heap_col(COL_EACH_LARGE_RETAINED, refs, sizes));
	h->top = store_column(h->st, heap_col(COL_EACH_TOP, refs, sizes));
	h->children.data = store_column(h->st, heap_col(COL_EACH_CHILDREN, refs, sizes));
	h->children.at = store_column(h->st, heap_col(COL_EACH_CHILDREN_AT, refs, sizes));
	h->children.mask = store_column(h->st, heap_col(COL_EACH_CHILDREN_MASK, refs, sizes));
	h->unit = heap_fact(h->st, FACT_HEAP_UNIT, refs, sizes);
}

bool
heap_open(struct heap *h, const struct store *st, enum heap_refs refs, enum heap_sizes sizes,
    struct err *err)
{
	const struct column *object = store_column(st, COL_CLASS_OBJECT);

	assert(refs < HEAP_REFS && sizes < HEAP_SIZES);
	memset(h, 0, sizeof *h);
	if (!heap_ids_open(&h->ids, st, err))
		return false;
	h->st = st;
	h->form = heap_form_of(st);
	h->data = store_source(st)->data;
	h->size = store_source(st)->size;
	h->id_size = fact_value(st, FACT_HEAP_ID_SIZE) == 4 ? 4 : 8;
	h->objects = (uint32_t)h->ids.n;
	h->classes = (uint32_t)column_rows(object);
	h->refs = refs;
	h->sizes = sizes;
	h->offset = store_column(st, COL_OBJECT_OFFSET);
	h->high = store_column(st, COL_OBJECT_HIGH);
	h->offset_block = store_column(st, COL_OFFSET_BLOCK);
	h->far_object = store_column(st, COL_FAR_OBJECT);
	h->far_offset = store_column(st, COL_FAR_OFFSET);
	h->class = store_column(st, COL_OBJECT_CLASS);
	h->length = store_column(st, COL_OBJECT_LENGTH);
	h->long_object = store_column(st, COL_LONG_OBJECT);
	h->long_length = store_column(st, COL_LONG_LENGTH);
	h->reach.object = store_column(st, COL_REACH_OBJECT);
	h->reach.level = store_column(st, COL_REACH_LEVEL);
	h->reach.none = store_column(st, COL_REACH_NONE);
	h->id = store_column(st, COL_OBJECT_ID);
	h->shallow = store_column(st, COL_OBJECT_MAT_SHALLOW);
	if (sizes != SIZES_MAT || h->shallow == NULL)
		h->shallow = store_column(st, COL_OBJECT_SHALLOW);
	h->native_object = store_column(st, COL_NATIVE_OBJECT);
	h->native_bytes = store_column(st, COL_NATIVE_BYTES);
	h->root_kind = store_column(st, COL_ROOT_KIND);
	h->root_thread = store_column(st, COL_ROOT_THREAD);
	h->local_thread = store_column(st, COL_LOCAL_THREAD);
	h->local_root = store_column(st, COL_LOCAL_ROOT);
	h->jthread_object = store_column(st, COL_JTHREAD_OBJECT);
	h->class_object = object;
	h->class_by = store_column(st, COL_CLASS_BY_OBJECT);
	h->class_size = store_column(st, sizes == SIZES_MAT ? COL_CLASS_MAT_SIZE : COL_CLASS_VM_SIZE);
	h->class_element = store_column(st, COL_CLASS_ELEMENT);
	h->class_class = (uint32_t)fact_value(st, FACT_HEAP_CLASS_CLASS);
	h->class_last = h->class_class != 0 && h->form != NULL && h->form->own_classes ? h->classes : h->class_class;
	h->stack_class = sizes == SIZES_MAT ? 0 : (uint32_t)fact_value(st, FACT_HEAP_STACK_CLASS);
	h->string_class = class_find(h, "java.lang.String", 0);
	h->rule = heap_rule(st, sizes);
	open_lists(st, COL_OUT_DATA, COL_OUT_LEN, COL_OUT_BLOCK, h->objects, &h->out);
	open_lists(st, COL_IN_DATA, COL_IN_LEN, COL_IN_BLOCK, h->objects, &h->in);
	open_dominators(h, refs, sizes);
	return true;
}

bool
heap_make_columns(struct store *st, const struct heap *h, const struct make_column *columns, size_t n,
    struct make_rows rows, struct err *err)
{
	struct make_column one;

	for (size_t i = 0; i < n; i++) {
		one = columns[i];
		one.col = heap_col(one.col, h->refs, h->sizes);
		if (!make_columns(st, &one, 1, rows, err))
			return false;
	}
	return true;
}

/* ---- one class ---------------------------------------------------------------------- */

struct str
class_text(const struct heap *h, uint32_t class)
{
	return store_text(h->st, store_cell(h->st, COL_CLASS_NAME, class));
}

uint32_t
class_find(const struct heap *h, const char *name, uint32_t after)
{
	for (uint32_t class = after + 1; class <= h->classes; class++)
		if (class_is(h, class, name))
			return class;
	return 0;
}

bool
class_field(const struct heap *h, uint32_t class, const char *name, uint64_t *at, uint8_t *type)
{
	const struct column *names = store_column(h->st, COL_FIELD_NAME),
	    *types = store_column(h->st, COL_FIELD_TYPE);
	uint64_t row, n = heap_class_fields(h->st, class, &row);
	struct str wanted = name != NULL ? str_of(name) : STR("");

	for (; n > 0; n--, row++) {
		*type = (uint8_t)column_get(types, row - 1);
		if (name != NULL && str_eq(store_text(h->st, column_get(names, row - 1)), wanted))
			return true;
		*at += heap_width(*type, h->id_size);
	}
	return false;
}

uint32_t
class_named(const struct heap *h, uint32_t class, const char *name)
{
	/* Superclasses may be cyclic in a hostile file. */
	for (uint32_t hops = 0; class != 0 && hops < h->classes; hops++) {
		if (class_is(h, class, name))
			return class;
		class = (uint32_t)store_cell(h->st, COL_CLASS_SUPER, class);
	}
	return 0;
}

/* ---- one object --------------------------------------------------------------------- */

uint64_t
heap_offset(const struct heap *h, uint32_t object)
{
	uint64_t i = (uint64_t)object - 1, low = column_get(h->offset, i);

	if (h->offset == NULL || h->offset->type != COL_U16)
		return low | column_get(h->high, i) << 32;
	if (low == HEAP_LARGE)
		return column_get(h->far_offset, column_find(h->far_object, object) - 1);
	return column_get(h->offset_block, i / HEAP_BLOCK) + low;
}

void
heap_fetch(const struct heap *h, uint32_t object)
{
	uint64_t at = object == 0 || object > h->objects ? h->size : heap_offset(h, object);

	if (at < h->size)
		__builtin_prefetch(h->data + at);
}

bool
heap_take(const struct heap *h, uint32_t object, struct heap_record *r)
{
	return h->form == NULL && object != 0 && object <= h->objects && heap_record(h->data, h->size, h->id_size,
	    heap_offset(h, object), r);
}

bool
heap_read(const struct heap *h, uint32_t object, struct heap_record *r)
{
	return heap_take(h, object, r) && r->id == heap_addr(h, object);
}

uint32_t
heap_class_by_object(const struct heap *h, uint32_t object)
{
	uint32_t class, low = 0, high = (uint32_t)column_rows(h->class_by), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		class = (uint32_t)column_get(h->class_by, middle);
		if (column_get(h->class_object, (uint64_t)class - 1) < object)
			low = middle + 1;
		else
			high = middle;
	}
	class = (uint32_t)column_get(h->class_by, low);
	return class != 0 && column_get(h->class_object, (uint64_t)class - 1) == object ? class : 0;
}

enum heap_kind
heap_kind(const struct heap *h, uint32_t object)
{
	uint64_t element = column_get(h->class_element, (uint64_t)heap_class(h, object) - 1);

	if (element == 0)
		return heap_class_of_object(h, object) != 0 ? HEAP_CLASS : HEAP_INSTANCE;
	return element == HEAP_OBJECT ? HEAP_OBJECT_ARRAY : HEAP_PRIM_ARRAY;
}

uint32_t
heap_length(const struct heap *h, uint32_t object)
{
	uint64_t n = column_get(h->length, (uint64_t)object - 1);

	return n != HEAP_LONG_LIST ? (uint32_t)n : (uint32_t)column_get(h->long_length,
	    column_find(h->long_object, object) - 1);
}

/* Bytes of the static fields of a class. */
static uint64_t
statics(const struct heap *h, uint32_t class)
{
	uint64_t refs = store_cell(h->st, COL_CLASS_STATIC_REFS, class);
	uint64_t bytes = store_cell(h->st, COL_CLASS_STATICS, class),
	    added = store_cell(h->st, COL_CLASS_STATIC_ADDED, class);

	if (h->sizes == SIZES_MAT)
		return heap_rule_statics(&h->rule, refs, bytes, false);
	return heap_rule_statics(&h->rule, added <= refs ? refs - added : 0, bytes,
	    store_cell(h->st, COL_CLASS_STATIC_WIDE, class) != 0);
}

/* Return the size of a StackChunk: size plus the stack that follows its fields. */
static uint64_t
stack_chunk(const struct heap *h, uint32_t object, uint64_t size)
{
	struct heap_record r;

	if (!heap_take(h, object, &r) || r.tag != TAG_INSTANCE)
		return size;
	return heap_up(size + heap_rule_stack(&h->rule, heap_stack_words(h->data + r.data, r.bytes,
	    fact_value(h->st, FACT_HEAP_STACK_FIELD))), h->rule.align);
}

uint64_t
heap_shallow(const struct heap *h, uint32_t object)
{
	uint64_t class = heap_class(h, object), element, size;
	uint32_t of;

	if (h->shallow != NULL)
		return column_get(h->shallow, object - 1ull);
	element = column_get(h->class_element, class - 1);
	if (element != 0)
		return heap_rule_array(&h->rule, (unsigned)element, heap_length(h, object));
	size = column_get(h->class_size, class - 1);
	if (class == h->stack_class && class != 0)
		return stack_chunk(h, object, size);
	of = class == h->class_class ? heap_class_of_object(h, object) : 0;
	return of == 0 ? size : size + statics(h, of);
}

uint32_t
heap_root_thread(const struct heap *h, uint32_t row)
{
	if (!root_is_local(column_get(h->root_kind, (uint64_t)row - 1)))
		return 0;
	return (uint32_t)column_get(h->jthread_object,
	    column_get(h->root_thread, (uint64_t)row - 1) - 1);
}

uint32_t
heap_find_id(const struct heap *h, uint64_t id)
{
	for (uint32_t i = 0; i < h->objects; i++)
		if (column_get(h->id, i) == id)
			return i + 1;
	return 0;
}

struct str
heap_part(const struct heap *h, uint32_t object)
{
	const struct column *from = store_column(h->st, COL_PART_FROM);
	uint64_t row = h->form != NULL ? h->form->part(h->st, object) : from == NULL || from->rows == 0 ? 0 :
	    column_place(from, heap_offset(h, object) + 1);

	return store_text(h->st, store_cell(h->st, COL_PART_NAME, row));
}

/* ---- dominators ------------------------------------------------------------------------ */

/*
 * Bytes from a value of the column of retained sizes.  *row may be that of the object in large.*: then it is
 * that of the next one.
 */
static inline uint64_t
heap_retained_bytes(const struct heap *h, uint64_t units, uint64_t object, uint64_t *row)
{
	if (units == HEAP_LARGE && h->retained->type == COL_U16) {
		if (column_get(h->large.object, *row) != object)
			*row = column_find(h->large.object, object) - 1;
		units = column_get(h->large.retained, (*row)++);
	}
	return units * h->unit;
}

uint64_t
heap_retained(const struct heap *h, uint32_t object)
{
	uint64_t row = 0;

	return heap_retained_bytes(h, column_get(h->retained, (uint64_t)object - 1), object, &row);
}

#define SOME 64u

void
heap_retained_many(const struct heap *h, uint64_t *object, size_t n, bool run)
{
	uint64_t of[SOME], row = 0;
	size_t some;

	for (uint64_t first = object[0]; n > 0; object += some, n -= some, first += some) {
		some = run || n < SOME ? n : SOME;
		if (run)
			column_copy(h->retained, first - 1, object, some);
		else {
			memcpy(of, object, some * sizeof *of);
			column_look_up(h->retained, object, some);
		}
		for (size_t i = 0; i < some; i++)
			object[i] = heap_retained_bytes(h, object[i], run ? first + i : of[i], &row);
	}
}

enum heap_strength
heap_reach(const struct heap *h, uint32_t object)
{
	uint64_t row = column_find(h->reach.object, object);

	if (row == 0 && h->reach.none != NULL)
		return column_get(h->reach.none, object / 64) >> object % 64 & 1 ? HEAP_STRENGTHS :
		    HEAP_STRONG;
	if (row == 0)
		return h->parent != NULL && heap_dominator(h, object) == 0 ? HEAP_STRENGTHS : HEAP_STRONG;
	return (enum heap_strength)column_get(h->reach.level, row - 1);
}

bool
heap_counts(const struct heap *h, enum heap_strength s)
{
	return s == HEAP_STRONG || h->refs >= REFS_ALL || (h->refs == REFS_SOFT && s == HEAP_SOFT);
}

uint64_t
heap_native(const struct heap *h, uint32_t object)
{
	uint64_t row = column_find(h->native_object, object);

	return row == 0 ? 0 : column_get(h->native_bytes, row - 1);
}
