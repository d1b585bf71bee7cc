/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The request under way.  Its nonce is random and lives until one answer was taken or the wait is over. */
#include "ask.h"

#include <string.h>

#include "hal.h"
#include "rnd.h"
#include "sync.h"

#define NOW ((uint16_t)(hal_ms() >> 10))	/* wraps after 18 h */
#define GAP 15				/* between two requests, about seconds */

_Static_assert((int)WINC_DATA_BYTES >= (int)NTP_BYTES, "all of a reply that is looked at");

static struct ask {
	uint8_t packet[NTP_BYTES];
	struct ntp_limits limits;
	uint32_t ip;
	uint32_t t1;		/* tick of sending */
	uint16_t at;		/* when the last one went out */
	bool sent;
	bool strange;		/* the server sent something that is not an answer */
} ask;

void ask_end(void)
{
	struct ask *a = VIA(ask);
	uint8_t nonce[NTP_NONCE];

	a->sent = false;
	for (uint8_t i = 0; i < NTP_NONCE; i++) {
		rnd_mix(hal_ticks());
		nonce[i] = (uint8_t)(rnd_next() >> 8);
	}
	ntp_request(a->packet, nonce);
}

void ask_init(void)
{
	struct ask *a = VIA(ask);

	memset(a, 0, sizeof *a);
	a->at = NOW - GAP;
	ask_end();
}

bool ask_send(uint32_t ip)
{
	struct ask *a = VIA(ask);

	ask_end();
	if (!winc_send(ip, NTP_PORT, a->packet, sizeof a->packet))
		return false;
	a->ip = ip;
	a->strange = false;
	a->at = NOW;
	sync_limits(&a->limits);
	return true;
}

void ask_sent(uint32_t tick)
{
	struct ask *a = VIA(ask);

	a->sent = true;
	a->t1 = tick;
}

bool ask_is_sent(void)
{
	return ask.sent;
}

enum ntp_verdict ask_check(const struct winc_event *event, struct ntp_reply *reply)
{
	struct ask *a = VIA(ask);
	enum ntp_verdict verdict;

	if (!a->sent || event->ip != a->ip || event->port != NTP_PORT)
		return NTP_SHORT;
	verdict = ntp_check(event->data, event->length, a->packet + NTP_BYTES - NTP_NONCE,
	    a->t1, event->tick, &a->limits, reply);
	if (verdict > NTP_GOOD && verdict <= NTP_VERSION)
		a->strange = true;
	return verdict;
}

bool ask_dropped(void)
{
	return ask.strange;
}

bool ask_recently(void)
{
	return (uint16_t)(NOW - ask.at) < GAP;
}

uint32_t ask_server(void)
{
	return ask.ip;
}
