/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pffloor FILE: reads every varint of a Perfetto trace once, which no reader can beat by much: maps the file, walks through the messages
 * that traces consist of, decodes each number and adds it up.  Prints the numbers, the sum and the seconds of the processor.
 */
#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Kinds of fields of bytes. */
enum kind { TEXT, FILE_OF_PACKETS, PACKET, BUNDLE, EVENT, COMPACT, MESSAGES, MESSAGE, PACKED };

static uint64_t numbers, sum;

static const uint8_t *
read_varint(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	unsigned shift = 0;

	for (*v = 0; p < end && shift < 70; shift += 7) {
		*v |= (uint64_t)(*p & 127) << (shift & 63);
		if (*p++ < 128)
			break;
	}
	numbers++;
	sum += *v;
	return p;
}

static enum kind
kind_of(enum kind in, uint64_t field)
{
	switch (in) {
	case FILE_OF_PACKETS: return PACKET;
	case PACKET:
		switch (field) {
		case 1: return BUNDLE;
		case 11: case 66: return MESSAGE;
		case 2: case 6: case 7: case 9: case 12: case 39: case 59: case 60: return MESSAGES;
		default: return TEXT;
		}
	case BUNDLE: return field == 2 ? EVENT : field == 4 ? COMPACT : TEXT;
	case COMPACT: return field == 5 ? TEXT : PACKED;
	case EVENT: case MESSAGES: return MESSAGE;
	default: return TEXT;
	}
}

static void
walk(const uint8_t *p, const uint8_t *end, enum kind kind)
{
	uint64_t key, v;

	while (p < end && kind == PACKED)
		p = read_varint(p, end, &v);
	while (p < end) {
		p = read_varint(p, end, &key);
		switch (key & 7) {
		case 0: p = read_varint(p, end, &v); continue;
		case 1: v = 8; break;
		case 2: p = read_varint(p, end, &v); break;
		case 5: v = 4; break;
		default: return;
		}
		if (v > (uint64_t)(end - p))
			return;
		if ((key & 7) == 2 && kind_of(kind, key >> 3) != TEXT)
			walk(p, p + v, kind_of(kind, key >> 3));
		p += v;
	}
}

int
main(int argc, char **argv)
{
	struct stat sb;
	const uint8_t *p;
	int fd;

	if (argc != 2 || (fd = open(argv[1], O_RDONLY)) == -1 || fstat(fd, &sb) != 0 ||
	    (p = mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED) {
		fprintf(stderr, "pffloor: cannot map the file\n");
		return 1;
	}
	walk(p, p + sb.st_size, FILE_OF_PACKETS);
	printf("%llu %llu %.6f\n", (unsigned long long)numbers, (unsigned long long)sum, (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
