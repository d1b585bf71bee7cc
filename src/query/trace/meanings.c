/*
 * meanings: what the facts about a file say, for info and for the manual.
 *
 * A size or a time has its unit beside the value, before its meaning: the meaning names none.
 */
#include "config.h"

#include "trace.h"

struct meaning {
	const char	*field, *meaning;
};

static const struct meaning of_all[] = {
	{ "encoding", "container: compression and encoding, outermost first" },
	{ "unpacked", "uncompressed size" },
	{ "loader", "reader of the file format" },
	{ "repair.utf16", "invalid UTF-16 units, shown as U+FFFD" },
	{ "loss.gzip", "1: gzip data truncated or damaged" },
	{ "loss.lz4", "1: LZ4 data truncated or damaged" },
	{ "loss.unpacked", "1: only the part that --unpacked allows" },
	{ "loss.zlib", "1: atrace zlib data truncated or damaged" },
	{ "other_entries", "JSON entries of unread kinds" },
	{ "repair.bad_entries", "invalid JSON entries, dropped or clipped" },
	{ "repair.number", "JSON values that are not valid numbers, taken as 0 or dropped" },
	{ "repair.beyond", "times out of range, clipped" },
	{ "repair.epoch", "events over a year from most others, moved next to them" },
	{ "clock_start", "first event (trace clock)" },
	{ "with_cpu", "calls with CPU time of their own; others: that of callees" },
	{ "repair.no_time", "events without a time, set to that of the first event" },
	{ "repair.end_without_begin", "ends of calls without a begin, dropped" },
	{ "repair.end_name", "ends naming another call than the innermost, which they end" },
	{ "repair.no_end", "calls open at the end of the trace, where they end" },
	{ "repair.overlap", "calls longer than their parent, clipped to its end" },
	{ "repair.detail", "calls without their detail in the name: too many names (--detail)" },
	{ "repair.node", "samples of nodes missing in the file: no stack" },
	{ "repair.early", "samples before the first event, moved to it" },
	{ "repair.no_head", "profiles without their first event, starting at 0" },
	{ "loss.json", "1: JSON truncated or damaged" },
	{ "loss.html", "1: systrace page truncated" },
	{ "loss.reason", "main loss" },
	{ "index path", "index file" },
	{ "sandbox", "what confines icecore while it reads the file" },
	{ "index damaged", "first damaged byte of the index, since rebuilt" },
	{ NULL, NULL }
};

static const struct meaning of_marks[] = {
	{ "async", "async slices; 'async' lists their kinds" },
	{ "counters", "counters; 'counters' lists them" },
	{ "flows", "flows between calls; 'flows' lists them" },
	{ "instants", "instant events; 'marks' lists them" },
	{ "product", "program that was recorded" },
	{ "interval", "time between samples" },
	{ "processes", "processes in the file" },
	{ "no_names", "frames that are addresses; samply load adds their names" },
	{ "address_names", "addresses that got their names from files of this machine" },
	{ "no_stack", "samples without a stack, not counted" },
	{ "repair.async_end", "ends of async slices without a begin, dropped" },
	{ "repair.below_zero", "counter values below 0, shown as 0 in tracks" },
	{ "repair.newer", "1: version newer than those known" },
	{ "repair.stack", "stacks with an invalid caller, which they lose" },
	{ "repair.index", "references to missing rows, dropped" },
	{ "repair.below_zero_weights", "weights below 0, taken as 0" },
	{ "repair.marker_end", "ends of markers without a start: from the thread's first time" },
	{ "repair.marker_open", "markers without an end: to the thread's last time" },
	{ "loss.threads", "threads without all their tables, dropped" },
	{ NULL, NULL }
};

static const struct meaning of_tasks[] = {
	{ "live", "1: live trace; sums cover everything, rows only the latest" },
	{ "switches", "context switches" },
	{ "switches_kept", "switches kept" },
	{ "wakeups", "wakeups of tasks" },
	{ "marks", "userspace markers (atrace)" },
	{ "records", "begins and ends of calls among the events" },
	{ "threads_listed", "tasks named in the file; some may never have run" },
	{ "elapsed", "time from the first event to the last" },
	{ "threads", "tasks with userspace markers" },
	{ "methods", "different names of markers" },
	{ "stacks", "different stacks of markers" },
	{ "other_events", "other events" },
	{ "counters", "counters and async slices" },
	{ "instants", "instant markers" },
	{ "renames", "task renames" },
	{ "reused", "reused task ids" },
	{ "repair.ended", "runs of ended threads, which perf calls :-1; one task has them all" },
	{ "repair.one_process", "threads whose waits are unknown: switches of one process only; use perf record -a or --switch-events" },
	{ "repair.bad_events", "unreadable scheduler events, dropped" },
	{ "repair.unordered", "out-of-order events, sorted" },
	{ "repair.marks", "markers of unknown kind, dropped" },
	{ "repair.unopened", "marker ends without a begin, dropped" },
	{ "repair.below_zero", "negative counter values, shown as 0" },
	{ "loss.events", "events lost while recording" },
	{ "loss.tasks", "switches of tasks beyond the live limit" },
	{ NULL, NULL }
};

static const struct meaning of_code[] = {
	{ "format", "file format variant" },
	{ "code.files", "class files and dex files" },
	{ "code.dex", "of them dex files" },
	{ "code.classes", "classes in the bytecode" },
	{ "code.methods", "methods of the classes" },
	{ "code.bytes", "code size" },
	{ "code.newer", "files of a newer, unknown version" },
	{ "archive.entries", "entries of archives" },
	{ "archive.others", "archive entries without bytecode" },
	{ "archive.nested", "nested archives" },
	{ "archive.versions", "classes for Java versions other than the newest" },
	{ "archive.unreached", "dex files after a numbering gap or elsewhere, never run" },
	{ "archive.prefix", "data before the archive" },
	{ "bugs.throw_leak", "Cursors leaked only when a call throws; see 'bugs all'" },
	{ "code.joined", "methods of the trace or profile found in the bytecode" },
	{ "code.ambiguous", "ambiguous methods: several with one name" },
	{ "bugs.gave_up", "Cursors with too many paths" },
	{ "repair.archive_doubles", "archive entries with a name seen before, dropped" },
	{ "repair.code_doubles", "classes with a name seen before, dropped" },
	{ "repair.dex_checksum", "dex files with a wrong checksum" },
	{ "loss.archive_encrypted", "encrypted entries" },
	{ "loss.archive_method", "entries with an unsupported compression method" },
	{ "loss.archive_entries", "damaged entries (wrong checksum)" },
	{ "loss.archive_bounds", "entries outside the file, or too large" },
	{ "loss.archive_deep", "archives nested too deep" },
	{ "loss.archive_cut", "archives with a truncated or missing directory" },
	{ "loss.code_files", "unreadable class files and dex files" },
	{ "loss.code_cut", "truncated class files and dex files" },
	{ "loss.code_classes", "classes with missing methods" },
	{ "loss.code_methods", "methods with invalid code" },
	{ "loss.bugs_invalid", "methods with Cursors but inconsistent code: not analysed" },
	{ "loss.bugs_methods", "methods too large for bugs: not analysed to their end" },
	{ NULL, NULL }
};

/* Facts from side files: --threads, --mapping. */
static const struct meaning of_sides[] = {
	{ "side.dumps", "thread dumps and tid lists read" },
	{ "side.rows", "thread lines in thread dumps" },
	{ "side.threads", "distinct tids in them" },
	{ "side.no_tid", "threads without tid: matched by name" },
	{ "side.joined", "threads named by them" },
	{ "side.by_name", "of these, matched by name" },
	{ "side.unmatched", "threads not named" },
	{ "side.unused", "their threads not in this file" },
	{ "side.conflicts", "ids with two names in one dump; last one used" },
	{ "side.reused", "ids reused in a later dump; last one used" },
	{ "side.deadlocks", "deadlocks reported in them" },
	{ "side.ignored_lines", "list lines without a thread" },
	{ "recording", "recordings that tell who allocates the objects" },
	{ "recording.elapsed", "how long they took together" },
	{ "mapping.classes", "classes in the mapping files" },
	{ "mapping.doubles", "duplicate classes, dropped" },
	{ "mapping.ignored_lines", "unparsable mapping lines" },
	{ "mapping.renamed_classes", "classes renamed" },
	{ "mapping.renamed_methods", "methods renamed" },
	{ "mapping.renamed_fields", "fields renamed" },
	{ "mapping.ambiguous", "ambiguous names, all shown" },
	{ "loss.side", "name files truncated or damaged" },
	{ NULL, NULL }
};

static const struct meaning of_traces[] = {
	{ "kind", "container: v1-regular, v1-stream, or v2a, v2b, v2c" },
	{ "clock", "clocks; dual = wall and thread-cpu" },
	{ "clock_guessed", "reason why the clock is a guess" },
	{ "records", "enters and exits in the file" },
	{ "records_claimed", "record count in the header" },
	{ "threads_listed", "threads named in the file; some may have no record" },
	{ "methods_listed", "methods named in the file" },
	{ "threads", "threads with records" },
	{ "methods", "called methods" },
	{ "stacks", "distinct stacks (call-tree nodes)" },
	{ "samples", "samples next to the calls; see 'events' and --event" },
	{ "elapsed", "duration in the header, or until the last record" },
	{ "elapsed_claimed", "duration in the header" },
	{ "clock_overhead", "clock read overhead (minimum)" },
	{ "enters", "enters of methods" },
	{ "exits", "exits from methods" },
	{ "unrolls", "exits by an exception" },
	{ "max_depth", "depth of the deepest stack" },
	{ "last_wall", "latest wall time of a record" },
	{ "last_cpu", "latest CPU time of a record" },
	{ "sampled", "1: sampled trace; call counts are not exact" },
	{ "sample_interval", "usual sampling interval" },
	{ "repair.overflow", "1: buffer full, recording stopped early" },
	{ "repair.dup_tids", "duplicate thread ids; last name used" },
	{ "repair.renames", "threads renamed or tid reused" },
	{ "repair.bad_lines", "unreadable lines, dropped" },
	{ "repair.trailing", "after the end of the trace, ignored" },
	{ "repair.synthetic", "exits without enter: calls open before the trace" },
	{ "repair.forced", "calls closed by the exit of an outer call" },
	{ "repair.ignored", "exits of methods not on the stack" },
	{ "repair.open", "calls still open at the end of the thread" },
	{ "repair.action3", "records of unknown kind, dropped" },
	{ "repair.wraps", "32-bit clock wraps" },
	{ "repair.backwards", "clock steps back, taken as no time" },
	{ "repair.unknown_methods", "methods that the file does not name" },
	{ "repair.unknown_method_records", "records of unnamed methods" },
	{ "repair.unknown_thread_records", "records of threads unnamed in the file" },
	{ "loss.tail_bytes", "in an incomplete record at the end" },
	{ "loss.records", "records that the header counts and the file does not have" },
	{ "loss.no_summary", "1: the stream ends without its summary" },
	{ "loss.cut_text", "1: the file ends before its first record" },
	{ "loss.mangled", "1: records damaged by a text conversion" },
	{ NULL, NULL }
};

/* Nanoscope. */
static const struct meaning of_tracks[] = {
	{ "format", "file format variant" },
	{ "repair.extra_pops", "exits without an open call, dropped" },
	{ "side.samples", "lines of samples in the .timer file" },
	{ "side.states", "state changes in the .state file" },
	{ "side.bad_lines", "unreadable lines in these files, dropped" },
	{ "loss.tracks", "side files damaged or unreadable" },
	{ NULL, NULL }
};

static const struct meaning of_tables[] = {
	{ "charset", "character encoding" },
	{ "separator", "field separator" },
	{ "header", "whether the first record holds the column names" },
	{ "columns", "columns; 'columns' lists them" },
	{ "records", "records; 'records' lists them" },
	{ "unit", "unit of the weight: currency, unit or column" },
	{ "preamble", "records before the header, dropped" },
	{ "path", "path columns of a record (--path)" },
	{ "weight", "weight columns (--weight)" },
	{ "time", "time column (--time)" },
	{ "repair.stray_quote", "fields with text after the closing quote, kept" },
	{ "repair.nul", "NUL characters, dropped" },
	{ "repair.no_weight", "records without a numeric weight, in no stack" },
	{ "repair.too_large", "records whose weight is too large, in no stack" },
	{ "repair.untimed", "records without a time, in no time range" },
	{ "repair.decimals", "weights with too many decimals (over 18), rounded" },
	{ "repair.currencies", "weights in several currencies, summed as numbers" },
	{ "repair.rounded", "sums with too many decimals, rounded" },
	{ "loss.unclosed_quote", "unclosed quotes, read as characters" },
	{ "loss.bad_json", "lines without a JSON object, dropped" },
	{ "loss.short_records", "records with too few fields" },
	{ "loss.long_records", "records with too many fields; the excess is dropped" },
	{ "loss.columns", "JSON names beyond 65,536 columns, dropped" },
	{ NULL, NULL }
};

static const struct meaning of_money[] = {
	{ "version", "OFX version in the header" },
	{ "statements", "statements; several may belong to one account" },
	{ "transactions", "booked transactions" },
	{ "pending", "pending transactions" },
	{ "investment_transactions", "transactions in securities, not listed" },
	{ "positions", "securities held by accounts, not listed" },
	{ "securities", "securities described in the file" },
	{ "accounts_listed", "accounts in a list, without a statement" },
	{ "refused", "requests that the bank answered with an error" },
	{ "refused.first", "code and message of the first" },
	{ "elements", "elements in the file" },
	{ "element_depth", "nesting depth of the elements" },
	{ "unknown_elements", "elements unknown to every OFX version" },
	{ "currencies", "currencies of the transactions" },
	{ "first_day", "date of the first transaction" },
	{ "last_day", "date of the last transaction" },
	{ "money.single_bytes", "1: the encoding is Windows-1252" },
	{ "total", "total of the current event" },
	{ "threads", "accounts with statements" },
	{ "methods", "different types and payees" },
	{ "samples", "transactions of the current event" },
	{ "stacks", "different combinations of type and payee" },
	{ "event", "out or in with the currency, or transactions (--event)" },
	{ "elapsed", "time from the first day to the last" },
	{ "repair.no_amount", "transactions with an unreadable amount" },
	{ "repair.rounded", "amounts rounded to 13 decimals in sums; rows are exact" },
	{ "repair.saturated", "amounts too large for sums; rows are exact" },
	{ "repair.no_day", "transactions without a date, in no time range" },
	{ "repair.repeated", "transactions that occur earlier too, counted again" },
	{ "repair.implicit_close", "elements without an end tag, closed by the next one" },
	{ "repair.stray_close", "end tags without a start tag, dropped" },
	{ "repair.hoisted", "empty elements without an end tag" },
	{ "repair.stray_text", "text between elements, dropped" },
	{ "repair.open_at_end", "elements still open at the end of the file" },
	{ "loss.outside", "transactions outside any statement" },
	{ "loss.deep_elements", "elements nested over a million deep" },
	{ "loss.cut_element", "1: the file ends inside an element" },
	{ NULL, NULL }
};

static const struct meaning of_profiles[] = {
	{ "format", "file format variant" },
	{ "kind", "differential: two weights per stack" },
	{ "lines", "lines with a stack" },
	{ "comment_lines", "lines that begin with #" },
	{ "samples", "samples of the current event" },
	{ "total", "total weight" },
	{ "total_before", "total weight before" },
	{ "stacks", "different stacks" },
	{ "max_depth", "depth of the deepest stack" },
	{ "methods", "different frames" },
	{ "threads", "threads in the file" },
	{ "events", "events; 'events' lists them" },
	{ "event", "current event: most samples, or see chosen_by" },
	{ "chosen_by", "why that event is the current one" },
	{ "elapsed", "time from the first sample to the last" },
	{ "versions", "versions of the file format" },
	{ "recorder", "program that wrote the recording" },
	{ "vm", "virtual machine that was recorded" },
	{ "arguments", "options and arguments of the virtual machine" },
	{ "pid", "process id of the virtual machine" },
	{ "processes", "processes recorded; vm, arguments and pid are of the first" },
	{ "chunks", "parts of the recording, each complete in itself" },
	{ "recorded_events", "events of all kinds in the recording" },
	{ "recorder_lost_bytes", "of events that the recorder lost" },
	{ "recorder_lost_samples", "CPU time samples that the recorder lost" },
	{ "recorded_at", "start of the recording" },
	{ "duration", "duration of the recording" },
	{ "period", "sampling period" },
	{ "labels", "keys of labels, with the labels that have them" },
	{ "comments", "comments of the profiler" },
	{ "profile_samples", "samples in the file, of all events" },
	{ "mappings", "mapped programs and libraries" },
	{ "locations", "places in the program" },
	{ "functions", "functions in the file" },
	{ "inlined_lines", "inlined calls at these places" },
	{ "drop_frames", "functions that the profiler hides" },
	{ "keep_frames", "of these, functions to show" },
	{ "dropped_samples", "samples cut at a hidden function" },
	{ "symbols", "where names of functions are from" },
	{ "perf_said", "what perf script said besides" },
	{ "other_records", "perf records other than samples" },
	{ "switch_records", "perf records of switches (PERF_RECORD_SWITCH)" },
	{ "open_waits", "waits that had not ended at the end of the recording" },
	{ "fields", "fields of the header of each sample" },
	{ "repair.one_process", "threads whose waits are unknown: switches of one process only; use perf record -a or --switch-events" },
	{ "repair.sampled_switches", "switches sampled out of several: waits are unknown; record all with perf record -c 1" },
	{ "repair.stray_lines", "stray lines, dropped" },
	{ "repair.bad_frames", "unreadable frames, dropped" },
	{ "repair.renames", "threads renamed" },
	{ "repair.ignored_lines", "lines without a trailing count, dropped" },
	{ "repair.unfinished", "chunks that were still being written" },
	{ "repair.clock", "chunks without a clock frequency, read as 1 GHz" },
	{ "repair.times", "events far from the time of their chunk, in no time range" },
	{ "repair.one_count", "lines with one weight instead of two; second = 0" },
	{ "repair.two_counts", "lines with two weights instead of one; first kept as name" },
	{ "repair.rounded", "weights rounded to 6 decimals" },
	{ "repair.saturated", "weights clipped (overflow)" },
	{ "repair.values", "samples with too few or too many values, dropped" },
	{ "repair.location", "unknown locations in stacks, dropped" },
	{ "repair.ids", "mappings, locations, functions without an id of their own" },
	{ "repair.strings", "strings missing in the file, empty" },
	{ "repair.pattern", "patterns to hide functions: invalid, or too slow" },
	{ "loss.messages", "damaged messages in the profile, dropped" },
	{ "loss.perf", "1: perf script failed" },
	{ "loss.events", "events lost during recording" },
	{ "loss.chunks", "chunks without their types, dropped" },
	{ "loss.types", "damaged lists of types, dropped" },
	{ "loss.checkpoints", "lists of constants not read to their end" },
	{ "loss.unknown_events", "events of unknown type, dropped" },
	{ "loss.bad_events", "unreadable events, dropped" },
	{ "loss.stacks", "samples whose stack is missing in the file" },
	{ "loss.gap_bytes", "unreadable between chunks" },
	{ "loss.tail_bytes", "after the last complete line or event" },
	{ "loss.deep_stacks", "stacks truncated to 2^24 frames" },
	{ NULL, NULL }
};

static const struct meaning of_heaps[] = {
	{ "format", "HPROF version in the header" },
	{ "id_size", "size of an address" },
	{ "dumped_at", "dump time in the header" },
	{ "parts", "parts beside an unfinished dump, read with it" },
	{ "dumps", "heap dumps in the file; --dump opens another" },
	{ "dump", "this heap dump, from 1" },
	{ "layout", "object layout and share of addresses that fit it" },
	{ "layout_runner_up", "second-best layout" },
	{ "layout_larger", "classes whose objects are larger than their fields" },
	{ "objects", "objects, reachable or not, with Class objects" },
	{ "classes", "classes with a record" },
	{ "loaders", "class loaders, with the bootstrap loader" },
	{ "roots", "GC roots" },
	{ "threads", "threads" },
	{ "names", "strings in the file" },
	{ "jvm", "VM that wrote the dump" },
	{ "command", "its main class and arguments" },
	{ "jvm_options", "its options, as its management bean or its environment has them" },
	{ "os", "system it ran on" },
	{ "collectors", "its garbage collectors" },
	{ "direct_limit", "limit of direct buffers: -XX:MaxDirectMemorySize, else as -Xmx" },
	{ "device", "Android device" },
	{ "filler_objects", "unreachable int[] that seem to fill gaps of the heap" },
	{ "filler_bytes", "shallow size of these" },
	{ "missing", "references to missing objects" },
	{ "stackless_threads", "virtual threads without a stack in the file: what only their local variables hold counts as unreachable" },
	{ "repair.version", "1: unknown version in the header" },
	{ "repair.doubles", "duplicate object records, first used" },
	{ "repair.unknown_records", "records of unknown kind, skipped" },
	{ "repair.bad_records", "invalid records, dropped" },
	{ "repair.lengths", "records with a wrong length" },
	{ "repair.zeros", "zero-filled gaps" },
	{ "repair.super_cycles", "superclass cycles, cut" },
	{ "repair.no_super", "classes with a missing superclass" },
	{ "repair.no_class", "classes without a class record" },
	{ "repair.absent_roots", "roots of missing objects, dropped" },
	{ "repair.no_roots", "1: no GC roots; unreferenced objects used instead" },
	{ "repair.field_lengths", "objects shorter than their class layout" },
	{ "loss.cut_bytes", "missing from the last record" },
	{ "loss.tail_bytes", "in an incomplete record at the end" },
	{ "loss.skipped_bytes", "unreadable, skipped" },
	{ "loss.no_end", "1: no end record" },
	{ "loss.no_heap", "1: no objects" },
	{ "loss.part_bytes", "in incomplete records at the ends of the parts" },
	{ "loss.parts", "parts missing in between" },
	{ "refs", "references that keep objects alive: soft, strong, all, unreachable" },
	{ "sizes", "size rule: vm or mat" },
	{ "live_objects", "reachable objects" },
	{ "live_bytes", "shallow size of the instances" },
	{ "direct_bytes", "native memory of live direct buffers and memory segments" },
	{ "zlib_bytes", "estimate: native memory of live Inflaters and Deflaters" },
	{ "registered_bytes", "native memory registered by live objects (Android)" },
	{ "mapped_bytes", "mapped files of live buffers" },
	{ "finalizable_bytes", "size waiting for finalize(), with everything below" },
	{ "unreachable_objects", "unreachable objects (garbage)" },
	{ "unreachable_bytes", "shallow size of the instances" },
	{ NULL, NULL }
};

static const struct meaning of_triage[] = {
	{ "format", "rows that icecore triage wrote" },
	{ "blocks", "dumps with all their findings, each time they were read" },
	{ "dumps", "dumps: of a path the newest" },
	{ "findings", "leaks and warnings of these" },
	{ "signatures", "different leaks among them" },
	{ "loss.rows", "rows that belong to no whole dump, dropped" },
	{ NULL, NULL }
};

/* By shape of file; what several have comes last. */
static const struct {
	unsigned		 shapes;
	const struct meaning	*list;
} lists[] = {
	{ SHAPE_GRAPH, of_heaps },
	{ SHAPE_CODE, of_code },
	{ SHAPE_MARKS, of_marks },
	{ SHAPE_TABLE, of_tables },
	{ SHAPE_MONEY, of_money },
	{ SHAPE_TRIAGE, of_triage },
	{ SHAPE_SAMPLES, of_profiles },
	{ SHAPE_MARKS, of_traces },
	{ SHAPE_TASKS, of_tasks },
	{ SHAPE_CALLS | SHAPE_MARKS, of_traces },
	{ SHAPE_TRACKS, of_tracks },
	{ SHAPE_TRACKS, of_tasks },
	{ ~0u, of_all },
	{ ~0u, of_sides },
};

struct str
info_meaning(struct str field, unsigned shapes)
{
	size_t n = NELEM(lists);

	if (str_eq(field, STR("skipped.stack")))
		return STR("trace events with a stack (sf, esf, stack), unread");
	if (str_eq(field, STR("skipped.totals")))
		return STR("totals of clang -ftime-trace, which other events add up to");
	if (str_eq(field, STR("skipped.system")))
		return STR("lines of systemTraceEvents that are no switches or wakeups, unread; jq -r .systemTraceEvents FILE prints them");
	if (str_has_prefix(field, STR("setting.")))
		return STR("setting of an event, or of the profiler");
	if (str_has_prefix(field, STR("log.")))
		return STR("warning of the profiler");
	if (str_has_prefix(field, STR("skipped.")))
		return STR("trace events of this phase letter, unread");
	/* A diff reports repairs and losses of its files, whose shapes it does not have: search all lists. */
	if (str_has_prefix(field, STR("repair.")) || str_has_prefix(field, STR("loss.")))
		n *= 2;
	for (size_t i = 0; i < n; i++) {
		if (i < NELEM(lists) && (lists[i].shapes & shapes) == 0)
			continue;
		for (const struct meaning *m = lists[i % NELEM(lists)].list; m->field != NULL; m++)
			if (str_eq(str_of(m->field), field))
				return str_of(m->meaning);
	}
	return STR("");
}
