/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of rows about many heap dumps, traces and profiles (triage.h).  A "word" is one of word.*; 0:
 * none.  An "i64" is -1 where it is not known.
 *
 */
#ifndef ICECORE_COLUMNS_TRIAGE_H
#define ICECORE_COLUMNS_TRIAGE_H

#include "icecore/columns.h"

#define COLUMNS_TRIAGE(ROW) \
	/* A row for each dump, by path. */ \
	ROW(DUMP_PATH, "dump.path")			/* word */ \
	ROW(DUMP_STATE, "dump.state")			/* word */ \
	ROW(DUMP_REASON, "dump.reason")			/* word */ \
	ROW(DUMP_FORMAT, "dump.format")			/* word */ \
	ROW(DUMP_DUMPED_AT, "dump.dumped_at")		/* word */ \
	ROW(DUMP_APP, "dump.app")			/* word */ \
	ROW(DUMP_BUILD, "dump.build")			/* word */ \
	ROW(DUMP_PROCESS, "dump.process")		/* word */ \
	ROW(DUMP_VERSION, "dump.version")		/* word */ \
	ROW(DUMP_KEY, "dump.key")			/* word */ \
	ROW(DUMP_SUM, "dump.sum")			/* word */ \
	/* Word: signatures of its findings, separated by commas. */ \
	ROW(DUMP_SIGS, "dump.sigs") \
	ROW(DUMP_BYTES, "dump.bytes")			/* i64, as all that follow */ \
	ROW(DUMP_UNPACKED, "dump.unpacked") \
	ROW(DUMP_LOST, "dump.lost") \
	ROW(DUMP_OBJECTS, "dump.objects") \
	ROW(DUMP_LIVE_OBJECTS, "dump.live_objects") \
	ROW(DUMP_LIVE_BYTES, "dump.live_bytes") \
	ROW(DUMP_EXIT, "dump.exit") \
	ROW(DUMP_SIGNAL, "dump.signal") \
	ROW(DUMP_FINDINGS, "dump.findings") \
	ROW(DUMP_ATTEMPT, "dump.attempt") \
	ROW(DUMP_RSS, "dump.rss") \
	ROW(DUMP_RULE, "dump.rule") \
	ROW(DUMP_ELAPSED, "dump.elapsed")		/* ns */ \
	ROW(DUMP_WAIT, "dump.wait")			/* ns: the longest */ \
	ROW(DUMP_MAIN_BLOCKS, "dump.main_blocks") \
	ROW(DUMP_MAIN_LONGEST, "dump.main_longest")	/* ns */ \
	ROW(DUMP_METHODS, "dump.methods") \
	ROW(DUMP_SECONDS, "dump.seconds")		/* f64 */ \
	ROW(DUMP_HOT_SHARE, "dump.hot_share")		/* f64, percent */ \
	ROW(DUMP_WEIGHT, "dump.weight")			/* word: what shares are of */ \
	ROW(DUMP_HOT_PATH, "dump.hot_path")		/* word */ \
	ROW(DUMP_WAIT_IN, "dump.wait_in")		/* word */ \
	ROW(DUMP_STORY, "dump.story")			/* word */ \
	ROW(DUMP_BUSIEST, "dump.busiest")		/* word: the first methods with their shares */ \
	ROW(DUMP_WORST, "dump.worst")			/* word: severity and kind of the first finding */ \
	/* Findings, by dump and rank. */ \
	ROW(FOUND_DUMP, "found.dump")			/* row of dump.*, from 1 */ \
	ROW(FOUND_RANK, "found.rank")			/* i64 */ \
	ROW(FOUND_PATH, "found.path")			/* word: of the dump */ \
	ROW(FOUND_SEVERITY, "found.severity")		/* word */ \
	ROW(FOUND_KIND, "found.kind")			/* word */ \
	ROW(FOUND_SIG, "found.sig")			/* word */ \
	ROW(FOUND_RULE, "found.rule")			/* i64 */ \
	ROW(FOUND_HOLDER, "found.holder")		/* word */ \
	ROW(FOUND_CONTENT, "found.content")		/* word */ \
	ROW(FOUND_RETAINED, "found.retained")		/* i64 */ \
	ROW(FOUND_PERCENT, "found.percent")		/* f64 */ \
	ROW(FOUND_COUNT, "found.count")			/* i64 */ \
	ROW(FOUND_SIGNATURE, "found.signature")		/* word */ \
	ROW(FOUND_WHY, "found.why")			/* word */ \
	ROW(FOUND_WALL, "found.wall")			/* i64: ns */ \
	/* Busiest methods, by dump and rank. */ \
	ROW(BUSY_DUMP, "busy.dump")			/* row of dump.*, from 1 */ \
	ROW(BUSY_RANK, "busy.rank")			/* i64 */ \
	ROW(BUSY_PATH, "busy.path")			/* word: of the dump */ \
	ROW(BUSY_METHOD, "busy.method")			/* word */ \
	ROW(BUSY_SELF, "busy.self")			/* f64: percent */ \
	ROW(BUSY_TOTAL, "busy.total")			/* f64: percent */ \
	/* Signatures, most dumps first. */ \
	/* Row of found.*, from 1: the one that retains most. */ \
	ROW(GROUP_FINDING, "group.finding") \
	ROW(GROUP_SIG, "group.sig")			/* word */ \
	ROW(GROUP_KIND, "group.kind")			/* word */ \
	ROW(GROUP_HOLDER, "group.holder")		/* word */ \
	ROW(GROUP_CONTENT, "group.content")		/* word */ \
	ROW(GROUP_SIGNATURE, "group.signature")		/* word */ \
	ROW(GROUP_EXEMPLAR, "group.exemplar")		/* word: path of its dump */ \
	ROW(GROUP_FIRST, "group.first")			/* word: least and greatest dump.dumped_at */ \
	ROW(GROUP_LAST, "group.last") \
	ROW(GROUP_DUMPS, "group.dumps") \
	ROW(GROUP_APPS, "group.apps") \
	ROW(GROUP_BUILDS, "group.builds") \
	ROW(GROUP_MOST, "group.most")			/* i64: retained */ \
	ROW(GROUP_MEDIAN, "group.median") \
	/* Methods in two builds of an app, the surest change first. */ \
	ROW(CHANGE_APP, "change.app")			/* word */ \
	ROW(CHANGE_WEIGHT, "change.weight")		/* word */ \
	ROW(CHANGE_BEFORE, "change.before")		/* word: builds */ \
	ROW(CHANGE_AFTER, "change.after") \
	ROW(CHANGE_METHOD, "change.method")		/* word */ \
	ROW(CHANGE_VERDICT, "change.verdict")		/* word */ \
	ROW(CHANGE_WHAT, "change.what")			/* word */ \
	ROW(CHANGE_SHARE_BEFORE, "change.share_before")	/* f64: median of the shares, percent */ \
	ROW(CHANGE_SHARE_AFTER, "change.share_after") \
	ROW(CHANGE_P, "change.p")			/* f64 */ \
	ROW(CHANGE_Q, "change.q")			/* f64: p, corrected for the number of methods */ \
	ROW(CHANGE_FILES_BEFORE, "change.files_before") \
	ROW(CHANGE_FILES_AFTER, "change.files_after")

COLUMN_FAMILY(TRIAGE, COL_NUMBER, COL_OF_DUMPS);

#endif
