/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The method trace of a small AVR program in simavr: calls, a tail call, a
 * loop to a function's own first word, recursion, stack taken with rcall,
 * sleep, nested interrupts, one that comes together with a call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <sim_avr.h>
#include <sim_interrupts.h>

#include "ctrace.h"

enum { RESET, MAIN, A, C, REC, FRAME, COMPA, OVF, REC1, FUNCTIONS };
enum { CODE = 0x68, CALL_IN_COMPA = 0xb6, SLEEP = 0x8a, END = 0x90, TIMSK1 = 0x6f };

static const uint16_t code[] = {
	/* 68 start: SP = 0x8ff, call main */
	0xef0f, 0xbf0d, 0xe008, 0xbf0e, 0x940e, 0x003a,
	/* 74 main: five times a; rec(4); frame; sei; sleep until r19 is 2; 90: for ever */
	0xe015, 0x940e, 0x0049, 0x951a, 0xf7e1, 0xe084, 0xd011, 0xd014,
	0x9478, 0xe021, 0xbf23, 0x9588, 0xff31, 0xcffd, 0xcfff,
	/* 92 a: push, rcall c, pop, rjmp c */
	0x93cf, 0xd002, 0x91cf, 0xc000,
	/* 9a c: inc r20, again while it is below 3; ret */
	0x9543, 0x3043, 0xf3e8, 0x2744, 0x9508,
	/* a4 rec: dec r24, rcall rec unless it is 0; ret */
	0x958a, 0xf009, 0xdffd, 0x9508,
	/* ac frame: two bytes of stack by rcall .+0, popped again */
	0xd000, 0x900f, 0x900f, 0x9508,
	/* b4 timer 1 compare A: sei, rcall c, four nop, rcall c, inc r19, reti */
	0x9478, 0xdff1, 0, 0, 0, 0, 0xdfec, 0x9533, 0x9518,
	/* c6 timer 1 overflow: rcall rec1, reti; ca rec1: ret */
	0xd001, 0x9518, 0x9508,
};

static struct ctrace_function functions[FUNCTIONS] = {
	{ 0, "reset", "avr.lib", "", -1 }, { 0x74, "main", "clock.main", "main.c", 7 },
	{ 0x92, "a", "clock.main", "main.c", -1 }, { 0x9a, "c", "clock.main", "main.c", -1 },
	{ 0xa4, "rec", "clock.main", "main.c", -1 }, { 0xac, "frame", "clock.main", "main.c", -1 },
	{ 0xb4, "TIMER1_COMPA_vect", "clock.isr", "isr.c", -1 },
	{ 0xc6, "TIMER1_OVF_vect", "clock.isr", "isr.c", -1 }, { 0xca, "rec1", "clock.isr", "isr.c", -1 },
};
static const struct ctrace_map map = { functions, FUNCTIONS };

static void word(avr_t *avr, uint32_t at, uint16_t value)
{
	avr->flash[at] = (uint8_t)value;
	avr->flash[at + 1] = (uint8_t)(value >> 8);
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr, (void)cycles;
}

/* One for all tests: simavr never frees memory. */
static avr_t *processor(void)
{
	static avr_t *avr;

	if (avr == NULL) {
		avr = avr_make_mcu_by_name("atmega328p");
		assert_non_null(avr);
		avr_init(avr);
	}
	avr_reset(avr);
	avr->frequency = 16000000;
	avr->sleep = no_sleep;
	memset(avr->data, 0, 32);
	for (uint32_t vector = 0; vector < CTRACE_VECTORS; vector++) {
		word(avr, 4 * vector, 0x940c);
		word(avr, 4 * vector + 2, vector == 11 ? 0xb4 / 2 : vector == 13 ? 0xc6 / 2 : CODE / 2);
	}
	for (unsigned i = 0; i < sizeof code / sizeof code[0]; i++)
		word(avr, CODE + 2 * i, code[i]);
	avr->codeend = CODE + sizeof code;
	avr->data[TIMSK1] = 3;
	return avr;
}

static void interrupt(avr_t *avr, uint8_t vector)
{
	for (unsigned i = 0; i < avr->interrupts.vector_count; i++) {
		if (avr->interrupts.vector[i]->vector == vector)
			avr_raise_interrupt(avr, avr->interrupts.vector[i]);
	}
}

static uint64_t slept;
static unsigned taken[2];	/* interrupts 11 and 13, seen by their vectors */

static struct ctrace *run_with(uint64_t shortest)
{
	struct ctrace *trace = ctrace_new(&map);
	avr_t *avr = processor();
	unsigned steps = 0;

	slept = taken[0] = taken[1] = 0;
	ctrace_shortest(trace, shortest);
	while (avr->pc != END && steps++ < 10000) {
		bool asleep = avr->state == cpu_Sleeping;
		uint64_t before = avr->cycle;

		ctrace_watch(trace, avr);
		if (asleep && steps % 3 == 0)
			interrupt(avr, 11);
		if (avr->pc == CALL_IN_COMPA)	/* taken right after the call */
			interrupt(avr, 13);
		avr_run(avr);
		slept += asleep ? avr->cycle - before : 0;
		taken[0] += avr->pc == 4 * 11;
		taken[1] += avr->pc == 4 * 13;
	}
	assert_int_equal(avr->pc, END);
	ctrace_watch(trace, avr);
	return trace;
}

static struct ctrace *run(void)
{
	return run_with(0);
}

static void counts(void **state)
{
	struct ctrace *trace = run();
	const unsigned calls[FUNCTIONS] = {
		1, 1, 5, 5 * 2 + taken[0] * 2, 4, 1, taken[0], taken[1], taken[1],
	};
	unsigned all = 0;

	(void)state;
	assert_true(taken[0] >= 2 && taken[1] >= 2);
	assert_int_equal(ctrace_depth(trace), 2);
	ctrace_end(trace);
	assert_int_equal(ctrace_depth(trace), 0);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		assert_int_equal(ctrace_sum(trace, i).calls, calls[i]);
		all += calls[i];
	}
	assert_int_equal(ctrace_records(trace), 2 * all);
	ctrace_free(trace);
}

/* ---- the file, read again ---- */

static uint8_t file[65536];
static size_t file_size;

static uint64_t get(size_t at, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | file[at + bytes];
	return value;
}

static size_t write_file(struct ctrace *trace)
{
	static const char end[] = "*end\n";
	FILE *f = fmemopen(file, sizeof file, "w");
	uint8_t *records;

	assert_true(ctrace_write(trace, f));
	file_size = (size_t)ftell(f);
	fclose(f);
	records = memmem(file, file_size, end, sizeof end - 1);
	assert_non_null(records);
	return (size_t)(records - file) + sizeof end - 1;
}

static void file_is_balanced(void **state)
{
	static unsigned stack[CTRACE_VECTORS + 1][64];
	unsigned depth[CTRACE_VECTORS + 1] = { 0 }, enters[FUNCTIONS] = { 0 };
	uint64_t wall[CTRACE_VECTORS + 1] = { 0 }, cpu[CTRACE_VECTORS + 1] = { 0 };
	struct ctrace *trace = run();
	size_t at;

	(void)state;
	ctrace_end(trace);
	at = write_file(trace);
	assert_memory_equal(file + at, "SLOW\3\0\40\0", 8);
	assert_int_equal(get(at + 16, 2), 14);
	assert_int_equal((file_size - at - 32) % 14, 0);
	for (at += 32; at < file_size; at += 14) {
		unsigned tid = (unsigned)get(at, 2), word_of = (unsigned)get(at + 2, 4);

		assert_in_range(tid, 1, CTRACE_VECTORS);
		assert_true(get(at + 6, 4) >= cpu[tid] && get(at + 10, 4) >= wall[tid]);
		cpu[tid] = get(at + 6, 4);
		wall[tid] = get(at + 10, 4);
		assert_in_range(word_of >> 2, 0, FUNCTIONS - 1);
		if ((word_of & 3) == 0) {
			enters[word_of >> 2]++;
			stack[tid][depth[tid]++] = word_of >> 2;
		} else {
			assert_int_equal(word_of & 3, 1);
			assert_in_range(depth[tid], 1, 63);
			assert_int_equal(stack[tid][--depth[tid]], word_of >> 2);
		}
	}
	for (unsigned i = 0; i <= CTRACE_VECTORS; i++)
		assert_int_equal(depth[i], 0);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_int_equal(enters[i], ctrace_sum(trace, i).calls);
	ctrace_free(trace);
}

/* The last rec takes less than 8 cycles, and no interrupt is left out; all are counted. */
static void short_calls_are_left_out(void **state)
{
	struct ctrace *trace = run_with(8), *none = run_with(1000000);
	uint64_t all = 0;

	(void)state;
	ctrace_end(trace);
	ctrace_end(none);
	assert_int_equal(ctrace_sum(none, A).calls, 5);
	assert_int_equal(ctrace_records(none), 2 * (3 * taken[0] + 2 * taken[1] + 2));	/* reset and main are around them */
	for (unsigned i = 0; i < FUNCTIONS; i++)
		all += ctrace_sum(trace, i).calls;
	assert_int_equal(ctrace_records(trace), 2 * (all - 1));
	ctrace_free(trace);
	ctrace_free(none);
}

static void times_add_up(void **state)
{
	struct ctrace *trace = run();
	uint64_t self = 0, awake = 0;
	char elapsed[64];

	(void)state;
	ctrace_end(trace);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		self += ctrace_sum(trace, i).self;
		awake += ctrace_sum(trace, i).awake;
	}
	write_file(trace);
	snprintf(elapsed, sizeof elapsed, "elapsed-time-usec=%u\n", (unsigned)(self / 16));
	assert_non_null(strstr((char *)file, elapsed));
	assert_true(slept > 0);
	/* The two SLEEPs themselves may have slept on. */
	assert_true(self - awake >= slept && self - awake < slept + 4000);
	ctrace_free(trace);
}

static void a_reset_ends_everything(void **state)
{
	struct ctrace *trace = ctrace_new(&map);
	struct ctrace_step step = { .cycle = 100, .sp = 0x8ff };

	(void)state;
	ctrace_step(trace, &step);
	step = (struct ctrace_step){ .cycle = 116, .pc = 0x74, .sp = 0x8fd };
	ctrace_step(trace, &step);
	step = (struct ctrace_step){ .cycle = 132, .pc = 0x92, .sp = 0x8fb };
	ctrace_step(trace, &step);
	assert_int_equal(ctrace_depth(trace), 3);
	step = (struct ctrace_step){ .cycle = 148, .pc = 0, .sp = 0x8ff };
	ctrace_step(trace, &step);
	assert_int_equal(ctrace_depth(trace), 1);
	assert_int_equal(ctrace_sum(trace, RESET).calls, 2);
	assert_int_equal(ctrace_sum(trace, A).self, 16);
	ctrace_end(trace);
	ctrace_free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(file_is_balanced),
		cmocka_unit_test(short_calls_are_left_out),
		cmocka_unit_test(times_add_up),
		cmocka_unit_test(a_reset_ends_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
