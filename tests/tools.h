/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tools: most programs of the tests in two files, as each would link all of the library: tests/tools, and tests/units with the
 * unit tests.
 *
 * Makefile.am makes links of their names to it; the name that it is called by, such as tests/unit/base, says which
 * of them runs.
 *
 * Large tables belong on the heap: each answer of tests/hurt/serve ends with a leak check, which reads all static memory.
 */
#ifndef TESTS_TOOLS_H
#define TESTS_TOOLS_H

#include <stddef.h>
#include <stdint.h>

struct mutator;

struct tool {
	const char	*name;		/* the end of its path */
	int		(*run)(int argc, char **argv);
	/* A fuzz target, instead of run, and the mutator of its inputs; NULL: any bytes. */
	void		(*target)(const uint8_t *, size_t);
	const struct mutator	*mutator;
	struct tool	*next;
};

void	tool_add(struct tool *);
/* The one whose name the path ends with, of a fuzz target the part behind the slash; if there is none the program ends. */
const struct tool *tool_of(const char *path);

#define TOOL_ADD(base, ...) \
	static void __attribute__((constructor)) \
	tool_##base##_add(void) \
	{ \
		static struct tool t = { __VA_ARGS__ }; \
		tool_add(&t); \
	}

/* TOOL(FOLDER, NAME) { ... }: tests/FOLDER/NAME, whose main() has this body, with argc and argv. */
#define TOOL(folder, base) \
	static int tool_##base##_run(int, char **); \
	TOOL_ADD(base, .name = #folder "/" #base, .run = tool_##base##_run) \
	static int \
	tool_##base##_run(int argc __attribute__((unused)), char **argv __attribute__((unused)))

#endif
