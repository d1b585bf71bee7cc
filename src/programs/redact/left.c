/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * left: the texts that a file has, each once, with its field.  Memory is bounded: later texts are only
 * counted.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "left.h"

enum {
	SHOWN_MOST = 1 << 16,	/* bytes of a text that are shown */
	COPIED_MOST = 200,	/* the same, of one that the file has compressed */
	LEFT_MOST = 1000000	/* texts */
};

/* Replaced by redact in the mode shape: x, or zeros. */
static bool
is_masked(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.s[i] == 'x' || s.s[i] == '\0'))
		i++;
	return i == s.n;
}

/* Letters can be the replacement of a name. */
static bool
left_is_letters(struct str s, bool wide)
{
	size_t i = 0;

	while (i < s.n && (wide && i % 2 == 0 ? s.s[i] == '\0' : s.s[i] >= 'a' && s.s[i] <= 'z'))
		i++;
	return i == s.n;
}

static bool
left_put(struct left *l, struct str field, struct str text, bool wide, struct err *err)
{
	const char *data = (const char *)l->in->data;
	struct left_text *row;
	uint32_t is;

	if (is_masked(text))
		return true;
	if (l->n >= LEFT_MOST) {
		is = idmap_get(&l->by_text, idmap_hash_text(text, idmap_hash_text(field, 0)));
		l->omitted += is == 0;
	} else if (!idmap_enter(&l->by_text, idmap_hash_text(text, idmap_hash_text(field, 0)),
	    (uint32_t)l->n + 1, &is, err))
		return false;
	if (is != 0 && is <= l->n) {
		l->row[is - 1].count++;
		return true;
	}
	if (is == 0)
		return true;
	if (!mem_grow(&l->row, &l->cap, l->n + 1, sizeof *l->row))
		return fail(err, E_SYSTEM, "out of memory (texts)");
	row = &l->row[l->n++];
	*row = (struct left_text){ .count = 1, .place = UINT64_MAX, .n = text.n, .at = l->room.n,
	    .field = (uint32_t)field.n,
	    .letters = left_is_letters(text, wide), .wide = wide };
	buf_str(&l->room, field);
	if (text.s >= data && text.s < data + l->in->size)
		row->place = (uint64_t)(text.s - data);
	else {
		row->copied = (uint32_t)str_head(text, COPIED_MOST).n;
		buf_str(&l->room, str_head(text, COPIED_MOST));
	}
	return !l->room.bad || fail(err, E_SYSTEM, "out of memory (texts)");
}

bool
left_add(struct left *l, struct str field, struct str text, struct err *err)
{
	return left_put(l, field, text, false, err);
}

/* ---- heap dumps ---------------------------------------------------------------------------------------- */

static bool
left_piece(struct left *l, const struct learned *names, const struct map *m, const struct dump_piece *p,
    struct err *err)
{
	static const struct { unsigned use; const char *field; } uses[] = {
		{ USE_CLASS, "class" }, { USE_FIELD, "field" }, { USE_METHOD, "method" },
		{ USE_SIGNATURE, "signature" }, { USE_FILE, "source file" }, { USE_HEAP, "heap" },
		{ USE_THREAD, "thread" }
	};
	struct str bytes = { (const char *)m->data + p->body, (size_t)(p->end - p->body) };
	unsigned use;

	if (p->kind == PIECE_ARRAY && p->type == HEAP_CHAR)
		return left_put(l, STR("char[]"), bytes, true, err);
	if (p->kind == PIECE_ARRAY && p->type == HEAP_BYTE)
		return left_add(l, STR("byte[]"), bytes, err);
	if (p->kind == PIECE_LOST)
		return left_add(l, STR("damaged"), bytes, err);
	if (p->kind != PIECE_STRING)
		return true;
	use = idmap_get(&names->use, p->id);
	for (size_t i = 0; i < NELEM(uses); i++)
		if ((use & uses[i].use) != 0)
			return left_add(l, str_of(uses[i].field), bytes, err);
	return left_add(l, STR("VM string"), bytes, err);
}

static bool
left_in_dump(const struct redaction *r, struct left *l)
{
	struct learned names;
	struct dump_walk w;
	struct dump_piece p;
	bool end = false, ok = learn(&names, r) && walk_begin(&w, r->in, r->work, r->err);

	while (ok && walk_next(&w, &p, &end))
		ok = left_piece(l, &names, r->in, &p, r->err);
	learned_free(&names);
	return ok && end;
}

/* ---- any file ------------------------------------------------------------------------------------------ */

static const struct left *left_sorted;

static struct str
left_text(const struct left *l, const struct left_text *t)
{
	return t->place == UINT64_MAX ? (struct str){ l->room.s + t->at + t->field, t->copied } :
	    (struct str){ (const char *)l->in->data + t->place, (size_t)t->n };
}

static int
by_count(const void *a, const void *b)
{
	const struct left_text *x = a, *y = b;
	const struct left *l = left_sorted;
	int order = x->letters - y->letters;

	if (order == 0)
		order = (x->count > y->count) - (x->count < y->count);
	if (order == 0)
		order = str_cmp((struct str){ l->room.s + x->at, x->field },
		    (struct str){ l->room.s + y->at, y->field });
	return order != 0 ? order : str_cmp(left_text(l, x), left_text(l, y));
}

/* Characters of two bytes, those of Latin-1 as one; others are "?". */
static struct str
left_narrow(struct str wide, struct buf *b)
{
	buf_clear(b);
	for (size_t i = 0; i + 1 < wide.n && b->n < SHOWN_MOST; i += 2)
		buf_chr(b, wide.s[i] == '\0' ? wide.s[i + 1] : '?');
	return buf_view(b);
}

bool
left_list(const struct map *m, const struct redact_kind *kind, redact_text_take take, void *arg,
    uint64_t *omitted, struct work *work, struct err *err)
{
	const struct redact_options o = { .mode = REDACT_SHAPE };
	const struct redaction r = { .in = m, .o = &o, .work = work, .err = err };
	struct left l = { .in = m, .room = BUF_INIT };
	struct buf narrow = BUF_INIT;
	struct redact_text t;
	bool ok;

	work_start_bytes(work, "texts", m->size);
	ok = (kind != NULL ? kind->left : left_in_dump)(&r, &l);
	if (ok && l.n > 0) {
		left_sorted = &l;
		qsort(l.row, l.n, sizeof *l.row, by_count);
	}
	for (size_t i = 0; ok && i < l.n; i++) {
		const struct left_text *row = &l.row[i];
		struct str text = left_text(&l, row);

		t = (struct redact_text){ .count = row->count, .place = row->place, .letters = row->letters,
		    .field = { l.room.s + row->at, row->field } };
		t.text = row->wide ? left_narrow(text, &narrow) : str_head(text, SHOWN_MOST);
		t.more = (row->wide ? row->n / 2 : row->n) - t.text.n;
		ok = !narrow.bad || fail(err, E_SYSTEM, "out of memory (texts)");
		if (ok)
			take(arg, m, &t);
	}
	*omitted = l.omitted;
	buf_free(&narrow);
	buf_free(&l.room);
	idmap_free(&l.by_text);
	free(l.row);
	return ok;
}
