/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about a recording: its system, its configuration, and losses with place and reason.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/scan.h"
#include "perfetto.h"

enum { TEXT_MOST = 4096, START = 1, END = 2, DISCARD = 2 };

#define CPU_STATS(F) F(1, cpu, U64) F(4, overrun, U64) F(8, dropped, U64)
#define CONFIG(F) F(3, ms, U64)
#define BUFFER(F) F(1, size, U64) F(4, policy, U64)
#define SOURCE(F) F(1, name, BYTES)
SHAPE(recorded_ftrace, "FtraceStats", FIELDS_FTRACE_STATS)
SHAPE(recorded_cpu, "FtraceCpuStats", CPU_STATS)
SHAPE(recorded_stats, "TraceStats", FIELDS_TRACE_STATS)
SHAPE(recorded_config, "TraceConfig", CONFIG)
SHAPE(recorded_buffer, "TraceConfig.BufferConfig", BUFFER)
SHAPE(recorded_source, "TraceConfig.DataSource.config", SOURCE)
SHAPE(recorded_system, "system_info", FIELDS_SYSTEM)
SHAPE(recorded_utsname, "system_info.utsname", FIELDS_UTSNAME)

static const char *const reasons[PF_LOSS_REASONS] = { "read_gap", "corrupted_chunk", "orphan", "reassembly",
    "broken_chain", "overwritten", "writer_abort", "shared_memory_full" };

/* Bits of a loss of a sequence, from the second one on. */
void
pf_recorded_dropped(struct perfetto *p, uint64_t bits)
{
	for (unsigned i = 0; i < PF_LOSS_REASONS; i++)
		p->recorded.reason[i] += bits >> (i + 1) & 1;
}

/* {2 CPUs}: counts continue from one recording to the next. */
void
pf_recorded_ftrace(struct perfetto *p, struct str m)
{
	struct recorded_ftrace t;
	struct recorded_cpu c;

	(void)recorded_ftrace_read(m, &t, NULL);
	p->preserve = t.has_preserve ? t.preserve != 0 : p->preserve;
	SHAPE_EACH(m, 2, in) {
		uint64_t lost, *before;
		size_t cpu;

		(void)recorded_cpu_read(in, &c, NULL);
		cpu = c.cpu < PF_CPUS ? (size_t)c.cpu : PF_CPUS - 1;
		lost = c.overrun + c.dropped;
		before = &p->recorded.before[cpu];
		if (t.phase == START)
			*before = lost;
		else if (t.phase == END && lost > *before) {
			p->recorded.cpu[cpu] += lost - *before;
			p->count[PF_LOST_FTRACE] += lost - *before;
			*before = lost;
		}
	}
}

/* The last message counts. */
void
pf_recorded_stats(struct perfetto *p, struct str m)
{
	struct recorded_stats t;

	(void)recorded_stats_read(m, &t, NULL);
	memcpy(p->recorded.stats, (uint64_t[PF_RECORDER_STATS]){ t.chunks, t.patches, t.packets, t.flushes },
	    sizeof p->recorded.stats);
}

void
pf_recorded_packages(struct perfetto *p, struct str m)
{
	p->recorded.list = pf_place(p, m);
	SHAPE_EACH(m, 1, package) {
		(void)package;
		p->recorded.packages++;
	}
}

void
pf_recorded_config(struct perfetto *p, struct str m)
{
	p->recorded.config = pf_place(p, m);
}

/* "6.1.25-android14", "aarch64" */
void
pf_recorded_system(struct perfetto *p, struct str m)
{
	struct recorded_system system;
	struct recorded_utsname u;
	uint64_t major, minor;

	(void)recorded_system_read(m, &system, NULL);
	(void)recorded_utsname_read(system.utsname, &u, NULL);
	if (u.has_machine)
		p->kernel.machine = kernel_machine(u.machine);
	if (scan(&u.release, "%u.%u", &major, &minor) && major < 256 && minor < 256)
		p->kernel.release = (uint32_t)(major << 8 | minor);
	p->recorded.system = pf_place(p, m);
}

/* ---- facts --------------------------------------------------------------------------------------------- */

/* Append a text, with something between texts. */
static void
recorded_add_text(struct perfetto *p, const char *between, struct str text)
{
	if (text.n == 0 || p->text.n >= TEXT_MOST)
		return;
	buf_str(&p->text, p->text.n > 0 ? str_of(between) : STR(""));
	buf_str(&p->text, str_head(text, 256));
}

/* The fact is the text so far; then the text is empty. */
static bool
text_fact(struct perfetto *p, enum fact_id fact, struct err *err)
{
	bool ok = p->text.n == 0 || p->text.bad || fact_set_text(p->l->st, fact, buf_view(&p->text), err);

	buf_clear(&p->text);
	return ok;
}

/* The system, its release and the machine, in the order of the file. */
static bool
system_fact(struct perfetto *p, struct err *err)
{
	buf_clear(&p->text);
	SHAPE_EACH(pf_placed(p, p->recorded.system), 1, utsname)
		PROTO_EACH(utsname, w)
			if (w.f.wire == PROTO_BYTES && (w.f.number == 1 || w.f.number == 3 ||
			    w.f.number == 4))
				recorded_add_text(p, " ", w.f.in);
	return text_fact(p, FACT_SYSTEM, err);
}

static bool
config_facts(struct perfetto *p, struct err *err)
{
	struct str m = pf_placed(p, p->recorded.config);
	struct recorded_config config;
	struct recorded_source source;
	struct recorded_buffer b;

	(void)recorded_config_read(m, &config, NULL);
	SHAPE_EACH(m, 1, in) {
		(void)recorded_buffer_read(in, &b, NULL);
		if (p->text.n < TEXT_MOST)
			buf_printf(&p->text, "%s%" PRIu64 " KiB%s", p->text.n > 0 ? ", " : "", b.size,
			    b.policy == DISCARD ? " (discards new data)" : "");
	}
	if (!text_fact(p, FACT_BUFFERS, err))
		return false;
	SHAPE_EACH(m, 2, each)
		SHAPE_EACH(each, 1, in) {
			(void)recorded_source_read(in, &source, NULL);
			recorded_add_text(p, ", ", source.name);
		}
	return text_fact(p, FACT_DATA_SOURCES, err) && (config.ms == 0 || config.ms > UINT64_MAX / 1000000 ||
	    fact_set(p->l->st, FACT_RECORDER_DURATION, config.ms * 1000000, err));
}

bool
pf_recorded_lost(const struct perfetto *p)
{
	uint64_t n = p->count[PF_DROPPED] + p->count[PF_LOST_FTRACE];

	for (unsigned i = 0; i < PF_RECORDER_STATS; i++)
		n = num_add(n, p->recorded.stats[i]);
	return n > 0;
}

/* Counts that are not 0, by their names or numbers. */
static bool
count_facts(struct perfetto *p, const char *before, const char *const *names, const uint64_t *n,
    unsigned rows, struct err *err)
{
	char name[64];

	for (unsigned i = 0; i < rows; i++) {
		if (names != NULL)
			snprintf(name, sizeof name, "%s%s", before, names[i]);
		else
			snprintf(name, sizeof name, "%s%u", before, i);
		if (n[i] > 0 && !store_fact(p->l->st, name, FACT_COUNT, n[i], err))
			return false;
	}
	return true;
}

bool
pf_recorded_facts(struct perfetto *p, struct err *err)
{
	static const char *const stats[PF_RECORDER_STATS] = { "chunks_discarded", "patches_discarded",
	    "invalid_packets", "flushes_failed" };
	static const char *const skips[] = { "read", "unwind", "enqueue", "not_in_scope" };
	char uuid[40] = "";

	if (p->has_uuid)
		snprintf(uuid, sizeof uuid, "%016" PRIx64 "%016" PRIx64, p->uuid[1], p->uuid[0]);
	return count_facts(p, "loss.sequences.", reasons, p->recorded.reason, PF_LOSS_REASONS, err) &&
	    count_facts(p, "loss.events.cpu", NULL, p->recorded.cpu, PF_CPUS, err) &&
	    count_facts(p, "loss.recorder.", stats, p->recorded.stats, PF_RECORDER_STATS, err) &&
	    count_facts(p, "no_stack.", skips, &p->recorded.skipped[1], NELEM(skips), err) &&
	    (!p->has_uuid || fact_set_text(p->l->st, FACT_UUID, str_of(uuid), err)) &&
	    system_fact(p, err) && config_facts(p, err) &&
	    (p->recorded.packages == 0 || fact_set(p->l->st, FACT_PACKAGES, p->recorded.packages, err));
}
