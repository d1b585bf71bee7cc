/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_keys: thread locals that no field has, of which there are many: a collection contains them.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "findings.h"

/* Find the node with most objects that are keys of this name, their class. */
static void
finding_keys_find(const struct findings *f, struct str class, struct name_node *keys)
{
	struct name_node n;

	*keys = (struct name_node){ .count = 1 };
	for (uint32_t id = 1; id <= names_count(f->heap); id++) {
		names_get(f->heap, id, &n);
		if (n.count > keys->count && n.role == ROLE_PLAIN && !name_is_thread_local(n.kind) &&
		    str_eq(n.class, class))
			*keys = n;
	}
}

/* "8 000 ThreadLocals shop.Main$1 in shop.Main.KEEP" */
void
finding_keys(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node owner, n;

	if (x->owner == 0)
		return;
	names_get(f->heap, x->owner, &owner);
	if (owner.kind != NAME_THREAD_LOCAL || owner.holder.n > 0)
		return;
	finding_keys_find(f, owner.label, &n);
	if (n.count <= 1)
		return;
	buf_num(b, num_show_count, n.count);
	buf_text(b, " ThreadLocals ");
	buf_str(b, owner.label);
	name_leave_elements(f->heap, &n);
	if (n.holder.n == 0)
		return;
	buf_text(b, " in ");
	name_add_field(&n, b);
}
