/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_names: the names of owners: fields, and Vars of Clojure, which have names of their own.
 *
 * Fields: clojure 1.5 to 1.12 (clojure.lang.Var, Namespace, Symbol).
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "findings.h"

#define VAR "clojure.lang.Var"
#define VAR_HOLDERS 64u	/* referrers of the value that are looked at for its Var */
#define VAR_NAME 200u

bool
name_is_var(const struct name_node *n)
{
	return str_is(n->holder, VAR) && str_is(n->label, "root");
}

bool
var_name(const struct heap *h, const struct name_node *n, struct buf *b)
{
	size_t from = b->n, part;
	struct heap_walk walk;
	uint32_t var = 0, symbol, name;

	if (!name_is_var(n) || n->object == 0)
		return false;
	heap_in(h, n->object, &walk);
	for (unsigned i = 0; i < VAR_HOLDERS && (var = heap_next(&walk, NULL)) != 0 && !object_is(h, var, VAR); i++)
		continue;
	if (!object_is(h, var, VAR))
		return false;
	buf_text(b, "#'");
	symbol = heap_field_object(h, heap_field_object(h, var, "ns"), "name");
	for (unsigned i = 0; i < 2; i++, symbol = heap_field_object(h, var, "sym")) {
		name = heap_field_object(h, symbol, "name");
		part = b->n;
		if (name == 0 || !heap_string(h, name, VAR_NAME, b)) {
			b->n = from;
			return false;
		}
		mask_text(b, part);
		buf_text(b, i == 0 ? "/" : "");
	}
	return true;
}

/* The field, without what kind it is of. */
void
finding_owner(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;

	if (x->owner == 0)
		return;
	names_get(f->heap, x->owner, &n);
	if (var_name(f->heap, &n, b))
		return;
	if (n.holder.n == 0 && (n.label.n == 0 || n.kind == NAME_GC_ROOT)) {
		if (f->heap->form != NULL && n.kind == NAME_GC_ROOT)
			name_add(&n, b);
		else
			buf_str(b, n.class);
		return;
	}
	name_add_field(&n, b);
}
