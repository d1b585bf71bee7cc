/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* SNTP packets (RFC 4330, RFC 5905): the request, and every check of a reply.  Pure: no state, no clock. */
#ifndef NTP_H
#define NTP_H

#include <stdbool.h>
#include <stdint.h>

#include "clk.h"

enum { NTP_BYTES = 48, NTP_PORT = 123, NTP_NONCE = 8 };

enum ntp_verdict {
	NTP_GOOD,
	/* not an answer to us: drop it and keep waiting */
	NTP_SHORT, NTP_ORIGIN, NTP_MODE, NTP_VERSION,
	/* an answer that ends the request */
	NTP_KISS_DENY,		/* DENY, RSTR */
	NTP_KISS_RATE,
	NTP_KISS,		/* any other code of letters: no time now */
	NTP_UNSYNCHRONISED,	/* LI 3, stratum 0 without code, stratum 16 on */
	NTP_STAMPS,		/* T2 or T3 zero, T3 before T2 or 1 s after it, reference after T3 */
	NTP_DELAY, NTP_DISTANCE, NTP_DATE,
};

struct ntp_limits {
	uint16_t delay;		/* longest round trip, 1/65536 s; 65535: 1 s */
	uint32_t distance;	/* largest root distance, 1/65536 s */
};

struct ntp_reply {
	struct stamp time;	/* at T4: T3 + delay / 2 */
	int32_t delay;		/* of the network, 1/65536 s */
	uint32_t distance;	/* root delay / 2 + root dispersion, 1/65536 s */
	uint8_t leap;		/* 0, 1 insert, 2 delete */
};

void ntp_request(uint8_t packet[NTP_BYTES], const uint8_t nonce[NTP_NONCE]);

/* length: bytes that came, packet holds the first 48 of them.  t1, t4: ticks of sending and arrival. */
enum ntp_verdict ntp_check(const uint8_t packet[NTP_BYTES], uint16_t length,
    const uint8_t nonce[NTP_NONCE], uint32_t t1, uint32_t t4,
    const struct ntp_limits *limits, struct ntp_reply *reply);

#endif
