/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hostile replies: 4 bytes t1, 4 bytes t4, 2 of length, 2 of delay limit, 4 of
 * distance limit, 8 of nonce, then the packet.  A packet that is accepted must
 * obey the reference's rules, which are computed here in another way.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "fuzz.h"
#include "ntp.h"

enum { HEAD = 24 };

const char *const fuzz_words[] = {
	"DENY", "RSTR", "RATE", "INIT", "STEP", "\x24\x01", "\x24\x10", "\xe4", "\x1c\x0f",
	"\x83\xaa\x7e\x80", "\xed\x00\x37\x80", NULL,
};

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static double get_time(const uint8_t *p)
{
	return (uint32_t)(get32(p) - 2208988800U) + get32(p + 4) / 4294967296.0;
}

/* delay and distance are in 1/65536 s; a rounding of two units is allowed */
static void expect_good(const uint8_t *p, double ticks, const struct ntp_limits *limits, const struct ntp_reply *reply)
{
	/* may cross the end of 2106, where get_time wraps */
	double took = remainder(get_time(p + 40) - get_time(p + 32), 4294967296.0);
	double delay = ticks / TICK_HZ - took;
	double distance = get32(p + 4) / 131072.0 + get32(p + 8) / 65536.0;
	double error = reply->time.utc + reply->time.frac / 65536.0 - get_time(p + 40) - (delay > 0 ? delay / 2 : 0);

	if ((p[0] & 7) != 4 || (p[0] >> 3 & 7) < 3 || (p[0] >> 3 & 7) > 4 || p[0] >> 6 == 3 || p[1] < 1 || p[1] > 15)
		abort();
	if (delay < -0.00105 || delay > (limits->delay + 2) / 65536.0 || distance > (limits->distance + 1) / 65536.0)
		abort();
	if (took < -20e-6 || took > 1.00002)
		abort();
	if (error > 0.0001 || error < -0.0001 || reply->time.utc < FW_BUILD_UNIX || reply->leap > 2)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ntp_limits limits;
	struct ntp_reply reply;
	uint32_t t1, t4;
	uint16_t length;
	uint8_t *packet;
	enum ntp_verdict verdict;

	if (size < HEAD)
		return 0;
	t1 = get32(data);
	t4 = get32(data + 4);
	length = (uint16_t)(data[8] << 8 | data[9]);
	limits.delay = (uint16_t)(data[10] << 8 | data[11]);
	limits.distance = get32(data + 12) >> 8;
	if (length > size - HEAD)
		length = (uint16_t)(size - HEAD);
	/* of its own, so that a read behind its end is seen */
	packet = malloc(length > 0 ? length : 1);
	if (packet == NULL)
		abort();
	memcpy(packet, data + HEAD, length);
	verdict = ntp_check(packet, length, data + 16, t1, t4, &limits, &reply);
	if (length < NTP_BYTES ? verdict != NTP_SHORT : memcmp(packet + 24, data + 16, 8) != 0 && verdict != NTP_ORIGIN)
		abort();
	if (verdict == NTP_GOOD)
		expect_good(packet, t4 - t1, &limits, &reply);
	free(packet);
	return 0;
}

size_t fuzz_seed(unsigned i, uint8_t *data)
{
	static const uint8_t seed[] = {
		0, 0, 16, 0,  0, 0, 100, 0,  0, 48, 0xff, 0xff,  0x02, 0xff, 0xff, 0,  1, 2, 3, 4, 5, 6, 7, 8,
		0x24, 2, 6, 0xe9,  0, 0, 8, 0,  0, 0, 4, 0,  127, 127, 1, 1,  0xf0, 0x80, 0, 0, 0, 0, 0, 0,
		1, 2, 3, 4, 5, 6, 7, 8,  0xf0, 0x80, 0, 9, 0, 0, 0, 0,  0xf0, 0x80, 0, 9, 0x08, 0, 0, 0,
	};

	if (i > 2)
		return 0;
	memcpy(data, seed, sizeof seed);
	if (i == 1)
		memcpy(data + HEAD, "\x24\0\0\0\0\0\0\0\0\0\0\0RATE", 16);
	if (i == 2)		/* the end of era 0 */
		memcpy(data + HEAD + 32, "\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\x10", 13);
	return sizeof seed;
}
