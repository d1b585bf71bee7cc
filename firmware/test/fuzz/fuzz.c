/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A driver for fuzz targets without libFuzzer: inputs are
 * mutated from the target's seeds by a fixed sequence, so that the same
 * numbers give the same run.
 *
 *   fuzz_X [RUNS [SEED]]	20000 runs, seed 1
 *   fuzz_X FILE...		each file once
 *
 * An input that kills the target, or keeps it for 10 s, is left in crash-SEED-RUN.
 */
#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

enum { SEEDS = 64, STUCK_S = 10 };

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
const char *__ubsan_default_options(void);

static struct {
	uint8_t data[FUZZ_ROOM];
	size_t size;
} seed[SEEDS], input;
static unsigned seeds;
static unsigned long long first_seed, run, run_at_alarm;
static uint64_t random_state;

/* gcc's UBSan does not know of ASan's callback. */
const char *__ubsan_default_options(void)
{
	return "abort_on_error=1";
}

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 32) * limit >> 32);
}

static void save_input(void)
{
	char name[64];
	FILE *file;

	snprintf(name, sizeof name, "crash-%llu-%llu", first_seed, run);
	file = fopen(name, "wb");
	if (file != NULL) {
		fwrite(input.data, 1, input.size, file);
		fclose(file);
	}
	fprintf(stderr, "\nfuzz: run %llu of seed %llu, %zu bytes, kept in %s\n", run, first_seed, input.size, name);
	for (size_t i = 0; i < input.size; i++)
		fprintf(stderr, "%02x%s", input.data[i], i % 32 == 31 ? "\n" : "");
	fprintf(stderr, "\n");
}

static void on_abort(int sig)
{
	signal(sig, SIG_DFL);
	save_input();
	raise(sig);
}

static void on_alarm(int sig)
{
	(void)sig;
	if (run == run_at_alarm) {
		fprintf(stderr, "fuzz: no end after %d s\n", STUCK_S);
		save_input();
		_exit(1);
	}
	run_at_alarm = run;
	alarm(STUCK_S);
}

/* Replaces out bytes of the input at at by in bytes to be written; false: there is no room. */
static bool make_gap(size_t at, size_t out, size_t in)
{
	if (input.size - out + in > FUZZ_ROOM)
		return false;
	memmove(input.data + at + in, input.data + at + out, input.size - at - out);
	input.size += in - out;
	return true;
}

static void put(size_t at, const void *bytes, size_t size, bool insert)
{
	size_t out = insert ? 0 : input.size - at < size ? input.size - at : size;

	if (make_gap(at, out, size))
		memcpy(input.data + at, bytes, size);
}

static void put_number(size_t at)
{
	static const uint32_t magic[] = {
		0, 1, 2, 0x10, 0x1f, 0x20, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
		0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
	};
	uint32_t value = magic[random_below(sizeof magic / sizeof magic[0])];
	size_t size = 1U << random_below(3);
	uint8_t bytes[4];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	if (random_below(2))
		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
	put(at, bytes, size, false);
}

static void put_word(size_t at)
{
	unsigned count = 0;
	const char *word;

	while (fuzz_words && fuzz_words[count] != NULL)
		count++;
	if (count == 0)
		return;
	word = fuzz_words[random_below(count)];
	put(at, word, strlen(word), random_below(2));
}

/* A piece of the input itself or of a seed. */
static void put_piece(size_t at)
{
	uint8_t piece[64];
	const uint8_t *from = input.data;
	size_t size = input.size, length;

	if (seeds > 0 && random_below(2)) {
		unsigned i = random_below(seeds);

		from = seed[i].data;
		size = seed[i].size;
	}
	if (size == 0)
		return;
	length = 1 + random_below(size < sizeof piece ? (uint32_t)size : sizeof piece);
	memcpy(piece, from + random_below((uint32_t)(size - length) + 1), length);
	put(at, piece, length, random_below(2));
}

static void mutate(void)
{
	size_t at = random_below((uint32_t)input.size + 1);
	size_t cut = random_below((uint32_t)(input.size - at) + 1);
	uint8_t byte = (uint8_t)random_below(256);

	switch (random_below(9)) {
	case 0:
	case 1:
		if (at < input.size)
			input.data[at] ^= (uint8_t)(1U << random_below(8));
		break;
	case 2:
		put(at, &byte, 1, false);
		break;
	case 3:
		put(at, &byte, 1, true);
		break;
	case 4:
		make_gap(at, cut, 0);
		break;
	case 5:
		input.size = at;
		break;
	case 6:
		put_number(at);
		break;
	case 7:
		put_word(at);
		break;
	default:
		put_piece(at);
	}
}

static void make_input(void)
{
	unsigned changes = random_below(8);

	if (seeds > 0)
		input = seed[random_below(seeds)];
	else
		input.size = 0;
	for (unsigned i = 0; i < changes; i++)
		mutate();
}

/* The target gets a copy of just that size, so that a byte too far is seen. */
static void run_input(void)
{
	uint8_t *copy = malloc(input.size > 0 ? input.size : 1);

	if (copy == NULL)
		abort();
	memcpy(copy, input.data, input.size);
	LLVMFuzzerTestOneInput(copy, input.size);
	free(copy);
	run++;
}

static int run_files(char **names)
{
	for (; *names != NULL; names++) {
		FILE *file = fopen(*names, "rb");

		if (file == NULL) {
			perror(*names);
			return 1;
		}
		input.size = fread(input.data, 1, FUZZ_ROOM, file);
		fclose(file);
		run_input();
	}
	return 0;
}

static void read_seeds(void)
{
	while (fuzz_seed && seeds < SEEDS) {
		size_t size = fuzz_seed(seeds, seed[seeds].data);

		if (size == 0)
			break;
		seed[seeds++].size = size;
	}
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((weak)) int main(int argc, char **argv)
{
	unsigned long long runs = 20000;
	double start = seconds(), took;

	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(save_input);
	signal(SIGABRT, on_abort);
	signal(SIGALRM, on_alarm);
	alarm(STUCK_S);
	if (argc > 1 && !isdigit((unsigned char)argv[1][0]))
		return run_files(argv + 1);
	if (argc > 1)
		runs = strtoull(argv[1], NULL, 10);
	first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	random_state = first_seed * 0x9e3779b97f4a7c15ULL + 1;
	read_seeds();
	while (run < runs) {
		make_input();
		run_input();
	}
	took = seconds() - start;
	printf("%s: %llu runs, seed %llu, %.0f s\n", basename(argv[0]), run, first_seed, took);
	return 0;
}
