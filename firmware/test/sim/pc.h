/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PC as a processor of the clock: what hal_pc.c (the hal.h side) and
 * rig_pc.c (the rig.h side) share.  Time is virtual: it passes where the
 * firmware touches the board or sleeps.
 */
#ifndef PC_H
#define PC_H

#include <setjmp.h>

#include "hal.h"
#include "rig.h"
#include "symbols.h"

/* For what runs millions of times a simulated day: not instrumented. */
#define PC_LEAN __attribute__((no_sanitize("address", "undefined")))

enum { PC_RING = 64, PC_EEPROM = 1024 };

enum pc_event {
	PC_WATCHDOG,
	PC_SECOND,
	PC_DIM,
	PC_SENT,	/* a byte has left the UART */
	PC_WRITTEN,	/* a byte of EEPROM */
	PC_EVENTS,
};

/* For the ATmega328P at 16 MHz. */
enum pc_cycles {
	PC_MS = 16000,
	PC_TICK = 64,
	PC_BEAT = 10 * PC_MS,
	PC_BYTE = 10 * 136,		/* start, 8 bits, stop at F_CPU / 8 / 17 */
	PC_EE_WRITE = 34 * PC_MS / 10,
	PC_DOG_TIME = 2000 * PC_MS,
	PC_FRAME = 8 * PC_MS,
	PC_DIM_STEP = PC_FRAME / 16,
	PC_FADE = 41,			/* frames in which a picture fades in */
	PC_PASS = 400,			/* of the main loop, beside what its calls of hal.h cost */
};

struct pc_ring {
	uint8_t byte[PC_RING];
	uint8_t first, count;
};

struct pc {
	struct rig *rig;
	bool on, hung;
	bool started;			/* fw_start has run since the last reset */
	bool asleep;			/* in hal_idle, until woken */
	bool woken;			/* an interrupt came that hal_idle is to return for */
	bool masked;			/* interrupts are off */
	uint8_t cause;			/* enum of hal.h */
	uint64_t reset_at;		/* the timers began here */
	uint64_t beat_at;		/* the next of 10 ms */
	uint64_t last_pass;
	bool quiet;			/* rig->beat_ms was set then */
	uint64_t due[PC_EVENTS];	/* cycles, UINT64_MAX: never */
	uint64_t next;			/* the least of them */
	uint32_t second_tick;
	uint64_t beat;			/* in on_second: when it was due */
	jmp_buf *run;			/* of the run under way: a reset goes there */
	/* tubes */
	uint64_t picture, before;	/* before: fades out */
	uint64_t frame;			/* began here */
	uint8_t level;
	uint8_t fade;			/* finished frames of the fade; PC_FADE: no fade is active */
	enum { PC_NEW, PC_OLD, PC_DARK } phase;		/* which part of the frame it is */
	/* module, UART, EEPROM */
	bool asks;
	uint32_t asked;
	struct pc_ring in, out;
	bool lost;
	uint8_t eeprom[PC_EEPROM];
	uint16_t ee_at;
	uint64_t ee_until;
	struct symbols symbols;
};

extern struct pc *pc;			/* the one that is open */

/* Outside of the processor and in it: what is due by now. */
void pc_due(void);
/* Comes back in the run under way, if there is one. */
void pc_reset(uint8_t cause);

bool pc_ring_put(struct pc_ring *ring, uint8_t byte);

#endif
