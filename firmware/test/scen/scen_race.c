/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios of interrupts at the worst moment: at each boundary between two
 * instructions of what keeps them out, or need not.  The first instruction of
 * a function is where its symbol is; it has returned when the stack is above
 * where it was.
 */
#include <avr_timer.h>
#include <sim_avr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig_avr.h"
#include "scen_console.h"

enum {
	SPL = 0x5d, SPH = 0x5e, TIFR1 = 0x36, TCNT1L = 0x84, TCNT1H = 0x85, UCSR0A = 0xc0, UCSR0B = 0xc1,
	TOV1 = 1, UDRE0 = 0x20, UDRIE0 = 0x20,
	PCINT1 = 4, USART_UDRE = 19,	/* vectors */
	BOUNDARIES = 40,		/* more than any of these functions has */
	TICK = 64,			/* cycles */
	LATEST = 12,			/* ticks: 50 us without interrupts */
};

struct race {
	uint32_t function;
	uint16_t stack;			/* at its first instruction; 0: not in it */
	unsigned calls, boundary;
	unsigned done;			/* interrupts raised, or wraps */
	uint32_t ticks;			/* at the call */
	bool wrong;
};

static uint16_t stack_pointer(const avr_t *avr)
{
	return (uint16_t)(avr->data[SPL] | avr->data[SPH] << 8);
}

static void raise_vector(avr_t *avr, uint8_t number)
{
	for (unsigned i = 0; i < avr->interrupts.vector_count; i++)
		if (avr->interrupts.vector[i]->vector == number)
			avr_raise_interrupt(avr, avr->interrupts.vector[i]);
}

/* true: a boundary in the function, the first when it was just called. */
static bool inside(struct race *race, const avr_t *avr)
{
	if (race->stack == 0 && avr->pc == race->function) {
		race->stack = stack_pointer(avr);
		race->boundary = 0;
		race->calls++;
		return true;
	}
	if (race->stack != 0 && stack_pointer(avr) > race->stack) {
		race->stack = 0;
		return false;
	}
	race->boundary++;
	return race->stack != 0;
}

static void begin(struct rig *rig, struct race *race, const char *function, void (*step)(struct rig *rig, void *arg))
{
	memset(race, 0, sizeof *race);
	race->function = rig_avr_function(rig, function);
	CHECK(rig, race->function != 0);
	rig->step_arg = race;
	rig->step = step;
}

/* ---- a byte into EEPROM -------------------------------------------------------------- */

/* Each call at another boundary. */
static void disturb(struct rig *rig, void *arg)
{
	struct race *race = arg;
	avr_t *avr = rig_avr_core(rig);

	if (!inside(race, avr) || race->boundary != race->calls % BOUNDARIES)
		return;
	raise_vector(avr, PCINT1);
	race->done++;
}

static void save_disturbed(struct rig *rig)
{
	struct race race;

	rig_power(rig, true);
	rig_run(rig, 0.5);
	CHECK(rig, says(rig, "ssid net", "ok") && says(rig, "pass pass phrase", "ok"));
	begin(rig, &race, "hal_ee_write", disturb);
	CHECK(rig, says(rig, "save", "\r\nsaved"));
	rig->step = NULL;
	CHECK(rig, race.calls >= 250 && race.done >= 60);
}

/* ---- a byte to the serial port ------------------------------------------------------- */

/* The port is ready for a byte just then. */
static void ready(struct rig *rig, void *arg)
{
	struct race *race = arg;
	avr_t *avr = rig_avr_core(rig);

	if (!inside(race, avr) || race->boundary != race->calls % BOUNDARIES)
		return;
	if ((avr->data[UCSR0A] & UDRE0) == 0 || (avr->data[UCSR0B] & UDRIE0) == 0)
		return;
	raise_vector(avr, USART_UDRE);
	race->done++;
}

static void said_disturbed(struct rig *rig)
{
	struct race race;

	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 0.5);
	char *quiet = strdup(rig_command(rig, "help"));
	CHECK(rig, quiet != NULL && strlen(quiet) > 300);
	begin(rig, &race, "hal_uart_put", ready);
	for (unsigned i = 0; i < 4; i++)
		CHECK(rig, strcmp(rig_command(rig, "help"), quiet) == 0);
	begin(rig, &race, "hal_uart_put", disturb);
	CHECK(rig, strcmp(rig_command(rig, "help"), quiet) == 0);
	rig->step = NULL;
	CHECK(rig, race.calls > 300);
	free(quiet);
}

/* ---- a byte that came wrong ---------------------------------------------------------- */

struct spoilt {
	struct race race;
	uint8_t flag;
	unsigned byte;			/* number of the call */
	uint8_t *status;		/* the processor's register that the status was just read into */
};

/* simavr computes the status at each reading: the flag is set in the value that was read. */
static void spoil(struct rig *rig, void *arg)
{
	struct spoilt *spoilt = arg;
	avr_t *avr = rig_avr_core(rig);
	const uint8_t *code = avr->flash + avr->pc;

	if (spoilt->status != NULL)
		*spoilt->status |= spoilt->flag;
	spoilt->status = NULL;
	if (!inside(&spoilt->race, avr) || spoilt->race.calls != spoilt->byte)
		return;
	/* lds: 1001 000d dddd 0000, then the address */
	if ((code[1] & 0xfe) == 0x90 && (code[0] & 0x0f) == 0 && code[2] == UCSR0A && code[3] == 0)
		spoilt->status = avr->data + ((code[1] & 1) << 4 | code[0] >> 4);
}

/* A line of which a byte was framed wrong, or overrun by the next, is dropped whole. */
static void bytes_spoilt(struct rig *rig)
{
	static const uint8_t flags[] = { 0x10, 0x08 };	/* FE0, DOR0 */

	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 0.5);
	for (unsigned i = 0; i < sizeof flags; i++) {
		struct spoilt spoilt;

		begin(rig, &spoilt.race, "__vector_18", spoil);
		spoilt.flag = flags[i];
		spoilt.status = NULL;
		spoilt.byte = 3;
		rig_forget(rig);
		CHECK(rig, strstr(rig_command(rig, "show"), "ssid: net") == NULL);
		CHECK(rig, spoilt.race.calls >= 5);
		rig->step = NULL;
		CHECK(rig, says(rig, "show", "ssid: net"));
	}
}

/* ---- the timer wraps ------------------------------------------------------------------ */

static uint32_t now(struct rig *rig)
{
	uint16_t wraps = 0;

	rig->cpu->peek(rig, "hal_wraps", &wraps, sizeof wraps);
	return (uint32_t)wraps << 16 | 0xffff;
}

/* The timer has its last value, and for so many cycles more; < 0: it wrapped.  simavr takes what is written for one less. */
static void last_value(avr_t *avr, int cycles)
{
	avr_io_addr_t low = AVR_DATA_TO_IO(TCNT1L);

	avr->data[TCNT1H] = 0xff;
	avr->io[low].w.c(avr, TCNT1L, 0xfe, avr->io[low].w.param);
	avr->cycle += (avr_cycle_count_t)(TICK - cycles);
}

static void wrap(struct rig *rig, void *arg)
{
	struct race *race = arg;
	avr_t *avr = rig_avr_core(rig);
	bool was_in = race->stack != 0, is_in = inside(race, avr);

	if (was_in && !is_in && race->ticks != 0) {
		uint32_t said = avr->data[22] | (uint32_t)avr->data[23] << 8 | (uint32_t)avr->data[24] << 16
		    | (uint32_t)avr->data[25] << 24;

		race->wrong |= said - race->ticks > 4 + LATEST;
		race->ticks = 0;
		race->done++;
	}
	/* some calls, so that the rest of the clock continues; the flag of the last wrap is gone by then */
	if (was_in || !is_in || (avr->data[TIFR1] & TOV1) != 0)
		return;
	if (!avr->sreg[S_I])		/* interrupts were out for some ticks before */
		last_value(avr, -(int)(race->calls % LATEST) * TICK);
	else if (race->calls % 100 == 0)
		last_value(avr, (int)(race->calls / 100 % TICK) + 1);
	else
		return;
	race->ticks = now(rig);
}

static void wraps_inside(struct rig *rig)
{
	struct rig_gates before;
	struct race race;

	rig_power(rig, true);
	rig_run(rig, 0.5);
	before = rig->gates;
	begin(rig, &race, "hal_ticks", wrap);
	for (unsigned i = 0; i < 600 && race.done < 2 * TICK && !race.wrong; i++)
		rig_run(rig, 0.1);
	rig->step = NULL;
	CHECK(rig, !race.wrong);
	CHECK(rig, race.done >= 2 * TICK);
	rig_run(rig, 1);
	rig->gates = before;		/* for a timer that leaps they mean nothing */
}

/* ---- a second that is due at once ------------------------------------------------------ */

struct haste {
	struct race race;
	uint32_t on_second;
	uint64_t due;			/* cycle; 0: nothing is measured */
	uint64_t latest;
	unsigned done;
};

static uint16_t counter(avr_t *avr)
{
	avr_io_addr_t low = AVR_DATA_TO_IO(TCNT1L);

	avr->data[TCNT1L] = avr->io[low].r.c(avr, TCNT1L, avr->io[low].r.param);
	return (uint16_t)(avr->data[TCNT1L] | avr->data[TCNT1H] << 8);
}

/* Every other second is asked for so many ticks from now, then one where the counter is 0. */
static void hurry(struct rig *rig, void *arg)
{
	struct haste *haste = arg;
	avr_t *avr = rig_avr_core(rig);
	bool was_in = haste->race.stack != 0;

	if (haste->due != 0 && avr->pc == haste->on_second) {
		if (avr->cycle > haste->due && avr->cycle - haste->due > haste->latest)
			haste->latest = avr->cycle - haste->due;
		haste->due = 0;
		haste->done++;
	}
	if (!inside(&haste->race, avr) || was_in || haste->race.calls % 2 != 0 || (avr->data[TIFR1] & TOV1) != 0)
		return;
	uint16_t count = counter(avr);
	unsigned ahead = haste->race.calls % 8 == 0 ? 0x10000U - count : haste->race.calls / 2 % 40;
	uint32_t due = (now(rig) & 0xffff0000U) + count + ahead;
	for (unsigned i = 0; i < 4; i++)
		avr->data[22 + i] = (uint8_t)(due >> (8 * i));
	haste->due = avr->cycle + (uint64_t)ahead * TICK;
}

static void due_at_once(struct rig *rig)
{
	struct rig_gates before;
	struct haste haste = { .on_second = rig_avr_function(rig, "on_second") };

	rig_power(rig, true);
	rig_run(rig, 0.5);
	before = rig->gates;
	begin(rig, &haste.race, "hal_second_at", hurry);
	rig_run(rig, 200);
	rig->step = NULL;
	CHECK(rig, haste.done >= 100);
	CHECK(rig, haste.latest < 16000);
	rig_run(rig, 3);
	rig->gates = before;
}

/* A reply is stamped when the module asks, not when the main loop looks. */
static void stamped(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 20));
	rig_run(rig, 20);
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(10 * SIM_HZ), rig->cycle) <= 0.5);
}

/* The remainder of a count must be counted the next time. */
static void milliseconds(struct rig *rig)
{
	uint32_t before = 0, after = 0;

	rig_power(rig, true);
	rig_run(rig, 0.5);
	CHECK(rig, rig->cpu->peek(rig, "hal_ms_count", &before, sizeof before));
	rig_run(rig, 170);		/* compare B comes to 0 in that time */
	CHECK(rig, rig->cpu->peek(rig, "hal_ms_count", &after, sizeof after));
	CHECK(rig, after - before >= 170000 - 11 && after - before <= 170000 + 11);
}

const struct scenario scen_race[] = {
	{ "save-disturbed", "an interrupt at each boundary of what writes a byte into EEPROM", "saved", save_disturbed, SCEN_AVR },
	{ "said-disturbed", "the port ready, a pin changed, at each boundary of what sends a byte",
	    "every character, once", said_disturbed, SCEN_AVR },
	{ "bytes-spoilt", "one byte of a line framed wrong, then one overrun", "the line is dropped whole", bytes_spoilt, SCEN_AVR },
	{ "wraps-inside", "timer 1 wraps at each cycle of what reads it", "the ticks advance by few", wraps_inside, SCEN_AVR },
	{ "due-at-once", "seconds asked for 0 to 39 ticks ahead, and at a counter of 0", "each within a millisecond",
	    due_at_once, SCEN_AVR },
	{ "stamped", "a reply between two looks of the main loop", "within half a millisecond", stamped, SCEN_AVR },
	{ "milliseconds", "170 s of an idle clock", "170000 ms, no beat left out", milliseconds, SCEN_AVR },
	{ 0 },
};
