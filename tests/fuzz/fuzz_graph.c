/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes as the description of a small graph, made into a heap dump and explored.
 *
 * The first byte is the number of objects; each three bytes after it say what is done with one of them: which
 * class it is of, what it refers to, what keeps it.  So every input is a dump that loads, and what changes is its shape.
 */
#include "config.h"

#include <stdlib.h>

#include "../unit/heaps.h"
#include "target.h"
#include "walk.h"

#define OBJECTS 200u
#define REFS 8u			/* of one object */
#define SERIAL 7u		/* of the thread whose stack holds objects */

struct kind {
	const char		*name;
	unsigned		 super;
	struct put_field	 field[4];
};

/* Those that passes know, and some that they do not. */
static const struct kind kinds[] = {
	{ "java/lang/Object", 0, { { NULL } } },
	{ "java/lang/Class", 0, { { NULL } } },
	{ "[Ljava/lang/Object;", 0, { { NULL } } },
	{ "[B", 0, { { NULL } } },
	{ "t/Node", 0, { { "next", HEAP_OBJECT }, { "item", HEAP_OBJECT } } },
	{ "java/lang/String", 0, { { "value", HEAP_OBJECT }, { "coder", HEAP_BYTE } } },
	{ "java/lang/Thread", 0, { { "name", HEAP_OBJECT }, { "threadLocals", HEAP_OBJECT } } },
	{ "java/lang/ref/Reference", 0, { { "referent", HEAP_OBJECT }, { "queue", HEAP_OBJECT } } },
	{ "java/lang/ref/WeakReference", 7, { { NULL } } },
	{ "java/lang/ref/SoftReference", 7, { { "timestamp", HEAP_LONG } } },
	{ "java/lang/ref/Finalizer", 7, { { "next", HEAP_OBJECT } } },
	{ "java/util/HashMap", 0, { { "table", HEAP_OBJECT }, { "size", HEAP_INT } } },
	{ "java/util/HashMap$Node", 0, { { "key", HEAP_OBJECT }, { "value", HEAP_OBJECT }, { "next", HEAP_OBJECT } } },
	{ "android/app/Activity", 0, { { "mDestroyed", HEAP_BOOLEAN }, { "mHeld", HEAP_OBJECT } } },
	{ "android/view/View", 0, { { "mContext", HEAP_OBJECT }, { "mParent", HEAP_OBJECT }, { "mAttachInfo", HEAP_OBJECT } } },
	{ "android/graphics/Bitmap", 0, { { "mBuffer", HEAP_OBJECT }, { "mWidth", HEAP_INT }, { "mHeight", HEAP_INT } } },
	{ "t/MainActivity", 13, { { "kept", HEAP_OBJECT } } },
	{ "java/util/ArrayList", 0, { { "elementData", HEAP_OBJECT }, { "size", HEAP_INT } } }
};

enum { KIND_OBJECTS = 2, KIND_BYTES = 3, KIND_THREAD = 6 };

struct object {
	unsigned	kind, refs, value;
	unsigned	to[REFS];	/* by number, from 1; 0: none */
};

static struct object objects[OBJECTS + 1];

static uint64_t
class_id(unsigned kind)
{
	return 0x1000 + 0x100u * kind;
}

static uint64_t
object_id(unsigned i)
{
	return i == 0 ? 0 : 0x10000 + 16u * i;
}

static size_t
fields_of(const struct kind *k)
{
	size_t n = 0;

	while (n < NELEM(k->field) && k->field[n].name != NULL)
		n++;
	return n;
}

/* The fields of a class, and behind them those of the one above it. */
static void
put_values(struct heap_writer *w, const struct object *o)
{
	unsigned slot = 0;

	for (unsigned kind = o->kind; ; kind = kinds[kind].super) {
		for (size_t i = 0; i < fields_of(&kinds[kind]); i++)
			if (kinds[kind].field[i].type == HEAP_OBJECT)
				put(&w->body, object_id(o->to[slot++ % REFS]), 8);
			else
				put(&w->body, o->value, heap_width(kinds[kind].field[i].type, 8));
		if (kinds[kind].super == 0)
			return;
	}
}

static uint32_t
size_of(unsigned kind)
{
	uint32_t n = 0;

	for (;; kind = kinds[kind].super) {
		for (size_t i = 0; i < fields_of(&kinds[kind]); i++)
			n += heap_width(kinds[kind].field[i].type, 8);
		if (kinds[kind].super == 0)
			return n;
	}
}

static void
put_object(struct heap_writer *w, unsigned i)
{
	const struct object *o = &objects[i];

	if (o->kind == KIND_OBJECTS) {
		put_objects(w, object_id(i), class_id(o->kind), o->refs);
		for (unsigned k = 0; k < o->refs; k++)
			put(&w->body, object_id(o->to[k]), 8);
	} else if (o->kind == KIND_BYTES) {
		put_prims(w, object_id(i), HEAP_BYTE, o->value);
		for (unsigned k = 0; k < o->value; k++)
			put(&w->body, 'a' + k % 26, 1);
	} else {
		put_instance(w, object_id(i), class_id(o->kind), size_of(o->kind));
		put_values(w, o);
	}
}

/* Roots are put before the objects, where they are listed. */
static void
put_step(struct heap_writer *w, const uint8_t *p, unsigned n)
{
	static const uint8_t roots[] = {
		ROOT_STICKY_CLASS, ROOT_JNI_GLOBAL, ROOT_MONITOR, ROOT_THREAD, ROOT_JAVA_FRAME, ROOT_JNI_LOCAL
	};
	unsigned at = p[1] % n + 1, root;
	struct object *o = &objects[at];

	switch (p[0] % 8) {
	case 0:
		o->kind = p[2] % NELEM(kinds);
		break;
	case 1:
		o->value = p[2];
		break;
	case 2:
		root = roots[p[2] % NELEM(roots)];
		if (root == ROOT_THREAD || root == ROOT_JAVA_FRAME || root == ROOT_JNI_LOCAL)
			put_thread_root(w, (uint8_t)root, object_id(at), SERIAL, root == ROOT_THREAD ? 1 : 0);
		else
			put_root(w, (uint8_t)root, object_id(at));
		break;
	default:
		o->to[o->refs % REFS] = p[2] % (n + 1);
		o->refs += o->refs < REFS;
	}
}

TARGET(graph, NULL)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	unsigned n;

	if (size == 0)
		return;
	/* The loader reads what is made of the input, not the input. */
	unsetenv("WALK_TELLS");
	n = 2 + data[0] % (OBJECTS - 1);
	if (walk_fuzzes)
		walk_choice = size % COL_CHOICES;
	memset(objects, 0, sizeof objects);
	for (unsigned i = 0; i < NELEM(kinds); i++)
		put_class(&w, class_id(i), kinds[i].name, i == 0 ? 0 : class_id(kinds[i].super), 0, kinds[i].field, fields_of(&kinds[i]));
	for (size_t i = 1; i + 3 <= size; i += 3)
		put_step(&w, data + i, n);
	for (unsigned i = 1; i <= n; i++)
		put_object(&w, i);
	put_stack(&w, 1, SERIAL, "run", (uint32_t)class_id(0), 12);
	put_file(&w, &file);
	walk_bytes((const uint8_t *)file.s, file.n);
	buf_free(&file);
}
