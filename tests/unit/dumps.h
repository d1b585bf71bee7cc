/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps: a small heap dump of known values, opened in memory, for the tests that ask
 * queries of objects.
 */
#ifndef UNIT_DUMPS_H
#define UNIT_DUMPS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heaps.h"
#include "icecore/query.h"

/* Addresses; the objects are numbered in this order, from 1. */
enum {
	DUMP_OBJECT = 0x1000, DUMP_CLASS = 0x1100, DUMP_STRING = 0x1200, DUMP_LIST = 0x1300,
	DUMP_PERSON = 0x1400, DUMP_USER = 0x1500, DUMP_OBJECTS = 0x1600, DUMP_INTS = 0x1700,
	DUMP_NAME1 = 0x2000, DUMP_CHARS1 = 0x2100, DUMP_NAME2 = 0x2200, DUMP_CHARS2 = 0x2300,
	DUMP_LIST1 = 0x2400, DUMP_ITEMS1 = 0x2500, DUMP_NUMBERS = 0x2600,
	DUMP_USER1 = 0x3000, DUMP_USER2 = 0x3100, DUMP_USER3 = 0x3200, DUMP_PERSON1 = 0x3300,
	DUMP_GONE = 0x9000
};

static inline void
dump_classes(struct heap_writer *w)
{
	static const struct put_field string[] = {
		{ "value", HEAP_OBJECT }, { "coder", HEAP_BYTE }
	}, list[] = {
		{ "elementData", HEAP_OBJECT }, { "size", HEAP_INT }
	}, person[] = {
		{ "name", HEAP_OBJECT }, { "age", HEAP_BYTE }, { "id", HEAP_INT }
	}, user[] = {
		{ "active", HEAP_BOOLEAN }, { "sex", HEAP_CHAR }, { "big", HEAP_LONG },
		{ "rate", HEAP_DOUBLE }, { "ratio", HEAP_FLOAT }, { "friends", HEAP_OBJECT },
		{ "next", HEAP_OBJECT }, { "id", HEAP_INT }, { "this$0", HEAP_OBJECT },
		{ "a-b", HEAP_SHORT },
		{ "limit", HEAP_INT, true, 7 }, { "first", HEAP_OBJECT, true, DUMP_USER1 }
	};

	put_class(w, DUMP_OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, DUMP_CLASS, "java/lang/Class", DUMP_OBJECT, 0, NULL, 0);
	put_class(w, DUMP_STRING, "java/lang/String", DUMP_OBJECT, 0, string, NELEM(string));
	put_class(w, DUMP_LIST, "java/util/ArrayList", DUMP_OBJECT, 0, list, NELEM(list));
	put_class(w, DUMP_PERSON, "com/example/Person", DUMP_OBJECT, 0, person, NELEM(person));
	put_class(w, DUMP_USER, "com/example/User", DUMP_PERSON, 0, user, NELEM(user));
	put_class(w, DUMP_OBJECTS, "[Ljava/lang/Object;", DUMP_OBJECT, 0, NULL, 0);
	put_class(w, DUMP_INTS, "[I", DUMP_OBJECT, 0, NULL, 0);
}

static inline void
dump_text(struct heap_writer *w, uint64_t id, uint64_t chars, const char *text)
{
	put_instance(w, id, DUMP_STRING, 9);
	put(&w->body, chars, 8);
	put(&w->body, 0, 1);
	put_prims(w, chars, HEAP_BYTE, (uint32_t)strlen(text));
	buf_str(&w->body, str_of(text));
}

static inline void
dump_person(struct heap_writer *w, uint64_t name, int8_t age, uint32_t id)
{
	put(&w->body, name, 8);
	put(&w->body, (uint8_t)age, 1);
	put(&w->body, id, 4);
}

/* The fields of the class itself; those of a person follow. */
static inline void
dump_user(struct heap_writer *w, uint64_t id, bool active, uint16_t sex, int64_t big,
    double rate, float ratio)
{
	uint64_t bits;
	uint32_t single;

	put_instance(w, id, DUMP_USER, 1 + 2 + 8 + 8 + 4 + 8 + 8 + 4 + 8 + 2 + 13);
	memcpy(&bits, &rate, sizeof bits);
	memcpy(&single, &ratio, sizeof single);
	put(&w->body, active, 1);
	put(&w->body, sex, 2);
	put(&w->body, (uint64_t)big, 8);
	put(&w->body, bits, 8);
	put(&w->body, single, 4);
}

static inline void
dump_links(struct heap_writer *w, uint64_t friends, uint64_t next, int32_t id)
{
	put(&w->body, friends, 8);
	put(&w->body, next, 8);
	put(&w->body, (uint32_t)id, 4);
	put(&w->body, 0, 8);
	put(&w->body, 12, 2);
}

static inline void
dump_objects(struct heap_writer *w)
{
	static const uint64_t items[] = { DUMP_USER2, 0, DUMP_USER1, DUMP_NAME1 };
	unsigned i;

	dump_text(w, DUMP_NAME1, DUMP_CHARS1, "anna");
	dump_text(w, DUMP_NAME2, DUMP_CHARS2, "10k");
	put_instance(w, DUMP_LIST1, DUMP_LIST, 12);
	put(&w->body, DUMP_ITEMS1, 8);
	put(&w->body, 3, 4);
	put_objects(w, DUMP_ITEMS1, DUMP_OBJECTS, NELEM(items));
	for (i = 0; i < NELEM(items); i++)
		put(&w->body, items[i], 8);
	put_prims(w, DUMP_NUMBERS, HEAP_INT, 3);
	for (i = 0; i < 3; i++)
		put(&w->body, i * 100, 4);
	dump_user(w, DUMP_USER1, true, 'f', 10240, 0.5, 0.1f);
	dump_links(w, DUMP_LIST1, DUMP_USER2, 1);
	dump_person(w, DUMP_NAME1, 20, 99);
	dump_user(w, DUMP_USER2, false, 0xe9, -5, 0.0 / 0.0, 1e10f);
	dump_links(w, 0, DUMP_USER3, -2);
	dump_person(w, DUMP_NAME2, -3, 99);
	dump_user(w, DUMP_USER3, true, 0xd800, INT64_MIN, 1.0 / 0.0, -2.5f);
	dump_links(w, DUMP_NUMBERS, DUMP_GONE, 300);
	dump_person(w, 0, 100, 99);
	put_instance(w, DUMP_PERSON1, DUMP_PERSON, 13);
	dump_person(w, DUMP_NAME2, 50, 4);
	put_root(w, ROOT_STICKY_CLASS, DUMP_USER);
}

/* The store owns the only copy of the file.  Without users it has classes and a string. */
static inline bool
dump_open_with(struct store **st, bool users, struct err *err)
{
	struct store_options options = { .memory_only = true };
	struct heap_writer w = HEAP_WRITER_INIT;
	int fd = memfd_create("dump", 0);
	struct buf file = BUF_INIT;
	char path[40];
	bool ok;

	dump_classes(&w);
	if (users)
		dump_objects(&w);
	else
		dump_text(&w, DUMP_NAME1, DUMP_CHARS1, "anna");
	put_file(&w, &file);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ok = fd_write_all(fd, file.s, file.n, err) && load_open(st, path, &options, NULL, err);
	buf_free(&file);
	close(fd);
	return ok;
}

static inline bool
dump_open(struct store **st, struct err *err)
{
	return dump_open_with(st, true, err);
}

#endif
