/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about a recording: its system, its configuration, and losses with place and reason.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"
#include "perfetto.h"

enum { TEXT_MOST = 4096 };

static const char *const reasons[PF_LOSS_REASONS] = { "read_gap", "corrupted_chunk", "orphan", "reassembly", "broken_chain", "overwritten", "writer_abort",
    "shared_memory_full" };

/* Bits of a loss of a sequence, from the second one on. */
void
pf_told_dropped(struct perfetto *p, uint64_t bits)
{
	for (unsigned i = 0; i < PF_LOSS_REASONS; i++)
		p->told.reason[i] += bits >> (i + 1) & 1;
}

/* {1 phase, 2 {1 CPU, 4 commit overrun, 8 dropped}, 8 preserve buffer}: counts continue from one recording to the next. */
void
pf_told_ftrace(struct perfetto *p, struct str m)
{
	struct proto_field f, c;
	uint64_t phase = 0;
	bool bad = false;

	for (struct str all = m; proto_next_whole(&all, &f, &bad); ) {
		phase = f.number == 1 ? f.value : phase;
		p->preserve = f.number == 8 ? f.value != 0 : p->preserve;
	}
	while (proto_next_whole(&m, &f, &bad)) {
		uint64_t cpu = 0, lost = 0, *before;

		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		while (proto_next_whole(&f.in, &c, &bad)) {
			cpu = c.number == 1 ? c.value : cpu;
			lost += c.wire == PROTO_VARINT && (c.number == 4 || c.number == 8) ? c.value : 0;
		}
		before = &p->told.before[cpu < PF_CPUS ? cpu : PF_CPUS - 1];
		if (phase == 1)
			*before = lost;
		else if (phase == 2 && lost > *before) {
			p->told.cpu[cpu < PF_CPUS ? cpu : PF_CPUS - 1] += lost - *before;
			p->count[PF_LOST_FTRACE] += lost - *before;
			*before = lost;
		}
	}
}

/* {8 chunks discarded, 9 patches discarded, 10 invalid packets, 14 flushes failed}: the last message counts. */
void
pf_told_stats(struct perfetto *p, struct str m)
{
	static const uint8_t fields[PF_STATS_TOLD] = { 8, 9, 10, 14 };
	struct proto_field f;
	bool bad = false;

	memset(p->told.stats, 0, sizeof p->told.stats);
	while (proto_next_whole(&m, &f, &bad))
		for (unsigned i = 0; i < PF_STATS_TOLD; i++)
			if (f.number == fields[i] && f.wire == PROTO_VARINT)
				p->told.stats[i] = f.value;
}

/* {1 number of packages}: {1 name, 2 uid, ...} each. */
static uint64_t
told_number_of(struct str m, unsigned field)
{
	struct proto_field f;
	uint64_t n = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		n += f.number == field;
	return n;
}

void
pf_told_packages(struct perfetto *p, struct str m)
{
	p->told.packages += told_number_of(m, 1);
}

void
pf_told_config(struct perfetto *p, struct str m)
{
	p->told.config_at = pf_offset(p, m.s);
	p->told.config_n = (uint32_t)m.n;
}

void
pf_told_system(struct perfetto *p, struct str m)
{
	p->told.system_at = pf_offset(p, m.s);
	p->told.system_n = (uint32_t)m.n;
}

/* ---- facts ---------------------------------------------------------------------------------------------- */

/* The texts of some fields of a message, with something between them. */
static void
told_texts(struct str m, uint32_t fields, const char *between, struct buf *b)
{
	struct proto_field f;
	bool bad = false;

	while (b->n < TEXT_MOST && proto_next_whole(&m, &f, &bad))
		if (f.number < 32 && (fields >> f.number & 1) != 0 && f.wire == PROTO_BYTES && f.in.n > 0) {
			if (b->n > 0)
				buf_str(b, str_of(between));
			buf_str(b, str_head(f.in, 256));
		}
}

/* {1 {1 system, 3 release, 4 machine}} */
static bool
system_fact(struct perfetto *p, struct err *err)
{
	struct str m = pf_bytes(p, p->told.system_at, p->told.system_n);
	struct proto_field f;
	bool bad = false;

	buf_clear(&p->text);
	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 1 && f.wire == PROTO_BYTES)
			told_texts(f.in, 1 << 1 | 1 << 3 | 1 << 4, " ", &p->text);
	return p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_SYSTEM, buf_view(&p->text), err);
}

/* {1 buffers {1 kB, 4 policy: 2 discard}, 2 data sources {1 {1 name}}, 3 ms} */
static bool
config_facts(struct perfetto *p, struct err *err)
{
	struct str config = pf_bytes(p, p->told.config_at, p->told.config_n), m = config;
	struct proto_field f, c;
	bool bad = false, ok = true;
	uint64_t size, policy, ms = 0;

	buf_clear(&p->text);
	while (p->text.n < TEXT_MOST && proto_next_whole(&m, &f, &bad)) {
		ms = f.number == 3 && f.wire == PROTO_VARINT ? f.value : ms;
		if (f.number != 1 || f.wire != PROTO_BYTES)
			continue;
		size = policy = 0;
		while (proto_next_whole(&f.in, &c, &bad)) {
			size = c.number == 1 ? c.value : size;
			policy = c.number == 4 ? c.value : policy;
		}
		buf_printf(&p->text, "%s%" PRIu64 " KiB%s", p->text.n > 0 ? ", " : "", size, policy == 2 ? " (discards new data)" : "");
	}
	ok = p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_BUFFERS, buf_view(&p->text), err);
	buf_clear(&p->text);
	for (m = config; proto_next_whole(&m, &f, &bad); )
		while (f.number == 2 && f.wire == PROTO_BYTES && proto_next_whole(&f.in, &c, &bad))
			if (c.number == 1 && c.wire == PROTO_BYTES)
				told_texts(c.in, 1 << 1, ", ", &p->text);
	return ok && (p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_DATA_SOURCES, buf_view(&p->text), err)) &&
	    (ms == 0 || ms > UINT64_MAX / 1000000 || fact_set(p->l->st, FACT_RECORDER_DURATION, ms * 1000000, err));
}

bool
pf_told_lost(const struct perfetto *p)
{
	uint64_t n = p->count[PF_DROPPED] + p->count[PF_LOST_FTRACE];

	for (unsigned i = 0; i < PF_STATS_TOLD; i++)
		n = num_add(n, p->told.stats[i]);
	return n > 0;
}

static bool
told_count(struct perfetto *p, const char *name, uint64_t n, struct err *err)
{
	return n == 0 || store_fact(p->l->st, name, FACT_COUNT, n, err);
}

bool
pf_told_facts(struct perfetto *p, struct err *err)
{
	static const char *const stats[PF_STATS_TOLD] = { "loss.recorder.chunks_discarded", "loss.recorder.patches_discarded", "loss.recorder.invalid_packets",
	    "loss.recorder.flushes_failed" };
	static const char *const skips[PF_SKIP_REASONS] = { NULL, "no_stack.read", "no_stack.unwind", "no_stack.enqueue", "no_stack.not_in_scope" };
	char name[64];

	for (unsigned i = 0; i < PF_LOSS_REASONS; i++) {
		snprintf(name, sizeof name, "loss.sequences.%s", reasons[i]);
		if (!told_count(p, name, p->told.reason[i], err))
			return false;
	}
	for (unsigned i = 0; i < PF_CPUS; i++) {
		snprintf(name, sizeof name, "loss.events.cpu%u", i);
		if (!told_count(p, name, p->told.cpu[i], err))
			return false;
	}
	for (unsigned i = 0; i < PF_STATS_TOLD; i++)
		if (!told_count(p, stats[i], p->told.stats[i], err))
			return false;
	for (unsigned i = 1; i < PF_SKIP_REASONS; i++)
		if (!told_count(p, skips[i], p->told.skipped[i], err))
			return false;
	if (p->has_uuid) {
		snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64, p->uuid[1], p->uuid[0]);
		if (!fact_set_text(p->l->st, FACT_UUID, str_of(name), err))
			return false;
	}
	return system_fact(p, err) && config_facts(p, err) && (p->told.packages == 0 || fact_set(p->l->st, FACT_PACKAGES, p->told.packages, err));
}
