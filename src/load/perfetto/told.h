/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that a recorder wrote about the recording, before they become facts.
 */
#ifndef LOAD_PERFETTO_TOLD_H
#define LOAD_PERFETTO_TOLD_H

#include "icecore/str.h"

enum { PF_CPUS = 1024, PF_LOSS_REASONS = 8, PF_STATS_TOLD = 4, PF_SKIP_REASONS = 5 };

struct pf_told {
	uint64_t	reason[PF_LOSS_REASONS];	/* of losses of sequences */
	uint64_t	before[PF_CPUS], cpu[PF_CPUS];	/* lost kernel events, as counted when the recording began, and in it */
	uint64_t	stats[PF_STATS_TOLD];
	uint64_t	skipped[PF_SKIP_REASONS];	/* samples without a stack, by reason */
	uint64_t	packages;
	uint64_t	system_at, config_at;
	uint32_t	system_n, config_n;
};

struct perfetto;
struct err;

/* Messages of their kind; dropped: the bits of a loss. */
void	pf_told_dropped(struct perfetto *, uint64_t bits);
void	pf_told_ftrace(struct perfetto *, struct str);
void	pf_told_stats(struct perfetto *, struct str);
void	pf_told_packages(struct perfetto *, struct str);
void	pf_told_config(struct perfetto *, struct str);
void	pf_told_system(struct perfetto *, struct str);
bool	pf_told_lost(const struct perfetto *);	/* whether the recorder lost something */
bool	pf_told_facts(struct perfetto *, struct err *);

#endif
