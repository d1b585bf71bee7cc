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

#define SECOND ((uint64_t)1000000000u)

static uint64_t memory_most;	/* 0: none */
static const char *memory_option;

/* False: an input is not a regular file. */
static bool
limits_size(const char *const *path, size_t n, uint64_t *bytes)
{
	struct stat st;

	*bytes = 0;
	for (size_t i = 0; i < n; i++) {
		if ((strcmp(path[i], "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path[i], &st)) != 0 ||
		    !S_ISREG(st.st_mode))
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

struct run_limits
limits_of_size(const struct size_limits *l, uint64_t bytes, struct run_limits asked)
{
	const struct policy *p = policy_now();

	/* A sparse file can have any size. */
	bytes = bytes < (uint64_t)1 << 50 ? bytes : (uint64_t)1 << 50;
	asked.time = asked.time > 0 ? asked.time : l->time + (bytes + ((1u << 20) - 1)) / (1u << 20) * l->time_a_mib;
	asked.memory = asked.memory > 0 ? asked.memory : l->memory + bytes * l->memory_a_byte;
	return (struct run_limits){ policy_least(p->time, asked.time),
	    policy_least(p->memory, asked.memory) };
}

void
limits_batch(const char *const *path, size_t n, uint64_t time, uint64_t memory)
{
	static const struct size_limits by_size = { 600 * SECOND, 6 * SECOND, (uint64_t)4 << 30, 32 }, none;
	uint64_t bytes;
	bool known = limits_size(path, n, &bytes);
	struct run_limits l = limits_of_size(known ? &by_size : &none, bytes,
	    (struct run_limits){ time, memory });

	work_deadline(l.time);
	limit_memory(l.memory, "--max-memory");
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
