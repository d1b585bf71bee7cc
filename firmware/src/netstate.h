/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the way to the time, shared by net.c and round.c only. */
#ifndef NETSTATE_H
#define NETSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "winc.h"

#define EIGHTHS(seconds) ((seconds) * 8U)

enum { INTERVAL_LEAST = 64 };

extern struct net {
	uint32_t due;		/* to the next request, whatever the link does meanwhile */
	uint32_t ip;
	uint16_t ms;		/* low part of hal_ms at the last eighth */
	uint16_t time;		/* since the state was entered or begun */
	uint16_t pause;		/* before it begins */
	uint16_t interval;	/* s, the last between two polls */
	uint8_t state;
	uint8_t code;
	bool begun;		/* the pause is over, the request went out */
	uint8_t why;		/* code of a server of this round that gave no time */
	bool must_leave;	/* the network, before it is joined again */
	bool healthy;		/* a reply came since the module was started */
	uint8_t depth;		/* of the last start */
	uint8_t round;		/* times all depths were tried without success */
	uint8_t joins, names, fails;	/* in a row: to join, of one name, to get the time */
} net;

/* net.c */
void net_enter(struct net *n, uint8_t state, uint16_t pause);
bool net_awaits(const struct net *n, uint8_t state);	/* it is in that state, and its request went out */
void net_mend(struct net *n, uint8_t below);	/* what the codes below stood for is over */
void net_wait(struct net *n, uint32_t seconds);	/* the question is over: when the next one? */
void net_dead(struct net *n, uint8_t code);	/* the module is started again, gently at first, with ever longer pauses */
/* value doubled so many times, up to cap; +- 6 %. */
uint16_t net_doubled(uint16_t value, uint8_t times, uint16_t cap);

/* round.c */
void round_begin(struct net *n);
bool round_name(struct net *n);		/* asks for the address of the round's server; false: not begun, see the state */
void round_found(struct net *n, uint32_t ip, bool silent);	/* silent: the module did not even say that there is no such name */
void round_data(struct net *n, const struct winc_event *event);
void round_silence(struct net *n);	/* no answer in time */
void round_cut(struct net *n);		/* the link broke */

#endif
