/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The connect request of firmware 19.6 and later, which the clock uses when built with WINC_NEW_CONNECT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define WINC_NEW_CONNECT
#include "wreq.c"

struct whif_request whif_request;

static const char *ssid_text, *pass_text;

static char ssid(uint8_t i)
{
	return i < strlen(ssid_text) ? ssid_text[i] : 0;
}

static char pass(uint8_t i)
{
	return i < strlen(pass_text) ? pass_text[i] : 0;
}

static void compose(const char *name, const char *phrase, uint8_t security)
{
	ssid_text = name;
	pass_text = phrase;
	wreq.kind = WREQ_JOIN;
	wreq.join.ssid = ssid;
	wreq.join.pass = pass;
	wreq.join.security = security;
	wreq_compose(WREQ_JOIN);
	assert_int_equal(whif_request.group, 1);
	assert_int_equal(whif_request.opcode, 59);
	assert_int_equal(whif_request.control_size, 48);
}

/* Bytes of a part from i on, as they go out. */
static void assert_bytes(wspi_bytes *part, uint8_t i, const char *text, uint8_t size)
{
	uint8_t k;

	for (k = 0; k < size; k++)
		assert_int_equal(part(i + k), k < strlen(text) ? (uint8_t)text[k] : 0);
}

static void head(uint16_t credentials, uint8_t ssid_size, uint8_t security)
{
	assert_int_equal(whif_request.control(0) | whif_request.control(1) << 8, credentials);
	assert_int_equal(whif_request.control(2), 0);		/* not stored */
	assert_int_equal(whif_request.control(3), 255);
	assert_int_equal(whif_request.control(4), ssid_size);
	assert_bytes(whif_request.control, 5, ssid_text, 32);
	assert_bytes(whif_request.control, 37, "", 7);
	assert_int_equal(whif_request.control(44), security);
	assert_bytes(whif_request.control, 45, "", 3);
}

static void protected_network(void **state)
{
	(void)state;
	compose("net", "pass phrase", WINC_WPA);
	head(44 + 108, 3, 2);
	assert_int_equal(whif_request.data_offset, 48);
	assert_int_equal(whif_request.data_size, 108);
	assert_int_equal(whif_request.data(0), 11);
	assert_bytes(whif_request.data, 1, pass_text, 107);
}

static void longest(void **state)
{
	(void)state;
	compose("01234567890123456789012345678901",
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", WINC_WPA);
	head(44 + 108, 32, 2);
	assert_int_equal(whif_request.data(0), 64);
	assert_bytes(whif_request.data, 1, pass_text, 107);
}

static void open_network(void **state)
{
	(void)state;
	compose("cafe", "never sent", WINC_OPEN);
	head(44, 4, 1);
	assert_int_equal(whif_request.data_size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(protected_network),
		cmocka_unit_test(longest),
		cmocka_unit_test(open_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
