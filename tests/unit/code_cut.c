/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytecode cut at every byte: what is there is read, that something is missing is said, nothing else goes wrong. */
#include "config.h"

#include <sys/mman.h>

#include "check.h"
#include "folder.h"

#include "icecore/code.h"
#include "icecore/load.h"

#define METHODS 7	/* of each file: six helpers, and what they help */

/* The methods of a file, -1: it is refused; what is cut must say so. */
static int
count_methods(int fd, bool whole)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct store *st;
	struct code code;
	char path[64];
	int methods;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!load_open(&st, path, &options, NULL, &err)) {
		assert_int_equal(err.kind, E_UNREADABLE);
		assert_true(err.text[0] != '\0');
		return -1;
	}
	assert_true(code_open(&code, st));
	assert_int_equal(store_damaged(st), !whole);
	methods = (int)code.nmethods;
	store_close(st);
	return methods;
}

/* Fewer bytes never have more methods, and the last byte costs no more than the last method. */
static void
cut(void **state)
{
	const char *srcdir = getenv("srcdir");
	int fd = memfd_create("cut", MFD_CLOEXEC), methods, before;
	char name[PATH_MAX], *data;
	size_t n;

	snprintf(name, sizeof name, "%s/tests/fuzz/corpus/%s", srcdir == NULL ? ".." : srcdir, (const char *)*state);
	data = folder_read(name, &n);
	assert_non_null(data);
	assert_int_equal(write(fd, data, n), n);
	assert_int_equal(before = count_methods(fd, true), METHODS);
	for (bool last = true; n-- > 0; before = methods, last = false) {
		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		methods = count_methods(fd, false);
		if (methods > before || (last && methods < METHODS - 1))
			fail_msg("%zu bytes have %d methods, one more has %d", n, methods, before);
	}
	assert_int_equal(before, -1);
	free(data);
	close(fd);
}

TOOL(unit, code_cut)
{
	static char class[] = "class/small.class", dex[] = "dex/small.dex", jar[] = "zip/small.jar";
	const struct CMUnitTest tests[] = {
		{ "class file", cut, NULL, NULL, class }, { "dex file", cut, NULL, NULL, dex }, { "jar", cut, NULL, NULL, jar }
	};

	return cmocka_run_group_tests_name("code_cut", tests, NULL, NULL);
}
