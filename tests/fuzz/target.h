/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * target: fuzz targets.  driver.c feeds them.
 */
#ifndef TESTS_TARGET_H
#define TESTS_TARGET_H

#include "../tools.h"
#include "mutate.h"

/* TARGET(NAME, MUTATOR) { ... }: tests/fuzz/fuzz_NAME, which has this body for an input: data and size. */
#define TARGET(base, how) \
	static void tool_##base##_target(const uint8_t *, size_t); \
	TOOL_ADD(base, .name = "fuzz/fuzz_" #base, .target = tool_##base##_target, .mutator = how) \
	static void \
	tool_##base##_target(const uint8_t *data, size_t size)

/* Runs a target on each file, and on each file of the folders, that arguments name; speaks TAP. */
int	replay(const struct tool *, int argc, char **argv);

#endif
