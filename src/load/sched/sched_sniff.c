/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognise scheduler text.
 */
#include "config.h"

#include <string.h>

#include "line.h"

#define SNIFF_LINES 400

/* Recognise a stack frame that perf script prints below an event: blanks, an address, a name. */
static bool
is_frame(struct str line)
{
	struct str s = str_skip_blanks(line);
	size_t n = 0;

	while (n < s.n && is_one_of(s.s[n], "0123456789abcdef"))
		n++;
	return s.n < line.n && n >= 4 && n < s.n && s.s[n] == ' ';
}

/*
 * "cpu-clock:  7f12a0 main+0x4 (/bin/a)": an event with only a frame after it is a sample of a counter or
 * clock.
 */
static bool
is_sample(struct str line)
{
	struct str s = str_trim(line), left;

	if (s.n == 0 || s.s[s.n - 1] != ')')
		return false;
	while (str_divide(s, STR(": "), &left, &s))
		if (is_frame((struct str){ s.s - 1, s.n + 1 }))
			return true;
	return false;
}

static bool
sched_sniff_do(const uint8_t *head, size_t n, bool *ran)
{
	struct str s = { (const char *)head, n }, line;
	bool ours = false, event = false, other;
	struct sched_line l;

	if (n >= 9 && memcmp(head, "# tracer:", 9) == 0)
		return true;
	for (int i = 0; i < SNIFF_LINES && str_split(&s, '\n', &line); i++) {
		if (line.n == 0 || line.s[0] == '#')
			continue;
		sched_read(line, &l);
		other = l.kind == SCHED_OTHER || l.kind == SCHED_ODD ||
		    (l.kind == SCHED_EVENT && l.event_kind == KERNEL_GENERIC);
		/* An event with its stack is a sample. */
		if ((event && l.kind == SCHED_NONE && is_frame(line)) || (other && is_sample(line)))
			return false;
		event = l.kind != SCHED_NONE && l.kind != SCHED_LOST;
		*ran = *ran || l.kind == SCHED_RAN;
		ours = ours || (event && !other && l.kind != SCHED_BAD);
	}
	return ours;
}

bool
sched_sniff(const uint8_t *head, size_t n)
{
	bool ran = false;

	return sched_sniff_do(head, n, &ran);
}

bool
sched_sniff_live(const uint8_t *head, size_t n)
{
	bool ran = false;

	return sched_sniff_do(head, n, &ran) && !ran;
}
