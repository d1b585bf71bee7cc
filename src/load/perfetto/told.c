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

enum { TEXT_MOST = 4096, START = 1, END = 2, DISCARD = 2 };

#define FTRACE_STATS(F) F(1, phase, U64) F(8, preserve, U64)
#define CPU_STATS(F) F(1, cpu, U64) F(4, overrun, U64) F(8, dropped, U64)
#define STATS(F) F(8, chunks, U64) F(9, patches, U64) F(10, packets, U64) F(14, flushes, U64)
#define CONFIG(F) F(3, ms, U64)
#define BUFFER(F) F(1, size, U64) F(4, policy, U64)
SHAPE(told_ftrace, "FtraceStats", FTRACE_STATS)
SHAPE(told_cpu, "FtraceCpuStats", CPU_STATS)
SHAPE(told_stats, "TraceStats", STATS)
SHAPE(told_config, "TraceConfig", CONFIG)
SHAPE(told_buffer, "TraceConfig.BufferConfig", BUFFER)

static const char *const reasons[PF_LOSS_REASONS] = { "read_gap", "corrupted_chunk", "orphan", "reassembly", "broken_chain", "overwritten", "writer_abort",
    "shared_memory_full" };

/* Bits of a loss of a sequence, from the second one on. */
void
pf_told_dropped(struct perfetto *p, uint64_t bits)
{
	for (unsigned i = 0; i < PF_LOSS_REASONS; i++)
		p->told.reason[i] += bits >> (i + 1) & 1;
}

/* {2 CPUs}: counts continue from one recording to the next. */
void
pf_told_ftrace(struct perfetto *p, struct str m)
{
	struct told_ftrace t;
	struct told_cpu c;

	(void)told_ftrace_read(m, &t, NULL);
	p->preserve = t.has_preserve ? t.preserve != 0 : p->preserve;
	SHAPE_EACH(m, 2, in) {
		uint64_t lost, *before;
		size_t cpu;

		(void)told_cpu_read(in, &c, NULL);
		cpu = c.cpu < PF_CPUS ? (size_t)c.cpu : PF_CPUS - 1;
		lost = c.overrun + c.dropped;
		before = &p->told.before[cpu];
		if (t.phase == START)
			*before = lost;
		else if (t.phase == END && lost > *before) {
			p->told.cpu[cpu] += lost - *before;
			p->count[PF_LOST_FTRACE] += lost - *before;
			*before = lost;
		}
	}
}

/* The last message counts. */
void
pf_told_stats(struct perfetto *p, struct str m)
{
	struct told_stats t;

	(void)told_stats_read(m, &t, NULL);
	memcpy(p->told.stats, (uint64_t[PF_STATS_TOLD]){ t.chunks, t.patches, t.packets, t.flushes }, sizeof p->told.stats);
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

/* {1 {1 system, 3 release, 4 machine}} of the machine. */
static bool
system_fact(struct perfetto *p, struct err *err)
{
	buf_clear(&p->text);
	SHAPE_EACH(pf_bytes(p, p->told.system_at, p->told.system_n), 1, in)
		told_texts(in, 1 << 1 | 1 << 3 | 1 << 4, " ", &p->text);
	return p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_SYSTEM, buf_view(&p->text), err);
}

/* {1 buffers, 2 data sources {1 {1 name}}} */
static bool
config_facts(struct perfetto *p, struct err *err)
{
	struct str m = pf_bytes(p, p->told.config_at, p->told.config_n);
	struct told_config config;
	struct told_buffer b;
	bool ok;

	(void)told_config_read(m, &config, NULL);
	buf_clear(&p->text);
	SHAPE_EACH(m, 1, in) {
		(void)told_buffer_read(in, &b, NULL);
		if (p->text.n < TEXT_MOST)
			buf_printf(&p->text, "%s%" PRIu64 " KiB%s", p->text.n > 0 ? ", " : "", b.size, b.policy == DISCARD ? " (discards new data)" : "");
	}
	ok = p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_BUFFERS, buf_view(&p->text), err);
	buf_clear(&p->text);
	SHAPE_EACH(m, 2, source)
		SHAPE_EACH(source, 1, in)
			told_texts(in, 1 << 1, ", ", &p->text);
	return ok && (p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, FACT_DATA_SOURCES, buf_view(&p->text), err)) &&
	    (config.ms == 0 || config.ms > UINT64_MAX / 1000000 || fact_set(p->l->st, FACT_RECORDER_DURATION, config.ms * 1000000, err));
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
