/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_form: texts of a snapshot of V8, read on demand.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_form.h"

#define ROPE_MOST 65536u	/* parts of a string that are looked at */

/* ---- texts ------------------------------------------------------------------------------------------ */

/* Appends as much of a text as max allows. */
static void
v8_form_add(struct str raw, size_t max, struct buf *b, uint64_t *chars)
{
	OWN_BUF text = BUF_INIT;
	struct str s = scan_unescape(raw, &text);
	uint32_t c;
	size_t n;

	for (; s.n > 0; s = str_after(s, n)) {
		n = text_decode(s, &c);
		if (*chars < max)
			buf_add(b, s.s, n);
		*chars += 1 + (c > 0xffff);
	}
}

/* The two parts of a rope; the second is put first, because the last one on the stack is the next. */
static bool
v8_form_parts(const struct store *st, uint32_t object, struct scratch *stack, uint64_t *n)
{
	struct edge_walk w = { .st = st, .object = object };
	uint32_t part[2] = { 0, 0 };
	struct heap_edge e;

	if (!v8_refs_begin(&w))
		return false;
	while (v8_refs_next(&w, &e))
		if (w.row == V8_INTERNAL)
			part[0] = str_is(e.name, "second") ? e.object : part[0],
			    part[1] = str_is(e.name, "first") ? e.object : part[1];
	for (size_t i = 0; i < NELEM(part); i++)
		if (part[i] != 0 && !scratch_add(stack, n, &part[i], sizeof part[i], NULL))
			return false;
	return true;
}

static bool
v8_form_text(const struct store *st, uint32_t object, size_t max, struct buf *b, uint64_t *chars)
{
	OWN_ARRAY(uint32_t) stack = ARRAY_INIT;
	enum v8_type type = v8_refs_read(st, object, NULL);
	uint64_t n = 0;
	struct str s;

	*chars = 0;
	if ((type != V8_STRING && type != V8_ROPE && type != V8_SLICE) || !array_add(&stack, &n, &object, NULL))
		return false;
	for (unsigned i = 0; n > 0 && i < ROPE_MOST; i++) {
		object = stack.at[--n];
		type = v8_refs_read(st, object, &s);
		if (type == V8_ROPE)
			v8_form_parts(st, object, &stack.raw, &n);
		else
			v8_form_add(s, max, b, chars);
	}
	return true;
}

/* The name of a function, of a root, of code. */
static void
v8_form_tell(const struct store *st, uint32_t object, struct buf *b)
{
	struct str s;
	enum v8_type type = v8_refs_read(st, object, &s);

	if (s.n == 0 || (type != V8_CLOSURE && type != V8_CODE && type != V8_HIDDEN && type != V8_SYNTHETIC &&
	    type != V8_SYMBOL))
		return;
	buf_chr(b, ' ');
	v8_refs_decode(s, b);
}

/* Only of a text in one piece. */
static struct str
v8_form_raw(const struct store *st, uint32_t object)
{
	struct str s;

	return v8_refs_read(st, object, &s) == V8_STRING && s.n > 0 ? s : (struct str){ NULL, 0 };
}

static struct str
v8_form_kind(const struct store *st, uint32_t object)
{
	const struct v8_meta *m = v8_refs_meta(st);
	uint64_t row[V8_FIELDS];

	return m != NULL && v8_refs_node(st, m, object, row) ?
	    v8_type_name(store_source(st), m, row[m->node[V8_NODE_TYPE]]) : STR("");
}

static uint64_t
v8_form_part(UNUSED const struct store *st, UNUSED uint32_t object)
{
	return 0;
}

const struct heap_form v8_form = {
	.begin = v8_refs_begin, .next = v8_refs_next, .decode = v8_refs_decode, .text = v8_form_text,
	.tell = v8_form_tell,
	.raw = v8_form_raw, .kind = v8_form_kind, .part = v8_form_part,
	.lacks = "a V8 heap snapshot has no values of fields",
	.title = v8_title, .language = &v8_language
};
