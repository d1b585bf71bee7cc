/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse a sample's header by the fields of its text: name, ids, CPU, flags, time, period, event, in this
 * order.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/make.h"
#include "head.h"

#define FLAGS_MOST 8		/* letters after a CPU */
#define FLAGS_COLUMN 6		/* bytes that perf prints for field misc: letters, then blanks */
#define PERIOD_COLUMN 10
#define ADDRESS_COLUMN 17	/* bytes that perf prints for an address, with the preceding tab */
#define ADDRESS_LEAST 6		/* digits of an address without leading blanks */

/* ---- parts of a line ---------------------------------------------------------------------- */

static size_t
head_word(struct str s)
{
	size_t i = 0;

	while (i < s.n && !is_blank(s.s[i]))
		i++;
	return i;
}

/* Return the last word of s, without trailing blanks. */
static struct str
last_word(struct str s)
{
	size_t n;

	s = head_trim(s);
	for (n = s.n; n > 0 && !is_blank(s.s[n - 1]); n--)
		;
	return str_after(s, n);
}

/* Parse "4794564.109216:" with the colon at s[colon] as nanoseconds; return its start, or SIZE_MAX. */
static size_t
time_at(struct str s, size_t colon, uint64_t *ns)
{
	uint64_t sec, part = 0;
	size_t dot = colon, from, n;

	assert(colon < s.n && s.s[colon] == ':');
	while (dot > 0 && is_digit(s.s[dot - 1]))
		dot--;
	if (dot == colon || dot < 2 || s.s[dot - 1] != '.')
		return SIZE_MAX;
	for (from = dot - 1; from > 0 && is_digit(s.s[from - 1]); from--)
		;
	if (from == dot - 1 || (from > 0 && !is_blank(s.s[from - 1])) ||
	    (colon + 1 < s.n && !is_blank(s.s[colon + 1])) ||
	    !num_u64((struct str){ s.s + from, dot - 1 - from }, 10, &sec) ||
	    sec > UINT64_MAX / 1000000000 - 1)
		return SIZE_MAX;
	n = colon - dot;
	for (size_t i = 0; i < 9; i++)
		part = part * 10 + (i < n ? (uint64_t)(s.s[dot + i] - '0') : 0);
	*ns = sec * 1000000000 + part;
	return from;
}

/* Split a line at the first time in it. */
bool
head_divide_time(struct str line, struct str *left, uint64_t *ns, struct str *right)
{
	const char *colon = line.s, *end = line.s + line.n;
	size_t at;

	while (colon < end && (colon = memchr(colon, ':', (size_t)(end - colon))) != NULL) {
		at = time_at(line, (size_t)(colon - line.s), ns);
		if (at != SIZE_MAX) {
			*left = (struct str){ line.s, at };
			*right = str_after(line, (size_t)(colon - line.s) + 1);
			return true;
		}
		colon++;
	}
	return false;
}

/* True if s ends in a number, a CPU or the column of flags. */
static bool
ends_in_field(struct str s)
{
	struct str t = head_trim(s);

	return t.n > 0 && (is_digit(t.s[t.n - 1]) || t.s[t.n - 1] == ']' || s.n - t.n >= FLAGS_COLUMN - 1);
}

bool
head_divide_event(struct str line, bool after, struct str *left, struct str *right)
{
	struct str rest = line;
	size_t n, at;

	for (at = 0; at < line.n; at += n) {
		rest = str_skip_blanks(str_after(line, at));
		at = line.n - rest.n;
		n = head_word(rest);
		if (n < 2 || rest.s[n - 1] != ':' || (after && !ends_in_field((struct str){ line.s, at })))
			continue;
		for (size_t i = 0; i < n; i++)
			if (is_letter(rest.s[i]) || rest.s[i] == '_') {
				*left = (struct str){ line.s, at };
				*right = rest;
				return true;
			}
	}
	return false;
}

/* Take "[002]", or "[002] d..1.", off the end of *left. sure: it is a CPU whatever precedes it. */
bool
head_take_cpu(struct str *left, bool sure)
{
	struct str s = head_trim(*left), flags = last_word(s);
	size_t n;

	if (s.n == 0)
		return false;
	if (s.s[s.n - 1] != ']') {
		if (flags.n > FLAGS_MOST || flags.n == str_digits(flags))
			return false;
		s = head_trim((struct str){ s.s, s.n - flags.n });
	}
	if (s.n < 3 || s.s[s.n - 1] != ']')
		return false;
	for (n = s.n - 1; n > 0 && is_digit(s.s[n - 1]); n--)
		;
	if (n == s.n - 1 || n == 0 || s.s[n - 1] != '[')
		return false;
	s.n = n - 1;
	flags = head_trim(s);
	if (!sure && (flags.n == 0 || flags.n == s.n || !is_digit(flags.s[flags.n - 1])))
		return false;
	*left = s;
	return true;
}

/*
 * Take the letters at the end of *left; before: the text in front of them. column: its width with trailing
 * blanks.
 */
static bool
flags_of(struct str left, struct str *before, size_t *column)
{
	struct str flags = last_word(left);

	for (size_t i = 0; i < flags.n; i++)
		if ((flags.s[i] < 'A' || flags.s[i] > 'Z') && flags.s[i] != 'g' && flags.s[i] != 'p')
			return false;
	if (flags.n == 0 || flags.n > FLAGS_MOST)
		return false;
	*before = head_trim((struct str){ left.s, (size_t)(flags.s - left.s) });
	*column = left.n - (size_t)(flags.s - left.s);
	return before->n > 0;
}

bool
head_take_misc(struct str *left)
{
	struct str s;
	size_t column;

	if (!flags_of(*left, &s, &column) || (!is_digit(s.s[s.n - 1]) && column < FLAGS_COLUMN))
		return false;
	*left = s;
	return true;
}

/* A number after a name or an id may be another id, not a period. */
bool
head_take_period(struct str *left, struct perf_sample *p)
{
	struct str s = *left, before;
	uint64_t period;
	size_t width, column, digits = last_word(s).n;

	if (!head_take_number(&s, &period, &width))
		return false;
	/* The blanks before it belong to its column. */
	for (; digits < PERIOD_COLUMN && s.n > 1 && is_blank(s.s[s.n - 1]) &&
	    is_blank(s.s[s.n - 2]); digits++)
		s.n--;
	before = s;
	if (!head_take_cpu(&before, true) && (!flags_of(s, &before, &column) || column < FLAGS_COLUMN))
		return false;
	*left = s;
	p->has_period = true;
	p->period = period;
	return true;
}

/* Take a number, alone or after a blank, off the end of *left; width: of its column. */
bool
head_take_number(struct str *left, uint64_t *v, size_t *width)
{
	struct str digits = last_word(*left), s;

	s = (struct str){ left->s, left->n > 0 ? (size_t)(digits.s - left->s) : 0 };
	*width = s.n - head_trim(s).n + digits.n - (head_trim(s).n > 0 && s.n > 0);
	/* perf prints -1 for a task that has exited. */
	if (str_is(digits, "-1"))
		*v = 0;
	else if (digits.n == 0 || str_digits(digits) < digits.n || !num_u64(digits, 10, v))
		return false;
	*left = s;
	return true;
}

/* Take "24636/25607", also with blanks around the slash, off the end of *left. */
bool
head_take_pair(struct str *left, uint64_t *pid, uint64_t *tid)
{
	struct str s = head_trim(*left), number;
	uint64_t *v[2] = { tid, pid };

	for (int i = 0; i < 2; i++) {
		size_t n = s.n;

		while (n > 0 && is_digit(s.s[n - 1]))
			n--;
		number = str_after(s, n);
		if (number.n == 0 || !num_u64(number, 10, v[i]) || *v[i] > UINT32_MAX)
			return false;
		if (n > 0 && s.s[n - 1] == '-' && *v[i] == 1) {
			*v[i] = 0;
			n--;
		}
		s = i == 0 ? head_trim((struct str){ s.s, n }) : (struct str){ s.s, n };
		if (i == 0 && (s.n == 0 || s.s[s.n - 1] != '/'))
			return false;
		if (i == 0)
			s = head_trim((struct str){ s.s, s.n - 1 });
	}
	*left = s;
	return true;
}

bool
head_plain_frame(struct str line)
{
	size_t n = 0, digits = 0, blanks;

	if (line.n == 0 || !is_blank(line.s[0]))
		return false;
	blanks = line.n - str_skip_blanks(line).n;
	line = str_after(line, blanks);
	for (; n < line.n && is_hex(line.s[n]); n++)
		digits += is_digit(line.s[n]);
	if (n == 0 || n == line.n || !is_blank(line.s[n]))
		return false;
	/* "7f1" is most likely an address; "100" may be a count, and "2d" a word. */
	return blanks + n == ADDRESS_COLUMN || (n >= (n > digits ? 3 : 4) && digits > 0);
}

bool
head_is_frame(struct str line)
{
	struct str s = head_trim(str_skip_blanks(line));
	size_t n = str_hexes(s);

	if (n == 0 || n > 16 || n == s.n || !is_blank(s.s[n]))
		return false;
	return s.s != line.s || (n >= ADDRESS_LEAST && s.s[s.n - 1] == ')');
}

/* ---- header -------------------------------------------------------------------------------- */

bool
head_divide(const struct perf_fields *f, struct str line, struct head_halves *h)
{
	*h = (struct head_halves){ .left = line, .right = STR("") };
	if (f->time)
		return h->has_time = head_divide_time(line, &h->left, &h->time, &h->right);
	return !f->event || (f->event_behind && head_divide_event(line, true, &h->left, &h->right)) ||
	    head_divide_event(line, false, &h->left, &h->right);
}

/* "  235 cpu-clock: ..." */
void
head_right(struct str s, struct perf_sample *p)
{
	size_t n;

	s = str_skip_blanks(s);
	n = str_digits(s);
	if (n > 0 && (n == s.n || is_blank(s.s[n]))) {
		p->has_period = num_u64((struct str){ s.s, n }, 10, &p->period);
		s = str_skip_blanks(str_after(s, n));
	}
	n = head_word(s);
	if (n > 1 && s.s[n - 1] == ':') {
		p->event = (struct str){ s.s, n - 1 };
		s = str_skip_blanks(str_after(s, n));
	}
	p->details = head_trim(s);
}

/* Return the key of its event in the table of events with a CPU; records of perf itself are one event. */
uint64_t
head_event(const struct perf_sample *p)
{
	static const struct str records = { "PERF_RECORD_", 12 };

	return idmap_hash_text(str_has_prefix(p->details, records) ? records : p->event, 0);
}

bool
head_has_cpu(const struct perf_fields *f, uint64_t key)
{
	for (uint32_t i = 0; i < f->nevents; i++)
		if (f->events[i].key == key)
			return head_most(f->events[i].with_cpu, f->events[i].headers);
	return false;
}

/* Take the CPU or the misc flags off the text before the time. Only the name and ids remain. */
void
head_take_flags(const struct perf_fields *f, const struct perf_sample *p, struct str *left)
{
	if (!head_take_cpu(left, head_has_cpu(f, head_event(p))) && f->misc)
		head_take_misc(left);
}

static bool
head_take_ids(const struct perf_fields *f, struct str *left, struct perf_sample *p)
{
	uint64_t pid = 0, tid = 0, period = 0;
	struct str s = *left;
	size_t width;
	bool number;

	/* "1/2 250000" */
	number = !f->time && f->ids == PERF_IDS_PERIOD && head_take_number(&s, &period, &width);
	p->has_pid = head_take_pair(&s, &pid, &tid);
	if (!p->has_pid) {
		s = *left;
		pid = tid = 0;
		number = (f->ids == PERF_IDS_PERIOD || f->ids == PERF_IDS_BOTH) &&
		    head_take_number(&s, &period, &width);
		if ((number != (f->ids == PERF_IDS_PERIOD || f->ids == PERF_IDS_BOTH)) ||
		    ((f->ids == PERF_IDS_TID || f->ids == PERF_IDS_BOTH) &&
		    (!head_take_number(&s, &tid, &width) || tid > UINT32_MAX)))
			return false;
	}
	if (number) {
		p->has_period = true;
		p->period = period;
	}
	p->pid = (uint32_t)pid;
	p->tid = (uint32_t)tid;
	*left = s;
	return true;
}

bool
perf_header(const struct perf_fields *f, struct str line, struct perf_sample *p)
{
	struct head_halves h;

	memset(p, 0, sizeof *p);
	if (head_trim(line).n == 0 || !head_divide(f, line, &h))
		return false;
	p->time = h.time;
	p->has_time = h.has_time;
	head_right(h.right, p);
	if (f->period_behind)
		head_take_period(&h.left, p);
	head_take_flags(f, p, &h.left);
	if (!head_take_ids(f, &h.left, p))
		return false;
	p->comm = head_trim(str_skip_blanks(h.left));
	return true;
}
