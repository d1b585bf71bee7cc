/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check: cmocka as the unit tests use it.
 */
#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../tools.h"

/* Our fail is a function; cmocka's is a macro, on which its fail_msg rests. */
#undef fail
#undef fail_msg
#define fail_msg(...) \
	do { \
		print_error(__VA_ARGS__); \
		print_error("\n"); \
		_fail(__FILE__, __LINE__); \
	} while (0)

#endif
