/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hurt_trace damages a file in many ways in one process and opens each result.
 *
 * usage: hurt_trace cut FILE SCRATCH EXPECTED   lengths that EXPECTED has in lines
 *                                               "length records", -1: unreadable
 *        hurt_trace cut FILE SCRATCH [STEP FROM]       every length, or every STEPth from that one on, and the first and last few
 *        hurt_trace tell FILE SCRATCH           every length, and a line for each: the length, the
 *                                               status icecore would end with, why
 *        hurt_trace flip FILE SCRATCH [STEP FROM]      every single bit, or every STEPth from that one on
 *        hurt_trace noise FILE SCRATCH ROUNDS   a few random bytes at a time
 *
 * Silent if all is well, except tell; otherwise names the first wrong case.
 */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "../fuzz/walk.h"
#include "../tools.h"

#define CASE_SECONDS 300
#define ENDS 4

static char doing[200];		/* for the signal handler */

struct hurt {
	uint8_t		*data;
	size_t		 size;
	const char	*path;
	FILE		*f;		/* on path */
};

static void
die(const char *what)
{
	fprintf(stderr, "hurt_trace: %s\n", what);
	exit(1);
}

static void
died(int sig)
{
	static const char late[] = " (too long, or a crash)\n";
	ssize_t n;

	n = write(STDERR_FILENO, doing, strlen(doing));
	n = write(STDERR_FILENO, late, sizeof late - 1);
	(void)n;
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
put(struct hurt *h, size_t at, const void *p, size_t n)
{
	if (pwrite(fileno(h->f), p, n, (off_t)at) != (ssize_t)n)
		die("cannot write the scratch file");
}

static void
open_hurt(struct hurt *h, const char *from, const char *path)
{
	FILE *f = fopen(from, "rb");
	long size;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		die("cannot read the file");
	h->size = (size_t)size;
	h->data = malloc(h->size + 1);
	rewind(f);
	if (h->data == NULL || fread(h->data, 1, h->size, f) != h->size)
		die("cannot read the file");
	fclose(f);
	h->path = path;
	if ((h->f = fopen(path, "wb+")) == NULL)
		die("cannot create the scratch file");
	put(h, 0, h->data, h->size);
}

/* Opens the file as it is now; -1 when it is refused. */
static int64_t
look(struct hurt *h)
{
	struct err err = { .kind = E_NONE };
	const char *as = getenv("WALK_AS");
	uint64_t records;
	bool ok;

	alarm(CASE_SECONDS);
	walk_as = as != NULL && as[0] != '\0' ? as : NULL;
	ok = walk_file(h->path, &records, &err);
	alarm(0);
	if (!ok && err.kind != E_UNREADABLE) {
		fprintf(stderr, "%s: error of kind %d: %s\n", doing, err.kind,
		    err.text);
		exit(1);
	}
	return ok ? (int64_t)records : -1;
}

static void
cut_to(struct hurt *h, size_t length)
{
	snprintf(doing, sizeof doing, "cut at byte %zu", length);
	put(h, 0, h->data, length);
	if (ftruncate(fileno(h->f), (off_t)length) != 0)
		die("cannot cut the scratch file");
}

/* Records before the cut are read; a file without any is refused, or is whole and has none. */
static void
cut(struct hurt *h, const char *expected)
{
	FILE *f = fopen(expected, "r");
	int64_t want, got;
	size_t length;

	if (f == NULL)
		die("cannot read the expected numbers");
	while (fscanf(f, "%zu %" SCNd64, &length, &want) == 2) {
		cut_to(h, length);
		got = look(h);
		if (got != want && (got > 0 || want > 0)) {
			fprintf(stderr, "%s: %" PRId64 " records, should be %"
			    PRId64 "\n", doing, got, want);
			exit(1);
		}
	}
	fclose(f);
}

static void
cut_all(struct hurt *h, size_t step, size_t from)
{
	size_t length;

	for (length = 0; length <= h->size; length++) {
		if (length % step != from && length >= ENDS && length + ENDS <= h->size)
			continue;
		cut_to(h, length);
		look(h);
	}
}

static void
tell(struct hurt *h)
{
	static const struct store_options options = { .memory_only = true };
	struct err err;
	struct store *st;
	size_t length;

	for (length = 0; length <= h->size; length++) {
		cut_to(h, length);
		look(h);
		err = (struct err){ .kind = E_NONE };
		if (load_open(&st, h->path, &options, NULL, &err)) {
			printf("%zu %d %s\n", length, store_damaged(st) ? E_INPUT : E_NONE,
			    store_damaged(st) ? "damaged" : "");
			store_close(st);
		} else
			printf("%zu %d %s\n", length, err.kind, err.text);
	}
}

static void
flip(struct hurt *h, size_t step, size_t from)
{
	size_t i;

	for (i = from; i < h->size * 8; i += step) {
		uint8_t c = h->data[i / 8] ^ (uint8_t)(1 << i % 8);

		snprintf(doing, sizeof doing, "bit %zu of byte %zu", i % 8, i / 8);
		put(h, i / 8, &c, 1);
		look(h);
		put(h, i / 8, &h->data[i / 8], 1);
	}
}

static uint64_t
next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void
noise(struct hurt *h, unsigned rounds)
{
	static const uint8_t odd[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff };
	uint64_t random = 0x9e3779b97f4a7c15, r;
	unsigned round, n;

	for (round = 0; round < rounds; round++) {
		snprintf(doing, sizeof doing, "round %u of noise", round);
		put(h, 0, h->data, h->size);
		for (n = 1 + next_random(&random) % 8; n > 0; n--) {
			size_t at = next_random(&random) % h->size;
			uint8_t c;

			r = next_random(&random);
			c = r & 1 ? odd[(r >> 8) % sizeof odd] : (uint8_t)(r >> 8);
			put(h, at, &c, 1);
		}
		look(h);
	}
}

TOOL(hurt, hurt_trace)
{
	static const int signals[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGALRM };
	struct hurt h;
	size_t i, step, from;

	if (argc < 4)
		die("usage: see the head of hurt_trace.c");
	step = argc == 6 ? strtoul(argv[4], NULL, 10) : 1;
	from = argc == 6 ? strtoul(argv[5], NULL, 10) : 0;
	for (i = 0; i < NELEM(signals); i++)
		signal(signals[i], died);
	ending_guard();
	open_hurt(&h, argv[2], argv[3]);
	if (strcmp(argv[1], "cut") == 0 && argc == 5)
		cut(&h, argv[4]);
	else if (strcmp(argv[1], "cut") == 0)
		cut_all(&h, step, from);
	else if (strcmp(argv[1], "tell") == 0)
		tell(&h);
	else if (strcmp(argv[1], "flip") == 0)
		flip(&h, step, from);
	else if (strcmp(argv[1], "noise") == 0 && argc == 5)
		noise(&h, (unsigned)atoi(argv[4]));
	else
		die("usage: see the head of hurt_trace.c");
	fclose(h.f);
	free(h.data);
	return 0;
}
