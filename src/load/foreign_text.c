/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of unsupported text formats whose lines resemble folded stacks; they are checked first.
 */
#include "config.h"

#include <string.h>

#include "decode.h"

#define LOOK_LINES 64
#define LEGACY(what) what " in legacy text form; fetch it without debug=1, or convert it with pprof -proto"
#define GC_LOG "a JVM GC log (unsupported); record with jcmd PID JFR.start, or dump the heap"

/* Prefix of a line, and of another line or NULL; a leading '*': anywhere in a line. */
static const struct {
	const char	*line, *other;
	const char	*what;
} marks[] = {
	{ " num     #instances", NULL, "a class histogram of jmap or jcmd (no references); dump the heap with jcmd PID "
	    "GC.heap_dump FILE" },
	{ "[", "*][gc", GC_LOG },
	{ "*[GC (", "* secs]", GC_LOG },
	{ "# A fatal error has been detected by the Java", NULL, "a JVM crash report (hs_err, unsupported)" },
	{ " Event Type ", "*Size (bytes)", "the output of jfr summary; open the recording itself" },
	{ "# Overhead ", NULL, "perf report output; use perf script output" },
	{ "# Children ", "*Self ", "perf report output; use perf script output" },
	{ " Percent ", "*|", "output of perf annotate; open the output of perf script" },
	{ "* Performance counter stats for", NULL, "perf stat output, which has no stacks; run perf record -g and open "
	    "the output of perf script" },
	{ "*Runtime summary", "*sched-in", "summary of perf sched timehist; open its output without -s" },
	{ "Flat profile:", "*cumulative   self", "gprof output, which has no stacks; record with perf record -g" },
	{ "*ncalls  tottime  percall", NULL, "a cProfile table, which has no stacks; record with py-spy record -f raw" },
	{ "TRACE START [", NULL, "a function trace of Xdebug (unsupported); record a profile with xdebug.mode=profile" },
	{ "# pmcstat", NULL, "output of pmcstat; convert with stackcollapse-pmc.pl" },
	{ "@ CPU_CLK", NULL, "output of pmcstat; convert with stackcollapse-pmc.pl" },
	{ "Level,Function Name,", NULL, "a Visual Studio profiler table; convert with inferno-collapse-vsprof" },
	{ "heap profile: ", NULL, LEGACY("a heap profile of Go or gperftools") },
	{ "--- heapz ", NULL, LEGACY("a heap profile of Java") },
	{ "threadcreate profile: total ", NULL, LEGACY("a thread profile of Go") },
	{ "--- contention", NULL, LEGACY("a contention profile of Go or gperftools") },
	{ "--- mutex:", NULL, LEGACY("a mutex profile of Go") },
	{ "--- threadz ", NULL, LEGACY("a thread profile of gperftools") },
	{ "--- Thread ", NULL, LEGACY("a thread profile of gperftools") },
	{ "--- symbol", "binary=", LEGACY("a profile of gperftools with symbols") },
};

static bool
is_word_char(char c)
{
	return is_digit(c) || c == '_' || c == '.' || c == '$' || c == '@' || (unsigned char)((c | 32) - 'a') < 26;
}

/* For "[pid 12] 10:00:01.5 write(1, ...) = 1", return the text after the name of the call, or "". */
static struct str
foreign_text_call_of(struct str line)
{
	struct str pid, behind;
	size_t n = 0;

	if (str_take(&line, STR("[pid")) && str_divide(line, STR("]"), &pid, &behind))
		line = behind;
	line = str_skip_blanks(line);
	while (line.n > 0 && is_digit(line.s[0])) {
		while (line.n > 0 && (is_digit(line.s[0]) || line.s[0] == ':' || line.s[0] == '.'))
			line = str_behind(line, 1);
		line = str_skip_blanks(line);
	}
	while (n < line.n && is_word_char(line.s[n]))
		n++;
	return n > 0 && n < line.n && line.s[n] == '(' ? str_behind(line, n) : STR("");
}

/* Take the result of a call, after "= ", or "" if the call is unfinished; false: not a call. */
static bool
take_call(struct str line, struct str *result)
{
	struct str call = foreign_text_call_of(line);
	size_t at;

	*result = STR("");
	if (call.n == 0)
		return false;
	if (str_has_suffix(folded_trim(call), STR("<unfinished ...>")))
		return true;
	while (str_divide_last(call, '=', &call, result)) {
		for (at = call.n; at > 0 && is_blank(call.s[at - 1]); at--)
			;
		if (at > 0 && at < call.n && call.s[at - 1] == ')' && result->n > 0 && result->s[0] == ' ') {
			*result = str_behind(*result, 1);
			return true;
		}
	}
	return false;
}

/* If all results are pointers, these are library calls; otherwise system calls. */
static const char *
traced_calls(struct str s)
{
	uint64_t lines = 0, calls = 0, pointers = 0, results = 0;
	struct str line, result;

	for (unsigned i = 0; i < LOOK_LINES && str_split(&s, '\n', &line); i++) {
		if (folded_trim(line).n == 0)
			continue;
		lines++;
		if (!take_call(line, &result))
			continue;
		calls++;
		results += result.n > 0;
		pointers += str_has_prefix(result, STR("0x"));
	}
	if (calls == 0 || calls * 2 < lines || results == 0)
		return NULL;
	return pointers == results ? "a trace of library calls (ltrace, unsupported)" :
	    "a trace of system calls (strace, unsupported)";
}

/* "jdk.ExecutionSample {", written by jfr print. */
static bool
is_jfr_line(struct str line)
{
	size_t n = 4;

	line = folded_trim(line);
	if (!str_has_prefix(line, STR("jdk.")))
		return false;
	while (n < line.n && is_word_char(line.s[n]))
		n++;
	return n > 4 && line.n == n + 2 && line.s[n] == ' ' && line.s[n + 1] == '{';
}

static bool
line_has(struct str line, const char *mark)
{
	if (mark[0] == '*')
		return line.n > 0 && memmem(line.s, line.n, mark + 1, strlen(mark + 1)) != NULL;
	return str_has_prefix(line, str_of(mark));
}

const char *
foreign_text(struct str s)
{
	struct str rest = s, line;
	bool one[NELEM(marks)] = { false }, other[NELEM(marks)] = { false };

	for (unsigned n = 0; n < LOOK_LINES && str_split(&rest, '\n', &line); n++) {
		if (is_jfr_line(line))
			return "the output of jfr print; open the recording itself";
		for (size_t i = 0; i < NELEM(marks); i++) {
			one[i] = one[i] || line_has(line, marks[i].line);
			other[i] = other[i] || marks[i].other == NULL || line_has(line, marks[i].other);
		}
	}
	for (size_t i = 0; i < NELEM(marks); i++)
		if (one[i] && other[i])
			return marks[i].what;
	return traced_calls(s);
}
