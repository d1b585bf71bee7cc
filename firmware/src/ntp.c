/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* SNTP packets: builds the request, judges the reply.  All fields are big-endian. */
#include "ntp.h"

#include <string.h>

#include "board.h"

/* Offsets of the fields (RFC 5905, 7.3). */
enum {
	HEAD = 0, STRATUM = 1, ROOT_DELAY = 4, ROOT_DISPERSION = 8, REFERENCE_ID = 12,
	REFERENCE = 16, ORIGIN = 24, RECEIVE = 32, TRANSMIT = 40,
};
enum { MODE_CLIENT = 3, MODE_SERVER = 4, VERSION = 4, LEAP_UNKNOWN = 3, STRATUM_NONE = 16 };

/* 1970-01-01 in NTP's seconds since 1900; modulo 2^32 right for both eras, to 2106. */
#define UNIX_EPOCH 2208988800UL

#define YEARS_60 (60UL * 36525 / 100 * 86400)
#define DELAY_LEAST (-66)	/* 1 ms: either clock may be a little coarse */

/* "RATE" and the like, in the packet's byte order */
#define KISS(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint16_t)((c) << 8) | (d))

static uint32_t get32(const uint8_t *p)
{
	uint32_t value = 0;

	for (uint8_t i = 0; i < 4; i++)
		value = value << 8 | p[i];
	return value;
}

/* A timestamp's low 16 bits of seconds and high 16 of fraction: enough for short differences. */
static uint32_t middle(const uint8_t *stamp)
{
	return get32(stamp + 2);
}

static bool is_zero(const uint8_t *stamp)
{
	for (uint8_t i = 0; i < 8; i++)
		if (stamp[i] != 0)
			return false;
	return true;
}

void ntp_request(uint8_t packet[NTP_BYTES], const uint8_t nonce[NTP_NONCE])
{
	memset(packet, 0, NTP_BYTES);
	packet[HEAD] = VERSION << 3 | MODE_CLIENT;
	memcpy(packet + TRANSMIT, nonce, NTP_NONCE);
}

static enum ntp_verdict check_answer(const uint8_t *packet, uint16_t length, const uint8_t *nonce)
{
	uint8_t version;

	if (length < NTP_BYTES)
		return NTP_SHORT;
	if (memcmp(packet + ORIGIN, nonce, NTP_NONCE) != 0)
		return NTP_ORIGIN;
	if ((packet[HEAD] & 7) != MODE_SERVER)
		return NTP_MODE;
	version = packet[HEAD] & 7 << 3;
	if (version != 3 << 3 && version != 4 << 3)
		return NTP_VERSION;
	return NTP_GOOD;
}

/* Stratum 0 says why there is no time, in four capital letters; without them the server just has none. */
static enum ntp_verdict check_kiss(const uint8_t *code)
{
	uint32_t kiss = get32(code);

	for (uint8_t i = 0; i < 4; i++)
		if (code[i] < 'A' || code[i] > 'Z')
			return NTP_UNSYNCHRONISED;
	if (kiss == KISS('D', 'E', 'N', 'Y') || kiss == KISS('R', 'S', 'T', 'R'))
		return NTP_KISS_DENY;
	return kiss == KISS('R', 'A', 'T', 'E') ? NTP_KISS_RATE : NTP_KISS;
}

static uint32_t server_took(const uint8_t *packet)
{
	return middle(packet + TRANSMIT) - middle(packet + RECEIVE);
}

static enum ntp_verdict check_server(const uint8_t *packet)
{
	const uint8_t *reference = packet + REFERENCE;

	if (packet[STRATUM] == 0)
		return check_kiss(packet + REFERENCE_ID);
	if (packet[HEAD] >> 6 == LEAP_UNKNOWN || packet[STRATUM] >= STRATUM_NONE)
		return NTP_UNSYNCHRONISED;
	if (is_zero(packet + RECEIVE) || is_zero(packet + TRANSMIT) || server_took(packet) >= 1UL << 16
	    || get32(packet + TRANSMIT) - get32(packet + RECEIVE) > 1)
		return NTP_STAMPS;
	if (!is_zero(reference) && (int32_t)(get32(packet + TRANSMIT) - get32(reference)) < 0)
		return NTP_STAMPS;
	return NTP_GOOD;
}

/* The round trip without the time the server took for it, 1/65536 s. */
static bool check_delay(const uint8_t *packet, uint32_t ticks, uint16_t most, int32_t *delay)
{
	if (ticks >= 1UL << 20)
		return false;
	/* 65536 / 250000 = 4096 / 15625 */
	*delay = (int32_t)((ticks * 4096 + 7812) / 15625 - server_took(packet));
	return *delay >= DELAY_LEAST && *delay <= most;
}

static bool check_distance(const uint8_t *packet, struct ntp_reply *reply, uint32_t most)
{
	/* 256 s and more could overflow the sum, and is too much anyway. */
	if (packet[ROOT_DISPERSION] != 0)
		return false;
	reply->distance = get32(packet + ROOT_DELAY) / 2 + get32(packet + ROOT_DISPERSION);
	return reply->distance <= most;
}

/* The server's time when its reply came: half of the way is behind it.  None from before the firmware was made. */
static bool check_date(const uint8_t *packet, struct ntp_reply *reply)
{
	uint32_t fraction = (middle(packet + TRANSMIT) & 0xffff) + (packet[TRANSMIT + 6] >> 7);

	if (reply->delay > 0)
		fraction += (uint16_t)reply->delay / 2;
	reply->time.utc = get32(packet + TRANSMIT) - UNIX_EPOCH + (fraction >> 16);
	reply->time.frac = (uint16_t)fraction;
	return reply->time.utc - FW_BUILD_UNIX < YEARS_60;
}

enum ntp_verdict ntp_check(const uint8_t packet[NTP_BYTES], uint16_t length,
    const uint8_t nonce[NTP_NONCE], uint32_t t1, uint32_t t4,
    const struct ntp_limits *limits, struct ntp_reply *reply)
{
	enum ntp_verdict verdict = check_answer(packet, length, nonce);

	if (verdict == NTP_GOOD)
		verdict = check_server(packet);
	if (verdict != NTP_GOOD)
		return verdict;
	reply->leap = packet[HEAD] >> 6;
	if (!check_delay(packet, t4 - t1, limits->delay, &reply->delay))
		return NTP_DELAY;
	if (!check_distance(packet, reply, limits->distance))
		return NTP_DISTANCE;
	return check_date(packet, reply) ? NTP_GOOD : NTP_DATE;
}
