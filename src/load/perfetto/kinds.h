/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: the fields of TracePacket, one row each.
 *
 * READ(number, ID, name, when, rows, play, kept, holds): packets that are read.  rows makes rows of the
 * message; play plays them in order of time; holds: as of a field of messages.h.  ABOUT(number, ID, kept):
 * fields about the packet itself.  kept: a slice needs the field whatever its time, as later packets depend
 * on it.  OTHER(number, name): packets that are only counted by name; KEPT: those that a slice needs.
 */
#ifndef LOAD_PERFETTO_KINDS_H
#define LOAD_PERFETTO_KINDS_H

#include "packets.h"

struct perfetto;
struct pf_row;
struct pf_now;
struct err;

/* Makes rows of a message; plays a row, with its message. */
typedef bool pf_rows_fn(struct perfetto *, const struct pf_now *, struct str message, struct err *);
typedef bool pf_play_fn(struct perfetto *, const struct pf_row *, struct str message, struct err *);

#define PF_READ(READ) \
	READ(1, FTRACE, ftrace_events, TIMED, rows_ftrace, NULL, false, OF(BUNDLE)) \
	READ(2, PROCESS_TREE, process_tree, TIMED, rows_tree, pf_tree, true, OF(TREE)) \
	READ(6, CLOCK_SNAPSHOT, clock_snapshot, AT_ONCE, rows_snapshot, NULL, true, OF(CLOCKS)) \
	READ(7, SYSTEM_STATS, sys_stats, TIMED, rows_of_time, pf_play_system, false, OF(SYSTEM_STATS)) \
	READ(9, PROCESS_STATS, process_stats, TIMED, \
	    rows_of_time, pf_play_stats, false, OF(STATS_OF_PROCESSES)) \
	READ(11, TRACK_EVENT, track_event, TIMED, pf_event_rows, NULL, false, OF(EVENT)) \
	READ(33, CONFIG, trace_config, AT_ONCE, rows_config, NULL, true, NONE) \
	READ(34, FTRACE_STATS, ftrace_stats, TIMED, rows_ftrace_stats, NULL, true, OF(FTRACE_STATS)) \
	READ(35, TRACE_STATS, trace_stats, AT_ONCE, rows_stats, NULL, true, OF(TRACE_STATS)) \
	READ(36, MARKER, synchronization_marker, AT_ONCE, rows_nothing, NULL, true, MARKER) \
	READ(37, PROFILE, profile_packet, TIMED, pf_heap_packet, pf_play_heap, false, OF(PROFILE)) \
	READ(38, BATTERY, battery, TIMED, rows_of_time, pf_play_battery, false, OF(BATTERY)) \
	READ(39, LOG, android_log, TIMED, pf_log_rows, pf_play_logged, false, OF(LOG)) \
	READ(40, RAILS, power_rails, TIMED, pf_rail_rows, NULL, false, OF(RAILS)) \
	READ(43, PROCESS, process_descriptor, TIMED, rows_tree, pf_play_process, true, OF(PROCESS)) \
	READ(44, THREAD, thread_descriptor, TIMED, rows_thread, pf_play_thread, true, OF(THREAD)) \
	READ(45, SYSTEM, system_info, IN_STATE, rows_machine, NULL, true, OF(SYSTEM)) \
	READ(47, PACKAGES, packages_list, AT_ONCE, rows_packages, NULL, true, OF(PACKAGES)) \
	READ(52, GPU, gpu_counter_event, TIMED, pf_gpu_rows, pf_play_gpu, false, OF(GPU)) \
	READ(54, STREAMING, streaming_profile_packet, TIMED, \
	    pf_streaming_rows, pf_play_streaming, false, OF(STREAM)) \
	READ(56, HEAP_GRAPH, heap_graph, AT_ONCE, pf_graph_packet, NULL, true, UNKNOWN) \
	READ(60, TRACK, track_descriptor, TIMED, rows_track, pf_play_descriptor, true, OF(TRACK)) \
	READ(61, SYMBOLS, module_symbols, TIMED, pf_symbols_packet, NULL, true, OF(MODULE)) \
	READ(64, DEOBFUSCATION, deobfuscation_mapping, TIMED, pf_symbols_packet, NULL, true, OF(RENAMED)) \
	READ(66, PERF, perf_sample, TIMED, rows_of_time, pf_play_perf, false, OF(PERF)) \
	READ(69, SERVICE, service_event, AT_ONCE, rows_service_event, NULL, true, OF(OTHER)) \
	READ(70, SCREEN, initial_display_state, TIMED, rows_of_time, pf_play_screen, false, OF(OTHER)) \
	READ(76, FRAME, frame_timeline_event, TIMED, rows_of_time, pf_play_frame, false, OF(FRAME_EVENT)) \
	READ(82, TRANSLATION, translation_table, AT_ONCE, pf_translation_packet, NULL, true, NONE) \
	READ(86, PROPERTIES, android_system_property, TIMED, \
	    rows_of_time, pf_play_properties, false, OF(PROPERTIES)) \
	READ(89, UUID, trace_uuid, FIRST, rows_trace, NULL, true, OF(OTHER)) \
	READ(90, RANGE, track_event_range_of_interest, TIMED, rows_range_start, NULL, true, OF(OTHER)) \
	READ(117, GENERIC_TASK, generic_kernel_task_state_event, TIMED, \
	    rows_generic, pf_play_generic, false, OF(GENERIC_TASK)) \
	READ(118, GENERIC_FREQUENCY, generic_kernel_cpu_freq_event, TIMED, \
	    rows_generic, pf_play_generic, false, OF(OTHER)) \
	READ(120, GENERIC_RENAME, generic_kernel_task_rename_event, TIMED, \
	    rows_generic, pf_play_generic, true, OF(GENERIC_RENAME)) \
	READ(122, GENERIC_TREE, generic_kernel_process_tree, TIMED, \
	    rows_generic, pf_play_generic, true, OF(GENERIC_TREE)) \
	READ(131, ART, art_process_metadata, AT_ONCE, pf_graph_art, NULL, true, UNKNOWN) \
	READ(135, STACK, stack_sample, TIMED, rows_of_time, pf_play_stack, false, OF(STACK_SAMPLE))

#define PF_ABOUT(ABOUT) \
	ABOUT(3, UID, false) ABOUT(8, TIME, false) ABOUT(10, SEQUENCE, false) ABOUT(12, INTERNED, true) ABOUT(13, \
	    FLAGS, false) \
	ABOUT(41, CLEARED, true) ABOUT(42, DROPPED, true) ABOUT(58, CLOCK, false) ABOUT(59, DEFAULTS, \
	    true) ABOUT(79, PID, false) \
	ABOUT(87, FIRST, false) ABOUT(98, MACHINE, false)

#define PF_OTHER(OTHER) OTHER(4, inode_file_map) OTHER(5, chrome_events) OTHER(46, trigger) \
	OTHER(48, chrome_benchmark_metadata) OTHER(49, perfetto_metatrace) OTHER(50, compressed_packets) \
	OTHER(51, chrome_metadata) OTHER(53, gpu_render_stage_event) \
	OTHER(57, graphics_frame_event) OTHER(63, gpu_log) OTHER(65, vulkan_api_event) OTHER(67, cpu_info) \
	OTHER(68, smaps_packet) OTHER(71, gpu_mem_total_event) OTHER(72, extension_descriptor) \
	OTHER(73, memory_tracker_snapshot) OTHER(74, streaming_allocation) OTHER(75, streaming_free) \
	OTHER(77, android_energy_estimation_breakdown) OTHER(78, ui_state) \
	OTHER(83, android_game_intervention_list) OTHER(84, statsd_atom) OTHER(88, network_packet) \
	OTHER(91, entity_state_residency) OTHER(92, network_packet_bundle) \
	OTHER(93, surfaceflinger_layers_snapshot) OTHER(94, surfaceflinger_transactions) \
	OTHER(95, etw_events) OTHER(96, shell_transition) OTHER(97, shell_handler_mappings) \
	OTHER(99, v8_js_code) OTHER(100, v8_internal_code) OTHER(101, v8_wasm_code) \
	OTHER(102, v8_reg_exp_code) OTHER(103, v8_code_move) OTHER(104, protolog_message) \
	OTHER(105, protolog_viewer_config) OTHER(107, remote_clock_sync) OTHER(109, chrome_trigger) \
	OTHER(110, pixel_modem_events) OTHER(111, pixel_modem_token_database) \
	OTHER(112, winscope_extensions) OTHER(113, clone_snapshot_trigger) \
	OTHER(114, bluetooth_trace_event) OTHER(115, kernel_wakelock_data) OTHER(116, app_wakelock_bundle) \
	OTHER(119, cpu_per_uid_data) OTHER(121, evdev_event) OTHER(123, user_list) \
	OTHER(124, trace_provenance) OTHER(125, protovms) OTHER(126, trace_attributes) \
	OTHER(127, android_aflags) OTHER(128, gpu_info) OTHER(129, generic_gpu_frequency_event) \
	OTHER(130, interrupt_info) OTHER(132, journald_event) OTHER(134, concurrent_session_event)

#define PF_KEPT(KEPT) KEPT(62, vulkan_memory_event) KEPT(133, zstd_compressed_packets)

enum pf_packet_field {
#define PF_ID(number, ID, ...) PKT_##ID = (number),
	PF_READ(PF_ID)
	PF_ABOUT(PF_ID)
#undef PF_ID
	PKT_ZLIB = 50, PKT_ZSTD = 133
};

/*
 * When rows are made: before the state of the sequence is known, as soon as it is, if it is valid, or once
 * the time is known as well.
 */
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
