/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The common part of the tests of the WiFi module's model: a host on a fresh module
 * for each test.  A test file includes this header once.
 */
#ifndef WSIM_TESTS_H
#define WSIM_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "wsim_host.h"

static struct wsim_host host;

static inline int open_host(void **state)
{
	(void)state;
	host_open(&host);
	return 0;
}

static inline int close_host(void **state)
{
	(void)state;
	host_close(&host);
	return 0;
}

static inline struct wsim_script *script(void)
{
	return wsim_script(host.wifi);
}

static inline void no_blame(void)
{
	if (wsim_errors(host.wifi))
		fail_msg("%u rules broken, the last one: %s", wsim_errors(host.wifi), host_blame(&host));
}

#define ROW(name) cmocka_unit_test_setup_teardown(name, open_host, close_host)

#endif
