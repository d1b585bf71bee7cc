/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The firmware's C on the PC as a processor of the rig: RAM like crt0 leaves
 * it after each reset, noise where it is not initialised, sleep that jumps to
 * what happens next.
 */
#include <stdlib.h>
#include <string.h>

#include "fw.h"
#include "pc.h"

/* The Makefile puts the firmware's variables into sections of their own, hal.h those of NOINIT. */
extern uint8_t __start_fw_data[] __attribute__((weak)), __stop_fw_data[] __attribute__((weak));
extern uint8_t __start_fw_bss[] __attribute__((weak)), __stop_fw_bss[] __attribute__((weak));
extern uint8_t __start_fw_noinit[] __attribute__((weak)), __stop_fw_noinit[] __attribute__((weak));

static uint8_t *first_data;		/* fw_data as it was before the firmware ever ran */

/* Not memcpy: what ASan has put between the variables is copied too. */
PC_LEAN static void copy(volatile uint8_t *to, const volatile uint8_t *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = from[i];
}

PC_LEAN static void clear(volatile uint8_t *at, const volatile uint8_t *end)
{
	while (at != end)
		*at++ = 0;
}

PC_LEAN static void noise(volatile uint8_t *at, const volatile uint8_t *end, uint64_t seed)
{
	while (at != end) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		*at++ = (uint8_t)(seed >> 56);
	}
}

static void ram_start(void)
{
	size_t size = (size_t)(__stop_fw_data - __start_fw_data);

	if (first_data == NULL) {
		first_data = malloc(size + 1);
		if (first_data == NULL)
			abort();
		copy(first_data, __start_fw_data, size);
	}
	copy(__start_fw_data, first_data, size);
	clear(__start_fw_bss, __stop_fw_bss);
}

/* ---- power and reset ------------------------------------------------------- */

static void nothing_due(void)
{
	for (unsigned i = 0; i < PC_EVENTS; i++)
		pc->due[i] = UINT64_MAX;
	pc->next = UINT64_MAX;
}

/* Sets pins and peripherals to their state while the processor is off or in reset. */
static void let_go(struct rig *rig)
{
	rig_pin(rig, TUBES_HV, false);
	rig->colon = false;
	wsim_select(rig->wifi, false, rig->cycle);
	wsim_enable(rig->wifi, false, rig->cycle);
	wsim_reset(rig->wifi, false, rig->cycle);
	nothing_due();
	pc->in.count = pc->out.count = 0;
	pc->masked = true;
	pc->lost = false;
	pc->started = pc->asleep = pc->woken = pc->hung = false;
	rig_tick(rig);
}

void pc_reset(uint8_t cause)
{
	let_go(pc->rig);
	ram_start();
	pc->cause = cause;
	pc->reset_at = pc->rig->cycle;
	pc->beat_at = pc->reset_at + PC_BEAT;
	if (pc->run != NULL)
		longjmp(*pc->run, 1);
}

static void power(struct rig *rig, bool on)
{
	if (rig->cycle < pc->ee_until)		/* neither the old byte nor the new one */
		noise(&pc->eeprom[pc->ee_at], &pc->eeprom[pc->ee_at + 1], rig->cycle + rig->seed);
	pc->ee_until = 0;
	pc->on = on;
	if (on) {
		noise(__start_fw_noinit, __stop_fw_noinit, rig->seed + rig->cycle);
		pc_reset(RESET_POWER);
	} else {
		let_go(rig);
	}
}

static void button(struct rig *rig)
{
	(void)rig;
	if (pc->on)
		pc_reset(RESET_BUTTON);
}

static void hang(struct rig *rig)
{
	(void)rig;
	pc->hung = true;
}

/* ---- running --------------------------------------------------------------- */

/* Each 10 ms something wakes hal_idle, asleep or not.  On quiet days less often: it is 8 million times a day. */
PC_LEAN static void beat(void)
{
	uint64_t cycle = pc->rig->cycle, each = pc->rig->beat_ms > 0 ? pc->rig->beat_ms * (uint64_t)PC_MS : PC_BEAT;

	if (cycle < pc->beat_at)
		return;
	pc->woken = true;
	pc->beat_at += ((cycle - pc->beat_at) / each + 1) * each;
}

/* Time goes on until something happens or `until`. */
PC_LEAN static void jump(uint64_t until)
{
	struct rig *rig = pc->rig;
	uint64_t to = until;

	if (rig->due < to)
		to = rig->due;
	if (pc->next < to)
		to = pc->next;
	if (pc->asleep && pc->beat_at < to)
		to = pc->beat_at;
	if (to > rig->cycle)
		rig->cycle = to;
	pc_due();
	beat();
}

static void go_on(void)
{
	if (!pc->started) {
		fw_start();
		pc->started = true;
		pc->last_pass = pc->rig->cycle;
	}
	fw_pass();
	pc->rig->cycle += PC_PASS;
	pc_due();
	beat();
	pc->asleep = true;
}

/* An event since the start of the last pass lets the next pass begin at once. */
static void wake_up(void)
{
	if (pc->asleep && pc->woken)
		pc->asleep = pc->woken = false;
}

static void run(struct rig *rig, uint64_t until)
{
	jmp_buf here;

	setjmp(here);
	pc->run = &here;
	while (rig->cycle < until) {
		wake_up();
		if (pc->on && !pc->hung && !pc->asleep)
			go_on();
		else
			jump(until);
	}
	pc->run = NULL;
}

/* ---- from outside ---------------------------------------------------------- */

static bool uart(struct rig *rig, uint8_t byte)
{
	(void)rig;
	if (!pc->on)
		return false;
	pc->woken = true;
	if (!pc_ring_put(&pc->in, byte))
		pc->lost = true;
	return true;
}

static void irq(struct rig *rig, bool low)
{
	if (low && !pc->asks && !rig->lose_edges) {
		pc->asked = (uint32_t)((rig->cycle - pc->reset_at) / PC_TICK);
		pc->woken = true;
	}
	pc->asks = low;
}

static uint8_t *eeprom(struct rig *rig)
{
	(void)rig;
	return pc->eeprom;
}

/* Where a variable of the firmware is; its size in *size. */
static uint8_t *variable(const char *name, uint64_t *size)
{
	uint8_t *const part[][2] = {
		{ __start_fw_data, __stop_fw_data }, { __start_fw_bss, __stop_fw_bss },
		{ __start_fw_noinit, __stop_fw_noinit },
	};
	const struct symbol *self = symbols_named(&pc->symbols, "rig_pc", 0, UINT64_MAX);
	uint64_t base = self == NULL ? 0 : (uint64_t)(uintptr_t)&rig_pc - self->at;

	for (unsigned i = 0; i < 3; i++) {
		const struct symbol *symbol = symbols_named(&pc->symbols, name,
		    (uint64_t)(uintptr_t)part[i][0] - base, (uint64_t)(uintptr_t)part[i][1] - base);

		if (symbol != NULL) {
			*size = symbol->size;
			return (uint8_t *)(uintptr_t)(symbol->at + base);
		}
	}
	return NULL;
}

/* A type may be wider here than on the AVR: the low bytes are the value, zeros above. */
static bool peek(struct rig *rig, const char *name, void *value, unsigned size)
{
	uint64_t have;
	const uint8_t *at = variable(name, &have);

	(void)rig;
	if (at == NULL)
		return false;
	memset(value, 0, size);
	memcpy(value, at, have < size ? have : size);
	return true;
}

static const uint8_t *at(struct rig *rig, const char *name, unsigned size)
{
	uint64_t have = 0;
	const uint8_t *where = variable(name, &have);

	(void)rig;
	return have >= size ? where : NULL;
}

static bool poke(struct rig *rig, const char *name, const void *value, unsigned size)
{
	uint64_t have;
	uint8_t *at = variable(name, &have);

	(void)rig;
	if (at == NULL)
		return false;
	memset(at, 0, have);
	memcpy(at, value, have < size ? have : size);
	return true;
}

static bool open_pc(struct rig *rig, const char *elf)
{
	(void)elf;
	pc = calloc(1, sizeof *pc);
	if (pc == NULL || !symbols_read(&pc->symbols, "/proc/self/exe")) {
		free(pc);
		return false;
	}
	pc->rig = rig;
	rig->priv = pc;
	memset(pc->eeprom, 0xff, sizeof pc->eeprom);
	nothing_due();
	return true;
}

static void close_pc(struct rig *rig)
{
	symbols_free(&pc->symbols);
	free(pc);
	rig->priv = pc = NULL;
}

const struct rig_cpu rig_pc = {
	.name = "pc", .open = open_pc, .power = power, .button = button, .run = run,
	.uart = uart, .eeprom = eeprom, .peek = peek, .at = at, .poke = poke, .hang = hang,
	.irq = irq, .close = close_pc,
};
