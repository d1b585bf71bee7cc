/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsed lines of scheduler text.
 */
#ifndef LOAD_LINE_H
#define LOAD_LINE_H

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "icecore/kernel.h"
#include "icecore/make.h"
#include "icecore/sched.h"
#include "icecore/telling.h"
#include "import.h"

enum sched_kind {
	SCHED_NONE,		/* no event */
	SCHED_COMMENT,
	SCHED_OTHER,		/* an event that is not read */
	SCHED_BAD,		/* an event about tasks that cannot be parsed */
	SCHED_SWITCH,
	SCHED_WAKE,
	SCHED_EXIT,		/* exit of task */
	SCHED_MARK,		/* text: "B|12|name" */
	SCHED_EVENT,		/* another one of the kernel that is read: text is its payload */
	SCHED_ODD,		/* the same in another form: it is not read */
	SCHED_USED,		/* a task ran for value: sched_stat_runtime */
	SCHED_LOST,		/* value: number of missing events */
	/* A line of perf sched timehist: from ran for value until time, after waiting delay for a CPU. */
	SCHED_RAN,
	SCHED_KINDS
};

/* All texts point into the line. */
struct sched_line {
	enum sched_kind	kind;
	uint64_t	time;		/* ns */
	uint64_t	value, delay;	/* value of SCHED_EVENT: flags of a new task */
	uint32_t	cpu;
	uint32_t	tid, pid;	/* task that wrote the line; pid 0: unknown */
	uint32_t	from, to;	/* tasks of a switch; other events: to is their task, 0: tid */
	uint8_t		state;		/* the letter for from; '?': unknown */
	/* The third flag of the line: the letter of an interrupt; 0: no flags; or SCHED_IRQ_NOBODY. */
	uint8_t		irq;
	uint8_t		wake;		/* enum wake_kind */
	uint16_t	event_kind;	/* SCHED_EVENT: kind of kernel.h; KERNEL_GENERIC: unknown */
	bool		failed;		/* a wakeup that woke no task */
	uint16_t	target;		/* wakeups: CPU in the payload, or SWITCH_NO_CPU */
	struct str	name;		/* text of tid, with the blanks before it */
	struct str	from_name, to_name;
	struct str	text;		/* text of a mark; otherwise the line */
	/*
	 * Name of the event, and the text after it.  If no event was read, event is empty, and rest is the part
	 * of a SCHED_RAN that was not read.
	 */
	struct str	event, rest;
};

/*
 * Return how many of the eight bytes before s[n] are decimal digits, counted from the last one; *values:
 * their values. Numbers have varying lengths, so a loop would often be mispredicted.
 */
static inline size_t
sched_back_digits(const char *s, size_t n, uint64_t *values)
{
	uint64_t v = le64((const uint8_t *)s + n - 8) ^ 0x3030303030303030, others;

	/* Digits are 0 to 9 here: adding 0x76 does not set their high bit. */
	others = (((v & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | v) & 0x8080808080808080;
	*values = v;
	return others == 0 ? 8 : (size_t)__builtin_clzll(others) / 8;
}

/* Take a 32-bit number off the end of s[0 .. *n - 1]. */
static inline __attribute__((always_inline)) bool
sched_back_number(const char *s, size_t *n, uint32_t *v)
{
	uint64_t value = 0, unit = 1;
	size_t from = *n, digits = from < 8 ? 8 : sched_back_digits(s, from, &value);

	if (digits < 8) {
		value = digits == 0 ? 0 : value >> (64 - 8 * digits) << (64 - 8 * digits);
		/* Combine digits to pairs, then pairs. */
		value = value * 10 + (value >> 8);
		value = (value & 0xff000000ff) * ((uint64_t)1000000 << 32 | 100) +
		    (value >> 16 & 0xff000000ff) * ((uint64_t)10000 << 32 | 1);
		*v = (uint32_t)(value >> 32);
		*n -= digits;
		return digits > 0;
	}
	value = 0;

	for (; *n > 0 && is_digit(s[*n - 1]); --*n) {
		/* A 32-bit number has at most ten digits, which cannot overflow here. */
		if (from - *n >= 10)
			return false;
		value += (uint64_t)(s[*n - 1] - '0') * unit;
		unit *= 10;
	}
	*v = (uint32_t)value;
	return *n < from && value <= UINT32_MAX;
}

/* Name of thread tid, without surrounding blanks; empty if unknown. */
static inline struct str
sched_line_name(const struct sched_line *l)
{
	struct str name = str_trim(l->name);

	if (name.n == 5 && memcmp(name.s, "<...>", 5) == 0)
		name.n = 0;
	return name;
}

/* True for an event with a time. */
static inline bool
sched_has_time(const struct sched_line *l)
{
	return l->event.n > 0 && l->kind != SCHED_BAD;
}

/*
 * Return how many bytes of a last line without a line end are lost.  Such a line may be cut anywhere, so
 * it does not count as damaged.  0: it is whole, or blank.
 */
static inline size_t
sched_cut_off(const struct sched_line *l)
{
	bool whole = l->kind != SCHED_NONE && l->kind != SCHED_BAD && l->kind != SCHED_ODD;

	return whole || str_trim(l->text).n == 0 ? 0 : l->text.n;
}

/* line: without its line end. */
void	sched_read(struct str line, struct sched_line *);
/* Take n non-empty lines, in text order. */
typedef bool (*sched_take)(void *arg, const struct sched_line *, size_t n, struct err *);
bool	sched_lines(struct str text, struct work *, sched_take, void *arg, struct err *);
/* Parse payloads; false: invalid. */
bool	sched_switch(struct str rest, struct sched_line *);
bool	sched_wake(struct str rest, struct sched_line *);
bool	sched_used(struct str rest, struct sched_line *);
/* Parse lines about missing events. */
bool	sched_lost(struct str line, struct sched_line *);
uint64_t sched_overwritten(struct str comment);
/* Recognise text that can be read line by line by its first bytes. */
bool	sched_sniff_live(const uint8_t *head, size_t n);

#define SCHED_TIME_MAX ((uint64_t)1 << 56)	/* ns; two years */
#define SCHED_ENDED UINT32_MAX			/* tid of all threads that perf sched timehist prints as :-1 */
#define SCHED_CPUS SWITCH_NO_CPU		/* CPUs have smaller numbers */

#endif
