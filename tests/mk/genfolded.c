/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * genfolded writes folded stacks of any size, the same for the same options.
 *
 * usage: genfolded [-s seed] [-b bytes] [-m methods] [-d depth] [-r] [-f facts.tsv] -o out.txt
 *
 *   -b  bytes at least (1000000)
 *   -d  depth the stacks wander around (24)
 *   -r  lines in no order, each with a walk of its own; else each begins like the one before, as sorted output does
 *   -f  lines and the sum of the counts, tab separated
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH_MAX 512

static uint64_t random_state;

/* xorshift64* */
static uint64_t
next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1du;
}

static uint32_t
below(uint32_t n)
{
	return (uint32_t)(next_random() >> 32) % n;
}

static int
put_method(FILE *f, uint32_t method)
{
	static const char *const packages[] = { "java/util/concurrent", "org/example/server/http",
		"com/example/shop/orders", "io/netty/channel/nio", "sun/nio/ch", "kernel" };
	uint32_t package = method % 6;

	if (package == 5)
		return fprintf(f, "sys_call_%" PRIu32 "_[k]", method);
	return fprintf(f, "%s/Class%" PRIu32 ".method%" PRIu32, packages[package], method / 12, method);
}

/* Returns the method that a method calls: mostly the same one, sometimes others, so that stacks share their start. */
static uint32_t
callee(uint32_t method, uint32_t methods)
{
	uint32_t which = below(8) < 6 ? 0 : below(6);

	return (uint32_t)((method * 2654435761u + which * 40503u + 12345u) % methods);
}

int
main(int argc, char **argv)
{
	uint32_t stack[DEPTH_MAX] = { 0 }, methods = 20000, depth = 24;
	uint64_t bytes = 1000000, written = 0, lines = 0, sum = 0, count;
	const char *out = NULL, *facts = NULL;
	bool random_order = false;
	uint32_t n = 0, keep, want, i;
	FILE *f;
	int c;

	random_state = 1;
	while ((c = getopt(argc, argv, "s:b:m:d:rf:o:")) != -1)
		switch (c) {
		case 's': random_state = strtoull(optarg, NULL, 0) * 2 + 1; break;
		case 'b': bytes = strtoull(optarg, NULL, 0); break;
		case 'm': methods = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'd': depth = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'r': random_order = true; break;
		case 'f': facts = optarg; break;
		case 'o': out = optarg; break;
		default: return 2;
		}
	if (out == NULL || methods == 0 || depth < 2 || depth > DEPTH_MAX / 2 ||
	    (f = fopen(out, "wb")) == NULL) {
		fprintf(stderr, "usage: genfolded [-s seed] [-b bytes] [-m methods] [-d depth] [-r] [-f facts] -o out\n");
		return 2;
	}
	for (; written < bytes; lines++) {
		want = depth / 2 + below(depth);
		keep = random_order || n == 0 ? 0 : below(n < want ? n : want);
		for (i = keep; i < want; i++)
			stack[i] = i == 0 ? below(4) : callee(stack[i - 1], methods);
		n = want;
		for (i = 0; i < n; i++) {
			if (i > 0)
				written += fputc(';', f) == ';';
			written += (uint64_t)put_method(f, stack[i]);
		}
		count = 1 + below(100);
		sum += count;
		written += (uint64_t)fprintf(f, " %" PRIu64 "\n", count);
	}
	if (fclose(f) != 0)
		return 1;
	if (facts == NULL)
		return 0;
	if ((f = fopen(facts, "w")) == NULL)
		return 1;
	fprintf(f, "lines\t%" PRIu64 "\ntotal\t%" PRIu64 "\n", lines, sum);
	return fclose(f) != 0;
}
