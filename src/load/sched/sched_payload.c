/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Payloads of scheduler events by old and new kernels, trace-cmd and perf. Names may contain any of the
 * surrounding text, so each is delimited from the right as far as possible.
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "line.h"

/* Bit of a numeric state: the task was preempted and is still runnable (since 4.14). */
#define RAW_PREEMPTED 0x100

/* Read the digits from at on; *end: after them. */
static inline bool
sched_payload_number_at(struct str s, size_t at, size_t *end, uint32_t *v)
{
	uint64_t value = 0;

	for (*end = at; *end < s.n && is_digit(s.s[*end]) && *end - at < 10; ++*end)
		value = value * 10 + (uint64_t)(s.s[*end] - '0');
	*v = (uint32_t)value;
	return *end > at && value <= UINT32_MAX && (*end == s.n || !is_digit(s.s[*end]));
}

/* Inline, so that the key is a constant. */
static inline bool
sched_payload_begins(struct str s, struct str with)
{
	return s.n >= with.n && memcmp(s.s, with.s, with.n) == 0;
}

/* Take " key=12" off the end of s[0 .. *n - 1] and ignore the number. */
static inline __attribute__((always_inline)) bool
back_skip(const char *s, size_t *n, struct str key)
{
	uint64_t values;
	size_t at = *n;

	if (at >= 8)
		at -= sched_back_digits(s, at, &values);
	while (at > 0 && is_digit(s[at - 1]))
		at--;
	if (at == *n || at < key.n || memcmp(s + at - key.n, key.s, key.n) != 0)
		return false;
	*n = at - key.n;
	return true;
}

/* Find the last key in s, which begins with a blank and ends in '='; SIZE_MAX: missing. */
static inline __attribute__((always_inline)) size_t
last_key(struct str s, struct str key)
{
	const char *p;

	while (s.n >= key.n && (p = memrchr(s.s, '=', s.n)) != NULL) {
		s.n = (size_t)(p - s.s);
		if (s.n + 1 >= key.n && memcmp(p + 1 - key.n, key.s, key.n) == 0)
			return s.n + 1 - key.n;
	}
	return SIZE_MAX;
}

static inline struct str
sched_payload_part(struct str s, size_t from, size_t to)
{
	assert(from <= to && to <= s.n);
	return (struct str){ s.s + from, to - from };
}

/* "<...>" stands for an unknown name. */
static struct str
known(struct str s)
{
	if (s.n == 5 && memcmp(s.s, "<...>", 5) == 0)
		s.n = 0;
	return s;
}

/* ---- key=value ------------------------------------------------------------------- */

/* Take " key=12" off the end of s[0 .. *n - 1]. */
static inline __attribute__((always_inline)) bool
back_key(const char *s, size_t *n, struct str key, uint32_t *v)
{
	size_t at = *n;

	if (!sched_back_number(s, &at, v) || at < key.n || memcmp(s + at - key.n, key.s, key.n) != 0)
		return false;
	*n = at - key.n;
	return true;
}

/* A numeric state: the lowest bit decides; 0 or the preemption bit mean "R". */
static uint8_t
state_bits(struct str s)
{
	static const char letters[] = "SDTtXZPI";
	uint64_t v;
	size_t i, n;
	bool hexa = sched_payload_begins(s, STR("0x"));

	s = hexa ? sched_payload_part(s, 2, s.n) : s;
	for (n = 0; n < s.n && isxdigit((unsigned char)s.s[n]); n++)
		;
	if (!num_u64(sched_payload_part(s, 0, n), hexa ? 16 : 10, &v))
		return '?';
	for (i = 0; i < sizeof letters - 1; i++)
		if (v & UINT64_C(1) << i)
			return (uint8_t)letters[i];
	return v == 0 || v & RAW_PREEMPTED ? 'R' : '?';
}

/* Return the letter of a state, which is printed as a letter or as a number. */
static inline uint8_t
sched_payload_state_letter(struct str s)
{
	assert(s.n > 0);
	return is_digit(s.s[0]) ? state_bits(s) : (uint8_t)s.s[0];
}

/* Fast path for nearly all lines, without a search. */
static inline bool
usual_from(struct str s, struct sched_line *l)
{
	size_t n = s.n;

	while (n > 12 && s.n - n < 4 && s.s[n - 1] != '=')
		n--;
	if (n <= 12 || n == s.n || memcmp(s.s + n - 12, " prev_state=", 12) != 0)
		return false;
	l->state = sched_payload_state_letter(sched_payload_part(s, n, s.n));
	n -= 12;
	if (!back_skip(s.s, &n, STR(" prev_prio=")) || !back_key(s.s, &n, STR(" prev_pid="), &l->from) ||
	    n < 10)
		return false;
	l->from_name = known(sched_payload_part(s, 10, n));
	return true;
}

static inline bool
usual_to(struct str s, struct sched_line *l)
{
	size_t n = s.n;

	if (!back_skip(s.s, &n, STR(" next_prio=")) || !back_key(s.s, &n, STR(" next_pid="), &l->to) ||
	    n < 10)
		return false;
	l->to_name = known(sched_payload_part(s, 10, n));
	return true;
}

/* "prev_comm=a b prev_pid=12 prev_prio=120 prev_state=S" */
static bool
new_from(struct str s, struct sched_line *l)
{
	size_t state, pid, end;

	state = last_key(s, STR(" prev_state="));
	if (state == SIZE_MAX || state + 12 >= s.n)
		return false;
	l->state = sched_payload_state_letter(sched_payload_part(s, state + 12, s.n));
	s.n = state;
	if ((pid = last_key(s, STR(" prev_pid="))) == SIZE_MAX || pid < 10 ||
	    !sched_payload_number_at(s, pid + 10, &end, &l->from) || end == s.n)
		return false;
	l->from_name = known(sched_payload_part(s, 10, pid));
	return true;
}

/* "next_comm=a b next_pid=12 next_prio=120" and further fields. */
static bool
new_to(struct str s, struct sched_line *l)
{
	size_t pid = last_key(s, STR(" next_pid=")), end;

	/* At the end of the text the number may be truncated. */
	if (pid == SIZE_MAX || pid < 10 || !sched_payload_number_at(s, pid + 10, &end, &l->to) || end == s.n)
		return false;
	l->to_name = known(sched_payload_part(s, 10, pid));
	return true;
}

static inline bool
usual_wake(struct str s, struct sched_line *l)
{
	size_t n = s.n;
	uint32_t cpu, success;

	if (!back_key(s.s, &n, STR(" target_cpu="), &cpu))
		return false;
	l->failed = back_key(s.s, &n, STR(" success="), &success) && success == 0;
	if (!back_skip(s.s, &n, STR(" prio=")) || !back_key(s.s, &n, STR(" pid="), &l->to) || n < 5)
		return false;
	l->to_name = known(sched_payload_part(s, 5, n));
	l->target = cpu < SCHED_CPUS ? (uint16_t)cpu : SWITCH_NO_CPU;
	return true;
}

/* Find the arrow whose right side begins with word. */
static inline __attribute__((always_inline)) size_t
find_arrow(struct str s, struct str word)
{
	const char *p = s.s, *end = s.s + s.n;

	while ((p = memchr(p, '>', (size_t)(end - p))) != NULL) {
		if (p - s.s >= 3 && memcmp(p - 3, " ==", 3) == 0 && (size_t)(end - p) > word.n + 1 &&
		    p[1] == ' ' && memcmp(p + 2, word.s, word.n) == 0)
			return (size_t)(p - s.s) - 3;
		p++;
	}
	return SIZE_MAX;
}

/* ---- name:pid [prio] ---------------------------------------------------------------- */

/* "a b:12 [120]" */
static bool
bracketed(struct str s, struct str *name, uint32_t *pid)
{
	size_t colon, end;

	if (s.n == 0 || s.s[s.n - 1] != ']')
		return false;
	for (s.n--; s.n > 0 && (unsigned char)(s.s[s.n - 1] - '0') < 10; s.n--)
		;
	if (s.n < 4 || memcmp(s.s + s.n - 2, " [", 2) != 0)
		return false;
	s.n -= 2;
	for (colon = s.n; colon > 0 && (unsigned char)(s.s[colon - 1] - '0') < 10; colon--)
		;
	if (colon == 0 || s.s[colon - 1] != ':' || !sched_payload_number_at(s, colon, &end, pid) ||
	    end != s.n)
		return false;
	*name = known(sched_payload_part(s, 0, colon - 1));
	return true;
}

/* "a b:12 [120] S" or, in the first kernels, "task a b:12 [120] (S)". */
static bool
old_from_bracketed(struct str s, struct sched_line *l)
{
	size_t n = s.n;

	while (n > 0 && s.s[n - 1] != ' ')
		n--;
	if (n < 2 || n == s.n)
		return false;
	l->state = (uint8_t)(s.s[n] == '(' && n + 1 < s.n ? s.s[n + 1] : s.s[n]);
	s = sched_payload_part(s, 0, n - 1);
	str_take(&s, STR("task "));
	return bracketed(s, &l->from_name, &l->from);
}

/* "12:120:S", optionally preceded by a name and a colon. */
static bool
old_from_plain(struct str s, struct sched_line *l)
{
	size_t i, colon[3], n = s.n, end;
	uint32_t prio;

	for (i = 0; i < 3; i++) {
		while (n > 0 && s.s[n - 1] != ':')
			n--;
		colon[i] = n;		/* position after it; 0: the start */
		if (n == 0)
			break;
		n--;
	}
	if (i < 2 || colon[0] >= s.n || !sched_payload_number_at(s, colon[1], &end, &prio) ||
	    end != colon[0] - 1)
		return false;
	l->state = (uint8_t)s.s[colon[0]];
	n = i == 2 ? 0 : colon[2];
	if (!sched_payload_number_at(s, n, &end, &l->from) || end != colon[1] - 1)
		return false;
	l->from_name = n == 0 ? (struct str){ NULL, 0 } : known(sched_payload_part(s, 0, n - 1));
	return true;
}

/* "12:120: a b" */
static bool
old_to_plain(struct str s, struct sched_line *l)
{
	uint32_t prio;
	size_t end;

	if (!sched_payload_number_at(s, 0, &end, &l->to) || end == s.n || s.s[end] != ':' ||
	    !sched_payload_number_at(s, end + 1, &end, &prio))
		return false;
	if (end < s.n && s.s[end] == ':')
		end++;
	l->to_name = known(str_trim(sched_payload_part(s, end, s.n)));
	return true;
}

/* ---- events ------------------------------------------------------------------------------ */

/* "prev_comm=a b ... prev_state=1 next_comm=c ...": raw, without an arrow. */
static bool
without_arrow(struct str s, struct sched_line *l)
{
	static const struct str key = { " next_comm=", 11 };
	size_t state = last_key(s, STR(" prev_state="));
	const char *p = state == SIZE_MAX ? NULL : memmem(s.s + state, s.n - state, key.s, key.n);

	return p != NULL && new_from(sched_payload_part(s, 0, (size_t)(p - s.s)), l) &&
	    new_to(sched_payload_part(s, (size_t)(p - s.s) + 1, s.n), l);
}

bool
sched_switch(struct str s, struct sched_line *l)
{
	struct str from, to;
	size_t arrow;

	if (sched_payload_begins(s, STR("prev_comm="))) {
		arrow = find_arrow(s, STR("next_comm="));
		if (arrow == SIZE_MAX)
			return without_arrow(s, l);
		from = sched_payload_part(s, 0, arrow);
		to = sched_payload_part(s, arrow + 5, s.n);
		return (usual_from(from, l) || new_from(from, l)) && (usual_to(to, l) || new_to(to, l));
	}
	s = str_trim(s);
	arrow = find_arrow(s, STR(""));
	if (arrow == SIZE_MAX)
		return false;
	if (old_from_bracketed(sched_payload_part(s, 0, arrow), l))
		return bracketed(sched_payload_part(s, arrow + 5, s.n), &l->to_name, &l->to);
	return old_from_plain(sched_payload_part(s, 0, arrow), l) &&
	    old_to_plain(sched_payload_part(s, arrow + 5, s.n), l);
}

/* The CPU where the task will run, at the end. */
static uint16_t
target_cpu(struct str s)
{
	static const struct str keys[] = { { "target_cpu=", 11 }, { "CPU:", 4 } };
	uint32_t cpu;
	size_t n;

	s = str_trim(s);
	n = s.n;
	if (!sched_back_number(s.s, &n, &cpu) || cpu >= SCHED_CPUS)
		return SWITCH_NO_CPU;
	for (size_t i = 0; i < NELEM(keys); i++)
		if (n >= keys[i].n && memcmp(s.s + n - keys[i].n, keys[i].s, keys[i].n) == 0)
			return (uint16_t)cpu;
	return SWITCH_NO_CPU;
}

/* Find "key=12" in a payload: the first one; key ends in '='. */
static bool
sched_payload_read_key(struct str s, struct str key, uint64_t *v)
{
	const char *p, *end;

	if (s.n == 0)
		return false;
	end = s.s + s.n;
	for (const char *from = s.s; from < end && (p = memchr(from, '=', (size_t)(end - from))) != NULL;
	    from = p + 1) {
		if ((size_t)(p + 1 - s.s) < key.n || memcmp(p + 1 - key.n, key.s, key.n) != 0)
			continue;
		s = (struct str){ p + 1, (size_t)(end - p) - 1 };
		return str_number(&s, v);
	}
	return false;
}

/*
 * Read the fields after the task. Kernels before 3.0 write "success=0" if the task was still on a run
 * queue: no task was woken.
 */
static void
wake_rest(struct str s, struct sched_line *l)
{
	uint64_t success;

	l->target = target_cpu(s);
	l->failed = sched_payload_read_key(s, STR(" success="), &success) && success == 0;
}

/* "a b:12 [120] success=1 CPU:003": up to the last bracket after a pid. */
static bool
wake_bracketed(struct str s, struct sched_line *l)
{
	const struct str whole = s;
	const char *p;

	str_take(&s, STR("task "));
	while ((p = memrchr(s.s, ']', s.n)) != NULL) {
		s.n = (size_t)(p - s.s) + 1;
		if (bracketed(s, &l->to_name, &l->to)) {
			wake_rest(sched_payload_part(whole, (size_t)(s.s + s.n - whole.s), whole.n), l);
			return true;
		}
		s.n--;
	}
	return false;
}

bool
sched_wake(struct str s, struct sched_line *l)
{
	struct sched_line plain;
	struct str first;
	size_t pid, end;

	l->target = SWITCH_NO_CPU;
	l->failed = false;
	if (sched_payload_begins(s, STR("comm="))) {
		if (usual_wake(s, l))
			return true;
		pid = last_key(s, STR(" pid="));
		if (pid == SIZE_MAX || pid < 5 || !sched_payload_number_at(s, pid + 5, &end, &l->to) ||
		    end == s.n)
			return false;
		l->to_name = known(sched_payload_part(s, 5, pid));
		wake_rest(sched_payload_part(s, end, s.n), l);
		return true;
	}
	if (wake_bracketed(s, l))
		return true;
	/* "12:120:S" and further fields. */
	str_split(&s, ' ', &first);
	if (!old_from_plain(first, &plain))
		return false;
	l->to = plain.from;
	l->to_name = plain.from_name;
	return true;
}

/* "comm=a b pid=12 runtime=4000000 [ns] vruntime=99 [ns]" */
bool
sched_used(struct str s, struct sched_line *l)
{
	return sched_payload_begins(s, STR("comm=")) && sched_wake(s, l) &&
	    sched_payload_read_key(s, STR(" runtime="), &l->value);
}

/*
 * "# entries-in-buffer/entries-written: 116/120  #P:1": written entries that are not in the buffer are
 * lost.
 */
uint64_t
sched_overwritten(struct str comment)
{
	struct str number, rest;
	uint64_t in, written;

	return str_divide(comment, STR("entries-in-buffer/entries-written: "), &number, &rest) &&
	    str_split(&rest, '/', &number) && num_u64(number, 10, &in) &&
	    str_split(&rest, ' ', &number) && num_u64(number, 10, &written) &&
	    written > in ? written - in : 0;
}

bool
sched_lost(struct str s, struct sched_line *l)
{
	const char *p;
	size_t end, at;
	uint32_t n;

	l->value = 1;
	/* "CPU:3 [12 EVENTS DROPPED]", "CPU:3 [EVENTS DROPPED]" */
	if (s.n <= 80 && sched_payload_begins(s, STR("CPU:")) &&
	    (p = memmem(s.s, s.n, "EVENTS DROPPED]", 15)) != NULL) {
		p = memchr(s.s, '[', s.n);
		if (p != NULL && sched_payload_number_at(s, (size_t)(p - s.s) + 1, &end, &n))
			l->value = n;
		return true;
	}
	/* "CPU:3 [LOST 12 EVENTS]", "LOST 12 events", "CPU:3 [LOST EVENTS]" */
	if (s.n > 80 || (p = memmem(s.s, s.n, "LOST ", 5)) == NULL)
		return false;
	at = (size_t)(p - s.s) + 5;
	if (sched_payload_number_at(s, at, &end, &n))
		l->value = n;
	else
		end = at - 1;
	return s.n - end >= 7 && strncasecmp(s.s + end, " events", 7) == 0;
}
