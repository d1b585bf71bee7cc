/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scripted NTP server whose clock is the simulation's: exact, drifting,
 * lying.  The replies' way through the network is scripted too.
 */
#ifndef NTPSRV_H
#define NTPSRV_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_HZ 16000000.0

struct ntpsrv;
/* Last hand on reply number n (from 0) before it goes: change bytes or size; size 0 drops it. */
typedef void ntpsrv_edit(struct ntpsrv *server, uint32_t n, uint8_t reply[1500], uint16_t *size);

struct ntpsrv {
	uint32_t ip;			/* first byte in the low byte */
	uint16_t port;			/* 123 */
	/* its clock: UTC at cycle c is utc + c / (SIM_HZ * (1 + ppm / 1e6)) + phase + jump */
	uint32_t utc;
	double ppm;			/* the simulated crystal's error */
	double phase;			/* seconds; as ppm and utc it is of the world: so late it is */
	double jump;			/* seconds that it is wrong by */
	/* the way */
	double out_ms, back_ms;
	uint8_t loss;			/* percent of requests that vanish, by seed */
	uint32_t seed;
	bool silent;
	/* the reply */
	uint8_t leap, version, mode, stratum;
	char refid[4];
	uint32_t root_delay, root_dispersion;	/* 16.16 s */
	uint32_t from_ip;		/* 0: its own */
	uint16_t from_port;		/* 0: its own */
	uint8_t copies;			/* 1; 2: each reply comes twice, the second 300 ms later */
	ntpsrv_edit *edit;
	void *arg;			/* for edit */
	/* what was asked */
	uint32_t requests;
	uint32_t replies;		/* made, copies and dropped ones too */
	uint64_t asked[4096];		/* cycles of the first 4096 */
	uint8_t last[48];		/* the last request */
	double told, told_before;	/* seconds that its replies are wrong by, and were before that changed */
};

void ntpsrv_init(struct ntpsrv *server, uint32_t ip, uint32_t utc);
/* UTC of the server at cycle; fraction in *frac (of 2^32) when it is not NULL. */
uint32_t ntpsrv_utc(const struct ntpsrv *server, uint64_t cycle, uint32_t *frac);

/* Returns the true UTC at cycle, whatever the server reports. */
long double ntpsrv_truth(const struct ntpsrv *server, uint64_t cycle);

struct ntpsrv_reply {
	uint64_t cycle;			/* when it reaches the module */
	uint32_t ip;
	uint16_t port, size;
	uint8_t data[1500];
};
/* A request that reached the module's antenna at cycle: 0 to 2 replies. */
unsigned ntpsrv_ask(struct ntpsrv *server, const uint8_t *request, uint16_t size, uint64_t cycle,
    struct ntpsrv_reply reply[2]);

#endif
