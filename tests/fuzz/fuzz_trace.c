/* Fuzz target: any bytes, opened as a file and explored. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "walk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = { .kind = E_NONE };
	char path[64];
	uint64_t records;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd == -1 || !fd_write_all(fd, data, n, &err))
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!walk_trace(path, &records, &err) && err.kind != E_INPUT) {
		fprintf(stderr, "error of kind %d: %s\n", err.kind, err.text);
		abort();
	}
	close(fd);
	return 0;
}
