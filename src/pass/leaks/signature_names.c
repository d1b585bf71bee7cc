/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signature_names: the signature of a finding of the tree of names: the names from the owner down, as text
 * that is the same for the same leak in every dump, whatever VM and collector wrote it.
 *
 * A change of these rules is another version, which must not be compared with this one.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "findings.h"

#define VERSION "v2 "
#define DEPTH 256u		/* nodes from the end up that are looked at */

struct names_of_way {
	struct buf	*to;
	size_t		 begin;
	bool		 element;	/* the last one ends with [], or is to end without */
	unsigned	 whose;		/* the holder of the last one; 0: there is none yet */
};

static void
signature_names_begin_anew(struct names_of_way *s)
{
	s->to->n = s->begin;
	s->whose = 0;
	s->element = false;
}

static void
signature_names_add_name(struct names_of_way *s, const struct name_node *n)
{
	if (s->to->n > s->begin)
		buf_text(s->to, " > ");
	/* Write the best of several holders in the form of a static. */
	if (n->kind == NAME_SHARED) {
		buf_str(s->to, n->holder);
		buf_chr(s->to, '.');
		buf_str(s->to, n->label);
	} else {
		name_add(n, s->to);
	}
	s->whose = n->holder_whose != 0 ? n->holder_whose : CLASS_PROGRAM;
	s->element = false;
}

static void
signature_names_add_node(const struct heap *h, struct names_of_way *s, const struct name_node *n)
{
	if (var_name(h, n, s->to)) {
		signature_names_begin_anew(s);
		var_name(h, n, s->to);
		s->whose = CLASS_PROGRAM;
		return;
	}
	switch (n->kind) {
	case NAME_CLASS:
		signature_names_begin_anew(s);
		return;
	case NAME_ROOT: case NAME_THREADS: case NAME_REST:
		return;
	case NAME_ELEMENT:
		/* Append [] only once, however deep the nesting. */
		if (s->to->n > s->begin && !s->element)
			buf_text(s->to, "[]");
		s->element = true;
		return;
	case NAME_SHARED:
		/* Fields of libraries and the JDK are left out: the owner above them remains. */
		if (!(n->holder_whose & CLASS_PROGRAM))
			return;
		signature_names_begin_anew(s);
		signature_names_add_name(s, n);
		return;
	case NAME_STATIC:
		signature_names_begin_anew(s);
		break;
	case NAME_THREAD_LOCAL: case NAME_STATIC_LOCAL: case NAME_LOST_LOCAL: case NAME_LOCAL:
		signature_names_begin_anew(s);
		/* Omit methods of the JDK: they differ between versions. */
		if (n->kind == NAME_LOCAL && (n->holder_whose & CLASS_JDK)) {
			s->whose = CLASS_JDK;
			return;
		}
		signature_names_add_name(s, n);
		/* The value of a thread local belongs to the program, whatever class holds the key. */
		s->whose = CLASS_PROGRAM;
		return;
	default:
		/* Skip internal fields of the JDK and of the same library. */
		if (s->whose != 0 && (n->holder_whose & CLASS_JDK)) {
			s->element = true;
			return;
		}
		if (s->whose != 0 && (n->holder_whose & s->whose & CLASS_LIBRARY))
			return;
		break;
	}
	signature_names_add_name(s, n);
}

/*
 * If only the JDK holds the content: append the outer class of its direct holder.  The holder is the same in
 * every version of the JDK; the fields and threads on the path are not.
 */
static void
signature_names_add_holder(const struct heap *h, uint32_t content, struct buf *b)
{
	struct name_node n = { .parent = content };
	struct str outer, inner;

	for (size_t steps = 0; n.parent > 1 && n.holder.n == 0 && steps < DEPTH; steps++)
		names_get(h, n.parent, &n);
	if (n.holder.n == 0) {
		names_get(h, content, &n);
		name_add(&n, b);
	} else {
		buf_str(b, str_divide(n.holder, STR("$"), &outer, &inner) ? outer : n.holder);
	}
}

/* Append the names from the owner down to the node where content accumulates. */
static void
signature_names_add_way(const struct heap *h, uint32_t node, uint32_t content, struct buf *b)
{
	struct names_of_way s = { .to = b, .begin = b->n };
	struct name_node n;
	uint32_t way[DEPTH];
	size_t steps = 0;

	for (uint32_t id = node; id > 1 && steps < DEPTH; id = n.parent) {
		way[steps++] = id;
		names_get(h, id, &n);
	}
	while (steps > 0) {
		names_get(h, way[--steps], &n);
		signature_names_add_node(h, &s, &n);
	}
	if (b->n == s.begin)
		signature_names_add_holder(h, content != 0 ? content : node, b);
}

/* Append the name of a thread with * for numbers. */
static void
add_thread_name(const struct findings *f, uint32_t thread, struct buf *b)
{
	uint32_t name = heap_field_object(f->heap, thread, "name");
	size_t from = b->n;

	if (name != 0 && !heap_string(f->heap, name, 256, b))
		heap_chars(f->heap, name, 256, b);
	name_pool(b, from);
}

/*
 * Return whether node is in the subtree of owner.  If a library holds the objects, their owner may be
 * elsewhere.
 */
static bool
signature_names_is_below(const struct heap *h, uint32_t node, uint32_t owner)
{
	struct name_node n;

	if (owner == 0 || node < owner)
		return owner == 0;
	names_get(h, owner, &n);
	return node - owner < n.size;
}

/* The name of the largest; if each has its own, the name of their holder. */
static void
add_thread_kind(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->number == 0)
		add_thread_name(f, x->object, b);
	else
		finding_place(f, x, b);
}

/* The name of a thread, the class that makes them, or neither. */
static void
add_pool_kind(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t class = x->other == 0 ? 0 : heap_class(f->heap, x->other);

	if (class == 0)
		buf_chr(b, '*');
	else if (class_named(f->heap, class, "java.lang.Thread") != 0)
		add_thread_name(f, x->other, b);
	else
		heap_stable_name(f->heap, class, b);
}

bool
signature_names(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t node = x->kind == FINDING_HASH ? x->owner : x->kind == FINDING_NETTY ? x->content :
	    x->number == 0 ? names_of(f->heap, x->other) : (uint32_t)x->number;
	struct name_node n;

	if (node == 0 || node > names_count(f->heap) || !signature_names_is_below(f->heap, node, x->owner))
		node = x->owner;
	if (x->owner != 0 && x->kind != FINDING_VIRTUAL && (x->content != 0 || x->kind == FINDING_HASH)) {
		buf_str(b, x->kind == FINDING_HASH ? STR(VERSION "hash ") : STR(VERSION));
		signature_names_add_way(f->heap, node, x->content, b);
		buf_text(b, " > ");
		if (x->content != 0) {
			names_get(f->heap, x->content, &n);
			buf_str(b, n.class);
		} else {
			heap_stable_name(f->heap, x->class, b);
		}
		return true;
	}
	switch (x->kind) {
	case FINDING_FINALIZER:
		buf_str(b, STR(VERSION "finalizer"));
		break;
	case FINDING_THREADS:
		buf_str(b, STR(VERSION "threads "));
		add_thread_kind(f, x, b);
		break;
	case FINDING_POOLS:
		buf_str(b, STR(VERSION "pools "));
		add_pool_kind(f, x, b);
		break;
	case FINDING_OBJECT_POOL:
		buf_str(b, STR(VERSION "object pool "));
		finding_owner(f, x, b);
		break;
	case FINDING_VIRTUAL:
		buf_str(b, STR(VERSION "virtual threads "));
		finding_place(f, x, b);
		break;
	case FINDING_CLASSES:
		buf_str(b, STR(VERSION "classes > "));
		finding_names(f, x, b);
		return true;
	default:
		return false;
	}
	buf_text(b, " > ");
	heap_stable_name(f->heap, x->class, b);
	return true;
}

void
names_signature(const struct heap *h, uint32_t id, struct buf *b)
{
	struct name_node n;

	names_get(h, id, &n);
	buf_str(b, STR(VERSION));
	signature_names_add_way(h, id, 0, b);
	buf_text(b, " > ");
	buf_str(b, n.class);
}
