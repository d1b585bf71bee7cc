/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_redact: whatever goes in, as many bytes come out, nothing of what is masked is among them, and a second time changes
 * nothing.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "heapwalk.h"
#include "target.h"
#include "programs/redact/redact.h"

static struct buf out;

static bool
collect(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	(void)s;
	(void)last;
	buf_add(&out, p, n);
	return !out.bad;
}

/* False: it is not a dump. */
static bool
redact_bytes(const struct map *in, const struct redact_options *o, struct learned *l)
{
	static const uint8_t secret[SHA256_BYTES];
	struct redacted told = { .names = 0 };
	struct sink s;
	struct err err;
	struct redaction r = { .in = in, .o = o, .s = &s, .result = &told, .err = &err };
	bool ok;

	buf_clear(&out);
	MUST(keyed_open(&r.key, secret, sizeof secret, &err));
	MUST(names_break(l, &r));
	MUST(sink_begin(&s, -1, in->size, NULL, &err));
	s.put = collect;
	ok = mask(&r, l, false);
	sink_free(&s);
	keyed_free(r.key);
	return ok;
}

/* Lost bytes, and arrays without words of ours, are zeros.  True: nothing is lost. */
static bool
check_pieces(const struct map *in)
{
	struct dump_walk w;
	struct dump_piece p;
	struct err err;
	bool end, whole = true;

	MUST(walk_begin(&w, in, NULL, &err));
	while (walk_next(&w, &p, &end)) {
		MUST(p.at <= p.body && p.body <= p.end && p.end <= in->size && p.end > p.at);
		MUST(p.body == p.at || memcmp(out.s + p.at, in->data + p.at, (size_t)(p.body - p.at)) == 0);
		whole &= p.kind != PIECE_LOST;
		for (uint64_t i = p.body; p.kind == PIECE_LOST && i < p.end; i++)
			MUST(out.s[i] == 0);
		for (uint64_t i = p.body; p.kind == PIECE_ARRAY && p.end - p.body > 64 && i < p.end; i++)
			MUST(out.s[i] == 0);
	}
	MUST(end);
	return whole;
}

static void
check_again(const struct redact_options *o)
{
	struct buf once = out;
	struct learned l;
	struct map m;
	struct err err;

	out = BUF_INIT;
	MUST(map_of_memory(&m, buf_view(&once), &err));
	MUST(learn(&l, &(struct redaction){ .in = &m, .o = o, .err = &err }) && redact_bytes(&m, o, &l));
	MUST(!check_pieces(&m) || str_eq(buf_view(&once), buf_view(&out)));
	learned_free(&l);
	map_close(&m);
	buf_free(&once);
}

TARGET(redact, &mutate_hprof)
{
	struct redact_options o = { .mode = REDACT_SHAPE };
	struct learned l;
	struct map m;
	struct err err;

	MUST(map_of_memory(&m, (struct str){ (const char *)data, size }, &err));
	if (redact_time_at(m.data, m.size) != 0) {
		/* Any of them, but always the same for the same bytes. */
		o.names = (enum redact_names)(size % REDACT_NAMES);
		MUST(learn(&l, &(struct redaction){ .in = &m, .o = &o, .err = &err }));
		o.mode = REDACT_STABLE;
		MUST(redact_bytes(&m, &o, &l) && out.n == size);
		o.mode = REDACT_SHAPE;
		MUST(redact_bytes(&m, &o, &l) && out.n == size);
		learned_free(&l);
		/* Bytes that were masked or lost may have been, or may be, records of a damaged dump. */
		if (check_pieces(&m) && o.names == REDACT_KEEP)
			check_again(&o);
		buf_free(&out);
		out = BUF_INIT;
	}
	map_close(&m);
}
