/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the rig's real processor: rig_avr.c and avr_board.c only. */
#ifndef AVR_IN_H
#define AVR_IN_H

#include <avr_spi.h>
#include <avr_timer.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>

#include "rig_avr.h"

enum { RAM_START = 0x100, RAM_END = 0x900, EEPROM_BYTES = 1024 };

/* Runs for each instruction: without the sanitizers' checks, which the models and the firmware on the PC have. */
#define LEAN __attribute__((no_sanitize("address", "undefined")))

struct avr_rig {
	struct rig *rig;
	avr_t *avr;
	elf_firmware_t elf;
	uint64_t base;			/* rig->cycle - avr->cycle */
	uint64_t armed;			/* the rig's cycle of the timer that ends sleep; 0: none */
	bool on, resetting;		/* a reset from outside is under way */
	bool was_reset;			/* cycle timers are gone */
	uint8_t spi_out;
	avr_spi_t *spi;
	avr_uart_t *uart;
	avr_timer_t *timer;
	uint64_t eeprom_until;		/* a byte is being written */
	uint16_t eeprom_at;
	/* measured */
	uint8_t noise[RAM_END];		/* what RAM held at power-on */
	uint32_t data_end;		/* first address above the variables */
	uint32_t on_second, fw_pass;	/* addresses in flash */
	uint64_t irq_off_since;		/* 0: interrupts are on */
	bool irq_was_on;		/* since the reset */
	uint16_t exact;			/* in compare A's interrupt, until it calls on_second: its stack pointer; an instruction at a time */
	uint64_t mark;			/* last pass of the main loop; 0: none since the reset */
	uint64_t begins;		/* the second that is to be shown now was due; 0: none is */
	uint16_t patched;		/* the word of fw_pass when it hangs; 0: it does not */
};

LEAN static inline uint64_t avr_rig_now(struct avr_rig *a)
{
	return a->rig->cycle = a->base + a->avr->cycle;
}

static inline void avr_rig_most(uint32_t *gate, uint64_t value)
{
	if (value > *gate)
		*gate = (uint32_t)value;
}

/* avr_board.c */
void avr_board_connect(struct avr_rig *a);
void avr_board_float(struct avr_rig *a);	/* all pins are inputs */
void avr_board_off(struct avr_rig *a);		/* power goes: a byte on its way into EEPROM is spoilt */
bool avr_board_type(struct rig *rig, uint8_t byte);
void avr_board_irq(struct rig *rig, bool low);
uint8_t *avr_board_eeprom(struct rig *rig);

#endif
