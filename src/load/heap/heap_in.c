/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_in: columns of heaps that are not HPROF files.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "heap_in.h"

/* Columns of what only HPROF files have. */
static const struct { column_id col; enum column_type type; } none[] = {
	{ COL_JTHREAD_OBJECT, COL_U32 }, { COL_JTHREAD_SERIAL, COL_U32 }, { COL_JTHREAD_NAME, COL_U64 },
	{ COL_JTHREAD_TRACE, COL_U32 }, { COL_TRACE_SERIAL, COL_U32 }, { COL_TRACE_THREAD, COL_U32 },
	{ COL_TRACE_OFFSET, COL_U64 }, { COL_TRACE_FRAMES, COL_U32 }, { COL_SFRAME_ID, COL_U64 },
	{ COL_SFRAME_OFFSET, COL_U64 },
	{ COL_EXTENT_FROM, COL_U64 }, { COL_EXTENT_TO, COL_U64 }, { COL_OFFSET_BLOCK, COL_U64 },
	{ COL_FAR_OBJECT, COL_U32 }, { COL_FAR_OFFSET, COL_U64 }, { COL_LOCAL_THREAD, COL_U32 },
	{ COL_LOCAL_ROOT, COL_U32 }
};

/* ---- classes and roots ---------------------------------------------------------------- */

struct class_object {
	uint64_t	object;
	uint32_t	class;
};

/* class.by_object from class.object. */
static bool
heap_in_by_object(struct store *st, const struct class_in *class, uint32_t n, struct err *err)
{
	static const struct make_column column = MAKE(COL_CLASS_BY_OBJECT, class_object, class);
	OWN_ARRAY(struct class_object) rows = ARRAY_INIT;
	uint64_t nrows = 0;

	for (uint32_t i = 0; i < n; i++)
		if (class[i].object != 0 && !array_add(&rows, &nrows,
		    (&(struct class_object){ class[i].object, i + 1 }), err))
			return false;
	return make_sort(&rows.raw, nrows, sizeof *rows.at, NULL, err) &&
	    make_columns(st, &column, 1, MAKE_ROWS(rows.at, nrows), err);
}

bool
heap_in_classes(struct store *st, const struct class_in *class, uint32_t n, uint32_t class_class, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_CLASS_NAME, class_in, name), MAKE(COL_CLASS_ADDR, class_in, addr),
		MAKE(COL_CLASS_SHALLOW, class_in, bytes), MAKE(COL_CLASS_MAT_SHALLOW, class_in, mat_bytes),
		MAKE(COL_CLASS_OBJECTS, class_in, objects), MAKE(COL_CLASS_SUPER, class_in, super),
		MAKE(COL_CLASS_LOADER, class_in, loader), MAKE(COL_CLASS_OBJECT, class_in, object),
		MAKE(COL_CLASS_FIELD, class_in, field), MAKE(COL_CLASS_FIELDS, class_in, fields),
		MAKE(COL_CLASS_ELEMENT, class_in, element), MAKE(COL_CLASS_STRENGTH, class_in, strength),
		MAKE_CONST(COL_CLASS_DUMP, 8, MAKE_ZERO), MAKE_CONST(COL_CLASS_SIZE, 4, MAKE_ZERO),
		MAKE_CONST(COL_CLASS_VM_SIZE, 4, MAKE_ZERO), MAKE_CONST(COL_CLASS_MAT_SIZE, 4, MAKE_ZERO),
		MAKE_CONST(COL_CLASS_STATICS, 4, MAKE_ZERO), MAKE_CONST(COL_CLASS_STATIC_REFS, 4, MAKE_ZERO),
		MAKE_CONST(COL_CLASS_STATIC_ADDED, 4, MAKE_ZERO), MAKE_CONST(COL_CLASS_STATIC_WIDE, 1, MAKE_ZERO),
		MAKE_CONST(COL_CLASS_SERIAL, 4, MAKE_ZERO)
	};

	return make_columns(st, columns, NELEM(columns), MAKE_ROWS(class, n), err) &&
	    heap_in_by_object(st, class, n, err) && fact_set(st, FACT_CLASSES, n, err) &&
	    fact_set(st, FACT_HEAP_CLASS_CLASS, class_class, err);
}

bool
heap_in_roots(struct store *st, const struct root_in *root, uint64_t n, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ROOT_OBJECT, root_in, object), MAKE(COL_ROOT_KIND, root_in, kind),
		MAKE_CONST(COL_ROOT_THREAD, 4, MAKE_ZERO)
	};
	uint32_t *depth = store_make(st, COL_ROOT_DEPTH, COL_U32, n, err);

	for (uint64_t i = 0; depth != NULL && i < n; i++)
		depth[i] = ROOT_NO_FRAME;
	return depth != NULL && make_columns(st, columns, NELEM(columns), MAKE_ROWS(root, n), err) &&
	    fact_set(st, FACT_ROOTS, n, err);
}

/* ---- objects ---------------------------------------------------------------------------- */

static uint64_t
heap_in_largest(const uint64_t *value, uint32_t n)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		most = value[i] > most ? value[i] : most;
	return most;
}

/* A column of numbers as narrow as they allow, but at least of that type. */
static bool
heap_in_numbers(struct store *st, column_id col, enum column_type least, const uint64_t *value, uint32_t n,
    struct err *err)
{
	enum column_type type = column_fit(heap_in_largest(value, n));
	void *to;

	type = column_width(type) < column_width(least) ? least : type;
	to = store_make(st, col, type, n, err);
	for (uint32_t i = 0; to != NULL && i < n; i++)
		column_set(to, type, i, value[i]);
	return to != NULL;
}

/* Lengths of arrays: a byte each, and rows of the long ones. */
static bool
heap_in_lengths(struct store *st, const uint32_t *length, uint32_t n, struct err *err)
{
	uint8_t *to = store_make(st, COL_OBJECT_LENGTH, COL_U8, n, err);
	uint32_t *object, *elements;
	uint64_t longs = 0;

	for (uint32_t i = 0; length != NULL && i < n; i++)
		longs += length[i] >= HEAP_LONG_LIST;
	object = to == NULL ? NULL : store_make(st, COL_LONG_OBJECT, COL_U32, longs, err);
	elements = object == NULL ? NULL : store_make(st, COL_LONG_LENGTH, COL_U32, longs, err);
	if (elements == NULL)
		return false;
	for (uint32_t i = 0; length != NULL && i < n; i++) {
		to[i] = length[i] < HEAP_LONG_LIST ? (uint8_t)length[i] : HEAP_LONG_LIST;
		if (length[i] >= HEAP_LONG_LIST) {
			*object++ = i + 1;
			*elements++ = length[i];
		}
	}
	return true;
}

static bool
heap_in_class_of(struct store *st, const struct objects_in *o, struct class_in *class, uint32_t classes,
    struct err *err)
{
	enum column_type type = column_fit(classes);
	void *to = store_make(st, COL_OBJECT_CLASS, type, o->n, err);

	for (uint32_t i = 0; to != NULL && i < o->n; i++) {
		struct class_in *of = &class[o->class[i] - 1];

		assert(o->class[i] != 0 && o->class[i] <= classes);
		column_set(to, type, i, o->class[i]);
		of->objects++;
		of->bytes = num_add(of->bytes, o->bytes[i]);
		of->mat_bytes = num_add(of->mat_bytes, o->mat_bytes != NULL ? o->mat_bytes[i] : o->bytes[i]);
	}
	return to != NULL;
}

bool
heap_in_no_records(struct store *st, struct err *err)
{
	for (size_t i = 0; i < NELEM(none); i++)
		if (store_make(st, none[i].col, none[i].type, 0, err) == NULL)
			return false;
	return true;
}

bool
heap_in_objects(struct store *st, const struct objects_in *o, struct class_in *class, uint32_t classes,
    struct err *err)
{
	return heap_in_no_records(st, err) && heap_in_class_of(st, o, class, classes, err) &&
	    heap_in_numbers(st, COL_OBJECT_SHALLOW, COL_U8, o->bytes, o->n, err) &&
	    (o->mat_bytes == NULL ||
	    heap_in_numbers(st, COL_OBJECT_MAT_SHALLOW, COL_U8, o->mat_bytes, o->n, err)) &&
	    heap_in_numbers(st, COL_OBJECT_OFFSET, COL_U32, o->place, o->n, err) &&
	    heap_in_lengths(st, o->length, o->n, err) &&
	    (o->id == NULL || heap_in_numbers(st, COL_OBJECT_ID, COL_U32, o->id, o->n, err)) &&
	    fact_set(st, FACT_OBJECTS, o->n, err) &&
	    (o->id == NULL || fact_set(st, FACT_HEAP_OBJECTS, o->n, err));
}

/* ---- lists of references ---------------------------------------------------------------- */

bool
lists_in_open(struct lists_in *l, struct store *st, uint32_t objects, uint64_t references, struct err *err)
{
	*l = (struct lists_in){ .st = st, .err = err, .n = objects, .next = 1 };
	/* No difference needs more than 5 bytes; a list has a head of two numbers at most. */
	l->room = 5 * references + 2ull * STEP_MAX * objects;
	l->len = store_make(st, COL_OUT_LEN, COL_U8, objects, err);
	l->block = l->len == NULL ? NULL :
	    store_make(st, COL_OUT_BLOCK, COL_U64, (uint64_t)objects / HEAP_BLOCK + 1, err);
	/* The last one, so that unused memory is returned. */
	l->data = l->block == NULL ? NULL : store_make(st, COL_OUT_DATA, COL_BYTES, l->room, err);
	return l->data != NULL;
}

/* Objects before this one have empty lists. */
static void
lists_in_skip(struct lists_in *l, uint32_t object)
{
	for (; l->next <= object; l->next++)
		if ((l->next - 1) % HEAP_BLOCK == 0)
			l->block[(l->next - 1) / HEAP_BLOCK] = l->pos;
}

static uint8_t *
heap_in_put_all(uint8_t *p, uint32_t *last, const uint32_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		p = put_step(p, *last, to[i]);
		*last = to[i];
	}
	return p;
}

void
lists_in_put(struct lists_in *l, uint32_t object, enum heap_strength strength, const uint32_t *weak, size_t nweak,
    const uint32_t *strong, size_t nstrong)
{
	uint8_t *from = l->data + l->pos + 2 * STEP_MAX, *to = l->data + l->pos, *p;
	uint32_t last = object;
	uint64_t n;

	assert(object >= l->next && object <= l->n && l->room - l->pos >= 5 * (nweak + nstrong) + 2 * STEP_MAX);
	lists_in_skip(l, object);
	p = heap_in_put_all(from, &last, weak, nweak);
	p = heap_in_put_all(p, &last, strong, nstrong);
	n = (uint64_t)(p - from);
	l->len[object - 1] = n >= HEAP_LONG_LIST || nweak > 0 ? HEAP_LONG_LIST : (uint8_t)n;
	if (nweak > 1) {
		uint8_t many[STEP_MAX];
		size_t head = (size_t)(put_number(many, (uint64_t)nweak << LIST_LENGTH | strength) - many);

		to = put_number(to, (n + head) << LIST_LENGTH | LIST_MANY);
		memcpy(to, many, head);
		to += head;
	} else if (l->len[object - 1] == HEAP_LONG_LIST)
		to = put_number(to, n << LIST_LENGTH | (nweak > 0 ? (unsigned)strength : HEAP_STRONG));
	memmove(to, from, n);
	l->pos = (uint64_t)(to + n - l->data);
}

bool
lists_in_close(struct lists_in *l)
{
	assert(l->next <= l->n + 1);
	lists_in_skip(l, l->n);
	if (l->n % HEAP_BLOCK == 0)
		l->block[l->n / HEAP_BLOCK] = l->pos;
	store_trim(l->st, COL_OUT_DATA, l->pos);
	return true;
}
