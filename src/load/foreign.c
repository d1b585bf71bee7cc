/*
 * Names for files that no loader takes: a message that says what a file is
 * helps more than one that says what it is not.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "foreign.h"

struct mark {
	const char	*bytes;
	size_t		 n;
	const char	*what;		/* and what to do, if anything */
};

#define MARK(lit, what) { lit, sizeof(lit) - 1, what }

/* Longer marks before their own beginnings. */
static const struct mark marks[] = {
	MARK("TMOL", "a low-overhead profile of ART, which is not read; record a method trace instead"),
	MARK("SIMPLEPERF", "a simpleperf report (protobuf); make text of it with report_sample.py"),
	MARK("PERFILE2", "raw perf.data; run perf script on it and open the text"),
	MARK("TRACE:\n", "an atrace capture"),
	MARK("TRACE:\r\n", "an atrace capture"),
	MARK("----- pid ", "an ART thread dump (ANR)"),
	MARK("Full thread dump", "a Java thread dump"),
	MARK("# tracer:", "an ftrace text"),
	MARK("<!DOCTYPE html", "an HTML page (a systrace report?)"),
	MARK("<html", "an HTML page (a systrace report?)"),
	MARK("\xca\xfe\xba\xbe", "a Java class file"),
	MARK("PK\3\4", "a zip archive; unpack it first"),
	MARK("BZh", "bzip2 data; unpack it first"),
	MARK("\xfd" "7zXZ", "xz data; unpack it first"),
	MARK("\x28\xb5\x2f\xfd", "zstd data; unpack it first"),
	MARK("\x7f" "ELF", "an ELF program or library"),
	MARK("OFXHEADER", "an OFX bank statement"),
	MARK("<?xml", "an XML document"),
	MARK("<?OFX", "an OFX bank statement"),
	MARK("SQLite format 3", "an SQLite database"),
	MARK("ICECORE", "an icecore index; open the file it belongs to"),
};

static bool
is_perfetto(struct str s)
{
	/* Field 1, length-delimited, of a Trace message: a TracePacket. */
	return s.n > 4 && s.s[0] == 0x0a && (unsigned char)s.s[1] != '\n' &&
	    memchr(s.s, 0, s.n < 64 ? s.n : 64) != NULL;
}

static bool
is_thread_dump(struct str s)
{
	struct str line;
	int n;

	for (n = 0; n < 20 && str_split(&s, '\n', &line); n++)
		if (str_has_prefix(line, STR("Full thread dump")) ||
		    (line.n > 8 && line.s[0] == '"' &&
		    memmem(line.s, line.n, " prio=", 6) != NULL))
			return true;
	return false;
}

/* "task-pid [cpu] ... seconds.micros: event:" */
static bool
is_ftrace(struct str s)
{
	struct str line;
	int n;

	for (n = 0; n < 50 && str_split(&s, '\n', &line); n++) {
		const char *cpu = memchr(line.s, '[', line.n);

		if (cpu != NULL && cpu > line.s && line.s[0] != '#' &&
		    memmem(cpu, (size_t)(line.s + line.n - cpu), ": ", 2) != NULL &&
		    (memmem(line.s, line.n, "sched_", 6) != NULL ||
		    memmem(line.s, line.n, "tracing_mark_write", 18) != NULL))
			return true;
	}
	return false;
}

static bool
is_nanoscope(struct str s)
{
	struct str line;
	size_t i = 0;

	if (!str_split(&s, '\n', &line))
		return false;
	while (i < line.n && isdigit((unsigned char)line.s[i]))
		i++;
	return i > 0 && i < line.n && line.s[i] == ':';
}

/* The header of a sample: "comm pid ... time: period event:" and then a frame: address, name (object). */
static bool
is_perf_script(struct str s)
{
	struct str line;
	bool header = false;
	int n;

	for (n = 0; n < 200 && str_split(&s, '\n', &line); n++) {
		if (line.n == 0 || line.s[0] == '#')
			continue;
		if (header && memchr(line.s, '(', line.n) != NULL &&
		    (isblank((unsigned char)line.s[0]) ||
		    isxdigit((unsigned char)line.s[0])))
			return true;
		header = line.s[0] != ' ' && memchr(line.s, ':', line.n) != NULL;
	}
	return false;
}

static bool
is_folded(struct str s)
{
	struct str line;
	int n, lines = 0, good = 0;

	for (n = 0; n < 50 && str_split(&s, '\n', &line); n++) {
		while (line.n > 0 && line.s[line.n - 1] == '\r')
			line.n--;
		if (line.n == 0 || line.s[0] == '#' || s.n == 0)
			continue;
		lines++;
		good += isdigit((unsigned char)line.s[line.n - 1]) &&
		    memchr(line.s, ' ', line.n) != NULL;
	}
	return lines > 0 && good * 2 > lines;
}

static bool
is_json(struct str s)
{
	return s.n > 0 && (s.s[0] == '{' || s.s[0] == '[');
}

/* With its mark, or with every other of the first bytes zero. */
static bool
is_utf16(const uint8_t *head, size_t n)
{
	size_t i, zeros[2] = { 0, 0 };

	if (n >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 ||
	    memcmp(head, "\xfe\xff", 2) == 0))
		return true;
	for (i = 0; i < 64 && i < n; i++)
		zeros[i & 1] += head[i] == 0;
	return n >= 8 && (zeros[0] == 0) != (zeros[1] == 0) &&
	    zeros[0] + zeros[1] == i / 2;
}

static bool
is_text(struct str s)
{
	return s.n > 0 && memchr(s.s, 0, s.n) == NULL;
}

const char *
foreign_name(const uint8_t *head, size_t n)
{
	static const struct {
		bool		(*is)(struct str);
		const char	*what;
	} kinds[] = {
		{ is_perfetto, "a Perfetto trace (protobuf); traceconv systrace makes text of it" },
		{ is_thread_dump, "a Java thread dump" },
		{ is_json, "JSON (a Chrome, speedscope or Firefox profile?)" },
		{ is_ftrace, "an ftrace, atrace or systrace text" },
		{ is_nanoscope, "a Nanoscope trace" },
		{ is_perf_script, "the output of perf script" },
		{ is_folded, "folded stacks" },
		{ is_text, "a text of unknown kind" },
	};
	struct str s = { (const char *)head, n };
	size_t i;

	if (n == 0)
		return "an empty file";
	while (s.n > 0 && isspace((unsigned char)s.s[0])) {
		s.s++;
		s.n--;
	}
	for (i = 0; i < NELEM(marks); i++)
		if (n >= marks[i].n && memcmp(head, marks[i].bytes, marks[i].n) == 0)
			return marks[i].what;
	if (is_utf16(head, n))
		return "a UTF-16 text";
	for (i = 0; i < NELEM(kinds); i++)
		if ((i == 0 || is_text(s)) && kinds[i].is(i == 0 ?
		    (struct str){ (const char *)head, n } : s))
			return kinds[i].what;
	return NULL;
}
