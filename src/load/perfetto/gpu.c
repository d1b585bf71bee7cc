/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu: counters of GPUs.  A value covers the time since the previous value, so it is shown from the time of that one, unless the counter's
 * direction says otherwise.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { NAME_GPU_COUNTERS = 47 };

struct gpu_counter {
	uint64_t	before;		/* 1 + the time of the previous value; 0: none yet */
	uint32_t	word;
	bool		forwards;
};

/* The counter of a number; NULL: failure, or it is not described.  of: what describes it. */
static struct gpu_counter *
gpu_counter_at(struct perfetto *p, uint64_t of, uint32_t id)
{
	uint32_t at = idmap_get(&p->by_gpu, idmap_hash(of ^ idmap_hash(id + 1ull)) | 1);

	return at == 0 ? NULL : &SCRATCH(p->gpu, struct gpu_counter)[at - 1];
}

/* {1 counters {1 number, 2 name, 11 direction}} */
static bool
gpu_describe(struct perfetto *p, uint64_t of, struct str m, struct err *err)
{
	struct proto_field f, c;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		struct gpu_counter new = { .before = 0 };
		struct str name = STR(""), spec = f.in;
		uint32_t id = 0;

		if (f.number != 1 || f.wire != PROTO_BYTES)
			continue;
		while (proto_next_whole(&f.in, &c, &bad)) {
			id = c.number == 1 ? (uint32_t)c.value : id;
			name = c.number == 2 ? str_head(c.in, PF_TEXT_MOST) : name;
			new.forwards = c.number == 11 ? c.value == 2 : new.forwards;
		}
		buf_clear(&p->text);
		if (name.n > 0)
			buf_str(&p->text, name);
		else
			buf_printf(&p->text, "GPU counter %u", (unsigned)id);
		if (gpu_counter_at(p, of, id) != NULL)
			continue;
		pf_unread_rest(p, PKT_GPU, PF_INSIDE(1, 1), spec, PF_BIT(1) | PF_BIT(2) | PF_BIT(11));
		if (p->text.bad)
			return fail(err, E_SYSTEM, "out of memory (counter)");
		if (!marks_word_of(&p->marks, buf_view(&p->text), &new.word, err) ||
		    !make_add(&p->gpu, &p->ngpu, &new, sizeof new, MAKE_MOST, "counters", err) ||
		    !idmap_put(&p->by_gpu, idmap_hash(of ^ idmap_hash(id + 1ull)) | 1, (uint32_t)p->ngpu, err))
			return false;
	}
	return true;
}

/* {1 number, 2 whole number, 3 double} */
static bool
gpu_value(struct perfetto *p, uint64_t of, uint64_t time, struct str m, struct err *err)
{
	struct gpu_counter *c;
	struct pf_about a = { .pid = 0 };
	struct proto_field f;
	uint64_t told;
	uint32_t id = 0;
	double value = 0;
	bool bad = false, whole = false;

	while (proto_next_whole(&m, &f, &bad)) {
		id = f.number == 1 ? (uint32_t)f.value : id;
		if (f.number == 2 && f.wire == PROTO_VARINT) {
			value = (double)(int64_t)f.value;
			whole = true;
		}
		if (f.number == 3 && f.in.n == sizeof value && !whole)
			memcpy(&value, f.in.s, sizeof value);
	}
	if ((c = gpu_counter_at(p, of, id)) == NULL) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	a.name = c->word;
	told = c->before;
	c->before = c->forwards ? 0 : time + 1;
	return c->forwards ? pf_level(p, time - p->first, &a, value, err) : told == 0 || pf_level(p, told - 1 - p->first, &a, value, err);
}

bool
pf_play_gpu(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct str told = STR(""), values = m;
	struct pf_interned *in;
	struct proto_field f;
	uint64_t iid = 0, gpu = 0, of = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		told = f.number == 1 && f.wire == PROTO_BYTES ? f.in : told;
		gpu = f.number == 3 ? f.value : gpu;
		iid = f.number == 4 ? f.value : iid;
		pf_unless_known(p, PKT_GPU, 0, f.number, PF_BITS(1, 4));
	}
	if (iid != 0) {
		in = pf_interned(p, r->a, NAME_GPU_COUNTERS, iid);
		told = STR("");
		for (m = in != NULL ? pf_bytes(p, in->at, in->n) : STR(""); proto_next_whole(&m, &f, &bad); ) {
			told = f.number == 2 && f.wire == PROTO_BYTES ? f.in : told;
			gpu = f.number == 3 ? f.value : gpu;
		}
		of = idmap_hash(pf_state(p, r->a)->names + 1ull) ^ idmap_hash(gpu);
	}
	if (!gpu_describe(p, of, told, err))
		return false;
	while (r->flags == 0 && proto_next_whole(&values, &f, &bad))
		if (f.number == 2 && f.wire == PROTO_BYTES && !gpu_value(p, of, r->time, f.in, err))
			return false;
	return true;
}

bool
pf_gpu_end(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->ngpu; i++) {
		const struct gpu_counter c = SCRATCH(p->gpu, struct gpu_counter)[i];
		struct pf_about a = { .name = c.word };

		if (c.before != 0 && !pf_level(p, c.before - 1 - p->first, &a, 0, err))
			return false;
	}
	return true;
}
