/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * system_stats: values of /proc and /sys: memory, processors, disks, temperatures.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { BUDDY_ORDERS = 16, DISK_VALUES = 8, NAME_MOST = 256 };

#define SECTORS_PER_MB 2048.0

#define PAIR(F) F(1, key, U64) F(2, value, U64)
#define CPU_TIMES(F) F(1, cpu, U64) F(2, user, U64) F(3, nice, U64) F(4, system, U64) F(5, idle, U64) \
	F(6, iowait, U64) F(7, irq, U64) F(8, softirq, U64) F(9, steal, U64)
#define BUDDY(F) F(1, node, BYTES) F(2, zone, BYTES) F(3, pages, NONE)
SHAPE(system_stats, "sys_stats", FIELDS_SYSTEM_STATS)
SHAPE(system_pair, "sys_stats.values", PAIR)
SHAPE(system_cpu, "sys_stats.cpu_stat", CPU_TIMES)
SHAPE(system_device, "sys_stats.devfreq", FIELDS_DEVICE_FREQUENCY)
SHAPE(system_buddy, "sys_stats.buddy_info", BUDDY)
SHAPE(system_disk, "sys_stats.disk_stat", FIELDS_DISK)
SHAPE(system_zone, "sys_stats.thermal_zone", FIELDS_THERMAL_ZONE)
SHAPE(system_idle, "sys_stats.cpuidle_state", FIELDS_IDLE)
SHAPE(system_idle_state, "sys_stats.cpuidle_state.state", FIELDS_IDLE_STATE)

/* Words of the kernel by their numbers, from 1. */
static const char memory_names[] =
	"MemTotal,MemFree,MemAvailable,Buffers,Cached,SwapCached,Active,Inactive,Active(anon),"
	"Inactive(anon),Active(file),Inactive(file),Unevictable,Mlocked,SwapTotal,SwapFree,Dirty,Writeback,"
	"AnonPages,Mapped,Shmem,Slab,SReclaimable,SUnreclaim,KernelStack,PageTables,CommitLimit,"
	"Committed_AS,VmallocTotal,VmallocUsed,VmallocChunk,CmaTotal,CmaFree,Gpu,Zram,Misc,IonHeap,"
	"IonHeapPool";
static const char page_names[] =
	"nr_free_pages,nr_alloc_batch,nr_inactive_anon,nr_active_anon,nr_inactive_file,nr_active_file,"
	"nr_unevictable,nr_mlock,nr_anon_pages,nr_mapped,nr_file_pages,nr_dirty,nr_writeback,"
	"nr_slab_reclaimable,nr_slab_unreclaimable,nr_page_table_pages,nr_kernel_stack,nr_overhead,"
	"nr_unstable,nr_bounce,nr_vmscan_write,nr_vmscan_immediate_reclaim,nr_writeback_temp,"
	"nr_isolated_anon,nr_isolated_file,nr_shmem,nr_dirtied,nr_written,nr_pages_scanned,"
	"workingset_refault,workingset_activate,workingset_nodereclaim,nr_anon_transparent_hugepages,"
	"nr_free_cma,nr_swapcache,nr_dirty_threshold,nr_dirty_background_threshold,pgpgin,pgpgout,"
	"pgpgoutclean,pswpin,pswpout,pgalloc_dma,pgalloc_normal,pgalloc_movable,pgfree,pgactivate,"
	"pgdeactivate,pgfault,pgmajfault,pgrefill_dma,pgrefill_normal,pgrefill_movable,pgsteal_kswapd_dma,"
	"pgsteal_kswapd_normal,pgsteal_kswapd_movable,pgsteal_direct_dma,pgsteal_direct_normal,"
	"pgsteal_direct_movable,pgscan_kswapd_dma,pgscan_kswapd_normal,pgscan_kswapd_movable,"
	"pgscan_direct_dma,pgscan_direct_normal,pgscan_direct_movable,pgscan_direct_throttle,pginodesteal,"
	"slabs_scanned,kswapd_inodesteal,kswapd_low_wmark_hit_quickly,kswapd_high_wmark_hit_quickly,"
	"pageoutrun,allocstall,pgrotated,drop_pagecache,drop_slab,pgmigrate_success,pgmigrate_fail,"
	"compact_migrate_scanned,compact_free_scanned,compact_isolated,compact_stall,compact_fail,"
	"compact_success,compact_daemon_wake,unevictable_pgs_culled,unevictable_pgs_scanned,"
	"unevictable_pgs_rescued,unevictable_pgs_mlocked,unevictable_pgs_munlocked,unevictable_pgs_cleared,"
	"unevictable_pgs_stranded,nr_zspages,nr_ion_heap,nr_gpu_heap,allocstall_dma,allocstall_movable,"
	"allocstall_normal,compact_daemon_free_scanned,compact_daemon_migrate_scanned,nr_fastrpc,"
	"nr_indirectly_reclaimable,nr_ion_heap_pool,nr_kernel_misc_reclaimable,nr_shadow_call_stack_bytes,"
	"nr_shmem_hugepages,nr_shmem_pmdmapped,nr_unreclaimable_pages,nr_zone_active_anon,"
	"nr_zone_active_file,nr_zone_inactive_anon,nr_zone_inactive_file,nr_zone_unevictable,"
	"nr_zone_write_pending,oom_kill,pglazyfree,pglazyfreed,pgrefill,pgscan_direct,pgscan_kswapd,"
	"pgskip_dma,pgskip_movable,pgskip_normal,pgsteal_direct,pgsteal_kswapd,swap_ra,swap_ra_hit,"
	"workingset_restore,allocstall_device,allocstall_dma32,balloon_deflate,balloon_inflate,"
	"balloon_migrate,cma_alloc_fail,cma_alloc_success,nr_file_hugepages,nr_file_pmdmapped,"
	"nr_foll_pin_acquired,nr_foll_pin_released,nr_sec_page_table_pages,nr_shadow_call_stack,"
	"nr_swapcached,nr_throttled_written,pgalloc_device,pgalloc_dma32,pgdemote_direct,pgdemote_kswapd,"
	"pgreuse,pgscan_anon,pgscan_file,pgskip_device,pgskip_dma32,pgsteal_anon,pgsteal_file,"
	"thp_collapse_alloc,thp_collapse_alloc_failed,thp_deferred_split_page,thp_fault_alloc,"
	"thp_fault_fallback,thp_fault_fallback_charge,thp_file_alloc,thp_file_fallback,"
	"thp_file_fallback_charge,thp_file_mapped,thp_migration_fail,thp_migration_split,"
	"thp_migration_success,thp_scan_exceed_none_pte,thp_scan_exceed_share_pte,thp_scan_exceed_swap_pte,"
	"thp_split_page,thp_split_page_failed,thp_split_pmd,thp_swpout,thp_swpout_fallback,"
	"thp_zero_page_alloc,thp_zero_page_alloc_failed,vma_lock_abort,vma_lock_miss,vma_lock_retry,"
	"vma_lock_success,workingset_activate_anon,workingset_activate_file,workingset_nodes,"
	"workingset_refault_anon,workingset_refault_file,workingset_restore_anon,workingset_restore_file";
static const char stall_names[] =
	"psi.cpu.some,psi.cpu.full,psi.io.some,psi.io.full,psi.mem.some,psi.mem.full";

bool
pf_level_named(struct perfetto *p, uint64_t time, const char *unit, double value, struct err *err)
{
	struct pf_about a = { .unit = str_of(unit) };

	return pf_text_word(p, &a.name, err) && pf_level(p, time - p->first, &a, value, err);
}

void
pf_counter_name(struct perfetto *p, const char *before, struct str name, const char *after)
{
	buf_set(&p->text, str_of(before), str_head(name, NAME_MOST), str_of(after));
}

/* Append the word with that number, from 1, to p->text; false: there is none. */
static bool
system_add_word(struct perfetto *p, const char *words, uint64_t number)
{
	struct str rest = str_of(words), word;

	while (number > 0 && str_split(&rest, ',', &word))
		if (--number == 0) {
			buf_str(&p->text, word);
			return true;
		}
	return false;
}

/* ---- memory and processors -------------------------------------------------------------------------- */

/* A message with two numbers: the key of a counter and its value. */
static bool
take_pair(struct perfetto *p, uint64_t time, const struct proto_field *f, struct err *err)
{
	static const struct pair_kind {
		const char *before, *words, *unknown, *after, *unit;
		double times;
	} kinds[] = {
		[1] = { "meminfo ", memory_names, "", "", "bytes", 1024 },
		[2] = { "", page_names, "vmstat ", "", "", 1 },
		[6] = { "num_irq (id: ", "", "", ")", "", 1 },
		[8] = { "num_softirq (id: ", "", "", ")", "", 1 },
		[14] = { "", stall_names, "psi ", "", "ns", 1 },
	};
	const struct pair_kind *kind = &kinds[f->number];
	struct pf_about a = { .unit = str_of(kind->unit) };
	struct system_pair pair;
	uint64_t key;

	if (!system_pair_read(f->in, &pair, NULL))
		return true;
	key = idmap_hash(idmap_hash(pair.key) ^ f->number) | 1;
	if ((a.name = idmap_get(&p->gpus.by_pair, key)) == 0) {
		PF_TEXT(p, "%s", kind->before);
		if (!system_add_word(p, kind->words, pair.key))
			buf_printf(&p->text, "%s%u", kind->unknown, (unsigned)pair.key);
		buf_text(&p->text, kind->after);
		if (!pf_text_word(p, &a.name, err) || !idmap_put(&p->gpus.by_pair, key, a.name, err))
			return false;
	}
	return pf_level(p, time - p->first, &a, (double)pair.value * kind->times, err);
}

static bool
take_number(struct perfetto *p, uint64_t time, const struct proto_field *f, struct err *err)
{
	static const char *const names[] = { [4] = "num_forks", [5] = "num_irq_total",
	    [7] = "num_softirq_total" };

	PF_TEXT(p, "%s", names[f->number]);
	return pf_level_named(p, time, "", (double)f->value, err);
}

static bool
take_cpu_times(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	static const char *const names[] = { "user", "nice", "system", "idle", "iowait", "irq", "softirq",
	    "steal" };
	struct system_cpu c;
	bool ok = system_cpu_read(in, &c, NULL);
	const uint64_t v[] = { c.user, c.nice, c.system, c.idle, c.iowait, c.irq, c.softirq, c.steal };

	for (unsigned i = 0; ok && i < NELEM(names); i++) {
		PF_TEXT(p, "cpu.times %s CPU %u", names[i], (unsigned)c.cpu);
		if (!pf_level_named(p, time, "", (double)v[i], err))
			return false;
	}
	return true;
}

/* Free pages of a zone, by their order. */
static bool
take_buddy(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	struct system_buddy b;
	unsigned order = 0;
	uint64_t pages;

	if (!system_buddy_read(in, &b, NULL))
		return true;
	SHAPE_NUMBERS(in, 3, pages) {
		if (order == BUDDY_ORDERS)
			break;
		PF_TEXT(p, "mem.buddyinfo[%.*s][%.*s][%u kB]", (int)str_head(b.node, 64).n, b.node.n > 0 ?
		    b.node.s : "", (int)str_head(b.zone, 64).n, b.zone.n > 0 ? b.zone.s : "", 4u << order++);
		if (!pf_level_named(p, time, "", (double)pages, err))
			return false;
	}
	return true;
}

/* A counter for each number of a list: of CPU 0, 1, ... */
static bool
take_speeds(struct perfetto *p, uint64_t time, const struct proto_walk *w, const char *what,
    unsigned *place, struct err *err)
{
	uint64_t v;

	SHAPE_NUMBERS(w->raw, (unsigned)w->f.number, v) {
		PF_TEXT(p, "%s %u", what, *place);
		if (*place < PF_CPUS && !pf_level_named(p, time, "", (double)v, err))
			return false;
		++*place;
	}
	return true;
}

static bool
take_device(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	struct system_device d;

	if (!system_device_read(in, &d, NULL))
		return true;
	pf_counter_name(p, "frequency ", d.name, "");
	return pf_level_named(p, time, "", (double)d.value, err);
}

/* Time in each idle state of a CPU. */
static bool
take_idle(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	struct system_idle_state state;
	struct system_idle idle;

	(void)system_idle_read(in, &idle, &p->unread);
	SHAPE_EACH(in, 2, each) {
		(void)system_idle_state_read(each, &state, &p->unread);
		PF_TEXT(p, "cpuidle%u.", (unsigned)idle.cpu);
		buf_str(&p->text, str_head(state.name, NAME_MOST));
		if (!pf_level_named(p, time, "us", (double)state.us, err))
			return false;
	}
	return true;
}

/* A zone is called by its type; one without it cannot be shown. */
static bool
take_thermal_zone(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	struct system_zone zone;

	(void)system_zone_read(in, &zone, &p->unread);
	if (zone.type.n == 0 || !zone.has_degrees) {
		unread_add_member(&p->unread, STR("sys_stats"), "thermal_zone");
		return true;
	}
	pf_counter_name(p, "", zone.type, "");
	return pf_level_named(p, time, "C", (double)zone.degrees, err);
}

/* ---- disks --------------------------------------------------------------------------------------------- */

static bool
disk_level(struct perfetto *p, uint64_t time, struct str disk, const char *what, const char *unit,
    double value, struct err *err)
{
	pf_counter_name(p, "diskstat.[", disk, "].");
	buf_text(&p->text, what);
	return pf_level_named(p, time, unit, value, err);
}

/* Show the changes since the previous sample of the disk.  Its first sample shows nothing. */
static bool
take_disk(struct perfetto *p, uint64_t time, struct str in, struct err *err)
{
	static const char *const names[][2] = { { "read_amount", "read_throughput" },
	    { "write_amount", "write_throughput" }, { "discard_amount", "discard_throughput" } };
	uint64_t before = p->gpus.ndisks, *last;
	struct system_disk d;
	double step[DISK_VALUES];
	bool ok = system_disk_read(in, &d, &p->unread);
	const uint64_t new[DISK_VALUES] = { d.read, d.read_ms, d.written, d.write_ms, d.discarded,
	    d.discard_ms, d.flushes, d.flush_ms };

	if (!ok)
		return true;
	if ((last = PF_ENTRY(p->gpus, by_disk, idmap_hash_text(d.name, 1) | 1, disks, new, "disks",
	    err)) == NULL)
		return false;
	if (p->gpus.ndisks > before)
		return true;
	for (unsigned i = 0; i < DISK_VALUES; i++)
		step[i] = (double)new[i] - (double)last[i];
	memcpy(last, new, sizeof new);
	for (unsigned i = 0; ok && i < NELEM(names); i++) {
		double mb = step[2 * i] / SECTORS_PER_MB, ms = step[2 * i + 1];

		ok = disk_level(p, time, d.name, names[i][0], "MB", mb, err) &&
		    disk_level(p, time, d.name, names[i][1], "MB/s", ms > 0 ? mb * 1000 / ms : 0, err);
	}
	return ok && disk_level(p, time, d.name, "flush_amount", "", step[6], err) &&
	    disk_level(p, time, d.name, "flush_time", "ms", step[7], err);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

bool
pf_play_system(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	static bool (*const takers[])(struct perfetto *, uint64_t, struct str, struct err *) = {
		[3] = take_cpu_times, [10] = take_device, [12] = take_buddy, [13] = take_disk,
		[15] = take_thermal_zone, [16] = take_idle,
	};
	unsigned cpus = 0, gpus = 0;
	struct system_stats all;
	bool ok = true;

	(void)system_stats_read(m, &all, &p->unread);
	PROTO_EACH(m, w) {
		bool bytes = w.f.wire == PROTO_BYTES;

		switch (w.f.number) {
		case 1: case 2: case 6: case 8: case 14: ok = !bytes ||
		    take_pair(p, r->time, &w.f, err); break;
		case 4: case 5: case 7: ok = w.f.wire != PROTO_VARINT ||
		    take_number(p, r->time, &w.f, err); break;
		case 11: ok = take_speeds(p, r->time, &w, "cpufreq CPU", &cpus, err); break;
		case 17: ok = take_speeds(p, r->time, &w, "gpufreq", &gpus, err); break;
		default: ok = !bytes || w.f.number >= NELEM(takers) || takers[w.f.number] == NULL ||
		    takers[w.f.number](p, r->time, w.f.in, err); break;
		}
		if (!ok)
			return false;
	}
	return true;
}
