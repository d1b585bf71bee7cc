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

/* Fields of packets that are read, and of messages inside them.  "": no content of its own, or another reader shows it. */
static const struct {
	uint8_t		 packet;
	uint16_t	 inside, number;
	const char	*name;
} fields[PF_UNREAD_FIELDS] = {
	{ PKT_TRACK_EVENT, 0, 33, "source_location" }, { PKT_TRACK_EVENT, 0, 34, "source_location" },
	{ PKT_TRACK_EVENT, 0, 52, "correlation_id" }, { PKT_TRACK_EVENT, 0, 53, "correlation_id" }, { PKT_TRACK_EVENT, 0, 54, "correlation_id" },
	{ PKT_TRACK_EVENT, 0, 55, "callstack" }, { PKT_TRACK_EVENT, 0, 56, "callstack" }, { PKT_TRACK_EVENT, 0, 57, "callstack_weight" },
	{ PKT_TRACK_EVENT, 0, 5, "task_execution" }, { PKT_TRACK_EVENT, 0, 8, "thread_instruction_count" },
	{ PKT_TRACK_EVENT, 0, 20, "thread_instruction_count" }, { PKT_TRACK_EVENT, 0, 24, "cc_scheduler_state" },
	{ PKT_TRACK_EVENT, 0, 25, "chrome_user_event" }, { PKT_TRACK_EVENT, 0, 26, "chrome_keyed_service" },
	{ PKT_TRACK_EVENT, 0, 27, "chrome_legacy_ipc" }, { PKT_TRACK_EVENT, 0, 28, "chrome_histogram_sample" },
	{ PKT_TRACK_EVENT, 0, 29, "chrome_latency_info" }, { PKT_TRACK_EVENT, 0, 32, "chrome_frame_reporter" },
	{ PKT_TRACK_EVENT, 0, 35, "chrome_message_pump" }, { PKT_TRACK_EVENT, 0, 38, "chrome_mojo_event_info" },
	{ PKT_TRACK_EVENT, 0, 39, "chrome_application_state_info" }, { PKT_TRACK_EVENT, 0, 40, "chrome_renderer_scheduler_state" },
	{ PKT_TRACK_EVENT, 0, 41, "chrome_window_handle_event_info" }, { PKT_TRACK_EVENT, 0, 43, "chrome_content_settings_event_info" },
	{ PKT_TRACK_EVENT, 0, 49, "chrome_active_processes" }, { PKT_TRACK_EVENT, 0, 50, "screenshot" },
	{ PKT_TRACK_EVENT, 6, 7, "legacy_event.id_scope" }, { PKT_TRACK_EVENT, 6, 9, "" }, { PKT_TRACK_EVENT, 6, 13, "legacy_event.flow_direction" },
	{ PKT_FRAME, 4, 11, "actual_surface_frame.is_buffer" }, { PKT_PERF, 0, 5, "" }, { PKT_PERF, 0, 7, "follower_counts" },
	{ PKT_PERF, 0, 16, "unwind_error" }, { PKT_STACK, 0, 3, "execution_context" }, { PKT_STACK, 0, 4, "execution_context" },
	{ PKT_STACK, 0, 7, "unwind_error" }, { PKT_STACK, 0, 8, "unwind_error" }, { PKT_STACK, 0, 12, "follower_descriptors" },
	{ PKT_STACK, 0, 13, "follower_descriptors" }, { PKT_STACK, 0, 14, "follower_weights" },
	{ PKT_LOG, 0, 2, "stats" }, { PKT_LOG, 1, 1, "events.log_id" }, { PKT_LOG, 1, 4, "events.uid" },
	{ PKT_SYSTEM_STATS, 0, 9, "" }, { PKT_SYSTEM_STATS, 0, 13, "disk_stat" }, { PKT_SYSTEM_STATS, 0, 14, "psi" },
	{ PKT_SYSTEM_STATS, 0, 15, "thermal_zone" }, { PKT_SYSTEM_STATS, 0, 16, "cpuidle_state" },
	{ PKT_PROCESS_STATS, 0, 1, "" }, { PKT_PROCESS_STATS, 0, 11, "threads" }, { PKT_PROCESS_STATS, 0, 15, "fds" },
	{ PKT_PROCESS_STATS, 0, 21, "runtime_user" }, { PKT_PROCESS_STATS, 0, 22, "runtime_kernel" },
	{ PKT_INTERNED, 0, 22, "vulkan_memory_keys" }, { PKT_INTERNED, 0, 23, "graphics_contexts" }, { PKT_INTERNED, 0, 24, "gpu_specifications" },
	{ PKT_INTERNED, 0, 25, "histogram_names" }, { PKT_INTERNED, 0, 27, "" }, { PKT_INTERNED, 0, 28, "unsymbolized_source_locations" },
	{ PKT_INTERNED, 0, 30, "packet_context" }, { PKT_INTERNED, 0, 31, "v8_js_function_name" }, { PKT_INTERNED, 0, 32, "v8_js_function" },
	{ PKT_INTERNED, 0, 33, "v8_js_script" }, { PKT_INTERNED, 0, 34, "v8_wasm_script" }, { PKT_INTERNED, 0, 35, "v8_isolate" },
	{ PKT_INTERNED, 0, 43, "correlation_id_str" }, { PKT_INTERNED, 0, 49, "stack_sample_execution_contexts" },
	{ PKT_INTERNED, 0, 51, "stack_sample_async_context_descriptors" }, { PKT_DEFAULTS, 0, 99, "v8_code_defaults" },
	{ PKT_TRACK, 0, 11, "" }, { PKT_TRACK, 0, 12, "" }, { PKT_TRACK, 0, 14, "description" }, { PKT_TRACK, 0, 15, "" }, { PKT_TRACK, 0, 16, "" },
	{ PKT_TRACK, 0, 17, "" }, { PKT_TRACK, 0, 19, "" }, { PKT_TRACK, 0, 20, "" },
	{ PKT_TRACK, 3, 2, "process.cmdline" }, { PKT_TRACK, 3, 3, "" }, { PKT_TRACK, 3, 5, "process.process_priority" },
	{ PKT_TRACK, 3, 7, "process.start_timestamp_ns" }, { PKT_TRACK, 3, 8, "process.process_labels" },
	{ PKT_TRACK, 4, 3, "" }, { PKT_TRACK, 4, 8, "" }, { PKT_TRACK, 6, 2, "chrome_process.process_priority" }, { PKT_TRACK, 6, 3, "" },
	{ PKT_TRACK, 6, 4, "chrome_process.host_app_package_name" }, { PKT_TRACK, 6, 5, "chrome_process.crash_trace_id" },
	{ PKT_TRACK, 7, 2, "" }, { PKT_TRACK, 7, 3, "chrome_thread.is_sandboxed_tid" }, { PKT_TRACK, 8, 2, "counter.categories" },
	{ PKT_TRACK, 8, 7, "" }, { PKT_THREAD, 0, 3, "" }, { PKT_THREAD, 0, 8, "" },
	{ PKT_PROCESS_TREE, 0, 3, "" }, { PKT_PROCESS_TREE, 1, 6, "processes.nspid" }, { PKT_PROCESS_TREE, 1, 7, "processes.process_start_from_boot" },
	{ PKT_PROCESS_TREE, 2, 4, "threads.nstid" }, { PKT_GPU, PF_INSIDE(1, 1), 3, "specs.description" },
	{ PKT_GPU, PF_INSIDE(1, 1), 5, "specs.peak_value" }, { PKT_GPU, PF_INSIDE(1, 1), 6, "specs.peak_value" },
	{ PKT_GPU, PF_INSIDE(1, 1), 7, "specs.numerator_units" }, { PKT_GPU, PF_INSIDE(1, 1), 8, "specs.denominator_units" },
	{ PKT_GPU, PF_INSIDE(1, 1), 9, "" }, { PKT_GPU, PF_INSIDE(1, 1), 10, "" },
	{ PKT_PROFILE, 5, 3, "process_dumps.from_startup" }, { PKT_PROFILE, 5, 5, "process_dumps.stats" }, { PKT_PROFILE, 5, 9, "" },
	{ PKT_PROFILE, 5, 12, "process_dumps.sampling_interval_bytes" }, { PKT_PROFILE, 5, 14, "process_dumps.client_error" },
	{ PKT_PROFILE, 5, 15, "process_dumps.start_timestamp" },
};

static const char *
message_name(unsigned packet)
{
	return packet == PKT_INTERNED ? "interned_data" : packet == PKT_DEFAULTS ? "trace_packet_defaults" : packet_names[packet];
}

void
pf_unread_field(struct perfetto *p, unsigned packet, unsigned inside, uint64_t number)
{
	char text[UNREAD_NAME];
	size_t i = 0;
	int n;

	while (i < NELEM(fields) && (fields[i].packet != packet || fields[i].inside != inside || fields[i].number != number))
		i++;
	if (i < NELEM(fields)) {
		p->fields[i]++;
		return;
	}
	assert(packet < PF_PACKETS && message_name(packet) != NULL);
	n = snprintf(text, sizeof text, "%s.", message_name(packet));
	for (unsigned shift = 16; shift > 0; shift -= 8)
		if (inside >> (shift - 8) != 0)
			n += snprintf(text + n, sizeof text - (size_t)n, "%u.", inside >> (shift - 8) & 255);
	n += snprintf(text + n, sizeof text - (size_t)n, "%" PRIu64, number);
	unread_add(&p->unread, UNREAD_FIELD, (struct str){ text, (size_t)n }, 1);
}

void
pf_unread_rest(struct perfetto *p, unsigned packet, unsigned inside, struct str m, uint64_t known)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		pf_unless_known(p, packet, inside, f.number, known);
}

bool
pf_unread_facts(struct perfetto *p, struct err *err)
{
	struct unread *u = &p->unread;
	char text[24], name[UNREAD_NAME];

	for (unsigned i = 0; i < PF_PACKETS; i++)
		if (p->packets[i] > 0 && !pf_packet_read(i) && i != PKT_ZLIB)
			unread_add(u, UNREAD_PACKET, packet_name(i, text, sizeof text), p->packets[i]);
	for (size_t i = 0; i < NELEM(fields); i++)
		if (p->fields[i] > 0 && fields[i].name[0] != '\0')
			unread_add(u, UNREAD_FIELD, (struct str){ name, (size_t)snprintf(name, sizeof name, "%s.%s", message_name(fields[i].packet),
			    fields[i].name) }, p->fields[i]);
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
