/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut: Perfetto traces while they are cut.
 *
 * The loader's reader makes rows of each packet, which contain the times of its events.  Rows are discarded
 * after their packet.
 */
#ifndef LOAD_PERFETTO_CUT_H
#define LOAD_PERFETTO_CUT_H

#include "load/slice/slice.h"
#include "perfetto.h"

enum { COMPACT_COLUMNS = 13, COMPACT_VALUES = 5 };
/* Fields of track events that are written, and of the old events in them. */
enum { EVENT_DELTA = 1, EVENT_CPU_DELTA = 2, EVENT_OLD = 6, EVENT_TIME = 16, EVENT_CPU = 17,
    OLD_DURATION = 3 };

struct pf_cut {
	struct jload		 l;		/* state of the reader; the first member, for pf_cut_of */
	struct perfetto		*p;
	const struct slicing	*s;
	uint64_t		 from, to;	/* start and end of the part, on the clock of the trace */
	uint64_t		 kernel_from;	/* start of the kernel events; 0: keep all before the part */
	struct active		 active;
	/* after the whole trace, for packets before the snapshot of their clock */
	struct pf_clocks	 clocks;
	bool			 late;		/* the packet comes before that snapshot */
	int64_t			 now;		/* time of the packet; INT64_MIN: not known */
	bool			 skipped;	/* what it needs was lost */
	uint32_t		 last[PF_CPUS];	/* 1 + who has the CPU, by compact switches; 0: not known */
	struct buf		 packet, part, event, column[COMPACT_COLUMNS];
};

static inline bool
pf_cut_has(const struct pf_cut *c, uint64_t time)
{
	return time >= c->from && time < c->to;
}

/* open.c: over the source of a store, which is not changed; pf_close in any case, *out may be NULL. */
bool	pf_open(struct perfetto **out, struct jload *, struct store *, struct work *, struct err *);
void	pf_close(struct perfetto *);

/* ---- cut_bundle.c: the events of a CPU ------------------------------------------------------------ */

struct pf_bundle {
	struct str	compact;
	uint64_t	cpu, clock;	/* clock: key of the clock */
	bool		kinds, clocks;	/* the bundle describes events; it contains a pair of clock values */
};

/* Switches and wakings as arrays. */
struct pf_compact {
	struct str	column[COMPACT_COLUMNS];
	uint64_t	v[COMPACT_VALUES], flags;	/* time, what the other columns have */
	uint64_t	raw;		/* time */
	uint64_t	i, id;		/* id: stands for the event, where others have an offset */
	bool		switches, flagged;
};

bool	pf_bundle_open(struct str message, uint32_t sequence, struct pf_bundle *);	/* false: it cannot be read */
bool	pf_bundle_time(struct pf_cut *, const struct pf_bundle *, uint64_t raw, uint64_t *time);
void	pf_compact_open(const struct pf_cut *, const struct pf_bundle *, bool switches, struct pf_compact *);
bool	pf_compact_next(struct pf_compact *);
/* Appends what is left of it to c->part; *some: events. */
bool	pf_bundle_cut(struct pf_cut *, struct str message, uint32_t sequence, bool *some, struct err *);

/* cut_holds.c: the first reading */
bool	pf_hold(struct perfetto *, const struct pf_packet *, struct err *);
/* Read a packet; sets late if its clock is not yet known. */
bool	pf_cut_read(struct pf_cut *, const struct pf_packet *, struct err *);
/* Return the clock of the time of a packet. */
uint32_t pf_cut_clock(const struct pf_cut *, const struct pf_packet *, const struct pf_clocks *);
/* The row of a track event or its value; NULL: there is none. */
const struct pf_row *pf_cut_row(const struct pf_cut *, enum pf_row_kind);

static inline struct pf_cut *
pf_cut_of(struct perfetto *p)
{
	return (struct pf_cut *)(void *)p->l;
}

#endif
