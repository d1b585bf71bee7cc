/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts about class histograms, and about reports of Native Memory Tracking.  See facts.h.
 */
#ifndef ICECORE_FACTS_COUNTS_H
#define ICECORE_FACTS_COUNTS_H

#define FACTS_COUNTS(FACT) \
	FACT(HISTOGRAMS, "histograms", COUNT, COUNTS, "class histograms in the file") \
	FACT(COUNTED_CLASSES, "counted_classes", COUNT, COUNTS, "different classes in these histograms") \
	FACT(HISTOGRAM_ROWS, "histogram_rows", COUNT, COUNTS, "rows of these histograms") \
	FACT(NATIVE_REPORTS, "native_reports", COUNT, COUNTS, "reports of Native Memory Tracking") \
	FACT(NATIVE_SITES, "native_sites", COUNT, COUNTS, "call sites in these reports") \
	FACT(NATIVE_OMITTED, "native_omitted", COUNT, COUNTS, "small call sites that the VM omitted") \
	FACT(NATIVE_RSS, "native_rss", BYTES, COUNTS, "resident memory of the process: VmRSS in the file") \
	FACT(UNREAD_REGIONS, "unread.regions", COUNT, COUNTS, \
	    "{:region|regions} of the virtual memory map") \
	FACT(UNREAD_REPORT_LINES, "unread.report_lines", COUNT, COUNTS, \
	    "unknown {:line|lines} of reports of native memory") \
	FACT(LOSS_HISTOGRAM_ROWS, "loss.histogram_rows", COUNT, COUNTS, \
	    "{:line|lines} of class histograms, missing or unreadable") \
	FACT(LOSS_HISTOGRAMS, "loss.histograms", COUNT, COUNTS, \
	    "class {:histogram|histograms} whose rows do not add up to a Total line") \
	FACT(LOSS_REPORT_LINES, "loss.report_lines", COUNT, COUNTS, \
	    "unreadable {:line|lines} of reports of native memory") \
	FACT(LOSS_NATIVE_REPORTS, "loss.native_reports", COUNT, COUNTS, \
	    "{:report|reports} of native memory with missing categories")

#endif
