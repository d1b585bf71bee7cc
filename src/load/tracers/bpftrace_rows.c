/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of maps of bpftrace become samples.
 */
#include "config.h"

#include <assert.h>

#include "bpftrace.h"

/* Sums of a stack while the blocks of a map are compared: of a block, and of the block before. */
struct bpf_sum {
	uint64_t	block, before_block;	/* from 1; 0: none */
	uint64_t	sum, before;
};

void
bpf_put(struct bpftrace *b, struct str map, uint64_t value, uint64_t samples, const char *at)
{
	struct bpf_row row = { .block = b->block, .value = value, .samples = samples > 0 ? samples : 1,
	    .at = at, .hist = b->hist };
	struct tracers_in *in = b->in;
	uint32_t number = 0;

	row.stack = tracers_stack(in);
	row.thread = in->thread;
	in->thread = 0;
	in->bad = in->bad || !texts_number(&b->maps, map, &number, in->err);
	row.map = number;
	in->bad = in->bad || !make_add(&b->rows, &b->nrows, &row, sizeof row, UINT32_MAX, "values", in->err);
}

/* Sum the rows of a block by stack; number: of the block, from 1. */
static void
add_block(struct bpf_sum *sums, const struct bpf_row *r, uint64_t n, uint64_t number)
{
	for (uint64_t i = 0; i < n; i++) {
		struct bpf_sum *s = &sums[r[i].stack];

		assert(r[i].stack != 0 && s->block <= number);
		if (s->block != number) {
			s->before_block = s->block;
			s->before = s->sum;
			s->block = number;
			s->sum = 0;
		}
		s->sum = num_add(s->sum, r[i].value);
	}
}

/* Whether all rows of the block before are in this one, with values that are not smaller. */
static bool
block_grows(const struct bpf_sum *sums, const struct bpf_row *before, uint64_t n, uint64_t number)
{
	for (uint64_t i = 0; i < n; i++) {
		const struct bpf_sum *s = &sums[before[i].stack];

		if (s->block != number || s->before_block != number - 1 || s->sum < s->before)
			return false;
	}
	return true;
}

static uint64_t
rows_alike(const struct bpf_row *r, uint64_t n, bool block)
{
	uint64_t i = 1;

	assert(n > 0);
	while (i < n && r[i].map == r[0].map && (!block || r[i].block == r[0].block))
		i++;
	return i;
}

/* The event of a map; one whose name ends with a unit has times. */
static void
bpf_event(struct tracers_in *in, struct str map, bool hist)
{
	if (hist)
		tracers_event(in, map, WEIGHT_COUNT, "values");
	else if (str_is(map, BPF_OFFCPU))
		tracers_event(in, STR("off-cpu"), WEIGHT_TIME, "ns");
	else if (str_ends(map, "_ns") || str_ends(map, "_us"))
		tracers_event(in, map, WEIGHT_TIME, str_ends(map, "_ns") ? "ns" : "us");
	else
		tracers_event(in, map, WEIGHT_COUNT, "(as printed)");
}

/* The rows of one map, by block: those that count become samples. */
static void
bpf_map_rows(struct bpftrace *b, const struct bpf_row *r, uint64_t n, uint64_t *number)
{
	struct tracers_in *in = b->in;
	struct bpf_sum *sums = SCRATCH(b->sums, struct bpf_sum);
	struct str map = texts_get(&b->maps, (uint32_t)r->map);
	uint64_t last = 0, blocks = 0, size;
	bool grows = true;

	/* The gap in the numbers separates this map from the one before. */
	++*number;
	for (uint64_t at = 0; at < n; at += size, blocks++) {
		size = rows_alike(r + at, n - at, true);
		add_block(sums, r + at, size, ++*number);
		grows = grows && (blocks == 0 || block_grows(sums, r + last, at - last, *number));
		last = at;
	}
	if (blocks > 1)
		buf_printf(&in->notes, "%s%.*s: %llu times, %s", in->notes.n > 0 ? "; " : "", (int)map.n,
		    map.s, (unsigned long long)blocks, grows ? "the last one counts" : "added");
	bpf_event(in, map, r[0].hist);
	for (uint64_t i = grows && blocks > 1 ? last : 0; i < n; i++) {
		in->thread = r[i].thread;
		tracers_add(in, r[i].stack, r[i].value, r[i].samples, r[i].at);
	}
}

void
bpf_all_rows(struct bpftrace *b)
{
	struct tracers_in *in = b->in;
	uint64_t size, number = 0;
	const struct bpf_row *r;

	in->bad = in->bad || !make_sort_both(&b->rows, b->nrows, sizeof(struct bpf_row), in->s.work,
	    in->err) || !scratch_array(&b->sums, in->s.nstacks + 1, sizeof(struct bpf_sum), in->err);
	r = SCRATCH(b->rows, struct bpf_row);
	for (uint64_t at = 0; at < b->nrows && !in->bad; at += size) {
		size = rows_alike(r + at, b->nrows - at, false);
		assert(size <= b->nrows - at);
		bpf_map_rows(b, r + at, size, &number);
	}
}
