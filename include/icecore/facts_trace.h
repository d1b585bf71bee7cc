/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts about all files, about traces of calls, tasks and tracks, and about side files.  See facts.h.
 */
#ifndef ICECORE_FACTS_TRACE_H
#define ICECORE_FACTS_TRACE_H

#define FACTS_TRACE(FACT) \
	/* All files. */ \
	FACT(ENCODING, "encoding", TEXT, ALL, "container: compression and encoding, outermost first") \
	FACT(UNPACKED, "unpacked", BYTES, ALL, "uncompressed size") \
	FACT(LOADER, "loader", TEXT, ALL, "reader of the file format") \
	FACT(REPAIR_UTF16, "repair.utf16", COUNT, ALL, "invalid UTF-16 {:unit|units}, shown as U+FFFD") \
	FACT(UNREAD_OTHERS, "unread.others", COUNT, ALL, "{:thing|things} of more kinds") \
	FACT(LOSS_GZIP, "loss.gzip", COUNT, ALL, "1: gzip data truncated or damaged") \
	FACT(LOSS_LZ4, "loss.lz4", COUNT, ALL, "1: LZ4 data truncated or damaged") \
	FACT(LOSS_ZSTD, "loss.zstd", COUNT, ALL, "1: zstd data truncated or damaged") \
	FACT(LOSS_XZ, "loss.xz", COUNT, ALL, "1: xz data truncated or damaged") \
	FACT(LOSS_BZIP2, "loss.bzip2", COUNT, ALL, "1: bzip2 data truncated or damaged") \
	FACT(LOSS_UNPACKED, "loss.unpacked", COUNT, ALL, \
	    "1: only the part within the limit of --unpacked was read") \
	FACT(LOSS_ZLIB, "loss.zlib", COUNT, ALL, "1: atrace zlib data truncated or damaged") \
	FACT(UNREAD_ENTRIES, "unread.entries", COUNT, ALL, "JSON {:entry|entries} of unknown kinds") \
	FACT(REPAIR_BAD_ENTRIES, "repair.bad_entries", COUNT, ALL, \
	    "invalid JSON {:entry|entries}, dropped or clipped") \
	FACT(REPAIR_NUMBER, "repair.number", COUNT, ALL, \
	    "JSON {:value that is not a valid number|values that are not valid numbers}, taken as 0 or dropped") \
	FACT(REPAIR_ESCAPES, "repair.escapes", COUNT, ALL, \
	    "JSON {:text|texts} with invalid escapes; all backslashes in them are kept") \
	FACT(REPAIR_BEYOND, "repair.beyond", COUNT, ALL, "{:time|times} out of range, clipped") \
	FACT(REPAIR_EPOCH, "repair.epoch", COUNT, ALL, \
	    "{:event|events} over a year away from most others, moved next to them") \
	FACT(CLOCK_START, "clock_start", TIME, ALL, "first event (trace clock)") \
	FACT(WITH_CPU, "with_cpu", COUNT, ALL, \
	    "calls with a recorded CPU time; other calls have that of their callees") \
	FACT(REPAIR_NO_TIME, "repair.no_time", COUNT, ALL, \
	    "{:event|events} without a time, set to that of the first event") \
	FACT(REPAIR_END_WITHOUT_BEGIN, "repair.end_without_begin", COUNT, ALL, \
	    "{:end|ends} of calls without a begin, dropped") \
	FACT(REPAIR_END_NAME, "repair.end_name", COUNT, ALL, \
	    "{:end that names|ends that name} no open call; the innermost call ended there") \
	FACT(REPAIR_OUTER_END, "repair.outer_end", COUNT, ALL, \
	    "{:call|calls} without an end, closed by that of a call around them") \
	FACT(REPAIR_NO_CPU, "repair.no_cpu", COUNT, ALL, \
	    "{:call|calls} whose CPU time is unknown; that of the calls in them counts") \
	FACT(REPAIR_FAST_CPU, "repair.fast_cpu", COUNT, ALL, \
	    "{:call|calls} with more CPU time than time; cut to it") \
	FACT(REPAIR_NO_END, "repair.no_end", COUNT, ALL, \
	    "{:call|calls} still open at the end of the trace; closed there") \
	FACT(REPAIR_OVERLAP, "repair.overlap", COUNT, ALL, \
	    "{:call|calls} crossing others, clipped where the least time is lost") \
	FACT(REPAIR_OVERLAP_TIME, "repair.overlap_time", TIME, ALL, "lost by clipping calls that cross others") \
	FACT(REPAIR_DETAIL, "repair.detail", COUNT, ALL, \
	    "{:call|calls} named without their detail: too many names (--detail)") \
	FACT(REPAIR_NODE, "repair.node", COUNT, ALL, \
	    "{:sample|samples} without a stack: node missing in the file") \
	FACT(REPAIR_EARLY, "repair.early", COUNT, ALL, \
	    "{:sample|samples} before the first event, moved to it") \
	FACT(REPAIR_UNPLACED, "repair.unplaced", COUNT, ALL, \
	    "{:sample|samples} not in the calls: too many frames; --event shows them") \
	FACT(REPAIR_NO_HEAD, "repair.no_head", COUNT, ALL, \
	    "{:profile|profiles} without their first event, starting at 0") \
	FACT(LOSS_JSON, "loss.json", COUNT, ALL, "1: JSON truncated or damaged") \
	FACT(LOSS_ARCHIVE, "loss.archive", COUNT, ALL, "1: archive truncated or damaged") \
	FACT(LOSS_HTML, "loss.html", COUNT, ALL, "1: systrace page truncated") \
	FACT(LOSS_REASON, "loss.reason", TEXT, ALL, "main loss") \
	FACT(INDEX_PATH, "index path", TEXT, ALL, "index file") \
	FACT(SANDBOX, "sandbox", TEXT, ALL, "sandbox in which icecore reads the file") \
	FACT(INDEX_DAMAGED, "index damaged", COUNT, ALL, "first damaged byte of the index, rebuilt since") \
	/* Traces with slices and marks: Chrome, Firefox. */ \
	FACT(ASYNC, "async", COUNT, MARKS, "async slices; 'async' lists their kinds") \
	FACT(COUNTERS, "counters", COUNT, MARKS, "counters; 'counters' lists them") \
	FACT(GPUS, "gpus", COUNT, MARKS, "GPUs that ran kernels") \
	FACT(GPU_TIME, "gpu_time", TIME, MARKS, "time of each GPU from its first kernel to its last one") \
	FACT(GPU_BUSY, "gpu_busy", TIME, MARKS, "part of gpu_time in which a kernel or a copy ran") \
	FACT(GPU_IDLE, "gpu_idle", TIME, MARKS, "part of gpu_time between kernels; 'async_spans' lists it") \
	FACT(FLOWS, "flows", COUNT, MARKS, "flows between calls; 'flows' lists them") \
	FACT(INSTANTS, "instants", COUNT, MARKS, "instant events; 'marks' lists them") \
	FACT(PRODUCT, "product", TEXT, MARKS, "program that was recorded") \
	FACT(INTERVAL, "interval", TIME, MARKS, "time between samples") \
	FACT(PROCESSES, "processes", COUNT, MARKS, "processes in the file") \
	FACT(NO_NAMES, "no_names", COUNT, MARKS, \
	    "frames without a name, only an address; samply load adds names") \
	FACT(ADDRESS_NAMES, "address_names", TEXT, MARKS, "addresses named from files on this machine") \
	FACT(NO_STACK, "no_stack", COUNT, MARKS, "samples without a stack, not counted") \
	FACT(REPAIR_ASYNC_END, "repair.async_end", COUNT, MARKS, \
	    "{:end|ends} of async slices without a begin, dropped") \
	FACT(REPAIR_NEWER, "repair.newer", COUNT, MARKS, "1: version newer than those known") \
	FACT(REPAIR_STACK, "repair.stack", COUNT, MARKS, "{:stack|stacks} truncated at an invalid caller") \
	FACT(REPAIR_INDEX, "repair.index", COUNT, MARKS, "{:reference|references} to missing rows, dropped") \
	FACT(REPAIR_BELOW_ZERO_WEIGHTS, "repair.below_zero_weights", COUNT, MARKS, \
	    "{:weight|weights} below 0, taken as 0") \
	FACT(REPAIR_MARKER_END, "repair.marker_end", COUNT, MARKS, \
	    "{:end|ends} of markers without a start: from the thread's first time") \
	FACT(REPAIR_MARKER_OPEN, "repair.marker_open", COUNT, MARKS, \
	    "{:marker|markers} without an end: to the thread's last time") \
	FACT(LOSS_THREADS, "loss.threads", COUNT, MARKS, \
	    "{:thread|threads} without all their tables, dropped") \
	FACT(UNREAD_STACK, "unread.stack", COUNT, MARKS, \
	    "trace {:event|events} with a stack (sf, esf, stack)") \
	FACT(UNREAD_TIMELESS, "unread.timeless", COUNT, MARKS, \
	    "{:call|calls} without any duration, in a file with samples") \
	FACT(UNREAD_TOTALS, "unread.totals", COUNT, MARKS, \
	    "{:total|totals} of clang -ftime-trace, which repeat other events") \
	FACT(UNREAD_SYSTEM, "unread.system", COUNT, MARKS, \
	    "{:line|lines} of systemTraceEvents (jq -r .systemTraceEvents FILE prints them)") \
	/* Perfetto traces. */ \
	FACT(PACKETS, "packets", COUNT, MARKS, "packets in the trace") \
	FACT(CONCATENATED, "concatenated", COUNT, MARKS, "traces after the first one in the file") \
	FACT(UUID, "uuid", TEXT, MARKS, "id of the trace") \
	FACT(SYSTEM, "system", TEXT, MARKS, "system, release and machine that was recorded") \
	FACT(BUFFERS, "buffers", TEXT, MARKS, "buffers of the recorder") \
	FACT(DATA_SOURCES, "data_sources", TEXT, MARKS, "what was recorded") \
	FACT(RECORDER_DURATION, "recorder_duration", TIME, MARKS, "configured duration of the recording") \
	FACT(PACKAGES, "packages", COUNT, MARKS, "installed packages in the trace") \
	FACT(REPAIR_MACHINES, "repair.machines", COUNT, MARKS, \
	    "{:packet|packets} of another machine, whose ids may equal those of this one, read as one machine") \
	FACT(REPAIR_BEFORE_START, "repair.before_start", COUNT, MARKS, \
	    "{:event|events} from before all CPUs were recorded, dropped") \
	FACT(REPAIR_CLOCK_ASSUMED, "repair.clock_assumed", COUNT, MARKS, \
	    "{:packet|packets} of a trace without clock snapshots; times used unchanged") \
	FACT(REPAIR_CLOCK_BAD, "repair.clock_bad", COUNT, MARKS, \
	    "clock {:snapshot|snapshots} that contradict earlier ones, ignored") \
	FACT(REPAIR_TRACKS, "repair.tracks", COUNT, MARKS, \
	    "track {:descriptor|descriptors} that contradict earlier ones, ignored") \
	FACT(REPAIR_NAME_MISSING, "repair.name_missing", COUNT, MARKS, \
	    "{:event|events} whose interned name is missing") \
	FACT(LOSS_PACKETS_BAD, "loss.packets_bad", COUNT, MARKS, \
	    "damaged or truncated {:packet|packets}, dropped") \
	FACT(LOSS_PACKETS_STATE, "loss.packets_state", COUNT, MARKS, \
	    "{:packet|packets} that refer to packets lost while recording, dropped") \
	FACT(LOSS_SEQUENCES, "loss.sequences", COUNT, MARKS, \
	    "{:gap|gaps} where the recorder lost packets of a writer") \
	FACT(LOSS_PACKED, "loss.packed", COUNT, MARKS, \
	    "compressed {:packet|packets}, damaged or not supported by this build, dropped") \
	FACT(LOSS_CLOCK, "loss.clock", COUNT, MARKS, \
	    "{:packet|packets} with a time of an unknown clock, dropped") \
	FACT(LOSS_TRACK, "loss.track_events", COUNT, MARKS, \
	    "{:event|events} without a valid track, time or value, dropped") \
	FACT(LOSS_HEAP_PACKETS, "loss.heap_packets", COUNT, MARKS, \
	    "{:gap|gaps} where packets of a heap dump are missing") \
	FACT(LOSS_HEAP_DUMPS, "loss.heap_dumps", COUNT, MARKS, \
	    "heap {:dump|dumps} that the profiler calls incomplete") \
	FACT(REPAIR_HEAP_FALLS, "repair.heap_falls", COUNT, MARKS, \
	    "{:sum|sums} of a heap profile that fell, ignored") \
	FACT(LOSS_KERNEL, "loss.kernel_events", COUNT, MARKS, "damaged kernel {:event|events}, dropped") \
	/* Traces of method calls. */ \
	FACT(KIND, "kind", TEXT, TRACES, "container: v1-regular, v1-stream, or v2a, v2b, v2c") \
	FACT(CLOCK, "clock", TEXT, TRACES, "clocks; dual = wall and thread-cpu") \
	FACT(CLOCK_GUESSED, "clock_guessed", TEXT, TRACES, "reason why the clock is a guess") \
	FACT(RECORDS_CLAIMED, "records_claimed", COUNT, TRACES, "record count in the header") \
	FACT(METHODS_LISTED, "methods_listed", COUNT, TRACES, "methods named in the file") \
	FACT(METHODS_NUMBERED, "methods_numbered", COUNT, TRACES, \
	    "{:method|methods} with a number in the name; the Overview takes them together") \
	FACT(SAMPLES, "samples", COUNT, TRACES, "samples recorded with the calls; see 'events' and --event") \
	FACT(ELAPSED_CLAIMED, "elapsed_claimed", TIME, TRACES, "duration in the header") \
	FACT(CLOCK_OVERHEAD, "clock_overhead", TIME, TRACES, "clock read overhead (minimum)") \
	FACT(ALLOC_COUNT, "alloc_count", COUNT, TRACES, "{:object|objects} allocated while recording") \
	FACT(ALLOC_SIZE, "alloc_size", BYTES, TRACES, "size of the objects allocated while recording") \
	FACT(GC_COUNT, "gc_count", COUNT, TRACES, "garbage collections while recording") \
	FACT(ENTERS, "enters", COUNT, TRACES, "method entries") \
	FACT(EXITS, "exits", COUNT, TRACES, "method exits") \
	FACT(UNROLLS, "unrolls", COUNT, TRACES, "method exits by an exception") \
	FACT(MAX_DEPTH, "max_depth", COUNT, TRACES, "depth of the deepest stack") \
	FACT(LAST_WALL, "last_wall", TIME, TRACES, "latest wall time of a record") \
	FACT(LAST_CPU, "last_cpu", TIME, TRACES, "latest CPU time of a record") \
	FACT(SAMPLED, "sampled", COUNT, TRACES, "1: sampled trace; call counts are not exact") \
	FACT(SAMPLE_INTERVAL, "sample_interval", TIME, TRACES, "usual sampling interval") \
	FACT(LOSS_OVERFLOW, "loss.overflow", COUNT, TRACES, \
	    "1: buffer full: later events were lost while recording") \
	FACT(REPAIR_DUP_TIDS, "repair.dup_tids", COUNT, TRACES, "duplicate thread ids; last name used") \
	FACT(REPAIR_RENAMES, "repair.renames", COUNT, TRACES, "{:thread|threads} renamed or tid reused") \
	FACT(REPAIR_BAD_LINES, "repair.bad_lines", COUNT, TRACES, "unreadable {:line|lines}, dropped") \
	FACT(REPAIR_TRAILING, "repair.trailing", BYTES, TRACES, "after the end of the trace, ignored") \
	FACT(REPAIR_SYNTHETIC, "repair.synthetic", COUNT, TRACES, \
	    "{:exit|exits} without an entry: calls open before the trace") \
	FACT(REPAIR_FORCED, "repair.forced", COUNT, TRACES, \
	    "{:call|calls} closed by the exit of an outer call") \
	FACT(REPAIR_IGNORED, "repair.ignored", COUNT, TRACES, "{:exit|exits} of methods not on the stack") \
	FACT(REPAIR_NO_STARTS, "repair.no_starts", COUNT, TRACES, \
	    "{:call|calls} without a printed start, placed after the one before") \
	FACT(REPAIR_MOVED, "repair.moved", COUNT, TRACES, \
	    "{:call that starts|calls that start} too late to end in the call around, moved forward") \
	FACT(REPAIR_BEGUN_BEFORE, "repair.begun_before", COUNT, TRACES, \
	    "{:call|calls} begun before the trace") \
	FACT(REPAIR_OPEN, "repair.open", COUNT, TRACES, "{:call|calls} still open at the end of the thread") \
	FACT(REPAIR_ACTION3, "repair.action3", COUNT, TRACES, "{:record|records} of unknown kind, dropped") \
	FACT(REPAIR_WRAPS, "repair.wraps", COUNT, TRACES, "32-bit clock wraps") \
	FACT(REPAIR_BACKWARDS, "repair.backwards", COUNT, TRACES, \
	    "backward clock {:step|steps}, counted as no time") \
	FACT(REPAIR_UNKNOWN_METHODS, "repair.unknown_methods", COUNT, TRACES, \
	    "{:method|methods} without a name in the file") \
	FACT(REPAIR_UNKNOWN_METHOD_RECORDS, "repair.unknown_method_records", COUNT, TRACES, \
	    "{:record|records} of unnamed methods") \
	FACT(REPAIR_UNKNOWN_THREAD_RECORDS, "repair.unknown_thread_records", COUNT, TRACES, \
	    "{:record|records} of threads unnamed in the file") \
	FACT(LOSS_TAIL_BYTES, "loss.tail_bytes", BYTES, TRACES, "in an incomplete record at the end") \
	FACT(LOSS_RECORDS, "loss.records", COUNT, TRACES, \
	    "{:record|records} counted in the header but missing in the file") \
	FACT(LOSS_NO_SUMMARY, "loss.no_summary", COUNT, TRACES, "1: the stream ends without its summary") \
	FACT(LOSS_CUT_TEXT, "loss.cut_text", COUNT, TRACES, "1: the file ends before its first record") \
	FACT(LOSS_MANGLED, "loss.mangled", COUNT, TRACES, "1: records damaged by a text conversion") \
	FACT(RECORD_SIZE, "record_size", BYTES, TRACES, "") \
	/* Traces with tracks beside them: Nanoscope. */ \
	FACT(REPAIR_EXTRA_POPS, "repair.extra_pops", COUNT, TRACKS, \
	    "{:exit|exits} without an open call, dropped") \
	FACT(SIDE_SAMPLES, "side.samples", COUNT, TRACKS, "lines of samples in the .timer file") \
	FACT(SIDE_STATES, "side.states", COUNT, TRACKS, "state changes in the .state file") \
	FACT(SIDE_BAD_LINES, "side.bad_lines", COUNT, TRACKS, "unreadable lines in these files, dropped") \
	FACT(LOSS_TRACKS, "loss.tracks", COUNT, TRACKS, "side {:file|files} damaged or unreadable") \
	/* Scheduler traces. */ \
	FACT(LIVE, "live", COUNT, TASKS, "1: live trace; sums cover all of it, rows only the latest part") \
	FACT(SWITCHES, "switches", COUNT, TASKS, "context switches") \
	FACT(SWITCHES_KEPT, "switches_kept", COUNT, TASKS, "switches kept") \
	FACT(WAKEUPS, "wakeups", COUNT, TASKS, "wakeups of tasks") \
	FACT(MARKS, "marks", COUNT, TASKS, "userspace markers (atrace)") \
	FACT(RECORDS, "records", COUNT, TASKS, "events that begin or end a call") \
	FACT(THREADS_LISTED, "threads_listed", COUNT, TASKS, \
	    "tasks named in the file; some may never have run") \
	FACT(ELAPSED, "elapsed", TIME, TASKS, "time from the first event to the last") \
	FACT(SCHEDULING, "scheduling", TIME, TASKS, "time with scheduler events, if under 95 % of elapsed") \
	FACT(THREADS, "threads", COUNT, TASKS, "tasks with userspace markers") \
	FACT(METHODS, "methods", COUNT, TASKS, "different marker names") \
	FACT(STACKS, "stacks", COUNT, TASKS, "different marker stacks") \
	FACT(RENAMES, "renames", COUNT, TASKS, "task renames") \
	FACT(REUSED, "reused", COUNT, TASKS, "reused task ids") \
	FACT(REPAIR_ENDED, "repair.ended", COUNT, TASKS, \
	    "{:run|runs} of ended threads (perf calls them :-1), in one task") \
	FACT(REPAIR_ONE_PROCESS, "repair.one_process", COUNT, TASKS, \
	    "{:thread|threads} with unknown waits: switches back to them are missing; use perf record -a or " \
	    "--switch-events") \
	FACT(REPAIR_UNMATCHED, "repair.unmatched", COUNT, TASKS, \
	    "{:switch of a task that its CPU|switches of tasks that their CPU} did not switch to: " \
	    "events are missing") \
	FACT(REPAIR_UNMATCHED_TIME, "repair.unmatched_time", TIME, TASKS, \
	    "before these switches: what ran on their CPUs is unknown") \
	FACT(REPAIR_MADE_SWITCHES, "repair.made_switches", COUNT, TASKS, \
	    "missing {:switch|switches}, made from sched_stat_runtime") \
	FACT(REPAIR_BAD_EVENTS, "repair.bad_events", COUNT, TASKS, \
	    "unreadable scheduler {:event|events}, dropped") \
	FACT(REPAIR_UNORDERED, "repair.unordered", COUNT, TASKS, "out-of-order {:event|events}, sorted") \
	FACT(REPAIR_MARKS, "repair.marks", COUNT, TASKS, "{:marker|markers} of unknown kind, dropped") \
	FACT(REPAIR_UNOPENED, "repair.unopened", COUNT, TASKS, \
	    "marker {:end|ends} without a begin, dropped") \
	FACT(LOSS_EVENTS, "loss.events", COUNT, TASKS, "{:event|events} lost while recording") \
	FACT(LOSS_TASKS, "loss.tasks", COUNT, TASKS, "{:switch|switches} of tasks beyond the live limit") \
	/* Side files: --threads, --mapping. */ \
	FACT(SIDE_DUMPS, "side.dumps", COUNT, SIDES, "thread dumps and tid lists read") \
	FACT(SIDE_ROWS, "side.rows", COUNT, SIDES, "thread lines in thread dumps") \
	FACT(SIDE_THREADS, "side.threads", COUNT, SIDES, "different tids in thread dumps") \
	FACT(SIDE_NO_TID, "side.no_tid", COUNT, SIDES, "threads without tid: matched by name") \
	FACT(SIDE_JOINED, "side.joined", COUNT, SIDES, "threads named from dumps and lists") \
	FACT(SIDE_BY_NAME, "side.by_name", COUNT, SIDES, "named threads matched by name") \
	FACT(SIDE_UNMATCHED, "side.unmatched", COUNT, SIDES, "threads not named") \
	FACT(SIDE_UNUSED, "side.unused", COUNT, SIDES, "dumped threads that are not in this file") \
	FACT(SIDE_CONFLICTS, "side.conflicts", COUNT, SIDES, \
	    "ids with two names in one dump; last one used") \
	FACT(SIDE_REUSED, "side.reused", COUNT, SIDES, "ids reused in a later dump; last one used") \
	FACT(SIDE_DEADLOCKS, "side.deadlocks", COUNT, SIDES, "deadlocks reported in thread dumps") \
	FACT(SIDE_IGNORED_LINES, "side.ignored_lines", COUNT, SIDES, "list lines without a thread") \
	FACT(RECORDING, "recording", TEXT, SIDES, "recordings that show which code allocates objects") \
	FACT(RECORDING_ELAPSED, "recording.elapsed", TIME, SIDES, "total duration of these recordings") \
	FACT(BESIDE_TABLE, "tracks.table", TEXT, SIDES, "tables whose numbers are tracks") \
	FACT(BESIDE_TIME, "tracks.time", TEXT, SIDES, "column of times in each table, and what they are") \
	FACT(BESIDE_COLUMNS, "tracks.columns", TEXT, SIDES, "columns that are tracks") \
	FACT(BESIDE_HIDDEN, "tracks.hidden", TEXT, SIDES, "columns without numbers, not shown") \
	FACT(BESIDE_POINTS, "tracks.points", COUNT, SIDES, "points of these tracks") \
	FACT(BESIDE_OUTSIDE, "tracks.outside", COUNT, SIDES, \
	    "rows before or after the trace; the last one before it applies at its start") \
	FACT(BESIDE_TEXTS, "repair.tracks_text", COUNT, SIDES, \
	    "{:value|values} without a number, in columns of numbers") \
	FACT(LOSS_UNTIMED, "loss.tracks_untimed", COUNT, SIDES, \
	    "{:row|rows} of tables without a usable time") \
	FACT(MAPPING_CLASSES, "mapping.classes", COUNT, SIDES, "classes in the mapping files") \
	FACT(MAPPING_DOUBLES, "mapping.doubles", COUNT, SIDES, "duplicate classes, dropped") \
	FACT(MAPPING_IGNORED_LINES, "mapping.ignored_lines", COUNT, SIDES, "unparsable mapping lines") \
	FACT(MAPPING_RENAMED_CLASSES, "mapping.renamed_classes", COUNT, SIDES, "classes renamed") \
	FACT(MAPPING_RENAMED_METHODS, "mapping.renamed_methods", COUNT, SIDES, "methods renamed") \
	FACT(MAPPING_RENAMED_FIELDS, "mapping.renamed_fields", COUNT, SIDES, "fields renamed") \
	FACT(MAPPING_AMBIGUOUS, "mapping.ambiguous", COUNT, SIDES, "ambiguous names, all shown") \
	FACT(LOSS_SIDE, "loss.side", COUNT, SIDES, "name {:file|files} truncated or damaged")

#endif
