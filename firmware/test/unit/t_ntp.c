/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* ntp.c: the request's bytes, the arithmetic of the reference's examples, each check by a packet that fails only it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "board.h"
#include "ntp.h"

#define NTP_1970 2208988800.0L

static const uint8_t nonce[NTP_NONCE] = { 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7 };
static const struct ntp_limits usual = { 16384, 65535 };

static void put32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Seconds since 1970, by long double: independent of the firmware's integers. */
static void put_time(uint8_t *p, long double utc)
{
	long double ntp = utc + NTP_1970;
	uint64_t whole = (uint64_t)ntp;

	put32(p, (uint32_t)whole);
	put32(p + 4, (uint32_t)((ntp - (long double)whole) * 4294967296.0L));
}

static void good_packet(uint8_t p[NTP_BYTES], long double t2, long double t3)
{
	memset(p, 0, NTP_BYTES);
	p[0] = 0x24;
	p[1] = 2;
	p[3] = 0xe9;
	put32(p + 4, 0x00000800);
	put32(p + 8, 0x00000400);
	put32(p + 12, 0xc0000201);
	put_time(p + 16, t2 - 100);
	memcpy(p + 24, nonce, NTP_NONCE);
	put_time(p + 32, t2);
	put_time(p + 40, t3);
}

static enum ntp_verdict check_ticks(const uint8_t *p, uint32_t t1, uint32_t t4, struct ntp_reply *reply)
{
	memset(reply, 0x55, sizeof *reply);
	return ntp_check(p, NTP_BYTES, nonce, t1, t4, &usual, reply);
}

static enum ntp_verdict check(const uint8_t *p)
{
	struct ntp_reply reply;

	return check_ticks(p, 1000, 1000 + 12500, &reply);
}

static void test_request(void **state)
{
	uint8_t p[NTP_BYTES];

	(void)state;
	memset(p, 0xff, sizeof p);
	ntp_request(p, nonce);
	assert_int_equal(p[0], 0x23);
	for (int i = 1; i < 40; i++)
		assert_int_equal(p[i], 0);
	assert_memory_equal(p + 40, nonce, NTP_NONCE);
}

/* T1 = 100.000, T2 = 163.040, T3 = 163.041, T4 = 100.101: delay 0.100, the server has 163.091 at T4. */
static void test_example(void **state)
{
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;
	long double base = 1795178096.0L;

	(void)state;
	good_packet(p, base + 63.040L, base + 63.041L);
	assert_int_equal(check_ticks(p, 100000 * TICKS_PER_MS, 100101 * TICKS_PER_MS, &reply), NTP_GOOD);
	assert_in_range(reply.delay, 6553, 6555);
	assert_int_equal(reply.time.utc, 1795178096 + 63);
	assert_in_range(reply.time.frac, (int)(0.091 * 65536) - 1, (int)(0.091 * 65536) + 2);
	assert_int_equal(reply.distance, 0x800);
	assert_int_equal(reply.leap, 0);
}

static void test_instants(void **state)
{
	static const struct { uint32_t ntp, unix_; } row[] = {
		{ 0xed003780, 1767225600 }, { 0xffffffff, 2085978495 }, { 0, 2085978496 },
		{ 0x03aa7e80, 2147483648U }, { 0x787e9e00, 4107542400U },
	};
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		bool known = row[i].unix_ >= FW_BUILD_UNIX && row[i].unix_ - FW_BUILD_UNIX < 1893456000;

		good_packet(p, 1795178096, 1795178096);
		memset(p + 16, 0, 8);
		put32(p + 32, row[i].ntp);
		put32(p + 36, 1);
		put32(p + 40, row[i].ntp);
		put32(p + 44, 2);
		assert_int_equal(check_ticks(p, 0, 0, &reply), known ? NTP_GOOD : NTP_DATE);
		assert_int_equal(reply.time.utc, row[i].unix_);
		assert_int_equal(reply.time.frac, 0);
	}
}

/* Over the end of era 0, with T2 before and T3 after it, and the half delay carrying into the next second. */
static void test_era(void **state)
{
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	(void)state;
	good_packet(p, 2085978495.75L, 2085978496.25L);
	assert_int_equal(check_ticks(p, 0, 150000, &reply), NTP_GOOD);
	assert_int_equal(reply.time.utc, 2085978496);
	assert_in_range(reply.time.frac, 19660, 19662);		/* .25 + .05 */
	good_packet(p, 2085978495.95L, 2085978495.95L);
	assert_int_equal(check_ticks(p, 0xffffff00, 0xffffff00 + 50000, &reply), NTP_GOOD);
	assert_int_equal(reply.time.utc, 2085978496);
	assert_in_range(reply.time.frac, 3275, 3279);		/* .95 + .10 */
}

/* Against long double, over the whole range of delays that may pass. */
static void test_arithmetic(void **state)
{
	uint64_t seed = 1;
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;
	const struct ntp_limits wide = { 65535, 65535 };

	(void)state;
	for (int i = 0; i < 200000; i++) {
		long double t3, took, at, delay, error;
		uint32_t t1, ticks;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		t1 = (uint32_t)(seed >> 32);
		ticks = (uint32_t)(seed >> 20) % 249000;
		took = (long double)((seed >> 8) % 1000) / 1000 * ticks / TICK_HZ;
		t3 = FW_BUILD_UNIX + 1.0L + (long double)(seed >> 33) / 1.2L;
		good_packet(p, t3 - took, t3);
		if (ntp_check(p, NTP_BYTES, nonce, t1, t1 + ticks, &wide, &reply) != NTP_GOOD)
			fail();
		delay = (long double)ticks / TICK_HZ - took;
		at = t3 + delay / 2;
		error = (long double)reply.time.utc + reply.time.frac / 65536.0L - at;
		if (error > 40e-6L || error < -40e-6L)
			fail();
		error = reply.delay / 65536.0L - delay;
		if (error > 40e-6L || error < -40e-6L)
			fail();
	}
}

static void test_no_answers(void **state)
{
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	(void)state;
	good_packet(p, 1795178096, 1795178096);
	assert_int_equal(ntp_check(p, 47, nonce, 0, 0, &usual, &reply), NTP_SHORT);
	assert_int_equal(ntp_check(NULL, 0, nonce, 0, 0, &usual, &reply), NTP_SHORT);
	assert_int_equal(ntp_check(p, 1400, nonce, 0, 0, &usual, &reply), NTP_GOOD);
	for (int bit = 0; bit < 64; bit++) {
		good_packet(p, 1795178096, 1795178096);
		p[24 + bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_int_equal(check(p), NTP_ORIGIN);
	}
	for (int head = 0; head < 256; head++) {
		int mode = head & 7, version = head >> 3 & 7, leap = head >> 6;

		good_packet(p, 1795178096, 1795178096);
		p[0] = (uint8_t)head;
		assert_int_equal(check(p), mode != 4 ? NTP_MODE : version != 3 && version != 4 ? NTP_VERSION
		    : leap == 3 ? NTP_UNSYNCHRONISED : NTP_GOOD);
	}
}

static enum ntp_verdict kiss(const char *code)
{
	uint8_t p[NTP_BYTES];

	good_packet(p, 1795178096, 1795178096);
	p[0] |= 0xc0;
	p[1] = 0;
	memcpy(p + 12, code, 4);
	memset(p + 32, 0, 16);
	return check(p);
}

static void test_kisses(void **state)
{
	uint8_t p[NTP_BYTES];

	(void)state;
	assert_int_equal(kiss("DENY"), NTP_KISS_DENY);
	assert_int_equal(kiss("RSTR"), NTP_KISS_DENY);
	assert_int_equal(kiss("RATE"), NTP_KISS_RATE);
	assert_int_equal(kiss("INIT"), NTP_KISS);
	assert_int_equal(kiss("STEP"), NTP_KISS);
	assert_int_equal(kiss("XABC"), NTP_KISS);
	assert_int_equal(kiss("\0\0\0\0"), NTP_UNSYNCHRONISED);
	assert_int_equal(kiss("RAT\0"), NTP_UNSYNCHRONISED);
	assert_int_equal(kiss("deny"), NTP_UNSYNCHRONISED);
	/* a kiss that does not answer us must not be heard */
	good_packet(p, 1795178096, 1795178096);
	p[1] = 0;
	memcpy(p + 12, "DENY", 4);
	p[31] ^= 1;
	assert_int_equal(check(p), NTP_ORIGIN);
	for (int stratum = 1; stratum < 256; stratum++) {
		good_packet(p, 1795178096, 1795178096);
		p[1] = (uint8_t)stratum;
		assert_int_equal(check(p), stratum < 16 ? NTP_GOOD : NTP_UNSYNCHRONISED);
	}
}

static enum ntp_verdict stamps(long double reference, long double t2, long double t3)
{
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	good_packet(p, t2, t3);
	put_time(p + 16, reference);
	return check_ticks(p, 0, 300000, &reply);
}

static void test_stamps(void **state)
{
	const long double t = 1795178096;
	uint8_t p[NTP_BYTES];

	(void)state;
	assert_int_equal(stamps(t, t, t + 0.9999L), NTP_GOOD);
	assert_int_equal(stamps(t, t + 0.5L, t + 1.4999L), NTP_GOOD);
	assert_int_equal(stamps(t, t, t + 1.0L), NTP_STAMPS);
	assert_int_equal(stamps(t, t + 0.5L, t + 1.5L), NTP_STAMPS);
	assert_int_equal(stamps(t, t, t - 0.0001L), NTP_STAMPS);
	assert_int_equal(stamps(t, t, t - 5), NTP_STAMPS);
	assert_int_equal(stamps(t, t, t + 60), NTP_STAMPS);
	/* by what the fields in between would take for a moment */
	assert_int_equal(stamps(t, t, t + 65536.01L), NTP_STAMPS);
	assert_int_equal(stamps(t, t, t - 65536 + 0.01L), NTP_STAMPS);
	assert_int_equal(stamps(t + 2, t, t + 0.5L), NTP_STAMPS);
	assert_int_equal(stamps(t - 1e8L, t, t + 0.9999L), NTP_GOOD);
	for (int at = 16; at <= 40; at += 8) {
		good_packet(p, t, t);
		memset(p + at, 0, 8);
		assert_int_equal(check(p), at == 16 ? NTP_GOOD : at == 24 ? NTP_ORIGIN : NTP_STAMPS);
	}
}

static void test_delay(void **state)
{
	const long double t = 1795178096;
	const struct ntp_limits second = { 65535, 65535 };
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	(void)state;
	good_packet(p, t, t + 0.5L);
	assert_int_equal(check_ticks(p, 0, 125000 + 62500 - 300, &reply), NTP_GOOD);	/* 250 ms */
	assert_int_equal(check_ticks(p, 0, 125000 + 62500 + 50, &reply), NTP_DELAY);
	assert_int_equal(check_ticks(p, 0, 125000 - 230, &reply), NTP_GOOD);		/* -1 ms */
	assert_int_equal(reply.time.utc, (uint32_t)t);
	assert_in_range(reply.time.frac, 32767, 32769);
	assert_int_equal(check_ticks(p, 0, 125000 - 280, &reply), NTP_DELAY);
	assert_int_equal(check_ticks(p, 1, 0, &reply), NTP_DELAY);
	assert_int_equal(ntp_check(p, 48, nonce, 0, 125000 + 249900, &second, &reply), NTP_GOOD);
	assert_int_equal(ntp_check(p, 48, nonce, 0, 125000 + 250100, &second, &reply), NTP_DELAY);
	/* 2^20 ticks and what would overflow from there */
	for (uint32_t ticks = 1U << 20; ticks != 0; ticks <<= 1)
		assert_int_equal(ntp_check(p, 48, nonce, 7, 7 + ticks, &second, &reply), NTP_DELAY);
}

static enum ntp_verdict distance(uint32_t root_delay, uint32_t dispersion, uint32_t most)
{
	const struct ntp_limits limits = { 65535, most };
	uint8_t p[NTP_BYTES];
	struct ntp_reply reply;

	good_packet(p, 1795178096, 1795178096);
	put32(p + 4, root_delay);
	put32(p + 8, dispersion);
	return ntp_check(p, 48, nonce, 0, 1000, &limits, &reply);
}

static void test_distance(void **state)
{
	(void)state;
	assert_int_equal(distance(0x10000, 0x7fff, 65535), NTP_GOOD);
	assert_int_equal(distance(0x10000, 0x8000, 65535), NTP_DISTANCE);
	assert_int_equal(distance(0, 0x10000, 65535), NTP_DISTANCE);
	assert_int_equal(distance(0x80000, 0, 65535), NTP_DISTANCE);
	assert_int_equal(distance(0x50000, 0x7fff, 3 * 65536 - 1), NTP_GOOD);
	assert_int_equal(distance(0x50000, 0x8000, 3 * 65536 - 1), NTP_DISTANCE);
	assert_int_equal(distance(0xffffffff, 0xffffffff, 3 * 65536 - 1), NTP_DISTANCE);
	assert_int_equal(distance(0xfffffffe, 0x80000001, 65535), NTP_DISTANCE);
	assert_int_equal(distance(0, 0xffffffff, 65535), NTP_DISTANCE);
	/* sums that overflow to a small one */
	assert_int_equal(distance(0x00fffffe, 0xff800001, 65535), NTP_DISTANCE);
	assert_int_equal(distance(0xfffffffe, 0x80000002, 65535), NTP_DISTANCE);
}

/* The transmit time is rounded to 1/65536 s, into the next second, too. */
static void test_rounding(void **state)
{
	static const struct { uint32_t fraction; uint16_t frac; uint8_t carry; } row[] = {
		{ 0x40007fff, 0x4000, 0 }, { 0x40008000, 0x4001, 0 }, { 0xffff7fff, 0xffff, 0 }, { 0xffff8000, 0, 1 },
	};
	struct ntp_reply reply;
	uint8_t p[NTP_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		good_packet(p, 1795178096, 1795178096);
		put32(p + 36, row[i].fraction);
		put32(p + 44, row[i].fraction);
		assert_int_equal(check_ticks(p, 1000, 1000, &reply), NTP_GOOD);
		assert_int_equal(reply.delay, 0);
		assert_int_equal(reply.time.frac, row[i].frac);
		assert_int_equal(reply.time.utc, 1795178096 + row[i].carry);
	}
}

static enum ntp_verdict date(long double utc)
{
	uint8_t p[NTP_BYTES];

	good_packet(p, utc, utc);
	memset(p + 16, 0, 8);
	return check(p);
}

static void test_date(void **state)
{
	const long double build = FW_BUILD_UNIX;

	(void)state;
	assert_int_equal(date(915148800), NTP_DATE);	/* 1999 */
	assert_int_equal(date(build - 1), NTP_DATE);
	assert_int_equal(date(build), NTP_GOOD);
	assert_int_equal(date(build + 60 * 365.25L * 86400 - 2), NTP_GOOD);
	assert_int_equal(date(build + 60 * 365.25L * 86400 + 1), NTP_DATE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request), cmocka_unit_test(test_example), cmocka_unit_test(test_instants),
		cmocka_unit_test(test_era), cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_no_answers),
		cmocka_unit_test(test_kisses), cmocka_unit_test(test_stamps), cmocka_unit_test(test_delay),
		cmocka_unit_test(test_distance), cmocka_unit_test(test_rounding), cmocka_unit_test(test_date),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
