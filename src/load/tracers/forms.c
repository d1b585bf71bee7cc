/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of texts of tracers.
 */
#include "config.h"

#include "forms.h"

/* Forms with marks that others may contain come later. */
static const struct tracer_form forms[] = {
	{ "massif snapshots", massif_is, massif_read },
	{ "V8 heap profile", heapprofile_is, heapprofile_read },
	{ "GHC profile", ghc_is, ghc_read },
	{ "Instruments export (xctrace)", xctrace_is, xctrace_read },
	{ "VTune call stacks", vtune_is, vtune_read },
	{ "macOS sample", sample_is, sample_read },
	{ "macOS spindump", spindump_is, spindump_read },
	{ "sched_debug of Linux", sched_debug_is, sched_debug_read },
	{ "bpftrace maps", bpftrace_is, bpftrace_read },
	{ "memleak of BCC", memleak_is, memleak_read },
	{ "stacks of BCC or libbpf-tools", bcc_is, bcc_read },
	{ "histograms of BCC or libbpf-tools", histograms_is, histograms_read },
	{ "DTrace stacks", dtrace_is, dtrace_read },
};

const struct tracer_form *
tracer_form_of(struct str head)
{
	str_take(&head, STR("\xef\xbb\xbf"));
	for (size_t i = 0; i < NELEM(forms); i++)
		if (forms[i].is(head))
			return &forms[i];
	return NULL;
}
