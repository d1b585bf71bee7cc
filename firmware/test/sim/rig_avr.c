/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rig's real processor: the ELF in simavr, its pins on the models.  Where
 * simavr is not like the chip (SPI speed, pulled-up inputs, flow of sleep) it
 * is put right here.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avr_in.h"
#include "board.h"

enum {
	STACK_ROOM = 700,
	LOOP_FOREVER = 0xcfff,		/* rjmp to itself */
	REBOOT = 0x5a,			/* of hal_reboot: the firmware's own wish, not a bite */
	TICK = 64,			/* cycles */
	COMPARE_A = 11 * 4,		/* its vector: from there on_second is called */
	SPL = 0x5d, SPH = 0x5e,
	VECTORS = 26 * 4,
	BATCH = 16,			/* cycles simavr may run at once: the time without interrupts may be so much too long */
};

/* simavr never frees what it allocates. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libsimavr";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}

/* ---- symbols --------------------------------------------------------------- */

static bool symbol(struct avr_rig *a, const char *name, uint32_t *at)
{
	for (uint32_t i = 0; i < a->elf.symbolcount; i++) {
		if (strcmp(a->elf.symbol[i]->symbol, name) != 0)
			continue;
		*at = a->elf.symbol[i]->addr;
		return true;
	}
	return false;
}

static uint8_t *variable(struct avr_rig *a, const char *name, unsigned size)
{
	uint32_t at;

	if (!symbol(a, name, &at) || at < 0x800000U + RAM_START || at + size > 0x800000U + RAM_END)
		return NULL;
	return a->avr->data + (at & 0xffff);
}

static bool peek(struct rig *rig, const char *name, void *value, unsigned size)
{
	const uint8_t *at = variable(rig->priv, name, size);

	if (at)
		memcpy(value, at, size);
	return at != NULL;
}

static bool poke(struct rig *rig, const char *name, const void *value, unsigned size)
{
	uint8_t *at = variable(rig->priv, name, size);

	if (at)
		memcpy(at, value, size);
	return at != NULL;
}

static const uint8_t *at(struct rig *rig, const char *name, unsigned size)
{
	return variable(rig->priv, name, size);
}

static uint8_t byte_of(struct avr_rig *a, const char *name, uint8_t otherwise)
{
	uint8_t value = otherwise;

	peek(a->rig, name, &value, 1);
	return value;
}

/* ---- power and resets ------------------------------------------------------ */

static struct avr_rig *the_rig;		/* simavr's reset has no argument of ours */
static void (*chip_reset)(avr_t *avr);

static void unhang(struct avr_rig *a)
{
	if (a->patched != 0)
		memcpy(a->avr->flash + a->fw_pass, &a->patched, sizeof a->patched);
	a->patched = 0;
}

static void on_reset(avr_t *avr)
{
	struct avr_rig *a = the_rig;

	if (chip_reset)
		chip_reset(avr);
	if (!a->resetting && byte_of(a, "hal_reboot", 0) != REBOOT)
		a->rig->gates.watchdog_bites++;
	a->was_reset = true;
	avr->run_cycle_limit = BATCH;	/* simavr's reset makes it 1 */
	a->armed = 0;
	a->irq_was_on = false;
	a->irq_off_since = a->mark = a->begins = a->exact = 0;
	unhang(a);
}

static void reset_by(struct avr_rig *a, avr_regbit_t cause)
{
	a->resetting = true;
	avr_reset(a->avr);
	a->resetting = false;
	avr_regbit_set(a->avr, cause);
}

static void power(struct rig *rig, bool on)
{
	struct avr_rig *a = rig->priv;
	uint32_t state = rig->seed * 2654435761U + (uint32_t)rig->power_on + 1;

	a->on = on;
	avr_board_float(a);
	avr_board_off(a);
	if (!on)
		return;
	for (unsigned i = RAM_START; i < RAM_END; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		a->noise[i] = a->avr->data[i] = (uint8_t)(state >> 11);
	}
	a->base = rig->cycle - a->avr->cycle;
	reset_by(a, a->avr->reset_flags.porf);
}

static void button(struct rig *rig)
{
	struct avr_rig *a = rig->priv;

	if (a->on)
		reset_by(a, a->avr->reset_flags.extrf);
}

static void hang(struct rig *rig)
{
	struct avr_rig *a = rig->priv;
	const uint16_t loop = LOOP_FOREVER;

	if (a->fw_pass == 0 || a->patched != 0)
		return;
	memcpy(&a->patched, a->avr->flash + a->fw_pass, sizeof a->patched);
	memcpy(a->avr->flash + a->fw_pass, &loop, sizeof loop);
}

/* ---- running --------------------------------------------------------------- */

static avr_cycle_count_t awake(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct avr_rig *a = arg;

	(void)avr;
	(void)when;
	a->armed = 0;
	return 0;
}

LEAN static void arm(struct avr_rig *a, uint64_t cycle)
{
	if (a->armed == cycle)
		return;
	avr_cycle_timer_cancel(a->avr, awake, a);
	uint64_t now = a->base + a->avr->cycle;
	avr_cycle_timer_register(a->avr, cycle > now ? cycle - now : 1, awake, a);
	a->armed = cycle;
}

/* The cycle of the tick that on_second is called with: in r25 to r22, low bytes last.  simavr's count may be a part of one behind. */
static uint64_t due_cycle(const struct avr_rig *a, uint32_t tick)
{
	uint64_t counted = (a->avr->cycle - a->timer->tov_base) / TICK;
	uint64_t part = (a->avr->cycle - a->timer->tov_base) % TICK;

	return a->rig->cycle - part - (uint16_t)(counted - tick) * TICK;
}

LEAN static void second_begins(struct avr_rig *a)
{
	const uint8_t *r = a->avr->data;
	uint32_t tick = r[22] | (uint32_t)r[23] << 8 | (uint32_t)r[24] << 16 | (uint32_t)r[25] << 24;

	a->begins = due_cycle(a, tick);
	rig_second(a->rig, a->begins, tick);
}

LEAN static uint16_t stack_pointer(const avr_t *avr)
{
	return (uint16_t)(avr->data[SPL] | avr->data[SPH] << 8);
}

/* began: the cycle before the instructions that have just run. */
LEAN static void watch(struct avr_rig *a, uint64_t began)
{
	avr_t *avr = a->avr;

	if (avr->pc == COMPARE_A)
		a->exact = stack_pointer(avr);
	else if (a->exact != 0 && stack_pointer(avr) > a->exact)
		a->exact = 0;			/* returned */
	if (a->exact != 0 && avr->pc == a->on_second) {
		second_begins(a);
		a->exact = 0;
	}
	if (avr->sreg[S_I]) {
		if (a->irq_off_since != 0 && a->irq_was_on)
			avr_rig_most(&a->rig->gates.irq_off, avr->cycle - a->irq_off_since);
		a->irq_was_on = true;
		a->irq_off_since = 0;
	} else if (a->irq_off_since == 0) {
		a->irq_off_since = avr->pc < VECTORS ? avr->cycle : began;
	}
}

LEAN static void step(struct avr_rig *a, uint64_t until)
{
	struct rig *rig = a->rig;

	arm(a, rig->due < until ? rig->due : until);
	if (rig->step)
		rig->step(rig, rig->step_arg);
	if (a->exact != 0 || rig->step)
		a->avr->run_cycle_count = 1;
	uint64_t began = a->avr->cycle;
	int state = avr_run(a->avr);
	avr_rig_now(a);
	if (a->was_reset) {
		a->was_reset = false;
		avr_board_float(a);
	}
	watch(a, began);
	if (state == cpu_Crashed || state == cpu_Done)
		rig->crashed = state == cpu_Done ? "slept with interrupts off" : "left its program";
	if (rig->cycle >= rig->due)
		rig_tick(rig);
}

/* From the top of RAM down to the lowest byte that is not what it was at power-on. */
static void measure_stack(struct avr_rig *a)
{
	uint32_t at = a->data_end;

	while (at < RAM_END && a->avr->data[at] == a->noise[at])
		at++;
	avr_rig_most(&a->rig->gates.stack, RAM_END - at);
	if (at < RAM_END - STACK_ROOM)
		avr_rig_most(&a->rig->gates.guard, RAM_END - STACK_ROOM - at);
}

LEAN static void run(struct rig *rig, uint64_t until)
{
	struct avr_rig *a = rig->priv;

	while (rig->cycle < until && !rig->crashed) {
		if (a->on) {
			step(a, until);
			continue;
		}
		rig->cycle = rig->due < until ? rig->due : until;
		rig_tick(rig);
	}
	if (a->on)
		measure_stack(a);
}

/* ---- making ---------------------------------------------------------------- */

static void dont_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	(void)cycles;
}

static void no_log(avr_t *avr, const int level, const char *format, va_list args)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)args;
}

/* simavr says on stdout what it loads. */
static int read_quietly(const char *elf, elf_firmware_t *firmware)
{
	int before, null, result;

	fflush(stdout);
	before = dup(STDOUT_FILENO);
	null = open("/dev/null", O_WRONLY);
	dup2(null, STDOUT_FILENO);
	result = elf_read_firmware(elf, firmware);
	fflush(stdout);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(null);
	return result;
}

static bool make_core(struct avr_rig *a)
{
	avr_global_logger_set(no_log);
	a->avr = avr_make_mcu_by_name("atmega328p");
	if (!a->avr)
		return false;
	avr_init(a->avr);
	avr_load_firmware(a->avr, &a->elf);
	a->avr->frequency = F_CPU;
	a->avr->vcc = a->avr->avcc = 5000;
	a->avr->sleep = dont_sleep;
	the_rig = a;
	chip_reset = a->avr->reset;
	a->avr->reset = on_reset;
	return true;
}

static bool open_avr(struct rig *rig, const char *elf)
{
	struct avr_rig *a = calloc(1, sizeof *a);

	if (!a)
		abort();
	a->rig = rig;
	rig->priv = a;
	if (read_quietly(elf, &a->elf) != 0 || !make_core(a)) {
		free(a);
		return false;
	}
	uint32_t end = 0x800000U + RAM_END;
	symbol(a, "_end", &end);
	a->data_end = end & 0xffff;
	if (!symbol(a, "on_second", &a->on_second) || !symbol(a, "fw_pass", &a->fw_pass)) {
		free(a);
		return false;
	}
	avr_board_connect(a);
	memset(avr_board_eeprom(rig), 0xff, EEPROM_BYTES);
	return true;
}

static void close_avr(struct rig *rig)
{
	struct avr_rig *a = rig->priv;

	avr_terminate(a->avr);
	free(a->avr);
	free(a);
}

struct avr_t *rig_avr_core(struct rig *rig)
{
	return ((struct avr_rig *)rig->priv)->avr;
}

uint32_t rig_avr_function(struct rig *rig, const char *name)
{
	uint32_t at = 0;

	return symbol(rig->priv, name, &at) ? at : 0;
}

const struct rig_cpu rig_avr = {
	.name = "avr", .open = open_avr, .power = power, .button = button, .run = run,
	.uart = avr_board_type, .eeprom = avr_board_eeprom, .peek = peek, .at = at, .poke = poke, .hang = hang,
	.irq = avr_board_irq, .close = close_avr,
};
