/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_left: the texts of a Perfetto trace, by the numbers of their fields from the packet on.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/mark.h"
#include "left.h"
#include "trace.h"

enum { NUMBERS_MOST = 2000 };	/* larger numbers of fields are bytes of a text */

struct left_trace {
	struct left		*l;
	char			 path[22 * (TRACE_DEEPEST + 2)];	/* numbers of fields, from the packet on */
	struct err		*err;
};

static bool	left_message(struct left_trace *, struct str, unsigned message, size_t path, unsigned depth);

/* A message that nobody knows, with which redact replaced another one. */
static bool
is_filled(struct str s)
{
	struct proto_field f;
	bool bad = false;

	if (!proto_next_whole(&s, &f, &bad) || f.number != 15 || f.wire != PROTO_BYTES || s.n > 0)
		return false;
	for (size_t i = 0; i < f.in.n; i++)
		bad |= f.in.s[i] != '\0';
	return !bad;
}

/* A field without a rule: a message, if all of it is one whose numbers are small, or a text. */
static bool
is_message(struct str s)
{
	struct proto_field f;
	bool bad = false, some = false;

	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.s[i] < ' ' || (unsigned char)s.s[i] == 127)
			some = true;
	while (some && proto_next_whole(&s, &f, &bad))
		bad |= f.number > NUMBERS_MOST;
	return some && !bad;
}

static bool
left_mark(struct left_trace *t, struct str text, size_t path)
{
	struct mark_piece pieces[MARK_PIECES];
	size_t count = mark_private(text, pieces);
	struct buf b = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		buf_clear(&b);
		buf_printf(&b, "%.*s %s", (int)path, t->path, pieces[i].path);
		ok = b.bad ? fail(t->err, E_SYSTEM, "out of memory (texts)") :
		    left_add(t->l, buf_view(&b), pieces[i].text, t->err);
	}
	buf_free(&b);
	return ok;
}

static bool
left_field(struct left_trace *t, const struct proto_field *f, unsigned message, size_t path, unsigned depth)
{
	struct perfetto_field is = perfetto_field(message, f->number);

	if (f->wire != PROTO_BYTES || f->in.n == 0 || is_filled(f->in) || is.holds == HOLDS_PACKED ||
	    is.holds == HOLDS_FIXED || is.holds == HOLDS_MARKER)
		return true;
	path += (size_t)snprintf(t->path + path, sizeof t->path - path, path > 0 ? ".%llu" : "%llu",
	    (unsigned long long)f->number);
	if (is.holds == HOLDS_MARK)
		return left_mark(t, f->in, path);
	if (depth < TRACE_DEEPEST && (is.holds == HOLDS_MESSAGE ||
	    (is.holds == HOLDS_UNKNOWN && is_message(f->in))))
		return left_message(t, f->in, is.message, path, depth + 1);
	return left_add(t->l, (struct str){ t->path, path }, f->in, t->err);
}

static bool
left_message(struct left_trace *t, struct str rest, unsigned message, size_t path, unsigned depth)
{
	struct proto_field f;
	struct str from = rest;
	bool bad = false;

	for (; proto_next_whole(&rest, &f, &bad); from = rest)
		if (!left_field(t, &f, message, path, depth))
			return false;
	return !bad || left_add(t->l, (struct str){ t->path, path }, from, t->err);
}

static bool
left_packet(void *trace, struct str packet, struct err *err)
{
	struct left_trace *t = trace;

	t->err = err;
	return left_message(t, packet, PERFETTO_PACKET, 0, 0);
}

bool
trace_left(const struct redaction *r, struct left *l)
{
	struct left_trace t = { .l = l };
	struct perfetto_lost lost;

	return perfetto_packets(map_text(r->in), left_packet, &t, &lost, r->work, r->err);
}
