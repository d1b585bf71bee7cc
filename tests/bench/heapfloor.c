/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapfloor FILE: what no reader of a heap dump can beat by much: walks all records and
 * sub-records of a mapped HPROF file, headers only, several times.  Prints the objects, the bytes, and
 * the seconds of a walk with the pages mapped, of the wall and of the processor.  A gzip file is
 * unpacked instead: 0 objects, the unpacked bytes, the seconds.
 */
#include "config.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define WALKS 5
#define CHUNK (256 * 1024)

struct walk {
	const uint8_t	*p, *end;
	unsigned	 id;
	uint64_t	 objects, sum;
	bool		 bad;
};

static const uint8_t widths[12] = {
	[4] = 1, [5] = 2, [6] = 4, [7] = 8, [8] = 1, [9] = 2, [10] = 4, [11] = 8
};

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t
get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return __builtin_bswap32(v);
}

static unsigned
width(const struct walk *w, unsigned type)
{
	if (type == 1 || type == 2)
		return w->id;
	return type < sizeof widths ? widths[type] : 0;
}

static bool
has(const struct walk *w, uint64_t n)
{
	return n <= (uint64_t)(w->end - w->p);
}

/* ---- sub-records --------------------------------------------------------------- */

/* Steps over entries of head bytes, the type last, and a value. */
static void
skip_values(struct walk *w, unsigned head, bool values)
{
	unsigned n;

	if (!has(w, 2)) {
		w->bad = true;
		return;
	}
	n = get16(w->p);
	for (w->p += 2; n > 0 && has(w, head); n--) {
		w->p += head;
		if (values)
			w->p += width(w, w->p[-1]);
	}
	w->bad = n > 0 || w->p > w->end;
}

static void
skip_class(struct walk *w)
{
	unsigned fixed = 7 * w->id + 8;

	if (!has(w, fixed)) {
		w->bad = true;
		return;
	}
	w->sum += get32(w->p + fixed - 4);
	w->p += fixed;
	skip_values(w, 3, true);
	if (!w->bad)
		skip_values(w, w->id + 1, true);
	if (!w->bad)
		skip_values(w, w->id + 1, false);
}

/* Bytes behind the tag; 0: unknown. */
static uint64_t
root_size(const struct walk *w, unsigned tag)
{
	switch (tag) {
	case 0xff: case 5: case 7: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x90:
		return w->id;
	case 1:
		return 2 * w->id;
	case 2: case 3: case 8: case 0x8e:
		return w->id + 8;
	case 4: case 6: case 0xfe:
		return w->id + 4;
	}
	return 0;
}

static uint64_t
object_size(const struct walk *w, unsigned tag)
{
	unsigned id = w->id;

	if (!has(w, 2 * id + 9))
		return UINT64_MAX;
	switch (tag) {
	case 0x21:
		return 2 * id + 8 + (uint64_t)get32(w->p + 2 * id + 4);
	case 0x22:
		return 2 * id + 8 + (uint64_t)get32(w->p + id + 4) * id;
	case 0x23:
		return id + 9 + (uint64_t)get32(w->p + id + 4) * width(w, w->p[id + 8]);
	case 0xc3:
		return id + 9;
	}
	return 0;
}

static void
walk_segment(struct walk *w, const uint8_t *end)
{
	unsigned tag;
	uint64_t n;

	while (w->p < end && !w->bad) {
		tag = *w->p++;
		if (tag == 0x20) {
			skip_class(w);
			w->objects++;
			continue;
		}
		n = root_size(w, tag);
		if (n == 0) {
			n = object_size(w, tag);
			w->objects++;
		}
		w->sum += n;
		w->bad = n == 0 || !has(w, n);
		if (!w->bad)
			w->p += n;
	}
}

static void
walk_file(struct walk *w)
{
	const uint8_t *end;
	unsigned tag;

	w->objects = w->sum = 0;
	while (has(w, 9) && !w->bad) {
		tag = w->p[0];
		end = w->p + 9 + get32(w->p + 5);
		w->p += 9;
		if (end > w->end)
			end = w->end;
		if (tag == 0x0c || tag == 0x1c)
			walk_segment(w, end);
		w->p = w->p > end ? w->p : end;
	}
}

/* ---- gzip ---------------------------------------------------------------------- */

static uint64_t
unpack(const uint8_t *p, uint64_t size)
{
	static uint8_t out[CHUNK];
	uint64_t total = 0;
	z_stream z;
	int rc;

	memset(&z, 0, sizeof z);
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return 0;
	z.next_in = (Bytef *)(uintptr_t)p;
	z.avail_in = (unsigned)size;
	do {
		z.next_out = out;
		z.avail_out = CHUNK;
		rc = inflate(&z, Z_NO_FLUSH);
		total += CHUNK - z.avail_out;
		if (rc == Z_STREAM_END && z.avail_in > 18)
			rc = inflateReset(&z);
	} while (rc == Z_OK);
	inflateEnd(&z);
	return rc == Z_STREAM_END ? total : 0;
}

/* ---- the program ----------------------------------------------------------------- */

static int
by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool
measure(const uint8_t *data, uint64_t size)
{
	const uint8_t *nul = memchr(data, '\0', size < 64 ? size : 64);
	double wall[WALKS + 1], cpu[WALKS + 1];
	struct walk w = { .bad = true };
	int i;

	if (nul == NULL || size - (uint64_t)(nul - data) < 13)
		return false;
	for (i = 0; i <= WALKS; i++) {
		w = (struct walk){ .p = nul + 13, .end = data + size, .id = get32(nul + 1) };
		if (w.id != 4 && w.id != 8)
			return false;
		wall[i] = now(CLOCK_MONOTONIC);
		cpu[i] = now(CLOCK_PROCESS_CPUTIME_ID);
		walk_file(&w);
		wall[i] = now(CLOCK_MONOTONIC) - wall[i];
		cpu[i] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu[i];
	}
	/* The first one also maps the pages. */
	qsort(wall + 1, WALKS, sizeof *wall, by_time);
	qsort(cpu + 1, WALKS, sizeof *cpu, by_time);
	printf("%llu %llu %.6f %.6f\n", (unsigned long long)w.objects,
	    (unsigned long long)size, wall[1 + WALKS / 2], cpu[1 + WALKS / 2]);
	fprintf(stderr, "%s", w.bad ? "heapfloor: not walked to the end\n" : "");
	return !w.bad;
}

static bool
measure_gzip(const uint8_t *data, uint64_t size)
{
	double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t n = size > UINT32_MAX ? 0 : unpack(data, size);

	wall = now(CLOCK_MONOTONIC) - wall;
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("0 %llu %.6f %.6f\n", (unsigned long long)n, wall, cpu);
	return n > 0;
}

int
main(int argc, char **argv)
{
	struct stat sb;
	const uint8_t *p;
	uint64_t size;
	int fd;

	if (argc != 2 || (fd = open(argv[1], O_RDONLY)) == -1 ||
	    fstat(fd, &sb) != 0) {
		fprintf(stderr, "heapfloor: cannot read the file\n");
		return 1;
	}
	size = (uint64_t)sb.st_size;
	p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED || size < 64) {
		fprintf(stderr, "heapfloor: cannot map the file\n");
		return 1;
	}
	return (p[0] == 0x1f ? measure_gzip(p, size) : measure(p, size)) ? 0 : 1;
}
