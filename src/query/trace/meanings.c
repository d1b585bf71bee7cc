/*
 * meanings: what the facts about a file say, for info and for the manual.
 */
#include "config.h"

#include "trace.h"

struct meaning {
	const char	*field, *meaning;
};

static const struct meaning of_all[] = {
	{ "encoding", "how the file is packed or encoded, from the outside in" },
	{ "unpacked", "size of what it holds, unpacked" },
	{ "loader", "what read the file" },
	{ "repair.utf16", "pieces of UTF-16 that are no character" },
	{ "loss.gzip", "1: the gzip data is cut or damaged" },
	{ "loss.zlib", "1: the zlib data of atrace is cut or damaged" },
	{ "other_entries", "entries of JSON of kinds that are not read" },
	{ "repair.bad_entries", "entries of JSON that make no sense, left out or cut" },
	{ "clock_start", "time of the first event by the clock of the trace" },
	{ "with_cpu", "calls with a CPU time of their own; the others have that of the calls in them" },
	{ "repair.no_time", "events without a time in a trace since an epoch or the boot, put at the first one" },
	{ "repair.end_without_begin", "ends of calls that did not begin, left out" },
	{ "repair.end_name", "ends that name another call than the innermost one, which they end" },
	{ "repair.overlap", "calls longer than the one around them, cut to its end" },
	{ "repair.node", "samples of nodes that are not in the file: they have no stack" },
	{ "repair.early", "samples before the first event, put at it" },
	{ "repair.no_head", "profiles without their first event: they begin at 0" },
	{ "loss.json", "1: the JSON is cut or damaged" },
	{ "loss.html", "1: the systrace page ends within its data" },
	{ "loss.reason", "the most important loss, in words" },
	{ "index path", "where the index is kept" },
	{ NULL, NULL }
};

static const struct meaning of_marks[] = {
	{ "async", "asynchronous operations; the source async lists their kinds" },
	{ "counters", "counters; the source counters lists them" },
	{ "flows", "flows from call to call; the source flows lists them" },
	{ "instants", "events of a moment; the source marks lists them" },
	{ "repair.async_end", "ends of asynchronous operations that did not begin, left out" },
	{ "repair.below_zero", "values of counters below 0, which are 0 in tracks" },
	{ NULL, NULL }
};

static const struct meaning of_tasks[] = {
	{ "live", "1: the file was read while it was written; sums are of all, rows are the last ones" },
	{ "switches", "switches from task to task" },
	{ "switches_kept", "the last ones, which were kept" },
	{ "wakeups", "wakeups of tasks" },
	{ "marks", "lines that user space wrote into the trace" },
	{ "records", "begins and ends of calls among them" },
	{ "threads_listed", "tasks the file names; some may never have run" },
	{ "threads", "tasks that wrote such calls" },
	{ "methods", "names of these calls" },
	{ "stacks", "different stacks of them" },
	{ "other_events", "events that say nothing of tasks" },
	{ "counters", "counters, and kinds of asynchronous work" },
	{ "instants", "marks of a moment" },
	{ "renames", "times a task got another name" },
	{ "reused", "ids that another task had after the first one ended" },
	{ "repair.bad_events", "scheduler events that could not be read, left out" },
	{ "repair.unordered", "events that stand behind later ones, put in order" },
	{ "repair.marks", "marks of unknown kind, left out" },
	{ "repair.unopened", "ends of marks without a begin, left out" },
	{ "repair.below_zero", "values of counters below 0, shown as 0" },
	{ "loss.events", "events lost while the trace was recorded" },
	{ "loss.tasks", "switches of tasks beyond those that a live trace tells apart" },
	{ NULL, NULL }
};

static const struct meaning of_code[] = {
	{ "format", "form of the file" },
	{ "code.files", "class files and dex files" },
	{ "code.classes", "classes in them" },
	{ "code.methods", "methods of these classes" },
	{ "code.bytes", "size of their code" },
	{ "code.newer", "files of a version newer than those that are known" },
	{ "archive.entries", "entries of archives" },
	{ "archive.others", "entries that hold no bytecode" },
	{ "archive.nested", "archives in archives" },
	{ "archive.versions", "classes for other versions of Java than the newest" },
	{ "archive.unreached", "dex files behind a gap or in other folders, which are not run" },
	{ "archive.prefix", "bytes in front of the archive" },
	{ "bugs.throw_leak", "Cursors that leak only when a call throws: bugs all lists them" },
	{ "code.joined", "methods of the trace or profile that are in the bytecode" },
	{ "code.ambiguous", "those of several methods of one name, which nothing tells apart" },
	{ "bugs.doubles", "classes of a name that was there, which are not looked at" },
	{ "bugs.gave_up", "Cursors with too many paths to follow" },
	{ "repair.archive_doubles", "entries of a name that was there, left out" },
	{ "repair.dex_checksum", "dex files whose checksum is wrong" },
	{ "loss.archive_encrypted", "encrypted entries" },
	{ "loss.archive_method", "entries packed by a method that is not read" },
	{ "loss.archive_entries", "entries that are damaged: their checksum is wrong" },
	{ "loss.archive_bounds", "entries that lie outside of the file or are too large" },
	{ "loss.archive_deep", "archives in archives in archives, too deep" },
	{ "loss.archive_cut", "archives whose directory is cut or missing" },
	{ "loss.code_files", "class files and dex files that cannot be read" },
	{ "loss.code_cut", "class files and dex files that end too early" },
	{ "loss.code_classes", "classes that lack methods" },
	{ "loss.code_methods", "methods with invalid code" },
	{ "loss.bugs_invalid", "methods with Cursors but inconsistent code: not analysed" },
	{ "loss.bugs_methods", "methods too large for bugs: not analysed to their end" },
	{ NULL, NULL }
};

/* What other files tell: --threads, --mapping. */
static const struct meaning of_sides[] = {
	{ "side.dumps", "thread dumps and lists of threads that were read" },
	{ "side.rows", "lines of threads in them" },
	{ "side.threads", "different threads with an id of the system in them" },
	{ "side.no_tid", "lines of threads without one: they can only be found by name" },
	{ "side.joined", "threads of this file that they name" },
	{ "side.by_name", "those of them that were found by name" },
	{ "side.unmatched", "threads of this file that they do not name" },
	{ "side.unused", "their threads that this file does not have" },
	{ "side.conflicts", "ids that one dump gives to threads of different names; the last counts" },
	{ "side.reused", "ids that another thread has in a later dump; the last counts" },
	{ "side.deadlocks", "deadlocks they tell of" },
	{ "side.ignored_lines", "lines of lists that name no thread" },
	{ "mapping.classes", "classes of the mapping files" },
	{ "mapping.doubles", "classes that stand there again, left out" },
	{ "mapping.ignored_lines", "lines that are neither a class nor a member of one" },
	{ "mapping.renamed_classes", "classes of this file that got another name" },
	{ "mapping.renamed_methods", "methods of this file that got another name" },
	{ "mapping.renamed_fields", "fields of this file that got another name" },
	{ "mapping.ambiguous", "methods and fields that may have had several names: all are shown" },
	{ "loss.side", "files of names that are cut or damaged" },
	{ NULL, NULL }
};

static const struct meaning of_traces[] = {
	{ "kind", "container: v1-regular, v1-stream, or v2a, v2b, v2c" },
	{ "clock", "clocks of the records: dual is wall and thread-cpu" },
	{ "clock_guessed", "why clock is a guess" },
	{ "records", "enters and exits in the file" },
	{ "records_claimed", "what the file says of the number of its records" },
	{ "threads_listed", "threads the file names; some may have no record" },
	{ "methods_listed", "methods the file names" },
	{ "threads", "threads with records" },
	{ "methods", "methods that were called" },
	{ "stacks", "different stacks, the nodes of the call trees" },
	{ "samples", "samples beside the calls: the source events lists their events, --event shows them" },
	{ "elapsed", "from start to end of the trace, as the file says" },
	{ "clock_overhead", "cost of reading the clocks once, at least" },
	{ "enters", "enters of methods" },
	{ "exits", "exits from methods" },
	{ "unrolls", "exits by an exception" },
	{ "max_depth", "calls on the deepest stack" },
	{ "last_wall", "the latest wall time of a record" },
	{ "last_cpu", "the latest CPU time of a record" },
	{ "sampled", "1: a sampler wrote the trace, and the numbers of calls mean little" },
	{ "sample_interval", "usual time between two samples" },
	{ "repair.overflow", "1: the buffer was full and recording ended early" },
	{ "repair.dup_tids", "thread ids that are listed again; the last name counts" },
	{ "repair.renames", "threads announced again, renamed or their id used again" },
	{ "repair.bad_lines", "lines that cannot be read, left out" },
	{ "repair.trailing", "bytes behind the end of the trace, left out" },
	{ "repair.synthetic", "exits without an enter: calls open since before the start" },
	{ "repair.forced", "calls closed because one around them was left" },
	{ "repair.ignored", "exits of methods that were not open" },
	{ "repair.open", "calls still open at the end of their thread" },
	{ "repair.action3", "records of unknown kind, left out" },
	{ "repair.wraps", "times a 32-bit clock ran over" },
	{ "repair.backwards", "times a clock stepped back, taken as standing still" },
	{ "repair.unknown_methods", "methods in records that the file does not name" },
	{ "repair.unknown_method_records", "records of such methods" },
	{ "repair.unknown_thread_records", "records of threads that the file does not name" },
	{ "loss.tail_bytes", "bytes at the end that are no whole record" },
	{ "loss.no_summary", "1: the stream ends without its summary" },
	{ "loss.cut_text", "1: the file ends before its first record" },
	{ "loss.mangled", "1: a text conversion destroyed the records" },
	{ NULL, NULL }
};

/* Nanoscope. */
static const struct meaning of_tracks[] = {
	{ "format", "form of the file" },
	{ "repair.extra_pops", "exits with no call open, left out" },
	{ "side.samples", "lines of samples in the .timer file" },
	{ "side.states", "changes of state in the .state file" },
	{ "side.bad_lines", "lines of these two that are not such, left out" },
	{ "loss.tracks", "such files that are damaged or cannot be read" },
	{ NULL, NULL }
};

static const struct meaning of_tables[] = {
	{ "charset", "how its characters are encoded" },
	{ "separator", "what stands between the fields of a record" },
	{ "header", "whether the first record has the names of the columns" },
	{ "columns", "columns; the source columns lists them" },
	{ "records", "records; the source records lists them" },
	{ "unit", "what the weight counts: a currency, a unit or the column" },
	{ "preamble", "records in front of the header, left out" },
	{ "path", "columns that make the stack of a record, from --path" },
	{ "weight", "columns of its weight, from --weight" },
	{ "time", "column of its time, from --time" },
	{ "repair.stray_quote", "fields with text behind their closing quote, which belongs to them" },
	{ "repair.nul", "bytes of 0, left out" },
	{ "repair.no_weight", "records whose weight is no number: in no stack" },
	{ "repair.too_large", "records whose weight does not fit: in no stack" },
	{ "repair.untimed", "records without a time: in no piece of time" },
	{ "repair.decimals", "weights with more than 18 decimals, or more than all sums have room for, rounded" },
	{ "repair.currencies", "weights whose values name several currencies, summed as numbers" },
	{ "repair.rounded", "sums with more decimals than fit, rounded" },
	{ "loss.unclosed_quote", "quotes that nobody closes, read as characters" },
	{ "loss.bad_json", "lines that are no JSON object, left out" },
	{ "loss.short_records", "records with fewer fields than there are columns" },
	{ "loss.long_records", "records with more fields; those are left out" },
	{ "loss.columns", "names of JSON beyond 65,536 columns, left out" },
	{ NULL, NULL }
};

static const struct meaning of_money[] = {
	{ "version", "of the form, as the header says" },
	{ "statements", "statements in the file; several may be of one account" },
	{ "transactions", "transactions that are booked" },
	{ "pending", "transactions that are not booked yet" },
	{ "investment_transactions", "of securities, which transactions does not list" },
	{ "positions", "securities that accounts hold, which nothing lists" },
	{ "securities", "securities that the file describes" },
	{ "accounts_listed", "accounts that a list names without a statement" },
	{ "refused", "requests that the bank answered with an error" },
	{ "refused.first", "code and message of the first" },
	{ "elements", "elements in the file" },
	{ "element_depth", "how deep they lie" },
	{ "unknown_elements", "of these no version of the form has" },
	{ "currencies", "of the transactions" },
	{ "first_day", "of the transactions" },
	{ "last_day", "of the transactions" },
	{ "money.single_bytes", "1: its characters are those of Windows-1252" },
	{ "total", "what the event that counts adds up to" },
	{ "threads", "accounts with statements" },
	{ "methods", "different types and payees" },
	{ "samples", "transactions of the event that counts" },
	{ "stacks", "different types and payees together among them" },
	{ "event", "out or in and the currency, or transactions: --event" },
	{ "elapsed", "from the first day to the last" },
	{ "repair.no_amount", "transactions whose amount cannot be read" },
	{ "repair.rounded", "amounts of more than 13 decimals, rounded in sums of events; rows are exact" },
	{ "repair.saturated", "amounts too large for sums of events; rows are exact" },
	{ "repair.no_day", "transactions without a day: in no piece of time" },
	{ "repair.implicit_close", "elements without an end, ended by what follows" },
	{ "repair.stray_close", "ends of elements that did not begin, left out" },
	{ "repair.hoisted", "empty elements without an end, with what follows behind them" },
	{ "repair.stray_text", "texts between elements, left out" },
	{ "repair.open_at_end", "elements that were open at the end of the file" },
	{ "loss.outside", "transactions outside of any statement" },
	{ "loss.deep_elements", "elements more than a million deep" },
	{ "loss.cut_element", "1: the file ends within an element" },
	{ NULL, NULL }
};

static const struct meaning of_profiles[] = {
	{ "format", "form of the file" },
	{ "kind", "differential: stacks have a weight before and one after" },
	{ "lines", "lines with a stack" },
	{ "comment_lines", "lines that begin with #" },
	{ "samples", "samples of the event that counts; lines of folded stacks" },
	{ "total", "sum of their weights" },
	{ "total_before", "sum of the weights before" },
	{ "stacks", "different stacks among them" },
	{ "max_depth", "frames on the deepest of these" },
	{ "methods", "different frames in the file" },
	{ "threads", "threads in the file" },
	{ "events", "events in the file; the source events lists them" },
	{ "event", "what answers are about: most samples, or --event" },
	{ "elapsed", "from the first sample to the last" },
	{ "other_records", "records of perf that are no samples" },
	{ "repair.stray_lines", "lines outside of samples, left out" },
	{ "repair.bad_frames", "lines in samples that are no frames, left out" },
	{ "repair.renames", "threads whose id had another name before" },
	{ "repair.ignored_lines", "lines without a number at their end, left out" },
	{ "repair.one_count", "lines with one count in a file with two; the second is taken as 0" },
	{ "repair.two_counts", "lines with two counts in a file with one; the first is part of the name" },
	{ "repair.rounded", "weights with more decimals than six, rounded" },
	{ "repair.saturated", "weights that were too large to add" },
	{ "loss.events", "events lost while the profile was recorded" },
	{ "loss.tail_bytes", "bytes at the end that are no whole line" },
	{ "loss.deep_stacks", "stacks of more than 2^24 frames, cut behind these" },
	{ NULL, NULL }
};

static const struct meaning of_heaps[] = {
	{ "format", "form of the file, as its header says" },
	{ "id_size", "bytes of an address in the file" },
	{ "dumped_at", "when it was written, as it says" },
	{ "dumps", "heap dumps in the file; --dump opens another one" },
	{ "dump", "which of them this is, from 1" },
	{ "layout", "how the Java machine laid out its objects, and how many gaps between addresses say so" },
	{ "layout_runner_up", "the next best guess" },
	{ "objects", "objects in the dump, reachable or not, with the Class objects" },
	{ "classes", "classes with a record of their own" },
	{ "loaders", "class loaders, with the one of the Java machine" },
	{ "roots", "references from outside the heap" },
	{ "threads", "threads of the dump" },
	{ "names", "names in the file" },
	{ "missing", "references to objects that are not in the dump" },
	{ "repair.version", "1: the header has a version that is not known" },
	{ "repair.doubles", "objects that are there twice; the first counts" },
	{ "repair.unknown_records", "records of unknown kind, skipped by their length" },
	{ "repair.bad_records", "records whose content cannot be right, left out" },
	{ "repair.lengths", "records whose length is not that of their content" },
	{ "repair.zeros", "places with zeros where a record should begin" },
	{ "repair.super_cycles", "classes that extend themselves in the end, cut there" },
	{ "repair.no_super", "classes that extend one that is not in the dump" },
	{ "repair.no_class", "classes with objects but without a record of their own" },
	{ "repair.absent_roots", "roots of objects that are not in the dump, left out" },
	{ "repair.no_roots", "1: the dump has no roots; objects that nothing refers to are taken as such" },
	{ "repair.field_lengths", "objects with fewer bytes than their class has fields" },
	{ "loss.cut_bytes", "bytes that the last record says to have and the file does not" },
	{ "loss.tail_bytes", "bytes at the end that are no whole record" },
	{ "loss.skipped_bytes", "bytes in between that could not be read" },
	{ "loss.no_end", "1: the record that ends a dump is missing" },
	{ "loss.no_heap", "1: there is only a header" },
	{ "refs", "references that count for what is live and retained: soft, strong or all" },
	{ "sizes", "rule of sizes: vm, as the Java machine has them, or mat" },
	{ "live_objects", "objects that can be reached from the roots" },
	{ "live_bytes", "size of these" },
	{ "direct_bytes", "memory outside the heap that live direct buffers have" },
	{ "mapped_bytes", "of files that live buffers map" },
	{ "finalizable_bytes", "size of what only waits for finalize(), with all that hangs on it" },
	{ "unreachable_objects", "objects that cannot: garbage that was not collected yet" },
	{ "unreachable_bytes", "size of these" },
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
	{ SHAPE_SAMPLES, of_profiles },
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
	if (str_eq(field, STR("skipped.stack")))
		return STR("trace events with a stack of their own (sf, esf, stack), which is not read");
	if (str_has_prefix(field, STR("skipped.")))
		return STR("trace events of this letter, which are not read");
	for (size_t i = 0; i < NELEM(lists); i++) {
		if ((lists[i].shapes & shapes) == 0)
			continue;
		for (const struct meaning *m = lists[i].list; m->field != NULL; m++)
			if (str_eq(str_of(m->field), field))
				return str_of(m->meaning);
	}
	return STR("");
}
