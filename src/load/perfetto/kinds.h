/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: the fields of TracePacket, one row each.
 *
 * READ(number, ID, name, when, rows, play, kept): packets that are read.  rows makes rows of the message; play plays them in order of
 * time.  OTHER(number, name, kept): packets that are only counted by name.  ABOUT(number, ID, kept): fields about the packet itself.
 * kept: a slice needs the field whatever its time, as later packets depend on it.
 */
#ifndef LOAD_PERFETTO_KINDS_H
#define LOAD_PERFETTO_KINDS_H

#include "packets.h"

struct perfetto;
struct pf_row;
struct err;

#define PF_READ(READ) \
	READ(1, FTRACE, ftrace_events, TIMED, rows_ftrace, NULL, false) \
	READ(2, PROCESS_TREE, process_tree, TIMED, rows_tree, pf_tree, true) \
	READ(6, CLOCK_SNAPSHOT, clock_snapshot, AT_ONCE, rows_snapshot, NULL, true) \
	READ(7, SYSTEM_STATS, sys_stats, TIMED, rows_of_time, pf_play_system, false) \
	READ(9, PROCESS_STATS, process_stats, TIMED, rows_of_time, pf_play_stats, false) \
	READ(11, TRACK_EVENT, track_event, TIMED, pf_event_rows, NULL, false) \
	READ(33, CONFIG, trace_config, AT_ONCE, rows_config, NULL, true) \
	READ(34, FTRACE_STATS, ftrace_stats, TIMED, rows_ftrace_stats, NULL, true) \
	READ(35, TRACE_STATS, trace_stats, AT_ONCE, rows_stats, NULL, true) \
	READ(36, MARKER, synchronization_marker, AT_ONCE, rows_nothing, NULL, true) \
	READ(37, PROFILE, profile_packet, TIMED, rows_profile, pf_play_heap, false) \
	READ(38, BATTERY, battery, TIMED, rows_of_time, pf_play_battery, false) \
	READ(39, LOG, android_log, TIMED, pf_log_rows, pf_play_logged, false) \
	READ(40, RAILS, power_rails, TIMED, rows_rails, NULL, false) \
	READ(44, THREAD, thread_descriptor, TIMED, rows_thread, pf_play_thread, true) \
	READ(45, SYSTEM, system_info, IN_STATE, rows_machine, NULL, true) \
	READ(47, PACKAGES, packages_list, AT_ONCE, rows_packages, NULL, true) \
	READ(52, GPU, gpu_counter_event, TIMED, pf_gpu_rows, pf_play_gpu, false) \
	READ(54, STREAMING, streaming_profile_packet, TIMED, rows_streaming, pf_play_streaming, false) \
	READ(60, TRACK, track_descriptor, TIMED, rows_track, pf_play_descriptor, true) \
	READ(61, SYMBOLS, module_symbols, TIMED, rows_symbols, NULL, true) \
	READ(64, DEOBFUSCATION, deobfuscation_mapping, TIMED, rows_symbols, NULL, true) \
	READ(66, PERF, perf_sample, TIMED, rows_of_time, pf_play_perf, false) \
	READ(69, SERVICE, service_event, AT_ONCE, rows_service_event, NULL, true) \
	READ(70, SCREEN, initial_display_state, TIMED, rows_of_time, pf_play_screen, false) \
	READ(76, FRAME, frame_timeline_event, TIMED, rows_of_time, pf_play_frame, false) \
	READ(86, PROPERTIES, android_system_property, TIMED, rows_of_time, pf_play_properties, false) \
	READ(89, UUID, trace_uuid, FIRST, rows_trace, NULL, true) \
	READ(90, RANGE, track_event_range_of_interest, TIMED, rows_range_start, NULL, true) \
	READ(117, GENERIC_TASK, generic_kernel_task_state_event, TIMED, rows_generic, pf_play_generic, false) \
	READ(118, GENERIC_FREQUENCY, generic_kernel_cpu_freq_event, TIMED, rows_generic, pf_play_generic, false) \
	READ(120, GENERIC_RENAME, generic_kernel_task_rename_event, TIMED, rows_generic, pf_play_generic, true) \
	READ(122, GENERIC_TREE, generic_kernel_process_tree, TIMED, rows_generic, pf_play_generic, true) \
	READ(135, STACK, stack_sample, TIMED, rows_of_time, pf_play_stack, false)

#define PF_ABOUT(ABOUT) \
	ABOUT(3, UID, false) ABOUT(8, TIME, false) ABOUT(10, SEQUENCE, false) ABOUT(12, INTERNED, true) ABOUT(13, FLAGS, false) \
	ABOUT(41, CLEARED, true) ABOUT(42, DROPPED, true) ABOUT(58, CLOCK, false) ABOUT(59, DEFAULTS, true) ABOUT(79, PID, false) \
	ABOUT(87, FIRST, false) ABOUT(98, MACHINE, false)

#define PF_OTHER(OTHER) \
	OTHER(4, inode_file_map, false) OTHER(5, chrome_events, false) OTHER(43, process_descriptor, true) OTHER(46, trigger, false) \
	OTHER(48, chrome_benchmark_metadata, false) OTHER(49, perfetto_metatrace, false) OTHER(50, compressed_packets, false) \
	OTHER(51, chrome_metadata, false) OTHER(53, gpu_render_stage_event, false) OTHER(56, heap_graph, false) \
	OTHER(57, graphics_frame_event, false) OTHER(62, vulkan_memory_event, true) OTHER(63, gpu_log, false) \
	OTHER(65, vulkan_api_event, false) OTHER(67, cpu_info, false) OTHER(68, smaps_packet, false) \
	OTHER(71, gpu_mem_total_event, false) OTHER(72, extension_descriptor, false) OTHER(73, memory_tracker_snapshot, false) \
	OTHER(74, streaming_allocation, false) OTHER(75, streaming_free, false) OTHER(77, android_energy_estimation_breakdown, false) \
	OTHER(78, ui_state, false) OTHER(82, translation_table, false) OTHER(83, android_game_intervention_list, false) \
	OTHER(84, statsd_atom, false) OTHER(88, network_packet, false) OTHER(91, entity_state_residency, false) \
	OTHER(92, network_packet_bundle, false) OTHER(93, surfaceflinger_layers_snapshot, false) \
	OTHER(94, surfaceflinger_transactions, false) OTHER(95, etw_events, false) OTHER(96, shell_transition, false) \
	OTHER(97, shell_handler_mappings, false) OTHER(99, v8_js_code, false) OTHER(100, v8_internal_code, false) \
	OTHER(101, v8_wasm_code, false) OTHER(102, v8_reg_exp_code, false) OTHER(103, v8_code_move, false) \
	OTHER(104, protolog_message, false) OTHER(105, protolog_viewer_config, false) OTHER(107, remote_clock_sync, false) \
	OTHER(109, chrome_trigger, false) OTHER(110, pixel_modem_events, false) OTHER(111, pixel_modem_token_database, false) \
	OTHER(112, winscope_extensions, false) OTHER(113, clone_snapshot_trigger, false) OTHER(114, bluetooth_trace_event, false) \
	OTHER(115, kernel_wakelock_data, false) OTHER(116, app_wakelock_bundle, false) OTHER(119, cpu_per_uid_data, false) \
	OTHER(121, evdev_event, false) OTHER(123, user_list, false) OTHER(124, trace_provenance, false) OTHER(125, protovms, false) \
	OTHER(126, trace_attributes, false) OTHER(127, android_aflags, false) OTHER(128, gpu_info, false) \
	OTHER(129, generic_gpu_frequency_event, false) OTHER(130, interrupt_info, false) OTHER(131, art_process_metadata, true) \
	OTHER(132, journald_event, false) OTHER(133, zstd_compressed_packets, true) OTHER(134, concurrent_session_event, false)

enum pf_packet_field {
#define PF_ID(number, ID, ...) PKT_##ID = (number),
	PF_READ(PF_ID)
	PF_ABOUT(PF_ID)
#undef PF_ID
	PKT_PROCESS = 43, PKT_ZLIB = 50, PKT_HEAP_GRAPH = 56, PKT_ZSTD = 133
};

/* When rows are made: before the state of the sequence is known, as soon as it is, if it is valid, or once the time is known as well. */
enum pf_when { PF_UNREAD, PF_FIRST, PF_AT_ONCE, PF_IN_STATE, PF_TIMED };

/* A packet, with what is known of it at that time. */
struct pf_now {
	const struct pf_packet *k;
	unsigned	number;		/* field of the message */
	uint32_t	sequence, state;
	int64_t		time;
	bool		last;		/* the whole trace was read: its clock stays unknown, if it is */
};

struct pf_kind {
	unsigned	 number;
	const char	*name;		/* NULL: about the packet */
	enum pf_when	 when;
	bool		 kept;
};

const struct pf_kind *pf_kind(uint64_t number);		/* packets.c; NULL: no known field */

#endif
