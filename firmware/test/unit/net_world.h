/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scripted driver (winc.h) and a scripted sync.h under net.c, servers.c and
 * ask.c; time runs in steps of 20 ms.  For the tests of those only.
 */
#ifndef NET_WORLD_H
#define NET_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "conf.h"
#include "hal.h"
#include "net.h"
#include "sync.h"
#include "winc.h"

enum { STEP = 20, NEVER = -1, FIRST_IP = 0x7b0200c0, SECOND_IP = 0x7c0200c0, EVENTS = 8 };

enum answer {
	GOOD, SILENT, DENY, RATE, INIT, UNSYNCHRONISED, STAMPS, DISTANCE, DATE,
	SLOW,		/* refused by its delay */
	ORIGIN,		/* wrong nonce only */
	LIAR_FIRST,	/* wrong nonce, then the right one */
	ELSEWHERE,	/* right, from another address, then from another port */
	SHORT_FIRST,	/* 47 bytes, no byte, mode 3, then the right one */
	TWICE, ANSWERS_LATE,
};

static struct {
	int boot_fault;		/* NEVER: comes up */
	int join_error;		/* NEVER: joins */
	int dhcp_ms;
	bool dns_fails, dns_silent;
	int8_t bind_code, sent_code;
	enum answer answer[2];
	bool busy;		/* refuses all requests */
	uint32_t ip[2];
	unsigned pool;		/* so many addresses of the one name, another one at each look-up; 0: one */
	unsigned turn;
	enum answer pool_answer[10];
} world;

struct event {
	uint32_t at;
	struct winc_event event;
	uint8_t data[48];
};

static uint32_t ms;
static struct event queue[EVENTS];
static unsigned queued;
static struct event current;
static bool leaving;

static unsigned starts, stops, joins, leaves, names, opens, sent;
static uint8_t depth[64];
static uint32_t start_ms[64], sent_ms[4096], sent_ip[4096];
static uint16_t ports[4096];
static uint8_t nonces[4096][8];
static char asked_name[64];

static enum sync_act act;
static uint16_t next;
static unsigned replies, rounds;
static unsigned answers;		/* of the round */
static uint16_t sources[8];

struct conf conf;

uint32_t hal_ms(void)
{
	return ms;
}

uint32_t hal_ticks(void)
{
	return ms * TICKS_PER_MS;
}

void sync_limits(struct ntp_limits *limits)
{
	limits->delay = 16384;
	limits->distance = 65535;
}

void sync_begin(void)
{
	answers = 0;
}

void sync_hear(const struct ntp_reply *reply, uint32_t t4, uint16_t source)
{
	assert_true(reply->delay >= 0);
	assert_in_range(hal_ticks() - t4, 0, STEP * TICKS_PER_MS);	/* of the arrival */
	sources[answers++ % 8] = source;
	replies++;
}

enum sync_act sync_decide(void)
{
	rounds++;
	return answers > 0 ? act : SYNC_NOTHING;
}

uint16_t sync_next(void)
{
	return next;
}

static inline struct event *post(uint32_t delay, uint8_t kind)
{
	struct event *e = &queue[queued++];

	assert_true(queued < EVENTS);
	memset(e, 0, sizeof *e);
	e->at = ms + delay;
	e->event.kind = kind;
	return e;
}

void winc_start(enum winc_depth how)
{
	queued = 0;
	leaving = false;
	depth[starts % 64] = (uint8_t)how;
	start_ms[starts++ % 64] = ms;
	if (world.boot_fault == NEVER)
		post(500, WINC_UP);
	else
		post(500, WINC_DEAD)->event.code = (int8_t)world.boot_fault;
}

void winc_stop(void)
{
	queued = 0;
	stops++;
}

void winc_poll(struct winc_event *event)
{
	memset(event, 0, sizeof *event);
	for (unsigned i = 0; i < queued; i++) {
		if ((int32_t)(ms - queue[i].at) < 0)
			continue;
		current = queue[i];
		queue[i] = queue[--queued];
		if (current.event.kind == WINC_LEFT)
			leaving = false;
		current.event.data = current.data;
		*event = current.event;
		return;
	}
}

bool winc_random(void)
{
	memset(post(100, WINC_RANDOM)->data, 0xa5, 8);
	return true;
}

bool winc_join(winc_text *ssid, winc_text *pass, uint8_t security)
{
	if (world.busy || leaving)
		return false;
	for (uint8_t i = 0; i < 40; i++)
		assert_int_equal(ssid(i), i < 3 ? "net"[i] : '\0');
	assert_int_equal(pass(11), '\0');
	assert_int_equal(security, WINC_WPA);
	joins++;
	if (world.join_error != NEVER) {
		post(1000, WINC_LEFT)->event.code = (int8_t)world.join_error;
		return true;
	}
	post(1000, WINC_JOINED);
	if (world.dhcp_ms != NEVER)
		post(1000 + (uint32_t)world.dhcp_ms, WINC_ADDRESS)->event.ip = 0x070200c0;
	return true;
}

bool winc_leave(void)
{
	if (world.busy || leaving)
		return false;
	leaves++;
	leaving = true;
	queued = 0;
	post(100, WINC_LEFT);
	return true;
}

static inline uint32_t pool_ip(unsigned i)
{
	return 0x0a0200c0 + ((uint32_t)i << 24);
}

bool winc_resolve(winc_text *name)
{
	struct event *e;

	if (world.busy)
		return false;
	for (uint8_t i = 0; i < 64; i++)
		asked_name[i] = name(i);
	names++;
	e = post(world.dns_silent ? 4500 : 200, WINC_NAME);
	e->event.code = world.dns_silent ? -13 : 0;
	if (!world.dns_fails && !world.dns_silent)
		e->event.ip = world.pool > 0 ? pool_ip(world.turn++ % world.pool)
		    : world.ip[strcmp(asked_name, "two.example") == 0];
	return true;
}

bool winc_open(uint16_t port)
{
	if (world.busy)
		return false;
	ports[opens++ % 4096] = port;
	post(40, WINC_BOUND)->event.code = world.bind_code;
	return true;
}

static inline void put32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline struct event *reply(uint32_t delay, uint32_t ip, const uint8_t *request)
{
	struct event *e = post(delay, WINC_DATA);

	e->event.ip = ip;
	e->event.port = 123;
	e->event.length = 48;
	e->event.tick = (ms + delay) * TICKS_PER_MS;
	e->data[0] = 0x24;
	e->data[1] = 2;
	memcpy(e->data + 24, request + 40, 8);
	put32(e->data + 32, 1795178096 + 2208988800U);
	put32(e->data + 40, 1795178096 + 2208988800U);
	return e;
}

static inline void answer(enum answer how, uint32_t ip, const uint8_t *request)
{
	static const char *const kiss[] = { [DENY] = "DENY", [RATE] = "RATE", [INIT] = "INIT" };

	if (how == ORIGIN || how == LIAR_FIRST)
		reply(80, ip, request)->data[24] ^= 1;
	if (how == ELSEWHERE) {
		reply(80, ip + 0x01000000, request);
		reply(80, ip, request)->event.port = 124;
	}
	if (how == SHORT_FIRST) {
		reply(80, ip, request)->event.length = 47;
		reply(80, ip, request)->event.length = 0;
		reply(80, ip, request)->data[0] = 0x23;
	}
	if (how == SILENT || how == ORIGIN || how == ELSEWHERE)
		return;
	struct event *e = reply(how == ANSWERS_LATE ? 2200 : how == SLOW ? 400 : 120, ip, request);

	if (how == DENY || how == RATE || how == INIT) {
		e->data[1] = 0;
		memcpy(e->data + 12, kiss[how], 4);
	}
	if (how == UNSYNCHRONISED)
		e->data[0] |= 0xc0;
	if (how == STAMPS)
		memset(e->data + 32, 0, 8);
	if (how == DISTANCE)
		e->data[9] = 1;
	if (how == DATE) {
		put32(e->data + 32, 915148800 + 2208988800U);
		put32(e->data + 40, 915148800 + 2208988800U);
	}
	if (how == TWICE)
		reply(500, ip, request);
}

bool winc_send(uint32_t ip, uint16_t port, const uint8_t *data, uint8_t size)
{
	struct event *e;

	if (world.busy)
		return false;
	assert_int_equal(port, 123);
	assert_int_equal(size, 48);
	assert_int_equal(data[0], 0x23);
	sent_ms[sent % 4096] = ms;
	memcpy(nonces[sent % 4096], data + 40, 8);
	sent_ip[sent++ % 4096] = ip;
	e = post(STEP, WINC_SENT);
	e->event.tick = ms * TICKS_PER_MS;
	e->event.code = world.sent_code;
	if (world.sent_code == 0)
		answer(world.pool > 0 ? world.pool_answer[(ip >> 24) - 0x0a] : world.answer[ip == world.ip[1]], ip, data);
	return true;
}

static inline void run(double seconds)
{
	for (uint32_t steps = (uint32_t)(seconds * 1000 / STEP); steps > 0; steps--) {
		ms += STEP;
		net_pass();
	}
}

static inline void begin(const char *servers)
{
	memset(&world, 0, sizeof world);
	world.boot_fault = world.join_error = NEVER;
	world.dhcp_ms = 500;
	world.ip[0] = FIRST_IP;
	world.ip[1] = SECOND_IP;
	memset(&conf, 0, sizeof conf);
	strcpy(conf.ssid, "net");
	strcpy(conf.pass, "pass phrase");
	strcpy(conf.server, servers);
	conf.security = WINC_WPA;
	ms = 0xffffff00;	/* soon to wrap */
	queued = starts = stops = joins = leaves = names = opens = sent = replies = rounds = 0;
	act = SYNC_SET;
	next = 64;
	net_init();
}

static inline double gap(unsigned i)
{
	return (sent_ms[i] - sent_ms[i - 1]) / 1000.0;
}

static inline uint8_t state_now(void)
{
	struct net_info info;

	net_get(&info);
	return info.state;
}

static inline void assert_gap(unsigned i, double least, double most)
{
	if (i >= sent || gap(i) < least || gap(i) > most)
		fail_msg("request %u of %u: %.2f s after the last, wanted %.2f to %.2f", i, sent, gap(i), least, most);
}

#endif
