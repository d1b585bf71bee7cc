/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of class histograms, and of reports of Native Memory Tracking.  A ref is text in the source
 * (ref_make).  Rows are in the order of the file.
 */
#ifndef ICECORE_COLUMNS_COUNTS_H
#define ICECORE_COLUMNS_COUNTS_H

#include "icecore/columns.h"

#define COLUMNS_COUNTS(ROW) \
	/* Histograms. */ \
	ROW(HISTOGRAM_WHEN, "histogram.when")		/* ref: text of a line above it that contains a time */ \
	ROW(HISTOGRAM_FILE, "histogram.file")		/* u32: number of its file in a series, from 1 */ \
	ROW(HISTOGRAM_CLASSES, "histogram.classes")	/* u32: rows */ \
	ROW(HISTOGRAM_OBJECTS, "histogram.objects")	/* u64: sum of its rows */ \
	ROW(HISTOGRAM_BYTES, "histogram.bytes")		/* u64: sum of its rows */ \
	ROW(HISTOGRAM_WHOLE, "histogram.whole")		/* u8: 1: its Total line is the sum of its rows */ \
	/* Rows of histograms. */ \
	ROW(COUNT_HISTOGRAM, "count.histogram")		/* u32 */ \
	ROW(COUNT_CLASS, "count.class")			/* u32 */ \
	ROW(COUNT_OBJECTS, "count.objects")		/* u64 */ \
	ROW(COUNT_BYTES, "count.bytes")			/* u64 */ \
	/* Classes: rows of one histogram with equal names are added up.  First and last: histogram. */ \
	ROW(COUNTED_NAME, "counted.name")		/* ref: name as written, with the module */ \
	ROW(COUNTED_OBJECTS, "counted.objects")		/* u64: in the last histogram */ \
	ROW(COUNTED_BYTES, "counted.bytes")		/* u64 */ \
	ROW(COUNTED_FIRST_OBJECTS, "counted.first_objects")	/* u64: in the first histogram */ \
	ROW(COUNTED_FIRST_BYTES, "counted.first_bytes")	/* u64 */ \
	ROW(COUNTED_SEEN, "counted.seen")		/* u32: histograms that contain it */ \
	ROW(COUNTED_RISES, "counted.rises")		/* u32: histograms with more bytes than the one before */ \
	/* Reports of Native Memory Tracking. */ \
	ROW(REPORT_WHEN, "report.when")			/* ref: as histogram.when */ \
	ROW(REPORT_RESERVED, "report.reserved")		/* u64: total, in bytes, as all sizes here */ \
	ROW(REPORT_COMMITTED, "report.committed")	/* u64: total */ \
	/* u64: the total of malloc; 0: unknown, or none. */ \
	ROW(REPORT_MALLOC, "report.malloc") \
	ROW(REPORT_RSS, "report.rss")			/* u64: VmRSS of the process in the same file; 0: unknown */ \
	/* Categories of reports. */ \
	ROW(NATIVE_REPORT, "native.report")		/* u32 */ \
	ROW(NATIVE_NAME, "native.name")			/* ref */ \
	ROW(NATIVE_RESERVED, "native.reserved")		/* u64 */ \
	ROW(NATIVE_COMMITTED, "native.committed")	/* u64 */ \
	ROW(NATIVE_MALLOC, "native.malloc")		/* u64 */ \
	ROW(NATIVE_MALLOCS, "native.mallocs")		/* u64: number of blocks */ \
	ROW(NATIVE_MMAP, "native.mmap")			/* u64: committed by mmap, with stacks of threads */ \
	ROW(NATIVE_ARENA, "native.arena")		/* u64 */ \
	ROW(NATIVE_COUNT, "native.count")		/* u64: classes or threads; 0: of other things */ \
	/* i64: change of committed since the baseline or the first report; 0 without one. */ \
	ROW(NATIVE_CHANGE, "native.change") \
	/* Call sites of detailed reports. */ \
	ROW(SITE_REPORT, "site.report")			/* u32 */ \
	ROW(SITE_STACK, "site.stack")			/* ref: lines of its frames, innermost first */ \
	ROW(SITE_NATIVE, "site.native")			/* ref: name of the category; 0: not written */ \
	ROW(SITE_BYTES, "site.bytes")			/* u64: allocated or committed */ \
	ROW(SITE_RESERVED, "site.reserved")		/* u64: reserved by mmap; 0: malloc */ \
	ROW(SITE_COUNT, "site.count")			/* u64: number of blocks; 0: mmap */ \
	ROW(SITE_CHANGE, "site.change")			/* i64: change of bytes since the baseline */ \
	/* bytes: texts of these columns in a store over a heap dump. */ \
	ROW(NATIVE_TEXT, "native.text")

COLUMN_FAMILY(COUNTS, COL_NUMBER, COL_OF_HEAP);

#endif
