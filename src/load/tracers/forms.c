/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of texts of tracers.
 */
#include "config.h"

#include <ctype.h>

#include "icecore/scan.h"
#include "forms.h"

/* Forms with marks that others may contain come later. */
static const struct tracer_form forms[] = {
	{ "massif snapshots", .begins = { "desc: ", "snapshot=" }, .read = massif_read },
	{ "V8 heap profile", .is = heapprofile_is, .read = heapprofile_read },
	{ "flame graph (SVG)", .is = svg_is, .read = svg_read },
	{ "flame graph page of async-profiler", .is = flame_page_is, .read = flame_page_read },
	{ "tree page of async-profiler", .is = flame_tree_is, .read = flame_tree_read },
	{ "flamebearer of Pyroscope (JSON)", .is = flamebearer_is, .read = flamebearer_read },
	{ "stacks of gprof2dot (JSON)", .is = gprof2dot_is, .read = gprof2dot_read },
	{ "d3-flame-graph", .is = d3_is, .read = d3_read },
	{ "GHC profile", .is = ghc_is, .read = ghc_read },
	{ "Instruments export (xctrace)", .is = xctrace_is, .read = xctrace_read },
	{ "VTune call stacks", .begins = { "Function Stack,CPU Time:Self" }, .read = vtune_read },
	{ "macOS sample", .line = sample_line, .read = sample_read },
	{ "macOS spindump", .begins = { "Process: " }, .line = spindump_line, .read = spindump_read },
	{ "sched_debug of Linux", .begins = { "Sched Debug Version: " }, .read = sched_debug_read },
	{ "sched_debug of Linux", .line = sched_tasks_line, .read = sched_debug_read },
	{ "longest times off the CPU", .line = longest_line, .read = longest_read },
	{ "bpftrace maps", .line = bpftrace_line, .read = bpftrace_read },
	{ "memleak of BCC", .line = memleak_line, .read = memleak_read },
	{ "stacks of BCC or libbpf-tools", .is = bcc_is, .read = bcc_read },
	{ "histograms of BCC or libbpf-tools", .line = histograms_line, .read = histograms_read },
	{ "DTrace stacks", .line = dtrace_line, .read = dtrace_read },
};

static bool
has_begin(struct str head, const char *begin)
{
	struct lines l = lines_of(head);
	struct str line;

	while (begin != NULL && lines_next(&l, &line))
		if (str_has_prefix(line, str_of(begin)))
			return true;
	return begin == NULL;
}

const struct tracer_form *
tracer_form_of(struct str head)
{
	size_t empty = 0;

	str_take(&head, STR("\xef\xbb\xbf"));
	for (size_t i = 0; i < head.n && isspace((unsigned char)head.s[i]); i++)
		empty = head.s[i] == '\n' ? i + 1 : empty;
	head = str_after(head, empty);
	for (const struct tracer_form *f = forms; f < forms + NELEM(forms); f++)
		if (has_begin(head, f->begins[0]) && has_begin(head, f->begins[1]) &&
		    (f->line == NULL || lines_have(head, f->line)) && (f->is == NULL || f->is(head)))
			return f;
	return NULL;
}
