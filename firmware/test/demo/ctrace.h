/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run of the AVR as an Android-layout method trace: which function was
 * called when and how long it took, found from the program counter and the
 * stack pointer after each instruction.
 *
 * A call is a jump to a function's first word that leaves a return address on
 * the stack; it ends when the stack pointer rises above it.  A jump to another
 * function's first word at the same height is a tail call: it ends the one and
 * begins the other.  Interrupts are threads of their own; what they interrupt
 * stays open and spends no CPU time.  Wall time is simulated time, CPU time is
 * that part of it in which the processor was not asleep.
 */
#ifndef CTRACE_H
#define CTRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct ctrace_function {
	uint32_t at;		/* of its first byte in flash */
	char name[48];		/* TIMER1_COMPA_vect for __vector_11 */
	char class[32];		/* clock.winc: the source file's name without ending */
	char file[32];		/* empty: not known */
	int line;		/* -1: not known */
};

struct ctrace_map {
	struct ctrace_function *list;	/* by address; [0] is what runs from the reset on */
	unsigned count;
};

/* The functions of an ELF, with the lines that avr-addr2line knows. */
bool ctrace_map_read(struct ctrace_map *map, const char *elf);
void ctrace_map_free(struct ctrace_map *map);

enum { CTRACE_VECTORS = 26 };
/* "TIMER1_COMPA"; 0 is "main". */
const char *ctrace_thread(unsigned vector);

struct ctrace;
struct ctrace *ctrace_new(const struct ctrace_map *map);	/* map stays the caller's */
void ctrace_free(struct ctrace *trace);
/* Calls of main shorter than that are left out of the file where no longer one is inside; the sums have them. */
void ctrace_shortest(struct ctrace *trace, uint64_t cycles);

struct ctrace_step {
	uint64_t cycle;		/* after the instruction */
	uint64_t slept;		/* cycles of it in which the processor slept */
	uint32_t pc;		/* the next one, in bytes */
	uint32_t pushed;	/* the return address on top of the stack, in bytes */
	uint16_t sp;
};
/* The first step only says where it begins. */
void ctrace_step(struct ctrace *trace, const struct ctrace_step *step);
struct avr_t;
/* The same from simavr: before each instruction, and once after the last. */
void ctrace_watch(struct ctrace *trace, const struct avr_t *avr);
/* Leaves every function that is still running. */
void ctrace_end(struct ctrace *trace);

/* After ctrace_end: the file. */
bool ctrace_write(const struct ctrace *trace, FILE *f);

/* The counts of a function: its calls, the cycles in the function itself, all and awake. */
struct ctrace_sum {
	uint64_t calls, self, awake;
};
struct ctrace_sum ctrace_sum(const struct ctrace *trace, unsigned function);
uint64_t ctrace_records(const struct ctrace *trace);
unsigned ctrace_depth(const struct ctrace *trace);	/* frames open now */

#endif
