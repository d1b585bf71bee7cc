/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the rig: what is around the processor.  Only rig*.c look at it. */
#ifndef RIG_WORLD_H
#define RIG_WORLD_H

#include "rig.h"
#include "udp.h"

enum {
	MAILS = 64, SECRETS = 16, SECRET = 72,
	CYCLES_PER_MS = 16000,
	BYTE_CYCLES = 1389,		/* ten bits at 115200 baud */
};

struct mail {
	struct ntpsrv_reply reply;
	uint16_t to;			/* the port the request came from */
};

struct rig_world {
	bool on;			/* 12 V are there */
	bool ticking;
	struct mail mail[MAILS];	/* on their way to the module */
	unsigned mails;
	const uint8_t *typed;
	uint32_t typed_size, typed_at;
	uint64_t type_due;
	char secret[SECRETS][SECRET];
	unsigned secrets;
	char tz[64];			/* as configured */
	uint8_t flags;			/* likewise: bits of conf.h */
	double late;			/* paced: the most that the simulation was behind the wall clock, seconds */
	bool paced;
	double start, epoch;		/* CLOCK_MONOTONIC and CLOCK_REALTIME at cycle 0 */
	struct udp *udp;
	uint16_t real[RIG_SERVERS];	/* loopback port of each server; 0: none yet */
	uint64_t second_cycle;		/* when the last second was due */
	uint32_t second_tick;		/* the clock's name for that moment */
	bool second_new;		/* not judged yet */
	const uint8_t *clk, *sync;	/* variables of the firmware */
};

#endif
