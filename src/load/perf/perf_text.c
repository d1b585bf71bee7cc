/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of perf script: boundaries of samples, and their headers.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/lines.h"
#include "icecore/make.h"
#include "icecore/masks.h"
#include "icecore/scan.h"
#include "head.h"

#define HEAD 256		/* maximum bytes of a line with the name and ids */
#define AHEAD 2048		/* distance between parsed and prefetched text, in bytes */

/* ---- headers as flame graph scripts read them -------------------------------------------- */

/* Return the length of "25607 " or "24636/25607 " at the start of s, or 0. */
static size_t
ids(struct str s, struct perf_sample *p)
{
	size_t n = str_digits(s), at = n, m;
	uint64_t a, b;

	while (n > 0 && at < s.n && s.s[at] == '/')
		at++;
	m = str_digits(str_after(s, at));
	if (n == 0 || at + m >= s.n || !is_blank(s.s[at + m]) ||
	    !num_u64((struct str){ s.s, n }, 10, &a) || a > UINT32_MAX)
		return 0;
	p->has_pid = m > 0;
	p->pid = 0;
	p->tid = (uint32_t)a;
	if (m > 0) {
		if (!num_u64((struct str){ s.s + at, m }, 10, &b) || b > UINT32_MAX)
			return 0;
		p->pid = (uint32_t)a;
		p->tid = (uint32_t)b;
	}
	return at + m;
}

/* The name ends before the first number; these scripts accept no names of one byte. */
static bool
text_exact_name(struct str line, struct perf_sample *p)
{
	/* Each blank is tried, so without a limit lines of megabytes would take very long. */
	size_t most = line.n < HEAD ? line.n : HEAD;

	for (size_t i = 3; i < most; i++)
		if (is_blank(line.s[i - 1]) && ids(str_after(line, i), p) > 0) {
			p->comm = head_trim((struct str){ line.s, i });
			return true;
		}
	return false;
}

static bool
exact_header(const struct perf_fields *f, struct str line, struct perf_sample *p)
{
	/* Keep one blank: there is always one after the ids. */
	size_t n = head_trim(line).n;

	if (!perf_header(f, line, p))
		memset(p, 0, sizeof *p);
	line.n = n < line.n && is_blank(line.s[n]) ? n + 1 : n;
	return n > 0 && !is_blank(line.s[0]) && text_exact_name(line, p);
}

/* ---- samples ------------------------------------------------------------------------- */

/* Return the line at t->at, and advance past it. */
static struct str
next_line(struct perf_text *t)
{
	struct lines l = lines_of((struct str){ t->base + t->at, t->size - t->at });
	struct str line = STR("");

	(void)lines_next(&l, &line);
	t->at = t->size - l.rest.n;
	return line;
}

/* Return whether the line begins with a hexadecimal number and a blank. */
static bool
hex_word(struct str s)
{
	size_t n = str_hexes(s);

	return n > 0 && n < s.n && is_blank(s.s[n]);
}

bool
perf_open(struct perf_text *t, const char *base, uint64_t size)
{
	*t = (struct perf_text){ .base = base, .size = size };
	return perf_fields_find(&t->fields, base, size);
}

/* Drop modifiers such as ":u" at the end: in the one-line form they do not distinguish events. */
static struct str
without_modifiers(struct str event)
{
	size_t n = event.n;

	while (n > 0 && is_one_of(event.s[n - 1], "ukhGHpPSDWeIb"))
		n--;
	if (n > 1 && n < event.n && event.s[n - 1] == ':')
		event.n = n - 1;
	return event;
}

/*
 * The line at s is preceded by an empty line or nothing: it is a header even if its name looks like an
 * address.
 */
static bool
after_empty(const char *base, const char *s)
{
	if (s - base > 2 && s[-2] == '\r')
		return s[-3] == '\n';
	return s == base || (s - base > 1 && s[-2] == '\n');
}

/* below: frames of another sample precede it without an empty line. */
static bool
text_is_header(struct perf_text *t, struct str line, bool below, struct perf_sample *p)
{
	if (line.n == 0 || head_is_aside(line))
		return false;
	if (t->exact && !t->fields.one_line)
		return exact_header(&t->fields, line, p);
	if (!t->fields.time && (below || line.s[0] == '\t' ||
	    (!after_empty(t->base, line.s) && head_is_frame(line))))
		return false;
	if (!perf_header(&t->fields, line, p)) {
		t->misfit |= p->has_time && t->fields.ids != PERF_IDS_NONE;
		return false;
	}
	if (t->fields.one_line)
		p->event = without_modifiers(p->event);
	return true;
}

/* Skip lines that begin with a tab and do not end with a blank: these are always frames. */
static void
skip_frames(struct perf_text *t)
{
	uint64_t mask[8], before;
	struct str s;

	do {
		before = t->at;
		s = (struct str){ t->base + t->at, sizeof mask * 8 };
		s.n = t->size - t->at < s.n ? (size_t)(t->size - t->at) : s.n;
		for (size_t i = 0; i < s.n; i += MASK_BYTES)
			__builtin_prefetch(s.s + AHEAD + i);
		masks_find(s, "\n\n\n", mask);
		for (size_t i = 0; i < s.n; i += MASK_BYTES)
			for (uint64_t m = mask[i / MASK_BYTES]; m != 0; m &= m - 1) {
				const char *nl = s.s + i + (unsigned)__builtin_ctzll(m),
				    *from = t->base + t->at;

				if (from[0] != '\t' || is_blank(nl[-1]) || nl[-1] == '\r')
					return;
				t->at += (uint64_t)(nl - from) + 1;
			}
	} while (t->at > before);
}

/* Read lines up to an empty line, which is consumed, or to the next header, which is not. */
static void
take_frames(struct perf_text *t, struct perf_sample *p)
{
	uint64_t from = t->at, end = from, start;
	struct perf_sample next;
	struct str line;

	while (t->at < t->size) {
		start = t->at;
		skip_frames(t);
		end = t->at > start ? t->at : end;
		start = t->at;
		line = next_line(t);
		if (head_trim(line).n == 0)
			break;
		if (head_is_aside(line))
			continue;
		/* Frames begin with a tab. */
		if (line.s[0] != '\t' && text_is_header(t, line, end > from, &next)) {
			t->at = start;
			break;
		}
		end = t->at;
	}
	assert(from <= end && end <= t->size);
	p->frames = (struct str){ t->base + from, (size_t)(end - from) };
}

/* "PERF_RECORD_SWITCH OUT preempt", "PERF_RECORD_SWITCH_CPU_WIDE IN  prev pid/tid: 1/2". */
static enum perf_record
switch_record(struct str s)
{
	if (!scan(&s, "PERF_RECORD_SWITCH_CPU_WIDE %_") && !scan(&s, "PERF_RECORD_SWITCH %_"))
		return PERF_SAMPLE;
	if (str_begins(s, "IN"))
		return PERF_IN;
	return !scan(&s, "OUT%_") ? PERF_SAMPLE : str_begins(s, "preempt") ? PERF_PREEMPTED : PERF_OUT;
}

/* "PERF_RECORD_MMAP2 12/12: ...", "PERF_RECORD_LOST lost 12"; false: a sample, or a switch with a time. */
static bool
other_record(struct perf_text *t, struct perf_sample *p)
{
	static const struct str other = { "PERF_RECORD_", 12 };
	struct str s = str_has_prefix(p->event, other) ? p->event : p->details;
	uint64_t n;

	if (!str_has_prefix(s, other))
		return false;
	p->record = p->has_time && !t->exact ? switch_record(s) : PERF_SAMPLE;
	if (p->record != PERF_SAMPLE)
		return false;
	if (scan(&s, "PERF_RECORD_LOST%*t lost %u", &n))
		t->lost = num_add(t->lost, n);
	return true;
}

/* Return the position of the last address with a symbol: perf pads addresses to 16 bytes; SIZE_MAX: none. */
static size_t
last_address(struct str s, const char *least)
{
	const char *p, *from, *end = s.s + s.n;

	for (; end > s.s; end = from) {
		while (end > s.s && is_blank(end[-1]))
			end--;
		for (from = end; from > s.s && !is_blank(from[-1]); from--)
			;
		for (p = from; p > least && is_blank(p[-1]); p--)
			;
		if (end - p > 16 && p < from &&
		    head_plain_frame((struct str){ from - 1, (size_t)(s.s + s.n - from) + 1 }))
			return (size_t)(from - s.s);
	}
	return SIZE_MAX;
}

/*
 * For "7fff12 1066 |OP LOAD|LVL L1 hit|BLK  N/A  12  400 main+0x1 (/a)" of perf mem, find the last number
 * followed by a name.
 */
static struct str
frame_of_memory(struct str details)
{
	struct str left, s = STR("");

	if (!str_divide_last(details, '|', &left, &s))
		return STR("");
	for (size_t n; s.n > 0; s = str_after(s, n)) {
		s = str_skip_blanks(s);
		for (n = 0; n < s.n && !is_blank(s.s[n]); n++)
			;
		if (hex_word(s) && !hex_word(str_skip_blanks(str_after(s, n))))
			return s;
	}
	return s;
}

/*
 * "7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)" after the event. Other fields around it, such as data
 * addresses and branch targets, are not frames. The module may be missing.
 */
static struct str
frame_after(struct str details, const char *line)
{
	struct str s = details, rest, module;
	const char *end;
	size_t from;

	if (str_divide(details, STR(" |OP "), &s, &rest))
		return frame_of_memory(details);
	str_divide(details, STR(" => "), &s, &rest);
	s = head_trim(s);
	from = s.n > 0 ? last_address(s, line) : SIZE_MAX;
	if (from == SIZE_MAX)
		return hex_word(s) && s.s[s.n - 1] == ')' ? s : STR("");
	s = str_after(s, from);
	if (str_divide(s, STR(" ("), &rest, &module) && (end = memrchr(module.s, ')', module.n)) != NULL)
		s.n = (size_t)(end - s.s) + 1;
	return s;
}

void
perf_apart(struct perf_text *t)
{
	while (t->at < t->size && head_trim(next_line(t)).n > 0)
		;
}

bool
perf_next(struct perf_text *t, struct perf_sample *p)
{
	while (t->at < t->size) {
		uint64_t start = t->at;
		struct str line = next_line(t);

		assert(t->at > start);
		if (!text_is_header(t, line, false, p)) {
			t->stray += head_trim(line).n > 0 && !head_is_aside(line);
			/* The event at this place is already used: the next one gets its own place. */
			if (t->exact)
				return false;
			continue;
		}
		p->offset = start;
		if (other_record(t, p)) {
			if (!t->all)
				continue;
			p->record = PERF_OTHER;
		}
		if (p->record != PERF_SAMPLE)
			return true;
		take_frames(t, p);
		if (p->frames.n == 0)
			p->frames = frame_after(p->details, t->base + start);
		return true;
	}
	return false;
}
