/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch: limits of time and memory of a command that ends by itself.
 */
#include "config.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "icecore/policy.h"
#include "icecore/sandbox.h"

#define TIME_LEAST ((uint64_t)600 * 1000000000u)
#define TIME_A_BYTE ((uint64_t)60 * 1000000000u / (10u << 20))
#define MEMORY_LEAST ((uint64_t)4 << 30)
#define MEMORY_A_BYTE 32u

static uint64_t memory_most;	/* 0: none */
static const char *memory_option;

/* False: an input is not a regular file. */
static bool
limits_size(const char *const *path, size_t n, uint64_t *bytes)
{
	struct stat st;

	*bytes = 0;
	for (size_t i = 0; i < n; i++) {
		if ((strcmp(path[i], "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path[i], &st)) != 0 || !S_ISREG(st.st_mode))
			return false;
		*bytes = num_add(*bytes, (uint64_t)st.st_size);
	}
	return true;
}

/* Sanitizers map huge address ranges. */
void
limit_memory(uint64_t bytes, const char *option)
{
	const struct rlimit r = { .rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes };

	if (bytes > 0 && sandbox_usual() == SANDBOX_FULL && setrlimit(RLIMIT_DATA, &r) == 0) {
		memory_most = bytes;
		memory_option = option;
	}
}

void
limits_batch(const char *const *path, size_t n, uint64_t time, uint64_t memory)
{
	const struct policy *p = policy_now();
	uint64_t bytes;

	if (limits_size(path, n, &bytes) && bytes < (uint64_t)1 << 50) {
		time = time > 0 ? time : TIME_LEAST + bytes * TIME_A_BYTE;
		memory = memory > 0 ? memory : MEMORY_LEAST + bytes * MEMORY_A_BYTE;
	}
	work_deadline(policy_least(p->time, time));
	limit_memory(policy_least(p->memory, memory), "--max-memory");
}

void
limits_put_advice(struct buf *b)
{
	char size[NUM_TEXT];

	num_show_size(size, sizeof size, memory_most);
	if (memory_most == 0)
		buf_str(b, STR("; free some memory, or raise 'ulimit -v'"));
	else if (memory_most == policy_now()->memory)
		buf_printf(b, "; the limit is %s, in " POLICY_FILE, size);
	else
		buf_printf(b, "; the limit is %s: raise it with %s", size, memory_option);
}
