/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapshape KIND N [SEED] >FILE: a heap dump that is one shape of N objects (at least 2), all held
 * by one static field:
 *
 *	list	each refers to the next
 *	ring	each refers to the next and the one before, the last to the first
 *	chained	a list each of whose nodes has an item, and each item refers to the next item
 *	array	one array of N objects
 *	uneven	one array of N arrays of bytes, random lengths
 *	mesh	each refers to three others at random
 *	strings	one array of N / 2 Strings and their characters; two of each text, far from each other
 *	wide	WIDE arrays of N references each, to N objects at random
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID 8
#define BASE 0x700000000u
#define SPACING 32
#define SEGMENT 65536u		/* bytes of a segment, unless one object is larger */
#define FIELDS 3
#define LENGTHS 200u
#define DIGITS 12
#define WIDE 8u
#define CLASS_OBJECT (BASE - 4 * SPACING)
#define CLASS_NODE (BASE - 3 * SPACING)
#define CLASS_ARRAY (BASE - 2 * SPACING)
#define ARRAY (BASE - SPACING)

enum { NAME_OBJECT = 1, NAME_NODE, NAME_ARRAY, NAME_HEAD, NAME_FIELD };

static uint8_t segment[SEGMENT + 256];
static uint32_t used;
static uint64_t seed = 1;

/* ---- bytes ---------------------------------------------------------------------- */

static void
put(uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		putchar((int)(v >> 8 * bytes & 0xff));
}

static void
record(unsigned tag, uint64_t size)
{
	put(tag, 1);
	put(0, 4);
	put(size, 4);
}

static void
flush(void)
{
	if (used == 0)
		return;
	record(0x1c, used);
	fwrite(segment, 1, used, stdout);
	used = 0;
}

static void
add(uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		segment[used++] = (uint8_t)(v >> 8 * bytes);
}

static void
string(unsigned id, const char *s)
{
	record(1, ID + strlen(s));
	put(id, ID);
	fputs(s, stdout);
}

/* ---- classes and roots ------------------------------------------------------------- */

static void
load_class(unsigned serial, uint64_t id, unsigned name)
{
	record(2, 8 + 2 * ID);
	put(serial, 4);
	put(id, ID);
	put(1, 4);
	put(name, ID);
}

static void
class_dump(uint64_t id, uint64_t super, uint64_t head, unsigned fields)
{
	unsigned i;

	add(0x20, 1);
	add(id, ID);
	add(1, 4);
	add(super, ID);
	for (i = 0; i < 5; i++)
		add(0, ID);
	add(fields * ID, 4);
	add(0, 2);
	add(head != 0, 2);
	if (head != 0) {
		add(NAME_HEAD, ID);
		add(2, 1);
		add(head, ID);
	}
	add(fields, 2);
	for (i = 0; i < fields; i++) {
		add(NAME_FIELD + i, ID);
		add(2, 1);
	}
}

static void
begin(uint64_t head, unsigned fields, bool strings)
{
	unsigned i;

	fputs("JAVA PROFILE 1.0.2", stdout);
	put(0, 1);
	put(ID, 4);
	put(0, 8);
	string(NAME_OBJECT, "java/lang/Object");
	string(NAME_NODE, strings ? "java/lang/String" : "shape/Node");
	string(NAME_ARRAY, "[Ljava/lang/Object;");
	string(NAME_HEAD, "head");
	string(NAME_FIELD, strings ? "value" : "next");
	string(NAME_FIELD + 1, "other");
	string(NAME_FIELD + 2, "third");
	load_class(1, CLASS_OBJECT, NAME_OBJECT);
	load_class(2, CLASS_NODE, NAME_NODE);
	load_class(3, CLASS_ARRAY, NAME_ARRAY);
	class_dump(CLASS_OBJECT, 0, 0, 0);
	class_dump(CLASS_NODE, CLASS_OBJECT, head, fields);
	class_dump(CLASS_ARRAY, CLASS_OBJECT, 0, 0);
	for (i = 0; i < 3; i++) {
		add(5, 1);
		add(CLASS_OBJECT + i * SPACING, ID);
	}
	flush();
}

/* ---- objects ----------------------------------------------------------------------- */

/* Address of object i; 0 behind the last. */
static uint64_t
address(uint64_t i, uint64_t n)
{
	return i < n ? BASE + i * SPACING : 0;
}

static void
node(uint64_t i, const uint64_t *field, unsigned fields)
{
	unsigned k;

	add(0x21, 1);
	add(BASE + i * SPACING, ID);
	add(1, 4);
	add(fields > 0 ? CLASS_NODE : CLASS_OBJECT, ID);
	add(fields * ID, 4);
	for (k = 0; k < fields; k++)
		add(field[k], ID);
	if (used >= SEGMENT)
		flush();
}

static uint64_t
random_below(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

static void
bytes(uint64_t i, uint64_t n)
{
	add(0x23, 1);
	add(BASE + i * SPACING, ID);
	add(1, 4);
	add(n, 4);
	add(8, 1);
	memset(segment + used, 0, n);
	used += (uint32_t)n;
	if (used >= SEGMENT)
		flush();
}

/* The String that object i is, or the characters that belong to the one before. */
static void
text(uint64_t i, uint64_t n)
{
	uint64_t value = address(i + 1, n), number = i / 2 % (n / 4 + 1);
	unsigned digit;

	if (i % 2 == 0) {
		node(i, &value, 1);
		return;
	}
	add(0x23, 1);
	add(BASE + i * SPACING, ID);
	add(1, 4);
	add(DIGITS, 4);
	add(5, 1);
	for (digit = 0; digit < DIGITS; digit++, number /= 10)
		add('0' + number % 10, 2);
	if (used >= SEGMENT)
		flush();
}

/* An array of n references; its elements come next. */
static void
array_begin(uint64_t id, uint64_t n)
{
	flush();
	record(0x1c, 1 + 2 * ID + 8 + n * ID);
	put(0x22, 1);
	put(id, ID);
	put(1, 4);
	put(n, 4);
	put(CLASS_ARRAY, ID);
}

static void
array(uint64_t n, char kind)
{
	uint64_t i;

	array_begin(ARRAY, kind == 'w' ? WIDE : n);
	for (i = 0; i < (kind == 'w' ? WIDE : n); i++)
		put(kind == 'w' ? address(n + i, n + WIDE) : address(i, n), ID);
	for (i = 0; i < n; i++)
		if (kind == 'u')
			bytes(i, random_below(LENGTHS));
		else if (kind == 's')
			text(i, n);
		else
			node(i, NULL, 0);
	for (i = 0; i < WIDE && kind == 'w'; i++) {
		array_begin(address(n + i, n + WIDE), n);
		for (uint64_t k = 0; k < n; k++)
			put(address(random_below(n), n), ID);
	}
}

/* Sets the fields of object i of n to the objects that it refers to, and returns the number of fields. */
static unsigned
fields_of(char kind, uint64_t i, uint64_t n, uint64_t field[FIELDS])
{
	unsigned k;

	switch (kind) {
	case 'r':
		field[0] = address((i + 1) % n, n);
		field[1] = address((i + n - 1) % n, n);
		return 2;
	case 'c':	/* even ones are nodes, the item of each behind it */
		field[0] = address(i + 2, n);
		field[1] = i % 2 == 0 ? address(i + 1, n) : 0;
		return 2;
	case 'm':
		for (k = 0; k < FIELDS; k++)
			field[k] = address(random_below(n), n);
		return FIELDS;
	}
	field[0] = address(i + 1, n);
	return 1;
}

int
main(int argc, char **argv)
{
	static const char kinds[] = "lrcamusw";
	char kind = argc > 1 ? argv[1][0] : '\0';
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, i;
	uint64_t field[FIELDS];
	unsigned fields;
	bool held;

	if (kind == '\0' || strchr(kinds, kind) == NULL || n < 2 || n > 100000000) {
		fprintf(stderr, "usage: heapshape list|ring|chained|array|mesh|uneven|strings|wide N [SEED]\n");
		return 2;
	}
	if (argc > 3)
		seed = strtoull(argv[3], NULL, 10);
	held = strchr("ausw", kind) != NULL;
	fields = held ? kind == 's' : fields_of(kind, 0, n, field);
	begin(held ? ARRAY : BASE, fields, kind == 's');
	if (held)
		array(n, kind);
	for (i = 0; i < n && !held; i++) {
		fields = fields_of(kind, i, n, field);
		node(i, field, fields);
	}
	flush();
	record(0x2c, 0);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
