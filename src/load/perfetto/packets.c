/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packets: the packets of a trace, also of those that are compressed within it.
 *
 * A file repeats field 1.  Damaged bytes are counted and skipped: reading resumes at the next packet with
 * the marker of a synchronization packet.
 */
#include "config.h"

#include <string.h>

#include "icecore/chunk.h"
#include "icecore/inflate.h"
#include "icecore/perfetto.h"
#include "perfetto.h"

#define MARKER_BEFORE 64		/* bytes of a packet before its marker, at most */
#define MARKED_MOST 4096		/* bytes of a packet with a marker */
#define UNPACKED_MOST ((uint64_t)4 << 30)	/* bytes in all */
#define RATIO_MOST 64			/* maximum bytes of unpacked data per packed byte */
#define PIECE CHUNK_OF(256u << 10)
#define PACKETS_A_TICK 64

const uint8_t perfetto_marker[16] = {
	0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba, 0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79
};

/* Packets that follow one another, in the file or unpacked. */
struct packets_in {
	uint64_t	at, end;
	uint64_t	bad;		/* 1 + where the packet before begins, which is damaged; 0: it is whole */
	uint64_t	synced;		/* where the last marker led */
};

static const struct pf_kind kinds[PF_PACKETS] = {
#define ROW(number, ID, name, when, rows, play, kept, holds) [number] = { (number), #name, PF_##when, (kept) },
	PF_READ(ROW)
#undef ROW
#define ROW(number, name) [number] = { (number), #name, PF_UNREAD, false },
	PF_OTHER(ROW)
#undef ROW
#define ROW(number, name) [number] = { (number), #name, PF_UNREAD, true },
	PF_KEPT(ROW)
#undef ROW
#define ROW(number, ID, kept) [number] = { (number), NULL, PF_UNREAD, (kept) },
	PF_ABOUT(ROW)
#undef ROW
};

const struct pf_kind *
pf_kind(uint64_t number)
{
	return number < PF_PACKETS && kinds[number].number != 0 ? &kinds[number] : NULL;
}

bool
pf_packet_read(struct str body, struct pf_packet *k)
{
	struct proto_field f;
	bool bad = false;

	k->body = body;
	k->n = 0;
	while (proto_next_whole(&body, &f, &bad))
		if (k->n < PF_FIELDS)
			k->field[k->n++] = f;
	return !bad;
}

/*
 * Whether one of the first fields of a message is the marker at that place; cheap, as markers may be
 * anywhere.
 */
static bool
has_marker(struct str body, const char *at)
{
	struct proto_field f;

	for (unsigned n = 0; n < PF_FIELDS && body.s <= at && proto_next(&body, &f); n++)
		if (f.number == PKT_MARKER && f.in.s == at && f.in.n == sizeof perfetto_marker)
			return true;
	return false;
}

/* The packet around a marker: the nearest one that begins before it, has it as a field and is whole. */
static bool
packet_around(struct str all, size_t at, size_t *begin)
{
	struct pf_packet k;
	struct str rest;
	uint64_t n;

	for (size_t s = at < 4 ? 0 : at - 4 + 1; s-- > (at > MARKER_BEFORE ? at - MARKER_BEFORE : 0); ) {
		if (all.s[s] != 0x0a)
			continue;
		rest = str_after(all, s + 1);
		if (!proto_varint(&rest, &n) || n > rest.n || n > MARKED_MOST || rest.s >= all.s + at ||
		    rest.s + n < all.s + at + sizeof perfetto_marker)
			continue;
		rest.n = (size_t)n;
		if (has_marker(rest, all.s + at) && pf_packet_read(rest, &k)) {
			*begin = s;
			return true;
		}
	}
	return false;
}

/* Goes to the next packet with a marker; *found false: there is none.  False: cancelled. */
static bool
resync(struct perfetto *p, struct packets_in *s, uint64_t start, uint64_t from, bool *found, struct err *err)
{
	struct str all = pf_bytes(p, from, s->end - from);
	const char *m;
	size_t at = 0, begin;

	*found = false;
	while (at < all.n && (m = memmem(all.s + at, all.n - at, perfetto_marker,
	    sizeof perfetto_marker)) != NULL) {
		if (!work_go(p->l->work, p->file.n, err))
			return false;
		at = (size_t)(m - all.s);
		if (packet_around(all, at, &begin) && from + begin >= s->synced) {
			p->count[PF_RESYNCS]++;
			s->at = from + begin;
			s->synced = s->at + 1;
			p->count[PF_LOST_BYTES] += s->at > start ? s->at - start : 0;
			*found = true;
			return true;
		}
		at++;
	}
	return true;
}

/* Another field at the top, which nobody writes, is stepped over where a packet or the end is behind it. */
static bool
other_field(struct perfetto *p, struct packets_in *s, struct str rest, const struct proto_field *f)
{
	if (!proto_whole(f) || (rest.n > 0 && rest.s[0] != 0x0a))
		return false;
	p->count[PF_OTHER_FIELDS]++;
	s->bad = 0;
	s->at = s->end - rest.n;
	return true;
}

/* The next packet cannot be read: goes to one that can, or to the end.  False: cancelled. */
static bool
lose(struct perfetto *p, struct packets_in *s, uint64_t from, enum pf_count count, struct err *err)
{
	uint64_t start = s->at;
	bool found;

	s->bad = 0;
	if (!resync(p, s, start, from, &found, err))
		return false;
	if (!found) {
		p->count[count]++;
		p->count[PF_LOST_BYTES] += s->end - start;
		s->at = s->end;
	}
	return true;
}

/* The next packet is cut; the whole objects of a heap graph in it are read. */
static bool
lose_cut(struct perfetto *p, struct packets_in *s, uint64_t start, struct str body, struct err *err)
{
	uint64_t cut = p->count[PF_CUT];
	struct proto_field f;

	if (!lose(p, s, s->bad > 0 ? s->bad : start + 1, PF_CUT, err))
		return false;
	while (start < p->file.n && p->count[PF_CUT] > cut && proto_next(&body, &f) && f.in.s + f.in.n <= body.s)
		if (f.number == PKT_HEAP_GRAPH && f.wire == PROTO_BYTES && !pf_graph_cut(p, f.in, err))
			return false;
	return true;
}

/* Takes the next packet; *whole: it is one that can be read.  False: cancelled. */
static bool
next_packet_of(struct perfetto *p, struct packets_in *s, struct pf_packet *k, bool *whole, struct err *err)
{
	uint64_t start = s->at;
	struct str rest = pf_bytes(p, start, s->end - start);
	struct proto_field f;
	bool read = proto_next(&rest, &f);

	*whole = false;
	if (read && (f.number != 1 || f.wire != PROTO_BYTES) && other_field(p, s, rest, &f))
		return true;
	if (!read || f.number != 1 || f.wire != PROTO_BYTES)
		return lose(p, s, s->bad > 0 ? s->bad : start, PF_BAD_FRAMING, err);
	if (!proto_whole(&f))
		return lose_cut(p, s, start, f.in, err);
	s->at = s->end - rest.n;
	*whole = f.in.n > 0 && pf_packet_read(f.in, k);
	s->bad = f.in.n > 0 && !*whole ? start + 1 : 0;
	p->count[PF_BAD_PACKETS] += f.in.n > 0 && !*whole;
	return true;
}

/* Decompress a packet; false: out of memory.  Bytes before damage are used. */
static bool
packets_unpack(struct perfetto *p, struct str packed, enum inflate_form form, struct packets_in *to,
    struct err *err)
{
	uint64_t from = p->nspill, most = (uint64_t)packed.n * RATIO_MOST + PIECE;
	uint64_t at = pf_offset(p, packed.s);
	struct inflating *s = inflate_open(form);
	struct inflate_step io = { .left = packed.n };
	enum inflate_end end = s != NULL ? INFLATE_MORE : INFLATE_STARVED;
	bool ok = true;

	while (ok && end == INFLATE_MORE && p->nspill - from < most && p->nspill < UNPACKED_MOST) {
		if (!(ok = scratch_array(&p->spill, p->nspill + PIECE, 1, err)))
			break;
		/* The compressed bytes may be in p->spill, which scratch_array may have moved. */
		io.in = (const uint8_t *)pf_bytes(p, at + packed.n - io.left, 0).s;
		io.to = p->spill.data + p->nspill;
		io.room = PIECE;
		end = inflate_some(s, &io);
		p->nspill += PIECE - io.room;
	}
	inflate_close(s);
	if (end == INFLATE_STARVED)
		return fail(err, E_SYSTEM, "out of memory (compressed packets)");
	p->count[PF_BAD_PACKED] += ok && end != INFLATE_END;
	*to = (struct packets_in){ .at = p->file.n + from, .end = p->file.n + p->nspill };
	return ok;
}

bool
pf_packets(struct perfetto *p, pf_take take, struct err *err)
{
	struct packets_in s[PF_NESTED + 1] = { { .end = p->file.n } };
	enum inflate_form form;
	struct str packed;
	unsigned n = 1;
	struct pf_packet k;
	bool whole, lacks;

	for (uint64_t i = 0; n > 0; i++) {
		if (i % PACKETS_A_TICK == 0 && !work_go(p->l->work, s[0].at, err))
			return false;
		if (s[n - 1].at >= s[n - 1].end) {
			n--;
			continue;
		}
		if (!next_packet_of(p, &s[n - 1], &k, &whole, err))
			return false;
		if (!whole)
			continue;
		form = pf_field(&k, PKT_ZLIB)->in.n > 0 ? INFLATE_ZLIB : INFLATE_ZSTD;
		packed = pf_field(&k, form == INFLATE_ZLIB ? PKT_ZLIB : PKT_ZSTD)->in;
		lacks = packed.n > 0 && inflate_lacks(form) != NULL;
		if (packed.n > 0 && !lacks && n <= PF_NESTED) {
			if (!packets_unpack(p, packed, form, &s[n], err))
				return false;
			n++;
			continue;
		}
		p->count[PF_BAD_PACKED] += packed.n > 0;
		if ((packed.n == 0 || lacks) && !take(p, &k, err))
			return false;
	}
	return true;
}

/* ---- sniffing ------------------------------------------------------------------------- */

enum { SNIFFED = 256, VARINT_MOST = 10 };	/* packets that are looked at; bytes of a number */

/* JSON may begin with a line feed, which is the tag of a packet, but a packet has bytes that no text has. */
static bool
pf_is_text(struct str s)
{
	s = str_head(s, 64);
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.s[i] >= 127 || ((unsigned char)s.s[i] < ' ' && !is_blank(s.s[i]) &&
		    s.s[i] != '\n' && s.s[i] != '\r'))
			return false;
	return s.n > 0;
}

/*
 * Whether a message, whose end may be missing, may be a packet; *some: it has a field that packets of traces have, of
 * the right type.
 */
static bool
is_packet(struct str body, bool whole, bool *some)
{
	static const uint8_t messages[] = { 6, PKT_TRACK_EVENT, PKT_MARKER, PKT_RAILS, PKT_SYSTEM, 47,
	    PKT_ZLIB, PKT_ZSTD, PKT_HEAP_GRAPH, PKT_TRACK, PKT_UUID }, numbers[] = { PKT_TIME, PKT_SEQUENCE };
	struct proto_field f;

	while (body.n > 0) {
		if (!proto_next(&body, &f))
			return !whole && body.n <= VARINT_MOST;
		/* A bundle begins with its CPU; other formats have texts or messages there. */
		if (f.number == PKT_FTRACE && f.wire == PROTO_BYTES && f.in.n > 1 && f.in.s[0] == 1 << 3)
			*some = true;
		if (f.number < PF_PACKETS)
			*some |= f.wire == PROTO_BYTES ? memchr(messages, (int)f.number, sizeof messages) != NULL :
			    f.wire == PROTO_VARINT && memchr(numbers, (int)f.number, sizeof numbers) != NULL;
		if (!proto_whole(&f))
			return true;
	}
	return true;
}

/* Fields from this one on have tags of two bytes, which text does not contain. */
#define RARE_FIRST 33

/*
 * Whether all of a message are fields about packets and messages of known kinds, at least one of them a
 * rare kind.
 */
static bool
is_rare_packet(struct str body)
{
	struct proto_field f, in;
	const struct pf_kind *kind;
	bool rare = false, bad = false;

	while (proto_next_whole(&body, &f, &bad)) {
		kind = pf_kind(f.number);
		if (kind == NULL || (kind->name == NULL) == (f.wire == PROTO_BYTES))
			return false;
		while (f.wire == PROTO_BYTES && proto_next_whole(&f.in, &in, &bad))
			;
		rare |= kind->name != NULL && f.number >= RARE_FIRST;
	}
	return rare && !bad;
}

/* Whether a file has only packets that are never read or rare. */
static bool
is_rare(struct str s)
{
	struct proto_field f;
	unsigned n = 0;

	while (n < SNIFFED && proto_next(&s, &f)) {
		if (f.number != 1 || f.wire != PROTO_BYTES || (proto_whole(&f) && f.in.n > 0 &&
		    !is_rare_packet(f.in)))
			return false;
		n += proto_whole(&f) && f.in.n > 0;
	}
	return n > 0;
}

bool
pf_sniff(const uint8_t *head, size_t n)
{
	struct str s = { (const char *)head, n };
	struct proto_field f;
	bool some = false, binary = !pf_is_text(s);
	size_t begin;
	const char *found;

	for (unsigned i = 0; binary && i < SNIFFED && proto_next(&s, &f); i++) {
		if (f.number != 1 || f.wire != PROTO_BYTES || !is_packet(f.in, proto_whole(&f), &some))
			break;
		if (some)
			return true;
	}
	s = (struct str){ (const char *)head, n };
	if (binary && is_rare(s))
		return true;
	found = n == 0 ? NULL : memmem(s.s, s.n, perfetto_marker, sizeof perfetto_marker);
	return found != NULL && packet_around(s, (size_t)(found - s.s), &begin);
}
