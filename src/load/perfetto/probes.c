/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probes: periodic values of the system: memory and processors, batteries, power rails, the screen.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { PROBE_FIELDS = 32, BUDDY_ORDERS = 16 };

/* A message of numbers and texts by their fields. */
struct probe {
	uint64_t	v[PROBE_FIELDS];
	struct str	s[PROBE_FIELDS];
	uint32_t	has;		/* bits */
};

static bool
read_probe(struct str m, struct probe *b)
{
	struct proto_field f;
	bool bad = false;

	memset(b, 0, sizeof *b);
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < PROBE_FIELDS) {
			b->v[f.number] = f.value;
			b->s[f.number] = f.in;
			b->has |= (uint32_t)1 << f.number;
		}
	return !bad;
}

static bool
has(const struct probe *b, unsigned field)
{
	return (b->has >> field & 1) != 0;
}

/* A level of the counter whose name is in p->text. */
static bool
level(struct perfetto *p, uint64_t time, const char *unit, double value, struct err *err)
{
	struct pf_about a = { .unit = str_of(unit) };

	if (p->text.bad)
		return fail(err, E_SYSTEM, "out of memory (counter)");
	return marks_word_of(&p->marks, buf_view(&p->text), &a.name, err) && pf_level(p, time - p->first, &a, value, err);
}

static void
name(struct perfetto *p, const char *prefix, struct str more)
{
	buf_clear(&p->text);
	buf_str(&p->text, str_of(prefix));
	buf_str(&p->text, str_head(more, 256));
}

/* ---- memory and processors -------------------------------------------------------------------------- */

static const char *const memory_names[] = { [1] = "MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapCached", "Active", "Inactive",
	"Active(anon)", "Inactive(anon)", "Active(file)", "Inactive(file)", "Unevictable", "Mlocked", "SwapTotal", "SwapFree", "Dirty", "Writeback",
	"AnonPages", "Mapped", "Shmem", "Slab", "SReclaimable", "SUnreclaim", "KernelStack", "PageTables", "CommitLimit", "Committed_AS",
	"VmallocTotal", "VmallocUsed", "VmallocChunk", "CmaTotal", "CmaFree", "Gpu", "Zram", "Misc", "IonHeap", "IonHeapPool" };

static bool
probes_take_memory(struct perfetto *p, uint64_t time, const struct probe *b, struct err *err)
{
	char number[32];

	if (b->v[1] < NELEM(memory_names) && memory_names[b->v[1]] != NULL)
		name(p, "meminfo ", str_of(memory_names[b->v[1]]));
	else {
		snprintf(number, sizeof number, "%llu", (unsigned long long)b->v[1]);
		name(p, "meminfo ", str_of(number));
	}
	return level(p, time, "bytes", (double)b->v[2] * 1024, err);
}

static bool
probes_take_cpu(struct perfetto *p, uint64_t time, const struct probe *b, struct err *err)
{
	static const char *const kinds[] = { "user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal" };

	for (unsigned i = 0; i < NELEM(kinds); i++) {
		buf_clear(&p->text);
		buf_printf(&p->text, "cpu.times %s CPU %u", kinds[i], (unsigned)b->v[1]);
		if (!level(p, time, "", (double)b->v[i + 2], err))
			return false;
	}
	return true;
}

/* {1 node, 2 zone, 3 pages by order} */
static bool
take_buddy(struct perfetto *p, uint64_t time, struct str m, const struct probe *b, struct err *err)
{
	struct proto_field f;
	bool bad = false, ok = true;
	unsigned order = 0;

	while (ok && proto_next_whole(&m, &f, &bad))
		for (bool one = true; ok && f.number == 3 && order < BUDDY_ORDERS && (one || f.in.n > 0); one = false) {
			uint64_t v = f.value;

			if (f.wire == PROTO_BYTES && !proto_varint(&f.in, &v))
				break;
			buf_clear(&p->text);
			buf_printf(&p->text, "mem.buddyinfo[%.*s][%.*s][%u kB]", (int)str_head(b->s[1], 64).n, b->s[1].n > 0 ? b->s[1].s : "",
			    (int)str_head(b->s[2], 64).n, b->s[2].n > 0 ? b->s[2].s : "", 4u << order++);
			ok = level(p, time, "", (double)v, err);
			if (f.wire != PROTO_BYTES)
				break;
		}
	return ok;
}

/* A counter for each number of a list: of CPU 0, 1, ... */
static bool
probes_take_list(struct perfetto *p, uint64_t time, const struct proto_field *told, const char *what, uint64_t *place, struct err *err)
{
	struct proto_field f = *told;
	uint64_t v = f.value;
	bool ok = true;

	do {
		if (f.wire == PROTO_BYTES && !proto_varint(&f.in, &v))
			break;
		buf_clear(&p->text);
		buf_printf(&p->text, "%s %u", what, (unsigned)(*place)++);
		ok = level(p, time, "", (double)v, err);
	} while (ok && f.wire == PROTO_BYTES && f.in.n > 0 && *place < PF_CPUS);
	return ok;
}

bool
pf_play_system(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	static const char *const totals[] = { [4] = "num_forks", [5] = "num_irq_total", [7] = "num_softirq_total" };
	static const char *const unread[] = { [9] = "", [13] = "disk_stat", "psi", "thermal_zone", "cpuidle_state" };
	uint64_t cpus = 0, gpus = 0;
	struct proto_field f;
	struct probe b;
	bool bad = false, ok = true;

	while (ok && proto_next_whole(&m, &f, &bad)) {
		bool number = f.number == 4 || f.number == 5 || f.number == 7, list = f.number == 11 || f.number == 17;

		if (number ? f.wire != PROTO_VARINT : !list && (f.wire != PROTO_BYTES || !read_probe(f.in, &b))) {
			unread_add_named(&p->unread, STR("sys_stats"), unread, NELEM(unread), f.number);
			continue;
		}
		switch (f.number) {
		case 1: ok = probes_take_memory(p, r->time, &b, err); break;
		case 2:
			buf_clear(&p->text);
			buf_printf(&p->text, "vmstat %u", (unsigned)b.v[1]);
			ok = level(p, r->time, "", (double)b.v[2], err);
			break;
		case 3: ok = probes_take_cpu(p, r->time, &b, err); break;
		case 4: case 5: case 7:
			name(p, totals[f.number], STR(""));
			ok = level(p, r->time, "", (double)f.value, err);
			break;
		case 6: case 8:
			buf_clear(&p->text);
			buf_printf(&p->text, "%s (id: %u)", f.number == 6 ? "num_irq" : "num_softirq", (unsigned)b.v[1]);
			ok = level(p, r->time, "", (double)b.v[2], err);
			break;
		case 10:
			name(p, "frequency ", b.s[1]);
			ok = level(p, r->time, "", (double)b.v[2], err);
			break;
		case 11: ok = probes_take_list(p, r->time, &f, "cpufreq CPU", &cpus, err); break;
		case 12: ok = take_buddy(p, r->time, f.in, &b, err); break;
		case 17: ok = probes_take_list(p, r->time, &f, "gpufreq", &gpus, err); break;
		default: unread_add_named(&p->unread, STR("sys_stats"), unread, NELEM(unread), f.number); break;
		}
	}
	return ok;
}

/* ---- power ----------------------------------------------------------------------------------------------- */

static bool
battery_level(struct perfetto *p, uint64_t time, struct str battery, const char *what, double value, struct err *err)
{
	buf_clear(&p->text);
	buf_str(&p->text, STR("batt."));
	buf_str(&p->text, str_head(battery, 64));
	buf_str(&p->text, battery.n > 0 ? STR(".") : STR(""));
	buf_str(&p->text, str_of(what));
	return level(p, time, "", value, err);
}

/* {1 uAh, 2 percent, 3 uA, 4 average uA, 5 name, 6 uWh, 7 uV} */
bool
pf_play_battery(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct probe b;
	int64_t volt, ampere;
	float percent;
	bool ok = true;

	if (!read_probe(m, &b))
		return true;
	volt = (int64_t)b.v[7];
	ampere = (int64_t)b.v[3];
	if (has(&b, 1))
		ok = battery_level(p, r->time, b.s[5], "charge_uah", (double)(int64_t)b.v[1], err);
	else if (has(&b, 6) && volt > 0)
		ok = battery_level(p, r->time, b.s[5], "charge_uah", trunc((double)(int64_t)b.v[6] * 1e6 / (double)volt), err);
	if (ok && has(&b, 2) && b.s[2].n == 4) {
		memcpy(&percent, b.s[2].s, 4);
		ok = !isfinite(percent) || battery_level(p, r->time, b.s[5], "capacity_pct", percent, err);
	}
	ok = ok && (!has(&b, 3) || battery_level(p, r->time, b.s[5], "current_ua", (double)ampere, err));
	ok = ok && (!has(&b, 4) || battery_level(p, r->time, b.s[5], "current.avg_ua", (double)(int64_t)b.v[4], err));
	ok = ok && (!has(&b, 7) || battery_level(p, r->time, b.s[5], "voltage_uv", (double)volt, err));
	if (ok && has(&b, 3) && has(&b, 7)) {
		double power = (double)ampere * (double)volt / 1e9;

		ok = battery_level(p, r->time, b.s[5], "power_mw", trunc(fabs(power)), err);
	}
	return ok;
}

/* The rail of a number in a session, as a track of its own. */
static uint64_t
rail_key(uint64_t session, uint64_t number)
{
	return pf_key('r', idmap_hash(session) ^ number);
}

/* {1 number, 2 name}: the first name counts. */
static bool
rail_told(struct perfetto *p, uint64_t session, struct str m, struct err *err)
{
	struct pf_track *t;
	struct probe b;

	if (!read_probe(m, &b))
		return true;
	if ((t = pf_track(p, rail_key(session, b.v[1]), err)) == NULL)
		return false;
	t->is_counter = true;
	if (t->word != 0 || b.s[2].n == 0)
		return true;
	name(p, "power.", b.s[2]);
	buf_str(&p->text, STR("_uws"));
	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), &t->word, err) : fail(err, E_SYSTEM, "out of memory (counter)");
}

/* {1 number, 2 ms of BOOTTIME, 3 uWs}; time: of the packet. */
static bool
rail_row(struct perfetto *p, uint64_t session, int64_t time, struct str m, struct err *err)
{
	const struct pf_track *t;
	struct probe b;

	if (!read_probe(m, &b))
		return true;
	if ((t = pf_track_known(p, rail_key(session, b.v[1]))) == NULL || t->word == 0) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	if (has(&b, 2) && !pf_clock_convert(&p->clocks, CLOCK_OF_BOOTTIME, (int64_t)(b.v[2] * 1000000), &time)) {
		p->count[PF_NO_CLOCK]++;
		return true;
	}
	return pf_level_row(p, time, t->uuid, (double)b.v[3], 0, err);
}

/* {1 rails, 2 values, 3 session} */
bool
pf_rail_rows(struct perfetto *p, struct str m, int64_t time, struct err *err)
{
	struct str all = m;
	struct proto_field f;
	struct probe whole;
	bool bad = false;

	if (!read_probe(m, &whole)) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	while (proto_next_whole(&all, &f, &bad))
		if (f.number == 1 && f.wire == PROTO_BYTES && !rail_told(p, whole.v[3], f.in, err))
			return false;
	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 2 && f.wire == PROTO_BYTES && !rail_row(p, whole.v[3], time, f.in, err))
			return false;
	return true;
}

/* ---- the screen -------------------------------------------------------------------------------------------- */

/* {1 {1 name, 2 value}} */
bool
pf_play_properties(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_about a = { .pid = 0 };
	struct proto_field f;
	struct str state, number;
	struct probe b;
	int64_t v;
	bool bad = false, ok = true;

	while (ok && proto_next_whole(&m, &f, &bad)) {
		if (f.number != 1 || f.wire != PROTO_BYTES || !read_probe(f.in, &b))
			continue;
		if (str_eq(b.s[1], STR("debug.tracing.screen_state")) && num_i64(b.s[2], 10, &v)) {
			name(p, "ScreenState", STR(""));
			ok = level(p, r->time, "", (double)v, err);
		} else if (str_eq(b.s[1], STR("debug.tracing.device_state"))) {
			/* "3:FOLDED" */
			state = b.s[2];
			if (str_split(&state, ':', &number) && state.n == 0)
				state = number;
			ok = marks_word_of(&p->marks, state, &a.name, err) && marks_word_of(&p->marks, STR("DeviceStateChanged"), &a.cat, err) &&
			    pf_instant(p, r->time - p->first, &a, 'g', err);
		}
	}
	return ok;
}

bool
pf_play_screen(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct probe b;

	name(p, "ScreenState", STR(""));
	return !read_probe(m, &b) || level(p, r->time, "", (double)(int32_t)b.v[1], err);
}

/* ---- memory of processes ---------------------------------------------------------------------------- */

/* {1 pid, then numbers of kB}; an absent field may be 0 or unknown, so it adds no value. */
static bool
take_process_memory(struct perfetto *p, uint64_t time, struct str m, struct err *err)
{
	static const char *const names[] = { [2] = "mem.virt", [3] = "mem.rss", [4] = "mem.rss.anon", [5] = "mem.rss.file", [6] = "mem.rss.shmem",
	    [7] = "mem.swap", [8] = "mem.locked", [9] = "mem.rss.watermark", [10] = "oom_score_adj", [16] = "mem.smaps.rss", [17] = "mem.smaps.pss",
	    [18] = "mem.smaps.pss.anon", [19] = "mem.smaps.pss.file", [20] = "mem.smaps.pss.shmem", [23] = "mem.smaps.swap.pss",
	    [24] = "mem.dmabuf_rss" };
	static const char *const unread[] = { [1] = "", [11] = "threads", [15] = "fds", [21] = "runtime_user", "runtime_kernel" };
	struct pf_about a = { .pid = 0 };
	struct proto_field f;
	struct str all = m;
	bool bad = false;

	while (proto_next_whole(&all, &f, &bad))
		if (f.number == 1 && f.wire == PROTO_VARINT)
			a.pid = (uint32_t)f.value;
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number >= NELEM(names) || names[f.number] == NULL || f.wire != PROTO_VARINT) {
			unread_add_named(&p->unread, STR("process_stats"), unread, NELEM(unread), f.number);
			continue;
		}
		a.unit = f.number == 10 ? STR("") : STR("bytes");
		if (!marks_word_of(&p->marks, str_of(names[f.number]), &a.name, err) ||
		    !pf_level(p, time, &a, f.number == 10 ? (double)(int64_t)f.value : (double)f.value * 1024, err))
			return false;
	}
	return true;
}

bool
pf_play_stats(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	SHAPE_EACH(m, 1, process)
		if (!take_process_memory(p, r->time - p->first, process, err))
			return false;
	return true;
}
