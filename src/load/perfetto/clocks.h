/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks: times of many clocks become times of one.
 */
#ifndef LOAD_PERFETTO_CLOCKS_H
#define LOAD_PERFETTO_CLOCKS_H

#include "icecore/make.h"
#include "icecore/protobuf.h"

enum { PF_SET_CLOCKS = 16, PF_HOPS = 4 };

/* From one clock to another one in the snapshots of the same set. */
struct pf_hop {
	uint32_t	set, from, to;	/* from, to: places in the set */
};

struct pf_clock {
	uint64_t	key;		/* of pf_clock_key */
	uint64_t	multiplier;
	int64_t		last;		/* ns */
	bool		incremental, falls;	/* falls: its values went back, so it is not used as a source */
	uint32_t	version;	/* of the sets that hop is for; 0: none */
	uint32_t	hops;		/* to the trace's clock; PF_HOPS + 1: there is no way */
	struct pf_hop	hop[PF_HOPS];
};

/* Snapshots of the same clocks. */
struct pf_clock_set {
	uint32_t	n;
	uint32_t	clock[PF_SET_CLOCKS];	/* rows of clocks */
	struct scratch	values;		/* int64_t, ns: n for each snapshot */
	uint64_t	rows;
};

struct pf_clocks {
	struct scratch	 clocks;	/* struct pf_clock */
	struct scratch	 sets;		/* struct pf_clock_set */
	struct idmap	 by_key, by_set;
	uint64_t	 nclocks, nsets, snapshots, bad;
	uint32_t	 trace;		/* id of the trace's clock; 0: unset, which means BOOTTIME */
	uint32_t	 version;	/* another one when there are other ways */
};

enum { CLOCK_OF_REALTIME = 1, CLOCK_OF_MONOTONIC = 3, CLOCK_OF_COARSE, CLOCK_OF_RAW = 5, CLOCK_OF_BOOTTIME = 6 };

uint64_t pf_clock_key(uint32_t sequence, uint32_t id);
/* The time of the trace's clock; false: there is no way to it yet. */
bool	pf_clock_convert(struct pf_clocks *, uint64_t key, int64_t time, int64_t *ns);
bool	pf_clock_snapshot(struct pf_clocks *, struct str message, uint32_t sequence, struct err *);
/* The time of day at a time of the trace's clock, ns since 1970; false: no snapshot has both. */
bool	pf_clock_realtime(const struct pf_clocks *, int64_t time, int64_t *ns);
/* Two clocks that had these values at the same moment. */
bool	pf_clock_pair(struct pf_clocks *, const uint64_t key[2], const int64_t value[2], struct err *);
void	pf_clocks_close(struct pf_clocks *);

#endif
