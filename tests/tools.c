/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/target.h"

static struct tool *tools;

void
tool_add(struct tool *t)
{
	t->next = tools;
	tools = t;
}

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

const struct tool *
tool_of(const char *path)
{
	size_t n = strlen(path), k;

	for (const struct tool *t = tools; t != NULL; t = t->next) {
		k = strlen(t->name);
		if (k <= n && strcmp(path + n - k, t->name) == 0 && (k == n || path[n - k - 1] == '/'))
			return t;
		/* Others keep all fuzz targets in a folder of their own. */
		if (t->target != NULL && strcmp(base_of(path), base_of(t->name)) == 0)
			return t;
	}
	fprintf(stderr, "%s: no program of the tests has this name; unit tests need cmocka (./bootstrap tools)\n", path);
	exit(2);
}

#ifndef USE_LIBFUZZER

/* A link has the name of the program; tests/tools and tests/units get it as its first argument. */
int
main(int argc, char **argv)
{
	const char *base = base_of(argv[0]);
	int skip = (strcmp(base, "tools") == 0 || strcmp(base, "units") == 0) && argc > 1;
	const struct tool *t = tool_of(argv[skip]);

	argc -= skip;
	argv += skip;
	return t->target != NULL ? replay(t, argc, argv) : t->run(argc, argv);
}

#endif
