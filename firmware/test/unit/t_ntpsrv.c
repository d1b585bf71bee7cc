/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripted time server: its packets, its clock against integer arithmetic, its faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ntpsrv.h"

#define IP 0x7b0200c0u
#define UTC 1795178090u		/* 2026-11-20 12:34:50 */
#define SECOND 16000000ull
#define MS 16000ull

static struct ntpsrv server;
static struct ntpsrv_reply reply[2];
static uint8_t request[48] = { 0x23, 0, 6, [40] = 1, 2, 3, 4, 5, 6, 7, 8 };

static int init(void **state)
{
	(void)state;
	ntpsrv_init(&server, IP, UTC);
	return 0;
}

static uint32_t big(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* UTC in 2^-32 s of a timestamp of the 20th century's era. */
static uint64_t stamp(const uint8_t *p)
{
	return (uint64_t)(uint32_t)(big(p) - 2208988800u) << 32 | big(p + 4);
}

/* Microseconds from b to a. */
static double us(uint64_t a, uint64_t b)
{
	return (double)(int64_t)(a - b) * 1e6 / 4294967296.0;
}

static void packet(void **state)
{
	(void)state;
	server.leap = 1;
	server.root_delay = 0x00012345;
	server.root_dispersion = 0x0000abcd;
	server.out_ms = 10;
	server.back_ms = 40;
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, 7 * SECOND, reply), 1);
	const uint8_t *p = reply[0].data;
	assert_int_equal(reply[0].size, 48);
	assert_int_equal(reply[0].ip, IP);
	assert_int_equal(reply[0].port, 123);
	assert_int_equal(p[0], 0x64);
	assert_int_equal(p[1], 2);
	assert_int_equal(p[2], 6);
	assert_int_equal(big(p + 4), 0x00012345);
	assert_int_equal(big(p + 8), 0x0000abcd);
	assert_memory_equal(p + 24, request + 40, 8);
	double t2 = us(stamp(p + 32), (uint64_t)UTC << 32), t3 = us(stamp(p + 40), (uint64_t)UTC << 32);
	assert_true(t2 > 7010000 - 0.001 && t2 < 7010000 + 0.001);
	assert_true(t3 > 7010020 - 0.001 && t3 < 7010020 + 0.001);
	assert_int_equal(reply[0].cycle, 7 * SECOND + 50 * MS + 320);
	assert_int_equal(server.requests, 1);
	assert_int_equal(server.asked[0], 7 * SECOND);
	assert_memory_equal(server.last, request, 48);
}

/* The server's clock by 128-bit integers: utc + c / (16 * (1000000 + ppm)). */
static void clock_is_exact(void **state)
{
	static const int ppm[] = { 0, 40, -40, 200, -200 };

	(void)state;
	for (unsigned i = 0; i < sizeof ppm / sizeof *ppm; i++) {
		server.ppm = ppm[i];
		uint64_t hz = 16 * (uint64_t)(1000000 + ppm[i]);
		for (uint64_t cycle = 0; cycle < 30 * 86400 * SECOND; cycle += 987654321987u) {
			uint32_t frac, utc = ntpsrv_utc(&server, cycle, &frac);
			unsigned __int128 want = ((unsigned __int128)cycle << 32) / hz + ((unsigned __int128)UTC << 32);
			double off = us((uint64_t)utc << 32 | frac, (uint64_t)want);

			assert_true(off > -0.01 && off < 0.01);
		}
	}
}

static void jump(void **state)
{
	(void)state;
	uint32_t frac;

	server.jump = -0.25;
	assert_int_equal(ntpsrv_utc(&server, 0, &frac), UTC - 1);
	assert_int_equal(frac, 0xc0000000);
	server.jump = 2000.5;
	assert_int_equal(ntpsrv_utc(&server, SECOND, &frac), UTC + 2001);
	assert_int_equal(frac, 0x80000000);
	server.jump = -1e9;
	assert_int_equal(ntpsrv_utc(&server, 0, NULL), UTC - 1000000000);
}

/* Across 2036-02-07 06:28:16 the packet's seconds wrap, UTC continues. */
static void era(void **state)
{
	(void)state;
	server.utc = 2085978490;
	server.out_ms = 0;
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, 5 * SECOND, reply), 1);
	assert_int_equal(big(reply[0].data + 32), 0xffffffff);
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, 6 * SECOND, reply), 1);
	assert_int_equal(big(reply[0].data + 32), 0);
	assert_int_equal(ntpsrv_utc(&server, 6 * SECOND, NULL), 2085978496);
}

static unsigned answered(uint8_t loss, uint32_t seed)
{
	unsigned count = 0;

	init(NULL);
	server.loss = loss;
	server.seed = seed;
	for (unsigned i = 0; i < 10000; i++)
		count += ntpsrv_ask(&server, request, sizeof request, i * SECOND, reply);
	assert_int_equal(server.requests, 10000);
	return count;
}

static void loss(void **state)
{
	(void)state;
	assert_int_equal(answered(0, 1), 10000);
	assert_int_equal(answered(100, 1), 0);
	unsigned first = answered(30, 1), other = answered(30, 2);
	assert_in_range(first, 6800, 7200);
	assert_in_range(other, 6800, 7200);
	assert_int_equal(answered(30, 1), first);
	server.loss = 0;
	server.silent = true;
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, 0, reply), 0);
}

static void copies(void **state)
{
	(void)state;
	server.copies = 2;
	server.from_ip = 0x01020304;
	server.from_port = 124;
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, SECOND, reply), 2);
	assert_int_equal(reply[1].cycle - reply[0].cycle, 300 * MS);
	assert_memory_equal(reply[0].data, reply[1].data, 48);
	assert_int_equal(reply[1].ip, 0x01020304);
	assert_int_equal(reply[1].port, 124);
	assert_int_equal(server.replies, 2);
}

/* The first of two copies lies about its origin, every third reply is dropped, the rest is long. */
static void edit(struct ntpsrv *of, uint32_t n, uint8_t bytes[1500], uint16_t *size)
{
	assert_ptr_equal(of, &server);
	assert_int_equal(*size, 48);
	++*(unsigned *)of->arg;
	bytes[24] ^= n % 2 == 0;
	*size = n % 3 == 2 ? 0 : n % 3 == 1 ? 1500 : 47;
}

static void edits(void **state)
{
	(void)state;
	unsigned calls = 0;

	server.copies = 2;
	server.edit = edit;
	server.arg = &calls;
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, SECOND, reply), 2);
	assert_int_equal(reply[0].data[24], request[40] ^ 1);
	assert_int_equal(reply[1].data[24], request[40]);
	assert_int_equal(reply[0].size, 47);
	assert_int_equal(reply[1].size, 1500);
	assert_int_equal(ntpsrv_ask(&server, request, sizeof request, SECOND, reply), 1);
	assert_int_equal(reply[0].data[24], request[40]);
	assert_int_equal(calls, 4);
}

static void odd_requests(void **state)
{
	(void)state;
	uint8_t big_one[1500] = { 0x1b };

	assert_int_equal(ntpsrv_ask(&server, request, 47, 0, reply), 0);
	assert_int_equal(ntpsrv_ask(&server, request, 0, 0, reply), 0);
	server.version = 0;
	assert_int_equal(ntpsrv_ask(&server, big_one, sizeof big_one, 0, reply), 1);
	assert_int_equal(reply[0].data[0], 0x1c);
	for (unsigned i = 0; i < 5000; i++)
		ntpsrv_ask(&server, request, sizeof request, i, reply);
	assert_int_equal(server.requests, 5003);
	assert_int_equal(server.asked[4095], 4092);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(packet, init), cmocka_unit_test_setup(clock_is_exact, init),
		cmocka_unit_test_setup(jump, init), cmocka_unit_test_setup(era, init), cmocka_unit_test_setup(loss, init),
		cmocka_unit_test_setup(copies, init), cmocka_unit_test_setup(edits, init), cmocka_unit_test_setup(odd_requests, init),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
