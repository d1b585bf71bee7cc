/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents that show a format by more than a mark.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "decode.h"
#include "foreign.h"
#include "icecore/scan.h"

enum {
	LOOK_LINES = 20,
	ATRACE_LOOK = 64,	/* bytes that distinguish binary from text */
	CONTROLS_OF = 32,	/* a text has fewer than one non-text byte in this number */
	ERROR_MOST = 4096	/* bytes of the error of a server */
};

/* ---- binary data ------------------------------------------------------------------------------- */

bool
looks_swapped_dex(struct str s)
{
	return s.n >= 44 && memcmp(s.s, "dex\n", 4) == 0 && memcmp(s.s + 40, "\x12\x34\x56\x78", 4) == 0;
}

bool
looks_dump_part(struct str s)
{
	return dumpparts_is_one((const uint8_t *)s.s, s.n);
}

/* "go 1.23 trace" and zeros; go.work files begin the same without zeros. */
bool
looks_go_trace(struct str s)
{
	const char *end = memchr(s.s, '\0', s.n < 16 ? s.n : 16);

	return end != NULL && str_has_prefix(s, STR("go 1.")) &&
	    str_has_suffix((struct str){ s.s, (size_t)(end - s.s) }, STR(" trace"));
}

bool
looks_etw(struct str s)
{
	static const char text[] = "M\0i\0c\0r\0o\0s\0o\0f\0t\0-\0W\0i\0n\0d\0o\0w\0s";
	const uint8_t *p = (const uint8_t *)s.s;
	uint32_t size = s.n < 4 ? 0 : le32(p);

	return size >= 4096 && size <= 1u << 20 && (size & (size - 1)) == 0 &&
	    memmem(s.s, s.n, text, sizeof text - 1) != NULL;
}

bool
looks_zeros(struct str s)
{
	return s.n > 0 && s.s[0] == '\0' && memcmp(s.s, s.s + 1, s.n - 1) == 0;
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
bool
looks_frames(struct str s)
{
	return has_lines(s, is_frame_line, 3);
}

bool
looks_json(struct str s)
{
	size_t i = 1;

	while (i < s.n && isspace((unsigned char)s.s[i]))
		i++;
	return s.n > 0 && (s.s[0] == '{' || (s.s[0] == '[' && i < s.n && memchr("{[]\"", s.s[i], 4) != NULL));
}

bool
looks_server_error(struct str s)
{
	return s.n < ERROR_MOST && str_begins(s, "{") && (str_has(s, STR("\"error\"")) ||
	    (str_has(s, STR("\"message\"")) && str_has(s, STR("\"status\""))));
}

/*
 * "TRACE:" alone on the first line, as atrace writes it before ftrace text or compressed data. Logs and other JSON
 * may begin the same: the following text decides.
 */
static bool
looks_atrace(struct str s, struct str begin)
{
	struct str first;

	if (!str_split(&s, '\n', &first) || !str_eq(first, begin))
		return false;
	for (size_t i = 0; s.n > 0 && s.s[0] == 'x' && i < s.n && i < ATRACE_LOOK; i++)
		if (!isprint((unsigned char)s.s[i]) && !isspace((unsigned char)s.s[i]))
			return true;
	return s.n == 0 || s.s[0] == '#';
}

bool
looks_atrace_cr(struct str s)
{
	return looks_atrace(s, STR("TRACE:\r"));
}

bool
looks_atrace_empty(struct str s)
{
	return looks_atrace(s, STR("TRACE:"));
}

bool
looks_readable(struct str s)
{
	size_t controls = 0;

	for (size_t i = 0; i < s.n; i++)
		controls += ((uint8_t)s.s[i] < ' ' || s.s[i] == 127) && memchr("\a\b\t\n\v\f\r\33", s.s[i], 8) == NULL;
	return s.n > 0 && controls * CONTROLS_OF < s.n;
}

/* ---- texts whose lines resemble folded stacks ---------------------------------------------------- */

static bool
is_word_char(char c)
{
	return is_word(c) || is_one_of(c, ".$@");
}

/* For "[pid 12] 10:00:01.5 write(1, ...) = 1", return the text after the name of the call, or "". */
static struct str
call_of(struct str line)
{
	struct str pid, behind;
	size_t n = 0;

	if (str_take(&line, STR("[pid")) && str_divide(line, STR("]"), &pid, &behind))
		line = behind;
	line = str_skip_blanks(line);
	while (line.n > 0 && is_digit(line.s[0])) {
		while (line.n > 0 && (is_digit(line.s[0]) || line.s[0] == ':' || line.s[0] == '.'))
			line = str_after(line, 1);
		line = str_skip_blanks(line);
	}
	while (n < line.n && is_word_char(line.s[n]))
		n++;
	return n > 0 && n < line.n && line.s[n] == '(' ? str_after(line, n) : STR("");
}

/* Take the result of a call, after "= ", or "" if the call is unfinished; false: not a call. */
static bool
take_call(struct str line, struct str *result)
{
	struct str call = call_of(line);
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
			*result = str_after(*result, 1);
			return true;
		}
	}
	return false;
}

/* *pointers: all results are pointers, as those of library calls. */
static bool
looks_calls(struct str s, bool *pointers)
{
	uint64_t lines = 0, calls = 0, results = 0, addresses = 0;
	struct str line, result;

	for (unsigned i = 0; i < FOREIGN_LINES && str_split(&s, '\n', &line); i++) {
		if (folded_trim(line).n == 0)
			continue;
		lines++;
		if (!take_call(line, &result))
			continue;
		calls++;
		results += result.n > 0;
		addresses += str_begins(result, "0x");
	}
	*pointers = addresses == results;
	return calls > 0 && calls * 2 >= lines && results > 0;
}

bool
looks_ltrace(struct str s)
{
	bool pointers;

	return looks_calls(s, &pointers) && pointers;
}

bool
looks_strace(struct str s)
{
	bool pointers;

	return looks_calls(s, &pointers);
}

/* "  0.054 ( 0.013 ms): sleep/4321 brk()   = 0x55d0", or ":4321/4321" of a task without a name. */
static bool
is_perf_trace_line(struct str line)
{
	return scan(&line, "%_%*d.%*d%_(%_%*d.%*d%_ms): %*l/%*d ");
}

bool
looks_perf_trace(struct str s)
{
	return has_lines(s, is_perf_trace_line, 2);
}

/* "jdk.ExecutionSample {", written by jfr print. */
static bool
is_jfr_line(struct str line)
{
	size_t n = 0;

	line = folded_trim(line);
	if (!scan(&line, "jdk."))
		return false;
	while (n < line.n && is_word_char(line.s[n]))
		n++;
	return n > 0 && str_is(str_after(line, n), " {");
}

bool
looks_jfr_print(struct str s)
{
	struct str line;

	for (unsigned n = 0; n < FOREIGN_LINES && str_split(&s, '\n', &line); n++)
		if (is_jfr_line(line))
			return true;
	return false;
}
