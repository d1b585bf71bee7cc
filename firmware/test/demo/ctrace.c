/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls out of program counter and stack pointer, and the method trace made of them. */
#include "ctrace.h"

#include <stdlib.h>
#include <string.h>

#include <sim_avr.h>

enum { SLEEP = 0x9588, SPL = 0x5d, SPH = 0x5e };
enum { DEPTH = 256, CYCLES_PER_US = 16, RECORD = 14, PROCESS = 1 };
enum action { ENTER, LEAVE };

struct frame {
	unsigned function, thread;
	uint16_t sp;		/* just after the return address was pushed */
	uint64_t since;
};

struct event {
	uint32_t wall, cpu;	/* us */
	uint16_t function;
	uint8_t thread, action;
};

struct ctrace {
	const struct ctrace_map *map;
	struct ctrace_sum *sum;			/* by function */
	struct frame frame[DEPTH];
	unsigned depth;
	uint64_t start, now, shortest;
	uint64_t awake[CTRACE_VECTORS];		/* by thread */
	uint32_t cpu[CTRACE_VECTORS];		/* of its last record, us */
	bool seen[CTRACE_VECTORS];
	bool running;
	uint32_t pc;
	uint16_t sp;
	bool sleeping, sleep;	/* before the instruction: asleep; it is SLEEP */
	struct event *event;
	size_t events, room;
};

const char *ctrace_thread(unsigned vector)
{
	static const char *const name[CTRACE_VECTORS] = {
		"main", "INT0", "INT1", "PCINT0", "PCINT1", "PCINT2", "WDT",
		"TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF",
		"TIMER1_CAPT", "TIMER1_COMPA", "TIMER1_COMPB", "TIMER1_OVF",
		"TIMER0_COMPA", "TIMER0_COMPB", "TIMER0_OVF",
		"SPI_STC", "USART_RX", "USART_UDRE", "USART_TX",
		"ADC", "EE_READY", "ANALOG_COMP", "TWI", "SPM_READY",
	};

	return vector < CTRACE_VECTORS ? name[vector] : NULL;
}

/* ---- calls ----------------------------------------------------------------- */

static void *must(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

static struct frame *top(struct ctrace *trace)
{
	return &trace->frame[trace->depth - 1];
}

/*
 * CPU time is wall time without what did not count, each in whole us: so a
 * call in which the processor did not sleep has the same of both.
 */
static uint32_t cpu_time(struct ctrace *trace, unsigned thread, uint32_t wall)
{
	uint64_t not = trace->now - trace->start - trace->awake[thread];
	uint32_t cpu = wall - (uint32_t)(not / CYCLES_PER_US);

	if ((int32_t)(cpu - trace->cpu[thread]) > 0)
		trace->cpu[thread] = cpu;
	return trace->cpu[thread];
}

static void record(struct ctrace *trace, const struct frame *frame, enum action action)
{
	uint32_t wall = (uint32_t)((trace->now - trace->start) / CYCLES_PER_US);

	if (trace->events == trace->room) {
		trace->room = trace->room == 0 ? 4096 : trace->room * 2;
		trace->event = must(reallocarray(trace->event, trace->room, sizeof trace->event[0]));
	}
	trace->event[trace->events++] = (struct event){
		.wall = wall,
		.cpu = cpu_time(trace, frame->thread, wall),
		.function = (uint16_t)frame->function,
		.thread = (uint8_t)frame->thread,
		.action = (uint8_t)action,
	};
}

static void enter(struct ctrace *trace, unsigned function, unsigned thread, uint16_t sp)
{
	if (trace->depth == DEPTH)
		abort();
	trace->frame[trace->depth++] = (struct frame){ function, thread, sp, trace->now };
	trace->seen[thread] = true;
	trace->sum[function].calls++;
	record(trace, top(trace), ENTER);
}

static void leave(struct ctrace *trace)
{
	const struct frame *frame = top(trace);
	const struct event *last = &trace->event[trace->events - 1];

	if (frame->thread == 0 && trace->now - frame->since < trace->shortest && last->action == ENTER &&
	    last->function == frame->function && last->thread == frame->thread)
		trace->events--;	/* it called nothing that is kept */
	else
		record(trace, frame, LEAVE);
	trace->depth--;
}

/* -1: none begins there. */
static int begins_at(const struct ctrace *trace, uint32_t pc)
{
	unsigned low = 1, high = trace->map->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (trace->map->list[middle].at < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < trace->map->count && trace->map->list[low].at == pc ? (int)low : -1;
}

/* One thread's way from the last instruction to pc. */
static void flow(struct ctrace *trace, uint32_t pc, uint16_t sp)
{
	bool called = trace->sp == (uint16_t)(sp + 2);
	int function;

	while (trace->depth > 1 && sp > top(trace)->sp)
		leave(trace);
	function = begins_at(trace, pc);
	if (function < 0)
		return;
	if (called) {
		enter(trace, (unsigned)function, top(trace)->thread, sp);
	} else if (sp == top(trace)->sp && (unsigned)function != top(trace)->function) {
		unsigned thread = top(trace)->thread;

		leave(trace);
		enter(trace, (unsigned)function, thread, sp);
	}
}

static unsigned handler(const struct ctrace *trace, unsigned vector)
{
	char name[sizeof trace->map->list[0].name];

	snprintf(name, sizeof name, "%s_vect", ctrace_thread(vector));
	for (unsigned i = 1; i < trace->map->count; i++) {
		if (strcmp(trace->map->list[i].name, name) == 0)
			return i;
	}
	return 0;
}

static void spend(struct ctrace *trace, const struct ctrace_step *step)
{
	uint64_t cycles = step->cycle - trace->now;
	struct ctrace_sum *sum = &trace->sum[top(trace)->function];

	sum->self += cycles;
	sum->awake += cycles - step->slept;
	trace->awake[top(trace)->thread] += cycles - step->slept;
	trace->now = step->cycle;
}

void ctrace_step(struct ctrace *trace, const struct ctrace_step *step)
{
	unsigned vector = step->pc / 4;

	if (!trace->running) {
		trace->running = true;
		trace->start = trace->now = step->cycle;
		enter(trace, 0, 0, UINT16_MAX);
	} else if (step->pc == 0 && trace->pc != 0) {	/* a reset */
		spend(trace, step);
		ctrace_end(trace);
		enter(trace, 0, 0, UINT16_MAX);
	} else {
		spend(trace, step);
		if (step->pc % 4 == 0 && vector > 0 && vector < CTRACE_VECTORS) {
			flow(trace, step->pushed, (uint16_t)(step->sp + 2));
			enter(trace, handler(trace, vector), vector, step->sp);
		} else {
			flow(trace, step->pc, step->sp);
		}
	}
	trace->pc = step->pc;
	trace->sp = step->sp;
}

void ctrace_end(struct ctrace *trace)
{
	while (trace->depth > 0)
		leave(trace);
}

void ctrace_watch(struct ctrace *trace, const struct avr_t *avr)
{
	uint16_t sp = (uint16_t)(avr->data[SPL] | avr->data[SPH] << 8);
	struct ctrace_step step = { .cycle = avr->cycle, .pc = avr->pc, .sp = sp };

	if (sp + 2 <= avr->ramend)
		step.pushed = 2U * (avr->data[sp + 1] << 8 | avr->data[sp + 2]);
	if (trace->running && trace->sleeping)
		step.slept = avr->cycle - trace->now;
	else if (trace->running && trace->sleep && avr->cycle > trace->now)
		step.slept = avr->cycle - trace->now - 1;
	ctrace_step(trace, &step);
	trace->sleeping = avr->state == cpu_Sleeping;
	trace->sleep = (avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8) == SLEEP;
}

struct ctrace *ctrace_new(const struct ctrace_map *map)
{
	struct ctrace *trace = must(calloc(1, sizeof *trace));

	trace->map = map;
	trace->sum = must(calloc(map->count, sizeof trace->sum[0]));
	return trace;
}

void ctrace_shortest(struct ctrace *trace, uint64_t cycles)
{
	trace->shortest = cycles;
}

void ctrace_free(struct ctrace *trace)
{
	free(trace->event);
	free(trace->sum);
	free(trace);
}

struct ctrace_sum ctrace_sum(const struct ctrace *trace, unsigned function)
{
	return trace->sum[function];
}

uint64_t ctrace_records(const struct ctrace *trace)
{
	return trace->events;
}

unsigned ctrace_depth(const struct ctrace *trace)
{
	return trace->depth;
}

/* ---- the file -------------------------------------------------------------- */

static void put(FILE *f, uint64_t value, unsigned bytes)
{
	for (; bytes > 0; bytes--, value >>= 8)
		putc((int)(value & 0xff), f);
}

/* Those of the records: what was left out is not listed either. */
static void write_methods(const struct ctrace *trace, FILE *f)
{
	bool *used = must(calloc(trace->map->count, sizeof used[0]));

	for (size_t i = 0; i < trace->events; i++)
		used[trace->event[i].function] = true;
	fputs("*methods\n", f);
	for (unsigned i = 0; i < trace->map->count; i++) {
		const struct ctrace_function *one = &trace->map->list[i];

		if (used[i])
			fprintf(f, "0x%x\t%s\t%s\t()V\t%s\t%d\n", i << 2, one->class, one->name, one->file, one->line);
	}
	free(used);
}

static void write_text(const struct ctrace *trace, FILE *f)
{
	fprintf(f, "*version\n3\ndata-file-overflow=false\nclock=dual\n"
	    "elapsed-time-usec=%llu\nnum-method-calls=%zu\nclock-call-overhead-nsec=0\n"
	    "vm=atmega328p\npid=%d\n*threads\n",
	    (unsigned long long)(trace->now - trace->start) / CYCLES_PER_US, trace->events, PROCESS);
	for (unsigned i = 0; i < CTRACE_VECTORS; i++) {
		if (trace->seen[i])
			fprintf(f, "%u\t%s\n", PROCESS + i, ctrace_thread(i));
	}
	write_methods(trace, f);
	fputs("*end\n", f);
}

bool ctrace_write(const struct ctrace *trace, FILE *f)
{
	write_text(trace, f);
	fputs("SLOW", f);
	put(f, 3, 2);
	put(f, 32, 2);
	put(f, 0, 8);
	put(f, RECORD, 2);
	put(f, 0, 8);
	put(f, 0, 6);
	for (size_t i = 0; i < trace->events; i++) {
		const struct event *one = &trace->event[i];

		put(f, PROCESS + one->thread, 2);
		put(f, (uint32_t)one->function << 2 | one->action, 4);
		put(f, one->cpu, 4);
		put(f, one->wall, 4);
	}
	return fflush(f) == 0 && !ferror(f);
}
