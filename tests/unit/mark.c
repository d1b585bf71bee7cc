/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark: what is a mark of user space, and which pieces of a text are private.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "icecore/mark.h"

/* Each text, and what is left of it when all pieces are replaced: n by names, t by texts. */
static const char *const texts[][2] = {
	{ "B|12|work", "B|12|nnnn" }, { "B|12|a|b", "B|12|n|t" }, { "B|12", "B|12" }, { "B|12|work\n", "B|12|nnnn\n" },
	{ "E", "E" }, { "E|123", "E|123" }, { "E|123\n", "E|123\n" }, { "E|", "E|" }, { "E|123|work", "E|123|tttt" },
	{ "E|dave.black has no pid", "E|ttttttttttttttttttttt" }, { "E 123", "E ttt" },
	{ "Error: password=hunter2", "ttttttttttttttttttttttt" }, { "Email of user: a@b", "tttttttttttttttttt" },
	{ "S|12|load|7", "S|12|nnnn|7" }, { "F|12|load|-7", "F|12|nnnn|-7" }, { "S|12|load|7|alice", "S|12|nnnn|7|ttttt" },
	{ "S|12|load", "ttttttttt" }, { "S|12|load|alice", "ttttttttttttttt" }, { "F|12||7", "ttttttt" },
	{ "G|12|track|load|7", "G|12|nnnnn|nnnn|7" }, { "H|12|track|7", "H|12|nnnnn|7" }, { "H|12|track|load|7", "H|12|nnnnn|nnnn|7" },
	{ "H|12|track|alice", "tttttttttttttttt" }, { "H|12|track", "tttttttttt" }, { "H|12|track|7|", "H|12|nnnnn|7|" },
	{ "I|12|now", "I|12|nnn" }, { "I|12|", "ttttt" }, { "N|12|track|now", "N|12|nnnnn|nnn" }, { "N|12|track|", "ttttttttttt" },
	{ "C|12|mem|5", "C|12|nnn|5" }, { "C|12|mem|-5", "C|12|nnn|-5" }, { "C|12|mem|5|blob", "C|12|nnn|5|nnnn" }, { "C|12|mem|alice", "tttttttttttttt" },
	{ "B|alice|work", "tttttttttttt" }, { "B||work", "ttttttt" }, { "B|99999999999|work", "tttttttttttttttttt" }, { "Bx|12|work", "tttttttttt" },
	{ "b|12|work", "ttttttttt" }, { "", "" }, { "\n", "\n" }, { "hello\n", "ttttt\n" },
	{ "trace_event_clock_sync: parent_ts=136924.328125", "trace_event_clock_sync: parent_ts=136924.328125" },
	{ "trace_event_clock_sync: realtime_ts=1551399234135\n", "trace_event_clock_sync: realtime_ts=1551399234135\n" },
	{ "B|12|work|user=alice|cat", "B|12|nnnn|tttttttttttttt" }, { "B|12|work|", "B|12|nnnn|" }, { "I|12|now|alice", "I|12|nnn|ttttt" },
	{ "N|12|track|now|alice", "N|12|nnnnn|nnn|ttttt" }, { "C|12|mem|5|blob|alice", "C|12|nnn|5|nnnn|ttttt" }, { "E|12|work|user=alice", "E|12|ttttttttttttttt" },
	{ "B|12|work\nline a\npw b\n", "B|12|nnnn\nttttttttttt\n" }, { "N|12|a\nb|now\r\nc", "N|12|n\nt|nnn\rtt" }, { "S|12|a\nbc|7|alice", "S|12|n\ntt|7|ttttt" },
	{ "C|12|mem|5\nalice", "tttttttttttttttt" }, { "C|12|a\nb|5|c\nd", "C|12|n\nt|5|n\nt" },
	{ "trace_event_clock_sync: a@b", "trace_event_clock_sync: ttt" },
	{ "trace_event_clock_sync: parent_ts=5 a@b", "trace_event_clock_sync: ttttttttttttttt" },
	{ "trace_event_clock_sync: realtime_ts=a", "trace_event_clock_sync: ttttttttttttt" },
};

static void
pieces(void **state)
{
	struct mark_piece piece[MARK_PIECES];
	char left[100];
	size_t n;

	(void)state;
	for (size_t i = 0; i < NELEM(texts); i++) {
		n = mark_private(str_of(texts[i][0]), piece);
		assert_true(n <= MARK_PIECES);
		memcpy(left, texts[i][0], strlen(texts[i][0]) + 1);
		for (size_t j = 0; j < n; j++) {
			assert_true(piece[j].text.n > 0);
			assert_true(j == 0 || piece[j].text.s > piece[j - 1].text.s);
			memset(left + (piece[j].text.s - texts[i][0]), piece[j].means == MEANT_NAME ? 'n' : 't', piece[j].text.n);
		}
		assert_string_equal(left, texts[i][1]);
	}
}

static void
values(void **state)
{
	struct user_mark m;

	(void)state;
	assert_true(mark_read(STR("C|12|mem|-5|blob"), &m));
	assert_int_equal(m.pid, 12);
	assert_int_equal(m.value, -5);
	assert_true(str_eq(m.name, STR("mem")) && str_eq(m.group, STR("blob")));
	assert_true(mark_read(STR("H|12|track|load|7"), &m));
	assert_true(str_eq(m.track, STR("track")) && str_eq(m.name, STR("load")) && str_eq(m.cookie, STR("7")));
	assert_true(mark_read(STR("E|x"), &m));
	assert_int_equal(m.pid, 0);
	assert_true(mark_read(STR("trace_event_clock_sync: parent_ts=5.000000002"), &m));
	assert_true(m.synced && !m.realtime);
	assert_int_equal(m.time, 5000000002);
	assert_true(mark_read(STR("trace_event_clock_sync: realtime_ts=7"), &m));
	assert_true(m.synced && m.realtime);
	assert_int_equal(m.time, 7000000);
	assert_true(mark_read(STR("trace_event_clock_sync: realtime_ts=99999999999999999"), &m));
	assert_false(m.synced);
}

TOOL(unit, mark)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
