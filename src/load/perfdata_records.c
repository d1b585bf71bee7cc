/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfdata_records: count the records of a perf recording that perf script prints nothing about, by type.
 * Records of losses are losses. Records that perf compressed are not looked into.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/bytes.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "icecore/perf.h"
#include "icecore/unread.h"
#include "perfdata.h"

enum { RECORD_HEAD = 8, PIPE_HEAD = 16, DATA_AT = 40, LOST = 2, LOST_SAMPLES = 13, TRACING_DATA = 66,
    AUXTRACE = 71, RECORDS_A_TICK = 65536, ARCH = 6, PLACE = 16 };

/* Types that perf does not need for samples and switches.  Further types have no name. */
static const char *const names[] = {
	[5] = "THROTTLE", "UNTHROTTLE", [8] = "READ", [11] = "AUX", "ITRACE_START", [19] = "CGROUP",
	[21] = "AUX_OUTPUT_HW_ID",
	"CALLCHAIN_DEFERRED", [70] = "AUXTRACE_INFO", "AUXTRACE", "AUXTRACE_ERROR", [75] = "STAT_CONFIG", "STAT",
	    "STAT_ROUND"
};
/* Types that perf reads, such as maps, names and samples, and those that it writes for itself. */
static const uint8_t read_types[] = {
	1, LOST, 3, 4, 7, 9, 10, LOST_SAMPLES, 14, 15, 16, 17, 18, 20, 64, 65, 66, 67, 68, 69, 73, 74, 78, 79,
	    80, 81, 82, 83
};

/* Bytes of its own that follow a record. */
static uint64_t
behind(const uint8_t *record, uint32_t type, uint32_t size, bool piped)
{
	if (type == AUXTRACE && size >= 16)
		return le64(record + 8);
	return type == TRACING_DATA && piped && size >= 12 ? ((uint64_t)le32(record + 8) + 7) / 8 * 8 : 0;
}

/* The end of the records of a file, as its head says; streams have none. */
static uint64_t
perfdata_records_end(const uint8_t *p)
{
	return num_add(le64(p + DATA_AT), le64(p + DATA_AT + 8));
}

bool
perfdata_records(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_file(st);
	const uint8_t *p = m->data;
	struct unread unread = { .n = 0 };
	uint64_t at, end = m->size, lost = 0, n = 0;
	bool piped;

	if (m->size < DATA_AT + 16 || memcmp(p, "PERFILE2", 8) != 0)
		return true;
	piped = le64(p + 8) == PIPE_HEAD;
	at = piped ? PIPE_HEAD : le64(p + DATA_AT);
	if (!piped && at <= end && le64(p + DATA_AT + 8) > 0 && le64(p + DATA_AT + 8) < end - at)
		end = at + le64(p + DATA_AT + 8);
	for (; at <= end && end - at >= RECORD_HEAD; n++) {
		uint32_t type = le32(p + at);
		uint32_t size = le16(p + at + 6);
		uint64_t more;

		assert(end <= m->size);
		if (n % RECORDS_A_TICK == 0 && !work_go(w, at, err))
			return false;
		if (size < RECORD_HEAD || size > end - at)
			break;
		if (type == LOST && size >= 24)
			lost = num_add(lost, le64(p + at + 16));
		else if (type == LOST_SAMPLES && size >= 16)
			lost = num_add(lost, le64(p + at + 8));
		else if (type < NELEM(names) && names[type] != NULL)
			unread_add(&unread, UNREAD_RECORD, str_of(names[type]), 1);
		else if (type > UINT8_MAX || memchr(read_types, (int)type, sizeof read_types) == NULL)
			unread_add_number(&unread, UNREAD_RECORD, type, 1);
		more = behind(p + at, type, size, piped);
		at += size;
		if (more > end - at)
			break;
		at += more;
	}
	return unread_facts(&unread, st, err) && (lost == 0 || (fact_set(st, FACT_LOSS_EVENTS, lost, err) &&
	    (fact_value(st, FACT_LOSS_PERF) > 0 || fact_set_text(st, FACT_LOSS_REASON, STR(PERF_LOST), err))));
}

bool
perf_is_simple(const void *head, uint64_t n)
{
	const uint8_t *p = head;

	return n >= PERF_HEAD && memcmp(p, "PERFILE2", 8) == 0 && le64(p + 8) == PERF_HEAD &&
	    (le64(p + PERF_FEATURES_AT + 16) | le64(p + PERF_FEATURES_AT + 24)) != 0;
}

const char *
perfdata_why_none(const struct map *m, char text[PERFDATA_WHY])
{
	const uint8_t *p = m->data;
	uint64_t end;

	text[0] = '\0';
	if (m->size < PERF_HEAD || memcmp(p, "PERFILE2", 8) != 0 || le64(p + 8) == PIPE_HEAD)
		return text;
	end = perfdata_records_end(p);
	if (end > m->size)
		snprintf(text, PERFDATA_WHY,
		    "the file is truncated: its last %" PRIu64 " bytes of records and the tables that perf needs are "
		    "missing; ",
		    end - m->size);
	return text;
}

/* Features are behind the records: places of all that the header has, by their numbers. */
enum kernel_machine
load_perf_machine(const struct map *m)
{
	const uint8_t *p = m->data;
	uint64_t features, at, size;
	uint32_t n;

	if (m->size < PERF_FEATURES_AT + 8 || memcmp(p, "PERFILE2", 8) != 0 || le64(p + 8) == PIPE_HEAD)
		return MACHINE_OTHER;
	features = le64(p + PERF_FEATURES_AT);
	at = perfdata_records_end(p);
	at = num_add(at, PLACE * (uint64_t)__builtin_popcountll(features & ((1u << ARCH) - 1)));
	if ((features >> ARCH & 1) == 0 || at > m->size || m->size - at < PLACE)
		return MACHINE_OTHER;
	size = le64(p + at + 8);
	at = le64(p + at);
	if (at > m->size || size > m->size - at || size < 4)
		return MACHINE_OTHER;
	n = le32(p + at);
	n = n < size - 4 ? n : (uint32_t)(size - 4);
	return kernel_machine(str_until((struct str){ (const char *)p + at + 4, n }, '\0'));
}
