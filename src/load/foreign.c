/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign: the formats that no loader reads: how each is recognised, its name, and what to do instead.
 *
 * A command after the last ": " of an advice works as it is, with names in place of the words in capitals;
 * tests/refusals.test runs those whose tools are installed.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "decode.h"
#include "foreign.h"

/* The part of a file that is compared.  Texts of the last two kinds can look like folded stacks. */
enum foreign_by {
	BY_WHOLE,	/* is: all bytes */
	BY_BYTES,	/* is: the first part */
	BY_START,	/* one: how it starts; blanks before a text do not count */
	BY_PART,	/* one: somewhere in the first part of a text */
	BY_JSON,	/* one, other: both are in the first part of JSON */
	BY_LOOK,	/* is: the first part of a text */
	BY_DOOR,	/* door: how much a text looks like folded stacks */
	BY_LINE,	/* one, other: lines that begin so, or contain what follows '*' */
	BY_LINES	/* is: the first lines */
};

struct foreign {
	enum foreign_by	 by;
	struct str	 one, other;
	bool		(*is)(struct str);
	const char	*name, *advice;
	enum folded_door door;
};

static bool
looks_oat(struct str s)
{
	return elf_is_oat((const uint8_t *)s.s, s.n);
}

#define START(one, name, advice) { BY_START, STR(one), STR(""), NULL, name, advice }
#define PART(one, name, advice) { BY_PART, STR(one), STR(""), NULL, name, advice }
#define LINE(one, other, name, advice) { BY_LINE, STR(one), STR(other), NULL, name, advice }
#define JSON(one, other, name, advice) { BY_JSON, STR("\"" one "\""), STR(other), NULL, name, advice }
#define IS(by, is, name, advice) { by, STR(""), STR(""), is, name, advice }
#define DOOR(door, name, advice) { BY_DOOR, STR(""), STR(""), NULL, name, advice, door }

#define OR_AS "see icecore --list-formats, or open with --as NAME"
#define AS_FOLDED "folded stacks: open with --as folded"
#define PERF_G "record stacks with perf record -g"
#define PERF_SCRIPT "open the output of perf script"
#define PERF_DATA "decompress it and name it on the command line, or " PERF_SCRIPT
#define TRACE_DAT "decompress it and name it on the command line, or open the output of trace-cmd report -t -i FILE"
#define UNPACK(tool) "open it through a pipe: " tool " FILE | icecore -"
#define TO_PPROF "convert it: pprof -proto PROGRAM FILE > profile.pb.gz"
#define CORE "for the heap of a JVM, use jhsdb jmap --binaryheap --core FILE --exe JAVA; " \
	"to write the stacks: gdb -batch -ex 'thread apply all bt' PROGRAM FILE > stacks.txt"
#define SIMPLEPERF "write a report that is read: simpleperf report-sample --protobuf --show-callchain -o FILE.trace"
#define STATEMENT "export OFX (QFX, Money) or CSV from the bank instead"
#define QIF "a QIF file (unsupported)"
#define PAGE "a page of HTML without an embedded trace"
#define NO_FILE "often the answer of a server in place of a file; look at it, and fetch the file again"
#define PROFILER "open it in profiler.firefox.com"
#define FIREFOX "a Firefox profile older than Gecko version 3 (JSON, unsupported)"
#define SPANS "a distributed trace of several services (JSON, unsupported)"
#define XDEBUG "record a profile of Xdebug with xdebug.mode=profile"
#define JFR_ITSELF "open the recording itself"
#define SAMPLE "reports of crashes are read; of a process that runs, write the stacks: sample PID -file sample.txt"
#define GC_LOG "a JVM GC log (unsupported)"
#define TO_JFR "record the process: jcmd PID JFR.start"
#define TRACY "a Tracy trace (unsupported)"
#define TO_CSV "convert it: tracy-csvexport -u FILE > zones.csv"
#define CTF "a part of a CTF trace, as of LTTng (unsupported)"
#define TO_SCHED "record the system with trace-cmd or perf sched record"
#define TACHYON "a binary recording of Python's profiling.sampling (unsupported)"
#define REPLAY "convert it with the same Python: python -m profiling.sampling replay --collapsed FILE"
#define PSTACK "the output of pstack of illumos or Solaris (unsupported)"
#define TO_DTRACE "record the process with DTrace: " \
	"dtrace -n 'profile-97 /pid == $target/ { @[ustack()] = count(); }' -p PID > stacks.txt"
#define TO_SYSCALLS "record the calls with their stacks: perf record -a -g -e 'raw_syscalls:*'; then " PERF_SCRIPT
#define LEGACY "in legacy text form"
#define NOT_DEBUG "fetch it without debug=1, or convert it with pprof -proto"

/* The first row that fits counts: longer marks come before their prefixes. */
static const struct foreign rows[] = {
	IS(BY_WHOLE, looks_oat, "an oat file", "open the APK it was compiled from"),
	IS(BY_BYTES, looks_atrace_cr, "an atrace capture damaged by adb shell", "record with adb exec-out"),
	IS(BY_BYTES, looks_atrace_empty, "an empty atrace capture", "with -z, use adb exec-out, not adb shell"),

	PART(". ... raw event: size ", "output of perf script -D", "use perf script without -D"),
	PART(" Runtime ms  | Switches", "perf sched latency output", "use perf sched timehist"),
	PART(":iso:20022:tech:xsd:camt.", "a camt bank statement (ISO 20022, e.g. camt.053, unsupported)", STATEMENT),
	PART(" secs A0 => ", "perf sched map output", "use perf sched timehist"),

	IS(BY_LINES, looks_jfr_print, "the output of jfr print", JFR_ITSELF),
	LINE("[", "*][gc", GC_LOG, TO_JFR), LINE("*[GC (", "* secs]", GC_LOG, TO_JFR),
	LINE(" Event Type ", "*Size (bytes)", "the output of jfr summary", JFR_ITSELF),
	LINE("# Overhead ", "", "perf report output", PERF_SCRIPT),
	LINE("# Children ", "*Self ", "perf report output", PERF_SCRIPT),
	LINE(" Percent ", "*|", "output of perf annotate", PERF_SCRIPT),
	LINE("* Performance counter stats for", "", "perf stat output, which has no stacks",
	    "run perf record -g and " PERF_SCRIPT),
	LINE("*Runtime summary", "*sched-in", "summary of perf sched timehist", "open its output without -s"),
	LINE("* Summary of events:", "", "the summary of perf trace, which has no stacks", TO_SYSCALLS),
	IS(BY_LINES, looks_perf_trace, "output of perf trace (unsupported)", TO_SYSCALLS),
	LINE("java.util.concurrent.ForkJoinPool@", "*parallelism = ",
	    "the output of jcmd PID Thread.vthread_scheduler, which has no stacks",
	    "dump all threads: jcmd PID Thread.dump_to_file FILE"),
	LINE("Flat profile:", "*cumulative   self", "gprof output, which has no stacks", PERF_G),
	LINE("*ncalls  tottime  percall", "", "a cProfile table, which has no stacks",
	    "open the file that the program saved with -o: python -m cProfile -o out.pstats PROGRAM"),
	LINE("[events]", "", "a full report of php-spx (unsupported)", XDEBUG),
	LINE("*** SPX Report ***", "", "a flat profile of php-spx, which has no stacks", XDEBUG),
	LINE("# ninja log v", "", "a log of ninja",
	    "make a table of its steps: (echo start_ms,end_ms,output; tail -n +2 FILE | cut -f 1,2,4 | tr '\\t' ,) > "
	    "build.csv"),
	LINE("packet {", "", "a Perfetto trace or configuration as text (unsupported)", "open the binary trace"),
	LINE("TRACE START [", "", "a function trace of Xdebug (unsupported)", XDEBUG),
	LINE("----", "*- lwp# ", PSTACK, TO_DTRACE), LINE("----", "*  lwp# ", PSTACK, TO_DTRACE),
	LINE("# pmcstat", "", "output of pmcstat", "convert with stackcollapse-pmc.pl"),
	LINE("@ CPU_CLK", "", "output of pmcstat", "convert with stackcollapse-pmc.pl"),
	LINE("Level,Function Name,", "", "a Visual Studio profiler table", "convert with inferno-collapse-vsprof"),
	LINE("v 1", "X ", "data of heaptrack (unsupported)", "print its stacks: heaptrack_print -F stacks.folded FILE"),
	LINE("heap_v2/", "*t*:", "a heap profile of jemalloc (unsupported)",
	    "convert it: jeprof --collapsed PROGRAM FILE > stacks.folded"),
	LINE("heap profile: ", "", "a heap profile of Go or gperftools " LEGACY, NOT_DEBUG),
	LINE("--- heapz ", "", "a heap profile of Java " LEGACY, NOT_DEBUG),
	LINE("threadcreate profile: total ", "", "a thread profile of Go " LEGACY, NOT_DEBUG),
	LINE("--- contention", "", "a contention profile of Go or gperftools " LEGACY, NOT_DEBUG),
	LINE("--- mutex:", "", "a mutex profile of Go " LEGACY, NOT_DEBUG),
	LINE("--- threadz ", "", "a thread profile of gperftools " LEGACY, NOT_DEBUG),
	LINE("--- Thread ", "", "a thread profile of gperftools " LEGACY, NOT_DEBUG),
	LINE("--- symbol", "binary=", "a profile of gperftools with symbols " LEGACY, NOT_DEBUG),
	IS(BY_LINES, looks_ltrace, "a trace of library calls (ltrace, unsupported)",
	    "open the output of uftrace dump --chrome"),
	IS(BY_LINES, looks_strace, "a trace of system calls (strace, unsupported)", PERF_G),

	JSON("dhatFileVersion", "", "a DHAT profile (JSON, unsupported)",
	    "use dh_view.html of Valgrind, or record with another tool: valgrind --tool=massif PROGRAM"),
	JSON("linux-perf-json-version", "", "perf data (JSON, unsupported)", PERF_SCRIPT),
	JSON("logEventTypes", "\"constants\"", "a Chrome network log (JSON, unsupported)", "use the NetLog viewer"),
	JSON("snapshot", "\"node_fields\"", "a V8 heap snapshot (unsupported)",
	    "use the Memory panel of Chrome DevTools"),
	JSON("stackwalk", "\"processType\"", FIREFOX, PROFILER), JSON("profileJSON", "", FIREFOX, PROFILER),
	JSON("responsiveness", "\"frames\"", FIREFOX, PROFILER),
	JSON("resourceSpans", "", SPANS, "open it in Jaeger or Zipkin"),
	JSON("traces", "\"spans\"", SPANS, "open it in Jaeger or Zipkin"),
	JSON("traceID", "\"spans\"", SPANS, "open it in Jaeger or Zipkin"),
	JSON("traceId", "\"localEndpoint\"", SPANS, "open it in Jaeger or Zipkin"),
	JSON("head", "\"functionName\"", "a V8 CPU profile of Node.js 10 or older (JSON, unsupported)",
	    "record with node --cpu-prof"),
	JSON("elapsed_time_sec", "\"files\"", "a scalene profile (JSON, unsupported)",
	    "convert its stacks: jq -r '.stacks[] | (.[0] | map(rtrimstr(\";\")) | join(\";\")) + \" \" + (.[1].count "
	    "| tostring)' "
	    "FILE > stacks.folded"),
	JSON("sampleStackTraces", "\"recording\"", "a timeline of Safari's Web Inspector (JSON, unsupported)",
	    "open it in speedscope, and save it there"),
	JSON("recording", "\"events\"", "the output of jfr print (JSON)", JFR_ITSELF),
	JSON("bug_type", "\"largestProcess\"", "a report of low memory of iOS (JetsamEvent, unsupported)",
	    "make a table of its processes: tail -n +2 FILE | jq -c '.processes[]' > processes.jsonl"),
	JSON("bug_type", "\"panicString\"", "a report of a kernel panic of macOS or iOS (unsupported)",
	    "print its text: tail -n +2 FILE | jq -r .panicString"),
	JSON("bug_type", "\"processByPid\"", "a stackshot of macOS or iOS (.ips, unsupported)", SAMPLE),
	JSON("bug_type", "", "a report of macOS or iOS without the threads of a crash (.ips, unsupported)", SAMPLE),

	START("TMOL", "an ART low-overhead profile (unsupported)", "record a method trace"),
	START("PERFILE2", "a perf.data file that is compressed or read from a pipe", PERF_DATA),
	START("2ELIFREP", "a perf.data file that is compressed or read from a pipe", PERF_DATA),
	START("PERFFILE", "perf.data from before 2010 (unsupported)", "record again with a newer perf"),
	PART("<canvas id='heatmap'", "a heat map of async-profiler (HTML, unsupported)",
	    "open the recording that it was made from"),
	PART("/async-profiler'>", "a page of async-profiler without a flame graph",
	    "open the recording that it was made from"),
	START("<!DOCTYPE html", PAGE, NO_FILE), START("<!doctype html", PAGE, NO_FILE),
	START("<!DOCTYPE HTML", PAGE, NO_FILE), START("<html", PAGE, NO_FILE), START("<HTML", PAGE, NO_FILE),
	START("version https://git-lfs.github.com/spec/", "a pointer of Git LFS, not the file",
	    "fetch the file: git lfs pull"),
	START("/annex/objects/", "a pointer of git-annex, not the file", "fetch the file: git annex get FILE"),
	START("\x17\x08\x44tracing", "a trace.dat file that is compressed or read from a pipe", TRACE_DAT),
	START("\xca\xfe\xba\xbe", "a macOS universal binary or a truncated class file",
	    "open the jar or the app it is from"),
	START("cdex", "a compact dex file", "open the APK, or convert the file with compact_dex_converter"),
	START("vdex", "a vdex file", "open the APK, or extract the dex file with vdexExtractor"),
	START("dey\n", "an odex file of Android 4 or older", "open the APK, or convert the file to dex with baksmali"),
	START("dex\n041", "a dex container of Android 15 (unsupported)", "open an APK built for an older minSdk"),
	START("PK\3\4", "a damaged zip archive", "fetch it again, or repair it: zip -FF FILE --out whole.zip"),
	START("]\0\0", "LZMA data", UNPACK("xz -dc --format=lzma")),
	START("\x1f\x9d", "data of compress", UNPACK("gzip -dc <")),
	START("7z\xbc\xaf\x27\x1c", "a 7z archive", "extract it: 7z x FILE"),
	    START("Rar!\x1a\7", "a RAR archive", "extract it: unrar x FILE"),
	START("gmon", "a gprof profile (gmon.out), which has no stacks", PERF_G),
	START("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0", "a core dump", CORE),
	START("\x7f" "ELF\1\1\1\0\0\0\0\0\0\0\0\0\4\0", "a core dump", CORE),
	START("\x7f" "ELF", "an ELF program or library", "record a profile of it, e.g. with perf record -g"),
	START("MDMP", "a minidump of Windows or Breakpad",
	    "write its stacks with minidump_stackwalk, or with ~*k of WinDbg"),
	START("!Type:", QIF, STATEMENT), START("!Account", QIF, STATEMENT), START("!Option:", QIF, STATEMENT),
	START(":20:", "an MT940 or MT942 bank statement (unsupported)", STATEMENT),
	START("{1:F01", "a SWIFT message, for example an MT940 bank statement (unsupported)", STATEMENT),
	START("<OFC>", "an OFC bank statement (predecessor of OFX, unsupported)", STATEMENT),
	START("SQLite format 3", "an SQLite database (unsupported)",
	    "export a table as CSV: sqlite3 -csv -header FILE 'SELECT * FROM TABLE' > table.csv"),
	START("ICECORE", "an icecore index", "open the file that it belongs to"),
	START("\xdc\xdf" "JSLB", "a Firefox profile in binary slabs (.jslb, unsupported)",
	    "save it as JSON in profiler.firefox.com"),
	START("tlZ\4", TRACY, TO_CSV), START("tZst", TRACY, TO_CSV), START("tracy", TRACY, TO_CSV),
	START("\xc1\x1f\xfc\xc1", CTF, TO_SCHED), START("\x57\x1d\xd1\x75", CTF, TO_SCHED),
	    START("/* CTF 1.", CTF, TO_SCHED),
	START("Ftrace!", "data of uftrace", "convert it: uftrace dump --flame-graph -d DIRECTORY > stacks.folded"),
	START("\4\10{", "a dump of Ruby objects, perhaps of stackprof",
	    "convert it: ruby -rjson -e 'puts JSON.generate(Marshal.load(File.binread(ARGV[0])))' FILE > profile.json"),
	START("Nettrace", "a .NET trace", "convert it: dotnet-trace convert --format speedscope FILE"),
	START("\x14\0\0\0!FastSerialization.", "a .NET heap dump (.gcdump, unsupported)",
	    "print it: dotnet-gcdump report FILE"),
	START("\0\x12" "portable heap dump", "an OpenJ9 portable heap dump (PHD, unsupported)",
	    "use Eclipse MAT with its DTFJ plug-in"),
	START("memray\0", "a memray recording", "use memray flamegraph or memray stats"),
	START("rbspy0", "raw rbspy data", "convert it: rbspy report -f speedscope -i FILE -o FILE.json"),
	START("bplist00", "a binary property list, perhaps of Instruments", "export XML with xctrace and open it"),
	START("HCAT\1\0\0\0", TACHYON, REPLAY), START("TACH\0\0\0\1", TACHYON, REPLAY),
	START("MOJ", "an Austin MOJO file", "convert it: mojo2austin FILE stacks.austin"),
	START("# To display the perf.data header info", "perf report output", PERF_SCRIPT),
	START("# ========\n# captured on", "perf script output without samples", "record events that have samples"),
	START("# austin", "an Austin profile with several metrics", "record one metric, e.g. austin -w"),
	START("PeriodType:", "the output of pprof -raw", "open the profile itself"),
	START("File: ", "the output of pprof -text or -top", "open the profile itself"),
	START("--- Execution profile ---", "an async-profiler flat profile", "record with -o collapsed"),
	START("Statistical profiling result from ", "the summary of node --prof", "record with node --cpu-prof"),
	START("v8-version,", "the log of node --prof",
	    "convert it: node --prof-process --preprocess FILE > ticks.json"),
	/* 0, 3: words of eight or four bytes, in either byte order */
	START("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", "a legacy CPU profile of gperftools", TO_PPROF),
	START("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3", "a legacy CPU profile of gperftools", TO_PPROF),
	START("\0\0\0\0\3\0\0\0", "a legacy CPU profile of gperftools", TO_PPROF),
	START("\0\0\0\0\0\0\0\3", "a legacy CPU profile of gperftools", TO_PPROF),
	START("sample:\n  event_type:", "text of simpleperf report-sample (unsupported)", SIMPLEPERF),
	START("meta_info:\n", "text of simpleperf report-sample (unsupported)", SIMPLEPERF),

	IS(BY_BYTES, looks_swapped_dex, "a big-endian dex file (unsupported)",
	    "open the APK or a little-endian dex file"),
	IS(BY_BYTES, looks_dump_part, "a part of an unfinished heap dump (JDK 22 or later)",
	    "open the main file, without .pN; icecore reads its parts with it"),
	IS(BY_BYTES, looks_etw, "a Windows ETW trace (unsupported)", "use Windows Performance Analyzer"),
	IS(BY_BYTES, looks_go_trace, "a Go execution trace (unsupported)",
	    "extract a profile, for example: go tool trace -pprof=sched FILE > sched.pprof"),
	IS(BY_BYTES, looks_zeros, "nothing but zeros at the start",
	    "the copy or the recording failed, or the disk was full; record it again"),
	IS(BY_LOOK, looks_server_error, "an error message of a server (JSON)", NO_FILE),
	IS(BY_LOOK, looks_json, "JSON of an unknown kind",
	    "supported: profiles of Firefox, speedscope, V8, OpenTelemetry, pyinstrument, Sentry, stackprof and GHC, "
	    "trace events of Chrome"),
	IS(BY_LOOK, looks_frames, "perf script output without comm", "run perf script without -F"),
	PART("<svg ", "an SVG drawing without stacks", "icecore reads flame graphs with counts"),
	START("<?xml", "an XML document (unsupported)", "icecore reads those of xctrace export"),

	DOOR(FOLDED_FLAT, "text with numbers at the ends of lines, but no stack has two frames", AS_FOLDED),
	DOOR(FOLDED_TABLE, "text that looks like a table", "use --path COLUMN,... (folded stacks: --as folded)"),
	DOOR(FOLDED_FEW, "unrecognised text", AS_FOLDED),
	DOOR(FOLDED_NOT, "unrecognised text", OR_AS), DOOR(FOLDED_YES, "unrecognised text", OR_AS),
};

/* ---- marks of lines -------------------------------------------------------------------------- */

static bool
line_has(struct str line, struct str mark)
{
	return str_take(&mark, STR("*")) ? line.n > 0 && str_has(line, mark) : str_has_prefix(line, mark);
}

/* Which marks of rows the first lines have. */
struct lines_seen {
	bool	one[NELEM(rows)], other[NELEM(rows)];
};

static void
see_lines(struct lines_seen *l, struct str s)
{
	struct str line;

	memset(l, 0, sizeof *l);
	for (unsigned n = 0; n < FOREIGN_LINES && str_split(&s, '\n', &line); n++)
		for (size_t i = 0; i < NELEM(rows); i++) {
			if (rows[i].by != BY_LINE)
				continue;
			l->one[i] = l->one[i] || line_has(line, rows[i].one);
			l->other[i] = l->other[i] || rows[i].other.n == 0 || line_has(line, rows[i].other);
		}
}

static bool
fits_lines(const struct lines_seen *l, size_t i, struct str text)
{
	return rows[i].by == BY_LINE ? l->one[i] && l->other[i] : rows[i].by == BY_LINES && rows[i].is(text);
}

bool
foreign_text(struct str head)
{
	struct lines_seen l;

	see_lines(&l, head);
	for (size_t i = 0; i < NELEM(rows); i++)
		if (fits_lines(&l, i, head))
			return true;
	return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

struct foreign_file {
	struct str		 whole, head, text;	/* text: without blanks in front; of binary data the head */
	bool			 is_text, is_readable, json;
	enum folded_door	 door;
	struct lines_seen	 lines;
};

static bool
foreign_fits(const struct foreign_file *f, size_t i)
{
	const struct foreign *r = &rows[i];

	switch (r->by) {
	case BY_WHOLE: return r->is(f->whole);
	case BY_BYTES: return r->is(f->head);
	case BY_START: return str_has_prefix(f->text, r->one);
	case BY_PART: return f->is_text && str_has(f->text, r->one);
	case BY_JSON: return f->json && str_has(f->text, r->one) && str_has(f->text, r->other);
	case BY_LOOK: return f->is_text && r->is(f->text);
	case BY_DOOR: return f->is_readable && f->door == r->door;
	case BY_LINE:
	case BY_LINES: break;
	}
	return f->is_text && fits_lines(&f->lines, i, f->head);
}

static const struct foreign *
foreign_of(const uint8_t *data, uint64_t n)
{
	static const struct foreign empty = { .name = "an empty file",
	    .advice = "the program that writes it has not finished, or failed" };
	struct foreign_file f = { .whole = { (const char *)data, (size_t)n } };

	f.text = f.head = str_head(f.whole, SNIFF_MAX);
	while (f.text.n > 0 && isspace((unsigned char)f.text.s[0]))
		f.text = str_after(f.text, 1);
	if (f.text.n == 0)
		return &empty;
	f.is_text = memchr(f.text.s, '\0', f.text.n) == NULL;
	if (!f.is_text)
		f.text = f.head;
	f.json = f.is_text && looks_json(f.text);
	f.is_readable = f.is_text && looks_readable(f.text);
	f.door = f.is_readable ? folded_door((const uint8_t *)f.text.s, f.text.n) : FOLDED_NOT;
	see_lines(&f.lines, f.head);
	for (size_t i = 0; i < NELEM(rows); i++)
		if (foreign_fits(&f, i))
			return &rows[i];
	return NULL;
}

bool
foreign_is(const uint8_t *data, uint64_t n)
{
	return foreign_of(data, n) != NULL;
}

bool
foreign_fail(const uint8_t *data, uint64_t n, struct err *err)
{
	const struct foreign *f = foreign_of(data, n);

	return fail(err, E_UNREADABLE, "%s; %s", f != NULL ? f->name : "unrecognised binary data",
	    f != NULL ? f->advice : OR_AS);
}
