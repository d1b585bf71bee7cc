/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a mapping file of a small trace, of a small profile and of a small heap dump. */
#include "config.h"

#include "../unit/renamed.h"
#include "../unit/traces.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/values.h"

#include "heapwalk.h"
#include "target.h"

/* Method and class names that a short mapping file can be about. */
static const char text[] =
    "*version\n3\nclock=dual\nvm=art\npid=1\n*threads\n1\tmain\n*methods\n"
    "0x4\ta.a\ta\t(La/b;I)V\tX\n0x8\ta.a\tb\t([La/a;)La/b;\tX\t12\n0xc\ta/b\ta\t()V\tX\n0x10\tx\tc\t\t\n0x14\ta.a\ta\t(a.b[], int)\tX\n*end\n"
    "SLOW\3\0\40\0\0\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

static const char stacks[] = "java/lang/Thread.run;a.a.a(SourceFile:1);a.a.b(SourceFile:41);a/b.a;a.a::c;x:::c;a.a.c:7 3\na.a.a 2\na.b.a(X) 1\n";

static struct store *
base_open(const void *data, size_t n)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct store *st;
	char path[64];
	int fd = memfd_create("base", MFD_CLOEXEC);

	MUST(fd != -1 && fd_write_all(fd, data, n, &err));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	MUST(load_open(&st, path, &options, NULL, &err));
	close(fd);
	return st;
}

static void
look_trace(struct store *st)
{
	struct buf b = BUF_INIT;
	uint32_t i;

	for (i = 1; i <= store_fact_get(st, "methods"); i++) {
		buf_clear(&b);
		method_name(st, i, &b);
		buf_str(&b, method_obfuscated(st, i));
		MUST(!b.bad);
	}
	buf_free(&b);
}

static void
look_heap(struct store *st)
{
	struct err err = { .kind = E_NONE };
	struct heap_slots slots;
	struct heap_slot slot;
	struct buf b = BUF_INIT;
	struct heap h;
	uint32_t i;

	MUST(pass_want(st, COL_OBJECT_OFFSET, NULL, &err));
	MUST(pass_want(st, COL_FRAME_METHOD, NULL, &err));
	MUST(heap_open(&h, st, REFS_SOFT, SIZES_VM, &err));
	for (i = 1; i <= h.objects; i++) {
		heap_label(&h, i, &b);
		MUST(heap_slots(&h, i, &slots));
		while (heap_slot(&slots, &slot))
			buf_str(&b, slot.name);
	}
	for (i = 1; i <= h.classes; i++)
		heap_class_obfuscated(&h, i, &b);
	heap_frame_name(&h, 1, &b);
	MUST(!b.bad && b.n > 0);
	buf_free(&b);
}

static void
map(struct store *base, const char *path, void (*look)(struct store *))
{
	const char *const list[] = { path, NULL };
	struct side_options o = { .mappings = list };
	struct err err = { .kind = E_NONE };
	struct store *st;

	if (load_sides(&st, base, &o, NULL, &err)) {
		MUST(store_fact_get(st, "mapping.classes") > 0);
		look(st);
		store_close(st);
	} else
		MUST(err.kind == E_USAGE);
}

TARGET(mapping, &mutate_text)
{
	static struct store *trace, *profile, *heap;
	struct err err = { .kind = E_NONE };
	struct buf file = BUF_INIT;
	char path[64];
	int fd = memfd_create("mapping", MFD_CLOEXEC);

	if (trace == NULL) {
		renamed_heap(&file, 12);
		heap = base_open(file.s, file.n);
		trace = base_open(text, sizeof text);
		profile = base_open(stacks, sizeof stacks - 1);
		buf_free(&file);
	}
	MUST(fd != -1 && fd_write_all(fd, data, size, &err));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	map(trace, path, look_trace);
	map(profile, path, look_trace);
	map(heap, path, look_heap);
	close(fd);
}
