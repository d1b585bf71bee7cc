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
	{ BYTES("0SECTION       TITLE subcomponent dump routine\n"), "an OpenJ9 thread dump" },
	{ BYTES("NULL           ------------------\n"), "an OpenJ9 thread dump" },
	{ BYTES("\"main\" #1 prio=5 tid=0x1 nid=0x2 runnable\n"), "a Java thread dump" },
	{ BYTES("# ========\n# captured on    : Mon Aug 30\n# ========\n#\n"), "without samples" },
	{ BYTES("# austin: 3.5.0\n# mode: full\nP1;T2;a:b:1 1,2,3\n"), "an Austin profile" },
	{ BYTES("\n              libc.so.1`write+0xa\n              a`main+0x1\n               12\n"), "DTrace" },
	{ BYTES("Attaching 1 probe...\n\n@[\n    f+1\n]: 5\n"), "bpftrace" },
	{ BYTES("@[\n    f+1\n]: 5\n"), "bpftrace" },
	{ BYTES("Analysis of sampling App (pid 1) every 1 millisecond\n"), "macOS" },
	{ BYTES("File: app\nType: cpu\n"), "pprof" },
	{ BYTES("PeriodType: cpu nanoseconds\n"), "pprof" },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x00\x00"), "a pprof profile" },
	{ BYTES("\x0a\x06\x12\x04\x08\x00\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x00"), "a Perfetto trace" },
	{ BYTES("{\"meta\":{\"preprocessedProfileVersion\":48},\"threads\":[]}"), "Firefox" },
	{ BYTES("{\"a\": 1}"), "JSON" },
	{ BYTES("[\n {\"a\": 1}]"), "JSON" },
	{ BYTES("[   12.345678] Dumping ftrace buffer:\n"), "a text of unknown kind" },
	{ BYTES("Nettrace\x14\0\0\0!FastSerialization.1"), ".NET" },
	{ BYTES("# To display the perf.data header info, please use\n"), "perf report" },
	{ BYTES("MOJ\3"), "Austin" },
	{ BYTES("--- Execution profile ---\nTotal samples : 2\n"), "async-profiler" },
	{ BYTES("<!DOCTYPE html>\n<a href='x/async-profiler'>async-profiler</a>\n"), "async-profiler" },
	{ BYTES("<!DOCTYPE html>\n<p>x</p>\n"), "an HTML page" },
	{ BYTES("Statistical profiling result from isolate-v8.log, (3 ticks)\n"), "node --prof" },
	{ BYTES("v8-version,11,3,244,8,-node.38,0\n"), "node --prof" },
	{ BYTES("{\"head\":{\"callFrame\":{},\"selfSize\":0}}"), "a heap profile of V8" },
	{ BYTES("\n ----\n  Task  |   Runtime ms  | Switches | Avg delay ms\n"), "perf sched latency" },
	{ BYTES("  *A0       3.818568 secs A0 => migration/0:18\n"), "perf sched map" },
	{ BYTES("\n0x2@p [0x8]: event: 69\n.\n. ... raw event: size 8 bytes\n"), "perf script -D" },
	{ BYTES("sample:\n  event_type: cpu-cycles\n"), "simpleperf" },
};

static void
every_kind(void **state)
{
	const char *says;
	size_t i, n;

	(void)state;
	for (i = 0; i < NELEM(kinds); i++) {
		says = foreign_name((const uint8_t *)kinds[i].bytes, kinds[i].n);
		if (says == NULL || strstr(says, kinds[i].says) == NULL)
			fail_msg("%zu: '%s', not '%s'", i, says == NULL ? "nothing" : says, kinds[i].says);
		/* Any piece has some name or none. */
		for (n = 0; n < kinds[i].n; n++)
			(void)foreign_name((const uint8_t *)kinds[i].bytes, n);
	}
	assert_null(foreign_name((const uint8_t *)"\1\2\0\3", 4));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_kind) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
