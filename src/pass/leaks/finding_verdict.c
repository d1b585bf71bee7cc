/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_verdict: fields of phrases about an object that has ended: how its inspector knows that, and a
 * known leak on its path.
 */
#include "config.h"

#include <stdlib.h>

#include "findings.h"

#define HOPS_MAX 65536u	/* paths up to that length are looked at for known leaks */

void
finding_reason(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct verdict v;

	inspect(f->inspector, x->object, &v);
	buf_text(b, v.mark == LEAK_YES ? v.why : finding_rows[x->kind].what);
}

void
finding_state(const struct findings *f, const struct finding *x, struct buf *b)
{
	inspect_label(f->inspector, x->object, b);
}

#define WITH 3u		/* leaking objects that are named, counted from the lowest */

/* "android.view.ViewGroup, com.shop.HomeActivity": on the way down by dominators, if it meets the object. */
void
finding_with(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t leak[WITH] = { x->other }, n = 0, up = x->other;
	struct verdict v;

	for (uint32_t i = 0; i < DEEP && up != 0 && up != x->object && n < WITH; i++) {
		inspect(f->inspector, up, &v);
		if (up == x->other || v.mark == LEAK_YES)
			leak[n++] = up;
		up = heap_above(f->heap, up);
	}
	/* Where the way does not meet the object, what is on it may be held by others. */
	n = n > 1 && up != x->object ? 1 : n;
	while (n-- > 0) {
		heap_stable_name(f->heap, heap_class(f->heap, leak[n]), b);
		buf_text(b, n > 0 ? ", " : "");
	}
}

/* A reference of a library, on the way. */
void
finding_known_leak(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct verdict *v;
	const char *note = NULL;
	size_t from, to;

	if (x->hops == 0 || x->hops > HOPS_MAX || (v = mem_array(x->hops, sizeof *v)) == NULL)
		return;
	inspect_path(f->inspector, x->hop, x->hops, v, &from, &to);
	for (size_t i = 0; i < x->hops && note == NULL; i++)
		note = v[i].note;
	free(v);
	buf_text(b, note != NULL ? note : "");
}
