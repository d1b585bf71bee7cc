/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meant: a file whose loader knows what its bytes mean (meant.h), without what is private.  It stays as
 * long, and its lines stay.
 */
#include "config.h"

#include <string.h>

#include "icecore/load.h"
#include "icecore/telling.h"
#include "hide.h"
#include "left.h"

struct meant_masker {
	struct hider	 hide;
	const struct map *m;
	struct sink	*s;
	struct buf	 room;
	uint64_t	 done;		/* bytes written */
	struct learned	 l;		/* only classes whose letters differ */
};

/* Loaders read the bytes as they are: converted text is of no loader. */
static const struct loader *
loader_of(const struct map *m)
{
	const struct loader *l = load_format(m, "");
	size_t n = m->size < SNIFF_MAX || (l != NULL && l->whole) ? (size_t)m->size : SNIFF_MAX;

	return l != NULL && l->meant != NULL && l->sniff(m->data, n) ? l : NULL;
}

static bool
meant_is(const struct map *m)
{
	return loader_of(m) != NULL;
}

static size_t
packed_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && n < 8 && (uint8_t)s.s[n] > 127)
		n++;
	return n + (n < s.n);
}

/* Write zeros, or the first byte of each character, as numbers of as many bytes. */
static void
put_packed(struct str from, char *to, bool zeros)
{
	size_t n;

	for (; from.n > 0; from = str_after(from, n), to += n) {
		n = packed_length(from);
		to[0] = (char)((zeros ? 0 : to[0]) | (n > 1 ? 128 : 0));
		for (size_t i = 1; i < n; i++)
			to[i] = (char)(i + 1 < n ? 128 : 0);
	}
}

static void
hide_number(struct meant_masker *t, const struct meant_part *p, struct str from)
{
	t->hide.result->fields++;
	t->hide.result->masked += from.n;
	if (p->packed)
		put_packed(from, t->room.s, true);
	else
		memset(t->room.s, 0, from.n);
}

/* Zeros would not do: JSON has no number that begins with one. */
static void
hide_digits(struct meant_masker *t, struct str from, bool hex)
{
	size_t sign = str_begins(from, "-"), marks = hex && str_begins(str_after(from, sign), "0x") ? sign + 2 : 0;

	t->hide.result->fields++;
	t->hide.result->masked += from.n;
	for (size_t i = marks; i < from.n; i++)
		if (hex ? is_hex(from.s[i]) : is_digit(from.s[i]))
			t->room.s[i] = '1';
}

/* By the rules of heap dumps. */
static void
hide_java(struct meant_masker *t, struct str from, unsigned use)
{
	name_mask(t->hide.key, &t->l, t->hide.o->names, use, from, (uint8_t *)t->room.s);
	if (t->hide.peer != NULL)
		hide_as_peer(&t->hide, from, t->room.s);
	t->hide.result->names++;
	if (memcmp(from.s, t->room.s, from.n) != 0) {
		t->hide.result->renamed++;
		t->hide.result->masked += from.n;
	}
}

static void
hide_part(struct meant_masker *t, const struct meant_part *p, struct str from)
{
	bool marking = p->packed && t->hide.peer != NULL;
	char *to = t->room.s;

	if ((p->means == MEANT_CLASS || p->means == MEANT_MEMBER) && from.n <= NAME_MOST) {
		hide_java(t, from, p->means == MEANT_MEMBER ? USE_METHOD : from.s[0] == '(' ?
		    USE_SIGNATURE : USE_CLASS);
		return;
	}
	if (p->means == MEANT_NUMBER || p->means == MEANT_OWN_NUMBER) {
		hide_number(t, p, from);
		return;
	}
	if (p->means == MEANT_DIGITS || p->means == MEANT_OWN_DIGITS) {
		hide_digits(t, from, p->means == MEANT_OWN_DIGITS);
		return;
	}
	if (marking)
		t->hide.peer->marking = true;
	hide_meant(&t->hide, p->means, to, from.n);
	if (p->packed && memcmp(from.s, to, from.n) != 0)
		put_packed(from, to, false);
	if (marking) {
		t->hide.peer->marking = false;
		hide_as_peer(&t->hide, from, to);
	}
}

static bool
put_part(struct meant_masker *t, const struct meant_part *p, struct err *err)
{
	struct str from = { (const char *)t->m->data + p->at, (size_t)p->n };

	t->done = p->at + p->n;
	/* Names with letters beyond ASCII are read as a whole or not at all. */
	if (p->means == MEANT_FORM || p->n == 0 || (t->hide.o->numbers == REDACT_NUMBERS_KEEP &&
	    (p->means == MEANT_OWN_NUMBER || p->means == MEANT_OWN_DIGITS)) ||
	    (p->packed && t->hide.o->names == REDACT_KEEP &&
	    (p->means == MEANT_NAME || p->means == MEANT_CLASS || p->means == MEANT_MEMBER)))
		return sink_put(t->s, from);
	buf_clear(&t->room);
	buf_str(&t->room, from);
	if (t->room.bad)
		return fail(err, E_SYSTEM, "out of memory (texts)");
	hide_in(&t->hide, t->room.s, t->s->at + t->s->n);
	if (p->packed && (p->means == MEANT_CLASS || p->means == MEANT_MEMBER))
		hide_part(t, &(struct meant_part){ p->at, p->n, MEANT_NAME, true, p->path }, from);
	else
		hide_part(t, p, from);
	return hide_ok(&t->hide, err) && sink_put(t->s, buf_view(&t->room));
}

static bool
put_up_to(struct meant_masker *t, uint64_t end, enum meaning means, struct err *err)
{
	return put_part(t, &(struct meant_part){ .at = t->done, .n = end - t->done, .means = means }, err);
}

/*
 * The next line, up to end, of a text of unknown meaning: line ends and blanks at both ends do not belong
 * to it.
 */
static struct str
line_of(const struct map *m, uint64_t from, uint64_t end)
{
	const char *d = (const char *)m->data;
	uint64_t to;

	for (; from < end && memchr(" \t\r\n", d[from], 4) != NULL; from++)
		;
	for (to = from; to < end && d[to] != '\n'; to++)
		;
	while (to > from && memchr(" \t\r", d[to - 1], 3) != NULL)
		to--;
	return (struct str){ d + from, (size_t)(to - from) };
}

static bool
put_gap(struct meant_masker *t, uint64_t end, struct err *err)
{
	struct str line;
	uint64_t at;

	while (t->done < end) {
		line = line_of(t->m, t->done, end);
		at = (uint64_t)(line.s - (const char *)t->m->data);
		if (!put_up_to(t, at, MEANT_FORM, err) || !put_up_to(t, at + line.n, MEANT_TEXT, err))
			return false;
	}
	return true;
}

static bool
mask_part(void *masker, const struct meant_part *p, struct err *err)
{
	struct meant_masker *t = masker;

	if (p->at < t->done || p->at > t->m->size || p->n > t->m->size - p->at)
		return fail_at(err, E_INPUT, p->at, "parts of the file overlap; nothing written");
	return put_gap(t, p->at, err) && put_part(t, p, err);
}

static bool
learn_part(void *masker, const struct meant_part *p, struct err *err)
{
	struct meant_masker *t = masker;
	struct str name = { (const char *)t->m->data + p->at, (size_t)p->n };
	struct own_name own = { p->at, (uint32_t)p->n };

	if (p->means == MEANT_USER)
		return hide_learn_user(&t->hide, name, err);
	if (t->hide.o->names == REDACT_KEEP)
		return p->means == MEANT_WHO ? hide_learn(&t->hide, name, err) :
		    p->means != MEANT_NAME || p->packed || hide_learn_name(&t->hide, name, err);
	/* Descriptors repeat names of classes. */
	return p->means != MEANT_CLASS || p->packed || p->n == 0 || p->n > NAME_MOST || name.s[0] == '[' ||
	    name.s[0] == '(' || name_is_platform(name) ||
	    scratch_add(&t->l.own, &t->l.nown, &own, sizeof own, err);
}

static bool
count_part(void *none, const struct meant_part *p, struct err *err)
{
	(void)none;
	(void)p;
	(void)err;
	return true;
}

static bool
meant_mask(const struct redaction *r)
{
	struct meant_masker t = { .m = r->in, .s = r->s, .l = { .again = IDMAP_INIT, .own = SCRATCH_INIT } };
	struct hide_peer peer;
	const struct loader *l = loader_of(r->in);
	uint64_t lost = 0;
	bool ok;

	hide_begin(&t.hide, &peer, r);
	work_start_bytes(r->work, "names", r->in->size);
	ok = l->meant(r->in, learn_part, &t, &lost, r->work, r->err) &&
	    (r->key == NULL || names_break(&t.l, r));
	work_start_bytes(r->work, r->s->peer != NULL ? "comparing" : "redacting", r->in->size);
	ok = ok && l->meant(r->in, mask_part, &t, &r->result->unknown, r->work, r->err) &&
	    put_gap(&t, r->in->size, r->err) && sink_end(r->s);
	buf_free(&t.room);
	hide_end(&t.hide);
	idmap_free(&t.l.again);
	scratch_free(&t.l.own);
	return ok;
}

static bool
meant_damage(const struct redaction *r, uint64_t *lost)
{
	work_start_bytes(r->work, "lines", r->in->size);
	return loader_of(r->in)->meant(r->in, count_part, NULL, lost, r->work, r->err);
}

/* ---- texts that are left ------------------------------------------------------------------------------- */

struct meant_left {
	const struct map *m;
	struct left	*l;
	uint64_t	 done;
};

static bool
left_gap(struct meant_left *t, uint64_t end, struct err *err)
{
	struct str line;

	for (; t->done < end; t->done = (uint64_t)(line.s + line.n - (const char *)t->m->data)) {
		line = line_of(t->m, t->done, end);
		if (line.n > 0 && !left_add(t->l, STR("other text"), line, err))
			return false;
	}
	return true;
}

/* The format has no numbers of cards or telephones: one that stays is told, whatever a reader took it for. */
static bool
left_form(struct meant_left *t, const struct meant_part *p, struct err *err)
{
	struct str s = { (const char *)t->m->data + p->at, (size_t)p->n };
	size_t at, n;

	for (; (at = telling_personal(s, false, &n)) < s.n; s = str_after(s, at + n))
		if (!left_add(t->l, str_of(p->path), str_head(str_after(s, at), n), err))
			return false;
	return true;
}

static bool
left_part(void *lister, const struct meant_part *p, struct err *err)
{
	struct meant_left *t = lister;

	if (p->at < t->done || p->at > t->m->size || p->n > t->m->size - p->at)
		return fail_at(err, E_INPUT, p->at, "parts of the file overlap");
	if (!left_gap(t, p->at, err))
		return false;
	t->done = p->at + p->n;
	if (p->means == MEANT_FORM)
		return left_form(t, p, err);
	return p->n == 0 || left_add(t->l, str_of(p->path),
	    (struct str){ (const char *)t->m->data + p->at, (size_t)p->n }, err);
}

static bool
meant_left(const struct redaction *r, struct left *l)
{
	struct meant_left t = { .m = r->in, .l = l };
	uint64_t lost = 0;

	return loader_of(r->in)->meant(r->in, left_part, &t, &lost, r->work, r->err) &&
	    left_gap(&t, r->in->size, r->err);
}

const struct redact_kind redact_meant = { meant_is, meant_mask, meant_damage, meant_left };
