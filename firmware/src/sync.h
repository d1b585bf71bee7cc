/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applies a good reply to the clock: set, slew, learn the rate, ask for a
 * second opinion, step, leap.  Reports the age and the quality of the time, and
 * when to ask next.  Knows clk.h, not the network.
 */
#ifndef SYNC_H
#define SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "ntp.h"

enum sync_act {
	SYNC_NOTHING,		/* there was no answer */
	SYNC_SET,		/* first time set */
	SYNC_SLEW,		/* within 125 ms, or up to 3 s back with one server: slewed, rate learned */
	SYNC_AGAIN,		/* off by more: ask again in 16 s */
	SYNC_STEP,
	SYNC_SPIKE,		/* the second sample did not agree: forgotten */
	SYNC_OTHER,		/* off by 1000 s or more: ask again, some times */
	SYNC_DISAGREE,		/* servers tell different times, and no majority one: the clock keeps its own */
};

enum sync_state {
	SYNC_NEVER,		/* the time is not known */
	SYNC_FRESH,		/* last sync < 24 h ago */
	SYNC_STALE,		/* 24 h to 7 days, or the servers disagree */
	SYNC_OLD,		/* more, or error bound above 2 s (a reset's 2 s not counted) */
};

struct sync_info {		/* for `stat` */
	int32_t offset;		/* last: server minus what the clock shows when it has done its slew, 1/65536 s; 0: showed nothing */
	int32_t delay;
	uint32_t age;		/* seconds since the last accepted reply, UINT32_MAX: never */
	uint32_t bound;		/* error bound, ms; UINT32_MAX: nobody vouches for the time */
};

/* resumed: the clock continues after a reset; age and bound as sync_get reported them before. */
void sync_init(bool resumed, uint32_t age, uint32_t bound);
void sync_limits(struct ntp_limits *limits);	/* what ntp_check is to allow; call once for each request */
/* A round of questions: begin, hear each answer, decide. */
void sync_begin(void);
void sync_hear(const struct ntp_reply *reply, uint32_t t4, uint16_t source);	/* source identifies its server */
enum sync_act sync_decide(void);
/* Seconds from sync_decide to the next round: 16 after AGAIN, 64, 512, then 3600 +- 5 %. */
uint16_t sync_next(void);
enum sync_state sync_state(void);
void sync_second(void);		/* once a second, from the main loop */
void sync_by_hand(uint32_t utc);	/* console `time`: shown, but not synchronised */
void sync_get(struct sync_info *info);

#endif
