/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_objects: the objects of a heap dump, all or those of some classes, and the strings.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 4096		/* objects looked at at once */

#define ROW(...) { __VA_ARGS__ },
const struct coldef object_cols[OBJECT_COLUMNS] = { OBJECT_ROWS(ROW) };

/* ---- objects of classes ---------------------------------------------------------- */

struct scan {
	struct item_rows	 rows;
	uint32_t		 next;		/* object */
	uint64_t		 class[SLICE];
};

static bool
scan_step(struct item_rows *s)
{
	const struct heap *h = &HEAP(s)->view.heap;
	struct scan *scan = (struct scan *)s;
	const uint8_t *has;
	uint32_t n, *list;

	if (HEAP(s)->classes.has == NULL && !heap_rows_classes(s, false))
		return false;
	n = h->objects - scan->next < SLICE ? h->objects - scan->next : SLICE;
	if (!scratch_array(&s->list, s->n + n, sizeof *list, &s->rows.err))
		return false;
	list = SCRATCH(s->list, uint32_t);
	has = HEAP(s)->classes.has;
	column_copy(h->class, scan->next, scan->class, n);
	for (uint32_t i = 0; i < n; i++) {
		list[s->n] = ++scan->next;
		s->n += has[scan->class[i] <= h->classes ? scan->class[i] : 0] != 0;
	}
	return scan->next < h->objects;
}

/* ---- objects --------------------------------------------------------------------- */

/* The objects of the arguments, each as often as it is named; their classes become those of the rows. */
static bool
q_objects_take_objects(struct item_rows *s, const struct object_args *args, struct err *err)
{
	const struct heap *h = &HEAP(s)->view.heap;

	if (!classes_make(&HEAP(s)->classes, h, err))
		return false;
	s->ended = true;
	for (size_t i = 0; i < args->n; i++) {
		HEAP(s)->classes.has[heap_class(h, args->id[i])] = 1;
		if (!item_rows_add_number(s, args->id[i]))
			return false;
	}
	return true;
}

static bool
take_arguments(struct item_rows *s, const struct stage *stage, struct object_args *args, struct err *err)
{
	if (!objects_of_stage(args, &HEAP(s)->view.heap, stage, err))
		return false;
	if (args->n > 0 && args->classes.n > 0)
		return fail_at(err, E_USAGE, stage_at(stage, 0),
		    "mixes objects and classes; use one or the other");
	if (args->n > 0)
		return q_objects_take_objects(s, args, err);
	HEAP(s)->classes = args->classes;
	args->classes.has = NULL;
	return true;
}

static bool
objects_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct object_args args = { .id = NULL };
	bool ok;

	if (stage->n == 0)
		return item_rows_run(s, 1, HEAP(s)->view.heap.objects);
	ok = take_arguments(s, stage, &args, err);
	object_args_free(&args);
	HEAP(s)->of_classes = true;
	return ok;
}

static const struct source objects = {
	.domain = &heap_domain, .size = sizeof(struct scan), .args = ARGS_OWN, .begin = objects_begin,
	    .step = scan_step
};

const struct command source_objects = {
	HEAP_SOURCE("objects", "objects: all, of classes, or by @ID or 0xADDR",
	    "objects java.lang.String | sort -retained | head 10", object_cols, objects, NULL),
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.arg_needs = needs_objects
};

/* ---- instances ------------------------------------------------------------------- */

static bool
instances_begin(struct item_rows *s, const struct stage *stage, UNUSED struct err *err)
{
	HEAP(s)->of_classes = stage->command->kind == COMMAND_SOURCE;
	return true;
}

static const struct source instances = {
	.domain = &heap_domain, .size = sizeof(struct scan), .args = ARGS_CLASSES, .begin = instances_begin,
	    .step = scan_step
};

const struct command source_instances = {
	HEAP_SOURCE("instances", "instances of classes, by name or @ID",
	    "instances java.lang.Class | count", object_cols, instances, needs_objects),
	.args = ARGS({ &arg_class, ARG_MANY })
};

const struct command stage_instances = {
	HEAP_STAGE("instances", "instances of the classes",
	    "classes | top 1 objects | instances | head", object_cols, instances, needs_objects)
};

/* ---- strings --------------------------------------------------------------------- */

static const struct coldef string_cols[] = {
	{ "object", CELL_ID, "String object", SOME_OF(), OBJECT_ID },
	{ "value", CELL_TEXT, "value, at most 1 Mi characters", FROM(OBJECT_VALUE) },
	{ "length", CELL_COUNT, "length in UTF-16 units", FROM(OBJECT_CHARS) },
	{ "coder", CELL_TEXT, "encoding: latin1, utf16, char or ascii (Android)",
	    FROM(OBJECT_CODER) },
	{ "copies", CELL_COUNT, "equal reachable strings, incl. this one", FROM(OBJECT_COPIES) },
	{ "shallow", CELL_BYTES, "shallow size of the String", FROM(OBJECT_SHALLOW) },
	{ "retained", CELL_BYTES, "retained size", MORE, FROM(OBJECT_RETAINED), SUMS(objects) },
	{ "array", CELL_ID, "backing array", MORE, FROM(OBJECT_ARRAY), OBJECT_ID },
	{ "shared", CELL_COUNT, "strings sharing the backing array", MORE, FROM(OBJECT_SHARED) },
	{ "waste", CELL_BYTES, "bytes wasted if it duplicates an earlier string", MORE, FROM(OBJECT_WASTE) },
	{ "holder", CELL_TEXT, "class and field of the nearest owner", MORE, FROM(OBJECT_HELD_BY) },
	{ "owner", CELL_ID, "owner object", MORE, FROM(OBJECT_OWNER), OBJECT_ID }
};

static bool
strings_begin(struct item_rows *s, UNUSED const struct stage *stage, struct err *err)
{
	const struct heap *h = &HEAP(s)->view.heap;

	if (!classes_make(&HEAP(s)->classes, h, err))
		return false;
	s->ended = h->string_class == 0 && h->form == NULL;
	if (h->string_class != 0)
		HEAP(s)->classes.has[h->string_class] = 1;
	for (uint32_t class = 1; h->form != NULL && class <= h->classes; class++)
		HEAP(s)->classes.has[class] = column_get(h->class_element, class - 1ull) == HEAP_CHAR;
	return true;
}

static const struct source strings = {
	.domain = &heap_domain, .size = sizeof(struct scan), .begin = strings_begin, .step = scan_step
};

const struct command source_strings = {
	SOURCE("strings", "strings with value, length and duplicates", "strings | sort -length | head 10",
	    heap_rows_open), HEAP_ROWS_OF(SHAPE_TEXTS, string_cols, strings, needs_objects)
};
