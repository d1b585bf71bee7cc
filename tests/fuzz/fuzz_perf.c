/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: output of perf script, read sample by sample, and opened as a file, packed and encoded ones as well. */
#include "config.h"

#include <string.h>

#include "heapwalk.h"
#include "icecore/perf.h"
#include "target.h"
#include "walk.h"

static bool
within(const struct perf_text *t, struct str s)
{
	return s.n == 0 || (s.s >= t->base && s.s + s.n <= t->base + t->size);
}

static void
read_frames(const struct perf_text *t, struct str frames, unsigned names, struct buf *b)
{
	struct perf_frame f;
	struct str line, symbol, part;
	uint64_t bad = 0, rounds = 0;

	while (perf_line(&frames, &line)) {
		MUST(++rounds <= t->size && within(t, line));
		if (!perf_frame(line, names, &f, &bad))
			continue;
		MUST(f.symbol.n > 0 && within(t, f.address) && within(t, f.module));
		symbol = f.symbol;
		perf_kind(&f, names);
		while (perf_part(&symbol, names, &part)) {
			struct str name = perf_name(&f, part, names, b);

			MUST(!b->bad && (!(names & PERF_EXACT) || name.n == 0 || memchr(name.s, ';', name.n) == NULL));
		}
	}
}

TARGET(perf, &mutate_text)
{
	struct buf b = BUF_INIT;
	struct perf_text t;
	struct perf_sample p;
	uint64_t last = 0;
	unsigned names;

	if (size > 0 && perf_open(&t, (const char *)data, size)) {
		for (names = 0; perf_next(&t, &p); names++) {
			MUST(p.offset < t.at && t.at <= t.size && (p.offset > last || last == 0));
			MUST(within(&t, p.comm) && within(&t, p.event) && within(&t, p.details) && within(&t, p.frames));
			read_frames(&t, p.frames, names % 16, &b);
			last = p.offset;
		}
	}
	buf_free(&b);
	walk_bytes(data, size);
}
