/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A round of questions: one server after the other is looked up and asked;
 * when the last one is done with, what they said is decided upon, and when to
 * ask again.
 */
#include "ask.h"
#include "hal.h"
#include "net.h"
#include "netstate.h"
#include "servers.h"
#include "sync.h"

/* No time in this round: later again. */
static void failed(struct net *n)
{
	uint8_t code = n->why;

	net_wait(n, 0);
	n->due = net_doubled(EIGHTHS(2), n->fails, EIGHTHS(1024));
	/* Only fails % 8 matters at this size: 217 replaces 241. */
	n->fails = n->fails < 240 ? n->fails + 1 : 217;
	if (code == CODE_NONE)
		return;			/* nobody was to be asked yet */
	n->code = code;
	/* The module may be the one that does not listen. */
	if (n->fails % 8 == 0 && (code == CODE_NO_ANSWER || code == CODE_NO_NAME)) {
		n->depth = WINC_RESET;
		net_enter(n, NET_OFF, 0);
	}
}

/* The round is over. */
static void decide(struct net *n)
{
	enum sync_act act = sync_decide();
	uint16_t seconds = sync_next();

	if (act == SYNC_NOTHING) {
		failed(n);
		return;
	}
	n->fails = 0;
	/* While it is in doubt whether the clock or the server is wrong, what was said of servers stands. */
	net_mend(n, act == SYNC_AGAIN || act == SYNC_OTHER ? CODE_REJECTED : UINT8_MAX);
	if (act == SYNC_DISAGREE)
		n->code = CODE_DISAGREE;
	if (act == SYNC_SPIKE)
		n->code = CODE_REJECTED;
	if (seconds >= INTERVAL_LEAST)
		n->interval = seconds;
	net_wait(n, seconds);
}

/* This server is done with: the next one of the round. */
static NOINLINE void next(struct net *n, uint8_t code)
{
	if (code != CODE_NONE)
		n->why = code;
	ask_end();
	if (servers_next())
		net_enter(n, NET_NAME, 0);
	else
		decide(n);
}

static void on_good(struct net *n, const struct ntp_reply *reply, uint32_t t4)
{
	n->healthy = true;
	servers_good();
	sync_hear(reply, t4, (uint16_t)(servers_ip() >> 16));
	next(n, CODE_NONE);
}

static void on_no_time(struct net *n, enum ntp_verdict verdict)
{
	uint8_t code = verdict <= NTP_UNSYNCHRONISED ? CODE_NOT_SYNCHRONISED : CODE_REJECTED;

	if (verdict == NTP_KISS_DENY || verdict == NTP_KISS_RATE)
		code = CODE_REFUSED;
	if (verdict == NTP_KISS_DENY)
		servers_refused();
	if (verdict == NTP_KISS_RATE)
		servers_slower(n->interval);
	next(n, code);
}

void round_data(struct net *n, const struct winc_event *event)
{
	struct ntp_reply reply;
	enum ntp_verdict verdict;

	if (n->state != NET_ASK)
		return;
	verdict = ask_check(event, &reply);
	if (verdict == NTP_GOOD)
		on_good(n, &reply, event->tick);
	else if (verdict > NTP_VERSION)
		on_no_time(n, verdict);
}

static uint8_t silence(void)
{
	return ask_dropped() ? CODE_REJECTED : CODE_NO_ANSWER;
}

void round_silence(struct net *n)
{
	next(n, silence());
}

/* However often the link breaks, the servers have their pauses. */
void round_cut(struct net *n)
{
	if (n->state == NET_ASK)
		n->why = silence();
	if (ask_recently())
		decide(n);
}

static void found(struct net *n, uint32_t ip)
{
	switch (servers_found(ip)) {
	case SERVERS_ASK:
		net_mend(n, CODE_NO_ANSWER);
		net_enter(n, NET_BIND, 0);
		break;
	case SERVERS_NONE:
		next(n, CODE_NO_NAME);
		break;
	case SERVERS_HELD:
		next(n, CODE_NONE);
		break;
	case SERVERS_AGAIN:
		/* A name that has no more addresses to tell; or two names of one machine. */
		if (servers_first())
			next(n, CODE_NONE);
		else
			decide(n);
	}
}

void round_found(struct net *n, uint32_t ip, bool silent)
{
	if (!net_awaits(n, NET_NAME))
		return;
	if (ip == 0 && servers_first() && ++n->names < 3) {
		net_enter(n, NET_NAME, EIGHTHS(1));
		return;
	}
	n->names = 0;
	if (ip == 0 && silent && servers_ip() == 0)
		net_dead(n, CODE_NO_NAME);
	else
		found(n, ip);
}

bool round_name(struct net *n)
{
	uint32_t ip;

	if (!servers_listed()) {
		n->code = CODE_NO_NAME;
		net_wait(n, 60);
		return false;
	}
	ip = servers_dotted();
	if (ip == 0)
		return winc_resolve(servers_name);
	found(n, ip);
	return false;
}

void round_begin(struct net *n)
{
	n->why = CODE_NONE;
	servers_begin();
	sync_begin();
	net_enter(n, NET_NAME, 0);
}
