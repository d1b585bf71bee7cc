/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make trace: the clock's own program from power-on to the first sync and a
 * little on, in simavr, as an Android method trace that icecore opens.
 *
 * Its calls are counted a second time on another way, by the instructions
 * that jump to a function's first word; both must agree.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sim_avr.h>

#include "ctrace.h"
#include "rig_avr.h"

enum { LIMIT_S = 60, CYCLES_PER_US = 16 };

/* ---- the second count ------------------------------------------------------ */

struct counter {
	const struct ctrace_map *map;
	uint64_t *calls;
	uint32_t pc;			/* of the instruction that runs next */
	uint16_t code;
	bool begun;
};

struct recorder {
	struct ctrace *trace;
	struct counter counter;
};

/* Index of the function that contains pc; 0: before the first. */
static unsigned function_of(const struct ctrace_map *map, uint32_t pc)
{
	unsigned low = 1, high = map->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (map->list[middle].at <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* RCALL, CALL, ICALL. */
static bool is_call(uint16_t code)
{
	return (code & 0xf000) == 0xd000 || (code & 0xfe0e) == 0x940e || code == 0x9509;
}

/* RET, RETI. */
static bool is_return(uint16_t code)
{
	return code == 0x9508 || code == 0x9518;
}

static void count_jump(struct counter *counter, uint32_t to)
{
	unsigned function = function_of(counter->map, to);
	bool first = function > 0 && counter->map->list[function].at == to;

	if (first && !is_return(counter->code) &&
	    (is_call(counter->code) || function != function_of(counter->map, counter->pc)))
		counter->calls[function]++;
}

static void count_step(struct counter *counter, const struct avr_t *avr)
{
	uint16_t sp = (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
	bool vector = avr->pc > 0 && avr->pc < 4 * CTRACE_VECTORS;
	bool was_vector = counter->pc > 0 && counter->pc < 4 * CTRACE_VECTORS;

	if (vector && !was_vector)	/* what ran before the interrupt came had gone on to there */
		count_jump(counter, 2U * (avr->data[sp + 1] << 8 | avr->data[sp + 2]));
	else if (counter->begun)
		count_jump(counter, avr->pc);
	counter->begun = true;
	counter->pc = avr->pc;
	counter->code = (uint16_t)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
}

static unsigned compare(const struct counter *counter, const struct ctrace *trace)
{
	unsigned wrong = 0;

	for (unsigned i = 1; i < counter->map->count; i++) {
		uint64_t calls = ctrace_sum(trace, i).calls;

		if (calls == counter->calls[i])
			continue;
		warnx("%s: %llu calls in the trace, %llu counted", counter->map->list[i].name,
		    (unsigned long long)calls, (unsigned long long)counter->calls[i]);
		wrong++;
	}
	return wrong;
}

/* ---- the run --------------------------------------------------------------- */

static void step(struct rig *rig, void *arg)
{
	struct recorder *recorder = arg;
	const struct avr_t *avr = rig_avr_core(rig);

	ctrace_watch(recorder->trace, avr);
	count_step(&recorder->counter, avr);
}

/* The module has handed over an answer to a request for the time. */
static bool answered(const struct rig *rig)
{
	return wsim_count(rig->wifi, WSIM_EVENT, 2, 0x48, 0) > 0;
}

static struct rig *power_on(const char *elf, struct recorder *recorder)
{
	struct rig *rig = rig_new(&rig_avr, elf, 1);

	if (rig == NULL)
		errx(1, "%s: the simulator does not take it", elf);
	rig_config(rig, "tz=EST5EDT,M3.2.0,M11.1.0");
	rig->step = step;
	rig->step_arg = recorder;
	rig_power(rig, true);
	return rig;
}

static void run(struct rig *rig, double seconds_after)
{
	for (unsigned i = 0; i < LIMIT_S * 100 && !answered(rig); i++)
		rig_run(rig, 0.01);
	if (!answered(rig))
		errx(1, "no answer within %d s", LIMIT_S);
	rig_run(rig, seconds_after);
}

static void write_trace(const struct ctrace *trace, const char *path)
{
	FILE *f = fopen(path, "we");

	if (f == NULL || !ctrace_write(trace, f) || fclose(f) != 0)
		err(1, "%s", path);
}

static void report(const struct ctrace *trace, const struct ctrace_map *map, const char *path)
{
	struct ctrace_sum all = { 0 };

	for (unsigned i = 0; i < map->count; i++) {
		struct ctrace_sum sum = ctrace_sum(trace, i);

		all.calls += sum.calls;
		all.self += sum.self;
		all.awake += sum.awake;
	}
	printf("%s: %llu calls in %.3f s, %.1f %% of it awake; %llu records\n", path,
	    (unsigned long long)all.calls, (double)all.self / SIM_HZ, 100.0 * (double)all.awake / (double)all.self,
	    (unsigned long long)ctrace_records(trace));
}

static void usage(void)
{
	fputs("usage: run_trace [--elf FILE] [--after SECONDS] [--shortest MICROSECONDS] OUT.trace\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option list[] = {
		{ "elf", required_argument, NULL, 'e' }, { "after", required_argument, NULL, 'a' },
		{ "shortest", required_argument, NULL, 's' }, { NULL, 0, NULL, 0 },
	};
	const char *elf = "build/clock.elf";
	double after = 2;
	unsigned long shortest = 0;
	struct ctrace_map map;
	struct recorder recorder;
	struct rig *rig;
	unsigned wrong;
	int option;

	while ((option = getopt_long(argc, argv, "", list, NULL)) != -1) {
		switch (option) {
		case 'e': elf = optarg; break;
		case 'a': after = atof(optarg); break;
		case 's': shortest = strtoul(optarg, NULL, 10); break;
		default: usage();
		}
	}
	if (optind != argc - 1)
		usage();
	if (!ctrace_map_read(&map, elf))
		errx(1, "%s: no symbols, or no avr-addr2line", elf);
	recorder = (struct recorder){ ctrace_new(&map), { .map = &map, .calls = calloc(map.count, sizeof(uint64_t)) } };
	ctrace_shortest(recorder.trace, shortest * CYCLES_PER_US);
	rig = power_on(elf, &recorder);
	run(rig, after);
	step(rig, &recorder);
	ctrace_end(recorder.trace);
	wrong = compare(&recorder.counter, recorder.trace);
	write_trace(recorder.trace, argv[optind]);
	report(recorder.trace, &map, argv[optind]);
	rig_free(rig);
	ctrace_free(recorder.trace);
	free(recorder.counter.calls);
	ctrace_map_free(&map);
	return wrong == 0 ? 0 : 1;
}
