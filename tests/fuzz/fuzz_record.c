/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_record: any bytes as what a recorded process shows: its counters, answers at its socket, its map of compiled code, and
 * lines of the scheduler.
 */
#include "config.h"

#include "heapwalk.h"
#include "programs/record/away.h"
#include "programs/record/histogram.h"
#include "programs/record/perfmap.h"
#include "target.h"

static void
record_answers(struct str bytes)
{
	static const struct process process = { .pid = 7, .name = "Main" };
	struct class_counts h = { .n = 0 };
	struct str text;
	struct err err;
	uint64_t n;

	if (!attach_answer(&process, bytes, &text, &err))
		text = bytes;
	(void)heap_info_used(text);
	(void)jfr_running(text, &n);
	if (histogram_read(text, &h, &err))
		MUST(h.n > 0 && histogram_find(&h, h.row[0].name) != NULL);
	histogram_free(&h);
}

/* Each line of the text itself is looked up. */
static void
record_map(struct str bytes)
{
	struct perf_map m = PERF_MAP_NONE;
	struct buf b = BUF_INIT;
	struct str line;
	struct err err;

	buf_str(&m.text, bytes);
	MUST(perf_map_parse(&m, &err));
	for (size_t i = 1; i < m.n; i++)
		MUST(m.row[i - 1].start <= m.row[i].start);
	while (str_split(&bytes, '\n', &line))
		perf_map_line(&m, line, &b);
	buf_free(&b);
	perf_map_free(&m);
}

static void
record_tasks(struct str bytes)
{
	struct away a = AWAY_INIT;
	struct err err;

	MUST(away_take(&a, bytes.s, bytes.n / 2, &err) && away_take(&a, bytes.s + bytes.n / 2, bytes.n - bytes.n / 2, &err));
	away_free(&a);
}

TARGET(record, &mutate_text)
{
	struct str bytes = { (const char *)data, size };
	struct jvm_counters c;

	if (hsperf_read(bytes, &c))
		MUST(c.command.n <= size && c.arguments.n <= size && c.version.n <= size);
	record_answers(bytes);
	record_map(bytes);
	record_tasks(bytes);
}
