/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace: a Perfetto trace without what is personal.
 *
 * Each packet is copied, and masked values are replaced in place by as many bytes, so that lengths and
 * offsets stay.  Values without a rule are masked, except numbers, which are times, ids and counts.
 * Compressed packets are written decompressed; unreadable packets are not written.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/mark.h"
#include "left.h"
#include "trace.h"

struct trace_masker {
	struct hider		 hide;
	const struct redaction	*r;
	struct buf		 packet, head;
	bool			 unread;	/* the packet has what cannot be looked into */
	bool			 learning;	/* only fill who */
	struct hide_peer	 peer;
	struct err		 err;		/* error of the learning */
};

static bool
trace_is(const struct map *m)
{
	return perfetto_is(m->data, m->size < 65536 ? (size_t)m->size : 65536);
}

/*
 * A message with one field that nobody knows, as long; a single byte is 0.  Zeros stay: that field has
 * them.
 */
static void
fill(struct trace_masker *t, char *at, size_t n)
{
	size_t head = 2, rest;

	t->hide.result->masked += n;
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

static bool
learn_mark(struct hider *h, struct str mark, struct err *err)
{
	struct mark_piece pieces[MARK_PIECES];
	size_t count = mark_private(mark, pieces);
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++)
		ok = pieces[i].means != MEANT_NAME || hide_learn_name(h, pieces[i].text, err);
	return ok;
}

/* Processes, and users in paths, which other names repeat. */
static void
learn_field(struct trace_masker *t, unsigned holds, struct str s)
{
	bool ok = t->err.kind != E_NONE ||
	    (holds == HOLDS_WHO ? hide_learn(&t->hide, s, &t->err) :
	    holds == HOLDS_NAME || holds == HOLDS_KEY ? hide_learn_name(&t->hide, s, &t->err) :
	    holds != HOLDS_MARK || learn_mark(&t->hide, s, &t->err));

	assert(ok || t->err.kind != E_NONE);
	(void)ok;
}

/* Words that loaders look for. */
static const char *const known[] = {
	"Linux", "QNX", "aarch64", "arm", "armv7l", "armv8l", "i386", "i686", "loongarch64", "ppc64le",
	    "riscv64", "s390x", "x86_64",
	"debug.tracing.device_state", "debug.tracing.screen_state"
};

/*
 * The bytes of "6.1.25-alice" that are numbers, at most three of at most three digits; and those of
 * "-android14".
 */
static size_t
version_part(struct str s)
{
	struct str rest, android = STR("-android");
	size_t i = 0, digits = 0, dots = 0, end = 0;

	for (; i < s.n && (is_digit(s.s[i]) ? ++digits <= 3 : s.s[i] == '.' && digits > 0 &&
	    ++dots <= 2); i++) {
		end = is_digit(s.s[i]) ? i + 1 : end;
		digits = is_digit(s.s[i]) ? digits : 0;
	}
	rest = str_after(s, end);
	for (i = android.n; i < rest.n && is_digit(rest.s[i]); i++)
		;
	if (str_has_prefix(rest, android) && i > android.n && i <= android.n + 2 &&
	    (i == rest.n || rest.s[i] == '-'))
		end += i;
	return digits <= 3 ? end : 0;
}

/*
 * Keys of dictionaries are identifiers when a program has them in its text; others are data, such as
 * addresses of mail, or numbers.
 */
static void
hide_key(struct trace_masker *t, char *at, size_t n)
{
	hide_meant(&t->hide, str_is_name((struct str){ at, n }, ".-$") ? MEANT_NAME : MEANT_TEXT, at, n);
}

/* A text of which all or the start may be known. */
static void
hide_known(struct trace_masker *t, unsigned holds, char *at, size_t n)
{
	struct str s = { at, n };
	size_t part = holds == HOLDS_RELEASE ? version_part(s) : 0;

	for (size_t i = 0; holds == HOLDS_WORD && i < NELEM(known); i++)
		if (str_eq(s, str_of(known[i])))
			return;
	if (holds == HOLDS_WORD)
		hide_who(&t->hide, at, n);
	else if (holds == HOLDS_RELEASE || n > 2 || !is_digit(at[0]) || !is_digit(at[n - 1]))
		hide_text(&t->hide, at + part, n - part);
}

static bool
is_packed(unsigned holds, struct str s)
{
	uint64_t number;

	if (holds == HOLDS_MARKER)
		return str_eq(s, (struct str){ (const char *)perfetto_marker, sizeof perfetto_marker });
	if (holds == HOLDS_FIXED)
		return s.n % 8 == 0;
	while (s.n > 0)
		if (!proto_varint(&s, &number))
			return false;
	return true;
}

/* ---- messages ---------------------------------------------------------------------------------------- */

static void	hide_message(struct trace_masker *, char *at, size_t n, unsigned message, unsigned depth);

/* A number that becomes 0 in as many bytes. */
static void
hide_zero(struct trace_masker *t, const struct proto_field *f, char *from, const char *end)
{
	struct str key = { from, (size_t)(end - from) };
	uint64_t number;
	size_t n;

	t->hide.result->fields++;
	if (f->wire != PROTO_VARINT) {
		memset(from + ((end - from) - (ptrdiff_t)f->in.n), 0, f->in.n);
		t->hide.result->masked += f->in.n;
		return;
	}
	if (!proto_varint(&key, &number))
		return;
	n = key.n;
	t->hide.result->masked += n;
	for (size_t i = 0; i < n; i++)
		from[(end - from) - (ptrdiff_t)n + (ptrdiff_t)i] = (char)(i + 1 < n ? 128u : 0u);
}

/*
 * A number of fixed width that is a piece of text: damage has made such a field of it.  Only numbers that look like
 * text are taken for it, as those of floats, whose highest byte is one of a few.  Ids of flows have any bytes.
 */
static bool
is_text_as_number(const struct proto_field *f)
{
	enum { FLOWS = 47, FLOWS_ENDING = 48 };
	const bool is_float = f->in.n > 0 &&
	    is_one_of(f->in.s[f->in.n - 1], f->wire == PROTO_8_BYTES ? "?@AB" : "=>?@ABCDE");

	if ((f->wire != PROTO_8_BYTES && f->wire != PROTO_4_BYTES) || is_float || f->number == FLOWS ||
	    f->number == FLOWS_ENDING)
		return false;
	for (size_t i = 0; i < f->in.n; i++)
		if ((unsigned char)f->in.s[i] < ' ' || (unsigned char)f->in.s[i] > '~')
			return false;
	return true;
}

static void
hide_field(struct trace_masker *t, const struct proto_field *f, char *from, const char *end,
    unsigned message, unsigned depth)
{
	struct perfetto_field is = perfetto_field(message, f->number);
	size_t n = f->in.n;
	char *at = from + ((end - from) - (ptrdiff_t)n);

	t->unread |= is.message == PERFETTO_ZSTD;
	if (t->learning) {
		if (is.holds == HOLDS_MESSAGE && f->wire == PROTO_BYTES && depth < TRACE_DEEPEST)
			hide_message(t, at, n, is.message, depth + 1);
		else if (f->wire == PROTO_BYTES)
			learn_field(t, is.holds, (struct str){ at, n });
		return;
	}
	if (f->wire != PROTO_BYTES && (is.holds == HOLDS_VALUE || is_text_as_number(f))) {
		if (is.holds != HOLDS_VALUE || t->hide.o->numbers == REDACT_NUMBERS_MASK)
			hide_zero(t, f, from, end);
		return;
	}
	if (f->wire != PROTO_BYTES || n == 0)
		return;
	/* Kernel events of other kinds keep their numbers; their texts are masked. */
	if (is.holds == HOLDS_UNKNOWN && message == PERFETTO_KERNEL_EVENT)
		is.holds = HOLDS_MESSAGE;
	switch ((enum perfetto_holds)is.holds) {
	case HOLDS_TEXT: case HOLDS_WHO: case HOLDS_NAME: hide_meant(&t->hide, (enum meaning)is.holds, at,
	    n); break;
	case HOLDS_MARK: hide_mark(t, at, n); break;
	case HOLDS_KEY: hide_key(t, at, n); break;
	case HOLDS_STATE: case HOLDS_WORD: case HOLDS_RELEASE:
		hide_known(t, is.holds, at, n);
		break;
	case HOLDS_MARKER: case HOLDS_PACKED: case HOLDS_FIXED:
		if (!is_packed(is.holds, (struct str){ at, n }))
			fill(t, at, n);
		break;
	case HOLDS_MESSAGE:
		if (depth < TRACE_DEEPEST) {
			hide_message(t, at, n, is.message, depth + 1);
			break;
		}
		/* FALLTHROUGH */
	case HOLDS_UNKNOWN: case HOLDS_VALUE:
		t->hide.result->arrays++;
		fill(t, at, n);
	}
}

static bool
is_whole_message(struct str s)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&s, &f, &bad))
		;
	return !bad;
}

/*
 * Mask a message.  A damaged one is masked as a whole: it may be damaged long before a field that cannot be read, so
 * that the bytes between are fields by chance, and texts pass for their numbers.
 */
static void
hide_message(struct trace_masker *t, char *at, size_t n, unsigned message, unsigned depth)
{
	struct str rest = { at, n }, from = rest;
	struct proto_field f;
	bool bad = false;

	if (!is_whole_message(rest)) {
		if (t->learning)
			return;
		t->hide.result->unknown += n;
		fill(t, at, n);
		return;
	}
	for (; proto_next_whole(&rest, &f, &bad); from = rest)
		hide_field(t, &f, at + (from.s - at), rest.s, message, depth);
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
	hide_in(&t->hide, t->packet.s, t->r->s->at + t->r->s->n + t->head.n);
	hide_message(t, t->packet.s, t->packet.n, PERFETTO_PACKET, 0);
	t->hide.result->unknown += t->unread ? packet.n : 0;
	return t->unread || (hide_ok(&t->hide, err) && sink_put(t->r->s, buf_view(&t->head)) &&
	    sink_put(t->r->s, buf_view(&t->packet)));
}

/*
 * Events may repeat the name of a process before the packet that contains it, so these names are read
 * first.
 */
static bool
learn_packet(void *masker, struct str packet, struct err *err)
{
	struct trace_masker *t = masker;

	buf_clear(&t->packet);
	buf_str(&t->packet, packet);
	if (t->packet.bad)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	hide_message(t, t->packet.s, t->packet.n, PERFETTO_PACKET, 0);
	*err = t->err;
	return t->err.kind == E_NONE;
}

static bool
learn_names(struct trace_masker *t, struct perfetto_lost *lost)
{
	bool ok;

	if (t->r->o->names != REDACT_KEEP)
		return true;
	t->learning = true;
	work_start_bytes(t->r->work, "names", t->r->in->size);
	ok = perfetto_packets(map_text(t->r->in), learn_packet, t, lost, t->r->work, t->r->err);
	t->learning = false;
	return ok;
}

static bool
trace_mask(const struct redaction *r)
{
	struct trace_masker t = { .r = r };
	struct perfetto_lost lost;
	bool ok;

	hide_begin(&t.hide, &t.peer, r);
	ok = learn_names(&t, &lost);
	work_start_bytes(r->work, r->s->peer != NULL ? "comparing" : "redacting", r->in->size);
	ok = ok && perfetto_packets(map_text(r->in), hide_packet, &t, &lost, r->work, r->err) &&
	    sink_end(r->s);
	r->result->unknown += ok ? lost.bytes + lost.pieces : 0;
	buf_free(&t.packet);
	buf_free(&t.head);
	hide_end(&t.hide);
	return ok;
}

static bool
hide_pass(void *none, struct str packet, struct err *err)
{
	(void)none, (void)packet, (void)err;
	return true;
}

static bool
trace_check(const struct redaction *r, uint64_t *lost)
{
	struct perfetto_lost l;

	work_start_bytes(r->work, "packets", r->in->size);
	if (!perfetto_packets(map_text(r->in), hide_pass, NULL, &l, r->work, r->err))
		return false;
	*lost = l.bytes + l.pieces;
	return true;
}

const struct redact_kind redact_trace = { trace_is, trace_mask, trace_check, trace_left };
