/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a Nanoscope trace with its two side files, explored; the pieces follow lines of "%%". */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/os.h"
#include "target.h"
#include "walk.h"

#define MARK "%%\n"

static void
put(const char *folder, const char *suffix, const uint8_t *data, size_t n)
{
	char path[80];
	struct err err;
	FILE *f;

	snprintf(path, sizeof path, "%s/x%s", folder, suffix);
	if ((f = fopen(path, "wb")) == NULL || !fd_write_all(fileno(f), data, n, &err))
		abort();
	fclose(f);
}

/* Up to the next mark, or all; **at moves past the mark. */
static size_t
part(const uint8_t *data, size_t n, size_t *at)
{
	const uint8_t *mark = memmem(data + *at, n - *at, MARK, strlen(MARK));
	size_t from = *at, end = mark == NULL ? n : (size_t)(mark - data);

	*at = mark == NULL ? n : end + strlen(MARK);
	return end - from;
}

TARGET(nano, &mutate_text)
{
	static const char *const suffix[] = { "", ".timer", ".state" };
	char folder[] = "/tmp/fuzz_nano.XXXXXX", path[80];
	struct err err = { .kind = E_NONE };
	size_t at = 0, from, i, length;
	uint64_t records;

	if (mkdtemp(folder) == NULL)
		abort();
	for (i = 0; i < NELEM(suffix); i++) {
		from = at;
		length = part(data, size, &at);
		put(folder, suffix[i], data + from, length);
	}
	snprintf(path, sizeof path, "%s/x", folder);
	if (!walk_file(path, &records, &err) && err.kind != E_UNREADABLE) {
		fprintf(stderr, "error of kind %d: %s\n", err.kind, err.text);
		abort();
	}
	for (i = 0; i < NELEM(suffix); i++) {
		snprintf(path, sizeof path, "%s/x%s", folder, suffix[i]);
		unlink(path);
	}
	rmdir(folder);
}
