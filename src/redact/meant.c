/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meant: a file whose loader knows what its bytes mean (meant.h), without what is private.  It stays as long, and its lines stay.
 */
#include "config.h"

#include <string.h>

#include "icecore/load.h"
#include "hide.h"
#include "left.h"

struct meant_masker {
	struct hider	 hide;
	const struct map *m;
	struct sink	*s;
	struct buf	 room;
	uint64_t	 done;		/* bytes written */
};

static const struct loader *
loader_of(const struct map *m)
{
	const struct loader *l = load_format(m, "");

	return l != NULL && l->meant != NULL ? l : NULL;
}

static bool
meant_is(const struct map *m)
{
	return loader_of(m) != NULL;
}

/* The bytes up to end, as a part of that meaning. */
static bool
put_part(struct meant_masker *t, uint64_t end, enum meaning means, struct err *err)
{
	struct str part = { (const char *)t->m->data + t->done, (size_t)(end - t->done) };

	t->done = end;
	if (means == MEANT_FORM || part.n == 0)
		return sink_put(t->s, part, err);
	buf_clear(&t->room);
	buf_str(&t->room, part);
	if (t->room.bad)
		return fail(err, E_SYSTEM, "out of memory (texts)");
	hide_in(&t->hide, t->room.s, t->s->at + t->s->n);
	hide_meant(&t->hide, means, t->room.s, part.n);
	return hide_ok(&t->hide, err) && sink_put(t->s, buf_view(&t->room), err);
}

/* The next line, up to end, of a text of unknown meaning: line ends and blanks at both ends do not belong to it. */
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
		if (!put_part(t, at, MEANT_FORM, err) || !put_part(t, at + line.n, MEANT_TEXT, err))
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
	return put_gap(t, p->at, err) && put_part(t, p->at + p->n, p->means, err);
}

static bool
learn_part(void *masker, const struct meant_part *p, struct err *err)
{
	struct meant_masker *t = masker;

	return p->means != MEANT_WHO || hide_learn(&t->hide, (struct str){ (const char *)t->m->data + p->at, (size_t)p->n }, err);
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
meant_mask(const struct map *m, const struct redact_options *o, struct keyed *key, struct sink *s, struct redacted *told, struct work *work,
    struct err *err)
{
	struct meant_masker t = { .hide = { .o = o, .told = told }, .m = m, .s = s };
	struct hide_peer peer;
	const struct loader *l = loader_of(m);
	uint64_t lost = 0;
	bool ok = true;

	hide_begin(&t.hide, &peer, key, s);
	if (o->names == REDACT_KEEP) {
		work_start_bytes(work, "names", m->size);
		ok = l->meant(m, learn_part, &t, &lost, work, err);
	}
	work_start_bytes(work, s->peer != NULL ? "comparing" : "redacting", m->size);
	ok = ok && l->meant(m, mask_part, &t, &told->unknown, work, err) && put_gap(&t, m->size, err) && sink_end(s, err);
	buf_free(&t.room);
	hide_end(&t.hide);
	return ok;
}

static bool
meant_damage(const struct map *m, uint64_t *lost, struct work *work, struct err *err)
{
	work_start_bytes(work, "lines", m->size);
	return loader_of(m)->meant(m, count_part, NULL, lost, work, err);
}

/* ---- texts that are left ------------------------------------------------------------------------------------------ */

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

static bool
left_part(void *lister, const struct meant_part *p, struct err *err)
{
	struct meant_left *t = lister;

	if (p->at < t->done || p->at > t->m->size || p->n > t->m->size - p->at)
		return fail_at(err, E_INPUT, p->at, "parts of the file overlap");
	if (!left_gap(t, p->at, err))
		return false;
	t->done = p->at + p->n;
	return p->means == MEANT_FORM || p->n == 0 ||
	    left_add(t->l, str_of(p->path), (struct str){ (const char *)t->m->data + p->at, (size_t)p->n }, err);
}

static bool
meant_left(const struct map *m, struct left *l, struct work *work, struct err *err)
{
	struct meant_left t = { .m = m, .l = l };
	uint64_t lost = 0;

	return loader_of(m)->meant(m, left_part, &t, &lost, work, err) && left_gap(&t, m->size, err);
}

const struct redact_kind redact_meant = { meant_is, meant_mask, meant_damage, meant_left };
