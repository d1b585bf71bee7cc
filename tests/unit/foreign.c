/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign: what is said of files that no loader takes.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "load/decode.h"

#define BYTES(lit) lit, sizeof(lit) - 1

static const struct kind {
	const char	*bytes;
	size_t		 n;
	const char	*says;
} kinds[] = {
	{ BYTES(""), "an empty file" },
	{ BYTES(" \n\t\n"), "an empty file" },
	{ BYTES("PERFILE2\0\0"), "perf.data" },
	{ BYTES("2ELIFREP\0\0"), "perf.data" },
	{ BYTES("PERFFILE\0\0"), "before 2010" },
	{ BYTES("TRACE:\n# tracer: nop\n#\n"), "an empty atrace capture" },
	{ BYTES("TRACE:\nx\xef\xbf\xbd\1\2"), "an empty atrace capture" },
	{ BYTES("TRACE:\r\nx\x9c\1\2"), "an atrace capture damaged by adb shell" },
	{ BYTES("TRACE:\n{\"google_cloud_trace\": \"projects/p/traces/1\"}\n"), "unrecognised text" },
	{ BYTES("TRACE:\r\nrequest 7 took 3 ms\r\n"), "unrecognised text" },
	{ BYTES("TRACE:\nx^2 + y^2 of the request\n"), "unrecognised text" },
	{ BYTES("# ========\n# captured on    : Mon Aug 30\n# ========\n#\n"), "without samples" },
	{ BYTES("# austin: 3.5.0\n# mode: full\nP1;T2;a:b:1 1,2,3\n"), "an Austin profile" },
	{ BYTES("File: app\nType: cpu\n"), "pprof" },
	{ BYTES("PeriodType: cpu nanoseconds\n"), "pprof" },
	{ BYTES("\0\0\1\0\0\0\0\0M\0i\0c\0r\0o\0s\0o\0f\0t\0-\0W\0i\0n\0d\0o\0w\0s\0"), "ETW" },
	{ BYTES("[events]\n0 1 0 0\n0 0 9 0\n[functions]\n/w.php\n"), "php-spx" },
	{ BYTES("\n*** SPX Report ***\n\nGlobal stats:\n"), "flat profile of php-spx" },
	{ BYTES("# ninja log v5\n1\t20\t0\ta.o\t7f\n"), "a log of ninja" },
	{ BYTES("packet {\n  timestamp: 5\n}\n"), "a Perfetto trace or configuration as text" },
	{ BYTES("tlZ\4\0\0"), "a Tracy trace" },
	{ BYTES("tZst\0\0"), "a Tracy trace" },
	{ BYTES("\xc1\x1f\xfc\xc1\0\0"), "CTF" },
	{ BYTES("/* CTF 1.8 */\n"), "CTF" },
	{ BYTES("Ftrace!\0\4"), "data of uftrace" },
	{ BYTES("\4\10{\r:\fversion"), "stackprof" },
	{ BYTES("{\"elapsed_time_sec\":1,\"files\":{},\"stacks\":[]}"), "a scalene profile" },
	{ BYTES("memray\0\x0c\0\0\0"), "memray" },
	{ BYTES("\x14\0\0\0!FastSerialization.1\0\0"), "dotnet-gcdump report" },
	{ BYTES("\0\x12" "portable heap dump\0\0\0\x06"), "PHD" },
	{ BYTES("rbspy02\n{}\n"), "rbspy" },
	{ BYTES("bplist00\xd4\1\2\3"), "Instruments" },
	{ BYTES("{\"a\": 1}"), "JSON" },
	{ BYTES("[\n {\"a\": 1}]"), "JSON" },
	{ BYTES("[   12.345678] Dumping ftrace buffer:\n"), "unrecognised text" },
	{ BYTES("Nettrace\x14\0\0\0!FastSerialization.1"), ".NET" },
	{ BYTES("# To display the perf.data header info, please use\n"), "perf report" },
	{ BYTES("MOJ\3"), "Austin" },
	{ BYTES("HCAT\1\0\0\0\3\17\0\0\0\0\0\0"), "replay --collapsed FILE" },
	{ BYTES("TACH\0\0\0\1\3\17\0\0\0\0\0\0"), "replay --collapsed FILE" },
	{ BYTES("2000:\t/a -d\n-----  lwp# 1 / thread# 1  -----\n fef1c3a5 poll (8, 1)\n 08051234 main (1) + 24\n"), "pstack" },
	{ BYTES("2000:\t/a -d\n------------ lwp# 12 --------------\n fef1c3a5 poll (8, 1)\n 08051234 main (1) + 24\n"), "pstack" },
	{ BYTES("core 'a' of 7:\t/a\n-----  lwp# 1 / thread# 1 [main]  -----\n 00007fffbf1c3a5a poll (8, 1)\n"), "pstack" },
	{ BYTES("--- Execution profile ---\nTotal samples : 2\n"), "async-profiler" },
	{ BYTES("<!DOCTYPE html>\n<a href='x/async-profiler'>async-profiler</a>\n"), "async-profiler" },
	{ BYTES("<!DOCTYPE html>\n<title>Heatmap</title><canvas id='heatmap'></canvas>\n"), "a heat map of async-profiler" },
	{ BYTES("<!DOCTYPE html>\n<p>x</p>\n"), "HTML without an embedded trace" },
	{ BYTES("Statistical profiling result from isolate-v8.log, (3 ticks)\n"), "node --prof" },
	{ BYTES("v8-version,11,3,244,8,-node.38,0\n"), "node --prof" },
	{ BYTES("\n ----\n  Task  |   Runtime ms  | Switches | Avg delay ms\n"), "perf sched latency" },
	{ BYTES("  *A0       3.818568 secs A0 => migration/0:18\n"), "perf sched map" },
	{ BYTES("\n0x2@p [0x8]: event: 69\n.\n. ... raw event: size 8 bytes\n"), "perf script -D" },
	{ BYTES("execve(\"/a\", [\"a;b\"], 0x7ff /* 3 vars */) = 0\nbrk(NULL)           = 0x55\n"), "strace" },
	{ BYTES("[pid  12] 10:00:01.5 write(1, \"a;b\", 3) = 3\n12 1700000000.5 read(0, <unfinished ...>\n"), "strace" },
	{ BYTES("malloc(5) = 0x55\nmalloc(6) = 0x56\nfree(0x55 <unfinished ...>\n"), "ltrace" },
	{ BYTES("jdk.ExecutionSample {\n  startTime = 10:00:00.000\n"), "jfr print" },
	{ BYTES("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\x3e\0"), "core dump" },
	{ BYTES("gmon\1\0\0\0\0\0\0\0"), "a gprof profile (gmon.out)" },
	{ BYTES("[0.008s][info][gc] Using G1\n[0.017s][info][gc,init] CPUs: 2 total\n"), "GC log" },
	{ BYTES("0.118: [GC (Allocation Failure) [PSYoungGen: 65024K->10743K(75776K)] 0.01 secs]\n"), "GC log" },
	{ BYTES("\n Version: 2.1\n Event Type          Count  Size (bytes)\n====\n jdk.x    5      60\n"), "jfr summary" },
	{ BYTES("# Overhead  Command  Shared Object  Symbol\n     9.00%  a   a.out   [.] f\n"), "perf report" },
	{ BYTES("# Children      Self  Command\n"), "perf report" },
	{ BYTES(" Percent |\tSource code & Disassembly of a for cycles\n"), "perf annotate" },
	{ BYTES("\n Performance counter stats for './a':\n\n  1,234      task-clock:u\n"), "perf stat" },
	{ BYTES("\nRuntime summary\n  comm  parent   sched-in     run-time\n"), "perf sched timehist" },
	{ BYTES("Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self\n"), "gprof" },
	{ BYTES("  3 function calls in 0.1 seconds\n\n   ncalls  tottime  percall  cumtime\n"), "a cProfile table" },
	{ BYTES("Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-27 10:00:00.042192]\n1\t0\t0\t0.000237\t393216\t{main}\t1\n"), "Xdebug" },
	{ BYTES("# pmcstat\n@ INSTR [5 samples]\n"), "pmcstat" },
	{ BYTES("@ CPU_CLK_UNHALTED_CORE [5 samples]\n"), "pmcstat" },
	{ BYTES("Level,Function Name,Number of Calls\n"), "Visual Studio" },
	{ BYTES("{\"dhatFileVersion\":2,\"mode\":\"heap\"}"), "DHAT" },
	{ BYTES("{\"linux-perf-json-version\":1,\"samples\":[]}"), "perf data (JSON" },
	{ BYTES("{\"constants\":{\"logEventTypes\":{\"A\":1}},\"events\":[]}"), "a Chrome network log" },
	{ BYTES("{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\"]}},\"nodes\":[9,1]}"), "a V8 heap snapshot" },
	{ BYTES("{\"typeId\":\"CPU1\",\"head\":{\"functionName\":\"(root)\"}}"), "a V8 CPU profile of Node.js 10" },
	{ BYTES("{\"version\":1,\"recording\":{\"sampleStackTraces\":[]}}"), "Safari" },
	{ BYTES("{\n  \"recording\": {\n    \"events\": [{\n"), "jfr print" },
	{ BYTES("main 5\nmain 6\n"), "--as folded" },
	{ BYTES("\x1c\0\0\0\0\0\x0f\xff\xdc\x21\0\0\0\0\xff\x1f\xbb\x70"), "a part of an unfinished heap dump" },
	{ BYTES("\x17\x08\x44tracing6\0"), "trace-cmd report -t -i FILE" },
	{ BYTES("     7f12a0b1 main (/a)\n     7f12a0b2 start (/a)\n     7f12a0b3 run (/a)\n\n"), "run perf script without -F" },
	{ BYTES("<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>\n"), "an SVG drawing" },
	{ BYTES("<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n"), "an SVG drawing" },
	{ BYTES("<?xml version=\"1.0\"?>\n<a/>\n"), "an XML document" },
	{ BYTES("go 1.22 trace\0\0\0\1\0"), "a Go execution trace" },
	{ BYTES("go 1.22\n\nuse ./trace\n"), "unrecognised text" },
	{ BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "gperftools" },
	{ BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"), "gperftools" },
	{ BYTES("\0\0\0\0\3\0\0\0\1\0\0\0\x10\x27\0\0"), "gperftools" },
	{ BYTES("\0\0\0\0\0\0\0\3\0\0\0\0"), "gperftools" },
	{ BYTES("heap profile:    144:  8498176 [   144:  8498176] @ heapz_v2/524288\n"), "a heap profile" },
	{ BYTES("threadcreate profile: total 5\n5 @ 0x0\n"), "a thread profile of Go" },
	{ BYTES("--- contention:\ncycles/second=2599997917\n"), "a contention profile" },
	{ BYTES("--- heapz 1 ---\nformat = java\n"), "a heap profile of Java" },
	{ BYTES("--- contentionz 1 ---\nformat = java\n"), "a contention profile" },
	{ BYTES("--- mutex:\ncycles/second=2599997917\n"), "a mutex profile" },
	{ BYTES("--- threadz 1 ---\n\n--- Thread 7f (name: main/1) stack: ---\n"), "a thread profile of gperftools" },
	{ BYTES("--- symbol\nbinary=/bin/a\n0x1 main\n---\n--- heap\n"), "gperftools with symbols" },
	{ BYTES("{\"meta\":{\"version\":2,\"stackwalk\":1,\"processType\":0},\"libs\":[]}"), "Firefox" },
	{ BYTES("{\"format\":\"profileJSONWithSymbolicationTable,1\",\"profileJSON\":{}}"), "Firefox" },
	{ BYTES("{\"threads\":[{\"samples\":[{\"frames\":[{\"location\":\"f\"}],\"responsiveness\":1}]}]}"), "Firefox" },
	{ BYTES("{\"traces\":[{\"traceId\":\"1\",\"spans\":[{\"spanId\":\"1\"}]}]}"), "a distributed trace" },
	{ BYTES("{\"data\":[{\"traceID\":\"1\",\"spans\":[]}]}"), "a distributed trace" },
	{ BYTES("[{\"traceId\":\"1\",\"localEndpoint\":{}}]"), "a distributed trace" },
	{ BYTES("{\"resourceSpans\":[]}"), "a distributed trace" },
	{ BYTES("sample:\n  event_type: cpu-cycles\n"), "simpleperf" },
	{ BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "nothing but zeros" },
	{ BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"), "Git LFS" },
	{ BYTES("/annex/objects/SHA256E-s12--4d7a\n"), "git annex get" },
	{ BYTES("\r\n<!DOCTYPE HTML PUBLIC>\n<title>404 Not Found</title>\n"), "a page of HTML" },
	{ BYTES("{\"timestamp\":1,\"status\":404,\"error\":\"Not Found\",\"path\":\"/a\"}"), "an error message of a server" },
	{ BYTES("{\"message\":\"Bad credentials\",\"status\":\"401\"}"), "an error message of a server" },
	{ BYTES("{\"message\":\"words of a log\"}\n"), "JSON of an unknown kind" },
	{ BYTES("heap_v2/524288\n  t*: 28106: 56637512 [0: 0]\n"), "jeprof --collapsed" },
	{ BYTES("v 10500 3\nX /bin/true\nI 1000 7a4f\n"), "heaptrack_print" },
	{ BYTES("MDMP\x93\xa7\0\0"), "minidump" },
	{ BYTES("7z\xbc\xaf\x27\x1c\0\4"), "7z x FILE" },
	{ BYTES("word 4\nword x\nword y\n"), "unrecognised text; see" },
};

static void
every_kind(void **state)
{
	struct err err;
	size_t i, n;

	(void)state;
	for (i = 0; i < NELEM(kinds); i++) {
		/* Any piece has some name or none. */
		for (n = 0; n <= kinds[i].n; n++)
			assert_false(foreign_fail((const uint8_t *)kinds[i].bytes, n, &err));
		if (strstr(err.text, kinds[i].says) == NULL)
			fail_msg("%zu: '%s', not '%s'", i, err.text, kinds[i].says);
		/* A name and an advice. */
		assert_non_null(strstr(err.text, "; "));
	}
	assert_false(foreign_is((const uint8_t *)"\1\2\0\3", 4));
	assert_false(foreign_is((const uint8_t *)"\1\2\xff\3", 4));
}

TOOL(unit, foreign)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_kind) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
