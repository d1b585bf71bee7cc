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
	CHECK(rig, says(rig, "save", "saved"));
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

/* ---- the timer wraps ------------------------------------------------------------------ */

static uint32_t now(struct rig *rig)
{
	uint16_t wraps = 0;

	rig->cpu->peek(rig, "hal_wraps", &wraps, sizeof wraps);
	return (uint32_t)wraps << 16 | 0xffff;
}

/* The timer has its last value, and for so many cycles more.  simavr takes what is written for one less than that. */
static void last_value(avr_t *avr, unsigned cycles)
{
	avr_io_addr_t low = AVR_DATA_TO_IO(TCNT1L);

	avr->data[TCNT1H] = 0xff;
	avr->io[low].w.c(avr, TCNT1L, 0xfe, avr->io[low].w.param);
	avr->cycle += TICK - cycles;
}

static void wrap(struct rig *rig, void *arg)
{
	struct race *race = arg;
	avr_t *avr = rig_avr_core(rig);
	bool was_in = race->stack != 0, is_in = inside(race, avr);

	if (was_in && !is_in && race->ticks != 0) {
		uint32_t said = avr->data[22] | (uint32_t)avr->data[23] << 8 | (uint32_t)avr->data[24] << 16
		    | (uint32_t)avr->data[25] << 24;

		race->wrong |= said - race->ticks > 4;
		race->ticks = 0;
		race->done++;
	}
	/* every hundredth call, so that the rest of the clock goes on; the flag of the last wrap is gone by then */
	if (was_in || !is_in || race->calls % 100 != 0 || (avr->data[TIFR1] & TOV1) != 0)
		return;
	race->ticks = now(rig);
	last_value(avr, race->calls / 100 % TICK + 1);
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
	rig->gates = before;		/* of a timer that leaps they tell nothing */
}

const struct scenario scen_race[] = {
	{ "save-disturbed", "an interrupt at each boundary of what writes a byte into EEPROM", "saved", save_disturbed, SCEN_AVR },
	{ "said-disturbed", "the port ready, a pin changed, at each boundary of what sends a byte",
	    "every character, once", said_disturbed, SCEN_AVR },
	{ "wraps-inside", "timer 1 wraps at each cycle of what reads it", "the ticks go on by few", wraps_inside, SCEN_AVR },
	{ 0 },
};
