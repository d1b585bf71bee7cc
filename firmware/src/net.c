/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the driver for one thing at a time and continues with its events.  A state is entered with a
 * pause; when that is over it begins, and may last only so long.  Times are eighths of a second.
 */
#include "net.h"

#include "ask.h"
#include "conf.h"
#include "hal.h"
#include "netstate.h"
#include "rnd.h"
#include "servers.h"
#include "winc.h"

#define EIGHTH_MS 125
#define STUCK EIGHTHS(25)	/* so long the driver may refuse a request as busy */

enum { FIRST_PORT = 49152, PORT_MASK = 16383 };

struct net net;

NOINLINE void net_enter(struct net *n, uint8_t state, uint16_t pause)
{
	n->state = state;
	n->begun = false;
	n->time = 0;
	n->pause = pause;
}

bool net_awaits(const struct net *n, uint8_t state)
{
	return n->state == state && n->begun;
}

void net_mend(struct net *n, uint8_t below)
{
	if (n->code < below)
		n->code = CODE_NONE;
}

uint16_t net_doubled(uint16_t value, uint8_t times, uint16_t cap)
{
	for (; times > 0 && value < cap; times--)
		value *= 2;
	if (value > cap)
		value = cap;
	return value - value / 16 + (uint16_t)rnd_below(value / 8 + 1);
}

static char ssid_text(uint8_t i)
{
	return i < CONF_SSID ? conf.ssid[i] : '\0';
}

static char pass_text(uint8_t i)
{
	return i < CONF_PASS ? conf.pass[i] : '\0';
}

void net_wait(struct net *n, uint32_t seconds)
{
	ask_end();
	n->due = EIGHTHS(seconds);
	net_enter(n, NET_IDLE, 0);
}

void net_dead(struct net *n, uint8_t code)
{
	uint16_t pause = 0;

	n->code = code;
	if (n->healthy) {
		n->depth = WINC_SOFT;
		n->round = 0;
	} else {
		if (n->depth == WINC_POWER && n->round < UINT8_MAX)
			n->round++;
		n->depth = n->depth == WINC_RESET ? WINC_POWER : WINC_RESET;
		pause = net_doubled(EIGHTHS(32), n->round, EIGHTHS(840));
	}
	n->healthy = false;
	net_enter(n, NET_OFF, pause);
}

static void join_failed(struct net *n, uint8_t code)
{
	uint16_t pause = net_doubled(EIGHTHS(11), n->joins, EIGHTHS(280));

	n->code = code;
	n->joins = n->joins < 250 ? n->joins + 1 : 246;
	net_enter(n, NET_JOIN, pause);
	if (n->joins % 5 == 0) {
		n->state = NET_OFF;
		n->depth = WINC_POWER;
	}
}

static void on_sent(struct net *n, const struct winc_event *event)
{
	if (!net_awaits(n, NET_ASK) || ask_is_sent())
		return;
	n->time = 0;
	if (event->code == 0)
		ask_sent(event->tick);
	else
		net_dead(n, CODE_NO_ANSWER);
}

static void on_address(struct net *n, uint32_t ip)
{
	n->ip = ip;
	if (n->state != NET_DHCP)
		return;
	n->joins = 0;
	net_mend(n, CODE_NO_NAME);
	net_enter(n, NET_IDLE, rnd_next() & 15);
}

static void on_left(struct net *n, int8_t code)
{
	if (n->state >= NET_NAME && n->state <= NET_ASK)
		round_cut(n);
	if (n->state >= NET_NAME) {
		n->code = CODE_LINK_LOST;
		net_enter(n, NET_JOIN, EIGHTHS(1) + (rnd_next() & 15));
	} else if (n->state == NET_DHCP) {
		join_failed(n, n->code == CODE_NO_ADDRESS ? CODE_NO_ADDRESS : CODE_LINK_LOST);
	} else if (net_awaits(n, NET_JOIN)) {
		join_failed(n, code == WINC_NO_NETWORK ? CODE_NO_NETWORK : code == WINC_NO_AUTH ? CODE_NO_AUTH : CODE_NO_JOIN);
	}
}

static void on_up(struct net *n)
{
	if (n->state != NET_BOOT)
		return;
	net_mend(n, CODE_NO_NETWORK);
	winc_random();
	net_enter(n, NET_JOIN, 0);
}

static void no_address(struct net *n)
{
	n->must_leave = true;
	join_failed(n, CODE_NO_ADDRESS);
}

static void on_bound(struct net *n, int8_t code)
{
	if (!net_awaits(n, NET_BIND))
		return;
	if (code == 0)
		net_enter(n, NET_ASK, 0);
	else
		net_dead(n, CODE_NO_MODULE);
}

static NOINLINE void on_event(struct net *n, const struct winc_event *event)
{
	switch (event->kind) {
	case WINC_UP:
		on_up(n);
		break;
	case WINC_DEAD:
		net_dead(n, event->code == WINC_NO_BOOT ? CODE_NO_START
		    : event->code == WINC_UNKNOWN ? CODE_REVISION : CODE_NO_MODULE);
		break;
	case WINC_JOINED:
		if (net_awaits(n, NET_JOIN)) {
			net_mend(n, CODE_NO_ADDRESS);
			net_enter(n, NET_DHCP, 0);
		}
		break;
	case WINC_LEFT:
		on_left(n, event->code);
		break;
	case WINC_ADDRESS:
		on_address(n, event->ip);
		break;
	case WINC_NO_ADDRESS:
		if (n->state >= NET_DHCP)
			no_address(n);
		break;
	case WINC_NAME:
		round_found(n, event->ip, event->code != 0);
		break;
	case WINC_BOUND:
		on_bound(n, event->code);
		break;
	case WINC_SENT:
		on_sent(n, event);
		break;
	case WINC_DATA:
		round_data(n, event);
		break;
	case WINC_RANDOM:
		for (uint8_t i = 0; event->code == 0 && i < WINC_RANDOM_BYTES; i++)
			rnd_mix(event->data[i]);
	}
}

static void begin_boot(struct net *n)
{
	if (conf.ssid[0] == '\0') {
		n->code = CODE_NO_CONFIG;
		return;
	}
	n->must_leave = false;
	n->ip = 0;
	winc_start(n->depth);
	net_enter(n, NET_BOOT, 0);
}

static bool begin_join(struct net *n)
{
	if (!n->must_leave)
		return winc_join(ssid_text, pass_text, conf.security);
	if (winc_leave())
		n->must_leave = false;
	return false;
}

static NOINLINE bool begin(struct net *n)
{
	switch (n->state) {
	case NET_OFF:
		begin_boot(n);
		return true;
	case NET_JOIN:
		return begin_join(n);
	case NET_NAME:
		return round_name(n);
	case NET_BIND:
		return winc_open((uint16_t)(FIRST_PORT + (rnd_next() & PORT_MASK)));
	case NET_ASK:
		return ask_send(servers_ip());
	case NET_IDLE:
		if (n->due == 0)
			round_begin(n);
		n->time = 0;
		return false;
	}
	return true;
}

/* Begun, but without a result. */
static NOINLINE void overdue(struct net *n)
{
	static FLASH uint16_t longest[] = {
		[NET_OFF] = UINT16_MAX, [NET_BOOT] = EIGHTHS(15), [NET_JOIN] = EIGHTHS(20), [NET_DHCP] = EIGHTHS(45),
		[NET_NAME] = EIGHTHS(5), [NET_BIND] = EIGHTHS(2), [NET_ASK] = EIGHTHS(2), [NET_IDLE] = UINT16_MAX,
	};

	if (n->state == NET_DHCP && n->time >= EIGHTHS(15))
		n->code = CODE_NO_ADDRESS;
	if (n->time < longest[n->state] || n->state == NET_OFF)
		return;
	if (n->state == NET_JOIN)
		join_failed(n, CODE_NO_JOIN);
	else if (n->state == NET_DHCP)
		no_address(n);
	else if (n->state == NET_NAME)
		round_found(n, 0, true);
	else if (n->state == NET_ASK)
		round_silence(n);
	else
		net_dead(n, n->state == NET_BOOT ? CODE_NO_START : CODE_NO_MODULE);
}

static void count_time(struct net *n)
{
	if ((uint16_t)((uint16_t)hal_ms() - n->ms) < EIGHTH_MS)
		return;
	n->ms += EIGHTH_MS;
	n->time++;
	n->due -= n->due > 0;
}

/* All that was learned with another configuration. */
static void forget(struct net *n)
{
	servers_init();
	n->joins = n->names = n->fails = 0;
	n->code = CODE_NONE;
	n->interval = INTERVAL_LEAST;
	n->depth = WINC_RESET;
	net_wait(n, 0);
	net_enter(n, NET_OFF, 0);
}

void net_init(void)
{
	struct net *n = VIA(net);

	winc_stop();
	ask_init();
	forget(n);
	n->must_leave = n->healthy = false;
	n->ip = n->round = 0;
	n->ms = (uint16_t)hal_ms();
}

void net_pass(void)
{
	struct net *n = VIA(net);
	struct winc_event event;

	count_time(n);
	winc_poll(&event);
	on_event(n, &event);
	if (n->begun) {
		overdue(n);
	} else if (n->time >= n->pause) {
		n->begun = begin(n);
		if (n->begun)
			n->time = 0;
		else if (n->time >= n->pause + STUCK)
			net_dead(n, CODE_NO_MODULE);
	}
}

void net_restart(void)
{
	struct net *n = VIA(net);
	uint8_t state = n->state;

	forget(n);
	if (conf.ssid[0] == '\0') {
		winc_stop();
	} else if (state >= NET_JOIN) {
		n->must_leave = true;
		net_enter(n, NET_JOIN, 0);
	}
}

bool net_ask_now(void)
{
	struct net *n = VIA(net);

	if (n->state < NET_NAME || ask_recently())
		return false;
	n->due = 0;
	return true;
}

uint8_t net_code(void)
{
	return net.code;
}

void net_get(struct net_info *info)
{
	const struct net *n = VIA(net);

	info->ip = n->ip;
	info->server = ask_server();
	info->next = n->due / 8;
	info->state = n->state;
}
