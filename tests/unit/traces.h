/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traces: a small trace of known numbers, opened in memory, for the tests
 * that ask queries.
 */
#ifndef UNIT_TRACES_H
#define UNIT_TRACES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "icecore/query.h"

/* Version 3, dual clock.  The fourth thread and method have names that try to do harm. */
static const char trace_text[] =
    "*version\n3\nclock=dual\nvm=art\npid=1\n*threads\n"
    "1\tmain\n2\tBinder:1_2\n3\tBinder:1_3\n4\ta;b\033[1m\tc\n*methods\n"
    "0x4\tcom.app.Main\trun\t()V\tMain.java\n"
    "0x8\tcom.app.Main\tdraw\t(I)V\tMain.java\t12\n"
    "0xc\tcom/app/Util\tsum\t(II)I\tUtil.java\t-1\n"
    "0x10\tx\\y\tz,\"\033\t()V\tX.java\n*end\n";

/* wall and cpu in microseconds */
static const struct {
	uint16_t	tid;
	uint32_t	word;		/* method, or 1 for an exit */
	uint32_t	cpu, wall;
} trace_records[] = {
	{ 1, 0x4, 0, 0 },
	{ 1, 0x8, 5, 10 },
	{ 1, 0xc, 10, 20 },
	{ 1, 0xc | 1, 15, 30 },
	{ 1, 0x8, 15, 30 },
	{ 1, 0x8 | 1, 30, 50 },
	{ 1, 0x8 | 1, 40, 60 },
	{ 1, 0xc, 45, 70 },
	{ 1, 0xc | 1, 60, 100 },
	{ 1, 0x4 | 1, 70, 110 },
	{ 2, 0xc, 0, 5 },
	{ 2, 0xc | 1, 10, 25 },
	{ 2, 0x40, 12, 30 },
	{ 2, 0x40 | 1, 20, 40 },
	{ 3, 0x8, 0, 0 },
	{ 3, 0x8 | 1, 3, 1000 },
	{ 4, 0x10, 0, 0 },
	{ 4, 0x10 | 2, 1, 2 },
};

static inline void
trace_put(uint8_t *to, uint64_t v, size_t n)
{
	for (; n-- > 0; v >>= 8)
		*to++ = (uint8_t)v;
}

static inline bool
trace_write(int fd, struct err *err)
{
	uint8_t head[32] = { 'S', 'L', 'O', 'W', 3, 0, 32 };
	uint8_t rec[14];
	size_t i;

	head[16] = sizeof rec;
	if (!fd_write_all(fd, trace_text, sizeof trace_text - 1, err) ||
	    !fd_write_all(fd, head, sizeof head, err))
		return false;
	for (i = 0; i < NELEM(trace_records); i++) {
		trace_put(rec, trace_records[i].tid, 2);
		trace_put(rec + 2, trace_records[i].word, 4);
		trace_put(rec + 6, trace_records[i].cpu, 4);
		trace_put(rec + 10, trace_records[i].wall, 4);
		if (!fd_write_all(fd, rec, sizeof rec, err))
			return false;
	}
	return true;
}

/* Ends the program when it cannot. */
static inline void
trace_open(struct session *session)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	char path[64];
	int fd = memfd_create("small.trace", MFD_CLOEXEC);

	memset(session, 0, sizeof *session);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd < 0 || !trace_write(fd, &err) ||
	    !load_open(&session->store[0], path, &options, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	session->nstores = 1;
	close(fd);
}

static inline void
trace_close(struct session *session)
{
	store_close(session->store[0]);
	session->nstores = 0;
}

#endif
