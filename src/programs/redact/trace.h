/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace: which fields of a Perfetto trace are masked, and how.
 */
#ifndef REDACT_TRACE_H
#define REDACT_TRACE_H

#include "hide.h"

/* Messages that have rules.  Fields without a rule are masked, except numbers. */
enum trace_message {
	IN_NONE, IN_PACKET, IN_BUNDLE, IN_KERNEL_EVENT, IN_OTHER, IN_COMPACT, IN_PRINT, IN_TREE, IN_STATS, IN_DEVFREQ,
	IN_EVENT, IN_OLD, IN_ANNOTATION, IN_NESTED, IN_CALLSTACK, IN_FRAME, IN_LOCATION, IN_NUMBERS, IN_DEFAULTS,
	IN_INTERNED, IN_NAMED, IN_PLACED, IN_TEXTED, IN_PROFILE, IN_LOG, IN_LINE, IN_ARG, IN_PROCESS, IN_THREAD,
	IN_TRACK, IN_SYSTEM, IN_UTS, IN_PACKAGES, IN_PACKAGE, IN_SYMBOLS, IN_ADDRESS, IN_SYMBOL, IN_MAPPING, IN_CLASS,
	IN_MEMBER, IN_TIMELINE, IN_SURFACE, IN_PROPERTIES, IN_PROPERTY, IN_RUNNING, IN_WHO_1, IN_WHO_2, IN_WHO_1_5,
	IN_WHO_2_3, IN_NAME_1, IN_NAME_2, IN_NAME_2_3, IN_NAME_4, IN_GENERIC_TREE, IN_SAMPLE, IN_SAMPLED,
	IN_STREAM, IN_PERF, IN_PERF_EVENTS, IN_PERF_EVENT, IN_DUMP, IN_COUNTER, IN_RECORDER, IN_FILTER, IN_WRITER, IN_BATTERY,
	IN_RAILS, IN_GPU, IN_GPU_LIST, IN_GPU_COUNTERS, IN_GPU_COUNTER, IN_GPU_BLOCK, IN_GPU_GROUP, IN_GENERIC, IN_DESCRIPTOR,
	IN_STACK_FRAME, IN_PACKED_2, IN_PACKED_7, IN_MESSAGES
};

enum trace_how {
	TRACE_FILL,		/* it becomes a message that says nothing, as long */
	TRACE_TEXT,		/* contents: masked as values are */
	TRACE_WHO,		/* processes, threads, packages, layers: letters */
	TRACE_NAME,		/* names in a program: letters if names become such */
	TRACE_VALUE,		/* numbers: zero, as long */
	TRACE_STATE,		/* a text that stays if it is a number of one or two digits */
	TRACE_WORD,		/* a text that stays if it is a known word, else letters */
	TRACE_RELEASE,		/* of a kernel: the numbers of its version stay */
	TRACE_MARKER,		/* the bytes by which readers find packets again */
	TRACE_PACKED,		/* numbers, if all of it is some */
	TRACE_FIXED,		/* numbers of 8 bytes */
	TRACE_MARK,		/* "B|12|name" */
	TRACE_IN		/* a message that has rules */
};

struct trace_rule {
	uint8_t		message, how, in;
	uint16_t	field;
};

enum { TRACE_FIELDS = 600, TRACE_DEEPEST = 32 };	/* larger numbers have no rules; messages in messages */

/* By message and field; NULL: there is none. */
struct trace_rules {
	const struct trace_rule	*of[IN_MESSAGES][TRACE_FIELDS];
};

void	trace_rules_open(struct trace_rules *);

extern const struct redact_kind redact_trace;

#endif
