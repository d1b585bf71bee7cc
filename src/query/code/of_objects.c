/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * of_objects: from rows of objects of a heap dump to the bugs that may have created them, by class: a heap
 * dump has superclasses, its bytecode also interfaces.
 */
#include "config.h"

#include <stdlib.h>

#include "code_rows.h"
#include "icecore/bugs.h"
#include "icecore/columns_code.h"
#include "icecore/columns_heap.h"
#include "query/heap/heap.h"

#define SUPERS 512u		/* classes that one extends, one after the other */

struct makers {
	const struct code *code;
	struct heap	 heap;
	/* names of the classes of the objects; these, and what they extend and implement */
	struct text_pool own, all;
	uint32_t	 nown, nall;	/* so many of them; what comes behind is none */
	bool		*seen;		/* by class of the heap dump: the class was met */
	struct namemap	 named;		/* classes of the bytecode */
	struct code_body body;
	uint32_t	 open;		/* method that body is of; 0: none */
	struct buf	 name, other;
};

/* Interfaces of Android's classes: the bytecode of an app does not contain them. */
static const struct {
	const char	*class, *is;
} platform[] = {
	{ "android.database.AbstractCursor", "android.database.CrossProcessCursor" },
	{ "android.database.CrossProcessCursorWrapper", "android.database.CrossProcessCursor" },
	{ "android.database.CrossProcessCursor", "android.database.Cursor" },
	{ "android.database.CursorWrapper", "android.database.Cursor" }
};

static bool
index_classes(struct makers *m, struct err *err)
{
	m->seen = mem_array(m->heap.classes + (size_t)1, sizeof *m->seen);
	if (m->seen == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	if (!namemap_open(&m->named, m->code->nclasses, err))
		return false;
	/* Add from the last class to the first, so that the first is found first. */
	for (uint32_t class = m->code->nclasses; class > 0; class--) {
		buf_clear(&m->name);
		code_text(code_class_name(m->code, class), &m->name);
		if (m->name.bad)
			return fail(err, E_SYSTEM, "out of memory (names)");
		if (!namemap_add(&m->named, buf_view(&m->name), class, err))
			return false;
	}
	return true;
}

/* The first class of the bytecode that has the name in m->name; 0: none. */
static uint32_t
of_objects_find_class(struct makers *m)
{
	uint32_t class;

	for (class = namemap_first(&m->named, buf_view(&m->name)); class != 0; class = namemap_next(&m->named,
	    class)) {
		buf_clear(&m->other);
		code_text(code_class_name(m->code, class), &m->other);
		if (str_eq(buf_view(&m->other), buf_view(&m->name)))
			break;
	}
	return class;
}

static bool
add_above(struct makers *m, struct str raw, struct err *err)
{
	uint32_t number;

	buf_clear(&m->other);
	code_text(raw, &m->other);
	return m->other.n == 0 || texts_number(&m->all, buf_view(&m->other), &number, err);
}

/* Add the known superclasses and interfaces of a class, by name. */
static bool
add_parents(struct makers *m, uint32_t number, struct err *err)
{
	struct str is;
	uint32_t class, i = 0, of;
	bool ok = true;

	buf_clear(&m->name);
	buf_str(&m->name, texts_get(&m->all, number));
	for (size_t k = 0; ok && k < NELEM(platform); k++)
		if (str_eq(buf_view(&m->name), str_of(platform[k].class)))
			ok = texts_number(&m->all, str_of(platform[k].is), &of, err);
	class = of_objects_find_class(m);
	if (!ok || class == 0)
		return ok;
	ok = add_above(m, store_text(m->code->st,
	    store_cell(m->code->st, COL_CODE_CLASS_SUPER, class)), err);
	while (ok && code_interface(&m->body, m->code, class, i++, &is))
		ok = add_above(m, is, err);
	return ok;
}

static bool
of_objects_add_name(struct makers *m, uint32_t class, bool own,
    void (*named)(const struct heap *, uint32_t, struct buf *), struct err *err)
{
	uint32_t number;

	buf_clear(&m->name);
	named(&m->heap, class, &m->name);
	return m->name.n == 0 || (texts_number(&m->all, buf_view(&m->name), &number, err) &&
	    (!own || texts_number(&m->own, buf_view(&m->name), &number, err)));
}

/* Add the names, deobfuscated and obfuscated, of a class of the heap dump and its superclasses. */
static bool
of_objects_add_class(struct makers *m, uint32_t class, struct err *err)
{
	bool ok = true;

	m->seen[class] = true;
	for (unsigned n = 0; ok && n < SUPERS && class != 0 && class <= m->heap.classes; n++) {
		ok = of_objects_add_name(m, class, n == 0, heap_class_name, err) &&
		    of_objects_add_name(m, class, n == 0, heap_class_obfuscated, err);
		class = (uint32_t)store_cell(m->heap.st, COL_CLASS_SUPER, class);
	}
	return ok;
}

/* Add the classes of objects; a Class object adds the class it represents. */
static bool
of_objects_add_objects(struct makers *m, struct rows *in, size_t col, struct err *err)
{
	uint32_t object, class;
	uint64_t row = 0;

	while (object_next(in, &row, col, &m->heap, &object)) {
		class = object == 0 ? 0 : heap_class_of_object(&m->heap, object);
		if (class == 0 && object != 0)
			class = heap_class(&m->heap, object);
		if (class != 0 && class <= m->heap.classes && !m->seen[class] &&
		    !of_objects_add_class(m, class, err))
			return false;
		if (row % 4096 == 0 && !rows_tick(in, row))
			break;
	}
	if (!rows_whole(in, err))
		return false;
	/* The loop adds names, so all.n grows. */
	for (uint32_t i = 1; i <= m->all.n; i++)
		if (!add_parents(m, i, err))
			return false;
	m->nown = m->own.n;
	m->nall = m->all.n;
	return true;
}

/* A "new" creates objects of exactly its class; a call may return any subclass of its result type. */
static bool
mark_bug(struct makers *m, uint32_t bug, uint8_t *has, struct err *err)
{
	uint32_t method = (uint32_t)store_cell(m->code->st, COL_BUG_METHOD, bug), number;
	bool exact;

	/* A check is about calls, not about what they return. */
	if (store_cell(m->code->st, COL_BUG_CHECK, bug) != 0)
		return true;
	if (m->open != method && !code_body_open(&m->body, m->code, method, err)) {
		m->open = 0;
		return err->kind == E_NONE;
	}
	m->open = method;
	buf_clear(&m->name);
	exact = bug_type(&m->body, (uint32_t)store_cell(m->code->st, COL_BUG_SITE, bug),
	    store_cell(m->code->st, COL_BUG_RESOURCE, bug) == BUG_OF_STATE, &m->name);
	if (m->name.n == 0)
		return true;
	if (!texts_number(exact ? &m->own : &m->all, buf_view(&m->name), &number, err))
		return false;
	has[bug] = number <= (exact ? m->nown : m->nall);
	return true;
}

bool
code_bugs_of_objects(const struct item_rows *s, struct rows *in, size_t col, uint8_t *has, uint64_t n,
    struct err *err)
{
	struct session *session = s->rows.session;
	struct makers m = { .code = CODE(s) };
	bool ok = heap_open(&m.heap, s->st, session->refs, session->sizes, err) && index_classes(&m, err) &&
	    of_objects_add_objects(&m, in, col, err);

	m.open = 0;
	for (uint32_t bug = 1; ok && bug <= n; bug++)
		ok = mark_bug(&m, bug, has, err);
	free(m.seen);
	namemap_free(&m.named);
	texts_free(&m.own);
	texts_free(&m.all);
	code_body_free(&m.body);
	buf_free(&m.name);
	buf_free(&m.other);
	return ok;
}
