/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of unsupported formats: a message that names the format is more useful than "not a trace".
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "decode.h"
#include "icecore/protobuf.h"

struct mark {
	const char	*bytes;
	size_t		 n;
	const char	*what;		/* and advice, or NULL */
};

#define MARK(lit, what) { lit, sizeof(lit) - 1, what }
#define LOOK_LINES 20
#define LOOK_PACKETS 64
#define ATRACE_LOOK 64		/* bytes that distinguish binary from text */
#define ANY (LOOK_LINES + 1)
#define BINARY 8	/* number of leading kinds that are not text */
#define TO_PPROF "; convert with pprof -proto"
#define GPERFTOOLS "a legacy CPU profile of gperftools" TO_PPROF " PROGRAM FILE"
#define PERF_DATA "a perf.data file that is compressed or read from a pipe; decompress it and name it on the " \
	"command line, or open the output of perf script"
#define CORE "a core dump; for a JVM, extract a heap dump: jhsdb jmap --binaryheap --core FILE --exe JAVA"
#define SIMPLEPERF "; open the output of report_sample.py of simpleperf"
#define OTHER_STATEMENT "; export OFX (QFX, Money) or CSV from the bank instead"

/* Longer marks come before their prefixes. */
static const struct mark marks[] = {
	MARK("TMOL", "an ART low-overhead profile (unsupported); record a method trace"),
	MARK("SIMPLEPERF", "a simpleperf trace (protobuf, unsupported)" SIMPLEPERF),
	MARK("PERFILE2", PERF_DATA), MARK("2ELIFREP", PERF_DATA),
	MARK("PERFFILE", "perf.data from before 2010 (unsupported); record again with a newer perf"),
	MARK("<!DOCTYPE html", "HTML without an embedded trace"),
	MARK("<!doctype html", "HTML without an embedded trace"),
	MARK("<html", "HTML without an embedded trace"),
	MARK("\x17\x08\x44tracing", "trace.dat; convert with: trace-cmd report -i FILE > out.txt"),
	MARK("\xca\xfe\xba\xbe", "a macOS universal binary or a truncated class file"),
	MARK("cdex", "a compact dex file; open the APK, or convert the file with compact_dex_converter"),
	MARK("vdex", "a vdex file; open the APK, or extract the dex file with vdexExtractor"),
	MARK("dey\n", "an odex file of Android 4 or older; open the APK, or convert the file to dex with baksmali"),
	MARK("dex\n041", "a dex container of Android 15 (unsupported); open an APK built for an older minSdk"),
	MARK("PK\3\4", "a zip archive; extract it first: unzip FILE"),
	MARK("BZh", "bzip2 data; decompress it first: bzip2 -dk FILE"),
	MARK("\xfd" "7zXZ", "xz data; decompress it first: xz -dk FILE"),
	MARK("\x28\xb5\x2f\xfd", "zstd data; decompress it first: zstd -d FILE"),
	MARK("gmon", "a gprof profile (gmon.out), which has no stacks; record with perf record -g"),
	MARK("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0", CORE), MARK("\x7f" "ELF\1\1\1\0\0\0\0\0\0\0\0\0\4\0", CORE),
	MARK("\x7f" "ELF", "an ELF program or library; record a profile of it, e.g. with perf record -g"),
	MARK("!Type:", "a QIF file (unsupported)" OTHER_STATEMENT),
	MARK("!Account", "a QIF file (unsupported)" OTHER_STATEMENT),
	MARK("!Option:", "a QIF file (unsupported)" OTHER_STATEMENT),
	MARK(":20:", "an MT940 or MT942 bank statement (unsupported)" OTHER_STATEMENT),
	MARK("{1:F01", "a SWIFT message, for example an MT940 bank statement (unsupported)" OTHER_STATEMENT),
	MARK("<OFC>", "an OFC bank statement (predecessor of OFX, unsupported)" OTHER_STATEMENT),
	MARK("SQLite format 3", "an SQLite database (unsupported); export tables as CSV"),
	MARK("ICECORE", "an icecore index; open the file that it belongs to"),
	MARK("\xdc\xdf" "JSLB", "a Firefox profile in binary slabs (.jslb, unsupported); save it as JSON in profiler.firefox.com"),
	MARK("Nettrace", "a .NET trace; convert with: dotnet-trace convert --format speedscope"),
	MARK("\x14\0\0\0!FastSerialization.", "a .NET heap dump (.gcdump, unsupported); use dotnet-gcdump report FILE"),
	MARK("\0\x12" "portable heap dump", "an OpenJ9 portable heap dump (PHD, unsupported); use Eclipse MAT with its DTFJ plug-in"),
	MARK("memray\0", "a memray recording; use memray flamegraph or memray stats"),
	MARK("rbspy0", "raw rbspy data; convert with rbspy report -f speedscope"),
	MARK("bplist00", "a binary property list, perhaps of Instruments; export XML with xctrace and open "
	    "it"),
	MARK("MOJ", "an Austin MOJO file; convert with mojo2austin"),
	MARK("# To display the perf.data header info", "perf report output; use perf script output"),
	MARK("# ========\n# captured on", "perf script output without samples"),
	MARK("# austin", "an Austin profile with several metrics; record one metric, e.g. austin -w"),
	MARK("PeriodType:", "the output of pprof -raw; open the profile itself"),
	MARK("File: ", "the output of pprof -text or -top; open the profile itself"),
	MARK("--- Execution profile ---", "an async-profiler flat profile; record with -o collapsed"),
	MARK("Statistical profiling result from ", "the summary of node --prof; record with node --cpu-prof"),
	MARK("v8-version,", "the log of node --prof; record with node --cpu-prof"),
	/* 0, 3: words of eight or four bytes, in either byte order */
	MARK("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", GPERFTOOLS),
	MARK("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3", GPERFTOOLS),
	MARK("\0\0\0\0\3\0\0\0", GPERFTOOLS),
	MARK("\0\0\0\0\0\0\0\3", GPERFTOOLS),
	MARK("sample:\n  event_type:", "the output of simpleperf report-sample (unsupported)" SIMPLEPERF),
};

/* Marks anywhere in a text; each occurs in one format only. */
static const struct mark parts[] = {
	MARK(". ... raw event: size ", "output of perf script -D; use perf script without -D"),
	MARK(" Runtime ms  | Switches", "perf sched latency output; use perf sched timehist"),
	MARK(":iso:20022:tech:xsd:camt.", "a camt bank statement (ISO 20022, e.g. camt.053, unsupported)" OTHER_STATEMENT),
	MARK(" secs A0 => ", "perf sched map output; use perf sched timehist"),
	MARK("async-profiler'>async-profiler</a>", "an async-profiler HTML page; record with -o collapsed"),
};

/* ---- protobuf ------------------------------------------------------------------------------ */

static bool
is_swapped_dex(struct str s)
{
	return s.n >= 44 && memcmp(s.s, "dex\n", 4) == 0 && memcmp(s.s + 40, "\x12\x34\x56\x78", 4) == 0;
}

/* A resource and its data are nested messages. The first packet of a heap graph can be nested, too. */
static bool
is_otlp(struct str s)
{
	struct proto_field top, f, inner;
	struct str in, deep;
	bool scopes = false;

	if (!proto_next(&s, &top) || top.number != 1 || top.wire != PROTO_BYTES)
		return false;
	for (in = top.in; proto_next(&in, &f); ) {
		if (f.number > 3 || f.wire != PROTO_BYTES)
			return false;
		deep = f.in;
		scopes = scopes || (f.number == 2 && proto_next(&deep, &inner) && inner.number <= 2 && inner.wire == PROTO_BYTES);
	}
	return scopes;
}

/* ---- other binary data --------------------------------------------------------------------- */

/* The magic of POSIX and GNU tar is in the header of the first file. */
static bool
is_dump_part(struct str s)
{
	return dumpparts_is_one((const uint8_t *)s.s, s.n);
}

static bool
is_tar(struct str s)
{
	return str_has_prefix(str_behind(s, 257), STR("ustar"));
}

/* A marshalled Python dict whose keys are tuples of three: file, line, function. */
static bool
is_pstats(struct str s)
{
	unsigned tuple = s.n > 3 ? (uint8_t)s.s[1] & 127 : 0;

	return s.n > 3 && ((uint8_t)s.s[0] & 127) == '{' && s.s[2] == 3 && (tuple == ')' || (tuple == '(' && s.s[3] == 0));
}

/* "go 1.23 trace" and zeros; go.work files begin the same without zeros. */
static bool
is_go_trace(struct str s)
{
	const char *end = memchr(s.s, '\0', s.n < 16 ? s.n : 16);

	return end != NULL && str_has_prefix(s, STR("go 1.")) &&
	    str_has_suffix((struct str){ s.s, (size_t)(end - s.s) }, STR(" trace"));
}

static bool
is_etw(struct str s)
{
	static const char text[] = "M\0i\0c\0r\0o\0s\0o\0f\0t\0-\0W\0i\0n\0d\0o\0w\0s";
	const uint8_t *p = (const uint8_t *)s.s;
	uint32_t size = s.n < 4 ? 0 : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	return size >= 4096 && size <= 1u << 20 && (size & (size - 1)) == 0 &&
	    memmem(s.s, s.n, text, sizeof text - 1) != NULL;
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Return whether more than 1 / one_of of the first lines match. */
static bool
has_lines(struct str s, bool (*is)(struct str line), int one_of)
{
	struct str line;
	int hits = 0, n;

	for (n = 0; n < LOOK_LINES && str_split(&s, '\n', &line); n++)
		hits += is(line);
	return hits > n / one_of;
}

/* For example "    7f1c2d8a write": an address of at least six digits, and a name. */
static bool
is_frame_line(struct str line)
{
	struct str s = str_skip_blanks(line);
	size_t n = str_hexes(s);

	return s.n < line.n && n >= 6 && n < s.n && s.s[n] == ' ';
}

/* Indented addresses with names, without any mark of the tool. */
static bool
is_frames(struct str s)
{
	return has_lines(s, is_frame_line, 3);
}

/* For example " 0)   1.382 us    |      getname();", also written by uftrace. */
static bool
is_graph_line(struct str line)
{
	struct str time, call;

	while (line.n > 0 && is_blank(line.s[line.n - 1]))
		line.n--;
	return str_divide(line, STR("|  "), &time, &call) && (str_has_suffix(call, STR("() {")) || str_has_suffix(call, STR("();")) ||
	    str_has_suffix(call, STR("  }")));
}

static bool
foreign_is_graph(struct str s)
{
	return has_lines(s, is_graph_line, 2);
}

static bool
is_uftrace_line(struct str line)
{
	return str_eq(line, STR("# DURATION     TID     FUNCTION"));
}

static bool
is_uftrace(struct str s)
{
	return has_lines(s, is_uftrace_line, ANY);
}

/* HTML pages may contain drawings. */
static bool
is_svg(struct str s)
{
	return (str_has_prefix(s, STR("<svg")) || str_has_prefix(s, STR("<?xml")) || str_has_prefix(s, STR("<!DOCTYPE svg"))) &&
	    memmem(s.s, s.n, "<svg", 4) != NULL;
}

static bool
is_xml(struct str s)
{
	return str_has_prefix(s, STR("<?xml"));
}

/* Logs may begin with a bracket as well. */
static bool
foreign_is_json(struct str s)
{
	size_t i = 1;

	while (i < s.n && isspace((unsigned char)s.s[i]))
		i++;
	return s.n > 0 && (s.s[0] == '{' || (s.s[0] == '[' && i < s.n && memchr("{[]\"", s.s[i], 4) != NULL));
}

#define FIREFOX "a Firefox profile older than Gecko version 3 (JSON, unsupported); open it in profiler.firefox.com"
#define SPANS "a distributed trace of several services (JSON, unsupported)"

/* Recognise JSON by two names in it. */
static const char *
foreign_json(struct str s)
{
	static const struct {
		const char	*name, *other;
		const char	*what;
	} kinds[] = {
		{ "\"dhatFileVersion\"", "", "a DHAT profile (JSON, unsupported); use dh_view.html of Valgrind" },
		{ "\"linux-perf-json-version\"", "", "perf data (JSON, unsupported); open the output of perf script" },
		{ "\"resourceProfiles\"", "", "an OpenTelemetry profile (JSON, unsupported)" },
		{ "\"logEventTypes\"", "\"constants\"",
		    "a Chrome network log (JSON, unsupported); use the NetLog viewer" },
		{ "\"snapshot\"", "\"node_fields\"",
		    "a V8 heap snapshot (unsupported); use the Memory panel of Chrome DevTools" },
		{ "\"stackwalk\"", "\"processType\"", FIREFOX },
		{ "\"profileJSON\"", "", FIREFOX },
		{ "\"responsiveness\"", "\"frames\"", FIREFOX },
		{ "\"resourceSpans\"", "", SPANS },
		{ "\"traces\"", "\"spans\"", SPANS },
		{ "\"traceID\"", "\"spans\"", SPANS },
		{ "\"traceId\"", "\"localEndpoint\"", SPANS },
		{ "\"head\"", "\"functionName\"", "a V8 CPU profile of Node.js 10 or older (JSON, unsupported); "
		    "record with node --cpu-prof" },
		{ "\"missed_samples\"", "\"mode\"",
		    "a stackprof dump (JSON); record with raw: true and convert with stackprof --stackcollapse" },
		{ "\"sampleStackTraces\"", "\"recording\"", "a timeline of Safari's Web Inspector (JSON, unsupported)" },
		{ "\"recording\"", "\"events\"", "the output of jfr print (JSON); open the recording itself" },
	};

	for (size_t i = 0; foreign_is_json(s) && i < NELEM(kinds); i++)
		if (memmem(s.s, s.n, kinds[i].name, strlen(kinds[i].name)) != NULL &&
		    memmem(s.s, s.n, kinds[i].other, strlen(kinds[i].other)) != NULL)
			return kinds[i].what;
	return NULL;
}

static bool
foreign_is_text(struct str s)
{
	return s.n > 0 && memchr(s.s, 0, s.n) == NULL;
}

/*
 * "TRACE:" alone on the first line, as atrace writes it before ftrace text or compressed data. Logs and other JSON
 * may begin the same: the following text decides.
 */
static const char *
atrace_name(struct str s)
{
	struct str first;
	bool cr, packed = false;

	if (!str_split(&s, '\n', &first))
		return NULL;
	cr = str_eq(first, STR("TRACE:\r"));
	if (!cr && !str_eq(first, STR("TRACE:")))
		return NULL;
	for (size_t i = 0; s.n > 0 && s.s[0] == 'x' && i < s.n && i < ATRACE_LOOK; i++)
		packed = packed || (!isprint((unsigned char)s.s[i]) && !isspace((unsigned char)s.s[i]));
	if (s.n > 0 && s.s[0] != '#' && !packed)
		return NULL;
	return cr ? "an atrace capture damaged by adb shell; record with adb exec-out" :
	    "an empty atrace capture; with -z, use adb exec-out, not adb shell";
}

#define AS_FOLDED "; folded stacks: open with --as folded"
#define CONTROLS_OF 32	/* a text has fewer than one non-text byte in this number */

/* Bytes that file(1) finds in no text of any encoding: control characters except blanks, BEL, BS and ESC. */
static bool
is_readable(struct str s)
{
	size_t controls = 0;

	for (size_t i = 0; i < s.n; i++)
		controls += ((uint8_t)s.s[i] < ' ' || s.s[i] == 127) && memchr("\a\b\t\n\v\f\r\33", s.s[i], 8) == NULL;
	return s.n > 0 && controls * CONTROLS_OF < s.n;
}

/* Name a text without a known mark, by how much it looks like folded stacks. */
static const char *
text_name(struct str s)
{
	switch (folded_door((const uint8_t *)s.s, s.n)) {
	case FOLDED_FLAT: return "text with numbers at the ends of lines, but no stack has two frames" AS_FOLDED;
	case FOLDED_TABLE: return "text that looks like a table; use --path COLUMN,... (folded stacks: --as folded)";
	case FOLDED_FEW: return "unrecognised text" AS_FOLDED;
	case FOLDED_YES:
	case FOLDED_NOT: break;
	}
	return "unrecognised text" OR_AS;
}

const char *
foreign_name(const uint8_t *head, size_t n)
{
	static const struct {
		bool		(*is)(struct str);
		const char	*what;
	} kinds[] = {
		{ is_swapped_dex, "a big-endian dex file (unsupported); open the APK or a little-endian dex file" },
		{ is_dump_part, "a part of an unfinished heap dump (JDK 22 or later); open the main file, without .pN; icecore reads its parts with it" },
		{ is_tar, "a tar archive; extract it first: tar -xf FILE" },
		{ is_otlp, "an OpenTelemetry profile (protobuf, unsupported)" },
		{ is_etw, "a Windows ETW trace (unsupported); use Windows Performance Analyzer" },
		{ is_go_trace, "a Go execution trace (unsupported); extract profiles with go tool trace -pprof=TYPE FILE" },
		{ is_pstats, "a cProfile dump (pstats), which has no stacks; record with py-spy record -f raw" },
		{ foreign_is_json, "JSON of an unknown kind; supported: profiles of Firefox, speedscope and V8, trace events of Chrome" },
		{ is_frames, "perf script output without comm; run perf script without -F" },
		{ is_uftrace, "uftrace replay output (unsupported); use uftrace dump --flame-graph output" },
		{ foreign_is_graph, "an ftrace function graph (unsupported); record stacks with perf record -g" },
		{ is_svg, "an SVG drawing (unsupported); for a flame graph, open the folded stacks it was made from" },
		{ is_xml, "an XML document (unsupported)" },
	};
	struct str s = { (const char *)head, n };
	const char *what;

	if (n == 0)
		return "an empty file";
	for (; s.n > 0 && isspace((unsigned char)s.s[0]); s.n--)
		s.s++;
	if (s.n == 0)
		return "an empty file";
	if ((what = atrace_name(s)) != NULL)
		return what;
	for (size_t i = 0; foreign_is_text(s) && i < NELEM(parts); i++)
		if (memmem(s.s, s.n, parts[i].bytes, parts[i].n) != NULL)
			return parts[i].what;
	if (foreign_is_text(s) && ((what = foreign_text((struct str){ (const char *)head, n })) != NULL || (what = foreign_json(s)) != NULL))
		return what;
	for (size_t i = 0; i < NELEM(marks); i++)
		if (n >= marks[i].n && memcmp(head, marks[i].bytes, marks[i].n) == 0)
			return marks[i].what;
	for (size_t i = 0; i < NELEM(kinds); i++)
		if ((i < BINARY || foreign_is_text(s)) && kinds[i].is(i < BINARY ?
		    (struct str){ (const char *)head, n } : s))
			return kinds[i].what;
	return foreign_is_text(s) && is_readable(s) ? text_name(s) : NULL;
}
