/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of a long life: power failures, resets, the watchdog, counters that wrap, days without a network. */
#include <math.h>
#include <sim_avr.h>
#include <stdlib.h>
#include <string.h>

#include "pc.h"
#include "rig_avr.h"
#include "scen_ntp.h"

#define DAY 86400.0

/* No network from here on. */
static void lose_network(struct rig *rig)
{
	wsim_script(rig->wifi)->ssid[0] = 0;
	wsim_drop(rig->wifi);
}

static void find_network(struct rig *rig)
{
	strcpy(wsim_script(rig->wifi)->ssid, "net");
}

/* ---- power ----------------------------------------------------------------- */

static void normal(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "------", 1) || strcmp(tubes_at(&rig->tubes, rig->cycle), "      ") != 0);
	uint32_t life = rig->tubes.changes;
	CHECK(rig, rig_wait_time(rig, 20));
	CHECK(rig, rig->tubes.changes > life + 4);	/* something moved before the time was known */
	CHECK(rig, wifi_requests(rig, IP, SEND, 0) == 1);
	rig_run(rig, 90);
	CHECK(rig, wifi_requests(rig, IP, SEND, 0) == 2);
	CHECK(rig, rig_gate_error(rig, 80) <= 20);
}

/* The pins of the board: high voltage off at once, then directions, pull-ups, modes that show nowhere else. */
static void pins(struct rig *rig)
{
	enum { DDRB = 0x24, DDRC = 0x27, PORTC = 0x28, DDRD = 0x2a, PORTD = 0x2b, SPCR = 0x4c, SPSR = 0x4d, EICRA = 0x69,
	    UCSR0A = 0xc0, UBRR0L = 0xc4 };
	const uint8_t *at = rig_avr_core(rig)->data;

	rig_config(rig, "");
	rig_power(rig, true);
	rig_run_to(rig, rig->cycle + 100);
	CHECK(rig, (at[DDRD] & 0x40) && !(at[PORTD] & 0x40));	/* the gate no longer floats */
	rig_run(rig, 0.5);
	CHECK(rig, (at[DDRB] & 0x3e) == 0x2e);		/* CS, SS, MOSI, SCK */
	CHECK(rig, (at[DDRC] & 0x27) == 0x23);		/* EN, RESET_N, SER */
	CHECK(rig, at[PORTC] & 0x04);			/* IRQN has no pull-up but this */
	CHECK(rig, (at[DDRD] & 0x7c) == 0x7c);		/* SCK, SRCLR, RCK, colon, HV */
	CHECK(rig, (at[SPCR] & 0x7f) == 0x50 && (at[SPSR] & 1));	/* master, mode 0, F_CPU / 2 */
	CHECK(rig, (at[UCSR0A] & 2) && at[UBRR0L] == 16);	/* 115200 baud at double speed */
	CHECK(rig, at[EICRA] == 0x0f);			/* PD2 and PD3 are not level interrupts */
}

static void power_fails(struct rig *rig)
{
	rig_config(rig, "");
	for (uint32_t i = 0, state = rig->seed; i < 30; i++) {
		state = state * 1664525 + 1013904223;
		rig_power(rig, true);
		rig_run(rig, (state >> 20) * 0.002);		/* to 8 s */
		rig_power(rig, false);
		rig_run(rig, (state >> 8 & 0xfff) * 0.0003);
	}
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, rig->gates.eeprom_writes == 0);
}

/* The module's burst at a connect pulls down the supply of the whole clock. */
static void dip_at_connect(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned dips = 1; dips <= 4; dips++) {
		uint64_t since = rig->cycle;

		for (unsigned i = 0; i < 3000; i++) {
			if (wifi_requests(rig, WIFI, CONNECT, since) > 0)
				break;
			rig_run(rig, 0.01);
		}
		CHECK(rig, wifi_requests(rig, WIFI, CONNECT, since) == 1);
		rig_power(rig, false);
		rig_run(rig, 0.05);
		rig_power(rig, true);
	}
	CHECK(rig, rig_wait_time(rig, 30));
}

/* The contents of RAM at power-on are not a time, whatever it is. */
static void ram_noise(struct rig *rig)
{
	rig_config(rig, "");
	lose_network(rig);
	unsigned times = rig->cpu == &rig_pc ? 60 : 12;
	for (unsigned i = 0; i < times; i++) {
		rig_power(rig, true);
		CHECK(rig, rig_wait(rig, "----10", 40));
		rig_command(rig, "stat");
		CHECK(rig, rig_heard(rig, "unknown") && !rig_heard(rig, "synchronised") && !rig_heard(rig, "holdover"));
		rig_power(rig, false);
		rig_run(rig, 0.1 + i * 0.0137);
	}
}

/* The time was known, and is gone with the power, even when RAM would hold it. */
static void power_forgets(struct rig *rig)
{
	wifi_start(rig, "");
	lose_network(rig);
	rig_power(rig, false);
	rig_run(rig, 3600);
	uint64_t on = rig->cycle;
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "----10", 40));
	rig_run(rig, 60);
	CHECK(rig, !tubes_find(&rig->tubes, on, "1334**"));
	find_network(rig);
	CHECK(rig, rig_wait_time(rig, 400));
}

/* One bit of what RAM kept of the time is another after the RESET: none of it is believed. */
static void ram_rots(struct rig *rig)
{
	const unsigned copy = rig->cpu == &rig_pc ? 20 : 18;	/* bytes of each of the two */

	for (unsigned bit = 0; bit < 18 * 8; bit += 3) {
		uint8_t kept[40];

		wifi_start(rig, "");
		lose_network(rig);
		CHECK(rig, rig->cpu->peek(rig, "clk_kept", kept, 2 * copy));
		kept[bit / 8] ^= (uint8_t)(1 << bit % 8);
		kept[copy + bit / 8] ^= (uint8_t)(1 << bit % 8);
		CHECK(rig, rig->cpu->poke(rig, "clk_kept", kept, 2 * copy));
		rig_button(rig);
		CHECK(rig, rig_wait(rig, "----10", 40));
		rig_power(rig, false);
		rig_run(rig, 1);
		find_network(rig);
	}
}

/* ---- resets ---------------------------------------------------------------- */

/* The button at moments all over the second; the time continues from RAM alone. */
static void button(struct rig *rig)
{
	wifi_start(rig, "");
	lose_network(rig);
	for (unsigned i = 0; i < 12; i++) {
		rig_run(rig, 3.0 + i * 0.083);
		double before = ntp_error(rig);
		uint64_t pressed = rig->cycle;
		rig_button(rig);
		rig_run(rig, 2.5);
		CHECK(rig, tubes_find(&rig->tubes, pressed, "      "));	/* no voltage while in reset */
		CHECK(rig, fabs(ntp_error(rig) - before) <= 0.75);
	}
	CHECK(rig, !tubes_find(&rig->tubes, 0, "----40"));
	find_network(rig);
	CHECK(rig, rig_wait_time(rig, 400));
}

/* A button that bounces, a finger that plays. */
static void button_bounces(struct rig *rig)
{
	wifi_start(rig, "");
	for (unsigned i = 0; i < 60; i++) {
		rig_button(rig);
		rig_run(rig, 0.0003 + i % 7 * 0.004 + (i % 20 == 19) * 1.1);
	}
	rig_run(rig, 3);
	CHECK(rig, fabs(ntp_error(rig)) < 5);
	CHECK(rig, rig_wait_time(rig, 40));
}

/* The supply sinks below 4.3 V for a moment: the contents of RAM then are not a time, with a finger on RESET neither. */
static void brown_out(struct rig *rig)
{
	enum { MCUSR = 0x54, EXTRF = 2, BORF = 4 };

	for (unsigned both = 0; both < 2; both++) {
		wifi_start(rig, "");
		lose_network(rig);
		rig_button(rig);
		rig_avr_core(rig)->data[MCUSR] = both ? EXTRF | BORF : BORF;
		uint64_t since = rig->cycle;
		CHECK(rig, rig_wait(rig, "----10", 40));
		CHECK(rig, !tubes_find(&rig->tubes, since, "123***"));
		CHECK(rig, strstr(rig_command(rig, "stat"), both ? "reset: button brown-out" : "reset: brown-out"));
		find_network(rig);
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

/* The main loop stands still: `before` is the time's error then. */
static void bite(struct rig *rig)
{
	uint32_t bites = rig->gates.watchdog_bites;
	uint64_t hung = rig->cycle;

	rig->cpu->hang(rig);
	rig_run(rig, 2.2);
	const struct tubes_change *dark = tubes_find(&rig->tubes, hung, "      ");
	CHECK(rig, dark && dark->cycle - hung <= 2.1 * SIM_HZ);
	CHECK(rig, rig->gates.watchdog_bites == bites + 1);
	CHECK(rig, rig_wait(rig, "----40", 0.5));
	const struct tubes_change *code = tubes_find(&rig->tubes, hung, "----40");
	rig_run(rig, 6);
	const struct tubes_change *after = code + 1;
	CHECK(rig, after < rig->tubes.change + rig->tubes.changes);
	double shown = (double)(after->cycle - code->cycle) / SIM_HZ;
	CHECK(rig, shown >= 4.0 && shown <= 6.0);
}

static void watchdog(struct rig *rig)
{
	wifi_start(rig, "");
	lose_network(rig);
	for (unsigned i = 0; i < 3; i++) {
		rig_run(rig, 4.3);
		double before = ntp_error(rig);
		bite(rig);
		CHECK(rig, fabs(ntp_error(rig) - before) <= 2);
	}
	find_network(rig);
	CHECK(rig, rig_wait_time(rig, 400));
}

static void watchdog_in_sync(struct rig *rig)
{
	wifi_start(rig, "");
	rig->server[0].back_ms = 700;		/* the reply is on its way */
	uint32_t asked = rig->server[0].requests;
	for (unsigned i = 0; i < 8000 && rig->server[0].requests == asked; i++)
		rig_run(rig, 0.01);
	CHECK(rig, rig->server[0].requests == asked + 1);
	bite(rig);
	CHECK(rig, fabs(ntp_error(rig)) <= 2);
	rig->server[0].back_ms = 1;
	CHECK(rig, rig_wait_time(rig, 300));
}

static void watchdog_no_time(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 0.5);
	bite(rig);
	CHECK(rig, rig_wait_time(rig, 30));
}

/* The loop continues, but no second begins any more: the watchdog must not be kicked for that. */
static void second_dies(struct rig *rig)
{
	enum { TIMSK1 = 0x6f, OCIE1A = 2 };

	wifi_start(rig, "");
	rig_run(rig, 3);
	rig_avr_core(rig)->data[TIMSK1] &= (uint8_t)~OCIE1A;
	rig_run(rig, 6);
	CHECK(rig, rig->gates.watchdog_bites == 1);
	CHECK(rig, rig_wait_time(rig, 60));
}

/* ---- counters -------------------------------------------------------------- */

/* As if the clock had been running for so long at this power-on. */
static void power_on_old(struct rig *rig, uint64_t ms)
{
	rig_power(rig, true);
	if (rig->cpu == &rig_pc) {
		((struct pc *)rig->priv)->reset_at -= ms * PC_MS;
		return;
	}
	rig_run(rig, 0.004);		/* timers run, the configuration is being read */
	uint64_t ticks = ms * TICKS_PER_MS;
	uint16_t wraps = (uint16_t)(ticks >> 16);
	uint32_t count = (uint32_t)ms, tick = (uint32_t)ticks & ~0xffffU;	/* not after now */
	CHECK(rig, rig->cpu->poke(rig, "hal_wraps", &wraps, sizeof wraps));
	CHECK(rig, rig->cpu->poke(rig, "hal_ms_count", &count, sizeof count));
	CHECK(rig, rig->cpu->poke(rig, "hal_ms_tick", &tick, sizeof tick));
	rig_run(rig, 0.1);
	CHECK(rig, rig->cpu->peek(rig, "hal_ms_count", &count, sizeof count));
	CHECK(rig, count - (uint32_t)ms < 200);		/* it was taken so */
}

/* A counter of ms wraps at that many seconds after power-on: in boot, join, question, with the time known. */
static void wraps_after(struct rig *rig, uint64_t wrap_ms)
{
	static const double after[] = { 0.3, 1.1, 2.2, 3.3, 30 };

	rig_config(rig, "");
	for (unsigned i = 0; i < sizeof after / sizeof *after; i++) {
		uint32_t asked = rig->server[0].requests;

		power_on_old(rig, wrap_ms - (uint64_t)(after[i] * 1000));
		CHECK(rig, rig_wait_time(rig, 20));
		double more = i % 4 == 0 ? 80 : 10;	/* the second question, too */
		rig_run(rig, more);
		CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(more * SIM_HZ), rig->cycle) <= 20);
		CHECK(rig, rig->server[0].requests - asked == (more > 60 ? 2 : 1));
		CHECK(rig, strstr(rig_command(rig, "show"), "ntp.example"));
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

static void ms_wrap(struct rig *rig)
{
	wraps_after(rig, 1ULL << 32);
}

static void tick_wrap(struct rig *rig)
{
	wraps_after(rig, (1ULL << 32) / TICKS_PER_MS);
}

/* The same without any poking, on the way to 4.77 hours and to twice that. */
static void ten_hours(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 36000);
	CHECK(rig, rig_gate_error(rig, 35000) <= 20);
}

/* ---- alone ----------------------------------------------------------------- */

static bool shows_in_minute(struct rig *rig, const char *code)
{
	uint64_t since = rig->cycle;

	rig_run(rig, 61);
	return tubes_find(&rig->tubes, since, code);
}

/* Seconds since the last reply: fresh for a day, then a code each minute, then without seconds; then back. */
static void eight_days(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 6 * 3600);		/* the crystal is known well */
	lose_network(rig);
	rig->server[0].silent = true;
	rig->beat_ms = RIG_QUIET_MS;
	rig_run(rig, 22 * 3600);
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(60 * SIM_HZ), rig->cycle) <= 100);
	rig_run(rig, 3.5 * 3600);
	CHECK(rig, shows_in_minute(rig, "----1*"));
	CHECK(rig, fabs(ntp_error(rig)) < 1);
	rig_run(rig, 7 * DAY);
	rig->beat_ms = 0;
	char want[7];
	rig_expected(rig, rig->cycle - (uint64_t)(2 * SIM_HZ), want);
	strcpy(want + 4, "--");
	CHECK(rig, rig_wait(rig, want, 61));
	rig->server[0].silent = false;
	find_network(rig);
	CHECK(rig, rig_wait_time(rig, 2000));
	rig_run(rig, 700);
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(60 * SIM_HZ), rig->cycle) <= 20);
}

const struct scenario scen_life[] = {
	{ "normal", "power-on, all is well", "no voltage before a picture; life, then the time within 20 ms", normal, 0 },
	{ "pins", "power-on", "high voltage off at once; directions, pull-ups, SPI mode", pins, SCEN_AVR },
	{ "power-fails", "power cut 30 times within seconds",
	    "the time in the end; nothing was written", power_fails, SCEN_ERRORS },
	{ "dip-at-connect", "the supply dips for 50 ms at four joins", "the time in the end", dip_at_connect, SCEN_ERRORS },
	{ "ram-noise", "any bytes in RAM at power-on, no network", "no time out of them", ram_noise, SCEN_ERRORS },
	{ "ram-rots", "one bit of the kept time is another after a RESET, no network",
	    "no time out of it", ram_rots, SCEN_ERRORS },
	{ "power-forgets", "power off for an hour, no network",
	    "no time until the network is there", power_forgets, SCEN_ERRORS },
	{ "button", "RESET at 12 moments of the second, no network",
	    "the time continues from RAM within 0.75 s each", button, SCEN_ERRORS },
	{ "button-bounces", "RESET 60 times within seconds", "the time continues, then is right", button_bounces, SCEN_ERRORS },
	{ "brown-out", "the supply sinks for a moment, no network; RESET at the same time",
	  "no time out of RAM", brown_out, SCEN_AVR | SCEN_ERRORS },
	{ "watchdog", "main loop hangs three times, no network",
	  "bite within 2.1 s, no voltage in reset, code 40 for 5 s, time within 2 s", watchdog, SCEN_HANG | SCEN_ERRORS },
	{ "watchdog-in-sync", "main loop hangs while a reply is on its way",
	    "the same; asks again", watchdog_in_sync, SCEN_HANG | SCEN_ERRORS },
	{ "second-dies", "the interrupt of the second is off",
	    "a bite, then the time", second_dies, SCEN_AVR | SCEN_HANG | SCEN_ERRORS },
	{ "watchdog-no-time", "main loop hangs before the time is known",
	    "code 40 for 5 s, then the time", watchdog_no_time, SCEN_HANG | SCEN_ERRORS },
	{ "ms-wrap", "49.7 days of uptime at five moments", "no jump, no pause", ms_wrap, SCEN_ERRORS },
	{ "tick-wrap", "4.77 hours of uptime at five moments", "no jump, no pause", tick_wrap, SCEN_ERRORS },
	{ "ten-hours", "10 hours, nothing poked", "error <= 20 ms throughout", ten_hours, SCEN_PC },
	{ "eight-days", "no network for eight days",
	    "time; after a day a code for 2 s a minute; then no seconds; then right again", eight_days, SCEN_PC | SCEN_LONG },
	{ 0 },
};
