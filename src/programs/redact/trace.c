/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace: a Perfetto trace without what is personal.
 *
 * Each packet is copied, and masked values are replaced in place by as many bytes, so that lengths and offsets stay.  Values without a rule
 * are masked, except numbers, which are times, ids and counts.  Compressed packets are written decompressed; unreadable packets are
 * not written.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/mark.h"
#include "icecore/perfetto.h"
#include "icecore/protobuf.h"
#include "left.h"
#include "trace.h"

enum { PKT_ZSTD = 133 };

struct trace_masker {
	struct hider		 hide;
	struct sink		*s;
	struct trace_rules	 rules;
	struct buf		 packet, head;
	bool			 unread;	/* the packet has what cannot be looked into */
	bool			 learning;	/* only fill who */
	struct hide_peer	 peer;
	struct err		 err;		/* of that */
};

static bool
trace_is(const struct map *m)
{
	return perfetto_is(m->data, m->size < 65536 ? (size_t)m->size : 65536);
}

/* A message with one field that nobody knows, as long; a single byte is 0.  Zeros stay: that field has them. */
static void
fill(struct trace_masker *t, char *at, size_t n)
{
	size_t head = 2, rest;

	t->hide.told->masked += n;
	for (rest = 0; rest < n && at[rest] == 0; rest++)
		;
	if (rest == n)
		return;
	memset(at, 0, n);
	if (n < 2)
		return;
	while (head < 10 && n - head >= (size_t)1 << 7 * (head - 1))
		head++;
	rest = n - head;
	/* Field 15, bytes; the length in as many bytes as there are for it. */
	at[0] = 15 << 3 | PROTO_BYTES;
	for (size_t i = 1; i < head; i++, rest >>= 7)
		at[i] = (char)((rest & 127) | (i + 1 < head ? 128u : 0u));
}

static void
hide_mark(struct trace_masker *t, char *at, size_t n)
{
	struct mark_piece pieces[MARK_PIECES];
	size_t count = mark_private((struct str){ at, n }, pieces);

	for (size_t i = 0; i < count; i++)
		hide_meant(&t->hide, pieces[i].means, at + (pieces[i].text.s - at), pieces[i].text.n);
}

/* Words that loaders look for. */
static const char *const known[] = {
	"Linux", "QNX", "aarch64", "arm", "armv7l", "armv8l", "i386", "i686", "loongarch64", "ppc64le", "riscv64", "s390x", "x86_64",
	"debug.tracing.device_state", "debug.tracing.screen_state"
};

/* The bytes of "6.1.25-alice" that are numbers, at most three of at most three digits; and those of "-android14". */
static size_t
version_part(struct str s)
{
	struct str rest, android = STR("-android");
	size_t i = 0, digits = 0, dots = 0, end = 0;

	for (; i < s.n && (is_digit(s.s[i]) ? ++digits <= 3 : s.s[i] == '.' && digits > 0 && ++dots <= 2); i++) {
		end = is_digit(s.s[i]) ? i + 1 : end;
		digits = is_digit(s.s[i]) ? digits : 0;
	}
	rest = str_behind(s, end);
	for (i = android.n; i < rest.n && is_digit(rest.s[i]); i++)
		;
	if (str_has_prefix(rest, android) && i > android.n && i <= android.n + 2 && (i == rest.n || rest.s[i] == '-'))
		end += i;
	return digits <= 3 ? end : 0;
}

/* A text of which all or the start may be known. */
static void
hide_known(struct trace_masker *t, enum trace_how how, char *at, size_t n)
{
	struct str s = { at, n };
	size_t part = how == TRACE_RELEASE ? version_part(s) : 0;

	for (size_t i = 0; how == TRACE_WORD && i < NELEM(known); i++)
		if (str_eq(s, str_of(known[i])))
			return;
	if (how == TRACE_WORD)
		hide_who(&t->hide, at, n);
	else if (how == TRACE_RELEASE || n > 2 || !is_digit(at[0]) || !is_digit(at[n - 1]))
		hide_text(&t->hide, at + part, n - part);
}

static bool
is_packed(enum trace_how how, struct str s)
{
	static const uint8_t marker[] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba, 0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79 };
	uint64_t number;

	if (how == TRACE_MARKER)
		return str_eq(s, (struct str){ (const char *)marker, sizeof marker });
	if (how == TRACE_FIXED)
		return s.n % 8 == 0;
	while (s.n > 0)
		if (!proto_varint(&s, &number))
			return false;
	return true;
}

/* ---- messages ---------------------------------------------------------------------------------------- */

static void	hide_message(struct trace_masker *, char *at, size_t n, enum trace_message, unsigned depth);

/* A number that becomes 0 in as many bytes. */
static void
hide_zero(struct trace_masker *t, const struct proto_field *f, char *from, const char *end)
{
	struct str key = { from, (size_t)(end - from) };
	uint64_t number;
	size_t n;

	t->hide.told->fields++;
	if (f->wire != PROTO_VARINT) {
		memset(from + ((end - from) - (ptrdiff_t)f->in.n), 0, f->in.n);
		t->hide.told->masked += f->in.n;
		return;
	}
	if (!proto_varint(&key, &number))
		return;
	n = key.n;
	t->hide.told->masked += n;
	for (size_t i = 0; i < n; i++)
		from[(end - from) - (ptrdiff_t)n + (ptrdiff_t)i] = (char)(i + 1 < n ? 128u : 0u);
}

static void
hide_field(struct trace_masker *t, const struct proto_field *f, char *from, const char *end, enum trace_message message, unsigned depth)
{
	const struct trace_rule *r = f->number < TRACE_FIELDS ? t->rules.of[message][f->number] : NULL;
	enum trace_how how = r != NULL ? (enum trace_how)r->how : TRACE_FILL;
	enum trace_message in = r != NULL ? (enum trace_message)r->in : IN_OTHER;
	size_t n = f->in.n;
	char *at = from + ((end - from) - (ptrdiff_t)n);

	if (t->learning) {
		if (how == TRACE_WHO && f->wire == PROTO_BYTES && t->err.kind == E_NONE)
			(void)!hide_learn(&t->hide, (struct str){ at, n }, &t->err);
		else if (how == TRACE_IN && f->wire == PROTO_BYTES && depth < TRACE_DEEPEST)
			hide_message(t, at, n, in, depth + 1);
		return;
	}
	if (how == TRACE_VALUE && f->wire != PROTO_BYTES) {
		hide_zero(t, f, from, end);
		return;
	}
	if (f->wire != PROTO_BYTES || n == 0)
		return;
	/* Kernel events of other kinds keep their numbers; their texts are masked. */
	if (r == NULL && message == IN_KERNEL_EVENT)
		how = TRACE_IN;
	switch (how) {
	case TRACE_TEXT: hide_text(&t->hide, at, n); break;
	case TRACE_WHO: hide_who(&t->hide, at, n); break;
	case TRACE_NAME: hide_name(&t->hide, at, n); break;
	case TRACE_MARK: hide_mark(t, at, n); break;
	case TRACE_STATE: case TRACE_WORD: case TRACE_RELEASE:
		hide_known(t, how, at, n);
		break;
	case TRACE_MARKER: case TRACE_PACKED: case TRACE_FIXED:
		if (!is_packed(how, (struct str){ at, n }))
			fill(t, at, n);
		break;
	case TRACE_IN:
		if (depth < TRACE_DEEPEST) {
			hide_message(t, at, n, in, depth + 1);
			break;
		}
		/* FALLTHROUGH */
	default:
		t->hide.told->arrays++;
		fill(t, at, n);
	}
}

/* Mask a message. The rest of a message is masked from the first unreadable field on. */
static void
hide_message(struct trace_masker *t, char *at, size_t n, enum trace_message message, unsigned depth)
{
	struct str rest = { at, n }, from = rest;
	struct proto_field f;
	bool bad = false;

	for (; proto_next_whole(&rest, &f, &bad); from = rest) {
		t->unread |= message == IN_PACKET && f.number == PKT_ZSTD;
		hide_field(t, &f, at + (from.s - at), rest.s, message, depth);
	}
	if (bad && !t->learning) {
		t->hide.told->unknown += from.n;
		fill(t, at + (from.s - at), from.n);
	}
}

/* ---- the trace --------------------------------------------------------------------------------------- */

static bool
hide_packet(void *masker, struct str packet, struct err *err)
{
	struct trace_masker *t = masker;

	buf_clear(&t->packet);
	buf_str(&t->packet, packet);
	buf_clear(&t->head);
	proto_put_varint(&t->head, 1 << 3 | PROTO_BYTES);
	proto_put_varint(&t->head, packet.n);
	if (t->packet.bad || t->head.bad)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	t->unread = false;
	hide_in(&t->hide, t->packet.s, t->s->at + t->s->n + t->head.n);
	hide_message(t, t->packet.s, t->packet.n, IN_PACKET, 0);
	t->hide.told->unknown += t->unread ? packet.n : 0;
	return t->unread || (hide_ok(&t->hide, err) && sink_put(t->s, buf_view(&t->head), err) && sink_put(t->s, buf_view(&t->packet), err));
}

static void
trace_masker_free(struct trace_masker *t)
{
	buf_free(&t->packet);
	buf_free(&t->head);
	hide_end(&t->hide);
	free(t);
}

/* Events may repeat the name of a process before the packet that contains it, so these names are read first. */
static bool
learn_packet(void *masker, struct str packet, struct err *err)
{
	struct trace_masker *t = masker;

	buf_clear(&t->packet);
	buf_str(&t->packet, packet);
	if (t->packet.bad)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	hide_message(t, t->packet.s, t->packet.n, IN_PACKET, 0);
	*err = t->err;
	return t->err.kind == E_NONE;
}

static bool
learn_names(struct trace_masker *t, struct str file, struct work *work, struct err *err)
{
	struct perfetto_lost lost;
	bool ok;

	if (t->hide.o->names != REDACT_KEEP)
		return true;
	t->learning = true;
	work_start_bytes(work, "names", file.n);
	ok = perfetto_packets(file, learn_packet, t, &lost, work, err);
	t->learning = false;
	return ok;
}

static bool
trace_mask(const struct map *m, const struct redact_options *o, struct keyed *key, struct sink *s, struct redacted *told, struct work *work,
    struct err *err)
{
	struct trace_masker *t = mem_array(1, sizeof *t);
	struct perfetto_lost lost;
	bool ok;

	if (t == NULL)
		return fail(err, E_SYSTEM, "out of memory (names)");
	t->hide = (struct hider){ .o = o, .told = told };
	hide_begin(&t->hide, &t->peer, key, s);
	t->s = s;
	trace_rules_open(&t->rules);
	if (!learn_names(t, (struct str){ (const char *)m->data, (size_t)m->size }, work, err)) {
		trace_masker_free(t);
		return false;
	}
	work_start_bytes(work, s->peer != NULL ? "comparing" : "redacting", m->size);
	ok = perfetto_packets((struct str){ (const char *)m->data, (size_t)m->size }, hide_packet, t, &lost, work, err) && sink_end(s, err);
	told->unknown += ok ? lost.bytes + lost.pieces : 0;
	trace_masker_free(t);
	return ok;
}

static bool
hide_pass(void *none, struct str packet, struct err *err)
{
	(void)none;
	(void)packet;
	(void)err;
	return true;
}

static bool
trace_check(const struct map *m, uint64_t *lost, struct work *work, struct err *err)
{
	struct perfetto_lost l;

	work_start_bytes(work, "packets", m->size);
	if (!perfetto_packets((struct str){ (const char *)m->data, (size_t)m->size }, hide_pass, NULL, &l, work, err))
		return false;
	*lost = l.bytes + l.pieces;
	return true;
}

const struct redact_kind redact_trace = { trace_is, trace_mask, trace_check, trace_left };
