/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hal.h on a PC, over the same models of tubes and module that the simulated
 * AVR drives.  A call costs about the cycles it costs on the board; interrupts
 * run when the time passes them and they are not locked out.
 */
#include <assert.h>
#include <string.h>

#include "pc.h"

enum cost { COST_CALL = 20, COST_SPI = 20, COST_SHOW = 400 };

struct pc *pc;

static void interrupts(void);
static uint64_t ticks(void);

bool pc_ring_put(struct pc_ring *ring, uint8_t byte)
{
	if (ring->count == PC_RING - 1)
		return false;
	ring->byte[(ring->first + ring->count++) % PC_RING] = byte;
	return true;
}

static bool ring_get(struct pc_ring *ring, uint8_t *byte)
{
	if (ring->count == 0)
		return false;
	*byte = ring->byte[ring->first];
	ring->first = (ring->first + 1) % PC_RING;
	ring->count--;
	return true;
}

PC_LEAN static void due_at(enum pc_event event, uint64_t cycle)
{
	pc->due[event] = cycle;
	pc->next = UINT64_MAX;
	for (unsigned i = 0; i < PC_EVENTS; i++) {
		if (pc->due[i] < pc->next)
			pc->next = pc->due[i];
	}
}

PC_LEAN void pc_due(void)
{
	if (pc->rig->cycle >= pc->rig->due)
		rig_tick(pc->rig);
	if (pc->rig->cycle >= pc->next)
		interrupts();
}

PC_LEAN static void spend(uint32_t cycles)
{
	pc->rig->cycle += cycles;
	pc_due();
}

/* ---- interrupts ------------------------------------------------------------ */

static void show(uint64_t word)
{
	if (word == 0)
		tubes_blank(&pc->rig->tubes, pc->rig->cycle);
	else
		tubes_picture(&pc->rig->tubes, word, pc->rig->cycle);
}

/* A frame begins: the picture for its part. */
static void frame(void)
{
	uint64_t lit = pc->level * PC_DIM_STEP;

	pc->phase = PC_NEW;
	pc->frame = pc->rig->cycle;
	show(pc->picture);
	if (pc->fade < PC_FADE)
		lit = lit * (pc->fade + 1U) / (PC_FADE + 1);
	due_at(PC_DIM, lit < PC_FRAME ? pc->frame + lit : UINT64_MAX);
}

/* The next part of a frame: the picture before, as long as it is lit, then the dark. */
static void dim_turn(void)
{
	uint64_t lit = pc->level * PC_DIM_STEP;

	if (pc->phase == PC_NEW && pc->fade < PC_FADE && pc->rig->cycle < pc->frame + lit) {
		pc->phase = PC_OLD;
		show(pc->before);
		due_at(PC_DIM, pc->frame + lit);
	} else if (pc->phase != PC_DARK && lit < PC_FRAME) {
		pc->phase = PC_DARK;
		show(0);
		due_at(PC_DIM, pc->frame + PC_FRAME);
	} else {
		if (pc->fade < PC_FADE)
			pc->fade++;
		frame();
	}
}

static void sent(void)
{
	uint8_t byte = 0;

	ring_get(&pc->out, &byte);
	due_at(PC_SENT, pc->out.count == 0 ? UINT64_MAX : pc->due[PC_SENT] + PC_BYTE);
	if (pc->out.count == 0)
		pc->woken = true;
	rig_said(pc->rig, byte);
}

static void written(void)
{
	due_at(PC_WRITTEN, UINT64_MAX);
	pc->woken = true;
}

static void second(void)
{
	uint64_t now = ticks();

	pc->beat = pc->due[PC_SECOND];
	due_at(PC_SECOND, UINT64_MAX);
	pc->woken = true;
	rig_second(pc->rig, pc->reset_at + (now - ((uint32_t)now - pc->second_tick)) * PC_TICK, pc->second_tick);
	on_second(pc->second_tick);
	pc->beat = 0;
}

static void interrupt(enum pc_event event)
{
	static void (*const handler[PC_EVENTS])(void) = {
		[PC_SECOND] = second, [PC_DIM] = dim_turn, [PC_SENT] = sent,
		[PC_WRITTEN] = written,
	};

	pc->masked = true;
	handler[event]();
	pc->masked = false;
}

/* The watchdog's bite; and the interrupts that are due, when they are not masked. */
static void interrupts(void)
{
	uint64_t now = pc->rig->cycle;

	if (pc->due[PC_WATCHDOG] <= now) {
		pc->rig->gates.watchdog_bites++;
		pc_reset(RESET_WATCHDOG);
		return;
	}
	for (unsigned i = PC_SECOND; i < PC_EVENTS && !pc->masked; i++) {
		if (pc->due[i] <= now)
			interrupt((enum pc_event)i);
	}
}

PC_LEAN uint8_t hal_lock(void)
{
	uint8_t before = pc->masked;

	pc->masked = true;
	return before;
}

PC_LEAN void hal_unlock(uint8_t before)
{
	pc->masked = before != 0;
	pc_due();
}

/* ---- start, watchdog, sleep ------------------------------------------------ */

void hal_init(void)
{
	rig_pin(pc->rig, TUBES_HV, false);
	pc->picture = 0;
	pc->level = DIM_FULL;
	pc->fade = PC_FADE;
	frame();
	hal_wifi_enable(false);
	hal_wifi_reset(true);
	hal_kick();
	hal_unlock(false);
}

uint8_t hal_reset_cause(void)
{
	return pc->cause;
}

PC_LEAN void hal_kick(void)
{
	due_at(PC_WATCHDOG, pc->rig->cycle + PC_DOG_TIME);
}

void hal_reset(void)
{
	pc_reset(RESET_BUTTON);
	__builtin_unreachable();
}

PC_LEAN void hal_mark(void)
{
	uint64_t gap = pc->rig->cycle - pc->last_pass;

	pc->last_pass = pc->rig->cycle;
	rig_pass(pc->rig);
	if (pc->started && !pc->quiet && gap > pc->rig->gates.pass_gap)
		pc->rig->gates.pass_gap = (uint32_t)gap;
	pc->quiet = pc->rig->beat_ms > 0;
}

/* ---- time ------------------------------------------------------------------ */

PC_LEAN static uint64_t ticks(void)
{
	return (pc->rig->cycle - pc->reset_at) / PC_TICK;
}

PC_LEAN uint32_t hal_ticks(void)
{
	spend(COST_CALL);
	return (uint32_t)ticks();
}

PC_LEAN uint32_t hal_ms(void)
{
	spend(COST_CALL);
	return (uint32_t)(ticks() / TICKS_PER_MS);
}

void hal_second_at(uint32_t tick)
{
	uint64_t now = ticks();
	int32_t ahead = (int32_t)(tick - (uint32_t)now);

	pc->second_tick = tick;
	if (ahead < 0)
		ahead = 0;
	due_at(PC_SECOND, pc->reset_at + (now + (uint32_t)ahead) * PC_TICK);
	spend(COST_CALL);
}

/* ---- tubes ----------------------------------------------------------------- */

/* How late the picture of a second comes. */
static void late(void)
{
	uint64_t jitter = pc->rig->cycle - pc->beat;

	if (pc->beat != 0 && jitter > pc->rig->gates.jitter)
		pc->rig->gates.jitter = (uint32_t)jitter;
}

/* A new picture does not wait for the dark part to end; one that fades in is left alone. */
void hal_show(const uint8_t word[6], bool fade)
{
	uint8_t before = hal_lock();
	uint64_t picture = 0;

	for (unsigned i = 0; i < 6; i++)
		picture |= (uint64_t)word[i] << (8 * i);
	pc->rig->cycle += COST_SHOW;
	if (picture != pc->picture) {
		pc->before = pc->picture;
		pc->picture = picture;
		pc->fade = fade ? 0 : PC_FADE;
		late();
		if (pc->phase != PC_DARK && pc->level < DIM_FULL)
			show(picture);
		else if (pc->level > 0)
			frame();
	} else if (pc->fade == PC_FADE && pc->phase == PC_NEW) {
		show(picture);
	}
	hal_unlock(before);
}

void hal_dim(uint8_t level)
{
	if (level > 16)
		level = 16;
	if (level == pc->level)
		return;
	pc->level = level;
	if (level > 0) {
		frame();
	} else {
		pc->phase = PC_DARK;
		show(0);
		due_at(PC_DIM, UINT64_MAX);
	}
	spend(COST_CALL);
}

uint8_t hal_light(void)
{
	return pc->rig->light;
}

void hal_colon(bool on)
{
	pc->rig->colon = on;
}

void hal_hv(bool on)
{
	rig_pin(pc->rig, TUBES_HV, on);
}

/* ---- module ---------------------------------------------------------------- */

uint8_t hal_spi(uint8_t out)
{
	uint8_t in;

	pc->rig->cycle += COST_SPI;
	in = wsim_byte(pc->rig->wifi, out, pc->rig->cycle);
	pc_due();
	return in;
}

void hal_wifi_select(bool on)
{
	wsim_select(pc->rig->wifi, on, pc->rig->cycle);
	if (!on)
		rig_tick(pc->rig);
	spend(COST_CALL);
}

void hal_wifi_enable(bool on)
{
	wsim_enable(pc->rig->wifi, on, pc->rig->cycle);
	rig_tick(pc->rig);
}

void hal_wifi_reset(bool on)
{
	wsim_reset(pc->rig->wifi, !on, pc->rig->cycle);
	rig_tick(pc->rig);
}

bool hal_wifi_asks(void)
{
	spend(COST_CALL);
	return pc->asks;
}

uint32_t hal_wifi_asked(void)
{
	spend(COST_CALL);
	return pc->asked;
}

/* ---- UART ------------------------------------------------------------------ */

bool hal_uart_get(uint8_t *byte)
{
	spend(COST_CALL);
	return ring_get(&pc->in, byte);
}

bool hal_uart_put(uint8_t byte)
{
	spend(COST_CALL);
	if (!pc_ring_put(&pc->out, byte))
		return false;
	if (pc->out.count == 1)
		due_at(PC_SENT, pc->rig->cycle + PC_BYTE);
	return true;
}

bool hal_uart_lost(void)
{
	bool lost = pc->lost;

	pc->lost = false;
	return lost;
}

/* ---- EEPROM ---------------------------------------------------------------- */

uint8_t hal_ee_read(uint16_t at)
{
	assert(at < PC_EEPROM);
	return pc->eeprom[at];
}

void hal_ee_write(uint16_t at, uint8_t byte)
{
	assert(at < PC_EEPROM && !hal_ee_busy());
	pc->eeprom[at] = byte;
	pc->ee_at = at;
	pc->ee_until = pc->rig->cycle + PC_EE_WRITE;
	due_at(PC_WRITTEN, pc->ee_until);
	pc->rig->gates.eeprom_writes++;
}

bool hal_ee_busy(void)
{
	spend(COST_CALL);
	return pc->rig->cycle < pc->ee_until;
}
