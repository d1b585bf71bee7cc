/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse lines of scheduler text: "task-pid (tgid) [cpu] flags seconds: event: payload", and perf script's
 * form of it. Task names may contain anything, so lines are parsed from the time to the left and to the
 * right.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "line.h"

/* Limits of backward searches, so that a long line with many times is not slower than others. */
#define TGID_MOST 16		/* maximum bytes in the brackets of a tgid */
#define IDS_MOST 24		/* maximum bytes of "[tid/pid" */
#define FLAGS_LEAST 4		/* flags of a line, in kernels with and without the count of migrations */
#define FLAGS_MOST 5

/* Parse "12.345" with that many decimals, in units of the last one. */
static bool
take_fixed(struct str *s, size_t digits, uint64_t unit, uint64_t *v)
{
	uint64_t whole, part;
	size_t before;

	if (!str_number(s, &whole) || !str_take(s, STR(".")))
		return false;
	before = s->n;
	if (!str_number(s, &part) || before - s->n != digits || whole > SCHED_TIME_MAX / unit)
		return false;
	*v = whole * unit + part;
	return true;
}

/* Take the letter after the times, which perf sched timehist --state prints; '?': none. */
static uint8_t
take_state(struct str *rest)
{
	struct str s = str_skip_blanks(*rest);

	if (s.n == 0 || (s.n > 1 && !is_blank(s.s[1])) || memchr("RSDTtXxZPI", s.s[0], 10) == NULL)
		return '?';
	*rest = str_after(s, 1);
	return (uint8_t)s.s[0];
}

/* Three times in ms, as ns, and the state in which the task left. */
static bool
take_times(struct str s, struct sched_line *l)
{
	uint64_t ms[3];

	for (size_t i = 0; i < NELEM(ms); i++) {
		s = str_skip_blanks(s);
		if (!take_fixed(&s, 3, 1000, &ms[i]))
			return false;
	}
	l->delay = ms[1] * 1000;
	l->value = ms[2] * 1000;
	l->state = take_state(&s);
	l->rest = s;
	return true;
}

/*
 * Take "[12/7]" or "[12]" off the end of s; the text before it is the name. "[-1/7]": a thread that has
 * ended, whose id is unknown.
 */
static bool
split_task(struct str s, struct sched_line *l)
{
	size_t from = s.n > IDS_MOST ? s.n - IDS_MOST : 0;
	struct str ids, tid, pid;
	uint64_t t = SCHED_ENDED, p = 0;

	if (!str_divide_last(str_after(s, from), '[', &l->from_name, &ids) ||
	    !str_split(&ids, '/', &tid) || (!str_eq(tid, STR("-1")) && !num_u64(tid, 10, &t)) ||
	    t > UINT32_MAX ||
	    (str_split(&ids, '/', &pid) && !num_u64(pid, 10, &p)) || p > UINT32_MAX)
		return false;
	l->from_name = (struct str){ s.s, from + l->from_name.n };
	l->from = (uint32_t)t;
	l->pid = (uint32_t)p;
	return true;
}

static bool
sched_ran(struct str s, struct sched_line *l)
{
	const char *close, *from;
	uint64_t cpu;

	s = str_skip_blanks(s);
	if (!take_fixed(&s, 6, 1000000, &l->time) || l->time >= SCHED_TIME_MAX / 1000)
		return false;
	l->time *= 1000;
	s = str_skip_blanks(s);
	if (!str_take(&s, STR("[")) || !str_number(&s, &cpu) || !str_take(&s, STR("]")) || cpu >= SCHED_CPUS)
		return false;
	l->cpu = (uint32_t)cpu;
	s = str_skip_blanks(s);
	/* The name may contain brackets. */
	for (from = s.s; (close = memchr(from, ']', s.n - (size_t)(from - s.s))) != NULL; from = close + 1)
		if (take_times((struct str){ close + 1, s.n - (size_t)(close - s.s) - 1 }, l) &&
		    split_task((struct str){ s.s, (size_t)(close - s.s) }, l))
			return l->value <= l->time && l->delay <= l->time - l->value;
	return false;
}

/* ---- parsing from the right --------------------------------------------------- */

/* All of these take text off the end of s[0 .. *n - 1]. */

static inline void
back_blanks(const char *s, size_t *n)
{
	while (*n > 0 && is_blank(s[*n - 1]))
		--*n;
}

/* back_blanks() for columns padded with any number of blanks: eight at once. */
static inline void
back_column(const char *s, size_t *n)
{
	uint64_t others = *n < 8 ? UINT64_MAX : le64((const uint8_t *)s + *n - 8) ^ 0x2020202020202020;

	*n -= others == 0 ? 8 : (size_t)__builtin_clzll(others) / 8;
	back_blanks(s, n);
}

static inline bool
back_char(const char *s, size_t *n, char c)
{
	if (*n == 0 || s[*n - 1] != c)
		return false;
	--*n;
	return true;
}

/* ---- head of a line ------------------------------------------------------------ */

/* Parse six digits of microseconds after the point at s[0], and one more byte; false: other characters. */
static inline bool
six_digits(const char *s, uint64_t *v)
{
	uint64_t digits = ((le64((const uint8_t *)s) ^ 0x3030303030303000) >> 8) & 0xffffffffffff, pairs;

	/* Digits are 0 to 9 here: adding 0x76 does not set their high bit. */
	if (s[0] != '.' || (((digits + 0x767676767676) | digits) & 0x808080808080) != 0)
		return false;
	pairs = digits * 10 + (digits >> 8);
	*v = ((pairs & 0xff) * 100 + (pairs >> 16 & 0xff)) * 100 + (pairs >> 32 & 0xff);
	return true;
}

/*
 * Parse 3 to 9 digits and the point before them, left of a colon at end, as ns; *at: position of the point.
 */
static inline bool
read_fraction(const char *s, size_t end, size_t *at, uint64_t *ns)
{
	uint64_t unit = 1;

	if (end >= 7 && six_digits(s + end - 7, ns)) {
		*at = end - 7;
		*ns *= 1000;
		return true;
	}
	*ns = 0;
	for (*at = end; *at > 0 && end - *at < 9 && is_digit(s[*at - 1]); unit *= 10)
		*ns += (uint64_t)(s[--*at] - '0') * unit;
	*ns *= 1000000000 / unit;
	return unit >= 1000 && back_char(s, at, '.');
}

/*
 * Move *from to the end of flags without a blank after them, as in "[000] d..1123.456".  There are at
 * least four; the last ones may be digits.  *seconds: the digits between the flags and the point.  False:
 * there are no flags.
 */
static bool
cut_flags(const char *s, size_t point, size_t *from, uint32_t *seconds)
{
	size_t flags = *from, before;
	uint64_t v;

	while (flags > 0 && *from - flags < FLAGS_MOST &&
	    (s[flags - 1] == '.' || is_digit(s[flags - 1]) || is_letter(s[flags - 1])))
		flags--;
	before = flags;
	back_blanks(s, &before);
	*from = *from - flags < FLAGS_LEAST ? flags + FLAGS_LEAST : *from;
	if (!back_char(s, &before, ']') || *from >= point ||
	    !num_u64((struct str){ s + *from, point - *from }, 10, &v) || v > UINT32_MAX)
		return false;
	*seconds = (uint32_t)v;
	return true;
}

/* Parse "123.456789" that ends before end, as ns. *from: its start. */
static inline bool
sched_line_read_time(const char *s, size_t end, size_t *from, uint64_t *time)
{
	uint32_t seconds;
	uint64_t ns;
	size_t point;

	if (!read_fraction(s, end, from, &ns))
		return false;
	point = *from;
	if (!sched_back_number(s, from, &seconds) || (*from > 0 && !is_blank(s[*from - 1]) &&
	    s[*from - 1] != ']' && !cut_flags(s, point, from, &seconds)))
		return false;
	assert(ns < 1000000000);
	*time = (uint64_t)seconds * 1000000000 + ns;
	/* Sums over all tasks must not overflow. */
	return *time < SCHED_TIME_MAX;
}

/* Letters, digits and _ : - . / */
static inline bool
event_char(char c)
{
	static const uint64_t bits[4] = { 0x07ffe00000000000u, 0x07fffffe87fffffeu };

	return bits[(unsigned char)c / 64] >> ((unsigned char)c % 64) & 1;
}

/* Inline for constant words. */
static inline bool
sched_line_is_event(struct str s, struct str word, struct str *event, struct str *rest)
{
	if (s.n <= word.n || is_blank(s.s[word.n]) || memcmp(s.s, word.s, word.n) != 0)
		return false;
	*event = (struct str){ s.s + 1, word.n - 3 };
	*rest = str_after(s, word.n);
	return true;
}

/*
 * Parse "sched_switch:" or "1 sched:sched_switch:" and the following blanks; the name is returned without
 * its group.
 */
static inline bool
sched_line_read_event(struct str s, struct str *event, struct str *rest)
{
	size_t at = 0, from, colon, name;

	/* Fast path for the most frequent events. */
	if (sched_line_is_event(s, STR(" sched_switch: "), event, rest) ||
	    sched_line_is_event(s, STR(" sched_waking: "), event, rest) ||
	    sched_line_is_event(s, STR(" sched_wakeup: "), event, rest) ||
	    sched_line_is_event(s, STR(" sched_wakeup_new: "), event, rest))
		return true;
	while (at < s.n && is_blank(s.s[at]))
		at++;
	/* "(+1250)": time since the previous event. */
	if (at + 1 < s.n && s.s[at] == '(' && s.s[at + 1] == '+') {
		while (at < s.n && !is_blank(s.s[at]))
			at++;
		while (at < s.n && is_blank(s.s[at]))
			at++;
	}
	from = at;
	at += str_digits(str_after(s, at));
	if (at == from || at == s.n || !is_blank(s.s[at]))
		at = from;
	while (at < s.n && is_blank(s.s[at]))
		at++;
	/* colon: position after the last one; name: after the previous one. */
	for (from = name = colon = at; at < s.n && event_char(s.s[at]); at++)
		if (s.s[at] == ':') {
			name = colon;
			colon = at + 1;
		}
	if (at - from < 2 || colon != at || (at < s.n && !is_blank(s.s[at])))
		return false;
	*event = (struct str){ s.s + name, at - 1 - name };
	while (at < s.n && is_blank(s.s[at]))
		at++;
	*rest = (struct str){ s.s + at, s.n - at };
	return true;
}

/* "name-pid", of perf "name pid/tid" or "name tid". */
static inline bool
sched_line_read_name(const char *s, size_t n, struct sched_line *l)
{
	size_t end;

	if (!sched_back_number(s, &n, &l->tid))
		return false;
	end = n;
	if (back_char(s, &end, '/') && sched_back_number(s, &end, &l->pid))
		n = end;
	if (n == 0 || (s[n - 1] != '-' && !is_blank(s[n - 1])))
		return false;
	n--;
	if (is_blank(s[n]))
		back_blanks(s, &n);
	l->name = (struct str){ s, n };
	return true;
}

/* perf script omits the CPU if its fields exclude it. */
static bool
read_task_only(const char *s, size_t n, struct sched_line *l)
{
	l->pid = 0;
	l->irq = 0;
	l->cpu = SCHED_CPUS;
	back_blanks(s, &n);
	return sched_line_read_name(s, n, l) && l->name.n > 0;
}

/* "name-pid 3d..2": the CPU and flags together, as in latency format. */
static bool
read_task_short(const char *s, size_t n, struct sched_line *l)
{
	size_t end = n, from;

	while (n > 0 && !is_blank(s[n - 1]))
		n--;
	for (from = n, l->cpu = 0; n < end && is_digit(s[n]) && l->cpu < SCHED_CPUS; n++)
		l->cpu = l->cpu * 10 + (uint32_t)(s[n] - '0');
	if (n == from || l->cpu >= SCHED_CPUS || end - n < 4 || end - n > 6)
		return false;
	l->irq = (uint8_t)s[n + 2];
	back_blanks(s, &from);
	l->pid = 0;
	return sched_line_read_name(s, from, l) && l->name.n > 0;
}

static inline bool
ends_flags(char c)
{
	static const bool ends[256] = { ['\t'] = true, [' '] = true, [']'] = true };

	return ends[(unsigned char)c];
}

/* Read the fields left of the time, from right to left: flags, [cpu], (tgid), pid, name. */
static inline bool
read_task(const char *s, size_t n, struct sched_line *l)
{
	size_t end, flags, least;

	back_blanks(s, &n);
	flags = n;
	l->irq = 0;
	if (n > 0 && s[n - 1] != ']') {
		while (n > 0 && !ends_flags(s[n - 1]))
			n--;
		if (flags - n >= 4)
			l->irq = (uint8_t)s[n + 2];
		back_blanks(s, &n);
	}
	if (!back_char(s, &n, ']'))
		return read_task_short(s, flags, l);
	if (!sched_back_number(s, &n, &l->cpu) || l->cpu >= SCHED_CPUS || !back_char(s, &n, '['))
		return false;
	back_blanks(s, &n);
	l->pid = 0;
	if (back_char(s, &n, ')')) {
		end = n;
		if (sched_back_number(s, &end, &l->pid)) {
			n = end;
			back_column(s, &n);
		} else {
			l->pid = 0;
		}
		least = n > TGID_MOST ? n - TGID_MOST : 0;
		while (n > least && s[n - 1] != '(')
			n--;
		if (!back_char(s, &n, '('))
			return false;
		back_column(s, &n);
	}
	return sched_line_read_name(s, n, l);
}

/*
 * Parse the head of a line up to its event, without the payload; false: no head.  any: without an event, rest is what
 * follows the time.
 */
static inline __attribute__((always_inline)) bool
sched_head(struct str line, bool any, struct sched_line *l, struct str *event, struct str *rest)
{
	const char *p = line.s, *end = line.s + line.n, *colon;
	size_t at, from;

	for (; p < end && (colon = memchr(p, ':', (size_t)(end - p))) != NULL; p = colon + 1) {
		at = (size_t)(colon - line.s);
		if (at < 5 || !is_digit(colon[-1]) || (colon + 1 < end && !is_blank(colon[1])) ||
		    !sched_line_read_time(line.s, at, &from, &l->time))
			continue;
		*event = STR("");
		*rest = (struct str){ colon + 1, (size_t)(end - colon) - 1 };
		if ((sched_line_read_event(*rest, event, rest) || any) &&
		    (read_task(line.s, from, l) ||
		    (str_has_prefix(*event, STR("sched_")) && read_task_only(line.s, from, l))))
			return true;
	}
	return false;
}

/* ---- events ------------------------------------------------------------------------- */

static enum sched_kind
read_wake(struct str rest, enum wake_kind kind, struct sched_line *l)
{
	l->wake = (uint8_t)kind;
	return !sched_wake(rest, l) ? SCHED_BAD : l->failed ? SCHED_OTHER : SCHED_WAKE;
}

/*
 * In old kernels the event is "0"; trace-cmd may put both names there.  Copied texts may have blanks at
 * their ends.
 */
static enum sched_kind
read_mark(struct str rest, struct sched_line *l)
{
	str_take(&rest, STR("tracing_mark_write: "));
	l->text = str_trim(rest);
	return SCHED_MARK;
}

/* Names of other events have marks such as "cycles:u" and "cpu-clock". */
static bool
is_tracepoint(struct str name)
{
	size_t n = 0;

	while (n < name.n && is_word(name.s[n]))
		n++;
	return n == name.n && n > 1;
}

/* Kinds that all kernels have are read if their form is known; of others the name is. */
static enum sched_kind
read_event(struct sched_line *l)
{
	struct kernel_event e;

	l->event_kind = (uint16_t)kernel_event_kind(l->event);
	l->to = 0;
	l->to_name = STR("");
	if (l->event_kind == 0 && is_tracepoint(l->event) && !kernel_event_known(l->event)) {
		l->event_kind = KERNEL_GENERIC;
		l->text = l->event;
		return SCHED_EVENT;
	}
	if (!kernel_event_has_form(l->event_kind))
		return SCHED_OTHER;
	if (!kernel_event_read(l->event_kind, l->rest, &e))
		return SCHED_ODD;
	l->text = l->rest;
	l->to = (uint32_t)e.v[kernel_event_about(l->event_kind)];
	if (l->event_kind == KERNEL_NEW_TASK || l->event_kind == KERNEL_RENAME) {
		l->to_name = e.s[l->event_kind == KERNEL_NEW_TASK ? 2 : 3];
		l->value = e.v[3];
	}
	return SCHED_EVENT;
}

/* Return whether a line with an unreadable head is a switch.  Between functions, switches are in comments. */
static bool
is_switch(struct str line)
{
	static const struct str word = { " sched_switch: ", 15 };
	const char *p = line.n > 0 ? memmem(line.s, line.n, word.s, word.n) : NULL;

	return p != NULL && (p == line.s || p[-1] != '*');
}

/* Inline for constant words. */
static inline bool
sched_line_is(struct str event, struct str word)
{
	return event.n == word.n && memcmp(event.s, word.s, word.n) == 0;
}

void
sched_read(struct str line, struct sched_line *l)
{
	struct str event, rest;

	l->text = line;
	l->event = l->rest = STR("");
	l->failed = false;
	l->kind = line.n > 0 && line.s[0] == '#' ? SCHED_COMMENT : SCHED_NONE;
	if (l->kind == SCHED_COMMENT)
		return;
	while (line.n > 0 && line.s[line.n - 1] == '\r')
		line.n--;
	/* A line of a JavaScript string. */
	if (line.n >= 3 && memcmp(line.s + line.n - 3, "\\n\\", 3) == 0)
		line.n -= 3;
	if (!sched_head(line, false, l, &event, &rest)) {
		if (sched_lost(line, l))
			l->kind = SCHED_LOST;
		else if (sched_ran(line, l))
			l->kind = SCHED_RAN;
		else if (is_switch(line))
			l->kind = SCHED_BAD;
		return;
	}
	l->kind = SCHED_OTHER;
	l->event = event;
	l->rest = rest;
	if (sched_line_is(event, STR("sched_switch")))
		l->kind = sched_switch(rest, l) ? SCHED_SWITCH : SCHED_BAD;
	else if (sched_line_is(event, STR("sched_wakeup")))
		l->kind = read_wake(rest, WAKE_WAKEUP, l);
	else if (sched_line_is(event, STR("sched_waking")))
		l->kind = read_wake(rest, WAKE_WAKING, l);
	else if (sched_line_is(event, STR("sched_wakeup_new")))
		l->kind = read_wake(rest, WAKE_NEW, l);
	else if (sched_line_is(event, STR("tracing_mark_write")) || sched_line_is(event, STR("0")) ||
	    sched_line_is(event, STR("print")))
		l->kind = read_mark(rest, l);
	else if (sched_line_is(event, STR("sched_process_exit")))
		/* "comm=a b pid=12 prio=120" of a task that ends. */
		l->kind = sched_wake(rest, l) ? SCHED_EXIT : SCHED_BAD;
	else if (sched_line_is(event, STR("sched_stat_runtime")) && sched_used(rest, l))
		l->kind = SCHED_USED;
	else
		l->kind = read_event(l);
}

bool
sched_wrote(struct str line, struct sched_wrote *w)
{
	struct sched_line l = { .value = 0 };

	*w = (struct sched_wrote){ .lost = 0 };
	if (line.n > 0 && line.s[0] == '#') {
		w->lost = sched_overwritten(line);
		return false;
	}
	if (!sched_head(line, true, &l, &w->event, &w->rest)) {
		w->lost = sched_lost(line, &l) ? l.value : 0;
		return false;
	}
	assert(l.time < SCHED_TIME_MAX);
	w->time = l.time;
	w->tid = l.tid;
	w->cpu = l.cpu;
	w->name = sched_line_name(&l);
	return true;
}
