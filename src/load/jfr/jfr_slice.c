/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr_slice: whole chunks of a recording.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/facts.h"
#include "load/slice/slice.h"
#include "jfr.h"

/* A chunk contains its start and duration.  Without a duration it lasts until the next chunk. */
struct slice_chunk {
	uint64_t	at, end, from, to;
	bool		damaged;
};

static void
jfr_slice_read(struct jfr_chunk *c, struct scratch *chunks, uint64_t *n)
{
	uint64_t at = jfr_chunk_find(c->data, c->size, 0), next, lost;

	for (; at < c->size && !c->to->bad; at = jfr_chunk_find(c->data, c->size, next)) {
		struct slice_chunk new = { .at = at };

		jfr_chunk_open(c, at, &next, &lost);
		next = next > at ? next : at + 1;
		new.end = c->unfinished || c->short_of ? next : c->end;
		new.from = c->start_ns;
		new.to = c->duration == 0 || c->unfinished ? 0 : num_add(c->start_ns, c->duration);
		new.damaged = lost > 0;
		INTO_ROW(c->to, *chunks, *n, new, "chunks");
	}
}

static void
jfr_slice_write(const struct slicing *s, const struct jfr_chunk *c, const struct slice_chunk *k, uint64_t n)
{
	uint64_t zero = n > 0 ? k[0].from : 0, to;

	for (uint64_t i = 0; i < n && !c->to->bad; i++) {
		to = k[i].to != 0 ? k[i].to : i + 1 < n ? k[i + 1].from : UINT64_MAX;
		if (to < num_add(zero, s->from) || k[i].from >= num_add(zero, s->to)) {
			s->counts->left_out++;
			continue;
		}
		s->counts->kept++;
		s->counts->damaged += k[i].damaged;
		into_go(c->to, k[i].at);
		INTO(c->to, slice_put(s, (struct str){ (const char *)c->data + k[i].at,
		    (size_t)(k[i].end - k[i].at) }, c->to->err));
	}
}

bool
jfr_slice(const struct slicing *s, struct err *err)
{
	const struct map *m = store_source(s->st);
	struct jfr_chunk *c = mem_array(1, sizeof *c);
	struct into to = { .work = s->work, .err = err };
	struct scratch chunks = SCRATCH_INIT;
	uint64_t n = 0;

	if (c == NULL)
		return fail(err, E_SYSTEM, "out of memory (chunks)");
	*c = (struct jfr_chunk){ .to = &to, .data = m->data, .size = m->size };
	s->counts->unit = "chunk";
	work_start_bytes(s->work, "chunks", m->size);
	jfr_slice_read(c, &chunks, &n);
	jfr_slice_write(s, c, SCRATCH(chunks, struct slice_chunk), n);
	/* The end may be cut behind the part, or before it is a chunk. */
	if (s->counts->damaged == 0 && fact_value(s->st, FACT_LOSS_TAIL_BYTES) > 0)
		s->counts->damaged = 1;
	scratch_free(&chunks);
	jfr_chunk_close(c);
	free(c);
	return !to.bad;
}
