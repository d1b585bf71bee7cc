/*
 * main for fuzz targets that are built without libFuzzer: runs the target on
 * each file named on the command line and on each file of the folders named
 * there, so that the kept inputs run in every make check.  Speaks TAP.
 */
#include "config.h"

#ifndef USE_LIBFUZZER

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

size_t	LLVMFuzzerMutate(uint8_t *, size_t, size_t);

static unsigned ran;

/* For mutators, which nobody calls here. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max)
{
	(void)data;
	return n < max ? n : max;
}

static void
run_file(const char *path, size_t size)
{
	uint8_t *data = malloc(size > 0 ? size : 1);
	FILE *f = fopen(path, "rb");

	if (data == NULL || f == NULL || fread(data, 1, size, f) != size) {
		printf("not ok %u - cannot read %s\n", ++ran, path);
	} else {
		/* A crash leaves the plan unprinted, and this line names the input. */
		printf("# %s\n", path);
		fflush(stdout);
		LLVMFuzzerTestOneInput(data, size);
		printf("ok %u - %s\n", ++ran, path);
	}
	if (f != NULL)
		fclose(f);
	free(data);
}

static void
run_path(const char *path, int depth)
{
	struct dirent **entry;
	struct stat sb;
	char inner[4096];
	int i, n;

	if (stat(path, &sb) != 0)
		printf("not ok %u - no file %s\n", ++ran, path);
	else if (S_ISREG(sb.st_mode))
		run_file(path, (size_t)sb.st_size);
	if (stat(path, &sb) != 0 || !S_ISDIR(sb.st_mode) || depth > 0 ||
	    (n = scandir(path, &entry, NULL, alphasort)) < 0)
		return;
	for (i = 0; i < n; i++) {
		snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			run_path(inner, depth + 1);
		free(entry[i]);
	}
	free(entry);
}

int
main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		run_path(argv[i], 0);
	printf("1..%u\n", ran);
	return 0;
}

#endif
