/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeds the fuzz targets: from libFuzzer, or without libFuzzer from the files that are named, so that every make check
 * runs the kept inputs.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "target.h"
#include "walk.h"

#ifdef USE_LIBFUZZER

int	LLVMFuzzerInitialize(int *, char ***);
int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);
size_t	LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);
size_t	LLVMFuzzerCustomCrossOver(const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *, size_t, unsigned);

static const struct tool *tool;

/* Inputs begin short and grow, which libFuzzer gives up where there is a custom mutator. */
static void
add_control(int *argc, char ***argv)
{
	static char control[] = "-len_control=100";
	char **more = calloc((size_t)*argc + 2, sizeof *more);

	if (more == NULL)
		abort();
	more[0] = (*argv)[0];
	more[1] = control;
	memcpy(more + 2, *argv + 1, (size_t)*argc * sizeof *more);
	*argv = more;
	++*argc;
}

/* Called once, before all else. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	tool = tool_of((*argv)[0]);
	if (tool->target == NULL)
		exit(tool->run(*argc, *argv));
	if (tool->mutator == NULL)
		add_control(argc, argv);
	walk_fuzzes = true;
	/* On huge pages an array of which little is used would cost as if all of it were. */
	(void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	tool->target(data, n);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return tool->mutator == NULL ? LLVMFuzzerMutate(data, n, max) : mutant_make(tool->mutator, data, n, max, seed);
}

/* 0: libFuzzer mutates instead, and its own mutator also crosses inputs. */
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t n, const uint8_t *other, size_t nother, uint8_t *out, size_t max,
    unsigned seed)
{
	return tool->mutator == NULL ? 0 : mutant_cross(tool->mutator, data, n, other, nother, out, max, seed);
}

#else

static unsigned ran;

/* For mutators, which nobody calls here. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max)
{
	(void)data;
	return n < max ? n : max;
}

static void
run_file(const struct tool *t, const char *path, size_t size)
{
	uint8_t *data = malloc(size > 0 ? size : 1);
	FILE *f = fopen(path, "rb");

	if (data == NULL || f == NULL || fread(data, 1, size, f) != size) {
		printf("not ok %u - cannot read %s\n", ++ran, path);
	} else {
		/* A crash leaves the plan unprinted, and this line names the input. */
		printf("# %s\n", path);
		fflush(stdout);
		t->target(data, size);
		printf("ok %u - %s\n", ++ran, path);
	}
	if (f != NULL)
		fclose(f);
	free(data);
}

static void
run_path(const struct tool *t, const char *path, int depth)
{
	struct dirent **entry;
	struct stat sb;
	char inner[4096];
	int i, n;

	if (stat(path, &sb) != 0)
		printf("not ok %u - no file %s\n", ++ran, path);
	else if (S_ISREG(sb.st_mode))
		run_file(t, path, (size_t)sb.st_size);
	if (stat(path, &sb) != 0 || !S_ISDIR(sb.st_mode) || depth > 0 ||
	    (n = scandir(path, &entry, NULL, alphasort)) < 0)
		return;
	for (i = 0; i < n; i++) {
		snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			run_path(t, inner, depth + 1);
		free(entry[i]);
	}
	free(entry);
}

int
replay(const struct tool *t, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run_path(t, argv[i], 0);
	printf("1..%u\n", ran);
	return 0;
}

#endif
