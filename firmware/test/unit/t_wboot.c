/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi driver's start, its SPI bus and its mailbox, with everything that can go wrong there. */
#include "wincrig.h"

static void filler(void **state)
{
	unsigned seed;

	for (seed = 1; seed <= 200; seed++) {
		teardown(state);
		setup(state);
		t.script->seed = seed;
		t.script->filler_max = 9;
		all_the_way();
		assert_int_equal(winc_errors(), 0);
		no_errors();
	}
	for (seed = 0; seed <= 9; seed++) {
		teardown(state);
		setup(state);
		t.script->filler_fixed = seed;
		all_the_way();
		assert_int_equal(winc_errors(), 0);
		assert_true(t.longest <= 2 * MS);
	}
	t.script->filler_fixed = 10;
	assert_null(wait(WINC_UP, 1000));
	assert_int_equal(t.event[t.events - 1].kind, WINC_DEAD);
	assert_int_equal(t.event[t.events - 1].code, WINC_BUS);
	t.script->filler_fixed = 0;
	all_the_way();
}

/* Every n-th command is answered wrong; each is repeated and nothing is lost. */

static void spoiled_commands(void **state)
{
	unsigned every, i;

	for (every = 5; every <= 100; every++) {
		teardown(state);
		setup(state);
		t.script->bad_every = every;
		t.script->seed = every;
		t.script->early_c3 = every & 1;
		all_the_way();
		for (i = 0; i < 10; i++)
			ask();
		assert_int_equal(count(WINC_DEAD, 0), 0);
		assert_true(winc_errors() > 0);
		no_errors();
	}
}

static void dead_bus(void **state)
{
	(void)state;
	t.script->dead = true;
	t.script->dead_byte = 0xff;
	assert_null(start(WINC_RESET));
	assert_dead(WINC_NO_ANSWER);
	t.script->dead_byte = 0;
	assert_null(start(WINC_POWER));
	assert_dead(WINC_NO_ANSWER);
	assert_null(poll());			/* and stays dead until it is started */
	assert_false(winc_random());
	t.script->dead = false;
	assert_non_null(start(WINC_SOFT));
	t.script->dead = true;			/* in the middle of everything */
	assert_true(winc_random());
	assert_null(wait(WINC_RANDOM, 1000));
	assert_dead(WINC_BUS);
}

static void odd_boots(void **state)
{
	static const uint32_t chips[] = { 0x1002b0, 0x1003a0, 0x1503a0, 0x1000f0 };
	unsigned i;

	for (i = 0; i < sizeof chips / sizeof *chips; i++) {
		teardown(state);
		setup(state);
		t.script->chip = chips[i];
		all_the_way();
		no_errors();
	}
	t.script->chip = 0x100110;
	assert_null(start(WINC_RESET));
	assert_dead(WINC_UNKNOWN);
	teardown(state);
	setup(state);
	t.script->efuse_ms = 900;
	t.script->rom_ms = 1900;
	t.script->firmware_ms = 3500;
	t.script->bit7 = true;
	all_the_way();
	no_errors();
	teardown(state);
	setup(state);
	t.script->host_wait = true;
	all_the_way();
	no_errors();
}

static void never_boots(void **state)
{
	uint32_t *const times[] = { &t.script->efuse_ms, &t.script->rom_ms, &t.script->firmware_ms };
	unsigned i;
	uint32_t before;

	(void)state;
	for (i = 0; i < 3; i++) {
		before = *times[i];
		*times[i] = WSIM_NEVER;
		assert_null(start(i & 1 ? WINC_POWER : WINC_RESET));
		assert_dead(WINC_NO_BOOT);
		*times[i] = before;
	}
	all_the_way();
	no_errors();
}

/* Only the host was reset: no second RESET_N pulse, no boot ROM; whatever the module was at is left. */

static void warm_module(void **state)
{
	(void)state;
	t.script->warm = true;
	assert_non_null(start(WINC_RESET));
	assert_int_equal(wsim_count(t.wifi, WSIM_PIN, 0, 1, 0), 1);
	assert_int_equal(wsim_count(t.wifi, WSIM_REQUEST, 1, 0x2b, 0), 1);
	join();
	open_socket();
	ask();
	assert_non_null(start(WINC_SOFT));	/* the firmware continues, the link and the socket do not */
	assert_int_equal(wsim_count(t.wifi, WSIM_PIN, 0, 1, 0), 1);
	assert_int_equal(count(WINC_LEFT, 0), 0);
	assert_false(wsim_joined(t.wifi));
	join();
	open_socket();
	ask();
	no_errors();
}

static void versions(void **state)
{
	static const uint8_t version[][3] = { { 19, 3, 0 }, { 19, 4, 4 }, { 19, 5, 0 }, { 19, 6, 1 }, { 19, 7, 7 } };
	unsigned i;

	for (i = 0; i < sizeof version / sizeof *version; i++) {
		teardown(state);
		setup(state);
		memcpy(t.script->version, version[i], 3);
		all_the_way();
		assert_int_equal(winc_version(), version[i][0] << 8 | version[i][1] << 4 | version[i][2]);
		no_errors();
	}
}

static void mailbox_full(void **state)
{
	(void)state;
	t.script->grant_polls = 300;		/* slow, but it comes */
	boot();
	t.script->grant_polls = WSIM_NEVER;
	assert_true(winc_random());
	assert_null(wait(WINC_RANDOM, 1500));
	assert_dead(WINC_NO_BUFFER);
	t.script->grant_polls = 0;
	assert_non_null(start(WINC_SOFT));
	t.script->grant_zero = true;
	assert_true(winc_random());
	assert_null(wait(WINC_RANDOM, 500));
	t.script->grant_zero = false;		/* just in time */
	assert_non_null(wait(WINC_RANDOM, 500));
	t.script->grant_zero = true;
	assert_true(winc_random());
	assert_null(wait(WINC_RANDOM, 1500));
	assert_dead(WINC_NO_BUFFER);
	t.script->grant_zero = false;
	all_the_way();
}

static void interrupt_pin(void **state)
{
	struct winc_event *event;
	uint32_t bytes;

	(void)state;
	t.lose_edges = true;
	all_the_way();
	event = &t.event[t.events - 1];
	assert_true(hal_ticks() - event->tick < 10 * TICKS_PER_MS);	/* not the tick of long ago */
	t.lose_edges = false;
	t.irq_dead = true;		/* not even the level comes */
	ask();
	wsim_drop(t.wifi);
	wait_left(0, 200);
	join();
	open_socket();
	t.irq_dead = false;
	t.irq_stuck = true;		/* low for ever, and no message */
	bytes = t.spi_bytes;
	wait(WINC_DATA, 1000);
	assert_true(t.spi_bytes - bytes < 100 * 15);
	ask();
	no_errors();
}

static void module_resets(void **state)
{
	unsigned polls;

	for (polls = 0; polls < 12; polls++) {
		teardown(state);
		setup(state);
		all_the_way();
		assert_true(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, 48));
		for (unsigned i = 0; i < polls; i++)
			poll();
		wsim_reset(t.wifi, false, t.cycle);
		wsim_reset(t.wifi, true, t.cycle);
		t.cycle += 20 * MS;
		assert_null(wait(WINC_UP, 2000));
		assert_dead(WINC_BUS);
		assert_non_null(start(WINC_SOFT));	/* finds a module that has to be booted */
		join();
		open_socket();
		ask();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(filler), TEST(spoiled_commands), TEST(dead_bus), TEST(odd_boots), TEST(never_boots),
		TEST(warm_module), TEST(versions), TEST(mailbox_full), TEST(interrupt_pin), TEST(module_resets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
