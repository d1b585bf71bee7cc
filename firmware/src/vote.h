/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answers of one round and their majority.  Each answer is an interval that
 * contains the true time, according to its server.  The clock's own time and its
 * error bound can be one more interval.  The true time is in a region where the
 * intervals of a majority overlap (RFC 5905, 11.2.1).
 */
#ifndef VOTE_H
#define VOTE_H

#include "ntp.h"

enum { VOTES = 4 };

struct vote {
	struct stamp time;	/* the server's time when the answer came */
	uint32_t error;		/* its largest error, 1/65536 s: half the delay plus the server's own error */
	uint32_t tick;		/* when it came */
	uint16_t delay;		/* of the network, 1/65536 s */
	uint16_t source;	/* identifies its server */
	int8_t leap;		/* announced: 1 insert, -1 delete */
};

struct majority {
	const struct vote *best;	/* the answer in the majority with the smallest error; NULL: no majority */
	uint32_t reach;		/* its largest distance to a point in the intervals of a majority, 1/65536 s */
	uint8_t agree;		/* answers that agree with it, itself included */
	int8_t leap;		/* announced by more than half of all answers; otherwise 0 */
};

void vote_clear(void);
void vote_add(const struct ntp_reply *reply, uint32_t tick, uint16_t source);	/* one more than VOTES: dropped */
uint8_t vote_count(void);
bool vote_from(uint16_t source);	/* did this server answer? */
/* At least one answer must have come.  own: the error bound of the clock's own time, 1/65536 s; 0: that time does not vote. */
void vote_decide(uint32_t own, struct majority *majority);

#endif
