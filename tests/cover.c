/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cover: which blocks of a program run.  make map links it to programs that -fsanitize-coverage=trace-pc compiled.
 *
 * A byte for each byte of the program's code is in a shared mapping of the file COVER_DIR/NAME-SIZE.  It is mapped before main(), so
 * a sandbox does not hinder it, children share it, and the end of a process by a signal loses nothing.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void	__sanitizer_cov_trace_pc(void);

extern const char __executable_start[], etext[];
static char *blocks;

static void __attribute__((constructor(101)))
start(void)
{
	char program[4096], path[8192], *name = program;
	const char *folder = getenv("COVER_DIR");
	size_t size = (size_t)(etext - __executable_start);
	ssize_t n = folder ? readlink("/proc/self/exe", program, sizeof program - 1) : -1;
	int fd;

	if (n < 0)
		return;
	program[n] = '\0';
	for (char *c = program; *c; c++)
		if (*c == '/')
			name = c + 1;
	snprintf(path, sizeof path, "%s/%s-%zu", folder, name, size);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (ftruncate(fd, (off_t)size) == 0) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		blocks = p == MAP_FAILED ? NULL : p;
	}
	close(fd);
}

void
__sanitizer_cov_trace_pc(void)
{
	char *at = blocks + ((const char *)__builtin_return_address(0) - __executable_start);

	if (blocks && !*at)
		*at = 1;
}
