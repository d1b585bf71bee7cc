/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heaps: writes small heap dumps with ids of 8 bytes.
 */
#ifndef UNIT_HEAPS_H
#define UNIT_HEAPS_H

#include <string.h>

#include "icecore/heap.h"

struct heap_writer {
	struct buf	top, body;	/* records; sub-records of the heap */
	uint64_t	name;		/* id of the last STRING */
};

#define HEAP_WRITER_INIT ((struct heap_writer){ BUF_INIT, BUF_INIT, 100 })

static inline void
put(struct buf *b, uint64_t v, unsigned width)
{
	while (width-- > 0)
		buf_chr(b, (char)(width < 8 ? v >> 8 * width : 0));
}

static inline void
put_record(struct heap_writer *w, uint8_t tag, const struct buf *body)
{
	put(&w->top, tag, 1);
	put(&w->top, 0, 4);
	put(&w->top, body->n, 4);
	buf_add(&w->top, body->s, body->n);
}

/* The id of a new STRING. */
static inline uint64_t
put_name(struct heap_writer *w, const char *text)
{
	struct buf b = BUF_INIT;

	put(&b, ++w->name, 8);
	buf_str(&b, str_of(text));
	put_record(w, 0x01, &b);
	buf_free(&b);
	return w->name;
}

static inline void
put_loaded(struct heap_writer *w, uint64_t class, uint32_t serial, const char *name)
{
	uint64_t id = put_name(w, name);
	struct buf b = BUF_INIT;

	put(&b, serial, 4);
	put(&b, class, 8);
	put(&b, 1, 4);
	put(&b, id, 8);
	put_record(w, 0x02, &b);
	buf_free(&b);
}

/* A field, or with is_static one that has its value in the class. */
struct put_field {
	const char	*name;
	uint8_t		 type;
	bool		 is_static;
	uint64_t	 value;
};

static inline void
put_members(struct heap_writer *w, const struct put_field *f, size_t n, bool is_static)
{
	uint16_t count = 0;
	size_t i;

	for (i = 0; i < n; i++)
		count += f[i].is_static == is_static;
	put(&w->body, count, 2);
	for (i = 0; i < n; i++) {
		if (f[i].is_static != is_static)
			continue;
		put(&w->body, put_name(w, f[i].name), 8);
		put(&w->body, f[i].type, 1);
		if (is_static)
			put(&w->body, f[i].value, heap_width(f[i].type, 8));
	}
}

/* LOAD_CLASS and CLASS_DUMP; its serial is the low bits of its address, and it has one constant, to be skipped. */
static inline void
put_class(struct heap_writer *w, uint64_t class, const char *name, uint64_t super,
    uint64_t loader, const struct put_field *f, size_t n)
{
	put_loaded(w, class, (uint32_t)class, name);
	put(&w->body, TAG_CLASS, 1);
	put(&w->body, class, 8);
	put(&w->body, 1, 4);
	put(&w->body, super, 8);
	put(&w->body, loader, 8);
	put(&w->body, 0, 8 * 4);
	put(&w->body, 16, 4);
	put(&w->body, 1, 2);
	put(&w->body, 7, 2);
	put(&w->body, HEAP_LONG, 1);
	put(&w->body, 0x1122334455667788, 8);
	put_members(w, f, n, true);
	put_members(w, f, n, false);
}

/* The values follow: n bytes of them. */
static inline void
put_instance(struct heap_writer *w, uint64_t id, uint64_t class, uint32_t n)
{
	put(&w->body, TAG_INSTANCE, 1);
	put(&w->body, id, 8);
	put(&w->body, 1, 4);
	put(&w->body, class, 8);
	put(&w->body, n, 4);
}

/* The elements follow. */
static inline void
put_objects(struct heap_writer *w, uint64_t id, uint64_t class, uint32_t n)
{
	put(&w->body, TAG_OBJECTS, 1);
	put(&w->body, id, 8);
	put(&w->body, 1, 4);
	put(&w->body, n, 4);
	put(&w->body, class, 8);
}

static inline void
put_prims(struct heap_writer *w, uint64_t id, uint8_t type, uint32_t n)
{
	put(&w->body, TAG_PRIMS, 1);
	put(&w->body, id, 8);
	put(&w->body, 1, 4);
	put(&w->body, n, 4);
	put(&w->body, type, 1);
}

static inline void
put_root(struct heap_writer *w, uint8_t kind, uint64_t id)
{
	put(&w->body, kind, 1);
	put(&w->body, id, 8);
	if (kind == ROOT_JNI_GLOBAL)
		put(&w->body, 0, 8);
}

/* ROOT_THREAD: number is the serial of its trace; of a local that of the frame. */
static inline void
put_thread_root(struct heap_writer *w, uint8_t kind, uint64_t id, uint32_t serial,
    uint32_t number)
{
	put(&w->body, kind, 1);
	put(&w->body, id, 8);
	put(&w->body, serial, 4);
	put(&w->body, number, 4);
}

/* A stack of one frame. */
static inline void
put_stack(struct heap_writer *w, uint32_t trace, uint32_t thread, const char *method,
    uint32_t class, uint32_t line)
{
	uint64_t name = put_name(w, method), signature = put_name(w, "()V");
	uint64_t file = put_name(w, "File.java");
	struct buf b = BUF_INIT;

	put(&b, 900 + trace, 8);
	put(&b, name, 8);
	put(&b, signature, 8);
	put(&b, file, 8);
	put(&b, class, 4);
	put(&b, line, 4);
	put_record(w, 0x04, &b);
	buf_clear(&b);
	put(&b, trace, 4);
	put(&b, thread, 4);
	put(&b, 1, 4);
	put(&b, 900 + trace, 8);
	put_record(w, 0x05, &b);
	buf_free(&b);
}

/* The whole file; frees what the writer holds. */
static inline void
put_file(struct heap_writer *w, struct buf *file)
{
	static const char version[] = "JAVA PROFILE 1.0.2";
	struct buf none = BUF_INIT;

	buf_add(file, version, sizeof version);
	put(file, 8, 4);
	put(file, 0, 8);
	put_record(w, 0x1c, &w->body);
	put_record(w, 0x2c, &none);
	buf_add(file, w->top.s, w->top.n);
	buf_free(&w->top);
	buf_free(&w->body);
}

#endif
