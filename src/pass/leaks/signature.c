/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signature: the references from a root to an object as text that is the same for the same leak in
 * every dump.
 */
#include "config.h"

#include <string.h>

#include "findings.h"
#include "pass/heap/heap.h"

#define ENDS 256u		/* of a path that is longer than two of them only the ends are looked at */

/* Return the first occurrence of s in text, or NULL. */
static const char *
signature_find(struct str text, const char *s)
{
	return text.n == 0 ? NULL : memmem(text.s, text.n, s, strlen(s));
}

/* ---- steps --------------------------------------------------------------------------- */

struct steps {
	const struct heap	*h;
	struct buf		*to;
	struct buf		 now, last;	/* the step that is being made; the one that was written last */
	bool			 starred;	/* the last one is */
	size_t			 begin;		/* of the text */
};

/* A static lives as long as its class: holders of the class are not to blame. */
static void
signature_begin_anew(struct steps *s)
{
	s->to->n = s->begin;
	buf_clear(&s->now);
	buf_clear(&s->last);
}

static void
end_step(struct steps *s)
{
	struct buf swap;

	if (s->now.n == 0)
		return;
	if (str_eq(buf_view(&s->now), buf_view(&s->last))) {
		if (!s->starred)
			buf_chr(s->to, '*');
		s->starred = true;
	} else {
		if (s->last.n > 0)
			buf_str(s->to, STR(" > "));
		buf_str(s->to, buf_view(&s->now));
		s->starred = false;
	}
	swap = s->last;
	s->last = s->now;
	s->now = swap;
	buf_clear(&s->now);
}

/* Return "java.util.HashMap" for "java.util.HashMap$Node"; empty if the class is not a node of a collection. */
static struct str
signature_node_of(struct str name)
{
	static const char *const ends[] = { "*Node", "*Entry", "*Link" };
	size_t n = 0;

	while (n < name.n && name.s[n] != '$')
		n++;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (n > 10 && n < name.n && str_glob(str_of(ends[i]), name) &&
		    heap_same_name((struct str){ name.s, 10 }, STR("java.util.")))
			return (struct str){ name.s, n };
	return STR("");
}

/*
 * Steps from one node of a collection to another: their number depends on hashes and on the other
 * contents.
 */
static bool
signature_is_inner(const struct heap *h, uint32_t holder, uint32_t object)
{
	struct str a = signature_node_of(class_text(h, heap_class(h, holder)));
	struct str b = signature_node_of(class_text(h, heap_class(h, object)));

	return a.n > 0 && b.n > 0 &&
	    (str_eq(a, b) || (signature_find(a, "HashMap") != NULL && signature_find(b, "HashMap") != NULL));
}

static void
signature_add_step(struct steps *s, uint32_t holder, uint32_t object)
{
	uint32_t class = heap_class_of_object(s->h, holder);
	struct heap_slot slot;

	if (heap_is_array(s->h, holder)) {
		if (s->now.n == 0)
			heap_stable_name(s->h, heap_class(s->h, holder), &s->now);
		else
			buf_str(&s->now, STR("[]"));
		return;
	}
	if (signature_is_inner(s->h, holder, object))
		return;
	end_step(s);
	if (!heap_link(s->h, holder, object, &slot)) {
		heap_stable_name(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_str(&s->now, STR(".?"));
		return;
	}
	switch (slot.kind) {
	case SLOT_LOCAL:
		buf_str(&s->now, STR("<Java Local>"));
		break;
	case SLOT_STATIC:
	case SLOT_FIELD:
		if (slot.kind == SLOT_STATIC) {
			signature_begin_anew(s);
			buf_str(&s->now, STR("static "));
		}
		heap_stable_name(s->h, slot.class, &s->now);
		buf_chr(&s->now, '.');
		buf_str(&s->now, slot.name);
		break;
	default:
		heap_stable_name(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_chr(&s->now, '.');
		heap_slot_name(s->h, &slot, &s->now);
		break;
	}
}

void
finding_signature(const struct findings *f, const struct finding *finding, struct buf *b)
{
	struct steps s = { .h = f->heap, .to = b, .now = BUF_INIT, .last = BUF_INIT,
	    .begin = b->n };
	uint32_t object = finding->object, class;

	if (signature_names(f, finding, b))
		return;
	if (finding->kind == FINDING_LOADER) {
		buf_str(b, STR("v2 "));
		s.begin = b->n;
	}
	if (object == 0 && finding->class == 0) {
		buf_str(b, str_of(finding_rows[finding->kind].name));
		return;
	}
	if (object != 0 && finding->hops > 0)
		object = finding->hop[finding->hops - 1];
	class = object == 0 ? 0 : heap_class_of_object(s.h, object);
	for (size_t i = 0; i + 1 < finding->hops && object != 0 && class == 0; i++) {
		if (i == ENDS && finding->hops > 2 * ENDS)
			i = finding->hops - ENDS;
		signature_add_step(&s, finding->hop[i], finding->hop[i + 1]);
	}
	end_step(&s);
	if (class != 0)
		buf_str(&s.now, STR("class "));
	if (class == 0)
		class = object != 0 ? heap_class(s.h, object) : finding->class;
	heap_stable_name(s.h, class, &s.now);
	end_step(&s);
	buf_free(&s.now);
	buf_free(&s.last);
}
