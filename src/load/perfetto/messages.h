/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * messages: the fields of Perfetto's messages.  Source: protos/perfetto/trace.
 *
 * Loaders make readers of these lists with SHAPE.  messages.c makes the table by which redaction knows what
 * texts are: a field whose kind does not say it is masked whole, except numbers.  Besides the kinds of
 * shape.h, fields have these: WHO, NAME, TEXT, KEY, WORD, RELEASE, STATE, MARK: a text, as of enum
 * perfetto_holds.  OF(MESSAGE): a message.  EACH(MESSAGE), PACKED, FIXED, VALUE: as NONE: repeated
 * messages, repeated numbers, a private number.  AS(HOLDS, KIND): what it holds is HOLDS, but a loader
 * takes it as KIND.
 */
#ifndef LOAD_PERFETTO_MESSAGES_H
#define LOAD_PERFETTO_MESSAGES_H

#include "icecore/shape.h"

#define SHAPE_IS_WHO SHAPE_IS_BYTES
#define SHAPE_IS_NAME SHAPE_IS_BYTES
#define SHAPE_IS_TEXT SHAPE_IS_BYTES
#define SHAPE_IS_KEY SHAPE_IS_BYTES
#define SHAPE_IS_WORD SHAPE_IS_BYTES
#define SHAPE_IS_RELEASE SHAPE_IS_BYTES
#define SHAPE_IS_STATE SHAPE_IS_BYTES
#define SHAPE_IS_OF(message) SHAPE_IS_BYTES
#define SHAPE_IS_EACH(message) SHAPE_IS_NONE
#define SHAPE_IS_PACKED SHAPE_IS_NONE
#define SHAPE_IS_FIXED SHAPE_IS_NONE
#define SHAPE_IS_VALUE SHAPE_IS_NONE
#define SHAPE_IS_AS(holds, kind) SHAPE_IS_##kind
/* SOME: the first 8 numbers of a repeated field. */
struct pf_some {
	uint64_t	v[8];
	unsigned	n;
};

static inline void
pf_some_take(struct pf_some *some, const struct proto_field *f)
{
	struct shape_numbers all = { .packed = f->in };

	if (f->wire == PROTO_VARINT && some->n < NELEM(some->v))
		some->v[some->n++] = f->value;
	while (some->n < NELEM(some->v) && shape_take_number(&all, &some->v[some->n]))
		some->n++;
}

#define SHAPE_IS_SOME(member) struct pf_some member;
#define SHAPE_TAKE_SOME(f, m, member) pf_some_take(&(m)->member, &(f));
/* UNREAD_TEXT: a text that is not shown. */
#define SHAPE_IS_UNREAD_TEXT SHAPE_IS_BYTES
#define SHAPE_TAKE_UNREAD_TEXT(f, m, member) SHAPE_TAKE_BYTES(f, m, member) SHAPE_TAKE_UNREAD(f, m, member)
/* ANY: the last field of its numbers, of any type.  REAL_4: a number of 4 bytes. */
#define SHAPE_IS_ANY(member) struct proto_field member;
#define SHAPE_IS_SAME_ANY(member)
#define SHAPE_IS_REAL_4(member) float member; bool has_##member;
#define SHAPE_TAKE_ANY(f, m, member) (m)->member = (f);
#define SHAPE_TAKE_SAME_ANY SHAPE_TAKE_ANY
#define SHAPE_TAKE_REAL_4(f, m, member) if ((f).wire == PROTO_4_BYTES) { memcpy(&(m)->member, (f).in.s, 4); \
    (m)->has_##member = true; }
#define SHAPE_TAKE_WHO SHAPE_TAKE_BYTES
#define SHAPE_TAKE_NAME SHAPE_TAKE_BYTES
#define SHAPE_TAKE_TEXT SHAPE_TAKE_BYTES
#define SHAPE_TAKE_KEY SHAPE_TAKE_BYTES
#define SHAPE_TAKE_WORD SHAPE_TAKE_BYTES
#define SHAPE_TAKE_RELEASE SHAPE_TAKE_BYTES
#define SHAPE_TAKE_STATE SHAPE_TAKE_BYTES
#define SHAPE_TAKE_OF(message) SHAPE_TAKE_BYTES
#define SHAPE_TAKE_EACH(message) SHAPE_TAKE_NONE
#define SHAPE_TAKE_PACKED SHAPE_TAKE_NONE
#define SHAPE_TAKE_FIXED SHAPE_TAKE_NONE
#define SHAPE_TAKE_VALUE SHAPE_TAKE_NONE
#define SHAPE_TAKE_AS(holds, kind) SHAPE_TAKE_##kind

/* Messages that redaction looks into; those of OTHER have no texts. */
#define PERFETTO_MESSAGES(M) M(KERNEL_EVENT) M(BUNDLE) M(COMPACT) M(PRINT) M(SWITCH) M(WHO_1) M(WHO_2) \
	M(WHO_2_3) M(NAME_1) M(NAMED) M(KEYED) M(NAME_4) M(GENERIC) M(DESCRIPTOR) M(TREE) M(TREE_PROCESS) \
	M(TREE_THREAD) M(CLOCKS) M(STATS_OF_PROCESSES) M(FTRACE_STATS) M(SYSTEM_STATS) M(PROCESS) \
	M(THREAD) M(SYSTEM) M(UTSNAME) M(PACKAGES) M(EVENT) M(OLD_EVENT) M(ANNOTATION) M(NESTED) \
	M(CALLSTACK) M(LINE) M(PLACED) M(DEFAULTS) M(INTERNED) M(TEXTED) M(FRAME) M(FRAMES) M(MAPPED) \
	M(TRACK) M(COUNTER) M(STACK_SAMPLE) M(STACK_COUNTER) M(STACK_DEFAULTS) M(STREAM) M(PERF) \
	M(PERF_DEFAULTS) M(TIMEBASE) M(GENERIC_TASK) M(GENERIC_RENAME) M(GENERIC_TREE) M(GENERIC_PROCESS) \
	M(GENERIC_THREAD) M(TRACE_STATS) M(FILTER) M(WRITER) M(DEVICE_FREQUENCY) M(BATTERY) M(RAILS) \
	M(RAIL) M(GPU) M(GPU_INTERNED) M(GPU_COUNTERS) M(GPU_SPEC) M(GPU_BLOCK) M(GPU_GROUP) M(PROFILE) \
	M(DUMP) M(MODULE) M(ADDRESS) M(RENAMED) M(LOG) M(LOG_LINE) M(LOG_ARG) M(FRAME_EVENT) M(SURFACE) \
	M(PROPERTIES) M(PROPERTY) M(DISK) \
	M(THERMAL_ZONE) M(IDLE) M(IDLE_STATE)

/* ---- the kernel --------------------------------------------------------------------------------------- */

#define FIELDS_BUNDLE(F) F(1, cpu, U64) F(2, events, EACH(KERNEL_EVENT)) F(4, compact, OF(COMPACT)) \
	F(5, clock, U64) F(6, ftrace_time, U64) F(7, boot_time, U64) F(8, errors, EACH(OTHER)) \
	F(11, kinds, AS(EACH(GENERIC), FLAG))
#define FIELDS_COMPACT(F) F(1, switch_times, PACKED) F(2, prev_states, PACKED) F(3, next_pids, PACKED) \
	F(4, priorities, PACKED) F(5, names, AS(WHO, NONE)) F(6, next_names, PACKED) \
	F(7, waking_times, PACKED) F(8, pids, PACKED) F(9, cpus, PACKED) F(10, waking_priorities, PACKED) \
	F(11, waking_names, PACKED) F(12, flags, PACKED)
/* Messages of other kinds keep their numbers.  Names of tasks are those of threads. */
#define FIELDS_KERNEL_EVENT(F) F(3, print, OF(PRINT)) F(4, sched_switch, OF(SWITCH)) \
	F(16, clock_set_rate, OF(NAME_1)) F(17, sched_wakeup, OF(WHO_1)) F(20, sched_waking, OF(WHO_1)) \
	F(36, irq_handler_entry, OF(NAMED)) F(80, mdss_mark, OF(NAMED)) F(113, clock_enable, OF(NAME_1)) \
	F(114, sched_wakeup_new, OF(WHO_1)) F(235, task_newtask, OF(WHO_2)) \
	F(236, task_rename, OF(WHO_2_3)) F(238, sched_process_exit, OF(WHO_1)) \
	F(240, sched_process_free, OF(WHO_1)) F(326, oom, OF(WHO_1)) F(327, generic, OF(NAME_1)) \
	F(331, zero, OF(NAMED)) F(333, sde_mark, OF(NAMED)) F(348, dpu_mark, OF(NAME_4)) \
	F(349, g2d_mark, OF(NAME_4)) F(350, mali_mark, OF(NAME_1)) F(404, wakeup_source, OF(NAME_1)) \
	F(405, wakeup_source_end, OF(NAME_1)) F(467, lwis_mark, OF(NAME_4)) \
	F(484, samsung_mark, OF(NAMED)) F(542, kprobe, OF(NAME_1))
#define FIELDS_PRINT(F) F(1, ip, NONE) F(2, text, MARK)
#define FIELDS_SWITCH(F) F(1, prev_comm, WHO) F(5, next_comm, WHO)
#define FIELDS_WHO_1(F) F(1, comm, WHO)
#define FIELDS_WHO_2(F) F(2, comm, WHO)
#define FIELDS_WHO_2_3(F) F(2, old_comm, WHO) F(3, comm, WHO)
#define FIELDS_NAME_1(F) F(1, name, NAME)
#define FIELDS_NAMED(F) F(1, iid, U64) F(2, name, NAME)
#define FIELDS_KEYED(F) F(1, iid, U64) F(2, name, KEY)
#define FIELDS_NAME_4(F) F(4, name, NAME)
#define FIELDS_GENERIC(F) F(2, event, OF(DESCRIPTOR)) F(3, group, NAME)
#define FIELDS_DESCRIPTOR(F) F(1, name, NAME) F(2, fields, EACH(NAME_1))

/* ---- kernels other than Linux ---------------------------------------------------------------------- */

#define FIELDS_GENERIC_TASK(F) F(1, cpu, U64) F(2, name, WHO) F(3, tid, U64) F(4, state, U64)
#define FIELDS_GENERIC_RENAME(F) F(1, tid, U64) F(2, name, WHO)
#define FIELDS_GENERIC_TREE(F) F(1, processes, EACH(GENERIC_PROCESS)) F(2, threads, EACH(GENERIC_THREAD))
#define FIELDS_GENERIC_PROCESS(F) F(1, pid, U64) F(2, parent, U64) F(3, command, WHO)
#define FIELDS_GENERIC_THREAD(F) F(1, tid, U64) F(2, pid, U64) F(3, name, WHO)

/* ---- processes, threads, packages, the machine ------------------------------------------------------ */

#define FIELDS_TREE(F) F(1, processes, AS(EACH(TREE_PROCESS), FLAG)) \
	F(2, threads, AS(EACH(TREE_THREAD), FLAG)) F(3, end, NONE)
#define FIELDS_TREE_PROCESS(F) F(1, pid, U64) F(2, parent, U64) F(3, command, WHO) F(4, threads, UNREAD) \
	F(5, uid, U64) F(6, nspid, AS(PACKED, UNREAD)) F(7, start, U64) \
	F(8, is_kthread, NONE) F(9, of_thread, U64)
#define FIELDS_TREE_THREAD(F) F(1, tid, U64) F(2, name, WHO) F(3, pid, U64) F(4, nstid, UNREAD)
#define FIELDS_STATS_OF_PROCESSES(F) F(1, processes, EACH(OTHER)) F(2, end, NONE)
/* Descriptions of threads and processes, by themselves or of tracks. */
#define FIELDS_THREAD(F) F(1, pid, U64) F(2, tid, U64) F(3, legacy_order, NONE) F(4, type, U64) \
	F(5, name, WHO) F(6, us, U64) F(7, cpu_us, U64) F(8, instructions, NONE)
#define FIELDS_PROCESS(F) F(1, pid, U64) F(2, command, AS(WHO, NONE)) F(3, legacy_order, NONE) \
	F(4, type, U64) F(5, process_priority, UNREAD) F(6, name, WHO) F(7, start_timestamp_ns, UNREAD) \
	F(8, process_labels, UNREAD)
#define FIELDS_CHROME_PROCESS(F) F(1, type, U64) F(2, process_priority, UNREAD) F(3, legacy_order, NONE) \
	F(4, host_app_package_name, UNREAD) F(5, crash_trace_id, UNREAD)
#define FIELDS_CHROME_THREAD(F) F(1, type, U64) F(2, legacy_order, NONE) F(3, is_sandboxed_tid, UNREAD)
#define FIELDS_SYSTEM(F) F(1, utsname, OF(UTSNAME)) F(2, fingerprint, TEXT)
#define FIELDS_UTSNAME(F) F(1, sysname, WORD) F(2, version, TEXT) F(3, release, RELEASE) \
	F(4, machine, WORD)
#define FIELDS_PACKAGES(F) F(1, packages, EACH(WHO_1))

/* ---- track events and what they refer to -------------------------------------------------------------- */

#define FIELDS_TRACK(F) F(1, uuid, U64) F(2, name, NAME) F(3, process, OF(PROCESS)) \
	F(4, thread, OF(THREAD)) F(5, parent, U64) F(6, chrome_process, OF(OTHER)) \
	F(7, chrome_thread, OF(OTHER)) F(8, counter, OF(COUNTER)) F(9, apart, U64) \
	F(10, name, AS(NAME, SAME)) F(11, order, NONE) F(12, rank, NONE) F(13, name, AS(NAME, SAME)) \
	F(14, description, AS(TEXT, UNREAD)) F(15, merging, NONE) F(16, merge_key, AS(NAME, NONE)) \
	F(17, merge_key, NONE) F(18, state, AS(OF(OTHER), FLAG)) F(19, visible, NONE) F(20, visible, NONE)
#define FIELDS_COUNTER(F) F(1, builtin, U64) F(2, categories, UNREAD) F(3, unit, U64) \
	F(4, multiplier, I64) F(5, incremental, U64) F(6, unit_name, NAME) F(7, axis, NONE)
#define FIELDS_EVENT(F) F(1, delta, I64) F(2, cpu_delta, I64) F(3, category_iids, AS(PACKED, SOME)) \
	F(4, args, AS(EACH(ANNOTATION), FLAG)) F(5, task_execution, UNREAD) F(6, old, OF(OLD_EVENT)) \
	F(8, thread_instruction_count, UNREAD) F(9, type, U64) F(10, name_iid, U64) F(11, track, U64) \
	F(12, more, AS(PACKED, FLAG)) F(16, time, I64) F(17, cpu, I64) \
	F(20, thread_instruction_count, UNREAD) F(21, log, OF(OTHER)) F(22, category, NAME) \
	F(23, name, NAME) F(24, cc_scheduler_state, UNREAD) F(25, chrome_user_event, UNREAD) \
	F(26, chrome_keyed_service, UNREAD) F(27, chrome_legacy_ipc, UNREAD) \
	F(28, chrome_histogram_sample, UNREAD) F(29, chrome_latency_info, UNREAD) F(30, value, I64) \
	F(31, tracks_of_more, PACKED) F(32, chrome_frame_reporter, UNREAD) \
	F(33, source_location, AS(OF(PLACED), UNREAD)) F(34, source_location, UNREAD) \
	F(35, chrome_message_pump, UNREAD) F(36, old_flows, AS(PACKED, FLAG)) \
	F(38, chrome_mojo_event_info, UNREAD) F(39, chrome_application_state_info, UNREAD) \
	F(40, chrome_renderer_scheduler_state, UNREAD) F(41, chrome_window_handle_event_info, UNREAD) \
	F(42, old_ends, AS(PACKED, FLAG)) F(43, chrome_content_settings_event_info, UNREAD) \
	F(44, real, REAL) F(45, tracks_of_reals, PACKED) F(46, reals, AS(FIXED, FLAG)) \
	F(47, flows, AS(FIXED, FLAG)) F(48, ends, AS(FIXED, FLAG)) F(49, chrome_active_processes, UNREAD) \
	F(50, screenshot, UNREAD) F(52, correlation_id, UNREAD) F(53, correlation_id, AS(TEXT, UNREAD)) \
	F(54, correlation_id, UNREAD) F(55, callstack, AS(OF(CALLSTACK), UNREAD)) F(56, callstack, UNREAD) \
	F(57, callstack_weight, UNREAD)
#define FIELDS_OLD_EVENT(F) F(1, name_iid, U64) F(2, phase, U64) F(3, duration, U64) \
	F(4, cpu_duration, U64) F(6, id, U64) F(7, id_scope, AS(NAME, UNREAD_TEXT)) F(8, bind_id, U64) \
	F(9, async_tts, NONE) F(10, local_id, U64) F(11, global_id, U64) F(12, encloses, U64) \
	F(13, flow_direction, U64) F(14, scope, U64) F(18, pid, U64) F(19, tid, U64)
#define FIELDS_ANNOTATION(F) F(2, bool_value, VALUE) F(3, uint_value, VALUE) F(4, int_value, VALUE) \
	F(5, double_value, VALUE) F(6, text, TEXT) F(7, pointer_value, VALUE) F(8, nested, EACH(NESTED)) \
	F(9, json, AS(TEXT, NONE)) F(10, name, AS(KEY, NONE)) F(11, entries, EACH(ANNOTATION)) \
	F(12, values, EACH(ANNOTATION))
#define FIELDS_NESTED(F) F(2, keys, KEY) F(3, entries, EACH(NESTED)) F(4, values, EACH(NESTED)) \
	F(5, int_value, VALUE) F(6, double_value, VALUE) F(7, bool_value, VALUE) F(8, text, TEXT)
#define FIELDS_PLACED(F) F(2, file, NAME) F(3, function, AS(NAME, NONE)) F(4, line, U64)
#define FIELDS_DEFAULTS(F) F(11, event, OF(EVENT)) F(12, perf, OF(PERF_DEFAULTS)) F(58, clock, U64) \
	F(99, v8_code_defaults, UNREAD) F(100, stack, OF(STACK_DEFAULTS))
#define FIELDS_INTERNED(F) F(1, categories, EACH(NAMED)) F(2, names, EACH(NAMED)) \
	F(3, arg_names, EACH(KEYED)) F(4, places, EACH(PLACED)) F(5, functions, EACH(NAMED)) \
	F(6, frames, EACH(FRAME)) F(7, stacks, EACH(FRAMES)) F(16, builds, EACH(NAMED)) \
	F(17, paths, EACH(NAMED)) F(18, sources, EACH(NAMED)) F(19, mappings, EACH(MAPPED)) \
	F(20, log_bodies, EACH(TEXTED)) F(22, vulkan_memory_keys, UNREAD) F(23, graphics_contexts, UNREAD) \
	F(24, gpu_specifications, UNREAD) F(25, histogram_names, UNREAD) \
	F(26, kernel_symbols, EACH(NAMED)) F(27, arg_types, EACH(NAMED)) \
	F(28, unsymbolized_source_locations, UNREAD) F(29, arg_texts, EACH(TEXTED)) \
	F(30, packet_context, UNREAD) F(31, v8_js_function_name, UNREAD) F(32, v8_js_function, UNREAD) \
	F(33, v8_js_script, UNREAD) F(34, v8_wasm_script, UNREAD) F(35, v8_isolate, UNREAD) \
	F(43, correlation_id_str, AS(EACH(TEXTED), UNREAD)) F(47, gpu_counters, EACH(GPU_INTERNED)) \
	F(48, tasks, EACH(OTHER)) F(49, stack_sample_execution_contexts, AS(EACH(OTHER), UNREAD)) \
	F(50, counters, AS(EACH(STACK_COUNTER), FLAG)) \
	F(51, stack_sample_async_context_descriptors, AS(EACH(RAIL), UNREAD))
#define FIELDS_TEXTED(F) F(2, text, TEXT)

/* ---- samples, with their stacks and symbols ----------------------------------------------------------- */

#define FIELDS_CALLSTACK(F) F(1, frames, EACH(LINE))
#define FIELDS_LINE(F) F(1, function, NAME) F(2, file, NAME) F(3, line, U64)
#define FIELDS_FRAME(F) F(2, function, U64) F(3, mapping, U64) F(4, address, U64) F(5, source, U64) \
	F(6, line, U64) F(8, name, AS(NAME, NONE))
#define FIELDS_FRAMES(F) F(2, frames, PACKED)
#define FIELDS_MAPPED(F) F(2, build, U64) F(7, parts, PACKED)
#define FIELDS_PERF_DEFAULTS(F) F(1, timebase, OF(TIMEBASE)) F(4, followers, EACH(TIMEBASE))
#define FIELDS_TIMEBASE(F) F(1, period, U64) F(2, frequency, U64) F(3, tracepoint, OF(NAME_1)) F(4, counter, U64) \
	F(5, raw, OF(OTHER)) F(10, name, NAME)
#define FIELDS_PERF(F) F(1, cpu, U64) F(2, pid, U64) F(3, tid, U64) F(4, stack, U64) F(5, cpu_mode, NONE) \
	F(6, count, U64) F(7, follower_counts, PACKED) F(16, unwind_error, UNREAD) \
	F(17, lost, U64) F(18, skipped, U64) F(19, producer, OF(OTHER))
#define FIELDS_STREAM(F) F(1, stacks, PACKED) F(2, deltas, PACKED)
#define FIELDS_STACK_SAMPLE(F) F(1, task, OF(OTHER)) F(2, task_iid, U64) \
	F(3, execution_context, AS(OF(OTHER), UNREAD)) F(4, execution_context, UNREAD) \
	F(5, inlined, OF(CALLSTACK)) F(6, stack, U64) F(7, unwind_error, UNREAD) \
	F(8, unwind_error, UNREAD) F(9, counter, OF(STACK_COUNTER)) F(10, counter_iid, U64) \
	F(11, weight, U64) F(12, follower_descriptors, UNREAD) F(13, follower_descriptors, UNREAD) \
	F(14, follower_weights, AS(PACKED, UNREAD))
#define FIELDS_STACK_COUNTER(F) F(2, name, NAME) F(3, unit, U64)
#define FIELDS_STACK_DEFAULTS(F) F(1, producer, AS(NAME, NONE)) F(2, counter, OF(NAMED)) \
	F(3, followers, EACH(NAMED))
#define FIELDS_PROFILE(F) F(1, strings, EACH(NAMED)) F(2, frames, EACH(OTHER)) \
	F(3, callstacks, EACH(FRAMES)) F(4, mappings, EACH(MAPPED)) F(5, process_dumps, EACH(DUMP)) \
	F(6, continued, U64) F(7, index, U64)
#define FIELDS_DUMP(F) F(1, pid, U64) F(2, samples, EACH(OTHER)) F(3, from_startup, UNREAD) \
	F(4, rejected, U64) F(5, stats, UNREAD) F(6, disconnected, U64) F(7, overran, U64) \
	F(8, corrupted, U64) F(9, time, I64) F(10, guardrail, U64) F(11, heap, NAME) \
	F(12, sampling_interval_bytes, UNREAD) F(13, interval, U64) F(14, client_error, UNREAD) \
	F(15, start_timestamp, UNREAD)
#define FIELDS_MODULE(F) F(1, path, NAME) F(2, build, NAME) F(3, addresses, EACH(ADDRESS))
#define FIELDS_ADDRESS(F) F(1, address, U64) F(2, lines, EACH(LINE))
/* The names of classes are masked: they say what somebody wanted to hide. */
#define FIELDS_RENAMED(F) F(1, package, WHO) F(3, classes, NONE)

/* ---- recorders, devices, logs, frames of the display --------------------------------------------------- */

#define FIELDS_CLOCKS(F) F(1, clocks, EACH(OTHER)) F(2, primary, U64)
#define FIELDS_FTRACE_STATS(F) F(1, phase, U64) F(2, cpus, EACH(OTHER)) F(8, preserve, U64)
#define FIELDS_TRACE_STATS(F) F(1, buffers, EACH(OTHER)) F(8, chunks, U64) F(9, patches, U64) \
	F(10, packets, U64) F(11, filter, AS(OF(FILTER), NONE)) F(14, flushes, U64) \
	F(17, chunk_sizes, PACKED) F(18, writers, EACH(WRITER))
#define FIELDS_FILTER(F) F(20, bytes, PACKED)
#define FIELDS_WRITER(F) F(2, small, PACKED) F(3, large, PACKED)
#define FIELDS_SYSTEM_STATS(F) F(1, meminfo, EACH(OTHER)) F(2, vmstat, EACH(OTHER)) \
	F(3, cpu_stat, EACH(OTHER)) F(4, num_forks, NONE) F(5, num_irq_total, NONE) F(6, num_irq, NONE) \
	F(7, num_softirq_total, NONE) F(8, num_softirq, NONE) F(9, end, NONE) \
	F(10, devfreq, EACH(DEVICE_FREQUENCY)) F(11, cpufreq, PACKED) F(12, buddy_info, NONE) \
	F(13, disk_stat, EACH(DISK)) F(14, psi, EACH(OTHER)) F(15, thermal_zone, EACH(THERMAL_ZONE)) \
	F(16, cpuidle_state, EACH(IDLE)) F(17, gpufreq, AS(PACKED, FLAG)) F(18, slab_info, UNREAD) \
	F(19, cgroup, UNREAD)
#define FIELDS_DISK(F) F(1, name, NAME) F(2, read, U64) F(3, read_ms, U64) F(4, written, U64) \
	F(5, write_ms, U64) F(6, discarded, U64) F(7, discard_ms, U64) F(8, flushes, U64) F(9, flush_ms, U64)
#define FIELDS_THERMAL_ZONE(F) F(1, name, AS(NAME, NONE)) F(2, degrees, U64) F(3, type, NAME)
#define FIELDS_IDLE(F) F(1, cpu, U64) F(2, states, EACH(IDLE_STATE))
#define FIELDS_IDLE_STATE(F) F(1, name, NAME) F(2, us, U64)
#define FIELDS_DEVICE_FREQUENCY(F) F(1, name, NAME) F(2, value, U64)
#define FIELDS_BATTERY(F) F(1, charge, I64) F(2, percent, REAL_4) F(3, current, I64) F(4, average, I64) \
	F(5, name, NAME) F(6, energy, I64) F(7, voltage, I64)
#define FIELDS_RAILS(F) F(1, rails, EACH(RAIL)) F(2, values, EACH(OTHER)) F(3, session, U64)
#define FIELDS_RAIL(F) F(1, number, U64) F(2, name, NAME) F(3, subsystem, AS(NAME, NONE))
#define FIELDS_GPU(F) F(1, descriptor, OF(GPU_COUNTERS)) F(2, values, AS(EACH(OTHER), FLAG)) \
	F(3, gpu, U64) F(4, descriptor_iid, U64)
#define FIELDS_GPU_INTERNED(F) F(1, iid, NONE) F(2, descriptor, OF(GPU_COUNTERS)) F(3, gpu, U64)
#define FIELDS_GPU_COUNTERS(F) F(1, specs, EACH(GPU_SPEC)) F(2, blocks, EACH(GPU_BLOCK)) \
	F(6, groups, EACH(GPU_GROUP))
#define FIELDS_GPU_SPEC(F) F(1, id, U64) F(2, name, NAME) F(3, description, AS(NAME, UNREAD)) \
	F(5, peak_value, UNREAD) F(6, peak_value, UNREAD) F(7, numerator_units, AS(PACKED, UNREAD)) \
	F(8, denominator_units, AS(PACKED, UNREAD)) F(9, selected, NONE) F(10, groups, PACKED) \
	F(11, direction, U64)
#define FIELDS_GPU_BLOCK(F) F(3, name, NAME) F(4, description, NAME) F(5, counters, PACKED)
#define FIELDS_GPU_GROUP(F) F(2, name, NAME) F(3, description, NAME) F(4, counters, PACKED)
#define FIELDS_LOG(F) F(1, events, AS(EACH(LOG_LINE), FLAG)) F(2, stats, AS(OF(OTHER), UNREAD))
#define FIELDS_LOG_LINE(F) F(1, log_id, UNREAD) F(2, pid, U64) F(3, tid, U64) F(4, uid, UNREAD) \
	F(5, time, I64) F(6, tag, NAME) F(7, priority, U64) F(8, message, TEXT) F(9, args, EACH(LOG_ARG))
#define FIELDS_LOG_ARG(F) F(1, name, KEY) F(2, value, AS(VALUE, ANY)) F(3, value, AS(VALUE, SAME_ANY)) \
	F(4, value, AS(TEXT, SAME_ANY))
#define FIELDS_FRAME_EVENT(F) F(1, expected_display, OF(OTHER)) F(2, actual_display, OF(OTHER)) \
	F(3, expected_surface, OF(SURFACE)) F(4, actual_surface, OF(SURFACE)) F(5, end, OF(OTHER))
/* Expected frames lack the fields from the present type on. */
#define FIELDS_DISPLAY(F) F(1, cookie, U64) F(2, token, U64) F(3, pid, U64) F(4, present, U64) \
	F(5, on_time, U64) F(6, gpu, U64) F(7, jank, U64) F(8, prediction, U64) F(9, severity, U64)
#define FIELDS_SURFACE(F) F(1, cookie, U64) F(2, token, U64) F(3, display_token, U64) F(4, pid, U64) \
	F(5, layer, WHO) F(6, present, U64) F(7, on_time, U64) F(8, gpu, U64) F(9, jank, U64) \
	F(10, prediction, U64) F(11, is_buffer, UNREAD) F(12, severity, U64)
#define FIELDS_PROPERTIES(F) F(1, values, EACH(PROPERTY))
#define FIELDS_PROPERTY(F) F(1, name, WORD) F(2, value, STATE)

#endif
