/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripted time server: its clock follows the simulation's cycles exactly. */
#include <math.h>
#include <string.h>

#include "ntpsrv.h"

#define NTP_UNIX 2208988800u	/* seconds from 1900 to 1970 */

enum { BYTES = 48, CYCLES_MS = 16000, WORK = 320 /* cycles from arrival to answer: 20 us */, COPY_MS = 300 };

void ntpsrv_init(struct ntpsrv *server, uint32_t ip, uint32_t utc)
{
	*server = (struct ntpsrv){
		.ip = ip, .port = 123, .utc = utc, .out_ms = 5, .back_ms = 5, .seed = 1,
		.version = 4, .mode = 4, .stratum = 2, .refid = { 10, 0, 0, 1 },
		.root_delay = 0x0200, .root_dispersion = 0x0400, .copies = 1,
	};
}

/* A long double has 64 bits: after 30 days a part in 2^32 of a second is still exact. */
static long double since_start(const struct ntpsrv *server, uint64_t cycle)
{
	long double hz = (long double)SIM_HZ * (1.0L + (long double)server->ppm / 1e6L);

	return (long double)cycle / hz + (long double)server->phase;
}

long double ntpsrv_truth(const struct ntpsrv *server, uint64_t cycle)
{
	return server->utc + since_start(server, cycle);
}

uint32_t ntpsrv_utc(const struct ntpsrv *server, uint64_t cycle, uint32_t *frac)
{
	long double since = since_start(server, cycle) + (long double)server->jump;
	long double whole = floorl(since);

	if (frac)
		*frac = (uint32_t)((since - whole) * 4294967296.0L);
	return server->utc + (uint32_t)(int64_t)whole;
}

static void put32(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 24);
	p[1] = (uint8_t)(value >> 16);
	p[2] = (uint8_t)(value >> 8);
	p[3] = (uint8_t)value;
}

static void put_stamp(const struct ntpsrv *server, uint8_t *p, uint64_t cycle)
{
	uint32_t frac;

	put32(p, ntpsrv_utc(server, cycle, &frac) + NTP_UNIX);
	put32(p + 4, frac);
}

static uint64_t after(uint64_t cycle, double ms)
{
	return cycle + (uint64_t)llround(ms * CYCLES_MS);
}

/* Chance by seed and number alone, so that a run can be repeated. */
static bool lost(const struct ntpsrv *server)
{
	uint64_t x = (uint64_t)server->seed * 0x9e3779b97f4a7c15u + server->requests * 0xbf58476d1ce4e5b9u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % 100 < server->loss;
}

static void fill(const struct ntpsrv *server, const uint8_t *request, uint64_t arrival, uint8_t *p)
{
	uint8_t version = server->version ? server->version : request[0] >> 3 & 7;

	memset(p, 0, BYTES);
	p[0] = (uint8_t)(server->leap << 6 | version << 3 | server->mode);
	p[1] = server->stratum;
	p[2] = request[2];
	p[3] = (uint8_t)-20;
	put32(p + 4, server->root_delay);
	put32(p + 8, server->root_dispersion);
	memcpy(p + 12, server->refid, 4);
	put_stamp(server, p + 32, arrival);
	memcpy(p + 16, p + 32, 8);
	memcpy(p + 24, request + 40, 8);
	put_stamp(server, p + 40, arrival + WORK);
}

static void note(struct ntpsrv *server, const uint8_t *request, uint16_t size, uint64_t cycle)
{
	if (server->requests < sizeof server->asked / sizeof *server->asked)
		server->asked[server->requests] = cycle;
	server->requests++;
	memset(server->last, 0, sizeof server->last);
	memcpy(server->last, request, size < BYTES ? size : BYTES);
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* By its transmit timestamp, made at cycle. */
static void note_told(struct ntpsrv *server, const uint8_t *reply, uint64_t cycle)
{
	double told = (double)((long double)(get32(reply + 40) - NTP_UNIX) + get32(reply + 44) / 4294967296.0L -
	    ntpsrv_truth(server, cycle));

	if (fabs(told - server->told) > 1e-3)
		server->told_before = server->told;
	server->told = told;
}

unsigned ntpsrv_ask(struct ntpsrv *server, const uint8_t *request, uint16_t size, uint64_t cycle,
    struct ntpsrv_reply reply[2])
{
	unsigned count = 0;

	note(server, request, size, cycle);
	if (server->silent || size < BYTES || lost(server))
		return 0;
	uint64_t arrival = after(cycle, server->out_ms);
	for (unsigned copy = 0; copy < server->copies && copy < 2; copy++) {
		struct ntpsrv_reply *one = &reply[count];

		*one = (struct ntpsrv_reply){
			.cycle = after(arrival + WORK, server->back_ms + copy * COPY_MS),
			.ip = server->from_ip ? server->from_ip : server->ip,
			.port = server->from_port ? server->from_port : server->port,
			.size = BYTES,
		};
		fill(server, request, arrival, one->data);
		if (server->edit)
			server->edit(server, server->replies, one->data, &one->size);
		note_told(server, one->data, arrival + WORK);
		server->replies++;
		if (one->size > sizeof one->data)
			one->size = sizeof one->data;
		count += one->size > 0;
	}
	return count;
}
