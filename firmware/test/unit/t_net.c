/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* net.c, servers.c, ask.c: questions, answers, servers, names. */
#include "net_world.h"

static void test_way(void **state)
{
	struct net_info info;

	(void)state;
	begin("one.example");
	run(8);
	assert_int_equal(starts, 1);
	assert_int_equal(depth[0], WINC_RESET);
	assert_int_equal(joins, 1);
	assert_string_equal(asked_name, "one.example");
	assert_int_equal(sent, 1);
	assert_int_equal(sent_ip[0], FIRST_IP);
	assert_int_equal(replies, 1);
	assert_int_equal(rounds, 1);
	net_get(&info);
	assert_int_equal(info.state, NET_IDLE);
	assert_int_equal(info.ip, 0x070200c0);
	assert_int_equal(info.server, FIRST_IP);
	assert_in_range(info.next, 55, 64);
	assert_int_equal(net_code(), CODE_NONE);
	act = SYNC_SLEW;
	next = 3600;
	run(70 + 3 * 3601);
	assert_int_equal(replies, 5);
	assert_gap(1, 63.8, 65.5);
	assert_gap(2, 3600, 3602);
	assert_gap(3, 3600, 3602);
	assert_int_equal(names, 10);		/* each time again, to see whether it has more addresses */
	for (unsigned i = 0; i < opens; i++) {
		assert_in_range(ports[i], 49152, 65535);
		for (unsigned k = 0; k < i; k++)
			assert_memory_not_equal(nonces[i], nonces[k], 8);
	}
	for (unsigned byte = 0; byte < 8; byte++) {	/* all of it is random */
		unsigned same = 0;

		for (unsigned i = 1; i < sent; i++)
			same += nonces[i][byte] == nonces[i - 1][byte];
		assert_true(same < sent - 1);
	}
}

static void test_silent(void **state)
{
	double pause = 2;
	unsigned first;

	(void)state;
	begin("one.example");
	world.answer[0] = SILENT;
	run(12 * 3600);
	assert_int_equal(net_code(), CODE_NO_ANSWER);
	for (unsigned i = 1; i < 20; i++) {
		/* 2 s of waiting, the pause, a new name or a new start of the module */
		assert_gap(i, 2 + pause * 0.9, 2 + pause * 1.1 + 5);
		pause = pause < 1024 ? pause * 2 : 1024;
		if (i > 3)
			assert_true(gap(i) >= 15);
	}
	assert_in_range(sent, 40, 52);
	assert_true(starts >= 2);
	/* they stay as long, however often nobody answers */
	first = sent;
	run(80 * 3600);
	assert_true(sent > 265);
	for (unsigned i = first; i < sent; i++)
		assert_gap(i, 1024 * 0.9, 1024 * 1.1 + 10);
	world.answer[0] = GOOD;
	run(1200);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
	/* the pauses begin again */
	first = sent;
	world.answer[0] = SILENT;
	run(next + 40);
	assert_gap(first + 1, 2 + 2 * 0.9, 2 + 2 * 1.1 + 5);
}

static void test_hostile(void **state)
{
	static const struct { enum answer how; uint8_t code; unsigned replies; } row[] = {
		{ ORIGIN, CODE_REJECTED, 0 }, { LIAR_FIRST, CODE_NONE, 1 }, { ELSEWHERE, CODE_NO_ANSWER, 0 },
		{ SHORT_FIRST, CODE_NONE, 1 }, { TWICE, CODE_NONE, 1 }, { ANSWERS_LATE, CODE_NO_ANSWER, 0 },
		{ UNSYNCHRONISED, CODE_NOT_SYNCHRONISED, 0 }, { INIT, CODE_NOT_SYNCHRONISED, 0 },
		{ STAMPS, CODE_REJECTED, 0 }, { DISTANCE, CODE_REJECTED, 0 }, { DATE, CODE_REJECTED, 0 },
		{ SLOW, CODE_REJECTED, 0 }, { DENY, CODE_REFUSED, 0 }, { RATE, CODE_REFUSED, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		begin("one.example");
		world.answer[0] = row[i].how;
		run(40);
		if (net_code() != row[i].code || replies != row[i].replies)
			fail_msg("row %u: code %u, %u replies", i, net_code(), replies);
		assert_in_range(sent, 1, 6);
	}
}

static void test_deny(void **state)
{
	(void)state;
	begin("one.example");
	world.answer[0] = DENY;
	run(23.9 * 3600);
	assert_int_equal(sent, 1);
	assert_int_equal(net_code(), CODE_REFUSED);
	run(0.5 * 3600);
	assert_int_equal(sent, 2);	/* one try, and out again */
	world.answer[0] = GOOD;
	run(24.3 * 3600);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
	/* the other serves */
	begin("one.example two.example");
	world.answer[0] = DENY;
	act = SYNC_SLEW;
	next = 3600;
	run(20 * 3600);
	assert_in_range(replies, 19, 21);
	assert_int_equal(sent, replies + 1);
	assert_int_equal(sources[0], SECOND_IP >> 16);
	assert_int_equal(net_code(), CODE_NONE);
	/* both refuse */
	begin("one.example two.example");
	world.answer[0] = world.answer[1] = DENY;
	run(20 * 3600);
	assert_int_equal(sent, 2);
	assert_int_equal(net_code(), CODE_REFUSED);
}

static unsigned asked(uint32_t ip)
{
	unsigned count = 0;

	for (unsigned i = 0; i < sent; i++)
		count += sent_ip[i] == ip;
	return count;
}

/* It is a machine that refuses, not the name: the next look-up leads to another one. */
static void test_deny_pool(void **state)
{
	(void)state;
	begin("pool.example");
	world.pool = 4;
	world.pool_answer[0] = DENY;
	act = SYNC_SLEW;
	next = 3600;
	run(12);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
	run(23.9 * 3600);
	assert_int_equal(asked(pool_ip(0)), 1);
	run(2 * 3600);
	assert_int_equal(asked(pool_ip(0)), 2);		/* one try */
	/* one look-up, one machine, and that refuses; the name resolves to another one only after a while */
	begin("pool.example");
	world.pool = 1;
	world.pool_answer[0] = DENY;
	run(60);
	assert_int_equal(sent, 1);
	assert_int_equal(net_code(), CODE_REFUSED);
	world.pool = 3;
	run(200);
	assert_true(replies > 0);
	assert_int_equal(asked(pool_ip(0)), 1);
	/* all refuse: no address is forgotten for another one, and asked again */
	begin("pool.example");
	world.pool = 10;
	for (unsigned i = 0; i < 10; i++)
		world.pool_answer[i] = DENY;
	run(23.9 * 3600);
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(asked(pool_ip(i)), 0, 1);
	assert_int_equal(net_code(), CODE_REFUSED);
	assert_in_range(names, 20, 500);
}

/* The longest pause that RATE may bring ends before the tubes report a day without time. */
static void test_rate(void **state)
{
	(void)state;
	begin("one.example");
	act = SYNC_SLEW;
	next = 3600;
	run(8);
	assert_int_equal(replies, 1);
	world.answer[0] = RATE;
	run(3600);
	assert_int_equal(sent, 2);
	run(7190);
	assert_int_equal(sent, 2);
	run(1100);
	assert_int_equal(sent, 3);
	assert_int_equal(net_code(), CODE_REFUSED);
	for (int i = 0; i < 8; i++)
		run(36 * 3600);
	for (unsigned i = 6; i < sent; i++)
		assert_gap(i, 18 * 3600, 18 * 3600 + 1300);
	/* good answers make it less, in the end nothing */
	world.answer[0] = GOOD;
	while (replies == 1)
		run(60);
	assert_gap(sent - 1, 18 * 3600, 18 * 3600 + 1300);
	assert_int_equal(net_code(), CODE_NONE);
	run(8.9 * 3600);
	assert_int_equal(replies, 2);
	run(3600);
	assert_int_equal(replies, 3);
	run(24 * 3600);
	assert_gap(sent - 1, 3590, 3700);
	assert_int_equal(net_code(), CODE_NONE);
	/* with another one that one is asked, at its own pace */
	begin("one.example two.example");
	world.answer[0] = RATE;
	act = SYNC_SLEW;
	next = 3600;
	run(3 * 3600);
	assert_int_equal(asked(SECOND_IP), 3);
	assert_in_range(asked(FIRST_IP), 2, 3);
}

static void test_round(void **state)
{
	static const struct { enum sync_act act; uint8_t code; } row[] = {
		{ SYNC_SET, CODE_NONE }, { SYNC_SLEW, CODE_NONE }, { SYNC_AGAIN, CODE_NONE }, { SYNC_STEP, CODE_NONE },
		{ SYNC_SPIKE, CODE_REJECTED }, { SYNC_OTHER, CODE_NONE }, { SYNC_DISAGREE, CODE_DISAGREE },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		begin("one.example two.example");
		act = row[i].act;
		next = 100;
		run(10);
		assert_int_equal(net_code(), row[i].code);
		assert_int_equal(rounds, 1);
		run(100);
		assert_int_equal(rounds, 2);
		assert_int_equal(sent, 4);
		assert_int_equal(sent_ip[0], FIRST_IP);
		assert_int_equal(sent_ip[1], SECOND_IP);
		assert_int_equal(answers, 2);
		assert_int_equal(sources[0], FIRST_IP >> 16);
		assert_int_equal(sources[1], SECOND_IP >> 16);
	}
	/* 25 stays until one is believed again */
	act = SYNC_AGAIN;
	run(100);
	assert_int_equal(net_code(), CODE_DISAGREE);
	act = SYNC_SLEW;
	run(100);
	assert_int_equal(net_code(), CODE_NONE);
	/* two names of one machine are one opinion */
	begin("one.example two.example");
	world.ip[1] = world.ip[0];
	run(10);
	assert_int_equal(sent, 1);
	assert_int_equal(answers, 1);
	/* a name with many machines: four of them */
	begin("pool.example");
	world.pool = 9;
	run(10);
	assert_int_equal(sent, 4);
	assert_int_equal(answers, 4);
	/* with two */
	begin("pool.example");
	world.pool = 2;
	run(10);
	assert_int_equal(answers, 2);
	/* four names, as many questions; a fifth is too much */
	begin("192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5");
	run(10);
	assert_int_equal(answers, 4);
	assert_int_equal(names, 0);
}

static void test_other_server(void **state)
{
	(void)state;
	begin("  one.example   two.example ");
	world.answer[0] = SILENT;
	run(12);
	assert_int_equal(replies, 1);
	assert_int_equal(sent, 2);
	assert_int_equal(sent_ip[1], SECOND_IP);
	/* a server that is not synchronised is left at once */
	begin("one.example two.example");
	world.answer[0] = UNSYNCHRONISED;
	run(15);
	assert_int_equal(replies, 1);
	assert_int_equal(sent, 2);
	/* nor does a name without address keep the round from the other */
	begin("two.example");
	strcpy(conf.server, "256.256.256.256 two.example");
	run(15);
	assert_int_equal(replies > 0, true);
}

static void test_addresses(void **state)
{
	static const struct { const char *text; uint32_t ip; } row[] = {
		{ "192.0.2.1", 0x010200c0 }, { "255.255.255.255", 0xffffffff }, { "1.2.3.4 x", 0x04030201 },
		{ "1.2.3", 0 }, { "1.2.3.4.5", 0 }, { "256.1.1.1", 0 }, { "1..2.3", 0 }, { "1.2.3.4x", 0 },
		{ "1.2.3.", 0 }, { ".1.2.3", 0 }, { "0001.2.3.4", 0 }, { "1.2.3.999", 0 }, { "a.b.c.d", 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		begin(row[i].text);
		run(9);
		assert_int_equal(names > 0, row[i].ip == 0 || strchr(row[i].text, ' ') != NULL);
		assert_int_equal(sent_ip[0], row[i].ip != 0 ? row[i].ip : FIRST_IP);
	}
	begin("");
	run(100);
	assert_int_equal(sent + names, 0);
	assert_int_equal(net_code(), CODE_NO_NAME);
	begin("123456789012345678901234567890123456789012345678901234567890abc");
	run(9);
	assert_int_equal(strlen(asked_name), 63);
}

static void test_dns(void **state)
{
	(void)state;
	begin("one.example");
	world.dns_fails = true;
	run(30);
	assert_int_equal(net_code(), CODE_NO_NAME);
	assert_int_equal(sent, 0);
	assert_true(names >= 3);
	run(3 * 3600);
	assert_in_range(names, 20, 120);
	world.dns_fails = false;
	run(1200);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
	/* later the last address does */
	begin("one.example");
	run(8);
	assert_int_equal(replies, 1);
	world.dns_fails = true;
	run(80);
	assert_int_equal(replies, 2);
	assert_int_equal(net_code(), CODE_NONE);
	/* and it may move */
	world.dns_fails = false;
	world.ip[0] = 0x0a0200c0;
	run(70);
	assert_int_equal(sent_ip[sent - 1], 0x0a0200c0);
	/* a module that does not even answer is started again soon */
	begin("one.example");
	world.dns_silent = true;
	run(60);
	assert_true(starts >= 2);
	assert_int_equal(net_code(), CODE_NO_NAME);
	world.dns_silent = false;
	run(60);
	assert_int_equal(replies, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_way), cmocka_unit_test(test_silent), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_deny), cmocka_unit_test(test_deny_pool), cmocka_unit_test(test_rate), cmocka_unit_test(test_round),
		cmocka_unit_test(test_other_server), cmocka_unit_test(test_addresses), cmocka_unit_test(test_dns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
