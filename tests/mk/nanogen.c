/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nanogen: writes a Nanoscope trace of any size with its .timer and .state, fast; for the bench.
 *
 *	nanogen -s SEED -n CALLS -o FILE
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define METHODS 4000u
#define DEPTH 60u
#define BASE 123456789012345u
#define SAMPLE 1000000u		/* ns between two samples */
#define NAME 96u

static uint64_t state;
static char name[METHODS][NAME];
static FILE *trace, *timer, *states;

static uint64_t
chance(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void
stop(const char *why)
{
	fprintf(stderr, "nanogen: %s\n", why);
	exit(2);
}

static FILE *
create(const char *path, const char *suffix)
{
	char full[4096];
	FILE *f;

	if (snprintf(full, sizeof full, "%s%s", path, suffix) >= (int)sizeof full ||
	    (f = fopen(full, "w")) == NULL)
		stop("cannot write there");
	return f;
}

static void
make_names(void)
{
	static const char *const package[] = {
		"android.view", "com.example.feed", "java.util", "android.graphics.drawable",
		"com.example.network.cache"
	};
	static const char *const argument[] = {
		"", "int", "java.lang.String", "android.graphics.Canvas, int", "java.lang.Object[]"
	};
	unsigned i;

	for (i = 0; i < METHODS; i++)
		snprintf(name[i], NAME, "%s %s.Class%u.method%u(%s)",
		    chance(2) ? "void" : "java.lang.Object", package[chance(5)], i / 16, i,
		    argument[chance(5)]);
}

/* A line by hand: stdio's formats are too slow for a gigabyte. */
static void
event(uint64_t time, const char *text, size_t n)
{
	char line[NAME + 24], *p = line + 22;
	uint64_t v = BASE + time;

	memcpy(p, text, n);
	p[n] = '\n';
	*--p = ':';
	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	fwrite(p, 1, (size_t)(line + 22 - p) + n + 1, trace);
}

struct clock {
	uint64_t	now, next, cpu, faults, bytes;
};

/* Time passes; in native code the CPU clock hardly does. */
static void
pass_time(struct clock *c, uint64_t ns, int native)
{
	uint64_t end = c->now + ns, piece;

	while (c->now < end) {
		piece = end - c->now;
		if (c->next - c->now < piece)
			piece = c->next - c->now;
		c->now += piece;
		c->cpu += native ? piece / 50 : piece;
		c->bytes += native ? 0 : piece / 100;
		if (c->now < c->next)
			continue;
		c->faults += chance(3);
		fprintf(timer, "%" PRIu64 ", %" PRIu64 ", 3, %" PRIu64 ", %" PRIu64 ", %" PRIu64
		    ", %" PRIu64 ", %" PRIu64 ", 0\n", BASE + c->now, c->cpu, c->faults,
		    c->now / 16000000, c->bytes, c->bytes / 48, c->bytes);
		c->next += SAMPLE;
	}
}

static void
write_all(uint64_t calls)
{
	struct clock c = { 0, 0, 0, 0, 0 };
	unsigned stack[DEPTH + 1] = { 0 }, depth = 0, m;
	uint64_t left = calls;

	while (left > 0 || depth > 0) {
		if (left > 0 && (depth == 0 || (depth < DEPTH && chance(100) < 55))) {
			/* A method calls nearly always the same one. */
			m = stack[depth] * 7 + 13 + (chance(400) == 0 ? (unsigned)chance(6) * 31 : 0);
			stack[++depth] = m % METHODS;
			event(c.now, name[m % METHODS], strlen(name[m % METHODS]));
			left--;
		} else {
			event(c.now, "POP", 3);
			depth--;
		}
		if (chance(100000) > 0) {
			pass_time(&c, chance(2800), 0);
			continue;
		}
		fprintf(states, "%" PRIu64 ", 67, 89\n", BASE + c.now);
		pass_time(&c, chance(30000000), 1);
		fprintf(states, "%" PRIu64 ", 89, 67\n", BASE + c.now);
	}
}

int
main(int argc, char **argv)
{
	const char *path = NULL;
	uint64_t calls = 1000, seed = 1;
	int c;

	while ((c = getopt(argc, argv, "s:n:o:")) != -1) {
		if (c == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (c == 'n')
			calls = strtoull(optarg, NULL, 10);
		else if (c == 'o')
			path = optarg;
		else
			stop("usage: nanogen -s SEED -n CALLS -o FILE");
	}
	if (path == NULL)
		stop("usage: nanogen -s SEED -n CALLS -o FILE");
	state = seed * 0x9e3779b97f4a7c15u | 1;
	trace = create(path, "");
	timer = create(path, ".timer");
	states = create(path, ".state");
	make_names();
	write_all(calls);
	if (fclose(trace) != 0 || fclose(timer) != 0 || fclose(states) != 0)
		stop("no space");
	return 0;
}
