/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console on its board, typed at line by line.  For the tests of it: a
 * test file includes it once.
 */
#ifndef CLI_TESTS_H
#define CLI_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cli_board.h"

/* The prompt for unsaved settings becomes the plain one; true: there was it. */
static bool was_unsaved;

static inline bool prompted(void)
{
	static const char unsaved[] = "\r\nunsaved> ", plain[] = "\r\n> ";
	char *end = board.heard + board.size;

	was_unsaved = board.size >= sizeof unsaved - 1 && strcmp(end - (sizeof unsaved - 1), unsaved) == 0;
	if (was_unsaved) {
		board.size -= sizeof unsaved - sizeof plain;
		strcpy(end - (sizeof unsaved - 1), plain);
		return true;
	}
	return board.size >= sizeof plain - 1 && strcmp(end - (sizeof plain - 1), plain) == 0;
}

/* Types line and Enter; what was said from then to the prompt, without what came before. */
static inline const char *command(const char *line)
{
	board_forget();
	board_type(line, (unsigned)strlen(line));
	board_type("\r", 1);
	for (int i = 0; i < 3000; i++) {
		board_run(1);
		if (board.count == 0 && prompted())
			return board.heard;
	}
	fail_msg("no prompt after '%s': %s", line, board.heard);
	return "";
}

#define SAYS(line, text) assert_string_equal(command(line), line "\r\n" text "\r\n> ")

static inline int start(void **state)
{
	(void)state;
	board_init();
	board_run(100);
	board_forget();
	return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, start)

#endif
