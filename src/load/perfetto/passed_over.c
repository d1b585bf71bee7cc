/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * passed_over: packets and kernel events that icecore does not show, counted by kind.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ftrace.h"

/* Names of packets by their field of TracePacket. */
static const char *const packet_names[PF_PACKETS] = {
	[1] = "ftrace_events", [2] = "process_tree", [4] = "inode_file_map", [5] = "chrome_events", [6] = "clock_snapshot", [7] = "sys_stats",
	[9] = "process_stats", [11] = "track_event", [33] = "trace_config", [34] = "ftrace_stats", [35] = "trace_stats",
	[36] = "synchronization_marker", [37] = "profile_packet", [38] = "battery", [39] = "android_log", [40] = "power_rails",
	[43] = "process_descriptor", [44] = "thread_descriptor", [45] = "system_info", [46] = "trigger", [47] = "packages_list",
	[48] = "chrome_benchmark_metadata", [49] = "perfetto_metatrace", [50] = "compressed_packets", [51] = "chrome_metadata",
	[52] = "gpu_counter_event", [53] = "gpu_render_stage_event", [54] = "streaming_profile_packet", [56] = "heap_graph",
	[57] = "graphics_frame_event", [60] = "track_descriptor", [61] = "module_symbols", [62] = "vulkan_memory_event", [63] = "gpu_log",
	[64] = "deobfuscation_mapping", [65] = "vulkan_api_event", [66] = "perf_sample", [67] = "cpu_info", [68] = "smaps_packet",
	[69] = "service_event", [70] = "initial_display_state", [71] = "gpu_mem_total_event", [72] = "extension_descriptor",
	[73] = "memory_tracker_snapshot", [74] = "streaming_allocation", [75] = "streaming_free", [76] = "frame_timeline_event",
	[77] = "android_energy_estimation_breakdown", [78] = "ui_state", [82] = "translation_table", [83] = "android_game_intervention_list",
	[84] = "statsd_atom", [86] = "android_system_property", [88] = "network_packet", [89] = "trace_uuid",
	[90] = "track_event_range_of_interest", [91] = "entity_state_residency", [92] = "network_packet_bundle",
	[93] = "surfaceflinger_layers_snapshot", [94] = "surfaceflinger_transactions", [95] = "etw_events", [96] = "shell_transition",
	[97] = "shell_handler_mappings", [99] = "v8_js_code", [100] = "v8_internal_code", [101] = "v8_wasm_code", [102] = "v8_reg_exp_code",
	[103] = "v8_code_move", [104] = "protolog_message", [105] = "protolog_viewer_config", [107] = "remote_clock_sync",
	[109] = "chrome_trigger", [110] = "pixel_modem_events", [111] = "pixel_modem_token_database", [112] = "winscope_extensions",
	[113] = "clone_snapshot_trigger", [114] = "bluetooth_trace_event", [115] = "kernel_wakelock_data", [116] = "app_wakelock_bundle",
	[117] = "generic_kernel_task_state_event", [118] = "generic_kernel_cpu_freq_event", [119] = "cpu_per_uid_data",
	[120] = "generic_kernel_task_rename_event", [121] = "evdev_event", [122] = "generic_kernel_process_tree", [123] = "user_list",
	[124] = "trace_provenance", [125] = "protovms", [126] = "trace_attributes", [127] = "android_aflags", [128] = "gpu_info",
	[129] = "generic_gpu_frequency_event", [130] = "interrupt_info", [131] = "art_process_metadata", [132] = "journald_event",
	[133] = "zstd_compressed_packets", [134] = "concurrent_session_event", [135] = "stack_sample"
};

/* Packets that are read. */
static const uint8_t read_kinds[] = { PKT_FTRACE, PKT_PROCESS_TREE, PKT_CLOCK_SNAPSHOT, PKT_PROCESS_STATS, PKT_TRACK_EVENT, PKT_FTRACE_STATS,
	PKT_CONFIG, PKT_PACKAGES,
	PKT_TRACE_STATS, PKT_MARKER, PKT_LOG, PKT_THREAD, PKT_SYSTEM, PKT_TRACK, PKT_SERVICE, PKT_UUID, PKT_RANGE,
	PKT_SYSTEM_STATS, PKT_BATTERY, PKT_RAILS, PKT_SCREEN, PKT_FRAME, PKT_PROPERTIES, PKT_PERF,
	PKT_PROFILE, PKT_GPU, PKT_STREAMING, PKT_SYMBOLS, PKT_DEOBFUSCATION, PKT_STACK, PKT_GENERIC_TASK,
	PKT_GENERIC_FREQUENCY, PKT_GENERIC_RENAME, PKT_GENERIC_TREE };

bool
pf_packet_read(uint64_t number)
{
	return number < PF_PACKETS && memchr(read_kinds, (int)number, sizeof read_kinds) != NULL;
}

bool
pf_packet_named(uint64_t number)
{
	return number < PF_PACKETS && packet_names[number] != NULL;
}

/* The name of a kind of packets, or its number. */
static struct str
packet_name(uint64_t number, char *text, size_t size)
{
	return pf_packet_named(number) ? str_of(packet_names[number]) :
	    (struct str){ text, (size_t)snprintf(text, size, "%" PRIu64, number) };
}

void
pf_skip_packet(struct perfetto *p, uint64_t number)
{
	unread_add_number(&p->unread, UNREAD_PACKET, number, 1);
}

void
pf_skip_event(struct perfetto *p, uint32_t kind)
{
	if (kind < PF_EVENT_KINDS)
		p->events[kind]++;
	else
		unread_add_number(&p->unread, UNREAD_KERNEL, kind, 1);
}

bool
pf_unread_facts(struct perfetto *p, struct err *err)
{
	struct unread *u = &p->unread;
	char text[24];

	for (unsigned i = 0; i < PF_PACKETS; i++)
		if (p->packets[i] > 0 && !pf_packet_read(i) && i != PKT_ZLIB)
			unread_add(u, UNREAD_PACKET, packet_name(i, text, sizeof text), p->packets[i]);
	unread_add_letters(u, p->phases);
	for (uint32_t i = 0; i < PF_EVENT_KINDS; i++)
		if (p->events[i] > 0 && pf_event_name(i) != NULL)
			unread_add(u, UNREAD_KERNEL, str_of(pf_event_name(i)), p->events[i]);
		else if (p->events[i] > 0)
			unread_add_number(u, UNREAD_KERNEL, i, p->events[i]);
	return unread_facts(u, p->l->st, err);
}

bool
pf_nothing(const struct perfetto *p, struct err *err)
{
	char text[256] = "", number[24];
	struct str name;
	size_t n = 0;
	bool unread = false;

	if (p->npackets == 0)
		return fail(err, E_UNREADABLE, "no packets in this trace");
	if (p->packets[PKT_HEAP_GRAPH] > 0)
		return fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE, "only Java heap dumps (heap_graph) in this trace; icecore does not open these yet");
	if (p->packets[PKT_ZSTD] > 0)
		return fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE, "packets of this trace are compressed by zstd, which icecore does not support; record without compression");
	/* Those that are not read explain it best. */
	for (unsigned i = 0; i < PF_PACKETS; i++)
		unread = unread || (p->packets[i] > 0 && !pf_packet_read(i) && i != PKT_ZLIB);
	for (unsigned i = 0; i < PF_PACKETS && n < sizeof text - 112; i++) {
		if (p->packets[i] == 0 || (unread && pf_packet_read(i)) || i == PKT_ZLIB)
			continue;
		name = packet_name(i, number, sizeof number);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%llu of %.*s", n == 0 ? "" : ", ", (unsigned long long)p->packets[i],
		    (int)name.n, name.s);
	}
	return n == 0 ? fail(err, E_UNREADABLE, "no events in this trace that icecore reads") :
	    fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE, "no events in this trace that icecore reads; %spackets: %s", unread ? "unread " : "", text);
}
