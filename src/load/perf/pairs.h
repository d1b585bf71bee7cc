/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs of tracepoints in a perf script text: a lock is waited for and got, a call of the kernel begins and
 * ends.  Their times are samples with the stack of the begin, and intervals.  Of memory, what is allocated
 * and not freed are samples.
 *
 * Events without a partner are counted by name, unless the other half was not recorded at all: then they are
 * samples like others, and of no memory it is known that it was not freed.
 */
#ifndef LOAD_PERF_PAIRS_H
#define LOAD_PERF_PAIRS_H

#include "icecore/perf.h"
#include "icecore/unread.h"
#include "offcpu.h"

enum pair_kind { PAIR_LOCK, PAIR_BLOCK, PAIR_QUEUE, PAIR_CALL, PAIR_IRQ, PAIR_SOFTIRQ, PAIR_WORK, PAIR_MEMORY,
    PAIR_PAGES, PAIR_KINDS };

struct pairs {
	struct samples	*samples;
	struct offcpu	*off;		/* which frames wait */
	struct unread	*unread;
	struct str	 text;		/* text of perf script */
	const struct map *file;		/* the file: that text, or the recording it was made from */
	struct scratch	 rules;		/* u8 by event: 1 + the first row of the table */
	struct scratch	 alone;		/* u64 by event: samples without a partner */
	struct idmap	 halves;	/* of each kind, or its name: 1: something began, 2: something ended */
	struct scratch	 begun, done;	/* the last begin of each key; intervals */
	uint64_t	 nbegun, ndone;
	uint32_t	 nrules;
	struct idmap	 by_key;	/* row of begun + 1 */
	struct text_pool words;
	uint32_t	 event[PAIR_KINDS];	/* their events; 0: none */
	int		 machine;	/* enum kernel_machine; -1: not looked yet */
};

void	pairs_free(struct pairs *);
/* Return whether the sample begins or ends something. */
bool	pairs_has(struct pairs *, const struct perf_sample *, uint32_t event, bool *is, struct err *);
bool	pairs_known(struct str event);		/* whether it begins or ends something */
/* Report the meaning of the event and its fields (meant.h); false: it is another event. */
bool	pairs_tell(struct tells *, const struct perf_sample *);
/* Words of such fields. */
#define PAIR_WORDS "flags ret NR irq name vec action work struct function call_site ptr bytes_req " \
	"bytes_alloc page pfn order "
bool	pairs_sample(struct pairs *, const struct perf_sample *, const struct sample *, struct err *);
/* At the end of the text: count what is open; memory that is not freed becomes samples. */
bool	pairs_end(struct pairs *, struct err *);
/* The event with the times of that tracepoint, or of others of its system; 0: there is none. */
uint32_t pairs_event(const struct pairs *, struct str tracepoint);
/* interval.*; first: the start of time. */
bool	pairs_columns(struct pairs *, uint64_t first, struct work *, struct err *);

#endif
