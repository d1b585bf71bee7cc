/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu: counters of GPUs.  A value covers the time since the previous value, so it is shown from the time of
 * that one, unless the counter's direction says otherwise.
 */
#include "config.h"

#include "perfetto.h"

enum { NAME_GPU_COUNTERS = 47, FORWARDS = 2 };

#define VALUE(F) F(1, id, U64) F(2, whole, I64) F(3, real, REAL)
SHAPE(gpu_event, "gpu_counter_event", FIELDS_GPU)
SHAPE(gpu_interned, "interned_data.gpu_counter_descriptors", FIELDS_GPU_INTERNED)
SHAPE(gpu_spec, "gpu_counter_event.specs", FIELDS_GPU_SPEC)
SHAPE(gpu_value, "gpu_counter_event.counters", VALUE)

struct gpu_counter {
	uint64_t	before;		/* 1 + the time of the previous value; 0: none yet */
	uint32_t	word;
	bool		forwards;
};

/* Counters of a GPU: a packet without values or without a time only describes them. */
bool
pf_gpu_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct gpu_event e;

	(void)gpu_event_read(m, &e, NULL);
	p->count[PF_NO_TIME] += e.values && !pf_now_timed(now);
	return pf_now_row(p, now, m, PF_PACKET, !e.values || !pf_now_timed(now), err);
}

/* Return the key of counter id; of: hash of its set of names and the GPU, or 0. */
static uint64_t
gpu_key(uint64_t of, uint32_t id)
{
	return idmap_hash(of ^ idmap_hash(id + 1ull)) | 1;
}

/* NULL: it is not described. */
static struct gpu_counter *
counter_at(struct perfetto *p, uint64_t of, uint32_t id)
{
	uint32_t at = idmap_get(&p->gpus.by_gpu, gpu_key(of, id));

	return at == 0 ? NULL : &SCRATCH(p->gpus.gpu, struct gpu_counter)[at - 1];
}

/* The first description of a counter counts. */
static bool
describe(struct perfetto *p, uint64_t of, struct str descriptor, struct err *err)
{
	SHAPE_EACH(descriptor, 1, in) {
		struct gpu_counter new = { .before = 0 };
		struct gpu_spec s;

		(void)gpu_spec_read(in, &s, &p->unread);
		if (counter_at(p, of, (uint32_t)s.id) != NULL)
			continue;
		new.forwards = s.direction == FORWARDS;
		PF_TEXT(p, "GPU counter %u", (unsigned)s.id);
		if (s.name.n > 0) {
			buf_clear(&p->text);
			buf_str(&p->text, str_head(s.name, PF_TEXT_MOST));
		}
		if (!pf_text_word(p, &new.word, err) ||
		    !PF_ADD(p->gpus, gpu, new, "counters", err) ||
		    !idmap_put(&p->gpus.by_gpu, gpu_key(of, (uint32_t)s.id), (uint32_t)p->gpus.ngpu, err))
			return false;
	}
	return true;
}

static bool
gpu_take_value(struct perfetto *p, uint64_t of, uint64_t time, struct str in, struct err *err)
{
	struct gpu_counter *c;
	struct pf_about a = { .pid = 0 };
	struct gpu_value v;
	uint64_t from;

	(void)gpu_value_read(in, &v, &p->unread);
	if ((c = counter_at(p, of, (uint32_t)v.id)) == NULL)
		return pf_count(p, PF_NO_TRACK);
	a.name = c->word;
	from = c->forwards ? time + 1 : c->before;
	c->before = c->forwards ? 0 : time + 1;
	return from == 0 || pf_level(p, from - 1 - p->first, &a, v.has_whole ? (double)v.whole : v.real, err);
}

bool
pf_play_gpu(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct gpu_event e;
	struct gpu_interned i;
	uint64_t of = 0;

	(void)gpu_event_read(m, &e, &p->unread);
	if (e.descriptor_iid != 0) {
		(void)gpu_interned_read(pf_interned_message(p, r->a, NAME_GPU_COUNTERS, e.descriptor_iid),
		    &i, &p->unread);
		of = idmap_hash(pf_state(p, r->a)->names + 1ull) ^ idmap_hash(i.has_gpu ? i.gpu : e.gpu);
	}
	if (!describe(p, of, e.descriptor_iid != 0 ? i.descriptor : e.descriptor, err))
		return false;
	if (r->flags == 0)
		SHAPE_EACH(m, 2, value)
			if (!gpu_take_value(p, of, r->time, value, err))
				return false;
	return true;
}

bool
pf_gpu_end(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->gpus.ngpu; i++) {
		const struct gpu_counter c = SCRATCH(p->gpus.gpu, struct gpu_counter)[i];
		struct pf_about a = { .name = c.word };

		if (c.before != 0 && !pf_level(p, c.before - 1 - p->first, &a, 0, err))
			return false;
	}
	return true;
}
