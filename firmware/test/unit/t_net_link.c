/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* net.c: the module, the network and the configuration come and go. */
#include "net_world.h"

static void test_join(void **state)
{
	static const struct { int error; uint8_t code; } row[] = {
		{ 1, CODE_NO_NETWORK }, { 2, CODE_NO_JOIN }, { 3, CODE_NO_AUTH }, { 4, CODE_NO_JOIN },
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		begin("one.example");
		world.join_error = row[i].error;
		run(5);
		assert_int_equal(net_code(), row[i].code);
		run(55);
		assert_in_range(joins, 2, 6);
		run(6 * 3600);
		assert_in_range(joins, 6 * 12, 6 * 14);		/* each 5 minutes at most, still trying */
		assert_in_range(starts, joins / 5, joins / 5 + 1);
		world.join_error = NEVER;
		run(320);
		assert_int_equal(net_code(), CODE_NONE);
		assert_int_equal(state_now(), NET_IDLE);
		assert_true(replies > 0);
	}
}

static void test_dhcp(void **state)
{
	(void)state;
	begin("one.example");
	world.dhcp_ms = NEVER;
	run(18);
	assert_int_equal(net_code(), CODE_NO_ADDRESS);
	run(600);
	assert_int_equal(net_code(), CODE_NO_ADDRESS);
	assert_in_range(leaves, 4, 8);
	assert_in_range(joins, leaves, leaves + 2);	/* the fifth time the module starts again instead */
	world.dhcp_ms = 30000;		/* late, but not too late */
	run(400);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
	/* the lease is lost in mid-poll */
	post(0, WINC_NO_ADDRESS);
	run(1);
	assert_int_equal(net_code(), CODE_NO_ADDRESS);
	run(120);
	assert_int_equal(net_code(), CODE_NONE);
	assert_int_equal(state_now(), NET_IDLE);
}

/* The link comes and goes: joined again in 1 to 3 s, but not asked more often for it. */
static void test_link(void **state)
{
	(void)state;
	begin("one.example");
	act = SYNC_SLEW;
	next = 3600;
	run(8);
	for (int i = 0; i < 170; i++) {
		post(0, WINC_LEFT);
		run(0.5);
		assert_int_equal(net_code(), CODE_LINK_LOST);
		assert_int_equal(state_now(), NET_JOIN);
		run(19.5);
		assert_int_equal(state_now(), NET_IDLE);
		assert_int_equal(net_code(), CODE_NONE);
	}
	assert_int_equal(sent, 1);
	run(250);
	assert_int_equal(sent, 2);
	run(20);
	/* lost while a question is out, and twice */
	for (int i = 0; i < 40; i++) {
		assert_int_equal(net_ask_now(), true);
		run(0.2 + i * 0.02);
		post(0, WINC_LEFT);
		post(20, WINC_LEFT);
		run(30);
		assert_int_equal(state_now(), NET_IDLE);
	}
	assert_int_equal(net_code(), CODE_NONE);
}

/* An access point that breaks over each question: the server is not asked more often than a silent one. */
static void test_link_breaks_when_asked(void **state)
{
	unsigned before = 0;

	(void)state;
	begin("one.example");
	world.answer[0] = SILENT;
	for (int i = 0; i < 36000; i++) {
		run(0.1);
		if (sent == before)
			continue;
		before = sent;
		post(0, WINC_LEFT);
	}
	assert_in_range(sent, 8, 14);
	assert_true(starts >= 2);		/* it may be the module */
	for (unsigned i = 4; i < sent; i++)
		assert_true(gap(i) >= 15);
	world.answer[0] = GOOD;
	run(1200);
	assert_true(replies > 0);
	assert_int_equal(net_code(), CODE_NONE);
}

static void test_ladder(void **state)
{
	static const uint8_t code[] = {
		[WINC_NO_ANSWER] = CODE_NO_MODULE, [WINC_NO_BOOT] = CODE_NO_START, [WINC_UNKNOWN] = CODE_REVISION,
		[WINC_BUS] = CODE_NO_MODULE, [WINC_NO_BUFFER] = CODE_NO_MODULE,
	};

	(void)state;
	for (int fault = 0; fault < 5; fault++) {
		begin("one.example");
		world.boot_fault = fault;
		run(20);
		assert_int_equal(net_code(), code[fault]);
		assert_int_equal(starts, 1);
		run(20);
		assert_int_equal(starts, 2);
		assert_int_equal(depth[0], WINC_RESET);
		assert_int_equal(depth[1], WINC_POWER);
		run(6 * 3600);
		assert_in_range(start_ms[starts - 1] - start_ms[starts - 2], 770000, 902000);
		assert_true(starts < 64);
		world.boot_fault = NEVER;
		run(920);
		assert_true(replies > 0);
		assert_int_equal(net_code(), CODE_NONE);
	}
	/* dead in mid-life: gently and at once, then harder */
	begin("one.example");
	run(8);
	post(0, WINC_DEAD)->event.code = WINC_BUS;
	world.boot_fault = WINC_BUS;
	run(1);
	assert_int_equal(starts, 2);
	assert_int_equal(depth[1], WINC_SOFT);
	run(110);
	assert_int_equal(depth[2], WINC_RESET);
	assert_int_equal(depth[3], WINC_POWER);
}

static void test_stuck(void **state)
{
	(void)state;
	/* bind and send fail in the module: it is started again, not hammered */
	begin("one.example");
	world.bind_code = -9;
	run(200);
	assert_in_range(opens, 3, 8);
	world.bind_code = 0;
	world.sent_code = -13;
	run(600);
	assert_in_range(sent, 2, 12);
	assert_int_equal(net_code(), CODE_NO_ANSWER);
	world.sent_code = 0;
	run(900);
	assert_true(replies > 0);
	/* the driver is busy for ever */
	begin("one.example");
	world.busy = true;
	run(90);
	assert_true(starts >= 2);
	world.busy = false;
	run(120);
	assert_true(replies > 0);
}

static void test_configuration(void **state)
{
	(void)state;
	begin("one.example");
	conf.ssid[0] = '\0';
	run(100);
	assert_int_equal(net_code(), CODE_NO_CONFIG);
	assert_int_equal(starts + joins, 0);
	assert_false(net_ask_now());
	strcpy(conf.ssid, "net");
	net_restart();
	run(8);
	assert_int_equal(replies, 1);
	assert_int_equal(net_code(), CODE_NONE);
	/* other names: joined again, asked at once */
	strcpy(conf.server, "two.example");
	net_restart();
	run(8);
	assert_int_equal(leaves, 1);
	assert_int_equal(joins, 2);
	assert_int_equal(sent_ip[sent - 1], SECOND_IP);
	/* at any moment */
	for (int i = 0; i < 200; i++) {
		run(0.02 * i);
		net_restart();
	}
	run(30);
	assert_int_equal(state_now(), NET_IDLE);
	conf.ssid[0] = '\0';
	net_restart();
	run(5);
	assert_int_equal(net_code(), CODE_NO_CONFIG);
	assert_true(stops >= 2);
}

static void test_ask_now(void **state)
{
	(void)state;
	begin("one.example");
	assert_false(net_ask_now());
	next = 3600;
	act = SYNC_SLEW;
	run(8);
	assert_false(net_ask_now());	/* less than 15 s ago */
	run(16);
	assert_true(net_ask_now());
	run(1);
	assert_int_equal(sent, 2);
	assert_false(net_ask_now());
	run(3500);
	assert_int_equal(sent, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join), cmocka_unit_test(test_dhcp), cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_breaks_when_asked),
		cmocka_unit_test(test_ladder), cmocka_unit_test(test_stuck), cmocka_unit_test(test_configuration),
		cmocka_unit_test(test_ask_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
