/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_native: files with names for addresses: ELF files, .syms.json, and the libraries of a profile.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load/native/native_room.h"
#include "heapwalk.h"
#include "target.h"

static void
look_up(const uint8_t *data, size_t size)
{
	struct native_functions f = { .n = 0 };
	struct elf e;
	struct err err;

	if (!elf_open(&e, data, size))
		return;
	MUST(elf_build_id(&e).n <= size && elf_debuglink(&e).n <= size);
	if (functions_read(&f, &e, NULL, &err))
		for (uint64_t i = 0; i < f.n; i++) {
			const struct native_function *row = &SCRATCH(f.rows, struct native_function)[i];

			MUST(i == 0 || row[-1].value < row->value);
			MUST(functions_at(&f, &e, row->value - elf_base(&e)).n <= size);
		}
	(void)functions_at(&f, &e, UINT64_MAX);
	functions_free(&f);
}

static void
take(void *n, const struct native_library *l)
{
	MUST(++*(uint64_t *)n <= LIBRARIES_MOST && l->name.n + l->path.n < (size_t)64 << 20);
}

static void
ask_sidecar(const uint8_t *data, size_t size)
{
	int fd = memfd_create("sidecar", MFD_CLOEXEC);
	const struct native_frame *frame;
	struct sidecar *s;
	struct err err;
	uint32_t library;
	size_t n;

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size && (s = sidecar_open(fd, NULL)) != NULL) {
		library = sidecar_library(s, "00000000000000000000000000000001");
		for (uint64_t address = 4096; library != 0 && address < 4104; address++)
			if (sidecar_at(s, library, address, &frame, &n, &err) && n > 0)
				MUST(frame[0].name.n > 0 && frame[n - 1].name.n > 0);
		sidecar_close(s);
	}
	if (fd >= 0)
		close(fd);
}

TARGET(native, NULL)
{
	uint64_t n = 0;

	look_up(data, size);
	(void)libraries_may_be_in((struct str){ (const char *)data, size });
	libraries_each((struct str){ (const char *)data, size }, take, &n);
	ask_sidecar(data, size);
}
