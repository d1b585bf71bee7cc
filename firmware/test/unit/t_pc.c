/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The PC as a processor: its time, interrupts, sleep, resets and memory, under a main loop of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "fw.h"
#include "hal.h"
#include "rig.h"

enum { MS = 16000 };

static struct rig rig;
static char said[256];
static unsigned said_size;

/* The functions that rig.c provides to a processor. */
void rig_tick(struct rig *one)
{
	one->due = UINT64_MAX;
}

void rig_pin(struct rig *one, enum tubes_pin pin, bool level)
{
	tubes_set(&one->tubes, pin, level, one->cycle);
}

void rig_second(struct rig *one, uint64_t cycle, uint32_t tick)
{
	assert_true(one == &rig && cycle <= rig.cycle);
	(void)tick;
}

void rig_pass(struct rig *one)
{
	(void)one;
}

void rig_said(struct rig *one, uint8_t byte)
{
	(void)one;
	said[said_size++ % sizeof said] = (char)byte;
}

/* ---- a firmware ---- */

static void (*pass)(void);
static unsigned starts, passes, seconds;
static uint64_t second_cycle, pass_cycle[64];
static uint32_t second_tick;
static uint8_t cause;
__attribute__((section("fw_data"))) static int initialized = 5;
NOINIT static volatile uint32_t kept;	/* written also where the compiler does not see it */

void fw_start(void)
{
	hal_init();
	starts++;
	cause = hal_reset_cause();
}

void fw_pass(void)
{
	pass_cycle[passes++ % 64] = rig.cycle;
	if (pass != NULL)
		pass();
}

void on_second(uint32_t tick)
{
	static const uint8_t word[6] = { 0x11, 0, 0x41, 0, 0x41, 0 };

	seconds++;
	second_cycle = rig.cycle;
	second_tick = tick;
	hal_show(word, false);
	hal_second_at(tick + 250000);
}

static void ignore_datagram(void *arg, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size)
{
	(void)arg, (void)ip, (void)port, (void)from, (void)data, (void)size;
}

static void irq(void *arg, bool low)
{
	rig.cpu->irq(arg, low);
}

static int setup(void **state)
{
	(void)state;
	memset(&rig, 0, sizeof rig);
	rig.cpu = &rig_pc;
	rig.seed = 3;
	rig.due = UINT64_MAX;
	tubes_init(&rig.tubes);
	rig.wifi = wsim_new(ignore_datagram, irq, &rig);
	starts = passes = seconds = said_size = 0;
	pass = NULL;
	assert_true(rig_pc.open(&rig, NULL));
	rig_pc.power(&rig, true);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_pc.close(&rig);
	wsim_free(rig.wifi);
	tubes_free(&rig.tubes);
	return 0;
}

static void run(uint64_t ms)
{
	rig_pc.run(&rig, rig.cycle + ms * MS);
}

/* ---- tests ---- */

static void kick(void)
{
	hal_kick();
}

static void idle_lasts_to_the_next_beat(void **state)
{
	(void)state;
	pass = kick;
	run(205);
	assert_int_equal(starts, 1);
	assert_int_equal(cause, RESET_POWER);
	assert_int_equal(passes, 21);
	for (unsigned i = 1; i < 21; i++)
		assert_int_equal(pass_cycle[i], i * 10 * MS);
	assert_int_equal(rig.cycle, 205 * MS);
}

static void begin_seconds(void)
{
	if (passes == 1)
		hal_second_at(100000);
	hal_kick();
}

static void seconds_come_at_their_tick(void **state)
{
	(void)state;
	pass = begin_seconds;
	run(3500);
	assert_int_equal(seconds, 4);
	assert_int_equal(second_tick, 850000);
	assert_int_equal(second_cycle, 850000 * 64);
	assert_true(rig.gates.jitter <= 30 * 16);
	assert_string_equal(tubes_at(&rig.tubes, rig.cycle), "      ");	/* no high voltage */
}

static void locked_out(void)
{
	uint8_t before = hal_lock();

	hal_second_at(hal_ticks());
	while (rig.cycle < 5 * MS)
		hal_ticks();
	assert_int_equal(seconds, 0);
	hal_unlock(before);
	assert_int_equal(seconds, 1);
	pass = kick;
}

static void interrupts_wait_for_unlock(void **state)
{
	(void)state;
	pass = locked_out;
	run(8);
	assert_int_equal(seconds, 1);
	assert_true(second_cycle >= 5 * MS);
}

static void second_in_the_past_comes_at_once(void **state)
{
	(void)state;
	pass = kick;
	run(100);
	hal_second_at(1000);
	run(1);
	assert_int_equal(seconds, 1);
	assert_int_equal(second_tick, 1000);
}

static void watchdog_bites_after_two_seconds(void **state)
{
	(void)state;
	pass = kick;
	run(1000);
	rig_pc.hang(&rig);
	run(1970);
	assert_int_equal(starts, 1);
	run(100);
	assert_int_equal(starts, 2);
	assert_int_equal(cause, RESET_WATCHDOG);
	assert_int_equal(rig.gates.watchdog_bites, 1);
}

static void reset_by_hand(void)
{
	pass = kick;
	initialized = kept = 77;
	hal_reset();
}

static void reset_restores_ram_but_not_noinit(void **state)
{
	(void)state;
	pass = reset_by_hand;
	run(50);
	assert_int_equal(starts, 2);
	assert_int_equal(cause, RESET_BUTTON);
	assert_int_equal(initialized, 5);
	assert_int_equal(kept, 77);
	initialized = 9;
	rig_pc.button(&rig);
	run(50);
	assert_int_equal(cause, RESET_BUTTON);
	assert_int_equal(initialized, 5);
	assert_int_equal(kept, 77);
	rig_pc.power(&rig, false);
	run(50);
	assert_int_equal(starts, 3);
	rig_pc.power(&rig, true);
	run(50);
	assert_int_equal(starts, 4);
	assert_int_equal(cause, RESET_POWER);
	assert_int_not_equal(kept, 77);
}

static void say(void)
{
	static const char text[] = "0123456789012345678901234567890123456789012345678901234567890123456789";
	unsigned n = 0;

	pass = kick;
	while (hal_uart_put((uint8_t)text[n]))
		n++;
	assert_int_equal(n, 63);
}

static void uart_takes_its_time(void **state)
{
	uint64_t start;

	(void)state;
	start = rig.cycle;
	pass = say;
	run(3);
	assert_true(said_size > 30 && said_size < 36);
	assert_in_range((rig.cycle - start) / said_size, 1360, 1460);
	run(10);
	assert_int_equal(said_size, 63);
}

static void uart_loses_what_does_not_fit(void **state)
{
	uint8_t byte;
	unsigned n = 0;

	(void)state;
	pass = kick;
	run(5);
	for (unsigned i = 0; i < 70; i++)
		assert_true(rig_pc.uart(&rig, (uint8_t)i));
	assert_true(hal_uart_lost());
	assert_false(hal_uart_lost());
	while (hal_uart_get(&byte))
		assert_int_equal(byte, n++);
	assert_int_equal(n, 63);
}

static void write_byte(void)
{
	pass = kick;
	hal_ee_write(7, 0x5a);
	assert_true(hal_ee_busy());
}

static void eeprom_byte_takes_3_4_ms(void **state)
{
	(void)state;
	pass = write_byte;
	run(3);
	assert_true(hal_ee_busy());
	run(1);
	assert_false(hal_ee_busy());
	assert_int_equal(passes, 2);	/* that it is done wakes */
	assert_int_equal(rig_pc.eeprom(&rig)[7], 0x5a);
	assert_int_equal(hal_ee_read(8), 0xff);
}

static void power_cut_tears_the_byte(void **state)
{
	(void)state;
	pass = write_byte;
	run(2);
	rig_pc.power(&rig, false);
	assert_int_not_equal(rig_pc.eeprom(&rig)[7], 0x5a);
	assert_int_equal(rig_pc.eeprom(&rig)[6], 0xff);
}

static void dim(void)
{
	static const uint8_t word[6] = { 0x11, 0, 0x41, 0, 0x41, 0 };

	pass = kick;
	hal_show(word, false);
	hal_hv(true);
	hal_dim(4);
	hal_kick();
}

static void dimming_shows_its_share(void **state)
{
	uint64_t lit, start;

	(void)state;
	pass = dim;
	run(100);
	tubes_pass(&rig.tubes, rig.cycle);
	lit = tubes_lit(&rig.tubes, 0, 0);
	start = rig.cycle;
	run(800);
	tubes_pass(&rig.tubes, rig.cycle);
	lit = tubes_lit(&rig.tubes, 0, 0) - lit;
	assert_in_range(lit * 1000 / (rig.cycle - start), 249, 251);
	assert_string_equal(tubes_at(&rig.tubes, rig.cycle), "000000");
}

static void edge_of_irqn_has_a_tick(void **state)
{
	(void)state;
	pass = kick;
	run(25);
	rig_pc.irq(&rig, true);
	assert_true(hal_wifi_asks());
	assert_int_equal(hal_wifi_asked(), 25 * 250);
	run(1);
	assert_int_equal(passes, 4);	/* it woke */
	rig_pc.irq(&rig, false);
	rig.lose_edges = true;
	run(10);
	rig_pc.irq(&rig, true);
	assert_true(hal_wifi_asks());
	assert_int_equal(hal_wifi_asked(), 25 * 250);
}

static void variables_are_found_by_name(void **state)
{
	uint32_t value = 0;
	uint8_t small = 0;

	(void)state;
	initialized = 0x01020304;
	assert_true(rig_pc.peek(&rig, "initialized", &value, 4));
	assert_int_equal(value, 0x01020304);
	assert_true(rig_pc.peek(&rig, "initialized", &small, 1));
	assert_int_equal(small, 4);
	small = 9;
	assert_true(rig_pc.poke(&rig, "initialized", &small, 1));
	assert_int_equal(initialized, 9);
	assert_false(rig_pc.peek(&rig, "passes", &value, 4));	/* the test's own, not the firmware's */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(idle_lasts_to_the_next_beat),
		TEST(seconds_come_at_their_tick),
		TEST(interrupts_wait_for_unlock),
		TEST(second_in_the_past_comes_at_once),
		TEST(watchdog_bites_after_two_seconds),
		TEST(reset_restores_ram_but_not_noinit),
		TEST(uart_takes_its_time),
		TEST(uart_loses_what_does_not_fit),
		TEST(eeprom_byte_takes_3_4_ms),
		TEST(power_cut_tears_the_byte),
		TEST(dimming_shows_its_share),
		TEST(edge_of_irqn_has_a_tick),
		TEST(variables_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
